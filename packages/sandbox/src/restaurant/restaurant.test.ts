import { expect, test } from '@jest/globals';
import { checkBill, computeLinePrice, computeOutstanding } from '@pos/core/tables';
import { sum } from '@pos/core/money';
import {
  NO_FILTER,
  createTestEpos,
  lockOpenSession,
  MACHINE_REQUESTOR,
  NOON,
  createPayment,
  presentForCheck,
  recordTestPayment,
} from '../testing/builders.js';

test('every bill adds up, passes the checks of the service, and is replaced when paid', () => {
  const { epos, restaurant } = createTestEpos();
  for (let round = 0; round < 60; round += 1) {
    const payable = epos.listSessions({ ...NO_FILTER, isPayable: true });
    expect(payable.length).toBeGreaterThanOrEqual(8);
    for (const bill of epos.listBills([])) {
      const lines = sum(bill.items.map(computeLinePrice), 'GBP').value + (bill.serviceCharge?.value ?? 0);
      expect(bill.total.value).toBe(lines);
      const message = presentForCheck(bill);
      expect(checkBill(message, { sessionId: bill.sessionId, currencies: ['GBP'] }).outcome).toBe('sound');
    }
    const next = payable[round % payable.length];
    if (next === undefined || next.bill === null) throw new Error('nothing to pay');
    epos.lockSession(next.id, MACHINE_REQUESTOR);
    epos.recordPayment(
      createPayment(next.id, {
        id: `a0a0a0a0-0000-4000-8000-${String(round).padStart(12, '0')}`,
        base: computeOutstanding(next.bill),
      }),
    );
    epos.unlockSession(next.id);
    expect(restaurant.findSession(next.id)?.finishedAt).toEqual(NOON);
  }
});

test('the same seed opens the same restaurant byte for byte, and a reset opens it again', () => {
  const first = createTestEpos('one');
  const opened = JSON.stringify(first.restaurant.sessions());
  expect(JSON.stringify(createTestEpos('one').restaurant.sessions())).toBe(opened);
  expect(JSON.stringify(createTestEpos('two').restaurant.sessions())).not.toBe(opened);
  lockOpenSession(first);
  recordTestPayment(first);
  first.eposSimulator.reset();
  expect(JSON.stringify(first.restaurant.sessions())).toBe(opened);
  expect([first.epos.listLocks(), first.epos.listPayments()]).toEqual([[], []]);
});

test('the menu of a busy evening has discounts, modifiers and service charges', () => {
  const bills = Array.from({ length: 10 }, (_, index) => createTestEpos(`seed ${index}`).epos.listBills([])).flat();
  expect(bills.some(({ items }) => items.some(({ amountPerItem }) => amountPerItem.value < 0))).toBe(true);
  expect(bills.some(({ items }) => items.some(({ modifiers }) => modifiers.length > 0))).toBe(true);
  expect(bills.some(({ serviceCharge }) => serviceCharge !== null)).toBe(true);
  expect(bills.every(({ tax }) => tax.value > 0)).toBe(true);
});
