// Calls of the EPOS Data API to the EPOS of an account, through the gateways that hold its connections.
export type { EposDataCall, EposDataCaller, EposDataReply } from './epos-data-caller.js';
export { GatewayEposClient } from './gateway-epos-client.js';
export { DataApiBookings } from './data-api-bookings.js';
