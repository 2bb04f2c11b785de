import { randomUUID } from 'node:crypto';
import { submitOrder } from '@pos/rest-contracts/orders';
import { createPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { listReferenceEposCalls } from '@pos/rest-contracts/sandbox';
import { registerDataApi } from './data-api-registration.js';
import { startMachineSale } from './machine-sale.js';
import type { Stage, StageRestaurant } from './stage.js';

const CAPABILITIES = ['CreateOrder', 'GetOrderById', 'SearchOrders', 'CancelOrderById'] as const;
const PRICE = { value: 1_300, currencyCode: 'GBP' };

export interface SubmittedOrder {
  readonly placementId: string;
  readonly paymentIntentId: string;
  /** The number of orders that were requested from the EPOS before this one. */
  readonly before: number;
}

/** The payer submits the order, and then pays at a kiosk. */
export async function submitTestOrder(stage: Stage, house: StageRestaurant): Promise<SubmittedOrder> {
  const api = stage.api(house);
  const before = await countCreations(stage, house);
  const { id: paymentIntentId } = await api(createPaymentIntent, {
    body: { amount: PRICE, reference: 'in advance', captureMode: 'Manual' },
  });
  const { id: placementId } = await api(submitOrder, {
    idempotencyKey: randomUUID(),
    body: {
      paymentIntentId,
      order: {
        details: { orderType: 'Collection', collection: { asap: true } },
        items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: { value: 650, currencyCode: 'GBP' } }],
        totalAmount: PRICE,
      },
    },
  });
  await startMachineSale(stage, house, paymentIntentId);
  return { placementId, paymentIntentId, before };
}

export async function countCreations(stage: Stage, { scope: { accountId } }: StageRestaurant): Promise<number> {
  const { calls } = await stage.sandbox(listReferenceEposCalls, { params: { accountId } });
  return calls.filter(({ method }) => method === 'CreateOrder').length;
}

/** During the work the EPOS of the restaurant accepts orders over REST, beside its tables. */
export async function runOrdering(stage: Stage, house: StageRestaurant, work: () => Promise<void>): Promise<void> {
  const unregister = await registerOrderingEpos(stage, house);
  try {
    await work();
  } finally {
    await unregister();
  }
}

/** Registers the EPOS of the restaurant for orders over REST, beside its tables. Returns what ends the registration. */
export function registerOrderingEpos(stage: Stage, house: StageRestaurant): Promise<() => Promise<void>> {
  return registerDataApi(stage, house, CAPABILITIES);
}
