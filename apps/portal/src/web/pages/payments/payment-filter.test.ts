import { expect, test } from '@jest/globals';
import { PaymentFilter } from './payment-filter.js';

test.each([
  [
    { status: 'Captured', from: '2026-03-01' },
    { status: 'Captured', from: '2026-03-01' },
  ],
  [{ status: 'captured' }, {}],
  [{ status: ['Captured'] }, {}],
  [{ from: '2026-02-30x' }, {}],
  [{ from: '1 March' }, {}],
  [{ after: '' }, {}],
  [{ after: 'x'.repeat(201) }, {}],
  [{ before: 'a', after: 'b' }, { before: 'a' }],
  [{ colour: 'red' }, {}],
])('the address %j is the filter %j', (search, filter) => {
  expect(PaymentFilter.parse(search)).toEqual(filter);
});

test('the last day of a filter counts in full', () => {
  const { startDate, endDate } = PaymentFilter.toSearch({ from: '2026-03-01', to: '2026-03-01' }, 50);
  expect(Date.parse(endDate ?? '') - Date.parse(startDate ?? '')).toBe(86_400_000);
});
