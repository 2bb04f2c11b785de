import type { Finding } from '@pos/core/ledger';
import { sum } from '@pos/core/money';
import { cutStorableText, requireValue } from '@pos/core/refusals';
import { isProofOver, type ProofVerdict, type TablePayment, type TablePaymentInput } from '@pos/core/tables';
import type { Tx } from '@pos/store/database';
import { recordFindings } from '@pos/store/reconciliation';
import { endAlarms, raiseAlarm } from '../alarms/alarms.js';
import { claimTransaction, proveByIntent, readRecordClaim } from './device-payments.js';

const UNKNOWN_HERE = 'the service does not know it';
const ORDERS_LIST_INTENTS = 'an order lists only payments that the service has taken';

/**
 * The proof of a payment that a device reports, as an input of the payment. Our own rows are read in the transaction that
 * stores the proof; `verdict` is what the acquirer has said before. A transaction proves one payment.
 */
export async function proveRecord(
  tx: Tx,
  payment: TablePayment,
  verdict: ProofVerdict | null,
): Promise<TablePaymentInput> {
  // An operator has decided meanwhile.
  if (payment.state !== 'Unproved') return { kind: 'proofMissing' };
  const claim = readRecordClaim(requireValue(payment.message, 'the message of a payment of a device'));
  const proof = await proveByIntent(tx, claim);
  if (proof.outcome === 'refused') return { kind: 'proofRefused', note: proof.reason };
  if (proof.outcome === 'proved') return { kind: 'proved', intentId: proof.intentId };
  if (verdict === null) return { kind: 'proofMissing', note: UNKNOWN_HERE };
  if (verdict.outcome === 'missing') return { kind: 'proofMissing', note: verdict.reason };
  if (verdict.outcome === 'refused') return { kind: 'proofRefused', note: verdict.reason };
  if (payment.orderId !== null) return { kind: 'proofRefused', note: ORDERS_LIST_INTENTS };
  const used = await claimTransaction(tx, claim);
  return used === null ? { kind: 'proved', intentId: null } : { kind: 'proofRefused', note: used.reason };
}

/** Raises the alarm and writes the difference of a payment that is not proved, and closes both after that. */
export async function publishUnprovedRecord(tx: Tx, before: TablePayment, payment: TablePayment): Promise<void> {
  const covered = { kinds: ['UnprovedRecord'], references: [payment.id] } as const;
  if (before.state === 'Unproved' && payment.state !== 'Unproved') {
    await recordFindings(tx, covered, []);
    endAlarms(tx, { kind: 'RecordNotProved', subject: payment.id });
    return;
  }
  if (!isProofOver(payment) || isProofOver(before)) return;
  const finding = toFinding(payment);
  await recordFindings(tx, covered, [finding]);
  await raiseAlarm(tx, {
    kind: 'RecordNotProved',
    subject: payment.id,
    message: finding.says,
    details: {
      sessionId: payment.sessionId,
      amount: finding.amount?.value ?? 0,
      currencyCode: payment.base.currencyCode,
      reason: payment.lastError,
    },
  });
}

function toFinding(payment: TablePayment): Finding {
  const { id, base, gratuity, cashback, createdAt, lastError } = payment;
  const { transactionId, tids } = readRecordClaim(requireValue(payment.message, 'the message of a payment'));
  const named = transactionId === '' ? 'no card transaction' : `the card transaction ${transactionId}`;
  const says = `A device reports payment ${id} by ${named}, and nothing proves it: ${lastError ?? ''}`;
  return {
    ...{ kind: 'UnprovedRecord', reference: id, paymentIntentId: null, happenedAt: createdAt },
    amount: sum([base, gratuity, cashback], base.currencyCode),
    ours: null,
    theirs: cutStorableText(`device ${tids.join(', ')}: ${named}`, TEXT_LENGTH_MAX),
    says: cutStorableText(says, TEXT_LENGTH_MAX),
  };
}

const TEXT_LENGTH_MAX = 1_000;
