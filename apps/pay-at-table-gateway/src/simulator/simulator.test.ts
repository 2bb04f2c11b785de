import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/identity';
import type { EposFault } from '@pos/sandbox/epos-simulator';
import { insertApiKey } from '@pos/store/repositories';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let account: GatewayAccount;
let sessionId: string;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '1500' });
  account = await environment.createAccount({ epos: 'dialled', hasMachines: true });
});
afterAll(() => environment.close());
beforeEach(() => {
  const { epos } = account.sandbox;
  epos!.reset();
  sessionId = epos!.epos.restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
});

const MACHINE = {
  requestorType: 'REQUESTOR_TYPE_CARD_MACHINE',
  cardMachineRequestorInfo: { terminalId: '90000001', waiterId: 0 },
};
const PAYER_DEVICE = { requestorType: 'REQUESTOR_TYPE_CONSUMER_DEVICE', consumerDeviceRequestorInfo: {} };

interface SimulatorAnswer {
  readonly status: number;
  readonly media: string;
  readonly body: unknown;
}

async function simulate(
  method: string,
  params: unknown,
  headers: Record<string, string> = { authorization: `Basic ${account.apiKey}` },
): Promise<SimulatorAnswer> {
  const body = typeof params === 'string' ? params : JSON.stringify(params);
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(`${gateway.urls.health}/simulator/${method}`, { method: 'POST', headers: sent, body });
  const text = await answer.text();
  const media = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
  return { status: answer.status, media, body: text === '' ? null : (JSON.parse(text) as unknown) };
}

const buildMethodDetails = (acquirerTransactionId: string) => ({
  method: 'PAYMENT_METHOD_CARD_PRESENT',
  cardPresentPaymentStatus: 'CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL',
  cardPresentPaymentInfo: { acquirerTransactionId, terminalId: '90000001' },
});

/** A record of a payment that a card machine of the sandbox has taken. */
async function buildCardRecord() {
  const { methodDetails } = await environment.takeCardPayment(account, sessionId);
  return buildRecord({
    methodDetails: buildMethodDetails(methodDetails!.cardPresentPaymentInfo!.acquirerTransactionId),
  });
}

/** The same without a card transaction. */
const buildRecord = (overrides: object = {}) => ({
  requestorInfo: MACHINE,
  payment: {
    ...{ id: randomUUID(), sessionId, currency: 'GBP', baseAmount: 100, gratuityAmount: 0, cashbackAmount: 0 },
    ...{ paymentSuccessful: true, attemptedAt: new Date().toISOString() },
    methodDetails: buildMethodDetails(''),
    ...overrides,
  },
});

test('every read returns the content without its wrapper, for a card machine and for a payer’s device', async () => {
  const { tableName } = account.sandbox.epos!.epos.getSession(sessionId);
  const readCalls: [string, object, unknown][] = [
    [
      'ListSessions',
      { isPayable: true, tableNames: [] },
      expect.arrayContaining([expect.objectContaining({ id: sessionId })]),
    ],
    ['GetSession', { sessionId }, expect.objectContaining({ id: sessionId, isPayable: true })],
    ['ListTables', {}, expect.arrayContaining([expect.objectContaining({ name: tableName })])],
    ['GetTable', { name: tableName }, expect.objectContaining({ name: tableName })],
    ['GetBillItems', { sessionId }, expect.objectContaining({ sessionId, currency: 'GBP' })],
    ['ListBillItems', { sessionIds: [sessionId] }, [expect.objectContaining({ sessionId })]],
    ['GetFullBill', { sessionId }, expect.objectContaining({ billItems: expect.objectContaining({ sessionId }) })],
  ];
  for (const requestorInfo of [MACHINE, PAYER_DEVICE]) {
    for (const [method, params, content] of readCalls) {
      const answer = await simulate(method, { ...params, requestorInfo });
      expect([method, answer.status, answer.media]).toEqual([method, 200, 'application/json']);
      expect(answer.body).toEqual(content);
    }
  }
  expect(account.sandbox.epos!.listCalls()).toHaveLength(2 * readCalls.length);
});

