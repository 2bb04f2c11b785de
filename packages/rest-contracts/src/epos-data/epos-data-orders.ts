import { z } from 'zod';
import { EposCursor, EposId, EposMoment, EposMoney, getEposPage, Percentage, Quantity } from './epos-data-shapes.js';
import { isMembers, type Members, RESHAPES, type ReshapedBody, reshapeSynonym } from '../shapes/reshape.js';
import { text } from '../shapes/shapes.js';

/** The statuses of an order; the last three are final. Without one an order is `New`. */
export const ORDER_STATUSES = [
  'New',
  'Submitted',
  'Confirmed',
  'Accepted',
  'Preparing',
  'Prepared',
  'Ready',
  'Finalized',
  'Canceled',
  'Failed',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const EposArea = z
  .object({
    id: EposId.describe('Id of the area at the EPOS.'),
    name: z.string().describe('Name of the area, as staff know it.'),
    waiterIds: z.array(z.string()).optional().describe('Ids of the waiters who serve the area.'),
  })
  .meta({ id: 'EposArea', examples: [{ id: 'bar', name: 'Bar', waiterIds: ['42'] }] });
export type EposArea = z.output<typeof EposArea>;

export const EposTable = z
  .object({
    id: EposId.describe('Id of the table at the EPOS.'),
    name: z.string().describe('Name of the table, unique in its area.'),
    maxCovers: z.int().optional().describe('How many people the table has room for.'),
    areaId: z.string().optional().describe('Id of the area where the table is.'),
    waiterIds: z.array(z.string()).optional().describe('Ids of the waiters who serve the table.'),
  })
  .meta({ id: 'EposTable', examples: [{ id: 't-7', name: 'Table 7', maxCovers: 4, areaId: 'bar' }] });
export type EposTable = z.output<typeof EposTable>;

/** How many: whole numbers in an order that the service creates, and what a till counts or weighs in one that it reads. */
interface ItemQuantities {
  readonly ofItem: z.ZodType<number>;
  readonly ofModifier: z.ZodType<number>;
}

function getModifier(id: string, quantity: z.ZodType<number>) {
  const modifier = z
    .object({
      name: z.string().describe('Text of the modifier on the bill.'),
      quantity,
      plu: z.string().describe('Price look-up number of the modifier at the EPOS.'),
      amountPerItem: EposMoney.describe('Price of one modifier; negative for a discount.'),
    })
    .meta({
      id,
      description:
        'The quantity is that of a single item. The service writes its price as `amountPerItem` and, with the same value, as `amountPerModifier`; it reads either.',
    });
  RESHAPES.add(modifier, reshapeSynonym('amountPerItem', 'amountPerModifier'));
  return modifier;
}

function getItemMembers(modifierId: string, { ofItem, ofModifier }: ItemQuantities) {
  return {
    name: z.string().describe('Text of the item on the bill.'),
    quantity: ofItem,
    plu: z.string().describe('Price look-up number: the item in the catalogue of the EPOS.'),
    amountPerItem: EposMoney.meta({ description: 'Before modifiers, sub-items and discounts.' }),
    note: z.string().optional().describe('Instructions for the kitchen.'),
    modifiers: z
      .array(getModifier(modifierId, ofModifier))
      .optional()
      .describe('Changes to the item that have a price of their own.'),
  };
}
const SUB_ITEMS = 'Items that belong to this one, such as the courses of a menu. They have no sub-items of their own.';
const SOUP = { name: 'Soup', quantity: 2, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } };

const NEW_ITEM_MEMBERS = getItemMembers('EposModifier', {
  ofItem: z.int().describe('How many of the item were ordered.'),
  ofModifier: z.int().describe('How many of the modifier one item has.'),
});
/** An item of an order that the service creates. */
const NewItem = z
  .object({ ...NEW_ITEM_MEMBERS, subItems: z.array(z.object(NEW_ITEM_MEMBERS)).optional().describe(SUB_ITEMS) })
  .meta({ id: 'EposItem', examples: [SOUP] });

const ITEM_MEMBERS = {
  ...getItemMembers('EposOrderModifier', {
    ofItem: Quantity.describe('How many of the item were ordered: a weight or half a portion, negative for a void.'),
    ofModifier: Quantity.describe('How many of the modifier one item has.'),
  }),
  amountTotal: EposMoney.optional().meta({
    description:
      'The total of the line with its modifiers, as the EPOS rounds it. Without one the service multiplies and rounds to the nearest minor unit.',
  }),
};
/** A sub-item of an order, as the EPOS reports it. */
export const EposSubItem = z.object(ITEM_MEMBERS);
/** An item of an order, as the EPOS reports it. */
export const EposOrderItem = z
  .object({ ...ITEM_MEMBERS, subItems: z.array(EposSubItem).optional().describe(SUB_ITEMS) })
  .meta({ id: 'EposOrderItem', examples: [SOUP, { ...SOUP, name: 'Trout', quantity: 0.575 }] });
