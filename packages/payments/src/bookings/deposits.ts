import { allocateDeposit, computeDepositHeldUntil, computeDepositValue, type PartyDeposit } from '@pos/core/bookings';
import type { PaymentIntentId } from '@pos/core/identity';
import { isPositive, type Money, sum } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { createViolation, Refusal, requireValue } from '@pos/core/refusals';
import type { Reader, Tx } from '@pos/store/database';
import { lockIntent } from '@pos/store/payments';
import { computeBookingKeptUntil } from '@pos/store/queues';
import {
  type DepositClaim,
  findDepositClaim,
  findPaymentOfTransaction,
  hasOrderPlacement,
  hasTablePayment,
  listDepositClaims,
  putDepositClaim,
} from '@pos/store/tables';

/** A party with what was paid for it in advance. */
export interface DepositParty {
  readonly startTime: Date;
  readonly expectedEndTime?: Date | undefined;
  readonly deposit?: PartyDeposit | undefined;
}

/**
 * Makes the payments of a deposit those of one party, before the EPOS is called: an EPOS takes the deposit off the bill.
 * Refuses a deposit that its payments do not cover, and a payment that has no money, pays for something else or is the
 * deposit of another party. Returns what each payment covers; one that is not needed stays free. Until the EPOS has answered, a payment that the party had already
 * keeps the larger of its parts, because the EPOS may have either deposit.
 */
export async function claimDeposit(tx: Tx, serviceId: string, party: DepositParty): Promise<readonly DepositClaim[]> {
  const { deposit } = party;
  if (deposit === undefined) return [];
  const intents = await lockPayments(tx, serviceId, deposit);
  const parts = allocateDeposit(deposit.totalAmount, intents.map(computeDepositValue));
  if (parts === null) {
    const { value } = sum(intents.map(computeDepositValue), deposit.totalAmount.currencyCode);
    throw createViolation('validation_failed', 'deposit.totalAmount', `Must be at most what is paid: ${value}.`);
  }
  const heldUntil = computeDepositHeldUntil(party, tx.now);
  const claims = intents.flatMap(({ id: intentId }, at): DepositClaim[] => {
    const amount = requireValue(parts[at], `the part of ${intentId}`);
    // The others cover the deposit, and this payment stays free.
    return isPositive(amount) ? [{ intentId, serviceId, amount, heldUntil, startsAt: party.startTime }] : [];
  });
  const earlier = new Map((await listDepositClaims(tx, serviceId)).map((claim) => [claim.intentId, claim.amount]));
  const checkAt = computeBookingKeptUntil(tx.now, heldUntil);
  for (const claim of claims) {
    const amount = chooseLarger(claim.amount, earlier.get(claim.intentId));
    if (await putDepositClaim(tx, { ...claim, amount }, checkAt)) continue;
    throw createClaimedRefusal(claim.intentId);
  }
  return claims;
}

function createClaimedRefusal(id: PaymentIntentId): Refusal {
  return new Refusal('payment_intent_is_deposit', `${id} is the deposit of another party`);
}

/** Locks the payments of a deposit, each once, and returns them in their order. */
async function lockPayments(
  tx: Tx,
  serviceId: string,
  { totalAmount, paymentIntentIds }: PartyDeposit,
): Promise<PaymentIntent[]> {
  const ids = [...new Set(paymentIntentIds)];
  const intents = new Map<string, PaymentIntent>();
  // In the same order for all parties, so that two of them do not wait for each other.
  for (const id of ids.toSorted()) {
    const locked = await lockIntent(tx, id);
    if (locked === null)
      throw createViolation('payment_intent_unknown', 'deposit.paymentIntentIds', 'is not a payment intent');
    const { intent } = locked;
    const claim = await findDepositClaim(tx, intent.id);
    if (claim !== null && claim.serviceId !== serviceId) throw createClaimedRefusal(intent.id);
    if (!isPositive(computeDepositValue(intent)))
      throw createViolation('validation_failed', 'deposit.paymentIntentIds', `${intent.id} has no money.`);
    if (intent.amount.currencyCode !== totalAmount.currencyCode)
      throw createViolation('validation_failed', 'deposit.totalAmount', 'Must have the currency of its payments.');
    if (await isSpent(tx, intent))
      throw createViolation('validation_failed', 'deposit.paymentIntentIds', 'Has paid for a bill or an order.');
    intents.set(id, intent);
  }
  return ids.flatMap((id) => intents.get(id) ?? []);
}

/** Whether the money has paid for something else, which an EPOS would take off a second bill. */
async function isSpent(reader: Reader, { id, details, paymentDetails }: PaymentIntent): Promise<boolean> {
  if (details.heldForOrder !== undefined) return true;
  if ((await hasOrderPlacement(reader, id)) || (await hasTablePayment(reader, id))) return true;
  // A proof names our id of the transaction or the acquirer's own.
  for (const transactionId of [paymentDetails?.transactionId, paymentDetails?.acquirerTransactionId])
    if (transactionId !== undefined && (await findPaymentOfTransaction(reader, transactionId)) !== null) return true;
  return false;
}

function chooseLarger(part: Money, earlier: Money | undefined): Money {
  return earlier !== undefined && earlier.value > part.value ? earlier : part;
}
