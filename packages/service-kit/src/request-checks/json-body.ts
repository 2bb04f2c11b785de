import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '@pos/core/refusals/refusal';
import { BODY_VALUES_MAX, findExcess } from '@pos/rest-contracts/shapes/json-size';

/** A larger body is refused with 413 before it is read to its end. */
const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** A smaller body is judged in less than a millisecond. */
const LARGE_BODY_BYTES = 16 * 1024;
/** Objects and lists inside each other. */
export const BODY_DEPTH_MAX = 32;
/** What is sent beyond the limit is still taken and thrown away up to here, so that the sender gets to read the answer. */
const DISCARDED_BYTES_MAX = 8 * JSON_BODY_BYTES_MAX;

/** Whether the headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || readContentLength(headers) > 0;
}

/**
 * Whether refusing now, with the body unread, would leave so much of it on the wire that the connection must be closed
 * instead of being used again.
 */
export function exceedsDiscardLimit({ headers }: IncomingMessage): boolean {
  return readContentLength(headers) > DISCARDED_BYTES_MAX;
}

/**
 * Reads the JSON body of a request; undefined when there is none. Refuses in the order: media type, size in bytes, number
 * of values and levels, syntax.
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  const contentLength = readContentLength(request.headers);
  if (contentLength > 0) requireJsonMediaType(request.headers);
  if (contentLength > JSON_BODY_BYTES_MAX) throw createTooLargeRefusal();
  const bytes = await readBodyBytes(request);
  if (bytes.length === 0) return undefined;
  // A body of unknown length has shown itself only now.
  requireJsonMediaType(request.headers);
  return parseJson(bytes);
}

/**
 * Lets others have the event loop before the next step of judging a large body. Each step is short by the limits of a body,
 * and all of them in one piece would not be.
 */
export async function yieldForLargeBody({ headers }: IncomingMessage): Promise<void> {
  const isLarge = headers['transfer-encoding'] !== undefined || readContentLength(headers) > LARGE_BODY_BYTES;
  if (isLarge) await nextTurn();
}

/**
 * Parses JSON that came from outside: UTF-8 only, a limited number of values, 32 levels, no NUL and no half of a surrogate
 * pair anywhere. Values and levels are counted before any value is made.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const excess = findExcess(bytes, { values: BODY_VALUES_MAX, depth: BODY_DEPTH_MAX });
  if (excess === 'values') {
    throw new Refusal('body_too_large', `The body holds more than ${BODY_VALUES_MAX} values.`);
  }
  if (excess === 'depth') throw createMalformedRefusal(`The body is nested deeper than ${BODY_DEPTH_MAX} levels.`);
  const text = decodeText(bytes);
  const value = parseText(text);
  if (UNSTORABLE_ESCAPE.test(text)) requireStorableValue(value);
  return value;
}

/** Text that can be stored and sent on: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE_TEXT.test(text);
}

// With the `u` flag a surrogate matches only where it stands alone.
const UNSTORABLE_TEXT = /[\u0000\p{Surrogate}]/u;

/** Text that was decoded holds a NUL or half of a surrogate pair only where JSON has it as an escape. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

function requireStorableValue(value: unknown): void {
  if (typeof value === 'string' && !isStorableText(value)) throw createMalformedRefusal(UNSTORABLE_TEXT_DETAIL);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorableText(name)) throw createMalformedRefusal(UNSTORABLE_TEXT_DETAIL);
    requireStorableValue(member);
  }
}

/** Not by TextDecoder, which takes ten times as long over text that is not ASCII. */
function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw createNotJsonRefusal();
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createNotJsonRefusal();
  }
}

const BYTE_ORDER_MARK = '\ufeff';

const UNSTORABLE_TEXT_DETAIL = 'The body holds a NUL character or half of a surrogate pair.';

function requireJsonMediaType(headers: IncomingMessage['headers']): void {
  const type = headers['content-type'] ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!JSON_MEDIA_TYPE.test(type) || encoding.toLowerCase() !== 'identity') {
    throw new Refusal('media_type_unsupported', 'The body must be application/json in UTF-8, not compressed.');
  }
}

const JSON_MEDIA_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

function readContentLength(headers: IncomingMessage['headers']): number {
  return Number(headers['content-length'] ?? 0);
}

function readBodyBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= JSON_BODY_BYTES_MAX) chunks.push(chunk);
      else reject(createTooLargeRefusal());
      if (size > DISCARDED_BYTES_MAX) request.destroy();
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.once('error', () => {
      reject(createMalformedRefusal('The body ended before it was complete.'));
    });
    request.once('close', () => {
      reject(createMalformedRefusal('The body ended before it was complete.'));
    });
  });
}

function createTooLargeRefusal(): Refusal {
  return new Refusal('body_too_large', `The body is larger than ${JSON_BODY_BYTES_MAX} bytes.`);
}

function createNotJsonRefusal(): Refusal {
  return createMalformedRefusal('The body is not JSON in UTF-8.');
}

function createMalformedRefusal(detail: string): Refusal {
  return new Refusal('body_malformed', detail);
}
