import { hashKey } from '@pos/core/ids';

/** What keys of the database are for; each is the setting that holds one. */
export type KeyPurpose = 'KEY_PEPPER' | 'ENCRYPTION_KEY';

const KEY_ID_BYTES = 4;

/** The check value of a key: it tells keys apart and says nothing of them. */
export function checkValueOf(purpose: KeyPurpose, key: string | Uint8Array): Buffer {
  return hashKey(key, `the check value of ${purpose}`);
}

/** The short name of a key. */
export function keyIdOf(purpose: KeyPurpose, key: string | Uint8Array): Buffer {
  return checkValueOf(purpose, key).subarray(0, KEY_ID_BYTES);
}
