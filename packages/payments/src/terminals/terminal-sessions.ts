import { toAccountReport } from '../sandbox-clock/account-times.js';
import { applyCallMove, type CallMerchant, createAcquirerCall } from '@pos/core/acquirer-calls';
import { requireAcquirerCurrency, requireAuthorisable, requireCapability, requireRefundable } from '@pos/core/acquirer';
import { type Caller, requirePermission } from '@pos/core/accounts';
import { type CardDetails, type CardPresentApproval, toTransactionIds } from '@pos/core/cards';
import type { PaymentIntentId, PortalUserId } from '@pos/core/identity';
import {
  applyReport,
  applyWindowEnd,
  computeSaleParts,
  createSession,
  decideSignature,
  type EndedCall,
  isReportPostponed,
  isSessionFinal,
  type MachineReport,
  refundParts,
  requestCancel,
  type SessionDecision,
  type SessionParts,
  type TerminalSession,
} from '@pos/core/terminals';
import type { Money } from '@pos/core/money';
import { requirePayable } from '@pos/core/payment-intents';
import type { ReceiptHeading } from '@pos/core/receipts';
import { isRefundFree, computeRefundable, planRefund, reserveRefund } from '@pos/core/captures-refunds';
import { createViolation, type Readable, Refusal } from '@pos/core/refusals';
import { insertAcquirerCall } from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import { isUniqueViolation } from '@pos/postgres/statements';
import { findTerminalSession, insertTerminalSession, type Terminal } from '@pos/store/terminals';
import { schedule } from '@pos/store/queues';
import type { AccountCache } from '../accounts/account-cache.js';
import { getAccountAcquirer, getPaymentAcquirer, requireAcquirer } from '../acquirer/money-call.js';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { lockIntentAndCheckAttempts } from '../payment-intents/payment-intents.js';
import { requireDepositKept } from '../payment-intents/deposit-hold.js';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';
import { buildReceiptHeading } from '../receipts/receipt-heading.js';
import { commitSession, type LockedTerminalSession, lockSessionWithIntent } from './session-commit.js';
import { buildSessionView, type TerminalSessionView } from '../payment-intents/terminal-session-view.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { OutboxBatch } from '../webhooks/outbox-batch.js';
import { getTerminal } from './terminals.js';

/** The purpose of a session; a null amount refunds everything that is left. */
export type TerminalSessionRequest = { readonly terminalId: string } & (
  | { readonly sessionType: 'Sale'; readonly paymentIntentId: string }
  | { readonly sessionType: 'MatchedRefund'; readonly paymentIntentId: string; readonly amount: Money | null }
  | {
      readonly sessionType: 'UnlinkedRefund';
      readonly amount: Money;
      readonly cardHolderNotPresent: boolean;
      /** The user of the portal who gives it back without a second person. */
      readonly givenBackBy?: PortalUserId | null;
    }
);

/** What follows from a report for the machine. */
export interface ReportOutcome {
  readonly stop: boolean;
  /** Reports before it are missing: it is not acknowledged, and the machine repeats them on a new stream. */
  readonly isPostponed: boolean;
}

type SessionCaller = Pick<Caller, 'permissions'>;

/** One use of one card machine, from the request to its result. The gateway connects to the machine itself. */
export class TerminalSessions {
  constructor(
    private readonly accounts: AccountCache,
    private readonly settings: PaymentSettings,
  ) {}

