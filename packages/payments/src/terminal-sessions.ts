import { moved, newCall } from '@pos/core/acquirer-call';
import { type Caller, requirePermission } from '@pos/core/caller';
import type { PaymentIntentId } from '@pos/core/identity';
import { type EndedRefund, hear, type MachineReport } from '@pos/core/machine-report';
import type { Money } from '@pos/core/money';
import { requirePayable } from '@pos/core/payment-intent';
import type { ReceiptHeading } from '@pos/core/receipt';
import { isRefundFree, refundable, reserveRefund } from '@pos/core/refund';
import type { Readable } from '@pos/core/readable';
import { keyed, Refusal } from '@pos/core/refusal';
import { decideSignature, passTime } from '@pos/core/session-outcome';
import {
  createSession,
  isFinal,
  refundParts,
  requestCancel,
  saleParts,
  type SessionDecision,
  type SessionParts,
  type TerminalSession,
} from '@pos/core/terminal-session';
import { insertCall } from '@pos/store/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database';
import { isUniqueViolation } from '@pos/store/sql-error';
import type { Terminal } from '@pos/store/terminals';
import { findSession, insertSession } from '@pos/store/terminal-sessions';
import { schedule } from '@pos/store/timers';
import type { Accounts } from './accounts.js';
import { attend, remember } from './payment-intents.js';
import { refuseHeldForOrder } from './held-for-order.js';
import { receiptHeading } from './receipt-heading.js';
import { applySession, type HeldSession, holdSession } from './session-effects.js';
import { sessionView, type SessionView } from './session-view.js';
import type { PaymentSettings } from './settings.js';
import { News } from './tell.js';
import { getTerminal } from './terminals.js';

/** What a session is wanted for; an amount of null is all that is left to refund. */
export type SessionWish = { readonly terminalId: string } & (
  | { readonly sessionType: 'Sale'; readonly paymentIntentId: string }
  | { readonly sessionType: 'MatchedRefund'; readonly paymentIntentId: string; readonly amount: Money | null }
  | { readonly sessionType: 'UnlinkedRefund'; readonly amount: Money; readonly cardHolderNotPresent: boolean }
);

type Asking = Pick<Caller, 'permissions'>;

/** One go on one card machine, from the wish to its result. The machine itself is reached by the gateway. */
export class TerminalSessions {
  constructor(
    private readonly accounts: Accounts,
    private readonly settings: PaymentSettings,
  ) {}

  /**
   * Starts a session: terminal claimed, acquirer reference written, windows running. Refuses an unknown terminal or
   * intent, a terminal that is busy or away, an intent that cannot be paid now.
   */
  async create(tx: Tx, caller: Asking, wish: SessionWish): Promise<SessionView> {
    if (tx.scope.environment === 'production' && !this.settings.hasProductionAcquirer) {
      throw new Refusal('acquirer_not_configured', 'no acquirer is configured for production');
    }
    if (wish.sessionType === 'UnlinkedRefund') requirePermission(caller, 'payments.refund');
    const { terminal, status } = await getTerminal(tx, wish.terminalId);
    if (status !== 'Available') throw unavailable(`the terminal is ${status}`);
    const { intentId, parts, capture, cardHolderNotPresent } = await this.#claimMoney(tx, wish);
    const windows = this.settings.windows[tx.scope.environment];
    const acquirerReference = await tx.newUuid();
    const decision = createSession({
      id: await tx.newId('terminalSession'),
      terminalId: terminal.id,
      sessionType: wish.sessionType,
      paymentIntentId: intentId,
      acquirerReference,
      parts,
      capture,
      cardHolderNotPresent,
      windows,
      now: tx.now,
    });
    const { session } = decision;
    await insertSession(tx, decision).catch((error: unknown) => {
      throw isUniqueViolation(error) ? unavailable('the terminal is InUse') : error;
    });
    const call = newCall({
      reference: acquirerReference,
      kind: wish.sessionType === 'Sale' ? 'Authorise' : 'Refund',
      originalReference: null,
      paymentIntentId: intentId,
      terminalSessionId: session.id,
      amount: session.total,
      deadlineAt: new Date(tx.databaseNow.getTime() + windows.cardMs),
    });
    // The machine may ask the acquirer from the commit on, so the call counts as sent from then.
    await insertCall(tx, moved(call, 'send'));
    schedule(tx, { kind: 'session-window', subject: session.id, dueAt: session.expireAt });
    const news = new News(tx);
    await news.ofSession(decision);
    await news.tell();
    tx.hint('machines', terminal.id);
    return sessionView(tx, session);
  }

