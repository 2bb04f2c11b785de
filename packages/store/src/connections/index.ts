// Sockets of machines and EPOSes: which gateway holds one, which of two is newer, and which are live.
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
