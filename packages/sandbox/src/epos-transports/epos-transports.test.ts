import { PLAINTEXT } from '../testing/fake-gateway.js';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { createMemoryJournal } from '../acquirer/acquirer-books.js';
import { type SimulationClock, createWallClock } from '../clock/simulation-clock.js';
import { createEposRestHandler } from './epos-rest-server.js';
import type { EposFault } from '../epos-simulator/epos-faults.js';
import { Seed } from '../clock/seed.js';
import { RECONNECT_STORM_TRIES } from '../connections/persistent-connection.js';
import { type EposSocketKind, SimulatedEnvironment } from '../environment/simulated-environment.js';

const DEADLINE_MS = 1_500;
/** Delays of the simulated world are recorded, and shortened. */
const SHORTENED_MS = 5;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

/** Waits until the condition is true. The jest timeout limits it. */
async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never came true: ${isTrue.toString()}`);
}

function createTestEnvironment(more: { gatewayUrls?: readonly string[]; sockets?: readonly EposSocketKind[] } = {}) {
  const realClock = createWallClock({ timeScale: 1, frozenAt: null });
  const delays: number[] = [];
  const clock: SimulationClock = {
    ...realClock,
    scheduleRealTime: (realMs, work) => {
      delays.push(realMs);
      // Long delays, which detect dead sockets, are not shortened: no socket is dead here.
      return realClock.scheduleRealTime(realMs > 80_000 ? realMs : Math.min(realMs, SHORTENED_MS), work);
    },
  };
  const environment = new SimulatedEnvironment({
    seed: new Seed('test'),
    clock,
    journal: createMemoryJournal(),
    service: { gatewayAddresses: [], gatewayUrls: more.gatewayUrls ?? [], apiUrl: null, transport: PLAINTEXT },
  });
  closers.push(() => {
    environment.stop();
  });
  const place = environment.provisionAccount({
    ...{ accountId: 'acc_1', apiKey: 'sk_sandbox_test', merchantId: 'merchant-1', tradingName: 'The Oyster Shed' },
    ...{ currencyCode: 'GBP', softwareHouseId: 'house', hasMachines: false, amountTriggers: false },
    epos: { username: 'shed', password: 'secret:word', dialsIn: false, sockets: more.sockets },
  });
  const { epos: eposSimulator } = place;
  if (eposSimulator === null) throw new Error('no EPOS');
  return { environment, eposSimulator, delays, sockets: place.eposSockets };
}

function getPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}

const BASIC_AUTHORIZATION = `Basic ${Buffer.from('shed:secret:word').toString('base64')}`;

/** The EPOS over REST, and a function that calls it. */
async function startRestServer() {
  const { environment, eposSimulator } = createTestEnvironment();
  const server = createServer(createEposRestHandler((username) => environment.findDialledEpos(username)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const ask = async (method: string, path: string, body?: unknown, authorization = BASIC_AUTHORIZATION) => {
    const answer = await fetch(`http://127.0.0.1:${getPort(server)}${path}`, {
      ...{ method, headers: { authorization, 'waiter-id': '2', 'device-id': '90000001' } },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const orderId = eposSimulator.epos.listBills([])[0]?.sessionId ?? '';
  return { eposSimulator, ask, orderId };
}

