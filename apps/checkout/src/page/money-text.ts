import type { PublicPaymentIntent } from '@pos/rest-contracts/payment-intents/payment-intents';

/** Formats an amount for display: `£12.50`. */
export function formatMoney({ value, currencyCode }: PublicPaymentIntent['amount']): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency: currencyCode });
  // Converts minor units to decimal text, which the formatter reads exactly.
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const units = String(Math.abs(value)).padStart(digits + 1, '0');
  const whole = units.slice(0, units.length - digits);
  const decimal = `${value < 0 ? '-' : ''}${whole}${digits === 0 ? '' : `.${units.slice(-digits)}`}`;
  return format.format(Number(decimal));
}
