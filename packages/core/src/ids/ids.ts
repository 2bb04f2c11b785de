import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { assert } from '../refusals/assert.js';
import {
  type AccountId,
  type CustomerSecretId,
  type Environment,
  ENVIRONMENTS,
  type IdKind,
  type IdOf,
  getIdPrefix,
  isId,
  parseKnownId,
  PREFIXES,
  type PaymentIntentId,
  type SetupIntentId,
} from '../identity/identity.js';

/** An id of that kind from 16 bytes; the same bytes give the same id. Hex ids use the first twelve. */
export function createId<K extends IdKind>(kind: K, environment: Environment, bytes16: Uint8Array): IdOf<K> {
  assert(bytes16.length === 16, `an id is made of 16 bytes, not ${bytes16.length}`);
  const bytes = Buffer.from(bytes16);
  const tail = PREFIXES[kind].tail === 'hex' ? bytes.toString('hex', 0, 12) : bytes.toString('base64url');
  return parseKnownId(kind, `${getIdPrefix(kind, environment)}${tail}`);
}

/** Sixteen bytes that begin with the time (48 bits of milliseconds), so that new rows are adjacent in an index. */
export function createTimeOrderedBytes(at: Date, random16: Uint8Array): Uint8Array {
  assert(random16.length === 16, `16 random bytes are needed, not ${random16.length}`);
  const bytes = Buffer.from(random16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  return bytes;
}

/**
 * The source of a reproducible run instead of random bytes: the same seed, account, kind and counter give the same
 * bytes.
 */
export interface SeededRandom {
  readonly seed: string;
  readonly accountId: AccountId;
  readonly kind: string;
  readonly counter: number;
}

/** Bytes of a seeded draw, 16 by default. */
export function createSeededBytes(draw: SeededRandom, length = 16): Uint8Array {
  const named = JSON.stringify([draw.accountId, draw.kind, draw.counter]);
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
    createHmac('sha256', draw.seed)
      .update(block === 0 ? named : `${named}${block}`)
      .digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** A UUID of version 4 from 16 bytes; six of their bits give way to version and variant. */
export function formatUuid(bytes16: Uint8Array): string {
  assert(bytes16.length === 16, `a UUID is made of 16 bytes, not ${bytes16.length}`);
  const bytes = Buffer.from(bytes16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether the text is a UUID as we write it. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The number of random bytes of a client secret; far above the minimum of 64 against guessing. */
export const CLIENT_SECRET_RANDOM_BYTES = 83;
const CLIENT_SECRET_BYTES = 118;
const CLIENT_SECRET_FORM = 1;

/** The subject inside a client secret: enough to find its row without a search over all accounts. */
export interface ClientSecretSubject {
  readonly accountId: AccountId;
  readonly environment: Environment;
  readonly intentId: PaymentIntentId | SetupIntentId;
}

/** 160 characters: 118 bytes of which the first name account, environment and intent and the rest are random. */
export function formatClientSecret(subject: ClientSecretSubject & { readonly random: Uint8Array }): string {
  assert(subject.random.length >= CLIENT_SECRET_RANDOM_BYTES, 'too few random bytes for a client secret');
  const kind = isId('paymentIntent', subject.intentId, subject.environment) ? 'paymentIntent' : 'setupIntent';
  const bytes = Buffer.concat([
    Buffer.from([CLIENT_SECRET_FORM, subject.environment === 'sandbox' ? 0 : 1, kind === 'paymentIntent' ? 0 : 1]),
    decodeIdTail('account', subject.environment, subject.accountId),
    decodeIdTail(kind, subject.environment, subject.intentId),
    subject.random.subarray(0, CLIENT_SECRET_RANDOM_BYTES),
  ]);
  assert(bytes.length === CLIENT_SECRET_BYTES, `a client secret of ${bytes.length} bytes`);
  // Base64url with its padding: 118 bytes are 158 characters and two signs to fill the last group.
  return `${bytes.toString('base64url')}==`;
}

/** The subject that a client secret names, or null when the text is not one. Only the stored hash proves it. */
export function readClientSecret(text: string): ClientSecretSubject | null {
  if (!/^[A-Za-z0-9_-]{158}==$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const [form, world, kind] = bytes;
  if (`${bytes.toString('base64url')}==` !== text || form !== CLIENT_SECRET_FORM) return null;
  if ((world !== 0 && world !== 1) || (kind !== 0 && kind !== 1)) return null;
  const environment = world === 0 ? 'sandbox' : 'production';
  return {
    accountId: createId('account', environment, bytes.subarray(3, 19)),
    environment,
    intentId: createId(kind === 0 ? 'paymentIntent' : 'setupIntent', environment, bytes.subarray(19, 35)),
  };
}

export const CUSTOMER_SECRET_RANDOM_BYTES = 32;
const CUSTOMER_SECRET_FORM = /^(cs_(?:sandbox_)?[A-Za-z0-9_-]{22})_([A-Za-z0-9_-]{64})$/;

/** The subject inside a customer secret: enough to find its row without a search over all accounts. */
export interface CustomerSecretSubject {
  readonly accountId: AccountId;
  readonly environment: Environment;
  readonly secretId: CustomerSecretId;
}

/** The secret's id, then 64 characters: the account's 16 bytes and 32 random ones. */
export function createCustomerSecret(subject: CustomerSecretSubject & { readonly random: Uint8Array }): string {
  assert(subject.random.length === CUSTOMER_SECRET_RANDOM_BYTES, 'a customer secret has 32 random bytes');
  assert(isId('customerSecret', subject.secretId, subject.environment), 'not the id of a customer secret');
  const account = decodeIdTail('account', subject.environment, subject.accountId);
  return `${subject.secretId}_${Buffer.concat([account, subject.random]).toString('base64url')}`;
}

/** The subject that a customer secret names, or null when the text is not one. Only the stored hash proves it. */
export function readCustomerSecret(text: string): CustomerSecretSubject | null {
  const [, secretId, tail] = CUSTOMER_SECRET_FORM.exec(text) ?? [];
  if (secretId === undefined || tail === undefined) return null;
  const environment = ENVIRONMENTS.find((each) => isId('customerSecret', secretId, each));
  if (environment === undefined) return null;
  const accountId = createId('account', environment, Buffer.from(tail, 'base64url').subarray(0, 16));
  return { accountId, environment, secretId: parseKnownId('customerSecret', secretId) };
}

/** The text of an API key from 32 random bytes: shown once, stored as a hash. */
export function createApiKeyText(environment: Environment, random32: Uint8Array): string {
  return `${environment === 'sandbox' ? 'sk_sandbox_' : 'sk_prod_'}${createWebhookSecretText(random32)}`;
}

/** 43 base64url characters of 32 random bytes: the value of a webhook secret. */
export function createWebhookSecretText(random32: Uint8Array): string {
  assert(random32.length === 32, `a secret is made of 32 bytes, not ${random32.length}`);
  return Buffer.from(random32).toString('base64url');
}

/** Whether a hash is one of several, compared in constant time. */
export function isOneHash(hash: Uint8Array, of: readonly Uint8Array[]): boolean {
  return of.some((each) => isSameHash(hash, each));
}

/** The only form in which a key or client secret is looked up: without the pepper the hashes are useless. */
export function hashKey(pepper: string | Uint8Array, text: string): Buffer {
  return createHmac('sha256', pepper).update(text, 'utf8').digest();
}

/** Compares two hashes in constant time; hashes of different length are different. */
export function isSameHash(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The next link of a hash chain; an edited, removed or reordered record breaks every link after it. */
export function computeChainHash(previous: Uint8Array, record: string): Buffer {
  return createHash('sha256').update(previous).update(record, 'utf8').digest();
}

function decodeIdTail<K extends IdKind>(kind: K, environment: Environment, id: string): Buffer {
  const lead = getIdPrefix(kind, environment);
  const bytes = Buffer.from(id.slice(lead.length), 'base64url');
  assert(isId(kind, id, environment) && bytes.length === 16, `not the id of a ${kind} in ${environment}`);
  return bytes;
}
