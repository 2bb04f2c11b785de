import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PLACEMENT_STATES } from '@pos/core/order-placement';
import { ROLES } from '@pos/core/permissions';
import * as rest from '@pos/rest-contracts/order-placements';
import { listPendingPayments, listTableOperatorCalls } from '@pos/rest-contracts/pay-at-table';
import { ApiWorld, jsonOf, problemOf } from '../testing.js';
import { held, heldPlacement, ORDER, ORDERS, pounds, registerEpos, submitted, unpaid } from './testing.js';
import { REFUSED_ORDERS } from './testing-rows.js';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
  await registerEpos(world);
});
afterAll(() => world.close());

const pending = (key = world.keys.full) => world.client(key)(listPendingPayments, {});
const get = (placementId: string) => world.client()(rest.getOrderPlacement, { params: { placementId } });

/** What is due for a gateway of a placement. */
async function timersOf(id: string): Promise<readonly string[]> {
  const sql = 'select kind from timers where subject = $1 and due_at <= clock_timestamp() order by kind';
  return (await world.look<{ kind: string }>(sql, [id])).map(({ kind }) => kind);
}

async function rowsOf(intentId: string): Promise<number> {
  return (await world.look('select id from order_placements where intent_id = $1', [intentId])).length;
}

describe('an order is refused by the member that is wrong', () => {
  test.each(REFUSED_ORDERS)('%s', async (_, body, member) => {
    const answer = await world.send('POST', ORDERS, { body });
    expect([answer.status, await world.refusalOf(answer)]).toEqual([400, 'validation_failed']);
    expect(Object.keys(problemOf(answer).errors)).toContain(member);
    expect(answer.text).not.toMatch(/4456 ?5300/);
  });
});

describe('an order that is submitted', () => {
  test('before its guest has paid waits for him, and is read back', async () => {
    const paymentIntentId = await unpaid(world, { tipsAmount: pounds(150) });
    const made = await submitted(world, paymentIntentId);
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ...{ paymentIntentId, status: 'Waiting', totalAmount: pounds(2000), tipsAmount: pounds(0), orderMayStand: false },
      createdAt: expect.any(String),
      updatedAt: made.createdAt,
    });
    expect(await get(made.id)).toEqual(made);
    expect(jsonOf(await world.send('GET', `/payment-intents/${paymentIntentId}`))).toMatchObject({
      ...{ status: 'Created', orderDetails: { id: made.id } },
    });
    expect(await timersOf(made.id)).toEqual([]);
  });

  test.each([
    [
      'once he has paid',
      async () => {
        const placement = await submitted(world);
        await world.bring(placement.paymentIntentId, 'Authorized');
        return placement;
      },
    ],
    ['at once, if he had paid already', async () => submitted(world, await held(world))],
    [
      'once the intent is cancelled, because nobody will pay',
      async () => {
        const placement = await submitted(world);
        await world.bring(placement.paymentIntentId, 'Canceled');
        return placement;
      },
    ],
  ])('is due for a gateway %s', async (_, submit) => {
    const { id } = await submit();
    expect(await timersOf(id)).toEqual(['order-placement']);
  });

  test('costs what the payment is about with its service charge, and the tip is apart', async () => {
    const more = { amount: pounds(1800), serviceChargeAmount: pounds(200), tipsAmount: pounds(150) };
    const paymentIntentId = await unpaid(world, more);
    const order = { ...ORDER, serviceChargeAmount: pounds(200) };
    const made = await world.client()(rest.submitOrder, { body: { paymentIntentId, order } });
    expect(made.totalAmount).toEqual(pounds(2000));
  });

  test('is kept as it was sent, in the documented spelling and without what nobody knows of', async () => {
    const spicy = { name: 'Spicy', quantity: 1, plu: '9' };
    const bread = { name: 'Bread', quantity: 2, plu: '2', amountPerItem: pounds(0) };
    const [soup] = ORDER.items;
    const rest = {
      details: { orderType: 'Collection', collection: { asap: false, collectAt: '2026-03-01T13:00:00+01:00' } },
      discounts: [{ name: 'Lunch', amountTotal: pounds(-100), amountPercentage: 500, affectedPlu: [] }],
      taxLines: [{ amountTotal: pounds(333), id: 'vat', name: 'VAT', amountPercentage: 2000 }],
      customer: { id: 'c-1', emailAddress: 'ada@corner.example', phoneNumber: '+44 20 7946 0000', name: 'Ada' },
      ...{ totalAmount: pounds(2000), note: 'at the window', reference: 'web-17', displayName: 'Ada' },
    };
    const order = (modifier: object, more: object) => ({
      ...rest,
      items: [{ ...soup, note: 'hot', modifiers: [{ ...spicy, ...modifier }], subItems: [{ ...bread, ...more }] }],
    });
    const sent = order({ amountPerModifier: { value: '10', currencyCode: 'gbp' } }, { colour: 'brown' });
    const body = { PaymentIntentId: await unpaid(world), order: { ...sent, serviceOrderId: 'mine', payments: [] } };
    const answer = await world.send('POST', ORDERS, { body });
    expect(answer.status).toBe(200);
    const sql = 'select placed_order from order_placements where id = $1';
    const [row] = await world.look<{ placed_order: unknown }>(sql, [jsonOf(answer)['id']]);
    expect(row?.placed_order).toEqual(order({ amountPerItem: pounds(10) }, {}));
  });

  test('is the same one at a repeat under the same key', async () => {
    const paymentIntentId = await unpaid(world);
    const sent = { body: { paymentIntentId, order: ORDER }, headers: { idempotencyKey: randomUUID() } };
    const [first, second] = [await world.send('POST', ORDERS, sent), await world.send('POST', ORDERS, sent)];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect(await rowsOf(paymentIntentId)).toBe(1);
  });

  test('is one, however many ask at once', async () => {
    const paymentIntentId = await unpaid(world);
    const asked = Array.from({ length: 5 }, () =>
      world.send('POST', ORDERS, { body: { paymentIntentId, order: ORDER } }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    expect(await rowsOf(paymentIntentId)).toBe(1);
  });

  test('that was refused may be submitted anew once it is right', async () => {
    const paymentIntentId = await unpaid(world);
    const submit = (order: object) => world.send('POST', ORDERS, { body: { paymentIntentId, order } });
    expect((await submit({ ...ORDER, totalAmount: pounds(1) })).status).toBe(400);
    expect((await submit(ORDER)).status).toBe(200);
  });

  test('is read by a key that may only read, which submits none', async () => {
    const placement = await submitted(world);
    const key = await world.addKey(world.sandbox, undefined, ROLES['read-only']);
    expect(await world.client(key)(rest.getOrderPlacement, { params: { placementId: placement.id } })).toEqual(
      placement,
    );
    const body = { paymentIntentId: await unpaid(world), order: ORDER };
    const refused = await world.send('POST', ORDERS, { key, body });
    expect([refused.status, await world.refusalOf(refused)]).toEqual([403, 'permission_missing']);
  });
});

