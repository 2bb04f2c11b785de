/** How the command ends. Scripts depend on these numbers, so they never change. */
export const EXIT_CODES = {
  done: 0,
  refused: 1,
  wrongUse: 2,
  notReached: 3,
  finding: 4,
  defect: 70,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

export const EXIT_CODE_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'Done.',
  1: 'The service refused the call; the reason is in the output.',
  2: 'The words or settings are wrong; nothing was sent.',
  3: 'The service or a file was not reached; the outcome of a change may be unknown.',
  4: 'A check failed, or a scenario ended in another way than it should.',
  70: 'The command itself failed.',
};
