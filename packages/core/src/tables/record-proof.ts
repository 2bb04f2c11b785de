import type { AcquirerBooking } from '../acquirer/ports.js';
import { isPositive, isSameAmount, type Money } from '../money/money.js';
import { computeTotalAmount, type PaymentIntent } from '../payment-intents/payment-intent.js';

/** What a device says about a card payment that it wants to have recorded. */
export interface RecordClaim {
  readonly paymentId: string;
  /** The acquirer's id of the transaction. It is text; empty when the device names none. */
  readonly transactionId: string;
  /** False for a payment on the payer's own device. */
  readonly isCardPresent: boolean;
  /** Every TID that the device names: of the machine that asks, and of the one that took the card. */
  readonly tids: readonly string[];
  readonly total: Money;
  readonly cashback: Money;
  readonly attemptedAt: Date;
}

/** The times to compare with: account time, and database time, which a sandbox's clock does not move. */
export interface ProofTimes {
  readonly now: Date;
  readonly databaseNow: Date;
}

/**
 * `proved`: the transaction is the claimed one. `refused`: it is not, and never will be. `missing`: it is not known, or
 * not yet.
 */
export type ProofVerdict =
  | { readonly outcome: 'proved' }
  | { readonly outcome: 'refused' | 'missing'; readonly reason: string };

/** A device records its payment soon. An older transaction was for something else. */
const PLAUSIBLE_MS = 24 * 60 * 60 * 1000;

/** Why a claim names no card transaction of a machine at all; null when it names one. */
export function findClaimObjection({ transactionId, isCardPresent, tids }: RecordClaim): string | null {
  if (!isCardPresent) return 'only a journey records a payment on the own device of a payer';
  if (transactionId === '') return 'it names no card transaction';
  if (tids.length === 0) return 'it names no card machine';
  return new Set(tids).size === 1 ? null : 'it names two card machines';
}

/** Why an intent that carries the transaction does not prove the claim; null when it does. `tid`: the machine that took it. */
export function findIntentObjection(
  claim: RecordClaim,
  { intent, tid }: { readonly intent: PaymentIntent; readonly tid: string | null },
  times: ProofTimes,
): string | null {
  if (tid === null) return 'no card machine took it';
  if (claim.tids.some((named) => named !== tid)) return 'another card machine took it';
  const objection = findPaymentObjection(intent, claim.total);
  if (objection !== null) return objection;
  const { cashbackAmount } = intent;
  if (cashbackAmount !== null && !isSameAmount(cashbackAmount, claim.cashback)) return 'it is over another cashback';
  const takenAt = new Date(intent.paymentDetails?.transactionDateTime ?? Number.NaN);
  return findTimeObjection(claim, takenAt, times);
}

/** Why the money of an intent is not this total, taken and still wholly held; null when it is. */
export function findPaymentObjection(intent: PaymentIntent, total: Money): string | null {
  if (intent.status !== 'Captured' && intent.status !== 'Authorized') return `it is ${intent.status}`;
  if (intent.details.heldForOrder !== undefined) return 'an order that is on its way to the EPOS is paid with it';
  if (isPositive(intent.refunded) || isPositive(intent.pendingRefund)) return 'some of it went back';
  return isSameAmount(computeTotalAmount(intent), total) ? null : 'it is over another amount';
}

/**
 * Whether the books of the acquirer prove a claim whose transaction the service does not know. `isOwnTid`: the TID is a
 * machine of the account. `ourReferences`: of the
 * calls that the service has made itself, so that their outcome will come.
 */
export function judgeBookings(
  claim: RecordClaim,
  books: {
    readonly bookings: readonly AcquirerBooking[];
    readonly isOwnTid: boolean;
    readonly ourReferences: ReadonlySet<string>;
  },
  times: ProofTimes,
): ProofVerdict {
  const { bookings, isOwnTid, ourReferences } = books;
  const named = bookings.filter(({ transactionId }) => isSameTransaction(transactionId, claim.transactionId));
  const taken = named.find(({ kind }) => kind === 'Authorise' || kind === 'Capture');
  if (taken === undefined) return { outcome: 'missing', reason: 'neither the service nor the acquirer knows it' };
  const refuse = (reason: string): ProofVerdict => ({
    outcome: 'refused',
    reason: `in the books of the acquirer ${reason}`,
  });
  if (claim.tids.some((tid) => tid !== taken.tid)) return refuse('it has another card machine, or none');
  if (!isOwnTid) return refuse('its card machine is none of the account');
  const { reference } = taken;
  const parts = bookings.filter((each) => each.reference === reference || each.originalReference === reference);
  const undone = parts.some(({ kind, status }) => status !== 'booked' || kind === 'Reverse' || kind === 'Refund');
  if (undone) return refuse('it is declined, reversed or refunded');
  const money = parts.find(({ kind }) => kind === 'Capture') ?? taken;
  if (!isSameAmount(money.amount, claim.total)) return refuse('it is over another amount');
  const objection = findTimeObjection(claim, taken.bookedAt, times);
  if (objection !== null) return refuse(objection);
  if (ourReferences.has(reference)) return { outcome: 'missing', reason: 'the card machine has not reported it yet' };
  return { outcome: 'proved' };
}

/** Ids of transactions are compared as ids of acquirers: ignoring case. */
export function isSameTransaction(one: string, other: string): boolean {
  return one !== '' && one.toLowerCase() === other.toLowerCase();
}

/** The clock of a sandbox moves by days, so a time counts as near when either clock says so. */
function findTimeObjection(
  { attemptedAt }: RecordClaim,
  takenAt: Date,
  { now, databaseNow }: ProofTimes,
): string | null {
  const taken = takenAt.getTime();
  const attempted = attemptedAt.getTime();
  const offset = now.getTime() - databaseNow.getTime();
  const isNear = (...times: number[]): boolean => times.some((time) => Math.abs(time - taken) <= PLAUSIBLE_MS);
  if (!isNear(now.getTime(), databaseNow.getTime())) return 'it was taken more than a day ago';
  return isNear(attempted, attempted + offset, attempted - offset) ? null : 'it was taken at another time';
}
