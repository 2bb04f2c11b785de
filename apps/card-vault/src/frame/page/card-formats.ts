import { SCHEMES, type SchemeForm } from './schemes.js';

const FOURS = [4, 4, 4, 4, 3] as const;
const NUMBER_LENGTH = { min: 12, max: 19 } as const;
/** Cards are valid for at most this many years; a later date is a typing error. */
const YEARS_AHEAD_MAX = 25;

/** The scheme of the first digits, which the longest match decides; null where they belong to none, or to none yet. */
export function findScheme(number: string): SchemeForm | null {
  const digits = readDigits(number);
  let found: { readonly scheme: SchemeForm; readonly length: number } | null = null;
  for (const scheme of SCHEMES) {
    const length = scheme.prefix.exec(digits)?.[0].length ?? 0;
    if (length > (found?.length ?? 0)) found = { scheme, length };
  }
  return found?.scheme ?? null;
}

/** The digits in groups as on the card. Digits that are too many stay visible: the number is wrong, not shorter. */
export function formatNumber(text: string): string {
  const digits = readDigits(text);
  const groups: string[] = [];
  let start = 0;
  for (const length of findScheme(digits)?.groups ?? FOURS) {
    if (start < digits.length) groups.push(digits.slice(start, start + length));
    start += length;
  }
  return [...groups, ...(start < digits.length ? [digits.slice(start)] : [])].join(' ');
}

/** Whether it can be the number of a card: its length, and its check digit. */
export function isCardNumber(text: string): boolean {
  const digits = readDigits(text);
  if (digits.length < NUMBER_LENGTH.min || digits.length > NUMBER_LENGTH.max) return false;
  const sum = digits
    .split('')
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

/**
 * A month and year as they are typed: `1232`, `12 32` and `12/2032` get their slash, and `4` becomes `04`. While the
 * payer deletes, nothing is added.
 */
export function formatExpiry(typed: string, isDeleting: boolean): string {
  const text = toPlainText(typed);
  const [, shortMonth = '', rest = ''] = /^\s*(\d)\s*[/ .-]\s*(\d*)/.exec(text) ?? [];
  const digits = shortMonth === '' ? readDigits(text) : `0${shortMonth}${readDigits(rest)}`;
  const full = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  if (isDeleting && full.length <= 2) return text.trim();
  return full.length < 2 ? full : `${full.slice(0, 2)}/${full.slice(2)}`;
}

/** The month and year as `MM/YY`; null for everything else. */
export function readExpiry(text: string): string | null {
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2])\/(?:20)?(\d{2})$/.exec(formatExpiry(text, false)) ?? [];
  return month === '' ? null : `${month}/${year}`;
}

/** Whether the month of `MM/YY` is over, or too far ahead. */
export function isExpiryOutOfRange(expiry: string, now: Date): boolean {
  const [month = '', year = ''] = expiry.split('/');
  const months = (2000 + Number(year)) * 12 + Number(month) - 1;
  const current = now.getFullYear() * 12 + now.getMonth();
  return months < current || months > current + YEARS_AHEAD_MAX * 12;
}

export function isSecurityCode(text: string, number: string | null): boolean {
  const length = number === null ? null : (findScheme(number)?.securityCodeLength ?? null);
  const code = toPlainText(text).trim();
  return length === null ? /^\d{3,4}$/.test(code) : new RegExp(`^\\d{${length}}$`).test(code);
}

/** The digits of a text, of any script, as `0` to `9`. */
export function readDigits(text: string): string {
  return toPlainText(text).replaceAll(/\D/g, '');
}

/** Whether the text has a character that is neither a digit nor what people write between digits. */
export function hasForeignCharacters(text: string): boolean {
  return !/^[\d\s/.-]*$/.test(toPlainText(text));
}

/**
 * The text with the digits of every script as `0` to `9`, with plain separators, and without invisible signs such as the
 * direction marks of a copied number.
 */
function toPlainText(text: string): string {
  return Array.from(text, toPlainCharacter).join('');
}

const DECIMAL_DIGIT = /^\p{Nd}$/u;

function toPlainCharacter(character: string): string {
  if (DECIMAL_DIGIT.test(character)) return String(getDigitValue(character));
  if (/^\p{Cf}$/u.test(character)) return '';
  if (/^[\p{Pd}\u2212]$/u.test(character)) return '-';
  if (/^[\uff0f\u2044\u2215]$/u.test(character)) return '/';
  return /^[\uff0e\u3002]$/u.test(character) ? '.' : character;
}

/** Unicode encodes the decimal digits of a script in a row, from zero to nine. */
function getDigitValue(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (zero > 0 && DECIMAL_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}
