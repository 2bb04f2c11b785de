import { DAY_MS } from './timespan.js';

/** The day (UTC) of a moment, `yyyy-mm-dd`. */
export function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The first moment (UTC) of a day. */
export function toMoment(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The days (UTC) of a span whose end is exclusive: the first and the last one. */
export function toDays({ from, to }: { readonly from: Date; readonly to: Date }): {
  readonly first: string;
  readonly last: string;
} {
  return { first: toDay(from), last: toDay(new Date(to.getTime() - 1)) };
}

/** The day after a day. */
export function nextDay(day: string): string {
  return toDay(new Date(toMoment(day).getTime() + DAY_MS));
}
