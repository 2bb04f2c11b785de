import type { Database } from '@pos/store/database/database';
import { findCardNumberOfNextKey } from '@pos/store/payments/card-numbers';
import type { CardNumberCipher } from './card-number-cipher.js';

/**
 * The ids of master keys under which there are numbers that this process cannot decrypt: it lacks the key, or has other
 * bytes under its id. One number of each key is decrypted, and nothing of it is kept.
 */
export async function listUnusableKeys(database: Database, cipher: Pick<CardNumberCipher, 'open'>): Promise<string[]> {
  const unusable: string[] = [];
  let found = await database.readSystem((reader) => findCardNumberOfNextKey(reader, ''));
  while (found !== null) {
    const { keyId } = found.sealed;
    try {
      cipher.open(found, found.sealed);
    } catch {
      unusable.push(keyId);
    }
    found = await database.readSystem((reader) => findCardNumberOfNextKey(reader, keyId));
  }
  return unusable;
}
