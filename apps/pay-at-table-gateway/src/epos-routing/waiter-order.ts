import type { Session } from '@pos/grpc-contracts/tables';
import type { TablesCall, TablesOutcome } from '../epos-calls/tables-call.js';
import { readRequestor } from '../epos-calls/epos-wire.js';

/**
 * Sorts a list of sessions for the waiter who requested it: their own, then those without a waiter, then those of
 * colleagues, who may need help with a payment. Nothing is left out, and every transport answers alike.
 */
export function sortForWaiter<Outcome extends TablesOutcome>(
  outcome: Outcome,
  call: TablesCall,
): Outcome | TablesOutcome {
  if (outcome.outcome !== 'answered' || outcome.answer.$case !== 'listSessions') return outcome;
  const requestor = readRequestor(call.value.requestorInfo);
  if (requestor?.type !== 'cardMachine' || requestor.waiterId === 0) return outcome;
  const { waiterId } = requestor;
  const getRank = ({ waiter }: Session): number => {
    if (waiter === undefined || waiter.id === 0) return 1;
    return waiter.id === waiterId ? 0 : 2;
  };
  const sessions = [...outcome.answer.value.sessions].sort((one, other) => getRank(one) - getRank(other));
  return { outcome: 'answered', answer: { $case: 'listSessions', value: { ...outcome.answer.value, sessions } } };
}
