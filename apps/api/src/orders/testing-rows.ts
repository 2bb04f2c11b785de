import { ORDER, pounds } from './testing.js';

/** What is wrong, the body, and the member that is named. */
export type RefusedOrder = readonly [what: string, body: unknown, member: string];

const INTENT = `pi_sandbox_${'A'.repeat(22)}`;
const CARD = '4456530000091014';
const [SOUP] = ORDER.items;
const EUROS = { value: 100, currencyCode: 'EUR' };

const withOrder = (more: object) => ({ paymentIntentId: INTENT, order: { ...ORDER, ...more } });
const withItem = (more: object) => withOrder({ items: [SOUP, { ...SOUP, ...more }] });
const withSubItem = (more: object) => withItem({ subItems: [{ ...SOUP, ...more }] });
const withModifier = (more: object) =>
  withItem({ modifiers: [{ name: 'Spicy', quantity: 1, plu: '9', amountPerItem: pounds(10), ...more }] });
const withDiscount = (more: object) => withOrder({ discounts: [{ name: 'Lunch', amountTotal: pounds(100), ...more }] });
const withTaxLine = (more: object) => withOrder({ taxLines: [{ amountTotal: pounds(100), ...more }] });
const withDineIn = (more: object) => withOrder({ details: { orderType: 'DineIn', dineIn: more } });

