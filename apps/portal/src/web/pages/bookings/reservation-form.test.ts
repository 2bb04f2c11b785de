import { expect, test } from '@jest/globals';
import { ReservationForm } from './reservation-form.js';

const ZONE = 'Europe/London';
const FILLED: ReservationForm = { ...ReservationForm.create('2026-07-10'), name: ' Ada ', tableIds: ['t-7'] };
const RESERVATION = {
  ...{ id: 'r-1', name: 'Ada', covers: 4, tableIds: ['t-7', 't-8'], hostNotes: 'regular', guestRequests: 'window' },
  ...{ startTime: '2026-07-10T18:00:30.000Z', endTime: '2026-07-12T09:00:00.000Z' },
};

test('a new reservation is sent with the moments of the wall clock, and without empty notes', () => {
  expect(ReservationForm.toBody(FILLED, ZONE, null)).toEqual({
    ...{ name: 'Ada', covers: 2, tableIds: ['t-7'] },
    ...{ startTime: '2026-07-10T18:00:00.000Z', endTime: '2026-07-10T20:00:00.000Z' },
  });
});

test('an end at or before the start is on the next day', () => {
  const late = ReservationForm.toBody({ ...FILLED, start: '22:00', end: '00:30' }, ZONE, null);
  expect(late).toMatchObject({ startTime: '2026-07-10T21:00:00.000Z', endTime: '2026-07-10T23:30:00.000Z' });
});

test.each([
  ['a name', { name: '  ' }],
  ['the number of people', { covers: '' }],
  ['a whole number of people', { covers: '2.5' }],
  ['a table', { tableIds: [] }],
  ['a day', { day: '' }],
  ['a start', { start: '' }],
  ['an end', { end: '' }],
])('without %s nothing is sent', (_, change) => {
  expect(ReservationForm.toBody({ ...FILLED, ...change }, ZONE, null)).toBeNull();
});

test('a change replaces the whole reservation, so that nothing gets lost that the user has not changed', () => {
  const { id: _, ...members } = RESERVATION;
  const form = ReservationForm.from(RESERVATION, ZONE);
  expect(ReservationForm.toBody(form, ZONE, RESERVATION)).toEqual(members);
  expect(ReservationForm.toBody({ ...form, covers: '5' }, ZONE, RESERVATION)).toEqual({ ...members, covers: 5 });
  expect(ReservationForm.toBody({ ...form, end: '21:30' }, ZONE, RESERVATION)).toMatchObject({
    ...{ startTime: '2026-07-10T18:00:00.000Z', endTime: '2026-07-10T20:30:00.000Z' },
  });
});
