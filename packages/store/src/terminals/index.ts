// Stored terminals, their sessions and machine bindings, and the gateway connections of machines and EPOSes.
export {
  findTerminal,
  findTerminalActivity,
  findTerminalByTid,
  findTidOfIntent,
  insertTerminal,
  listTerminalActivity,
  lockTerminal,
  type Terminal,
  type TerminalActivity,
  updateTerminal,
} from './terminals.js';
export { bindMachine, findMachineBindings, unbindMachine } from './machine-bindings.js';
export {
  findTerminalSession,
  insertTerminalSession,
  listRunningSessions,
  listSessionsOfIntent,
  listTerminalSessionEvents,
  listUnresolvedExpiredSessions,
  lockTerminalSession,
  sumGivenBack,
  type TerminalSessionHistory,
  updateTerminalSession,
} from './terminal-sessions.js';
export { searchSessionsOfTerminal, type TerminalSessionSummary } from './terminal-session-listing.js';
export {
  type ConnectionKind,
  deleteEndedConnections,
  type GatewayConnection,
  insertConnection,
  listLiveConnections,
  recordConnectionActivity,
} from './gateway-connections.js';
export {
  closeConnections,
  type ConnectionState,
  findConnectionStates,
  renewConnections,
} from './connection-renewal.js';
export { listGatewayAddresses } from './gateway-addresses.js';
