/** A request's body holds at most this many values; the limit bounds how long one request occupies the process. */
export const BODY_VALUES_MAX = 20_000;
/** An answer or a frame of an EPOS holds at most this many values. */
export const EPOS_VALUES_MAX = 30_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/**
 * Counts the values of a JSON text without parsing it and stops above the limit: each comma and each opening bracket
 * outside of strings stands for one value, so an empty list or object counts twice. Parsing first costs fifty times as much time, and memory for each value.
 */
export function hasMoreValuesThan(limit: number, json: Uint8Array | string): boolean {
  const at = typeof json === 'string' ? (index: number) => json.charCodeAt(index) : (index: number) => json[index];
  let values = 1;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = at(index);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (code === BACKSLASH) index += 1;
    } else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) {
      values += 1;
      if (values > limit) return true;
    }
  }
  return values > limit;
}
