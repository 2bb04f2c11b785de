import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, toZonedMoment } from '@pos/core/time';
import { listLocations, updateLocation } from '@pos/store/repositories';
import { readCompleteness } from '../acquirer/acquirer-books.js';
import { createCapturedPayment, declareAcquirer, importFile, SETTLEMENT_HEADER } from '../testing/settlement-files.js';
import { createTestAccount, createTestEnvironment, type TestEnvironment } from '../testing/test-environment.js';
import { listSettledReferences } from './file-comparison.js';

/** Its days begin 13 hours before those of UTC. */
const ZONE = 'Pacific/Auckland';
const HOUR_MS = DAY_MS / 24;

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  await declareAcquirer(testEnvironment);
});
afterAll(() => testEnvironment.close());

test('a line of a settlement file is of the day of the location, and its files are complete by the same days', async () => {
  const account = await createTestAccount(testEnvironment);
  const { database } = testEnvironment;
  await database.transact(account.scope, async (tx) => {
    const [first] = await listLocations(tx);
    if (first === undefined) throw new Error('the account has no location');
    await updateLocation(tx, first.id, { timeZone: ZONE });
  });
  const { reference } = await createCapturedPayment(testEnvironment, account);
  // The acquirer settles for days after a payment; each of these days has a line.
  const days = ['2025-03-02', '2025-03-03', '2025-03-04', '2025-03-05', '2025-03-06'];
  const lines = days.map((day, index) => `${reference},capture,400,GBP,${day},B${index},0`);
  await importFile(testEnvironment, account, { text: [SETTLEMENT_HEADER, ...lines, ''].join('\n') });

  const [begin, end] = ['2025-03-02', '2025-03-07'].map((day) => toZonedMoment(day, ZONE).getTime());
  const span = (from = 0, hours = 1) => ({ from: new Date(from), to: new Date(from + hours * HOUR_MS) });
  const settled = (range: { readonly from: Date; readonly to: Date }) =>
    database.read(account.scope, (reader) => listSettledReferences(reader, 'default', range));
  expect(await settled(span(begin))).toEqual([reference]);
  expect(await settled(span((begin ?? 0) - HOUR_MS))).toEqual([]);
  expect(await settled(span(end))).toEqual([]);
  expect(await settled(span((end ?? 0) - HOUR_MS))).toEqual([reference]);

  const firstDay = span(begin, 23);
  const isComplete = await database.read(account.scope, (reader) => readCompleteness(reader, 'default', firstDay));
  expect(isComplete(firstDay.from, firstDay.to)).toBe(true);
  expect(isComplete(new Date(firstDay.from.getTime() - HOUR_MS), firstDay.to)).toBe(false);
});
