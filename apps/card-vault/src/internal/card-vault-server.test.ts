import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { applyCallMove, createAcquirerCall } from '@pos/core/acquirer-calls';
import type { PaymentMethodId, Scope } from '@pos/core/identity';
import { money } from '@pos/core/money';
import { Refusal } from '@pos/core/refusals';
import { CardVaultClient } from '@pos/payments/online';
import { countDropped, createTestChannel, hasIpv6, TEST_CONNECTIONS_MAX } from '@pos/service-kit/testing';
import type { ServiceApp } from '@pos/service-kit/internal';
import { findAcquirerCall, insertAcquirerCall, insertOnlineAttempt } from '@pos/store/payments';
import type { CardVaultServer } from '../vault-server.js';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { type Payable } from '../testing/card-requests.js';

const UNKNOWN_CARD = 'pm_AAAAAAAAAAAAAAAAAAAAAA';

let testEnvironment: VaultTestEnvironment;
let shortDeadlineVault: CardVaultServer;
let vault: CardVaultClient;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
  shortDeadlineVault = await testEnvironment.startAnother({ ACQUIRER_DEADLINE_MS: '500' });
  vault = createClient(shortDeadlineVault.internalGrpc);
});
afterAll(async () => {
  vault.close();
  await testEnvironment.close();
});
beforeEach(() => testEnvironment.setRules());

function createClient(address: string, caller: ServiceApp = 'api'): CardVaultClient {
  return new CardVaultClient(address, createTestChannel(caller, { app: 'card-vault', address }));
}

interface StoredPayable extends Payable {
  readonly cardId: PaymentMethodId;
}

async function createStoredPayable(cardNumber = '4456530000091014'): Promise<StoredPayable> {
  const payable = await testEnvironment.createCustomerPayable();
  await testEnvironment.payByCard(payable, { cardNumber, savePaymentMethod: true });
  return { ...payable, cardId: await testEnvironment.findCard(payable) };
}

/** Inserts the attempt's row on an intent of its own, as an api does before its call. */
async function createAttempt(
  { scope, cardId }: Pick<StoredPayable, 'scope' | 'cardId'>,
  value = 2_000,
): Promise<Charge> {
  const { id } = await testEnvironment.createPayable({ total: value });
  return testEnvironment.database.transact(scope, async (tx) => {
    const reference = await tx.newUuid();
    const subject = { paymentIntentId: id, setupIntentId: null };
    const secretHash = tx.hash(reference);
    const times = { secretExpireAt: tx.now, createdAt: tx.now };
    insertOnlineAttempt(tx, { reference, subject, secretHash, cardId, contacts: null, ...times });
    const call = createAcquirerCall({
      ...{
        reference,
        kind: 'Authorise',
        acquirer: 'default',
        merchantId: 'M-1',
        originalReference: null,
        paymentIntentId: id,
        terminalSessionId: null,
      },
      ...{ amount: money(value, 'GBP'), deadlineAt: tx.databaseNow },
    });
    await insertAcquirerCall(tx, applyCallMove(call, 'send'));
    return {
      ...{ scope, cardId, paymentIntentId: id, reference, amount: call.amount },
      ...{ isCapturing: true, isCustomerInitiated: false, deadlineMs: 10_000 },
    };
  });
}
type Charge = Parameters<CardVaultClient['charge']>[0];

async function readCode(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );
}

function readCardState(scope: Scope, cardId: PaymentMethodId): Promise<string> {
  return vault.describe(scope, cardId).then(({ state }) => state);
}

test('a stored card is described without its number', async () => {
  const card = await createStoredPayable();
  expect(await vault.describe(card.scope, card.cardId)).toEqual({
    state: 'Stored',
    maskedNumber: '44565300****1014',
    last4: '1014',
    scheme: 'VISA',
    expiryMonth: 12,
    expiryYear: 2032,
    cardholderName: 'A GUEST',
  });
});

