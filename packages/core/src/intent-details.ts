import type { CustomerId } from './identity.js';
import type { CaptureId } from './identity.js';
import type { Money } from './money.js';

/** A postal address; the country is ISO 3166-1 alpha-2. */
export interface Address {
  readonly address1?: string;
  readonly address2?: string;
  readonly address3?: string;
  readonly address4?: string;
  readonly city?: string;
  readonly state?: string;
  readonly locality?: string;
  readonly county?: string;
  readonly postcode?: string;
  readonly countryCode: string;
}

export interface ShippingDetails {
  readonly name?: string;
  readonly deliveryNotes?: string;
  readonly address?: Address;
}

export interface IntentCustomer {
  readonly customerId?: CustomerId;
  readonly emailAddress?: string;
  readonly phoneNumber?: string;
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
  readonly id?: string;
  readonly caption?: string;
  readonly quantity: number;
  readonly category?: string;
  readonly plu?: string;
  readonly amountTotal: Money;
  readonly modifiers: readonly ItemModifier[];
}

export interface TaxLine {
  readonly id?: string;
  readonly caption?: string;
  readonly subCaption?: string;
  readonly amountTotal: Money;
  readonly affectedPlu?: string;
}

export const ACTION_LINK_ACTIONS = ['OpenLink', 'DownloadFile'] as const;

export interface ActionLink {
  readonly url: string;
  readonly label: string;
  readonly action: (typeof ACTION_LINK_ACTIONS)[number];
  readonly fileName?: string;
}

/** `id` is the order's id in the service, `externalId` the one in the EPOS; the date is ISO 8601 text. */
export interface OrderDetails {
  readonly availabilityDate?: string;
  readonly isUpdate?: boolean;
  readonly id?: string;
  readonly externalId?: string;
}

/** The payer's device. */
export interface RequestSecurity {
  readonly userAgent?: string;
  readonly ipAddress?: string;
  readonly device?: string;
}

/** What the integrator set for the hosted page. */
export interface IntentConfig {
  readonly title?: string;
  readonly redirectUrl?: string;
  readonly cancelUrl?: string;
  readonly customerEmail: { readonly collectionRequired: boolean };
  readonly billingAddress: { readonly collectionRequired: boolean };
  readonly shippingDetails: { readonly collectionRequired: boolean };
  readonly details: { readonly showTotal: boolean; readonly showReference: boolean };
  readonly payment: { readonly customAmountAllowed: boolean; readonly tipsAllowed: boolean };
}

export const DEFAULT_INTENT_CONFIG: IntentConfig = {
  customerEmail: { collectionRequired: false },
  billingAddress: { collectionRequired: false },
  shippingDetails: { collectionRequired: false },
  details: { showTotal: false, showReference: false },
  payment: { customAmountAllowed: false, tipsAllowed: false },
};

export const CAPTURE_STATUSES = ['Created', 'Successful', 'Declined', 'Failed'] as const;
export type CaptureStatus = (typeof CAPTURE_STATUSES)[number];

/** One capture of a Manual intent; it takes `amount` + `tipsAmount`. */
export interface Capture {
  readonly id: CaptureId;
  readonly amount: Money;
  readonly tipsAmount: Money;
  readonly status: CaptureStatus;
  /** ISO 8601, UTC: this is stored as plain JSON. */
  readonly createdAt: string;
}

/** All of an intent that no rule reads in SQL: plain JSON, stored in one column. */
export interface IntentDetails {
  readonly customer?: IntentCustomer;
  readonly billingAddress?: Address;
  readonly shippingDetails?: ShippingDetails;
  readonly requestSecurity?: RequestSecurity;
  readonly actionLink?: ActionLink;
  readonly orderDetails?: OrderDetails;
  readonly config: IntentConfig;
  readonly itemLines: readonly ItemLine[];
  readonly taxLines: readonly TaxLine[];
  readonly captures: readonly Capture[];
  /** Whether the intent has a payment link, and whether it may carry a client secret. */
  readonly hasPaymentLink: boolean;
  readonly mayHaveClientSecret: boolean;
  readonly isNotOnlineCheckout: boolean;
}
