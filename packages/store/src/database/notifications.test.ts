import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../database/database.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
let other: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  other = await testDatabase.open({ applicationName: 'other' });
});
afterAll(async () => {
  await testDatabase.close();
});

test('a hint of a transaction reaches another process after the commit, each once', async () => {
  const received: string[] = [];
  const stop = await other.listen('journeys', (payload) => void received.push(payload));
  await testDatabase.database.transact(createTestScope(), async (tx) => {
    tx.hint('journeys', 'a');
    tx.hint('journeys', 'a');
    tx.hint('journeys', 'b');
    tx.hint('machines', 'c');
    await pause(50);
    expect(received).toEqual([]);
  });
  await until(() => received.length >= 2);
  expect(received.sort()).toEqual(['a', 'b']);
  await stop();
});

test('an undone transaction sends no hint', async () => {
  const received: string[] = [];
  const stop = await other.listen('lanes', (payload) => void received.push(payload));
  const work = testDatabase.database.transact(createTestScope(), async (tx) => {
    tx.hint('lanes', 'undone');
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  testDatabase.database.hint('lanes', 'after');
  await until(() => received.length > 0);
  expect(received).toEqual(['after']);
  await stop();
});

test('a listener that was removed receives nothing, and the others continue', async () => {
  const [left, stays]: [string[], string[]] = [[], []];
  const stop = await other.listen('timers', (payload) => void left.push(payload));
  const stopStaying = await other.listen('timers', (payload) => void stays.push(payload));
  await stop();
  testDatabase.database.hint('timers', 'x');
  await until(() => stays.length > 0);
  expect(left).toEqual([]);
  await stopStaying();
});

test('a listener whose connection is cut listens again', async () => {
  const received: string[] = [];
  const stop = await other.listen('clock', (payload) => void received.push(payload));
  const owner = new pg.Client({ connectionString: testDatabase.ownerUrl });
  await owner.connect();
  const cut = await owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'other signals'`,
  );
  expect(cut.rowCount).toBe(1);
  await owner.end();
  await until(() => {
    testDatabase.database.hint('clock', 'still there');
    return received.length > 0;
  });
  expect(received[0]).toBe('still there');
  await stop();
});

test('a thousand hints at once are sent in few statements and all arrive', async () => {
  const received = new Set<string>();
  const stop = await other.listen('machines', (payload) => void received.add(payload));
  for (let number = 0; number < 1_000; number += 1) testDatabase.database.hint('machines', String(number));
  await until(() => received.size === 1_000);
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
