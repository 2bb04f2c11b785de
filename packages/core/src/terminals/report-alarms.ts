import type { CardDetails, CardPresentApproval } from '../cards/card.js';
import { isSameAmount } from '../money/money.js';
import { formatAmount } from '../money/money-text.js';
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
    missing.length === 0 ? null : createIncompleteAlarm(session, approval, { missing: missing.join(', '), isBooked }),
    otherCard,
  ];
  return { ...decision, alarms: [...decision.alarms, ...alarms.filter((alarm) => alarm !== null)] };
}

/** An approval that lacks members which do not decide about money: whether it is booked has other reasons. */
function createIncompleteAlarm(
  session: TerminalSession,
  approval: CardPresentApproval,
  { missing, isBooked }: { readonly missing: string; readonly isBooked: boolean },
): SessionAlarm {
  const end = isBooked
    ? 'The approval is booked nevertheless, and the acquirer is asked about it'
    : 'The approval is not booked, for another reason than what is missing';
  return {
    kind: 'MachineApprovalIncomplete',
    message: `A card machine reported an approval without a readable ${missing}. ${end}: update the software of the machine.`,
    details: { ...describeApproval(session, approval), missing },
  };
}

/**
 * An approval of a sale over another amount than ordered, or after the sale had ended without money. `isTaken`: the
 * session has its payment, which stays as it is.
 */
export function createUnbookedSaleAlarm(
  session: TerminalSession,
  approval: CardPresentApproval,
  { isTaken = false } = {},
): SessionAlarm {
  const { total, status } = session;
  const [approved, ordered] = [formatAmount(approval.amount), formatAmount(total)];
  const what = isSameAmount(approval.amount, total) ? approved : `${approved} instead of ${ordered}`;
  const money = isTaken
    ? 'The booked payment stays as it is'
    : 'Nothing was booked, and the service reverses the call at the acquirer';
  return {
    kind: 'MachineApprovalNotBooked',
    message:
      `The card machine approved ${what} in a session that was ${status}. ${money}: compare the acquirer's books with ` +
      'ours, and make sure that the payer has paid only what is booked.',
    details: describeUnbookedApproval(session, approval),
  };
}

/** An approval of a refund that cannot be booked; `problem` is why. */
export function createUnbookedRefundAlarm(
  session: TerminalSession,
  approval: CardPresentApproval,
  problem: string,
): SessionAlarm {
  return {
    kind: 'MachineApprovalNotBooked',
    message:
      `The card machine approved a refund of ${formatAmount(approval.amount)}, ${problem} ` +
      `(${formatAmount(session.total)}), in a session that is ${session.status}. Nothing was booked: compare the ` +
      "acquirer's books with ours.",
    details: describeUnbookedApproval(session, approval),
  };
}

function describeUnbookedApproval(session: TerminalSession, approval: CardPresentApproval): AlarmDetails {
  return { ...describeApproval(session, approval), status: session.status };
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
  const { value, currencyCode } = total;
  return { reference: acquirerReference, paymentIntentId, total: value, totalCurrencyCode: currencyCode };
}
