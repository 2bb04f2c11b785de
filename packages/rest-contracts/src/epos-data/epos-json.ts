import { EPOS_VALUES_MAX, hasMoreValuesThan } from '../shapes/json-size.js';

/**
 * Parses JSON of an EPOS; undefined for invalid JSON, and for more values than any restaurant's order has. Its texts
 * may contain characters that the database cannot store. Whole numbers that JSON.parse would round become texts: such a
 * number is an id, and two ids must not become one.
 */
export function parseEposJson(text: string): unknown {
  if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) return undefined;
  try {
    return JSON.parse(HAS_LONG_NUMBER.test(text) ? quoteLongNumbers(text) : text) as unknown;
  } catch {
    return undefined;
  }
}

const HAS_LONG_NUMBER = /\d{16}/;
/** A string, which stays as it is, or a whole number of 16 digits or more. */
const STRING_OR_LONG_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

function quoteLongNumbers(text: string): string {
  return text.replace(STRING_OR_LONG_NUMBER, (found) =>
    found.startsWith('"') || Number.isSafeInteger(Number(found)) ? found : `"${found}"`,
  );
}
