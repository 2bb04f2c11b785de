import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FLOWS } from './flows.js';
import { brokenClauses, type Restaurant, TestTown, type Way } from './testing.js';

let town: TestTown;
const restaurants = new Map<Way, Restaurant>();

beforeAll(async () => {
  town = await TestTown.open();
  for (const way of ['stream', 'dialled'] as const) restaurants.set(way, await town.restaurant(way));
}, 60_000);

afterAll(() => town.close());

describe.each<Way>(['stream', 'dialled'])('the reference EPOS, reached as %s', (way) => {
  test.each(FLOWS.map(({ name }) => name))(
    'keeps every clause of %s',
    async (name) => {
      const restaurant = restaurants.get(way)!;
      const run = await town.play(restaurant, name);
      expect({ broken: brokenClauses(run), steps: run.steps.filter(({ status }) => status !== 'SUCCESS') }).toEqual({
        broken: [],
        steps: [],
      });
      expect(run).toMatchObject({ status: 'SUCCESS', flowName: name });
      expect(run.steps.at(-1)?.name).toBe('cleanup');
      expect(restaurant.epos.epos.locks()).toEqual([]);
    },
    30_000,
  );
});
