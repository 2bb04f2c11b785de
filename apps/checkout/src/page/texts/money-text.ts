import type { PublicPaymentIntent } from '@pos/rest-contracts/payment-intents/payment-intents';
import { getLocale } from './texts.js';

type Money = PublicPaymentIntent['amount'];

/** Twelve digits, as the API accepts. */
const VALUE_MAX = 999_999_999_999;

/** Formats an amount for display: `£12.50`. */
export function formatMoney({ value, currencyCode }: Money): string {
  const format = createFormat(currencyCode);
  return format.format(Number(toDecimalText(value, countDigits(format))));
}

/** Formats an amount for an input, without its currency: `12.50`. */
export function formatInputAmount({ value, currencyCode }: Money): string {
  const digits = countDigits(createFormat(currencyCode));
  const format = new Intl.NumberFormat(getLocale().locale, {
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false },
  });
  return format.format(Number(toDecimalText(value, digits)));
}

/**
 * Reads an amount that a payer typed, in minor units: `12.50`, `12,5`, `1,250.00`. Null for everything else, such as more
 * decimals than the currency has. Only the locale's own separator forms thousands: `12.505` must not become 12,505.
 */
export function parseAmount(text: string, currencyCode: string): number | null {
  const digits = countDigits(createFormat(currencyCode));
  const typed = text.trim();
  const [, whole = typed, decimals = ''] = /^(.*\d)[.,](\d{1,2})$/.exec(typed) ?? [];
  const plain = readWhole(whole);
  if (plain === null || decimals.length > digits) return null;
  const value = Number(`${plain}${decimals.padEnd(digits, '0')}`);
  return value <= VALUE_MAX ? value : null;
}

/** The digits of a whole number, in one piece or in groups of three; null for everything else. */
function readWhole(text: string): string | null {
  if (/^\d+$/.test(text)) return text;
  const parts = new Intl.NumberFormat(getLocale().locale).formatToParts(1_000_000);
  const group = parts.find(({ type }) => type === 'group')?.value ?? '';
  const pieces = text.split(/['’\s]/.test(group) ? /['’\s]/ : group);
  const isGrouped = /^\d{1,3}$/.test(pieces[0] ?? '') && pieces.slice(1).every((piece) => /^\d{3}$/.test(piece));
  return isGrouped ? pieces.join('') : null;
}

/** The names of currencies that payers know: `£`, `€`. */
export function getCurrencySign(currencyCode: string): string {
  const parts = createFormat(currencyCode).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currencyCode;
}

function createFormat(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(getLocale().locale, { style: 'currency', currency });
}

function countDigits(format: Intl.NumberFormat): number {
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** Converts minor units to decimal text, which the formatter reads exactly. */
function toDecimalText(value: number, digits: number): string {
  const units = String(Math.abs(value)).padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  return `${value < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${units.slice(-digits)}`}`;
}
