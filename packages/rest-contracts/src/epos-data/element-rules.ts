import type { z } from 'zod';
import { EposBillLine } from './epos-data-bill.js';
import { EposParty, EposReservation } from './epos-data-bookings.js';
import {
  EposArea,
  EposDiscount,
  EposOrder,
  EposOrderItem,
  EposOrderModifier,
  EposSubItem,
  EposTable,
  EposOrderDetails,
} from './epos-data-orders.js';
import { EposMoney } from './epos-data-shapes.js';
import { toListedStatus } from './order-status.js';
import { isMembers, type Members } from '../shapes/reshape.js';

// What the service does without in an element of an EPOS, and what it must have (ADR 0123).

/** How the objects of one schema are read. */
export interface ElementRule {
  /** Changes the members before they are read. */
  readonly prepare?: (members: Members) => Members;
  /** The currency of all amounts within. */
  readonly currency?: (members: Members) => unknown;
  /** The value of a required member that is absent or unreadable; undefined: there is none. */
  readonly fallbacks?: Readonly<Record<string, (members: Members, currency: string | null) => unknown>>;
  /** Optional members without which the element must not be used once they are present and unreadable. */
  readonly essential?: readonly string[];
  /** Groups of essential members: one member that can be read replaces the others. */
  readonly either?: readonly (readonly string[])[];
}

const RULES = new Map<object, ElementRule>();

/** The rule of a schema. Copies of a schema with another description share its definition, and so its rule. */
export function findElementRule(schema: z.core.$ZodType): ElementRule {
  return RULES.get(schema._zod.def) ?? NO_RULE;
}

const NO_RULE: ElementRule = {};

function addRule(schema: z.core.$ZodType, rule: ElementRule): void {
  RULES.set(schema._zod.def, rule);
}

const byText =
  (...names: readonly string[]) =>
  (members: Members): unknown =>
    names
      .map((name) => members[name])
      .find((value) => (typeof value === 'string' && value !== '') || isNumber(value)) ?? '';

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

addRule(EposMoney, { fallbacks: { currencyCode: (_, currency) => currency ?? undefined } });
addRule(EposArea, { fallbacks: { name: byText('id') } });
addRule(EposTable, { fallbacks: { name: byText('id') } });
addRule(EposParty, { fallbacks: { status: () => 'Unknown' } });
addRule(EposReservation, { fallbacks: { name: () => '', covers: () => 0 } });
addRule(EposOrderDetails, {
  fallbacks: { orderType: ({ dineIn }) => (isMembers(dineIn) ? 'DineIn' : 'Collection') },
});
// A line whose content cannot be read is not printed.
addRule(EposBillLine, {
  fallbacks: { lineType: () => '' },
  essential: Object.keys(EposBillLine.shape).filter((member) => member !== 'lineType'),
});
addRule(EposDiscount, { fallbacks: { name: () => 'Discount' } });

// A quantity or a price that is present and unreadable leaves the price of the line unknown, so these have no fallback
// for it: `lenient-reading` uses a fallback of an essential member for an absent one only.
const ITEM_RULE: ElementRule = {
  fallbacks: { name: byText('plu'), plu: () => '', quantity: () => 1 },
  essential: ['quantity', 'modifiers'],
};
addRule(EposOrderItem, ITEM_RULE);
addRule(EposSubItem, ITEM_RULE);
addRule(EposOrderModifier, {
  fallbacks: {
    ...{ name: byText('plu'), plu: () => '', quantity: () => 1 },
    amountPerItem: (_, currency) => (currency === null ? undefined : { value: 0, currencyCode: currency }),
  },
  essential: ['quantity', 'amountPerItem'],
});

addRule(EposOrder, {
  prepare: (members) => ({ ...members, status: toListedStatus(members['status']) }),
  currency: ({ totalAmount }) => (isMembers(totalAmount) ? totalAmount['currencyCode'] : null),
  fallbacks: { details: () => ({ orderType: 'Collection' }) },
  essential: ['id', 'totalAmount', 'paidAmount', 'payments'],
  either: [['paidAmount', 'payments']],
});
