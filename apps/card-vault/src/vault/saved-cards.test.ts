import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CardNumber } from '@pos/core/cards';
import { readConfig } from '@pos/service-kit/config';
import { findCardNumber, findSavedCard, lockSavedCard } from '@pos/store/payments';
import { eraseCard } from '@pos/payments/customers';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import type { CardVaultServer } from '../vault-server.js';
import { Config, readDatabaseOptions } from '../config/config.js';
import { buildDatabaseOptions } from '@pos/nest-modules';
import { createMasterKeys } from '../keys/create-master-keys.js';
import { createLog } from '@pos/service-kit/telemetry';
import { CardNumberCipher } from './card-number-cipher.js';
import { APPROVED_CARD, VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { createMasterKey, type Payable } from '../testing/card-requests.js';
import { rotateKeys } from './key-rotation.js';

let testEnvironment: VaultTestEnvironment;
let shortDeadlineVault: CardVaultServer;
let database: Database;

const SAVE = { savePaymentMethod: true } as const;
const MINUTE = 60_000;
const ATTEMPTS_MAX = 1_000;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  shortDeadlineVault = await testEnvironment.startWithShortDeadline();
  const config = readConfig(Config, testEnvironment.buildEnvironment());
  database = await openDatabase(buildDatabaseOptions(config, readDatabaseOptions(config)));
});
afterAll(async () => {
  await database.close();
  await testEnvironment.close();
});
beforeEach(() => testEnvironment.setRules());

const silentLog = createLog({ app: 'test', level: 'error', write: () => undefined });

/** The cipher of a process with these settings. */
function createCipher(settings: Readonly<Record<string, string>> = {}): CardNumberCipher {
  return new CardNumberCipher(
    createMasterKeys(readConfig(Config, testEnvironment.buildEnvironment(settings)), silentLog),
  );
}

/** Waits until a running vault has deleted the number. */
async function expectErased(payable: Payable): Promise<void> {
  let stored: string[] = [];
  for (let look = 0; look < ATTEMPTS_MAX && stored[0] !== 'Erased none'; look += 1) {
    stored = await testEnvironment.listStored(payable);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(stored).toEqual(['Erased none']);
}

describe('a card that has expired', () => {
  const now = () => new Date();
  const thisMonth = (): string => `${String(now().getUTCMonth() + 1).padStart(2, '0')}/${now().getUTCFullYear() % 100}`;

  test('is erased from the vault once its last month is over, and not before', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    expect((await testEnvironment.payByCard(payable, { ...SAVE, expiryDate: thisMonth() })).body['statusCode']).toBe(0);
    const end = Date.UTC(now().getUTCFullYear(), now().getUTCMonth() + 1, 1);
    await testEnvironment.advanceTime(end - Date.now() - 60_000);
    expect(await testEnvironment.listStored(payable)).toEqual(['Stored number']);
    await testEnvironment.advanceTime(120_000);
    await expectErased(payable);
  });

  test('that its customer has deleted before has no expiry timer any more', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    await testEnvironment.payByCard(payable, SAVE);
    const cardId = await testEnvironment.findCard(payable);
    const deadlines = () =>
      testEnvironment.queryRows(`select subject as id from timers where kind = 'card-expiry' and subject = $1`, [
        cardId,
      ]);
    expect(await deadlines()).toHaveLength(1);
    await testEnvironment.database.transact(payable.scope, async (tx) => {
      eraseCard(tx, (await lockSavedCard(tx, cardId))!);
    });
    await expectErased(payable);
    expect(await deadlines()).toEqual([]);
  });
});

describe('the save box', () => {
  test('keeps the card of an approved payment of a customer', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    expect((await testEnvironment.payByCard(payable, SAVE)).body['statusCode']).toBe(0);
    expect(await testEnvironment.listStored(payable)).toEqual(['Stored number']);
    const cardId = await testEnvironment.findCard(payable);
    const card = await testEnvironment.database.read(payable.scope, (reader) => findSavedCard(reader, cardId));
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
    const view = await testEnvironment.database.read(payable.scope, (reader) =>
      testEnvironment.intents.get(reader, payable.id, { returnCanceled: false }),
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
    const payable = await testEnvironment.createCustomerPayable();
    await testEnvironment.payByCard(payable, { ...card, ...SAVE });
    // The number is unreadable from here on. A later pass of the vault deletes it.
    expect(await testEnvironment.listStored(payable)).toEqual([expect.stringMatching(/^Erased/)]);
    await expectErased(payable);
  });

  test.each([
    ['is not ticked', {}, true],
    ['is ticked for a payment without a customer', SAVE, false],
  ])('that %s stores nothing', async (_, more, isNamed) => {
    const payable = isNamed ? await testEnvironment.createCustomerPayable() : await testEnvironment.createPayable();
    await testEnvironment.payByCard(payable, more);
    expect(await testEnvironment.listStored(payable)).toEqual([]);
  });

  test('waits for the challenge', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    const { body } = await testEnvironment.payByCard(payable, { cardNumber: '4456530000001096', ...SAVE });
    expect(await testEnvironment.listStored(payable)).toEqual(['Pending number']);
    await testEnvironment.completeChallenge(payable, body['transactionId'], { paRes: 'N' });
    await expectErased(payable);
  });

  test('keeps the card when the challenge is passed', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    const { body } = await testEnvironment.payByCard(payable, { cardNumber: '4456530000001096', ...SAVE });
    expect(await testEnvironment.listStored(payable)).toEqual(['Pending number']);
    await testEnvironment.completeChallenge(payable, body['transactionId']);
    expect(await testEnvironment.listStored(payable)).toEqual(['Stored number']);
  });

  test('is settled by the worker, which cannot read the number: a late approval keeps the card', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    await testEnvironment.payByCard(payable, { cardNumber: '4456530000091055', ...SAVE }, { at: shortDeadlineVault });
    expect(await testEnvironment.listStored(payable)).toEqual(['Pending number']);
    await testEnvironment.advanceTime(21_000);
    expect(await testEnvironment.listStored(payable)).toEqual(['Stored number']);
  });

  test('and the card of a reversed attempt is erased by the vault', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    testEnvironment.setRules({ match: { kind: 'Authorise' }, effect: 'down', times: 1 });
    await testEnvironment.payByCard(payable, SAVE, { at: shortDeadlineVault });
    await testEnvironment.advanceTime(2 * MINUTE);
    expect(await testEnvironment.listStored(payable)).toEqual([expect.stringMatching(/^Erased/)]);
    await expectErased(payable);
  });
});

