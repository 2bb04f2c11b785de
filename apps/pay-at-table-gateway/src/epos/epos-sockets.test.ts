import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import type { Permission } from '@pos/core/permissions';
import { deleteApiKey, listApiKeys } from '@pos/store/api-keys';
import type { RunningGateway } from '../boot.js';
import { machine, type TestAccount, TestPlace, until } from '../testing.js';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { EposOutcome } from './tables-call.js';
import { literal, PARTNER, servedTill, Till } from './testing-till.js';

let place: TestPlace;
let gateway: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
  other = await place.gateway({ EPOS_CALL_LIMIT_MS: '20000' });
});
afterAll(() => place.close());

const open: Till[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.hangUp();
});

function opened(path: string, headers: Record<string, string>): Till {
  const till = new Till(path, headers, gateway);
  open.push(till);
  return till;
}

async function tablesTill(account: TestAccount, at = gateway): Promise<Till> {
  const till = await servedTill('/ws/v1/tables/epos', account, { place, at });
  open.push(till);
  return till;
}

const requestorInfo = machine('90000001');
const ask = (account: TestAccount, call: TablesCall, more: { waitMs?: number; at?: RunningGateway } = {}) =>
  (more.at ?? gateway).gateway.router
    .call({ scope: account.scope, call, waitMs: more.waitMs ?? 10_000, fence: null, faults: null })
    .then(({ outcome }): EposOutcome => outcome);
const LIST: TablesCall = { $case: 'listTables', value: { statuses: [], requestorInfo } };
const LOCK: TablesCall = { $case: 'lockSession', value: { sessionId: 's-1', requestorInfo } };
const UNLOCK: TablesCall = { $case: 'unlockSession', value: { sessionId: 's-1', requestorInfo } };

