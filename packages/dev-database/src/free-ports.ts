import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

const LOOPBACK = '127.0.0.1';
/**
 * Below the range that systems use for outgoing connections and for port 0, so that no other program takes one before
 * its server listens, nor while the server is stopped and started again.
 */
const DRAWN = { from: 10_000, to: 32_000 };
const DRAWS_MAX = 1_000;

/** Free ports on 127.0.0.1, drawn at random. All are held at once while they are drawn, so that they differ. */
export async function findFreePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  for (let draws = 0; held.size < count; draws += 1) {
    if (draws > DRAWS_MAX + count) throw new Error(`no ${count} free ports between ${DRAWN.from} and ${DRAWN.to}`);
    const port = randomInt(DRAWN.from, DRAWN.to);
    const server = await listen(port).catch(() => null);
    if (server !== null) held.set(port, server);
  }
  await Promise.all([...held.values()].map(close));
  return [...held.keys()];
}

/** A free port on 127.0.0.1, as `findFreePorts` draws it. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Whether a server listens on the port of 127.0.0.1. */
export async function isPortTaken(port: number): Promise<boolean> {
  const server = await listen(port).catch(() => null);
  if (server !== null) await close(server);
  return server === null;
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => resolve(server));
  });
}

function close(server: Server): Promise<unknown> {
  return new Promise((resolve) => server.close(resolve));
}
