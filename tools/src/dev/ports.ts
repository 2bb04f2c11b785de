import { createServer } from 'node:net';

/** The address every process of a developer's machine listens on. */
export const LOOPBACK = '127.0.0.1';

/** The ports that the README names. A world of tests takes free ones instead. */
export const DEFAULT_PORTS = {
  api: 3000,
  workerHealth: 3002,
  gatewayHttp: 3003,
  eposTester: 3004,
  sandboxControl: 3005,
  gatewayGrpc: 50051,
  sandboxGrpc: 50052,
  gatewayInternal: 50054,
} as const;
export type PortName = keyof typeof DEFAULT_PORTS;

/** Ports nobody listens on now; all are held at once while they are drawn, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP server without a port');
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Whether somebody listens on the port. */
export async function isTaken(port: number): Promise<boolean> {
  try {
    const server = await listen(port);
    await new Promise((resolve) => server.close(resolve));
    return false;
  } catch {
    return true;
  }
}

function listen(port: number) {
  return new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => resolve(server));
  });
}
