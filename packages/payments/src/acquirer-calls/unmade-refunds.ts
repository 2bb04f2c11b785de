import { isCertainlyUnmade, releaseUnmadeRefund } from '@pos/core/terminals';
import type { Tx } from '@pos/store/database';
import { incrementNotFoundCount, resetNotFoundCount } from '@pos/store/payments';
import { commitSession, type LockedTerminalSession } from '../terminals/session-commit.js';
import type { CallProgress } from './call-conclusion.js';

/**
 * Concludes a refund that the machine does not know. It is free once the acquirer has said often enough, and each time after
 * a wait, that it does not know it, either.
 */
export async function concludeUnmadeRefund(
  tx: Tx,
  lockedSession: LockedTerminalSession,
  { isNotFound, inquiryIntervalMs }: { readonly isNotFound: boolean; readonly inquiryIntervalMs: number },
): Promise<CallProgress> {
  if (!lockedSession.isAttemptOpen) return 'over';
  // What the acquirer said before the machine promised to refuse a start proves nothing.
  if (!lockedSession.session.isUnknownToMachine) return 'open';
  const { reference } = lockedSession.call;
  if (!isNotFound) {
    await resetNotFoundCount(tx, reference);
    return 'open';
  }
  const count = await incrementNotFoundCount(tx, reference, inquiryIntervalMs);
  if (!isCertainlyUnmade(lockedSession.session, count)) return 'open';
  await commitSession(tx, lockedSession, releaseUnmadeRefund(lockedSession.session));
  return 'over';
}
