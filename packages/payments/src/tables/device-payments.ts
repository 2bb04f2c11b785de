import { requireValue } from '@pos/core/refusals';
import { money, sum } from '@pos/core/money';
import type { PaymentIntentId } from '@pos/core/identity';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { findClaimObjection, findIntentObjection, type RecordClaim } from '@pos/core/tables';
import { type Payment, PaymentMethod, RecordPaymentRequest, type RequestorInfo } from '@pos/grpc-contracts/tables';
import type { Reader, Tx } from '@pos/store/database';
import {
  findDepositClaim,
  findPaymentOfTransaction,
  hasOrderPlacement,
  hasTablePayment,
  insertProvedTransaction,
} from '@pos/store/tables';
import { findIntentIdByTransaction, lockIntent } from '@pos/store/payments';
import { findTidOfIntent } from '@pos/store/terminals';

/**
 * What our own rows say about a payment that a device reports. `intentId`: the intent that took the money. `refused`: the
 * card transaction is another one, or is used. `missing`: there is none.
 */
export type StoreProof =
  | { readonly outcome: 'proved'; readonly intentId: PaymentIntentId }
  | RefusedProof
  | { readonly outcome: 'missing' };

interface RefusedProof {
  readonly outcome: 'refused';
  readonly reason: string;
}

/** Reads what a device says from its stored message. */
export function readRecordClaim(message: Uint8Array): RecordClaim {
  const { payment, requestorInfo } = RecordPaymentRequest.decode(message);
  return readPaymentClaim(requireValue(payment, 'the payment of a stored message'), requestorInfo);
}

/** Reads what a device says about a payment with valid amounts. */
export function readPaymentClaim(payment: Payment, requestorInfo: RequestorInfo | undefined): RecordClaim {
  const { id, currency, baseAmount, gratuityAmount, cashbackAmount, attemptedAt, methodDetails } = payment;
  const info = methodDetails?.cardPresentPaymentInfo;
  const requestor = requestorInfo?.requestor;
  const askingTid = requestor?.$case === 'cardMachineRequestorInfo' ? (requestor.value.terminalId ?? '') : '';
  const cashback = money(Number(cashbackAmount), currency);
  const parts = [money(Number(baseAmount), currency), money(Number(gratuityAmount), currency), cashback];
  return {
    paymentId: id.toLowerCase(),
    transactionId: info?.acquirerTransactionId ?? '',
    isCardPresent:
      methodDetails?.method !== PaymentMethod.PAYMENT_METHOD_REMOTE && methodDetails?.remotePaymentInfo === undefined,
    tids: [askingTid, info?.terminalId ?? ''].filter((tid) => tid !== ''),
    total: sum(parts, currency),
    cashback,
    attemptedAt: attemptedAt ?? new Date(Number.NaN),
  };
}

/** Whether the acquirer need not be asked about a claim: it names no transaction, or one that our own rows have. */
export async function isTransactionKnown(reader: Reader, claim: RecordClaim): Promise<boolean> {
  if (findClaimObjection(claim) !== null) return true;
  // Sent together.
  const found = await Promise.all([
    findIntentIdByTransaction(reader, claim.transactionId),
    findPaymentOfTransaction(reader, claim.transactionId),
  ]);
  return found.some((each) => each !== null);
}

/**
 * Looks for the card transaction of a claim in our own rows, locks its intent, and stores that it proves this payment. Only
 * money that one of the account's card machines has taken, that is still held and that is not used for anything else proves
 * a payment: if the EPOS refuses the payment, this money is given back. `foundId` is the intent that carries the
 * transaction, where that was read already.
 */
export async function proveByIntent(tx: Tx, claim: RecordClaim, foundId?: PaymentIntentId | null): Promise<StoreProof> {
  const claimObjection = findClaimObjection(claim);
  if (claimObjection !== null) return { outcome: 'refused', reason: claimObjection };
  const intentId = foundId === undefined ? await findIntentIdByTransaction(tx, claim.transactionId) : foundId;
  if (intentId === null) return findUse(claim, await findPaymentOfTransaction(tx, claim.transactionId)) ?? MISSING;
  const refuse = (reason: string): StoreProof => ({ outcome: 'refused', reason: `${reason} (${intentId})` });
  // Sent together. Each starts after the first has the lock, so it reads what the last holder of the lock committed.
  const [locked, tid, isOrdered, deposit, isRecorded, usedBy] = await Promise.all([
    lockIntent(tx, intentId),
    findTidOfIntent(tx, intentId),
    hasOrderPlacement(tx, intentId),
    findDepositClaim(tx, intentId),
    hasTablePayment(tx, intentId),
    findPaymentOfTransaction(tx, claim.transactionId),
  ]);
  const { intent } = requireValue(locked, `payment intent ${intentId}`);
  if (!hasTransaction(intent, claim)) return refuse('it has another transaction');
  if (isOrdered) return refuse('an order was paid with it in advance');
  if (deposit !== null) return refuse('it is the deposit of a party');
  const objection = findIntentObjection(claim, { intent, tid }, tx);
  if (objection !== null) return refuse(objection);
  if (isRecorded) return refuse('another payment has it');
  const use = findUse(claim, usedBy);
  if (use !== null) return use;
  if (usedBy === null) insertProvedTransaction(tx, claim);
  return { outcome: 'proved', intentId };
}

const MISSING = { outcome: 'missing' } as const;

/** Stores that a transaction proves this payment; returns the refusal when it proves another one. */
export async function claimTransaction(tx: Tx, claim: RecordClaim): Promise<RefusedProof | null> {
  const usedBy = await findPaymentOfTransaction(tx, claim.transactionId);
  if (usedBy === null) insertProvedTransaction(tx, claim);
  return findUse(claim, usedBy);
}

/** Whether the intent carries the transaction of the claim, under our id or under the acquirer's own. */
function hasTransaction({ paymentDetails }: PaymentIntent, { transactionId }: RecordClaim): boolean {
  return paymentDetails?.transactionId === transactionId || paymentDetails?.acquirerTransactionId === transactionId;
}

/** The refusal of a transaction that proves another payment. */
function findUse({ paymentId }: RecordClaim, usedBy: string | null): RefusedProof | null {
  return usedBy === null || usedBy === paymentId ? null : { outcome: 'refused', reason: `payment ${usedBy} has it` };
}
