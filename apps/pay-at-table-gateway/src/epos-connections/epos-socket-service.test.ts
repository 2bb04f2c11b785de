import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import type { Permission } from '@pos/core/identity';
import { disableTestAccount, revokeKeys } from '../testing/access-ends.js';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { TablesOutcome } from '../epos-calls/tables-call.js';
import { buildKeyHeaders, PARTNER_HEADERS, connectTestEpos, TestEposSocket } from '../testing/socket-epos.js';
import { waitUntil } from '../testing/polling.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
  other = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => environment.close());

const openSockets: TestEposSocket[] = [];
afterEach(() => {
  for (const each of openSockets.splice(0)) each.terminate();
});

function openSocket(path: string, headers: Record<string, string>): TestEposSocket {
  const eposSocket = new TestEposSocket(path, headers, gateway);
  openSockets.push(eposSocket);
  return eposSocket;
}

async function connectTablesEpos(account: GatewayAccount, gatewayToUse = gateway): Promise<TestEposSocket> {
  const eposSocket = await connectTestEpos('/ws/v1/tables/epos', account, { environment, gateway: gatewayToUse });
  openSockets.push(eposSocket);
  return eposSocket;
}

const requestorInfo = buildMachineRequestor('90000001');
const callTables = (account: GatewayAccount, call: TablesCall, more: { waitMs?: number; at?: RunningGateway } = {}) =>
  (more.at ?? gateway).app
    .get(EposTablesClient)
    .callTables({ scope: account.scope, call, waitMs: more.waitMs ?? 10_000, fence: null, faults: null })
    .then(({ outcome }): TablesOutcome => outcome);
const LIST: TablesCall = { $case: 'listTables', value: { statuses: [], requestorInfo } };
const LOCK: TablesCall = { $case: 'lockSession', value: { sessionId: 's-1', requestorInfo } };
const UNLOCK: TablesCall = { $case: 'unlockSession', value: { sessionId: 's-1', requestorInfo } };

