/** The words or settings are wrong, and nothing was sent. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}
