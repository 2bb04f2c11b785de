import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EposFault } from '@pos/sandbox/epos-simulator';
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
import { putEposIntegration } from '@pos/store/repositories';
import { listLiveConnections } from '@pos/store/connections';
import { scheduleAndClaim } from '@pos/store/queues';
import { randomUUID } from 'node:crypto';
import type { RunningGateway } from '../boot.js';
import {
  buildCallMetadata,
  buildMachineRequestor,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';
import { createTestChannel } from '@pos/service-kit/testing';

/** All gateways of a service agree on it: short for calls without an answer, and long enough for a busy machine. */
const SETTINGS = { EPOS_CALL_LIMIT_MS: '3000' };

let environment: GatewayEnvironment;
let first: RunningGateway;
let second: RunningGateway;
let streamedAccount: GatewayAccount;
let dialledAccount: GatewayAccount;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  first = await environment.startGateway(SETTINGS);
  second = await environment.startGateway(SETTINGS);
  streamedAccount = await environment.createAccount({ epos: 'stream', gateways: [second] });
  dialledAccount = await environment.createAccount({ epos: 'dialled' });
  await waitUntil(async () => (await listLive(streamedAccount)).length === 1);
});
afterAll(() => environment.close());
beforeEach(() => {
  for (const { sandbox: world } of [streamedAccount, dialledAccount]) world.epos!.faults.replaceFaults([]);
});

async function listLive(account: GatewayAccount) {
  return environment.testDatabase.database.read(account.scope, (reader) =>
    listLiveConnections(reader, ['epos-grpc-stream']),
  );
}

/** What a device sees when it asks for the list of sessions. */
function listSessions(gateway: RunningGateway, account: GatewayAccount): Promise<ListSessionsResponse | ServiceError> {
  const request = { tableNames: [], requestorInfo: buildMachineRequestor('90000001') };
  return new Promise((resolve) => {
    environment
      .createDeviceClient(gateway)
      .listSessions(request, buildCallMetadata(account.apiKey), (error, answer) => resolve(error ?? answer));
  });
}

const countSessions = (answer: ListSessionsResponse | ServiceError): number =>
  'sessions' in answer ? answer.sessions.length : -1;
const getStatusCode = (answer: object): status | null => ('code' in answer ? (answer.code as status) : null);

