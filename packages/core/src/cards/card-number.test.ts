import { describe, expect, test } from '@jest/globals';
import {
  CardNumber,
  Cv2,
  containsCardNumber,
  containsSecurityCode,
  isPast,
  findLastDay,
  readExpiry,
  readMaskedNumber,
  readShownDigits,
} from './card-number.js';

describe('a card number', () => {
  test.each([
    ['4456530000091014', '44565300****1014', 'VISA'],
    ['4456 5300 0009 1014', '44565300****1014', 'VISA'],
    ['5200-0000-0000-1005', '52000000****1005', 'MASTERCARD'],
    ['2221000000000009', '22210000****0009', 'MASTERCARD'],
    ['374000000009108', '374000******9108', 'AMEX'],
    ['500000000611', '50**********0611', 'MAESTRO'],
    ['6011000990139424', '60110009****9424', 'DISCOVER'],
    ['30569309025904', '305693******5904', 'DCI'],
    ['6759649826438453', '67596498****8453', 'MAESTRO'],
    ['3530111333300000', '35301113****0000', null],
  ])('%s is read, and shows %s of %s', (text, masked, scheme) => {
    const number = CardNumber.read(text);
    expect([number?.masked, number?.scheme, number?.last4]).toEqual([masked, scheme, masked.slice(-4)]);
  });

  test.each([
    '',
    '4456530000091015',
    '4456530000019014',
    '0000',
    '44565300000910144444',
    '4456530000O91014',
    'ⅣⅣⅤⅥⅤⅢⅠⅠⅠⅠⅠⅨⅠⅠⅠⅣ',
    '⁴⁴⁵⁶⁵³⁰⁰⁰⁰⁰⁹¹⁰¹⁴',
  ])('%j is none', (text) => {
    expect(CardNumber.read(text)).toBeNull();
  });

  test.each(['٤٤٥٦٥٣٠٠٠٠٠٩١٠١٤', '４４５６ ５３００ ０００９ １０１４', '\u200e4456 5300\u200f\u00ad 0009 1014\ufeff'])(
    '%j is read, as the payment page reads it',
    (text) => {
      expect(CardNumber.read(text)?.reveal()).toBe('4456530000091014');
    },
  );
});

describe('a masked number of a machine or an acquirer', () => {
  test.each([
    ['8 and 4 of a Visa card', '44565300****1014', '44565300****1014'],
    ['6 and 4 of a Visa card', '445653******1014', '445653******1014'],
    ['4 groups', '4456 53XX xxxx 1014', '445653******1014'],
    ['hyphens, hashes and dots', '5200-00##-..••-1014', '520000******1014'],
    ['19 digits', '44565300*******1014', '44565300****1014'],
    ['the last digits alone', '************1014', '************1014'],
    ['more leading digits than may be shown', '4456530000**1014', '44565300****1014'],
    ['8 and 4 of an American Express card of 15 digits', '37400000***1014', '374000******1014'],
    ['8 and 4 of an American Express card behind four asterisks', '37400000****1014', '374000******1014'],
    ['8 and 4 of a Diners card of 14 digits', '30569309**1014', '305693******1014'],
    ['8 and 4 of a Diners card behind four asterisks', '30569309****1014', '305693******1014'],
    ['8 and 4 of a Maestro card, which may be short', '67596498****1014', '675964******1014'],
    ['8 and 4 of an unknown scheme', '99996498****1014', '999964******1014'],
    ['a Visa mask of 13 characters', '44565300*1014', '44**********1014'],
  ])('%s is read: %s', (_says, text, masked) => {
    expect(readMaskedNumber(text, '1014')).toBe(masked);
  });

  test.each([
    ['a number in clear', '4456530000091014'],
    ['a number in clear, in groups', '4456 5300 0009 1014'],
    ['a number that hides its last digits', '445653000009****'],
    ['other last digits', '44565300****1015'],
    ['eleven leading digits', '44565300009*1014'],
    ['two fillers', '4456****53**1014'],
    ['letters', 'VISA****1014'],
    ['no text', ''],
    ['asterisks alone', '****************'],
  ])('%s is none', (_says, text) => {
    expect(readMaskedNumber(text, '1014')).toBeNull();
  });
});

test.each([
  ['44565300****1014', '1014', '44565300****1014', '1014', null],
  ['44565300****1014', '', '44565300****1014', '1014', 'the last digits are missing'],
  ['44565300****1014', '10x4', '44565300****1014', '1014', 'the last digits are not four digits'],
  ['44565300****1014', '1015', '************1015', '1015', 'the masked number ends in other digits'],
  ['4456530000091014', '1014', '************1014', '1014', 'the masked number hides no digit'],
  ['4456 5300 0009 1014', '1014', '************1014', '1014', 'the masked number hides no digit'],
  ['4456530000091014', '', '', '', 'the masked number hides no digit'],
  ['VISA 1014', '1014', '************1014', '1014', 'the masked number has no form that is known'],
  ['', '1014', '************1014', '1014', 'the masked number is missing'],
  [' - ', '', '', '', 'the masked number is missing'],
  ['', '10x4', '', '', 'the masked number is missing'],
])('of %j and %j is shown %j and %j: %s', (maskedNumber, last4, cardNumber, last4PAN, fault) => {
  expect(readShownDigits({ maskedNumber, last4 })).toEqual({ cardNumber, last4PAN, fault });
});