describe('over REST', () => {
  test.each([
    ['nothing', ''],
    ['another scheme', 'Bearer secret'],
    ['a wrong password', `Basic ${Buffer.from('shed:secret').toString('base64')}`],
    ['an unknown user', `Basic ${Buffer.from('barn:secret:word').toString('base64')}`],
    ['the pair unencoded', 'Basic shed:secret:word'],
  ])('a caller is refused with %s', async (_, authorization) => {
    const { ask, eposSimulator } = await startRestServer();
    const { status, text } = await ask('GET', '/v1/areas', undefined, authorization);
    expect([status, JSON.parse(text)]).toMatchObject([401, { errorType: 'InvalidRequest' }]);
    expect(eposSimulator.listCalls()).toEqual([]);
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
    const { ask } = await startRestServer();
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(JSON.parse(answer.text)).toMatchObject({ errorType: expect.any(String) });
  });

  test('a call without an answer has no body, and is recorded with its caller', async () => {
    const { ask, eposSimulator } = await startRestServer();
    const { id } = eposSimulator.data.bookings.listParties()[0] ?? { id: '' };
    expect(await ask('DELETE', `/v1/parties/${id}`)).toEqual({ status: 204, text: '' });
    expect(eposSimulator.listCalls()).toMatchObject([
      {
        ...{ method: 'DeletePartyById', transport: 'rest', answered: 'ok', wasDone: true },
        requestor: { kind: 'cardMachine', terminalId: '90000001', waiterId: 2 },
      },
    ]);
  });

  // oxfmt-ignore
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
  test.each(FAULTS)('fault %j shows', async (fault, attempt, then) => {
    const { ask, eposSimulator, orderId } = await startRestServer();
    eposSimulator.faults.replaceFaults([{ ...fault, times: 1 }]);
    expect(attempt(await ask('GET', `/v1/orders/${orderId}`))).toEqual(then);
    eposSimulator.faults.replaceFaults([]);
    expect((await ask('GET', `/v1/orders/${orderId}`)).status).toBe(200);
  });

  test.each(['no-answer', 'answer-lost', 'drop-stream', 'reconnect-storm'] as const)(
    'fault %s sends no answer',
    async (effect) => {
      const { ask, eposSimulator, orderId } = await startRestServer();
      eposSimulator.faults.replaceFaults([{ effect, times: 1 }]);
      await expect(ask('GET', `/v1/orders/${orderId}`)).rejects.toThrow();
    },
  );

  test('an EPOS whose clock is wrong treats valid locks as expired, and sends wrong times', async () => {
    const { ask, eposSimulator, orderId } = await startRestServer();
    const expiry = new Date(Date.now() + 60_000).toISOString();
    const lock = (lockId: string) => ask('POST', `/v1/orders/${orderId}/lock`, { lockId, expiry });
    expect((await lock('c0c0c0c0-0000-4000-8000-000000000001')).status).toBe(200);
    const right = JSON.parse((await ask('GET', `/v1/orders/${orderId}`)).text) as { createdAt: string };
    eposSimulator.faults.replaceFaults([{ effect: 'wrong-clock' }]);
    expect((await lock('c0c0c0c0-0000-4000-8000-000000000002')).status).toBe(200);
    const invalid = JSON.parse((await ask('GET', `/v1/orders/${orderId}`)).text) as { createdAt: string };
    expect(Date.parse(invalid.createdAt) - Date.parse(right.createdAt)).toBe(3_600_000);
  });
});

