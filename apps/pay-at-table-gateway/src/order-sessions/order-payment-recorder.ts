import type { Scope } from '@pos/core/identity';
import { AMOUNT_MAX, isSameAmount, type Money, money, sum } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { Payment } from '@pos/grpc-contracts/tables';
import {
  type EposOrder,
  isPaymentRecorded,
  type ListedIntents,
  readListedIntents,
  type RecordedPayment,
} from '@pos/rest-contracts/epos-data';
import { findPaymentObjection } from '@pos/core/tables';
import type { Database } from '@pos/store/database';
import { findDepositClaim, hasTablePayment } from '@pos/store/tables';
import { findTidOfIntent } from '@pos/store/terminals';
import { findIntentByTransaction } from '@pos/store/payments';
import type { DataOutcome } from '../epos-calls/data-call.js';
import type { TablesOutcome } from '../epos-calls/tables-call.js';
import { createBrokenCall } from '../epos-calls/call-failure.js';
import type { OrderApiClient } from './order-api-client.js';
import type { OrderLocks } from './order-locks.js';

/** The order that a payment at the table is recorded on. */
interface RecordTarget {
  readonly scope: Scope;
  readonly sessionId: string;
  readonly orderId: string;
}

/** The payment as an order receives it: without cashback, and without a tip of zero. */
export function buildRecordedPayment(
  payment: Pick<Payment, 'currency' | 'baseAmount' | 'gratuityAmount'>,
  recording: { readonly intentId: string; readonly lockId: string | null },
): RecordedPayment {
  const amountOf = (value: bigint) => ({ value: Number(value), currencyCode: payment.currency });
  return {
    paymentIntentId: recording.intentId,
    paidAmount: amountOf(payment.baseAmount),
    ...(payment.gratuityAmount !== 0n && { tipsAmount: amountOf(payment.gratuityAmount) }),
    ...(recording.lockId !== null && { lockId: recording.lockId }),
  };
}

/**
 * Records on orders the payments of RecordPayment calls without a stored payment: those of the simulator and the tester. An
 * order lists intents, so the payment must be one of the service. It is found by its transaction id at the acquirer, and
 * must have the same amounts.
 */
export class OrderPaymentRecorder {
  constructor(
    private readonly database: Database,
    private readonly locks: OrderLocks,
  ) {}

  /** Returns an outcome of the pay-at-table contract. After a refusal this call has booked nothing. */
  async recordPayment(calls: OrderApiClient, target: RecordTarget, payment: Payment): Promise<TablesOutcome> {
    const { orderId } = target;
    if (!hasValidAmounts(payment))
      return createRecordRefusal('ERROR_PARSE_ERROR', 'payment: its amounts or its currency are invalid');
    const orderResult = await calls.callEpos('GetOrderById', { orderId }, 'record');
    // An order that cannot be paid may still show that this payment is on it.
    const listed = 'end' in orderResult ? findListedIntents(orderResult.outcome) : null;
    if ('end' in orderResult && listed?.isComplete !== true) return orderResult.end;
    // An order cannot list an unsuccessful attempt.
    if (!payment.paymentSuccessful) return RECORDED_OUTCOME;
    const lock = await this.locks.findRecordLock(calls, target);
    if (lock === null) return createRecordRefusal('SESSION_NOT_LOCKED', 'no lock of ours is on the order');
    const intent = await this.#findIntent(target.scope, payment);
    if (intent === null)
      return createRecordRefusal('PAYMENT_NOT_RECORDED', 'the payment is none that the service has taken');
    if (listed?.intentIds.has(intent.id) === true) return LISTED_OUTCOME;
    const listedPayment = 'end' in orderResult ? null : findListedOutcome(orderResult.value, intent, payment);
    if (listedPayment !== null) return listedPayment;
    const objection =
      findPaymentObjection(intent, sumPayment(payment)) ??
      (await this.#findMachineObjection(target.scope, intent, payment));
    if (objection !== null) return createRecordRefusal('PAYMENT_NOT_RECORDED', `the payment: ${objection}`);
    const booking = { orderId, ...buildRecordedPayment(payment, { intentId: intent.id, ...lock }) };
    const result = await calls.callEpos('RecordOrderPaymentById', booking, 'record');
    if ('value' in result) return RECORDED_OUTCOME;
    const { outcome } = result;
    if (outcome.outcome === 'answered' && isPaymentRecorded(outcome.json, intent.id)) return RECORDED_OUTCOME;
    const isConflict = result.outcome.outcome === 'refused' && result.outcome.error.errorType === 'Conflict';
    return isConflict ? this.#resolveConflict(calls, { orderId, intent, payment, end: result.end }) : result.end;
  }

  /** A conflict may result from a booking that was just made. */
  async #resolveConflict(
    calls: OrderApiClient,
    recording: {
      readonly orderId: string;
      readonly intent: PaymentIntent;
      readonly payment: Payment;
      readonly end: TablesOutcome;
    },
  ): Promise<TablesOutcome> {
    const currentOrder = await calls.callEpos('GetOrderById', { orderId: recording.orderId }, 'record');
    if ('end' in currentOrder && findListedIntents(currentOrder.outcome)?.intentIds.has(recording.intent.id) === true) {
      return LISTED_OUTCOME;
    }
    if ('end' in currentOrder) return createBrokenCall('the EPOS answered Conflict, and its order cannot be read');
    return findListedOutcome(currentOrder.value, recording.intent, recording.payment) ?? recording.end;
  }

