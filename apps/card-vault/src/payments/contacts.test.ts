import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { type Payable, VaultWorld } from '../testing.js';

const CHALLENGED_CARD = '4456530000001096';
const BILLING = { address1: '9 Elsewhere', postcode: 'XX9 9XX', countryCode: 'GB' };
const FILLED_IN = { billingAddress: BILLING, emailAddress: 'other@example.com', metaData: { note: 'window' } };

const NOTHING = [undefined, undefined, undefined];
const ALL = ['9 Elsewhere', 'other@example.com', 'window'];

let world: VaultWorld;

beforeAll(async () => {
  world = await VaultWorld.open();
});
afterAll(() => world.close());

async function heldBy({ scope, id }: Payable) {
  const { intent } = await world.database.read(scope, (reader) =>
    world.intents.get(reader, id, { returnCanceled: false }),
  );
  const { details, metadata } = intent;
  return [details.billingAddress?.address1, details.customer?.emailAddress, metadata['note']];
}

function waiting({ scope, id }: Pick<Payable, 'scope'> & { readonly id: string }): Promise<unknown[]> {
  return world.look(
    `select 1 from online_attempts
     where account_id = $1 and (intent_id = $2 or setup_intent_id = $2) and contacts is not null`,
    [scope.accountId, id],
  );
}

describe('what a payer fills in beside the card', () => {
  test.each([
    ['declined', { cV2: '999' }],
    ['referred', { cardNumber: '4456530000091022' }],
    ['failed', { cardNumber: '4456530000091030' }],
    ['refused', { cardNumber: '1' }],
  ])('is not in the payment after a try that is %s', async (_, card) => {
    const payable = await world.payable();
    await world.pay(payable, { ...FILLED_IN, ...card });
    expect([await heldBy(payable), await waiting(payable)]).toEqual([NOTHING, []]);
  });

  test.each([
    ['Y', ALL],
    ['N', NOTHING],
  ])('waits for the issuer, who says %s after a challenge', async (paRes, after) => {
    const payable = await world.payable();
    const { body } = await world.pay(payable, { ...FILLED_IN, cardNumber: CHALLENGED_CARD });
    expect(await heldBy(payable)).toEqual(NOTHING);
    expect(await waiting(payable)).toHaveLength(1);
    await world.complete(payable, body['transactionId'], { paRes });
    expect([await heldBy(payable), await waiting(payable)]).toEqual([after, []]);
  });

  test('is forgotten with an attempt that is given up', async () => {
    const payable = await world.payable();
    await world.pay(payable, { ...FILLED_IN, cardNumber: CHALLENGED_CARD });
    await world.elapse(31 * 60_000 + 1_000);
    expect(await world.standing(payable)).toBe('Created AuthChallenged Error');
    expect([await heldBy(payable), await waiting(payable)]).toEqual([NOTHING, []]);
  });

  test('does not replace what the integrator said', async () => {
    const billingAddress = { address1: '1 High Street', countryCode: 'GB' };
    const details = { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [], billingAddress };
    const payable = await world.payable({ details });
    expect((await world.pay(payable, FILLED_IN)).body['statusCode']).toBe(0);
    expect(await heldBy(payable)).toEqual(['1 High Street', 'other@example.com', 'window']);
  });

  test('stands in a setup intent only once its card is authorised', async () => {
    const setup = await world.setup();
    const billedTo = async () => {
      const view = await world.database.read(setup.scope, (reader) => world.setups.get(reader, setup.id));
      return view.setup.details.billingAddress?.address1;
    };
    await world.pay(setup, { ...FILLED_IN, cV2: '999', mitConsentGiven: true });
    expect([await billedTo(), await waiting(setup)]).toEqual([undefined, []]);
    await world.pay({ secret: await world.refreshSetup(setup) }, { ...FILLED_IN, mitConsentGiven: true });
    expect([await billedTo(), await waiting(setup)]).toEqual(['9 Elsewhere', []]);
  });
});
