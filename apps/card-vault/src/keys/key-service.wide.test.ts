import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyCallMove, createAcquirerCall } from '@pos/core/acquirer-calls';
import { CertificateAuthority } from '@pos/service-kit/network';
import { defineInLongRun, isLongRun } from '@pos/testing';
import { commitIntent } from '@pos/payments/testing';
import { issueCustomerSecret } from '@pos/payments/customers';
import { CardVaultClient } from '@pos/payments/online';
import { buildDatabaseOptions } from '@pos/nest-modules';
import { readConfig } from '@pos/service-kit/config';
import { createLog } from '@pos/service-kit/telemetry';
import { findIntent, insertAcquirerCall, insertOnlineAttempt, lockIntent } from '@pos/store/payments';
import type { Database } from '@pos/store/database';
import { openDatabase } from '@pos/store/startup';
import { Config, readDatabaseOptions } from '../config/config.js';
import type { Payable } from '../testing/card-requests.js';
import { KeyServiceSimulator } from '../testing/key-service-simulator.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { CardNumberCipher } from '../vault/card-number-cipher.js';
import { rotateKeys } from '../vault/key-rotation.js';
import type { CardVaultServer } from '../vault-server.js';
import { createMasterKeys } from './create-master-keys.js';
import { createTestChannel } from '@pos/service-kit/testing';

const SAVE = { savePaymentMethod: true } as const;
/** One failure is in `npm test`, the others are in the long run. */
const FAULTS = isLongRun
  ? (['hangs', 'isSealed', 'dropsConnections', 'answersHtml'] as const)
  : (['isSealed'] as const);
/** The edges are in the long run. */
const testLong = defineInLongRun(test);
const silentLog = createLog({ app: 'test', level: 'error', write: () => undefined });

let testEnvironment: VaultTestEnvironment;
let keyService: KeyServiceSimulator;
let folder: string;
let tokenFile: string;
let database: Database;
let vault: CardVaultServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pos-keys-'));
  tokenFile = path.join(folder, 'token');
  keyService = await KeyServiceSimulator.open();
  writeFileSync(tokenFile, `${keyService.token}\n`);
  testEnvironment = await VaultTestEnvironment.open();
  vault = await testEnvironment.startAnother(serviceSettings());
  const config = readConfig(Config, testEnvironment.buildEnvironment());
  database = await openDatabase(buildDatabaseOptions(config, readDatabaseOptions(config)));
});
afterAll(async () => {
  await database.close();
  await testEnvironment.close();
  await keyService.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  keyService.fault = null;
});

/** The settings of a vault with the key service. An empty text counts as not set. */
function serviceSettings(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ...{ KEY_SERVICE_URL: keyService.url, KEY_SERVICE_TOKEN_PATH: tokenFile, KEY_SERVICE_TIMEOUT_MS: '500' },
    ...more,
  };
}

function createCipher(settings: Readonly<Record<string, string>>): CardNumberCipher {
  return new CardNumberCipher(
    createMasterKeys(readConfig(Config, testEnvironment.buildEnvironment(settings)), silentLog),
  );
}

/** The ids of the keys under which the numbers are stored. */
async function listKeyIds(): Promise<string[]> {
  const rows = await testEnvironment.queryRows<{ key_id: string }>(
    'select distinct key_id from vault.card_numbers order by key_id',
  );
  return rows.map(({ key_id }) => key_id);
}

async function createSavedPayable(at = vault): Promise<Payable> {
  const payable = await testEnvironment.createCustomerPayable();
  expect((await testEnvironment.payByCard(payable, SAVE, { at })).body['statusCode']).toBe(0);
  return payable;
}

