// Transports of the simulated EPOS: gRPC server, REST server and WebSocket client.
export { addTablesService } from './epos-grpc-server.js';
export { createEposRestHandler } from './epos-rest-server.js';
