import type { CustomerId } from '../identity/identity.js';
import type { Address } from '../payment-intents/intent-details.js';

/** What an account stores about one of its customers; null = unknown. */
export interface CustomerProfile {
  readonly name: string | null;
  readonly emailAddress: string | null;
  readonly phoneNumber: string | null;
  readonly vatNumber: string | null;
  readonly billingAddress: Address | null;
  readonly shippingAddress: Address | null;
}

/**
 * A person or firm that pays repeatedly. A deleted one cannot be found by any caller, and no data about them is
 * stored.
 */
export interface Customer extends CustomerProfile {
  readonly id: CustomerId;
  /** As read from the row; the store raises it when it writes. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}

/** A member that is left out stays as it is; null removes it. */
export type CustomerChange = { readonly [K in keyof CustomerProfile]?: CustomerProfile[K] | undefined };

/** How long a customer secret is valid. Within this time it may be used any number of times. */
export const CUSTOMER_SECRET_LIFE_MS = 15 * 60 * 1000;

const NOTHING_KNOWN: CustomerProfile = {
  name: null,
  emailAddress: null,
  phoneNumber: null,
  vatNumber: null,
  billingAddress: null,
  shippingAddress: null,
};

export function createCustomer(id: CustomerId, profile: CustomerChange, now: Date): Customer {
  return { ...mergeProfile(NOTHING_KNOWN, profile), id, version: 1, createdAt: now, updatedAt: now, deletedAt: null };
}

/** The customer after a change, or null when it changes nothing. An address is replaced as a whole. */
export function changeCustomer(customer: Customer, change: CustomerChange, now: Date): Customer | null {
  const profile = mergeProfile(customer, change);
  if (isSame(profile, mergeProfile(customer, {}))) return null;
  return { ...customer, ...profile, updatedAt: now };
}

/** Removes a customer's data; only the id remains. */
export function deleteCustomer(customer: Customer, now: Date): Customer {
  return { ...customer, ...NOTHING_KNOWN, updatedAt: now, deletedAt: now };
}

/** How often the customer was changed since its creation. */
export function countChanges({ version }: Pick<Customer, 'version'>): number {
  return version - 1;
}

function mergeProfile(profile: CustomerProfile, change: CustomerChange): CustomerProfile {
  const { name, emailAddress, phoneNumber, vatNumber, billingAddress, shippingAddress } = profile;
  return {
    name: change.name === undefined ? name : change.name,
    emailAddress: change.emailAddress === undefined ? emailAddress : change.emailAddress,
    phoneNumber: change.phoneNumber === undefined ? phoneNumber : change.phoneNumber,
    vatNumber: change.vatNumber === undefined ? vatNumber : change.vatNumber,
    billingAddress: change.billingAddress === undefined ? billingAddress : change.billingAddress,
    shippingAddress: change.shippingAddress === undefined ? shippingAddress : change.shippingAddress,
  };
}

/** Compared member by member, because a JSON column keeps no order. */
function isSame(one: CustomerProfile, other: CustomerProfile): boolean {
  return JSON.stringify(sortMembers(one)) === JSON.stringify(sortMembers(other));
}

function sortMembers(profile: CustomerProfile) {
  const { billingAddress, shippingAddress, ...rest } = profile;
  return [rest, ...[billingAddress, shippingAddress].map((address) => address && Object.entries(address).sort())];
}
