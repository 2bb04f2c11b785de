import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EposFault } from '@pos/sandbox/epos-faults';
import {
  EposServiceClient,
  NotSentReason,
  Transport,
  type CallRequest,
  type CallResponse,
} from '@pos/grpc-contracts/gateway-internal';
import { findNotSent } from '@pos/grpc-contracts/not-sent';
import { findTablesError } from '@pos/grpc-contracts/tables-error';
import type { ListSessionsResponse } from '@pos/grpc-contracts/tables';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { listLiveConnections } from '@pos/store/connections';
import { scheduleAndClaim } from '@pos/store/timer-claim';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import { keyed, machine, type TestAccount, TestPlace, until } from '../testing.js';

let place: TestPlace;
let first: RunningGateway;
let second: RunningGateway;
let streamed: TestAccount;
let dialled: TestAccount;
beforeAll(async () => {
  place = await TestPlace.open();
  first = await place.gateway({ EPOS_CALL_LIMIT_MS: '1500' });
  second = await place.gateway({ EPOS_CALL_LIMIT_MS: '1500' });
  streamed = await place.account({ epos: 'stream', gateways: [second] });
  dialled = await place.account({ epos: 'dialled' });
  await until(async () => (await live(streamed)).length === 1);
});
afterAll(() => place.close());
beforeEach(() => {
  for (const { place: world } of [streamed, dialled]) world.epos!.faults.replace([]);
});

async function live(account: TestAccount) {
  return place.test.database.read(account.scope, (reader) => listLiveConnections(reader, ['epos-grpc-stream']));
}

/** What a device sees when it asks for the list of sessions. */
function list(gateway: RunningGateway, account: TestAccount): Promise<ListSessionsResponse | ServiceError> {
  const request = { tableNames: [], requestorInfo: machine('90000001') };
  return new Promise((resolve) => {
    place.device(gateway).listSessions(request, keyed(account.apiKey), (error, answer) => resolve(error ?? answer));
  });
}

const count = (answer: ListSessionsResponse | ServiceError): number =>
  'sessions' in answer ? answer.sessions.length : -1;
const codeOf = (answer: object): status | null => ('code' in answer ? (answer.code as status) : null);

function internal(
  gateway: RunningGateway,
  account: TestAccount,
  more: Partial<CallRequest> = {},
): Promise<CallResponse | ServiceError> {
  const client = new EposServiceClient(gateway.urls.internalGrpc, credentials.createInsecure());
  const request: CallRequest = {
    accountId: account.scope.accountId,
    environment: 'sandbox',
    deadlineMsLeft: 5_000,
    request: { $case: 'listSessions', value: { tableNames: [], requestorInfo: machine('90000001') } },
    target: undefined,
    recordFence: undefined,
    transport: Transport.TRANSPORT_UNSPECIFIED,
    sandboxFaults: undefined,
    ...more,
  };
  return new Promise((resolve) => {
    client.call(request, new Metadata(), (error, answer) => {
      client.close();
      resolve(error ?? answer);
    });
  });
}

function lockOf(account: TestAccount): CallRequest['request'] {
  const sessionId = account.place.epos!.epos.restaurant.sessions().find(({ finishedAt }) => finishedAt === null)!.id;
  return { $case: 'lockSession', value: { sessionId, requestorInfo: machine('90000001') } };
}

test.each([
  ['dialled, through either gateway', () => dialled],
  ['that holds its stream at another gateway', () => streamed],
])('a device lists the sessions of an EPOS %s', async (_, account) => {
  const known = account().place.epos!.epos.restaurant.sessions().length;
  expect(count(await list(first, account()))).toBe(known);
  expect(count(await list(second, account()))).toBe(known);
});

test('an account without an EPOS is told so at once', async () => {
  const account = await place.account();
  const failure = await list(first, account);
  expect(failure).toMatchObject({ code: status.UNAVAILABLE, details: 'no EPOS is connected' });
});

