import { Refusal } from '@pos/core/refusals';
import type { Database } from '@pos/store/database';
import { listCardNumbersOfNextKey } from '@pos/store/payments';
import type { CardNumberCipher } from './card-number-cipher.js';

/** Which stored numbers this process cannot decrypt, by the ids of their master keys. */
export interface StoredNumberFindings {
  /** The process lacks the key, or has other bytes under its id. */
  readonly unusable: readonly string[];
  /** The provider of the key does not answer now. */
  readonly unanswered: readonly string[];
}

/** A row that is damaged is no sign of a wrong key, so a few numbers of the key have to fail. */
const SAMPLES_MAX = 5;

/** Decrypts a number of each master key, and keeps nothing of it. */
export async function checkStoredNumbers(
  database: Database,
  cipher: Pick<CardNumberCipher, 'open'>,
): Promise<StoredNumberFindings> {
  const unusable: string[] = [];
  const unanswered: string[] = [];
  let lastKeyId = '';
  for (;;) {
    const after = lastKeyId;
    const samples = await database.readSystem((reader) => listCardNumbersOfNextKey(reader, after, SAMPLES_MAX));
    const [first] = samples;
    if (first === undefined) return { unusable, unanswered };
    lastKeyId = first.sealed.keyId;
    const end = await tryKey(samples, cipher);
    if (end === 'unusable') unusable.push(lastKeyId);
    if (end === 'unanswered') unanswered.push(lastKeyId);
  }
}

async function tryKey(
  samples: Awaited<ReturnType<typeof listCardNumbersOfNextKey>>,
  cipher: Pick<CardNumberCipher, 'open'>,
): Promise<'usable' | 'unanswered' | 'unusable'> {
  for (const sample of samples) {
    try {
      await cipher.open(sample, sample.sealed);
      return 'usable';
    } catch (error) {
      if (error instanceof Refusal) return 'unanswered';
    }
  }
  return 'unusable';
}