test('the socket of a refused upgrade is destroyed although the client keeps its side open', async () => {
  const { hostname, port } = new URL(gateway.urls.health);
  const client = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const wasClosed = new Promise((resolve) => client.once('error', resolve).once('close', resolve));
  const upgrade =
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==';
  client.write(`GET /epos HTTP/1.1\r\nhost: x\r\n${upgrade}\r\n\r\n`);
  // Sending on a socket that the other side has destroyed breaks it; on one that is kept it never does.
  const sending = setInterval(() => client.write('x'), 50);
  let answer = '';
  client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await wasClosed;
  clearInterval(sending);
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

describe('who may open a socket', () => {
  test.each(['host: x', 'authorization: Basic x', 'software-house-id: house', 'sandbox-epos: x'])(
    'not a caller that repeats a single-value header: %s',
    async (header) => {
      const { hostname, port } = new URL(gateway.urls.health);
      const client = connect({ host: hostname, port: Number(port) });
      client.write(
        `GET /epos HTTP/1.1\r\n${header}\r\n${header}\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
      );
      let answer = '';
      for await (const chunk of client) answer += String(chunk);
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      expect(answer).toContain(`"errors":{"${header.split(':', 1)[0] ?? ''}":["May be sent once only."]}`);
    },
  );

  test.each(['/epos', '/ws/v1/tables/epos'])(
    'at %s no caller without a key, a permission or a partner',
    async (path) => {
      const { apiKey } = await environment.createAccount();
      const weakKey = await environment.createAccount({ permissions: ['tables.use'] as Permission[] });
      const refusals: [Record<string, string>, number, string][] = [
        [{ ...PARTNER_HEADERS }, 401, ''],
        [{ authorization: 'Bearer x', ...PARTNER_HEADERS }, 401, ''],
        [buildKeyHeaders('sk_sandbox_0000000000000000000000000000000000000000000'), 401, ''],
        [buildKeyHeaders(weakKey.apiKey), 403, ''],
        [{ authorization: `Basic ${apiKey}` }, 400, 'software-house-id'],
        [{ ...buildKeyHeaders(apiKey), 'software-house-id': 'h'.repeat(101) }, 400, 'software-house-id'],
        [{ ...buildKeyHeaders(apiKey), 'reseller-id': ' ' }, 400, 'reseller-id'],
      ];
      for (const [headers, status, member] of refusals) {
        const eposSocket = openSocket(path, headers);
        await waitUntil(() => eposSocket.refusal !== null);
        expect({ status: eposSocket.refusal?.status, body: eposSocket.refusal?.body }).toEqual({
          status,
          body: expect.stringContaining(member),
        });
        expect(JSON.parse(eposSocket.refusal?.body ?? '')).toMatchObject({ status, traceId: expect.any(String) });
      }
    },
  );

  test.each(['/epos', '/ws/v1/tables/epos'])('at %s a key in each of its forms', async (path) => {
    const { apiKey } = await environment.createAccount();
    const forms = [`Basic ${apiKey}`, `Bearer ${apiKey}`, `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`];
    for (const authorization of forms) {
      const eposSocket = openSocket(path, { authorization, ...PARTNER_HEADERS });
      await waitUntil(() => eposSocket.isOpen || eposSocket.refusal !== null);
      expect([authorization.split(' ', 1)[0], eposSocket.refusal]).toEqual([expect.anything(), null]);
      eposSocket.terminate();
    }
  });

  test('there is no other path', async () => {
    const { apiKey } = await environment.createAccount();
    const eposSocket = openSocket('/ws', buildKeyHeaders(apiKey));
    await waitUntil(() => eposSocket.refusal !== null);
    expect(eposSocket.refusal?.status).toBe(404);
  });

  test('more than ten a minute of one account are too many, and another account is not hindered', async () => {
    const busy = await environment.createAccount();
    const calmAccount = await environment.createAccount();
    const eposSockets = Array.from({ length: 11 }, () => openSocket('/epos', buildKeyHeaders(busy.apiKey)));
    await waitUntil(() => eposSockets.every(({ isOpen, refusal }) => isOpen || refusal !== null));
    expect(eposSockets.filter(({ refusal }) => refusal?.status === 429)).toHaveLength(1);
    const eposSocket = openSocket('/epos', buildKeyHeaders(calmAccount.apiKey));
    await waitUntil(() => eposSocket.isOpen);
  });

  test.each([
    ['the id of the account', (account: GatewayAccount) => account.scope.accountId, true],
    ['another name', () => 'Somebody Else', false],
    ['no name', () => '', false],
  ])('an EPOS of the pay-at-table contract may send its key behind %s', async (_, nameOf, isLetIn) => {
    const account = await environment.createAccount();
    const pair = Buffer.from(`${nameOf(account)}:${account.apiKey}`).toString('base64');
    const eposSocket = openSocket('/ws/v1/tables/epos', { authorization: `Basic ${pair}`, ...PARTNER_HEADERS });
    await waitUntil(() => eposSocket.isOpen || eposSocket.refusal !== null);
    expect(eposSocket.refusal?.status ?? null).toBe(isLetIn ? null : 401);
  });

  test.each([
    ['a deleted key', revokeKeys],
    ['a disabled account', disableTestAccount],
  ])('an EPOS with %s is disconnected with the reason', async (_, endAccess) => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account);
    await endAccess(environment.testDatabase.database, account.scope);
    await waitUntil(() => eposSocket.closeEvent !== null);
    expect(eposSocket.closeEvent?.code).toBe(4003);
  });
});

describe('the pay-at-table contract over a socket', () => {
  test('a call is asked as JSON-RPC and answered in its words', async () => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account);
    const pendingCall = callTables(account, LIST);
    const { id, method, params } = await eposSocket.waitForFrame();
    expect({ method, params }).toMatchObject({
      method: 'ListTables',
      params: { requestorInfo: { requestorType: 'REQUESTOR_TYPE_CARD_MACHINE' } },
    });
    eposSocket.sendFrame({
      jsonrpc: '2.0',
      id,
      result: { tables: [{ name: '12', maxCovers: 4, status: 'TABLE_STATUS_OCCUPIED' }] },
    });
    expect(await pendingCall).toMatchObject({ outcome: 'answered', answer: { value: { tables: [{ name: '12' }] } } });
  });

  test('one call at a time: the second is sent when the first is answered', async () => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account);
    const both = Promise.all([callTables(account, LIST), callTables(account, LIST)]);
    const first = await eposSocket.waitForFrame();
    eposSocket.sendFrame({ id: first.id, result: { tables: [] } });
    const second = await eposSocket.waitForFrame(1);
    eposSocket.sendFrame({ id: second.id, result: { tables: [] } });
    expect(await both).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
  });

  test.each([
    ['a refusal', (id: string) => ({ id, result: { errorCode: 'SESSION_ALREADY_LOCKED' } }), 'SESSION_ALREADY_LOCKED'],
    ['an unknown code', (id: string) => ({ id, result: { errorCode: 'TILL_JAMMED' } }), 'ERROR_INTERNAL_POS_ERROR'],
    ['an error of JSON-RPC', (id: string) => ({ id, error: { code: -1 } }), 'ERROR_INTERNAL_POS_ERROR'],
    ['a refusal without an id', () => ({ result: { errorCode: 'ERROR_PARSE_ERROR' } }), 'ERROR_PARSE_ERROR'],
    ['a refusal with an empty id', () => ({ id: '', result: { errorCode: 'ERROR_PARSE_ERROR' } }), 'ERROR_PARSE_ERROR'],
  ])('%s is a refusal', async (_, frame, code) => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account);
    const pendingCall = callTables(account, LOCK);
    eposSocket.sendFrame(frame((await eposSocket.waitForFrame()).id));
    expect(await pendingCall).toMatchObject({ outcome: 'refused', code });
  });

  test('an answer that does not fit proves nothing, and the EPOS receives an error', async () => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account);
    const pendingCall = callTables(account, LOCK);
    const { id } = await eposSocket.waitForFrame();
    eposSocket.sendFrame({ id, result: { billItems: { sessionId: 's-1' } } });
    expect(await pendingCall).toMatchObject({ outcome: 'noAnswer' });
    const notified = await eposSocket.waitForFrame(1);
    expect(notified).toMatchObject({ method: 'ErrorNotification', params: { id, errorCode: 'ERROR_PARSE_ERROR' } });
    expect(notified).not.toHaveProperty('id');
  });

  test.each(['', '{', '[]', '{"id":"?"}'])(
    'the EPOS receives an error for %j, and the call continues',
    async (text) => {
      const account = await environment.createAccount();
      const eposSocket = await connectTablesEpos(account);
      const pendingCall = callTables(account, UNLOCK);
      const { id } = await eposSocket.waitForFrame();
      eposSocket.sendFrame(text);
      expect(await eposSocket.waitForFrame(1)).toMatchObject({ method: 'ErrorNotification' });
      eposSocket.sendFrame({ id: 'of another', result: {} });
      eposSocket.sendFrame({ id, result: {} });
      expect(await pendingCall).toMatchObject({ outcome: 'answered' });
    },
  );

  test('when the socket breaks, the call has no answer and is not made again', async () => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account);
    const pendingCall = callTables(account, LOCK);
    await eposSocket.waitForFrame();
    eposSocket.terminate();
    expect(await pendingCall).toMatchObject({ outcome: 'noAnswer' });
    expect(await callTables(account, LOCK, { waitMs: 500 })).toMatchObject({ outcome: 'notSent' });
  });

  test('the newest socket serves, and the older one answers what it was asked before it is closed', async () => {
    const account = await environment.createAccount();
    const older = await connectTablesEpos(account);
    const pendingCall = callTables(account, LOCK);
    const { id } = await older.waitForFrame();
    const newer = await connectTablesEpos(account);
    const next = callTables(account, LIST);
    const second = await newer.waitForFrame();
    newer.sendFrame({ id: second.id, result: { tables: [] } });
    older.sendFrame({ id, result: { errorCode: 'SESSION_NO_SUCH_SESSION' } });
    expect(await next).toMatchObject({ outcome: 'answered' });
    expect(await pendingCall).toMatchObject({ outcome: 'refused' });
    await waitUntil(() => older.closeEvent !== null);
    expect(older.closeEvent?.code).toBe(4001);
  });

  test('an EPOS at another gateway is called through it', async () => {
    const account = await environment.createAccount();
    const eposSocket = await connectTablesEpos(account, other);
    const pendingCall = callTables(account, LIST);
    eposSocket.sendFrame({ id: (await eposSocket.waitForFrame()).id, result: { tables: [] } });
    expect(await pendingCall).toMatchObject({ outcome: 'answered' });
  });

  test.each([
    ['binary', (eposSocket: TestEposSocket) => eposSocket.sendBytes(Buffer.from('{}')), 1003],
    ['too large', (eposSocket: TestEposSocket) => eposSocket.sendFrame('x'.repeat(1024 * 1024 + 1)), 1009],
  ])('a frame that is %s ends the socket', async (_, send, code) => {
    const eposSocket = await connectTablesEpos(await environment.createAccount());
    send(eposSocket);
    await waitUntil(() => eposSocket.closeEvent !== null);
    expect(eposSocket.closeEvent?.code).toBe(code);
  });
});
