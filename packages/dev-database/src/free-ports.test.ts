import { expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { findFreePort, findFreePorts, isPortTaken } from './free-ports.js';

test('free ports differ, and are below those that systems give to outgoing connections', async () => {
  const ports = await findFreePorts(50);
  expect(new Set(ports).size).toBe(50);
  expect(ports.filter((port) => port < 10_000 || port >= 32_000)).toEqual([]);
});

test('a free port is taken while a server listens on it, and free again afterwards', async () => {
  const port = await findFreePort();
  expect(await isPortTaken(port)).toBe(false);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect(await isPortTaken(port)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await isPortTaken(port)).toBe(false);
});
