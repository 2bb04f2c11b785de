// Orders paid in advance: placement at the EPOS, capture of the hold, and changes that the EPOS reports.
export {
  buildCreateOrderParams,
  listOrderCapabilities,
  listPendingPlacements,
  OrderPlacements,
  type PendingPlacement,
  type PlacementResult,
} from './order-placements.js';
export { OrderCapture, type OrderCaptureOutcome } from './order-capture.js';
export { findUnreadChange, recordBillRead, recordOrderChange } from './order-changes.js';
export { resumeWaitingForEpos } from './epos-reconnection.js';
