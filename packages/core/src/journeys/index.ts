// Payment journeys: one device pays the bill of a table part by part, and how the bill is split.
export {
  abandonJourney,
  applyEarlierPart,
  applyPaymentState,
  finishJourney,
  type Journey,
  JOURNEY_MOVES,
  type JourneyPlan,
  type JourneyState,
  moveJourney,
  requireFree,
  requireUnclaimed,
  startJourney,
  takePart,
  updateBill,
} from './journey.js';
export { listPaidShares, type PartRequest } from './bill-split.js';
