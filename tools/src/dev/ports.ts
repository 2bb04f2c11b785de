import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The address where every process of a developer's machine listens. */
export const LOOPBACK = '127.0.0.1';

/** The ports of the README, and the setting of `npm start` that changes each. Worlds of tests take free ones. */
export const DEFAULT_PORTS = {
  api: { port: 3000, setting: 'API_PORT' },
  cardVault: { port: 3001, setting: 'CARD_VAULT_PORT' },
  workerHealth: { port: 3002, setting: 'WORKER_PORT' },
  gatewayHttp: { port: 3003, setting: 'GATEWAY_PORT' },
  eposTester: { port: 3004, setting: 'EPOS_TESTER_PORT' },
  sandboxControl: { port: 3005, setting: 'SANDBOX_PORT' },
  checkout: { port: 3006, setting: 'CHECKOUT_PORT' },
  portal: { port: 3007, setting: 'PORTAL_PORT' },
  sandboxEpos: { port: 3009, setting: 'SANDBOX_EPOS_PORT' },
  receiver: { port: 3008, setting: 'DEMO_RECEIVER_PORT' },
  gatewayGrpc: { port: 50_051, setting: 'GATEWAY_GRPC_PORT' },
  sandboxGrpc: { port: 50_052, setting: 'SANDBOX_GRPC_PORT' },
  cardVaultGrpc: { port: 50_053, setting: 'CARD_VAULT_GRPC_PORT' },
  gatewayInternal: { port: 50_054, setting: 'GATEWAY_INTERNAL_PORT' },
} as const;
export type PortName = keyof typeof DEFAULT_PORTS;
/** Ports that replace those of the README. */
export type ChosenPorts = Readonly<Partial<Record<PortName, number>>>;

/**
 * Below the range that systems use for outgoing connections and for port 0, so that no other program takes one
 * meanwhile.
 */
const DRAWN = { from: 10_000, to: 32_000 };
const DRAWS_MAX = 1_000;

/** Free ports, drawn at random. All are held at once while they are drawn, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const held = new Map<number, Awaited<ReturnType<typeof listen>>>();
  for (let draws = 0; held.size < count; draws += 1) {
    if (draws > DRAWS_MAX + count) throw new Error(`no ${count} free ports between ${DRAWN.from} and ${DRAWN.to}`);
    const port = randomInt(DRAWN.from, DRAWN.to);
    const server = await listen(port).catch(() => null);
    if (server !== null) held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => new Promise((resolve) => server.close(resolve))));
  return [...held.keys()];
}

/** Whether a server listens on the port. */
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