/** A payment of the customer who has saved a card, and the request that pays it with that card. */
async function createNextPayment(saved: Payable, at = vault) {
  const { scope } = saved;
  const intent = await testEnvironment.database.read(scope, (reader) => findIntent(reader, saved.id));
  const { customer } = intent!.details;
  const payable = await testEnvironment.createPayable({
    generateRemoteToken: false,
    paymentMethods: ['Card', 'SavedCard'],
  });
  const { text: customerSecret } = await testEnvironment.database.transact(scope, async (tx) => {
    const locked = (await lockIntent(tx, payable.id))!;
    const changed = { ...locked.intent, details: { ...locked.intent.details, customer: customer! } };
    await commitIntent(tx, locked, { intent: changed, events: [], entries: [], webhookEvents: [], transactions: [] });
    return issueCustomerSecret(tx, customer!.customerId!);
  });
  const secret = await testEnvironment.refreshSecret(payable);
  const paymentMethodId = await testEnvironment.findCard(saved);
  const pay = () =>
    testEnvironment.postJson(
      '/client/payments/saved-card',
      { paymentMethodId, cV2: '020' },
      { secret, headers: { 'customer-secret': customerSecret }, at },
    );
  return { payable, pay };
}

/** A charge of a stored card that the merchant asks for: the attempt as an api inserts it, and the call of the vault. */
async function createCharge(saved: Payable, at = vault) {
  const { scope } = saved;
  const cardId = await testEnvironment.findCard(saved);
  const { id } = await testEnvironment.createPayable();
  const charge = await testEnvironment.database.transact(scope, async (tx) => {
    const reference = await tx.newUuid();
    const subject = { paymentIntentId: id, setupIntentId: null };
    const times = { secretExpireAt: tx.now, createdAt: tx.now };
    insertOnlineAttempt(tx, { reference, subject, secretHash: tx.hash(reference), cardId, contacts: null, ...times });
    const call = createAcquirerCall({
      ...{ reference, kind: 'Authorise', acquirer: 'default', merchantId: 'M-1', originalReference: null },
      ...{ paymentIntentId: id, terminalSessionId: null, amount: { value: 2_000, currencyCode: 'GBP' } },
      deadlineAt: tx.databaseNow,
    });
    await insertAcquirerCall(tx, applyCallMove(call, 'send'));
    return {
      ...{ scope, cardId, paymentIntentId: id, reference, amount: call.amount },
      ...{ isCapturing: true, isCustomerInitiated: false, deadlineMs: 10_000 },
    };
  });
  return async () => {
    const client = new CardVaultClient(
      at.internalGrpc,
      createTestChannel('api', { app: 'card-vault', address: at.internalGrpc }),
    );
    try {
      return (await client.charge(charge)).outcome;
    } finally {
      client.close();
    }
  };
}

const countAttempts = async (): Promise<number> => {
  const [row] = await testEnvironment.queryRows<{ count: number }>('select count(*)::int from online_attempts');
  return row!.count;
};

test('a number is sealed by one call, a charge needs one call, and a card that is not stored none', async () => {
  keyService.takeCalls();
  const saved = await createSavedPayable();
  expect(keyService.takeCalls()).toEqual(['encrypt']);
  expect(await listKeyIds()).toEqual(['key-service/card-numbers/v1']);
  const { payable, pay } = await createNextPayment(saved);
  const paid = await pay();
  expect([paid.status, paid.body['statusCode']]).toEqual([200, 0]);
  expect(await testEnvironment.readState(payable)).toBe('Captured Captured');
  expect(keyService.takeCalls()).toEqual(['decrypt']);
  expect(await (await createCharge(saved))()).toBe('approved');
  expect(keyService.takeCalls()).toEqual(['decrypt']);
  const once = await testEnvironment.createPayable();
  expect((await testEnvironment.payByCard(once, {}, { at: vault })).body['statusCode']).toBe(0);
  expect(keyService.takeCalls()).toEqual([]);
});

