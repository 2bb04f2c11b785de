/** Where the vault serves the frame with the fields of a card. */
export const CARD_FRAME_PATH = '/client/frame';
/** Where it serves the frame with the one field of a saved card. */
export const SAVED_CARD_FRAME_PATH = '/client/frame/saved-card';
