// Encrypted connections of simulated machines and EPOSes to a gateway.
export type { GatewayTransport } from './gateway-transport.js';
