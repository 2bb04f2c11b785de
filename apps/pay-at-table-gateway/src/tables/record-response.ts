import { status } from '@grpc/grpc-js';
import { Refusal } from '@pos/core/refusals';
import { findRecordMeaning, isEposErrorCode, isProofOver, type RecordReply, type TablePayment } from '@pos/core/tables';
import type { RecordPaymentResponse } from '@pos/grpc-contracts/tables';
import { createTablesFailure, GrpcFailure } from '@pos/service-kit/grpc';
import { toNoAnswerFailure, toRefusalFailure } from '../epos-calls/epos-failure.js';

/** The reply of a call whose payment has not been sent to the EPOS by this process. */
export const NO_REPLY: RecordReply = { answer: 'NotSent', reason: '' };

const OPERATOR_DECIDES = 'an operator decides about the money';

/**
 * The response for the device, or null while waiting may bring the outcome. Only the service's own next steps are waited
 * for, never a person. A payment that an earlier call recorded is refused as such.
 */
export function toRecordResponse(
  payment: TablePayment,
  recordReply: RecordReply,
  isRepeat: boolean,
): RecordPaymentResponse | null {
  switch (payment.state) {
    case 'Recorded':
      if (isRepeat) throw createTablesFailure('PAYMENT_ALREADY_RECORDED', 'this payment is recorded');
      return {};
    case 'Refused':
    case 'GivingBack':
    case 'GivenBack':
    case 'Ended':
      throw createNotRecordedFailure(payment, recordReply);
    case 'Unproved':
      if (!isProofOver(payment)) return null;
      throw new Refusal(
        'card_transaction_unusable',
        `no card transaction proves this payment (${payment.lastError ?? 'none is known'}): an operator decides about it`,
      );
    case 'NeedsOperator':
      if (isCertainlyNotRecorded(payment))
        throw createNotRecordedFailure(payment, recordReply, `: ${OPERATOR_DECIDES}`);
      // PAYMENT_NOT_RECORDED would be untrue, and a device that trusts it takes a second payment.
      throw createTablesFailure(
        'ERROR_INTERNAL_POS_ERROR',
        `it is not known whether the EPOS has recorded it (${payment.lastError ?? 'no answer'}): ${OPERATOR_DECIDES}`,
      );
    case 'RecordUnknown':
      if (recordReply.answer !== 'CredentialsRefused') return null;
      throw new GrpcFailure(
        status.UNAVAILABLE,
        `${recordReply.reason}: the service repeats the call once an operator has corrected the credentials of the EPOS`,
      );
    case 'Started':
    case 'Approved':
    case 'Recording':
      return null;
  }
}

/** The failure of a call whose time is over before the outcome is known. */
export function createOpenFailure(payment: TablePayment | null): GrpcFailure {
  const missing =
    payment?.state === 'Unproved'
      ? 'the card transaction is not found yet; the service looks for it'
      : 'the EPOS has not answered yet; the service repeats the call';
  return new GrpcFailure(status.DEADLINE_EXCEEDED, missing);
}

/** The failure of a call that stores nothing and is never repeated. */
export function toReplyFailure({ answer, reason, ...more }: RecordReply): GrpcFailure {
  if (isEposErrorCode(answer)) return toRefusalFailure({ code: answer, reason, ...more });
  if (answer === 'NoAnswer') return toNoAnswerFailure({ reason, ...more });
  return new GrpcFailure(status.UNAVAILABLE, reason);
}

/**
 * Whether the EPOS certainly has not recorded a payment that waits for an operator. An unanswered call may have been
 * recorded. With a give-back only one that is still under way excludes the record: otherwise both have happened.
 */
function isCertainlyNotRecorded({ isUnanswered, giveBackSince, nextStep }: TablePayment): boolean {
  return giveBackSince === null ? !isUnanswered : nextStep === 'giveBack';
}

/**
 * The failure of a payment that is certainly not recorded: the EPOS's own code if its last answer is such a refusal. Other
 * answers, such as the conflict of an order, needed a look at the order, so their own form says less than the outcome.
 */
function createNotRecordedFailure(
  payment: TablePayment,
  { answer, reason, ...more }: RecordReply,
  consequence = '',
): GrpcFailure {
  const text = `${reason === '' ? (payment.lastError ?? 'the EPOS refused it') : reason}${consequence}`;
  const isOwnCode =
    isEposErrorCode(answer) && findRecordMeaning(answer, { isUnanswered: false, hasOrder: false }) === 'refused';
  return isOwnCode
    ? toRefusalFailure({ code: answer, reason: text, ...more })
    : createTablesFailure('PAYMENT_NOT_RECORDED', text);
}