test('a refusal of the EPOS comes through with its code, its status and its reason', async () => {
  const refused = [{ effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' }] as const satisfies EposFault[];
  for (const account of [streamed, dialled]) {
    account.place.epos!.faults.replace(refused);
    const failure = (await list(first, account)) as ServiceError;
    expect(failure.code).toBe(status.PERMISSION_DENIED);
    expect(findTablesError(failure)).toMatchObject({ errorCode: 'WAITER_INCORRECT_WAITER_ID' });
  }
});

test('a read that nobody answers is tried again, three times in all', async () => {
  const silent = { method: 'ListSessions', effect: 'drop-stream' } as const;
  dialled.place.epos!.faults.replace([{ ...silent, times: 2 }]);
  const before = dialled.place.epos!.calls().length;
  expect(count(await list(first, dialled))).toBeGreaterThan(0);
  expect(dialled.place.epos!.calls().length - before).toBe(3);
  dialled.place.epos!.faults.replace([silent]);
  expect(codeOf(await list(first, dialled))).toBe(status.DEADLINE_EXCEEDED);
  expect(dialled.place.epos!.calls().length - before).toBe(6);
});

test.each([
  ['over a stream', () => streamed],
  ['over a dialled connection', () => dialled],
])('a write that nobody answers is made once and ends as no answer %s', async (_, account) => {
  const { epos } = account().place;
  epos!.faults.replace([{ method: 'LockSession', effect: 'answer-lost' }]);
  const before = epos!.calls().length;
  const failure = (await internal(first, account(), { request: lockOf(account()) })) as ServiceError;
  expect(failure.code).toBe(status.DEADLINE_EXCEEDED);
  expect(findNotSent(failure)).toBeNull();
  expect(epos!.calls().length - before).toBe(1);
  epos!.epos.forgetLocks();
});

test('an EPOS that refuses our credentials has done nothing, and the caller is told why', async () => {
  const failure = (await internal(first, dialled, {
    sandboxFaults: { wrongPassword: true, withholdAnswer: false, closeSocket: false },
  })) as ServiceError;
  expect(failure.code).toBe(status.PERMISSION_DENIED);
  expect(codeOf(await list(first, dialled))).toBeNull();
});

test.each([
  ['withheld', { wrongPassword: false, withholdAnswer: true, closeSocket: false }],
  ['cut off with the socket', { wrongPassword: false, withholdAnswer: false, closeSocket: true }],
])('an answer that is %s on purpose counts as no answer', async (_, sandboxFaults) => {
  const account = await place.account({ epos: 'stream', gateways: [first] });
  await until(async () => (await live(account)).length === 1);
  const failure = (await internal(second, account, { request: lockOf(account), sandboxFaults })) as ServiceError;
  expect(failure.code).toBe(status.DEADLINE_EXCEEDED);
  expect(findNotSent(failure)).toBeNull();
});

test.each([
  [
    'fences nobody holds',
    { recordFence: { paymentId: 'nobody', placementId: '', fence: 7n } },
    NotSentReason.NOT_SENT_REASON_FENCED_OFF,
  ],
  [
    'a connection that is not held here',
    { target: { connectionId: 'elsewhere', epoch: 1n } },
    NotSentReason.NOT_SENT_REASON_NO_CONNECTION,
  ],
  [
    'a transport that is not served',
    { transport: Transport.TRANSPORT_EPOS_DATA_REST },
    NotSentReason.NOT_SENT_REASON_NO_ROUTE,
  ],
  [
    'a transport the account does not have',
    { transport: Transport.TRANSPORT_TABLES_GRPC_STREAM },
    NotSentReason.NOT_SENT_REASON_NO_ROUTE,
  ],
])('a call with %s proves that nothing was sent', async (_, more, reason) => {
  const before = dialled.place.epos!.calls().length;
  const failure = (await internal(first, dialled, more)) as ServiceError;
  expect(findNotSent(failure)?.reason).toBe(reason);
  expect(dialled.place.epos!.calls()).toHaveLength(before);
});

test.each([
  ['payment', 'table-payment', (paymentId: string) => ({ paymentId, placementId: '' })],
  ['order placement', 'order-placement', (placementId: string) => ({ paymentId: '', placementId })],
] as const)('only the runner that holds the %s gets its call through, also to another gateway', async (_, kind, of) => {
  const subject = randomUUID();
  // Taken as it is set: the gateways look for what is due, too.
  const claimed = await place.test.database
    .transact(streamed.scope, (tx) => Promise.resolve(scheduleAndClaim(tx, { kind, subject }, 60_000)))
    .then((taken) => taken());
  const fence = BigInt(claimed!.fence);
  const answered = await internal(first, streamed, { recordFence: { ...of(subject), fence } });
  expect(answered).toMatchObject({ response: { $case: 'listSessions' } });
  const fenced = (await internal(first, streamed, {
    recordFence: { ...of(subject), fence: fence - 1n },
  })) as ServiceError;
  expect(findNotSent(fenced)?.reason).toBe(NotSentReason.NOT_SENT_REASON_FENCED_OFF);
});

test.each([
  ['no account', { accountId: 'acc_x' }],
  ['an unknown environment', { environment: 'moon' }],
  ['no request', { request: undefined }],
  ['no time left', { deadlineMsLeft: 0 }],
])('a call of the service itself with %s is refused', async (_, more) => {
  expect(codeOf(await internal(first, dialled, more))).toBe(status.INVALID_ARGUMENT);
});

test('when an EPOS opens another stream, the newer one serves and the older one ends', async () => {
  const account = await place.account({ epos: 'stream', gateways: [first] });
  await until(async () => (await live(account)).length === 1);
  const [older] = await live(account);
  account.place.eposStream!.stop();
  account.place.eposStream!.start();
  await until(async () => (await live(account)).some(({ connectionId }) => connectionId !== older!.connectionId));
  expect(count(await list(second, account))).toBeGreaterThan(0);
});

test('when the gateway that holds the stream is gone, the call goes on to the registered address', async () => {
  const doomed = await place.gateway();
  // With a call's usual time: on a busy machine the way around a dead gateway may take longer than the others allow.
  const patient = await place.gateway();
  const account = await place.account({ epos: 'stream', gateways: [doomed] });
  await until(async () => (await live(account)).length === 1);
  const { gatewayId } = (await live(account))[0]!;
  // The row of a killed gateway stays live for a while: it is put back after the clean end.
  account.place.eposStream!.stop();
  await doomed.close();
  expect(await live(account)).toHaveLength(0);
  await place.test.database.transact(account.scope, async (tx) => {
    await tx.manager.query(
      `update connections set closed_at = null, alive_until = now() + interval '1 hour' where gateway_id = $1`,
      [gatewayId],
    );
    await putEposIntegration(tx, {
      kind: 'grpc',
      url: `http://${place.worldAddress}`,
      username: account.place.account.epos!.username,
      password: account.place.account.epos!.password,
      capabilities: [],
    });
  });
  expect(count(await list(patient, account))).toBeGreaterThan(0);
});

test('a gateway that shuts down lets the outstanding call end and takes no new one', async () => {
  const leaving = await place.gateway();
  const account = await place.account({ epos: 'stream', gateways: [leaving] });
  await until(async () => (await live(account)).length === 1);
  account.place.epos!.faults.replace([{ effect: 'slow', delayMs: 300, times: 1 }]);
  const outstanding = internal(first, account);
  await until(() => account.place.epos!.calls().length === 1);
  const closing = leaving.close();
  expect(await outstanding).toMatchObject({ response: { $case: 'listSessions' } });
  await closing;
  expect(findNotSent((await internal(first, account)) as ServiceError)).not.toBeNull();
});
