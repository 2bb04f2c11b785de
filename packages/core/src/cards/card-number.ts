import { CARD_SCHEMES, type CardScheme, findScheme, SCHEMES } from './schemes.js';

/**
 * The symbol under which node looks up a value's own formatting; written out because this package imports nothing of
 * node for it.
 */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Card data that must never be shown: it cannot be logged, serialised or concatenated by accident. */
abstract class HiddenText {
  readonly #text: string;

  protected constructor(text: string) {
    this.#text = text;
  }

  /** The replacement that is shown instead of the text. */
  protected abstract readonly shown: string;

  /** The text itself: for the acquirer's wire and the vault's cipher, and for nothing else. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }

  [INSPECT](): string {
    return this.shown;
  }
}

const NUMBER = /^\d{12,19}$/;
/** No written number has more blanks; a longer text is not searched. */
const WRITTEN_LENGTH_MAX = 1_000;
/** Leading digits, filler, last four digits. */
const MASK = /^(\d{0,10})([*xX#•.]{1,20})(\d{4})$/;

/** A card number. Only `reveal` returns it; other processes get its visible parts by named members. */
export class CardNumber extends HiddenText {
  protected readonly shown = '[card number]';

  /**
   * 12 to 19 digits of any script with the right check digit; null for anything else. Spaces, hyphens and the invisible
   * signs of a copied number are dropped.
   */
  static read(text: string): CardNumber | null {
    if (text.length > WRITTEN_LENGTH_MAX) return null;
    const digits = toAsciiDigits(text).replaceAll(/[\s\p{Cf}-]/gu, '');
    return NUMBER.test(digits) && hasCheckDigit(digits) ? new CardNumber(digits) : null;
  }

  get last4(): string {
    return this.reveal().slice(-4);
  }

  /**
   * First 8 digits, `****`, last 4: all of a number that is kept in clear. A number of fewer than 16 digits shows fewer of
   * the first ones, with asterisks in their place, for at least four of its digits stay hidden.
   */
  get masked(): string {
    const digits = this.reveal();
    return maskNumber(digits, countLeadingDigits(digits.length));
  }

  /** By the ranges that the schemes publish; null where none of ours owns the number. */
  get scheme(): CardScheme | null {
    return findScheme(this.reveal());
  }
}

/** The visible digits of a card that another system has read. */
export interface VisibleDigits {
  /** The mask; with the last digits only, or empty, where it could not be read. */
  readonly cardNumber: string;
  /** Empty where they could not be read. */
  readonly last4PAN: string;
  /** Why something that was sent, or should have been, is left out; null when all was read. */
  readonly fault: DigitsViolation | null;
}

/** What is wrong with the visible digits of a card. What was sent must not be logged: it may be a whole number. */
export type DigitsViolation =
  | 'the masked number is missing'
  | 'the masked number hides no digit'
  | 'the masked number has no form that is known'
  | 'the last digits are missing'
  | 'the last digits are not four digits'
  | 'the masked number ends in other digits';

/**
 * Reads what a card machine or an acquirer shows of a card. Never refuses: an approval is not lost for its mask. The last
 * digits are taken from the mask when they are not sent.
 */
export function readShownDigits(sent: { readonly maskedNumber: string; readonly last4: string }): VisibleDigits {
  const { maskedNumber } = sent;
  const last4PAN = /^\d{4}$/.test(sent.last4) ? sent.last4 : (/\D(\d{4})$/.exec(maskedNumber)?.[1] ?? '');
  const masked = readMaskedNumber(maskedNumber, last4PAN);
  const fault = masked !== null && last4PAN === sent.last4 ? null : findDigitsViolation(sent);
  return { cardNumber: masked ?? (last4PAN === '' ? '' : `************${last4PAN}`), last4PAN, fault };
}

function findDigitsViolation({
  maskedNumber,
  last4,
}: {
  readonly maskedNumber: string;
  readonly last4: string;
}): DigitsViolation {
  const plain = maskedNumber.replaceAll(/[\s-]/g, '');
  if (plain === '') return 'the masked number is missing';
  if (/^\d+$/.test(plain)) return 'the masked number hides no digit';
  if (!MASK.test(plain)) return 'the masked number has no form that is known';
  if (last4 === '') return 'the last digits are missing';
  return /^\d{4}$/.test(last4) ? 'the masked number ends in other digits' : 'the last digits are not four digits';
}

/**
 * Reads the masked number that a card machine or an acquirer sends, in any compliant form: leading digits, a filler of
 * asterisks, `x`, `#` or dots, the last four digits, spaces and hyphens anywhere. Leading digits that must not be kept are
 * dropped: 8 stay where the number certainly has 16 digits or more, else 6 at most. Null when the text is no mask, hides
 * nothing, or ends in other digits than `last4`.
 */
export function readMaskedNumber(text: string, last4: string): string | null {
  const [, leading = '', filler = '', trailing = ''] = MASK.exec(text.replaceAll(/[\s-]/g, '')) ?? [];
  if (trailing === '' || trailing !== last4) return null;
  const digits = leading + trailing;
  const shown = countLeadingDigits(digits.length + filler.length);
  // Many masks have four fillers for a number of any length: only the scheme's range makes sure of 16 digits.
  const isLong = LONG_SCHEMES.has(findScheme(leading));
  return maskNumber(digits, isLong ? shown : Math.min(shown, LEADING_OF_SHORT));
}

/** Always 16 characters: asterisks replace the digits that are not shown. */
function maskNumber(digits: string, shown: number): string {
  const leading = digits.slice(0, -4).slice(0, shown);
  return `${leading.padEnd(8, '*')}****${digits.slice(-4)}`;
}

const LEADING_OF_SHORT = 6;

function countLeadingDigits(length: number): number {
  return length >= 16 ? 8 : length >= 14 ? LEADING_OF_SHORT : 2;
}

/**
 * The notation of a number in a text: in groups as on the card or after a word for a card number, or also in one
 * piece.
 */
export type CardNumberNotation = 'grouped' | 'any';

/**
 * Whether a text contains a probable card number: a valid check digit, a range of a scheme, and a length of that
 * scheme's cards. A number in one piece may also be an id, so it only counts if the text states that it is a
 * card's.
 */
export function containsCardNumber(text: string, writing: CardNumberNotation): boolean {
  const plain = normalizeText(text);
  if (!MANY_DIGITS.test(plain)) return false;
  const grouped = [...plain.matchAll(GROUPED)].flatMap(([, number = '', rest = '']) => [number, number + rest]);
  const whole = [...plain.matchAll(writing === 'any' ? IN_ONE_PIECE : NAMED)].map(([digits]) => digits);
  return [...grouped, ...whole].some((digits) => {
    const number = CardNumber.read(digits.replaceAll(/\D/g, ''));
    if (number === null) return false;
    const { scheme } = number;
    const lengths: readonly number[] = scheme === null ? [] : SCHEMES[scheme].lengthsInTexts;
    return lengths.includes(number.reveal().length) || OTHER_SCHEMES.test(number.reveal());
  });
}

/** Whether a text contains the security code of a card: one of its names, and three or four digits. */
export function containsSecurityCode(text: string): boolean {
  const plain = normalizeText(text);
  return THREE_DIGITS.test(plain) && SECURITY_CODE.test(plain);
}

/** Digits of all scripts, unusual blanks and dashes as plain ones, and no invisible signs between them. */
function normalizeText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return toAsciiDigits(text.normalize('NFKC'))
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Pd}/gu, '-');
}

