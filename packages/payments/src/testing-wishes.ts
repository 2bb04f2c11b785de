import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import { createPlainIntentRequest } from '@pos/core/testing';
import type { PaymentIntentRequest } from './payment-intents.js';

/** A wish of tests for £20.00, taken at once; no secret unless it is asked for. */
export function createIntentRequest(overrides: Partial<PaymentIntentRequest> = {}): PaymentIntentRequest {
  return {
    ...createPlainIntentRequest(),
    details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
    isNotOnlineCheckout: false,
    generateRemoteToken: false,
    ...overrides,
  };
}
