import type { AlarmDetails, AlarmKind } from '../operators/alarm.js';
import { assert } from '../refusals/assert.js';
import type { CardPresentApproval, CardType, Decline } from '../cards/card.js';
import type { TerminalSessionEventKind } from '../events/event-kind.js';
import type { PaymentIntentId, TerminalId, TerminalSessionId } from '../identity/identity.js';
import type { LedgerEntryDraft } from '../ledger/ledger.js';
import { type Money, sum, zeroMoney } from '../money/money.js';
import type { PaymentIntent } from '../payment-intents/payment-intent.js';
import type { Receipt } from '../receipts/receipt.js';
import { Refusal } from '../refusals/refusal.js';

export const SESSION_STATUSES = [
  'InitiateRequested',
  'Initiated',
  'CancelRequested',
  'SignatureVerificationRequired',
  'SignatureVerificationAccepted',
  'SignatureVerificationRejected',
  'Authorized',
  'Captured',
  'Canceled',
  'Declined',
  'Expired',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Every permitted move of a terminal session. What is not written here is refused. */
export const SESSION_MOVES = {
  InitiateRequested: {
    confirm: 'Initiated',
    requestCancel: 'CancelRequested',
    unable: 'Canceled',
    expire: 'Expired',
  },
  Initiated: {
    take: 'Captured',
    hold: 'Authorized',
    askSignature: 'SignatureVerificationRequired',
    decline: 'Declined',
    requestCancel: 'CancelRequested',
    canceled: 'Canceled',
    unable: 'Canceled',
    expire: 'Expired',
  },
  CancelRequested: {
    take: 'Captured',
    hold: 'Authorized',
    askSignature: 'SignatureVerificationRequired',
    decline: 'Declined',
    requestCancel: 'CancelRequested',
    canceled: 'Canceled',
    unable: 'Canceled',
    expire: 'Expired',
  },
  SignatureVerificationRequired: {
    accept: 'SignatureVerificationAccepted',
    reject: 'SignatureVerificationRejected',
  },
  SignatureVerificationAccepted: { take: 'Captured', hold: 'Authorized' },
  SignatureVerificationRejected: {},
  Authorized: {},
  Captured: {},
  Canceled: {},
  Declined: {},
  Expired: {},
} as const satisfies Record<SessionStatus, Partial<Record<string, SessionStatus>>>;
export type SessionMove = { [S in SessionStatus]: keyof (typeof SESSION_MOVES)[S] }[SessionStatus];

export const SESSION_TYPES = ['Sale', 'MatchedRefund', 'UnlinkedRefund'] as const;
export type SessionType = (typeof SESSION_TYPES)[number];

export const NOTIFICATION_TYPES = [
  'Approved',
  'Declined',
  'InsertCard',
  'EnterPin',
  'PleaseWait',
  'PresentCard',
  'PresentOnlyOneCard',
  'RemoveCard',
  'CardUnsupported',
  'CardError',
  'ReEnterCard',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** From the first of these notifications on, a card is in the machine, and a cancel call comes too late. */
export const CARD_PRESENTED_BY: ReadonlySet<NotificationType> = new Set([
  'PleaseWait',
  'EnterPin',
  'RemoveCard',
  'Approved',
  'Declined',
]);

export const TERMINAL_STATUSES = ['Available', 'Offline', 'InUse'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

/** How long a machine may take to confirm, the cardholder to pay, and the merchant to check a signature. */
export interface SessionWindows {
  readonly confirmMs: number;
  readonly cardMs: number;
  readonly signatureMs: number;
}

export const SESSION_WINDOWS: SessionWindows = { confirmMs: 10_000, cardMs: 90_000, signatureMs: 80_000 };

/** A Sale charges the cardholder all four; a refund has a base only. Zero when there is none. */
export interface SessionParts {
  readonly base: Money;
  readonly tips: Money;
  readonly cashback: Money;
  readonly serviceCharge: Money;
}

/** One sale or refund on one card machine. */
export interface TerminalSession {
  readonly id: TerminalSessionId;
  /** As read from the row; the store raises it when it writes. */
  readonly version: number;
  readonly terminalId: TerminalId;
  readonly sessionType: SessionType;
  readonly status: SessionStatus;
  readonly paymentIntentId: PaymentIntentId | null;
  /** The reference under which the machine calls the acquirer. */
  readonly acquirerReference: string;
  readonly total: Money;
  readonly parts: SessionParts;
  /** Whether an approval takes the money at once: always for refunds. */
  readonly capture: boolean;
  readonly cardHolderNotPresent: boolean;
  /** Number of the last report of the machine that was stored; 0 at start. */
  readonly lastReport: number;
  /** Number of the last report that was not applied because reports are missing before it; its repetition is. */
  readonly postponedReport: number | null;
  readonly cardPresented: boolean;
  /** After the session expired, the machine reported that it has no such session: it refuses a later start. */
  readonly isUnknownToMachine: boolean;
  readonly signatureDecision: 'Accepted' | 'Rejected' | null;
  readonly expireAt: Date;
  readonly approval: CardPresentApproval | null;
  readonly paymentDetails: SessionPaymentDetails | null;
  readonly customerReceipt: Receipt | null;
  readonly merchantReceipt: Receipt | null;
  readonly createdAt: Date;
  /** The time of the last status. */
  readonly updatedAt: Date;
}

export interface SessionPaymentDetails {
  readonly cardScheme: CardType;
  readonly maskedPan: string;
  /** Empty before an approval. */
  readonly authCode: string;
}

/** The change of the intent in the same transaction. */
export type IntentEffect =
  | { readonly kind: 'approve'; readonly approval: CardPresentApproval }
  | { readonly kind: 'decline'; readonly decline: Decline }
  | { readonly kind: 'rejectSignature'; readonly approval: CardPresentApproval }
  /** Null: an operator states that it was made, and the card is unknown. */
  | { readonly kind: 'bookRefund'; readonly approval: CardPresentApproval | null }
  /**
   * A refund whose reservation had been freed. The caller of the decision has checked that its amount is still free.
   */
  | { readonly kind: 'concludeFreedRefund'; readonly approval: CardPresentApproval }
  /** Declined, or no card was presented. */
  | { readonly kind: 'freeRefund'; readonly decline: Decline | null };

/**
 * The change of the acquirer call that the machine made. `approved` waits for a signature. `undo` orders the
 * reversal unless it is ordered already, and so does `givenUp`, of an approval that could not be read. `uncertain` starts inquiries of machine and acquirer. `corrected`: a refund
 * that had ended without money was approved after all.
 */
export type AttemptEffect =
  | { readonly kind: 'approved' | 'settled' | 'undo' | 'corrected'; readonly approval: CardPresentApproval }
  | { readonly kind: 'declined'; readonly decline: Decline }
  /** `booked`: an operator states that the money has moved. */
  | { readonly kind: 'canceled' | 'uncertain' | 'booked' | 'givenUp' };

/** What an operator has to check because of a report. */
export interface SessionAlarm {
  readonly kind: AlarmKind;
  /** What the alarm is about; the session when absent. */
  readonly subject?: string;
  readonly message: string;
  readonly details: AlarmDetails;
}

/** What to write in one transaction, the events to publish and the order to the machine. */
export interface SessionDecision {
  readonly session: TerminalSession;
  readonly statusEvents: readonly SessionStatus[];
  readonly notifications: readonly NotificationType[];
  readonly webhookEvents: readonly {
    readonly kind: TerminalSessionEventKind;
    readonly state: SessionStatus | NotificationType;
  }[];
  /** Postings on the session itself: an unlinked refund has no intent to post them on. */
  readonly entries: readonly LedgerEntryDraft[];
  readonly onIntent: IntentEffect | null;
  readonly onAttempt: AttemptEffect | null;
  readonly alarms: readonly SessionAlarm[];
  /** The acquirer has to be asked whether it has the approval that was booked. */
  readonly isCheckNeeded: boolean;
  readonly toMachine: 'stop' | 'cancel' | 'signature' | null;
}

export interface NewTerminalSession {
  readonly id: TerminalSessionId;
  readonly terminalId: TerminalId;
  readonly sessionType: SessionType;
  readonly paymentIntentId: PaymentIntentId | null;
  readonly acquirerReference: string;
  readonly parts: SessionParts;
  /** A Sale of a Manual intent only holds the money. */
  readonly capture: boolean;
  readonly cardHolderNotPresent: boolean;
  readonly windows: SessionWindows;
  readonly now: Date;
}

/** Whether the session is final; only a late result of an Expired session can still be applied. */
export function isSessionFinal(status: SessionStatus): boolean {
  return Object.keys(SESSION_MOVES[status]).length === 0;
}

/** The amounts of a Sale of the intent. */
export function computeSaleParts(intent: PaymentIntent): SessionParts {
  const none = zeroMoney(intent.amount.currencyCode);
  return {
    base: intent.amount,
    tips: intent.tipsAmount ?? none,
    cashback: intent.cashbackAmount ?? none,
    serviceCharge: intent.serviceChargeAmount ?? none,
  };
}

export function refundParts(amount: Money): SessionParts {
  const none = zeroMoney(amount.currencyCode);
  return { base: amount, tips: none, cashback: none, serviceCharge: none };
}

/**
 * Creates a session. The caller has checked that the terminal is free and the intent payable or the refund reserved.
 */
export function createSession(request: NewTerminalSession): SessionDecision {
  const { windows, now, parts, ...rest } = request;
  assert(
    (rest.paymentIntentId === null) === (rest.sessionType === 'UnlinkedRefund'),
    'a session of no or a needless intent',
  );
  assert(rest.capture || rest.sessionType === 'Sale', 'a refund is never held');
  const session: TerminalSession = {
    ...rest,
    version: 1,
    status: 'InitiateRequested',
    parts,
    total: sum([parts.base, parts.tips, parts.cashback, parts.serviceCharge], parts.base.currencyCode),
    lastReport: 0,
    postponedReport: null,
    cardPresented: false,
    isUnknownToMachine: false,
    signatureDecision: null,
    expireAt: addWindow(now, windows.confirmMs),
    approval: null,
    paymentDetails: null,
    customerReceipt: null,
    merchantReceipt: null,
    createdAt: now,
    updatedAt: now,
  };
  return {
    ...createUnchangedDecision(session),
    statusEvents: ['InitiateRequested'],
    webhookEvents: [{ kind: 'terminal_session.created', state: 'InitiateRequested' }],
  };
}

/** The integrator ends the session; refused once a card is in. A second request changes nothing. */
export function requestCancel(session: TerminalSession, now: Date): SessionDecision {
  const status = getNextSessionStatus(session.status, 'requestCancel');
  if (status === null || session.cardPresented) {
    const why = session.cardPresented ? 'a card is in the machine' : `the session is ${session.status}`;
    throw new Refusal('terminal_session_not_cancelable', why);
  }
  const decision = status === session.status ? createUnchangedDecision(session) : passThrough(session, [status], now);
  return { ...decision, toMachine: 'cancel' };
}

/** The status after a move, or null when the state does not allow it. */
export function getNextSessionStatus(status: SessionStatus, move: SessionMove): SessionStatus | null {
  const moves: Partial<Record<SessionMove, SessionStatus>> = SESSION_MOVES[status];
  return moves[move] ?? null;
}

/** A decision that changes nothing. */
export function createUnchangedDecision(session: TerminalSession): SessionDecision {
  return {
    session,
    statusEvents: [],
    notifications: [],
    webhookEvents: [],
    entries: [],
    onIntent: null,
    onAttempt: null,
    alarms: [],
    isCheckNeeded: false,
    toMachine: null,
  };
}

/** The only function that changes the status: each passed status has its own status event and webhook. */
export function passThrough(session: TerminalSession, statuses: readonly SessionStatus[], now: Date): SessionDecision {
  const status = statuses.at(-1) ?? session.status;
  return {
    ...createUnchangedDecision({ ...session, status, updatedAt: now }),
    statusEvents: statuses,
    webhookEvents: statuses.map((state) => ({ kind: 'terminal_session.status_updated', state })),
  };
}

/** That many milliseconds later. */
export function addWindow(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
