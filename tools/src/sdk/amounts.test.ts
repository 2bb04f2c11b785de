import { expect, test } from '@jest/globals';
import { formatMoney } from '@pos/core/money';
import { CURRENCY_EXPONENTS, formatDecimal } from '@pos/core/testing';
import * as sdk from '@pos/sdk';

test.each([
  ['en-GB', 0],
  ['en-GB', 1],
  ['de-DE', 1250],
  ['hu', 125_000],
  ['id', 999_999_999_999],
])('the SDK writes each currency as receipts and pages do: for %s, %d minor units', (locale, value) => {
  for (const currencyCode of CURRENCY_EXPONENTS.keys()) {
    const amount = { value, currencyCode };
    expect([sdk.formatDecimal(amount), sdk.formatAmount(amount, locale)]).toEqual([
      formatDecimal(amount),
      formatMoney(amount, locale),
    ]);
  }
});
