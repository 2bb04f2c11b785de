// The EPOS Data API contract: calls, orders, bills, bookings, and lenient parsing of an EPOS's answers.
export {
  EPOS_CALL_HEADERS,
  EPOS_DATA,
  EPOS_ERROR_STATUSES,
  type EposCallHeaders,
  type EposDataCallName,
  type EposDataParams,
  type EposDataResult,
  EposError,
  getCapability,
  isEposDataCall,
  isEposDataRead,
} from './epos-data.js';
export {
  EposArea,
  type EposItem,
  EposOrder,
  EposOrderPayment,
  EposTable,
  NewOrder,
  OrderSearch,
  type OrderStatus,
  RecordedPayment,
  TableSearch,
} from './epos-data-orders.js';
export { EposBill, EposBillLine } from './epos-data-bill.js';
export {
  EposNewParty,
  EposNewReservation,
  EposParty,
  EposReservation,
  PartySearch,
  ReservationSearch,
} from './epos-data-bookings.js';
export { EposCursor, EposMoney } from './epos-data-shapes.js';
export { eposDataDocument } from './epos-data-document.js';
export {
  EPOS_FRAME_BYTES_MAX,
  readAnswerFrame,
  readCallFrame,
  writeAnswerFrame,
  writeCallFrame,
} from './epos-data-frames.js';
export {
  buildRestRequest,
  type EposReading,
  readEposAnswer,
  readEposError,
  readEposParams,
  toSinglePage,
} from './epos-data-reading.js';
export {
  isPaymentRecorded,
  type ListedIntents,
  type PlacedOrderAnswer,
  readListedIntents,
  readPlacedOrder,
} from './order-answers.js';
export type { UnreadableMember } from './lenient-reading.js';
export { toContractMoment } from './local-moment.js';
export { parseEposJson } from './epos-json.js';
