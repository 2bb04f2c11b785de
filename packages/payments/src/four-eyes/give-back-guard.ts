import { createHash } from 'node:crypto';
import type { Caller } from '@pos/core/accounts';
import { FOUR_EYES_KEY_PREFIX, isExpired, type MeasuredGiveBack, needsSecondPerson } from '@pos/core/administration';
import { findPortalRole, isId, type Permission, PORTAL_PERMISSIONS, type PortalUserId } from '@pos/core/identity';
import { type Money, money } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { Refusal } from '@pos/core/refusals';
import { HOUR_MS } from '@pos/core/time';
import type { Tx } from '@pos/store/database';
import { findFourEyesRequest } from '@pos/store/four-eyes';
import { lockIntent } from '@pos/store/payments';
import { findPortalCredentialById } from '@pos/store/portal';
import { getAccount, lockAccount } from '@pos/store/repositories';
import { sumGivenBack } from '@pos/store/terminals';

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

/** What a user gives back without a payment counts together for so long. */
const UNLINKED_WINDOW_MS = 24 * HOUR_MS;

/**
 * Refuses `second_person_needed` for a user of the portal whose request gives back more than the account lets one person
 * give back, unless it is the request that a second person has approved. Returns the user who gives it back without a
 * second person; null for an approved request, and for one by an API key, which passes. Call it first in the transaction
 * that reserves the money: it locks the payment, or the account where there is none, so refunds at the same moment count
 * together.
 */
export async function requireSecondPerson(
  tx: Tx,
  { caller, idempotency }: GuardedCall,
  target: GiveBackTarget,
): Promise<PortalUserId | null> {
  const { actor, version } = caller;
  if (actor === undefined) return null;
  const { settings } = await getAccount(tx);
  if (Object.keys(settings.fourEyes.giveBacksAbove).length === 0) return actor;
  if (!needsSecondPerson(settings.fourEyes, await measureGiveBack(tx, target, actor))) return actor;
  if (idempotency !== null && (await isApproved(tx, { ...idempotency, version }, target.kind))) return null;
  throw new Refusal('second_person_needed', 'a second person must approve this');
}

/**
 * What the request gives back, with what was given back before: of its payment, or by the user where there is none. Null:
 * not known.
 */
async function measureGiveBack(tx: Tx, target: GiveBackTarget, userId: PortalUserId): Promise<MeasuredGiveBack | null> {
  if (target.kind === 'unlinked') {
    await lockAccount(tx);
    const since = new Date(tx.now.getTime() - UNLINKED_WINDOW_MS);
    const { amount } = target;
    return { amount, returned: await sumGivenBack(tx, { userId, currency: amount.currencyCode, since }) };
  }
  const intent = target.kind === 'payment' ? ((await lockIntent(tx, target.paymentIntentId))?.intent ?? null) : null;
  const amount = readGiveBackAmount(target, intent);
  return amount === null || intent === null ? null : { amount, returned: sumReturned(intent) };
}

/** What the request gives back; null where it is not known. */
export function readGiveBackAmount(target: GiveBackTarget, intent: PaymentIntent | null): Money | null {
  if (target.kind === 'unlinked') return target.amount;
  if (target.kind === 'pending' || intent === null) return null;
  const all = Math.max(intent.authorized.value, intent.captured.value) - sumReturned(intent);
  return money(target.amount ?? Math.max(all, 0), intent.amount.currencyCode);
}

function sumReturned({ refunded, pendingRefund }: PaymentIntent): number {
  return refunded.value + pendingRefund.value;
}

/** Both people are asked for again: the approval of a user who may not give money back any more is none. */
async function isApproved(
  tx: Tx,
  received: ReceivedRequest & { readonly key: string },
  kind: GiveBackTarget['kind'],
): Promise<boolean> {
  if (!received.key.startsWith(FOUR_EYES_KEY_PREFIX)) return false;
  const request = await findFourEyesRequest(tx, received.key.slice(FOUR_EYES_KEY_PREFIX.length));
  if (request === null || request.state !== 'Approved' || isExpired(request, tx.databaseNow)) return false;
  if (!request.actionHash.equals(hashRequest(received))) return false;
  const { requestedBy, decidedBy } = request;
  return (await mayGiveBack(tx, requestedBy, kind)) && (await mayGiveBack(tx, decidedBy, kind));
}

const PERMISSIONS_BY_KIND: Readonly<Record<GiveBackTarget['kind'], readonly Permission[]>> = {
  payment: ['payments.refund'],
  unlinked: ['payments.refund'],
  pending: ['payments.refund', 'tables.operate'],
};

/** Whether the user is active, and has a role in the scope that gives back money of this kind. */
export async function mayGiveBack(tx: Tx, userId: string | null, kind: GiveBackTarget['kind']): Promise<boolean> {
  const found = userId !== null && isId('portalUser', userId) ? await findPortalCredentialById(tx, userId) : null;
  const role = found === null || found.user.status !== 'Active' ? null : findPortalRole(found.user, tx.scope);
  const permissions = new Set<string>(role === null ? [] : PORTAL_PERMISSIONS[role]);
  return PERMISSIONS_BY_KIND[kind].every((each) => permissions.has(each));
}

/**
 * Refuses a user of the portal who creates a production key that gives money back, in an account that limits what a user
 * gives back alone: with the key, the user would do so without a second person.
 */
export async function refuseKeyAroundLimits(
  tx: Tx,
  { actor }: Pick<Caller, 'actor'>,
  permissions: readonly Permission[],
): Promise<void> {
  if (actor === undefined || tx.scope.environment !== 'production' || !permissions.includes('payments.refund')) return;
  const { settings } = await getAccount(tx);
  if (Object.keys(settings.fourEyes.giveBacksAbove).length === 0) return;
  const detail =
    'a key that gives money back would need no second person: an operator creates it with pos-admin key create';
  throw new Refusal('permission_missing', detail);
}
