import { EXPONENTS } from '../gen/currencies.js';

/** A whole number of minor units (pence, cents) of one currency. */
export interface Money {
  readonly value: number;
  readonly currencyCode: string;
}

/**
 * The amount as a decimal number: 1250 is `12.50` in pounds and in forint, `1250` in yen, and `1.250` in dinars. The
 * decimals are those of ISO 4217; those of `Intl` differ between browsers, for HUF, IDR and RSD by 100.
 */
export function formatDecimal({ value, currencyCode }: Money): string {
  const exponent = getExponent(currencyCode);
  const digits = String(Math.abs(value)).padStart(exponent + 1, '0');
  const whole = digits.slice(0, digits.length - exponent);
  return `${value < 0 ? '-' : ''}${whole}${exponent === 0 ? '' : `.${digits.slice(-exponent)}`}`;
}

/** The amount for people who read a language: `£12.50` for `en-GB`, `12,50 £` for `de-DE`. */
export function formatAmount(amount: Money, locale: string): string {
  const exponent = getExponent(amount.currencyCode);
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: amount.currencyCode, ...digits });
  return format.format(Number(formatDecimal(amount)));
}

/** Two for a code outside of ISO 4217, also for one that is the name of a member that objects inherit. */
function getExponent(currencyCode: string): number {
  return Object.hasOwn(EXPONENTS, currencyCode) ? (EXPONENTS[currencyCode] ?? 2) : 2;
}
