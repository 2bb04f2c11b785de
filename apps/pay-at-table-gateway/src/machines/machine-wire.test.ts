import { expect, test } from '@jest/globals';
import { toStorable } from '@pos/core/refusals/storable-text';
import { CardPresentResult, Report, Scheme } from '@pos/grpc-contracts/card-machine';
import { findDigitsProblem, readReport } from './machine-wire.js';

/** What a machine reports of a card, as it is on the wire. */
function buildApprovedReport(card: Partial<NonNullable<CardPresentResult['card']>>): Report {
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
  expect(readReport(buildApprovedReport({ scheme }))).toMatchObject({
    kind: 'approved',
    approval: { card: { cardType } },
  });
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
  expect(readReport(buildApprovedReport(sent))).toMatchObject({ kind: 'approved', approval: { card } });
});

test.each(['a\0b', `${'A'.repeat(99)}\u{1f600}`, `\0${'A'.repeat(99)}\u{1f600}`])(
  'every text of a report can be stored: %j',
  (text) => {
    const { event } = buildApprovedReport({ cardholderName: text, aid: text, panSequence: text, product: text });
    const result = CardPresentResult.fromPartial({
      ...(event?.$case === 'approved' ? event.value.result : {}),
      ...{ acquirerReference: text, authCode: text, merchantId: text },
    });
    const read = readReport(Report.fromPartial({ number: 1, event: { $case: 'approved', value: { result } } }));
    expect(read).toMatchObject({ kind: 'approved', approval: { authCode: expect.stringMatching(/^[aA]/) } });
    expect(toStorable(read)).toEqual(read);
  },
);

test('the reason of a machine that is unable can be stored, also where it is cut off', () => {
  const reason = `\0${'A'.repeat(499)}\u{1f600}`;
  const read = readReport(Report.fromPartial({ number: 1, event: { $case: 'unable', value: { reason } } }));
  expect(read).toEqual({ number: 1, kind: 'unable', reason: 'A'.repeat(499) });
});

test.each([
  ['a mask of 6 and 4', { maskedNumber: '445653******1014' }, null],
  ['a mask with a NUL', { maskedNumber: '445653\0******1014' }, null],
  ['a number in clear', { maskedNumber: '4456530000091014' }, 'the masked number hides no digit'],
  ['no mask', { maskedNumber: '' }, 'the masked number is missing'],
  ['last digits that are none', { last4Pan: '10x4' }, 'the last digits are not four digits'],
])('of %s is logged: %s', (_, card, fault) => {
  expect(findDigitsProblem(buildApprovedReport(card))).toBe(fault);
});
