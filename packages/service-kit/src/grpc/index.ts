// Servers and clients for gRPC: controllers, credentials, errors, streams, limits and telemetry.
export { GrpcServer } from './grpc-server.js';
export { BindGrpc, type GrpcController, type GrpcService } from './grpc-controller.js';
export { GrpcCall } from './grpc-call.js';
export { createTablesFailure, GrpcFailure } from './grpc-errors.js';
export { describeTooLong, REQUEST_BYTES_MAX } from './grpc-request-decoding.js';
export { PushStream } from './grpc-streams.js';
export { limitGrpcConnections } from './grpc-connections.js';
export {
  chooseChannelCredentials,
  chooseServerCredentials,
  createLoopbackChannelCredentials,
  createLoopbackServerCredentials,
} from './grpc-encryption.js';
export { addReflection } from './grpc-reflection.js';
export { type AcquirerChannels, type AcquirerChannelTarget, openAcquirerChannels } from './acquirer-channels.js';
export { observeClientCalls } from './grpc-client-telemetry.js';
