import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { disableAccount } from '@pos/administration/accounts';
import { createSubscription, unsubscribe } from '@pos/payments/webhooks';
import { DELIVERY_PAGE_PATH } from '@pos/rest-contracts/webhooks';
import { toSecret } from '@pos/service-kit/config';
import { type DeliveryLinkSubject, formatDeliveryLinkToken } from '@pos/service-kit/portal';
import { LaneQueue } from '@pos/store/queues';
import { PORTAL_KEY, PortalTestEnvironment, readBody } from '../testing/portal-test-environment.js';

const EVIL_URL = 'https://shop.example/hooks?<script>alert(1)</script>';
const RECEIVER = { events: ['payment_intent.created'], url: EVIL_URL, description: null } as const;

let environment: PortalTestEnvironment;
let subscriptionId: string;
let otherSubscriptionId: string;
let intentIds: readonly string[];
let cookie: string;

const createReceiver = async (scope: Scope): Promise<string> =>
  (await environment.testDatabase.database.transact(scope, (tx) => createSubscription(tx, RECEIVER))).id;

async function createIntent(): Promise<string> {
  const body = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4' };
  return readBody<{ id: string }>(
    (await environment.send('POST', '/portal/api/payment-intents', { cookie, body })).text,
  ).id;
}

beforeAll(async () => {
  environment = await PortalTestEnvironment.open();
  subscriptionId = await createReceiver(environment.own);
  otherSubscriptionId = await createReceiver(environment.other);
  cookie = await environment.signInAs('developer');
  intentIds = [await createIntent(), await createIntent()];
  const queue = new LaneQueue(environment.testDatabase.database, 'live', true);
  const lanes = await queue.claim(environment.own, { lanes: 10, deliveriesPerLane: 10, leaseMs: 60_000 });
  const timing = { startedAtMs: performance.now(), tookMs: 7 };
  const failure = { isDelivered: false, status: 503, error: 'answered 503', retryInMs: 10_000, timing };
  for (const lane of lanes) {
    const attempts = lane.deliveries.map(({ number }) => ({ number, ...failure }));
    await queue.complete(lane, attempts);
  }
});
afterAll(() => environment.close());

const HOUR_MS = 3_600_000;
const createToken = (more: Partial<DeliveryLinkSubject> = {}, key = PORTAL_KEY): string =>
  formatDeliveryLinkToken(
    {
      ...{ scope: environment.own, subscriptionId, paymentIntentId: null, frameAncestors: [] },
      ...{ expiresAtMs: Date.now() + HOUR_MS, ...more },
    },
    toSecret(key),
  );
/** Without a cookie, from any page. */
const open = (token: string, headers: Record<string, string> = {}) =>
  environment.send('GET', `${DELIVERY_PAGE_PATH}/${token}`, {
    headers: { 'sec-fetch-site': 'cross-site', ...headers },
  });

test('a developer creates a link, and everybody who has it sees the deliveries and their attempts', async () => {
  const body = { frameAncestors: ['https://shop.example', 'https://admin.shop.example:8443'] };
  const path = `/portal/api/webhooks/${subscriptionId}/delivery-links`;
  const created = readBody<{ path: string }>((await environment.send('POST', path, { cookie, body })).text);
  const { status, text, headers } = await open(created.path.slice(DELIVERY_PAGE_PATH.length + 1));
  expect(status).toBe(200);
  expect(text.match(/<code>payment_intent.created<\/code>/g)).toHaveLength(2);
  expect(text.match(/Attempt 1: .* · 503 · 7 ms/g)).not.toBeNull();
  expect(text).toContain('The Corner Table');
  const policy = String(headers['content-security-policy']).split('; ');
  expect(policy).toContain('frame-ancestors https://shop.example https://admin.shop.example:8443');
  expect(policy).toContain("default-src 'none'");
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  expect(headers['x-frame-options']).toBeUndefined();
});

test('a link without origins is embedded nowhere', async () => {
  expect(String((await open(createToken())).headers['content-security-policy'])).toContain("frame-ancestors 'none'");
});

