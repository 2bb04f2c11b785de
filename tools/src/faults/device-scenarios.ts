import assert from 'node:assert/strict';
import { FAULT_POINTS, type FaultPointName } from '@pos/payments/accounts';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { breakMachine } from '@pos/rest-contracts/sandbox';
import { listRecordedAtEpos, listTransactionsAtAcquirer } from '../e2e/books.js';
import { buildDevicePayment } from '../e2e/device-payment.js';
import { startMachineSale } from '../e2e/machine-sale.js';
import { GATEWAYS, type Stage, type StageRestaurant, waitUntil } from '../e2e/stage.js';
import { CONTACTLESS } from '../e2e/table.js';
import { PendingWatch } from './pending-watch.js';
import type { FaultScenario } from './scenario.js';

const BASE_AMOUNT = 1_500;
const GRATUITY_AMOUNT = 150;
const TAKEN_MS_MAX = 20_000;
/** The device reports the payment before this time is over, also on a busy machine. */
const UNPLUGGED_MS = 4_000;

/**
 * A device that pays step by step reports its payment before the card machine does, so the service has to look for the
 * card transaction. A gateway crashes when it first passes the point; or each of them does, including the one that takes
 * over.
 */
export function runDeviceWithGatewayKilledAt(point: FaultPointName, who: 'one' | 'each'): FaultScenario {
  return {
    says: `a gateway is killed when ${FAULT_POINTS[point]}${who === 'each' ? ', and so is the next one' : ''}`,
    // The gateway that the device calls stores its payment, and looks for the card transaction.
    arms: async (stage, house) => ({
      names: who === 'each' ? GATEWAYS : (await stage.gatewaysBy(house, 'epos-grpc-stream')).slice(1),
      point,
    }),
    async run(stage, house) {
      const ends = await stage.restartKilled(() => payByDevice(stage, house));
      assert.ok(ends > 0, `no gateway passed ${point}`);
    },
  };
}

async function payByDevice(stage: Stage, house: StageRestaurant): Promise<void> {
  const [eposSide, otherSide] = await stage.gatewaysBy(house, 'epos-grpc-stream');
  const { sessionId } = await stage.slot(house);
  const device = stage.device(house, CONTACTLESS, [otherSide, eposSide]);
  await device.lock(sessionId);
  const transactionId = await takeUnreportedCard(stage, house);
  const amounts = { baseAmount: BASE_AMOUNT, gratuityAmount: GRATUITY_AMOUNT };
  const payment = buildDevicePayment({ ...amounts, sessionId, tid: CONTACTLESS, transactionId });
  const watch = new PendingWatch(stage, house, payment.id);
  try {
    await device.record(payment);
  } finally {
    await watch.stop();
  }
  assert.ok(watch.states.has('Unproved'), 'a payment without a proof was not on the pending list');
  assert.equal((await listRecordedAtEpos(house.keepers, payment.id)).length, 1);
  await device.unlock(sessionId);
  stage.leave(sessionId);
}

/** Takes a card on a machine that is unplugged after the tap. Returns the transaction id, which only the acquirer has. */
async function takeUnreportedCard(stage: Stage, house: StageRestaurant): Promise<string> {
  const amount = { value: BASE_AMOUNT + GRATUITY_AMOUNT, currencyCode: 'GBP' };
  const { id } = await stage.api(house)(createPaymentIntent, { body: { amount, reference: 'step by step' } });
  await stage.sandbox(breakMachine, {
    params: { accountId: house.scope.accountId, tid: CONTACTLESS },
    body: { unplug: { when: 'after-approval', forMs: UNPLUGGED_MS } },
  });
  await startMachineSale(stage, house, id);
  const transactions: string[] = [];
  await waitUntil('the acquirer has booked the card', TAKEN_MS_MAX, async () => {
    transactions.push(...(await listTransactionsAtAcquirer(house.keepers, id)));
    return transactions.length > 0;
  });
  const [transactionId = ''] = transactions;
  return transactionId;
}
