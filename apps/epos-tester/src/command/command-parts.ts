import type { TemporaryDatabase } from './temporary-database.js';

/** The input and output of the command. */
export interface CommandParts {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  readonly openTemporaryDatabase: () => Promise<TemporaryDatabase>;
  /** When aborted, the active run ends with its cleanup, and no other starts. */
  readonly stop: AbortSignal;
}
