import type { CardPresentApproval } from '../cards/card.js';
import type { AlarmDetails } from '../operators/alarm.js';
import type { SessionAlarm, TerminalSession } from './terminal-session.js';

/** An approval that lacks members which do not decide about money. */
export function createIncompleteAlarm(
  session: TerminalSession,
  approval: CardPresentApproval,
  missing: readonly string[],
): SessionAlarm {
  return {
    kind: 'MachineApprovalIncomplete',
    message:
      `A card machine reported an approval without a readable ${missing.join(', ')}. It is booked, and the acquirer is ` +
      'asked about it.',
    details: { ...describeApproval(session, approval), missing: missing.join(', ') },
  };
}

/** An approval whose amount or currency cannot be read. */
export function createUnreadableAlarm(
  session: TerminalSession,
  { problem, details }: { readonly problem: string; readonly details: AlarmDetails },
): SessionAlarm {
  return {
    kind: 'MachineApprovalUnreadable',
    message:
      `A card machine reported an approval that cannot be read (${problem}). Nothing was booked by it: the acquirer is ` +
      'asked how the call ended.',
    details: { ...describeSession(session), ...details, problem },
  };
}

/** An end without money after an approval. */
export function createContradictedApprovalAlarm(
  session: TerminalSession,
  report: 'declined' | 'canceled' | 'unable',
  resolution: string,
): SessionAlarm {
  return {
    kind: 'MachineContradictsApproval',
    message: `A card machine reported "${report}" after an approval. ${resolution}`,
    details: { ...describeSession(session), report, status: session.status },
  };
}

/** Report numbers that were left out. */
export function createGapAlarm(session: TerminalSession, number: number): SessionAlarm {
  const [from, to] = [session.lastReport + 1, number - 1];
  return {
    kind: 'MachineReportsMissing',
    message:
      `A card machine sent report ${number} of a session, and ${from === to ? `report ${from} is` : `reports ${from} to ${to} are`} ` +
      'missing. The machine is asked to repeat what it has.',
    details: { ...describeSession(session), from, to },
  };
}

export function describeApproval(session: TerminalSession, approval: CardPresentApproval): AlarmDetails {
  const { transactionId, acquirerTransactionId = transactionId, amount, card } = approval;
  return {
    ...describeSession(session),
    ...{ transactionId: acquirerTransactionId, amount: amount.value, currencyCode: amount.currencyCode },
    last4: card.last4PAN,
  };
}

function describeSession({ acquirerReference, paymentIntentId, total }: TerminalSession): AlarmDetails {
  return { reference: acquirerReference, paymentIntentId, total: total.value };
}
