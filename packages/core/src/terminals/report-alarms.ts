import type { CardDetails, CardPresentApproval } from '../cards/card.js';
import type { AlarmDetails } from '../operators/alarm.js';
import type { ApprovalConfirmation } from './machine-approval.js';
import { findOtherCardAlarm } from './refunded-card.js';
import type { SessionAlarm, SessionDecision, TerminalSession } from './terminal-session.js';

/** An approval, what it lacks, what the acquirer said of it, and the card of the payment that it refunds. */
interface ReportedApproval {
  readonly session: TerminalSession;
  readonly approval: CardPresentApproval;
  readonly missing?: readonly string[];
  readonly confirmation?: ApprovalConfirmation;
  readonly paidCard: CardDetails | null;
}

/** The decision about an approval with its alarms: what the acquirer has differently, what is missing, another card. */
export function addApprovalAlarms(
  decision: SessionDecision | null,
  { session, approval, missing = [], confirmation, paidCard }: ReportedApproval,
): SessionDecision | null {
  const difference = confirmation?.difference ?? null;
  if (decision === null || (decision.onAttempt === null && difference === null)) return decision;
  const isBooked = decision.onAttempt?.kind === 'settled' || decision.onAttempt?.kind === 'corrected';
  const otherCard = isBooked ? findOtherCardAlarm(session, { paid: paidCard, refunded: approval.card }) : null;
  const { acquirerReference: subject } = session;
  const alarms = [
    difference === null ? null : ({ kind: 'MachineApprovalDiffers', subject, ...difference } as const),
    missing.length === 0 ? null : createIncompleteAlarm(session, approval, missing),
    otherCard,
  ];
  return { ...decision, alarms: [...decision.alarms, ...alarms.filter((alarm) => alarm !== null)] };
}

/** An approval that lacks members which do not decide about money. */
function createIncompleteAlarm(
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

function describeApproval(session: TerminalSession, approval: CardPresentApproval): AlarmDetails {
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
