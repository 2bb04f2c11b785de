import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ENVIRONMENTS, type Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import { NOON } from '@pos/core/testing';
import { randomBytes } from 'node:crypto';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';
import {
  createAccount,
  findAdministeredAccount,
  getAccount,
  listAccountIds,
  listAdministeredAccounts,
  lockAccount,
  type NewAccount,
  replaceAccountSettings,
  updateAccountSettings,
  updateAccountStatus,
} from './accounts.js';
import { listLocations } from './locations.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

function buildAccount({ accountId: id }: Scope, change: Partial<NewAccount> = {}): NewAccount {
  const locationId = createId('location', 'production', randomBytes(16));
  const names = { name: 'Bistro Ltd', tradingName: 'Bistro', merchantId: `m-${id}` };
  const settings = { site: '1 High Street', rateLimitPerSecond: 7 };
  return { id, ...names, locationId, currencies: ['GBP', 'EUR'], settings, createdAt: NOON, ...change };
}

test('an account is created once, with its first location in both environments', async () => {
  const scope = createTestScope();
  const account = buildAccount(scope);
  expect(await createAccount(testDatabase.database, account)).toBe(true);
  expect(await createAccount(testDatabase.database, { ...account, name: 'Another' })).toBe(false);
  const found = await testDatabase.database.read(scope, findAdministeredAccount);
  expect(found).toMatchObject({
    ...{ id: account.id, name: 'Bistro Ltd', tradingName: 'Bistro', merchantId: account.merchantId },
    ...{
      currencies: ['GBP', 'EUR'],
      createdAt: NOON,
      cardAttestationUntil: null,
      status: 'Active',
      statusChange: null,
    },
    storedSettings: account.settings,
  });
  expect(found).toMatchObject(await testDatabase.database.read(scope, getAccount));
  for (const environment of ENVIRONMENTS) {
    expect(await testDatabase.database.read({ ...scope, environment }, listLocations)).toEqual([
      {
        ...{ id: account.locationId, name: 'Bistro', address: '1 High Street', phoneNumber: null, timeZone: 'UTC' },
        ...{ createdAt: NOON, updatedAt: NOON },
      },
    ]);
  }
});

test('an operator replaces settings, a caller changes one, and the others stay', async () => {
  const scope = createTestScope();
  await createAccount(testDatabase.database, buildAccount(scope));
  await testDatabase.database.transact(scope, async (tx) => {
    const account = (await lockAccount(tx))!;
    const next = { tradingName: 'Bar', merchantId: 'm-next', currencies: ['EUR'], cardAttestationUntil: NOON };
    await replaceAccountSettings(tx, { ...account, ...next, storedSettings: { rateLimitPerSecond: 9 } });
    await updateAccountSettings(tx, { hasSandboxEpos: true });
    await updateAccountStatus(tx, 'Disabled', 'unpaid');
    expect(await findAdministeredAccount(tx)).toMatchObject({
      ...{ name: 'Bistro Ltd', ...next, status: 'Disabled' },
      ...{ statusChange: { changedAt: tx.databaseNow, reason: 'unpaid' } },
      storedSettings: { rateLimitPerSecond: 9, hasSandboxEpos: true },
    });
  });
});

test('a change of an account that does not exist is a defect', async () => {
  const changes = testDatabase.database.transact(createTestScope(), (tx) => updateAccountStatus(tx, 'Disabled', 'x'));
  await expect(changes).rejects.toMatchObject({ name: 'Defect' });
});

test('accounts are listed by page in the order of their ids', async () => {
  const scopes = [createTestScope(), createTestScope(), createTestScope()];
  for (const scope of scopes) await createAccount(testDatabase.database, buildAccount(scope));
  const ids = await testDatabase.database.readSystem((reader) => listAccountIds(reader, '', 1_000));
  expect(ids).toEqual([...ids].sort());
  expect(ids).toEqual(expect.arrayContaining(scopes.map(({ accountId }) => accountId)));
  const [first = ''] = ids;
  const page = await testDatabase.database.readSystem((reader) => listAdministeredAccounts(reader, first, 2));
  expect(page.map(({ id }) => id)).toEqual(ids.slice(1, 3));
});
