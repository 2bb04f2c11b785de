/** Where the card fields are, at the vault. */
export const FRAME_PATH = '/client/frame';
/** Where the one field of a saved card is. */
export const SAVED_CARD_FRAME_PATH = '/client/frame/saved-card';

/** Where an intent is read, and where it is given a new secret; the braces stand for its id. */
interface IntentEndpoints {
  readonly read: string;
  readonly refresh: string;
}

/** The addresses that the page asks, as the server wrote them into it. */
export interface Endpoints {
  readonly payment: IntentEndpoints;
  readonly setup: IntentEndpoints;
  readonly savedCards: string;
  readonly cardFrame: string;
  readonly savedCardFrame: string;
  readonly challenge: string;
  readonly wallet: string;
  /** The simulated wallets of sandbox accounts; null where there are none. */
  readonly walletSheet: string | null;
}

export function readEndpoints(): Endpoints {
  return JSON.parse(document.body.dataset['places'] ?? '{}') as Endpoints;
}