export type EposItem = z.output<typeof EposOrderItem>;
/** A modifier of an order, as the EPOS reports it. */
export const EposOrderModifier = ITEM_MEMBERS.modifiers.unwrap().element;

export const EposDiscount = z
  .object({
    name: z.string().describe('Text of the discount on the bill.'),
    amountTotal: EposMoney.describe('The amount of the whole discount.'),
    amountPercentage: Percentage.optional(),
    affectedPlu: z.array(z.string()).optional().meta({ description: 'Empty: the whole order.' }),
    discountReference: z.string().optional().describe('Reference of the discount at the EPOS.'),
    code: z.string().optional().describe('The code that the customer entered for the discount.'),
  })
  .meta({ id: 'EposDiscount' });

const TaxLine = z
  .object({
    amountTotal: EposMoney.describe('The amount of the tax.'),
    id: text({ max: 60 }).optional().describe('Id of the tax at the EPOS.'),
    name: text({ max: 100 }).optional().describe('Name of the tax on the bill, such as “VAT”.'),
    amountPercentage: Percentage.optional(),
    affectedPlu: z
      .array(z.string())
      .optional()
      .describe('Price look-up numbers of the taxed items; empty or absent for the whole order.'),
  })
  .meta({ id: 'EposTaxLine' });

export const EposOrderPayment = z
  .object({
    paymentIntentId: z
      .string()
      .optional()
      .meta({ description: 'May be absent for a payment that was not made through the service.' }),
    paidAmount: EposMoney.meta({ description: 'Without the tip, with the service charge.' }),
    tipsAmount: EposMoney.optional().describe('The tip of the payment; absent without one.'),
  })
  .meta({ id: 'EposOrderPayment' });
export type EposOrderPayment = z.output<typeof EposOrderPayment>;

const DineIn = z.object({
  tableId: z.string().optional().describe('Id of the table at the EPOS.'),
  waiterId: z.string().optional().describe('Id of the waiter, as it is typed.'),
  partyId: z.string().optional().describe('Id of the party at the EPOS.'),
  reservationId: z.string().optional().describe('Id of the reservation at the EPOS.'),
  readyAt: EposMoment.optional().describe('When the order is wanted at the table.'),
});
const Collection = z.object({
  asap: z.boolean().optional().describe('True: as soon as possible. Otherwise `collectAt` counts.'),
  collectAt: EposMoment.optional().describe('When the customer collects the order.'),
});

/** How an order is served: at a table or for collection. */
export const EposOrderDetails = z
  .object({
    orderType: z.enum(['DineIn', 'Collection']).describe('`DineIn` is served at a table, `Collection` is collected.'),
    dineIn: DineIn.optional().describe('Present for `DineIn`: where the order is served.'),
    collection: Collection.optional().describe('Present for `Collection`: when the order is collected.'),
  })
  .meta({ id: 'EposOrderDetails', examples: [{ orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '42' } }] });

const Customer = z
  .object({
    id: z.string().optional().describe('Id of the customer; its form has no meaning.'),
    emailAddress: text({ max: 254 }).optional().describe('E-mail address of the customer.'),
    phoneNumber: text({ max: 50 }).optional().describe('Phone number of the customer.'),
    name: z.string().optional().describe('Name of the customer.'),
  })
  .meta({ id: 'EposCustomer' });

const ORDER_MEMBERS = {
  details: EposOrderDetails.describe('How the order is served.'),
  note: z.string().optional().describe('Instructions for the whole order.'),
  discounts: z.array(EposDiscount).optional().describe('Discounts that `totalAmount` already contains.'),
  taxLines: z.array(TaxLine).optional().describe('Taxes that `totalAmount` already contains.'),
  serviceChargeAmount: EposMoney.optional().describe('Service charge, part of `totalAmount`.'),
  reference: z.string().optional().describe('A number or name of the order that people can read.'),
  displayName: z.string().optional().describe('Name under which lists display the order.'),
  customer: Customer.optional().describe('Who ordered.'),
};

/** An order for the EPOS to create. */
export const NewOrder = z
  .object({
    ...ORDER_MEMBERS,
    items: z.array(NewItem).describe('What is ordered.'),
    totalAmount: EposMoney.meta({
      description: 'After discounts and taxes, with the service charge, never with tips.',
    }),
    serviceOrderId: EposId.meta({
      description: 'The id of the order in the service: two requests with the same id create one order.',
    }),
    payments: z
      .array(EposOrderPayment)
      .describe('Payments that were taken for the order already; empty when there are none.'),
  })
  .meta({
    id: 'EposNewOrder',
    examples: [
      {
        details: { orderType: 'Collection', collection: { asap: true } },
        items: [{ name: 'Soup', quantity: 1, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } }],
        totalAmount: { value: 650, currencyCode: 'GBP' },
        serviceOrderId: 'so-1',
        payments: [],
      },
    ],
  });
export type NewOrder = z.output<typeof NewOrder>;

