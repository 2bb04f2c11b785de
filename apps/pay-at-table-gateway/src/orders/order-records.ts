import type { Scope } from '@pos/core/identity';
import { AMOUNT_MAX, isSameAmount, type Money, money, sum } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { Payment } from '@pos/grpc-contracts/tables';
import type { EposOrder, RecordedPayment } from '@pos/rest-contracts/epos-data-orders';
import { findPaymentObjection } from '@pos/payments/device-money';
import type { Database } from '@pos/store/database';
import { findIntentByTransaction } from '@pos/store/payment-intents';
import { type EposOutcome, noAnswer } from '../epos/tables-call.js';
import type { OrderCalls } from './order-calls.js';
import type { OrderLocks } from './order-locks.js';

/** The order that a payment told of at the table is to be recorded on. */
interface RecordPlace {
  readonly scope: Scope;
  readonly sessionId: string;
  readonly orderId: string;
}

/** What an order is told of a payment: cashback is no part of it, and a tip of nothing is left out. */
export function orderRecordOf(
  payment: Pick<Payment, 'currency' | 'baseAmount' | 'gratuityAmount'>,
  on: { readonly intentId: string; readonly lockId: string | null },
): RecordedPayment {
  const amountOf = (value: bigint) => ({ value: Number(value), currencyCode: payment.currency });
  return {
    paymentIntentId: on.intentId,
    paidAmount: amountOf(payment.baseAmount),
    ...(payment.gratuityAmount !== 0n && { tipsAmount: amountOf(payment.gratuityAmount) }),
    ...(on.lockId !== null && { lockId: on.lockId }),
  };
}

/**
 * Records on orders what somebody tells of by RecordPayment who keeps no payment with us: the simulator and the tester. An
 * order lists intents, so the payment must be one that the service has taken: it is found by the acquirer's name for it,
 * and must be this very money.
 */
export class OrderRecords {
  constructor(
    private readonly database: Database,
    private readonly locks: OrderLocks,
  ) {}

  /** Answers in the words of the pay-at-table contract. A definite refusal means that nothing was booked by this call. */
  async record(calls: OrderCalls, place: RecordPlace, payment: Payment): Promise<EposOutcome> {
    const { orderId } = place;
    if (!isReadable(payment)) return refused('ERROR_PARSE_ERROR', 'payment: its amounts or its currency are none');
    const read = await calls.get('GetOrderById', { orderId }, 'record');
    if ('end' in read) return read.end;
    // An attempt that took no money is nothing that an order could list.
    if (!payment.paymentSuccessful) return RECORDED;
    const lock = await this.locks.forRecord(calls, place);
    if (lock === null) return refused('SESSION_NOT_LOCKED', 'no lock of ours is on the order');
    const intent = await this.#intentOf(place.scope, payment);
    if (intent === null) return refused('PAYMENT_NOT_RECORDED', 'the payment is none that the service has taken');
    const listed = listedOn(read.value, intent, payment);
    if (listed !== null) return listed;
    const objection = findPaymentObjection(intent, totalOf(payment));
    if (objection !== null) return refused('PAYMENT_NOT_RECORDED', `the payment: ${objection}`);
    const booking = { orderId, ...orderRecordOf(payment, { intentId: intent.id, ...lock }) };
    const got = await calls.get('RecordOrderPaymentById', booking, 'record');
    if ('value' in got) return RECORDED;
    const isConflict = got.said.outcome === 'refused' && got.said.error.errorType === 'Conflict';
    return isConflict ? this.#afterConflict(calls, { orderId, intent, payment, end: got.end }) : got.end;
  }

  /** A conflict may be the echo of a booking that was just made. */
  async #afterConflict(
    calls: OrderCalls,
    on: {
      readonly orderId: string;
      readonly intent: PaymentIntent;
      readonly payment: Payment;
      readonly end: EposOutcome;
    },
  ): Promise<EposOutcome> {
    const again = await calls.get('GetOrderById', { orderId: on.orderId }, 'record');
    if ('end' in again) return noAnswer('the EPOS answered Conflict, and its order cannot be read');
    return listedOn(again.value, on.intent, on.payment) ?? on.end;
  }

  #intentOf(scope: Scope, { methodDetails }: Payment): Promise<PaymentIntent | null> {
    const info = methodDetails?.cardPresentPaymentInfo ?? methodDetails?.remotePaymentInfo;
    const transactionId = info?.acquirerTransactionId ?? '';
    if (transactionId === '') return Promise.resolve(null);
    return this.database.read(scope, (reader) => findIntentByTransaction(reader, transactionId));
  }
}

/** What it means that the order lists the intent: this payment, or another one of the same money; null when it does not. */
function listedOn({ payments = [] }: EposOrder, intent: PaymentIntent, payment: Payment): EposOutcome | null {
  const listed = payments.find(({ paymentIntentId }) => paymentIntentId === intent.id);
  if (listed === undefined) return null;
  const { paidAmount, tipsAmount = { value: 0, currencyCode: paidAmount.currencyCode } } = listed;
  const isSame =
    isSameAmount(paidAmount, amountOf(payment, payment.baseAmount)) &&
    isSameAmount(tipsAmount, amountOf(payment, payment.gratuityAmount));
  return isSame
    ? refused('PAYMENT_ALREADY_RECORDED', 'the order lists this payment')
    : refused('PAYMENT_NOT_RECORDED', 'the order lists this payment with other amounts');
}

/** The simulator relays whatever it is sent. */
function isReadable({ currency, baseAmount, gratuityAmount, cashbackAmount }: Payment): boolean {
  const amounts = [baseAmount, gratuityAmount, cashbackAmount];
  return /^[A-Z]{3}$/.test(currency) && amounts.every((amount) => amount >= 0n && amount <= BigInt(AMOUNT_MAX));
}

function totalOf(payment: Payment): Money {
  const { baseAmount, gratuityAmount, cashbackAmount, currency } = payment;
  const told = [baseAmount, gratuityAmount, cashbackAmount].map((value) => amountOf(payment, value));
  return sum(told, currency);
}

function amountOf({ currency }: Payment, value: bigint): Money {
  return money(Number(value), currency);
}

function refused(code: Extract<EposOutcome, { outcome: 'refused' }>['code'], reason: string): EposOutcome {
  return { outcome: 'refused', code, reason };
}

const RECORDED: EposOutcome = { outcome: 'answered', answer: { $case: 'recordPayment', value: {} } };
