import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EposCapability } from '@pos/core/epos-capability';
import { type OrderPlacement, submitOrder } from '@pos/core/order-placement';
import { gbp, NOON } from '@pos/core/testing';
import { putEposIntegration } from '@pos/store/epos-integrations';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import type { DataOutcome, DataWish } from '../epos/tables-call.js';
import { PlacementCalls } from './placement-calls.js';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(async () => {
  await store.close();
});

const details = { orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '42' } };
const submitted = submitOrder(
  { id: 'so-1', intentId: 'pi_sandbox_x', order: { details, serviceOrderId: 'mine' }, total: gbp(650) },
  NOON,
);
const placement: OrderPlacement = { ...submitted, gratuity: gbp(50), orderId: 'order-1' };
const FENCE = { kind: 'order-placement', subject: 'so-1', fence: 1 } as const;

/** An EPOS that says these things one after the other, and what it was asked. */
function epos(...answers: readonly DataOutcome[]) {
  const asked: DataWish[] = [];
  const ask = (wish: DataWish): Promise<DataOutcome> => {
    asked.push(wish);
    return Promise.resolve(answers[asked.length - 1] ?? { outcome: 'noAnswer', reason: 'it has said it all' });
  };
  return { asked, calls: new PlacementCalls({ database: store.database, ask, callLimitMs: 1_000 }) };
}

const says = (json: unknown): DataOutcome => ({ outcome: 'answered', json, httpStatus: 200 });
const refuses = (errorType: 'Conflict' | 'InvalidRequest' | 'NotFound' | 'UnexpectedError', debugMessage?: string) =>
  ({ outcome: 'refused', error: { errorType, debugMessage }, httpStatus: 400 }) as DataOutcome;
const SILENT: DataOutcome = { outcome: 'noAnswer', reason: 'silence' };
const UNSENT: DataOutcome = { outcome: 'notSent', why: 'noConnection', reason: 'no way' };
const WRONG: DataOutcome = { outcome: 'credentialsRefused', reason: '401' };

test('the EPOS is asked for the order under the placement’s own id, with its payment and its tip', async () => {
  const { asked, calls } = epos(says({ details, id: 'order-9' }));
  await calls.place(createTestScope(), placement, FENCE);
  expect(asked).toMatchObject([
    {
      name: 'CreateOrder',
      fence: FENCE,
      headers: { serviceRequestingProduct: 'OrderAndPay', deviceType: 'ConsumerDevice', waiterId: '42' },
      params: {
        serviceOrderId: 'so-1',
        payments: [{ paymentIntentId: 'pi_sandbox_x', paidAmount: gbp(650), tipsAmount: gbp(50) }],
      },
    },
  ]);
});

test.each<[string, DataOutcome, string]>([
  ['the order with its id', says({ details, id: 'order-9' }), 'Success order-9'],
  ['the order in a state of its own', says({ details, id: 'order-9', status: 'Simmering' }), 'Success order-9'],
  ['that it has cancelled it', says({ details, id: 'order-9', status: 'Canceled' }), 'Rejected'],
  ['that it has failed', says({ details, status: 'Failed' }), 'Rejected'],
  ['an order without an id', says({ details, status: 'New' }), 'NoAnswer'],
  ['an order whose id nobody can store', says({ details, id: 'order\0' }), 'NoAnswer'],
  ['an order whose id has no end', says({ details, id: 'x'.repeat(201) }), 'NoAnswer'],
  ['an order without what it is', says({ id: 'order-9' }), 'NoAnswer'],
  ['no order', says([]), 'NoAnswer'],
  ['nothing', says(null), 'NoAnswer'],
  ['Conflict', refuses('Conflict'), 'Conflict'],
  ['InvalidRequest', refuses('InvalidRequest'), 'InvalidRequest'],
  ['NotFound', refuses('NotFound'), 'NotFound'],
  ['that it has failed itself', refuses('UnexpectedError'), 'UnexpectedError'],
  ['no word', SILENT, 'NoAnswer'],
  ['that it wants other credentials', WRONG, 'CredentialsRefused'],
])('asked for an order the EPOS says %s', async (_says, said, then) => {
  const heard = await epos(said).calls.place(createTestScope(), placement, FENCE);
  const { answer } = heard as { readonly answer: { readonly outcome: string; readonly orderId?: string } };
  expect([answer.outcome, answer.orderId].filter((word) => word !== undefined).join(' ')).toBe(then);
});

test('what could not be sent is told apart from what was not answered', async () => {
  const heard = await epos(UNSENT).calls.place(createTestScope(), placement, FENCE);
  expect(heard).toEqual({ kind: 'placeAnswered', answer: { outcome: 'NotSent' }, note: 'no way' });
});

test('the words of an EPOS are kept as far as they can be stored', async () => {
  const heard = await epos(refuses('Conflict', `a\0b${'x'.repeat(5_000)}`)).calls.place(
    createTestScope(),
    placement,
    FENCE,
  );
  const { note } = heard as { readonly note: string };
  expect(note).toHaveLength(1_000);
  expect(note).toMatch(/^Conflict: abx/);
});

