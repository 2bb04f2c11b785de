import type { ApiKeyId } from '../identity/identity.js';
import type { ALARM_SERVICE_AUTHOR } from './alarm.js';
import type { RefusalCode } from '../refusals/refusal.js';
import type { OperatorAction } from '../tables/table-payment.js';

/** The operator's actions on open money, a lease, a running journey or the events that an EPOS has missed. */
export const OPERATOR_CALL_ACTIONS = [
  'MarkRecorded',
  'GiveBack',
  'RetryNow',
  'MarkNotHeld',
  'ReleaseLease',
  'MarkRefunded',
  'MarkNotRefunded',
  'ResetMachine',
  'MoveJourney',
  'ReplayEposEvents',
  'StartReconciliation',
  'AnswerDifference',
  'AnswerAlarm',
  'SettleAsListed',
  'MarkNotTaken',
] as const;
export type OperatorCallAction = (typeof OPERATOR_CALL_ACTIONS)[number];

/** The actions on the pending list, and the payment input of each. */
export const PENDING_ACTIONS = {
  MarkRecorded: 'markRecorded',
  GiveBack: 'giveBack',
  RetryNow: 'retryNow',
  MarkNotHeld: 'markNotHeld',
} as const satisfies Partial<Record<OperatorCallAction, OperatorAction>>;
export type PendingAction = keyof typeof PENDING_ACTIONS;

/**
 * The operator's decisions about a refund on a card machine whose end is open, after a look into the acquirer's
 * books.
 */
export const REFUND_DECISIONS = ['MarkRefunded', 'MarkNotRefunded'] as const satisfies readonly OperatorCallAction[];
export type RefundDecision = (typeof REFUND_DECISIONS)[number];

export function isRefundDecision(action: OperatorCallAction): action is RefundDecision {
  return REFUND_DECISIONS.some((decision) => decision === action);
}

/** A call as the audit log stores it, done or refused. Times are account time. */
export interface OperatorCall {
  readonly id: string;
  /** The service has a name of its own for alarms that it answers itself. */
  readonly keyId: ApiKeyId | typeof ALARM_SERVICE_AUTHOR;
  readonly action: OperatorCallAction;
  /**
   * The id of the payment, the terminal session, the lease, the journey, the alarm or the difference. A replay and a
   * reconciliation have their time span as subject.
   */
  readonly subject: string;
  readonly note: string;
  readonly isConfirmed: boolean;
  /** `Done`, or why it was refused. */
  readonly outcome: 'Done' | RefusalCode;
  /** States of the subject; null for a call that was refused. */
  readonly stateBefore: string | null;
  readonly stateAfter: string | null;
  readonly createdAt: Date;
}
