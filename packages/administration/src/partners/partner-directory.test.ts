import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { PartnerStatus } from '@pos/core/accounts';
import { createApiKeyText, createId } from '@pos/core/ids';
import { Refusal } from '@pos/core/refusals';
import { ROLES, type Scope } from '@pos/core/identity';
import { insertApiKey } from '@pos/store/repositories';
import { runOnce } from '@pos/store/idempotency';
import { createTestDatabase, createTestScope, type TestDatabase } from '@pos/store/testing';
import { changePartnerStatus, enforcePartners, listPartners, registerPartner } from './partner-administration.js';
import { ApiKeyAuthenticator, PartnerDirectory } from '@pos/payments/accounts';

const CHANGE = { actor: 'tests', reason: 'tests' };
const ADDRESS = '192.0.2.1';
const PRODUCTION = createTestScope('production');
const KEY = { method: 'POST', path: '/payment-intents', key: 'begun-before', fingerprintInput: '{}' };

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  for (const id of ['active', 'retired']) await register(id);
  await registerPartner(database, CHANGE, { kind: 'reseller', id: 'dealer', name: 'Dealer', contact: null });
  await setStatus('retired', 'Retired');
});
afterAll(() => testDatabase.close());
beforeEach(() => enforcePartners(testDatabase.database, CHANGE, { isEnforced: true, isForced: true }));

async function register(id: string): Promise<void> {
  await registerPartner(testDatabase.database, CHANGE, { kind: 'software-house', id, name: id, contact: null });
}

async function setStatus(id: string, status: PartnerStatus): Promise<void> {
  await changePartnerStatus(testDatabase.database, CHANGE, { kind: 'software-house', id, status });
}

const from = (softwareHouseId: string | null, resellerId: string | null = null, scope: Scope = PRODUCTION) => ({
  ...{ scope, softwareHouseId, resellerId },
});

test.each([
  ['a registered software house', from('active'), {}],
  ['a registered software house with outer blanks', from(' active '), {}],
  ['both partners registered', from('active', 'dealer'), {}],
  ['no partner', from(null), {}],
  ['blanks', from(' '), {}],
  ['an unregistered partner in the sandbox', from('nobody', 'nobody', createTestScope()), {}],
  [
    'a user of the portal',
    { ...from('portal', 'portal'), actor: createId('portalUser', 'sandbox', randomBytes(16)) },
    {},
  ],
  ['a retired software house that continues a payment', from('retired', 'dealer'), { continuesPayment: true }],
])('%s is accepted', async (_, caller, request) => {
  await new PartnerDirectory(testDatabase.database).requireRegistered(caller, request);
});

test.each([
  ['an unregistered software house', from('nobody'), {}, { 'software-house-id': ['Is not registered.'] }],
  ['another letter case', from('Active'), {}, { 'software-house-id': ['Is not registered.'] }],
  ['an id of the other kind', from(null, 'active'), {}, { 'reseller-id': ['Is not registered.'] }],
  ['a retired software house', from('retired'), {}, { 'software-house-id': ['Is retired.'] }],
  [
    'a retired one beside an unregistered one, also for a payment that exists',
    from('retired', 'nobody'),
    { continuesPayment: true },
    { 'software-house-id': ['Is retired.'], 'reseller-id': ['Is not registered.'] },
  ],
  [
    'a retired one with a new key',
    from('retired'),
    { idempotency: { ...KEY, key: 'new' } },
    {
      'software-house-id': ['Is retired.'],
    },
  ],
])('%s is refused', async (_, caller, request, members) => {
  const check = new PartnerDirectory(testDatabase.database).requireRegistered(caller, request);
  await expect(check).rejects.toMatchObject({ code: 'partner_not_registered', members });
});

test('a retired partner may repeat a request that has begun', async () => {
  const { database } = testDatabase;
  await runOnce(database, { scope: PRODUCTION, idempotency: KEY }, () => Promise.resolve({ status: 200, body: {} }));
  const directory = new PartnerDirectory(database);
  await directory.requireRegistered(from('retired'), { idempotency: KEY });
  await expect(
    directory.requireRegistered(from('retired', null, createTestScope('production')), { idempotency: KEY }),
  ).rejects.toMatchObject({ code: 'partner_not_registered' });
});

