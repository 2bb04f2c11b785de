import type { AuditedChange } from '@pos/core/administration';
import { isId, type PaymentIntentId } from '@pos/core/identity';
import type { Money } from '@pos/core/money';
import { createViolation } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { createInProgressRefusal } from '@pos/store/idempotency';
import {
  findBooking,
  findDepositClaim,
  lockBooking,
  releaseDepositClaim,
  type StoredBooking,
  type StoredDepositClaim,
} from '@pos/store/tables';
import { recordChange, requireAccount } from '@pos/payments/audit';

/** What an operator has seen at the EPOS, where its answer is missing. */
export const EPOS_VIEWS = ['NoParty', 'PartyWithoutDeposit'] as const;
export type EposView = (typeof EPOS_VIEWS)[number];

/**
 * What the service knows of the deposit at the EPOS. `NotCreated`: the party was certainly not created. `Unanswered`: the
 * EPOS did not answer its creation. `AtEpos`: the EPOS has named the party; a change of it may be without an answer.
 * `Deleted`: the ids of the party are deleted. `Left`: the party has left with the deposit.
 */
type DepositState = 'NotCreated' | 'Unanswered' | 'AtEpos' | 'Deleted' | 'Left';

/** A payment that is the deposit of a party. */
export interface HeldDeposit {
  readonly paymentIntentId: PaymentIntentId;
  /** The part of the deposit that this payment covers. */
  readonly amount: Money;
  /** Until when the money is not returned. */
  readonly heldUntil: Date;
  /** The id of the party at the EPOS; null if no answer has named it. */
  readonly partyId: string | null;
  readonly state: DepositState;
}

const UNKNOWN_STATES: Readonly<Partial<Record<DepositState, string>>> = {
  Unanswered: 'the EPOS did not answer the creation of the party',
  AtEpos: 'the EPOS has not confirmed that its party has no such deposit',
  Deleted: 'the service no longer has the id of the party',
};

/** A payment that is a deposit. Refuses an unknown account, and a payment that is no deposit. */
export async function getHeldDeposit(reader: Reader, paymentIntentId: string): Promise<HeldDeposit> {
  await requireAccount(reader);
  const claim = await requireClaim(reader, paymentIntentId);
  return describeDeposit(claim, await findBooking(reader, { kind: 'Party', serviceId: claim.serviceId }));
}

/**
 * Makes a payment free again that is the deposit of a party (ADR 0137). Refuses it while a request about the party runs,
 * and after the party has left with it. Unless the party was certainly not created, only the operator can say that the
 * EPOS does not take the payment off a bill: refuses the release without that statement, which the audit log keeps.
 */
export async function releaseHeldDeposit(
  tx: Tx,
  change: AuditedChange,
  request: { readonly paymentIntentId: string; readonly eposShows?: EposView | undefined },
): Promise<HeldDeposit> {
  await requireAccount(tx);
  const { serviceId } = await requireClaim(tx, request.paymentIntentId);
  // From here on no request begins to create or change the party.
  const booking = await lockBooking(tx, { kind: 'Party', serviceId });
  if (booking?.isLeased === true) throw createInProgressRefusal();
  const claim = await requireClaim(tx, request.paymentIntentId);
  const deposit = describeDeposit(claim, booking);
  const { state } = deposit;
  if (state === 'Left')
    throw createViolation(
      'validation_failed',
      'payment',
      'went with its party, which has left: it stays a deposit, and can be refunded',
    );
  const unknown = UNKNOWN_STATES[state];
  if (unknown !== undefined && request.eposShows === undefined) {
    const detail = `must state what the EPOS shows (${EPOS_VIEWS.join(', ')}), because ${unknown}`;
    throw createViolation('validation_failed', 'eposShows', detail);
  }
  if (claim.serviceId !== serviceId || !(await releaseDepositClaim(tx, claim))) throw createInProgressRefusal();
  await recordChange(tx, change, {
    ...{ action: 'ReleaseDeposit', subject: claim.intentId },
    before: { ...claim.amount, heldUntil: claim.heldUntil.toISOString(), partyId: deposit.partyId, state },
    after: { eposShows: request.eposShows ?? null },
  });
  return deposit;
}

async function requireClaim(reader: Reader, paymentIntentId: string): Promise<StoredDepositClaim> {
  const claim = isId('paymentIntent', paymentIntentId) ? await findDepositClaim(reader, paymentIntentId) : null;
  if (claim !== null) return claim;
  throw createViolation('validation_failed', 'payment', 'is not the deposit of a party');
}

function describeDeposit(
  { intentId, amount, heldUntil, isEnded }: StoredDepositClaim,
  booking: StoredBooking | null,
): HeldDeposit {
  const described = { paymentIntentId: intentId, amount, heldUntil, partyId: booking?.eposId ?? null };
  if (isEnded) return { ...described, state: 'Left' };
  if (booking === null) return { ...described, state: 'Deleted' };
  if (booking.eposId !== null) return { ...described, state: 'AtEpos' };
  return { ...described, state: booking.mayExist ? 'Unanswered' : 'NotCreated' };
}
