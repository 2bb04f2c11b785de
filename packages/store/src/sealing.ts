import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';

const CIPHER = 'aes-256-gcm';
const FORM = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts a text for one scope (AES-256-GCM). Sealed bytes that are moved to another account's row do not open.
 */
export function seal(key: Uint8Array, scope: Scope, text: string): Buffer {
  assert(key.length === KEY_BYTES, `the encryption key has ${key.length} bytes, not ${KEY_BYTES}`);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(boundTo(scope));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([FORM]), nonce, cipher.getAuthTag(), sealed]);
}

/** The text of sealed bytes. Changed bytes, another key or another scope are a defect: nobody may act on them. */
export function open(key: Uint8Array, scope: Scope, bytes: Buffer): string {
  assert(bytes[0] === FORM && bytes.length > NONCE_BYTES + TAG_BYTES, 'these bytes were not sealed by us');
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(scope));
  decipher.setAuthTag(tag);
  const text = decipher.update(bytes.subarray(1 + NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

function boundTo(scope: Scope): Buffer {
  return Buffer.from(`${scope.accountId}/${scope.environment}`, 'utf8');
}