  async get(reader: Reader, id: string): Promise<SessionView> {
    const session = await findSession(reader, id);
    if (session === null) throw notFound();
    return sessionView(reader, session);
  }

  /** Asks the machine to end; refused once a card is in or the session is over. */
  async cancel(tx: Tx, id: string): Promise<SessionView> {
    const held = await this.#hold(tx, id);
    return this.#apply(tx, held, requestCancel(held.session, tx.now));
  }

  /** The merchant judges the signature; once the window is over, silence has accepted it. */
  async decideSignature(tx: Tx, id: string, isAccepted: boolean): Promise<SessionView> {
    const held = await this.#hold(tx, id);
    const { session } = held;
    if (!isAccepted && session.status === 'SignatureVerificationRequired' && tx.now >= session.expireAt) {
      throw new Refusal('signature_not_awaited', 'the time to judge the signature is over: it counts as accepted');
    }
    const heading = await this.#heading(tx, held);
    return this.#apply(tx, held, decideSignature(session, isAccepted, { now: tx.now, heading }));
  }

  /** A window of the session may have passed. Returns when to look again: null once the session is over. */
  async passTime(tx: Tx, id: string): Promise<Date | null> {
    const held = await this.#hold(tx, id);
    const heading = await this.#heading(tx, held);
    const decision = passTime(held.session, { now: tx.now, heading });
    if (decision === null) return isFinal(held.session.status) ? null : held.session.expireAt;
    const { session } = await this.#apply(tx, held, decision);
    return isFinal(session.status) ? null : session.expireAt;
  }

  /**
   * Hears one report of the machine that runs the session; the caller acknowledges it after the commit. A report of a
   * session that is not on this terminal changes nothing and stops the machine.
   */
  async report(
    tx: Tx,
    { terminal, sessionId, report }: { readonly terminal: Terminal; sessionId: string; report: MachineReport },
  ): Promise<{ readonly stop: boolean }> {
    const known = await findSession(tx, sessionId);
    if (known?.terminalId !== terminal.id) return { stop: true };
    const held = await this.#hold(tx, sessionId);
    const heading = await this.#heading(tx, held);
    const heard = hear(held.session, underReference(held.session, report), {
      now: tx.now,
      heading,
      windows: this.settings.windows[tx.scope.environment],
      isAttemptOpen: held.isAttemptOpen,
      endedRefund: endedRefund(held),
    });
    const decision = undoStray(heard, held, report);
    if (report.kind === 'approved') this.settings.fault('after-approval-before-commit');
    await applySession(tx, held, decision);
    if (report.kind === 'approved' && CHECKED.has(decision.onAttempt?.kind)) {
      // What a machine says of money is compared with what the acquirer says, once, behind the answer.
      schedule(tx, { kind: 'machine-approval', subject: held.call.reference, dueInMs: 0, isRepeat: true });
    }
    // A machine that must not go on is told with the acknowledgement; other orders follow over its stream.
    return { stop: decision.toMachine === 'stop' };
  }

  /** Refuses the amount of an unlinked refund in a currency that the account has not enabled. */
  async requireCurrency(reader: Reader, { currencyCode }: Readable<Money>): Promise<void> {
    const { currencies } = await this.accounts.get(reader);
    if (currencyCode !== undefined && !currencies.includes(currencyCode)) {
      throw keyed('validation_failed', 'amount.currencyCode', 'is not enabled for this account');
    }
  }

