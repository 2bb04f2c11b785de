import { describeAccountTime, toAccountAnswer } from '../sandbox-clock/account-times.js';
import { type AcquirerCall, isOpen, isReversalDue } from '@pos/core/acquirer-calls';
import {
  type AcquirerAnswer,
  type AcquirerCapabilities,
  type AcquirerPort,
  confirmRefusal,
  findVerdict,
  needsInquiry,
} from '@pos/core/acquirer';
import { assert, requireValue } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import {
  applyReport,
  checkMachineApproval,
  decideLate,
  type SessionDecision,
  toPresentApproval,
} from '@pos/core/terminals';
import type { Approval } from '@pos/core/cards';
import { DAY_MS } from '@pos/core/time';
import { findAcquirerCall, findDatedAcquirerCall, type OpenAcquirerCall } from '@pos/store/payments';
import type { Database, Tx } from '@pos/store/database';
import { findTerminalSession } from '@pos/store/terminals';
import type { AccountCache } from '../accounts/account-cache.js';
import { findLoggedAcquirer, type LoggedAcquirers } from '../acquirer/logged-acquirer.js';
import { raiseAlarm } from '../alarms/alarms.js';
import {
  endAccessRefusedAlarm,
  raiseAccessRefusedAlarm,
  raiseContradictionAlarm,
  raiseInquiryRefusedAlarm,
  raiseMisstatedAmountAlarm,
} from '../acquirer/call-alarms.js';
import { type CallProgress, applyVerdict } from './call-conclusion.js';
import { isMoneyReturned, readAnswerFromBooks } from '../acquirer/booking-lookup.js';
import { abandonStaleAttempt, concludeAttempt } from '../online/attempt-conclusion.js';
import { buildReceiptHeading } from '../receipts/receipt-heading.js';
import { requestReversal } from '../authorisations/reversal-request.js';
import { commitSession, type LockedTerminalSession, lockSessionWithIntent } from '../terminals/session-commit.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { closeRefusedReversal } from '../acquirer/undo-refund.js';
import { readBookingsUnder } from '../acquirer/acquirer-books.js';
import { concludeUnmadeRefund } from './unmade-refunds.js';
import { type BookedState, readBookedState } from '../acquirer/ended-call-books.js';
import { concludeByBooks } from './untraceable-refund.js';

/**
 * Calls to the acquirer whose outcome is open. Each is asked after, or repeated under its reference, until it ends;
 * an authorisation that stays open too long is reversed instead. Networks are asked between transactions.
 */
export class AcquirerCalls {
  constructor(
    private readonly parts: LoggedAcquirers & {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Takes an open call one step further. Safe to repeat, also by two processes at once. */
  async pursueCall(scope: Scope, reference: string): Promise<CallProgress> {
    const { database } = this.parts;
    const call = await database.read(scope, (reader) => findAcquirerCall(reader, reference));
    if (call === null || call.state === 'Settled') return 'over';
    const acquirer = this.#findAcquirer(scope, call);
    // No other acquirer may be asked: it would acknowledge the reversal of a payment that it never had.
    if (acquirer === null) return 'open';
    if (isMadeByMachine(call)) {
      const answer = await this.#inquire(scope, acquirer, reference);
      const progress = await this.#concludeSession(scope, call, { answer, isDecided: false });
      // An approval is taken until the reversal is written, however late this process looks.
      const isStale = progress === 'open' && isReversalDue(call, await database.now());
      return isStale ? this.#reverseStaleAuthorisation(scope, call) : progress;
    }
    switch (call.kind) {
      case 'Increase':
      case 'Capture':
      case 'Refund':
      case 'Reverse':
      case 'Release':
        return this.concludeCall(scope, call, { answer: await this.sendCall(scope, call), isRepeated: true });
      case 'Authorise':
        return this.#pursueOnline(scope, call, acquirer);
    }
  }

  /** A payment with a payer's own card whose end is unknown: only its reference is left, and that is enough. */
  async #pursueOnline(scope: Scope, call: AcquirerCall, acquirer: AcquirerPort): Promise<CallProgress> {
    const { database } = this.parts;
    const { reference } = call;
    // Its reversal has a timer of its own.
    if (call.reverseReference !== null) return 'over';
    const answer = await this.#inquire(scope, acquirer, reference);
    if (answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => raiseInquiryRefusedAlarm(tx, call, answer.status));
    }
    // A challenge that nobody was shown cannot be passed; it is undone when its time is over.
    if (ENDS_AN_AUTHORISATION.has(answer.outcome)) {
      const updatedCall = await database.transact(scope, async (tx) => {
        endAccessRefusedAlarm(tx, call, 'inquiry');
        return concludeAttempt(tx, reference, answer);
      });
      if (!isOpen(updatedCall)) return 'over';
    }
    if (!isReversalDue(call, await database.now())) return 'open';
    const isOver = await database.transact(scope, (tx) => abandonStaleAttempt(tx, reference));
    return isOver ? 'over' : 'open';
  }

