import assert from 'node:assert/strict';
import { ORDER_FAULT_POINTS } from '@pos/payments/accounts';
import { getOrderPlacement } from '@pos/rest-contracts/orders';
import { readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { countCreations, runOrdering, type SubmittedOrder, submitTestOrder } from '../e2e/advance-order.js';
import { GATEWAYS, type StageRestaurant, type Stage, waitUntil } from '../e2e/stage.js';
import type { FaultScenario } from './scenario.js';

const ENDED_MS_MAX = 60_000;

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

/** All faults of an order that is paid before it is placed. */
export const ORDER_SCENARIOS: readonly FaultScenario[] = [
  LOST,
  REFUSED,
  ASLEEP,
  ...(Object.keys(ORDER_FAULT_POINTS) as FaultPoint[]).map(runWithKillAt),
];
