import { CARD_SCHEMES, type CardScheme, SCHEMES } from '@pos/core/cards';

/** The names that payers know. */
export const SCHEME_NAMES = Object.fromEntries(
  CARD_SCHEMES.map((scheme) => [scheme, SCHEMES[scheme].name]),
) as Readonly<Record<CardScheme, string>>;

/** The name of a card scheme; a scheme that is not known is shown as it was received. */
export function nameScheme(scheme: string): string {
  const names: Readonly<Record<string, string>> = SCHEME_NAMES;
  return names[scheme.toUpperCase()] ?? scheme;
}

/** The last four digits of a card number, which may be masked: `•••• 1014`, in one line. */
export function formatLastDigits(number: string): string {
  return `••••\u00a0${number.slice(-4)}`;
}
