import type { ApiKeyId } from './identity.js';
import type { RefusalCode } from './refusal.js';
import type { OperatorAction } from './table-payment.js';

/** What a person may do about open money, a lease, a running journey or the events that an EPOS has missed. */
export const OPERATOR_CALL_ACTIONS = [
  'MarkRecorded',
  'GiveBack',
  'RetryNow',
  'ReleaseLease',
  'MoveJourney',
  'ReplayEposEvents',
  'AnswerAlarm',
  'SettleAsListed',
] as const;
export type OperatorCallAction = (typeof OPERATOR_CALL_ACTIONS)[number];

/** The actions on the pending list, and what a payment is told by them. */
export const PENDING_ACTIONS = {
  MarkRecorded: 'markRecorded',
  GiveBack: 'giveBack',
  RetryNow: 'retryNow',
} as const satisfies Partial<Record<OperatorCallAction, OperatorAction>>;
export type PendingAction = keyof typeof PENDING_ACTIONS;

/** A call as the audit log keeps it, done or refused. Times are account time. */
export interface OperatorCall {
  readonly id: string;
  readonly keyId: ApiKeyId;
  readonly action: OperatorCallAction;
  /** The id of the payment, the terminal session, the lease or the journey; of a replay the span of its events. Of an answer the alarm. */
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
