import { containsCardNumber } from '../cards/card-number.js';
import type { Readable } from '../refusals/readable-value.js';
import type { Violations } from '../refusals/violations.js';
import type { OrderDetails } from './intent-details.js';

const CARD_NUMBER_REFUSED =
  'must not hold a card number; an account whose own numbers look like one has the setting allowsBareCardNumbers';

export const METADATA_BYTES_MAX = 16 * 1024;

/** Adds the violations of the members that both kinds of intent have. */
export function addSharedViolations(
  faults: Violations,
  {
    expireAt,
    reference = '',
    metadata = {},
    details = {},
  }: {
    readonly expireAt?: Date | null | undefined;
    readonly reference?: string | undefined;
    readonly metadata?: Readonly<Record<string, unknown>> | undefined;
    readonly details?: { readonly orderDetails?: Readable<OrderDetails> | undefined } | undefined;
  },
  { now, allowsBareCardNumbers = false }: { readonly now: Date; readonly allowsBareCardNumbers?: boolean },
): void {
  if (!allowsBareCardNumbers) {
    const { id = '', externalId = '' } = details.orderDetails ?? {};
    const texts = { reference, metadata: JSON.stringify(metadata) };
    const ids = { 'orderDetails.id': id, 'orderDetails.externalId': externalId };
    for (const [member, text] of Object.entries({ ...texts, ...ids })) {
      if (containsCardNumber(text, 'any')) faults.add(member, CARD_NUMBER_REFUSED);
    }
  }
  if (expireAt instanceof Date && expireAt <= now) faults.add('expireAt', 'must be in the future');
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > METADATA_BYTES_MAX) {
    faults.add('metadata', `must not be above ${METADATA_BYTES_MAX} bytes of JSON`);
  }
}
