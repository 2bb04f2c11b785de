import { expect, test } from '@jest/globals';
import { createModelLimiter } from '@pos/store/testing';
import { UnknownApiKeys } from './unknown-api-keys.js';

const BURST = 50;

function createUnknownKeys(): { readonly keys: UnknownApiKeys; readonly wait: (ms: number) => void } {
  let now = 1;
  const clock = () => now;
  return { keys: new UnknownApiKeys(createModelLimiter(clock), clock), wait: (ms) => (now += ms) };
}

/** The number of unknown keys that are looked up. */
async function lookUp(
  keys: UnknownApiKeys,
  calls: number,
  address: string | ((call: number) => string),
): Promise<number> {
  const admissions = Array.from({ length: calls }, async (_, call) => {
    await keys.admitLookup(`sk_prod_${call}`, typeof address === 'string' ? address : address(call));
  });
  const settled = await Promise.allSettled(admissions);
  for (const each of settled) {
    if (each.status === 'rejected')
      expect(each.reason).toMatchObject({ code: 'rate_limited', data: { retryAfterSeconds: 1 } });
  }
  return settled.filter(({ status }) => status === 'fulfilled').length;
}

test('few unknown keys of an address are looked up, and one more each second', async () => {
  const { keys, wait } = createUnknownKeys();
  expect(await lookUp(keys, 1_000, '192.0.2.1')).toBe(BURST);
  expect(await lookUp(keys, 1_000, '192.0.2.2')).toBe(BURST);
  wait(3_000);
  expect(await lookUp(keys, 1_000, '192.0.2.1')).toBe(3);
  wait(3_600_000);
  expect(await lookUp(keys, 1_000, '192.0.2.1')).toBe(BURST);
});

test.each<[string, (call: number) => string, number]>([
  ['ports of one address', (call) => `192.0.2.1:${call + 1}`, BURST],
  ['addresses of one IPv6 subscriber', (call) => `2001:db8:0:1::${call.toString(16)}`, BURST],
  ['the same with ports', (call) => `[2001:DB8:0:01::${call.toString(16)}]:443`, BURST],
  ['an IPv4 address in both forms', (call) => (call % 2 === 0 ? '::ffff:192.0.2.1' : '192.0.2.1'), BURST],
  ['addresses of different subscribers', (call) => `2001:db8:0:${call.toString(16)}::1`, 100],
])('%s are counted as what they are', async (_, address, passed) => {
  expect(await lookUp(createUnknownKeys().keys, 100, address)).toBe(passed);
});

test('keys that are found cost nothing, and are looked up regardless of other keys from their address', async () => {
  const { keys, wait } = createUnknownKeys();
  for (let call = 0; call < 1_000; call += 1) {
    await keys.admitLookup(`sk_prod_good_${call}`, '192.0.2.1');
    keys.recordFound(`sk_prod_good_${call}`, '192.0.2.1');
  }
  expect(await lookUp(keys, 1_000, '192.0.2.1')).toBe(BURST);
  expect(keys.admitLookup('sk_prod_good_1', '192.0.2.1')).toBeUndefined();
  wait(3_600_001);
  expect(await lookUp(keys, 1_000, '192.0.2.1')).toBe(BURST);
  expect(() => keys.admitLookup('sk_prod_good_1', '192.0.2.1')).toThrow(
    expect.objectContaining({ code: 'rate_limited' }),
  );
});

test('a failed lookup returns the token that it took, and none if it took none', async () => {
  const { keys } = createUnknownKeys();
  await keys.admitLookup('sk_prod_good', '192.0.2.1');
  keys.recordFound('sk_prod_good', '192.0.2.1');
  expect(await lookUp(keys, BURST, '192.0.2.1')).toBe(BURST);
  for (let call = 0; call < 10; call += 1) {
    await keys.admitLookup('sk_prod_good', '192.0.2.1');
    keys.refundLookup('sk_prod_good', '192.0.2.1');
  }
  expect(await lookUp(keys, 1, '192.0.2.1')).toBe(0);
  keys.refundLookup('sk_prod_1', '192.0.2.1');
  expect(await lookUp(keys, 10, '192.0.2.1')).toBe(1);
});

test('a key that was not found is cached as unknown for a moment', () => {
  const { keys, wait } = createUnknownKeys();
  keys.recordUnknown('sk_prod_no');
  expect([keys.isUnknown('sk_prod_no'), keys.isUnknown('sk_prod_other')]).toEqual([true, false]);
  wait(5_000);
  expect(keys.isUnknown('sk_prod_no')).toBe(false);
});

test('the cache is bounded', () => {
  const { keys } = createUnknownKeys();
  for (let call = 0; call < 50_000; call += 1) {
    keys.recordUnknown(`sk_prod_${call}`);
    keys.recordFound(`sk_prod_${call}`, `192.0.${call >> 8}.${call & 255}`);
  }
  expect(keys.isUnknown('sk_prod_0')).toBe(false);
  expect(keys.isUnknown('sk_prod_49999')).toBe(true);
});
