import { DAY_MS } from './timespan.js';

/** The zone of a location that has not named one, and of everything on the wire. */
export const UTC = 'UTC';

/** No zone is further from UTC. */
const OFFSET_MS_MAX = 16 * 60 * 60 * 1000;
const ZONE_NAME = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)+$/;

/**
 * Whether the text is `UTC` or names a zone of the IANA database that this runtime has: `Europe/London`. Offsets and
 * abbreviations are refused, because they have no summer time.
 */
export function isTimeZone(text: string): boolean {
  if (text === UTC) return true;
  if (!ZONE_NAME.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The calendar day of a moment in the zone, `yyyy-mm-dd`. */
export function toZonedDay(moment: Date, timeZone: string): string {
  const { year, month, day } = readParts(moment, timeZone);
  return `${year}-${month}-${day}`;
}

/**
 * The first moment of a day in the zone. Where clocks skip midnight it is the first moment after the gap, and where the
 * zone skips the whole day it is the begin of the next one. A day has 23, 24 or 25 hours.
 */
export function toZonedMoment(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  if (timeZone === UTC) return new Date(midnight);
  // The day of a moment never decreases, and a day begins at a whole second.
  let before = (midnight - OFFSET_MS_MAX) / 1_000;
  let at = (midnight + OFFSET_MS_MAX) / 1_000;
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (toZonedDay(new Date(middle * 1_000), timeZone) < day) before = middle;
    else at = middle;
  }
  return new Date(at * 1_000);
}

/** The day that is so many days later; negative: earlier. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The first moment of the calendar day after the day of a moment, in the zone. */
export function findNextMidnight(moment: Date, timeZone: string): Date {
  return toZonedMoment(addDays(toZonedDay(moment, timeZone), 1), timeZone);
}

/** The time of a wall clock in the zone, with its offset: `2026-07-01 13:00:00 UTC+01:00`, in UTC `… 12:00:00 UTC`. */
export function formatZonedTime(moment: Date, timeZone: string): string {
  const { year, month, day, hour, minute, second } = readParts(moment, timeZone);
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${formatOffset(moment, timeZone)}`;
}

/** The offset of the zone at a moment: `UTC`, `UTC+01:00`. */
function formatOffset(moment: Date, timeZone: string): string {
  if (timeZone === UTC) return UTC;
  const { year, month, day, hour, minute, second } = readParts(moment, timeZone);
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const minutes = Math.round((local - moment.getTime()) / 60_000);
  if (minutes === 0) return UTC;
  const pad = (count: number): string => String(count).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${UTC}${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

type Parts = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>>;

function readParts(moment: Date, timeZone: string): Parts {
  const parts: Record<keyof Parts, string> = { year: '', month: '', day: '', hour: '', minute: '', second: '' };
  for (const { type, value } of findFormat(timeZone).formatToParts(moment)) if (isPart(type)) parts[type] = value;
  return { ...parts, year: parts.year.padStart(4, '0') };
}

function isPart(type: string): type is keyof Parts {
  return ['year', 'month', 'day', 'hour', 'minute', 'second'].includes(type);
}

/** A format costs a hundred times its use. */
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  FORMATS.set(timeZone, format);
  return format;
}
