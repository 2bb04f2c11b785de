// The simulated acquirer: its gRPC service, books, verdicts on cards, and the rules that change them.
export { Acquirer } from './acquirer.js';
export { AcquirerSimulator } from './acquirer-simulator.js';
export { addAcquirerService } from './acquirer-grpc-server.js';
export { AcquirerError } from './acquirer-call.js';
export { LATE_APPROVAL_MS } from './card-verdict.js';
export { AcquirerBooks, type AuthorisationTotals, createMemoryJournal } from './acquirer-books.js';
export { openFileJournal } from './acquirer-journal.js';
export { type BookingLine, listBookingLines } from './booking-list.js';
export { AcquirerRuleSet } from './acquirer-rules.js';
export { readAcquirerSwitches, setAcquirerSwitches } from './acquirer-switches.js';
export type { CapabilityLimits } from './simulated-capabilities.js';