/** The digits of every script as `0` to `9`, as the card fields of the payment page read them. */
export function toAsciiDigits(text: string): string {
  // Text of ASCII, most of it, is so already.
  return NOT_ASCII.test(text) ? text.replaceAll(/\p{Nd}/gu, (digit) => String(getDigitValue(digit))) : text;
}

/** Unicode encodes the decimal digits of a script in a row, from zero to nine. */
function getDigitValue(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (zero > 0 && DECIMAL_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (codePoint - zero) % 10;
}

const DECIMAL_DIGIT = /^\p{Nd}$/u;

const NOT_ASCII = /[^\0-\x7f]/;
const THREE_DIGITS = /\d{3}/;
/** A text with fewer adjacent digits contains no card number. */
const MANY_DIGITS = /(?:\d[^\d]{0,2}){14}/;

/** The printed digits that prove the possession of the card. Never stored, not even encrypted. */
export class Cv2 extends HiddenText {
  protected readonly shown = '[cv2]';

  static read(text: string): Cv2 | null {
    const digits = toAsciiDigits(text).replaceAll(/^\s+|\s+$|\p{Cf}/gu, '');
    return /^\d{3,4}$/.test(digits) ? new Cv2(digits) : null;
  }
}

/** The last month in which a card is good. */
export interface CardExpiry {
  /** 1 to 12. */
  readonly month: number;
  /** Four digits. */
  readonly year: number;
}

/** `MM/YY` in digits of any script, blanks and invisible signs allowed anywhere; null for anything else. */
export function readExpiry(text: string): CardExpiry | null {
  const [, month = '', year = ''] =
    /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(toAsciiDigits(text).replaceAll(/[\s\p{Cf}]/gu, '')) ?? [];
  return month === '' ? null : { month: Number(month), year: 2000 + Number(year) };
}

/** Whether the card's last month is over. */
export function isPast(expiry: CardExpiry, now: Date): boolean {
  return now >= getEnd(expiry);
}

/** The first moment at which the card is no longer good: its last month is over, in UTC. */
export function getEnd({ month, year }: CardExpiry): Date {
  return new Date(Date.UTC(year, month, 1));
}

/** `yyyy-mm-dd` of the last day on which the card is good; null for a month there is not. */
export function findLastDay({ month, year }: CardExpiry): string | null {
  if (month < 1 || month > 12 || year < 2000 || year > 9999) return null;
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** JCB and UnionPay, which no acquirer of the service takes: their numbers are card numbers all the same. */
const OTHER_SCHEMES = /^(35(2[89]|[3-8]\d)\d{12}|62\d{14,17})$/;

/** Schemes whose cards all have 16 digits or more. */
const LONG_SCHEMES: ReadonlySet<CardScheme | null> = new Set(
  CARD_SCHEMES.filter((scheme) => SCHEMES[scheme].lengthMin >= 16),
);

const IN_ONE_PIECE = /(?<!\d)\d{14,19}(?!\d)/g;
/** As people and programs name a number that is paid with, also within JSON; other cards have numbers, too. */
const NAMED =
  /(?=\d{14})(?<=(?<![a-z])(?:(?:credit|debit|bank|payment)[ _-]?card|(?<!(?:gift|loyalty|club|member(?:ship)?|customer|store|fuel)[ _-]?)card[ _-]?(?:number|num|no|nr)|cc[ _-]?(?:number|num|no|nr)|pan|primary[ _-]?account[ _-]?number)[ _-]?(?:number|num|no|nr)?["'\s:=#.]{0,6})\d{14,19}(?!\d)/gi;
/** By fours, or by four, six and the rest, as cards are embossed; one group may begin before another number has ended. */
const GROUPED =
  /(?<!\d)(?=(\d{4}[\s._/-]{1,2}(?:\d{4}[\s._/-]{1,2}\d{4}[\s._/-]{1,2}\d{4}|\d{6}[\s._/-]{1,2}\d{4,5}))(?!\d)([\s._/-]{1,2}\d{1,3}(?!\d))?)/g;
/** As people and programs name it, also within JSON. */
const SECURITY_CODE =
  /\b(cv[vcn]2?|cv2|csc|cid|security[ _-]?code|card[ _-]?verification[ _-]?(code|value))\b["'\s:=#.]{0,6}\d{3,4}(?!\d)/i;

/** Luhn: every second digit from the right counts double, and the digits of it all sum to a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
