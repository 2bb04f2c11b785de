/** The limit of values in a request's body, which bounds how long one request occupies the process. */
export const BODY_VALUES_MAX = 20_000;
/** The limit of values in an answer or a frame of an EPOS. */
export const EPOS_VALUES_MAX = 30_000;

/** The limits of a JSON text. */
export interface JsonLimits {
  readonly values: number;
  /** The limit of nested objects and lists; unlimited by default. */
  readonly depth?: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Finds the first limit that a JSON text exceeds, without parsing it, and stops there. Each comma and each opening
 * bracket outside of strings counts as one value, so an empty list or object counts twice. Parsing first would take
 * fifty times as much time, and memory for each value.
 */
export function findExcess(json: Uint8Array, { values, depth = Infinity }: JsonLimits): 'values' | 'depth' | null {
  let valuesLeft = values - 1;
  let depthLeft = depth;
  let isInString = false;
  // One plain loop over bytes, because every request and answer passes it: a megabyte takes about two milliseconds.
  for (let index = 0; index < json.length; index += 1) {
    const code = json[index];
    if (isInString) {
      if (code === QUOTE) isInString = false;
      else if (code === BACKSLASH) index += 1;
    } else if (code === QUOTE) isInString = true;
    else if (code === COMMA) valuesLeft -= 1;
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      valuesLeft -= 1;
      depthLeft -= 1;
      if (depthLeft < 0) return 'depth';
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depthLeft += 1;
    if (valuesLeft < 0) return 'values';
  }
  return valuesLeft < 0 ? 'values' : null;
}

/** Whether a JSON text has more values than the limit, counted as in `findExcess`. */
export function hasMoreValuesThan(limit: number, json: Uint8Array | string): boolean {
  return findExcess(typeof json === 'string' ? UTF8.encode(json) : json, { values: limit }) !== null;
}

const UTF8 = new TextEncoder();

const COLON = 0x3a;
const SPACE = 0x20;

/**
 * The text of a member of a JSON object, found without parsing the rest; null where the object has no such member,
 * where the member is no text, and for any other JSON. The last of several members counts, as in `JSON.parse`.
 */
export function findTextMember(json: string, name: string): string | null {
  let depth = 0;
  let key: string | null = null;
  let isValue = false;
  let found: string | null = null;
  // One loop over characters, as in `findExcess`, for texts that are too large to be parsed.
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    const isSought = depth === 1 && isValue && key === name;
    if (code === QUOTE) {
      const end = findEndOfText(json, index);
      if (isSought) found = readText(json.slice(index, end + 1));
      else if (depth === 1 && !isValue) key = readText(json.slice(index, end + 1));
      index = end;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      if (isSought) found = null;
      depth += 1;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
    else if (depth === 1 && (code === COLON || code === COMMA)) isValue = code === COLON;
    else if (isSought && code > SPACE) found = null;
  }
  return found;
}

function findEndOfText(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index;
  }
  return json.length;
}

function readText(token: string): string | null {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
