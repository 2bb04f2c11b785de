// Captures, refunds, reversals and charges of stored cards, as calls to the acquirer and changes of the books.
export { type CaptureResult, Captures, prepareCapture } from './captures.js';
export { Refunds } from './refunds.js';
export { prepareReversal, type ReversalResult, Reversals } from './reversals.js';
export { GiveBack, type GiveBackOutcome } from './give-back.js';
export { type Charge, Charges } from './charges.js';
export { AmountChanges } from './amount-changes.js';
