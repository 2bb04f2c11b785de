import { hashKey } from '@pos/core/ids';

/** The purposes of the database's keys; each is the setting that contains the key. */
export type KeyPurpose = 'KEY_PEPPER' | 'ENCRYPTION_KEY';

export const KEY_ID_BYTES = 4;

/** The check value of a key: it distinguishes keys and reveals nothing of them. */
export function computeCheckValue(purpose: KeyPurpose, key: string | Uint8Array): Buffer {
  return hashKey(key, buildCheckedText(purpose));
}

/** The short name of the pepper that a reader writes with. */
export function computePepperId(reader: { hash(text: string): Buffer }): Buffer {
  return reader.hash(buildCheckedText('KEY_PEPPER')).subarray(0, KEY_ID_BYTES);
}

function buildCheckedText(purpose: KeyPurpose): string {
  return `the check value of ${purpose}`;
}

/** The short name of a key. */
export function computeKeyId(purpose: KeyPurpose, key: string | Uint8Array): Buffer {
  return computeCheckValue(purpose, key).subarray(0, KEY_ID_BYTES);
}
