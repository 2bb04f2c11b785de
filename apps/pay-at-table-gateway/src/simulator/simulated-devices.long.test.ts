import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listLiveConnections } from '@pos/store/connections';
import type { RunningGateway } from '../boot.js';
import { EPOS_CONNECTION_KINDS } from '../epos-routing/epos-route-cache.js';
import { callUnary, TestDevice } from '../testing/payment-device.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';

const TRANSPORTS = ['dialled', 'stream', 'tables-ws', 'rest', 'ws'] as const;

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());

const buildRequestor = (terminalId: string) => ({
  requestorType: 'REQUESTOR_TYPE_CARD_MACHINE',
  cardMachineRequestorInfo: { terminalId, waiterId: 0 },
});

async function simulate({ apiKey }: GatewayAccount, terminalId: string, [method, params]: readonly [string, object]) {
  const response = await fetch(`${gateway.urls.health}/simulator/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${apiKey}` },
    body: JSON.stringify({ ...params, requestorInfo: buildRequestor(terminalId) }),
  });
  const body = (await response.json()) as { readonly errorCode?: string };
  return body.errorCode ?? response.status;
}

async function createRestaurant(
  epos: (typeof TRANSPORTS)[number],
): Promise<{ account: GatewayAccount; sessionId: string }> {
  const account = await environment.createAccount({ epos });
  const listLive = () =>
    environment.testDatabase.database.read(account.scope, (reader) =>
      listLiveConnections(reader, EPOS_CONNECTION_KINDS),
    );
  if (epos !== 'dialled' && epos !== 'rest') await waitUntil(async () => (await listLive()).length === 1);
  const response = await fetch(`${gateway.urls.health}/simulator/ListSessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${account.apiKey}` },
    body: JSON.stringify({ isPayable: true, tableNames: [], requestorInfo: buildRequestor('90000001') }),
  });
  const [session] = (await response.json()) as { readonly id: string }[];
  return { account, sessionId: session!.id };
}

const buildPayment = (sessionId: string) => ({
  payment: {
    ...{ id: randomUUID(), sessionId, currency: 'GBP', baseAmount: 100, gratuityAmount: 0, cashbackAmount: 0 },
    ...{ paymentSuccessful: true, attemptedAt: '2026-03-01T12:00:00.000Z' },
    methodDetails: {
      method: 'PAYMENT_METHOD_CARD_PRESENT',
      cardPresentPaymentStatus: 'CARD_PRESENT_PAYMENT_STATUS_SUCCESSFUL',
    },
  },
});

test.each(TRANSPORTS)('a second simulated device cannot use the lock of the first one over %s', async (epos) => {
  const { account, sessionId } = await createRestaurant(epos);
  expect(await simulate(account, '90000001', ['LockSession', { sessionId }])).toBe(200);
  expect(await simulate(account, '90000002', ['LockSession', { sessionId }])).toBe('SESSION_ALREADY_LOCKED');
  expect(await simulate(account, '90000002', ['UnlockSession', { sessionId }])).toBe('SESSION_NOT_LOCKED');
  expect(await simulate(account, '90000002', ['RecordPayment', buildPayment(sessionId)])).toBe('SESSION_NOT_LOCKED');
  expect(await simulate(account, '90000001', ['UnlockSession', { sessionId }])).toBe(200);
  expect(await simulate(account, '90000002', ['LockSession', { sessionId }])).toBe(200);
  expect(await simulate(account, '90000002', ['UnlockSession', { sessionId }])).toBe(200);
});

test.each(TRANSPORTS)('a simulated device cannot end what a real device has begun over %s', async (epos) => {
  const { account, sessionId } = await createRestaurant(epos);
  const device = new TestDevice(gateway, account.apiKey);
  const { tablesClient, metadata } = device;
  const request = { sessionId, requestorInfo: buildMachineRequestor('90000001') };
  await callUnary((done) => tablesClient.lockSession(request, metadata, done));
  expect(await simulate(account, '90000002', ['LockSession', { sessionId }])).toBe('SESSION_ALREADY_LOCKED');
  expect(await simulate(account, '90000002', ['UnlockSession', { sessionId }])).toBe('SESSION_NOT_LOCKED');
  expect(await simulate(account, '90000002', ['RecordPayment', buildPayment(sessionId)])).toBe('SESSION_NOT_LOCKED');
  await callUnary((done) => tablesClient.unlockSession(request, metadata, done));
  device.close();
});
