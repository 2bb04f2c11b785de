import { type AcquirerCall, newCall } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import type { PaymentIntent } from '@pos/core/payment-intent';
import { refundable, reserveRefund } from '@pos/core/refund';
import { Refusal } from '@pos/core/refusal';
import { reserveRelease } from '@pos/core/reversal';
import { isPositive, isZero } from '@pos/core/money';
import { wayToGiveBack } from '@pos/core/table-payment';
import { findCall, insertCall } from '@pos/store/acquirer-calls';
import type { Database, Tx } from '@pos/store/database';
import { type LockedIntent, lockIntent, updateIntent } from '@pos/store/payment-intents';
import type { Accounts } from './accounts.js';
import type { AcquirerCalls } from './acquirer-calls.js';
import { callDeadline } from './money-call.js';
import { decideReversal, prepareReversal } from './reversals.js';
import type { PaymentSettings } from './settings.js';

/** `unanswered`: nobody knows yet, ask again with the same reference. `refused`: definitely not given back. */
export type GiveBackOutcome = 'givenBack' | 'refused' | 'unanswered';

/** What is given back, under which key: the same key never gives back twice. */
export interface GiveBackOrder {
  readonly intentId: PaymentIntentId;
  readonly reference: string;
}

/** Gives the whole of an approved payment back: by reversal while that is allowed, else by refund. */
export class GiveBack {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly calls: AcquirerCalls;
      readonly accounts: Accounts;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Reserves, asks, settles. May be repeated at any time, by any process; a reversal that is refused becomes a refund. */
  async run(scope: Scope, wish: GiveBackOrder): Promise<GiveBackOutcome> {
    const { database, calls } = this.parts;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const prepared = await database.transact(scope, (tx) => this.#prepare(tx, wish, round));
      if (prepared.kind !== 'ask') return prepared.kind;
      const answer = await calls.ask(scope, prepared.call);
      if ((await calls.settle(scope, prepared.call, answer)) === 'open') return 'unanswered';
    }
    return 'refused';
  }

  /** Finds the call that is under way or writes the next one; nothing is asked before its row stands. */
  async #prepare(tx: Tx, { intentId, reference }: GiveBackOrder, round: number): Promise<Prepared> {
    const locked = required(await lockIntent(tx, intentId), `payment intent ${intentId}`);
    const { intent } = locked;
    if (intent.status === 'Reversed' || intent.status === 'Refunded') return { kind: 'givenBack' };
    if (isZero(intent.authorized)) return { kind: 'givenBack' };
    const reversal = await findCall(tx, reversalReference(reference));
    const refund = await findCall(tx, reference);
    // Of a hold there is nothing to refund: its reversal is asked for anew, under a key of its own, if it was refused.
    const isHold = intent.status === 'Authorized' && isZero(intent.captured);
    const again = isHold && reversal !== null ? await reversalUnderWay(tx, intent) : null;
    const open = [refund, reversal, again].find((call) => call !== null && call.state !== 'Settled');
    if (open !== null && open !== undefined) return { kind: 'ask', call: open };
    if (refund !== null) return { kind: refund.outcome === 'Approved' ? 'givenBack' : 'refused' };
    if (isHold && round > 0) return { kind: 'refused' };
    const way = wayToGiveBack(
      { status: intent.status, capturedAt: intent.capturedAt, isAnythingRefunded: !isZero(intent.refunded) },
      tx.now,
    );
    const key = reversal === null ? reversalReference(reference) : isHold ? await tx.newId('reversal') : null;
    const reversing = way === 'reversal' && key !== null ? await this.#reverse(tx, locked, key) : null;
    return reversing === null ? this.#refund(tx, locked, reference) : { kind: 'ask', call: reversing };
  }

  /** Null when the window is over or the payment is no longer whole: then it is refunded. */
  async #reverse(tx: Tx, locked: LockedIntent, reference: string): Promise<AcquirerCall | null> {
    const { intent } = locked;
    const decision = await refusedAsNull(() =>
      // A hold that we took for somebody is ours to let go of at any time.
      intent.status === 'Authorized' ? reserveRelease(intent, tx.now) : decideReversal(tx, locked, this.parts.accounts),
    );
    if (decision === null) return null;
    return prepareReversal(tx, locked, {
      decision,
      reference,
      deadlineAt: callDeadline(tx, this.parts.settings),
    });
  }

  /** Refunds what is left of it: somebody may have refunded a part before. */
  async #refund(tx: Tx, locked: LockedIntent, reference: string): Promise<Prepared> {
    const { intent } = locked;
    // Another reversal, refund or capture is under way, and its end decides what is left.
    if (isPositive(intent.pendingRefund) || isPositive(intent.pendingCapture)) return { kind: 'unanswered' };
    const amount = refundable(intent);
    const decision = await refusedAsNull(() => reserveRefund(intent, amount, tx.now));
    if (decision === null) return { kind: 'refused' };
    await updateIntent(tx, decision, locked);
    const call = newCall({
      reference,
      kind: 'Refund',
      originalReference: required(intent.paymentDetails, 'how the payment was taken').reference,
      paymentIntentId: intent.id,
      terminalSessionId: null,
      amount,
      deadlineAt: callDeadline(tx, this.parts.settings),
    });
    await insertCall(tx, call);
    return { kind: 'ask', call };
  }
}

type Prepared = { readonly kind: 'ask'; readonly call: AcquirerCall } | { readonly kind: GiveBackOutcome };

/** A reversal and then a refund, and one look at how the refund ended. */
const ROUNDS_MAX = 3;

/** Whoever has asked for it. */
async function reversalUnderWay(tx: Tx, { paymentDetails }: PaymentIntent): Promise<AcquirerCall | null> {
  const taken = await findCall(tx, required(paymentDetails, 'how the payment was taken').reference);
  const reference = taken?.reverseReference ?? null;
  return reference === null ? null : findCall(tx, reference);
}

function reversalReference(reference: string): string {
  return `rv-${reference}`;
}

async function refusedAsNull<T>(decide: () => T | Promise<T>): Promise<T | null> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
