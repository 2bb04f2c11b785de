import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EposCapability } from '@pos/core/tables';
import { type OrderPlacement, submitOrder } from '@pos/core/orders';
import { gbp, NOON } from '@pos/core/testing';
import { putEposIntegration } from '@pos/store/repositories';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import { PlacementEposClient } from './placement-epos-client.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.close();
});

const details = { orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '42' } };
const submittedOrder = submitOrder(
  { id: 'so-1', intentId: 'pi_sandbox_x', order: { details, serviceOrderId: 'mine' }, total: gbp(650) },
  NOON,
);
const placement: OrderPlacement = { ...submittedOrder, gratuity: gbp(50), orderId: 'order-1' };
const FENCE = { kind: 'order-placement', subject: 'so-1', fence: 1 } as const;

/** An EPOS that says these things one after the other, and what it was asked. */
function createScriptedEpos(...answers: readonly DataOutcome[]) {
  const asked: DataCallRequest[] = [];
  const answerNext = (callRequest: DataCallRequest): Promise<DataOutcome> => {
    asked.push(callRequest);
    return Promise.resolve(answers[asked.length - 1] ?? { outcome: 'noAnswer', reason: 'it has said it all' });
  };
  return {
    asked,
    calls: new PlacementEposClient({ database: testDatabase.database, callData: answerNext, callLimitMs: 1_000 }),
  };
}

const buildAnswer = (json: unknown): DataOutcome => ({ outcome: 'answered', json, httpStatus: 200 });
const buildRefusal = (
  errorType: 'Conflict' | 'InvalidRequest' | 'NotFound' | 'UnexpectedError',
  debugMessage?: string,
) => ({ outcome: 'refused', error: { errorType, debugMessage }, httpStatus: 400 }) as DataOutcome;
const SILENT: DataOutcome = { outcome: 'noAnswer', reason: 'silence' };
const NOT_SENT_OUTCOME: DataOutcome = { outcome: 'notSent', cause: 'noConnection', reason: 'no way' };
const WRONG_CREDENTIALS: DataOutcome = { outcome: 'credentialsRefused', reason: '401' };

test('the order is placed under the id of the placement, with its payment and its tip', async () => {
  const { asked, calls } = createScriptedEpos(buildAnswer({ details, id: 'order-9' }));
  await calls.placeOrder(createTestScope(), placement, FENCE);
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
  ['the order with its id', buildAnswer({ details, id: 'order-9' }), 'Success order-9'],
  [
    'the order in a state of its own',
    buildAnswer({ details, id: 'order-9', status: 'Simmering' }),
    'Undecided order-9',
  ],
  ['that it has cancelled it', buildAnswer({ details, id: 'order-9', status: 'Canceled' }), 'Rejected'],
  ['that it has failed', buildAnswer({ details, status: 'Failed' }), 'Rejected'],
  ['an order without an id', buildAnswer({ details, status: 'New' }), 'NoAnswer'],
  ['an order whose id nobody can store', buildAnswer({ details, id: 'order\0' }), 'NoAnswer'],
  ['an order whose id has no end', buildAnswer({ details, id: 'x'.repeat(201) }), 'NoAnswer'],
  ['an order of which only its id is known', buildAnswer({ id: 'order-9', items: 7 }), 'Success order-9'],
  ['that it has cancelled it, as the British write', buildAnswer({ id: 'order-9', status: 'Cancelled' }), 'Rejected'],
  ['a refusing word', buildAnswer({ id: 'order-9', status: 'Declined' }), 'Undecided order-9'],
  ['a refusing word without an id', buildAnswer({ status: 'Declined' }), 'NoAnswer'],
  ['no order', buildAnswer([]), 'NoAnswer'],
  ['nothing', buildAnswer(null), 'NoAnswer'],
  ['Conflict', buildRefusal('Conflict'), 'Conflict'],
  ['InvalidRequest', buildRefusal('InvalidRequest'), 'InvalidRequest'],
  ['NotFound', buildRefusal('NotFound'), 'NotFound'],
  ['that it has failed itself', buildRefusal('UnexpectedError'), 'UnexpectedError'],
  ['no word', SILENT, 'NoAnswer'],
  ['that it wants other credentials', WRONG_CREDENTIALS, 'CredentialsRefused'],
])('when an order is placed, the EPOS answers %s', async (_says, said, then) => {
  const input = await createScriptedEpos(said).calls.placeOrder(createTestScope(), placement, FENCE);
  const { answer } = input as { readonly answer: { readonly outcome: string; readonly orderId?: string } };
  expect([answer.outcome, answer.orderId].filter((outcomeName) => outcomeName !== undefined).join(' ')).toBe(then);
});

test('a call that was not sent differs from one that was not answered', async () => {
  const input = await createScriptedEpos(NOT_SENT_OUTCOME).calls.placeOrder(createTestScope(), placement, FENCE);
  expect(input).toEqual({ kind: 'placeAnswered', answer: { outcome: 'NotSent' }, note: 'no way' });
});

