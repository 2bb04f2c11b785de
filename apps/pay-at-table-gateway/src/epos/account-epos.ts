import type { UncheckedBill } from '@pos/core/bill';
import type { Scope } from '@pos/core/identity';
import { required } from '@pos/core/assert';
import type { EposAnswer, EposCall, EposPort, OrderedPayment, RecordReply } from '@pos/core/ports';
import type { RecordAnswer } from '@pos/core/record-answer';
import { cutStorableText } from '@pos/core/storable-text';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { toRequestorInfo } from '@pos/payments/record-message';
import { readEposAnswer } from '@pos/rest-contracts/epos-data-reading';
import { headersOf } from '../orders/order-calls.js';
import type { OrderLocks } from '../orders/order-locks.js';
import { orderRecordOf } from '../orders/order-records.js';
import type { EposRouter } from './epos-router.js';
import { silenceOf } from './epos-wire.js';
import type { TablesAnswer, TablesCall } from '@pos/grpc-contracts/tables-methods';
import type { CallFence, DataOutcome, DataWish, EposOutcome, NoOutcome } from './tables-call.js';

/** The EPOS of one account, as a payment at a table asks of it. Bills are handed over as they came: unchecked. */
export class AccountEpos implements EposPort {
  constructor(
    private readonly router: Pick<EposRouter, 'call' | 'ask'>,
    private readonly scope: Scope,
    private readonly locks: Pick<OrderLocks, 'idFor'>,
  ) {}

  async getBill(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(call.requestor) };
    return this.#asked({ $case: 'getBillItems', value }, call, billOf);
  }

  async lockSession(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(call.requestor) };
    return this.#asked({ $case: 'lockSession', value }, call, billOf);
  }

  async unlockSession(sessionId: string, call: EposCall): Promise<EposAnswer<null>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(call.requestor) };
    const answer = await this.#asked({ $case: 'unlockSession', value }, call, () => ({ is: 'unlocked' }));
    return answer.outcome === 'answered' ? { outcome: 'answered', value: null } : answer;
  }

  /** The message is an encoded RecordPaymentRequest, as it was stored. */
  async recordPayment(
    message: Uint8Array,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply> {
    const { paymentId } = call;
    // An attempt that took no money is told without a runner, so there is no fence to be held.
    const fence = paymentId === '' ? null : fenceOf(call);
    const value = RecordPaymentRequest.decode(message);
    const outcome = await this.#call({ $case: 'recordPayment', value }, call, fence);
    return recordAnswerOf(outcome);
  }

  async recordOnOrder(
    message: Uint8Array,
    { orderId, intentId }: OrderedPayment,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply> {
    const { payment } = RecordPaymentRequest.decode(message);
    const told = required(payment, 'the payment of a record message');
    const { lockId, isGone } = await this.locks.idFor(this.scope, told.sessionId);
    if (isGone) return { answer: 'SESSION_NOT_LOCKED', reason: 'our lock on the order is gone' };
    const said = await this.#askOrders(call, {
      name: 'RecordOrderPaymentById',
      params: { orderId, ...orderRecordOf(told, { intentId, lockId }) },
      fence: fenceOf(call),
    });
    if (said.outcome === 'answered') {
      const reading = readEposAnswer('RecordOrderPaymentById', said.json);
      return reading.ok ? { answer: 'Success', reason: '' } : { answer: 'NoAnswer', reason: reading.reason };
    }
    if (said.outcome !== 'refused') return { answer: SILENCES[said.outcome], reason: said.reason };
    const { errorType, debugMessage = '' } = said.error;
    return { answer: errorType, reason: cutStorableText(debugMessage, REASON_LENGTH_MAX) };
  }

  async isOnOrder({ orderId, intentId }: OrderedPayment, call: EposCall): Promise<boolean | null> {
    const said = await this.#askOrders(call, { name: 'GetOrderById', params: { orderId }, fence: null });
    const reading = said.outcome === 'answered' ? readEposAnswer('GetOrderById', said.json) : null;
    if (reading?.ok !== true) return null;
    return (reading.value.payments ?? []).some((payment) => payment.paymentIntentId === intentId);
  }

  async #askOrders(
    { requestor, deadlineMs }: EposCall,
    asked: Pick<DataWish, 'name' | 'params' | 'fence'>,
  ): Promise<DataOutcome> {
    const { scope } = this;
    const headers = headersOf(requestor);
    return (await this.router.ask({ ...asked, scope, headers, waitMs: deadlineMs, faults: null })).outcome;
  }

  async #asked<T>(asked: TablesCall, call: EposCall, read: (answer: TablesAnswer) => T | null): Promise<EposAnswer<T>> {
    const outcome = await this.#call(asked, call, null);
    switch (outcome.outcome) {
      case 'answered': {
        const value = read(outcome.answer);
        if (value !== null) return { outcome: 'answered', value };
        return { outcome: 'noAnswer', reason: 'the EPOS left the bill out of its answer' };
      }
      case 'refused':
        return outcome;
      case 'credentialsRefused':
      case 'notSent':
      case 'noAnswer':
        return { outcome: silenceOf(outcome.outcome), reason: outcome.reason };
    }
  }

  async #call(call: TablesCall, { deadlineMs }: EposCall, fence: CallFence | null): Promise<EposOutcome> {
    const { scope } = this;
    return (await this.router.call({ scope, call, waitMs: deadlineMs, fence, faults: null })).outcome;
  }
}

function fenceOf({ paymentId, fence }: { readonly paymentId: string; readonly fence: bigint }): CallFence {
  return { kind: 'table-payment', subject: paymentId, fence: Number(fence) };
}

function billOf(answer: TablesAnswer): UncheckedBill | null {
  return answer.$case === 'lockSession' || answer.$case === 'getBillItems' ? (answer.value.billItems ?? null) : null;
}

/** Of an outcome that no EPOS has had a say in. */
const SILENCES = {
  credentialsRefused: 'CredentialsRefused',
  notSent: 'NotSent',
  noAnswer: 'NoAnswer',
} as const satisfies Record<NoOutcome['outcome'], RecordAnswer>;
const REASON_LENGTH_MAX = 1_000;

function recordAnswerOf(outcome: EposOutcome): RecordReply {
  switch (outcome.outcome) {
    case 'answered':
      return { answer: 'Success', reason: '' };
    case 'refused': {
      const { code: answer, outcome: _, ...rest } = outcome;
      return { answer, ...rest };
    }
    case 'credentialsRefused':
    case 'notSent':
    case 'noAnswer':
      return { answer: SILENCES[outcome.outcome], reason: outcome.reason };
  }
}
