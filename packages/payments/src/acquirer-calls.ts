import { type AcquirerCall, isOpen, isReversalDue } from '@pos/core/acquirer-call';
import { confirmRefusal, needsInquiry, verdictOf } from '@pos/core/acquirer-verdict';
import { assert, required } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import { checkMachineApproval } from '@pos/core/machine-approval';
import type { Approval } from '@pos/core/card';
import { lateDecision, presented } from '@pos/core/late-decision';
import { hear } from '@pos/core/machine-report';
import type { AcquirerAnswer, AcquirerPort } from '@pos/core/ports';
import type { SessionDecision } from '@pos/core/terminal-session';
import { freeRefund, isCertainlyUnmade } from '@pos/core/unmade-refund';
import {
  countNotFound,
  findCall,
  findDatedCall,
  forgetNotFound,
  lockCall,
  type OpenCall,
} from '@pos/store/acquirer-calls';
import type { Database, Tx } from '@pos/store/database';
import { findSession } from '@pos/store/terminal-sessions';
import type { Accounts } from './accounts.js';
import { raiseAlarm } from './alarms.js';
import { alarmAccessRefused, alarmContradiction, alarmMisstatedAmount } from './call-alarms.js';
import { type CallStanding, settleCall } from './call-settling.js';
import { isListedAsReturned, readListedAnswer } from './listed-answer.js';
import { giveUpOnline, settleOnline } from './online-settling.js';
import { receiptHeading } from './receipt-heading.js';
import { order } from './reversal-order.js';
import { applySession, type HeldSession, holdSession } from './session-effects.js';
import type { PaymentSettings } from './settings.js';
import { closeUndoing } from './undo-refund.js';

/**
 * Calls to the acquirer whose outcome is open. Each is asked after, or repeated under its reference, until it ends;
 * an authorisation that stays open too long is reversed instead. Networks are asked between transactions.
 */
export class AcquirerCalls {
  constructor(
    private readonly parts: {
      readonly database: Database;
      /** The sandbox's, simulated or not. */
      readonly acquirer: AcquirerPort;
      /** The one that real money is at; null where none is configured, and then no call of production is ever made. */
      readonly productionAcquirer?: AcquirerPort | null;
      readonly accounts: Accounts;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Takes an open call one step further. Safe to repeat, also by two processes at once. */
  async pursue(scope: Scope, reference: string): Promise<CallStanding> {
    const { database, settings } = this.parts;
    const acquirer = this.#acquirerOf(scope);
    // Nobody else may be asked: another acquirer would take back what it never had, and we would believe it.
    if (acquirer === null) return 'open';
    const call = await database.read(scope, (reader) => findCall(reader, reference));
    if (call === null || call.state === 'Settled') return 'over';
    if (isOfSession(call)) {
      if (isReversalDue(call, await database.now())) return this.#giveUp(scope, call);
      const answer = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
      return this.#settleSession(scope, call, { answer, isDecided: false });
    }
    switch (call.kind) {
      case 'Increase':
      case 'Capture':
      case 'Refund':
      case 'Reverse':
      case 'Release':
        return this.settle(scope, call, await this.ask(scope, call));
      case 'Authorise':
        return this.#pursueOnline(scope, call, acquirer);
    }
  }

  /** A payment with a payer's own card whose end nobody has heard: only its reference is left, and that is enough. */
  async #pursueOnline(scope: Scope, call: AcquirerCall, acquirer: AcquirerPort): Promise<CallStanding> {
    const { database, settings } = this.parts;
    const { reference } = call;
    // Its reversal has a timer of its own.
    if (call.reverseReference !== null) return 'over';
    if (isReversalDue(call, await database.now())) {
      const isOver = await database.transact(scope, (tx) => giveUpOnline(tx, reference));
      return isOver ? 'over' : 'open';
    }
    const answer = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
    if (answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => alarmAccessRefused(tx, call, answer.status));
    }
    // A challenge that nobody was shown cannot be passed; it is undone when its time is over.
    if (!ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    const heard = await database.transact(scope, (tx) => settleOnline(tx, reference, answer));
    return isOpen(heard) ? 'open' : 'over';
  }

  /**
   * Sends a call about an authorisation to the acquirer; the same again under the same reference. A refusal by status is
   * returned only after an inquiry has confirmed that nothing is booked. Outside any transaction.
   */
  async ask(scope: Scope, call: AcquirerCall): Promise<AcquirerAnswer> {
    const acquirer = this.#acquirerOf(scope);
    if (acquirer === null) return { outcome: 'unknown', reason: 'no acquirer is configured for production' };
    const answer = await this.#send(scope, call, acquirer);
    if (!needsInquiry(answer)) return answer;
    const { reference } = call;
    const deadlineMs = this.parts.settings.acquirerDeadlineMs;
    return confirmRefusal(answer, await acquirer.inquire({ reference, deadlineMs }));
  }

  async #send(scope: Scope, call: AcquirerCall, acquirer: AcquirerPort): Promise<AcquirerAnswer> {
    const { database, accounts, settings } = this.parts;
    const { reference, amount } = call;
    const originalReference = required(call.originalReference, 'what the call is about');
    const deadlineMs = settings.acquirerDeadlineMs;
    const order = { reference, originalReference, amount, deadlineMs };
    switch (call.kind) {
      case 'Increase':
        return acquirer.increase(order);
      case 'Capture':
        return acquirer.capture(order);
      case 'Refund':
        return acquirer.refund(order);
      case 'Reverse':
      case 'Release': {
        const { merchantId } = await database.read(scope, (reader) => accounts.get(reader));
        const isRestOnly = call.kind === 'Release';
        return acquirer.reverse({ reference, originalReference, merchantId, isRestOnly, deadlineMs });
      }
      case 'Authorise':
        assert(false, 'an authorisation is not asked here');
    }
  }

