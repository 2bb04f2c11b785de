import { requireValue } from '@pos/core/refusals/assert';
import { money, sum } from '@pos/core/money/money';
import type { PaymentIntentId } from '@pos/core/identity/identity';
import { findClaimObjection, findIntentObjection, type RecordClaim } from '@pos/core/tables/record-proof';
import { type Payment, PaymentMethod, RecordPaymentRequest, type RequestorInfo } from '@pos/grpc-contracts/tables';
import { findAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database/database';
import { hasOrderPlacement } from '@pos/store/tables/order-placements';
import { findPaymentOfTransaction, insertProvedTransaction } from '@pos/store/tables/proved-transactions';
import { hasTablePayment } from '@pos/store/tables/table-payments';
import { findIntent, findIntentByTransaction, lockIntent } from '@pos/store/payments/payment-intents';
import { findTerminalSession } from '@pos/store/terminals/terminal-sessions';
import { findTerminal } from '@pos/store/terminals/terminals';

/**
 * What our own rows say about a payment that a device reports. `intentId`: the intent that took the money. `refused`: the
 * card transaction is another one, or is used. `missing`: there is none.
 */
export type StoreProof =
  | { readonly outcome: 'proved'; readonly intentId: PaymentIntentId }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'missing' };

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
  if ((await findIntentByTransaction(reader, claim.transactionId)) !== null) return true;
  return (await findPaymentOfTransaction(reader, claim.transactionId)) !== null;
}

/**
 * Looks for the card transaction of a claim in our own rows, locks its intent, and stores that it proves this payment. Only
 * money that one of the account's card machines has taken, that is still held and that is not used for anything else proves
 * a payment: if the EPOS refuses the payment, this money is given back.
 */
export async function proveByIntent(tx: Tx, claim: RecordClaim): Promise<StoreProof> {
  const objection = findClaimObjection(claim);
  if (objection !== null) return { outcome: 'refused', reason: objection };
  const found = await findIntentByTransaction(tx, claim.transactionId);
  if (found === null) return findUsedTransaction(tx, claim);
  const { intent } = requireValue(await lockIntent(tx, found.id), `payment intent ${found.id}`);
  const refuse = (reason: string): StoreProof => ({ outcome: 'refused', reason: `${reason} (${intent.id})` });
  const tid = await findTidOfIntent(tx, intent.id);
  const difference = findIntentObjection(claim, { intent, tid }, tx);
  if (difference !== null) return refuse(difference);
  if (await hasOrderPlacement(tx, intent.id)) return refuse('an order was paid with it in advance');
  if (await hasTablePayment(tx, intent.id)) return refuse('another payment has it');
  const used = await claimTransaction(tx, claim);
  return used ?? { outcome: 'proved', intentId: intent.id };
}

/** Stores that a transaction proves this payment; returns the refusal when it proves another one. */
export async function claimTransaction(
  tx: Tx,
  { transactionId, paymentId }: RecordClaim,
): Promise<Extract<StoreProof, { outcome: 'refused' }> | null> {
  const used = await findPaymentOfTransaction(tx, transactionId);
  if (used === null) insertProvedTransaction(tx, { transactionId, paymentId });
  return used === null || used === paymentId ? null : { outcome: 'refused', reason: `payment ${used} has it` };
}

/** The machine that took the money of an intent, or null for an online payment. */
export async function findTidOfIntent(reader: Reader, intentId: PaymentIntentId): Promise<string | null> {
  const reference = (await findIntent(reader, intentId))?.paymentDetails?.reference;
  const call = reference === undefined ? null : await findAcquirerCall(reader, reference);
  const sessionId = call?.terminalSessionId ?? null;
  const session = sessionId === null ? null : await findTerminalSession(reader, sessionId);
  return session === null ? null : ((await findTerminal(reader, session.terminalId))?.tid ?? null);
}

async function findUsedTransaction(
  reader: Reader,
  { transactionId, paymentId }: RecordClaim,
): Promise<Exclude<StoreProof, { outcome: 'proved' }>> {
  const used = await findPaymentOfTransaction(reader, transactionId);
  return used === null || used === paymentId
    ? { outcome: 'missing' }
    : { outcome: 'refused', reason: `payment ${used} has it` };
}
