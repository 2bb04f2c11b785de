// Test support for all packages: builders of intents, sessions and approvals, and samples of leaks.
export {
  buildIntent,
  buildSession,
  buildSetup,
  createApproval,
  createCapturedIntent,
  createIntentIn,
  createOnlineApproval,
  createPastDate,
  createPlainIntentRequest,
  createSetupRequest,
  gbp,
  getDecline,
  getOutcome,
  NOON,
  NOTHING,
  SCOPE,
  testId,
  VISA,
} from './builders.js';
export { CLIENT_SECRET, CUSTOMER_SECRET, FOUND_LEAKS, KEY, KNOWN, NOT_FOUND, SHORT } from './leak-rows.js';
