// REST operations for reservations, parties and dining tables at an EPOS.
export {
  createReservation,
  deleteReservation,
  getReservation,
  listReservations,
  type Reservation,
  RESERVATION_OPERATIONS,
  updateReservation,
} from './reservations.js';
export {
  createParty,
  deleteParty,
  getParty,
  listParties,
  type Party,
  PARTY_OPERATIONS,
  updateParty,
} from './parties.js';
export { DINING_TABLE_OPERATIONS, type DiningArea, type DiningTable, listAreas, listTables } from './dining-tables.js';
