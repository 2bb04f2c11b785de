import type { PaymentIntentId } from '@pos/core/identity';
import type { AcquirerAnswer } from '@pos/core/ports';
import type { Submission } from './online-order.js';
import { OnlinePayments } from './online-payments.js';
import { act, createIntent, refusalOf, type Shop, type World } from './testing.js';

/** A card attempt of £20 on a new payment intent, asked for and not answered. */
export async function onlineAttempt(
  world: World,
  shop: Shop,
): Promise<{ readonly id: PaymentIntentId; readonly reference: string }> {
  const id = await createIntent(world, shop);
  const { intent } = await act(world, shop, (tx) => world.intents.refreshSecretPublic(tx, id));
  let reference = '';
  const silence: AcquirerAnswer = { outcome: 'unknown', reason: 'silence' };
  const paying = new OnlinePayments(world).pay(submission(intent.clientSecret ?? ''), {
    ask: (order) => {
      reference = order.reference;
      return Promise.resolve(silence);
    },
    keep: () => undefined,
  });
  await refusalOf(paying);
  return { id, reference };
}

function submission(secret: string): Submission {
  const description = { maskedNumber: '44565300****1014', last4: '1014', scheme: 'VISA', cardholderName: 'A' } as const;
  return {
    secret,
    wallet: null,
    card: { ...description, expiryMonth: 12, expiryYear: 2032 },
    hasCv2: true,
    isSavingAllowed: false,
    isConsentGiven: false,
    contacts: { metadata: {} },
    device: { userAgent: '', ipAddress: '' },
  };
}