test.each(PLACEMENT_STATES)('a placement that is %s is read so, with all that is known of it', async (state) => {
  const made = await submitted(world);
  const known = `gratuity_amount = 150, order_id = '118', may_order_stand = true, last_error = 'Conflict'`;
  await world.look(`update order_placements set state = $2, ${known} where id = $1 returning id`, [made.id, state]);
  const more = { tipsAmount: pounds(150), orderId: '118', orderMayStand: true, lastError: 'Conflict' };
  expect(await get(made.id)).toEqual({ ...made, ...more, status: state });
});

describe('on the list of what is pending', () => {
  const listed = async (id: string) => (await pending()).filter(({ paymentId }) => paymentId === id);
  const resolve = (id: string, action: string) =>
    world.send('POST', `/pay-at-table/pending/${id}/resolve`, { body: { action, note: 'rang the restaurant' } });

  test('stands an order from when its money is held to its end', async () => {
    const { id, intentId: paymentIntentId } = await heldPlacement(world);
    expect(await listed(id)).toEqual([
      {
        ...{ paymentId: id, paymentIntentId, currency: 'GBP', state: 'Held', attempts: 0, alarm: false },
        ...{ baseAmount: 2000, gratuityAmount: 0, cashbackAmount: 0, since: expect.any(String) },
      },
    ]);
  });

  test.each(PLACEMENT_STATES)('an order that is %s stands there if somebody may have to look', async (state) => {
    const { id } = await submitted(world);
    await world.look('update order_placements set state = $2 where id = $1 returning id', [id, state]);
    const isPending = !['Waiting', 'Completed', 'GivenBack', 'Ended'].includes(state);
    expect(await listed(id)).toHaveLength(isPending ? 1 : 0);
  });

  test('it is alarming after a minute, and says what is known of it', async () => {
    const { id } = await heldPlacement(world);
    const known = `order_id = '118', place_calls = 2, last_error = 'no answer', since = since - interval '1 minute'`;
    await world.look(`update order_placements set ${known} where id = $1 returning id`, [id]);
    expect(await listed(id)).toMatchObject([{ orderId: '118', attempts: 2, lastError: 'no answer', alarm: true }]);
  });

  test.each([
    ['MarkRecorded', 'Placed'],
    ['GiveBack', 'GivingBack'],
    ['RetryNow', 'Held'],
  ] as const)('it is decided by %s: it is %s, and a gateway goes on at once', async (action, state) => {
    const { id } = await heldPlacement(world);
    const later = `due_at = clock_timestamp() + interval '1 hour'`;
    await world.look(`update timers set ${later} where subject = $1 returning subject`, [id]);
    expect(await timersOf(id)).toEqual([]);
    expect(jsonOf(await resolve(id, action))).toMatchObject({ paymentId: id, state });
    expect(await timersOf(id)).toEqual(['order-placement']);
    const { data } = await world.client()(listTableOperatorCalls, { query: { limit: 1 } });
    const decided = { subject: id, action, note: 'rang the restaurant', outcome: 'Done' };
    expect(data).toMatchObject([{ ...decided, stateBefore: 'Held', stateAfter: state }]);
  });

  test.each(['Waiting', 'Completed', 'GivenBack', 'Ended'] as const)('one that is %s is not decided', async (state) => {
    const { id } = await submitted(world);
    await world.look('update order_placements set state = $2 where id = $1 returning id', [id, state]);
    for (const action of ['MarkRecorded', 'GiveBack', 'RetryNow']) {
      const answer = await resolve(id, action);
      expect([answer.status, await world.refusalOf(answer)]).toEqual([409, 'pending_payment_not_decidable']);
    }
    expect(await get(id)).toMatchObject({ status: state });
  });

  test('it is there for its own account only', async () => {
    const { id } = await heldPlacement(world);
    for (const key of [world.keys.foreign, world.keys.production]) {
      expect(await pending(key)).toEqual([]);
      const body = { action: 'GiveBack', note: 'mine' };
      const answer = await world.send('POST', `/pay-at-table/pending/${id}/resolve`, { key, body });
      expect([answer.status, await world.refusalOf(answer)]).toEqual([404, 'pending_payment_not_found']);
    }
  });
});
