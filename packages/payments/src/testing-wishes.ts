import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { plainWish } from '@pos/core/testing';
import type { IntentWish } from './payment-intents.js';

/** A wish of tests for £20.00, taken at once; no secret unless it is asked for. */
export function intentWish(wish: Partial<IntentWish> = {}): IntentWish {
  return {
    ...plainWish(),
    details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
    isNotOnlineCheckout: false,
    generateRemoteToken: false,
    ...wish,
  };
}
