/** The value of a required timestamp that has no value yet. */
export const NO_MOMENT = '0001-01-01T00:00:00Z';

/** Writes a moment: UTC, `Z`, three fraction digits. */
export function presentMoment(moment: Date): string {
  return moment.toISOString();
}

/** A required timestamp that may have no value yet. */
export function presentMomentOrNone(moment: Date | null): string {
  return moment === null ? NO_MOMENT : presentMoment(moment);
}

/**
 * Reads ISO 8601 with seconds, 0 to 9 fraction digits and an offset or `Z`. Null for any other text, for a day that no
 * calendar has and for a moment outside the years 1 to 9999. Digits beyond milliseconds are dropped.
 */
export function parseMoment(text: string): Date | null {
  const match = ISO_8601.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute = '00'] = match;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const moment = new Date(local);
  // February 30 would silently become March 1 or 2.
  if (Number.isNaN(moment.getTime()) || moment.toISOString() !== local) return null;
  if (sign === undefined) return moment;
  if (Number(offsetHour) > OFFSET_HOURS_MAX || Number(offsetMinute) > 59) return null;
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  const utc = new Date(moment.getTime() + (sign === '-' ? offsetMs : -offsetMs));
  const utcYear = utc.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? utc : null;
}

const ISO_8601 =
  /^((?!0000)\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;
const OFFSET_HOURS_MAX = 18;
