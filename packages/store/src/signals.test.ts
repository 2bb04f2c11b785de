import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from './database.js';
import { freshDatabase, freshScope, type TestDatabase } from './testing.js';

let place: TestDatabase;
let other: Database;

beforeAll(async () => {
  place = await freshDatabase();
  other = await place.open({ applicationName: 'other' });
});
afterAll(async () => {
  await place.close();
});

test('a hint of a transaction reaches another process after the commit, each once', async () => {
  const heard: string[] = [];
  const stop = await other.listen('journeys', (payload) => void heard.push(payload));
  await place.database.transact(freshScope(), async (tx) => {
    tx.hint('journeys', 'a');
    tx.hint('journeys', 'a');
    tx.hint('journeys', 'b');
    tx.hint('machines', 'c');
    await pause(50);
    expect(heard).toEqual([]);
  });
  await until(() => heard.length >= 2);
  expect(heard.sort()).toEqual(['a', 'b']);
  await stop();
});

test('an undone transaction hints at nothing', async () => {
  const heard: string[] = [];
  const stop = await other.listen('lanes', (payload) => void heard.push(payload));
  const work = place.database.transact(freshScope(), async (tx) => {
    tx.hint('lanes', 'undone');
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  place.database.hint('lanes', 'after');
  await until(() => heard.length > 0);
  expect(heard).toEqual(['after']);
  await stop();
});

test('who no longer listens hears nothing, the others go on', async () => {
  const [left, stays]: [string[], string[]] = [[], []];
  const stop = await other.listen('timers', (payload) => void left.push(payload));
  const stopStaying = await other.listen('timers', (payload) => void stays.push(payload));
  await stop();
  place.database.hint('timers', 'x');
  await until(() => stays.length > 0);
  expect(left).toEqual([]);
  await stopStaying();
});

test('a listener whose connection is cut listens again', async () => {
  const heard: string[] = [];
  const stop = await other.listen('clock', (payload) => void heard.push(payload));
  const owner = new pg.Client({ connectionString: place.ownerUrl });
  await owner.connect();
  const cut = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'other signals'`,
  );
  expect(cut.rowCount).toBe(1);
  await owner.end();
  await until(() => {
    place.database.hint('clock', 'still there');
    return heard.length > 0;
  });
  expect(heard[0]).toBe('still there');
  await stop();
});

test('a thousand hints at once go out in few statements and arrive all', async () => {
  const heard = new Set<string>();
  const stop = await other.listen('machines', (payload) => void heard.add(payload));
  for (let number = 0; number < 1_000; number += 1) place.database.hint('machines', String(number));
  await until(() => heard.size === 1_000);
  await stop();
});

const TRIES_MAX = 500;

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (isTrue()) return;
    await pause(10);
  }
  throw new Error('it did not come true');
}
