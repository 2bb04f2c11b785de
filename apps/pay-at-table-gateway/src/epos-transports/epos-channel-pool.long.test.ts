import { Metadata, Server as GrpcServer, ServerCredentials, status } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { EposChannelPool } from './epos-channel-pool.js';
import { NOT_REGISTERED_FAILURE } from './record-fence.js';
import { createNotSent } from '../epos-calls/call-failure.js';
import { waitUntil } from '../testing/polling.js';

const DIALS_MAX = 100;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Takes connections and never speaks; the connections that are open. */
async function startSilentEpos(greeting = ''): Promise<{
  readonly port: number;
  readonly open: Set<Socket>;
  readonly acceptedCount: () => number;
}> {
  const open = new Set<Socket>();
  let acceptedCount = 0;
  const server: Server = createServer((socket) => {
    acceptedCount += 1;
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.resume().write(greeting);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, open, acceptedCount: () => acceptedCount };
}

function createChannelPool(port: number): EposChannelPool {
  const reach = { allow: [`localhost:${port}`], allowsPlaintext: true };
  const channels = new EposChannelPool({ reach, certificateAuthority: null });
  closers.push(() => channels.close());
  return channels;
}

test.each(['http', 'https'])('%s: no socket is left of a dial to an EPOS that never speaks', async (scheme) => {
  const epos = await startSilentEpos();
  const channels = createChannelPool(epos.port);
  const channelRequest = { user: 'u', isSandbox: true, limitMs: 40, confirm: () => Promise.resolve(null) };
  for (let dials = 0; dials < DIALS_MAX; dials += 1) {
    const endResult = await channels.openChannel(`${scheme}://localhost:${epos.port}`, channelRequest);
    expect(endResult).toMatchObject({ outcome: 'notSent', cause: 'noConnection' });
  }
  expect(epos.acceptedCount()).toBeGreaterThan(DIALS_MAX / 2);
  await waitUntil(() => epos.open.size === 0);
});

test('a dial that is given up before its connection is open leaves no socket either', async () => {
  const epos = await startSilentEpos();
  const channels = createChannelPool(epos.port);
  const channelRequest = { user: 'u', isSandbox: true, limitMs: 60_000, confirm: () => Promise.resolve(null) };
  for (let dials = 0; dials < DIALS_MAX; dials += 1) {
    const opening = channels.openChannel(`http://localhost:${epos.port}`, channelRequest);
    await new Promise(setImmediate);
    channels.close();
    await opening;
  }
  // A connection that was on its way may arrive late; it is closed, too.
  await channels.openChannel(`http://localhost:${epos.port}`, { ...channelRequest, limitMs: 500 });
  await waitUntil(() => epos.open.size === 0);
});

test('no socket is left of a dial to an EPOS that begins to speak and is never connected', async () => {
  // The head of a first frame whose rest never comes.
  const epos = await startSilentEpos('\0');
  const channels = createChannelPool(epos.port);
  const channelRequest = { user: 'u', isSandbox: true, limitMs: 200, confirm: () => Promise.resolve(null) };
  expect(await channels.openChannel(`http://localhost:${epos.port}`, channelRequest)).toMatchObject({
    cause: 'noConnection',
  });
  expect(epos.acceptedCount()).toBeGreaterThan(0);
  await waitUntil(() => epos.open.size === 0);
});

/** An EPOS whose answers wait until the test sends them. */
async function startSlowEpos() {
  const same = (bytes: Buffer): Buffer => bytes;
  const path = '/service.tables.v1.TablesService/ListSessions';
  const codecs = {
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  const waiting: (() => void)[] = [];
  const server = new GrpcServer();
  server.addService(
    { listSessions: { path, requestStream: false, responseStream: false, ...codecs } },
    {
      listSessions: (_: unknown, done: (error: null, said: Buffer) => void) => {
        waiting.push(() => done(null, Buffer.alloc(0)));
      },
    },
  );
  const port = await bindGrpcServer(server, 'localhost:0', ServerCredentials.createInsecure());
  closers.push(() => server.forceShutdown());
  return { server, waiting, url: `http://localhost:${port}`, port };
}

describe('an EPOS that restarts gracefully answers the call that runs', () => {
  const confirmed = () => Promise.resolve(null);
  test.each([
    ['while another one finds no connection in time', confirmed],
    [
      'while another one cannot ask the database',
      () => Promise.resolve(createNotSent('noConnection', 'the registration of the EPOS could not be checked')),
    ],
    ['while its registration is deleted', () => Promise.resolve(NOT_REGISTERED_FAILURE)],
  ])('%s', async (_, confirm) => {
    const epos = await startSlowEpos();
    const channels = createChannelPool(epos.port);
    const channelRequest = { user: 'u', isSandbox: true, limitMs: 5_000, confirm: confirmed };
    const reached = await channels.openChannel(epos.url, channelRequest);
    if (!('client' in reached)) throw new Error(reached.reason);
    const running = new Promise<string>((resolve) => {
      const listRequest = { tableNames: [], requestorInfo: undefined };
      reached.client.listSessions(listRequest, new Metadata(), { deadline: Date.now() + 20_000 }, (error) =>
        resolve(error === null ? 'answered' : `${status[error.code]}: ${error.details}`),
      );
    });
    await waitUntil(() => epos.waiting.length === 1);
    epos.server.tryShutdown(() => undefined);
    await waitUntil(
      async () => 'outcome' in (await channels.openChannel(epos.url, { ...channelRequest, limitMs: 200, confirm })),
    );
    for (const answer of epos.waiting) answer();
    expect(await running).toBe('answered');
  });
});

test('a database that does not answer one call ends none that waits for the same connection', async () => {
  const epos = await startSilentEpos();
  const channels = createChannelPool(epos.port);
  const url = `http://localhost:${epos.port}`;
  const channelRequest = { user: 'u', isSandbox: true, limitMs: 1_000, confirm: () => Promise.resolve(null) };
  const waiting = channels.openChannel(url, channelRequest);
  await waitUntil(() => epos.open.size === 1);
  const unconfirmed = createNotSent('noConnection', 'the registration of the EPOS could not be checked');
  expect(await channels.openChannel(url, { ...channelRequest, confirm: () => Promise.resolve(unconfirmed) })).toBe(
    unconfirmed,
  );
  await new Promise(setImmediate);
  expect(epos.open.size).toBe(1);
  expect(await waiting).toMatchObject({ reason: 'no connection to the EPOS in time' });
});

describe('first calls to one EPOS at the same time', () => {
  const AT_ONCE = 5;

  test('all reach it, over one connection', async () => {
    const epos = await startSlowEpos();
    const channels = createChannelPool(epos.port);
    let confirmCount = 0;
    const opening = Array.from({ length: AT_ONCE }, (_, number) => {
      const confirm = async () => {
        confirmCount += 1;
        // Each continues after the one before it has begun to dial.
        for (let rounds = 0; rounds < 3 * number; rounds += 1) await new Promise(setImmediate);
        return null;
      };
      return channels.openChannel(epos.url, { user: `u-${number}`, isSandbox: true, limitMs: 5_000, confirm });
    });
    const reached = await Promise.all(opening);
    expect(reached.map((each) => ('client' in each ? 'reached' : each.reason))).toEqual(Array(AT_ONCE).fill('reached'));
    expect(new Set(reached.map((each) => ('client' in each ? each.client : null))).size).toBe(1);
    expect(confirmCount).toBe(AT_ONCE);
  });

  test('one that may not is not connected, and stops no other', async () => {
    const epos = await startSlowEpos();
    const channels = createChannelPool(epos.port);
    const opening = [null, NOT_REGISTERED_FAILURE, null].map((objection, number) =>
      channels.openChannel(epos.url, {
        ...{ user: `u-${number}`, isSandbox: true, limitMs: 5_000 },
        confirm: () => Promise.resolve(objection),
      }),
    );
    const [first, refused, third] = await Promise.all(opening);
    expect(refused).toBe(NOT_REGISTERED_FAILURE);
    expect([first, third]).toMatchObject([{ hasWaited: true }, { hasWaited: true }]);
  });
});
