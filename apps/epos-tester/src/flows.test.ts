import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TABLES_FLOWS } from './flows.js';
import { brokenClauses, type Restaurant, TestTown, type Way } from './testing.js';

let town: TestTown;
const restaurants = new Map<Way, Restaurant>();

beforeAll(async () => {
  town = await TestTown.open();
  for (const way of ['stream', 'dialled'] as const) restaurants.set(way, await town.restaurant(way));
}, 60_000);

afterAll(() => town.close());

describe.each<Way>(['stream', 'dialled'])('the reference EPOS, reached as %s', (way) => {
  test.each(TABLES_FLOWS.map(({ name }) => name))(
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

describe('a gateway that cannot be reached', () => {
  test('is passed over for the next one', async () => {
    const restaurant = restaurants.get('dialled')!;
    const tester = await town.another('127.0.0.1:1');
    const body = { flow: 'ListTables' };
    const { body: id } = await town.request('POST', '/flows', { key: restaurant.testerKey, body, base: tester.url });
    expect((await town.ended(restaurant, id as string)).status).toBe('SUCCESS');
    await tester.close();
  }, 30_000);
});