  async #hold(tx: Tx, id: string): Promise<HeldSession> {
    const held = await holdSession(tx, id);
    if (held === null) throw notFound();
    return held;
  }

  async #apply(tx: Tx, held: HeldSession, decision: SessionDecision): Promise<SessionView> {
    return sessionView(tx, await applySession(tx, held, decision));
  }

  async #claimMoney(tx: Tx, wish: SessionWish): Promise<Claim> {
    switch (wish.sessionType) {
      case 'Sale': {
        const { locked, hasRunningAttempt } = await attend(tx, wish.paymentIntentId);
        const { intent } = locked;
        requirePayable(intent, hasRunningAttempt);
        return {
          intentId: intent.id,
          parts: saleParts(intent),
          capture: intent.captureMode === 'Auto',
          cardHolderNotPresent: intent.cardHolderNotPresent,
        };
      }
      case 'MatchedRefund': {
        const { locked } = await attend(tx, wish.paymentIntentId);
        refuseHeldForOrder(locked.intent);
        const amount = wish.amount ?? refundable(locked.intent);
        if (amount.currencyCode !== locked.intent.amount.currencyCode) {
          throw keyed('validation_failed', 'amount.currencyCode', `must be ${locked.intent.amount.currencyCode}`);
        }
        const { id } = await remember(tx, reserveRefund(locked.intent, amount, tx.now), locked);
        return { intentId: id, parts: refundParts(amount), capture: true, cardHolderNotPresent: false };
      }
      case 'UnlinkedRefund': {
        const { amount, cardHolderNotPresent } = wish;
        await this.requireCurrency(tx, amount);
        return { intentId: null, parts: refundParts(amount), capture: true, cardHolderNotPresent };
      }
    }
  }

  #heading(tx: Tx, held: HeldSession): Promise<ReceiptHeading> {
    return receiptHeading(tx, this.accounts, held);
  }
}

/** What is booked or will be by the word of the machine; what is undone needs no second opinion. */
const CHECKED: ReadonlySet<string | undefined> = new Set(['approved', 'settled', 'corrected']);

/** What a machine took, it took under the reference that it was given: only that one can be asked after and undone. */
function underReference({ acquirerReference }: TerminalSession, report: MachineReport): MachineReport {
  switch (report.kind) {
    case 'approved':
      return { ...report, approval: { ...report.approval, reference: acquirerReference } };
    case 'declined':
      return { ...report, result: { ...report.result, reference: acquirerReference } };
    case 'confirmed':
    case 'notification':
    case 'canceled':
    case 'unable':
    case 'unknownSession':
      return report;
  }
}

/** What an approval of a refund means that has ended, as the payment stands. */
function endedRefund({ session, intent, call }: HeldSession): EndedRefund {
  if (call.outcome === 'Approved') return 'booked';
  return intent === null || isRefundFree(intent.intent, session.total) ? 'bookable' : 'noRoom';
}

/**
 * The machine took money though its attempt had ended without any: it had said so itself, or the acquirer had. Nobody
 * waits for that payment any more, so it is given back. What is being given back already is left alone.
 */
function undoStray(decision: SessionDecision, { session, call }: HeldSession, report: MachineReport): SessionDecision {
  const isNews = report.kind === 'approved' && report.number > session.lastReport && decision.onAttempt === null;
  const tookNothing = call.outcome === 'Declined' || call.outcome === 'Canceled';
  if (!isNews || !tookNothing || session.sessionType !== 'Sale' || call.reverseReference !== null) return decision;
  return { ...decision, onAttempt: { kind: 'undo', approval: report.approval } };
}

interface Claim {
  readonly intentId: PaymentIntentId | null;
  readonly parts: SessionParts;
  readonly capture: boolean;
  readonly cardHolderNotPresent: boolean;
}

function unavailable(detail: string): Refusal {
  return new Refusal('terminal_unavailable', detail);
}

function notFound(): Refusal {
  return new Refusal('terminal_session_not_found', 'there is no such terminal session');
}