describe('a charge', () => {
  test.each([
    ['4456530000091014', 2_000, 'approved', ['2000 Approved']],
    ['4456530000091071', 2_000, 'declined', ['2000 Declined']],
    ['4456530000091014', 2_093, 'failed', ['2093 Failed']],
  ])('of %s over %d is %s, and a repeat books nothing twice', async (cardNumber, value, outcome, booked) => {
    const card = await createStoredPayable(cardNumber);
    const charge = await createAttempt(card, value);
    const before = testEnvironment.outside.acquirer.books.listCalls().length;
    expect(await vault.charge(charge)).toMatchObject({ outcome });
    expect(await vault.charge(charge)).toMatchObject({ outcome });
    expect(testEnvironment.outside.acquirer.books.listCalls().length - before).toBe(1);
    expect(await testEnvironment.listBookings({ ...card, id: charge.paymentIntentId })).toEqual(booked);
    expect(await readCardState(card.scope, card.cardId)).toBe('Stored');
  });

  test('without an answer is unknown, and its attempt is settled by its reference', async () => {
    const card = await createStoredPayable();
    const charge = await createAttempt(card, 2_096);
    expect(await vault.charge({ ...charge, deadlineMs: 500 })).toMatchObject({ outcome: 'unknown' });
    expect(testEnvironment.outside.acquirer.inquire(charge.reference).outcome).toBe('InProgress');
  });

  test.each<[string, (card: StoredPayable, charge: Charge) => Promise<Charge> | Charge, string]>([
    ['no attempt', (_, charge) => ({ ...charge, reference: 'no reference' }), 'attempt_not_found'],
    [
      'an attempt with another card',
      async (_, charge) => ({ ...charge, cardId: (await createStoredPayable()).cardId }),
      'attempt_not_found',
    ],
    ['an unknown card', (_, charge) => ({ ...charge, cardId: UNKNOWN_CARD }), 'attempt_not_found'],
    ['another environment', (_, charge) => ({ ...charge, scope: testEnvironment.production }), 'attempt_not_found'],
    ['an erased card', async (card, charge) => (await eraseStoredCard(card), charge), 'saved_card_not_usable'],
  ])('with %s is refused', async (_, spoil, code) => {
    const card = await createStoredPayable();
    const charge = await spoil(card, await createAttempt(card));
    expect(await readCode(vault.charge(charge))).toBe(code);
  });

  test('with another amount than the attempt’s books nothing', async () => {
    const card = await createStoredPayable();
    const charge = await createAttempt(card);
    expect(await vault.charge({ ...charge, amount: money(1, 'GBP') })).toMatchObject({ outcome: 'unknown' });
    expect(testEnvironment.outside.acquirer.books.findCall(charge.reference)).toBeNull();
  });
});

describe('erasing', () => {
  test('makes the number unreadable, keeps the description, and may be repeated', async () => {
    const card = await createStoredPayable();
    await vault.erase(card.scope, card.cardId);
    expect(await testEnvironment.listStored(card)).toEqual(['Erased none']);
    await vault.erase(card.scope, card.cardId);
    expect(await readCardState(card.scope, card.cardId)).toBe('Erased');
  });

  test('is refused while an attempt with the card has not ended', async () => {
    const card = await createStoredPayable();
    await createAttempt(card);
    expect(await readCode(vault.erase(card.scope, card.cardId))).toBe('saved_card_busy');
    expect(await readCardState(card.scope, card.cardId)).toBe('Stored');
  });

  test('is refused for the card of a setup intent, which stays unchanged', async () => {
    const setup = await testEnvironment.createSetup();
    await testEnvironment.payByCard(setup, { mitConsentGiven: true });
    const cardId = await testEnvironment.findSetupCard(setup.id);
    expect(await readCode(vault.erase(setup.scope, cardId))).toBe('saved_card_of_setup_intent');
    expect([await testEnvironment.readSetupState(setup.id), await testEnvironment.listStoredOfSetup(setup.id)]).toEqual(
      ['Authorized Authorized', ['Stored number']],
    );
    // Cancelling the setup intent erases its card, and erasing it again is no error.
    await testEnvironment.database.transact(setup.scope, (tx) =>
      testEnvironment.setups.cancel(tx, setup.id, { includeAuthorized: true }),
    );
    await vault.erase(setup.scope, cardId);
    expect(await readCardState(setup.scope, cardId)).toBe('Erased');
  });

  test.each([
    ['an unknown card', () => testEnvironment.sandbox, UNKNOWN_CARD],
    ['a malformed id', () => testEnvironment.sandbox, 'pm_x'],
  ] as const)('finds nothing under %s', async (_, scope, cardId) => {
    expect(await readCode(vault.erase(scope(), cardId))).toBe('saved_card_not_found');
    expect(await readCode(vault.describe(scope(), cardId))).toBe('saved_card_not_found');
  });

  test('finds nothing of another environment', async () => {
    const card = await createStoredPayable();
    expect(await readCode(vault.erase(testEnvironment.production, card.cardId))).toBe('saved_card_not_found');
  });
});

