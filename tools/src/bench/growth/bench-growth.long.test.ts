import { expect, test } from '@jest/globals';
import { benchGrowth } from './bench-growth.js';
import { listUnbounded } from './growth-report.js';

const MINUTES = 60_000;

test(
  'no search, no listing and no create or fetch reads more rows than its answer needs, however many the account has',
  async () => {
    const size = { intents: 6_000, events: 40_000 };
    const { rows } = await benchGrowth({ size, rounds: 0, isDurable: false, log: () => undefined });
    expect(rows.length).toBeGreaterThan(100);
    expect(listUnbounded(rows)).toEqual([]);
  },
  5 * MINUTES,
);
