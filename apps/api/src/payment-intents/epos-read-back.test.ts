import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { createMemoryJournal } from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { SimulatedEnvironment } from '@pos/sandbox/environment';
import { createLoopbackChannelCredentials } from '@pos/service-kit/grpc';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';

// The EPOS of the sandbox reads a payment back before it books it, and compares the sum of bill and tip.

let testEnvironment: ApiTestEnvironment;
let simulation: SimulatedEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  const transport = { createCredentials: createLoopbackChannelCredentials, readSocketOptions: () => ({}) };
  simulation = new SimulatedEnvironment({
    ...{ seed: new Seed('read back'), clock: createWallClock({ timeScale: 1, frozenAt: null }) },
    journal: createMemoryJournal(),
    service: { gatewayAddresses: [], gatewayUrls: [], apiUrl: testEnvironment.api.url, transport },
  });
});
afterAll(async () => {
  simulation.stop();
  await testEnvironment.close();
});

function openEpos() {
  const { epos } = simulation.provisionAccount({
    ...{ accountId: testEnvironment.sandbox.accountId, apiKey: testEnvironment.keys.full, merchantId: 'm-1' },
    ...{ tradingName: 'The Oyster Shed', currencyCode: 'GBP', softwareHouseId: 'house', hasMachines: false },
    ...{
      amountTriggers: false,
      epos: { username: 'shed', password: 'secret:word', dialsIn: false, readsIntents: true },
    },
  });
  return requireValue(epos, 'the EPOS').data;
}

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const readBack = (paymentIntentId: string) =>
  openEpos().readIntentProof({
    ...{ name: 'RecordOrderPaymentById', requestor: { kind: 'consumerDevice', terminalId: null, waiterId: null } },
    params: { orderId: '00000000-0000-4000-8000-000000000001', paymentIntentId, paidAmount: gbp(900) },
  });

test.each([
  ['an amount that contains the tip', { amount: gbp(1_000) }, 1_000],
  ['a tip of its own', { amount: gbp(900), tipsAmount: gbp(100) }, 1_000],
  ['a service charge', { amount: gbp(900), serviceChargeAmount: gbp(100) }, 1_000],
  ['cashback, which is on no order', { amount: gbp(900), tipsAmount: gbp(100), cashbackAmount: gbp(500) }, 1_000],
])('a payment with %s is read back as the sum of bill and tip', async (_, request, sum) => {
  const { id } = await testEnvironment.createIntent(request);
  await testEnvironment.bringIntentTo(id, 'Captured');
  expect(await readBack(id)).toEqual({ kind: 'read', status: 'Captured', charged: gbp(sum) });
});

test('an unknown payment is absent', async () => {
  expect(await readBack('pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA')).toEqual({ kind: 'absent' });
});
