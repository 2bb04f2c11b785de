import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { Refusal, requireValue } from '@pos/core/refusals';
import {
  chooseGiveBack,
  computeRefundable,
  findGiveBackWay,
  type GiveBackPosition,
  reserveRefund,
  reserveRelease,
} from '@pos/core/captures-refunds';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { isPositive, isZero } from '@pos/core/money';
import { listCallsOfIntent, type LockedIntent, lockIntent } from '@pos/store/payments';
import type { Database, Tx } from '@pos/store/database';
import { readTimeZoneOfIntent } from '@pos/store/repositories';
import { commitIntent } from '../payment-intents/intent-commit.js';
import type { AccountCache } from '../accounts/account-cache.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import { computeCallDeadline, findPaymentMerchant, prepareCall, scheduleFollowUp } from '../acquirer/money-call.js';
import { decideReversal, storeReversal } from './reversals.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** `unanswered`: not known yet, call again with the same reference. `refused`: definitely not given back. */
export type GiveBackOutcome = 'givenBack' | 'refused' | 'unanswered';

/** What is given back, under which key: the same key never gives back twice. */
export interface GiveBackRequest {
  readonly intentId: PaymentIntentId;
  readonly reference: string;
}

/** Gives the whole of an approved payment back: by reversal while that is allowed, else by refund. */
export class GiveBack {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly calls: AcquirerCalls;
      readonly accounts: AccountCache;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Reserves, asks, concludes. May be repeated at any time, by any process; a reversal that is refused becomes a refund. */
  async giveBackPayment(scope: Scope, request: GiveBackRequest): Promise<GiveBackOutcome> {
    const { database, calls } = this.parts;
    const sentReferences: string[] = [];
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const prepared = await database.transact(scope, (tx) => this.#prepare(tx, request, sentReferences));
      if (prepared.kind !== 'ask') return prepared.kind;
      const answer = await calls.sendCall(scope, prepared.call);
      if ((await calls.concludeCall(scope, prepared.call, { answer })) === 'open') return 'unanswered';
      sentReferences.push(prepared.call.reference);
    }
    return 'refused';
  }

  /** Finds the call that is under way or writes the next one; no call is made before its row is stored. */
  async #prepare(
    tx: Tx,
    { intentId, reference: base }: GiveBackRequest,
    sentReferences: readonly string[],
  ): Promise<PreparedStep> {
    const locked = requireValue(await lockIntent(tx, intentId), `payment intent ${intentId}`);
    const { intent } = locked;
    if (intent.status === 'Reversed' || intent.status === 'Refunded') return { kind: 'givenBack' };
    if (isZero(intent.authorized)) return { kind: 'givenBack' };
    const calls = await listCallsOfIntent(tx, intentId);
    const timeZone = await readTimeZoneOfIntent(tx, intentId);
    const method = chooseMethod(intent, { now: tx.now, timeZone });
    const taken = requireValue(intent.paymentDetails, 'how the payment was taken').reference;
    const original = calls.find(({ reference }) => reference === taken);
    const runningReversal = method === 'release' ? (original?.reverseReference ?? null) : null;
    const move = chooseGiveBack({ base, way: method, calls, reversalUnderWay: runningReversal, asked: sentReferences });
    switch (move.do) {
      case 'end':
        return { kind: move.outcome };
      case 'ask': {
        const open = calls.find(({ reference }) => reference === move.reference);
        return { kind: 'ask', call: requireValue(open, `call ${move.reference}`) };
      }
      case 'begin': {
        const { kind, reference } = move;
        const reversalCall = kind === 'Reverse' ? await this.#reverse(tx, locked, reference) : null;
        // Its window may be over, or the payment no longer whole: then it is refunded.
        if (reversalCall === null) return this.#refund(tx, locked, kind === 'Reverse' ? base : reference);
        return { kind: 'ask', call: reversalCall };
      }
    }
  }

  /** Null when it is not allowed. A worker asks for it, too, should the payment not be followed up to its end. */
  async #reverse(tx: Tx, locked: LockedIntent, reference: string): Promise<AcquirerCall | null> {
    const { intent } = locked;
    const { accounts, settings } = this.parts;
    if (intent.status !== 'Authorized' && !(await this.#canReverse(tx, intent))) return null;
    const decision = await decideOrNull(() =>
      // The service may release its own hold at any time.
      intent.status === 'Authorized' ? reserveRelease(intent, tx.now) : decideReversal(tx, locked, accounts),
    );
    if (decision === null) return null;
    const call = await storeReversal(tx, locked, {
      decision,
      reference,
      deadlineAt: computeCallDeadline(tx, settings),
    });
    scheduleFollowUp(tx, reference, settings);
    return call;
  }

  /** Whether the acquirer reverses what is captured. One that is not known now is asked, and may refuse. */
  async #canReverse(tx: Tx, intent: PaymentIntent): Promise<boolean> {
    const { acquirer } = await findPaymentMerchant(tx, intent);
    const { acquirers } = this.parts.settings;
    return acquirers.findCapabilities(tx.scope.environment, acquirer)?.can.reversal_after_capture !== false;
  }

  /** Refunds what is left of it: somebody may have refunded a part before. */
  async #refund(tx: Tx, locked: LockedIntent, reference: string): Promise<PreparedStep> {
    const { intent } = locked;
    // Another reversal, refund or capture is under way, and its end decides what is left.
    if (isPositive(intent.pendingRefund) || isPositive(intent.pendingCapture)) return { kind: 'unanswered' };
    const amount = computeRefundable(intent);
    const decision = await decideOrNull(() => reserveRefund(intent, amount, tx.now));
    if (decision === null) return { kind: 'refused' };
    const updated = await commitIntent(tx, locked, decision);
    const merchant = await findPaymentMerchant(tx, intent);
    const request = { kind: 'Refund', merchant, reference, intent: updated, amount } as const;
    return { kind: 'ask', call: await prepareCall(tx, request, this.parts.settings) };
  }
}

type PreparedStep = { readonly kind: 'ask'; readonly call: AcquirerCall } | { readonly kind: GiveBackOutcome };

/** A reversal and then a refund, and one look at how the refund ended. */
const ROUNDS_MAX = 3;

/** A hold is reversed instead of refunded; a refused reversal is repeated. */
function chooseMethod(
  { status, captured, capturedAt, refunded }: PaymentIntent,
  at: { readonly now: Date; readonly timeZone: string },
): GiveBackPosition['way'] {
  if (status === 'Authorized' && isZero(captured)) return 'release';
  return findGiveBackWay({ status, capturedAt, isAnythingRefunded: !isZero(refunded) }, at);
}

async function decideOrNull<T>(decide: () => T | Promise<T>): Promise<T | null> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