test.each(FAULTS)(
  'while the key service %s, what needs it is refused with 503 and nothing was done, and the rest is paid',
  async (fault) => {
    const at = await testEnvironment.startAnother(serviceSettings());
    const saved = await createSavedPayable(at);
    const toSave = await testEnvironment.createCustomerPayable();
    const next = await createNextPayment(saved, at);
    const charge = await createCharge(saved, at);
    const [attempts, calls] = [await countAttempts(), testEnvironment.outside.acquirer.books.listCalls().length];
    keyService.fault = fault;
    const refused = await testEnvironment.payByCard(toSave, SAVE, { at });
    expect([refused.status, refused.headers['retry-after'] !== undefined]).toEqual([503, true]);
    expect(refused.body['reason']).toBe('service_unavailable');
    expect((await next.pay()).status).toBe(503);
    // Whether the acquirer has the charge is for its inquiry to find out, as after every missing answer.
    expect(await charge()).toBe('unknown');
    expect(await countAttempts()).toBe(attempts);
    expect(testEnvironment.outside.acquirer.books.listCalls()).toHaveLength(calls);
    expect(await testEnvironment.listStored(toSave)).toEqual([]);
    const [plain, unsaved] = [await testEnvironment.createPayable(), await testEnvironment.createPayable()];
    expect((await testEnvironment.payByCard(plain, {}, { at })).body['statusCode']).toBe(0);
    // The payment has no customer, so the card is not stored although the payer asks for it.
    expect((await testEnvironment.payByCard(unsaved, SAVE, { at })).body['statusCode']).toBe(0);
    keyService.fault = null;
    // After a few missing answers the vault leaves the service alone for two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect((await testEnvironment.payByCard(toSave, SAVE, { at })).body['statusCode']).toBe(0);
    expect((await next.pay()).body['statusCode']).toBe(0);
    expect(await charge()).toBe('approved');
    expect(await testEnvironment.listStored(toSave)).toEqual(['Stored number']);
  },
);

test('a token that its agent has replaced is read again, and a refused one is reported without its text', async () => {
  const earlier = keyService.token;
  keyService.token = 'hvs.the-next-token-of-the-agent';
  const toSave = await testEnvironment.createCustomerPayable();
  expect((await testEnvironment.payByCard(toSave, SAVE, { at: vault })).status).toBe(503);
  writeFileSync(tokenFile, keyService.token);
  expect((await testEnvironment.payByCard(toSave, SAVE, { at: vault })).body['statusCode']).toBe(0);
  const log = testEnvironment.logLines.join('\n');
  expect(log).toMatch(/status 403.*key_service\.call_failed/);
  for (const secret of [earlier, keyService.token, ...keyService.plaintexts]) expect(log).not.toContain(secret);
});

test('numbers move from the settings to the key service, to its next version, and back, while payments continue', async () => {
  const before = await testEnvironment.createCustomerPayable();
  expect((await testEnvironment.payByCard(before, SAVE)).body['statusCode']).toBe(0);
  // First every process opens what the service will seal; the settings seal.
  const opening = await testEnvironment.startAnother(serviceSettings({ KEY_SERVICE_SEALS: 'false' }));
  await createSavedPayable(opening);
  expect(await listKeyIds()).toEqual(['first', 'key-service/card-numbers/v1']);
  const service = createCipher(serviceSettings());
  const [, moved] = await Promise.all([createSavedPayable(), rotateKeys(database, service)]);
  expect(moved).toBe(2);
  expect(await rotateKeys(database, service)).toBe(0);
  expect(await listKeyIds()).toEqual(['key-service/card-numbers/v1']);
  const withoutKeys = await testEnvironment.startAnother(serviceSettings({ VAULT_KEYS: '' }));
  expect((await (await createNextPayment(before, withoutKeys)).pay()).body['statusCode']).toBe(0);

  keyService.rotateKey('card-numbers');
  keyService.takeCalls();
  expect(await rotateKeys(database, service)).toBeGreaterThan(2);
  // No key of a number has left the service.
  expect(new Set(keyService.takeCalls())).toEqual(new Set(['keys', 'rewrap']));
  expect(await listKeyIds()).toEqual(['key-service/card-numbers/v2']);
  keyService.setMinDecryptionVersion('card-numbers', 2);
  expect((await (await createNextPayment(before)).pay()).body['statusCode']).toBe(0);

  keyService.createKey('next-name');
  await rotateKeys(database, createCipher(serviceSettings({ KEY_SERVICE_KEY: 'next-name' })));
  expect(await listKeyIds()).toEqual(['key-service/next-name/v1']);
  await rotateKeys(database, createCipher(serviceSettings({ KEY_SERVICE_SEALS: 'false' })));
  expect(await listKeyIds()).toEqual(['first']);
  const withoutService = await testEnvironment.startAnother();
  expect((await (await createNextPayment(before, withoutService)).pay()).body['statusCode']).toBe(0);
});

