// REST operations of the card vault: card fields, payments by card or wallet, challenges and setups.
export {
  CARD_VAULT_OPERATIONS,
  CARD_VAULT_TITLE,
  completeChallenge,
  openCardFields,
  payByCard,
  payBySavedCard,
  payByWallet,
  type PaymentResult,
  prepareDeviceData,
} from './client-payments.js';
export { CARD_FRAME_PATH, SAVED_CARD_FRAME_PATH } from './frame-paths.js';
export { createSetupIntentWithCard } from './setup-with-card.js';
