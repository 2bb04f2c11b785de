import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from '../testing.js';
import { EposChannels } from './epos-channels.js';

const DIALS = 100;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Takes connections and never speaks; the connections that are open. */
async function silentEpos(): Promise<{
  readonly port: number;
  readonly open: Set<Socket>;
  readonly taken: () => number;
}> {
  const open = new Set<Socket>();
  let taken = 0;
  const server: Server = createServer((socket) => {
    taken += 1;
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open, taken: () => taken };
}

function channelsTo(port: number): EposChannels {
  const reach = { allow: [`localhost:${port}`], allowsPlaintext: true };
  const channels = new EposChannels({ reach, certificateAuthority: null });
  closers.push(() => channels.close());
  return channels;
}

test.each(['http', 'https'])('%s: no socket is left of a dial to an EPOS that never speaks', async (scheme) => {
  const epos = await silentEpos();
  const channels = channelsTo(epos.port);
  const dialling = { user: 'u', isSandbox: true, limitMs: 40, confirm: () => Promise.resolve(null) };
  for (let dials = 0; dials < DIALS; dials += 1) {
    const ended = await channels.open(`${scheme}://localhost:${epos.port}`, dialling);
    expect(ended).toMatchObject({ outcome: 'notSent', why: 'noConnection' });
  }
  expect(epos.taken()).toBeGreaterThan(DIALS / 2);
  await until(() => epos.open.size === 0);
});

test('a dial that is given up before its connection is open leaves no socket either', async () => {
  const epos = await silentEpos();
  const channels = channelsTo(epos.port);
  const dialling = { user: 'u', isSandbox: true, limitMs: 60_000, confirm: () => Promise.resolve(null) };
  for (let dials = 0; dials < DIALS; dials += 1) {
    const opening = channels.open(`http://localhost:${epos.port}`, dialling);
    await new Promise(setImmediate);
    channels.close();
    await opening;
  }
  // A connection that was on its way may arrive late; it is closed, too.
  await channels.open(`http://localhost:${epos.port}`, { ...dialling, limitMs: 500 });
  await until(() => epos.open.size === 0);
});