test('lock, record and unlock go to the EPOS as they are', async () => {
  const { epos } = account.sandbox;
  const params = { sessionId, requestorInfo: MACHINE };
  const paid = () => epos!.epos.restaurant.findSession(sessionId)!.bill!.paid.value;
  const before = paid();
  expect(await simulate('LockSession', params)).toMatchObject({ status: 200, body: { sessionId } });
  const payment = await buildCardRecord();
  expect(await simulate('RecordPayment', payment)).toMatchObject({ status: 200, body: {} });
  const reused = { ...payment, payment: { ...payment.payment, id: randomUUID() } };
  expect(await simulate('RecordPayment', reused)).toMatchObject({
    status: 422,
    body: { errorCode: 'PAYMENT_NOT_RECORDED', errorReason: expect.stringContaining(payment.payment.id) },
  });
  expect(await simulate('UnlockSession', params)).toMatchObject({ status: 200, body: {} });
  expect(paid()).toBe(before + 100);
  expect(epos!.epos.listLocks()).toEqual([]);
});

test.each<[string, string, () => object | Promise<object>, number, string]>([
  ['a session that there is not', 'GetSession', () => ({ sessionId: randomUUID() }), 404, 'SESSION_NO_SUCH_SESSION'],
  ['a table that there is not', 'GetTable', () => ({ name: 'nowhere' }), 404, 'SESSION_NO_SUCH_SESSION'],
  ['a payment without a lock', 'RecordPayment', buildCardRecord, 409, 'SESSION_NOT_LOCKED'],
  ['a payment without a card transaction', 'RecordPayment', buildRecord, 422, 'PAYMENT_NOT_RECORDED'],
  [
    'a payment with a made-up card transaction',
    'RecordPayment',
    () => buildRecord({ methodDetails: buildMethodDetails(randomUUID()) }),
    422,
    'PAYMENT_NOT_RECORDED',
  ],
  ['a payment of less than nothing', 'RecordPayment', () => buildRecord({ baseAmount: -1 }), 400, 'ERROR_PARSE_ERROR'],
  ['an unlocking without a lock', 'UnlockSession', () => ({ sessionId }), 409, 'SESSION_NOT_LOCKED'],
  [
    'an unknown waiter',
    'ListTables',
    () => ({ requestorInfo: { ...MACHINE, cardMachineRequestorInfo: { terminalId: '1', waiterId: 7 } } }),
    403,
    'WAITER_INCORRECT_WAITER_ID',
  ],
  ['no session id', 'GetSession', () => ({}), 400, 'ERROR_PARSE_ERROR'],
  ['a session id that is no text', 'GetSession', () => ({ sessionId: 5 }), 400, 'ERROR_PARSE_ERROR'],
  ['no requestor', 'ListTables', () => ({ requestorInfo: null }), 400, 'ERROR_PARSE_ERROR'],
  ['a payment of half a penny', 'RecordPayment', () => buildRecord({ baseAmount: 0.5 }), 400, 'ERROR_PARSE_ERROR'],
])('%s is refused in the words of the contract', async (_, method, params, status, errorCode) => {
  const answer = await simulate(method, { requestorInfo: MACHINE, ...(await params()) });
  expect(answer).toEqual({
    ...{ status, media: 'application/json' },
    body: { errorCode, errorReason: expect.stringMatching(/./) },
  });
});

test.each<[string, object, string]>([
  ['nobody', { requestorInfo: {} }, 'requestorInfo.requestorType is missing'],
  [
    'somebody in another spelling',
    { requestorInfo: { requestorType: 'RequestorTypeDevice' } },
    'requestorInfo.requestorType is unknown: it is not a name such as REQUESTOR_TYPE_CARD_MACHINE',
  ],
])('a request that names %s is refused with the reason', async (_, params, errorReason) => {
  const answer = await simulate('ListTables', params);
  expect([answer.status, answer.body]).toEqual([400, { errorCode: 'ERROR_PARSE_ERROR', errorReason }]);
});

