import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceClock, replaceEposFaults } from '@pos/rest-contracts/sandbox';
import { getOrderPlacement } from '@pos/rest-contracts/orders';
import { readPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { runOrdering, submitTestOrder } from './advance-order.js';
import { findRecordMismatches } from './books.js';
import { Stage, waitUntil } from './stage.js';

const MINUTES = 60_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 2 * MINUTES);
afterAll(() => stage.close(), MINUTES);

test.each([
  ['never answers, so that it may have the order', ['CreateOrder', 'SearchOrders'], true],
  ['makes no order, and lists none', ['CreateOrder'], false],
] as const)(
  'in a simulated week with an order whose EPOS %s, the money is returned before the hold ends',
  async (_, methods, mayStand) => {
    const house = stage.houses[mayStand ? 0 : 1];
    const params = { accountId: house.scope.accountId };
    await runOrdering(stage, house, async () => {
      const faults = methods.map((method) => ({ method, effect: 'no-answer' as const }));
      await stage.sandbox(replaceEposFaults, { params, body: { faults } });
      const { placementId, paymentIntentId } = await submitTestOrder(stage, house);
      const api = stage.api(house);
      const readPlacement = () => api(getOrderPlacement, { params: { placementId } });
      await waitUntil(
        'the EPOS is asked',
        MINUTES,
        async () => !['Waiting', 'Held'].includes((await readPlacement()).status),
      );
      await api(advanceClock, { body: { by: '7.00:00:00' } });
      await waitUntil('the order has ended', MINUTES, async () => (await readPlacement()).status === 'GivenBack');
      expect(await readPlacement()).toMatchObject({ orderMayStand: mayStand });
      expect(await api(readPaymentIntent, { params: { paymentIntentId } })).toMatchObject({ status: 'Reversed' });
    });
    await stage.clearFaults(house);
    expect(await findRecordMismatches(house.keepers)).toEqual([]);
  },
  3 * MINUTES,
);
