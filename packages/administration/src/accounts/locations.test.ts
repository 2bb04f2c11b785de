import { createAccount, readTimeZone, readTimeZoneOfTerminal } from '@pos/store/repositories';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { LocationId, Scope } from '@pos/core/identity';
import { createId } from '@pos/core/ids';
import type { Tx } from '@pos/store/database';
import { createTestDatabase, type TestDatabase } from '@pos/store/testing';
import { changeLocation, createLocation, listAccountLocations } from './location-administration.js';
import { registerTerminal } from './terminal-administration.js';

const CHANGE = { actor: 'anna', reason: 'contract 4711' };
const FIRST = {
  ...{ name: 'The Oyster Shed', address: '2 Angel Lane', phoneNumber: '020 7946 0000', timeZone: 'UTC' },
  ...{ createdAt: new Date('2026-03-01T12:00:00Z'), updatedAt: new Date('2026-03-01T12:00:00Z') },
};

let testDatabase: TestDatabase;
let scope: Scope;
let locationId: LocationId;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(async () => {
  const accountId = createId('account', 'production', randomBytes(16));
  locationId = createId('location', 'production', randomBytes(16));
  scope = { accountId, environment: 'production' };
  const account = { id: accountId, locationId, name: 'oyster-shed', tradingName: FIRST.name, merchantId: accountId };
  const settings = { site: FIRST.address, phoneNumber: FIRST.phoneNumber };
  await createAccount(testDatabase.database, {
    ...{ ...account, settings, currencies: ['GBP'], createdAt: FIRST.createdAt },
  });
});
afterAll(() => testDatabase.close());

const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => testDatabase.database.transact(scope, work);
const list = () => testDatabase.database.read(scope, listAccountLocations);

test('an account has its first location, before and beside others', async () => {
  expect(await list()).toEqual([{ id: locationId, ...FIRST }]);
  const { id } = await transact((tx) => createLocation(tx, CHANGE, { name: 'The terrace' }));
  expect((await list()).map((each) => each.id)).toEqual([locationId, id]);
});

test('its first location is changed as any other, also by two operators at once', async () => {
  const rename = (name: string) => transact((tx) => changeLocation(tx, CHANGE, { id: locationId, name }));
  await Promise.all([rename('The bar'), rename('The bar')]);
  expect(await list()).toEqual([{ id: locationId, ...FIRST, name: 'The bar', updatedAt: expect.any(Date) }]);
});

test('a location has a time zone that the runtime knows', async () => {
  const change = (timeZone: string) => transact((tx) => changeLocation(tx, CHANGE, { id: locationId, timeZone }));
  expect(await change('Europe/London')).toMatchObject({ timeZone: 'Europe/London' });
  for (const unknown of ['BST', 'Europe/Atlantis', '+01:00', '']) {
    await expect(change(unknown)).rejects.toMatchObject({ members: { 'time-zone': [expect.any(String)] } });
  }
  expect(await testDatabase.database.read(scope, readTimeZone)).toBe('Europe/London');
  const sandbox = { ...scope, environment: 'sandbox' } as const;
  expect(await testDatabase.database.read(sandbox, readTimeZone)).toBe('UTC');
  const terrace = await transact((tx) => createLocation(tx, CHANGE, { name: 'The terrace', timeZone: 'Asia/Tokyo' }));
  const tokyo = await transact((tx) =>
    registerTerminal(tx, CHANGE, { tid: '90000001', name: 'terrace', location: terrace.id }),
  );
  const bar = await transact((tx) => registerTerminal(tx, CHANGE, { tid: '90000002', name: 'bar' }));
  const zones = await testDatabase.database.read(scope, (reader) =>
    Promise.all([tokyo.id, bar.id].map((id) => readTimeZoneOfTerminal(reader, id))),
  );
  expect(zones).toEqual(['Asia/Tokyo', 'Europe/London']);
});

test('a terminal is registered at its first location', async () => {
  const request = { tid: '90000001', name: 'bar', location: locationId };
  expect(await transact((tx) => registerTerminal(tx, CHANGE, request))).toMatchObject({ locationId });
  expect((await list()).map((each) => each.id)).toEqual([locationId]);
});

test('the first location of another account is unknown', async () => {
  const id = createId('location', 'production', randomBytes(16));
  await expect(transact((tx) => changeLocation(tx, CHANGE, { id, name: 'x' }))).rejects.toMatchObject({
    members: { location: ['is not a location of the account'] },
  });
});
