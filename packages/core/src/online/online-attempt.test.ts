import { describe, expect, test } from '@jest/globals';
import { DEFAULT_INTENT_CONFIG, type IntentConfig, type IntentDetails } from '../payment-intents/intent-details.js';
import { type PayerContacts, withContacts } from './online-attempt.js';

type Held = Pick<IntentDetails, 'customer' | 'billingAddress' | 'shippingDetails'>;

const COLLECTING: IntentConfig = {
  ...DEFAULT_INTENT_CONFIG,
  customerEmail: { collectionRequired: true },
  billingAddress: { collectionRequired: true },
  shippingDetails: { collectionRequired: true },
};

function contacts(who: string): Held & PayerContacts {
  const emailAddress = `${who}@example.com`;
  return {
    ...{ emailAddress, phoneNumber: `+44 20 ${who}`, metadata: {} },
    billingAddress: { address1: `${who}'s street`, countryCode: 'GB' },
    shippingDetails: { name: who },
  };
}

function getDetails(who: string): Held {
  const { emailAddress, phoneNumber, billingAddress, shippingDetails } = contacts(who);
  return { customer: { emailAddress, phoneNumber }, billingAddress, shippingDetails };
}

function filled(held: Held, given: PayerContacts, config: IntentConfig = DEFAULT_INTENT_CONFIG): Held {
  const { customer, billingAddress, shippingDetails } = withContacts(
    { details: { ...held, config }, metadata: {} },
    given,
  ).details;
  return { customer, billingAddress, shippingDetails };
}

describe('what a payer enters beside the card', () => {
  test('never replaces what the integrator has set', () => {
    expect(filled(getDetails('shop'), contacts('payer'))).toEqual(getDetails('shop'));
  });

  test('replaces it if the integrator collects it, except the telephone, which cannot be collected', () => {
    const { customer, ...addresses } = getDetails('payer');
    const phoneNumber = getDetails('shop').customer?.phoneNumber;
    expect(filled(getDetails('shop'), contacts('payer'), COLLECTING)).toEqual({
      ...addresses,
      customer: { ...customer, phoneNumber },
    });
  });

  test('is stored if the integrator has set nothing', () => {
    expect(filled({}, contacts('payer'))).toEqual(getDetails('payer'));
  });

  test.each([DEFAULT_INTENT_CONFIG, COLLECTING])('removes nothing by being left out', (config) => {
    expect(filled(getDetails('shop'), { metadata: {} }, config)).toEqual(getDetails('shop'));
    expect(filled({}, { metadata: {} }, config)).toEqual({});
  });

  test('adds metadata, and changes none of the integrator’s', () => {
    const intent = { details: { config: DEFAULT_INTENT_CONFIG }, metadata: { table: 4 } };
    const { metadata } = withContacts(intent, { metadata: { table: 5, note: 'window' } });
    expect(metadata).toEqual({ table: 4, note: 'window' });
  });
});
