// Test support for the sandbox: a test acquirer, and a checker for the history of table sessions.
// After it, what only tests of other packages use of the other folders.
export { createAuthorisation, createTestAcquirer } from './builders.js';
export { findHistoryViolations, type HistoryEvent } from './session-history.js';
export type { AcquirerRule, RuledCallKind } from '../acquirer/acquirer-rules.js';
export { APPROVED, type CardVerdict, createDeclinedVerdict } from '../acquirer/card-verdict.js';
export { ManualClock } from '../clock/simulation-clock.js';
export { DeviceClient } from '../devices/device-client.js';
export { openAcquirerSimulator } from '../environment/simulated-environment.js';
export type { EposFaultEffect } from '../epos-simulator/epos-faults.js';
export { openRestaurantEpos } from '../epos-simulator/restaurant-epos.js';
export { serveTablesCall } from '../epos-simulator/tables-calls.js';
export { createTablesSocket } from '../epos-transports/epos-socket-clients.js';
export { presentTablesError } from '../epos/tables-messages.js';