test('a rotation of numbers that another run or an erasure has changed meanwhile leaves them alone', async () => {
  await createSavedPayable();
  const counts = await Promise.all([1, 2, 3].map(() => rotateKeys(database, createCipher(serviceSettings()))));
  const [row] = await testEnvironment.queryRows<{ count: number }>('select count(*)::int from vault.card_numbers');
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(row!.count);
  expect(await rotateKeys(database, createCipher(serviceSettings()))).toBe(0);
});

test('the wrapped key of another row decrypts nothing', async () => {
  const cards = await Promise.all([createSavedPayable(), createSavedPayable()]);
  const [one, other] = await Promise.all(cards.map((card) => testEnvironment.findCard(card)));
  await testEnvironment.queryRows(
    `update vault.card_numbers set wrapped_key = (select wrapped_key from vault.card_numbers where card_id = $1)
     where card_id = $2 returning card_id`,
    [one, other],
  );
  expect(await (await createCharge(cards[1]))()).toBe('unknown');
  expect((await (await createNextPayment(cards[1])).pay()).status).toBe(500);
  await testEnvironment.queryRows('delete from vault.card_numbers where card_id = $1 returning card_id', [other]);
});

testLong(
  'a vault does not start with a key that the service lacks, or that has other bytes; without an answer it starts',
  async () => {
    await createSavedPayable();
    const start = (more: Readonly<Record<string, string>>) => testEnvironment.startAnother(serviceSettings(more));
    await expect(start({ KEY_SERVICE_KEY: 'misspelt' })).rejects.toThrow('KEY_SERVICE_KEY: the key service has no key');
    await expect(start({ KEY_SERVICE_TOKEN_PATH: '' })).rejects.toThrow('KEY_SERVICE_TOKEN_PATH: is not set');
    await expect(start({ KEY_SERVICE_TOKEN_PATH: path.join(folder, 'none') })).rejects.toThrow(/cannot be read/);
    await expect(start({ VAULT_KEYS: '', KEY_SERVICE_SEALS: 'false' })).rejects.toThrow('so nothing seals');
    await expect(testEnvironment.startAnother({ VAULT_KEYS: '' })).rejects.toThrow('VAULT_KEYS: is not set');
    const other = await KeyServiceSimulator.open();
    other.token = keyService.token;
    await expect(start({ KEY_SERVICE_URL: other.url })).rejects.toThrow(
      /lacks key-service\/card-numbers\/v\d, or has other bytes under the id, and stored cards need it/,
    );
    await other.close();
    const unanswered = await start({ KEY_SERVICE_URL: 'http://127.0.0.1:1' });
    const once = await testEnvironment.createPayable();
    expect((await testEnvironment.payByCard(once, {}, { at: unanswered })).body['statusCode']).toBe(0);
    expect(testEnvironment.logLines.some((line) => line.includes('vault.numbers_unchecked'))).toBe(true);
  },
);

test('a key service whose certificate no known authority has signed gets no token', async () => {
  const [authority, stranger] = await Promise.all([
    CertificateAuthority.create('Test CA'),
    CertificateAuthority.create('Other CA'),
  ]);
  const secured = await KeyServiceSimulator.open(
    await authority.issue({ names: ['openbao'], addresses: ['127.0.0.1'] }),
  );
  writeFileSync(tokenFile, secured.token);
  const files = [authority, stranger].map(({ cert }, index) => {
    const file = path.join(folder, `ca-${index}`);
    writeFileSync(file, cert);
    return file;
  });
  const ciphers = files.map((file) =>
    createCipher(serviceSettings({ KEY_SERVICE_URL: secured.url, KEY_SERVICE_CA_FILE: file })),
  );
  expect(await ciphers[0]!.findCurrentKeyId()).toBe('key-service/card-numbers/v1');
  secured.takeCalls();
  await expect(ciphers[1]!.findCurrentKeyId()).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(secured.calls).toEqual([]);
  for (const cipher of ciphers) cipher.close();
  await secured.close();
  writeFileSync(tokenFile, keyService.token);
});
