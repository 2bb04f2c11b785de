import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { credentials, type Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { PartnerStatus } from '@pos/core/accounts';
import { createApiKeyText } from '@pos/core/ids';
import { ROLES } from '@pos/core/identity';
import { EposConnectorServiceClient } from '@pos/grpc-contracts/gateway';
import { changePartnerStatus, registerPartner } from '@pos/administration/partners';
import { createAccount, insertApiKey } from '@pos/store/repositories';
import { createTestScope } from '@pos/store/testing';
import type { RunningGateway } from '../boot.js';
import { buildCallMetadata, buildMachineRequestor, GatewayEnvironment } from '../testing/gateway-world.js';
import { callUnary, TestDevice } from '../testing/payment-device.js';
import { waitUntil } from '../testing/polling.js';
import { TestEposSocket } from '../testing/socket-epos.js';

jest.setTimeout(60_000);

const CHANGE = { actor: 'tests', reason: 'tests' };
/** A change is seen when the key is looked up again. */
const SEEN_MS = 1_000;
const UNKNOWN_JOURNEY = randomUUID();

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const keys = { production: createApiKeyText('production', randomBytes(32)), sandbox: '' };
let device: TestDevice;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
  device = new TestDevice(gateway, keys.production);
  keys.sandbox = (await environment.createAccount({ epos: 'none', hasMachines: false })).apiKey;
  const { database } = environment.testDatabase;
  const scope = createTestScope('production');
  await createAccount(database, {
    ...{ id: scope.accountId, name: 'production', tradingName: 'The Oyster Shed', merchantId: 'm-production' },
    ...{ currencies: ['GBP'], settings: {}, createdAt: new Date() },
    locationId: `loc_${randomBytes(16).toString('base64url')}`,
  });
  await database.transact(scope, async (tx) =>
    insertApiKey(tx, { id: await tx.newId('apiKey'), text: keys.production, label: 'test', permissions: ROLES.full }),
  );
  for (const id of ['house', 'leaving']) {
    await registerPartner(database, CHANGE, { kind: 'software-house', id, name: id, contact: null });
  }
});
afterAll(async () => {
  device.close();
  await environment.close();
});

async function setStatus(partnerStatus: PartnerStatus): Promise<void> {
  const request = { kind: 'software-house', id: 'leaving', status: partnerStatus } as const;
  await changePartnerStatus(environment.testDatabase.database, CHANGE, request);
  await pause(SEEN_MS);
}

type Call = (metadata: Metadata) => Promise<unknown>;

const getJourney: Call = (metadata) =>
  callUnary((done) => device.journeyClient.getJourney({ journeyId: UNKNOWN_JOURNEY }, metadata, done));
const startJourney: Call = (metadata) =>
  callUnary((done) =>
    device.journeyClient.startJourney(
      { sessionId: 's-1', requestorInfo: buildMachineRequestor('90000001') },
      metadata,
      done,
    ),
  );
const takePayment: Call = (metadata) =>
  callUnary((done) =>
    device.journeyClient.takePayment(
      {
        ...{ journeyId: UNKNOWN_JOURNEY, paymentId: randomUUID(), gratuityAmount: 0n, cashbackAmount: 0n },
        mode: { $case: 'custom', value: { amount: 100n } },
      },
      metadata,
      done,
    ),
  );

/** Whether the partners of a call are refused; every other answer is false. */
async function isRefused(call: Call, headers: Record<string, string>, key = keys.production): Promise<boolean> {
  const error = await call(buildCallMetadata(key, headers)).then(
    () => null,
    (failure: unknown) => failure as ServiceError,
  );
  const isPartnerRefusal = error !== null && /names a partner that/.test(error.details);
  if (isPartnerRefusal) expect(error.code).toBe(status.PERMISSION_DENIED);
  return isPartnerRefusal;
}

test.each<[string, Record<string, string>, boolean]>([
  ['a registered software house', { 'software-house-id': 'house' }, false],
  ['no partner', {}, false],
  ['a software house that is not registered', { 'software-house-id': 'nobody' }, true],
  ['a reseller that is not registered', { 'software-house-id': 'house', 'reseller-id': 'house' }, true],
])('a device whose metadata name %s', async (_, headers, refused) => {
  for (const call of [getJourney, startJourney, takePayment]) expect(await isRefused(call, headers)).toBe(refused);
});

test('a device in the sandbox may name any partner', async () => {
  expect(await isRefused(getJourney, { 'software-house-id': 'nobody' }, keys.sandbox)).toBe(false);
});

test('a device of a retired partner begins nothing, and reads journeys that exist', async () => {
  const headers = { 'software-house-id': 'leaving' };
  expect(await isRefused(startJourney, headers)).toBe(false);
  await setStatus('Retired');
  expect(await isRefused(getJourney, headers)).toBe(false);
  expect(await isRefused(startJourney, headers)).toBe(true);
  expect(await isRefused(takePayment, headers)).toBe(true);
  await setStatus('Active');
  expect(await isRefused(takePayment, headers)).toBe(false);
});

/** How the stream of an EPOS ends, or OK once it is welcome. */
function openStream(headers: Record<string, string>): Promise<status> {
  const client = new EposConnectorServiceClient(gateway.urls.grpc, credentials.createInsecure());
  const stream = client.connect(buildCallMetadata(keys.production, headers));
  stream.write({ message: { $case: 'hello', value: { instanceId: 'one', clientVersion: 'by hand' } } });
  return new Promise<status>((resolve) => {
    stream.on('error', () => undefined);
    stream.on('data', () => resolve(status.OK));
    stream.on('status', ({ code }: { code: status }) => resolve(code));
  }).finally(() => {
    stream.cancel();
    client.close();
  });
}

/** 0 once the socket is open, or the status of the refusal. */
async function openSocket(headers: Record<string, string>): Promise<number> {
  const socket = new TestEposSocket('/epos', { authorization: `Basic ${keys.production}`, ...headers }, gateway);
  await waitUntil(() => socket.isOpen || socket.refusal !== null);
  if (socket.refusal !== null && socket.refusal.status === 403) {
    expect(JSON.parse(socket.refusal.body)).toMatchObject({ reason: 'partner_not_registered' });
  }
  socket.terminate();
  return socket.refusal?.status ?? 0;
}

test('an EPOS connects only if its partners are registered and not retired', async () => {
  const unknown = { 'software-house-id': 'nobody' };
  expect([
    await openStream({ 'software-house-id': 'house' }),
    await openSocket({ 'software-house-id': 'house' }),
  ]).toEqual([status.OK, 0]);
  expect([await openStream(unknown), await openSocket(unknown)]).toEqual([status.PERMISSION_DENIED, 403]);
  const reseller = { 'software-house-id': 'house', 'reseller-id': 'nobody' };
  expect([await openStream(reseller), await openSocket(reseller)]).toEqual([status.PERMISSION_DENIED, 403]);
  await setStatus('Retired');
  const leaving = { 'software-house-id': 'leaving' };
  expect([await openStream(leaving), await openSocket(leaving)]).toEqual([status.PERMISSION_DENIED, 403]);
  await setStatus('Active');
  expect([await openStream(leaving), await openSocket(leaving)]).toEqual([status.OK, 0]);
});
