import type { Database } from '@pos/store/database';
import { assertFence, LeaseLost } from '@pos/store/timers';
import { type Deadline, type EposOutcome, type EposWish, notSent } from './tables-call.js';

/**
 * Asks the database, right before a call is written, whether its runner has the payment and will have it for as long as
 * the call may last. Null: it has, or the call carries no fence. A database that does not answer proves nothing, so the
 * call is not made.
 */
export async function findFenceObjection(
  database: Database,
  { scope, fence }: EposWish,
  deadline: Deadline,
): Promise<EposOutcome | null> {
  if (fence === null) return null;
  const claimed = { kind: 'table-payment', subject: fence.paymentId, fence: fence.fence } as const;
  try {
    await database.read(scope, (reader) => assertFence(reader, claimed, Math.ceil(deadline.leftMs())));
    return null;
  } catch (error) {
    const reason = error instanceof LeaseLost ? 'another runner has the payment' : 'the fence could not be checked';
    return notSent('fencedOff', reason);
  }
}
