import type {
  EposAnswer,
  EposCall,
  EposPort,
  OrderPayment,
  RecordAnswer,
  RecordReply,
  UncheckedBill,
} from '@pos/core/tables';
import type { Scope } from '@pos/core/identity';
import { cutStorableText, requireValue } from '@pos/core/refusals';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { toRequestorInfo } from '@pos/payments/tables';
import { isPaymentRecorded, readListedIntents } from '@pos/rest-contracts/epos-data';
import { buildRequestorHeaders } from '../order-sessions/order-api-client.js';
import type { OrderLocks } from '../order-sessions/order-locks.js';
import { buildRecordedPayment } from '../order-sessions/order-payment-recorder.js';
import type { EposDataClient } from '../epos-routing/epos-data-client.js';
import type { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { toEposSilence } from '../epos-calls/epos-wire.js';
import type { TablesAnswer, TablesCall } from '@pos/grpc-contracts/tables-methods';
import { type CallFailure, describeEarlyEnd } from '../epos-calls/call-failure.js';
import type { CallFence, TablesOutcome } from '../epos-calls/tables-call.js';
import type { DataCallRequest, DataOutcome } from '../epos-calls/data-call.js';

/** The EPOS of one account, for payments at tables. It returns bills unchecked. */
export class AccountEposClient implements EposPort {
  constructor(
    private readonly parts: {
      readonly tablesClient: Pick<EposTablesClient, 'callTables'>;
      readonly dataClient: Pick<EposDataClient, 'callData'>;
      readonly locks: Pick<OrderLocks, 'findLockId'>;
    },
    private readonly scope: Scope,
  ) {}

  async getBill(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(call.requestor) };
    return this.#callForValue({ $case: 'getBillItems', value }, call, findBill);
  }

  async lockSession(sessionId: string, call: EposCall): Promise<EposAnswer<UncheckedBill>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(call.requestor) };
    return this.#callForValue({ $case: 'lockSession', value }, call, findBill);
  }

  async unlockSession(sessionId: string, call: EposCall): Promise<EposAnswer<null>> {
    const value = { sessionId, requestorInfo: toRequestorInfo(call.requestor) };
    const answer = await this.#callForValue({ $case: 'unlockSession', value }, call, () => ({ is: 'unlocked' }));
    return answer.outcome === 'answered' ? { outcome: 'answered', value: null } : answer;
  }

  /** The message is an encoded RecordPaymentRequest, as it was stored. */
  async recordPayment(
    message: Uint8Array,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply> {
    const { paymentId } = call;
    // An unsuccessful attempt is reported without a runner, so there is no fence.
    const fence = paymentId === '' ? null : buildCallFence(call);
    const value = RecordPaymentRequest.decode(message);
    const outcome = await this.#callTables({ $case: 'recordPayment', value }, call, fence);
    return toRecordReply(outcome);
  }

  async recordOnOrder(
    message: Uint8Array,
    { orderId, intentId }: OrderPayment,
    call: EposCall & { readonly paymentId: string; readonly fence: bigint },
  ): Promise<RecordReply> {
    const { payment } = RecordPaymentRequest.decode(message);
    const paymentMessage = requireValue(payment, 'the payment of a record message');
    const { lockId, isGone } = await this.parts.locks.findLockId(this.scope, paymentMessage.sessionId);
    if (isGone) return { answer: 'SESSION_NOT_LOCKED', reason: 'our lock on the order is lost' };
    const dataOutcome = await this.#callData(call, {
      name: 'RecordOrderPaymentById',
      params: { orderId, ...buildRecordedPayment(paymentMessage, { intentId, lockId }) },
      fence: buildCallFence(call),
    });
    if (dataOutcome.outcome === 'answered') {
      return isPaymentRecorded(dataOutcome.json, intentId)
        ? { answer: 'Success', reason: '' }
        : {
            answer: 'NoAnswer',
            reason: 'the answer does not show whether the payment is recorded',
            isEarly: true,
          };
    }
    if (dataOutcome.outcome !== 'refused') return toFailureReply(dataOutcome);
    const { errorType, debugMessage = '' } = dataOutcome.error;
    return { answer: errorType, reason: cutStorableText(debugMessage, RECORD_REASON_LENGTH_MAX) };
  }

  async isOnOrder({ orderId, intentId }: OrderPayment, call: EposCall): Promise<boolean | null> {
    const dataOutcome = await this.#callData(call, { name: 'GetOrderById', params: { orderId }, fence: null });
    const listed = dataOutcome.outcome === 'answered' ? readListedIntents(dataOutcome.json) : null;
    if (listed?.intentIds.has(intentId) === true) return true;
    return listed?.isComplete === true ? false : null;
  }

  async #callData(
    { requestor, deadlineMs }: EposCall,
    callRequest: Pick<DataCallRequest, 'name' | 'params' | 'fence'>,
  ): Promise<DataOutcome> {
    const { scope } = this;
    const headers = buildRequestorHeaders(requestor);
    return (await this.parts.dataClient.callData({ ...callRequest, scope, headers, waitMs: deadlineMs, faults: null }))
      .outcome;
  }

  async #callForValue<T>(
    callRequest: TablesCall,
    call: EposCall,
    extractValue: (answer: TablesAnswer) => T | null,
  ): Promise<EposAnswer<T>> {
    const outcome = await this.#callTables(callRequest, call, null);
    switch (outcome.outcome) {
      case 'answered': {
        const value = extractValue(outcome.answer);
        if (value !== null) return { outcome: 'answered', value };
        return { outcome: 'noAnswer', reason: 'the answer of the EPOS has no bill', isEarly: true };
      }
      case 'refused':
        return outcome;
      case 'credentialsRefused':
      case 'notSent':
      case 'noAnswer':
        return { outcome: toEposSilence(outcome.outcome), reason: outcome.reason, ...describeEarlyEnd(outcome) };
    }
  }

  async #callTables(call: TablesCall, { deadlineMs }: EposCall, fence: CallFence | null): Promise<TablesOutcome> {
    const { scope } = this;
    return (await this.parts.tablesClient.callTables({ scope, call, waitMs: deadlineMs, fence, faults: null })).outcome;
  }
}

function buildCallFence({ paymentId, fence }: { readonly paymentId: string; readonly fence: bigint }): CallFence {
  return { kind: 'table-payment', subject: paymentId, fence: Number(fence) };
}

function findBill(answer: TablesAnswer): UncheckedBill | null {
  return answer.$case === 'lockSession' || answer.$case === 'getBillItems' ? (answer.value.billItems ?? null) : null;
}

/** The answers for outcomes without an answer of the EPOS. */
const FAILURE_ANSWERS = {
  credentialsRefused: 'CredentialsRefused',
  notSent: 'NotSent',
  noAnswer: 'NoAnswer',
} as const satisfies Record<CallFailure['outcome'], RecordAnswer>;
const RECORD_REASON_LENGTH_MAX = 1_000;

function toRecordReply(outcome: TablesOutcome): RecordReply {
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
      return toFailureReply(outcome);
  }
}

function toFailureReply(outcome: CallFailure): RecordReply {
  return { answer: FAILURE_ANSWERS[outcome.outcome], reason: outcome.reason, ...describeEarlyEnd(outcome) };
}
