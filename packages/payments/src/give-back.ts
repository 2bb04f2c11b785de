import type { AcquirerCall } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import { chooseGiveBack, type GiveBackPosition } from '@pos/core/give-back';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import type { PaymentIntent } from '@pos/core/payment-intent';
import { refundable, reserveRefund } from '@pos/core/refund';
import { Refusal } from '@pos/core/refusal';
import { reserveRelease } from '@pos/core/reversal';
import { isPositive, isZero } from '@pos/core/money';
import { wayToGiveBack } from '@pos/core/table-payment';
import { callsOf } from '@pos/store/acquirer-calls';
import type { Database, Tx } from '@pos/store/database';
import { type LockedIntent, lockIntent, updateIntent } from '@pos/store/payment-intents';
import type { Accounts } from './accounts.js';
import type { AcquirerCalls } from './acquirer-calls.js';
import { callDeadline, prepareCall, pursueLater } from './money-call.js';
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
    const asked: string[] = [];
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const prepared = await database.transact(scope, (tx) => this.#prepare(tx, wish, asked));
      if (prepared.kind !== 'ask') return prepared.kind;
      const answer = await calls.ask(scope, prepared.call);
      if ((await calls.settle(scope, prepared.call, answer)) === 'open') return 'unanswered';
      asked.push(prepared.call.reference);
    }
    return 'refused';
  }

  /** Finds the call that is under way or writes the next one; nothing is asked before its row stands. */
  async #prepare(tx: Tx, { intentId, reference: base }: GiveBackOrder, asked: readonly string[]): Promise<Prepared> {
    const locked = required(await lockIntent(tx, intentId), `payment intent ${intentId}`);
    const { intent } = locked;
    if (intent.status === 'Reversed' || intent.status === 'Refunded') return { kind: 'givenBack' };
    if (isZero(intent.authorized)) return { kind: 'givenBack' };
    const calls = await callsOf(tx, intentId);
    const way = wayNow(intent, tx.now);
    const taken = required(intent.paymentDetails, 'how the payment was taken').reference;
    const original = calls.find(({ reference }) => reference === taken);
    const reversalUnderWay = way === 'release' ? (original?.reverseReference ?? null) : null;
    const move = chooseGiveBack({ base, way, calls, reversalUnderWay, asked });
    switch (move.do) {
      case 'end':
        return { kind: move.outcome };
      case 'ask': {
        const open = calls.find(({ reference }) => reference === move.reference);
        return { kind: 'ask', call: required(open, `call ${move.reference}`) };
      }
      case 'begin': {
        const { kind, reference } = move;
        const reversing = kind === 'Reverse' ? await this.#reverse(tx, locked, reference) : null;
        // Its window may be over, or the payment no longer whole: then it is refunded.
        if (reversing === null) return this.#refund(tx, locked, kind === 'Reverse' ? base : reference);
        return { kind: 'ask', call: reversing };
      }
    }
  }

  /** Null when it is not allowed. A worker asks for it, too, should the payment not be followed up to its end. */
  async #reverse(tx: Tx, locked: LockedIntent, reference: string): Promise<AcquirerCall | null> {
    const { intent } = locked;
    const { accounts, settings } = this.parts;
    const decision = await refusedAsNull(() =>
      // A hold that we took for somebody is ours to let go of at any time.
      intent.status === 'Authorized' ? reserveRelease(intent, tx.now) : decideReversal(tx, locked, accounts),
    );
    if (decision === null) return null;
    const call = await prepareReversal(tx, locked, { decision, reference, deadlineAt: callDeadline(tx, settings) });
    pursueLater(tx, reference, settings);
    return call;
  }

  /** Refunds what is left of it: somebody may have refunded a part before. */
  async #refund(tx: Tx, locked: LockedIntent, reference: string): Promise<Prepared> {
    const { intent } = locked;
    // Another reversal, refund or capture is under way, and its end decides what is left.
    if (isPositive(intent.pendingRefund) || isPositive(intent.pendingCapture)) return { kind: 'unanswered' };
    const amount = refundable(intent);
    const decision = await refusedAsNull(() => reserveRefund(intent, amount, tx.now));
    if (decision === null) return { kind: 'refused' };
    const updated = await updateIntent(tx, decision, locked);
    const wish = { kind: 'Refund', reference, intent: updated, amount } as const;
    return { kind: 'ask', call: await prepareCall(tx, wish, this.parts.settings) };
  }
}

type Prepared = { readonly kind: 'ask'; readonly call: AcquirerCall } | { readonly kind: GiveBackOutcome };

/** A reversal and then a refund, and one look at how the refund ended. */
const ROUNDS_MAX = 3;

/** Of a hold there is nothing to refund: it is let go of, and if that is refused, again. */
function wayNow({ status, captured, capturedAt, refunded }: PaymentIntent, now: Date): GiveBackPosition['way'] {
  if (status === 'Authorized' && isZero(captured)) return 'release';
  return wayToGiveBack({ status, capturedAt, isAnythingRefunded: !isZero(refunded) }, now);
}

async function refusedAsNull<T>(decide: () => T | Promise<T>): Promise<T | null> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
