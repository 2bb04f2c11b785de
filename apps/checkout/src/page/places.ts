/** Where the card fields are, at the vault. */
export const FRAME_PATH = '/client/frame';

/** Where an intent is read, and where it is given a new secret; the braces stand for its id. */
interface IntentPlaces {
  readonly read: string;
  readonly refresh: string;
}

/** The addresses that the page asks, as the server wrote them into it. */
export interface Places {
  readonly payment: IntentPlaces;
  readonly setup: IntentPlaces;
  readonly cardFrame: string;
  readonly challenge: string;
}

export function readPlaces(): Places {
  return JSON.parse(document.body.dataset['places'] ?? '{}') as Places;
}
