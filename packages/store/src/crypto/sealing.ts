import { createCipheriv, createDecipheriv } from 'node:crypto';
import { assert, requireValue } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import { KEY_ID_BYTES, computeKeyId } from './key-ids.js';
import { createRandomBytes } from './random-bytes.js';

const CIPHER = 'aes-256-gcm';
/** Form, key id, nonce, tag, ciphertext; bound to relation, column and row. */
const FORM = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** Where sealed bytes are stored. They open nowhere else. */
export interface SealContext {
  readonly relation: string;
  readonly column: string;
  /** The row's primary key without its scope. */
  readonly row: string;
}

/** The keys that open; the first one seals. */
export type SealingKeys = readonly [Uint8Array, ...Uint8Array[]];

/** Encrypts a text for one place of one scope (AES-256-GCM) under the first key. */
export function seal(
  [key]: SealingKeys,
  location: { readonly scope: Scope; readonly context: SealContext },
  text: string,
): Buffer {
  assert(key.length === KEY_BYTES, `the encryption key has ${key.length} bytes, not ${KEY_BYTES}`);
  const nonce = createRandomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(buildAssociatedData(location.scope, location.context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([sealedPrefix(key), nonce, cipher.getAuthTag(), sealed]);
}

/** The first bytes of all data that is sealed under this key in the newest form. */
export function sealedPrefix(key: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([FORM]), findKeyId(key)]);
}

/**
 * The text of sealed bytes. Changed bytes, an unknown key, another scope or another place are a defect: the caller
 * must not act on them.
 */
export function open(
  keys: SealingKeys,
  { scope, context }: { readonly scope: Scope; readonly context: SealContext },
  bytes: Buffer,
): string {
  assert(
    bytes[0] === FORM && bytes.length >= 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES,
    'these bytes were not sealed by us',
  );
  const keyId = bytes.subarray(1, 1 + KEY_ID_BYTES);
  const key = requireValue(
    keys.find((each) => findKeyId(each).equals(keyId)),
    `the encryption key ${keyId.toString('hex')}`,
  );
  return decrypt(key, buildAssociatedData(scope, context), bytes.subarray(1 + KEY_ID_BYTES));
}

/** Computed once for each key of the process: it is needed for every sealed value. */
const keyIds = new WeakMap<Uint8Array, Buffer>();

function findKeyId(key: Uint8Array): Buffer {
  const known = keyIds.get(key);
  if (known !== undefined) return known;
  const keyId = computeKeyId('ENCRYPTION_KEY', key);
  keyIds.set(key, keyId);
  return keyId;
}

function decrypt(key: Uint8Array, associatedData: Buffer, bytes: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

function buildAssociatedData({ accountId, environment }: Scope, { relation, column, row }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([relation, column, accountId, environment, row]), 'utf8');
}