  /**
   * Starts a session: claims the terminal, writes the acquirer reference and starts the time limits. Refuses an
   * unknown terminal or intent, a terminal that is busy or offline, an intent that cannot be paid now, and a disabled
   * account.
   */
  async create(tx: Tx, caller: SessionCaller, request: TerminalSessionRequest): Promise<TerminalSessionView> {
    requireAcquirer(tx, this.settings);
    await this.accounts.getEnabled(tx);
    // Both kinds of refund return money, as the refund of a payment intent does.
    if (request.sessionType !== 'Sale') requirePermission(caller, 'payments.refund');
    const { terminal, status } = await getTerminal(tx, request.terminalId);
    if (status !== 'Available') throw createUnavailableRefusal(`the terminal is ${status}`);
    const { intentId, merchant, parts, capture, cardHolderNotPresent } = await this.#reserveMoney(tx, request);
    const windows = this.settings.windows[tx.scope.environment];
    const acquirerReference = await tx.newUuid();
    const decision = createSession({
      id: await tx.newId('terminalSession'),
      terminalId: terminal.id,
      sessionType: request.sessionType,
      paymentIntentId: intentId,
      acquirerReference,
      parts,
      capture,
      cardHolderNotPresent,
      windows,
      now: tx.now,
    });
    const { session } = decision;
    const { givenBackBy = null } = request.sessionType === 'UnlinkedRefund' ? request : {};
    await insertTerminalSession(tx, decision, givenBackBy).catch((error: unknown) => {
      throw isUniqueViolation(error) ? createUnavailableRefusal('the terminal is InUse') : error;
    });
    const call = createAcquirerCall({
      reference: acquirerReference,
      kind: request.sessionType === 'Sale' ? 'Authorise' : 'Refund',
      ...merchant,
      originalReference: null,
      paymentIntentId: intentId,
      terminalSessionId: session.id,
      amount: session.total,
      deadlineAt: new Date(tx.databaseNow.getTime() + windows.cardMs),
    });
    // The machine may call the acquirer from the commit on, so the call counts as sent from then.
    await insertAcquirerCall(tx, applyCallMove(call, 'send'));
    schedule(tx, { kind: 'session-window', subject: session.id, dueAt: session.expireAt });
    const outbox = new OutboxBatch(tx);
    await outbox.addSessionEvents(decision);
    await outbox.flush();
    tx.hint('machines', terminal.id);
    return buildSessionView(tx, session);
  }

  async get(reader: Reader, id: string): Promise<TerminalSessionView> {
    const session = await findTerminalSession(reader, id);
    if (session === null) throw createNotFoundRefusal();
    return buildSessionView(reader, session);
  }

  /** Orders the machine to end; refused once a card is in or the session is over. */
  async cancel(tx: Tx, id: string): Promise<TerminalSessionView> {
    const lockedSession = await this.#lockSession(tx, id);
    return this.#applyDecision(tx, lockedSession, requestCancel(lockedSession.session, tx.now));
  }

  /** Applies the merchant's decision about the signature; after its time limit it counts as accepted. */
  async decideSignature(tx: Tx, id: string, isAccepted: boolean): Promise<TerminalSessionView> {
    const lockedSession = await this.#lockSession(tx, id);
    const { session } = lockedSession;
    if (!isAccepted && session.status === 'SignatureVerificationRequired' && tx.now >= session.expireAt) {
      throw new Refusal('signature_not_awaited', 'the time to check the signature is over: it counts as accepted');
    }
    const heading = await this.#buildHeading(tx, lockedSession);
    return this.#applyDecision(tx, lockedSession, decideSignature(session, isAccepted, { now: tx.now, heading }));
  }

  /** Applies the time limits of a session. Returns when to check again: null once the session is over. */
  async applyWindowExpiry(tx: Tx, id: string): Promise<Date | null> {
    const lockedSession = await this.#lockSession(tx, id);
    const heading = await this.#buildHeading(tx, lockedSession);
    const decision = applyWindowEnd(lockedSession.session, { now: tx.now, heading });
    if (decision === null) return isSessionFinal(lockedSession.session.status) ? null : lockedSession.session.expireAt;
    const { session } = await this.#applyDecision(tx, lockedSession, decision);
    return isSessionFinal(session.status) ? null : session.expireAt;
  }

