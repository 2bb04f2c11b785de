import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { assert } from '@pos/core/refusals';
import type { CustomerId } from '@pos/core/identity';
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { insertCustomer, listCustomers } from '../repositories/customers.js';
import type { Cursor, Direction, Page } from './page.js';
import { createTestDatabase, createTestScope, type TestDatabase } from '../testing/test-database.js';

const OPEN_MAX = 5;

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase({ poolMax: OPEN_MAX + 2 });
});
afterAll(() => testDatabase.close());

/** A customer whose transaction is still open. */
interface PendingWrite {
  readonly id: CustomerId;
  readonly commit: () => Promise<void>;
}

/** A list, its writers, and a reader that continues from its position. */
class Listing {
  readonly #scope = createTestScope();
  readonly #writing: PendingWrite[] = [];
  readonly written: CustomerId[] = [];
  readonly readIds: CustomerId[] = [];
  #cursor: Cursor | null = null;

  /** With two customers, which the reader has read. */
  static async open(): Promise<Listing> {
    const listing = new Listing();
    for (let count = 0; count < 2; count += 1) {
      await listing.begin();
      await listing.commit(0);
    }
    const { older } = await listing.page('older', null, 1);
    assert(older !== null, 'there are two, so there is an older page');
    listing.readIds.push(...listing.written);
    listing.#cursor = older;
    return listing;
  }

  page(direction: Direction, cursor: Cursor | null, limit: number) {
    return testDatabase.database.read(this.#scope, (reader) => listCustomers(reader, { limit, cursor, direction }));
  }

  async begin(): Promise<void> {
    if (this.#writing.length === OPEN_MAX) return;
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    let ended: Promise<void> = Promise.resolve();
    const id = await new Promise<CustomerId>((isWritten, hasFailed) => {
      ended = testDatabase.database.transact(this.#scope, async (tx) => {
        const made = await tx.newId('customer');
        const times = { createdAt: tx.now, updatedAt: tx.now, deletedAt: null };
        const profile = { name: null, emailAddress: null, phoneNumber: null, vatNumber: null };
        await insertCustomer(tx, {
          id: made,
          version: 1,
          ...profile,
          billingAddress: null,
          shippingAddress: null,
          ...times,
        });
        isWritten(made);
        await isReleased;
      });
      ended.catch(hasFailed);
    });
    const commit = (): Promise<void> => {
      release();
      return ended;
    };
    this.#writing.push({ id, commit });
  }

  async commit(which: number): Promise<void> {
    const [writing] = this.#writing.splice(which % Math.max(this.#writing.length, 1), 1);
    if (writing === undefined) return;
    await writing.commit();
    this.written.push(writing.id);
  }

  /** The next newer page, from the newest cursor that was given. */
  async poll(limit: number): Promise<Page<unknown>> {
    const page = await this.page('newer', this.#cursor, limit);
    this.readIds.push(...page.elements.map(({ id }) => id));
    this.#cursor = page.newer ?? this.#cursor;
    return page;
  }

  async end(): Promise<void> {
    while (this.#writing.length > 0) await this.commit(0);
    for (let page = await this.poll(100); page.newer !== null && page.elements.length > 0;) page = await this.poll(100);
  }
}

test('a reader that continues from its newest cursor receives every row, however late a transaction commits', async () => {
  const step = fc.oneof(
    fc.constant((listing: Listing) => listing.begin()),
    fc.nat(OPEN_MAX).map((which) => (listing: Listing) => listing.commit(which)),
    fc.integer({ min: 1, max: 3 }).map((limit) => (listing: Listing) => listing.poll(limit)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const listing = await Listing.open();
      for (const each of steps) await each(listing);
      await listing.end();
      expect([...new Set(listing.readIds)].sort()).toEqual([...listing.written].sort());
    }),
    { numRuns: 40 },
  );
});

test('a row that was begun first and committed last is received too, and no row twice on a page that is read to its end', async () => {
  const listing = await Listing.open();
  await listing.poll(100);
  await listing.begin();
  await listing.begin();
  await listing.begin();
  await listing.commit(1);
  await listing.commit(1);
  const before = listing.readIds.length;
  await listing.poll(1);
  expect((await listing.poll(1)).newer).toBeNull();
  await listing.commit(0);
  await listing.poll(100);
  expect(new Set(listing.readIds)).toEqual(new Set(listing.written));
  expect(listing.readIds.length - before).toBeLessThanOrEqual(4);
});

test('pages that end among late rows return each of them once, and no row again', async () => {
  const listing = await Listing.open();
  const before = listing.readIds.length;
  for (let count = 0; count < 5; count += 1) {
    await listing.begin();
    // Each in its own millisecond, so that they are listed in this order.
    await pause(2);
  }
  // The fourth and the fifth are committed first, and a page ends between them.
  await listing.commit(3);
  await listing.commit(3);
  await listing.poll(1);
  // Then the second and the third. The first is committed while these are returned, so it follows all of them.
  await listing.commit(1);
  await listing.commit(1);
  await listing.poll(1);
  await listing.commit(0);
  for (let page = 0; page < 3; page += 1) await listing.poll(1);
  const [fourth, fifth, second, third, first] = listing.written.slice(before);
  expect(listing.readIds.slice(before)).toEqual([fourth, second, third, fifth, first]);
});

test('a listing without writers is the same in both directions, each row once', async () => {
  const listing = await Listing.open();
  for (let count = 0; count < 5; count += 1) {
    await listing.begin();
    await listing.commit(0);
  }
  const walk = async (direction: Direction, from: Cursor | null) => {
    const pages: Page<{ readonly id: string }>[] = [];
    for (let cursor = from, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page = await listing.page(direction, cursor, 2);
      pages.push(page);
      cursor = direction === 'older' ? page.older : page.newer;
    }
    return pages;
  };
  const there = await walk('older', null);
  const whole = (await listing.page('older', null, 100)).elements.map(({ id }) => id);
  expect(there.flatMap(({ elements }) => elements.map(({ id }) => id))).toEqual(whole);
  const back = await walk('newer', there.at(-1)!.newer);
  const returned = [...back].reverse().flatMap(({ elements }) => elements.map(({ id }) => id));
  expect(returned).toEqual(whole.slice(0, -1));
});
