import type { ReferenceRestaurant } from './house.js';

/** What the command is started with. */
export interface CommandParts {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  readonly openHouse: () => Promise<ReferenceRestaurant>;
  /** Aborted: the run under way is ended with its cleanup, and nothing more is played. */
  readonly stop: AbortSignal;
}
