import { DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { createPlainIntentRequest } from '@pos/core/testing';
import type { PaymentIntentRequest } from '../payment-intents/payment-intents.js';

/** A request of tests for £20.00, captured at once; no secret unless requested. */
export function createIntentRequest(overrides: Partial<PaymentIntentRequest> = {}): PaymentIntentRequest {
  return {
    ...createPlainIntentRequest(),
    details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] },
    isNotOnlineCheckout: false,
    generateRemoteToken: false,
    ...overrides,
  };
}