test('the socket of a refused upgrade is destroyed although the client keeps its side open', async () => {
  const { hostname, port } = new URL(gateway.urls.health);
  const client = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const gone = new Promise((resolve) => client.once('error', resolve).once('close', resolve));
  const upgrade =
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==';
  client.write(`GET /epos HTTP/1.1\r\nhost: x\r\n${upgrade}\r\n\r\n`);
  // Sending on a socket that the other side has destroyed breaks it; on one that is kept it never does.
  const sending = setInterval(() => client.write('x'), 50);
  let answer = '';
  client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await gone;
  clearInterval(sending);
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

describe('who may open a socket', () => {
  test.each(['host: x', 'authorization: Basic x', 'software-house-id: house', 'sandbox-epos: x'])(
    'nobody who sends a header twice of which one value is read: %s',
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

  test.each(['/epos', '/ws/v1/tables/epos'])('at %s nobody without a key, a permission or a partner', async (path) => {
    const { apiKey } = await place.account();
    const weak = await place.account({ permissions: ['tables.use'] as Permission[] });
    const refusals: [Record<string, string>, number, string][] = [
      [{ ...PARTNER }, 401, ''],
      [{ authorization: 'Bearer x', ...PARTNER }, 401, ''],
      [literal('sk_sandbox_0000000000000000000000000000000000000000000'), 401, ''],
      [literal(weak.apiKey), 403, ''],
      [{ authorization: `Basic ${apiKey}` }, 400, 'software-house-id'],
      [{ ...literal(apiKey), 'software-house-id': 'h'.repeat(101) }, 400, 'software-house-id'],
      [{ ...literal(apiKey), 'reseller-id': ' ' }, 400, 'reseller-id'],
    ];
    for (const [headers, status, member] of refusals) {
      const till = opened(path, headers);
      await until(() => till.refused !== null);
      expect({ status: till.refused?.status, body: till.refused?.body }).toEqual({
        status,
        body: expect.stringContaining(member),
      });
      expect(JSON.parse(till.refused?.body ?? '')).toMatchObject({ status, traceId: expect.any(String) });
    }
  });

  test('there is no other path', async () => {
    const { apiKey } = await place.account();
    const till = opened('/ws', literal(apiKey));
    await until(() => till.refused !== null);
    expect(till.refused?.status).toBe(404);
  });

  test('more than ten a minute of one account are too many, and another account is not hindered', async () => {
    const busy = await place.account();
    const calm = await place.account();
    const tills = Array.from({ length: 11 }, () => opened('/epos', literal(busy.apiKey)));
    await until(() => tills.every(({ isOpen, refused }) => isOpen || refused !== null));
    expect(tills.filter(({ refused }) => refused?.status === 429)).toHaveLength(1);
    const till = opened('/epos', literal(calm.apiKey));
    await until(() => till.isOpen);
  });

  test.each([
    ['the id of the account', (account: TestAccount) => account.scope.accountId, true],
    ['another name', () => 'Somebody Else', false],
    ['no name', () => '', false],
  ])('a till of the pay-at-table contract may show its key behind %s', async (_, nameOf, isLetIn) => {
    const account = await place.account();
    const pair = Buffer.from(`${nameOf(account)}:${account.apiKey}`).toString('base64');
    const till = opened('/ws/v1/tables/epos', { authorization: `Basic ${pair}`, ...PARTNER });
    await until(() => till.isOpen || till.refused !== null);
    expect(till.refused?.status ?? null).toBe(isLetIn ? null : 401);
  });

  test('a till whose key is deleted is cut off, and told why', async () => {
    const account = await place.account();
    const till = await tablesTill(account);
    await place.test.database.transact(account.scope, async (tx) => {
      for (const { id } of await listApiKeys(tx)) await deleteApiKey(tx, id);
    });
    await until(() => till.closed !== null);
    expect(till.closed?.code).toBe(4003);
  });
});

describe('the pay-at-table contract over a socket', () => {
  test('a call is asked as JSON-RPC and answered in its words', async () => {
    const account = await place.account();
    const till = await tablesTill(account);
    const asked = ask(account, LIST);
    const { id, method, params } = await till.call();
    expect({ method, params }).toMatchObject({
      method: 'ListTables',
      params: { requestorInfo: { requestorType: 'REQUESTOR_TYPE_CARD_MACHINE' } },
    });
    till.say({
      jsonrpc: '2.0',
      id,
      result: { tables: [{ name: '12', maxCovers: 4, status: 'TABLE_STATUS_OCCUPIED' }] },
    });
    expect(await asked).toMatchObject({ outcome: 'answered', answer: { value: { tables: [{ name: '12' }] } } });
  });

  test('one call at a time: the second is sent when the first is answered', async () => {
    const account = await place.account();
    const till = await tablesTill(account);
    const both = Promise.all([ask(account, LIST), ask(account, LIST)]);
    const first = await till.call();
    till.say({ id: first.id, result: { tables: [] } });
    const second = await till.call(1);
    till.say({ id: second.id, result: { tables: [] } });
    expect(await both).toMatchObject([{ outcome: 'answered' }, { outcome: 'answered' }]);
  });

  test.each([
    ['a refusal', (id: string) => ({ id, result: { errorCode: 'SESSION_ALREADY_LOCKED' } }), 'SESSION_ALREADY_LOCKED'],
    [
      'a code that nobody knows',
      (id: string) => ({ id, result: { errorCode: 'TILL_JAMMED' } }),
      'ERROR_INTERNAL_POS_ERROR',
    ],
    ['an error of JSON-RPC', (id: string) => ({ id, error: { code: -1 } }), 'ERROR_INTERNAL_POS_ERROR'],
    ['a refusal without an id', () => ({ result: { errorCode: 'ERROR_PARSE_ERROR' } }), 'ERROR_PARSE_ERROR'],
    ['a refusal with an empty id', () => ({ id: '', result: { errorCode: 'ERROR_PARSE_ERROR' } }), 'ERROR_PARSE_ERROR'],
  ])('%s is a refusal', async (_, frame, code) => {
    const account = await place.account();
    const till = await tablesTill(account);
    const asked = ask(account, LOCK);
    till.say(frame((await till.call()).id));
    expect(await asked).toMatchObject({ outcome: 'refused', code });
  });

  test('an answer that does not fit says nothing about what was done, and the till is told', async () => {
    const account = await place.account();
    const till = await tablesTill(account);
    const asked = ask(account, LOCK);
    const { id } = await till.call();
    till.say({ id, result: { billItems: { sessionId: 's-1' } } });
    expect(await asked).toMatchObject({ outcome: 'noAnswer' });
    const told = await till.call(1);
    expect(told).toMatchObject({ method: 'ErrorNotification', params: { id, errorCode: 'ERROR_PARSE_ERROR' } });
    expect(told).not.toHaveProperty('id');
  });

  test.each(['', '{', '[]', '{"id":"?"}'])(
    'the till is told that %j cannot be read, and the call goes on',
    async (text) => {
      const account = await place.account();
      const till = await tablesTill(account);
      const asked = ask(account, UNLOCK);
      const { id } = await till.call();
      till.say(text);
      expect(await till.call(1)).toMatchObject({ method: 'ErrorNotification' });
      till.say({ id: 'of another', result: {} });
      till.say({ id, result: {} });
      expect(await asked).toMatchObject({ outcome: 'answered' });
    },
  );

  test('when the socket breaks, the call has no answer and is not made again', async () => {
    const account = await place.account();
    const till = await tablesTill(account);
    const asked = ask(account, LOCK);
    await till.call();
    till.hangUp();
    expect(await asked).toMatchObject({ outcome: 'noAnswer' });
    expect(await ask(account, LOCK, { waitMs: 500 })).toMatchObject({ outcome: 'notSent' });
  });

  test('the newest socket serves, and the older one answers what it was asked before it is closed', async () => {
    const account = await place.account();
    const older = await tablesTill(account);
    const asked = ask(account, LOCK);
    const { id } = await older.call();
    const newer = await tablesTill(account);
    const next = ask(account, LIST);
    const second = await newer.call();
    newer.say({ id: second.id, result: { tables: [] } });
    older.say({ id, result: { errorCode: 'SESSION_NO_SUCH_SESSION' } });
    expect(await next).toMatchObject({ outcome: 'answered' });
    expect(await asked).toMatchObject({ outcome: 'refused' });
    await until(() => older.closed !== null);
    expect(older.closed?.code).toBe(4001);
  });

  test('a till at another gateway is asked through it', async () => {
    const account = await place.account();
    const till = await tablesTill(account, other);
    const asked = ask(account, LIST);
    till.say({ id: (await till.call()).id, result: { tables: [] } });
    expect(await asked).toMatchObject({ outcome: 'answered' });
  });

  test.each([
    ['binary', (till: Till) => till.sayBytes(Buffer.from('{}')), 1003],
    ['too large', (till: Till) => till.say('x'.repeat(1024 * 1024 + 1)), 1009],
  ])('a frame that is %s ends the socket', async (_, send, code) => {
    const till = await tablesTill(await place.account());
    send(till);
    await until(() => till.closed !== null);
    expect(till.closed?.code).toBe(code);
  });
});