  /**
   * Applies one report of the machine that runs the session; the caller acknowledges it after the commit, unless the
   * machine has to repeat it after reports that are missing. A report of a session that is not on this terminal
   * changes nothing and stops the machine.
   */
  async applyReport(
    tx: Tx,
    { terminal, sessionId, report: given }: { readonly terminal: Terminal; sessionId: string; report: MachineReport },
  ): Promise<ReportOutcome> {
    const report = toAccountReport(tx, given);
    const found = await findTerminalSession(tx, sessionId);
    if (found?.terminalId !== terminal.id) return { stop: true, isPostponed: false };
    const lockedSession = await this.#lockSession(tx, sessionId);
    const heading = await this.#buildHeading(tx, lockedSession);
    const ownReport = nameTransaction(lockedSession.session, report, tx.now);
    const reportDecision = applyReport(lockedSession.session, ownReport, {
      now: tx.now,
      heading,
      windows: this.settings.windows[tx.scope.environment],
      isAttemptOpen: lockedSession.isAttemptOpen,
      endedCall: classifyEndedCall(lockedSession),
      paidCard: findPaidCard(lockedSession),
    });
    const decision = undoStrayApproval(reportDecision, lockedSession, ownReport);
    if (report.kind === 'approved') this.settings.fault('after-approval-before-commit');
    await commitSession(tx, lockedSession, decision);
    const isUnconfirmed = report.kind === 'approved' && report.confirmation?.outcome !== 'confirmed';
    const isBooked = isUnconfirmed && CHECKED_EFFECTS.has(decision.onAttempt?.kind);
    if (isBooked || decision.isCheckNeeded) {
      // A machine's report about money is compared with the acquirer's answer once, after the acknowledgement.
      schedule(tx, { kind: 'machine-approval', subject: lockedSession.call.reference, dueInMs: 0, isRepeat: true });
    }
    // The acknowledgement orders a machine to stop; other orders follow over its stream.
    return {
      stop: decision.toMachine === 'stop',
      isPostponed: isReportPostponed(lockedSession.session, report, lockedSession),
    };
  }

  /** Refuses the amount of an unlinked refund in a currency that the account has not enabled. */
  async requireCurrency(reader: Reader, { currencyCode }: Readable<Money>): Promise<void> {
    const { currencies } = await this.accounts.get(reader);
    if (currencyCode !== undefined && !currencies.includes(currencyCode)) {
      throw createViolation('validation_failed', 'amount.currencyCode', 'is not enabled for this account');
    }
  }

  async #lockSession(tx: Tx, id: string): Promise<LockedTerminalSession> {
    const lockedSession = await lockSessionWithIntent(tx, id);
    if (lockedSession === null) throw createNotFoundRefusal();
    return lockedSession;
  }

  async #applyDecision(
    tx: Tx,
    lockedSession: LockedTerminalSession,
    decision: SessionDecision,
  ): Promise<TerminalSessionView> {
    return buildSessionView(tx, await commitSession(tx, lockedSession, decision));
  }

  async #reserveMoney(tx: Tx, request: TerminalSessionRequest): Promise<ReservedMoney> {
    switch (request.sessionType) {
      case 'Sale': {
        const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, request.paymentIntentId);
        const { intent } = locked;
        requirePayable(intent, hasRunningAttempt);
        const { merchant, capabilities } = getAccountAcquirer(tx, await this.accounts.get(tx), this.settings);
        requireAuthorisable(capabilities, {
          ...{ amount: intent.amount, isCapturing: intent.captureMode === 'Auto', scheme: null, wallet: null },
          ...{ isCardholderAbsent: intent.cardHolderNotPresent, isCustomerInitiated: true, cardMember: null },
        });
        return {
          intentId: intent.id,
          merchant,
          parts: computeSaleParts(intent),
          capture: intent.captureMode === 'Auto',
          cardHolderNotPresent: intent.cardHolderNotPresent,
        };
      }
      case 'MatchedRefund': {
        const { locked } = await lockIntentAndCheckAttempts(tx, request.paymentIntentId);
        requireNotHeldForOrder(locked.intent);
        const amount = request.amount ?? computeRefundable(locked.intent);
        if (amount.currencyCode !== locked.intent.amount.currencyCode) {
          throw createViolation(
            'validation_failed',
            'amount.currencyCode',
            `must be ${locked.intent.amount.currencyCode}`,
          );
        }
        const decision = reserveRefund(locked.intent, amount, tx.now);
        await requireDepositKept(tx, decision.intent);
        const { merchant, capabilities } = await getPaymentAcquirer(tx, locked.intent, this.settings);
        requireRefundable(capabilities, planRefund(locked.intent, amount, tx.now));
        const { id } = await commitIntent(tx, locked, decision);
        return { intentId: id, merchant, parts: refundParts(amount), capture: true, cardHolderNotPresent: false };
      }
      case 'UnlinkedRefund': {
        const { amount, cardHolderNotPresent } = request;
        await this.requireCurrency(tx, amount);
        const { merchant, capabilities } = getAccountAcquirer(tx, await this.accounts.get(tx), this.settings);
        requireAcquirerCurrency(capabilities, amount);
        requireCapability(capabilities, 'unreferenced_refund');
        return { intentId: null, merchant, parts: refundParts(amount), capture: true, cardHolderNotPresent };
      }
    }
  }

  #buildHeading(tx: Tx, lockedSession: LockedTerminalSession): Promise<ReceiptHeading> {
    return buildReceiptHeading(tx, this.accounts, lockedSession);
  }
}

