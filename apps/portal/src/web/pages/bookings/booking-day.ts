import { addDays, formatZonedTime, toZonedDay, toZonedMoment } from '@pos/core/time';
import { readText } from '../../components/page-search.js';

/** Which reservations are listed: the part of the address after `?`. */
export interface BookingDay {
  /** A day of the restaurant as `yyyy-mm-dd`; absent for today. */
  readonly day?: string;
  readonly before?: string;
  readonly after?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;
/** An EPOS gives the cursors, so they may be long. */
const CURSOR_LENGTH_MAX = 1024;

export const BookingDay = {
  /** What cannot be read is left out: an address is typed by people. */
  parse(search: Readonly<Record<string, unknown>>): BookingDay {
    const { day } = search;
    const before = readText(search['before'], CURSOR_LENGTH_MAX);
    const after = readText(search['after'], CURSOR_LENGTH_MAX);
    return {
      ...(typeof day === 'string' && DAY.test(day) && !Number.isNaN(Date.parse(day)) && { day }),
      ...(before !== undefined && { before }),
      ...(after !== undefined && before === undefined && { after }),
    };
  },

  /** The query of the list: all that is at a table during the day of the restaurant. */
  toQuery(
    { day, before, after }: BookingDay & { readonly day: string },
    { limit, timeZone }: { readonly limit: number; readonly timeZone: string },
  ) {
    return {
      ...{ limit, from: toZonedMoment(day, timeZone).toISOString() },
      to: toZonedMoment(addDays(day, 1), timeZone).toISOString(),
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    };
  },
};

/** What a wall clock of the restaurant shows at a moment: the day, and the time as `hh:mm`. */
export function toWallClock(moment: string, timeZone: string): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = formatZonedTime(new Date(moment), timeZone).split(' ');
  return { day, time: time.slice(0, 5) };
}

/**
 * The moment at which a wall clock of the restaurant shows this; null if there is no such day or time. If it shows it
 * twice, the first one; if clocks skip it, as much later as they skip.
 */
export function fromWallClock({ day, time }: { day: string; time: string }, timeZone: string): string | null {
  const written = Date.parse(`${day}T${time}:00.000Z`);
  if (Number.isNaN(written)) return null;
  const [early, late] = [-DAY_MS, DAY_MS].map((shift) => written - readOffset(written + shift, timeZone));
  const found = [early, late].find((each = 0) => each + readOffset(each, timeZone) === written) ?? early ?? written;
  return new Date(found).toISOString();
}

/** By how much the clocks of the zone are ahead of UTC at a moment. */
function readOffset(at: number, timeZone: string): number {
  const [day = '', time = ''] = formatZonedTime(new Date(at), timeZone).split(' ');
  return Date.parse(`${day}T${time}.000Z`) - Math.floor(at / 1_000) * 1_000;
}

interface ShownDay {
  /** The day that the page is about. */
  readonly day: string;
  readonly timeZone: string;
  /** The language and region of the browser. */
  readonly region: string;
}

/** When a table is reserved, by the clocks of the restaurant. */
export function formatSpan(span: { readonly startTime: string; readonly endTime: string }, shown: ShownDay): string {
  return `${formatTimeOfDay(span.startTime, shown)} – ${formatTimeOfDay(span.endTime, shown)}`;
}

/** A moment by the clocks of the restaurant; with its day if that is not the shown one. */
export function formatTimeOfDay(moment: string, { day, timeZone, region }: ShownDay): string {
  const clock = toWallClock(moment, timeZone);
  return clock.day === day ? clock.time : `${formatDay(clock.day, region)}, ${clock.time}`;
}

function formatDay(day: string, region: string): string {
  return new Intl.DateTimeFormat(region, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));
}

/** Today at the restaurant. */
export function readToday(timeZone: string): string {
  return toZonedDay(new Date(), timeZone);
}
