import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PERMISSIONS, type Permission } from '@pos/core/identity';
import { resolvePendingPayment } from '@pos/rest-contracts/operators';
import {
  capturePaymentIntent,
  createPaymentIntent,
  refundPaymentIntent,
  reversePaymentIntent,
} from '@pos/rest-contracts/payment-intents';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';
import { createNotBookedDifference, createPendingPayment, createUnprovedRecord } from '../testing/operator-requests.js';
import { createHeldPlacement } from '../testing/order-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

interface Detour {
  readonly path: string;
  readonly body: unknown;
}

const decide = (paymentId: string, action: string): Detour => ({
  path: `/pay-at-table/pending/${paymentId}/resolve`,
  body: { action, note: 'a test' },
});
const useMachine = async (details: object): Promise<Detour> => ({
  path: '/terminal-sessions',
  body: { terminalId: await testEnvironment.createTerminal(), details },
});

/**
 * Each operation that moves money as another operation does. Its key needs the permission of both. The paths of devices
 * over gRPC are tested in the gateway.
 */
const DETOURS: readonly (readonly [string, Permission, Permission, () => Promise<Detour>])[] = [
  [
    'a matched refund on a card machine',
    createTerminalSession.permission,
    refundPaymentIntent.permission,
    async () => {
      const paymentIntentId = await testEnvironment.createIntentIn('Captured');
      return useMachine({ sessionType: 'MatchedRefund', matchedRefund: { paymentIntentId } });
    },
  ],
  [
    'a refund on a card machine without a payment',
    createTerminalSession.permission,
    refundPaymentIntent.permission,
    () =>
      useMachine({
        sessionType: 'UnlinkedRefund',
        unlinkedRefund: { amount: { value: 2_000, currencyCode: 'GBP' } },
      }),
  ],
  [
    "an operator's return of a payment at a table",
    resolvePendingPayment.permission,
    refundPaymentIntent.permission,
    async () => decide((await createPendingPayment(testEnvironment)).id, 'GiveBack'),
  ],
  [
    "an operator's return of an order paid in advance",
    resolvePendingPayment.permission,
    refundPaymentIntent.permission,
    async () => decide((await createHeldPlacement(testEnvironment)).id, 'GiveBack'),
  ],
  [
    "an operator's confirmation of an order, which captures its money",
    resolvePendingPayment.permission,
    capturePaymentIntent.permission,
    async () => decide((await createHeldPlacement(testEnvironment)).id, 'MarkRecorded'),
  ],
  [
    "an operator's reversal of a payment that the acquirer does not have",
    resolvePendingPayment.permission,
    reversePaymentIntent.permission,
    async () => decide(await createNotBookedDifference(testEnvironment), 'MarkNotTaken'),
  ],
  [
    'a payment that a payer may pay online',
    createPaymentIntent.permission,
    'payments.online',
    () =>
      Promise.resolve({
        path: '/payment-intents',
        body: { amount: { value: 2_000, currencyCode: 'GBP' }, reference: 'table 7', generateRemoteToken: true },
      }),
  ],
];

const sendDetour = async ({ path, body }: Detour, permissions: readonly Permission[]) => {
  const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, [...permissions]);
  return testEnvironment.sendRequest('POST', path, { body: body as Record<string, unknown>, key });
};

test.each(DETOURS)('%s: %s is not enough without %s', async (_, own, direct, build) => {
  const detour = await build();
  const refused = await sendDetour(detour, [own]);
  expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual([403, 'permission_missing']);
  // The permission of the direct way alone does not open the detour.
  const other = await sendDetour(detour, [direct]);
  expect([other.status, await testEnvironment.findRefusal(other)]).toEqual([403, 'permission_missing']);
  const done = await sendDetour(detour, [own, direct]);
  expect(done.status).toBeLessThan(300);
});

test('to close a payment that nothing proves moves no money, and needs the permission for decisions alone', async () => {
  const detour = decide((await createUnprovedRecord(testEnvironment)).id, 'MarkNotHeld');
  const others = PERMISSIONS.filter((permission) => permission !== resolvePendingPayment.permission);
  const refused = await sendDetour(detour, others);
  expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual([403, 'permission_missing']);
  expect((await sendDetour(detour, [resolvePendingPayment.permission])).status).toBe(200);
});