/** Effects that the machine's report books or will book; a reversal needs no check. */
const CHECKED_EFFECTS: ReadonlySet<string | undefined> = new Set(['approved', 'settled', 'corrected']);

/**
 * A machine takes money under the reference that it was given: only that one can be inquired about and reversed. Its
 * transaction gets the name that it has outside; a time that the machine did not report is the time of the report.
 */
function nameTransaction({ acquirerReference }: TerminalSession, report: MachineReport, now: Date): MachineReport {
  const name = (result: CardPresentApproval): CardPresentApproval => ({
    ...result,
    ...toTransactionIds(acquirerReference, result.transactionId),
    reference: acquirerReference,
    transactionDateTime: result.transactionDateTime === '' ? now.toISOString() : result.transactionDateTime,
  });
  if (report.kind === 'approved') return { ...report, approval: name(report.approval) };
  return report.kind === 'declined' ? { ...report, result: name(report.result) } : report;
}

/** The card of the payment that the session refunds. */
function findPaidCard({ session, intent }: LockedTerminalSession): CardDetails | null {
  return session.sessionType === 'MatchedRefund' ? (intent?.intent.paymentDetails?.card ?? null) : null;
}

/** What an approval means for a call that has ended, by the current state of the payment. */
function classifyEndedCall({ session, intent, call }: LockedTerminalSession): EndedCall {
  if (call.outcome === 'Approved') return 'booked';
  return intent === null || isRefundFree(intent.intent, session.total) ? 'bookable' : 'noRoom';
}

/**
 * Undoes a payment that the machine took although its attempt had ended without money, as the machine or the
 * acquirer had reported. No caller waits for that payment any more, so it is given back, unless that has begun
 * already.
 */
function undoStrayApproval(
  decision: SessionDecision,
  { session, call }: LockedTerminalSession,
  report: MachineReport,
): SessionDecision {
  const isNewApproval = report.kind === 'approved' && report.number > session.lastReport && decision.onAttempt === null;
  const tookNothing = call.outcome === 'Declined' || call.outcome === 'Canceled';
  if (!isNewApproval || !tookNothing || session.sessionType !== 'Sale' || call.reverseReference !== null)
    return decision;
  return { ...decision, onAttempt: { kind: 'undo', approval: report.approval } };
}

interface ReservedMoney {
  readonly intentId: PaymentIntentId | null;
  readonly merchant: CallMerchant;
  readonly parts: SessionParts;
  readonly capture: boolean;
  readonly cardHolderNotPresent: boolean;
}

function createUnavailableRefusal(detail: string): Refusal {
  return new Refusal('terminal_unavailable', detail);
}

function createNotFoundRefusal(): Refusal {
  return new Refusal('terminal_session_not_found', 'there is no such terminal session');
}
