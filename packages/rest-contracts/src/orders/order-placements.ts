import { PLACEMENT_STATES } from '@pos/core/orders';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { PlacedOrder } from './placed-order.js';
import { getPage, isOneDirection, Moment, Money, ONE_DIRECTION, PAGE_MEMBERS, text } from '../shapes/shapes.js';

const NewOrderPlacement = z
  .object({
    paymentIntentId: text({ min: 1, max: 100 }).meta({
      description:
        'A payment intent with the capture mode `Manual`, its amount and service charge together the `totalAmount` of the order.',
    }),
    order: PlacedOrder.describe('The order to create at the EPOS once it is paid.'),
  })
  .meta({
    id: 'NewOrderPlacement',
    examples: [
      {
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        order: {
          details: { orderType: 'Collection', collection: { asap: true } },
          items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } }],
          totalAmount: { value: 1300, currencyCode: 'GBP' },
        },
      },
    ],
  });

const OrderPlacement = z
  .object({
    id: z
      .uuid()
      .meta({ description: 'Also the `serviceOrderId` of the order at the EPOS, the same in every attempt.' }),
    paymentIntentId: z.string().describe('Id of the payment intent (`pi_…`) that pays the order.'),
    status: z.enum(PLACEMENT_STATES).describe('Where the order is; the operation that reads it explains every value.'),
    orderId: z.string().optional().meta({ description: 'The id of the order at the EPOS; absent until it is known.' }),
    totalAmount: Money.meta({ description: 'With the service charge, without the tip.' }),
    tipsAmount: Money.meta({ description: 'Held on top; 0 before the payment is authorised.' }),
    orderMayStand: z.boolean().meta({
      description: 'True if the EPOS may have the order although its money was returned. An operator must check it.',
    }),
    lastError: z.string().optional().meta({ description: 'The last error, for people; absent if there was none.' }),
    createdAt: Moment.describe('When the order was submitted.'),
    updatedAt: Moment.describe('When the order changed last.'),
  })
  .meta({
    id: 'OrderPlacement',
    examples: [
      {
        id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        status: 'Completed',
        orderId: '118',
        totalAmount: { value: 1300, currencyCode: 'GBP' },
        tipsAmount: { value: 150, currencyCode: 'GBP' },
        orderMayStand: false,
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:02.000Z',
      },
    ],
  });
export type OrderPlacement = z.output<typeof OrderPlacement>;

const shared = { tag: 'EPOS', version: 'optional' } as const;

export const submitOrder = {
  ...shared,
  id: 'submitOrder',
  movesMoney: true,
  method: 'POST',
  path: '/epos/order-placements',
  summary: 'Submit an order that is paid before the EPOS has it',
  description:
    'It may be submitted before or after the payment. Once the payment is authorised, the service creates the order at ' +
    'the EPOS, and captures the money when the EPOS has created it. Otherwise it returns the money. Until then all other ' +
    'captures, reversals and changes of the payment are refused. The EPOS must have registered CreateOrder, GetOrderById and SearchOrders.',
  permission: 'payments.capture',
  idempotency: 'optional',
  body: NewOrderPlacement,
  returns: OrderPlacement,
  refusals: [
    'account_disabled',
    'payment_intent_unknown',
    'payment_intent_held_for_order',
    'order_not_placeable',
    'epos_cannot_order',
  ],
} as const satisfies Operation;

export const getOrderPlacement = {
  ...shared,
  id: 'getOrderPlacement',
  method: 'GET',
  path: '/epos/order-placements/{placementId}',
  summary: 'Read the state of an order that was submitted with its payment',
  description: [
    '- `Waiting`: the payer has not paid yet.',
    '- `Held`: the money is held; the order is created next.',
    '- `Placing`: the service creates the order at the EPOS.',
    '- `PlaceUnknown`: the EPOS gave no clear answer; the service searches for the order, or creates it again.',
    '- `Placed`: the EPOS has the order, and the service captures the money.',
    '- `Completed`: the EPOS has the order, and the money is captured. Final.',
    '- `Cancelling`: the service cancels the order at the EPOS, because its money will not be captured.',
    '- `GivingBack`: the EPOS has no open order, as far as it is known, and the service returns the money.',
    '- `GivenBack`: the money was returned. Final, unless the EPOS reports the order later: then the order is cancelled.',
    '- `Ended`: there was no payment, and no call to the EPOS. Final.',
    '- `NeedsOperator`: the money could not be returned for a day. An operator must decide.',
  ].join('\n'),
  permission: 'payments.read',
  idempotency: 'none',
  params: z.object({ placementId: z.string().describe('UUID of the placement.') }),
  returns: OrderPlacement,
  continuesPayment: true,
  refusals: ['order_placement_not_found'],
} as const satisfies Operation;

export const listOrderPlacements = {
  ...shared,
  id: 'listOrderPlacements',
  method: 'GET',
  path: '/epos/order-placements',
  summary: 'List the orders that were submitted with their payment, newest first',
  permission: 'payments.read',
  idempotency: 'none',
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('OrderPlacementPage', OrderPlacement),
  continuesPayment: true,
  refusals: [],
} as const satisfies Operation;

export const ORDER_PLACEMENT_OPERATIONS = [submitOrder, listOrderPlacements, getOrderPlacement] as const;
