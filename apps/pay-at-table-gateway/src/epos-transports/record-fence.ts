import type { Database } from '@pos/store/database';
import { type EposIntegration, isStillRegistered } from '@pos/store/repositories';
import { assertFence, LeaseLost } from '@pos/store/queues';
import type { PendingCalls } from '../connections/pending-calls.js';
import type { Deadline } from '../epos-calls/deadline.js';
import type { TablesCallRequest } from '../epos-calls/tables-call.js';
import { type CallFailure, createNotSent } from '../epos-calls/call-failure.js';

/** The subject of the check right before a call is sent. */
interface SendPrecondition {
  readonly database: Pick<Database, 'read'>;
  readonly deadline: Deadline;
  /** The registered address of the call, if it has one; it must still be registered. */
  readonly integration?: EposIntegration;
}

/**
 * Checks in the database, right before a call is sent, that its runner has the payment for as long as the call may take.
 * Null: it has, or the call has no fence. Without an answer of the database the call is not sent. A call with a fence to a
 * registered address is also checked against the registration, in the same round trip: money is not recorded at an EPOS
 * that was replaced.
 */
export async function findFenceObjection(
  { scope, fence }: Pick<TablesCallRequest, 'scope' | 'fence'>,
  { database, deadline, integration }: SendPrecondition,
): Promise<CallFailure | null> {
  if (fence === null) return null;
  try {
    const marginMs = Math.ceil(deadline.getRemainingMs());
    const [, isRegistered] = await database.read(scope, (reader) =>
      Promise.all([
        assertFence(reader, fence, marginMs),
        integration === undefined ? true : isStillRegistered(reader, integration),
      ]),
    );
    return isRegistered ? null : NOT_REGISTERED_FAILURE;
  } catch (error) {
    const reason = error instanceof LeaseLost ? 'another runner has the payment' : 'the fence could not be checked';
    return createNotSent('fencedOff', reason);
  }
}

/** Checks in the database that an address is still registered, before it is dialled or after a wait for it. */
export async function findRegistrationObjection(
  { scope }: Pick<TablesCallRequest, 'scope'>,
  { database, integration }: { readonly database: Pick<Database, 'read'>; readonly integration: EposIntegration },
): Promise<CallFailure | null> {
  try {
    const isRegistered = await database.read(scope, (reader) => isStillRegistered(reader, integration));
    return isRegistered ? null : NOT_REGISTERED_FAILURE;
  } catch {
    return createNotSent('noConnection', 'the registration of the EPOS could not be checked');
  }
}

/** The address of the call is no longer registered. */
export const NOT_REGISTERED_FAILURE = createNotSent('noRoute', 'the registration of the EPOS was deleted or replaced');

/**
 * Makes a call on a connection after its time in the queue, and only while its runner still has the payment: the fence is
 * checked after the wait and before the first byte.
 */
export async function runInTurn<Outcome>(
  calls: PendingCalls<unknown, Outcome>,
  callContext: {
    readonly database: Pick<Database, 'read'>;
    readonly callRequest: Pick<TablesCallRequest, 'scope' | 'fence'>;
    readonly deadline: Deadline;
  },
  send: () => Promise<Outcome>,
): Promise<Outcome | CallFailure> {
  const { database, callRequest, deadline } = callContext;
  if (calls.isDraining()) return createNotSent('noConnection', 'the connection is closing');
  if (!(await calls.acquireSlot(deadline))) {
    return calls.isDraining()
      ? createNotSent('noConnection', 'the connection was closed')
      : createNotSent('queueFull', 'too many calls wait for this EPOS');
  }
  try {
    const objection = await findFenceObjection(callRequest, { database, deadline });
    if (objection !== null) return objection;
    if (calls.isDraining()) return createNotSent('noConnection', 'the connection was closed');
    if (deadline.getRemainingMs() === 0) return createNotSent('queueFull', 'the deadline of the caller has passed');
    return await send();
  } finally {
    calls.releaseSlot();
  }
}
