import { formatUuid, hashKey } from '../ids/ids.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How long a transaction id of an acquirer is stored, in characters. */
export const ACQUIRER_TRANSACTION_ID_LENGTH_MAX = 200;

/** The two names of one transaction. Plain JSON. */
export interface TransactionIds {
  /** A UUID: the only one that integrators and EPOS partners receive. */
  readonly transactionId: string;
  /** The acquirer's own text; absent where that is a UUID, and therefore `transactionId` itself, or not known. */
  readonly acquirerTransactionId?: string;
}

/**
 * The names of a transaction from the acquirer's own text. Acquirers may use any text. One that is no UUID, or that two
 * calls could share, is replaced outside by a UUID that follows from our reference of the call: the same in every
 * answer about the call, and another one for every other call.
 */
export function toTransactionIds(reference: string, acquirersText: string): TransactionIds {
  if (UUID.test(acquirersText)) return { transactionId: acquirersText };
  const transactionId = deriveTransactionId(reference);
  return acquirersText === '' ? { transactionId } : { transactionId, acquirerTransactionId: acquirersText };
}

/** The UUID of a transaction whose acquirer has no UUID for it. */
export function deriveTransactionId(reference: string): string {
  return formatUuid(hashKey('transaction', reference).subarray(0, 16));
}

/** The acquirer's own text of a transaction, for people who look for it there; empty if it is not known. */
export function getAcquirersTransactionId(
  { transactionId, acquirerTransactionId }: TransactionIds,
  reference: string,
): string {
  if (acquirerTransactionId !== undefined) return acquirerTransactionId;
  return transactionId === deriveTransactionId(reference) ? '' : transactionId;
}
