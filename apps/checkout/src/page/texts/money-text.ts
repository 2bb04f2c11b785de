import {
  formatInputAmount as formatInputAmountIn,
  formatMoney as formatMoneyIn,
  parseAmount as parseAmountIn,
} from '@pos/core/money';
import type { PublicPaymentIntent } from '@pos/rest-contracts/payment-intents';
import { getLocale } from './texts.js';

type Money = PublicPaymentIntent['amount'];

/** Formats an amount for display: `£12.50`. */
export function formatMoney(amount: Money): string {
  return formatMoneyIn(amount, getLocale().locale);
}

/** Formats an amount for an input, without its currency: `12.50`. */
export function formatInputAmount(amount: Money): string {
  return formatInputAmountIn(amount, getLocale().locale);
}

/** Reads an amount that a payer typed, in minor units: `12.50`, `12,5`, `1,250.00`. Null for everything else. */
export function parseAmount(text: string, currencyCode: string): number | null {
  return parseAmountIn(text, currencyCode, getLocale().locale);
}

/** The names of currencies that payers know: `£`, `€`. */
export function getCurrencySign(currency: string): string {
  const parts = new Intl.NumberFormat(getLocale().locale, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}
