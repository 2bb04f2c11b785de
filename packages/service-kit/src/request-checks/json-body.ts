import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '@pos/core/refusals';
import { BODY_VALUES_MAX, findExcess } from '@pos/rest-contracts/shapes';

/** A larger body is refused with 413 before it is read to its end. */
const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** A smaller body is checked in less than a millisecond. */
const LARGE_BODY_BYTES = 16 * 1024;
/** The limit of nested objects and lists. */
export const BODY_DEPTH_MAX = 32;
/** Up to this size, the rest of a refused body is read and discarded, so that the sender can read the answer. */
const DISCARDED_BYTES_MAX = 8 * JSON_BODY_BYTES_MAX;

const NO_BYTES = new Uint8Array();

/** Whether the headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || readContentLength(headers) > 0;
}

/**
 * Whether a refusal without reading the body would leave so much of it unread that the connection must be closed and
 * cannot be used again.
 */
export function exceedsDiscardLimit({ headers }: IncomingMessage): boolean {
  return readContentLength(headers) > DISCARDED_BYTES_MAX;
}

/**
 * Reads the JSON body of a request; undefined without one. Refuses in the order: media type, size in bytes, number of
 * values and levels, syntax. `checkBytes` sees the bytes before they are parsed; none for a request without a body.
 */
export async function readJsonBody(
  request: IncomingMessage,
  checkBytes: (bytes: Uint8Array) => void = () => undefined,
): Promise<unknown> {
  if (!hasBody(request)) {
    checkBytes(NO_BYTES);
    return undefined;
  }
  const contentLength = readContentLength(request.headers);
  if (contentLength > 0) requireJsonMediaType(request.headers);
  if (contentLength > JSON_BODY_BYTES_MAX) throw createTooLargeRefusal();
  const bytes = await readBodyBytes(request);
  checkBytes(bytes);
  if (bytes.length === 0) return undefined;
  // Only now is it certain that a body of unknown length is not empty.
  requireJsonMediaType(request.headers);
  return parseJson(bytes);
}

/**
 * Yields the event loop before the next step of the checks of a large body. The limits of a body keep each step short;
 * all steps together would be too long.
 */
export async function yieldForLargeBody({ headers }: IncomingMessage): Promise<void> {
  const isLarge = headers['transfer-encoding'] !== undefined || readContentLength(headers) > LARGE_BODY_BYTES;
  if (isLarge) await nextTurn();
}

/**
 * Parses untrusted JSON: UTF-8 only, a limited number of values, 32 levels, no NUL and no unpaired surrogate anywhere.
 * Values and levels are counted before any value is created.
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

/** Whether a text can be stored and sent: it has no NUL and no unpaired surrogate. */
export function isStorableText(text: string): boolean {
  return !UNSTORABLE_TEXT.test(text);
}

// With the `u` flag a surrogate matches only when it is unpaired.
const UNSTORABLE_TEXT = /[\u0000\p{Surrogate}]/u;

/** Decoded text contains a NUL or an unpaired surrogate only where JSON has it as an escape. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

function requireStorableValue(value: unknown): void {
  if (typeof value === 'string' && !isStorableText(value)) throw createMalformedRefusal(UNSTORABLE_TEXT_DETAIL);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (!isStorableText(name)) throw createMalformedRefusal(UNSTORABLE_TEXT_DETAIL);
    requireStorableValue(member);
  }
}

/** Not by TextDecoder, which needs ten times as long for text that is not ASCII. */
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
      // Also emitted after a complete body, where a refusal with its stack would be waste.
      if (!request.readableEnded) reject(createMalformedRefusal('The body ended before it was complete.'));
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
