import { lockCardNumber, listCardNumbersUnderOtherKeys, rewrapCardNumber } from '@pos/store/card-numbers';
import type { Database } from '@pos/store/database';
import type { NumberSafe } from './number-safe.js';

const BATCH = 200;

/**
 * Puts every stored number under the current master key and says how many it were. It may be stopped at any moment,
 * begun again, run twice at once, and run beside the app: each number is a transaction of its own.
 */
export async function rotateKeys(
  database: Database,
  safe: NumberSafe,
  told: (sealedAnew: number) => void = () => undefined,
): Promise<number> {
  let count = 0;
  for (;;) {
    const places = await database.readSystem((reader) =>
      listCardNumbersUnderOtherKeys(reader, safe.currentKeyId, BATCH),
    );
    if (places.length === 0) return count;
    for (const place of places) {
      count += await database.transact(place.scope, async (tx) => {
        const sealed = await lockCardNumber(tx, place.cardId);
        // Erased, or put under the key by another run, since we looked.
        if (sealed === null || sealed.keyId === safe.currentKeyId) return 0;
        rewrapCardNumber(tx, place.cardId, safe.rewrap(place, sealed));
        return 1;
      });
    }
    told(count);
  }
}
