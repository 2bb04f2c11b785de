import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { gbp } from '@pos/core/testing';
import type { IntentWish } from './payment-intents.js';

/** A wish of tests for £20.00, taken at once; no secret unless it is asked for. */
export function intentWish(wish: Partial<IntentWish> = {}): IntentWish {
  return {
    amount: gbp(2_000),
    tipsAmount: null,
    cashbackAmount: null,
    serviceChargeAmount: null,
    captureMode: 'Auto',
    reference: 'table-7',
    description: null,
    cardHolderNotPresent: false,
    paymentMethods: ['Card'],
    paymentSource: 'api',
    setupIntentId: null,
    autoExpireAction: null,
    autoExpireInMs: null,
    expireAt: null,
    metadata: {},
    details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
    isNotOnlineCheckout: false,
    generateRemoteToken: false,
    ...wish,
  };
}
