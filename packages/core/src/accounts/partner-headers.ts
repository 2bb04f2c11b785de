import { containsCardNumber } from '../cards/card-number.js';

/** The software house and the reseller in the headers of a request; null where the request has none. */
export interface Partners {
  readonly softwareHouseId: string | null;
  readonly resellerId: string | null;
}

/** The partners of work without a request. */
export const NO_PARTNERS: Partners = { softwareHouseId: null, resellerId: null };

/** What is stored in place of a value with a card number. */
export const HIDDEN_PARTNER = '[hidden]';

/** The partners as they are stored. Any value is accepted in a header, so a card number in one of them is hidden. */
export function toStorablePartners({ softwareHouseId = null, resellerId = null }: Partial<Partners>): Partners {
  return { softwareHouseId: toStorableValue(softwareHouseId), resellerId: toStorableValue(resellerId) };
}

function toStorableValue(value: string | null): string | null {
  return value !== null && containsCardNumber(value, 'any') ? HIDDEN_PARTNER : value;
}
