import { type AcquirerCall, reverseCall } from '@pos/core/acquirer-calls/acquirer-call';
import { requireValue } from '@pos/core/refusals/assert';
import { parseKnownId, type ReversalId } from '@pos/core/identity/identity';
import { reserveReversal } from '@pos/core/captures-refunds/reversal';
import { insertAcquirerCall, lockAcquirerCall, updateAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database/database';
import { type LockedIntent, updateIntent } from '@pos/store/payments/payment-intents';
import type { IntentDecision } from '@pos/core/payment-intents/payment-intent';
import type { AccountCache } from '../accounts/account-cache.js';
import {
  computeCallDeadline,
  lockPaymentToMoveMoney,
  scheduleFollowUp,
  requireAcquirer,
  requireApproved,
} from '../acquirer/money-call.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';

/** Undoing a payment as a whole: `begin` reserves it, the acquirer is asked, `result` says how it ended. */
export class Reversals {
  constructor(
    private readonly accounts: AccountCache,
    private readonly settings: PaymentSettings,
  ) {}

  /** Reserves the whole payment. Refuses one that is no longer whole, or whose window is over. */
  async reserve(tx: Tx, intentId: string): Promise<ReversalId> {
    requireAcquirer(tx, this.settings);
    const locked = await lockPaymentToMoveMoney(tx, intentId);
    const decision = await decideReversal(tx, locked, this.accounts);
    const reference = await tx.newId('reversal');
    await storeReversal(tx, locked, { decision, reference, deadlineAt: computeCallDeadline(tx, this.settings) });
    scheduleFollowUp(tx, reference, this.settings);
    return reference;
  }

  /** The reversal once it is done. Refuses one that the acquirer refused or has not answered. */
  async getResult(reader: Reader, reference: string): Promise<{ readonly reversalId: ReversalId }> {
    await requireApproved(reader, reference, 'reversal_refused');
    return { reversalId: parseKnownId('reversal', reference) };
  }
}

/** Judges by the windows of the account whether the payment may be undone now. */
export async function decideReversal(
  tx: Tx,
  { intent }: LockedIntent,
  accounts: AccountCache,
): Promise<IntentDecision> {
  const { settings } = await accounts.get(tx);
  const windows = { authorizedMs: settings.authorizedReversalWindowMs, capturedDays: settings.capturedReversalDays };
  return reserveReversal(intent, { now: tx.now, windows });
}

/** Writes the reservation of the whole payment and the call that undoes its authorisation, before it is made. */
export async function storeReversal(
  tx: Tx,
  locked: LockedIntent,
  params: { readonly decision: IntentDecision; readonly reference: string; readonly deadlineAt: Date },
): Promise<AcquirerCall> {
  const { decision, ...request } = params;
  const authorisationReference = requireValue(locked.intent.paymentDetails, 'how the payment was taken').reference;
  const original = requireValue(
    await lockAcquirerCall(tx, authorisationReference),
    `the authorisation ${authorisationReference}`,
  );
  const requested = reverseCall(original, request);
  // A hold that was raised is undone as a whole.
  const reversal = { ...requested.reversal, amount: locked.intent.authorized };
  await updateIntent(tx, decision, locked);
  await updateAcquirerCall(tx, requested.call);
  await insertAcquirerCall(tx, reversal);
  return reversal;
}