describe('the safe', () => {
  const safe = () => createCipher();

  test('decrypts a number for its own row and for no other', async () => {
    const payable = await testEnvironment.createCustomerPayable();
    await testEnvironment.payByCard(payable, SAVE);
    const cardId = await testEnvironment.findCard(payable);
    const { scope } = payable;
    const sealed = (await database.read(scope, (reader) => findCardNumber(reader, cardId)))!;
    expect((await safe().open({ scope, cardId }, sealed)).reveal()).toBe(APPROVED_CARD);
    const others = [
      { scope, cardId: await testEnvironment.findCard(await createSavedPayable()) },
      { scope: { ...scope, environment: 'production' }, cardId },
      { scope: testEnvironment.production, cardId },
    ] as const;
    for (const place of others) await expect(safe().open(place, sealed)).rejects.toThrow();
    const flipped = Buffer.from(sealed.ciphertext);
    flipped.writeUInt8(flipped.readUInt8(30) ^ 1, 30);
    await expect(safe().open({ scope, cardId }, { ...sealed, ciphertext: flipped })).rejects.toThrow();
    // Swapped bytes are refused: a wrapped key is never accepted as a number.
    await expect(safe().open({ scope, cardId }, { ...sealed, ciphertext: sealed.wrappedKey })).rejects.toThrow();
  });

  test('encrypts the same number differently each time', async () => {
    const place = { scope: testEnvironment.sandbox, cardId: 'pm_AAAAAAAAAAAAAAAAAAAAAA' } as const;
    const number = CardNumber.read(APPROVED_CARD)!;
    const seal = async () => safe().seal(place, number, await safe().createDataKey());
    const [first, second] = [await seal(), await seal()];
    expect(first.ciphertext.equals(second.ciphertext)).toBe(false);
    expect(first.wrappedKey.equals(second.wrappedKey)).toBe(false);
  });
});

test('a new master key replaces the old one while payments continue', async () => {
  const earlier = await createSavedPayable();
  const both = { VAULT_KEYS: `${createMasterKey('second', 2)},${createMasterKey('first', 1)}` };
  const safe = createCipher(both);
  const [, running] = await Promise.all([
    Promise.all([createSavedPayable(), createSavedPayable()]),
    Promise.all([rotateKeys(database, safe), rotateKeys(database, safe)]),
  ]);
  // Running processes may still seal with the old key, so the rotation runs again after the last of them.
  const rest = await rotateKeys(database, safe);
  expect(running.reduce((sum, count) => sum + count, rest)).toBeGreaterThan(2);
  expect(await rotateKeys(database, safe)).toBe(0);
  const cardId = await testEnvironment.findCard(earlier);
  const sealed = (await database.read(earlier.scope, (reader) => findCardNumber(reader, cardId)))!;
  const onlyNew = createCipher({ VAULT_KEYS: createMasterKey('second', 2) });
  expect((await onlyNew.open({ scope: earlier.scope, cardId }, sealed)).reveal()).toBe(APPROVED_CARD);
  await expect(createCipher().open({ scope: earlier.scope, cardId }, sealed)).rejects.toThrow(/second/);
  await expect(testEnvironment.startAnother({ VAULT_KEYS: createMasterKey('third', 3) })).rejects.toThrow(
    /lacks second/,
  );
});

test.each([
  ['nothing', ''],
  ['a key of 31 bytes', `a:${Buffer.alloc(31).toString('base64')}`],
  ['an id twice', `${createMasterKey('a', 1)},${createMasterKey('a', 2)}`],
  ['no id', Buffer.alloc(32).toString('base64')],
])('a vault does not start with %s for its keys, and never reveals them', (_, VAULT_KEYS) => {
  const reading = Config.safeParse(testEnvironment.buildEnvironment({ VAULT_KEYS }));
  expect(reading.success).toBe(false);
  if (VAULT_KEYS !== '') expect(reading.error!.message).not.toContain(VAULT_KEYS);
});

async function createSavedPayable() {
  const payable = await testEnvironment.createCustomerPayable();
  expect((await testEnvironment.payByCard(payable, SAVE)).body['statusCode']).toBe(0);
  return payable;
}
