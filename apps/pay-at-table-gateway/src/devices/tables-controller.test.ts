import { type ClientUnaryCall, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/permissions';
import type { EposEffect } from '@pos/sandbox/epos-faults';
import {
  type Payment,
  RequestorType,
  type RequestorInfo,
  TablesErrorCode,
  type TablesServiceClient,
} from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import type { RunningGateway } from '../boot.js';
import { keyed, machine, paidBy, type TestAccount, TestPlace, until } from '../testing.js';

let place: TestPlace;
let gateway: RunningGateway;
let account: TestAccount;
let device: TablesServiceClient;
let sessionId: string;
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway({ EPOS_CALL_LIMIT_MS: '3000' });
  account = await place.account({ epos: 'dialled', hasMachines: false });
  device = place.device(gateway);
});
afterAll(() => place.close());
beforeEach(() => {
  const { epos } = account.place;
  epos!.reset();
  sessionId = epos!.epos.restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
});

type Ask = (to: TablesServiceClient, metadata: Metadata) => Promise<unknown>;

type Rpc = 'listSessions' | 'getSession' | 'listTables' | 'getTable' | 'getBillItems' | 'listBillItems' | 'getFullBill';
type Write = 'lockSession' | 'unlockSession' | 'recordPayment';
type Unary = (
  request: object,
  metadata: Metadata,
  options: { deadline: number },
  done: (error: ServiceError | null, answer: unknown) => void,
) => ClientUnaryCall;

interface Asking {
  readonly waitMs?: number;
  readonly began?: (call: ClientUnaryCall) => void;
}

/** One rpc with one message, as a promise of its answer or its failure. */
function asking(name: Rpc | Write, request: object, { waitMs = 5_000, began }: Asking = {}): Ask {
  return (to, metadata) =>
    new Promise((resolve) => {
      const rpc = to[name].bind(to) as unknown as Unary;
      const deadline = Date.now() + waitMs;
      const call = rpc(request, metadata, { deadline }, (error, answer) => resolve(error ?? answer));
      began?.(call);
    });
}

const MINE = machine('90000001');
const nobody: RequestorInfo = { requestorType: RequestorType.REQUESTOR_TYPE_UNSPECIFIED, requestor: undefined };
const getBillAs = (requestorInfo: RequestorInfo | undefined) => asking('getBillItems', { sessionId, requestorInfo });
const getBill = (id: string) => asking('getBillItems', { sessionId: id, requestorInfo: MINE });

async function failed(ask: Ask, metadata = keyed(account.apiKey)): Promise<ServiceError> {
  const end = await ask(device, metadata);
  expect(end).toHaveProperty('code');
  return end as ServiceError;
}

test('every read of the contract is relayed to the EPOS and back', async () => {
  const tableName = account.place.epos!.epos.getSession(sessionId).tableName ?? '';
  const requestorInfo = MINE;
  const asked = [
    asking('listSessions', { tableNames: [], requestorInfo }),
    asking('getSession', { sessionId, requestorInfo }),
    asking('listTables', { statuses: [], requestorInfo }),
    asking('getTable', { name: tableName, requestorInfo }),
    asking('getBillItems', { sessionId, requestorInfo }),
    asking('listBillItems', { sessionIds: [sessionId], requestorInfo }),
    asking('getFullBill', { sessionId, requestorInfo }),
  ];
  for (const ask of asked) expect(await ask(device, keyed(account.apiKey))).not.toHaveProperty('code');
  expect(account.place.epos!.calls().map(({ method }) => method)).toEqual([
    'ListSessions',
    'GetSession',
    'ListTables',
    'GetTable',
    'GetBillItems',
    'ListBillItems',
    'GetFullBill',
  ]);
});

