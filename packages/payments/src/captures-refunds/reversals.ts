import { type AcquirerCall, reverseCall } from '@pos/core/acquirer-calls';
import { requireCapability } from '@pos/core/acquirer';
import { requireValue } from '@pos/core/refusals';
import { parseKnownId, type ReversalId } from '@pos/core/identity';
import { reserveReversal } from '@pos/core/captures-refunds';
import { insertAcquirerCall, lockAcquirerCall, type LockedIntent } from '@pos/store/payments';
import type { Tx } from '@pos/store/database';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { readTimeZoneOfIntent } from '@pos/store/repositories';
import type { IntentDecision } from '@pos/core/payment-intents';
import { commitIntent } from '../payment-intents/intent-commit.js';
import type { AccountCache } from '../accounts/account-cache.js';
import {
  computeCallDeadline,
  getPaymentAcquirer,
  lockPaymentToMoveMoney,
  scheduleFollowUp,
  requireAcquirer,
  requireApproved,
} from '../acquirer/money-call.js';
import { requireDepositKept } from '../payment-intents/deposit-hold.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { updateCall } from '../alarms/call-update.js';

export interface ReversalResult {
  readonly reversalId: ReversalId;
}

/** Reversals of whole payments. */
export class Reversals {
  constructor(
    private readonly calls: Pick<AcquirerCalls, 'pursueCall'>,
    private readonly accounts: AccountCache,
    private readonly settings: PaymentSettings,
  ) {}

  /**
   * Undoes a payment as a whole: reserves it, asks the acquirer, and returns the reversal once the acquirer has approved
   * it. Refuses `reversal_refused` when the acquirer refuses, and `acquirer_unanswered` while its answer is unknown; a
   * worker then repeats the call until it ends.
   */
  reverse<Body>(
    operation: IdempotentOperation<ReversalResult, Body>,
    intentId: string,
  ): Promise<OperationOutcome<Body>> {
    return operation.run({
      reserve: (tx) => prepareReversal(tx, this.settings, { intentId, accounts: this.accounts }),
      execute: (reversalId) => this.calls.pursueCall(operation.scope, reversalId),
      getResult: async (reader, reversalId) => {
        await requireApproved(reader, reversalId, 'reversal_refused');
        return { reversalId: parseKnownId('reversal', reversalId) };
      },
    });
  }
}

/**
 * Reserves the whole payment and writes the call that undoes its authorisation, before it is made. Refuses a payment of
 * which a part was taken or given back, and one whose window is over.
 */
export async function prepareReversal(
  tx: Tx,
  settings: PaymentSettings,
  { intentId, accounts }: { readonly intentId: string; readonly accounts: AccountCache },
): Promise<ReversalId> {
  requireAcquirer(tx, settings);
  const locked = await lockPaymentToMoveMoney(tx, intentId);
  const decision = await decideReversal(tx, locked, accounts);
  // Sent together.
  const [{ capabilities }] = await Promise.all([
    getPaymentAcquirer(tx, locked.intent, settings),
    requireDepositKept(tx, decision.intent),
  ]);
  if (locked.intent.status === 'Captured') requireCapability(capabilities, 'reversal_after_capture');
  const reference = await tx.newId('reversal');
  await storeReversal(tx, locked, { decision, reference, deadlineAt: computeCallDeadline(tx, settings) });
  scheduleFollowUp(tx, reference, settings);
  return reference;
}

/** Decides by the windows of the account whether the payment may be undone now. */
export async function decideReversal(
  tx: Tx,
  { intent }: LockedIntent,
  accounts: AccountCache,
): Promise<IntentDecision> {
  const { settings } = await accounts.get(tx);
  const { authorizedReversalWindowMs: authorizedMs, capturedReversalDays: capturedDays } = settings;
  const windows = { authorizedMs, capturedDays, timeZone: await readTimeZoneOfIntent(tx, intent.id) };
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
  await commitIntent(tx, locked, decision);
  await updateCall(tx, requested.call);
  await insertAcquirerCall(tx, reversal);
  return reversal;
}
