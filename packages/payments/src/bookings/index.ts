// Reservations, parties, dining tables and deposits at the EPOS of an account.
export { Reservations } from './reservations.js';
export { Parties } from './parties.js';
export { DiningTables } from './dining-tables.js';
export { findOrderParty } from './order-party.js';
export type { CallersBooking } from './booking-content.js';
export { recordBookingChange } from './booking-events.js';
