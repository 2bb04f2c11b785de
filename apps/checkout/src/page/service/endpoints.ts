/** The path of the frame with the card fields, at the vault. */
export const FRAME_PATH = '/client/frame';
/** The path of the frame with the one field of a saved card. */
export const SAVED_CARD_FRAME_PATH = '/client/frame/saved-card';

/** The addresses of one kind of intent; the part in braces is replaced with the id. */
interface IntentEndpoints {
  readonly read: string;
  readonly refresh: string;
}

/** The addresses that the page calls. The server writes them into the page. */
export interface Endpoints {
  readonly payment: IntentEndpoints;
  readonly setup: IntentEndpoints;
  /** Why a link has ended. */
  readonly link: string;
  readonly savedCards: string;
  readonly tip: string;
  readonly amount: string;
  readonly receipt: string;
  readonly cardFrame: string;
  readonly savedCardFrame: string;
  readonly challenge: string;
  readonly wallet: string;
  /** The page of the simulated wallets for sandbox accounts; null where none is configured. */
  readonly walletSheet: string | null;
}

export function readEndpoints(): Endpoints {
  return JSON.parse(document.body.dataset['endpoints'] ?? '{}') as Endpoints;
}
