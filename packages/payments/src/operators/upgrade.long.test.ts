import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireValue } from '@pos/core/refusals';
import { migrate } from '@pos/store/migrations';
import {
  copyMigrations,
  createDatabaseOfRelease,
  MIGRATIONS_FOLDER,
  readReleases,
  readTestServer,
} from '@pos/store/testing';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPaidIntent } from '../testing/card-machine.js';
import { expectConsistent } from '../testing/consistency-checks.js';
import { MoneyOperations } from '../testing/money-operations.js';
import {
  createTestAccount,
  createTestEnvironment,
  readIntent,
  type TestAccount,
  type TestEnvironment,
} from '../testing/test-environment.js';

const PAYERS = 4;
const PAYMENTS_MIN = 3;

/** A change that a later release may make to the largest table while payments continue. */
const NEXT_MIGRATION = `
alter table payment_intents add column upgraded_at timestamptz;
create table upgrade_notes (account_id text not null, environment text not null, id text primary key);
`;

const release = requireValue(readReleases().at(-1), 'a release');
let folder: string;
let testEnvironment: TestEnvironment;

beforeAll(async () => {
  folder = copyMigrations(release);
  testEnvironment = await createTestEnvironment({ openDatabase: () => createDatabaseOfRelease(folder) });
});
afterAll(async () => {
  await testEnvironment.close();
  rmSync(folder, { recursive: true });
});

/** Pays, captures and refunds until the upgrade is over; every operation must succeed. */
async function payUntil(testAccount: TestAccount, isOver: () => boolean): Promise<number> {
  const operations = new MoneyOperations(testEnvironment, testAccount);
  for (let paid = 0; ; paid += 1) {
    if (isOver() && paid >= PAYMENTS_MIN) return paid;
    const { intentId } = await createPaidIntent(testEnvironment, testAccount, { captureMode: 'Manual' });
    expect(await operations.capture(intentId, 2_000)).toBe('done');
    expect(await operations.refund(intentId, 500)).toBe('done');
    expect((await readIntent(testEnvironment, testAccount, intentId)).refunded.value).toBe(500);
  }
}

// Processes of the last release under the same load: `pnpm upgrade-test`.
test('a database of the last release is upgraded, and the next migration runs while payments continue', async () => {
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
  await migrate(testEnvironment.testDatabase.ownerUrl, readTestServer(), { folder });
  writeFileSync(path.join(folder, '9999_upgrade.sql'), NEXT_MIGRATION);
  const accounts = await Promise.all(Array.from({ length: PAYERS }, () => createTestAccount(testEnvironment)));
  let isUpgraded = false;
  const upgrade = migrate(testEnvironment.testDatabase.ownerUrl, readTestServer(), { folder }).finally(() => {
    isUpgraded = true;
  });
  await Promise.all([upgrade, ...accounts.map((each) => payUntil(each, () => isUpgraded))]);
  for (const each of accounts) await expectConsistent(testEnvironment, each);
});
