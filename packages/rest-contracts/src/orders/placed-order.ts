import { AMOUNT_MAX } from '@pos/core/money';
import type { z } from 'zod';
import { NewOrder } from '../epos-data/epos-data-orders.js';
import { EPOS_FRAME_BYTES_MAX } from '../epos-data/epos-data-frames.js';
import { refuseCardsWithin } from '../shapes/free-text.js';
import { walkLeaves } from '../shapes/leaves.js';

const ITEMS_MAX = 500;
const TEXT_LENGTH_MAX = 1024;
/** The limit of collected violations; more would not be named. */
const ISSUES_MAX = 100;
const QUANTITY_MAX = 10_000;
/** Keeps an order, with what the service adds, well below the limit of a frame, and quick to parse. */
const ORDER_BYTES_MAX = EPOS_FRAME_BYTES_MAX / 4;

/** Members with numbers and codes of the merchant or its EPOS, without words. */
const IDS: ReadonlySet<string> = new Set([
  'plu',
  'affectedPlu',
  'discountReference',
  'code',
  'id',
  'reference',
  'tableId',
  'waiterId',
  'partyId',
  'reservationId',
]);

/**
 * An order that a payer pays before the EPOS stores it: what the EPOS is asked to create, without the service's
 * additions.
 */
export const PlacedOrder = NewOrder.omit({ serviceOrderId: true, payments: true })
  .extend({ items: NewOrder.shape.items.min(1).max(ITEMS_MAX) })
  .check(checkSizes, checkAmounts, refuseCardsWithin(IDS))
  .meta({
    id: 'PlacedOrder',
    description:
      'The order to create at the EPOS; the service adds its own id of the order and the payment. All amounts are of ' +
      `one currency, quantities are from 1 to ${QUANTITY_MAX}, texts have at most ${TEXT_LENGTH_MAX} characters, and the ` +
      `whole has at most ${ORDER_BYTES_MAX / 1024} KiB of JSON. No text may hold a card number or a security code.`,
    examples: [
      {
        details: { orderType: 'DineIn', dineIn: { tableId: 't-7' } },
        items: [
          {
            ...{ name: 'Soup', quantity: 2, plu: '1001', note: 'no onions' },
            amountPerItem: { value: 650, currencyCode: 'GBP' },
          },
        ],
        totalAmount: { value: 1430, currencyCode: 'GBP' },
        serviceChargeAmount: { value: 130, currencyCode: 'GBP' },
        displayName: 'Ada',
      },
    ],
  });
export type PlacedOrder = z.output<typeof PlacedOrder>;

type Order = Pick<NewOrder, 'totalAmount' | 'serviceChargeAmount'>;
interface OrderSubject {
  readonly value: Order;
  readonly issues: z.core.$ZodRawIssue[];
}

function checkSizes(subject: OrderSubject): void {
  const bytes = new TextEncoder().encode(JSON.stringify(subject.value)).length;
  if (bytes > ORDER_BYTES_MAX) {
    addIssue(subject, () => [], `Must be at most ${ORDER_BYTES_MAX / 1024} KiB of JSON.`);
    return;
  }
  walkLeaves(subject.value, ({ path, name, value }) => {
    if (typeof value === 'string' && isTooLong(value)) {
      addIssue(subject, path, `Must be at most ${TEXT_LENGTH_MAX} characters.`);
    }
    if (typeof value !== 'number') return;
    const [least, most] = name === 'quantity' ? [1, QUANTITY_MAX] : [-AMOUNT_MAX, AMOUNT_MAX];
    if (value < least) addIssue(subject, path, `Must be at least ${least}.`);
    if (value > most) addIssue(subject, path, `Must be at most ${most}.`);
  });
}

function checkAmounts(subject: OrderSubject): void {
  const { totalAmount, serviceChargeAmount } = subject.value;
  if (totalAmount.value < 1) addIssue(subject, () => ['totalAmount', 'value'], 'Must be at least 1.');
  walkLeaves(subject.value, ({ path, name, value }) => {
    if (name !== 'currencyCode' || value === totalAmount.currencyCode) return;
    addIssue(subject, path, `Must be ${totalAmount.currencyCode}, as the currency of totalAmount.`);
  });
  if (serviceChargeAmount === undefined) return;
  const at = (): readonly string[] => ['serviceChargeAmount', 'value'];
  if (serviceChargeAmount.value < 0) addIssue(subject, at, 'Must be at least 0.');
  if (serviceChargeAmount.value > totalAmount.value) addIssue(subject, at, 'Must be at most the totalAmount.');
}

/** Counted by code points; a text has at least half as many of them as UTF-16 units. */
function isTooLong(text: string): boolean {
  return (
    text.length > TEXT_LENGTH_MAX && (text.length > 2 * TEXT_LENGTH_MAX || Array.from(text).length > TEXT_LENGTH_MAX)
  );
}

function addIssue({ issues }: OrderSubject, path: () => readonly PropertyKey[], message: string): void {
  if (issues.length < ISSUES_MAX) issues.push({ code: 'custom', input: null, path: [...path()], message });
}
