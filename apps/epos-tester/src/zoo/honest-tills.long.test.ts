import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Alarm } from '@pos/conformance/zoo';
import { FLOWS } from '../flows/flows.js';
import { TesterTestEnvironment } from '../testing/tester-environment.js';
import { HONEST_TILLS } from './honest-tills.js';
import { runHonestTills } from './zoo-run.js';

// Every flow at each till over one transport of its contract. `pnpm zoo` tests it over all of them.

/** Flows mostly wait. */
const CONCURRENCY = 6;
const LIMIT_MS = 500_000;

let testEnvironment: TesterTestEnvironment;
let alarms: readonly Alarm[];

beforeAll(async () => {
  testEnvironment = await TesterTestEnvironment.open();
  const tills = HONEST_TILLS.map((till) => ({ ...till, transports: till.transports.slice(0, 1) }));
  alarms = await runHonestTills(testEnvironment.bench, { tills, flows: FLOWS, concurrency: CONCURRENCY });
}, LIMIT_MS);

afterAll(() => testEnvironment.close());

test.each(HONEST_TILLS)('an EPOS $epos gets no finding from any flow', ({ epos }) => {
  expect(alarms.filter(({ peculiarity }) => peculiarity === epos)).toEqual([]);
});

test('each till differs in its own way', () => {
  expect(new Set(HONEST_TILLS.map(({ epos }) => epos)).size).toBe(HONEST_TILLS.length);
});
