import type { Tone } from '@pos/web-ui/components';
import type { Delivery } from '@pos/rest-contracts/webhooks';

/** The colour of the state of a delivery. */
export const DELIVERY_TONES = {
  Pending: 'progress',
  Held: 'attention',
  Delivered: 'positive',
  DeadLettered: 'negative',
} as const satisfies Record<Delivery['state'], Tone>;
