import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PLACEMENT_STATES } from '@pos/core/orders';
import { insertApiKey } from '@pos/store/repositories';
import { PERMISSIONS, ROLES } from '@pos/core/identity';
import * as rest from '@pos/rest-contracts/orders';
import { listPendingPayments, listTableOperatorCalls } from '@pos/rest-contracts/operators';
import { ApiTestEnvironment, parseJson, parseProblem, createKeyText } from '../testing/api-test-environment.js';
import {
  createAuthorisedIntent,
  createHeldPlacement,
  ORDER_BODY,
  ORDERS_PATH,
  createPounds,
  registerEpos,
  submitOrder,
  createUnpaidIntent,
} from '../testing/order-requests.js';
import { REFUSED_ORDERS } from '../testing/order-refusal-cases.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
  await registerEpos(testEnvironment);
});
afterAll(() => testEnvironment.close());

const listPending = (key = testEnvironment.keys.full) => testEnvironment.createClient(key)(listPendingPayments, {});
const getPlacement = (placementId: string) =>
  testEnvironment.createClient()(rest.getOrderPlacement, { params: { placementId } });

/** The kinds of timers of a placement that are due for a gateway. */
async function listDueTimers(id: string): Promise<readonly string[]> {
  const sql = 'select kind from timers where subject = $1 and due_at <= clock_timestamp() order by kind';
  return (await testEnvironment.queryRows<{ kind: string }>(sql, [id])).map(({ kind }) => kind);
}

async function listPlacementRows(intentId: string): Promise<number> {
  return (await testEnvironment.queryRows('select id from order_placements where intent_id = $1', [intentId])).length;
}

describe('an order with an invalid member is refused by the member’s name', () => {
  test.each(REFUSED_ORDERS)('%s', async (_, body, member) => {
    const answer = await testEnvironment.sendRequest('POST', ORDERS_PATH, { body });
    expect([answer.status, await testEnvironment.findRefusal(answer)]).toEqual([400, 'validation_failed']);
    expect(Object.keys(parseProblem(answer).errors)).toContain(member);
    expect(answer.text).not.toMatch(/4456 ?5300/);
  });
});

