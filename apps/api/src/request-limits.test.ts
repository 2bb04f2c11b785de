import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshScope } from '@pos/store/testing';
import { RequestLimits } from './request-limits.js';
import { ApiWorld } from './testing.js';

/** So few that some of the requests below are too many, however slow the machine is. */
const PER_SECOND = 2;
const REQUESTS = 40;

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open({ RATE_LIMIT_PER_SECOND: String(PER_SECOND) });
});
afterAll(() => world.close());

const LIST = '/webhooks';

test('a key that asks too often is told when to come again, before anything else of the request is judged', async () => {
  const sent = Array.from({ length: REQUESTS }, () => world.send('GET', LIST, { headers: { version: null } }));
  const answers = await Promise.all(sent);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(2 * PER_SECOND);
  const [first] = refused;
  expect(Number(first?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(JSON.parse(first?.text ?? '')).toMatchObject({ status: 429, title: 'Too Many Requests', errors: {} });

  const other = await world.send('GET', LIST, { key: world.keys.foreign });
  expect(other.status).toBe(200);
  const unknown = await Promise.all(Array.from({ length: REQUESTS }, () => world.send('GET', LIST, { key: 'sk_no' })));
  expect(new Set(unknown.map(({ status }) => status))).toEqual(new Set([401]));
});

const PUBLIC = { permission: null, crossOrigin: true } as Parameters<RequestLimits['count']>[1];
const KEYED = { permission: 'payments.read' } as Parameters<RequestLimits['count']>[1];

/** How many of so many calls pass at one moment. */
function passed(limits: RequestLimits, calls: number, count: (limits: RequestLimits, call: number) => void): number {
  let passes = 0;
  for (let call = 0; call < calls; call += 1) {
    try {
      count(limits, call);
      passes += 1;
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate_limited' });
    }
  }
  return passes;
}

function holder(ratePerSecond: number | null) {
  return { scope: freshScope(), keyId: 'key_a', permissions: new Set<never>(), ratePerSecond } as never;
}

test.each<[string, number, (limits: RequestLimits, call: number) => void]>([
  ['a key has two seconds of its rate at once', 400, (limits) => limits.count(from('1'), KEYED, holder(null))],
  ['an account may have its own rate', 10, (limits) => limits.count(from('1'), KEYED, holder(5))],
  ['an address without a key has few', 20, (limits, call) => limits.count(from('1', `pi_${call}`), PUBLIC, null)],
  ['one intent has 60 of all addresses together', 60, (limits, call) => limits.count(from(`${call}`), PUBLIC, null)],
])('%s', (_, allowed, count) => {
  expect(passed(new RequestLimits(200, () => 0), 1_000, count)).toBe(allowed);
});

test('one address leaves others something of an intent, and all together no more than there is', () => {
  let nowMs = 0;
  const limits = new RequestLimits(200, () => nowMs);
  const call = (ip: string) => (each: RequestLimits) => {
    // So slowly that no address is too fast.
    nowMs += 50;
    each.count(from(ip), PUBLIC, null);
  };
  expect(passed(limits, 100, call('greedy'))).toBe(43);
  expect(passed(limits, 10, call('payer'))).toBe(10);
  expect(passed(limits, 100, call('third')) + 53).toBeLessThanOrEqual(60 + nowMs / 1_000);
});

test('health and documents are nobody’s requests', () => {
  const health = { permission: null } as Parameters<RequestLimits['count']>[1];
  expect(passed(new RequestLimits(1, () => 0), 1_000, (limits) => limits.count(from('1'), health, null))).toBe(1_000);
});

function from(ip: string, paymentIntentId = 'pi_sandbox_a') {
  return { ip, params: { paymentIntentId } };
}
