// Online card attempts: checks of a payer's submission, and the result that the payer's client receives.
export {
  type AttemptResult,
  checkSubmission,
  createInvalidSecretRefusal,
  DUPLICATE,
  findAttemptResult,
  isPaid,
  type PayerContacts,
  requireFilledIn,
  type SubmissionFacts,
  SUBMISSIONS_WINDOW_MS,
  withContacts,
} from './online-attempt.js';