describe('an order that is submitted', () => {
  test('before its payer has paid waits for the payment, and can be read', async () => {
    const paymentIntentId = await createUnpaidIntent(testEnvironment, { tipsAmount: createPounds(150) });
    const created = await submitOrder(testEnvironment, paymentIntentId);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ...{
        paymentIntentId,
        status: 'Waiting',
        totalAmount: createPounds(2000),
        tipsAmount: createPounds(0),
        orderMayStand: false,
      },
      createdAt: expect.any(String),
      updatedAt: created.createdAt,
    });
    expect(await getPlacement(created.id)).toEqual(created);
    expect(parseJson(await testEnvironment.sendRequest('GET', `/payment-intents/${paymentIntentId}`))).toMatchObject({
      ...{ status: 'Created', orderDetails: { id: created.id } },
    });
    expect(await listDueTimers(created.id)).toEqual([]);
  });

  test.each([
    [
      'once its payer has paid',
      async () => {
        const placement = await submitOrder(testEnvironment);
        await testEnvironment.bringIntentTo(placement.paymentIntentId, 'Authorized');
        return placement;
      },
    ],
    [
      'at once, if its payer had paid already',
      async () => submitOrder(testEnvironment, await createAuthorisedIntent(testEnvironment)),
    ],
    [
      'once the intent is cancelled, because no payment can follow',
      async () => {
        const placement = await submitOrder(testEnvironment);
        await testEnvironment.bringIntentTo(placement.paymentIntentId, 'Canceled');
        return placement;
      },
    ],
  ])('is due for a gateway %s', async (_, submit) => {
    const { id } = await submit();
    expect(await listDueTimers(id)).toEqual(['order-placement']);
  });

  test('costs the amount of the payment with its service charge, and the tip is separate', async () => {
    const more = { amount: createPounds(1800), serviceChargeAmount: createPounds(200), tipsAmount: createPounds(150) };
    const paymentIntentId = await createUnpaidIntent(testEnvironment, more);
    const order = { ...ORDER_BODY, serviceChargeAmount: createPounds(200) };
    const created = await testEnvironment.createClient()(rest.submitOrder, { body: { paymentIntentId, order } });
    expect(created.totalAmount).toEqual(createPounds(2000));
  });

  test('is stored as it was sent, in the documented spelling and without unknown members', async () => {
    const spicy = { name: 'Spicy', quantity: 1, plu: '9' };
    const bread = { name: 'Bread', quantity: 2, plu: '2', amountPerItem: createPounds(0) };
    const [soup] = ORDER_BODY.items;
    const rest = {
      details: { orderType: 'Collection', collection: { asap: false, collectAt: '2026-03-01T13:00:00+01:00' } },
      discounts: [{ name: 'Lunch', amountTotal: createPounds(-100), amountPercentage: 500, affectedPlu: [] }],
      taxLines: [{ amountTotal: createPounds(333), id: 'vat', name: 'VAT', amountPercentage: 2000 }],
      customer: { id: 'c-1', emailAddress: 'ada@corner.example', phoneNumber: '+44 20 7946 0000', name: 'Ada' },
      ...{ totalAmount: createPounds(2000), note: 'at the window', reference: 'web-17', displayName: 'Ada' },
    };
    const order = (modifier: object, more: object) => ({
      ...rest,
      items: [{ ...soup, note: 'hot', modifiers: [{ ...spicy, ...modifier }], subItems: [{ ...bread, ...more }] }],
    });
    const sent = order({ amountPerModifier: { value: '10', currencyCode: 'gbp' } }, { colour: 'brown' });
    const body = {
      PaymentIntentId: await createUnpaidIntent(testEnvironment),
      order: { ...sent, serviceOrderId: 'mine', payments: [] },
    };
    const refused = await testEnvironment.sendRequest('POST', ORDERS_PATH, { body });
    const unknown = ['order.items[0].subItems[0].colour', 'order.payments', 'order.serviceOrderId'];
    expect([refused.status, Object.keys(parseJson(refused)['errors'] as object).sort()]).toEqual([400, unknown]);
    const key = createKeyText('sandbox');
    const lenient = { text: key, label: 'test', permissions: PERMISSIONS, isStrict: false };
    await testEnvironment.testDatabase.database.transact(testEnvironment.sandbox, async (tx) =>
      insertApiKey(tx, { ...lenient, id: await tx.newId('apiKey') }),
    );
    const answer = await testEnvironment.sendRequest('POST', ORDERS_PATH, { body, key });
    expect(answer.status).toBe(200);
    const sql = 'select placed_order from order_placements where id = $1';
    const [row] = await testEnvironment.queryRows<{ placed_order: unknown }>(sql, [parseJson(answer)['id']]);
    expect(row?.placed_order).toEqual(order({ amountPerItem: createPounds(10) }, {}));
  });

  test('is returned again for a repeat with the same key', async () => {
    const paymentIntentId = await createUnpaidIntent(testEnvironment);
    const sent = { body: { paymentIntentId, order: ORDER_BODY }, headers: { idempotencyKey: randomUUID() } };
    const [first, second] = [
      await testEnvironment.sendRequest('POST', ORDERS_PATH, sent),
      await testEnvironment.sendRequest('POST', ORDERS_PATH, sent),
    ];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(await listPlacementRows(paymentIntentId)).toBe(1);
  });

  test('is stored once, however many requests arrive at once', async () => {
    const paymentIntentId = await createUnpaidIntent(testEnvironment);
    const request = Array.from({ length: 5 }, () =>
      testEnvironment.sendRequest('POST', ORDERS_PATH, { body: { paymentIntentId, order: ORDER_BODY } }),
    );
    const statuses = (await Promise.all(request)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    expect(await listPlacementRows(paymentIntentId)).toBe(1);
  });

  test('that was refused may be submitted again once it is valid', async () => {
    const paymentIntentId = await createUnpaidIntent(testEnvironment);
    const submit = (order: object) =>
      testEnvironment.sendRequest('POST', ORDERS_PATH, { body: { paymentIntentId, order } });
    expect((await submit({ ...ORDER_BODY, totalAmount: createPounds(1) })).status).toBe(400);
    expect((await submit(ORDER_BODY)).status).toBe(200);
  });

  test('is readable with a read-only key, which cannot submit one', async () => {
    const placement = await submitOrder(testEnvironment);
    const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, ROLES['read-only']);
    expect(
      await testEnvironment.createClient(key)(rest.getOrderPlacement, { params: { placementId: placement.id } }),
    ).toEqual(placement);
    const body = { paymentIntentId: await createUnpaidIntent(testEnvironment), order: ORDER_BODY };
    const refused = await testEnvironment.sendRequest('POST', ORDERS_PATH, { key, body });
    expect([refused.status, await testEnvironment.findRefusal(refused)]).toEqual([403, 'permission_missing']);
  });
});

