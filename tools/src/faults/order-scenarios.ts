import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ORDER_FAULT_POINTS } from '@pos/payments/accounts/payment-settings';
import { deleteRestIntegration, putRestIntegration } from '@pos/rest-contracts/accounts/epos-registration';
import { getOrderPlacement, submitOrder } from '@pos/rest-contracts/orders/order-placements';
import { createPaymentIntent, readPaymentIntent } from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import { listEposCalls, replaceEposFaults } from '@pos/rest-contracts/sandbox/sandbox-epos';
import { createTerminalSession } from '@pos/rest-contracts/terminal-sessions/terminal-sessions';
import { listTerminals } from '@pos/rest-contracts/accounts/terminals';
import { GATEWAYS, type StageRestaurant, type Stage, waitUntil } from '../e2e/stage.js';
import { CONTACTLESS } from '../e2e/table.js';
import type { FaultScenario } from './scenario.js';

const CAPABILITIES = ['CreateOrder', 'GetOrderById', 'SearchOrders', 'CancelOrderById'] as const;
const ENDED_MS_MAX = 60_000;
const PRICE = { value: 1_300, currencyCode: 'GBP' };

type FaultPoint = keyof typeof ORDER_FAULT_POINTS;

/** Every gateway crashes when it first passes the point, including the one that takes over. */
function runWithKillAt(point: FaultPoint): FaultScenario {
  return {
    says: `a payer orders and pays in advance, and each gateway is killed when ${ORDER_FAULT_POINTS[point]}`,
    arms: async () => ({ names: GATEWAYS, point }),
    async run(stage, house) {
      const ends = await stage.restartKilled(async () => {
        await runOrdering(stage, house, async () => {
          const order = await submitTestOrder(stage, house);
          await checkOrderPaid(stage, house, order);
        });
      });
      assert.ok(ends > 0, `no gateway passed ${point}`);
    },
  };
}

const LOST: FaultScenario = {
  says: 'a payer orders and pays in advance, and the answer of the EPOS is lost: one order, one capture',
  async run(stage, house) {
    await runOrdering(stage, house, async () => {
      await stage.sandbox(replaceEposFaults, {
        params: { accountId: house.scope.accountId },
        body: { faults: [{ method: 'CreateOrder', effect: 'answer-lost', times: 1 }] },
      });
      await checkOrderPaid(stage, house, await submitTestOrder(stage, house));
    });
  },
};

const REFUSED: FaultScenario = {
  says: 'a payer orders and pays in advance, and the EPOS refuses the order: the money is returned',
  async run(stage, house) {
    await runOrdering(stage, house, async () => {
      await stage.sandbox(replaceEposFaults, {
        params: { accountId: house.scope.accountId },
        body: { faults: [{ method: 'CreateOrder', effect: 'refuse', code: 'Conflict' }] },
      });
      const { placementId, paymentIntentId } = await submitTestOrder(stage, house);
      await waitForPlacement(stage, house, { placementId, status: 'GivenBack' });
      const { status } = await stage.api(house)(readPaymentIntent, { params: { paymentIntentId } });
      assert.equal(status, 'Reversed');
    });
  },
};

const ASLEEP: FaultScenario = {
  says: 'a payer orders and pays in advance, and the gateway that places the order is suspended until another has it',
  async run(stage, house) {
    await runOrdering(stage, house, async () => {
      await stage.sandbox(replaceEposFaults, {
        params: { accountId: house.scope.accountId },
        body: { faults: [{ method: 'CreateOrder', effect: 'slow', delayMs: 800, times: 1 }] },
      });
      const order = await submitTestOrder(stage, house);
      await waitUntil(
        'the EPOS receives the order',
        ENDED_MS_MAX,
        async () => (await countCreations(stage, house)) > order.before,
      );
      // Either gateway may call: both are suspended in turn, longer than the lease of a runner and the longest call.
      for (const name of GATEWAYS) {
        const sleeper = stage.world.app(name);
        await sleeper.kill('SIGSTOP');
        try {
          await new Promise((resolve) => setTimeout(resolve, 4_000));
        } finally {
          await sleeper.kill('SIGCONT');
        }
      }
      await checkOrderPaid(stage, house, order);
    });
    await stage.untilConnected();
  },
};

