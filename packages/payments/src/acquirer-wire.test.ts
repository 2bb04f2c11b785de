import { describe, expect, test } from '@jest/globals';
import { CARD_SCHEMES } from '@pos/core/card';
import { type CardSummary, Outcome, Result } from '@pos/grpc-contracts/acquirer';
import { answerFromWire } from './acquirer-wire.js';

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

test.each(['JCB', ''])('the card of a refused payment is not shown when its scheme is "%s"', (scheme) => {
  expect(answerFromWire(result(Outcome.OUTCOME_DECLINED, { scheme }))).toMatchObject({ decline: { card: null } });
});