  /** Only money that a card machine of the account took is recorded: never that of a payment page. */
  async #findMachineObjection(scope: Scope, intent: PaymentIntent, payment: Payment): Promise<string | null> {
    const { tid, isUsed, deposit } = await this.database.read(scope, async (reader) => ({
      tid: await findTidOfIntent(reader, intent.id),
      isUsed: await hasTablePayment(reader, intent.id),
      deposit: await findDepositClaim(reader, intent.id),
    }));
    if (tid === null) return 'no card machine took it';
    if (deposit !== null) return 'it is the deposit of a party';
    if (isUsed) return 'another payment has it';
    const named = payment.methodDetails?.cardPresentPaymentInfo?.terminalId ?? '';
    return named === '' || named === tid ? null : 'another card machine took it';
  }

  #findIntent(scope: Scope, { methodDetails }: Payment): Promise<PaymentIntent | null> {
    const info = methodDetails?.cardPresentPaymentInfo ?? methodDetails?.remotePaymentInfo;
    const transactionId = info?.acquirerTransactionId ?? '';
    if (transactionId === '') return Promise.resolve(null);
    return this.database.read(scope, (reader) => findIntentByTransaction(reader, transactionId));
  }
}

/** Whether the intent on the order is this payment, or another payment of the same intent; null if it is not on the order. */
function findListedOutcome(
  { payments = [] }: EposOrder,
  intent: PaymentIntent,
  payment: Payment,
): TablesOutcome | null {
  const listedPayment = payments.find(({ paymentIntentId }) => paymentIntentId === intent.id);
  if (listedPayment === undefined) return null;
  const { paidAmount, tipsAmount = { value: 0, currencyCode: paidAmount.currencyCode } } = listedPayment;
  const isSame =
    isSameAmount(paidAmount, toMoney(payment, payment.baseAmount)) &&
    isSameAmount(tipsAmount, toMoney(payment, payment.gratuityAmount));
  return isSame
    ? LISTED_OUTCOME
    : createRecordRefusal('PAYMENT_NOT_RECORDED', 'the order lists this payment with other amounts');
}

function findListedIntents(outcome: DataOutcome): ListedIntents | null {
  return outcome.outcome === 'answered' ? readListedIntents(outcome.json) : null;
}

/** The simulator relays its messages unchecked. */
export function hasValidAmounts({ currency, baseAmount, gratuityAmount, cashbackAmount }: Payment): boolean {
  const amounts = [baseAmount, gratuityAmount, cashbackAmount];
  return /^[A-Z]{3}$/.test(currency) && amounts.every((amount) => amount >= 0n && amount <= BigInt(AMOUNT_MAX));
}

function sumPayment(payment: Payment): Money {
  const { baseAmount, gratuityAmount, cashbackAmount, currency } = payment;
  const amountParts = [baseAmount, gratuityAmount, cashbackAmount].map((value) => toMoney(payment, value));
  return sum(amountParts, currency);
}

function toMoney({ currency }: Payment, value: bigint): Money {
  return money(Number(value), currency);
}

function createRecordRefusal(
  code: Extract<TablesOutcome, { outcome: 'refused' }>['code'],
  reason: string,
): TablesOutcome {
  return { outcome: 'refused', code, reason };
}

const LISTED_OUTCOME = createRecordRefusal('PAYMENT_ALREADY_RECORDED', 'the order lists this payment');
const RECORDED_OUTCOME: TablesOutcome = { outcome: 'answered', answer: { $case: 'recordPayment', value: {} } };
