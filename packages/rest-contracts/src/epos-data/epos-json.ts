import { EPOS_VALUES_MAX, hasMoreValuesThan } from '../shapes/json-size.js';

/**
 * Reads JSON of an EPOS; undefined for what is none, and for more values than an order of any restaurant has. Texts in it may
 * hold what no database stores.
 */
export function parseEposJson(text: string): unknown {
  if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
