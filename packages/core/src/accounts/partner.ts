import { containsCardNumber } from '../cards/card-number.js';
import { HIDDEN_PARTNER, type Partners } from './partner-headers.js';

/** A software house writes the EPOS; a reseller looks after the restaurant. The header of a kind is `<kind>-id`. */
export const PARTNER_KINDS = ['software-house', 'reseller'] as const;
export type PartnerKind = (typeof PARTNER_KINDS)[number];

/** A retired partner begins nothing new. Its record stays, for the rows and reports that name it. */
export const PARTNER_STATUSES = ['Active', 'Retired'] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

/** What names a partner: its kind, and the text that its requests send in the header. */
export interface PartnerName {
  readonly kind: PartnerKind;
  readonly id: string;
}

/** A partner of the service, as an operator has registered it. It serves all accounts. */
export interface Partner extends PartnerName {
  readonly name: string;
  /** Whom to ask, such as a phone number; null for none. */
  readonly contact: string | null;
  readonly status: PartnerStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The text is 1 to 100 characters, as the headers take it. */
export const PARTNER_ID_LENGTH_MAX = 100;

/**
 * Whether requests can name a partner by this text: a line without outer blanks, and without a card number. A stored value whose number
 * was hidden is no name.
 */
export function isPartnerId(id: string): boolean {
  const isLine = id.length <= PARTNER_ID_LENGTH_MAX && id === id.trim() && ONE_LINE.test(id);
  return isLine && id !== HIDDEN_PARTNER && !containsCardNumber(id, 'any');
}

const ONE_LINE = /^[^\p{Cc}\p{Surrogate}]+$/u;

/** The partners that a request names. Outer blanks of a header do not count. */
export function listNamedPartners({ softwareHouseId, resellerId }: Partners): PartnerName[] {
  const named = { 'software-house': softwareHouseId, reseller: resellerId } satisfies Record<
    PartnerKind,
    string | null
  >;
  return PARTNER_KINDS.flatMap((kind) => {
    const id = named[kind]?.trim() ?? '';
    return id === '' ? [] : [{ kind, id }];
  });
}
