import { lockCardNumber, listCardNumbersUnderOtherKeys, rewrapCardNumber } from '@pos/store/payments/card-numbers';
import type { Database } from '@pos/store/database/database';
import type { CardNumberCipher } from './card-number-cipher.js';

const BATCH_SIZE = 200;

/**
 * Puts every stored number under the current master key and says how many it were. It may be stopped at any moment,
 * begun again, run twice at once, and run beside the app: each number is a transaction of its own.
 */
export async function rotateKeys(
  database: Database,
  safe: CardNumberCipher,
  onProgress: (sealedAnew: number) => void = () => undefined,
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
        // Erased, or put under the key by another run, since we looked.
        if (sealed === null || sealed.keyId === safe.currentKeyId) return 0;
        rewrapCardNumber(tx, cardReference.cardId, safe.rewrap(cardReference, sealed));
        return 1;
      });
    }
    onProgress(count);
  }
}
