import { expect, test } from '@jest/globals';
import { checkBill, linePrice, outstanding } from '@pos/core/bill';
import { sum } from '@pos/core/money';
import { EVERYTHING, eposForTest, lock, MACHINE, NOON, payment, presentForCheck, record } from './testing.js';

test('every bill adds up, is sound to the service, and never runs out', () => {
  const { epos, restaurant } = eposForTest();
  for (let round = 0; round < 60; round += 1) {
    const payable = epos.listSessions({ ...EVERYTHING, isPayable: true });
    expect(payable.length).toBeGreaterThanOrEqual(8);
    for (const bill of epos.listBills([])) {
      const lines = sum(bill.items.map(linePrice), 'GBP').value + (bill.serviceCharge?.value ?? 0);
      expect(bill.total.value).toBe(lines);
      const wire = presentForCheck(bill);
      expect(checkBill(wire, { sessionId: bill.sessionId, currencies: ['GBP'] }).outcome).toBe('sound');
    }
    const next = payable[round % payable.length];
    if (next === undefined || next.bill === null) throw new Error('nothing to pay');
    epos.lock(next.id, MACHINE);
    epos.record(
      payment(next.id, {
        id: `a0a0a0a0-0000-4000-8000-${String(round).padStart(12, '0')}`,
        base: outstanding(next.bill),
      }),
    );
    epos.unlock(next.id);
    expect(restaurant.find(next.id)?.finishedAt).toEqual(NOON);
  }
});

test('the same seed opens the same restaurant byte for byte, and a reset opens it again', () => {
  const first = eposForTest('one');
  const opened = JSON.stringify(first.restaurant.sessions());
  expect(JSON.stringify(eposForTest('one').restaurant.sessions())).toBe(opened);
  expect(JSON.stringify(eposForTest('two').restaurant.sessions())).not.toBe(opened);
  lock(first);
  record(first);
  first.door.reset();
  expect(JSON.stringify(first.restaurant.sessions())).toBe(opened);
  expect([first.epos.locks(), first.epos.payments()]).toEqual([[], []]);
});

test('the menu of a busy evening has discounts, modifiers and service charges', () => {
  const bills = Array.from({ length: 10 }, (_, index) => eposForTest(`seed ${index}`).epos.listBills([])).flat();
  expect(bills.some(({ items }) => items.some(({ amountPerItem }) => amountPerItem.value < 0))).toBe(true);
  expect(bills.some(({ items }) => items.some(({ modifiers }) => modifiers.length > 0))).toBe(true);
  expect(bills.some(({ serviceCharge }) => serviceCharge !== null)).toBe(true);
  expect(bills.every(({ tax }) => tax.value > 0)).toBe(true);
});
