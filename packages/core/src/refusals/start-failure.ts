/**
 * A reason outside the settings for which a process cannot start, or a command cannot finish. The message is one sentence
 * for an operator. The process ends with 1.
 */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
