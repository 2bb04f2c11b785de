import { expect, test } from '@jest/globals';
import { KillableDatabase } from './database-killed.js';

const MINUTES = 60_000;

test(
  'a database that is killed under load loses no acknowledged request and executes none twice',
  async () => {
    const database = await KillableDatabase.open();
    try {
      await database.live({ orders: 8, kills: 1 });
      expect(await database.faults()).toEqual([]);
      expect(database.failedCount).toBeGreaterThan(0);
    } finally {
      await database.remove();
    }
  },
  5 * MINUTES,
);
