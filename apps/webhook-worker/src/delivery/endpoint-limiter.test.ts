import { expect, test } from '@jest/globals';
import { EndpointLimiter } from './endpoint-limiter.js';

const NO_WAIT_MS = 1;
const LONG_WAIT_MS = 60_000;

async function acquireSlots(gate: EndpointLimiter, name: string, tries: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: tries }, () => gate.acquire(name, NO_WAIT_MS)));
  return results.filter(Boolean).length;
}

test('an endpoint gets its cap and no more, and another endpoint its own', async () => {
  const gate = new EndpointLimiter({ max: 3 });
  expect(await acquireSlots(gate, 'a', 5)).toBe(3);
  expect(await acquireSlots(gate, 'b', 5)).toBe(3);
});

test.each([
  [4, 3],
  [5, 1],
  [9, 1],
])('after %i failures in a row an endpoint gets %i attempts at a time', async (failures, atOnce) => {
  const gate = new EndpointLimiter({ max: 3 });
  for (let count = 0; count < failures; count += 1) {
    await gate.acquire('a', NO_WAIT_MS);
    gate.release('a', 'failed');
  }
  expect(await acquireSlots(gate, 'a', 5)).toBe(atOnce);
});

test('one success restores the full cap; a slot that is released untried does not', async () => {
  const gate = new EndpointLimiter({ max: 3 });
  for (let count = 0; count < 5; count += 1) {
    await gate.acquire('a', NO_WAIT_MS);
    gate.release('a', 'failed');
  }
  await gate.acquire('a', NO_WAIT_MS);
  gate.release('a', 'untried');
  expect(await acquireSlots(gate, 'a', 5)).toBe(1);
  gate.release('a', 'delivered');
  expect(await acquireSlots(gate, 'a', 5)).toBe(3);
});

test('waiting attempts get released slots in order of arrival', async () => {
  const gate = new EndpointLimiter({ max: 1 });
  await gate.acquire('a', NO_WAIT_MS);
  const order: string[] = [];
  const first = gate.acquire('a', LONG_WAIT_MS).then(() => order.push('first'));
  const second = gate.acquire('a', LONG_WAIT_MS).then(() => order.push('second'));
  gate.release('a', 'delivered');
  await first;
  expect(order).toEqual(['first']);
  gate.release('a', 'delivered');
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('an attempt that has stopped waiting takes no slot', async () => {
  const gate = new EndpointLimiter({ max: 1 });
  await gate.acquire('a', NO_WAIT_MS);
  expect(await gate.acquire('a', NO_WAIT_MS)).toBe(false);
  gate.release('a', 'delivered');
  expect(await gate.acquire('a', NO_WAIT_MS)).toBe(true);
});
