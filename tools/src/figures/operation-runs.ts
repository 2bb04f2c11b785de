import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { credentials } from '@grpc/grpc-js';
import {
  capturePaymentIntent,
  createPaymentIntent,
  readPaymentIntent,
  refundPaymentIntent,
} from '@pos/rest-contracts/payment-intents';
import { replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { listSubscriptions, replayEvents, sendTestEvent } from '@pos/rest-contracts/webhooks';
import { TEST_CARDS } from '@pos/sandbox/cards';
import { TableDevice } from '../demo/table-device.js';
import { type Stage, GATEWAYS, type StageRestaurant, WORKERS } from '../e2e/stage.js';
import { PIN, TestTable } from '../e2e/table.js';

/** How an operation of docs/contribute/architecture.md is played. */
export interface OperationRun {
  /** The processes whose files it executes. */
  readonly processes: readonly string[];
  /** Makes what the operation needs, and returns its id. */
  readonly prepare: (stage: Stage) => Promise<string>;
  readonly run: (stage: Stage, prepared: string) => Promise<unknown>;
}

const getHouse = (stage: Stage): StageRestaurant => stage.houses[0];
const gbp = (value: number) => ({ value, currencyCode: 'GBP' }) as const;
const CARD = TEST_CARDS.find(({ behaviour }) => behaviour === 'Approve');

const createIntent = (stage: Stage, captureMode: 'Auto' | 'Manual') =>
  stage.api(getHouse(stage))(createPaymentIntent, { body: { amount: gbp(2_000), reference: 'figures', captureMode } });

async function payByPayer(stage: Stage, clientSessionSecret: string): Promise<void> {
  const response = await fetch(`${stage.world.addresses.cardVault[0]}/client/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'client-session-secret': clientSessionSecret },
    body: JSON.stringify({ cardName: 'A PAYER', expiryDate: '12/32', cardNumber: CARD?.number, cV2: CARD?.cv2 }),
  });
  assert.deepEqual([response.status, ((await response.json()) as { statusCode: number }).statusCode], [200, 0]);
}

async function createPaidIntent(stage: Stage, captureMode: 'Auto' | 'Manual'): Promise<string> {
  const { id, clientSessionSecret } = await createIntent(stage, captureMode);
  await payByPayer(stage, clientSessionSecret ?? '');
  return id;
}

async function findSubscription(stage: Stage): Promise<string> {
  const [subscription] = await stage.api(getHouse(stage))(listSubscriptions, {});
  return subscription?.id ?? '';
}

/** Plays a payment at a table, whose EPOS has these faults. */
async function payAtTable(stage: Stage, faults: readonly { method: 'RecordPayment'; effect: 'no-answer'; times: 1 }[]) {
  const house = getHouse(stage);
  const table = await TestTable.begin(stage, house, { tid: PIN });
  await stage.sandbox(replaceEposFaults, {
    params: { accountId: house.scope.accountId },
    body: { faults: [...faults] },
  });
  assert.equal((await table.pay(500, 50)).ending, 'Recorded');
}

const nothing = (): Promise<string> => Promise.resolve('');

/** By the titles of the page. */
export const OPERATION_RUNS: Readonly<Record<string, OperationRun>> = {
  Capture: {
    processes: ['api'],
    prepare: (stage) => createPaidIntent(stage, 'Manual'),
    run: (stage, paymentIntentId) =>
      stage.api(getHouse(stage))(capturePaymentIntent, {
        ...{ idempotencyKey: randomUUID(), params: { paymentIntentId }, body: { amount: 700 } },
      }),
  },
  Refund: {
    processes: ['api'],
    prepare: (stage) => createPaidIntent(stage, 'Auto'),
    run: (stage, paymentIntentId) =>
      stage.api(getHouse(stage))(refundPaymentIntent, {
        ...{ idempotencyKey: randomUUID(), params: { paymentIntentId }, body: { amount: 700 } },
      }),
  },
  'Payment with the card of a payer': {
    processes: ['card-vault'],
    prepare: async (stage) => (await createIntent(stage, 'Auto')).clientSessionSecret ?? '',
    run: payByPayer,
  },
  'Delivery of a webhook': {
    processes: WORKERS,
    prepare: findSubscription,
    run: async (stage, subscriptionId) => {
      await stage.api(getHouse(stage))(sendTestEvent, {
        ...{ params: { subscriptionId }, body: { event: 'payment_intent.created' } },
      });
      await stage.untilHooksAreOut(getHouse(stage));
    },
  },
  'Replay of webhooks': {
    processes: ['api', ...WORKERS],
    prepare: findSubscription,
    run: async (stage, subscriptionId) => {
      const { queued } = await stage.api(getHouse(stage))(replayEvents, {
        ...{ params: { subscriptionId }, body: { states: ['Delivered'] } },
      });
      assert.notEqual(queued, 0);
      await stage.untilHooksAreOut(getHouse(stage));
    },
  },
  'Call to an EPOS over REST': {
    processes: GATEWAYS.slice(0, 1),
    prepare: nothing,
    run: async (stage) => {
      const device = new TableDevice({
        ...{ address: stage.world.addresses.gatewayGrpc[0] ?? '', credentials: credentials.createInsecure() },
        ...{ apiKey: stage.paymentPageRestaurant.account.keys.device, tid: PIN },
      });
      assert.notEqual((await device.payableSessions()).length, 0);
      device.close();
    },
  },
  'Payment at a table': { processes: GATEWAYS, prepare: nothing, run: (stage) => payAtTable(stage, []) },
  'An EPOS that does not answer': {
    processes: GATEWAYS,
    prepare: nothing,
    run: (stage) => payAtTable(stage, [{ method: 'RecordPayment', effect: 'no-answer', times: 1 }]),
  },
  'Check of an API key': {
    processes: ['api'],
    prepare: (stage) => createPaidIntent(stage, 'Auto'),
    run: (stage, paymentIntentId) => stage.api(getHouse(stage))(readPaymentIntent, { params: { paymentIntentId } }),
  },
};
