import { describe, expect, test } from '@jest/globals';
import { CARD_SCHEMES } from '@pos/core/cards';
import { Booking, BookingKind, BookingStatus, type CardSummary, Outcome, Result } from '@pos/grpc-contracts/acquirer';
import { answerFromWire, bookingFromWire } from './acquirer-wire.js';

const CARD = {
  maskedNumber: '44565300****1014',
  last4Pan: '1014',
  fundingType: 'Debit',
  expiryMonth: 12,
  expiryYear: 2032,
} satisfies Partial<CardSummary>;

function result(outcome: Outcome, card: Partial<CardSummary>): Result {
  return Result.fromPartial({
    ...{ reference: 'ref', transactionId: 'tx', authCode: '123456', amount: 2_000n, currency: 'GBP', outcome },
    ...{ processedAt: new Date(0), card: { ...CARD, ...card } },
  });
}

function approvedCard(card: Partial<CardSummary>): unknown {
  const answer = answerFromWire(result(Outcome.OUTCOME_APPROVED, card));
  return answer.outcome === 'approved' ? answer.approval.card : answer;
}

describe('a payment that was approved is not lost for what is said of its card', () => {
  test.each(CARD_SCHEMES)('%s is shown', (scheme) => {
    expect(approvedCard({ scheme })).toMatchObject({ cardType: scheme, cardFundingType: 'Debit' });
  });

  test.each(['JCB', 'UNIONPAY', 'Visa', 'SCHEME_VISA', '', 'toString'])('"%s" is no scheme of ours', (scheme) => {
    expect(approvedCard({ scheme })).toMatchObject({ cardType: 'UNKNOWN', last4PAN: '1014' });
  });

  test.each(['', 'Barter'])('"%s" is no funding of ours', (fundingType) => {
    expect(approvedCard({ scheme: 'VISA', fundingType })).toMatchObject({ cardFundingType: 'Unknown' });
  });

  test.each([
    [{ maskedNumber: '445653******1014' }, { cardNumber: '445653******1014', last4PAN: '1014' }],
    [
      { maskedNumber: '37400000****9108', last4Pan: '9108' },
      { cardNumber: '374000******9108', last4PAN: '9108' },
    ],
    [{ maskedNumber: '4456530000091014' }, { cardNumber: '************1014', last4PAN: '1014' }],
    [
      { maskedNumber: '4456530000091014', last4Pan: '' },
      { cardNumber: '', last4PAN: '' },
    ],
  ])('of %j no more is kept than may be', (card, kept) => {
    expect(approvedCard(card)).toMatchObject(kept);
  });

  test('a month that there is not is no expiry', () => {
    expect(approvedCard({ scheme: 'VISA', expiryMonth: 13 })).toMatchObject({ expiryDate: null });
  });
});

test('texts of the acquirer that no database stores are cleaned', () => {
  const sent = {
    ...result(Outcome.OUTCOME_DECLINED, { cardholderName: 'A\0DA', scheme: 'VISA' }),
    message: 'no\0 funds',
  };
  expect(answerFromWire(sent)).toMatchObject({ decline: { said: 'no funds', card: { cardName: 'ADA' } } });
  const approval = { ...result(Outcome.OUTCOME_APPROVED, { scheme: 'VISA' }), authCode: '12\0', transactionId: 't\0' };
  expect(answerFromWire(approval)).toMatchObject({ approval: { authCode: '12', acquirerTransactionId: 't' } });
  const booking = Booking.fromPartial({
    ...{ reference: 'a\0', originalReference: 'b\0', currency: 'GBP', bookedAt: new Date(0) },
    ...{ kind: BookingKind.BOOKING_KIND_REFUND, status: BookingStatus.BOOKING_STATUS_BOOKED },
  });
  expect(bookingFromWire(booking)).toMatchObject({ reference: 'a', originalReference: 'b' });
});

test.each(['JCB', ''])('the card of a refused payment is not shown when its scheme is "%s"', (scheme) => {
  expect(answerFromWire(result(Outcome.OUTCOME_DECLINED, { scheme }))).toMatchObject({ decline: { card: null } });
});
