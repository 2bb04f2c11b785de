/** All that differs by the scheme of a card. */
interface CardSchemeFacts {
  /** As payers know it. */
  readonly name: string;
  /** `card.type` of a transaction in the REST API. */
  readonly transactionType: string;
  /** The members of the enumerations in the contracts of EPOSes and devices, and of card machines. */
  readonly tablesName: string;
  readonly machineName: string;
  /** The first digits of its numbers, also of a number that is still being typed. The longest match decides. */
  readonly prefix: RegExp;
  /** Of the shortest number that a card of it has. */
  readonly lengthMin: number;
  /** A number in a text is only taken to be a card's if it has one of these lengths: shops number their goods, too. */
  readonly lengthsInTexts: readonly number[];
  /** Digits between the spaces, as on the card. */
  readonly groups: readonly number[];
  readonly securityCodeLength: 3 | 4;
  /** The usual application of its chips. */
  readonly chipApplicationId: string;
  /** Whether a new account accepts it. */
  readonly isAcceptedByDefault: boolean;
}

const FOURS = [4, 4, 4, 4, 3] as const;

/**
 * The card schemes that the service knows. A new one is a row here, its sign in the card fields
 * (`apps/card-vault/src/frame/page/scheme-marks.ts`), and `pnpm golden` for what is generated from the rows.
 */
export const SCHEMES = {
  VISA: {
    name: 'Visa',
    transactionType: 'Visa',
    tablesName: 'CARD_SCHEME_VISA',
    machineName: 'SCHEME_VISA',
    prefix: /^4/,
    lengthMin: 16,
    lengthsInTexts: [16, 19],
    groups: FOURS,
    securityCodeLength: 3,
    chipApplicationId: 'A0000000031010',
    isAcceptedByDefault: true,
  },
  MASTERCARD: {
    name: 'Mastercard',
    transactionType: 'Mastercard',
    tablesName: 'CARD_SCHEME_MASTERCARD',
    machineName: 'SCHEME_MASTERCARD',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengthMin: 16,
    lengthsInTexts: [16],
    groups: FOURS,
    securityCodeLength: 3,
    chipApplicationId: 'A0000000041010',
    isAcceptedByDefault: true,
  },
  MAESTRO: {
    name: 'Maestro',
    transactionType: 'Maestro',
    tablesName: 'CARD_SCHEME_MAESTRO',
    machineName: 'SCHEME_MAESTRO',
    prefix: /^(5[06-8]|6)/,
    lengthMin: 12,
    lengthsInTexts: [16, 18, 19],
    groups: FOURS,
    securityCodeLength: 3,
    chipApplicationId: 'A0000000043060',
    isAcceptedByDefault: true,
  },
  DISCOVER: {
    name: 'Discover',
    transactionType: 'Discover',
    tablesName: 'CARD_SCHEME_DISCOVER',
    machineName: 'SCHEME_DISCOVER',
    prefix: /^(6011|64[4-9]|65)/,
    lengthMin: 16,
    lengthsInTexts: [16, 19],
    groups: FOURS,
    securityCodeLength: 3,
    chipApplicationId: 'A0000001523010',
    isAcceptedByDefault: false,
  },
  DCI: {
    name: 'Diners Club',
    transactionType: 'Dci',
    tablesName: 'CARD_SCHEME_DCI',
    machineName: 'SCHEME_DCI',
    prefix: /^(30[0-5]|3095|36|38|39)/,
    lengthMin: 14,
    lengthsInTexts: [14, 16],
    groups: [4, 6, 4],
    securityCodeLength: 3,
    chipApplicationId: 'A0000001524010',
    isAcceptedByDefault: false,
  },
  AMEX: {
    name: 'American Express',
    transactionType: 'Amex',
    tablesName: 'CARD_SCHEME_AMEX',
    machineName: 'SCHEME_AMEX',
    prefix: /^3[47]/,
    lengthMin: 15,
    lengthsInTexts: [15],
    groups: [4, 6, 5],
    securityCodeLength: 4,
    chipApplicationId: 'A000000025010402',
    isAcceptedByDefault: true,
  },
} as const satisfies Readonly<Record<string, CardSchemeFacts>>;

export type CardScheme = keyof typeof SCHEMES;

/** In the order of their rows, which contracts and lists show. */
export const CARD_SCHEMES = Object.keys(SCHEMES).filter((name): name is CardScheme => Object.hasOwn(SCHEMES, name));

const PREFIXES = CARD_SCHEMES.map((scheme) => [scheme, SCHEMES[scheme].prefix] as const);

/** The scheme whose range owns the first digits; null where they belong to none, or to none yet. */
export function findScheme(digits: string): CardScheme | null {
  return findLongestPrefix(PREFIXES, digits);
}

/** As `findScheme`, among these prefixes. */
export function findLongestPrefix<Name extends string>(
  prefixes: readonly (readonly [name: Name, prefix: RegExp])[],
  digits: string,
): Name | null {
  let found: { readonly name: Name; readonly length: number } | null = null;
  for (const [name, prefix] of prefixes) {
    const length = prefix.exec(digits)?.[0].length ?? 0;
    if (length > (found?.length ?? 0)) found = { name, length };
  }
  return found?.name ?? null;
}
