import { createContradictedApprovalAlarm } from './report-alarms.js';
import { decideSignature, type SessionContext } from './session-outcome.js';
import { createUnchangedDecision, type SessionDecision, type TerminalSession } from './terminal-session.js';

/**
 * The machine reports an end without money after it has reported an approval: one of both is wrong, and the money may
 * have been taken. While the signature is checked, the payment is not final, so it is given back: a merchant who
 * receives no money must not hand out goods, and a payer must not pay twice. A payment that was booked stays, and the
 * acquirer is asked. Null if no approval was stored.
 */
export function contradictApproval(
  session: TerminalSession,
  report: 'declined' | 'canceled' | 'unable',
  receiving: SessionContext,
): SessionDecision | null {
  if (session.approval === null) return null;
  if (session.status === 'SignatureVerificationRequired' && report !== 'unable') {
    const alarm = createContradictedApprovalAlarm(
      session,
      report,
      'The signature counts as rejected: the payment is reversed until the acquirer confirms it.',
    );
    return { ...decideSignature(session, false, receiving), alarms: [alarm] };
  }
  const alarm = createContradictedApprovalAlarm(
    session,
    report,
    'The payment stays as it is, and the acquirer is asked: compare its books with ours.',
  );
  return { ...createUnchangedDecision(session), alarms: [alarm], isCheckNeeded: true };
}