test('a link for one payment shows its deliveries only', async () => {
  const [paymentIntentId = ''] = intentIds;
  const { text } = await open(createToken({ paymentIntentId }));
  expect(text.match(/<code>payment_intent.created<\/code>/g)).toHaveLength(1);
  const { text: none } = await open(createToken({ paymentIntentId: 'pi_sandbox_AAAAAAAAAAAAAAAAAAAAAA' }));
  expect(none).toContain('There are no deliveries yet.');
});

test('the page has no script, and what others have chosen is no markup', async () => {
  const { text } = await open(createToken());
  expect(text).not.toContain('<script');
  expect(text).toContain('&#60;script&#62;alert(1)');
  expect(text).not.toContain('whsec');
});

test('the page is in the language of its reader', async () => {
  const { text } = await open(createToken(), { 'accept-language': 'de-DE,de;q=0.9' });
  expect(text).toContain('<html lang="de">');
  expect(text).toContain('Zustellungen von Webhooks');
});

// oxfmt-ignore
test.each<[string, () => string]>([
  ['without a signature', () => createToken().split('.')[0] ?? ''],
  ['with more parts', () => `${createToken()}.x`],
  ['with another signature', () => createToken().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
  ['of another key', () => createToken({}, `another ${PORTAL_KEY}`)],
  ['that is too long', () => createToken({ frameAncestors: ['x'.repeat(4_000)] })],
  ['whose subscription is unknown', () => createToken({ subscriptionId: 'ws_AAAAAAAAAAAAAAAAAAAAAA' })],
  ['that names the subscription of another account', () => createToken({ subscriptionId: otherSubscriptionId })],
  ['whose account was exchanged', () => {
    const [, signature = ''] = createToken().split('.');
    return `${createToken({ scope: environment.other, subscriptionId: otherSubscriptionId }).split('.')[0]}.${signature}`;
  }],
  ['whose end was moved', () => {
    const [, signature = ''] = createToken({ expiresAtMs: Date.now() + 1_000 }).split('.');
    return `${createToken().split('.')[0]}.${signature}`;
  }],
])('a link %s shows nothing', async (_, createAltered) => {
  const { status, text } = await open(createAltered());
  expect({ status, isShown: text.includes('payment_intent') }).toEqual({ status: 404, isShown: false });
  expect(text).toContain('This link is not valid');
});

test('a link that has expired says so, within the page that embeds it', async () => {
  const token = createToken({ expiresAtMs: Date.now() - 1, frameAncestors: ['https://shop.example'] });
  const { status, text, headers } = await open(token);
  expect(status).toBe(410);
  expect(text).toContain('This link has ended');
  expect(text).not.toContain('payment_intent');
  expect(String(headers['content-security-policy'])).toContain('frame-ancestors https://shop.example');
});

test.each(['POST', 'PUT', 'DELETE'])('a link is for reading: %s is refused', async (method) => {
  const { status } = await environment.send(method, `${DELIVERY_PAGE_PATH}/${createToken()}`, { body: {} });
  expect([404, 405]).toContain(status);
});

test('a viewer creates no link', async () => {
  const viewer = await environment.signInAs('viewer');
  const path = `/portal/api/webhooks/${subscriptionId}/delivery-links`;
  expect(await environment.send('POST', path, { cookie: viewer, body: {} })).toMatchObject({
    reason: 'permission_missing',
  });
});

test('a link ends with its subscription, and with its account', async () => {
  const { database } = environment.testDatabase;
  const ofOther = createToken({ scope: environment.other, subscriptionId: otherSubscriptionId });
  expect((await open(ofOther)).status).toBe(200);
  const change = { actor: 'test', reason: 'a test' };
  await database.transact(environment.other, (tx) => disableAccount(tx, change));
  expect((await open(ofOther)).status).toBe(404);
  await database.transact(environment.own, (tx) => unsubscribe(tx, subscriptionId));
  expect((await open(createToken())).status).toBe(404);
});
