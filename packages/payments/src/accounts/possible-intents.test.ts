import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { CapabilityLimits } from '@pos/sandbox/acquirer';
import { Refusal } from '@pos/core/refusals';
import { AcquirerDirectory } from './acquirer-directory.js';
import { PaymentIntents, type PaymentIntentRequest } from '../payment-intents/payment-intents.js';
import { createIntentRequest } from '../testing/intent-requests.js';
import {
  createTestAccount,
  createTestEnvironment,
  FULL_PERMISSIONS,
  type TestAccount,
  type TestEnvironment,
  transactAs,
} from '../testing/test-environment.js';

const DEFAULT = { environment: 'sandbox', name: 'default' } as const;

let testEnvironment: TestEnvironment;
let testAccount: TestAccount;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
  testAccount = await createTestAccount(testEnvironment);
});
afterEach(() => {
  limit({ lacks: [] });
});
afterAll(() => testEnvironment.close());

function limit(limits: CapabilityLimits): void {
  const { capabilities } = testEnvironment.acquirerServer;
  capabilities.limit(limits);
  testEnvironment.settings.acquirers.declare(DEFAULT, capabilities.declared);
}

/** The capability that the refusal names, or `created`. */
async function create(request: Partial<PaymentIntentRequest>, intents = testEnvironment.intents): Promise<unknown> {
  try {
    await transactAs(testEnvironment, testAccount, (tx) =>
      intents.create(tx, FULL_PERMISSIONS, createIntentRequest(request)),
    );
    return 'created';
  } catch (error) {
    if (error instanceof Refusal && error.code === 'acquirer_lacks_capability') return error.data?.['capability'];
    throw error;
  }
}

test.each<[string, CapabilityLimits, Partial<PaymentIntentRequest>, string]>([
  ['another currency', { lacks: [], currencies: ['EUR'] }, {}, 'currencies'],
  ['a hold', { lacks: ['separate_capture'] }, { captureMode: 'Manual' }, 'separate_capture'],
  ['a sale', { lacks: ['separate_capture'] }, {}, 'created'],
  [
    'a telephone order',
    { lacks: ['cardholder_not_present'] },
    { cardHolderNotPresent: true },
    'cardholder_not_present',
  ],
  [
    'a wallet, which may be presented to a card machine',
    { lacks: [], wallets: [] },
    { paymentMethods: ['Wallet'] },
    'created',
  ],
])('a payment that the acquirer can never take is refused when it is created: %s', async (_, limits, request, then) => {
  limit(limits);
  expect(await create(request)).toBe(then);
});

test('an acquirer that has declared nothing, or is not in this process, stops no creation', async () => {
  for (const names of [[DEFAULT], []]) {
    const acquirers = new AcquirerDirectory(names);
    const intents = new PaymentIntents(testEnvironment.accounts, { acquirers });
    expect(await create({ captureMode: 'Manual', cardHolderNotPresent: true }, intents)).toBe('created');
  }
});
