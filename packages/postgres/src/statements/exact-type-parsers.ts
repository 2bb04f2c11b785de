import { assert } from '@pos/core/refusals';
import pg from 'pg';

/** int8 arrives from the driver as text: '1250' + 100 is '1250100'. It is read as an exact number or refused. */
export function parseExactInteger(text: string): number {
  const value = Number(text);
  assert(Number.isSafeInteger(value), `not a number that can be held exactly: ${text}`);
  return value;
}

/** The driver's type parsers, with exact whole numbers and with days as text. They apply to our connections, not to the whole process. */
export const exactTypeParsers = new pg.TypeOverrides();
exactTypeParsers.setTypeParser(pg.types.builtins.INT8, parseExactInteger);
// A day has no time zone: as a Date it would be another day in half of the world.
exactTypeParsers.setTypeParser(pg.types.builtins.DATE, (text) => text);
