import { expect, test } from '@jest/globals';
import { findReservationState } from './reservation-state.js';

const RESERVATION = { id: 'r-1', startTime: '2026-03-01T19:00:00.000Z', endTime: '2026-03-01T21:00:00.000Z' };
const find = (time: string, parties: readonly { reservationId?: string }[] | null) =>
  findReservationState(RESERVATION, { parties, now: Date.parse(`2026-03-01T${time}:00.000Z`) });

test('the party of a reservation makes it seated, at any time', () => {
  const parties = [{ reservationId: 'r-2' }, { reservationId: 'r-1' }];
  expect(['18:50', '19:30', '21:10'].map((time) => find(time, parties))).toEqual(['seated', 'seated', 'seated']);
});

test('a reservation without a party is expected, due and over', () => {
  expect(['18:59', '19:00', '20:59', '21:00'].map((time) => find(time, [{}]))).toEqual([
    ...['expected', 'due', 'due', 'over'],
  ]);
});

test('without known parties no guest is shown as missing', () => {
  expect(['18:59', '19:30', '21:00'].map((time) => find(time, null))).toEqual(['expected', null, 'over']);
});
