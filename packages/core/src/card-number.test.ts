import { describe, expect, test } from '@jest/globals';
import { CardNumber, Cv2, holdsCardNumber, isPast, lastDayOf, readExpiry } from './card-number.js';

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
    '٤٤٥٦٥٣٠٠٠٠٠٩١٠١٤',
  ])('%j is none', (text) => {
    expect(CardNumber.read(text)).toBeNull();
  });
});

test.each([
  ['020', true],
  [' 1234 ', true],
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
  ['13/32', null],
  ['00/32', null],
  ['1/32', null],
  ['12/2032', null],
  ['1232', null],
])('%j is good until %s', (text, until) => {
  const expiry = readExpiry(text);
  expect(expiry === null ? null : lastDayOf(expiry)).toBe(until);
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
    'Visa:4456530000091014.',
    '5200-0000-0000-1005',
    '3740 000000 09108',
    '3056 930902 5904',
    '6759649826438453',
    '12 4456530000091014 3',
  ])('%j', (text) => {
    expect(holdsCardNumber(text, 'any')).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['a wrong check digit', '4456530000091015'],
    ['a range that none of our schemes has', '3530111333300000'],
    ['a length that the scheme does not give', '500000000611'],
    ['an article number', '4006381333931'],
    ['a part of a longer number', '94456530000091014'],
    ['a hash', 'a4456530000091014000000000000000'],
    ['a number broken otherwise', '44 5653 000009 1014'],
    ['groups that are not divided alike', '4456 5300-0009 1014'],
    ['a phone number', '+44 20 7946 0958'],
    ['an account', 'GB29 NWBK 6016 1331 9268 19'],
  ])('%s: not', (_, text) => {
    expect(holdsCardNumber(text, 'any')).toBe(false);
  });

  test('in one piece it may be an id, in groups it is a card', () => {
    expect(holdsCardNumber('4456530000091014', 'grouped')).toBe(false);
    expect(holdsCardNumber('4456 5300 0009 1014', 'grouped')).toBe(true);
  });
});
