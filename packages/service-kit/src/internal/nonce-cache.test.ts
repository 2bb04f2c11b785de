import { expect, test } from '@jest/globals';
import { NonceCache } from './nonce-cache.js';

const NOW_MS = 1_000_000;

test('a nonce is admitted once', () => {
  const nonces = new NonceCache({ lifetimeMs: 60_000 });
  expect(nonces.add('one', { issuedAtMs: NOW_MS, nowMs: NOW_MS })).toBe(true);
  expect(nonces.add('one', { issuedAtMs: NOW_MS, nowMs: NOW_MS + 60_000 })).toBe(false);
  expect(nonces.add('other', { issuedAtMs: NOW_MS, nowMs: NOW_MS })).toBe(true);
});

test('nonces whose signatures have ended are deleted', () => {
  const nonces = new NonceCache({ lifetimeMs: 60_000 });
  for (let second = 0; second < 1_000; second += 1) {
    const nowMs = NOW_MS + second * 1_000;
    nonces.add(`nonce ${second}`, { issuedAtMs: nowMs, nowMs });
  }
  expect(nonces.size).toBe(61);
});

test('a full cache forgets the oldest nonce, and refuses everything that was signed as early', () => {
  const nonces = new NonceCache({ lifetimeMs: 60_000, sizeMax: 3 });
  for (const [index, nonce] of ['one', 'two', 'three', 'four', 'five'].entries()) {
    expect(nonces.add(nonce, { issuedAtMs: NOW_MS + index, nowMs: NOW_MS })).toBe(true);
  }
  expect(nonces.size).toBe(3);
  const again = ['one', 'two', 'three', 'four', 'five'].map((nonce, index) =>
    nonces.add(nonce, { issuedAtMs: NOW_MS + index, nowMs: NOW_MS }),
  );
  expect(again).toEqual([false, false, false, false, false]);
  // A call that was signed before a forgotten one may be a replay of another forgotten one.
  expect(nonces.add('late', { issuedAtMs: NOW_MS + 1, nowMs: NOW_MS })).toBe(false);
  expect(nonces.add('next', { issuedAtMs: NOW_MS + 5, nowMs: NOW_MS })).toBe(true);
});

test('random arrivals admit each request once at most, however small the cache is', () => {
  for (const sizeMax of [1, 2, 10, 100]) {
    const nonces = new NonceCache({ lifetimeMs: 500, sizeMax });
    const admitted = new Map<string, number>();
    let seed = 7;
    for (let nowMs = 0; nowMs < 5_000; nowMs += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      const issuedAtMs = nowMs - (seed % 400);
      if (!nonces.add(`at ${issuedAtMs}`, { issuedAtMs, nowMs })) continue;
      admitted.set(`at ${issuedAtMs}`, (admitted.get(`at ${issuedAtMs}`) ?? 0) + 1);
      expect(nonces.size).toBeLessThanOrEqual(sizeMax);
    }
    expect(Math.max(...admitted.values())).toBe(1);
  }
});
