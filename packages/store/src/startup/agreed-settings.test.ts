import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import {
  deleteAgreedSettings,
  listAgreedSettings,
  lockAgreedSetting,
  requireAgreedSettings,
  updateAgreedSetting,
} from './agreed-settings.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

function start(app: string, settings: Readonly<Record<string, string>>): Promise<void> {
  return requireAgreedSettings(testDatabase.database.dataSource, { app, settings });
}

test('of many first processes with different values one decides, and the others are refused', async () => {
  const starts = Array.from({ length: 8 }, (_, at) => start(`app-${at}`, { RUNNER_LEASE_MS: String(at % 2) }));
  const ended = await Promise.allSettled(starts);
  const [stored] = await testDatabase.database.readSystem(listAgreedSettings);
  expect(ended.map(({ status }) => status)).toEqual(
    starts.map((_, at) => (String(at % 2) === stored?.value ? 'fulfilled' : 'rejected')),
  );
});

test('a refusal is one sentence with the app, the setting and both values', async () => {
  await start('api', { CHECKOUT_BASE_URL: 'https://one.example', SIGNATURE_WINDOW_MS: 'not set' });
  const other = { CHECKOUT_BASE_URL: 'https://two.example', SIGNATURE_WINDOW_MS: 'not set' };
  await expect(start('pay-at-table-gateway', other)).rejects.toMatchObject({
    name: 'WrongSetting',
    problems: [
      "CHECKOUT_BASE_URL: is https://two.example at pay-at-table-gateway, and https://one.example at the other processes (api was the first): set the same value, or accept both for a rollout: pos-admin agreed-settings change --name CHECKOUT_BASE_URL --value https://two.example --reason '...'",
    ],
  });
  await start('webhook-worker', { SIGNATURE_WINDOW_MS: 'not set' });
});

test('while a setting is changed both values are accepted, and afterwards one', async () => {
  const { database } = testDatabase;
  await start('api', { LOCK_LEASE_MS: '600000' });
  const store = (value: string, nextValue: string | null) =>
    database.transact(SYSTEM_SCOPE, async (tx) => {
      expect(await lockAgreedSetting(tx, 'LOCK_LEASE_MS')).not.toBeNull();
      await updateAgreedSetting(tx, { name: 'LOCK_LEASE_MS', value, nextValue });
    });
  await store('600000', '900000');
  await start('api', { LOCK_LEASE_MS: '600000' });
  await start('api', { LOCK_LEASE_MS: '900000' });
  await expect(start('api', { LOCK_LEASE_MS: '1' })).rejects.toThrow('and 600000, or 900000 at the other processes');
  // A third value needs the end of the change first.
  await expect(start('api', { LOCK_LEASE_MS: '1' })).rejects.toThrow(
    /: pos-admin agreed-settings finish --name LOCK_LEASE_MS --reason '...', then pos-admin agreed-settings change --name/,
  );
  await store('900000', null);
  await expect(start('api', { LOCK_LEASE_MS: '600000' })).rejects.toThrow('LOCK_LEASE_MS');
  await start('api', { LOCK_LEASE_MS: '900000' });
});

test('after a reset the next process decides', async () => {
  const { database } = testDatabase;
  await start('api', { EPOS_CALL_LIMIT_MS: '30000' });
  await database.transact(SYSTEM_SCOPE, async (tx) => {
    expect(await deleteAgreedSettings(tx)).toContain('EPOS_CALL_LIMIT_MS');
  });
  await start('api', { EPOS_CALL_LIMIT_MS: '20000' });
});

async function listRefused(name: string): Promise<string[]> {
  const settings = await testDatabase.database.readSystem(listAgreedSettings);
  const refused = settings.find((setting) => setting.name === name)?.refused ?? [];
  return refused.map(({ app, value }) => `${app}: ${value}`).sort();
}

test('the apps that did not start are stored with their values, until they start', async () => {
  await start('api', { SIMULATOR_TIME_SCALE: '1' });
  expect(await listRefused('SIMULATOR_TIME_SCALE')).toEqual([]);
  for (const [app, value] of [
    ['webhook-worker', '2'],
    ['webhook-worker', '3'],
    ['pay-at-table-gateway', '4'],
  ] as const) {
    await expect(start(app, { SIMULATOR_TIME_SCALE: value })).rejects.toThrow('SIMULATOR_TIME_SCALE');
  }
  expect(await listRefused('SIMULATOR_TIME_SCALE')).toEqual(['pay-at-table-gateway: 4', 'webhook-worker: 3']);
  await start('webhook-worker', { SIMULATOR_TIME_SCALE: '1' });
  expect(await listRefused('SIMULATOR_TIME_SCALE')).toEqual(['pay-at-table-gateway: 4']);
});

test('the printed command is one that a shell reads as it is meant', async () => {
  await start('api', { ACQUIRERS_FILE: 'production north=north.example:8443' });
  await expect(start('card-vault', { ACQUIRERS_FILE: "it's another" })).rejects.toThrow(
    `--value 'it'\\''s another' --reason`,
  );
});