test('texts of an EPOS are stored without the characters that cannot be stored', async () => {
  const input = await createScriptedEpos(buildRefusal('Conflict', `a\0b${'x'.repeat(5_000)}`)).calls.placeOrder(
    createTestScope(),
    placement,
    FENCE,
  );
  const { note } = input as { readonly note: string };
  expect(note).toHaveLength(1_000);
  expect(note).toMatch(/^Conflict: abx/);
});

const buildSearchAnswer = (...orders: readonly object[]) => buildAnswer({ data: orders });
const buildOwnOrder = (more: object) => {
  return { details, payments: [{ paymentIntentId: 'pi_sandbox_x', paidAmount: gbp(650) }], ...more };
};
const other = { details, id: 'order-8', payments: [{ paymentIntentId: 'pi_sandbox_y', paidAmount: gbp(650) }] };

test.each<[string, readonly DataOutcome[], string]>([
  ['our order', [buildSearchAnswer(other, buildOwnOrder({ id: 'order-9' }))], 'orderFound order-9'],
  [
    'our order on a later page',
    [buildAnswer({ data: [other], after: 'b' }), buildSearchAnswer(buildOwnOrder({ id: 'order-9' }))],
    'orderFound order-9',
  ],
  ['others', [buildSearchAnswer(other, { details, id: 'order-7' })], 'orderAbsent'],
  ['nothing', [buildSearchAnswer()], 'orderAbsent'],
  ['our order, cancelled', [buildSearchAnswer(buildOwnOrder({ id: 'order-9', status: 'Canceled' }))], 'orderOver'],
  ['our order, failed', [buildSearchAnswer(buildOwnOrder({ status: 'Failed' }))], 'orderOver'],
  [
    'our order twice, the second one cancelled',
    [buildSearchAnswer(buildOwnOrder({ id: 'order-9' }), buildOwnOrder({ id: 'order-10', status: 'Canceled' }))],
    'orderFound order-9',
  ],
  [
    'our order twice, the first one cancelled',
    [buildSearchAnswer(buildOwnOrder({ id: 'order-9', status: 'Canceled' }), buildOwnOrder({ id: 'order-10' }))],
    'orderFound order-10',
  ],
  ['our order without its id', [buildSearchAnswer(buildOwnOrder({}))], 'orderUnreadable'],
  ['our order under an id that nobody can store', [buildSearchAnswer(buildOwnOrder({ id: '\0' }))], 'orderUnreadable'],
  [
    'pages without an end',
    Array.from({ length: 30 }, (_, page) => buildAnswer({ data: [other], after: `${page}` })),
    'orderUnreadable',
  ],
  [
    'pages in a circle',
    Array.from({ length: 30 }, () => buildAnswer({ data: [other], after: 'a' })),
    'orderUnreadable',
  ],
  ['half of its pages', [buildAnswer({ data: [other], after: 'b' }), SILENT], 'orderUnreadable'],
  ['no list', [buildAnswer({})], 'orderUnreadable'],
  [
    'an order whose payments cannot be read beside ours',
    [buildSearchAnswer({ id: 'order-9', payments: 'some' }, buildOwnOrder({ id: 'order-8' }))],
    'orderFound order-8',
  ],
  [
    'an order whose payments cannot be read beside ours that is closed, for it may be ours',
    [buildSearchAnswer({ id: 'order-9', payments: 'some' }, buildOwnOrder({ id: 'order-8', status: 'Canceled' }))],
    'orderUnreadable',
  ],
  [
    'an order whose payments cannot be read, for it may be ours',
    [buildSearchAnswer({ id: 'order-9', payments: 'some' })],
    'orderUnreadable',
  ],
  ['ours with a word for its status', [buildSearchAnswer(buildOwnOrder({ status: 'Declined' }))], 'orderUnreadable'],
  [
    'ours with a word for its status and its id',
    [buildSearchAnswer(buildOwnOrder({ id: 'order-9', status: 'Declined' }))],
    'orderUndecided order-9',
  ],
  [
    'ours twice, closed and with a word for its status',
    [
      buildSearchAnswer(
        buildOwnOrder({ id: 'order-9', status: 'Canceled' }),
        buildOwnOrder({ id: 'order-10', status: 'Declined' }),
      ),
    ],
    'orderUndecided order-10',
  ],
  [
    'an order of a kind that there is none of beside ours',
    [buildSearchAnswer({ ...other, details: { orderType: 'TakeAway' } }, buildOwnOrder({ id: 'order-9' }))],
    'orderFound order-9',
  ],
  ['orders of a kind that there is none of', [buildSearchAnswer({ ...other, details: 'none' })], 'orderAbsent'],
  ['that it cannot', [buildRefusal('InvalidRequest')], 'orderUnreadable'],
  ['no word', [SILENT], 'orderUnreadable'],
  ['no word, for nothing could be sent', [NOT_SENT_OUTCOME], 'orderUnreadable'],
])('when an order is searched for, the EPOS lists %s', async (_says, answers, then) => {
  const { asked, calls } = createScriptedEpos(...answers);
  const input = await calls.findOrder(createTestScope(), { ...placement, orderId: null });
  expect('orderId' in input ? `${input.kind} ${input.orderId}` : input.kind).toBe(then);
  expect(asked[0]).toMatchObject({ name: 'SearchOrders', fence: null, params: { payableOnly: false } });
});