test('partners that are not enforced are reported once, and accepted', async () => {
  const { database } = testDatabase;
  await enforcePartners(database, CHANGE, { isEnforced: false });
  const reported: unknown[] = [];
  const directory = new PartnerDirectory(database, (partner) => reported.push(partner));
  for (let round = 0; round < 3; round += 1) await directory.requireRegistered(from('nobody', 'dealer'));
  await directory.requireRegistered(from('retired'));
  expect(reported).toEqual([
    { kind: 'software-house', id: 'nobody', status: null },
    { kind: 'software-house', id: 'retired', status: 'Retired' },
  ]);
});

test('every process sees a change a second later, and reads the partners only after one', async () => {
  const scope = createTestScope('production');
  const text = createApiKeyText('production', randomBytes(32));
  const key = { id: createId('apiKey', 'production', randomBytes(16)), text, label: 'a test', permissions: ROLES.full };
  await testDatabase.database.transact(scope, (tx) => insertApiKey(tx, key));
  const processes = [testDatabase.database, await testDatabase.open()].map((database) => {
    const directory = new PartnerDirectory(database);
    const notePartnersRevision = (revision: number) => directory.noteRevision(revision);
    return { directory, keys: new ApiKeyAuthenticator(database, { notePartnersRevision }) };
  });
  const request = async ({ directory, keys }: (typeof processes)[number]): Promise<unknown> => {
    expect(await keys.authenticate(text, ADDRESS)).not.toBeNull();
    return directory.requireRegistered(from('late', null, scope)).catch((error: unknown) => error);
  };
  const refused = expect.objectContaining({ code: 'partner_not_registered' });
  for (const each of processes) expect(await request(each)).toEqual(refused);
  await register('late');
  await pause(1_000);
  for (const each of processes) expect(await request(each)).toBeUndefined();
  await setStatus('late', 'Retired');
  await pause(1_000);
  for (const each of processes) expect(await request(each)).toEqual(refused);
  await setStatus('late', 'Active');
  await pause(1_000);
  for (const each of processes) expect(await request(each)).toBeUndefined();
});

test('without a change, checks execute no statement', async () => {
  let reads = 0;
  const { database } = testDatabase;
  const counted = Object.create(database, {
    readSystem: {
      value: <T>(work: Parameters<typeof database.readSystem<T>>[0]): Promise<T> => {
        reads += 1;
        return database.readSystem(work);
      },
    },
  }) as typeof database;
  const directory = new PartnerDirectory(counted);
  await Promise.all(Array.from({ length: 20 }, () => directory.requireRegistered(from('active'))));
  for (let round = 0; round < 20; round += 1) await directory.requireRegistered(from('active', 'dealer'));
  expect(reads).toBe(1);
  directory.noteRevision(Number.MAX_SAFE_INTEGER);
  // A database that was restored never reaches the revision: it is read once, and not for each request.
  for (let round = 0; round < 20; round += 1) await directory.requireRegistered(from('active'));
  expect(reads).toBe(2);
});

test('while a partner is retired and reactivated, no request with another partner is refused', async () => {
  const { database } = testDatabase;
  await register('flapping');
  const directory = new PartnerDirectory(database);
  let isOver = false;
  const changes = (async () => {
    for (let round = 0; round < 20; round += 1) {
      await setStatus('flapping', round % 2 === 0 ? 'Retired' : 'Active');
      directory.noteRevision((await listPartners(database)).revision);
    }
    isOver = true;
  })();
  const outcomes = new Set<unknown>();
  while (!isOver) {
    // The checks alone would never let the event loop continue.
    await pause(1);
    await directory.requireRegistered(from('active', 'dealer'));
    await directory.requireRegistered(from('flapping')).then(
      () => outcomes.add('accepted'),
      (error: unknown) => outcomes.add(error instanceof Refusal ? error.code : error),
    );
  }
  await changes;
  expect([...outcomes].sort()).toEqual(['accepted', 'partner_not_registered']);
  // The last change has reactivated it.
  await directory.requireRegistered(from('flapping'));
});
