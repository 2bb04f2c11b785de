// Test support for all packages: builders of intents, sessions and approvals, and samples of leaks.
// After it, what only tests of other packages use of the other folders.
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
export { CALL_OUTCOMES } from '../acquirer-calls/acquirer-call.js';
export { findScheme } from '../cards/schemes.js';
export { authoriseEntry, captureEntry } from '../ledger/ledger.js';
export { CURRENCY_EXPONENTS } from '../money/currency.js';
export { formatDecimal } from '../money/money-text.js';
export { PLACEMENT_STEPS } from '../orders/order-placement.js';
export { createPaymentEvent } from '../payment-intents/payment-event.js';
export { LEASE_MACHINE } from '../tables/lease-machine.js';
export { NEXT_STEPS } from '../tables/table-payment.js';
export { createUnchangedDecision } from '../terminals/terminal-session.js';
export { type GiveBackCall, type GiveBackMove } from '../captures-refunds/give-back.js';
export { type LeakShape } from '../leaks/leak-scan.js';
export { createCv2MessageShapes } from '../leaks/leak-shapes.js';
export { isPlacementPending, type PlacementFact, type PlacementStep } from '../orders/order-placement.js';
export { type LeaseMachine } from '../tables/lease-machine.js';
export { OPERATOR_ACTIONS, type TablePaymentStep } from '../tables/table-payment.js';
export { type ReportContext } from '../terminals/machine-report.js';
