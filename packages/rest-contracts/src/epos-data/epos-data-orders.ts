import { z } from 'zod';
import { EposCursor, EposId, EposMoment, EposMoney, getEposPage, Percentage } from './epos-data-shapes.js';
import { isMembers, type Members, RESHAPES, type ReshapedBody, reshapeSynonym } from '../shapes/reshape.js';
import { text } from '../shapes/shapes.js';

/** The statuses of an order; the last three are final. Without one an order is `New`. */
const ORDER_STATUSES = [
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
  .object({ id: EposId, name: z.string(), waiterIds: z.array(z.string()).optional() })
  .meta({ id: 'EposArea', examples: [{ id: 'bar', name: 'Bar', waiterIds: ['42'] }] });
export type EposArea = z.output<typeof EposArea>;

export const EposTable = z
  .object({
    id: EposId,
    name: z.string(),
    maxCovers: z.int().optional(),
    areaId: z.string().optional(),
    waiterIds: z.array(z.string()).optional(),
  })
  .meta({ id: 'EposTable', examples: [{ id: 't-7', name: 'Table 7', maxCovers: 4, areaId: 'bar' }] });
export type EposTable = z.output<typeof EposTable>;

const Modifier = z.object({ name: z.string(), quantity: z.int(), plu: z.string(), amountPerItem: EposMoney }).meta({
  id: 'EposModifier',
  description:
    'The quantity is that of a single item. The service writes its price as `amountPerItem` and, with the same value, as `amountPerModifier`; it reads either.',
});
RESHAPES.add(Modifier, reshapeSynonym('amountPerItem', 'amountPerModifier'));

const ITEM_MEMBERS = {
  name: z.string(),
  quantity: z.int(),
  plu: z.string(),
  amountPerItem: EposMoney.meta({ description: 'Before modifiers, sub-items and discounts.' }),
  note: z.string().optional(),
  modifiers: z.array(Modifier).optional(),
};
const Item = z.object({ ...ITEM_MEMBERS, subItems: z.array(z.object(ITEM_MEMBERS)).optional() }).meta({
  id: 'EposItem',
  examples: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } }],
});
export type EposItem = z.output<typeof Item>;

const Discount = z
  .object({
    name: z.string(),
    amountTotal: EposMoney,
    amountPercentage: Percentage.optional(),
    affectedPlu: z.array(z.string()).optional().meta({ description: 'Empty: the whole order.' }),
    discountReference: z.string().optional(),
    code: z.string().optional(),
  })
  .meta({ id: 'EposDiscount' });

const TaxLine = z
  .object({
    amountTotal: EposMoney,
    id: text({ max: 60 }).optional(),
    name: text({ max: 100 }).optional(),
    amountPercentage: Percentage.optional(),
    affectedPlu: z.array(z.string()).optional(),
  })
  .meta({ id: 'EposTaxLine' });

const Payment = z
  .object({
    paymentIntentId: z
      .string()
      .optional()
      .meta({ description: 'A payment that the service did not take may lack it.' }),
    paidAmount: EposMoney.meta({ description: 'Without the tip, with the service charge.' }),
    tipsAmount: EposMoney.optional(),
  })
  .meta({ id: 'EposOrderPayment' });
export type EposOrderPayment = z.output<typeof Payment>;

const DineIn = z.object({
  tableId: z.string().optional(),
  waiterId: z.string().optional(),
  partyId: z.string().optional(),
  reservationId: z.string().optional(),
  readyAt: EposMoment.optional(),
});
const Collection = z.object({ asap: z.boolean().optional(), collectAt: EposMoment.optional() });

/** How an order is served: at a table or for collection. */
const OrderDetails = z
  .object({
    orderType: z.enum(['DineIn', 'Collection']),
    dineIn: DineIn.optional(),
    collection: Collection.optional(),
  })
  .meta({ id: 'EposOrderDetails', examples: [{ orderType: 'DineIn', dineIn: { tableId: 't-7', waiterId: '42' } }] });

const Customer = z
  .object({
    id: z.string().optional(),
    emailAddress: text({ max: 254 }).optional(),
    phoneNumber: text({ max: 50 }).optional(),
    name: z.string().optional(),
  })
  .meta({ id: 'EposCustomer' });

const ORDER_MEMBERS = {
  details: OrderDetails,
  note: z.string().optional(),
  discounts: z.array(Discount).optional(),
  taxLines: z.array(TaxLine).optional(),
  serviceChargeAmount: EposMoney.optional(),
  reference: z.string().optional(),
  displayName: z.string().optional(),
  customer: Customer.optional(),
};

/** An order for the EPOS to create. */
export const NewOrder = z
  .object({
    ...ORDER_MEMBERS,
    items: z.array(Item),
    totalAmount: EposMoney.meta({
      description: 'After discounts and taxes, with the service charge, never with tips.',
    }),
    serviceOrderId: EposId.meta({
      description: 'The order in the service: the same one asked for twice is made once.',
    }),
    payments: z.array(Payment),
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
    id: EposId.optional(),
    status: z.enum(ORDER_STATUSES).default('New'),
    items: z.array(Item).optional(),
    createdAt: EposMoment.optional(),
    updatedAt: EposMoment.optional(),
    totalAmount: EposMoney.optional().meta({ description: 'An order without one cannot be paid.' }),
    payments: z.array(Payment).optional(),
    payable: z.boolean().optional(),
    paidAmount: EposMoney.optional().meta({ description: 'The sum of the payments, never with tips.' }),
    tipsAmount: EposMoney.optional(),
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
  .object({ areaId: z.string().optional(), waiterId: z.string().optional(), cursor: EposCursor.optional() })
  .meta({ id: 'EposTableSearch', examples: [{ areaId: 'bar', cursor: { limit: 50 } }] });
export type TableSearch = z.output<typeof TableSearch>;

const SearchedDineIn = DineIn.omit({ readyAt: true });

/** A `dineIn` beside `details` is read as `details.dineIn`. */
export const OrderSearch = z
  .object({
    details: z.object({ dineIn: SearchedDineIn.optional() }).optional(),
    payableOnly: z.boolean().optional(),
    cursor: EposCursor.optional(),
  })
  .meta({ id: 'EposOrderSearch', examples: [{ details: { dineIn: { tableId: 't-7' } }, payableOnly: true }] });
export type OrderSearch = z.output<typeof OrderSearch>;
RESHAPES.add(OrderSearch, {
  names: ['dineIn'],
  reshape: ({ dineIn, ...rest }) => withDineIn(rest, dineIn),
});

export const NewOrderLock = z.object({ lockId: z.uuid(), expiry: EposMoment }).meta({
  id: 'EposNewOrderLock',
  examples: [{ lockId: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20', expiry: '2026-03-01T19:05:00.000Z' }],
});
export const LockExtension = z
  .object({ expiry: EposMoment })
  .meta({ id: 'EposLockExtension', examples: [{ expiry: '2026-03-01T19:05:00.000Z' }] });

export const RecordedPayment = z
  .object({
    paymentIntentId: EposId,
    paidAmount: EposMoney,
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
