import { findCurrencyExponent } from './currency.js';
import { AMOUNT_MAX, type Money } from './money.js';

/** An amount as a decimal number, without its currency: `12.50`, in yen `1250`, in dinars `1.250`. */
export function formatDecimal({ value, currencyCode }: Money): string {
  const exponent = findCurrencyExponent(currencyCode) ?? 0;
  const digits = String(Math.abs(value)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${value < 0 ? '-' : ''}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}`;
}

/** An amount as receipts, logs and programs print it: `12.50 GBP`. The decimals of an unknown code are not guessed. */
export function formatAmount(amount: Money): string {
  const isKnown = findCurrencyExponent(amount.currencyCode) !== null;
  return `${formatDecimal(amount)} ${amount.currencyCode}${isKnown ? '' : ' minor units'}`;
}

/**
 * An amount for people who read a language: `£12.50` in English, `12,50 £` in German. The language decides the signs,
 * never the decimals.
 */
export function formatMoney(amount: Money, locale: string): string {
  const { currencyCode } = amount;
  const exponent = findCurrencyExponent(currencyCode);
  if (exponent === null) return formatAmount(amount);
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currencyCode, ...digits });
  const decimal = formatDecimal(amount);
  // The formatter reads a text exactly, which it does not for a number above 2^53.
  return format.format(isNumeric(decimal) ? decimal : Number.NaN);
}

function isNumeric(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** An amount as it stands in an input field, without its currency and without groups: `12.50`, in German `12,50`. */
export function formatInputAmount(amount: Money, locale: string): string {
  return formatDecimal(amount).replace('.', findSeparators(locale).decimal);
}

/**
 * Reads an amount that a person typed into minor units: `12`, `12.5`, `12,50`, `1,250.00`. Returns null for any other
 * text, for more decimals than the currency has, and for more than twelve digits. Only the sign of the locale forms
 * thousands: `12.505` does not become 12,505. A text that may be both, `1,250` dinars in English, is null.
 */
export function parseAmount(text: string, currencyCode: string, locale: string): number | null {
  const exponent = findCurrencyExponent(currencyCode);
  if (exponent === null) return null;
  const separators = findSeparators(locale);
  const typed = toLatinDigits(text.trim());
  const [, whole = typed, sign = '', decimals = ''] = readDecimals(typed, exponent) ?? [];
  if (sign === separators.group && decimals.length === GROUP_LENGTH) return null;
  const digits = joinGroups(whole, separators.group);
  if (digits === null) return null;
  const value = Number(`${digits}${decimals.padEnd(exponent, '0')}`);
  return value <= AMOUNT_MAX ? value : null;
}

const GROUP_LENGTH = 3;

function readDecimals(typed: string, exponent: number): RegExpExecArray | null {
  return exponent === 0 ? null : new RegExp(`^(.*\\d)([.,\u066b])(\\d{1,${exponent}})$`, 's').exec(typed);
}

/** The digits of a whole number, in one piece or in groups of three; null for every other text. */
function joinGroups(text: string, group: string): string | null {
  if (/^\d+$/.test(text)) return text;
  const pieces = text.split(/['’\s]/.test(group) ? /['’\s]/ : group);
  const isGrouped = /^\d{1,3}$/.test(pieces[0] ?? '') && pieces.slice(1).every((piece) => /^\d{3}$/.test(piece));
  return isGrouped ? pieces.join('') : null;
}

/** The signs of the locale, in Latin digits: a field that is filled in for people must be readable for the parser. */
function findSeparators(locale: string): { readonly group: string; readonly decimal: string } {
  // Some languages group only from five digits on.
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn', minimumFractionDigits: 1 }).formatToParts(
    1_000_000,
  );
  const find = (kind: string): string => parts.find(({ type }) => type === kind)?.value ?? '';
  const decimal = find('decimal');
  return { group: find('group'), decimal: decimal === ',' || decimal === '\u066b' ? decimal : '.' };
}

/** The zeros of scripts whose digits keyboards type: Arabic, Persian, Devanagari, Bengali, Thai and full-width. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];

function toLatinDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((each) => code >= each && code < each + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}
