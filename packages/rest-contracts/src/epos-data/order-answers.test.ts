import { describe, expect, test } from '@jest/globals';
import { isPaymentRecorded, readListedIntents, readPlacedOrder } from './order-answers.js';

const gbp = (value: number) => ({ value, currencyCode: 'GBP' });
const PAID = { payments: [{ paymentIntentId: 'pi_1', paidAmount: gbp(500) }] };
const WHOLE = { id: '1', status: 'Ready', details: { orderType: 'Collection' } };

describe('the payments of the order decide whether a payment is recorded', () => {
  test.each<[string, unknown, boolean]>([
    ['an order of the contract that lists it', { ...WHOLE, ...PAID }, true],
    ['an order of the contract without a list', WHOLE, true],
    ['an order with a weighed item without a price', { ...PAID, id: '1', items: [{ quantity: 0.575 }] }, true],
    ['an order whose total is no amount', { ...PAID, totalAmount: '13.00' }, true],
    ['an order whose own payment has no amount', { payments: [{ paymentIntentId: 'pi_1', paidAmount: null }] }, true],
    ['an order with another payment that is no object', { payments: ['cash', PAID.payments[0]] }, true],
    ['a list in capitals', { Payments: [{ PaymentIntentId: 'pi_1' }] }, true],
    ['an odd order that lists another payment', { id: '1', items: 7, payments: [{ paymentIntentId: 'pi_2' }] }, false],
    ['an odd order without a list', { id: '1', items: 7 }, true],
    ['an odd order with an empty list', { id: '1', items: 7, payments: [] }, false],
    ['an order without a list whose total cannot be read', { id: '1', totalAmount: '13.00' }, false],
    ['an empty object', {}, false],
    ['nothing', null, false],
    ['a text', 'recorded', false],
    ['two lists', { payments: [], Payments: PAID.payments }, false],
  ])('%s', (_, json, isRecorded) => {
    expect(isPaymentRecorded(json, 'pi_1')).toBe(isRecorded);
  });
});

describe('the intents of an order', () => {
  test.each<[string, unknown, { ids: string[]; isComplete: boolean } | null]>([
    ['that are listed', PAID, { ids: ['pi_1'], isComplete: true }],
    [
      'beside a payment in another tender',
      { payments: [{ paidAmount: gbp(1) }, ...PAID.payments] },
      { ids: ['pi_1'], isComplete: true },
    ],
    ['beside a payment that cannot be read', { payments: [{ paymentIntentId: {} }] }, { ids: [], isComplete: false }],
    ['of an empty list', { payments: [] }, { ids: [], isComplete: true }],
    [
      'of an odd order without a list',
      { id: '1', totalAmount: gbp(5), createdAt: 'noon' },
      { ids: [], isComplete: true },
    ],
    ['of an order without an id', { totalAmount: gbp(5), createdAt: 'noon' }, null],
    ['of an order whose total cannot be read', { id: '1', totalAmount: '5' }, null],
    ['of an empty object', {}, null],
    ['of a list that is none', { payments: 'cash' }, null],
    ['of an error', { error: 'no' }, null],
  ])('%s', (_, json, expected) => {
    const listed = readListedIntents(json);
    expect(listed === null ? null : { ids: [...listed.intentIds], isComplete: listed.isComplete }).toEqual(expected);
  });
});

describe('only the id and status of a placed order are read', () => {
  test.each<[unknown, string | null]>([
    ['New', 'New'],
    ['accepted', 'Accepted'],
    [undefined, 'New'],
    [null, 'New'],
    ['Canceled', 'Canceled'],
    ['Cancelled', 'Canceled'],
    ['Finalised', 'Finalized'],
    ['Failed', 'Failed'],
    ['Rejected', null],
    ['Declined', null],
    ['Void', null],
    ['Pending', null],
    ['Closed', null],
    ['', null],
    [3, null],
  ])('the status %j is %j', (status, read) => {
    expect(readPlacedOrder({ id: '118', status, items: 'odd' })).toMatchObject({ id: '118', status: read });
  });

  test.each<[unknown, string | null]>([
    [118, '118'],
    ['', null],
    [undefined, null],
    [{}, null],
  ])('the id %j is %j', (id, read) => {
    expect(readPlacedOrder({ id, status: 'New' })?.id).toBe(read);
  });

  test.each([[null], ['order'], [[{ id: '1' }]]])('%j is no order', (json) => {
    expect(readPlacedOrder(json)).toBeNull();
  });
});
