import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { assert } from '@pos/core/refusals';

const CIPHER = 'aes-256-gcm';
const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** The length of master keys and of the keys of numbers. */
export const KEY_BYTES = 32;

/** Encrypts by AES-256-GCM: version, nonce, tag, ciphertext. */
export function sealBytes(key: Uint8Array, associatedData: Buffer, clear: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(associatedData);
  const ciphertextBytes = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([Buffer.from([FORMAT_VERSION]), nonce, cipher.getAuthTag(), ciphertextBytes]);
}

/** Decrypts what `sealBytes` has made. Throws for another key, other associated data and changed bytes. */
export function openBytes(key: Uint8Array, associatedData: Buffer, bytes: Buffer): Buffer {
  assert(bytes[0] === FORMAT_VERSION && bytes.length > HEADER_BYTES, 'these bytes were not sealed by the vault');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData);
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]);
}
