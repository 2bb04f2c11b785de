import { expect, test } from '@jest/globals';
import { EndpointGate } from './endpoint-gate.js';

const NO_WAIT = 1;
const LONG = 60_000;

async function entered(gate: EndpointGate, name: string, tries: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: tries }, () => gate.enter(name, NO_WAIT)));
  return results.filter(Boolean).length;
}

test('an endpoint gets its cap and no more, and another endpoint its own', async () => {
  const gate = new EndpointGate({ max: 3 });
  expect(await entered(gate, 'a', 5)).toBe(3);
  expect(await entered(gate, 'b', 5)).toBe(3);
});

test.each([
  [4, 3],
  [5, 1],
  [9, 1],
])('after %i failures in a row an endpoint is asked %i at a time', async (failures, atOnce) => {
  const gate = new EndpointGate({ max: 3 });
  for (let count = 0; count < failures; count += 1) {
    await gate.enter('a', NO_WAIT);
    gate.leave('a', 'failed');
  }
  expect(await entered(gate, 'a', 5)).toBe(atOnce);
});

test('one answer makes an endpoint well again; giving a place back untried does not', async () => {
  const gate = new EndpointGate({ max: 3 });
  for (let count = 0; count < 5; count += 1) {
    await gate.enter('a', NO_WAIT);
    gate.leave('a', 'failed');
  }
  await gate.enter('a', NO_WAIT);
  gate.leave('a', 'untried');
  expect(await entered(gate, 'a', 5)).toBe(1);
  gate.leave('a', 'delivered');
  expect(await entered(gate, 'a', 5)).toBe(3);
});

test('who waits gets the place that is given back, in order of arrival', async () => {
  const gate = new EndpointGate({ max: 1 });
  await gate.enter('a', NO_WAIT);
  const order: string[] = [];
  const first = gate.enter('a', LONG).then(() => order.push('first'));
  const second = gate.enter('a', LONG).then(() => order.push('second'));
  gate.leave('a', 'delivered');
  await first;
  expect(order).toEqual(['first']);
  gate.leave('a', 'delivered');
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('who has stopped waiting takes no place', async () => {
  const gate = new EndpointGate({ max: 1 });
  await gate.enter('a', NO_WAIT);
  expect(await gate.enter('a', NO_WAIT)).toBe(false);
  gate.leave('a', 'delivered');
  expect(await gate.enter('a', NO_WAIT)).toBe(true);
});
