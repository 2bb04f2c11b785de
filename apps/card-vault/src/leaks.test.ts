import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CardNumber, Cv2 } from '@pos/core/card-number';
import { VaultWorld } from './testing.js';

let world: VaultWorld;

beforeAll(async () => {
  world = await VaultWorld.open();
});
afterAll(() => world.close());

const SAVE = { savePaymentMethod: true } as const;
const CV2 = '8317';
/** Four digits turn up anywhere by chance, so a CV2 is looked for as it would be written: alone, as a member, in a message. */
const CV2_FORMS = [`"${CV2}"`, `'${CV2}'`, `=${CV2}&`, `cV2=${CV2}`, `cV2":${CV2}`, `"\x04${CV2}`].map((form) =>
  Buffer.from(form),
);
const NUMBERS = ['4456530000091014', '4456530000001096', '4242424242424242', '4456530000091055', '5200000000091014'];
/** Refused for its check digit, and typed with blanks. */
const WRONG = '4456530000777777';

/** Every form in which a number could have been written down by mistake. */
function formsOf(number: string): Buffer[] {
  const groups = number.match(/.{4}/g) ?? [];
  const texts = [number, groups.join(' '), groups.join('-')];
  // Inside a longer base64 text a number begins at one of three places; the first and last signs depend on its neighbours.
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + number)
      .toString('base64')
      .slice(shift === 0 ? 0 : 4, -4),
  );
  const numeric = Buffer.from(number, 'hex');
  return [...[...texts, ...shifted].map((text) => Buffer.from(text)), Buffer.from(number, 'utf16le'), numeric];
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** A file that is gone by now, of another suite's database for one, holds nothing. */
function read(file: string): { readonly file: string; readonly bytes: Buffer }[] {
  try {
    return [{ file, bytes: readFileSync(file) }];
  } catch (error) {
    // An error of the file system is none of this realm's `Error`.
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function liveThroughEverything(): Promise<void> {
  const key = await world.key();
  for (const cardNumber of NUMBERS) {
    await setUpAndSave(cardNumber, key);
    const payable = await world.payableByCustomer();
    const { body } = await world.pay(payable, { cardNumber, cV2: '020', ...SAVE });
    if (body['statusCode'] === 3) await world.complete(payable, body['transactionId']);
    const again = await world.payableByCustomer();
    await world.pay(again, { cardNumber, cV2: CV2, ...SAVE });
    await world.pay(again, { cardNumber: WRONG, cV2: CV2 });
    await world.pay({ secret: 'no secret' }, { cardNumber, cV2: CV2 });
    await world.post('/client/device-data', { cardNumber }, await world.payable());
    await world.post('/client/payments', `{"cardNumber": "${cardNumber}", "cV2": "${CV2}"`, again);
    const wallet = await world.payable({ paymentMethods: ['Wallet'] });
    const token = Buffer.from(JSON.stringify({ cardNumber, expiryDate: '12/32', cV2: '020' })).toString('base64url');
    await world.post('/client/payments/wallet', { wallet: 'APPLE_PAY', token }, wallet);
    await world.post('/client/payments/wallet', { wallet: 'APPLE_PAY', token: `${token}x` }, wallet);
  }
  await world.elapse(30_000);
}

/** Cards that are set up, by payers and by merchants, under keys too, and one that is paid with again. */
async function setUpAndSave(cardNumber: string, key: string): Promise<void> {
  const setup = await world.setup();
  await world.pay(setup, { cardNumber, cV2: CV2, mitConsentGiven: true });
  await world.pay({ secret: await world.refreshSetup(setup) }, { cardNumber, cV2: '020', mitConsentGiven: true });
  const body = { reference: 'r', terms: 't', merchantInitiatedTransactionType: 'NoShow' };
  const headers = {
    version: '2026-02-27',
    authorization: `Basic ${key}`,
    idempotencyKey: `k ${cardNumber.slice(-4)}`.replace(' ', '-'),
  };
  for (const number of [cardNumber, cardNumber, WRONG]) {
    const card = { cardNumber: number, cardName: 'A', expiryDate: '12/32', cv2: CV2 };
    await world.post('/setup-intents', { ...body, card }, { headers });
    await world.post('/setup-intents', { ...body, CARD: { ...card, cvv: CV2 } }, { headers });
  }
  const secrets = { 'client-session-secret': (await world.payableByCustomer()).secret, 'customer-secret': 'cs' };
  await world.post('/client/payments/saved-card', { paymentMethodId: cardNumber, cV2: CV2 }, { headers: secrets });
}

test('no number and no CV2 is in a log line, in a file of the database, or in its log, whatever happened', async () => {
  await liveThroughEverything();
  const kept = await world.look<{ count: number }>('select count(*)::int as count from vault.card_numbers');
  expect(kept[0]!.count).toBeGreaterThan(0);
  const forms = [...NUMBERS, WRONG].flatMap(formsOf);
  const lines = world.lines.join('\n');
  expect(world.lines.length).toBeGreaterThan(NUMBERS.length * 5);
  expect(forms.filter((form) => lines.includes(form.toString('latin1')))).toEqual([]);
  expect(lines).not.toMatch(new RegExp(`(?<![0-9a-z_.-])${CV2}(?![0-9a-z_.-])`, 'i'));

  const [place] = await world.look<{ folder: string }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  );
  await world.checkpoint();
  const files = filesUnder(path.dirname(place!.folder)).flatMap(read);
  const sought = [...forms, ...CV2_FORMS];
  const found = files.flatMap(({ file, bytes }) => sought.filter((form) => bytes.includes(form)).map(() => file));
  expect(found).toEqual([]);
  // What is looked for would be found: the masked numbers are there, in tables and in the log of changes.
  const masked = files.filter(({ bytes }) => bytes.includes('44565300****1014')).map(({ file }) => file);
  expect(masked.some((file) => file.includes('pg_wal'))).toBe(true);
  expect(masked.some((file) => file.includes('base'))).toBe(true);
});

test.each([
  ['a number', CardNumber.read('4456530000091014')!, '[card number]', '4456530000091014'],
  ['a CV2', Cv2.read('020')!, '[cv2]', '020'],
])('%s is not shown in any way but by asking for it', (_, hidden, shown, clear) => {
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
  expect([ways[0], ways[3]]).toEqual([shown, shown]);
  expect(hidden.reveal()).toBe(clear);
});
