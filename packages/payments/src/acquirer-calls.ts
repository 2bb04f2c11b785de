import { type AcquirerCall, isOpen, isReversalDue, settled } from '@pos/core/acquirer-call';
import { assert, required } from '@pos/core/assert';
import type { Approval, CardPresentApproval, Decline } from '@pos/core/card';
import type { Scope } from '@pos/core/identity';
import { hear } from '@pos/core/machine-report';
import type { AcquirerAnswer, AcquirerPort } from '@pos/core/ports';
import { type SessionDecision, unchanged } from '@pos/core/terminal-session';
import { freeRefund, isCertainlyUnmade } from '@pos/core/unmade-refund';
import { countNotFound, findCall, lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Database, Tx } from '@pos/store/database';
import { lockIntent } from '@pos/store/payment-intents';
import { cancelTimer } from '@pos/store/timers';
import type { Accounts } from './accounts.js';
import { concluded, ended, verdictOf } from './call-conclusion.js';
import { giveUpOnline, settleOnline } from './online-settling.js';
import { changeIntent } from './intent-change.js';
import { receiptHeading } from './receipt-heading.js';
import { order } from './reversal-order.js';
import { applySession, type HeldSession, holdSession } from './session-effects.js';
import type { PaymentSettings } from './settings.js';

/** What became of a call: over, or open and to be asked after again. */
export type CallStanding = 'over' | 'open';

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
    if (call.terminalSessionId !== null && call.kind !== 'Reverse') {
      if (isReversalDue(call, await database.now())) return this.#giveUp(scope, call);
      const answer = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
      return this.#settleSession(scope, call, answer);
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
    // A challenge that nobody was shown cannot be passed; it is undone when its time is over.
    if (!ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    const heard = await database.transact(scope, (tx) => settleOnline(tx, reference, answer));
    return isOpen(heard) ? 'open' : 'over';
  }

  /** Puts a call about an authorisation to the acquirer; the same again under the same reference. Outside any transaction. */
  async ask(scope: Scope, call: AcquirerCall): Promise<AcquirerAnswer> {
    const { database, accounts, settings } = this.parts;
    const acquirer = this.#acquirerOf(scope);
    if (acquirer === null) return { outcome: 'unknown', reason: 'no acquirer is configured for production' };
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

  /** Writes what the acquirer said of a call about an authorisation; a silence leaves it open. */
  async settle(scope: Scope, asked: AcquirerCall, answer: AcquirerAnswer): Promise<CallStanding> {
    const verdict = verdictOf(answer);
    if (verdict === null) return 'open';
    return this.parts.database.transact(scope, async (tx) => {
      const locked = asked.paymentIntentId === null ? null : await lockIntent(tx, asked.paymentIntentId);
      const original = await lockCall(tx, required(asked.originalReference, 'what the call is about'));
      const call = required(await lockCall(tx, asked.reference), `call ${asked.reference}`);
      if (call.state === 'Settled') return 'over';
      const isUndoing = call.kind === 'Reverse' && original?.outcome !== 'Approved';
      // What was never ours to keep is asked for until the acquirer takes it back.
      if (isUndoing && !verdict.isDone) return 'open';
      await updateCall(tx, ended(call, verdict));
      cancelTimer(tx, { kind: 'acquirer-call', subject: call.reference });
      // The hold was given up in the books when the release was ordered: there is nothing left to decide.
      if (call.kind === 'Release') return 'over';
      if (isUndoing) {
        if (original !== null && original.state !== 'Settled') await updateCall(tx, settled(original, 'Reversed'));
        // A payment at a table that waits for its money to be certainly back goes on.
        const waiting = call.terminalSessionId ?? call.paymentIntentId;
        if (waiting !== null) tx.hint('journeys', waiting);
        return 'over';
      }
      const of = required(locked, 'the intent whose money moves');
      await changeIntent(tx, of, concluded(of.intent, { call, verdict, now: tx.now }));
      if (call.kind === 'Reverse' && original !== null) {
        await updateCall(
          tx,
          verdict.isDone ? { ...original, outcome: 'Reversed' } : { ...original, reverseReference: null },
        );
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

  /** The machine is silent, and the acquirer says how its call ended. The session stays Expired. */
  async #settleSession(scope: Scope, call: AcquirerCall, answer: AcquirerAnswer): Promise<CallStanding> {
    const { accounts, settings } = this.parts;
    if (call.kind === 'Refund' && REFUND_IS_NOT_MADE.has(answer.outcome)) {
      return this.#freeUnmade(scope, call, answer.outcome === 'notFound');
    }
    if (!ENDS_AN_AUTHORISATION.has(answer.outcome)) return 'open';
    return this.#held(scope, call.terminalSessionId, async (tx, held) => {
      // The machine has answered meanwhile, or the session has not expired: its own reports come first.
      if (!held.isAttemptOpen) return 'over';
      if (held.session.status !== 'Expired') return 'open';
      const { merchantId } = await accounts.get(tx);
      const heading = await receiptHeading(tx, accounts, held.session);
      const decision = lateDecision(held, answer, (approval) =>
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
        ),
      );
      if (decision === null) return 'open';
      // The machine's own numbering goes on where it was: what it still has to say is heard and moves nothing.
      const session = { ...decision.session, lastReport: held.session.lastReport };
      await applySession(tx, held, { ...decision, session });
      // An answer that says something else than was asked for ends nothing.
      return decision.onAttempt === null ? 'open' : 'over';
    });
  }

  /** A refund that the machine does not know is free once the acquirer has said often enough that it does not, either. */
  async #freeUnmade(scope: Scope, { terminalSessionId }: AcquirerCall, isNotFound: boolean): Promise<CallStanding> {
    return this.#held(scope, terminalSessionId, async (tx, held) => {
      if (!held.isAttemptOpen) return 'over';
      // What the acquirer said before the machine promised to refuse a start proves nothing.
      if (!held.session.isUnknownToMachine) return 'open';
      const count = await countNotFound(tx, held.call.reference, isNotFound);
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

/** In progress is not "not found": the acquirer has it, and counting begins anew. */
const REFUND_IS_NOT_MADE: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['notFound', 'inProgress']);

const ENDS_AN_AUTHORISATION: ReadonlySet<AcquirerAnswer['outcome']> = new Set(['approved', 'declined', 'reversed']);

function lateDecision(
  held: HeldSession,
  answer: AcquirerAnswer,
  approve: (approval: Approval) => SessionDecision,
): SessionDecision | null {
  const nothing = unchanged({ ...held.session });
  const isSale = held.session.sessionType === 'Sale';
  switch (answer.outcome) {
    case 'approved':
      return approve(answer.approval);
    case 'declined':
      return {
        ...nothing,
        onIntent: isSale ? { kind: 'decline', decline: answer.decline } : freed(held, answer.decline),
        onAttempt: { kind: 'declined', decline: answer.decline },
      };
    case 'reversed':
      return { ...nothing, onIntent: isSale ? null : freed(held, null), onAttempt: { kind: 'canceled' } };
    // A yes without a card says too little to print and to book; the machine that made the call still has to tell.
    case 'done':
    case 'challenged':
    case 'inProgress':
    case 'notFound':
    case 'unknown':
      return null;
  }
}

function freed({ session }: HeldSession, decline: Decline | null): SessionDecision['onIntent'] {
  return session.sessionType === 'MatchedRefund' ? { kind: 'freeRefund', decline } : null;
}

function presented(approval: Approval, merchantId: string): CardPresentApproval {
  return { ...approval, merchantId, aid: null, panSequence: null, cardProduct: null };
}
