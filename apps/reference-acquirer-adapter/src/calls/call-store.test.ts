import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Decision } from './call.js';
import { CallStore, type LastSent } from './call-store.js';
import { createTestDatabase } from '../testing/test-database.js';

let store: CallStore;
let made = 0;
let reference: string;

beforeAll(async () => {
  store = await CallStore.open(await createTestDatabase(), () => undefined);
}, 60_000);

beforeEach(async () => {
  made += 1;
  reference = `call-${made}`;
  await store.insert({
    ...{
      reference,
      kind: 'Authorise',
      originalReference: null,
      merchantId: 'M-1001',
      fingerprint: 'f',
      acceptedFingerprint: null,
    },
    ...{ amount: 1_200n, currency: 'GBP', isSale: false, releaseRest: false, noChallenge: false },
  });
});

afterAll(() => store.close());

const DECLINED: Decision = { outcome: 'DECLINED', paymentId: null, decidedAt: null, details: {} };

async function send(): Promise<LastSent & { readonly isFirst: boolean }> {
  const mark = await store.markSent(reference);
  if (mark === null) throw new Error('the call is decided');
  return mark;
}

describe('a request that is sent', () => {
  test('is the first until another is sent', async () => {
    expect(await send()).toMatchObject({ isFirst: true });
    expect(await send()).toMatchObject({ isFirst: false });
  });

  test('and has certainly not arrived leaves the next one the first', async () => {
    await store.unmarkSent(reference, await send());
    expect(await send()).toMatchObject({ isFirst: true });
  });

  test('by several processes at the same time is the first of one', async () => {
    const marks = await Promise.all(Array.from({ length: 8 }, send));
    expect(marks.filter(({ isFirst }) => isFirst)).toHaveLength(1);
  });

  test('is refused for good only while no other was sent', async () => {
    const first = await send();
    const second = await send();
    expect(await store.remove(reference, first)).toBe(false);
    expect(await store.decide(reference, DECLINED, first)).toMatchObject({ outcome: null });
    expect(await store.remove(reference, second)).toBe(true);
    expect(await store.find(reference)).toBeNull();
  });

  test('and is not abandoned any more once another is sent', async () => {
    const abandoned = await store.findAbandoned(reference, 0);
    expect(abandoned).toEqual({ sentAt: null });
    await send();
    expect(await store.decide(reference, DECLINED, abandoned ?? undefined)).toMatchObject({ outcome: null });
    expect(await store.findAbandoned(reference, 60_000)).toBeNull();
  });
});
