/** Decimal places of the currencies of the processor. */
export const CURRENCY_DECIMALS: ReadonlyMap<string, number> = new Map([
  ['GBP', 2],
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
]);

/** Minor units as the decimal text of the processor: 1250 GBP is `12.50`, 1250 JPY is `1250`. */
export function formatDecimal(amount: bigint, currency: string): string {
  const decimals = getDecimals(currency);
  if (decimals === 0) return String(amount);
  const digits = String(amount).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The minor units of a decimal text of the processor. Throws for a text that is none. */
export function parseDecimal(text: string, currency: string): bigint {
  const decimals = getDecimals(currency);
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '' || fraction.length !== decimals) throw new Error(`no amount in ${currency}: ${text}`);
  return BigInt(`${whole}${fraction}`);
}

function getDecimals(currency: string): number {
  const decimals = CURRENCY_DECIMALS.get(currency);
  if (decimals === undefined) throw new Error(`no currency of the processor: ${currency}`);
  return decimals;
}