/** An order as the EPOS reports it. `id` may be missing where the request named the order. */
export const EposOrder = z
  .object({
    ...ORDER_MEMBERS,
    id: EposId.optional().describe('Id of the order at the EPOS. May be absent where the request named the order.'),
    status: z
      .enum(ORDER_STATUSES)
      .default('New')
      .describe('How far the order is; `Finalized`, `Canceled` and `Failed` are final. `New` when absent.'),
    items: z.array(EposOrderItem).optional().describe('What is ordered.'),
    createdAt: EposMoment.optional().describe('When the order was created.'),
    updatedAt: EposMoment.optional().describe('When the order changed last.'),
    totalAmount: EposMoney.optional().meta({ description: 'An order without one cannot be paid.' }),
    payments: z
      .array(EposOrderPayment)
      .optional()
      .describe('Every payment on the order, of the service and of others.'),
    payable: z
      .boolean()
      .optional()
      .describe(
        'Whether the order can be paid now. When absent: it can while its status is not final and something is outstanding.',
      ),
    paidAmount: EposMoney.optional().meta({ description: 'The sum of the payments, never with tips.' }),
    tipsAmount: EposMoney.optional().describe('The sum of the tips of all payments.'),
  })
  .meta({
    id: 'EposOrder',
    examples: [
      {
        id: '118',
        status: 'Accepted',
        details: { orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '42' } },
        items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } }],
        totalAmount: { value: 1300, currencyCode: 'GBP' },
        paidAmount: { value: 500, currencyCode: 'GBP' },
        payments: [{ paymentIntentId: 'pi_sandbox_x', paidAmount: { value: 500, currencyCode: 'GBP' } }],
        payable: true,
      },
    ],
  });
export type EposOrder = z.output<typeof EposOrder>;
export const EposTablePage = getEposPage('EposTablePage', EposTable);
export const EposOrderPage = getEposPage('EposOrderPage', EposOrder);

export const TableSearch = z
  .object({
    areaId: z.string().optional().describe('Only tables of this area.'),
    waiterId: z.string().optional().describe('Only tables of this waiter.'),
    cursor: EposCursor.optional().describe('Which page.'),
  })
  .meta({ id: 'EposTableSearch', examples: [{ areaId: 'bar', cursor: { limit: 50 } }] });
export type TableSearch = z.output<typeof TableSearch>;

const SearchedDineIn = DineIn.omit({ readyAt: true });

/** A `dineIn` beside `details` is read as `details.dineIn`. */
export const OrderSearch = z
  .object({
    details: z
      .object({ dineIn: SearchedDineIn.optional().describe('Only orders that agree with all members that are sent.') })
      .optional()
      .describe('Which orders.'),
    payableOnly: z.boolean().optional().describe('True: only orders that can be paid now.'),
    cursor: EposCursor.optional().describe('Which page.'),
  })
  .meta({ id: 'EposOrderSearch', examples: [{ details: { dineIn: { tableId: 't-7' } }, payableOnly: true }] });
export type OrderSearch = z.output<typeof OrderSearch>;
RESHAPES.add(OrderSearch, {
  names: ['dineIn'],
  reshape: ({ dineIn, ...rest }) => withDineIn(rest, dineIn),
});

export const NewOrderLock = z
  .object({
    lockId: z.uuid().describe('UUID that the service creates. Locking again with the same id replaces `expiry`.'),
    expiry: EposMoment.describe('When the lock becomes void unless it is extended.'),
  })
  .meta({
    id: 'EposNewOrderLock',
    examples: [{ lockId: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20', expiry: '2026-03-01T19:05:00.000Z' }],
  });
export const LockExtension = z
  .object({ expiry: EposMoment.describe('When the lock becomes void now.') })
  .meta({ id: 'EposLockExtension', examples: [{ expiry: '2026-03-01T19:05:00.000Z' }] });

export const RecordedPayment = z
  .object({
    paymentIntentId: EposId.describe('Id of the payment intent (`pi_…`). Recording it twice books it once.'),
    paidAmount: EposMoney.describe('What was paid, without the tip, with the service charge.'),
    tipsAmount: EposMoney.optional().meta({ description: 'Absent without a tip.' }),
    lockId: z.uuid().optional().meta({ description: 'The lock that the payment is recorded under.' }),
  })
  .meta({
    id: 'EposRecordedPayment',
    examples: [{ paymentIntentId: 'pi_sandbox_x', paidAmount: { value: 800, currencyCode: 'GBP' } }],
  });
export type RecordedPayment = z.output<typeof RecordedPayment>;

function withDineIn(members: Members, dineIn: unknown): ReshapedBody {
  if (!isMembers(dineIn)) return { members, conflicts: [] };
  const details = members['details'];
  const inside = isMembers(details) ? details : {};
  const origins = 'dineIn' in inside ? [] : [{ sentAs: ['dineIn'], readAs: ['details', 'dineIn'] }];
  return { members: { ...members, details: { dineIn, ...inside } }, conflicts: [], origins };
}
