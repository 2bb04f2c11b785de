import { createServer } from 'node:net';

/** The address every process of a developer's machine listens on. */
export const LOOPBACK = '127.0.0.1';

/** The ports that the README names, and the setting of `npm start` that moves each. A world of tests takes free ones. */
export const DEFAULT_PORTS = {
  api: { port: 3000, setting: 'API_PORT' },
  workerHealth: { port: 3002, setting: 'WORKER_PORT' },
  gatewayHttp: { port: 3003, setting: 'GATEWAY_PORT' },
  eposTester: { port: 3004, setting: 'EPOS_TESTER_PORT' },
  sandboxControl: { port: 3005, setting: 'SANDBOX_PORT' },
  receiver: { port: 3008, setting: 'DEMO_RECEIVER_PORT' },
  gatewayGrpc: { port: 50_051, setting: 'GATEWAY_GRPC_PORT' },
  sandboxGrpc: { port: 50_052, setting: 'SANDBOX_GRPC_PORT' },
  gatewayInternal: { port: 50_054, setting: 'GATEWAY_INTERNAL_PORT' },
} as const;
export type PortName = keyof typeof DEFAULT_PORTS;
/** Ports in the place of those that the README names. */
export type ChosenPorts = Readonly<Partial<Record<PortName, number>>>;

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