test.each(PLACEMENT_STATES)('a placement that is %s is read with this status and all its facts', async (state) => {
  const created = await submitOrder(testEnvironment);
  const known = `gratuity_amount = 150, order_id = '118', may_order_stand = true, last_error = 'Conflict'`;
  await testEnvironment.queryRows(`update order_placements set state = $2, ${known} where id = $1 returning id`, [
    created.id,
    state,
  ]);
  const more = { tipsAmount: createPounds(150), orderId: '118', orderMayStand: true, lastError: 'Conflict' };
  expect(await getPlacement(created.id)).toEqual({ ...created, ...more, status: state });
});

describe('the pending list', () => {
  const listed = async (id: string) => (await listPending()).filter(({ paymentId }) => paymentId === id);
  const resolve = (id: string, action: string) =>
    testEnvironment.sendRequest('POST', `/pay-at-table/pending/${id}/resolve`, {
      body: { action, note: 'rang the restaurant' },
    });

  test('contains an order from the hold of its money until its end', async () => {
    const { id, intentId: paymentIntentId } = await createHeldPlacement(testEnvironment);
    expect(await listed(id)).toEqual([
      {
        ...{ paymentId: id, paymentIntentId, currency: 'GBP', state: 'Held', attempts: 0, alarm: false },
        ...{ baseAmount: 2000, gratuityAmount: 0, cashbackAmount: 0, since: expect.any(String) },
      },
    ]);
  });

  test.each(PLACEMENT_STATES)('contains an order that is %s only where an operator may have to act', async (state) => {
    const { id } = await submitOrder(testEnvironment);
    await testEnvironment.queryRows('update order_placements set state = $2 where id = $1 returning id', [id, state]);
    const isPending = !['Waiting', 'Completed', 'GivenBack', 'Ended'].includes(state);
    expect(await listed(id)).toHaveLength(isPending ? 1 : 0);
  });

  test('raises an alarm for an order after a minute, with all its facts', async () => {
    const { id } = await createHeldPlacement(testEnvironment);
    const known = `order_id = '118', place_calls = 2, last_error = 'no answer', since = since - interval '1 minute'`;
    await testEnvironment.queryRows(`update order_placements set ${known} where id = $1 returning id`, [id]);
    expect(await listed(id)).toMatchObject([{ orderId: '118', attempts: 2, lastError: 'no answer', alarm: true }]);
  });

  test.each([
    ['MarkRecorded', 'Placed'],
    ['GiveBack', 'GivingBack'],
    ['RetryNow', 'Held'],
  ] as const)('%s makes an order %s and due for a gateway at once', async (action, state) => {
    const { id } = await createHeldPlacement(testEnvironment);
    const later = `due_at = clock_timestamp() + interval '1 hour'`;
    await testEnvironment.queryRows(`update timers set ${later} where subject = $1 returning subject`, [id]);
    expect(await listDueTimers(id)).toEqual([]);
    expect(parseJson(await resolve(id, action))).toMatchObject({ paymentId: id, state });
    expect(await listDueTimers(id)).toEqual(['order-placement']);
    const { data } = await testEnvironment.createClient()(listTableOperatorCalls, { query: { limit: 1 } });
    const decided = { subject: id, action, note: 'rang the restaurant', outcome: 'Done' };
    expect(data).toMatchObject([{ ...decided, stateBefore: 'Held', stateAfter: state }]);
  });

  test.each(['Waiting', 'Completed', 'GivenBack', 'Ended'] as const)(
    'an order that is %s cannot be decided',
    async (state) => {
      const { id } = await submitOrder(testEnvironment);
      await testEnvironment.queryRows('update order_placements set state = $2 where id = $1 returning id', [id, state]);
      for (const action of ['MarkRecorded', 'GiveBack', 'RetryNow']) {
        const answer = await resolve(id, action);
        expect([answer.status, await testEnvironment.findRefusal(answer)]).toEqual([
          409,
          'pending_payment_not_decidable',
        ]);
      }
      expect(await getPlacement(id)).toMatchObject({ status: state });
    },
  );

  test('shows an order to its own account only', async () => {
    const { id } = await createHeldPlacement(testEnvironment);
    for (const key of [testEnvironment.keys.foreign, testEnvironment.keys.production]) {
      expect(await listPending(key)).toEqual([]);
      const body = { action: 'GiveBack', note: 'mine' };
      const answer = await testEnvironment.sendRequest('POST', `/pay-at-table/pending/${id}/resolve`, { key, body });
      expect([answer.status, await testEnvironment.findRefusal(answer)]).toEqual([404, 'pending_payment_not_found']);
    }
  });
});
