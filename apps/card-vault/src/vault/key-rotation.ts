import { lockCardNumber, listCardNumbersUnderOtherKeys, rewrapCardNumber } from '@pos/store/payments/card-numbers';
import type { Database } from '@pos/store/database/database';
import type { CardNumberCipher } from './card-number-cipher.js';

const BATCH_SIZE = 200;

/**
 * Wraps every stored number with the current master key and returns how many numbers changed. It may be stopped at any
 * time, started again, run twice at once, and run beside the app: each number has its own transaction.
 */
export async function rotateKeys(
  database: Database,
  safe: CardNumberCipher,
  onProgress: (resealed: number) => void = () => undefined,
): Promise<number> {
  let count = 0;
  for (;;) {
    const cardReferences = await database.readSystem((reader) =>
      listCardNumbersUnderOtherKeys(reader, safe.currentKeyId, BATCH_SIZE),
    );
    if (cardReferences.length === 0) return count;
    for (const cardReference of cardReferences) {
      count += await database.transact(cardReference.scope, async (tx) => {
        const sealed = await lockCardNumber(tx, cardReference.cardId);
        // Erased, or resealed by another run, since the list was read.
        if (sealed === null || sealed.keyId === safe.currentKeyId) return 0;
        rewrapCardNumber(tx, cardReference.cardId, safe.rewrap(cardReference, sealed));
        return 1;
      });
    }
    onProgress(count);
  }
}
