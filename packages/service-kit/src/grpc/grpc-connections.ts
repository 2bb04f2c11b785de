import type { Server as NetServer } from 'node:net';
import type { Server } from '@grpc/grpc-js';
import { assert } from '@pos/core/refusals';
import { type ConnectionLimits, limitConnections } from '../network/connection-limit.js';

/**
 * `limitConnections` for a bound gRPC server. grpc-js has no option for it and does not expose its HTTP/2 servers, so
 * they are read from its internal member.
 */
export function limitGrpcConnections(server: Server, limits: ConnectionLimits = {}): void {
  const { http2Servers } = server as unknown as { readonly http2Servers?: ReadonlyMap<NetServer, unknown> };
  assert(http2Servers !== undefined && http2Servers.size > 0, 'this grpc-js keeps its HTTP/2 servers elsewhere');
  for (const http2Server of http2Servers.keys()) limitConnections(http2Server, limits);
}
