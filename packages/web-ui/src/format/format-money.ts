import type { Money } from '@pos/core/money/money';

/** Formats an amount in minor units for a language: 1250 GBP is `£12.50` in English and `12,50 £` in German. */
export function formatMoney({ value, currencyCode }: Money, language: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency: currencyCode });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(toDecimalText(value, digits) as Intl.StringNumericLiteral);
}

/** The decimal text of minor units; the formatter reads it exactly, which it does not for a number above 2^53. */
function toDecimalText(value: number, digits: number): string {
  const units = String(Math.abs(value)).padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  return `${value < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${units.slice(-digits)}`}`;
}

/**
 * Reads an amount as a person types it (`12`, `12.5`, `12,50`) into minor units. Returns null for any other text, for
 * more decimals than the currency has, and for a number that is not exact.
 */
export function parseAmount(text: string, currencyCode: string): number | null {
  const digits = getFractionDigits(currencyCode);
  const match = /^\s*(\d{1,12})(?:[.,](\d+))?\s*$/.exec(text);
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > digits) return null;
  const value = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(value) ? value : null;
}

function getFractionDigits(currencyCode: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
