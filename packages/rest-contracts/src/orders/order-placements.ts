import { PLACEMENT_STATES } from '@pos/core/orders/order-placement';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { PlacedOrder } from './placed-order.js';
import { Moment, Money, text } from '../shapes/shapes.js';

const NewOrderPlacement = z
  .object({
    paymentIntentId: text({ min: 1, max: 100 }).meta({
      description:
        'A payment intent with the capture mode `Manual`, its amount and service charge together the `totalAmount` of the order.',
    }),
    order: PlacedOrder,
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
      .meta({ description: 'Also the `serviceOrderId` by which the EPOS knows the order, the same at every try.' }),
    paymentIntentId: z.string(),
    status: z.enum(PLACEMENT_STATES),
    orderId: z
      .string()
      .optional()
      .meta({ description: 'The id that the EPOS gave the order; absent until it is known.' }),
    totalAmount: Money.meta({ description: 'With the service charge, without the tip.' }),
    tipsAmount: Money.meta({ description: 'Held on top; nothing before the payment is authorised.' }),
    orderMayStand: z.boolean().meta({
      description: 'True where the EPOS may have the order although its money went back: somebody has to look.',
    }),
    lastError: z
      .string()
      .optional()
      .meta({ description: 'What went wrong last, for people; absent where nothing did.' }),
    createdAt: Moment,
    updatedAt: Moment,
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
  method: 'POST',
  path: '/epos/order-placements',
  summary: 'Submit an order that its guest pays before the EPOS has it',
  description:
    'It may be submitted before the guest has paid, or after: once the payment is authorised, the EPOS is asked to make the ' +
    'order, and the money is captured when it has made it. If it does not, the money goes back. Nobody else captures, ' +
    'reverses or changes that payment meanwhile. The EPOS must have registered CreateOrder, GetOrderById and SearchOrders.',
  permission: 'payments.capture',
  idempotency: 'optional',
  body: NewOrderPlacement,
  returns: OrderPlacement,
  refusals: ['payment_intent_unknown', 'payment_intent_held_for_order', 'order_not_placeable', 'epos_cannot_order'],
} as const satisfies Operation;

export const getOrderPlacement = {
  ...shared,
  id: 'getOrderPlacement',
  method: 'GET',
  path: '/epos/order-placements/{placementId}',
  summary: 'Read how far an order is that was submitted with its payment',
  description: [
    '- `Waiting`: the guest has not paid yet.',
    '- `Held`: the money is held, and the EPOS is about to be asked.',
    '- `Placing`: the EPOS is being asked to make the order.',
    '- `PlaceUnknown`: the EPOS gave no clear answer; it is searched for the order, or asked again.',
    '- `Placed`: the EPOS has the order, and the money is being captured.',
    '- `Completed`: the EPOS has the order, and the money is taken. Final.',
    '- `Cancelling`: the order is being cancelled at the EPOS, because its money will not be taken.',
    '- `GivingBack`: no order stands that is known of, and the money is going back.',
    '- `GivenBack`: the money went back. Final, unless the EPOS tells of the order after all: then it is cancelled.',
    '- `Ended`: nobody paid, and nothing was asked of the EPOS. Final.',
    '- `NeedsOperator`: the money could not be given back for a day, and a person has to look.',
  ].join('\n'),
  permission: 'payments.read',
  idempotency: 'none',
  params: z.object({ placementId: z.string() }),
  returns: OrderPlacement,
  refusals: ['order_placement_not_found'],
} as const satisfies Operation;

export const ORDER_PLACEMENT_OPERATIONS = [submitOrder, getOrderPlacement] as const;
