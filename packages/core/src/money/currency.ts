/**
 * The active currencies of ISO 4217 by the number of their decimals. Codes without a minor unit (gold, test codes) are
 * no currency of a payment. Browsers and Node disagree with ISO and with each other about HUF, IDR, RSD and others, so
 * no decimals are taken from `Intl`.
 */
const ACTIVE_CODES = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
    COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR
    IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD
    NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
    SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
} as const;

/** Currencies that ended lately. Nobody can enable them; amounts that were paid in them are still shown. */
const ENDED_CODES = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];

/** The decimals of every active currency by its code. */
export const CURRENCY_EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries(ACTIVE_CODES)
    .flatMap(([exponent, codes]) => codes.split(/\s+/).map((code): [string, number] => [code, Number(exponent)]))
    .sort(([first], [second]) => (first < second ? -1 : 1)),
);

const ENDED_EXPONENTS: ReadonlyMap<string, number> = new Map(ENDED_CODES.map((code) => [code, 2]));

/** Whether the code is an active currency of ISO 4217 that payments may be in. */
export function isActiveCurrency(code: string): boolean {
  return CURRENCY_EXPONENTS.has(code);
}

/** How many decimals the currency has, or null for a code that is no currency. */
export function findCurrencyExponent(code: string): number | null {
  return CURRENCY_EXPONENTS.get(code) ?? ENDED_EXPONENTS.get(code) ?? null;
}
