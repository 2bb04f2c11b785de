import { Server, ServerCredentials } from '@grpc/grpc-js';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';
import { HealthImplementation } from 'grpc-health-check';
import type { EposService } from './epos-service.js';

const MESSAGE_BYTES_MAX = 5 * 1024 * 1024;
const CLOSE_LIMIT_MS = 5_000;

/** The gRPC port for the other processes of the service. It is opened on an address that nobody else reaches. */
export async function openInternalDoor({
  host,
  port,
  service,
}: {
  host: string;
  port: number;
  service: EposService;
}): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': MESSAGE_BYTES_MAX,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
  });
  // A refusal of a call carries a typed trailer of its own, so this port is bound to the generated server directly.
  server.addService(EposServiceService, service.methods());
  const health = new HealthImplementation({ '': 'SERVING', 'service.gateway_internal.v1.EposService': 'SERVING' });
  health.addToServer(server);
  const open = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, ServerCredentials.createInsecure(), (error, taken) => {
      if (error === null) resolve(taken);
      else reject(error);
    });
  });
  return { port: open, close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
    server.tryShutdown(() => {
      resolve();
    });
  });
  clearTimeout(timer);
  server.forceShutdown();
}