/** Every member wrong once. */
export const REFUSED_ORDERS: readonly RefusedOrder[] = [
  ['nothing is sent', {}, 'paymentIntentId'],
  ['no intent', { order: ORDER }, 'paymentIntentId'],
  ['an empty intent id', { paymentIntentId: '', order: ORDER }, 'paymentIntentId'],
  ['a very long intent id', { paymentIntentId: 'p'.repeat(101), order: ORDER }, 'paymentIntentId'],
  ['an intent id that is a number', { paymentIntentId: 7, order: ORDER }, 'paymentIntentId'],
  ['no order', { paymentIntentId: INTENT }, 'order'],
  ['an order that is text', { paymentIntentId: INTENT, order: 'two soups' }, 'order'],
  ['no details', withOrder({ details: undefined }), 'order.details'],
  ['no type of order', withOrder({ details: {} }), 'order.details.orderType'],
  ['a delivery', withOrder({ details: { orderType: 'Delivery' } }), 'order.details.orderType'],
  ['a table that is a number', withDineIn({ tableId: 7 }), 'order.details.dineIn.tableId'],
  ['a waiter that is a number', withDineIn({ waiterId: 42 }), 'order.details.dineIn.waiterId'],
  ['a party that is a list', withDineIn({ partyId: ['P-7'] }), 'order.details.dineIn.partyId'],
  ['a reservation that is a list', withDineIn({ reservationId: [] }), 'order.details.dineIn.reservationId'],
  ['a time without a zone', withDineIn({ readyAt: '2026-03-01T12:00:00' }), 'order.details.dineIn.readyAt'],
  [
    'a collection that is perhaps soon',
    withOrder({ details: { orderType: 'Collection', collection: { asap: 'perhaps' } } }),
    'order.details.collection.asap',
  ],
  [
    'a collection at noon',
    withOrder({ details: { orderType: 'Collection', collection: { collectAt: 'noon' } } }),
    'order.details.collection.collectAt',
  ],
  ['no items', withOrder({ items: undefined }), 'order.items'],
  ['an empty list of items', withOrder({ items: [] }), 'order.items'],
  ['more than 500 items', withOrder({ items: Array.from({ length: 501 }, () => SOUP) }), 'order.items'],
  ['an item that is text', withOrder({ items: ['soup'] }), 'order.items[0]'],
  ['an item without a name', withItem({ name: undefined }), 'order.items[1].name'],
  ['an item with a very long name', withItem({ name: 'n'.repeat(1025) }), 'order.items[1].name'],
  ['an item without a quantity', withItem({ quantity: undefined }), 'order.items[1].quantity'],
  ['none of an item', withItem({ quantity: 0 }), 'order.items[1].quantity'],
  ['less than none of an item', withItem({ quantity: -1 }), 'order.items[1].quantity'],
  ['half an item', withItem({ quantity: 0.5 }), 'order.items[1].quantity'],
  ['more of an item than anybody eats', withItem({ quantity: 10_001 }), 'order.items[1].quantity'],
  ['an item without a PLU', withItem({ plu: undefined }), 'order.items[1].plu'],
  ['a PLU that is a list', withItem({ plu: ['1001'] }), 'order.items[1].plu'],
  ['an item without a price', withItem({ amountPerItem: undefined }), 'order.items[1].amountPerItem'],
  ['a price that is a number', withItem({ amountPerItem: 650 }), 'order.items[1].amountPerItem'],
  [
    'a price with a fraction',
    withItem({ amountPerItem: { value: 6.5, currencyCode: 'GBP' } }),
    'order.items[1].amountPerItem.value',
  ],
  [
    'a price of thirteen digits',
    withItem({ amountPerItem: pounds(1_000_000_000_000) }),
    'order.items[1].amountPerItem.value',
  ],
  ['a price in another currency', withItem({ amountPerItem: EUROS }), 'order.items[1].amountPerItem.currencyCode'],
  [
    'a price in no currency',
    withItem({ amountPerItem: { value: 1, currencyCode: '£' } }),
    'order.items[1].amountPerItem.currencyCode',
  ],
  ['a note that is a number', withItem({ note: 7 }), 'order.items[1].note'],
  ['a card number in the note of an item', withItem({ note: `card ${CARD}` }), 'order.items[1].note'],
  ['a modifier without a name', withModifier({ name: undefined }), 'order.items[1].modifiers[0].name'],
  ['none of a modifier', withModifier({ quantity: 0 }), 'order.items[1].modifiers[0].quantity'],
  ['a modifier without a PLU', withModifier({ plu: undefined }), 'order.items[1].modifiers[0].plu'],
  [
    'a modifier without a price',
    withModifier({ amountPerItem: undefined }),
    'order.items[1].modifiers[0].amountPerItem',
  ],
  [
    'a modifier in another currency',
    withModifier({ amountPerItem: EUROS }),
    'order.items[1].modifiers[0].amountPerItem.currencyCode',
  ],
  ['a card number in a modifier', withModifier({ name: CARD }), 'order.items[1].modifiers[0].name'],
  ['a sub-item without a name', withSubItem({ name: undefined }), 'order.items[1].subItems[0].name'],
  ['none of a sub-item', withSubItem({ quantity: 0 }), 'order.items[1].subItems[0].quantity'],
  [
    'a sub-item in another currency',
    withSubItem({ amountPerItem: EUROS }),
    'order.items[1].subItems[0].amountPerItem.currencyCode',
  ],
  ['a card number in the note of a sub-item', withSubItem({ note: CARD }), 'order.items[1].subItems[0].note'],
  ['a security code in the note of a sub-item', withSubItem({ note: 'CVC 341' }), 'order.items[1].subItems[0].note'],
  ['no total', withOrder({ totalAmount: undefined }), 'order.totalAmount'],
  ['a total of nothing', withOrder({ totalAmount: pounds(0) }), 'order.totalAmount.value'],
  ['a total below nothing', withOrder({ totalAmount: pounds(-2000) }), 'order.totalAmount.value'],
  ['a total of thirteen digits', withOrder({ totalAmount: pounds(1_000_000_000_000) }), 'order.totalAmount.value'],
  ['a service charge that is a number', withOrder({ serviceChargeAmount: 100 }), 'order.serviceChargeAmount'],
  ['a service charge below nothing', withOrder({ serviceChargeAmount: pounds(-1) }), 'order.serviceChargeAmount.value'],
  [
    'a service charge above the total',
    withOrder({ serviceChargeAmount: pounds(2001) }),
    'order.serviceChargeAmount.value',
  ],
  [
    'a service charge in another currency',
    withOrder({ serviceChargeAmount: EUROS }),
    'order.serviceChargeAmount.currencyCode',
  ],
  ['a discount without a name', withDiscount({ name: undefined }), 'order.discounts[0].name'],
  ['a discount of no amount', withDiscount({ amountTotal: undefined }), 'order.discounts[0].amountTotal'],
  [
    'a discount in another currency',
    withDiscount({ amountTotal: EUROS }),
    'order.discounts[0].amountTotal.currencyCode',
  ],
  ['a discount of a fraction', withDiscount({ amountPercentage: 25.1 }), 'order.discounts[0].amountPercentage'],
  [
    'a discount on a PLU that is a number',
    withDiscount({ affectedPlu: ['1', 2] }),
    'order.discounts[0].affectedPlu[1]',
  ],
  [
    'a reference of a discount that is a number',
    withDiscount({ discountReference: 7 }),
    'order.discounts[0].discountReference',
  ],
  ['a code of a discount that is a number', withDiscount({ code: 7 }), 'order.discounts[0].code'],
  ['a tax of no amount', withTaxLine({ amountTotal: undefined }), 'order.taxLines[0].amountTotal'],
  ['a tax in another currency', withTaxLine({ amountTotal: EUROS }), 'order.taxLines[0].amountTotal.currencyCode'],
  ['a tax with a very long id', withTaxLine({ id: 'i'.repeat(61) }), 'order.taxLines[0].id'],
  ['a tax with a very long name', withTaxLine({ name: 'n'.repeat(101) }), 'order.taxLines[0].name'],
  ['a tax as a text', withTaxLine({ amountPercentage: '20 %' }), 'order.taxLines[0].amountPercentage'],
  ['a note that is a list', withOrder({ note: [] }), 'order.note'],
  ['a very long note', withOrder({ note: 'n'.repeat(1025) }), 'order.note'],
  ['a reference that is a list', withOrder({ reference: [] }), 'order.reference'],
  ['a name to call out that is a number', withOrder({ displayName: 7 }), 'order.displayName'],
  ['a card number to call out', withOrder({ displayName: '4456 5300 0009 1014' }), 'order.displayName'],
  ['a customer that is text', withOrder({ customer: 'Ada' }), 'order.customer'],
  [
    'a customer with a very long address',
    withOrder({ customer: { emailAddress: 'e'.repeat(255) } }),
    'order.customer.emailAddress',
  ],
  [
    'a customer with a very long number',
    withOrder({ customer: { phoneNumber: '0'.repeat(51) } }),
    'order.customer.phoneNumber',
  ],
  ['a customer with the name of a card', withOrder({ customer: { name: CARD } }), 'order.customer.name'],
  [
    'an order that no frame could hold',
    withOrder({ items: Array.from({ length: 500 }, () => ({ ...SOUP, note: 'n'.repeat(1024) })) }),
    'order',
  ],
];