interface SubmittedOrder {
  readonly placementId: string;
  readonly paymentIntentId: string;
  /** The number of orders that were requested from the EPOS before this one. */
  readonly before: number;
}

/** The payer submits the order, and then pays at a kiosk. */
export async function submitTestOrder(stage: Stage, house: StageRestaurant): Promise<SubmittedOrder> {
  const api = stage.api(house);
  const before = await countCreations(stage, house);
  const { id: paymentIntentId } = await api(createPaymentIntent, {
    body: { amount: PRICE, reference: 'in advance', captureMode: 'Manual' },
  });
  const { id: placementId } = await api(submitOrder, {
    idempotencyKey: randomUUID(),
    body: {
      paymentIntentId,
      order: {
        details: { orderType: 'Collection', collection: { asap: true } },
        items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } }],
        totalAmount: PRICE,
      },
    },
  });
  await stage.untilConnected();
  const terminals = await api(listTerminals, {});
  const terminal = terminals.find(({ properties }) => properties.tid === CONTACTLESS);
  assert.ok(terminal !== undefined, 'the kiosk is not there');
  await api(createTerminalSession, {
    body: { terminalId: terminal.id, details: { sessionType: 'Sale', sale: { paymentIntentId } } },
  });
  return { placementId, paymentIntentId, before };
}

/** The order exists once, and its money was captured once. */
async function checkOrderPaid(
  stage: Stage,
  house: StageRestaurant,
  { placementId, paymentIntentId }: SubmittedOrder,
): Promise<void> {
  const { orderId } = await waitForPlacement(stage, house, { placementId, status: 'Completed' });
  const intent = await stage.api(house)(readPaymentIntent, { params: { paymentIntentId } });
  assert.equal(intent.status, 'Captured');
  assert.equal(intent.orderDetails?.externalId, orderId);
}

async function waitForPlacement(
  stage: Stage,
  house: StageRestaurant,
  { placementId, status }: { readonly placementId: string; readonly status: string },
) {
  const readPlacement = () => stage.api(house)(getOrderPlacement, { params: { placementId } });
  await waitUntil(
    `the order is ${status}`,
    ENDED_MS_MAX,
    async () => (await readPlacement().catch(() => null))?.status === status,
  );
  return readPlacement();
}

async function countCreations(stage: Stage, { scope: { accountId } }: StageRestaurant): Promise<number> {
  const { calls } = await stage.sandbox(listEposCalls, { params: { accountId } });
  return calls.filter(({ method }) => method === 'CreateOrder').length;
}

/** During the work the EPOS of the restaurant accepts orders over REST, beside its tables. */
export async function runOrdering(stage: Stage, house: StageRestaurant, work: () => Promise<void>): Promise<void> {
  const unregister = await registerOrderingEpos(stage, house);
  try {
    await work();
  } finally {
    await unregister();
  }
}

/** Registers the EPOS of the restaurant for orders over REST, beside its tables. Returns what ends the registration. */
export async function registerOrderingEpos(stage: Stage, house: StageRestaurant): Promise<() => Promise<void>> {
  const { username, password } = house.account.epos;
  await stage.api(house)(putRestIntegration, {
    body: {
      url: stage.world.addresses.sandboxEpos,
      auth: { authType: 'basic', basic: { username, password } },
      capabilities: CAPABILITIES.map((name) => ({ name, version: 'v1' as const })),
    },
  });
  return async () => {
    await stage.api(house)(deleteRestIntegration, {});
  };
}

/** All faults of an order that is paid before it is placed. */
export const ORDER_SCENARIOS: readonly FaultScenario[] = [
  LOST,
  REFUSED,
  ASLEEP,
  ...(Object.keys(ORDER_FAULT_POINTS) as FaultPoint[]).map(runWithKillAt),
];
