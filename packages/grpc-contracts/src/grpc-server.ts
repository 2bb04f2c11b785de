import type { Server, ServerCredentials } from '@grpc/grpc-js';

/** Opens a port for the server and returns its number. Port 0 of the address is a free one. Throws if it cannot be opened. */
export function bindGrpcServer(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

/** Accepts no new calls and waits for the running ones, up to the limit. Then it ends the rest. */
export async function closeGrpcServer(server: Server, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
    server.tryShutdown(() => {
      resolve();
    });
  });
  clearTimeout(timer);
  server.forceShutdown();
}
