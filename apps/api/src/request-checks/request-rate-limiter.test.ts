import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createModelLimiter, createTestScope } from '@pos/store/testing';
import { RequestRateLimiter } from './request-rate-limiter.js';
import { ApiTestEnvironment } from '../testing/api-test-environment.js';

/** So low that some of the requests below exceed it, however slow the machine is. */
const PER_SECOND = 2;
const REQUESTS = 40;

let testEnvironment: ApiTestEnvironment;
beforeAll(async () => {
  testEnvironment = await ApiTestEnvironment.open({ RATE_LIMIT_PER_SECOND: String(PER_SECOND) });
});
afterAll(() => testEnvironment.close());

const LIST_PATH = '/webhooks';

test('a key with too many requests gets 429 and retry-after before any other check of the request', async () => {
  const sent = Array.from({ length: REQUESTS }, () =>
    testEnvironment.sendRequest('GET', LIST_PATH, { headers: { version: null } }),
  );
  const answers = await Promise.all(sent);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(2 * PER_SECOND);
  const [first] = refused;
  expect(Number(first?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(first?.text ?? '')).toMatchObject({ status: 429, title: 'Too Many Requests', errors: {} });

  const other = await testEnvironment.sendRequest('GET', LIST_PATH, { key: testEnvironment.keys.foreign });
  expect(other.status).toBe(200);
  const unknown = await Promise.all(
    Array.from({ length: REQUESTS }, () => testEnvironment.sendRequest('GET', LIST_PATH, { key: 'sk_no' })),
  );
  expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([401]));
});

const PUBLIC_OPERATION = { permission: null, crossOrigin: true } as Parameters<RequestRateLimiter['countRequest']>[1];
const KEYED_OPERATION = { permission: 'payments.read' } as Parameters<RequestRateLimiter['countRequest']>[1];

/** How many of the calls pass at one moment. */
async function countPassed(limits: RequestRateLimiter, calls: number, count: CountCall): Promise<number> {
  const settled = await Promise.allSettled(Array.from({ length: calls }, (_, call) => count(limits, call)));
  for (const each of settled) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'rate_limited' });
  }
  return settled.filter(({ status }) => status === 'fulfilled').length;
}

type CountCall = (limits: RequestRateLimiter, call: number) => Promise<void>;

function createHolder(ratePerSecond: number | null) {
  return { scope: createTestScope(), keyId: 'key_a', permissions: new Set<never>(), ratePerSecond } as never;
}

test.each<[string, number, CountCall]>([
  [
    'a key has two seconds of its rate at once',
    400,
    (limits) => limits.countRequest(createCaller('1'), KEYED_OPERATION, createHolder(null)),
  ],
  [
    'an account may have its own rate',
    10,
    (limits) => limits.countRequest(createCaller('1'), KEYED_OPERATION, createHolder(5)),
  ],
  [
    'an address without a key has few',
    20,
    (limits, call) => limits.countRequest(createCaller('1', `pi_${call}`), PUBLIC_OPERATION, null),
  ],
  [
    'one intent has 60 of all addresses together',
    60,
    (limits, call) => limits.countRequest(createCaller(`${call}`), PUBLIC_OPERATION, null),
  ],
])('%s', async (_, allowed, count) => {
  expect(
    await countPassed(
      new RequestRateLimiter(
        200,
        createModelLimiter(() => 0),
      ),
      1_000,
      count,
    ),
  ).toBe(allowed);
});

test('one address cannot use the whole limit of an intent, and all addresses share that limit', async () => {
  let nowMs = 0;
  const limits = new RequestRateLimiter(
    200,
    createModelLimiter(() => nowMs),
  );
  const call = async (ip: string, calls: number) => {
    let passes = 0;
    for (let created = 0; created < calls; created += 1) {
      // Slow enough that no address exceeds its own rate.
      nowMs += 50;
      passes += await countPassed(limits, 1, (each) => each.countRequest(createCaller(ip), PUBLIC_OPERATION, null));
    }
    return passes;
  };
  expect(await call('greedy', 100)).toBe(43);
  expect(await call('payer', 10)).toBe(10);
  expect((await call('third', 100)) + 53).toBeLessThanOrEqual(60 + nowMs / 1_000);
});

test('requests for health and documents are not counted', async () => {
  const health = { permission: null } as Parameters<RequestRateLimiter['countRequest']>[1];
  const limits = new RequestRateLimiter(
    1,
    createModelLimiter(() => 0),
  );
  expect(await countPassed(limits, 1_000, (each) => each.countRequest(createCaller('1'), health, null))).toBe(1_000);
});

function createCaller(ip: string, paymentIntentId = 'pi_sandbox_a') {
  return { ip, params: { paymentIntentId } };
}

test.each<[string, (call: number) => string, number]>([
  ['addresses of one IPv6 subscriber', (call) => `2001:db8:0:1::${call.toString(16)}`, 20],
  ['an IPv4 address in both forms', (call) => (call % 2 === 0 ? '::ffff:192.0.2.1' : '192.0.2.1'), 20],
  ['addresses of different subscribers', (call) => `2001:db8:0:${call.toString(16)}::1`, 40],
])('payers from %s are counted as what they are', async (_, ip, expected) => {
  const limits = new RequestRateLimiter(
    PER_SECOND,
    createModelLimiter(() => 1),
  );
  const count: CountCall = (held, call) =>
    held.countRequest({ ip: ip(call), params: { id: call } }, PUBLIC_OPERATION, null);
  expect(await countPassed(limits, 40, count)).toBe(expected);
});
