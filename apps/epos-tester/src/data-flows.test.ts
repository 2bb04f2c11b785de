import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DATA_FLOWS, TABLES_FLOWS } from './flows.js';
import { brokenClauses, type Restaurant, TestTown } from './testing.js';

let town: TestTown;
let restaurant: Restaurant;

beforeAll(async () => {
  town = await TestTown.open();
  restaurant = await town.restaurant('data');
}, 60_000);

afterAll(() => town.close());

/** Locks that expire while a test can wait for it. */
const SHORT = new Map<string, Record<string, unknown>>([
  ['lock-expiry', { lockSeconds: 1, waitSeconds: 2 }],
  ['lock-extend', { lockSeconds: 1 }],
]);

/** The pay-at-table contract, as far as orders can stand for sessions: a payment that is only relayed names no intent. */
const OVER_ORDERS = TABLES_FLOWS.filter(({ name }) => /^(?:List|Get|Lock|Unlock)/.test(name));

describe.each(['rest', 'ws'])('the reference EPOS with the EPOS Data API, reached over %s', (transport) => {
  test.each([...DATA_FLOWS, ...OVER_ORDERS].map(({ name }) => name))(
    'keeps every clause of %s',
    async (name) => {
      const run = await town.play(restaurant, name, { transport, ...SHORT.get(name) });
      expect({ broken: brokenClauses(run), steps: run.steps.filter(({ status }) => status !== 'SUCCESS') }).toEqual({
        broken: [],
        steps: [],
      });
      expect(run).toMatchObject({ status: 'SUCCESS', flowName: name });
      expect(run.steps.at(-1)?.name).toBe('cleanup');
      expect(restaurant.epos.epos.held.list()).toEqual([]);
    },
    60_000,
  );
});
