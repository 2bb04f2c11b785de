import { PosUsageError } from '../errors/errors.js';
import type { WebhookEvent } from '../gen/schemas.js';
import {
  WebhookHeaderMissingError,
  WebhookMalformedError,
  WebhookSignatureError,
  WebhookTooOldError,
} from '../errors/webhook-errors.js';

/** Headers as servers have them: of the Web, or of Node. */
export type WebhookRequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of sending may be from now: 300 when left out. */
  readonly toleranceSeconds?: number;
  /** The clock of the system when left out. */
  readonly now?: Date;
}

export interface ServiceSignatureOptions {
  /** How far `createdAt` of the event may be from now; not compared when left out. */
  readonly toleranceSeconds?: number;
  /** The clock of the system when left out. */
  readonly now?: Date;
}

/** What is signed. */
export interface SignedWebhook {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

const TOLERANCE_SECONDS = 300;

/** The key of WebCrypto: its global name is not in the types of every environment. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * The event of a delivery that was signed with one of the secrets, over exactly these bytes and recently. Throws a
 * `WebhookRefusedError` for any other. Give all secrets of the subscription while you replace one.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookRequestHeaders,
  { secrets, toleranceSeconds = TOLERANCE_SECONDS, now }: VerifyOptions & { readonly secrets: readonly string[] },
): Promise<WebhookEvent> {
  if (secrets.length === 0 || secrets.includes('')) throw new PosUsageError('verifyWebhook needs secrets, none empty');
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readSignatures(readHeader(headers, 'webhook-signature'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookMalformedError('webhook-timestamp is no number of seconds');
  const nowSeconds = (now?.getTime() ?? performance.timeOrigin + performance.now()) / 1000;
  // Written so that a time or tolerance that is no number refuses.
  const isRecent = Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds;
  const content = join(`${id}.${timestamp}.`, rawBody);
  if (!(await isSignedByAny(secrets, signatures, content))) {
    throw new WebhookSignatureError('no signature matches a secret and this body');
  }
  if (!isRecent) throw new WebhookTooOldError(`webhook-timestamp is more than ${toleranceSeconds} seconds from now`);
  return readEvent(rawBody, id);
}

/** The headers of a delivery as the service signs it, for tests of your endpoint. */
export async function signWebhook(
  secret: string,
  { id, timestamp, body }: SignedWebhook,
): Promise<Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>> {
  const key = await importKey(new TextEncoder().encode(secret), 'sign');
  const signature = await crypto.subtle.sign('HMAC', key, join(`${id}.${timestamp}.`, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

/**
 * The event of a delivery whose `service-signature` was made with one of the secrets over exactly these bytes. Throws a
 * `WebhookRefusedError` for any other. This signature does not cover the time of sending, so a recorded delivery can be
 * sent again: prefer `verifyWebhook` where the standard headers arrive. With `toleranceSeconds` an event is also refused
 * whose `createdAt` is further from now. A delivery is repeated for four days with the same `createdAt`.
 */
export async function verifyServiceSignature(
  rawBody: string | Uint8Array,
  headers: WebhookRequestHeaders,
  { secrets, toleranceSeconds, now }: ServiceSignatureOptions & { readonly secrets: readonly string[] },
): Promise<WebhookEvent> {
  if (secrets.length === 0 || secrets.includes('')) {
    throw new PosUsageError('verifyServiceSignature needs secrets, none empty');
  }
  const signature = readServiceSignature(readHeader(headers, 'service-signature'));
  if (!(await isSignedByAny(secrets, [signature], join('', rawBody)))) {
    throw new WebhookSignatureError('no signature matches a secret and this body');
  }
  const event = readEvent(rawBody);
  if (toleranceSeconds === undefined) return event;
  const createdAtMs = typeof event.createdAt === 'string' ? Date.parse(event.createdAt) : Number.NaN;
  if (Number.isNaN(createdAtMs)) throw new WebhookMalformedError('createdAt of the event is no time');
  const nowMs = now?.getTime() ?? performance.timeOrigin + performance.now();
  // Written so that a time or tolerance that is no number refuses.
  const isRecent = Math.abs(nowMs - createdAtMs) <= toleranceSeconds * 1000;
  if (!isRecent) throw new WebhookTooOldError(`createdAt is more than ${toleranceSeconds} seconds from now`);
  return event;
}

/** The header `service-signature` of a delivery as the service signs it, for tests of your endpoint. */
export async function signServiceSignature(
  secret: string,
  body: string,
): Promise<Readonly<Record<'service-signature', string>>> {
  const key = await importKey(new TextEncoder().encode(secret), 'sign');
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, join('', body)));
  const pairs = Array.from(signature, (byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
  return { 'service-signature': `sha256=${pairs.join('-')}` };
}

function readHeader(headers: WebhookRequestHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  if (value === undefined || value === null || value === '') throw new WebhookHeaderMissingError(`${name} is missing`);
  if (typeof value !== 'string') throw new WebhookMalformedError(`${name} was sent more than once`);
  return value;
}

/** The signatures of version 1; those of other versions are for other receivers. Base64 of 32 bytes has this form. */
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

function readSignatures(header: string): readonly Uint8Array<ArrayBuffer>[] {
  const ours = header.split(' ').flatMap((each) => SIGNATURE.exec(each)?.[1] ?? []);
  if (ours.length === 0) throw new WebhookMalformedError('webhook-signature has no signature of version 1');
  return ours.map((each) => Uint8Array.from(atob(each), (character) => character.charCodeAt(0)));
}

const SERVICE_SIGNATURE = /^sha256=([0-9A-F]{2}(?:-[0-9A-F]{2}){31})$/;

function readServiceSignature(header: string): Uint8Array<ArrayBuffer> {
  const pairs = SERVICE_SIGNATURE.exec(header)?.[1];
  if (pairs === undefined) throw new WebhookMalformedError('service-signature is not sha256= and 32 bytes');
  return Uint8Array.from(pairs.split('-'), (pair) => Number.parseInt(pair, 16));
}

/** WebCrypto compares in constant time. All pairs are compared, so the time does not say which secret matched. */
async function isSignedByAny(
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const results = await Promise.all(
    secrets.flatMap(readKeys).map(async (bytes) => {
      const key = await importKey(bytes, 'verify');
      return Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, content)));
    }),
  );
  return results.flat().includes(true);
}

/** The form of a secret for libraries of standard-webhooks. */
const STANDARD_SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4}))$/;

/** The text of the secret, byte by byte; of the form `whsec_...` also the text that it encodes. */
function readKeys(secret: string): readonly Uint8Array<ArrayBuffer>[] {
  const text = new TextEncoder().encode(secret);
  const encoded = STANDARD_SECRET.exec(secret)?.[1];
  if (encoded === undefined) return [text];
  return [text, Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))];
}

async function importKey(key: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify'): Promise<SigningKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', key, algorithm, false, [use]);
}

function join(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const [first, second] = [
    new TextEncoder().encode(head),
    typeof body === 'string' ? new TextEncoder().encode(body) : body,
  ];
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** `id` is that of the headers, if they name one. */
function readEvent(rawBody: string | Uint8Array, id?: string): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
  } catch (cause) {
    throw new WebhookMalformedError('the body is no JSON', { cause });
  }
  if (typeof event !== 'object' || event === null || !('event' in event) || !('id' in event)) {
    throw new WebhookMalformedError('the body is no event');
  }
  if (id !== undefined && event.id !== id) throw new WebhookMalformedError('the event has another id than webhook-id');
  return event as WebhookEvent;
}
