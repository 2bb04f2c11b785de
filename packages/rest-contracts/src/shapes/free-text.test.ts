import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { payByCard } from '../card-vault/client-payments.js';
import { createCustomer } from '../accounts/customers.js';
import { submitOrder } from '../orders/order-placements.js';
import { createPaymentIntent } from '../payment-intents/payment-intent-operations.js';
import { NewRefund } from '../payment-intents/payment-money.js';
import { readBody } from '../parsing/reading.js';
import { NewSetupIntent } from '../setup-intents/setup-intents.js';

const GROUPED = '4456 5300 0009 1014';
const IN_ONE_PIECE = '4456530000091014';

const GBP_1 = { value: 100, currencyCode: 'GBP' };

function getLine(more: object) {
  return { amountTotal: GBP_1, ...more };
}

/** The member that is named, and a body with the card number in it. */
const TYPED = [
  ['description', (card: string) => ({ description: `call back, ${card}, Mr Smith` })],
  ['reference', (card: string) => ({ reference: card })],
  ['billingAddress.address2', (card: string) => ({ billingAddress: { address2: card, countryCode: 'GB' } })],
  ['shippingDetails.deliveryNotes', (card: string) => ({ shippingDetails: { deliveryNotes: `card ${card}` } })],
  ['config.title', (card: string) => ({ config: { title: card } })],
  ['metadata', (card: string) => ({ metadata: { note: { typed: [card] } } })],
  ['itemLines[0].caption', (card: string) => ({ itemLines: [getLine({ caption: card })] })],
  [
    'itemLines[0].modifiers[0].name',
    (card: string) => ({
      itemLines: [getLine({ modifiers: [{ id: '1', name: card, quantity: 1, amountPerModifier: GBP_1 }] })],
    }),
  ],
  ['taxLines[0].subCaption', (card: string) => ({ taxLines: [{ subCaption: card, amountTotal: GBP_1 }] })],
] as const;

/** A request for an order with a sub-item, with more members in the order, in its item and in the sub-item. */
function orderWith({ order = {}, item = {}, subItem = {} }: { order?: object; item?: object; subItem?: object }) {
  const soup = { name: 'Soup', quantity: 1, plu: '1001', amountPerItem: GBP_1 };
  const items = [{ ...soup, ...item, subItems: [{ ...soup, ...subItem }] }];
  const details = { orderType: 'Collection' };
  return { paymentIntentId: 'pi_sandbox_x', order: { details, items, totalAmount: GBP_1, ...order } };
}

function getFaults(schema: z.ZodType, body: unknown): Readonly<Record<string, readonly string[]>> {
  const reading = readBody(schema, body);
  return reading.ok ? {} : reading.errors;
}
const refused = (member: string) => ({ [member]: ['Must not hold a card number.'] });

const PAYMENT = { amount: { value: 2000, currencyCode: 'GBP' }, reference: 'table 4' };
const SETUP = { reference: 'Saturday', merchantInitiatedTransactionType: 'NoShow', terms: 'You pay.' };
const CARD = { cardNumber: IN_ONE_PIECE, cardName: 'A GUEST', expiryDate: '12/32', cV2: '020' };

describe('a security code in the wrong member is refused too', () => {
  test.each([
    ['metaData', CARD, payByCard.body, { metaData: { cV2: '020' } }],
    ['metaData', CARD, payByCard.body, { metaData: { deep: [{ securityCode: 4821 }] } }],
    ['metadata', PAYMENT, createPaymentIntent.body, { metadata: { cvv: '341' } }],
    ['description', PAYMENT, createPaymentIntent.body, { description: 'by phone, CVC 341' }],
    ['reference', PAYMENT, createPaymentIntent.body, { reference: 'cv2=020' }],
  ] as const)('%s', (member, whole, schema, more) => {
    expect(getFaults(schema, { ...whole, ...more })).toEqual({
      [member]: ['Must not hold the security code of a card.'],
    });
  });
});

