import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { computeHoldTimes, decideHoldEnd, reserveCapture } from '@pos/core/captures-refunds';
import { type Money, zeroMoney } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { listCallsOfIntent, type LockedIntent, lockIntent } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import { schedule } from '@pos/store/queues';
import { raiseMoneyNotReturnedAlarm } from '../acquirer/call-alarms.js';
import { commitIntent } from '../payment-intents/intent-commit.js';
import { computeCallDeadline, findPaymentMerchant, prepareCall } from '../acquirer/money-call.js';
import { storeReversal } from '../captures-refunds/reversals.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** When to look at a hold again: at a moment of the account's time, or soon, because a call that runs must end first. */
export type NextCheck = { readonly dueAt: Date } | { readonly dueInMs: number };

const HOUR_MS = 3_600_000;
const CHECK_AGAIN_MS = 30_000;
/** How often a reversal at the end of a hold is asked for, an hour apart; then the hold is left to the issuer and the alarm. */
const REVERSALS_MAX = 24;

/** What happens to a hold when its time is over. */
export class Holds {
  constructor(private readonly settings: PaymentSettings) {}

  /**
   * Captures or gives up the hold whose time is over, and has the acquirer asked by a worker. Returns when to look again:
   * a refusal is tried again after an hour. Null when nothing of the hold is left to end.
   */
  async endHold(tx: Tx, id: string): Promise<NextCheck | null> {
    const locked = await lockIntent(tx, id);
    if (locked === null) return null;
    const end = decideHoldEnd(locked.intent, tx.now, { capturesOnce: await this.#capturesOnce(tx, locked.intent) });
    switch (end.kind) {
      case 'none':
        return null;
      case 'wait':
        return end.until === null ? { dueInMs: CHECK_AGAIN_MS } : { dueAt: end.until };
      case 'release':
        await commitIntent(tx, locked, end.decision);
        return null;
      case 'capture':
        await this.#capture(tx, locked, end.amount);
        return computeNextCheck(tx, locked);
      case 'reverse': {
        const refusedCalls = await listRefusedReversals(tx, locked);
        // Nobody asked for it, so nobody else would ever see that the hold stays.
        const [first] = refusedCalls;
        if (first !== undefined) await raiseMoneyNotReturnedAlarm(tx, first, 'at the end of a hold');
        if (refusedCalls.length >= REVERSALS_MAX) return null;
        const reference = await tx.newId('reversal');
        await storeReversal(tx, locked, {
          ...{ decision: end.decision, reference },
          deadlineAt: computeCallDeadline(tx, this.settings),
        });
        scheduleCallNow(tx, reference);
        return computeNextCheck(tx, locked);
      }
    }
  }

  /** Whether the acquirer of the hold refuses a second capture. One that is not known now is asked, and may refuse. */
  async #capturesOnce(tx: Tx, intent: PaymentIntent): Promise<boolean> {
    if (intent.status !== 'Authorized') return false;
    const { acquirer } = await findPaymentMerchant(tx, intent);
    return this.settings.acquirers.findCapabilities(tx.scope.environment, acquirer)?.can.multiple_captures === false;
  }

  async #capture(tx: Tx, locked: LockedIntent, amount: Money): Promise<void> {
    const id = await tx.newId('capture');
    const tipsAmount = zeroMoney(amount.currencyCode);
    const decision = reserveCapture(locked.intent, { id, amount, tipsAmount, now: tx.now });
    const intent = await commitIntent(tx, locked, decision);
    const merchant = await findPaymentMerchant(tx, intent);
    await prepareCall(tx, { kind: 'Capture', merchant, reference: id, intent, amount }, this.settings);
    scheduleCallNow(tx, id);
  }
}

/** The reversals of the hold that the acquirer has refused. */
async function listRefusedReversals(tx: Tx, { intent }: LockedIntent): Promise<AcquirerCall[]> {
  const calls = await listCallsOfIntent(tx, intent.id);
  return calls.filter(({ kind, outcome }) => kind === 'Reverse' && outcome === 'Declined');
}

/** Nobody waits for the answer, so a worker may ask at once. */
function scheduleCallNow(tx: Tx, reference: string): void {
  schedule(tx, { kind: 'acquirer-call', subject: reference, dueInMs: 0, isRepeat: true });
}

/** In an hour, but not past the moment at which the hold itself ends. */
function computeNextCheck({ now }: Tx, { intent }: LockedIntent): NextCheck {
  const inAnHour = now.getTime() + HOUR_MS;
  const endsAt = computeHoldTimes(intent).endsAt.getTime();
  return { dueAt: new Date(now.getTime() < endsAt ? Math.min(inAnHour, endsAt) : inAnHour) };
}
