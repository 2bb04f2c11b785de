import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CardNumber } from '@pos/core/card-number';
import { readConfig } from '@pos/service-kit/config';
import { findCardNumber } from '@pos/store/card-numbers';
import { eraseCard } from '@pos/payments/saved-cards';
import { type Database, openDatabase } from '@pos/store/database';
import { findSavedCard, lockSavedCard } from '@pos/store/saved-cards';
import type { RunningVault } from '../boot.js';
import { Config } from '../config.js';
import { safeOf, vaultDatabaseOptions } from '../boot.js';
import { APPROVED_CARD, masterKey, type Payable, VaultWorld } from '../testing.js';
import { rotateKeys } from './rotation.js';

let world: VaultWorld;
let hasty: RunningVault;
let database: Database;

const SAVE = { savePaymentMethod: true } as const;
const MINUTE = 60_000;
const LOOKS_MAX = 1_000;

beforeAll(async () => {
  world = await VaultWorld.open();
  hasty = await world.hasty();
  database = await openDatabase(vaultDatabaseOptions(readConfig(Config, world.env())));
});
afterAll(async () => {
  await database.close();
  await world.close();
});
beforeEach(() => world.rule());

/** The running vaults find out by themselves that a number is to go. */
async function expectGone(payable: Payable): Promise<void> {
  let kept: string[] = [];
  for (let look = 0; look < LOOKS_MAX && kept[0] !== 'Erased none'; look += 1) {
    kept = await world.kept(payable);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(kept).toEqual(['Erased none']);
}

describe('a card that has expired', () => {
  const now = () => new Date();
  const thisMonth = (): string => `${String(now().getUTCMonth() + 1).padStart(2, '0')}/${now().getUTCFullYear() % 100}`;

  test('is erased from the vault once its last month is over, and not before', async () => {
    const payable = await world.payableByCustomer();
    expect((await world.pay(payable, { ...SAVE, expiryDate: thisMonth() })).body['statusCode']).toBe(0);
    const end = Date.UTC(now().getUTCFullYear(), now().getUTCMonth() + 1, 1);
    await world.elapse(end - Date.now() - 60_000);
    expect(await world.kept(payable)).toEqual(['Stored number']);
    await world.elapse(120_000);
    await expectGone(payable);
  });

  test('that its customer has removed before has no deadline any more', async () => {
    const payable = await world.payableByCustomer();
    await world.pay(payable, SAVE);
    const cardId = await world.cardOf(payable);
    const deadlines = () =>
      world.look(`select subject as id from timers where kind = 'card-expiry' and subject = $1`, [cardId]);
    expect(await deadlines()).toHaveLength(1);
    await world.database.transact(payable.scope, async (tx) => {
      eraseCard(tx, (await lockSavedCard(tx, cardId))!);
    });
    await expectGone(payable);
    expect(await deadlines()).toEqual([]);
  });
});

describe('the save box', () => {
  test('keeps the card of an approved payment of a customer', async () => {
    const payable = await world.payableByCustomer();
    expect((await world.pay(payable, SAVE)).body['statusCode']).toBe(0);
    expect(await world.kept(payable)).toEqual(['Stored number']);
    const cardId = await world.cardOf(payable);
    const card = await world.database.read(payable.scope, (reader) => findSavedCard(reader, cardId));
    expect(card).toMatchObject({
      maskedNumber: '44565300****1014',
      last4: '1014',
      scheme: 'VISA',
      fundingType: 'Debit',
      expiryMonth: 12,
      expiryYear: 2032,
      cardholderName: 'A GUEST',
      customerId: expect.stringMatching(/^cust_sandbox_/),
    });
    expect(card!.storedAt).not.toBeNull();
    const view = await world.database.read(payable.scope, (reader) =>
      world.intents.get(reader, payable.id, { returnCanceled: false }),
    );
    expect([view.intent.paymentDetails?.paymentMethodId, view.events[0]?.details.paymentMethodId]).toEqual([
      cardId,
      cardId,
    ]);
  });

  test.each([
    ['is declined', { cardNumber: '4456530000001013', cV2: '341' }],
    ['fails', { cardNumber: '4456530000091030' }],
    ['is referred', { cardNumber: '4456530000091022' }],
    ['is made with a card that is no test card', { cardNumber: '4242424242424242' }],
  ])('erases the card of a payment that %s', async (_, card) => {
    const payable = await world.payableByCustomer();
    await world.pay(payable, { ...card, ...SAVE });
    // Nobody may read the number from here on; that it goes is a matter of the next look.
    expect(await world.kept(payable)).toEqual([expect.stringMatching(/^Erased/)]);
    await expectGone(payable);
  });

  test.each([
    ['is not ticked', {}, true],
    ['is ticked by somebody whom the payment does not name', SAVE, false],
  ])('that %s keeps nothing', async (_, more, isNamed) => {
    const payable = isNamed ? await world.payableByCustomer() : await world.payable();
    await world.pay(payable, more);
    expect(await world.kept(payable)).toEqual([]);
  });

  test('waits for the challenge', async () => {
    const payable = await world.payableByCustomer();
    const { body } = await world.pay(payable, { cardNumber: '4456530000001096', ...SAVE });
    expect(await world.kept(payable)).toEqual(['Pending number']);
    await world.complete(payable, body['transactionId'], { paRes: 'N' });
    await expectGone(payable);
  });

  test('keeps the card when the challenge is passed', async () => {
    const payable = await world.payableByCustomer();
    const { body } = await world.pay(payable, { cardNumber: '4456530000001096', ...SAVE });
    expect(await world.kept(payable)).toEqual(['Pending number']);
    await world.complete(payable, body['transactionId']);
    expect(await world.kept(payable)).toEqual(['Stored number']);
  });

  test('is settled by the worker too, who cannot see the number: a late approval keeps the card', async () => {
    const payable = await world.payableByCustomer();
    await world.pay(payable, { cardNumber: '4456530000091055', ...SAVE }, { at: hasty });
    expect(await world.kept(payable)).toEqual(['Pending number']);
    await world.elapse(21_000);
    expect(await world.kept(payable)).toEqual(['Stored number']);
  });

  test('and what the worker undoes is erased, by the process that sees it', async () => {
    const payable = await world.payableByCustomer();
    world.rule({ match: { kind: 'Authorise' }, effect: 'down', times: 1 });
    await world.pay(payable, SAVE, { at: hasty });
    await world.elapse(2 * MINUTE);
    expect(await world.kept(payable)).toEqual([expect.stringMatching(/^Erased/)]);
    await expectGone(payable);
  });
});

describe('the safe', () => {
  const safe = () => safeOf(readConfig(Config, world.env()));

  test('gives the number back to its own row and to no other', async () => {
    const payable = await world.payableByCustomer();
    await world.pay(payable, SAVE);
    const cardId = await world.cardOf(payable);
    const { scope } = payable;
    const sealed = (await database.read(scope, (reader) => findCardNumber(reader, cardId)))!;
    expect(safe().open({ scope, cardId }, sealed).reveal()).toBe(APPROVED_CARD);
    const others = [
      { scope, cardId: await world.cardOf(await saved()) },
      { scope: { ...scope, environment: 'production' }, cardId },
      { scope: world.production, cardId },
    ] as const;
    for (const place of others) expect(() => safe().open(place, sealed)).toThrow();
    const flipped = Buffer.from(sealed.ciphertext);
    flipped.writeUInt8(flipped.readUInt8(30) ^ 1, 30);
    expect(() => safe().open({ scope, cardId }, { ...sealed, ciphertext: flipped })).toThrow();
    // The wrapped key is no number, whoever swaps them.
    expect(() => safe().open({ scope, cardId }, { ...sealed, ciphertext: sealed.wrappedKey })).toThrow();
  });

  test('seals the same number differently each time', () => {
    const place = { scope: world.sandbox, cardId: 'pm_AAAAAAAAAAAAAAAAAAAAAA' } as const;
    const number = CardNumber.read(APPROVED_CARD)!;
    const [first, second] = [safe().seal(place, number), safe().seal(place, number)];
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
    expect(first.wrappedKey.equals(second.wrappedKey)).toBe(false);
  });
});

test('a new master key takes over while payments go on, and the old one is let go', async () => {
  const earlier = await saved();
  const both = { VAULT_KEYS: `${masterKey('second', 2)},${masterKey('first', 1)}` };
  const safe = safeOf(readConfig(Config, world.env(both)));
  const [, running] = await Promise.all([
    Promise.all([saved(), saved()]),
    Promise.all([rotateKeys(database, safe), rotateKeys(database, safe)]),
  ]);
  // Processes that still sealed under the old key are why it is run again when the last of them is gone.
  const rest = await rotateKeys(database, safe);
  expect(running.reduce((sum, count) => sum + count, rest)).toBeGreaterThan(2);
  expect(await rotateKeys(database, safe)).toBe(0);
  const cardId = await world.cardOf(earlier);
  const sealed = (await database.read(earlier.scope, (reader) => findCardNumber(reader, cardId)))!;
  const onlyNew = safeOf(readConfig(Config, world.env({ VAULT_KEYS: masterKey('second', 2) })));
  expect(onlyNew.open({ scope: earlier.scope, cardId }, sealed).reveal()).toBe(APPROVED_CARD);
  const onlyOld = safeOf(readConfig(Config, world.env()));
  expect(() => onlyOld.open({ scope: earlier.scope, cardId }, sealed)).toThrow(/second/);
  await expect(world.another({ VAULT_KEYS: masterKey('third', 3) })).rejects.toThrow(/lacks second/);
});

test.each([
  ['nothing', ''],
  ['a key of 31 bytes', `a:${Buffer.alloc(31).toString('base64')}`],
  ['an id twice', `${masterKey('a', 1)},${masterKey('a', 2)}`],
  ['no id', Buffer.alloc(32).toString('base64')],
])('a vault does not start with %s for its keys, and never shows them', (_, VAULT_KEYS) => {
  const reading = Config.safeParse(world.env({ VAULT_KEYS }));
  expect(reading.success).toBe(false);
  if (VAULT_KEYS !== '') expect(reading.error!.message).not.toContain(VAULT_KEYS);
});

async function saved() {
  const payable = await world.payableByCustomer();
  expect((await world.pay(payable, SAVE)).body['statusCode']).toBe(0);
  return payable;
}