test.each([
  ['no requestor', () => getBillAs(undefined), 'requestor_info'],
  ['a requestor of no kind', () => getBillAs(nobody), 'requestor_info'],
  ['a terminal id of 65 characters', () => getBillAs(machine('9'.repeat(65))), 'terminal_id'],
  ['a negative waiter', () => getBillAs(machine('90000001', -1)), 'waiter_id'],
  ['an empty session id', () => getBill(''), 'session_id'],
  ['a session id of 101 characters', () => getBill('x'.repeat(101)), 'session_id'],
  ['a session id with a NUL', () => getBill('S-1\0'), 'session_id'],
  ['an empty table name', () => asking('getTable', { name: '', requestorInfo: MINE }), 'name'],
  [
    '201 table names',
    () => asking('listSessions', { tableNames: Array<string>(201).fill('1'), requestorInfo: MINE }),
    'table_names',
  ],
  [
    'an empty name among table names',
    () => asking('listSessions', { tableNames: ['1', ''], requestorInfo: MINE }),
    'table_names[1]',
  ],
  [
    '201 session ids',
    () => asking('listBillItems', { sessionIds: Array<string>(201).fill('1'), requestorInfo: MINE }),
    'session_ids',
  ],
  ['lock without a requestor', () => asking('lockSession', { sessionId, requestorInfo: undefined }), 'requestor_info'],
  ['record without a payment', () => asking('recordPayment', { payment: undefined, requestorInfo: MINE }), 'payment'],
])('a device that sends %s is told which member is wrong, and the EPOS never hears of it', async (_, ask, member) => {
  const failure = await failed(ask());
  expect(failure.code).toBe(status.INVALID_ARGUMENT);
  expect(findTablesError(failure)?.errorCode).toBe(TablesErrorCode.ERROR_PARSE_ERROR);
  expect(failure.details).toContain(member);
  expect(account.place.epos!.calls()).toHaveLength(0);
});

test.each([
  ['no credentials', () => new Metadata(), status.UNAUTHENTICATED],
  ['an unknown key', () => keyed('sk_sandbox_unknown'), status.UNAUTHENTICATED],
  ['a key in base64', () => keyed(Buffer.from(`acc:${account.apiKey}`).toString('base64')), status.UNAUTHENTICATED],
])('a device with %s is refused', async (_, metadata, code) => {
  expect((await failed(getBill(sessionId), metadata())).code).toBe(code);
});

test('a key that may not use tables is refused', async () => {
  const other = await place.account({ permissions: ROLES['webhooks-only'] });
  expect((await failed(getBill(sessionId), keyed(other.apiKey))).code).toBe(status.PERMISSION_DENIED);
});

test('another account sees neither the session nor the EPOS', async () => {
  const other = await place.account({ epos: 'dialled' });
  const failure = await failed(getBill(sessionId), keyed(other.apiKey));
  expect(findTablesError(failure)?.errorCode).toBe(TablesErrorCode.SESSION_NO_SUCH_SESSION);
});

test.each([
  ['totals that cannot be', 'wrong-totals', 'paid_exceeds_total'],
  ['a currency the account does not take', 'wrong-currency', 'currency_not_enabled'],
] as const)('a bill with %s is not shown to anybody', async (_, effect, fault) => {
  account.place.epos!.faults.replace([{ effect }]);
  for (const ask of [
    getBill(sessionId),
    asking('getFullBill', { sessionId, requestorInfo: MINE }),
    asking('listBillItems', { sessionIds: [sessionId], requestorInfo: MINE }),
  ]) {
    const failure = await failed(ask);
    expect(failure.code).toBe(status.INTERNAL);
    expect(findTablesError(failure)).toMatchObject({ errorCode: TablesErrorCode.ERROR_INTERNAL_POS_ERROR });
    expect(failure.details).toContain(fault);
  }
});

test.each<[string, EposEffect]>([
  ['never answers', 'no-answer'],
  ['loses its answer', 'answer-lost'],
])('an EPOS that %s makes a device wait no longer than it said', async (_, effect) => {
  account.place.epos!.faults.replace([{ effect }]);
  const failure = await failed(asking('getBillItems', { sessionId, requestorInfo: MINE }, { waitMs: 400 }));
  expect(failure.code).toBe(status.DEADLINE_EXCEEDED);
});

test('an answer that comes twice is one answer', async () => {
  account.place.epos!.faults.replace([{ effect: 'duplicate-answer' }]);
  expect(await getBill(sessionId)(device, keyed(account.apiKey))).not.toHaveProperty('code');
});

test('two devices cannot hold one session, and whoever holds it unlocks it', async () => {
  const lock = (terminal: string) => asking('lockSession', { sessionId, requestorInfo: machine(terminal) });
  const unlock = (terminal: string) => asking('unlockSession', { sessionId, requestorInfo: machine(terminal) });
  expect(await lock('90000001')(device, keyed(account.apiKey))).toHaveProperty('billItems');
  const refused = await failed(lock('90000002'));
  expect(refused.code).toBe(status.ABORTED);
  expect(findTablesError(refused)?.errorCode).toBe(TablesErrorCode.SESSION_ALREADY_LOCKED);
  expect(findTablesError(await failed(unlock('90000002')))?.errorCode).toBe(TablesErrorCode.SESSION_NOT_LOCKED);
  expect(await unlock('90000001')(device, keyed(account.apiKey))).toEqual({});
  expect(account.place.epos!.epos.locks()).toHaveLength(0);
  expect(await lock('90000002')(device, keyed(account.apiKey))).toHaveProperty('billItems');
  await unlock('90000002')(device, keyed(account.apiKey));
});