test.each([
  ['020', true],
  [' 1234 ', true],
  ['\u200e020\u200f', true],
  ['12', false],
  ['12345', false],
  ['12a', false],
])('%j as CV2 is right: %s', (text, isRight) => {
  expect(Cv2.read(text) !== null).toBe(isRight);
});

test.each([
  ['12/32', '2032-12-31'],
  ['02/28', '2028-02-29'],
  [' 1 2 / 3 2 ', '2032-12-31'],
  ['\u200e12/\u200f32', '2032-12-31'],
  ['13/32', null],
  ['00/32', null],
  ['1/32', null],
  ['12/2032', null],
  ['1232', null],
])('%j is good until %s', (text, until) => {
  const expiry = readExpiry(text);
  expect(expiry === null ? null : findLastDay(expiry)).toBe(until);
});

test('a card is good until the last moment of its month', () => {
  const expiry = { month: 2, year: 2028 };
  expect(isPast(expiry, new Date('2028-02-29T23:59:59.999Z'))).toBe(false);
  expect(isPast(expiry, new Date('2028-03-01T00:00:00.000Z'))).toBe(true);
});

describe('a text holds a card number', () => {
  test.each([
    '4456530000091014',
    'pay 4456530000091014, please',
    // JCB and UnionPay, which the service does not take.
    '3530111333300000',
    '6200000000000005',
    'Visa:4456530000091014.',
    '5200-0000-0000-1005',
    '3740 000000 09108',
    '3056 930902 5904',
    '6759649826438453',
    '12 4456530000091014 3',
    '4456 5300-0009 1014',
    '4456  5300  0009  1014',
    '4456\t5300\t0009\t1014',
    '4456_5300_0009_1014',
    '4456/5300/0009/1014',
    '４４５６ ５３００ ０００９ １０１４',
    '2026 4456 5300 0009 1014',
    '4456 5300 0009 1014 12',
  ])('%j', (text) => {
    expect(containsCardNumber(text, 'any')).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['a wrong check digit', '4456530000091015'],
    ['a range that no scheme has', '1111222233334444'],
    ['a length that the scheme does not give', '500000000611'],
    ['an article number', '4006381333931'],
    ['a part of a longer number', '94456530000091014'],
    ['a hash', 'a4456530000091014000000000000000'],
    ['a number broken otherwise', '44 5653 000009 1014'],
    ['groups with words between', '4456 and 5300 and 0009 and 1014'],
    ['a date, a time and a number of four', '2026-03-01 12.30 4456 5300'],
    ['a phone number', '+44 20 7946 0958'],
    ['an account', 'GB29 NWBK 6016 1331 9268 19'],
  ])('%s: not', (_, text) => {
    expect(containsCardNumber(text, 'any')).toBe(false);
  });

  test.each([
    'cv2 020',
    'CVV: 341',
    '{"cV2":"020"}',
    '{"card":{"securityCode":"4821"}}',
    '{"cvc":341}',
    'the security code is not said, csc=123',
    'card verification value 123',
  ])('%j contains a security code', (text) => {
    expect(containsSecurityCode(text)).toBe(true);
  });

  test.each([
    '',
    '020',
    'cv2',
    'cv2 12',
    'cv2 12345',
    'cvs 341',
    'acid 341',
    'table 341',
    'cv2 is not kept',
    '{"csc":"north"}',
  ])('%j contains none', (text) => {
    expect(containsSecurityCode(text)).toBe(false);
  });

  test('in one piece it may be an id, in groups it is a card', () => {
    expect(containsCardNumber('4456530000091014', 'grouped')).toBe(false);
    expect(containsCardNumber('4456 5300 0009 1014', 'grouped')).toBe(true);
  });

  test.each([
    '{"cardNumber":"4456530000091014"}',
    '{"card_no":4456530000091014}',
    '{"creditCard":"4456530000091014"}',
    'card number 4456530000091014',
    'PAN: 4456530000091014',
    '{"pan":"374000000009108"}',
    'paid by phone, cc-no. 4456530000091014',
  ])('%j states that its number is a card’s', (text) => {
    expect(containsCardNumber(text, 'grouped')).toBe(true);
  });

  test.each([
    '{"orderNumber":"4456530000091014"}',
    '{"giftCardNumber":"4456530000091014"}',
    'loyalty card number 4456530000091014',
    '{"card":"4456530000091014"}',
    'Japan 4456530000091014',
    'pan, copper, 4456530000091014',
    '{"cardNumber":"4456530000091015"}',
    '{"cardNumber":"4456530000091014000000"}',
  ])('%j may be an id', (text) => {
    expect(containsCardNumber(text, 'grouped')).toBe(false);
  });
});

test.each([
  ['Arabic digits', '٤٤٥٦٥٣٠٠٠٠٠٩١٠١٤'],
  ['Arabic digits in groups', 'card ٤٤٥٦ ٥٣٠٠ ٠٠٠٩ ١٠١٤'],
  ['Persian digits', '۴۴۵۶۵۳۰۰۰۰۰۹۱۰۱۴'],
  ['full-width digits', '４４５６５３０００００９１０１４'],
  ['direction marks between the digits', '4456\u200e5300\u200f0009\u00ad1014'],
  ['en dashes between the groups', '4456–5300–0009–1014'],
])('a card number is found in a text in %s', (_, text) => {
  expect(containsCardNumber(text, 'any')).toBe(true);
});

test('a security code is found in a text in Arabic digits', () => {
  expect(containsSecurityCode('cvv ١٢٣')).toBe(true);
  expect(containsSecurityCode('cvv: ۱۲۳۴')).toBe(true);
});
