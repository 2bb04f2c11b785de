import { addDays } from '@pos/core/time';
import { fromWallClock, toWallClock } from './booking-day.js';
import type { ReservationAnswer, SentReservation } from '../../client/answers.js';

/** The fields of a reservation as they are typed. Times are those of wall clocks at the restaurant. */
export interface ReservationForm {
  readonly name: string;
  readonly covers: string;
  readonly day: string;
  readonly start: string;
  /** At or before `start`: on the next day. */
  readonly end: string;
  readonly tableIds: readonly string[];
  readonly guestRequests: string;
  readonly hostNotes: string;
}

export const ReservationForm = {
  /** A new reservation of a day. */
  create(day: string): ReservationForm {
    const times = { day, start: '19:00', end: '21:00' };
    return { name: '', covers: '2', ...times, tableIds: [], guestRequests: '', hostNotes: '' };
  },

  from(reservation: ReservationAnswer, timeZone: string): ReservationForm {
    const { name, covers, startTime, endTime, tableIds, guestRequests = '', hostNotes = '' } = reservation;
    const { day, time: start } = toWallClock(startTime, timeZone);
    const { time: end } = toWallClock(endTime, timeZone);
    return { name, covers: String(covers), day, start, end, tableIds, guestRequests, hostNotes };
  },

  /**
   * The body that is sent; null while a field that it needs is empty. Times that were not changed stay as the EPOS has
   * them, with their seconds and also if they are more than a day apart.
   */
  toBody(form: ReservationForm, timeZone: string, original: ReservationAnswer | null): SentReservation | null {
    const { name, covers, tableIds, guestRequests, hostNotes } = form;
    const times = toTimes(form, timeZone, original);
    if (name.trim() === '' || !/^\d{1,5}$/.test(covers) || tableIds.length === 0 || times === null) return null;
    return {
      ...{ name: name.trim(), covers: Number(covers), tableIds: [...tableIds], ...times },
      ...(hostNotes !== '' && { hostNotes }),
      ...(guestRequests !== '' && { guestRequests }),
    };
  },
};

type Times = Pick<SentReservation, 'startTime' | 'endTime'>;

function toTimes(form: ReservationForm, timeZone: string, original: ReservationAnswer | null): Times | null {
  const { day, start, end } = form;
  if (original !== null && hasTimesOf(form, ReservationForm.from(original, timeZone))) {
    return { startTime: original.startTime, endTime: original.endTime };
  }
  if (day === '') return null;
  const startTime = fromWallClock({ day, time: start }, timeZone);
  const endTime = fromWallClock({ day: end <= start ? addDays(day, 1) : day, time: end }, timeZone);
  return startTime === null || endTime === null ? null : { startTime, endTime };
}

function hasTimesOf(form: ReservationForm, other: ReservationForm): boolean {
  return form.day === other.day && form.start === other.start && form.end === other.end;
}