  #acquirerOf({ environment }: Scope): AcquirerPort | null {
    return environment === 'sandbox' ? this.parts.acquirer : (this.parts.productionAcquirer ?? null);
  }

  /**
   * Writes what the acquirer said of a call about an authorisation; an answer without a verdict leaves it open. Outside any
   * transaction: after a refused reversal the acquirer is asked what it has of the authorisation.
   */
  async settle(scope: Scope, asked: AcquirerCall, answer: AcquirerAnswer): Promise<CallStanding> {
    const { database } = this.parts;
    if (answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => alarmAccessRefused(tx, asked, answer.status));
      return 'open';
    }
    const verdict = verdictOf(asked.kind, answer);
    if (verdict === null) return 'open';
    const isRefusedReversal = asked.kind === 'Reverse' && !verdict.isDone;
    const original = isRefusedReversal ? await this.#inquireOriginal(scope, asked) : NOT_INQUIRED;
    return database.transact(scope, (tx) => settleCall(tx, asked, { answer, verdict, original }));
  }

  /** What the acquirer has of an authorisation that was given up. Of one that counts nothing is asked. */
  async #inquireOriginal(scope: Scope, { originalReference }: AcquirerCall): Promise<AcquirerAnswer> {
    const { database, settings } = this.parts;
    const reference = required(originalReference, 'what the call is about');
    const original = await database.read(scope, (reader) => findCall(reader, reference));
    const acquirer = this.#acquirerOf(scope);
    if (acquirer === null || original?.outcome === 'Approved') return NOT_INQUIRED;
    return acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
  }

  /**
   * Settles an open call by what the acquirer's books say of it now: an inquiry, or else its list. Settles nothing where
   * neither has a final word. Outside any transaction; safe to repeat.
   */
  async settleAsListed(scope: Scope, reference: string): Promise<CallStanding> {
    const { database, accounts, settings } = this.parts;
    const acquirer = this.#acquirerOf(scope);
    const open = await database.read(scope, (reader) => findDatedCall(reader, reference));
    if (open === null || open.call.state === 'Settled') return 'over';
    if (acquirer === null) return 'open';
    const { call } = open;
    const { merchantId } = await database.read(scope, (reader) => accounts.get(reader));
    const question = {
      ...{ merchantId, databaseNow: await database.now() },
      deadlineMs: settings.acquirerDeadlineMs,
    };
    if (call.state === 'Declined') {
      const isReturned = await isListedAsReturned(acquirer, open, question);
      return isReturned ? this.#closeUndoing(scope, open) : 'open';
    }
    const answer = await readListedAnswer(acquirer, open, question);
    if (isOfSession(call)) return this.#settleSession(scope, call, { answer, isDecided: true });
    if (call.kind !== 'Authorise') return this.settle(scope, call, answer);
    if (!ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    const heard = await database.transact(scope, (tx) => settleOnline(tx, reference, answer));
    return isOpen(heard) ? 'open' : 'over';
  }

  #closeUndoing(scope: Scope, { call: { reference, originalReference } }: OpenCall): Promise<CallStanding> {
    return this.parts.database.transact(scope, async (tx) => {
      const original = await lockCall(tx, required(originalReference, 'what was to be reversed'));
      await closeUndoing(tx, { original, reversal: required(await lockCall(tx, reference), `call ${reference}`) });
      return 'over' as const;
    });
  }

  /**
   * Asks the acquirer about an approval that a card machine has reported; a difference raises an alarm and changes nothing.
   * Safe to repeat.
   */
  async checkMachineApproval(scope: Scope, reference: string, tries: number): Promise<CallStanding> {
    const { database, settings } = this.parts;
    const acquirer = this.#acquirerOf(scope);
    if (acquirer === null) return 'over';
    const answer = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
    return database.transact(scope, async (tx) => {
      const call = await findCall(tx, reference);
      const sessionId = call?.terminalSessionId ?? null;
      const session = sessionId === null ? null : await findSession(tx, sessionId);
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

  /** The authorisation has been open too long: from this commit on an approval of it settles nothing. */
  async #giveUp(scope: Scope, { terminalSessionId }: AcquirerCall): Promise<CallStanding> {
    return this.#held(scope, terminalSessionId, async (tx, held) => {
      if (!held.isAttemptOpen) return 'over';
      if (!isReversalDue(held.call, tx.databaseNow)) return 'open';
      await order(tx, held.call);
      tx.hint('journeys', held.session.id);
      return 'over';
    });
  }

  /**
   * The machine is silent, and the acquirer says how its call ended. The session stays Expired. `isDecided`: an operator has
   * decided that the acquirer's word is enough, also without the card that only the machine has seen.
   */
  async #settleSession(
    scope: Scope,
    call: AcquirerCall,
    { answer, isDecided }: { readonly answer: AcquirerAnswer; readonly isDecided: boolean },
  ): Promise<CallStanding> {
    const { accounts, database, settings } = this.parts;
    if (answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => alarmAccessRefused(tx, call, answer.status));
    }
    if (call.kind === 'Refund' && REFUND_IS_NOT_MADE.has(answer.outcome)) {
      return this.#freeUnmade(scope, call, answer.outcome === 'notFound');
    }
    const isMade = call.kind === 'Refund' && answer.outcome === 'done';
    if (!isMade && !ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    return this.#held(scope, call.terminalSessionId, async (tx, held) => {
      // The machine has answered meanwhile, or the session has not expired: its own reports come first.
      if (!held.isAttemptOpen) {
        await alarmContradiction(tx, held.call, answer);
        return 'over';
      }
      // A yes to something else than was asked for ends nothing.
      if (await alarmMisstatedAmount(tx, held.call, { answer, expected: held.session.total })) return 'open';
      if (held.session.status !== 'Expired') return 'open';
      const { merchantId } = await accounts.get(tx);
      const heading = await receiptHeading(tx, accounts, held);
      const approve = (approval: Approval): SessionDecision =>
        hear(
          held.session,
          {
            kind: 'approved',
            number: held.session.lastReport + 1,
            approval: presented(approval, merchantId),
            isSignatureRequired: false,
          },
          {
            now: tx.now,
            heading,
            windows: settings.windows[scope.environment],
            isAttemptOpen: true,
            endedRefund: 'bookable',
          },
        );
      const decision = lateDecision(held.session, answer, { approve, isDecided });
      if (decision === null) return 'open';
      // The machine's own numbering goes on where it was: what it still has to say is heard and moves nothing.
      const session = { ...decision.session, lastReport: held.session.lastReport };
      await applySession(tx, held, { ...decision, session });
      // An answer that says something else than was asked for ends nothing.
      return decision.onAttempt === null ? 'open' : 'over';
    });
  }

  /**
   * A refund that the machine does not know is free once the acquirer has said often enough, and each time after a wait, that
   * it does not, either.
   */
  async #freeUnmade(scope: Scope, { terminalSessionId }: AcquirerCall, isNotFound: boolean): Promise<CallStanding> {
    return this.#held(scope, terminalSessionId, async (tx, held) => {
      if (!held.isAttemptOpen) return 'over';
      // What the acquirer said before the machine promised to refuse a start proves nothing.
      if (!held.session.isUnknownToMachine) return 'open';
      const { reference } = held.call;
      if (!isNotFound) {
        await forgetNotFound(tx, reference);
        return 'open';
      }
      const count = await countNotFound(tx, reference, this.parts.settings.inquiryIntervalMs);
      if (!isCertainlyUnmade(held.session, count)) return 'open';
      await applySession(tx, held, freeRefund(held.session));
      return 'over';
    });
  }

  #held(
    scope: Scope,
    sessionId: string | null,
    work: (tx: Tx, held: HeldSession) => Promise<CallStanding>,
  ): Promise<CallStanding> {
    return this.parts.database.transact(scope, async (tx) => {
      const held = await holdSession(tx, required(sessionId, 'the session of the call'));
      return work(tx, required(held, `session ${sessionId ?? ''}`));
    });
  }
}

/** The card machine makes the call itself, and reports how it ended. */
function isOfSession({ terminalSessionId, kind }: AcquirerCall): boolean {
  return terminalSessionId !== null && (kind === 'Authorise' || kind === 'Refund');
}

/** What is known of an authorisation that nobody has asked after. */
const NOT_INQUIRED: AcquirerAnswer = { outcome: 'unknown', reason: 'not inquired' };
/** In progress is not "not found": the acquirer has it, and counting begins anew. */
const REFUND_IS_NOT_MADE: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['notFound', 'inProgress']);

const ENDS_AN_AUTHORISATION: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['approved', 'declined', 'reversed']);
