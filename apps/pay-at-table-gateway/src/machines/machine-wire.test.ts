import { expect, test } from '@jest/globals';
import { type CardPresentResult, Report, Scheme } from '@pos/grpc-contracts/card-machine';
import { readReport } from './machine-wire.js';

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
  ['a number in clear', { maskedNumber: '4456530000091014' }],
  ['last digits that are none', { last4Pan: '10x4' }],
  ['a name with a NUL', { cardholderName: 'A\0B' }],
])('a result with %s is not read', (_, card) => {
  expect(readReport(approvedWith(card))).toBeNull();
});
