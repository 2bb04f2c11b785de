/** How a command ends. */
export const EXIT_CODES = {
  done: 0,
  notDone: 1,
  wrongUse: 2,
  notAvailable: 3,
  defect: 4,
} as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** What each exit code means, as the documentation and `--help` show it. */
export const EXIT_CODE_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done; a check has found nothing',
  1: 'not done, because the service refused it, or a check has found something that needs a person',
  2: 'wrong use: an unknown command, a missing or wrong flag, or a wrong setting in the environment',
  3: 'the database is not available, or its schema does not work with this release',
  4: 'a defect of the command',
};
