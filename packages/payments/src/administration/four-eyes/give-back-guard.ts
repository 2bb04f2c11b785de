import { createHash } from 'node:crypto';
import type { Caller } from '@pos/core/accounts/caller';
import { FOUR_EYES_KEY_PREFIX, isExpired } from '@pos/core/administration/four-eyes-request';
import { type MeasuredGiveBack, needsSecondPerson } from '@pos/core/administration/give-back-limits';
import { type Money, money } from '@pos/core/money/money';
import type { PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import { Refusal } from '@pos/core/refusals/refusal';
import type { Tx } from '@pos/store/database/database';
import { findFourEyesRequest } from '@pos/store/four-eyes/four-eyes-requests';
import { lockIntent } from '@pos/store/payments/payment-intents';
import { getAccount } from '@pos/store/repositories/accounts';

/** What a request gives back. */
export type GiveBackTarget =
  /** Minor units of the payment; null: all that is left. */
  | { readonly kind: 'payment'; readonly paymentIntentId: string; readonly amount: number | null }
  | { readonly kind: 'unlinked'; readonly amount: Money }
  /** A decision about a pending line, whose amount the request does not name. */
  | { readonly kind: 'pending' };

/** A request as the API has received it. */
export interface ReceivedRequest {
  readonly method: string;
  /** The concrete path, without the query. */
  readonly path: string;
  readonly version: string;
  /** The body and the query in canonical form. */
  readonly fingerprintInput: string;
}

/** What an approval is about: no other request has the same. */
export function hashRequest({ method, path, version, fingerprintInput }: ReceivedRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, path, version, fingerprintInput]))
    .digest();
}

interface GuardedCall {
  readonly caller: Pick<Caller, 'actor' | 'version'>;
  readonly idempotency: (Omit<ReceivedRequest, 'version'> & { readonly key: string }) | null;
}

/**
 * Refuses `second_person_needed` for a user of the portal whose request gives back more than the account lets one person
 * give back, unless it is the request that a second person has approved. Call it first in the transaction that reserves
 * the money: it locks the payment, so refunds at the same moment count together. Requests by API keys pass.
 */
export async function requireSecondPerson(
  tx: Tx,
  { caller, idempotency }: GuardedCall,
  target: GiveBackTarget,
): Promise<void> {
  if (caller.actor === undefined) return;
  const { settings } = await getAccount(tx);
  if (Object.keys(settings.fourEyes.giveBacksAbove).length === 0) return;
  const intent = target.kind === 'payment' ? ((await lockIntent(tx, target.paymentIntentId))?.intent ?? null) : null;
  if (!needsSecondPerson(settings.fourEyes, measureGiveBack(target, intent))) return;
  if (idempotency !== null && (await isApproved(tx, { ...idempotency, version: caller.version }))) return;
  throw new Refusal('second_person_needed', 'a second person must approve this');
}

/** What the request gives back, with what its payment has given back before. Null: not known. */
export function measureGiveBack(target: GiveBackTarget, intent: PaymentIntent | null): MeasuredGiveBack | null {
  if (target.kind === 'unlinked') return { amount: target.amount, returned: 0 };
  if (target.kind === 'pending' || intent === null) return null;
  const returned = intent.refunded.value + intent.pendingRefund.value;
  const all = Math.max(intent.authorized.value, intent.captured.value) - returned;
  return { amount: money(target.amount ?? Math.max(all, 0), intent.amount.currencyCode), returned };
}

async function isApproved(tx: Tx, received: ReceivedRequest & { readonly key: string }): Promise<boolean> {
  if (!received.key.startsWith(FOUR_EYES_KEY_PREFIX)) return false;
  const request = await findFourEyesRequest(tx, received.key.slice(FOUR_EYES_KEY_PREFIX.length));
  if (request === null || request.state !== 'Approved' || isExpired(request, tx.databaseNow)) return false;
  return request.actionHash.equals(hashRequest(received));
}
