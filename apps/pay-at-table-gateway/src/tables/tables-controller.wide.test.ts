import { type ClientUnaryCall, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ROLES } from '@pos/core/identity';
import type { EposFaultEffect } from '@pos/sandbox/testing';
import {
  type GetBillItemsResponse,
  type Payment,
  RequestorType,
  type RequestorInfo,
  TablesErrorCode,
  type TablesServiceClient,
} from '@pos/grpc-contracts/tables';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import { defineInLongRun } from '@pos/testing';
import type { RunningGateway } from '../boot.js';
import {
  buildCallMetadata,
  buildMachineRequestor,
  buildDevicePayment,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';

/** The edges are in the long run. */
const testLong = defineInLongRun(test);

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let account: GatewayAccount;
let device: TablesServiceClient;
let sessionId: string;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway({ EPOS_CALL_LIMIT_MS: '3000' });
  account = await environment.createAccount({ epos: 'dialled', hasMachines: true });
  device = environment.createDeviceClient(gateway);
});
afterAll(() => environment.close());
beforeEach(() => {
  const { epos } = account.sandbox;
  epos!.reset();
  sessionId = epos!.epos.restaurant.sessions().find(({ bill, finishedAt }) => bill !== null && finishedAt === null)!.id;
});

type DeviceRpc = (to: TablesServiceClient, metadata: Metadata) => Promise<unknown>;

type Rpc = 'listSessions' | 'getSession' | 'listTables' | 'getTable' | 'getBillItems' | 'listBillItems' | 'getFullBill';
type Write = 'lockSession' | 'unlockSession' | 'recordPayment';
type Unary = (
  request: object,
  metadata: Metadata,
  options: { deadline: number },
  done: (error: ServiceError | null, answer: unknown) => void,
) => ClientUnaryCall;

interface RpcOptions {
  readonly waitMs?: number;
  readonly onStart?: (call: ClientUnaryCall) => void;
}

/** One rpc with one message, as a promise of its answer or its failure. */
function buildRpc(name: Rpc | Write, request: object, { waitMs = 5_000, onStart }: RpcOptions = {}): DeviceRpc {
  return (to, metadata) =>
    new Promise((resolve) => {
      const rpc = to[name].bind(to) as unknown as Unary;
      const deadline = Date.now() + waitMs;
      const call = rpc(request, metadata, { deadline }, (error, answer) => resolve(error ?? answer));
      onStart?.(call);
    });
}

const OWN_REQUESTOR = buildMachineRequestor('90000001');
const UNKNOWN_REQUESTOR: RequestorInfo = {
  requestorType: RequestorType.REQUESTOR_TYPE_UNSPECIFIED,
  requestor: undefined,
};
const getBillAs = (requestorInfo: RequestorInfo | undefined) => buildRpc('getBillItems', { sessionId, requestorInfo });
const getBill = (id: string) => buildRpc('getBillItems', { sessionId: id, requestorInfo: OWN_REQUESTOR });

async function expectFailure(rpcCall: DeviceRpc, metadata = buildCallMetadata(account.apiKey)): Promise<ServiceError> {
  const end = await rpcCall(device, metadata);
  expect(end).toHaveProperty('code');
  return end as ServiceError;
}