function callInternalPort(
  gateway: RunningGateway,
  account: GatewayAccount,
  more: Partial<CallRequest> = {},
): Promise<CallResponse | ServiceError> {
  const address = gateway.urls.internalGrpc;
  const channel = createTestChannel('pay-at-table-gateway', { app: 'pay-at-table-gateway', address });
  const client = new EposServiceClient(address, channel.credentials, channel.options);
  const request: CallRequest = {
    accountId: account.scope.accountId,
    environment: 'sandbox',
    deadlineMsLeft: 5_000,
    request: { $case: 'listSessions', value: { tableNames: [], requestorInfo: buildMachineRequestor('90000001') } },
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

function buildLockRequest(account: GatewayAccount): CallRequest['request'] {
  const sessionId = account.sandbox.epos!.epos.restaurant.sessions().find(({ finishedAt }) => finishedAt === null)!.id;
  return { $case: 'lockSession', value: { sessionId, requestorInfo: buildMachineRequestor('90000001') } };
}

test.each([
  ['dialled, through either gateway', () => dialledAccount],
  ['that holds its stream at another gateway', () => streamedAccount],
])('a device lists the sessions of an EPOS %s', async (_, account) => {
  const knownSessions = account().sandbox.epos!.epos.restaurant.sessions().length;
  expect(countSessions(await listSessions(first, account()))).toBe(knownSessions);
  expect(countSessions(await listSessions(second, account()))).toBe(knownSessions);
});

test('a call for an account without an EPOS fails at once', async () => {
  const account = await environment.createAccount();
  const failure = await listSessions(first, account);
  expect(failure).toMatchObject({ code: status.UNAVAILABLE, details: 'no EPOS is connected' });
});

test('a refusal of the EPOS comes through with its code, its status and its reason', async () => {
  const refused = [{ effect: 'refuse', code: 'WAITER_INCORRECT_WAITER_ID' }] as const satisfies EposFault[];
  for (const account of [streamedAccount, dialledAccount]) {
    account.sandbox.epos!.faults.replaceFaults(refused);
    const failure = (await listSessions(first, account)) as ServiceError;
    expect(failure.code).toBe(status.PERMISSION_DENIED);
    expect(findTablesError(failure)).toMatchObject({ errorCode: 'WAITER_INCORRECT_WAITER_ID' });
  }
});

test('a read that nobody answers is tried again, three times in all', async () => {
  const silent = { method: 'ListSessions', effect: 'drop-stream' } as const;
  dialledAccount.sandbox.epos!.faults.replaceFaults([{ ...silent, times: 2 }]);
  const before = dialledAccount.sandbox.epos!.listCalls().length;
  expect(countSessions(await listSessions(first, dialledAccount))).toBeGreaterThan(0);
  expect(dialledAccount.sandbox.epos!.listCalls().length - before).toBe(3);
  dialledAccount.sandbox.epos!.faults.replaceFaults([silent]);
  // The connections break long before the deadline, so this is no DEADLINE_EXCEEDED.
  expect(getStatusCode(await listSessions(first, dialledAccount))).toBe(status.INTERNAL);
  expect(dialledAccount.sandbox.epos!.listCalls().length - before).toBe(6);
});

test.each([
  ['over a stream', () => streamedAccount],
  ['over a dialled connection', () => dialledAccount],
])('a write that nobody answers is made once and ends as no answer %s', async (_, account) => {
  const { epos } = account().sandbox;
  epos!.faults.replaceFaults([{ method: 'LockSession', effect: 'answer-lost' }]);
  const before = epos!.listCalls().length;
  const failure = (await callInternalPort(first, account(), { request: buildLockRequest(account()) })) as ServiceError;
  expect(failure.code).toBe(status.DEADLINE_EXCEEDED);
  expect(findNotSent(failure)).toBeNull();
  expect(epos!.listCalls().length - before).toBe(1);
  epos!.epos.clearLocks();
});

test('an EPOS that refuses our credentials has done nothing, and the caller receives the reason', async () => {
  const failure = (await callInternalPort(first, dialledAccount, {
    sandboxFaults: { wrongPassword: true, withholdAnswer: false, closeSocket: false },
  })) as ServiceError;
  expect(failure.code).toBe(status.PERMISSION_DENIED);
  expect(getStatusCode(await listSessions(first, dialledAccount))).toBeNull();
});

test.each([
  ['withheld', { wrongPassword: false, withholdAnswer: true, closeSocket: false }, status.DEADLINE_EXCEEDED],
  ['cut off with the socket', { wrongPassword: false, withholdAnswer: false, closeSocket: true }, status.UNKNOWN],
])('an answer that is %s on purpose counts as no answer', async (_, sandboxFaults, code) => {
  const account = await environment.createAccount({ epos: 'stream', gateways: [first] });
  await waitUntil(async () => (await listLive(account)).length === 1);
  const failure = (await callInternalPort(second, account, {
    request: buildLockRequest(account),
    sandboxFaults,
  })) as ServiceError;
  expect(failure.code).toBe(code);
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
  const before = dialledAccount.sandbox.epos!.listCalls().length;
  const failure = (await callInternalPort(first, dialledAccount, more)) as ServiceError;
  expect(findNotSent(failure)?.reason).toBe(reason);
  expect(dialledAccount.sandbox.epos!.listCalls()).toHaveLength(before);
});

test.each([
  ['payment', 'table-payment', (paymentId: string) => ({ paymentId, placementId: '' })],
  ['order placement', 'order-placement', (placementId: string) => ({ paymentId: '', placementId })],
] as const)('only the runner that holds the %s gets its call through, also to another gateway', async (_, kind, of) => {
  const subject = randomUUID();
  // Taken as it is set: the gateways look for what is due, too.
  const claimed = await environment.testDatabase.database
    .transact(streamedAccount.scope, (tx) => Promise.resolve(scheduleAndClaim(tx, { kind, subject }, 60_000)))
    .then((claimedTimer) => claimedTimer());
  const fence = BigInt(claimed!.fence);
  const answered = await callInternalPort(first, streamedAccount, { recordFence: { ...of(subject), fence } });
  expect(answered).toMatchObject({ response: { $case: 'listSessions' } });
  const fencedCall = (await callInternalPort(first, streamedAccount, {
    recordFence: { ...of(subject), fence: fence - 1n },
  })) as ServiceError;
  expect(findNotSent(fencedCall)?.reason).toBe(NotSentReason.NOT_SENT_REASON_FENCED_OFF);
});

test.each([
  ['no account', { accountId: 'acc_x' }],
  ['an unknown environment', { environment: 'moon' }],
  ['no request', { request: undefined }],
  ['no time left', { deadlineMsLeft: 0 }],
])('a call of the service itself with %s is refused', async (_, more) => {
  expect(getStatusCode(await callInternalPort(first, dialledAccount, more))).toBe(status.INVALID_ARGUMENT);
});

test('when an EPOS opens another stream, the newer one serves and the older one ends', async () => {
  const account = await environment.createAccount({ epos: 'stream', gateways: [first] });
  await waitUntil(async () => (await listLive(account)).length === 1);
  const [older] = await listLive(account);
  account.sandbox.eposStream!.stop();
  account.sandbox.eposStream!.start();
  await waitUntil(async () =>
    (await listLive(account)).some(({ connectionId }) => connectionId !== older!.connectionId),
  );
  expect(countSessions(await listSessions(second, account))).toBeGreaterThan(0);
});

test('when the gateway that holds the stream is gone, the call continues at the registered address', async () => {
  const doomedGateway = await environment.startGateway(SETTINGS);
  const otherGateway = await environment.startGateway(SETTINGS);
  const account = await environment.createAccount({ epos: 'stream', gateways: [doomedGateway] });
  await waitUntil(async () => (await listLive(account)).length === 1);
  const { gatewayId } = (await listLive(account))[0]!;
  // The row of a killed gateway stays live for a while: it is put back after the clean end.
  account.sandbox.eposStream!.stop();
  await doomedGateway.close();
  expect(await listLive(account)).toHaveLength(0);
  await environment.testDatabase.database.transact(account.scope, async (tx) => {
    await tx.runWithManager('update_connections', (manager) =>
      manager.query(
        `update connections set closed_at = null, alive_until = now() + interval '1 hour' where gateway_id = $1`,
        [gatewayId],
      ),
    );
    await putEposIntegration(tx, {
      kind: 'grpc',
      url: `http://${environment.simulatorAddress}`,
      username: account.sandbox.account.epos!.username,
      password: account.sandbox.account.epos!.password,
      capabilities: [],
    });
  });
  expect(countSessions(await listSessions(otherGateway, account))).toBeGreaterThan(0);
});

test('a gateway that shuts down lets the outstanding call end and takes no new one', async () => {
  const drainingGateway = await environment.startGateway(SETTINGS);
  const account = await environment.createAccount({ epos: 'stream', gateways: [drainingGateway] });
  await waitUntil(async () => (await listLive(account)).length === 1);
  account.sandbox.epos!.faults.replaceFaults([{ effect: 'slow', delayMs: 300, times: 1 }]);
  const outstanding = callInternalPort(first, account);
  await waitUntil(() => account.sandbox.epos!.listCalls().length === 1);
  const closing = drainingGateway.close();
  expect(await outstanding).toMatchObject({ response: { $case: 'listSessions' } });
  await closing;
  expect(findNotSent((await callInternalPort(first, account)) as ServiceError)).not.toBeNull();
});
