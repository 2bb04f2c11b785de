import type { ServerCredentials } from '@grpc/grpc-js';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';
import type { ConnectionLimits } from '@pos/service-kit/network';
import { startInternalServer } from '@pos/service-kit/internal';
import type { EposService } from './epos-service.js';

/** The gRPC port for the other processes of the service. It is opened on an address that only the service reaches. */
export function openInternalServer({
  host,
  port,
  credentials,
  service,
  connections,
}: {
  host: string;
  port: number;
  credentials: ServerCredentials;
  service: EposService;
  connections: ConnectionLimits;
}): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const name = 'service.gateway_internal.v1.EposService';
  return startInternalServer({
    ...{ host, port, credentials, name, connections },
    ...{ definition: EposServiceService, implementation: service.buildMethods() },
  });
}
