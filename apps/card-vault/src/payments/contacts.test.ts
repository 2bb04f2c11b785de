import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { VaultTestEnvironment } from '../testing/vault-test-environment.js';
import { type Payable } from '../testing/card-requests.js';

const CHALLENGED_CARD = '4456530000001096';
const BILLING = { address1: '9 Elsewhere', postcode: 'XX9 9XX', countryCode: 'GB' };
const FILLED_IN_CONTACTS = { billingAddress: BILLING, emailAddress: 'other@example.com', metaData: { note: 'window' } };

const NO_CONTACTS = [undefined, undefined, undefined];
const ALL_CONTACTS = ['9 Elsewhere', 'other@example.com', 'window'];

let testEnvironment: VaultTestEnvironment;

beforeAll(async () => {
  testEnvironment = await VaultTestEnvironment.open();
});
afterAll(() => testEnvironment.close());

async function readContacts({ scope, id }: Payable) {
  const { intent } = await testEnvironment.database.read(scope, (reader) =>
    testEnvironment.intents.get(reader, id, { returnCanceled: false }),
  );
  const { details, metadata } = intent;
  return [details.billingAddress?.address1, details.customer?.emailAddress, metadata['note']];
}

function listWaitingAttempts({ scope, id }: Pick<Payable, 'scope'> & { readonly id: string }): Promise<unknown[]> {
  return testEnvironment.queryRows(
    `select 1 from online_attempts
     where account_id = $1 and (intent_id = $2 or setup_intent_id = $2) and contacts is not null`,
    [scope.accountId, id],
  );
}

describe('a payer’s contact details beside the card', () => {
  test.each([
    ['declined', { cV2: '999' }],
    ['referred', { cardNumber: '4456530000091022' }],
    ['failed', { cardNumber: '4456530000091030' }],
    ['refused', { cardNumber: '1' }],
  ])('are not in the payment after a try that is %s', async (_, card) => {
    const payable = await testEnvironment.createPayable();
    await testEnvironment.payByCard(payable, { ...FILLED_IN_CONTACTS, ...card });
    expect([await readContacts(payable), await listWaitingAttempts(payable)]).toEqual([NO_CONTACTS, []]);
  });

  test.each([
    ['Y', ALL_CONTACTS],
    ['N', NO_CONTACTS],
  ])('wait for the issuer’s answer %s to a challenge', async (paRes, after) => {
    const payable = await testEnvironment.createPayable();
    const { body } = await testEnvironment.payByCard(payable, { ...FILLED_IN_CONTACTS, cardNumber: CHALLENGED_CARD });
    expect(await readContacts(payable)).toEqual(NO_CONTACTS);
    expect(await listWaitingAttempts(payable)).toHaveLength(1);
    await testEnvironment.completeChallenge(payable, body['transactionId'], { paRes });
    expect([await readContacts(payable), await listWaitingAttempts(payable)]).toEqual([after, []]);
  });

  test('are deleted with an attempt that expires', async () => {
    const payable = await testEnvironment.createPayable();
    await testEnvironment.payByCard(payable, { ...FILLED_IN_CONTACTS, cardNumber: CHALLENGED_CARD });
    await testEnvironment.advanceTime(31 * 60_000 + 1_000);
    expect(await testEnvironment.readState(payable)).toBe('Created AuthChallenged Error');
    expect([await readContacts(payable), await listWaitingAttempts(payable)]).toEqual([NO_CONTACTS, []]);
  });

  test('do not replace the integrator’s values', async () => {
    const billingAddress = { address1: '1 High Street', countryCode: 'GB' };
    const details = { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [], billingAddress };
    const payable = await testEnvironment.createPayable({ details });
    expect((await testEnvironment.payByCard(payable, FILLED_IN_CONTACTS)).body['statusCode']).toBe(0);
    expect(await readContacts(payable)).toEqual(['1 High Street', 'other@example.com', 'window']);
  });

  test('are in a setup intent only once its card is authorised', async () => {
    const setup = await testEnvironment.createSetup();
    const billedTo = async () => {
      const view = await testEnvironment.database.read(setup.scope, (reader) =>
        testEnvironment.setups.get(reader, setup.id),
      );
      return view.setup.details.billingAddress?.address1;
    };
    await testEnvironment.payByCard(setup, { ...FILLED_IN_CONTACTS, cV2: '999', mitConsentGiven: true });
    expect([await billedTo(), await listWaitingAttempts(setup)]).toEqual([undefined, []]);
    await testEnvironment.payByCard(
      { secret: await testEnvironment.refreshSetup(setup) },
      { ...FILLED_IN_CONTACTS, mitConsentGiven: true },
    );
    expect([await billedTo(), await listWaitingAttempts(setup)]).toEqual(['9 Elsewhere', []]);
  });
});
