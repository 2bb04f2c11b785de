import { expect, test } from '@jest/globals';
import {
  findScheme,
  formatExpiry,
  formatNumber,
  hasForeignCharacters,
  isCardNumber,
  isExpiryOutOfRange,
  isSecurityCode,
  readDigits,
  readExpiry,
} from './card-formats.js';

test.each([
  ['4456530000091014', '4456 5300 0009 1014', 'VISA'],
  ['4456-5300-0009-1014', '4456 5300 0009 1014', 'VISA'],
  ['5200000000001005', '5200 0000 0000 1005', 'MASTERCARD'],
  ['2221', '2221', 'MASTERCARD'],
  ['374000000009108', '3740 000000 09108', 'AMEX'],
  ['30569309025904', '3056 930902 5904', 'DCI'],
  ['6011000990139424', '6011 0009 9013 9424', 'DISCOVER'],
  ['6759649826438453', '6759 6498 2643 8453', 'MAESTRO'],
  ['4456530000091014123', '4456 5300 0009 1014 123', 'VISA'],
  // Digits that are too many are not dropped.
  ['44565300000910141234', '4456 5300 0009 1014 123 4', 'VISA'],
  // Arabic-Indic, Persian, Devanagari and Bengali digits, full-width ones, and mathematical ones outside the first plane.
  ['٤٤٥٦٥٣٠٠٠٠٠٩١٠١٤', '4456 5300 0009 1014', 'VISA'],
  ['۴۴۵۶ ۵۳۰۰ ۰۰۰۹ ۱۰۱۴', '4456 5300 0009 1014', 'VISA'],
  ['४४५६५३००००८९१०१४', '4456 5300 0089 1014', 'VISA'],
  ['৪৪৫৬', '4456', 'VISA'],
  ['４４５６－５３００－０００９－１０１４', '4456 5300 0009 1014', 'VISA'],
  ['𝟒𝟒𝟓𝟔𝟫', '4456 9', 'VISA'],
  // A copied number with direction marks.
  ['\u200e4456\u00a05300\u202c', '4456 5300', 'VISA'],
  ['44', '44', 'VISA'],
  ['9999', '9999', undefined],
  ['', '', undefined],
])('%s is written as %s, of %s', (typed, written, scheme) => {
  expect([formatNumber(typed), findScheme(typed)?.name]).toEqual([written, scheme]);
});

test.each([
  ['4456 5300 0009 1014', true],
  ['3740 000000 09108', true],
  ['4456 5300 0009 1015', false],
  ['4456 5300 0009', false],
  ['4', false],
  ['44565300000910144456', false],
  ['', false],
  ['card', false],
])('%s is the number of a card: %s', (typed, isNumber) => {
  expect(isCardNumber(typed)).toBe(isNumber);
});

test.each([
  ['1', '1', null],
  ['4', '04/', null],
  ['12', '12/', null],
  ['123', '12/3', null],
  ['1232', '12/32', '12/32'],
  ['12 32', '12/32', '12/32'],
  ['12/32', '12/32', '12/32'],
  ['12/2032', '12/2032', '12/32'],
  ['122032', '12/2032', '12/32'],
  ['1/32', '01/32', '01/32'],
  ['1 / 32', '01/32', '01/32'],
  ['432', '04/32', '04/32'],
  ['1332', '13/32', null],
  ['0032', '00/32', null],
  ['12/1932', '12/1932', null],
  ['12/203', '12/203', null],
  ['December', '', null],
  ['١٢/٣٢', '12/32', '12/32'],
  ['१२३२', '12/32', '12/32'],
  ['４／３２', '04/32', '04/32'],
  ['12 / 2032', '12/2032', '12/32'],
  ['12/20321', '12/20321', null],
])('the expiry %s is shown as %s and read as %s', (typed, shown, read) => {
  expect([formatExpiry(typed, false), readExpiry(typed)]).toEqual([shown, read]);
});

test.each([
  ['12/', '12/'],
  ['12', '12'],
  ['1', '1'],
  ['12/3', '12/3'],
])('while the payer deletes, %s stays %s', (typed, shown) => {
  expect(formatExpiry(typed, true)).toBe(shown);
});

test.each([
  ['11/26', false],
  ['12/26', false],
  ['10/26', true],
  ['12/25', true],
  ['11/51', false],
  ['12/51', true],
])('in November 2026 a card until %s is out of range: %s', (expiry, isOut) => {
  expect(isExpiryOutOfRange(expiry, new Date(2026, 10, 15))).toBe(isOut);
});

test.each([
  ['020', '4456', true],
  ['1234', '3740', true],
  ['123', '3740', false],
  ['1234', '4456', false],
  ['12', '4456', false],
  ['', '4456', false],
  ['12a', '4456', false],
  ['٠٢٠', '4456', true],
  ['０２０', '४४५६', true],
  // The frame of a saved card does not know its scheme.
  ['123', null, true],
  ['1234', null, true],
  ['12345', null, false],
])('the code %s of a card %s is right: %s', (code, number, isRight) => {
  expect(isSecurityCode(code, number)).toBe(isRight);
});

test.each([
  ['4456 5300-0009.1014', false],
  ['٤٤٥٦', false],
  ['12 / 32', false],
  ['４４５６－５３００', false],
  ['\u200e4456\u202c', false],
  ['', false],
  ['4456O', true],
  ['四四五六', true],
  ['4456²', true],
  ['①', true],
])('%s has characters that are no digits: %s', (typed, has) => {
  expect(hasForeignCharacters(typed)).toBe(has);
});

test('every decimal digit of Unicode is read as its value', () => {
  const digits = Array.from({ length: 0x1_ffff }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /^\p{Nd}$/u.test(character));
  expect(digits.length % 10).toBe(0);
  const decades = Array.from({ length: digits.length / 10 }, (_, index) => digits.slice(index * 10, index * 10 + 10));
  for (const decade of decades) expect(readDigits(decade.join(''))).toBe('0123456789');
});
