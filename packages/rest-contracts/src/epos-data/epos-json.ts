import { EPOS_VALUES_MAX, hasMoreValuesThan } from '../shapes/json-size.js';

/**
 * Parses JSON of an EPOS; undefined for invalid JSON, and for more values than any restaurant's order has. Its texts
 * may contain characters that the database cannot store.
 */
export function parseEposJson(text: string): unknown {
  if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