const buildKnownOrder = (more: object) => buildAnswer({ details, id: 'order-1', ...more });

test.each<[string, readonly DataOutcome[], string]>([
  ['it as new', [buildKnownOrder({ status: 'New' })], 'orderFound order-1'],
  ['it with a number for its id', [buildAnswer({ id: 1, status: 'New' }), buildSearchAnswer()], 'orderUnreadable'],
  ['it with a word for its status', [buildKnownOrder({ status: 'Declined' })], 'orderUndecided order-1'],
  ['it as closed, and lists nothing', [buildKnownOrder({ status: 'Canceled' }), buildSearchAnswer()], 'orderOver'],
  [
    'it as closed, and lists another order of ours',
    [buildKnownOrder({ status: 'Canceled' }), buildSearchAnswer(buildOwnOrder({ id: 'order-2' }))],
    'orderFound order-2',
  ],
  ['it as closed, and no list', [buildKnownOrder({ status: 'Canceled' }), SILENT], 'orderUnreadable'],
  ['that there is no such order', [buildRefusal('NotFound'), buildSearchAnswer()], 'orderAbsent'],
  ['another order', [buildAnswer({ details, id: 'order-7', status: 'New' }), buildSearchAnswer()], 'orderUnreadable'],
  ['an order without an id', [buildAnswer({ details, status: 'New' }), buildSearchAnswer()], 'orderUnreadable'],
  ['an empty object', [buildAnswer({}), buildSearchAnswer()], 'orderUnreadable'],
  ['no word', [SILENT, buildSearchAnswer()], 'orderUnreadable'],
  [
    'no word, and lists another order of ours as closed',
    [SILENT, buildSearchAnswer(buildOwnOrder({ id: 'order-2', status: 'Canceled' }))],
    'orderUnreadable',
  ],
  [
    'no word, and lists another order of ours as open',
    [SILENT, buildSearchAnswer(buildOwnOrder({ id: 'order-2' }))],
    'orderFound order-2',
  ],
])('when an order is read by its id, the EPOS answers %s', async (_says, answers, then) => {
  const { asked, calls } = createScriptedEpos(...answers);
  const input = await calls.findOrder(createTestScope(), { ...placement, placeCalls: 2 });
  expect('orderId' in input ? `${input.kind} ${input.orderId}` : input.kind).toBe(then);
  expect(asked[0]).toMatchObject({ name: 'GetOrderById', fence: null, params: { orderId: 'order-1' } });
});

test('an order that was requested once and is closed is not searched for', async () => {
  const { asked, calls } = createScriptedEpos(buildKnownOrder({ status: 'Canceled' }));
  expect((await calls.findOrder(createTestScope(), { ...placement, placeCalls: 1 })).kind).toBe('orderOver');
  expect(asked).toHaveLength(1);
});

async function createRegisteredAccount(...capabilities: readonly EposCapability[]) {
  const scope = createTestScope();
  const capabilityRows = capabilities.map((name) => ({ name, version: 'v1' }) as const);
  const rest = { kind: 'rest', url: 'http://127.0.0.1:1', username: 'epos', password: 'secret' } as const;
  await testDatabase.database.transact(scope, (tx) =>
    putEposIntegration(tx, { ...rest, capabilities: capabilityRows }),
  );
  return scope;
}

test.each<[string, DataOutcome, string]>([
  ['that it is cancelled', buildAnswer({ details, id: 'order-1', status: 'Canceled' }), 'orderCancelled'],
  ['that it was not cancelled', buildAnswer({ details, id: 'order-1', status: 'Preparing' }), 'cancelRefused'],
  ['nothing that can be read', buildAnswer(null), 'cancelUnanswered'],
  ['that there is no such order', buildRefusal('NotFound'), 'orderCancelled'],
  ['no', buildRefusal('Conflict'), 'cancelRefused'],
  ['that it has failed itself', buildRefusal('UnexpectedError'), 'cancelUnanswered'],
  ['no word', SILENT, 'cancelUnanswered'],
  ['no word, for nothing could be sent', NOT_SENT_OUTCOME, 'cancelUnanswered'],
  ['that it wants other credentials', WRONG_CREDENTIALS, 'cancelUnanswered'],
])('when an order is cancelled, the EPOS answers %s', async (_says, said, then) => {
  const { asked, calls } = createScriptedEpos(said);
  expect((await calls.cancelOrder(await createRegisteredAccount('CancelOrderById'), placement)).kind).toBe(then);
  expect(asked).toMatchObject([{ name: 'CancelOrderById', params: { orderId: 'order-1' } }]);
});

test('no cancellation is sent to an EPOS that has not registered it', async () => {
  const { asked, calls } = createScriptedEpos(buildAnswer(null));
  expect((await calls.cancelOrder(await createRegisteredAccount('CreateOrder'), placement)).kind).toBe('cancelRefused');
  expect(asked).toEqual([]);
});