describe('a card number in the wrong member is refused by the member’s name and not repeated', () => {
  test.each(TYPED)('%s of a payment', (member, bodyWith) => {
    expect(getFaults(createPaymentIntent.body, { ...PAYMENT, ...bodyWith(GROUPED) })).toEqual(refused(member));
  });

  test.each([
    ['terms', SETUP, NewSetupIntent, { terms: `on ${IN_ONE_PIECE}.` }],
    ['metadata', SETUP, NewSetupIntent, { metadata: { card: GROUPED } }],
    ['metadata', SETUP, NewSetupIntent, { metadata: { cardNumber: IN_ONE_PIECE } }],
    ['reference', PAYMENT, createPaymentIntent.body, { reference: `PAN ${IN_ONE_PIECE}` }],
    ['refundReason', { amount: 1 }, NewRefund, { refundReason: IN_ONE_PIECE }],
    ['notes', { amount: 1 }, NewRefund, { notes: `back to ${IN_ONE_PIECE}` }],
    ['name', {}, createCustomer.body, { name: IN_ONE_PIECE }],
    ['phoneNumber', {}, createCustomer.body, { phoneNumber: GROUPED }],
    ['vatNumber', {}, createCustomer.body, { vatNumber: IN_ONE_PIECE }],
    ['emailAddress', {}, createCustomer.body, { emailAddress: `${IN_ONE_PIECE}@a.example` }],
    ['phoneNumber', CARD, payByCard.body, { phoneNumber: GROUPED }],
    ['emailAddress', CARD, payByCard.body, { emailAddress: `${IN_ONE_PIECE}@a.example` }],
    ['customer.phoneNumber', PAYMENT, createPaymentIntent.body, { customer: { phoneNumber: GROUPED } }],
    ['metaData', CARD, payByCard.body, { metaData: { typed: IN_ONE_PIECE } }],
    ['metaData', CARD, payByCard.body, { metaData: { [IN_ONE_PIECE]: '' } }],
    ['metaData', CARD, payByCard.body, { metaData: { typed: 4456530000091014 } }],
    ['shippingDetails.name', CARD, payByCard.body, { shippingDetails: { name: GROUPED } }],
  ] as const)('%s of %j', (member, body, schema, more) => {
    expect(getFaults(schema, { ...body, ...more })).toEqual(refused(member));
  });
});

describe('an order is checked at every depth', () => {
  test.each([
    ['order.note', { order: { note: `my card is ${IN_ONE_PIECE}` } }],
    ['order.displayName', { order: { displayName: IN_ONE_PIECE } }],
    ['order.reference', { order: { reference: GROUPED } }],
    ['order.details.dineIn.tableId', { order: { details: { orderType: 'DineIn', dineIn: { tableId: GROUPED } } } }],
    ['order.customer.name', { order: { customer: { name: IN_ONE_PIECE } } }],
    ['order.customer.phoneNumber', { order: { customer: { phoneNumber: GROUPED } } }],
    ['order.customer.emailAddress', { order: { customer: { emailAddress: `${IN_ONE_PIECE}@a.example` } } }],
    ['order.discounts[0].name', { order: { discounts: [{ name: GROUPED, amountTotal: GBP_1 }] } }],
    [
      'order.discounts[0].affectedPlu[1]',
      { order: { discounts: [{ name: 'x', amountTotal: GBP_1, affectedPlu: ['1001', GROUPED] }] } },
    ],
    ['order.taxLines[0].name', { order: { taxLines: [{ name: IN_ONE_PIECE, amountTotal: GBP_1 }] } }],
    ['order.items[0].note', { item: { note: IN_ONE_PIECE } }],
    ['order.items[0].plu', { item: { plu: GROUPED } }],
    [
      'order.items[0].modifiers[0].name',
      { item: { modifiers: [{ name: IN_ONE_PIECE, quantity: 1, plu: '1', amountPerItem: GBP_1 }] } },
    ],
    ['order.items[0].subItems[0].note', { subItem: { note: GROUPED } }],
  ])('%s', (member, more) => {
    expect(getFaults(submitOrder.body, orderWith(more))).toEqual(refused(member));
  });

  test('for security codes too', () => {
    expect(getFaults(submitOrder.body, orderWith({ subItem: { note: 'CVC 341' } }))).toEqual({
      'order.items[0].subItems[0].note': ['Must not hold the security code of a card.'],
    });
  });

  test('but not its codes and ids, which are the merchant’s own', () => {
    const details = { orderType: 'DineIn', dineIn: { tableId: IN_ONE_PIECE, partyId: IN_ONE_PIECE } };
    const order = { details, reference: IN_ONE_PIECE, customer: { id: IN_ONE_PIECE } };
    const numbers = { item: { plu: IN_ONE_PIECE }, subItem: { plu: '4006381333931', name: 'Tea 4006381333931' } };
    expect(getFaults(submitOrder.body, orderWith({ order, ...numbers }))).toEqual({});
  });
});

describe('an integrator’s own numbers are accepted', () => {
  test.each([
    ['a reference', { reference: IN_ONE_PIECE }],
    ['an order id', { orderDetails: { externalId: IN_ONE_PIECE, id: IN_ONE_PIECE } }],
    ['a PLU', { itemLines: [{ plu: IN_ONE_PIECE, id: IN_ONE_PIECE, amountTotal: PAYMENT.amount }] }],
    ['metadata', { metadata: { orderId: IN_ONE_PIECE, at: 4456530000091014 } }],
    [
      'a caption with an article number',
      { itemLines: [{ caption: 'Tea 4006381333931', amountTotal: PAYMENT.amount }] },
    ],
  ])('%s', (_, more) => {
    expect(getFaults(createPaymentIntent.body, { ...PAYMENT, ...more })).toEqual({});
  });
});
