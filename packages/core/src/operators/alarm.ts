import type { ApiKeyId } from '../identity/identity.js';

/** What an alarm is about. A new kind is added here; the database stores any text. */
export const ALARM_KINDS = [
  /** A call to the acquirer has been open for longer than a setting. The subject is its reference. */
  'AcquirerCallOpen',
  /** The acquirer refuses our credentials or permissions: nothing is sent until its configuration is fixed. The subject is the method. */
  'AcquirerAccessRefused',
  /** The acquirer gave a second answer that contradicts the first. The subject is the reference of the call. */
  'AcquirerAnswerContradicted',
  /** Neither the reversal nor the refund in its place was accepted: the payer's money is still taken. The subject is the reference of the authorisation. */
  'MoneyNotReturned',
  /** The acquirer never found an authorisation that was given up, and does not keep it any longer. The subject is its reference. */
  'AuthorisationUntraceable',
  /** A card machine approved what could not be booked. The subject is the terminal session. */
  'MachineApprovalNotBooked',
  /** The acquirer's books differ from what a card machine reported. The subject is the reference of the call. */
  'MachineApprovalDiffers',
  /** A card machine reported an approval without its card, its time or its transaction id. Whether it is booked has other reasons. The subject is the terminal session. */
  'MachineApprovalIncomplete',
  /** A card machine reported an approval whose amount cannot be read, which is not booked. The subject is the terminal session. */
  'MachineApprovalUnreadable',
  /** A card machine reported an end without money after an approval. The subject is the terminal session. */
  'MachineContradictsApproval',
  /** A card machine left out numbers of its reports. The subject is the terminal session. */
  'MachineReportsMissing',
  /** A refund of a payment went to another card than the payment's. The subject is the terminal session. */
  'RefundToOtherCard',
  /** A device reports a card payment, and no card transaction proves it. The subject is the id of the payment. */
  'RecordNotProved',
  /** An acquirer without a list owes the settlement file of a day for longer than a setting. The subject is the acquirer. */
  'SettlementOverdue',
  /** The books of an acquirer could not be read for a day. The subject is the acquirer. */
  'AcquirerBooksUnread',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

/**
 * Whether the service can know that the cause of an alarm has ended: the condition under which the service answers the
 * alarm itself. Null: only a person decides.
 */
export const ALARM_ENDS = {
  AcquirerCallOpen: 'the call has an outcome',
  AcquirerAccessRefused: 'the acquirer has answered a later request of the same kind',
  // Two answers that contradict each other stay contradictory.
  AcquirerAnswerContradicted: null,
  MoneyNotReturned: 'the authorisation is reversed, or its money is refunded',
  AuthorisationUntraceable: 'the authorisation is reversed, refunded, or has taken nothing',
  // The money of these has moved, or a machine needs an examination.
  MachineApprovalNotBooked: null,
  MachineApprovalDiffers: null,
  MachineApprovalIncomplete: null,
  MachineApprovalUnreadable: null,
  MachineContradictsApproval: null,
  // The reports may arrive later, but a machine that loses reports needs an examination.
  MachineReportsMissing: null,
  RefundToOtherCard: null,
  RecordNotProved: 'the payment is proved, or an operator has decided about it',
  SettlementOverdue: 'no day waits for settlement for too long',
  AcquirerBooksUnread: 'the books of all days are read',
} as const satisfies Record<AlarmKind, string | null>;

/** The kinds of alarms that the service answers itself. */
export type EndingAlarmKind = {
  [Kind in AlarmKind]: (typeof ALARM_ENDS)[Kind] extends string ? Kind : never;
}[AlarmKind];

/** The author of an answer that the service gives itself. */
export const ALARM_SERVICE_AUTHOR = 'service';

/** What identifies an alarm: while it is unanswered, the same one is not raised again. */
export interface AlarmIdentity {
  readonly kind: AlarmKind;
  /** What the alarm is about: a reference or an id. At most 128 characters. */
  readonly subject: string;
  /** Distinguishes alarms of one kind about one subject; empty when there is only one. At most 128 characters. */
  readonly occurrence: string;
}

/** Facts for the operator, as plain JSON: amounts in minor units, references, what was received. Never a card number. */
export type AlarmDetails = Readonly<Record<string, string | number | boolean | null>>;

/** A stored alarm. Times are account time. */
export interface Alarm extends AlarmIdentity {
  readonly id: string;
  /** One sentence: what happened and what the operator has to check. */
  readonly message: string;
  readonly details: AlarmDetails;
  readonly createdAt: Date;
  /** Null until an operator answers, or the service because the cause has ended. */
  readonly answer: AlarmAnswer | null;
}

/** An answer to an alarm: an operator's, with the operator's key, or the service's own. */
export interface AlarmAnswer {
  readonly note: string;
  readonly keyId: ApiKeyId | typeof ALARM_SERVICE_AUTHOR;
  readonly answeredAt: Date;
}

export const ALARM_SUBJECT_LENGTH_MAX = 128;
