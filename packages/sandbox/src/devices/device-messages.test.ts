import { expect, test } from '@jest/globals';
import type { Bill } from '@pos/grpc-contracts/tables';
import { presentBillView } from './device-messages.js';

const LINE = {
  ...{ id: 'l', name: 'Salmon, by weight', category: [], quantity: 1, quantityThousandths: 575 },
  ...{ amountPerItem: 742n, modifiers: [], lastOrderedAt: new Date(0) },
};
const BILL: Bill = {
  ...{ sessionId: 's', currency: 'GBP', taxAmount: 0n, serviceCharge: undefined },
  ...{ totalAmount: 2_042n, paidAmount: 0n, items: [LINE, { ...LINE, id: 'm', quantity: 2, amountPerItem: 650n }] },
};

test.each([
  ['an unpaid bill', 0n, 2_042],
  ['a bill that is paid in part', 1_300n, 742],
  ['a paid bill', 2_042n, 0],
  ['an overpaid bill', 2_500n, 0],
])('a machine shows what is left to pay of %s', (_, paidAmount, outstanding) => {
  expect(presentBillView({ ...BILL, paidAmount }).outstanding).toBe(outstanding);
});

test('lines add up to the bill, with a weighed one at the price of the till', () => {
  const { items, total } = presentBillView(BILL);
  expect(items.map(({ amount }) => amount)).toEqual([742, 1_300]);
  expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
});
