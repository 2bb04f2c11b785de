import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCustomer, type Customer, deleteCustomer } from '@pos/core/accounts';
import { createId } from '@pos/core/ids';
import { createPastDate } from '@pos/core/testing';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import {
  findCustomer,
  findCustomers,
  insertCustomer,
  lockCustomer,
  listCustomers,
  updateCustomer,
} from './customers.js';
import type { PagePosition } from '../database/page.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.close());

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((each) => each.replaceAll('\0', ''));
const maybe = fc.option(text, { nil: null });
const address = fc.option(fc.record({ address1: text, postcode: text, countryCode: fc.constant('GB') }), { nil: null });

test('a customer is read as it was written, and is not found in other scopes or once deleted', async () => {
  const samples = fc.record({
    name: maybe,
    emailAddress: maybe,
    phoneNumber: maybe,
    vatNumber: maybe,
    billingAddress: address,
    shippingAddress: address,
    createdAt: time,
    updatedAt: time,
  });
  await fc.assert(
    fc.asyncProperty(samples, async (each) => {
      const scope = createTestScope();
      const id = createId('customer', 'sandbox', randomBytes(16));
      const customer: Customer = { ...each, id, version: 1, deletedAt: null };
      await testDatabase.database.transact(scope, (tx) => insertCustomer(tx, customer));
      expect(await testDatabase.database.read(scope, (reader) => findCustomer(reader, id))).toEqual(customer);
      for (const other of [createTestScope(), { accountId: scope.accountId, environment: 'production' } as const]) {
        expect(await testDatabase.database.read(other, (reader) => findCustomers(reader, [id]))).toEqual([]);
      }
      await testDatabase.database.transact(scope, async (tx) => {
        const written = await updateCustomer(tx, { ...(await lockCustomer(tx, id))!, name: 'another' });
        expect(await lockCustomer(tx, id)).toEqual({ ...customer, name: 'another', version: 2 });
        await updateCustomer(tx, deleteCustomer(written, createPastDate(0)));
      });
      expect(await testDatabase.database.read(scope, (reader) => findCustomers(reader, [id]))).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('a customer that was changed since it was read is not overwritten', async () => {
  const scope = createTestScope();
  const id = createId('customer', 'sandbox', randomBytes(16));
  const stale = createCustomer(id, { name: 'Kim' }, createPastDate(1));
  await testDatabase.database.transact(scope, (tx) => insertCustomer(tx, stale));
  const change = (name: string) =>
    testDatabase.database.transact(scope, (tx) => updateCustomer(tx, { ...stale, name }));
  expect(await change('Lou')).toMatchObject({ name: 'Lou', version: 2 });
  await expect(change('Max')).rejects.toMatchObject({ name: 'Defect' });
  expect(await testDatabase.database.read(scope, (reader) => findCustomer(reader, id))).toMatchObject({ name: 'Lou' });
});

test('a page is sorted newest first and has cursors for both sides', async () => {
  const scope = createTestScope();
  const ids = Array.from({ length: 5 }, () => createId('customer', 'sandbox', randomBytes(16)));
  const profile = { name: null, emailAddress: null, phoneNumber: null, vatNumber: null };
  await testDatabase.database.transact(scope, async (tx) => {
    for (const [at, id] of ids.entries()) {
      const times = { createdAt: createPastDate(at), updatedAt: createPastDate(at), deletedAt: null };
      await insertCustomer(tx, { ...profile, billingAddress: null, shippingAddress: null, id, version: 1, ...times });
    }
  });
  const of = (at: number) => ({ createdAt: createPastDate(at), id: ids[at] ?? '', seen: null });
  const at = (place: PagePosition | null) => (place === null ? null : ids.findIndex((id) => id === place.id));
  const page = (from: number | null, direction: 'older' | 'newer') =>
    testDatabase.database.read(scope, async (reader) => {
      const cursor = from === null ? null : of(from);
      const { elements, newer, older } = await listCustomers(reader, { limit: 2, cursor, direction });
      return [elements.map(({ id }) => ids.indexOf(id)), { newer: at(newer), older: at(older) }];
    });
  expect(await page(null, 'older')).toEqual([[4, 3], { newer: null, older: 3 }]);
  expect(await page(3, 'older')).toEqual([[2, 1], { newer: 2, older: 1 }]);
  expect(await page(1, 'older')).toEqual([[0], { newer: 0, older: null }]);
  expect(await page(0, 'older')).toEqual([[], { newer: 0, older: null }]);
  expect(await page(2, 'newer')).toEqual([[4, 3], { newer: null, older: 3 }]);
  expect(await page(0, 'newer')).toEqual([[2, 1], { newer: 2, older: 1 }]);
  expect(await page(4, 'newer')).toEqual([[], { newer: 4, older: 4 }]);
});
