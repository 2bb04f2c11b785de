import { expect, test } from '@jest/globals';
import { CARD_SCHEMES, SCHEMES } from '@pos/core/cards';
import { toStorable } from '@pos/core/refusals';
import { CardPresentResult, Report, Scheme } from '@pos/grpc-contracts/card-machine';
import { CardScheme } from '@pos/grpc-contracts/tables';
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

test('each scheme that the contracts name, and no other, is one that the service knows', () => {
  const listNamed = (names: readonly string[]) =>
    names.filter((name) => !/UN(SPECIFIED|RECOGNIZED|KNOWN)$/.test(name)).sort();
  const known = CARD_SCHEMES.map((scheme) => SCHEMES[scheme]);
  expect(listNamed(Object.values(Scheme))).toEqual(known.map(({ machineName }) => machineName).sort());
  expect(listNamed(Object.values(CardScheme))).toEqual(known.map(({ tablesName }) => tablesName).sort());
});

test.each([
  ...CARD_SCHEMES.map((scheme) => [Scheme[SCHEMES[scheme].machineName], scheme] as const),
  [Scheme.SCHEME_UNSPECIFIED, 'UNKNOWN'],
  [Scheme.UNRECOGNIZED, 'UNKNOWN'],
])('an approval with an unknown card scheme is booked: %s is %s', (scheme, cardType) => {
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
])('an approval with invalid card details is booked: %j', (sent, card) => {
  expect(readReport(buildApprovedReport(sent))).toMatchObject({ kind: 'approved', approval: { card } });
});

function readResult(sent: Partial<CardPresentResult>) {
  const { event } = buildApprovedReport({});
  const base = event?.$case === 'approved' ? event.value.result : {};
  const result = CardPresentResult.fromPartial({ ...base, ...sent });
  return readReport(Report.fromPartial({ number: 1, event: { $case: 'approved', value: { result } } }));
}

test.each(['000123', 'TXN/2026-11-27/1', 'ab\0c', 'x'.repeat(300), '0190F3C2-7A51-7D33-9F11-6A1B2C3D4E5F'])(
  'an approval with an invalid transaction id is booked: %j',
  (transactionId) => {
    const read = readResult({ transactionId });
    expect(read).toMatchObject({ kind: 'approved' });
    expect(read).not.toHaveProperty('missing');
    expect(read).toMatchObject({ approval: { transactionId: transactionId.replaceAll('\0', '').slice(0, 200) } });
  },
);

test('a transaction id that is the number of the card is not stored', () => {
  const read = readResult({ transactionId: '4456530000091014' });
  expect(read).toMatchObject({ kind: 'approved', approval: { transactionId: '' }, missing: ['transaction id'] });
});

test.each<[string, Partial<CardPresentResult>, string[]]>([
  ['no card', { card: undefined }, ['card']],
  ['no time', { transactionAt: undefined }, ['time']],
  ['a time that is none', { transactionAt: new Date(Number.NaN) }, ['time']],
  ['a time after the year 9999', { transactionAt: new Date(8.64e15) }, ['time']],
  ['no transaction id', { transactionId: '' }, ['transaction id']],
  ['a currency in small letters', { currency: 'gbp' }, []],
])('an approval with %s is an approval', (_, sent, missing) => {
  expect(readResult(sent)).toMatchObject({
    kind: 'approved',
    approval: { amount: { value: 2_000, currencyCode: 'GBP' } },
    ...(missing.length > 0 && { missing }),
  });
});

test.each<[string, Partial<CardPresentResult>, string]>([
  ['a negative amount', { amount: -5n }, 'amount'],
  ['an amount beyond all', { amount: 2n ** 60n }, 'amount'],
  ['a currency by its number', { currency: '826' }, 'currency'],
  ['no currency', { currency: '' }, 'currency'],
])('an approval with %s is stored for operators to decide', (_, sent, problem) => {
  expect(readResult(sent)).toMatchObject({ kind: 'unreadableApproval', problem, details: { last4: '1014' } });
});

test.each([
  ['no result', Report.fromPartial({ number: 3, event: { $case: 'approved', value: {} } }), 'unreadableApproval'],
  ['no event', Report.fromPartial({ number: 3 }), 'unreadable'],
  [
    'a notification of a newer release',
    Report.fromPartial({ number: 3, event: { $case: 'notification', value: { type: 99 as never } } }),
    'unreadable',
  ],
])('a report with %s counts', (_, sent, kind) => {
  expect(readReport(sent)).toMatchObject({ number: 3, kind });
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

test.each(['4456530000091014', 'card 4456 5300 0009 1014 was swallowed'])(
  'a text of a machine with a card number is left out: %s',
  (text) => {
    const unable = Report.fromPartial({ number: 1, event: { $case: 'unable', value: { reason: text } } });
    expect(readReport(unable)).toMatchObject({ reason: 'left out, because it holds a card number' });
    const texts = { cardholderName: text, aid: text, panSequence: text, product: text };
    const approved = readReport(buildApprovedReport(texts));
    expect(approved).toMatchObject({
      kind: 'approved',
      approval: { card: { cardName: null }, aid: null, panSequence: null, cardProduct: null },
    });
    expect(JSON.stringify(approved)).not.toContain('0009');
  },
);

test.each([
  ['a mask of 6 and 4', { maskedNumber: '445653******1014' }, null],
  ['a mask with a NUL', { maskedNumber: '445653\0******1014' }, null],
  ['a number in clear', { maskedNumber: '4456530000091014' }, 'the masked number hides no digit'],
  ['no mask', { maskedNumber: '' }, 'the masked number is missing'],
  ['last digits that are none', { last4Pan: '10x4' }, 'the last digits are not four digits'],
])('of %s is logged: %s', (_, card, fault) => {
  expect(findDigitsProblem(buildApprovedReport(card))).toBe(fault);
});
