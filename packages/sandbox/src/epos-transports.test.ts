import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { memoryJournal } from './acquirer-books.js';
import { type WorldClock, wallClock } from './clock.js';
import { eposRestHandler } from './epos-rest-server.js';
import type { EposFault } from './epos-faults.js';
import { Seed } from './seed.js';
import { STORM_TRIES } from './standing-line.js';
import { type EposSocketKind, World } from './world.js';

const DEADLINE_MS = 1_500;
/** Waits of the world are noted, and cut short. */
const SHORTENED_MS = 5;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

/** Waits for what has to come true; how long it takes is nobody's promise. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let look = 0; look < 1_000; look += 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came true: ${isTrue.toString()}`);
}

function worldForTest(more: { gatewayUrls?: readonly string[]; sockets?: readonly EposSocketKind[] } = {}) {
  const wall = wallClock({ timeScale: 1, standingAt: null });
  const delays: number[] = [];
  const clock: WorldClock = {
    ...wall,
    afterReal: (realMs, work) => {
      delays.push(realMs);
      // Long waits, for a dead socket, are not shortened: nothing here is dead.
      return wall.afterReal(realMs > 80_000 ? realMs : Math.min(realMs, SHORTENED_MS), work);
    },
  };
  const world = new World({
    seed: new Seed('test'),
    clock,
    journal: memoryJournal(),
    service: { gatewayAddresses: [], gatewayUrls: more.gatewayUrls ?? [], apiUrl: null },
  });
  closers.push(() => {
    world.stop();
  });
  const place = world.provision({
    ...{ accountId: 'acc_1', apiKey: 'sk_sandbox_test', merchantId: 'merchant-1', tradingName: 'The Oyster Shed' },
    ...{ currencyCode: 'GBP', softwareHouseId: 'house', hasMachines: false, amountTriggers: false },
    epos: { username: 'shed', password: 'secret:word', dialsIn: false, sockets: more.sockets },
  });
  const { epos: door } = place;
  if (door === null) throw new Error('no EPOS');
  return { world, door, delays, sockets: place.eposSockets };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

const BASIC = `Basic ${Buffer.from('shed:secret:word').toString('base64')}`;

/** The EPOS over REST, and how it is asked. */
async function restForTest() {
  const { world, door } = worldForTest();
  const server = createServer(eposRestHandler((username) => world.findDialledEpos(username)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = async (method: string, path: string, body?: unknown, authorization = BASIC) => {
    const answer = await fetch(`http://127.0.0.1:${portOf(server)}${path}`, {
      ...{ method, headers: { authorization, 'waiter-id': '2', 'device-id': '90000001' } },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const orderId = door.epos.listBills([])[0]?.sessionId ?? '';
  return { door, ask, orderId };
}

describe('over REST', () => {
  test.each([
    ['nothing', ''],
    ['another scheme', 'Bearer secret'],
    ['a wrong password', `Basic ${Buffer.from('shed:secret').toString('base64')}`],
    ['an unknown user', `Basic ${Buffer.from('barn:secret:word').toString('base64')}`],
    ['the pair unencoded', 'Basic shed:secret:word'],
  ])('nobody is let in with %s', async (_, authorization) => {
    const { ask, door } = await restForTest();
    const { status, text } = await ask('GET', '/v1/areas', undefined, authorization);
    expect([status, JSON.parse(text)]).toMatchObject([401, { errorType: 'InvalidRequest' }]);
    expect(door.calls()).toEqual([]);
  });

  test.each([
    ['GET', '/v1/areas', undefined, 200],
    ['GET', '/till/v1/areas', undefined, 200],
    ['POST', '/v1/tables/search', {}, 200],
    ['POST', '/v1/tables', {}, 200],
    ['POST', '/v1/orders', {}, 200],
    ['POST', '/v1/orders/search', '', 200],
    ['GET', '/v1/orders/none', undefined, 404],
    ['GET', '/v1/orders/%zz', undefined, 404],
    ['GET', '/v1/nothing', undefined, 404],
    ['PATCH', '/v1/areas', undefined, 404],
    ['POST', '/v1/orders', { items: [] }, 400],
    ['POST', '/v1/orders/search', '{', 400],
    ['POST', '/v1/orders/search', '[]', 400],
    ['POST', '/v1/orders/search', { note: 'x'.repeat(1024 * 1024) }, 400],
    ['DELETE', '/v1/parties/none', undefined, 404],
  ])('%s %s with %j is answered %d', async (method, path, body, status) => {
    const { ask } = await restForTest();
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(JSON.parse(answer.text)).toMatchObject({ errorType: expect.any(String) });
  });

  test('what has no answer has no body, and the call is written down with who asked', async () => {
    const { ask, door } = await restForTest();
    const { id } = door.data.bookings.parties()[0] ?? { id: '' };
    expect(await ask('DELETE', `/v1/parties/${id}`)).toEqual({ status: 204, text: '' });
    expect(door.calls()).toMatchObject([
      {
        ...{ method: 'DeletePartyById', transport: 'rest', answered: 'ok', wasDone: true },
        requestor: { kind: 'cardMachine', terminalId: '90000001', waiterId: 2 },
      },
    ]);
  });

  // prettier-ignore
  const FAULTS: readonly [EposFault, (answer: { status: number; text: string }) => unknown, unknown][] = [
    [{ effect: 'refuse', code: 'Conflict' }, ({ status }) => status, 409],
    [{ effect: 'refuse', code: 'SESSION_NOT_LOCKED' }, ({ status }) => status, 500],
    [{ effect: 'internal-error' }, ({ status }) => status, 500],
    [{ effect: 'broken-json' }, ({ text }) => text.startsWith('{') && !text.endsWith('}}'), true],
    [{ effect: 'huge-answer' }, ({ text }) => text.length > 4 * 1024 * 1024, true],
    [{ effect: 'unknown-enum' }, ({ text }) => (JSON.parse(text) as { status: string }).status, 'UNHEARD_OF'],
    [{ effect: 'wrong-currency' }, ({ text }) => text.includes('EUR') && !text.includes('GBP'), true],
    [{ effect: 'wrong-totals' }, ({ text }) => { const { totalAmount: { value }, paidAmount } = JSON.parse(text) as Record<string, { value: number }> & { totalAmount: { value: number }; paidAmount: { value: number } }; return paidAmount.value > value; }, true],
    [{ effect: 'duplicate-answer' }, ({ status }) => status, 200],
    [{ effect: 'refuse', code: 'Conflict', transport: 'ws' }, ({ status }) => status, 200],
    [{ effect: 'refuse', code: 'Conflict', method: 'GetSession' }, ({ status }) => status, 200],
  ];
  test.each(FAULTS)('fault %j shows', async (fault, look, then) => {
    const { ask, door, orderId } = await restForTest();
    door.faults.replace([{ ...fault, times: 1 }]);
    expect(look(await ask('GET', `/v1/orders/${orderId}`))).toEqual(then);
    door.faults.replace([]);
    expect((await ask('GET', `/v1/orders/${orderId}`)).status).toBe(200);
  });

  test.each(['no-answer', 'answer-lost', 'drop-stream', 'reconnect-storm'] as const)(
    'fault %s leaves the caller alone',
    async (effect) => {
      const { ask, door, orderId } = await restForTest();
      door.faults.replace([{ effect, times: 1 }]);
      await expect(ask('GET', `/v1/orders/${orderId}`)).rejects.toThrow();
    },
  );

  test('an EPOS whose clock is wrong takes living locks for expired ones, and says other times', async () => {
    const { ask, door, orderId } = await restForTest();
    const expiry = new Date(Date.now() + 60_000).toISOString();
    const lock = (lockId: string) => ask('POST', `/v1/orders/${orderId}/lock`, { lockId, expiry });
    expect((await lock('c0c0c0c0-0000-4000-8000-000000000001')).status).toBe(200);
    const right = JSON.parse((await ask('GET', `/v1/orders/${orderId}`)).text) as { createdAt: string };
    door.faults.replace([{ effect: 'wrong-clock' }]);
    expect((await lock('c0c0c0c0-0000-4000-8000-000000000002')).status).toBe(200);
    const wrong = JSON.parse((await ask('GET', `/v1/orders/${orderId}`)).text) as { createdAt: string };
    expect(Date.parse(wrong.createdAt) - Date.parse(right.createdAt)).toBe(3_600_000);
  });
});

/** A gateway that only lets sockets in. */
async function socketGateway() {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const opened: { socket: WebSocket; path: string; headers: Record<string, unknown>; heard: unknown[] }[] = [];
  sockets.on('connection', (socket, request) => {
    const line = { socket, path: request.url ?? '', headers: request.headers, heard: [] as unknown[] };
    socket.on('message', (data: Buffer) => {
      try {
        line.heard.push(JSON.parse(data.toString()));
      } catch {
        line.heard.push('broken');
      }
    });
    opened.push(line);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    sockets.close();
    for (const { socket } of opened) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${portOf(server)}`, opened };
}

async function socketForTest(kind: EposSocketKind) {
  const gateway = await socketGateway();
  const stand = worldForTest({ gatewayUrls: [gateway.url], sockets: [kind] });
  await until(() => gateway.opened.length === 1);
  const ask = async (method: string, params: unknown, at = 0): Promise<unknown> => {
    const line = gateway.opened[at];
    if (line === undefined) throw new Error('no such socket');
    const before = line.heard.length;
    line.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method, params }));
    await until(() => line.heard.length > before);
    return line.heard[before];
  };
  const orderId = stand.door.epos.listBills([])[0]?.sessionId ?? '';
  return { ...stand, ...gateway, ask, orderId };
}

const requestorInfo = { requestorType: 'REQUESTOR_TYPE_CONSUMER_DEVICE' };
const CALLS: Record<EposSocketKind, (id: string) => [string, unknown]> = {
  ws: (id) => ['GetOrderByIdV1', { orderId: id, headers: {} }],
  'tables-ws': (id) => ['GetBillItems', { sessionId: id, requestorInfo }],
};

describe.each(['ws', 'tables-ws'] as const)('over the socket %s', (kind) => {
  test('it shows its key and its house, and answers by id', async () => {
    const { opened, ask, orderId } = await socketForTest(kind);
    const pair = Buffer.from('acc_1:sk_sandbox_test').toString('base64');
    expect(opened[0]).toMatchObject(
      kind === 'ws'
        ? { path: '/epos', headers: { authorization: 'Basic sk_sandbox_test', 'software-house-id': 'house' } }
        : { path: '/ws/v1/tables/epos', headers: { authorization: `Basic ${pair}` } },
    );
    expect(await ask(...CALLS[kind](orderId))).toMatchObject({ id: 'i', result: expect.any(Object) });
  });

  test('what it does not know is refused under its id', async () => {
    const { ask } = await socketForTest(kind);
    const refusal =
      kind === 'ws' ? { error: { errorType: 'InvalidRequest' } } : { result: { errorCode: 'ERROR_PARSE_ERROR' } };
    expect(await ask('BrewTea', { headers: {} })).toMatchObject({ id: 'i', ...refusal });
    const unknown =
      kind === 'ws' ? { error: { errorType: 'NotFound' } } : { result: { errorCode: 'SESSION_NO_SUCH_SESSION' } };
    expect(await ask(...CALLS[kind]('none'))).toMatchObject(unknown);
  });

  test('it doubles an answer, breaks one and loses one, as it is told', async () => {
    const { ask, door, opened, orderId } = await socketForTest(kind);
    door.faults.replace([{ effect: 'duplicate-answer', times: 1 }]);
    await ask(...CALLS[kind](orderId));
    await until(() => opened[0]?.heard.length === 2);
    door.faults.replace([{ effect: 'broken-json', times: 1 }]);
    expect(await ask(...CALLS[kind](orderId))).toBe('broken');
    door.faults.replace([{ effect: 'wrong-currency', times: 1 }]);
    expect(JSON.stringify(await ask(...CALLS[kind](orderId)))).toContain('EUR');
    expect(door.calls().map(({ transport }) => transport)).toEqual([kind, kind, kind]);
  });

  test('it is back at once when the gateway goes away on purpose, and a second later when it breaks', async () => {
    const { opened, sockets, delays } = await socketForTest(kind);
    const retries = () => delays.filter((realMs) => realMs < 80_000);
    opened[0]?.socket.close(1001);
    await until(() => opened.length === 2 && sockets[0]?.isServing() === true);
    expect(retries()).toEqual([0]);
    opened[1]?.socket.terminate();
    await until(() => opened.length === 3);
    const [, later = 0] = retries();
    expect(retries()).toHaveLength(2);
    expect(later).toBeGreaterThanOrEqual(750);
    expect(later).toBeLessThanOrEqual(1_250);
  });

  test('while nobody lets it in it waits twice as long each time, up to a minute', async () => {
    const { delays } = worldForTest({ gatewayUrls: ['ws://127.0.0.1:1'], sockets: [kind] });
    await until(() => delays.length > 8);
    const expected = [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000);
    const off = expected.filter((ms, index) => Math.abs((delays[index] ?? 0) - ms) > ms / 4);
    expect(off).toEqual([]);
  });

  test('a storm of reconnects dials again and again, then calms down and serves', async () => {
    const { ask, door, opened, orderId, sockets } = await socketForTest(kind);
    door.faults.replace([{ effect: 'reconnect-storm', times: 1 }]);
    const [method, params] = CALLS[kind](orderId);
    opened[0]?.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method, params }));
    await until(() => opened.length === STORM_TRIES + 2);
    await until(() => sockets[0]?.isServing() === true);
    expect(await ask(method, params, STORM_TRIES + 1)).toMatchObject({ id: 'i' });
  });
});