test('every read of the contract is relayed to the EPOS and back', async () => {
  const tableName = account.sandbox.epos!.epos.getSession(sessionId).tableName ?? '';
  const requestorInfo = OWN_REQUESTOR;
  const rpcCalls = [
    buildRpc('listSessions', { tableNames: [], requestorInfo }),
    buildRpc('getSession', { sessionId, requestorInfo }),
    buildRpc('listTables', { statuses: [], requestorInfo }),
    buildRpc('getTable', { name: tableName, requestorInfo }),
    buildRpc('getBillItems', { sessionId, requestorInfo }),
    buildRpc('listBillItems', { sessionIds: [sessionId], requestorInfo }),
    buildRpc('getFullBill', { sessionId, requestorInfo }),
  ];
  for (const rpcCall of rpcCalls)
    expect(await rpcCall(device, buildCallMetadata(account.apiKey))).not.toHaveProperty('code');
  expect(account.sandbox.epos!.listCalls().map(({ method }) => method)).toEqual([
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
  ['a requestor of no kind', () => getBillAs(UNKNOWN_REQUESTOR), 'requestor_info'],
  ['a terminal id of 65 characters', () => getBillAs(buildMachineRequestor('9'.repeat(65))), 'terminal_id'],
  ['a negative waiter', () => getBillAs(buildMachineRequestor('90000001', -1)), 'waiter_id'],
  ['an empty session id', () => getBill(''), 'session_id'],
  ['a session id of 101 characters', () => getBill('x'.repeat(101)), 'session_id'],
  ['a session id with a NUL', () => getBill('S-1\0'), 'session_id'],
  ['an empty table name', () => buildRpc('getTable', { name: '', requestorInfo: OWN_REQUESTOR }), 'name'],
  [
    '201 table names',
    () => buildRpc('listSessions', { tableNames: Array<string>(201).fill('1'), requestorInfo: OWN_REQUESTOR }),
    'table_names',
  ],
  [
    'an empty name among table names',
    () => buildRpc('listSessions', { tableNames: ['1', ''], requestorInfo: OWN_REQUESTOR }),
    'table_names[1]',
  ],
  [
    '201 session ids',
    () => buildRpc('listBillItems', { sessionIds: Array<string>(201).fill('1'), requestorInfo: OWN_REQUESTOR }),
    'session_ids',
  ],
  [
    'lock without a requestor',
    () => buildRpc('lockSession', { sessionId, requestorInfo: undefined }),
    'requestor_info',
  ],
  [
    'record without a payment',
    () => buildRpc('recordPayment', { payment: undefined, requestorInfo: OWN_REQUESTOR }),
    'payment',
  ],
])(
  'a device that sends %s is refused with the member that is wrong, and the EPOS is not called',
  async (_, rpcCall, member) => {
    const failure = await expectFailure(rpcCall());
    expect(failure.code).toBe(status.INVALID_ARGUMENT);
    expect(findTablesError(failure)?.errorCode).toBe(TablesErrorCode.ERROR_PARSE_ERROR);
    expect(failure.details).toContain(member);
    expect(account.sandbox.epos!.listCalls()).toHaveLength(0);
  },
);

test.each([
  ['no credentials', () => new Metadata(), status.UNAUTHENTICATED],
  ['an unknown key', () => buildCallMetadata('sk_sandbox_unknown'), status.UNAUTHENTICATED],
  [
    'a key in base64',
    () => buildCallMetadata(Buffer.from(`acc:${account.apiKey}`).toString('base64')),
    status.UNAUTHENTICATED,
  ],
])('a device with %s is refused', async (_, metadata, code) => {
  expect((await expectFailure(getBill(sessionId), metadata())).code).toBe(code);
});

test('a key that may not use tables is refused', async () => {
  const other = await environment.createAccount({ permissions: ROLES['webhooks-only'] });
  expect((await expectFailure(getBill(sessionId), buildCallMetadata(other.apiKey))).code).toBe(
    status.PERMISSION_DENIED,
  );
});

test('another account sees neither the session nor the EPOS', async () => {
  const other = await environment.createAccount({ epos: 'dialled' });
  const failure = await expectFailure(getBill(sessionId), buildCallMetadata(other.apiKey));
  expect(findTablesError(failure)?.errorCode).toBe(TablesErrorCode.SESSION_NO_SUCH_SESSION);
});

test('an overpaid bill is shown: nothing is owed on it', async () => {
  account.sandbox.epos!.faults.replaceFaults([{ effect: 'wrong-totals' }]);
  const { billItems } = (await getBill(sessionId)(device, buildCallMetadata(account.apiKey))) as GetBillItemsResponse;
  expect(billItems!.paidAmount).toBeGreaterThan(billItems!.totalAmount);
});

test('a bill with a currency the account does not take is not shown to anybody, and is counted in lists', async () => {
  account.sandbox.epos!.faults.replaceFaults([{ effect: 'wrong-currency' }]);
  const list = buildRpc('listBillItems', { sessionIds: [sessionId], requestorInfo: OWN_REQUESTOR });
  const listed = await list(device, buildCallMetadata(account.apiKey));
  expect(listed).toEqual({ billItems: [], unreadableCount: 1 });
  for (const rpcCall of [getBill(sessionId), buildRpc('getFullBill', { sessionId, requestorInfo: OWN_REQUESTOR })]) {
    const failure = await expectFailure(rpcCall);
    expect(failure.code).toBe(status.INTERNAL);
    expect(findTablesError(failure)).toMatchObject({ errorCode: TablesErrorCode.ERROR_INTERNAL_POS_ERROR });
    expect(failure.details).toContain('currency_not_enabled');
  }
});

test.each<[string, EposFaultEffect]>([
  ['never answers', 'no-answer'],
  ['loses its answer', 'answer-lost'],
])('an EPOS that %s does not delay a device beyond its deadline', async (_, effect) => {
  account.sandbox.epos!.faults.replaceFaults([{ effect }]);
  const failure = await expectFailure(
    buildRpc('getBillItems', { sessionId, requestorInfo: OWN_REQUESTOR }, { waitMs: 400 }),
  );
  expect(failure.code).toBe(status.DEADLINE_EXCEEDED);
});

test('an answer that comes twice is one answer', async () => {
  account.sandbox.epos!.faults.replaceFaults([{ effect: 'duplicate-answer' }]);
  expect(await getBill(sessionId)(device, buildCallMetadata(account.apiKey))).not.toHaveProperty('code');
});

test('two devices cannot hold one session, and its holder unlocks it', async () => {
  const lock = (terminal: string) =>
    buildRpc('lockSession', { sessionId, requestorInfo: buildMachineRequestor(terminal) });
  const unlock = (terminal: string) =>
    buildRpc('unlockSession', { sessionId, requestorInfo: buildMachineRequestor(terminal) });
  expect(await lock('90000001')(device, buildCallMetadata(account.apiKey))).toHaveProperty('billItems');
  const refused = await expectFailure(lock('90000002'));
  expect(refused.code).toBe(status.ABORTED);
  expect(findTablesError(refused)?.errorCode).toBe(TablesErrorCode.SESSION_ALREADY_LOCKED);
  expect(findTablesError(await expectFailure(unlock('90000002')))?.errorCode).toBe(TablesErrorCode.SESSION_NOT_LOCKED);
  expect(await unlock('90000001')(device, buildCallMetadata(account.apiKey))).toEqual({});
  expect(account.sandbox.epos!.epos.listLocks()).toHaveLength(0);
  expect(await lock('90000002')(device, buildCallMetadata(account.apiKey))).toHaveProperty('billItems');
  await unlock('90000002')(device, buildCallMetadata(account.apiKey));
});

test('a lock request waits until the release of the previous lock has ended', async () => {
  const lock = (terminal: string) =>
    buildRpc('lockSession', { sessionId, requestorInfo: buildMachineRequestor(terminal) });
  const unlock = (terminal: string) =>
    buildRpc('unlockSession', { sessionId, requestorInfo: buildMachineRequestor(terminal) });
  const metadata = buildCallMetadata(account.apiKey);
  const { epos } = account.sandbox;
  await lock('90000001')(device, metadata);
  epos!.faults.replaceFaults([{ method: 'UnlockSession', effect: 'slow', delayMs: 600 }]);
  const before = epos!.listCalls().length;
  const unlocking = unlock('90000001')(device, metadata);
  await waitUntil(() => epos!.listCalls().some(({ method }) => method === 'UnlockSession'));
  expect(await lock('90000002')(device, metadata)).toHaveProperty('billItems');
  expect(await unlocking).toEqual({});
  const recordedPayment = epos!.listCalls().slice(before);
  expect(recordedPayment.map(({ method }) => method)).toEqual(['UnlockSession', 'LockSession']);
  expect(epos!.epos.listLocks()).toHaveLength(1);
  await unlock('90000002')(device, metadata);
});

test('a device that records money of another currency than the bill is refused, and nothing is stored', async () => {
  const metadata = buildCallMetadata(account.apiKey);
  await buildRpc('lockSession', { sessionId, requestorInfo: OWN_REQUESTOR })(device, metadata);
  const payment = buildDevicePayment(sessionId, { currency: 'EUR' });
  const failure = await expectFailure(buildRpc('recordPayment', { payment, requestorInfo: OWN_REQUESTOR }));
  expect(failure.code).toBe(status.INVALID_ARGUMENT);
  expect(failure.details).toContain('payment.currency');
  expect(account.sandbox.epos!.listCalls().map(({ method }) => method)).not.toContain('RecordPayment');
  expect(await buildRpc('unlockSession', { sessionId, requestorInfo: OWN_REQUESTOR })(device, metadata)).toEqual({});
});

async function countRecording(): Promise<number> {
  const rows: { count: string }[] = await environment.testDatabase.database.dataSource.query(
    `select count(*) from table_payments where account_id = $1 and state = 'Recording'`,
    [account.scope.accountId],
  );
  return Number(rows[0]?.count);
}

/** A limit that no machine is too slow for. */
const AMPLE_TIMEOUT_MS = 300_000;

testLong(
  'an account whose EPOS is silent fills its own places, and another account records as ever',
  async () => {
    const other = await environment.createAccount({ epos: 'dialled', hasMachines: true });
    const mine = buildCallMetadata(account.apiKey);
    await buildRpc('lockSession', { sessionId, requestorInfo: OWN_REQUESTOR })(device, mine);
    account.sandbox.epos!.faults.replaceFaults([{ method: 'RecordPayment', effect: 'no-answer' }]);
    const calls: ClientUnaryCall[] = [];
    const record = (payment: Payment, onStart = (_: ClientUnaryCall): void => undefined) =>
      buildRpc('recordPayment', { payment, requestorInfo: OWN_REQUESTOR }, { waitMs: AMPLE_TIMEOUT_MS, onStart });
    let ended = 0;
    const send = async (payment: Payment) => {
      const end = await record(payment, (call) => calls.push(call))(device, mine);
      ended += 1;
      return end;
    };
    const paid: Payment[] = [];
    while (paid.length < 128) paid.push(await environment.takeCardPayment(account, sessionId, { baseAmount: 1n }));
    const many = paid.map(send);
    await waitUntil(async () => (await countRecording()) === 128);
    many.push(...Array.from({ length: 72 }, () => send(buildDevicePayment(sessionId, { baseAmount: 1n }))));

    const [otherBill] = other.sandbox.epos!.epos.restaurant.sessions().filter(({ bill }) => bill !== null);
    const yours = buildCallMetadata(other.apiKey);
    const otherSession = { sessionId: otherBill!.id, requestorInfo: OWN_REQUESTOR };
    expect(await buildRpc('lockSession', otherSession, { waitMs: AMPLE_TIMEOUT_MS })(device, yours)).toHaveProperty(
      'billItems',
    );
    const otherPayment = await environment.takeCardPayment(other, otherBill!.id, { baseAmount: 1n });
    expect(await record(otherPayment)(device, yours)).toEqual({});
    expect(await buildRpc('unlockSession', otherSession, { waitMs: AMPLE_TIMEOUT_MS })(device, yours)).toEqual({});
    // The silent ones still hold their places.
    expect(ended).toBeLessThanOrEqual(200 - 128);

    await waitUntil(() => ended === 200 - 128);
    for (const call of calls) call.cancel();
    const ends = (await Promise.all(many)) as ServiceError[];
    const lastStatus = (code: status) => ends.filter((end) => end.code === code).length;
    expect(lastStatus(status.RESOURCE_EXHAUSTED)).toBe(200 - 128);
    expect(lastStatus(status.CANCELLED)).toBe(128);
    // A hundred card payments come first.
  },
  120_000,
);
