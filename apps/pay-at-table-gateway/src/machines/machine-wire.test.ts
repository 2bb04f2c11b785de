import { expect, test } from '@jest/globals';
import { type CardPresentResult, Report, Scheme } from '@pos/grpc-contracts/card-machine';
import { hasUnreadableDigits, readReport } from './machine-wire.js';

/** What a machine says of a card, as it stands on the wire. */
function approvedWith(card: Partial<NonNullable<CardPresentResult['card']>>): Report {
  const value = {
    signatureRequired: false,
    result: {
      ...{
        acquirerReference: 'ref',
        transactionId: '00000000-0000-4000-8000-000000000001',
        transactionAt: new Date(0),
      },
      ...{ authCode: '123456', amount: 2_000n, currency: 'GBP', merchantId: 'merchant' },
      card: { maskedNumber: '44565300****1014', last4Pan: '1014', expiryMonth: 12, expiryYear: 2032, ...card },
    },
  };
  return Report.fromPartial({ terminalSessionId: 'ts', number: 1, event: { $case: 'approved', value } });
}

test.each([
  [Scheme.SCHEME_VISA, 'VISA'],
  [Scheme.SCHEME_AMEX, 'AMEX'],
  [Scheme.SCHEME_UNSPECIFIED, 'UNKNOWN'],
  [Scheme.UNRECOGNIZED, 'UNKNOWN'],
])('what a machine took is not lost for the scheme of its card: %s is %s', (scheme, cardType) => {
  expect(readReport(approvedWith({ scheme }))).toMatchObject({ kind: 'approved', approval: { card: { cardType } } });
});

test.each([
  [{ maskedNumber: '445653******1014' }, { cardNumber: '445653******1014', last4PAN: '1014' }],
  [{ maskedNumber: '4456 53XX XXXX 1014' }, { cardNumber: '445653******1014', last4PAN: '1014' }],
  [
    { maskedNumber: '37400000****9108', last4Pan: '9108' },
    { cardNumber: '374000******9108', last4PAN: '9108' },
  ],
  [{ maskedNumber: '' }, { cardNumber: '************1014', last4PAN: '1014' }],
  [{ maskedNumber: '4456530000091014' }, { cardNumber: '************1014', last4PAN: '1014' }],
  [
    { maskedNumber: '4456530000091014', last4Pan: '10x4' },
    { cardNumber: '', last4PAN: '' },
  ],
  [{ cardholderName: 'A\0B' }, { cardName: 'AB' }],
  [{ cardholderName: 'A'.repeat(101) }, { cardName: 'A'.repeat(100) }],
  [{ cardholderName: '\0' }, { cardName: null }],
])('what a machine took is not lost for what it says of the card: %j', (sent, card) => {
  expect(readReport(approvedWith(sent))).toMatchObject({ kind: 'approved', approval: { card } });
});

test.each([
  ['a mask of 6 and 4', { maskedNumber: '445653******1014' }, false],
  ['a number in clear', { maskedNumber: '4456530000091014' }, true],
  ['no mask', { maskedNumber: '' }, true],
  ['last digits that are none', { last4Pan: '10x4' }, true],
])('%s is to be logged: %s', (_, card, isUnreadable) => {
  expect(hasUnreadableDigits(approvedWith(card))).toBe(isUnreadable);
});
