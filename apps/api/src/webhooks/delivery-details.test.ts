import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SUBSCRIBABLE_EVENT_KINDS } from '@pos/core/events';
import { toSecret } from '@pos/service-kit/config';
import { verifyDeliveryLinkToken } from '@pos/service-kit/portal';
import { createDeliveryLink, DELIVERY_PAGE_PATH, WebhookEvent } from '@pos/rest-contracts/webhooks';
import * as rest from '@pos/rest-contracts/webhooks';
import { type AttemptRecord, LaneQueue } from '@pos/store/queues';
import { PORTAL_KEY } from '../testing/api-settings.js';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';
import { createSubscriber, type Subscriber } from '../testing/webhook-requests.js';

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

type Result = Omit<AttemptRecord, 'number' | 'timing'>;
const FAILED: Result = { isDelivered: false, status: 503, error: 'answered 503', retryInMs: 0, answer: 'down' };
const GIVEN_UP: Result = { ...FAILED, status: null, error: 'The receiver did not answer in time.', retryInMs: null };
const DELIVERED: Result = { isDelivered: true, status: 204, error: null, retryInMs: null };

/** Makes one attempt of everything that is due, with this result, and logs it as a worker does. */
async function attemptAll({ scope }: Subscriber, result: Result): Promise<void> {
  const queue = new LaneQueue(testEnvironment.testDatabase.database, 'live', true);
  const lanes = await queue.claim(scope, { lanes: 100, deliveriesPerLane: 1, leaseMs: 60_000 });
  for (const lane of lanes) {
    const timing = { startedAtMs: performance.now(), tookMs: 12 };
    await queue.complete(
      lane,
      lane.deliveries.map(({ number }) => ({ number, ...result, timing })),
    );
  }
}

async function createDelivery(subscriber: Subscriber): Promise<{ readonly intentId: string; readonly id: string }> {
  const { id: intentId } = await testEnvironment.createIntent({}, subscriber.key);
  const client = testEnvironment.createClient(subscriber.key);
  const params = { subscriptionId: subscriber.id };
  const { data } = await client(rest.listDeliveries, { params, query: { limit: 1 } });
  return { intentId, id: data[0]!.id };
}

const read = (subscriber: Subscriber, deliveryId: string) =>
  testEnvironment.createClient(subscriber.key)(rest.readDelivery, {
    params: { subscriptionId: subscriber.id, deliveryId },
  });

test('a delivery has the body that is sent, and no attempt before the first', async () => {
  const subscriber = await createSubscriber(testEnvironment);
  const { id, intentId } = await createDelivery(subscriber);
  const delivery = await read(subscriber, id);
  expect(delivery).toMatchObject({ id, state: 'Pending', attempts: 0, history: [] });
  expect(delivery.body).toEqual({
    ...{ id: delivery.eventId, event: 'payment_intent.created', accountId: subscriber.scope.accountId },
    createdAt: delivery.createdAt,
    data: { paymentIntentId: intentId, paymentStatus: 'Created', captureMode: 'Auto' },
  });
});

test('its attempts are listed newest first, with the answer of the receiver, also those before a replay', async () => {
  const subscriber = await createSubscriber(testEnvironment);
  const { id } = await createDelivery(subscriber);
  await attemptAll(subscriber, FAILED);
  await attemptAll(subscriber, GIVEN_UP);
  const params = { subscriptionId: subscriber.id, deliveryId: id };
  await testEnvironment.createClient(subscriber.key)(rest.replayDelivery, { params });
  const queue = new LaneQueue(testEnvironment.testDatabase.database, 'replays', true);
  const [lane] = await queue.claim(subscriber.scope, { lanes: 1, deliveriesPerLane: 1, leaseMs: 60_000 });
  const timing = { startedAtMs: performance.now(), tookMs: 3 };
  await queue.complete(lane!, [{ number: lane!.deliveries[0]!.number, ...DELIVERED, timing }]);
  const { history, state, attempts } = await read(subscriber, id);
  expect({ state, attempts }).toEqual({ state: 'Delivered', attempts: 1 });
  expect(history.map(({ at: _at, traceId: _traceId, ...rest }) => rest)).toEqual([
    { number: 1, outcome: 'Succeeded', status: 204, tookMs: 3 },
    { number: 2, outcome: 'Failed', error: 'The receiver did not answer in time.', tookMs: 12, answer: 'down' },
    { number: 1, outcome: 'Failed', status: 503, error: 'answered 503', tookMs: 12, answer: 'down' },
  ]);
});

test('the attempts of another delivery about the same payment are not in it', async () => {
  const events = ['payment_intent.created', 'payment_intent.status_updated'];
  const subscriber = await createSubscriber(testEnvironment, events);
  const { id, intentId } = await createDelivery(subscriber);
  await testEnvironment.sendRequest('DELETE', `/payment-intents/${intentId}`, { key: subscriber.key });
  await attemptAll(subscriber, DELIVERED);
  await attemptAll(subscriber, FAILED);
  expect((await read(subscriber, id)).history).toHaveLength(1);
});

test.each(SUBSCRIBABLE_EVENT_KINDS)('a test event %s has the shape of its kind and is delivered', async (event) => {
  const subscriber = await createSubscriber(testEnvironment, [event]);
  const client = testEnvironment.createClient(subscriber.key);
  const params = { subscriptionId: subscriber.id };
  const sent = await client(rest.sendTestEvent, { params, body: { event } });
  expect(sent).toMatchObject({ event, state: 'Pending', attempts: 0 });
  const { body } = await read(subscriber, sent.id);
  expect(WebhookEvent.parse(body)).toEqual(body);
  expect(body).toMatchObject({ event, accountId: subscriber.scope.accountId });
  await attemptAll(subscriber, DELIVERED);
  expect((await read(subscriber, sent.id)).state).toBe('Delivered');
});

test('a test event is held while its subscription is paused', async () => {
  const subscriber = await createSubscriber(testEnvironment);
  await testEnvironment.sendRequest('PATCH', subscriber.path, { key: subscriber.key, body: { paused: true } });
  const client = testEnvironment.createClient(subscriber.key);
  const body = { event: 'payment_intent.created' } as const;
  const sent = await client(rest.sendTestEvent, { params: { subscriptionId: subscriber.id }, body });
  expect(sent.state).toBe('Held');
});

test('a link names its account, subscription and payment, who may embed it, and its end', async () => {
  const subscriber = await createSubscriber(testEnvironment);
  const { intentId: paymentIntentId } = await createDelivery(subscriber);
  const body = { paymentIntentId, frameAncestors: ['https://shop.example', 'http://localhost:5173'] };
  const client = testEnvironment.createClient(subscriber.key);
  const { path, expiresAt } = await client(createDeliveryLink, { params: { subscriptionId: subscriber.id }, body });
  const token = path.slice(DELIVERY_PAGE_PATH.length + 1);
  expect(path.startsWith(`${DELIVERY_PAGE_PATH}/`)).toBe(true);
  expect(verifyDeliveryLinkToken(token, toSecret(PORTAL_KEY))).toEqual({
    ...{ scope: subscriber.scope, subscriptionId: subscriber.id, paymentIntentId },
    ...{ frameAncestors: body.frameAncestors, expiresAtMs: Date.parse(expiresAt) },
  });
  expect(verifyDeliveryLinkToken(token, toSecret(`${PORTAL_KEY}.`))).toBeNull();
});