const listed = (...orders: readonly object[]) => says({ data: orders });
const ours = (more: object) => {
  return { details, payments: [{ paymentIntentId: 'pi_sandbox_x', paidAmount: gbp(650) }], ...more };
};
const other = { details, id: 'order-8', payments: [{ paymentIntentId: 'pi_sandbox_y', paidAmount: gbp(650) }] };

test.each<[string, readonly DataOutcome[], string]>([
  ['our order', [listed(other, ours({ id: 'order-9' }))], 'orderFound order-9'],
  [
    'our order on a later page',
    [says({ data: [other], after: 'b' }), listed(ours({ id: 'order-9' }))],
    'orderFound order-9',
  ],
  ['others', [listed(other, { details, id: 'order-7' })], 'orderAbsent'],
  ['nothing', [listed()], 'orderAbsent'],
  ['our order, cancelled', [listed(ours({ id: 'order-9', status: 'Canceled' }))], 'orderOver'],
  ['our order, failed', [listed(ours({ status: 'Failed' }))], 'orderOver'],
  [
    'our order twice, the second one cancelled',
    [listed(ours({ id: 'order-9' }), ours({ id: 'order-10', status: 'Canceled' }))],
    'orderFound order-9',
  ],
  [
    'our order twice, the first one cancelled',
    [listed(ours({ id: 'order-9', status: 'Canceled' }), ours({ id: 'order-10' }))],
    'orderFound order-10',
  ],
  ['our order without its id', [listed(ours({}))], 'orderUnreadable'],
  ['our order under an id that nobody can store', [listed(ours({ id: '\0' }))], 'orderUnreadable'],
  [
    'pages without an end',
    Array.from({ length: 30 }, (_, page) => says({ data: [other], after: `${page}` })),
    'orderUnreadable',
  ],
  ['pages in a circle', Array.from({ length: 30 }, () => says({ data: [other], after: 'a' })), 'orderUnreadable'],
  ['half of its pages', [says({ data: [other], after: 'b' }), SILENT], 'orderUnreadable'],
  ['no list', [says({})], 'orderUnreadable'],
  [
    'an order whose payments cannot be read, for it may be ours',
    [listed({ id: 'order-9', payments: 'some' }, ours({ id: 'order-8' }))],
    'orderUnreadable',
  ],
  [
    'an order of a kind that there is none of beside ours',
    [listed({ ...other, details: { orderType: 'TakeAway' } }, ours({ id: 'order-9' }))],
    'orderFound order-9',
  ],
  ['orders of a kind that there is none of', [listed({ ...other, details: 'none' })], 'orderAbsent'],
  ['that it cannot', [refuses('InvalidRequest')], 'orderUnreadable'],
  ['no word', [SILENT], 'orderUnreadable'],
  ['no word, for nothing could be sent', [UNSENT], 'orderUnreadable'],
])('searched for an order the EPOS lists %s', async (_says, answers, then) => {
  const { asked, calls } = epos(...answers);
  const heard = await calls.look(createTestScope(), placement);
  expect('orderId' in heard ? `${heard.kind} ${heard.orderId}` : heard.kind).toBe(then);
  expect(asked[0]).toMatchObject({ name: 'SearchOrders', fence: null, params: { payableOnly: false } });
});

async function registered(...capabilities: readonly EposCapability[]) {
  const scope = createTestScope();
  const named = capabilities.map((name) => ({ name, version: 'v1' }) as const);
  const rest = { kind: 'rest', url: 'http://127.0.0.1:1', username: 'epos', password: 'secret' } as const;
  await store.database.transact(scope, (tx) => putEposIntegration(tx, { ...rest, capabilities: named }));
  return scope;
}

test.each<[string, DataOutcome, string]>([
  ['that it is cancelled', says({ details, id: 'order-1', status: 'Canceled' }), 'orderCancelled'],
  ['that it stands', says({ details, id: 'order-1', status: 'Preparing' }), 'cancelRefused'],
  ['nothing that can be read', says(null), 'cancelUnanswered'],
  ['that there is no such order', refuses('NotFound'), 'orderCancelled'],
  ['no', refuses('Conflict'), 'cancelRefused'],
  ['that it has failed itself', refuses('UnexpectedError'), 'cancelUnanswered'],
  ['no word', SILENT, 'cancelUnanswered'],
  ['no word, for nothing could be sent', UNSENT, 'cancelUnanswered'],
  ['that it wants other credentials', WRONG, 'cancelUnanswered'],
])('told to cancel an order the EPOS says %s', async (_says, said, then) => {
  const { asked, calls } = epos(said);
  expect((await calls.cancel(await registered('CancelOrderById'), placement)).kind).toBe(then);
  expect(asked).toMatchObject([{ name: 'CancelOrderById', params: { orderId: 'order-1' } }]);
});

test('an EPOS that has not registered how orders are cancelled is not told to', async () => {
  const { asked, calls } = epos(says(null));
  expect((await calls.cancel(await registered('CreateOrder'), placement)).kind).toBe('cancelRefused');
  expect(asked).toEqual([]);
});