test.each<[EposFault, number, string]>([
  [{ effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' }, 403, 'WAITER_INCORRECT_WAITER_ID'],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 422, 'PAYMENT_NOT_RECORDED'],
  [{ effect: 'refuse', code: 'SESSION_ALREADY_LOCKED' }, 409, 'SESSION_ALREADY_LOCKED'],
  [{ effect: 'refuse', code: 'SESSION_UNABLE_TO_UNLOCK' }, 502, 'SESSION_UNABLE_TO_UNLOCK'],
  [{ effect: 'internal-error' }, 502, 'ERROR_INTERNAL_POS_ERROR'],
  [{ effect: 'no-answer' }, 504, 'ERROR_INTERNAL_POS_ERROR'],
])('an EPOS with %j sounds as %i %s', async (fault, status, errorCode) => {
  account.sandbox.epos!.faults.replaceFaults([fault]);
  const answer = await simulate('LockSession', { sessionId, requestorInfo: MACHINE });
  expect([answer.status, answer.body]).toEqual([status, { errorCode, errorReason: expect.any(String) }]);
});

test('without an EPOS there is no answer', async () => {
  const accountWithoutEpos = await environment.createAccount({ epos: 'none' });
  const answer = await simulate(
    'ListTables',
    { requestorInfo: PAYER_DEVICE },
    { accountName: accountWithoutEpos.apiKey },
  );
  expect([answer.status, answer.body]).toEqual([
    ...[503, { errorCode: 'ERROR_INTERNAL_POS_ERROR', errorReason: expect.stringMatching(/./) }],
  ]);
});

test('the key may be sent as the account name, but a wrong authorization is still refused', async () => {
  const params = { requestorInfo: PAYER_DEVICE };
  const { apiKey } = account;
  const unknown = `sk_sandbox_${'x'.repeat(43)}`;
  const statuses = async (headers: Record<string, string>) => (await simulate('ListTables', params, headers)).status;
  expect(await statuses({ accountName: apiKey })).toBe(200);
  expect(await statuses({ authorization: `Basic ${apiKey}` })).toBe(200);
  expect(await statuses({})).toBe(401);
  expect(await statuses({ accountName: '' })).toBe(401);
  expect(await statuses({ accountName: unknown })).toBe(401);
  expect(await statuses({ accountName: `${apiKey} x` })).toBe(401);
  expect(await statuses({ accountName: apiKey, authorization: `Basic ${unknown}` })).toBe(401);
});

test('neither a production key nor one that may not use tables plays a device', async () => {
  const weakKey = await environment.createAccount({ epos: 'dialled', permissions: ROLES['webhooks-only'] });
  const real = `sk_prod_${randomBytes(32).toString('base64url')}`;
  await environment.testDatabase.database.transact({ ...account.scope, environment: 'production' }, async (tx) => {
    await insertApiKey(tx, { id: await tx.newId('apiKey'), text: real, label: 'till', permissions: ROLES.full });
  });
  for (const apiKey of [real, weakKey.apiKey]) {
    const answer = await simulate('ListTables', { requestorInfo: PAYER_DEVICE }, { accountName: apiKey });
    expect([answer.status, answer.media]).toEqual([403, 'application/problem+json']);
  }
  expect(account.sandbox.epos!.listCalls()).toEqual([]);
});

test.each(['Pay', 'listTables', 'constructor', '__proto__', '%00', 'ListTables/x'])(
  'there is no method %s',
  async (method) => {
    const answer = await simulate(method, { requestorInfo: PAYER_DEVICE });
    expect([answer.status, answer.media]).toEqual([404, 'application/problem+json']);
  },
);

test.each<[string, string, number]>([
  ['cut off', '{"requestorInfo":', 400],
  ['a list', '[]', 400],
  ['a text', '"ListTables"', 400],
  ['a number', '1', 400],
  ['nothing', 'null', 400],
  ['a twisted prototype', '{"__proto__":{"requestorInfo":{}}}', 400],
  ['deep', `{"requestorInfo":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 400],
  ['too large', `{"a":"${'x'.repeat(1024 * 1024)}"}`, 413],
])('a body that is %s reaches no EPOS', async (_, body, status) => {
  expect((await simulate('ListTables', body)).status).toBe(status);
  expect(account.sandbox.epos!.listCalls()).toEqual([]);
});
