import type { CustomerId, CustomerSecretId, PaymentMethodId } from '../identity/identity.js';
import { type Money, sum, multiply } from '../money/money.js';

/** A postal address; the country is ISO 3166-1 alpha-2. */
export interface Address {
  readonly address1?: string | undefined;
  readonly address2?: string | undefined;
  readonly address3?: string | undefined;
  readonly address4?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly locality?: string | undefined;
  readonly county?: string | undefined;
  readonly postcode?: string | undefined;
  readonly countryCode: string;
}

export interface ShippingDetails {
  readonly name?: string | undefined;
  readonly deliveryNotes?: string | undefined;
  readonly address?: Address | undefined;
}

export interface IntentCustomer {
  readonly customerId?: CustomerId | undefined;
  readonly emailAddress?: string | undefined;
  readonly phoneNumber?: string | undefined;
}

/** Counts per single item of its line; a negative amount is a discount. */
export interface ItemModifier {
  readonly id: string;
  readonly name: string;
  readonly quantity: number;
  readonly amountPerModifier: Money;
}

/** `amountTotal` is before discounts and taxes and without modifiers. */
export interface ItemLine {
  readonly id?: string | undefined;
  readonly caption?: string | undefined;
  readonly quantity: number;
  readonly category?: string | undefined;
  readonly plu?: string | undefined;
  readonly amountTotal: Money;
  readonly modifiers: readonly ItemModifier[];
}

export interface TaxLine {
  readonly id?: string | undefined;
  readonly caption?: string | undefined;
  readonly subCaption?: string | undefined;
  readonly amountTotal: Money;
  readonly affectedPlu?: string | undefined;
}

export const ACTION_LINK_ACTIONS = ['OpenLink', 'DownloadFile'] as const;

export interface ActionLink {
  readonly url: string;
  readonly label: string;
  readonly action: (typeof ACTION_LINK_ACTIONS)[number];
  readonly fileName?: string | undefined;
}

/** `id` is the order's id in the service, `externalId` the one in the EPOS; the date is ISO 8601 text. */
export interface OrderDetails {
  readonly availabilityDate?: string | undefined;
  readonly isUpdate?: boolean | undefined;
  readonly id?: string | undefined;
  readonly externalId?: string | undefined;
}

/** The payer's device. */
export interface RequestSecurity {
  readonly userAgent?: string | undefined;
  readonly ipAddress?: string | undefined;
  readonly device?: string | undefined;
}

/** What the integrator set for the hosted page. */
export interface IntentConfig {
  readonly title?: string | undefined;
  readonly redirectUrl?: string | undefined;
  readonly cancelUrl?: string | undefined;
  readonly customerEmail: { readonly collectionRequired: boolean };
  readonly billingAddress: { readonly collectionRequired: boolean };
  readonly shippingDetails: { readonly collectionRequired: boolean };
  readonly details: { readonly showTotal: boolean; readonly showReference: boolean };
  readonly payment: {
    /** Everybody who has the link may choose the amount before the payment; the merchant, too. */
    readonly customAmountAllowed: boolean;
    readonly tipsAllowed: boolean;
    /** The merchant may raise the hold of an authorised payment. Absent in rows of 0.1: false. */
    readonly holdRaiseAllowed?: boolean;
  };
}

export const DEFAULT_INTENT_CONFIG: IntentConfig = {
  customerEmail: { collectionRequired: false },
  billingAddress: { collectionRequired: false },
  shippingDetails: { collectionRequired: false },
  details: { showTotal: false, showReference: false },
  payment: { customAmountAllowed: false, tipsAllowed: false, holdRaiseAllowed: false },
};

/** All of an intent that no rule reads in SQL: plain JSON, stored in one column. */
export interface IntentDetails {
  readonly customer?: IntentCustomer | undefined;
  /** The checkout may offer the customer's saved cards for as long as this customer secret is valid. */
  readonly customerSecretId?: CustomerSecretId | undefined;
  /** Which of them it offers first. */
  readonly savedCardId?: PaymentMethodId | undefined;
  readonly billingAddress?: Address | undefined;
  readonly shippingDetails?: ShippingDetails | undefined;
  readonly requestSecurity?: RequestSecurity | undefined;
  readonly actionLink?: ActionLink | undefined;
  readonly orderDetails?: OrderDetails | undefined;
  /** The table at which it is paid, as its receipts name it. */
  readonly tableName?: string | undefined;
  /**
   * The order that is paid with it and is being placed at the EPOS: until that has ended no other caller moves the
   * money (ADR 0048).
   */
  readonly heldForOrder?: string | undefined;
  readonly config: IntentConfig;
  readonly itemLines: readonly ItemLine[];
  readonly taxLines: readonly TaxLine[];
  /** Whether the intent has a payment link, and whether it may carry a client secret. */
  readonly hasPaymentLink: boolean;
  readonly mayHaveClientSecret: boolean;
  readonly isNotOnlineCheckout: boolean;
}

/**
 * The sum of the lines with their modifiers and taxes, or null without item lines. It is shown and never compared
 * with the amount.
 */
export function computeSubtotal(
  { itemLines, taxLines }: Pick<IntentDetails, 'itemLines' | 'taxLines'>,
  currencyCode: string,
): Money | null {
  if (itemLines.length === 0) return null;
  const modifiers = itemLines.flatMap((line) =>
    line.modifiers.map((modifier) => multiply(modifier.amountPerModifier, line.quantity * modifier.quantity)),
  );
  const lines = [...itemLines, ...taxLines].map((line) => line.amountTotal);
  return sum([...lines, ...modifiers], currencyCode);
}
