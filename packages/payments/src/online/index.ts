// Online payments and setups with a payer's own card: submission, authorisation and 3-D Secure challenge.
export { OnlinePayments } from './online-payments.js';
export type {
  AuthorisationRequest,
  Authorise,
  CardAccess,
  ChallengeRequest,
  PayerSubmission,
} from './card-submission.js';
export { CardSetups, requireCardAttestation } from './setups-with-card.js';
export { reverseAttempt, concludeAttempt } from './attempt-conclusion.js';
export { matchesSecret, readSecretClaim, requireAnswerable } from './payer-secret.js';
export { CardVaultClient } from './card-vault-client.js';
