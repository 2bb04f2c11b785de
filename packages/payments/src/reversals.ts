import { type AcquirerCall, orderReversal } from '@pos/core/acquirer-call';
import { required } from '@pos/core/assert';
import { knownId, type ReversalId } from '@pos/core/identity';
import { reserveReversal } from '@pos/core/reversal';
import { insertCall, lockCall, updateCall } from '@pos/store/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database';
import { type LockedIntent, updateIntent } from '@pos/store/payment-intents';
import type { IntentDecision } from '@pos/core/payment-intent';
import type { Accounts } from './accounts.js';
import { callDeadline, lockPayment, pursueLater, requireAcquirer, requireDone } from './money-call.js';
import type { PaymentSettings } from './settings.js';

/** Undoing a payment as a whole: `begin` reserves it, the acquirer is asked, `result` says how it ended. */
export class Reversals {
  constructor(
    private readonly accounts: Accounts,
    private readonly settings: PaymentSettings,
  ) {}

  /** Reserves the whole payment. Refuses one that is no longer whole, or whose window is over. */
  async begin(tx: Tx, intentId: string): Promise<ReversalId> {
    requireAcquirer(tx, this.settings);
    const locked = await lockPayment(tx, intentId);
    const decision = await decideReversal(tx, locked, this.accounts);
    const reference = await tx.newId('reversal');
    await prepareReversal(tx, locked, { decision, reference, deadlineAt: callDeadline(tx, this.settings) });
    pursueLater(tx, reference, this.settings);
    return reference;
  }

  /** The reversal once it is done. Refuses one that the acquirer refused or has not answered. */
  async result(reader: Reader, reference: string): Promise<{ readonly reversalId: ReversalId }> {
    await requireDone(reader, reference, 'reversal_refused');
    return { reversalId: knownId('reversal', reference) };
  }
}

/** Judges by the windows of the account whether the payment may be undone now. */
export async function decideReversal(tx: Tx, { intent }: LockedIntent, accounts: Accounts): Promise<IntentDecision> {
  const { settings } = await accounts.get(tx);
  const windows = { authorizedMs: settings.authorizedReversalWindowMs, capturedDays: settings.capturedReversalDays };
  return reserveReversal(intent, { now: tx.now, windows });
}

/** Writes the reservation of the whole payment and the call that undoes its authorisation, before it is made. */
export async function prepareReversal(
  tx: Tx,
  locked: LockedIntent,
  wish: { readonly decision: IntentDecision; readonly reference: string; readonly deadlineAt: Date },
): Promise<AcquirerCall> {
  const { decision, ...order } = wish;
  const taken = required(locked.intent.paymentDetails, 'how the payment was taken').reference;
  const original = required(await lockCall(tx, taken), `the authorisation ${taken}`);
  const ordered = orderReversal(original, order);
  // A hold that was raised is undone as a whole.
  const reversal = { ...ordered.reversal, amount: locked.intent.authorized };
  await updateIntent(tx, decision, locked);
  await updateCall(tx, ordered.call);
  await insertCall(tx, reversal);
  return reversal;
}