test('a lock that is asked for while the one before is being let go waits for that, so that it is not broken', async () => {
  const lock = (terminal: string) => asking('lockSession', { sessionId, requestorInfo: machine(terminal) });
  const unlock = (terminal: string) => asking('unlockSession', { sessionId, requestorInfo: machine(terminal) });
  const metadata = keyed(account.apiKey);
  const { epos } = account.place;
  await lock('90000001')(device, metadata);
  epos!.faults.replace([{ method: 'UnlockSession', effect: 'slow', delayMs: 600 }]);
  const before = epos!.calls().length;
  const unlocking = unlock('90000001')(device, metadata);
  await until(() => epos!.calls().some(({ method }) => method === 'UnlockSession'));
  expect(await lock('90000002')(device, metadata)).toHaveProperty('billItems');
  expect(await unlocking).toEqual({});
  const made = epos!.calls().slice(before);
  expect(made.map(({ method }) => method)).toEqual(['UnlockSession', 'LockSession']);
  expect(epos!.epos.locks()).toHaveLength(1);
  await unlock('90000002')(device, metadata);
});

test('a device that records money of another currency than the bill is told so, and nothing is kept', async () => {
  const metadata = keyed(account.apiKey);
  await asking('lockSession', { sessionId, requestorInfo: MINE })(device, metadata);
  const payment = paidBy(sessionId, { currency: 'EUR' });
  const failure = await failed(asking('recordPayment', { payment, requestorInfo: MINE }));
  expect(failure.code).toBe(status.INVALID_ARGUMENT);
  expect(failure.details).toContain('payment.currency');
  expect(account.place.epos!.calls().map(({ method }) => method)).not.toContain('RecordPayment');
  expect(await asking('unlockSession', { sessionId, requestorInfo: MINE })(device, metadata)).toEqual({});
});

/** A limit that no machine is too slow for. */
const AMPLE_MS = 300_000;

test('an account whose EPOS is silent fills its own places, and another account records as ever', async () => {
  const other = await place.account({ epos: 'dialled', hasMachines: false });
  const mine = keyed(account.apiKey);
  await asking('lockSession', { sessionId, requestorInfo: MINE })(device, mine);
  account.place.epos!.faults.replace([{ method: 'RecordPayment', effect: 'no-answer' }]);
  const calls: ClientUnaryCall[] = [];
  const record = (payment: Payment, began = (_: ClientUnaryCall): void => undefined) =>
    asking('recordPayment', { payment, requestorInfo: MINE }, { waitMs: AMPLE_MS, began });
  let ended = 0;
  const many = Array.from({ length: 200 }, async () => {
    const end = await record(paidBy(sessionId, { baseAmount: 1n }), (call) => calls.push(call))(device, mine);
    ended += 1;
    return end;
  });

  const [theirs] = other.place.epos!.epos.restaurant.sessions().filter(({ bill }) => bill !== null);
  const yours = keyed(other.apiKey);
  const calm = { sessionId: theirs!.id, requestorInfo: MINE };
  expect(await asking('lockSession', calm, { waitMs: AMPLE_MS })(device, yours)).toHaveProperty('billItems');
  expect(await record(paidBy(theirs!.id, { baseAmount: 1n }))(device, yours)).toEqual({});
  expect(await asking('unlockSession', calm, { waitMs: AMPLE_MS })(device, yours)).toEqual({});
  // The silent ones still hold their places.
  expect(ended).toBeLessThanOrEqual(200 - 128);

  await until(() => ended === 200 - 128);
  for (const call of calls) call.cancel();
  const ends = (await Promise.all(many)) as ServiceError[];
  const endedWith = (code: status) => ends.filter((end) => end.code === code).length;
  expect(endedWith(status.RESOURCE_EXHAUSTED)).toBe(200 - 128);
  expect(endedWith(status.CANCELLED)).toBe(128);
});
