// Typed relations of the database, and queries that find and update their rows.
export { findRows } from './relation.js';
export { type PaymentIntentRow, paymentIntents } from './payment-relations.js';
export { type TerminalSessionRow, terminalSessions } from './terminal-relations.js';
export { type TablePaymentRow, tablePayments } from './table-relations.js';
export { deliveries, events, lanes } from './queue-relations.js';
