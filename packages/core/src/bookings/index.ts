// Bookings at an EPOS: reservations, parties and dining tables, and deposits that payments cover.
export {
  BOOKING_KINDS,
  type BookingKind,
  type DiningArea,
  type DiningTable,
  type EposPage,
  type EposPageRequest,
  isRequestedParty,
  isRequestedReservation,
  type NewParty,
  type Party,
  type PartyChange,
  type PartyDeposit,
  type PartySearch,
  type Reservation,
  type ReservationDetails,
  type ReservationSearch,
  type TableSearch,
} from './booking.js';
export type { BookingEpos, BookingReference, BookingReply } from './booking-epos.js';
export { allocateDeposit, computeDepositHeldUntil, computeDepositValue } from './deposit.js';
