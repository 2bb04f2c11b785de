import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SYSTEM_SCOPE } from '@pos/core/administration';
import type { PartnerName } from '@pos/core/accounts';
import { listAuditEntries } from '@pos/store/repositories';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import {
  changePartner,
  changePartnerStatus,
  enforcePartners,
  listPartners,
  type NewPartner,
  registerPartner,
} from './partner-administration.js';

const CHANGE = { actor: 'ann', reason: 'contract 1' };

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const createPartner = (more: Partial<NewPartner> = {}): NewPartner => ({
  ...{ kind: 'reseller', id: 'r-1', name: 'Resellers Ltd', contact: 'Ann Lee, +44 20 7946 0000' },
  ...more,
});

async function find({ kind, id }: PartnerName) {
  const { partners } = await listPartners(testDatabase.database);
  return partners.find((each) => each.kind === kind && each.id === id);
}

test('a new database enforces partners, and has none', async () => {
  expect(await listPartners(testDatabase.database)).toEqual({ isEnforced: true, partners: [], revision: 1 });
});

test('a partner is registered, changed, retired and reactivated, each with an audit entry without the contact', async () => {
  const { database } = testDatabase;
  const registered = await registerPartner(database, CHANGE, createPartner());
  expect(await find(registered)).toEqual(registered);
  await changePartner(database, CHANGE, { kind: 'reseller', id: 'r-1', contact: 'Bob' });
  expect(await find(registered)).toMatchObject({ name: 'Resellers Ltd', contact: 'Bob', status: 'Active' });
  await changePartner(database, CHANGE, { kind: 'reseller', id: 'r-1', name: 'Dealers Ltd', contact: '' });
  expect(await find(registered)).toMatchObject({ name: 'Dealers Ltd', contact: null });
  await changePartnerStatus(database, CHANGE, { kind: 'reseller', id: 'r-1', status: 'Retired' });
  expect(await find(registered)).toMatchObject({ status: 'Retired', name: 'Dealers Ltd' });
  await changePartnerStatus(database, CHANGE, { kind: 'reseller', id: 'r-1', status: 'Active' });
  const entries = await database.read(SYSTEM_SCOPE, (reader) => listAuditEntries(reader, { before: null, limit: 50 }));
  const own = entries.filter(({ subject }) => subject === 'reseller r-1');
  expect(own.map(({ action }) => action).sort()).toEqual(
    ['ReactivatePartner', 'RegisterPartner', 'RetirePartner', 'UpdatePartner', 'UpdatePartner'].sort(),
  );
  expect(JSON.stringify(own)).not.toMatch(/Ann Lee|Bob|7946/);
  expect(own.every(({ actor, reason }) => actor === 'ann' && reason === 'contract 1')).toBe(true);
});

test('the same id may be a software house and a reseller, and is registered once for each', async () => {
  const { database } = testDatabase;
  await registerPartner(database, CHANGE, createPartner({ id: 'both' }));
  await registerPartner(database, CHANGE, createPartner({ id: 'both', kind: 'software-house' }));
  await expect(registerPartner(database, CHANGE, createPartner({ id: 'both' }))).rejects.toMatchObject({
    members: { id: ['is registered already'] },
  });
});

test('of two registrations of one partner at the same time, one is refused', async () => {
  const requests = Array.from({ length: 8 }, () =>
    registerPartner(testDatabase.database, CHANGE, createPartner({ id: 'at-once' })),
  );
  const ended = await Promise.allSettled(requests);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['an empty id', { id: '' }, 'id'],
  ['an id of 101 characters', { id: 'r'.repeat(101) }, 'id'],
  ['a card number as the id', { id: '4456530000091014' }, 'id'],
  ['an empty name', { name: ' ' }, 'name'],
  ['a contact of two lines', { contact: 'a\nb' }, 'contact'],
])('%s is refused', async (_, members, member) => {
  const request = registerPartner(testDatabase.database, CHANGE, createPartner({ id: 'wrong', ...members }));
  await expect(request).rejects.toMatchObject({
    code: 'validation_failed',
    members: { [member]: [expect.any(String)] },
  });
});

test('an unknown partner is neither changed nor retired, and a change needs a reason', async () => {
  const { database } = testDatabase;
  const unknown = { kind: 'reseller', id: 'unknown' } as const;
  const refused = { members: { id: ['is not registered'] } };
  await expect(changePartner(database, CHANGE, { ...unknown, name: 'x' })).rejects.toMatchObject(refused);
  await expect(changePartnerStatus(database, CHANGE, { ...unknown, status: 'Retired' })).rejects.toMatchObject(refused);
  const withoutReason = registerPartner(database, { actor: 'ann', reason: '' }, createPartner({ id: 'unfounded' }));
  await expect(withoutReason).rejects.toMatchObject({ members: { reason: [expect.any(String)] } });
  expect(await find({ kind: 'reseller', id: 'unfounded' })).toBeUndefined();
});

test('each change raises the revision', async () => {
  const { database } = testDatabase;
  const before = (await listPartners(database)).revision;
  await registerPartner(database, CHANGE, createPartner({ id: 'counted' }));
  await enforcePartners(database, CHANGE, { isEnforced: false });
  expect(await listPartners(database)).toMatchObject({ revision: before + 2, isEnforced: false });
  await enforcePartners(database, CHANGE, { isEnforced: true });
  expect(await listPartners(database)).toMatchObject({ revision: before + 3, isEnforced: true });
});
