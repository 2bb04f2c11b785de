import { z } from 'zod';
import { CardNameInput, CardNumberInput, Cv2Input, ExpiryInput, TEST_NUMBER } from './card-inputs.js';
import type { Operation } from '../operation/operation.js';
import { NewSetupIntent, SetupIntent } from '../setup-intents/setup-intents.js';

const MerchantsCard = z
  .object({
    cardNumber: CardNumberInput,
    cardName: CardNameInput.describe('Name on the card, as it is printed there. Digits of a card number are refused.'),
    expiryDate: ExpiryInput,
    cv2: Cv2Input,
  })
  .meta({
    id: 'MerchantsCard',
    examples: [{ cardNumber: TEST_NUMBER, cardName: 'A Guest', expiryDate: '12/32', cv2: '020' }],
  });

const NewSetupIntentWithCard = NewSetupIntent.extend({
  card: MerchantsCard.describe('The card to authorise. Its number is stored encrypted, its security code never.'),
}).meta({
  id: 'NewSetupIntentWithCard',
  examples: [
    {
      reference: 'table 4, Saturday',
      merchantInitiatedTransactionType: 'NoShow',
      terms: 'If you do not come, we charge £25.00 to this card.',
      intendedAmount: { value: 2500, currencyCode: 'GBP' },
      card: { cardNumber: TEST_NUMBER, cardName: 'A Guest', expiryDate: '12/32', cv2: '020' },
    },
  ],
});

export const createSetupIntentWithCard = {
  tag: 'Setup intents, with the card in hand',
  id: 'createSetupIntentWithCard',
  movesMoney: true,
  method: 'POST',
  path: '/setup-intents',
  summary: 'Create a setup intent and authorise its card',
  description:
    'For merchants who may handle card numbers: the account needs a valid SAQ-D attestation. Approved it is Authorized; ' +
    'refused it stays Created, and `paymentDetails.message` is the reason. An answer 504 says that the acquirer ' +
    'has not answered: a repeat with the same idempotency key gets the result.',
  version: 'required',
  permission: 'setup.card',
  idempotency: 'optional',
  body: NewSetupIntentWithCard,
  returns: SetupIntent,
  refusals: [
    'account_disabled',
    'attestation_missing',
    'acquirer_not_configured',
    'acquirer_lacks_capability',
    'acquirer_unanswered',
  ],
} as const satisfies Operation;
