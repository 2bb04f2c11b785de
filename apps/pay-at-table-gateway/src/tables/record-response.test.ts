import { status } from '@grpc/grpc-js';
import { describe, expect, test } from '@jest/globals';
import { gbp } from '@pos/core/testing';
import {
  createRelayedPayment,
  type RecordReply,
  TABLE_PAYMENT_STATES,
  type TablePayment,
  type TablePaymentState,
} from '@pos/core/tables';
import { Refusal } from '@pos/core/refusals';
import { GrpcFailure } from '@pos/service-kit/grpc';
import { createOpenFailure, NO_REPLY, toRecordResponse } from './record-response.js';

const NOW = new Date('2026-11-27T12:00:00Z');

function build(state: TablePaymentState, more: Partial<TablePayment> = {}): TablePayment {
  const identity = { id: 'p-1', origin: 'device', journeyId: null, leaseId: null, sessionId: 's-1' } as const;
  const amounts = { base: gbp(100), gratuity: gbp(0), cashback: gbp(0), paidBefore: null };
  const part = { ...identity, ...amounts, orderId: null, intentId: null };
  const { payment } = createRelayedPayment(part, new Uint8Array(), NOW);
  return { ...payment, state, nextStep: null, lastError: 'sold out', ...more };
}

/** The status and code that a device receives; `waits` while the call is open. */
function answer(payment: TablePayment, reply: RecordReply = NO_REPLY, isRepeat = false): string {
  try {
    return toRecordResponse(payment, reply, isRepeat) === null ? 'waits' : 'OK';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    if (!(error instanceof GrpcFailure)) throw error;
    return [status[error.status], error.tablesError?.code].filter((part) => part !== undefined).join(' ');
  }
}

const NOT_RECORDED = 'FAILED_PRECONDITION PAYMENT_NOT_RECORDED';
const ANSWERS: Record<TablePaymentState, string> = {
  Unproved: 'card_transaction_unusable',
  Started: 'waits',
  Approved: 'waits',
  Recording: 'waits',
  RecordUnknown: 'waits',
  Recorded: 'ALREADY_EXISTS PAYMENT_ALREADY_RECORDED',
  Refused: NOT_RECORDED,
  GivingBack: NOT_RECORDED,
  GivenBack: NOT_RECORDED,
  Ended: NOT_RECORDED,
  NeedsOperator: NOT_RECORDED,
};

describe('a repeated call waits only for the next steps of the service', () => {
  test.each(TABLE_PAYMENT_STATES)('%s', (state) => {
    expect(answer(build(state), NO_REPLY, true)).toBe(ANSWERS[state]);
  });
});

test('a search for the card transaction that still runs is waited for, and its end is named', () => {
  const searched = build('Unproved', { nextStep: 'prove' });
  expect(answer(searched)).toBe('waits');
  expect(createOpenFailure(searched).details).toContain('card transaction');
  expect(createOpenFailure(build('Recording')).details).toContain('the EPOS has not answered yet');
});

const UNKNOWN = 'INTERNAL ERROR_INTERNAL_POS_ERROR';

describe('a payment that waits for an operator is called not recorded only if that is certain', () => {
  test.each<[string, Partial<TablePayment>, string]>([
    ['refused', {}, NOT_RECORDED],
    ['refused, and its order is still watched', { orderId: 'o-1', nextStep: 'lookForRecord' }, NOT_RECORDED],
    ['its give-back is refused', { giveBackSince: NOW, nextStep: 'giveBack' }, NOT_RECORDED],
    ['a call stayed unanswered', { isUnanswered: true }, UNKNOWN],
    ['recorded and given back', { giveBackSince: NOW, givenBackAt: NOW }, UNKNOWN],
  ])('%s', (_, more, expected) => {
    expect(answer(build('NeedsOperator', more))).toBe(expected);
  });
});

describe('the answer of the EPOS', () => {
  test.each<[TablePaymentState, RecordReply['answer'], string]>([
    ['Refused', 'SESSION_NO_SUCH_SESSION', 'NOT_FOUND SESSION_NO_SUCH_SESSION'],
    ['NeedsOperator', 'SESSION_NO_SUCH_SESSION', 'NOT_FOUND SESSION_NO_SUCH_SESSION'],
    ['Refused', 'Conflict', NOT_RECORDED],
    ['NeedsOperator', 'InvalidRequest', NOT_RECORDED],
    ['GivingBack', 'NotFound', NOT_RECORDED],
    // Its last answer was none, and the order has shown that it is not recorded.
    ['Refused', 'NoAnswer', NOT_RECORDED],
    ['Refused', 'SESSION_NOT_LOCKED', NOT_RECORDED],
    ['RecordUnknown', 'NoAnswer', 'waits'],
    ['RecordUnknown', 'CredentialsRefused', 'UNAVAILABLE'],
  ])('%s after %s', (state, code, expected) => {
    expect(answer(build(state), { answer: code, reason: 'no' })).toBe(expected);
  });

  test('is in the text, with the decision that is open', () => {
    const read = (state: TablePaymentState) => {
      try {
        toRecordResponse(build(state), { answer: 'Conflict', reason: 'closed' }, false);
        return '';
      } catch (error) {
        return (error as GrpcFailure).details;
      }
    };
    expect(read('NeedsOperator')).toBe('closed: an operator decides about the money');
    expect(read('Refused')).toBe('closed');
  });
});
