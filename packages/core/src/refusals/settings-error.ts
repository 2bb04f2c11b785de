/**
 * A setting with which a process must not start, whether it cannot be read or does not fit what it is about. The message
 * names each one and never shows a value. Who starts a process ends it with 2.
 */
export class WrongSetting extends Error {
  override readonly name: string = 'WrongSetting';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`cannot start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
