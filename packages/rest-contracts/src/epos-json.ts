import { EPOS_VALUES_MAX, hasMoreValuesThan } from './json-size.js';

/**
 * Reads JSON of an EPOS; undefined for what is none, and for more values than an order of any restaurant has. A NUL in a text is left out and half of a surrogate pair is replaced: no
 * database keeps either, and what an EPOS says of an order has to be kept however it is written.
 */
export function parseEposJson(text: string): unknown {
  if (hasMoreValuesThan(EPOS_VALUES_MAX, text)) return undefined;
  try {
    return MAY_BE_UNSOUND.test(text) ? JSON.parse(text, (_, value: unknown) => soundly(value)) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON holds both as escapes only, save a half that came unescaped: that was replaced when its bytes were decoded. */
const MAY_BE_UNSOUND = /\\u(?:0000|d[89a-f])/i;

function soundly(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd') : value;
}
