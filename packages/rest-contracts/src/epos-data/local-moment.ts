import { parseMoment } from '../shapes/moment.js';

/**
 * Reads a time of an EPOS and returns it in a form that the contract allows: with a blank for the `T`, without seconds,
 * and without an offset, which is then a local time in the zone. A time of the contract stays as it was sent. Null for
 * any other text.
 */
export function toContractMoment(text: string, zone: string): string | null {
  if (parseMoment(text) !== null) return text;
  const match = LOOSE_MOMENT.exec(text);
  if (match === null) return null;
  const [, day, minutes, seconds = ':00', fraction = '', offset] = match;
  const local = `${day}T${minutes}${seconds}${fraction}`;
  if (offset !== undefined) return parseMoment(`${local}${offset}`) === null ? null : `${local}${offset}`;
  const asUtc = parseMoment(`${local}Z`);
  return asUtc === null ? null : toUtc(asUtc, zone).toISOString();
}

/** Frameworks write an unset time as the first day of the calendar. */
export function isUnsetMoment(text: string): boolean {
  return text.trim() === '' || text.startsWith('0001-01-01') || text.startsWith('0000-00-00');
}

const LOOSE_MOMENT = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?([.,]\d{1,9})?\s?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;

/** The moment at which clocks of the zone display these figures. Twice: the offset may change between the two. */
function toUtc(figures: Date, zone: string): Date {
  const guess = new Date(figures.getTime() - readOffsetMs(figures, zone));
  return new Date(figures.getTime() - readOffsetMs(guess, zone));
}

function readOffsetMs(moment: Date, zone: string): number {
  if (zone === 'UTC') return 0;
  const parts = getFormat(zone).formatToParts(moment);
  const read = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value ?? 0);
  const shown = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
  return shown - Math.floor(moment.getTime() / 1_000) * 1_000;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone);
  if (known !== undefined) return known;
  const digits = '2-digit';
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: digits, day: digits },
    ...{ hour: digits, minute: digits, second: digits },
  });
  FORMATS.set(zone, format);
  return format;
}