describe('reversing an attempt', () => {
  async function open(): Promise<Payable & { readonly reference: string }> {
    const payable = await testEnvironment.createCustomerPayable();
    const late = { cardNumber: '4456530000091055', savePaymentMethod: true };
    await testEnvironment.payByCard(payable, late, { at: shortDeadlineVault });
    const rows = await testEnvironment.queryRows<{ reference: string }>(
      'select reference from acquirer_calls where intent_id = $1',
      [payable.id],
    );
    return { ...payable, reference: rows[0]!.reference };
  }

  test('reverses it at the acquirer at once under the given reference, and erases its card', async () => {
    const { reference, ...payable } = await open();
    expect(await vault.reverse(payable.scope, reference, `undo-${reference.slice(0, 20)}`)).toBe(true);
    expect(await vault.reverse(payable.scope, reference, `undo-${reference.slice(0, 20)}`)).toBe(true);
    expect(await testEnvironment.readState(payable)).toBe('Created Error');
    expect(await testEnvironment.listBookings(payable)).toEqual(['2000 Reversed']);
    expect(await testEnvironment.listStored(payable)).toEqual([expect.stringMatching(/^Erased/)]);
    const call = await testEnvironment.database.read(payable.scope, (reader) => findAcquirerCall(reader, reference));
    expect([call?.state, call?.outcome]).toEqual(['Settled', 'Reversed']);
  });

  test('is acknowledged only when the acquirer has received it', async () => {
    const { reference, ...payable } = await open();
    testEnvironment.setRules({ match: { kind: 'Reverse' }, effect: 'down' });
    expect(await vault.reverse(payable.scope, reference, `undo-${reference.slice(0, 20)}`)).toBe(false);
    testEnvironment.setRules();
    expect(await vault.reverse(payable.scope, reference, `undo-${reference.slice(0, 20)}`)).toBe(true);
  });

  test('is refused for an unknown attempt and for one with another end', async () => {
    expect(await readCode(vault.reverse(testEnvironment.sandbox, 'no reference', 'undo'))).toBe('attempt_not_found');
    const card = await createStoredPayable();
    const rows = await testEnvironment.queryRows<{ reference: string }>(
      'select reference from acquirer_calls where intent_id = $1',
      [card.id],
    );
    expect(await readCode(vault.reverse(card.scope, rows[0]!.reference, 'undo'))).toBe('not_reversible');
  });
});

test('the port serves only apps that may call the rpc, and has its certificate', async () => {
  const stranger = createClient(shortDeadlineVault.internalGrpc, 'webhook-worker');
  expect(await readCode(stranger.describe(testEnvironment.sandbox, UNKNOWN_CARD))).toBe('service_unavailable');
  stranger.close();
  await expect(testEnvironment.startAnother({ INTERNAL_TLS_CERT: '' })).rejects.toThrow(
    'INTERNAL_TLS_CERT: is not set',
  );
  await expect(testEnvironment.startAnother({ HOST: '0.0.0.0', TRUSTED_PROXIES: '' })).rejects.toThrow('HTTP_TLS_CERT');
  const { internalGrpc } = await testEnvironment.startAnother({ HOST: '0.0.0.0' });
  expect(internalGrpc).toMatch(/^127\.0\.0\.1:/);
});

test('in production the host of the port is a setting, because loopback would hide it from other machines', async () => {
  const production = { NODE_ENV: 'production', DEVICE_DATA_URL: 'https://device.example', HOST: '0.0.0.0' };
  await expect(testEnvironment.startAnother(production)).rejects.toThrow('INTERNAL_HOST: is not set');
  const meant = await testEnvironment.startAnother({ ...production, INTERNAL_HOST: '127.0.0.1' });
  expect(meant.internalGrpc).toMatch(/^127\.0\.0\.1:/);
});

test.each(['::1', '[::1]'])('on %s both ports are open', async (host) => {
  if (!hasIpv6()) return;
  const { url, internalGrpc } = await testEnvironment.startAnother({ HOST: host, INTERNAL_HOST: host });
  expect([url, internalGrpc]).toEqual([
    expect.stringMatching(/^http:\/\/\[::1\]:/),
    expect.stringMatching(/^\[::1\]:/),
  ]);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  const client = createClient(internalGrpc);
  expect(await readCode(client.describe(testEnvironment.sandbox, UNKNOWN_CARD))).not.toBe('service_unavailable');
  client.close();
});

async function eraseStoredCard({ scope, id, cardId }: StoredPayable): Promise<void> {
  // The attempt of the charge is open, so the test erases the card directly, as the deletion of its customer would.
  await testEnvironment.queryRows('update saved_cards set state = $1 where id = $2 and $3 <> $4 returning id', [
    'Erased',
    cardId,
    id,
    scope.accountId,
  ]);
}

test('both ports of the vault limit the connections of one address', async () => {
  const { url, internalGrpc } = await testEnvironment.startAnother({
    CONNECTIONS_PER_ADDRESS: String(TEST_CONNECTIONS_MAX),
  });
  for (const address of [url, internalGrpc]) expect([address, await countDropped(address)]).toEqual([address, 2]);
});
