import { ORDER_BODY, createPounds } from './order-requests.js';

/** The violation, the body, and the name of the refused member. */
export type RefusedOrder = readonly [what: string, body: unknown, member: string];

const INTENT_ID = `pi_sandbox_${'A'.repeat(22)}`;
const CARD = '4456530000091014';
const [SOUP_ITEM] = ORDER_BODY.items;
const EURO_AMOUNT = { value: 100, currencyCode: 'EUR' };

const createOrderBody = (more: object) => ({ paymentIntentId: INTENT_ID, order: { ...ORDER_BODY, ...more } });
const createItemBody = (more: object) => createOrderBody({ items: [SOUP_ITEM, { ...SOUP_ITEM, ...more }] });
const createSubItemBody = (more: object) => createItemBody({ subItems: [{ ...SOUP_ITEM, ...more }] });
const createModifierBody = (more: object) =>
  createItemBody({ modifiers: [{ name: 'Spicy', quantity: 1, plu: '9', amountPerItem: createPounds(10), ...more }] });
const createDiscountBody = (more: object) =>
  createOrderBody({ discounts: [{ name: 'Lunch', amountTotal: createPounds(100), ...more }] });
const createTaxLineBody = (more: object) =>
  createOrderBody({ taxLines: [{ amountTotal: createPounds(100), ...more }] });
const createDineInBody = (more: object) => createOrderBody({ details: { orderType: 'DineIn', dineIn: more } });

