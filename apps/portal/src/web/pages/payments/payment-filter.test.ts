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

test.each([
  ['UTC', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ['America/New_York', '2026-03-01T05:00:00.000Z', '2026-03-02T05:00:00.000Z'],
])('the last day of a filter counts in full, by the calendar of the account in %s', (timeZone, from, to) => {
  const filter = { from: '2026-03-01', to: '2026-03-01' };
  expect(PaymentFilter.toSearch(filter, { limit: 50, timeZone })).toMatchObject({ startDate: from, endDate: to });
});

test('a day on which clocks go back has 25 hours', () => {
  const days = { from: '2026-10-25', to: '2026-10-25' };
  const { startDate, endDate } = PaymentFilter.toSearch(days, { limit: 50, timeZone: 'Europe/London' });
  expect(Date.parse(endDate ?? '') - Date.parse(startDate ?? '')).toBe(25 * 3_600_000);
});
