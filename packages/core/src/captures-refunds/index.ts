// Captures, refunds and reversals: what is left to capture or give back, and which change the books take.
export { computeUncaptured, releaseCapture, reserveCapture, bookCapture } from './capture.js';
export { type ChargeOutcome, chargeOutcome, isAbandonedCharge, requireChargeable } from './charge.js';
export {
  computeRefundable,
  declineRefund,
  isRefundFree,
  planRefund,
  releaseRefund,
  reserveRefund,
  concludeFreedRefund,
  bookRefund,
  undoUnmadeRefund,
} from './refund.js';
export { decideHoldEnd } from './hold-end.js';
export { computeHoldTimes } from './hold-times.js';
export { releaseReversal, reserveRelease, reserveReversal, reverseUntaken, bookReversal } from './reversal.js';
export { chooseGiveBack, findGiveBackWay, type GiveBackPosition } from './give-back.js';