/** A gateway that only admits sockets. */
async function startSocketGateway() {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  const opened: { socket: WebSocket; path: string; headers: Record<string, unknown>; received: unknown[] }[] = [];
  sockets.on('connection', (socket, request) => {
    const line = { socket, path: request.url ?? '', headers: request.headers, received: [] as unknown[] };
    socket.on('message', (data: Buffer) => {
      try {
        line.received.push(JSON.parse(data.toString()));
      } catch {
        line.received.push('broken');
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
  return { url: `ws://127.0.0.1:${getPort(server)}`, opened };
}

async function connectSocket(kind: EposSocketKind) {
  const gateway = await startSocketGateway();
  const testEnvironment = createTestEnvironment({ gatewayUrls: [gateway.url], sockets: [kind] });
  await waitUntil(() => gateway.opened.length === 1);
  const ask = async (method: string, params: unknown, at = 0): Promise<unknown> => {
    const line = gateway.opened[at];
    if (line === undefined) throw new Error('no such socket');
    const before = line.received.length;
    line.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method, params }));
    await waitUntil(() => line.received.length > before);
    return line.received[before];
  };
  const orderId = testEnvironment.eposSimulator.epos.listBills([])[0]?.sessionId ?? '';
  return { ...testEnvironment, ...gateway, ask, orderId };
}

const requestorInfo = { requestorType: 'REQUESTOR_TYPE_CONSUMER_DEVICE' };
const CALL_FRAMES: Record<EposSocketKind, (id: string) => [string, unknown]> = {
  ws: (id) => ['GetOrderByIdV1', { orderId: id, headers: {} }],
  'tables-ws': (id) => ['GetBillItems', { sessionId: id, requestorInfo }],
};

describe.each(['ws', 'tables-ws'] as const)('over the socket %s', (kind) => {
  test('it sends its key and its merchant, and answers by id', async () => {
    const { opened, ask, orderId } = await connectSocket(kind);
    const pair = Buffer.from('acc_1:sk_sandbox_test').toString('base64');
    expect(opened[0]).toMatchObject(
      kind === 'ws'
        ? { path: '/epos', headers: { authorization: 'Basic sk_sandbox_test', 'software-house-id': 'house' } }
        : { path: '/ws/v1/tables/epos', headers: { authorization: `Basic ${pair}` } },
    );
    expect(await ask(...CALL_FRAMES[kind](orderId))).toMatchObject({ id: 'i', result: expect.any(Object) });
  });

  test('an unknown call is refused under its id', async () => {
    const { ask } = await connectSocket(kind);
    const refusal =
      kind === 'ws' ? { error: { errorType: 'InvalidRequest' } } : { result: { errorCode: 'ERROR_PARSE_ERROR' } };
    expect(await ask('BrewTea', { headers: {} })).toMatchObject({ id: 'i', ...refusal });
    const unknown =
      kind === 'ws' ? { error: { errorType: 'NotFound' } } : { result: { errorCode: 'SESSION_NO_SUCH_SESSION' } };
    expect(await ask(...CALL_FRAMES[kind]('none'))).toMatchObject(unknown);
  });

  test('it doubles an answer, breaks one and loses one, as its faults demand', async () => {
    const { ask, eposSimulator, opened, orderId } = await connectSocket(kind);
    eposSimulator.faults.replaceFaults([{ effect: 'duplicate-answer', times: 1 }]);
    await ask(...CALL_FRAMES[kind](orderId));
    await waitUntil(() => opened[0]?.received.length === 2);
    eposSimulator.faults.replaceFaults([{ effect: 'broken-json', times: 1 }]);
    expect(await ask(...CALL_FRAMES[kind](orderId))).toBe('broken');
    eposSimulator.faults.replaceFaults([{ effect: 'wrong-currency', times: 1 }]);
    expect(JSON.stringify(await ask(...CALL_FRAMES[kind](orderId)))).toContain('EUR');
    expect(eposSimulator.listCalls().map(({ transport }) => transport)).toEqual([kind, kind, kind]);
  });

  test('it reconnects at once when the gateway closes on purpose, and a second later when the connection breaks', async () => {
    const { opened, sockets, delays } = await connectSocket(kind);
    const retries = () => delays.filter((realMs) => realMs < 80_000);
    opened[0]?.socket.close(1001);
    await waitUntil(() => opened.length === 2 && sockets[0]?.isConnected() === true);
    expect(retries()).toEqual([0]);
    opened[1]?.socket.terminate();
    await waitUntil(() => opened.length === 3);
    const [, later = 0] = retries();
    expect(retries()).toHaveLength(2);
    expect(later).toBeGreaterThanOrEqual(750);
    expect(later).toBeLessThanOrEqual(1_250);
  });

  test('while no gateway admits it, it doubles its delay each time, up to a minute', async () => {
    const { delays } = createTestEnvironment({ gatewayUrls: ['ws://127.0.0.1:1'], sockets: [kind] });
    await waitUntil(() => delays.length > 8);
    const expected = [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000);
    const offsetMs = expected.filter((ms, index) => Math.abs((delays[index] ?? 0) - ms) > ms / 4);
    expect(offsetMs).toEqual([]);
  });

  test('a storm of reconnects dials many times, then ends and serves', async () => {
    const { ask, eposSimulator, opened, orderId, sockets } = await connectSocket(kind);
    eposSimulator.faults.replaceFaults([{ effect: 'reconnect-storm', times: 1 }]);
    const [method, params] = CALL_FRAMES[kind](orderId);
    opened[0]?.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method, params }));
    await waitUntil(() => opened.length === RECONNECT_STORM_TRIES + 2);
    await waitUntil(() => sockets[0]?.isConnected() === true);
    expect(await ask(method, params, RECONNECT_STORM_TRIES + 1)).toMatchObject({ id: 'i' });
  });
});
