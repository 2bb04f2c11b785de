import type { Database } from '@pos/store/database';
import { type EposIntegration, isStillRegistered } from '@pos/store/epos-integrations';
import { assertFence, LeaseLost } from '@pos/store/timers';
import type { OpenCalls } from '../connections/open-calls.js';
import { type Deadline, type EposWish, type NoOutcome, notSent } from './tables-call.js';

/** What is looked up right before a call is written. */
interface SendCheck {
  readonly database: Pick<Database, 'read'>;
  readonly deadline: Deadline;
  /** Where the call is about to go, if it goes to a registered address; it must be registered still. */
  readonly integration?: EposIntegration;
}

/**
 * Asks the database, right before a call is written, whether its runner has the payment and will have it for as long as
 * the call may last. Null: it has, or the call carries no fence. A database that does not answer proves nothing, so the
 * call is not made. A call with a fence to a registered address is also checked against the registration, in the same
 * round trip: money is not recorded at an EPOS that was replaced.
 */
export async function findFenceObjection(
  { scope, fence }: Pick<EposWish, 'scope' | 'fence'>,
  { database, deadline, integration }: SendCheck,
): Promise<NoOutcome | null> {
  if (fence === null) return null;
  try {
    const marginMs = Math.ceil(deadline.leftMs());
    const [, isRegistered] = await database.read(scope, (reader) =>
      Promise.all([
        assertFence(reader, fence, marginMs),
        integration === undefined ? true : isStillRegistered(reader, integration),
      ]),
    );
    return isRegistered ? null : UNREGISTERED;
  } catch (error) {
    const reason = error instanceof LeaseLost ? 'another runner has the payment' : 'the fence could not be checked';
    return notSent('fencedOff', reason);
  }
}

/** Asks the database whether an address that is about to be dialled, or was waited for, is registered still. */
export async function findRegistrationObjection(
  { scope }: Pick<EposWish, 'scope'>,
  { database, integration }: { readonly database: Pick<Database, 'read'>; readonly integration: EposIntegration },
): Promise<NoOutcome | null> {
  try {
    const isRegistered = await database.read(scope, (reader) => isStillRegistered(reader, integration));
    return isRegistered ? null : UNREGISTERED;
  } catch {
    return notSent('noConnection', 'the registration of the EPOS could not be checked');
  }
}

/** Where the call was about to go nothing is registered any more. */
export const UNREGISTERED = notSent('noRoute', 'the registration of the EPOS was deleted or replaced');

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
    const objection = await findFenceObjection(wish, { database, deadline });
    if (objection !== null) return objection;
    if (calls.isRetired()) return notSent('noConnection', 'the connection was closed');
    if (deadline.leftMs() === 0) return notSent('queueFull', 'the caller waits no longer');
    return await send();
  } finally {
    calls.leave();
  }
}
