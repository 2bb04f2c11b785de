import { describe, expect, test } from '@jest/globals';
import { CardNameInput, CardNumberInput, Cv2Input, ExpiryInput, TEST_NUMBER } from './card-inputs.js';

/** The text in the digits of a script, whose zero has this code point. */
const writeIn = (zero: number, text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

describe.each([
  ['Latin', 0x30],
  ['Arabic', 0x06_60],
  ['Persian', 0x06_f0],
  ['Devanagari', 0x09_66],
  ['Thai', 0x0e_50],
  ['full-width', 0xff_10],
  ['mathematical bold', 0x1_d7_ce],
])('%s digits', (_, zero) => {
  test('are read in the number, the expiry and the security code, as on the payment page', () => {
    expect(CardNumberInput.parse(writeIn(zero, '4456 5300-0009 1014')).reveal()).toBe(TEST_NUMBER);
    expect(ExpiryInput.parse(writeIn(zero, '12 / 32'))).toEqual({ month: 12, year: 2032 });
    expect(Cv2Input.parse(writeIn(zero, ' 123 ')).reveal()).toBe('123');
  });

  test('of a card number are refused in the name, which is stored', () => {
    for (const name of [TEST_NUMBER, `Ada ${TEST_NUMBER}`, '4456 5300 0009 1014']) {
      expect(CardNameInput.safeParse(writeIn(zero, name)).error?.issues.map(({ message }) => message)).toEqual([
        'Must be a name.',
      ]);
    }
    expect(CardNameInput.parse(writeIn(zero, 'Ada 2'))).toBe(writeIn(zero, 'Ada 2'));
  });
});

test.each(['عائشة علي', '山田太郎', 'Ævar Þór', 'नीला'])('the name %s is a name', (name) => {
  expect(CardNameInput.parse(name)).toBe(name);
});

test.each([
  ['roman numerals', 'ⅣⅣⅤⅥⅤⅢⅠⅠⅠⅠⅠⅨⅠⅠⅠⅣ'],
  ['superscripts', '⁴⁴⁵⁶⁵³⁰⁰⁰⁰⁰⁹¹⁰¹⁴'],
  ['words', '四四五六五三〇〇〇〇〇九一〇一四'],
])('a number in %s is refused with what a number is', (_, number) => {
  expect(CardNumberInput.safeParse(number).error?.issues.map(({ message }) => message)).toEqual([
    'Must be a card number of 12 to 19 digits.',
  ]);
});

test.each([
  ['number', CardNumberInput, '4456530000091015'],
  ['month', ExpiryInput, '13/2032'],
  ['security code', Cv2Input, '12345'],
])('a refused %s is in no issue, because issues may be printed', (_, schema, sent) => {
  const { error } = schema.safeParse(sent, { reportInput: true });
  expect(error?.issues).toHaveLength(1);
  expect(JSON.stringify(error?.issues)).not.toContain(sent);
});