/** One case for each invalid member. */
export const REFUSED_ORDERS: readonly RefusedOrder[] = [
  ['nothing is sent', {}, 'paymentIntentId'],
  ['no intent', { order: ORDER_BODY }, 'paymentIntentId'],
  ['an empty intent id', { paymentIntentId: '', order: ORDER_BODY }, 'paymentIntentId'],
  ['a very long intent id', { paymentIntentId: 'p'.repeat(101), order: ORDER_BODY }, 'paymentIntentId'],
  ['an intent id that is a number', { paymentIntentId: 7, order: ORDER_BODY }, 'paymentIntentId'],
  ['no order', { paymentIntentId: INTENT_ID }, 'order'],
  ['an order that is text', { paymentIntentId: INTENT_ID, order: 'two soups' }, 'order'],
  ['no details', createOrderBody({ details: undefined }), 'order.details'],
  ['no type of order', createOrderBody({ details: {} }), 'order.details.orderType'],
  ['a delivery', createOrderBody({ details: { orderType: 'Delivery' } }), 'order.details.orderType'],
  ['a table that is a number', createDineInBody({ tableId: 7 }), 'order.details.dineIn.tableId'],
  ['a waiter that is a number', createDineInBody({ waiterId: 42 }), 'order.details.dineIn.waiterId'],
  ['a party that is a list', createDineInBody({ partyId: ['P-7'] }), 'order.details.dineIn.partyId'],
  ['a reservation that is a list', createDineInBody({ reservationId: [] }), 'order.details.dineIn.reservationId'],
  ['a time without a zone', createDineInBody({ readyAt: '2026-03-01T12:00:00' }), 'order.details.dineIn.readyAt'],
  [
    'a collection that is perhaps soon',
    createOrderBody({ details: { orderType: 'Collection', collection: { asap: 'perhaps' } } }),
    'order.details.collection.asap',
  ],
  [
    'a collection at noon',
    createOrderBody({ details: { orderType: 'Collection', collection: { collectAt: 'noon' } } }),
    'order.details.collection.collectAt',
  ],
  ['no items', createOrderBody({ items: undefined }), 'order.items'],
  ['an empty list of items', createOrderBody({ items: [] }), 'order.items'],
  ['more than 500 items', createOrderBody({ items: Array.from({ length: 501 }, () => SOUP_ITEM) }), 'order.items'],
  ['an item that is text', createOrderBody({ items: ['soup'] }), 'order.items[0]'],
  ['an item without a name', createItemBody({ name: undefined }), 'order.items[1].name'],
  ['an item with a very long name', createItemBody({ name: 'n'.repeat(1025) }), 'order.items[1].name'],
  ['an item without a quantity', createItemBody({ quantity: undefined }), 'order.items[1].quantity'],
  ['none of an item', createItemBody({ quantity: 0 }), 'order.items[1].quantity'],
  ['less than none of an item', createItemBody({ quantity: -1 }), 'order.items[1].quantity'],
  ['half an item', createItemBody({ quantity: 0.5 }), 'order.items[1].quantity'],
  ['a quantity of 10,001', createItemBody({ quantity: 10_001 }), 'order.items[1].quantity'],
  ['an item without a PLU', createItemBody({ plu: undefined }), 'order.items[1].plu'],
  ['a PLU that is a list', createItemBody({ plu: ['1001'] }), 'order.items[1].plu'],
  ['an item without a price', createItemBody({ amountPerItem: undefined }), 'order.items[1].amountPerItem'],
  ['a price that is a number', createItemBody({ amountPerItem: 650 }), 'order.items[1].amountPerItem'],
  [
    'a price with a fraction',
    createItemBody({ amountPerItem: { value: 6.5, currencyCode: 'GBP' } }),
    'order.items[1].amountPerItem.value',
  ],
  [
    'a price of thirteen digits',
    createItemBody({ amountPerItem: createPounds(1_000_000_000_000) }),
    'order.items[1].amountPerItem.value',
  ],
  [
    'a price in another currency',
    createItemBody({ amountPerItem: EURO_AMOUNT }),
    'order.items[1].amountPerItem.currencyCode',
  ],
  [
    'a price in no currency',
    createItemBody({ amountPerItem: { value: 1, currencyCode: '£' } }),
    'order.items[1].amountPerItem.currencyCode',
  ],
  ['a note that is a number', createItemBody({ note: 7 }), 'order.items[1].note'],
  ['a card number in the note of an item', createItemBody({ note: `card ${CARD}` }), 'order.items[1].note'],
  ['a modifier without a name', createModifierBody({ name: undefined }), 'order.items[1].modifiers[0].name'],
  ['none of a modifier', createModifierBody({ quantity: 0 }), 'order.items[1].modifiers[0].quantity'],
  ['a modifier without a PLU', createModifierBody({ plu: undefined }), 'order.items[1].modifiers[0].plu'],
  [
    'a modifier without a price',
    createModifierBody({ amountPerItem: undefined }),
    'order.items[1].modifiers[0].amountPerItem',
  ],
  [
    'a modifier in another currency',
    createModifierBody({ amountPerItem: EURO_AMOUNT }),
    'order.items[1].modifiers[0].amountPerItem.currencyCode',
  ],
  ['a card number in a modifier', createModifierBody({ name: CARD }), 'order.items[1].modifiers[0].name'],
  ['a sub-item without a name', createSubItemBody({ name: undefined }), 'order.items[1].subItems[0].name'],
  ['none of a sub-item', createSubItemBody({ quantity: 0 }), 'order.items[1].subItems[0].quantity'],
  [
    'a sub-item in another currency',
    createSubItemBody({ amountPerItem: EURO_AMOUNT }),
    'order.items[1].subItems[0].amountPerItem.currencyCode',
  ],
  ['a card number in the note of a sub-item', createSubItemBody({ note: CARD }), 'order.items[1].subItems[0].note'],
  [
    'a security code in the note of a sub-item',
    createSubItemBody({ note: 'CVC 341' }),
    'order.items[1].subItems[0].note',
  ],
  ['no total', createOrderBody({ totalAmount: undefined }), 'order.totalAmount'],
  ['a total of nothing', createOrderBody({ totalAmount: createPounds(0) }), 'order.totalAmount.value'],
  ['a total below nothing', createOrderBody({ totalAmount: createPounds(-2000) }), 'order.totalAmount.value'],
  [
    'a total of thirteen digits',
    createOrderBody({ totalAmount: createPounds(1_000_000_000_000) }),
    'order.totalAmount.value',
  ],
  ['a service charge that is a number', createOrderBody({ serviceChargeAmount: 100 }), 'order.serviceChargeAmount'],
  [
    'a service charge below nothing',
    createOrderBody({ serviceChargeAmount: createPounds(-1) }),
    'order.serviceChargeAmount.value',
  ],
  [
    'a service charge above the total',
    createOrderBody({ serviceChargeAmount: createPounds(2001) }),
    'order.serviceChargeAmount.value',
  ],
  [
    'a service charge in another currency',
    createOrderBody({ serviceChargeAmount: EURO_AMOUNT }),
    'order.serviceChargeAmount.currencyCode',
  ],
  ['a discount without a name', createDiscountBody({ name: undefined }), 'order.discounts[0].name'],
  ['a discount of no amount', createDiscountBody({ amountTotal: undefined }), 'order.discounts[0].amountTotal'],
  [
    'a discount in another currency',
    createDiscountBody({ amountTotal: EURO_AMOUNT }),
    'order.discounts[0].amountTotal.currencyCode',
  ],
  ['a discount of a fraction', createDiscountBody({ amountPercentage: 25.1 }), 'order.discounts[0].amountPercentage'],
  [
    'a discount on a PLU that is a number',
    createDiscountBody({ affectedPlu: ['1', 2] }),
    'order.discounts[0].affectedPlu[1]',
  ],
  [
    'a reference of a discount that is a number',
    createDiscountBody({ discountReference: 7 }),
    'order.discounts[0].discountReference',
  ],
  ['a code of a discount that is a number', createDiscountBody({ code: 7 }), 'order.discounts[0].code'],
  ['a tax of no amount', createTaxLineBody({ amountTotal: undefined }), 'order.taxLines[0].amountTotal'],
  [
    'a tax in another currency',
    createTaxLineBody({ amountTotal: EURO_AMOUNT }),
    'order.taxLines[0].amountTotal.currencyCode',
  ],
  ['a tax with a very long id', createTaxLineBody({ id: 'i'.repeat(61) }), 'order.taxLines[0].id'],
  ['a tax with a very long name', createTaxLineBody({ name: 'n'.repeat(101) }), 'order.taxLines[0].name'],
  ['a tax as a text', createTaxLineBody({ amountPercentage: '20 %' }), 'order.taxLines[0].amountPercentage'],
  ['a note that is a list', createOrderBody({ note: [] }), 'order.note'],
  ['a very long note', createOrderBody({ note: 'n'.repeat(1025) }), 'order.note'],
  ['a reference that is a list', createOrderBody({ reference: [] }), 'order.reference'],
  ['a name to call out that is a number', createOrderBody({ displayName: 7 }), 'order.displayName'],
  ['a card number to call out', createOrderBody({ displayName: '4456 5300 0009 1014' }), 'order.displayName'],
  ['a customer that is text', createOrderBody({ customer: 'Ada' }), 'order.customer'],
  [
    'a customer with a very long address',
    createOrderBody({ customer: { emailAddress: 'e'.repeat(255) } }),
    'order.customer.emailAddress',
  ],
  [
    'a customer with a very long number',
    createOrderBody({ customer: { phoneNumber: '0'.repeat(51) } }),
    'order.customer.phoneNumber',
  ],
  ['a customer with the name of a card', createOrderBody({ customer: { name: CARD } }), 'order.customer.name'],
  [
    'an order that no frame could hold',
    createOrderBody({ items: Array.from({ length: 500 }, () => ({ ...SOUP_ITEM, note: 'n'.repeat(1024) })) }),
    'order',
  ],
];
