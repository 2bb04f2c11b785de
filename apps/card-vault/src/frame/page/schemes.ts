// Generated from the card schemes of core; UPDATE_GOLDEN=1 and the test beside this folder rewrite it.

export type SchemeName = 'VISA' | 'MASTERCARD' | 'MAESTRO' | 'DISCOVER' | 'DCI' | 'AMEX';

/** What the card fields need to know of a scheme. */
export interface SchemeForm {
  readonly name: SchemeName;
  /** The first digits, also of a number that is still being typed. */
  readonly prefix: RegExp;
  /** Digits between the spaces, as on the card. */
  readonly groups: readonly number[];
  readonly securityCodeLength: 3 | 4;
}

export const SCHEMES: readonly SchemeForm[] = [
  {
    name: 'VISA',
    prefix: /^4/,
    groups: [4, 4, 4, 4, 3],
    securityCodeLength: 3,
  },
  {
    name: 'MASTERCARD',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    groups: [4, 4, 4, 4, 3],
    securityCodeLength: 3,
  },
  {
    name: 'MAESTRO',
    prefix: /^(5[06-8]|6)/,
    groups: [4, 4, 4, 4, 3],
    securityCodeLength: 3,
  },
  {
    name: 'DISCOVER',
    prefix: /^(6011|64[4-9]|65)/,
    groups: [4, 4, 4, 4, 3],
    securityCodeLength: 3,
  },
  {
    name: 'DCI',
    prefix: /^(30[0-5]|3095|36|38|39)/,
    groups: [4, 6, 4],
    securityCodeLength: 3,
  },
  {
    name: 'AMEX',
    prefix: /^3[47]/,
    groups: [4, 6, 5],
    securityCodeLength: 4,
  },
];
