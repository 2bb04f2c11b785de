/**
 * Settings with which a process must not start: they cannot be read, or do not match the environment. The message
 * names each one and never shows a value. The process ends with 2.
 */
export class WrongSetting extends Error {
  override readonly name: string = 'WrongSetting';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`cannot start with these settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}
