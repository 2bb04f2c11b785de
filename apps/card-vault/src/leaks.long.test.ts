import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CardNumber, Cv2 } from '@pos/core/cards';
import { VaultTestEnvironment } from './testing/vault-test-environment.js';

let testEnvironment: VaultTestEnvironment;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

const SAVE = { savePaymentMethod: true } as const;
const CV2 = '8317';
/** Four digits occur by chance, so the search is for a CV2 as it would be written: alone, as a member, in a message. */
const CV2_FORMS = [`"${CV2}"`, `'${CV2}'`, `=${CV2}&`, `cV2=${CV2}`, `cV2":${CV2}`, `"\x04${CV2}`].map((form) =>
  Buffer.from(form),
);
const NUMBERS = ['4456530000091014', '4456530000001096', '4242424242424242', '4456530000091055', '5200000000091014'];
/** A number with a wrong check digit, which is refused. */
const WRONG = '4456530000777777';

/** Every form in which a defect could write a number. */
function listForms(number: string): Buffer[] {
  const groups = number.match(/.{4}/g) ?? [];
  const texts = [number, groups.join(' '), groups.join('-')];
  // In a base64 text a number begins at one of three offsets; its first and last characters depend on its neighbours.
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + number)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const numeric = Buffer.from(number, 'hex');
  return [...[...texts, ...shifted].map((text) => Buffer.from(text)), Buffer.from(number, 'utf16le'), numeric];
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Skips a file that was deleted meanwhile, for example with another suite's database. */
function readIfPresent(file: string): { readonly file: string; readonly bytes: Buffer }[] {
  try {
    return [{ file, bytes: readFileSync(file) }];
  } catch (error) {
    // Errors of the file system come from another realm, so `instanceof Error` is false.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function runAllScenarios(): Promise<void> {
  const key = await testEnvironment.createKey();
  for (const cardNumber of NUMBERS) {
    await setUpAndStoreCard(cardNumber, key);
    const payable = await testEnvironment.createCustomerPayable();
    const { body } = await testEnvironment.payByCard(payable, { cardNumber, cV2: '020', ...SAVE });
    if (body['statusCode'] === 3) await testEnvironment.completeChallenge(payable, body['transactionId']);
    const repeated = await testEnvironment.createCustomerPayable();
    await testEnvironment.payByCard(repeated, { cardNumber, cV2: CV2, ...SAVE });
    await testEnvironment.payByCard(repeated, { cardNumber: WRONG, cV2: CV2 });
    await testEnvironment.payByCard({ secret: 'no secret' }, { cardNumber, cV2: CV2 });
    await testEnvironment.postJson('/client/device-data', { cardNumber }, await testEnvironment.createPayable());
    await testEnvironment.postJson('/client/payments', `{"cardNumber": "${cardNumber}", "cV2": "${CV2}"`, repeated);
    const wallet = await testEnvironment.createPayable({ paymentMethods: ['Wallet'] });
    const token = Buffer.from(JSON.stringify({ cardNumber, expiryDate: '12/32', cV2: '020' })).toString('base64url');
    await testEnvironment.postJson('/client/payments/wallet', { wallet: 'APPLE_PAY', token }, wallet);
    await testEnvironment.postJson('/client/payments/wallet', { wallet: 'APPLE_PAY', token: `${token}x` }, wallet);
  }
  await testEnvironment.advanceTime(30_000);
}

/** Sets up cards by payers and by merchants, also with idempotency keys, and pays with a saved card. */
async function setUpAndStoreCard(cardNumber: string, key: string): Promise<void> {
  const setup = await testEnvironment.createSetup();
  await testEnvironment.payByCard(setup, { cardNumber, cV2: CV2, mitConsentGiven: true });
  await testEnvironment.payByCard(
    { secret: await testEnvironment.refreshSetup(setup) },
    { cardNumber, cV2: '020', mitConsentGiven: true },
  );
  const body = { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' };
  const headers = {
    version: '2026-02-27',
    authorization: `Basic ${key}`,
    idempotencyKey: `k ${cardNumber.slice(-4)}`.replace(' ', '-'),
  };
  for (const number of [cardNumber, cardNumber, WRONG]) {
    const card = { cardNumber: number, cardName: 'A', expiryDate: '12/32', cv2: CV2 };
    await testEnvironment.postJson('/setup-intents', { ...body, card }, { headers });
    await testEnvironment.postJson('/setup-intents', { ...body, CARD: { ...card, cvv: CV2 } }, { headers });
  }
  const secrets = {
    'client-session-secret': (await testEnvironment.createCustomerPayable()).secret,
    'customer-secret': 'cs',
  };
  await testEnvironment.postJson(
    '/client/payments/saved-card',
    { paymentMethodId: cardNumber, cV2: CV2 },
    { headers: secrets },
  );
}

test('no log line, database file or write-ahead log contains a number or a CV2', async () => {
  await runAllScenarios();
  const stored = await testEnvironment.queryRows<{ count: number }>(
    'select count(*)::int as count from vault.card_numbers',
  );
  expect(stored[0]!.count).toBeGreaterThan(0);
  const forms = [...NUMBERS, WRONG].flatMap(listForms);
  const lines = testEnvironment.logLines.join('\n');
  expect(testEnvironment.logLines.length).toBeGreaterThan(NUMBERS.length * 5);
  expect(forms.filter((form) => lines.includes(form.toString('latin1')))).toEqual([]);
  expect(lines).not.toMatch(new RegExp(`(?<![0-9a-z_.-])${CV2}(?![0-9a-z_.-])`, 'i'));

  const [place] = await testEnvironment.queryRows<{ folder: string }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  );
  await testEnvironment.checkpoint();
  const files = listFiles(path.dirname(place!.folder)).flatMap(readIfPresent);
  const sought = [...forms, ...CV2_FORMS];
  const found = files.flatMap(({ file, bytes }) => sought.filter((form) => bytes.includes(form)).map(() => file));
  expect(found).toEqual([]);
  // Proves that the search works: the masked numbers are found in relations and in the write-ahead log.
  const masked = files.filter(({ bytes }) => bytes.includes('44565300****1014')).map(({ file }) => file);
  expect(masked.some((file) => file.includes('pg_wal'))).toBe(true);
  expect(masked.some((file) => file.includes('base'))).toBe(true);
});

test.each([
  ['a number', CardNumber.read('4456530000091014')!, '[card number]', '4456530000091014'],
  ['a CV2', Cv2.read('020')!, '[cv2]', '020'],
])('%s is printed only by `reveal`', (_, hidden, visible, clear) => {
  const ways = [
    [hidden].join(''),
    String(hidden),
    JSON.stringify({ hidden }),
    inspect(hidden),
    inspect({ deep: { hidden } }, { showHidden: true, depth: 9 }),
    JSON.stringify(Object.entries(hidden)),
    new Error('with '.concat(String(hidden))).message,
  ];
  expect(ways.filter((way) => way.includes(clear))).toEqual([]);
  expect([ways[0], ways[3]]).toEqual([visible, visible]);
  expect(hidden.reveal()).toBe(clear);
});
