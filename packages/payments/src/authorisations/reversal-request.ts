import { type AcquirerCall, reverseCall } from '@pos/core/acquirer-calls';
import { insertAcquirerCall } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { schedule } from '@pos/store/queues';
import { updateCall } from '../alarms/call-update.js';

/** How long the acquirer may take to acknowledge a reversal before it is asked again; no money waits for it. */
const REVERSAL_DEADLINE_MS = 10_000;

/**
 * Orders that an authorisation be undone. From this commit on an approval of it changes nothing; the reversal is sent
 * by the worker and repeated until the acquirer acknowledges it. A call whose reversal is ordered already is left alone.
 */
export async function requestReversal(tx: Tx, call: AcquirerCall, ownReference: string | null = null): Promise<void> {
  if (call.reverseReference !== null) return;
  const reference = ownReference ?? (await tx.newUuid());
  const deadlineAt = new Date(tx.databaseNow.getTime() + REVERSAL_DEADLINE_MS);
  const requested = reverseCall(call, { reference, deadlineAt });
  await updateCall(tx, requested.call);
  await insertAcquirerCall(tx, requested.reversal);
  schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: 0, isRepeat: true });
}
