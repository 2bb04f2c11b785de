import type { Database } from '@pos/store/database';
import { assertFence, LeaseLost } from '@pos/store/timers';
import type { OpenCalls } from '../connections/open-calls.js';
import { type Deadline, type EposWish, type NoOutcome, notSent } from './tables-call.js';

/**
 * Asks the database, right before a call is written, whether its runner has the payment and will have it for as long as
 * the call may last. Null: it has, or the call carries no fence. A database that does not answer proves nothing, so the
 * call is not made.
 */
export async function findFenceObjection(
  database: Pick<Database, 'read'>,
  { scope, fence }: Pick<EposWish, 'scope' | 'fence'>,
  deadline: Deadline,
): Promise<NoOutcome | null> {
  if (fence === null) return null;
  try {
    await database.read(scope, (reader) => assertFence(reader, fence, Math.ceil(deadline.leftMs())));
    return null;
  } catch (error) {
    const reason = error instanceof LeaseLost ? 'another runner has the payment' : 'the fence could not be checked';
    return notSent('fencedOff', reason);
  }
}

/**
 * Makes a call on a connection when its turn has come, and only while its runner still has the payment: the fence is
 * looked up after the wait and before the first byte.
 */
export async function inTurn<Outcome>(
  calls: OpenCalls<unknown, Outcome>,
  at: {
    readonly database: Pick<Database, 'read'>;
    readonly wish: Pick<EposWish, 'scope' | 'fence'>;
    readonly deadline: Deadline;
  },
  send: () => Promise<Outcome>,
): Promise<Outcome | NoOutcome> {
  const { database, wish, deadline } = at;
  if (calls.isRetired()) return notSent('noConnection', 'the connection is closing');
  if (!(await calls.enter(deadline))) {
    return calls.isRetired()
      ? notSent('noConnection', 'the connection was closed')
      : notSent('queueFull', 'too many calls wait for this EPOS');
  }
  try {
    const objection = await findFenceObjection(database, wish, deadline);
    if (objection !== null) return objection;
    if (calls.isRetired()) return notSent('noConnection', 'the connection was closed');
    if (deadline.leftMs() === 0) return notSent('queueFull', 'the caller waits no longer');
    return await send();
  } finally {
    calls.leave();
  }
}
