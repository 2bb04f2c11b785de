import { requireValue } from '@pos/core/refusals';
import { lockCardNumber, listCardNumbersUnderOtherKeys, rewrapCardNumber } from '@pos/store/payments';
import type { Database } from '@pos/store/database';
import type { CardNumberCipher } from './card-number-cipher.js';

const BATCH_SIZE = 200;

/**
 * Wraps every stored number with the current master key and returns how many numbers changed. It may be stopped at any
 * time, started again, run twice at once, and run beside the app: each number has its own transaction, which changes only
 * the bytes that were wrapped again.
 */
export async function rotateKeys(
  database: Database,
  safe: CardNumberCipher,
  onProgress: (resealed: number) => void = () => undefined,
): Promise<number> {
  let count = 0;
  for (;;) {
    // The key service may have got a new version meanwhile.
    const currentKeyId = await safe.findCurrentKeyId();
    const stored = await database.readSystem((reader) =>
      listCardNumbersUnderOtherKeys(reader, currentKeyId, BATCH_SIZE),
    );
    if (stored.length === 0) return count;
    const rewrapped = await safe.rewrap(
      stored.map(({ scope, cardId, ...key }) => ({ cardReference: { scope, cardId }, ...key })),
    );
    for (const [index, { scope, cardId, wrappedKey }] of stored.entries()) {
      const next = requireValue(rewrapped[index], 'the wrapped key');
      count += await database.transact(scope, async (tx) => {
        const sealed = await lockCardNumber(tx, cardId);
        // Erased, or wrapped by another run, since the list was read.
        if (sealed?.wrappedKey.equals(wrappedKey) !== true) return 0;
        rewrapCardNumber(tx, cardId, next);
        return 1;
      });
    }
    onProgress(count);
  }
}