  /**
   * Sends a call about an authorisation to the acquirer; the same again under the same reference. A refusal by status is
   * returned only after an inquiry has confirmed that nothing is booked. Outside any transaction.
   */
  async sendCall(scope: Scope, call: AcquirerCall): Promise<AcquirerAnswer> {
    const acquirer = this.#findAcquirer(scope, call);
    if (acquirer === null) return { outcome: 'unknown', reason: `the acquirer "${call.acquirer}" is not configured` };
    const answer = await this.#send(scope, call, acquirer);
    if (!needsInquiry(answer)) return answer;
    const { reference } = call;
    const deadlineMs = this.parts.settings.acquirerDeadlineMs;
    return confirmRefusal(answer, await acquirer.inquire({ reference, deadlineMs }));
  }

  async #send(scope: Scope, call: AcquirerCall, acquirer: AcquirerPort): Promise<AcquirerAnswer> {
    const { settings } = this.parts;
    const { reference, amount } = call;
    const originalReference = requireValue(call.originalReference, 'what the call is about');
    const isUnsupported =
      call.kind === 'Release' && this.#findCapabilities(scope, call)?.can.partial_reversal === false;
    if (isUnsupported) return { outcome: 'refused', status: 'UNIMPLEMENTED' };
    const deadlineMs = settings.acquirerDeadlineMs;
    const request = { reference, originalReference, amount, deadlineMs };
    switch (call.kind) {
      case 'Increase':
        return acquirer.increase(request);
      case 'Capture':
        return acquirer.capture(request);
      case 'Refund':
        return acquirer.refund(request);
      case 'Reverse':
      case 'Release': {
        const { merchantId } = call;
        const isRestOnly = call.kind === 'Release';
        return acquirer.reverse({ reference, originalReference, merchantId, isRestOnly, deadlineMs });
      }
      case 'Authorise':
        assert(false, 'an authorisation is not asked here');
    }
  }

  async #inquire(scope: Scope, acquirer: AcquirerPort, reference: string): Promise<AcquirerAnswer> {
    const { database, settings } = this.parts;
    const accountTime = await describeAccountTime(database, scope);
    return acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs, ...accountTime });
  }

  #findAcquirer(scope: Scope, { acquirer }: Pick<AcquirerCall, 'acquirer'>): AcquirerPort | null {
    return findLoggedAcquirer(this.parts, scope, acquirer);
  }

  #findCapabilities({ environment }: Scope, { acquirer }: AcquirerCall): AcquirerCapabilities | null {
    return this.parts.settings.acquirers.findCapabilities(environment, acquirer);
  }

  /**
   * Writes what the acquirer said of a call about an authorisation; an answer without a verdict leaves it open. Outside
   * any transaction: after a refused reversal the acquirer is asked about the authorisation. A repeated call is a timer's.
   */
  async concludeCall(
    scope: Scope,
    sentCall: AcquirerCall,
    { answer, isRepeated = false }: { readonly answer: AcquirerAnswer; readonly isRepeated?: boolean },
  ): Promise<CallProgress> {
    const { database } = this.parts;
    if (answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => raiseAccessRefusedAlarm(tx, sentCall, answer.status));
      return 'open';
    }
    const verdict = findVerdict(sentCall.kind, answer);
    if (verdict === null) return 'open';
    const isRefusedReversal = sentCall.kind === 'Reverse' && !verdict.isDone;
    const original = isRefusedReversal ? await this.#inquireOriginal(scope, sentCall) : NOT_INQUIRED;
    const declared = {
      capabilities: this.#findCapabilities(scope, sentCall),
      inquiryIntervalMs: this.parts.settings.inquiryIntervalMs,
    };
    return database.transact(scope, async (tx) => {
      if (isRepeated) endAccessRefusedAlarm(tx, sentCall, 'call');
      return applyVerdict(tx, sentCall, { answer, verdict, original, ...declared });
    });
  }

  /** What the acquirer has of an authorisation that was given up. Of one that counts nothing is asked. */
  async #inquireOriginal(scope: Scope, reversal: AcquirerCall): Promise<AcquirerAnswer> {
    const { database, settings } = this.parts;
    const reference = requireValue(reversal.originalReference, 'what the call is about');
    const original = await database.read(scope, (reader) => findAcquirerCall(reader, reference));
    const acquirer = this.#findAcquirer(scope, reversal);
    if (acquirer === null || original?.outcome === 'Approved') return NOT_INQUIRED;
    return acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
  }

  /**
   * Concludes an open call by what the acquirer's books say of it now: an inquiry, or else its list. Changes nothing where
   * neither has a final word. Outside any transaction; safe to repeat.
   */
  async concludeFromBooks(scope: Scope, reference: string): Promise<CallProgress> {
    const { database, settings } = this.parts;
    const open = await database.read(scope, (reader) => findDatedAcquirerCall(reader, reference));
    if (open === null || open.call.state === 'Settled') return 'over';
    const { call } = open;
    const acquirer = this.#findAcquirer(scope, call);
    if (acquirer === null) return 'open';
    const lookup = {
      ...{ merchantId: call.merchantId, databaseNow: await database.now() },
      deadlineMs: settings.acquirerDeadlineMs,
    };
    if (call.state === 'Declined') {
      const isReturned = await isMoneyReturned(acquirer, open, lookup);
      if (!isReturned) return 'open';
      await database.transact(scope, (tx) => closeRefusedReversal(tx, call));
      return 'over';
    }
    const isReversal = call.kind === 'Reverse';
    if (isReversal && (await this.#concludeUntraceable(scope, open, lookup.merchantId)) === 'over') return 'over';
    const answer = await readAnswerFromBooks(acquirer, open, lookup);
    if (isMadeByMachine(call)) return this.#concludeSession(scope, call, { answer, isDecided: true });
    if (call.kind !== 'Authorise') return this.concludeCall(scope, call, { answer });
    if (!ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    const updatedCall = await database.transact(scope, (tx) => concludeAttempt(tx, reference, answer));
    return isOpen(updatedCall) ? 'open' : 'over';
  }

  /** What the acquirer's books say of a call that has ended as made. Changes nothing. */
  readBookedState(scope: Scope, ended: OpenAcquirerCall): Promise<BookedState> {
    return readBookedState(this.parts, scope, ended);
  }

  /** Ends an authorisation that was given up by what the acquirer's books show of it, where no inquiry finds it. */
  async #concludeUntraceable(
    scope: Scope,
    { call: reversal, createdAt }: OpenAcquirerCall,
    merchantId: string,
  ): Promise<CallProgress> {
    const { database, accounts, acquirers, settings } = this.parts;
    const capabilities = this.#findCapabilities(scope, reversal);
    if (capabilities === null || capabilities.can.reversal_of_unknown_reference) return 'open';
    const databaseNow = await database.now();
    // The booking is of the original, which may be days older than its reversal.
    const { originalReference } = reversal;
    const original =
      originalReference === null
        ? null
        : await database.read(scope, (reader) => findDatedAcquirerCall(reader, originalReference));
    const since = Math.min(createdAt.getTime(), original?.createdAt.getTime() ?? Infinity);
    const range = { from: new Date(since - DAY_MS), to: new Date(databaseNow.getTime() + DAY_MS) };
    const services = { database, accounts, acquirers, directory: settings.acquirers };
    const query = { scope, name: reversal.acquirer, merchantIds: [merchantId], range };
    const reference = originalReference ?? reversal.reference;
    const books = await readBookingsUnder(services, query, reference).catch(() => null);
    if (books === null) return 'open';
    return database.transact(scope, (tx) => concludeByBooks(tx, reversal, { books, capabilities }));
  }

  /**
   * Asks the acquirer about an approval that a card machine has reported; a difference raises an alarm and changes nothing.
   * Safe to repeat.
   */
  async checkMachineApproval(scope: Scope, reference: string, tries: number): Promise<CallProgress> {
    const { database, settings } = this.parts;
    const checked = await database.read(scope, (reader) => findAcquirerCall(reader, reference));
    const acquirer = checked === null ? null : this.#findAcquirer(scope, checked);
    if (acquirer === null) return 'over';
    const answer = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
    return database.transact(scope, async (tx) => {
      const call = await findAcquirerCall(tx, reference);
      const sessionId = call?.terminalSessionId ?? null;
      const session = sessionId === null ? null : await findTerminalSession(tx, sessionId);
      const approval = session?.approval ?? null;
      if (call === null || approval === null) return 'over';
      const check = checkMachineApproval({ call, approval }, answer, tries);
      if (check.outcome === 'askAgain') return 'open';
      if (check.outcome === 'differs') {
        const { message, details } = check;
        await raiseAlarm(tx, { kind: 'MachineApprovalDiffers', subject: reference, message, details });
      }
      return 'over';
    });
  }

  /** The authorisation has been open too long: from this commit on an approval of it changes nothing. */
  async #reverseStaleAuthorisation(scope: Scope, { terminalSessionId }: AcquirerCall): Promise<CallProgress> {
    return this.#withLockedSession(scope, terminalSessionId, async (tx, lockedSession) => {
      if (!lockedSession.isAttemptOpen) return 'over';
      if (!isReversalDue(lockedSession.call, tx.databaseNow)) return 'open';
      await requestReversal(tx, lockedSession.call);
      tx.hint('journeys', lockedSession.session.id);
      return 'over';
    });
  }

  /**
   * The machine is silent, and the acquirer says how its call ended. The session stays Expired. `isDecided`: an operator has
   * decided that the acquirer's word is enough, also without the card that only the machine has seen.
   */
  async #concludeSession(
    scope: Scope,
    call: AcquirerCall,
    { answer, isDecided }: { readonly answer: AcquirerAnswer; readonly isDecided: boolean },
  ): Promise<CallProgress> {
    const { accounts, database, settings } = this.parts;
    if (answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => raiseInquiryRefusedAlarm(tx, call, answer.status));
    }
    if (call.kind === 'Refund' && REFUND_NOT_MADE.has(answer.outcome)) {
      const facts = { isNotFound: answer.outcome === 'notFound', inquiryIntervalMs: settings.inquiryIntervalMs };
      return this.#withLockedSession(scope, call.terminalSessionId, (tx, lockedSession) => {
        endAccessRefusedAlarm(tx, call, 'inquiry');
        return concludeUnmadeRefund(tx, lockedSession, facts);
      });
    }
    const isMade = call.kind === 'Refund' && answer.outcome === 'done';
    if (!isMade && !ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    return this.#withLockedSession(scope, call.terminalSessionId, async (tx, lockedSession) => {
      if (!isDecided) endAccessRefusedAlarm(tx, call, 'inquiry');
      // The machine has answered meanwhile, or the session has not expired: its own reports come first.
      if (!lockedSession.isAttemptOpen) {
        await raiseContradictionAlarm(tx, lockedSession.call, answer);
        return 'over';
      }
      // A yes to something else than was asked for ends nothing.
      if (await raiseMisstatedAmountAlarm(tx, lockedSession.call, { answer, expected: lockedSession.session.total }))
        return 'open';
      if (lockedSession.session.status !== 'Expired') return 'open';
      const { merchantId } = call;
      const heading = await buildReceiptHeading(tx, accounts, lockedSession);
      const approve = (approval: Approval): SessionDecision =>
        applyReport(
          lockedSession.session,
          {
            kind: 'approved',
            number: lockedSession.session.lastReport + 1,
            approval: toPresentApproval(approval, merchantId),
            isSignatureRequired: false,
          },
          {
            now: tx.now,
            heading,
            windows: settings.windows[scope.environment],
            isAttemptOpen: true,
            endedCall: 'bookable',
            paidCard: lockedSession.intent?.intent.paymentDetails?.card ?? null,
          },
        );
      const decision = decideLate(lockedSession.session, toAccountAnswer(tx, answer), { approve, isDecided });
      if (decision === null) return 'open';
      // The machine continues its own numbering: its later reports are received and change nothing.
      const session = { ...decision.session, lastReport: lockedSession.session.lastReport };
      await commitSession(tx, lockedSession, { ...decision, session });
      // An answer that says something else than was asked for ends nothing.
      return decision.onAttempt === null ? 'open' : 'over';
    });
  }

  #withLockedSession(
    scope: Scope,
    sessionId: string | null,
    work: (tx: Tx, lockedSession: LockedTerminalSession) => Promise<CallProgress>,
  ): Promise<CallProgress> {
    return this.parts.database.transact(scope, async (tx) => {
      const lockedSession = await lockSessionWithIntent(tx, requireValue(sessionId, 'the session of the call'));
      return work(tx, requireValue(lockedSession, `session ${sessionId ?? ''}`));
    });
  }
}

/** The card machine makes the call itself, and reports how it ended. */
function isMadeByMachine({ terminalSessionId, kind }: AcquirerCall): boolean {
  return terminalSessionId !== null && (kind === 'Authorise' || kind === 'Refund');
}

/** What is known of an authorisation that nobody has asked after. */
const NOT_INQUIRED: AcquirerAnswer = { outcome: 'unknown', reason: 'not inquired' };
/** In progress is not "not found": the acquirer has it, and counting begins again. */
const REFUND_NOT_MADE: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['notFound', 'inProgress']);

const ENDS_AN_AUTHORISATION: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['approved', 'declined', 'reversed']);
