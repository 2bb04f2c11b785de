import { assert } from '../refusals/assert.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The longest timespan that is accepted: ten thousand days; more is a typing error. */
const DAYS_MAX = 9_999;

/** Milliseconds of `hh:mm:ss` or `d.hh:mm:ss`; null for any other text, ISO 8601 durations included. */
export function parseTimespan(text: string): number | null {
  const match = /^(?:(\d{1,4})\.)?([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/.exec(text);
  if (match === null) return null;
  const [days, hours, minutes, seconds] = match.slice(1).map((part: string | undefined) => Number(part ?? 0));
  return (days ?? 0) * DAY_MS + (hours ?? 0) * HOUR_MS + (minutes ?? 0) * MINUTE_MS + (seconds ?? 0) * SECOND_MS;
}

/** Writes `hh:mm:ss`, with `d.` in front from one day up; part seconds are dropped. */
export function formatTimespan(spanMs: number): string {
  assert(Number.isSafeInteger(spanMs) && spanMs >= 0 && spanMs < (DAYS_MAX + 1) * DAY_MS, `not a timespan: ${spanMs}`);
  const days = Math.floor(spanMs / DAY_MS);
  const clock = [
    Math.floor((spanMs % DAY_MS) / HOUR_MS),
    Math.floor((spanMs % HOUR_MS) / MINUTE_MS),
    Math.floor((spanMs % MINUTE_MS) / SECOND_MS),
  ]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  return days === 0 ? clock : `${days}.${clock}`;
}
