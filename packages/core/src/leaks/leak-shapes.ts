import { CardNumber } from '../cards/card-number.js';
import { createDinersShapes } from './leak-diners.js';
import { decodeLatin1, type LeakKind, type LeakShape, REACH } from './leak-scan.js';

/** A number of any issuer of these, or of Diners Club, with a valid check digit, in every form in which text may be written. */
export function createNumberShapes(numbers: readonly string[]): LeakShape[] {
  const leads = new Set(numbers.map((number) => number.slice(0, LEAD_LENGTH)));
  const shapes = Array.from(leads).flatMap((lead) => [
    ...createPlainShapes({ lead, numbers }),
    ...createBase64Shapes({ lead, numbers }),
    ...createPackedShapes(numbers.filter((number) => number.startsWith(lead))),
  ]);
  // Several issuers begin with the same four digits.
  const known = new Map(shapes.map((shape) => [`${shape.form} ${shape.sign} ${shape.lead}`, shape]));
  return [...known.values(), ...createDinersShapes()];
}

/** Only these numbers, in the same forms; for places where other numbers are allowed. */
export function createOwnNumberShapes(numbers: readonly string[]): LeakShape[] {
  const texts = numbers.flatMap((number) => SEPARATED.map((between) => groupDigits(number, between)));
  return [...texts.flatMap((text) => createTextShapes('card number', text)), ...createPackedShapes(numbers)];
}

/** Exactly these bytes. They are never shown. */
export function createExactShape(what: Pick<LeakShape, 'kind' | 'form'>, wanted: Uint8Array): LeakShape {
  const text = decodeLatin1(wanted, 0, wanted.length);
  return {
    ...what,
    sign: text.slice(0, 4),
    confirm: (bytes, at) => (hasBytesAt(bytes, at, wanted) ? what.kind : null),
  };
}

/** Numbers of one issuer begin alike and a memory has their sign a million times, so this compares from the end. */
function hasBytesAt(bytes: Uint8Array, at: number, wanted: Uint8Array): boolean {
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    if (bytes[at + index] !== wanted[index]) return false;
  }
  return true;
}

/** A secret with this text, as it is, in UTF-16 and within a longer base64. */
export function createTextShapes(kind: LeakKind, text: string): LeakShape[] {
  const inBase64 = [0, 1, 2].map((shift) => encodeInnerBase64(text, shift));
  return [
    createExactShape({ kind, form: 'plain' }, Buffer.from(text)),
    createExactShape({ kind, form: 'utf-16' }, Buffer.from(text, 'utf16le')),
    ...inBase64.map((coded) => createExactShape({ kind, form: 'base64' }, Buffer.from(coded))),
  ];
}

/**
 * A member that every encrypted token of Apple Pay and of Google Pay has, and nothing else here. A token is card data: the
 * adapter of the acquirer can decrypt it.
 */
const WALLET_TOKEN_MEMBER = 'ephemeralPublicKey';

/** The signs of a text within a longer base64 that do not depend on its neighbours; it begins at one of three places. */
function encodeInnerBase64(text: string, shift: number): string {
  const coded = Buffer.from('x'.repeat(shift) + text).toString('base64');
  const isWhole = (text.length + shift) % 3 === 0;
  return coded.slice(shift === 0 ? 0 : 4, isWhole ? undefined : -4);
}

/** The leading digits that identify an issuer. */
const LEAD_LENGTH = 6;
const DIGITS_MIN = 13;
const DIGITS_MAX = 19;
const SEPARATORS = [' ', '-'];
/**
 * The non-zero bytes that identify a packed number, out of about eight. Three occur by chance once in some million
 * bytes of a database.
 */
const PUBLISHING_BYTES = 5;
/** These also separate versions, amounts and paths, so they count only between the groups of a card number. */
const GROUP_SEPARATORS = ['.', '_', '/'];
const PARTED = /^\d{4}([._/])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{4,5})(?!\d)/;
const ALL_SEPARATORS = [...SEPARATORS, ...GROUP_SEPARATORS];
const SEPARATED = ['', ...ALL_SEPARATORS];
/** Letters of base64 for the longest number in groups, and the letters before it. */
const BASE64_MAX = 40;

/** The digits in the groups of a card. */
export function groupDigits(number: string, between: string): string {
  const groups = number.length < 16 ? /^(.{4})(.{6})(.*)$/ : /^(.{4})(.{4})(.{4})(.*)$/;
  return (groups.exec(number)?.slice(1) ?? [number]).join(between);
}

type NumberShape = LeakShape & { readonly lead: string };

/** Numbers of one issuer; the given numbers are also found between other digits. */
interface Issuer {
  readonly lead: string;
  readonly numbers: readonly string[];
}

function createPlainShapes(issuer: Issuer): NumberShape[] {
  const { lead } = issuer;
  const [one = '', two = '', three = '', four = ''] = lead;
  const kind = 'card number';
  const read = (stride: number, first: number) => (bytes: Uint8Array, at: number) =>
    findNumberAt(bytes, { at: at + first, stride, issuer });
  return [
    { kind, form: 'plain', lead, sign: one + two + three + four, confirm: read(1, 0) },
    { kind, form: 'utf-16', lead, sign: `${one}\0${two}\0`, confirm: read(2, 0) },
    { kind, form: 'utf-16', lead, sign: `\0${one}\0${two}`, confirm: read(2, 1) },
  ];
}

function createBase64Shapes(issuer: Issuer): NumberShape[] {
  const { lead } = issuer;
  const [, , three = '', four = '', five = ''] = lead;
  // The offset in a group of three bytes, and the first group that contains nothing else.
  const places = [
    { shift: 0, group: lead.slice(0, 3) },
    { shift: 2, group: lead.slice(1, 4) },
    ...[five, ...ALL_SEPARATORS].map((next) => ({ shift: 1, group: three + four + next })),
  ];
  return places.map(({ shift, group }) => ({
    kind: 'card number',
    form: 'base64',
    lead,
    sign: Buffer.from(group).toString('base64'),
    confirm: (bytes, at) => {
      const from = shift === 0 ? at : at - 4;
      if (from < 0) return null;
      const decoded = Buffer.from(decodeLatin1(bytes, from, from + BASE64_MAX), 'base64');
      return findNumberAt(decoded, { at: shift, stride: 1, issuer });
    },
  }));
}

/**
 * As whole numbers, two digits per byte or as PostgreSQL stores a JSON number. Only given numbers: short ones occur
 * by chance.
 */
function createPackedShapes(numbers: readonly string[]): NumberShape[] {
  return numbers.flatMap((number) => {
    const whole = Buffer.alloc(8);
    whole.writeBigUInt64BE(BigInt(number));
    const double = Buffer.alloc(8);
    double.writeDoubleLE(Number(number));
    const halves = number.length % 2 === 0 ? [number] : [`${number}f`, `0${number}`];
    const forms: [string, Uint8Array][] = [
      ...halves.map((digits): [string, Uint8Array] => ['packed digits', Buffer.from(digits, 'hex')]),
      ['a whole number', whole],
      ['a whole number', Buffer.from(whole).reverse()],
      ['a floating number', double],
      ['a floating number', Buffer.from(double).reverse()],
      ['numeric', encodeNumeric(number)],
    ];
    return forms
      .filter(([, bytes]) => isPublishing(bytes))
      .map(([form, bytes]) => ({ ...createExactShape({ kind: 'card number', form }, bytes), lead: number }));
  });
}

/**
 * Some numbers are zeros except for a few digits, and packed they equal what a database writes by chance: the end of
 * one row of statistics and the length of the next are `52 00 00 00 00 00 10 05`.
 */
export function isPublishing(packed: Uint8Array): boolean {
  return packed.filter((byte) => byte !== 0).length >= PUBLISHING_BYTES;
}

/** Four digits to a group from the right, each in two bytes, the lower one first. */
function encodeNumeric(number: string): Uint8Array {
  const groups = number.padStart(Math.ceil(number.length / 4) * 4, '0').match(/.{4}/g) ?? [];
  const bytes = Buffer.alloc(groups.length * 2);
  groups.forEach((group, place) => bytes.writeUInt16LE(Number(group), place * 2));
  return bytes;
}

/** The number that begins there, masked; null where there is none or where it is the middle of other digits. */
function findNumberAt(
  bytes: Uint8Array,
  { at, stride, issuer }: { readonly at: number; readonly stride: number; readonly issuer: Issuer },
): string | null {
  let text = '';
  let count = 0;
  let isSeparated = true;
  for (let place = at; place < bytes.length && count <= DIGITS_MAX; place += stride) {
    if (stride === 2 && place > at && bytes[place - 1] !== 0) break;
    const character = String.fromCharCode(bytes[place] ?? 0);
    const isDigit = character >= '0' && character <= '9';
    if (!isDigit && (isSeparated || !ALL_SEPARATORS.includes(character))) break;
    isSeparated = !isDigit;
    text += character;
    if (isDigit) count += 1;
    if (count === LEAD_LENGTH && text.replaceAll(/\D/g, '') !== issuer.lead) return null;
  }
  const digits = extractDigits(text);
  if (digits.length < DIGITS_MIN) return null;
  const isInside = isDigitBefore(bytes, at - stride);
  // Text of another group after it, such as a date, does not belong to the number.
  const usual = /^3[47]/.test(digits) ? 15 : /^3(?:0[0-5]|[689])/.test(digits) ? 14 : 16;
  const lengths = digits.length > DIGITS_MAX ? [usual] : [usual, digits.length];
  const number = lengths.map((length) => CardNumber.read(digits.slice(0, length))).find((each) => each !== null);
  if (number === undefined || (isInside && !issuer.numbers.includes(number.reveal()))) return null;
  return `card number ${number.masked}`;
}

/** The digits of a text that may be a number, up to a sign that is no separator of a card's groups. */
function extractDigits(text: string): string {
  const [, next] = PARTED.exec(text) ?? [];
  const end = next === undefined ? text.search(/[._/]/) : -1;
  return (end < 0 ? text : text.slice(0, end)).replaceAll(/\D/g, '');
}

function isDigitBefore(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  return byte >= 0x30 && byte <= 0x39;
}

/** Texts that are secret by their form anywhere, as patterns that begin at their sign. */
const PATTERNS: readonly { readonly kind: LeakKind; readonly signs: readonly string[]; readonly pattern: RegExp }[] = [
  { kind: 'API key', signs: ['sk_s', 'sk_p'], pattern: /sk_(?:sandbox|prod)_[\w-]{43}/y },
  {
    kind: 'customer secret',
    signs: Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-', (next) => `cs_${next}`),
    pattern: /cs_(?:sandbox_)?[\w-]{22}_[\w-]{64}(?![\w-])/y,
  },
  {
    kind: 'client secret',
    // Its form, the environment and the kind of its intent.
    signs: ['AQAA', 'AQAB', 'AQEA', 'AQEB'],
    pattern: /AQ[AE][AB][\w-]{154}(?:==|%3D%3D)/y,
  },
  { kind: 'webhook secret', signs: ['valu'], pattern: /value\\*" ?: ?\\*"[\w-]{43}\\*"/y },
  {
    kind: 'CV2',
    signs: listCv2Signs(),
    pattern: /c(?:v2|v[vc]2?|vc2?)(?:\\*["']|%22)? ?(?:[:=]|%3[ad]) ?(?:\\*["']|%22)?\d{3,4}(?!\d)/iy,
  },
];

/** API keys, the secrets of customers, clients and webhooks, and a CV2 as a member or a field of a form. */
export function createSecretShapes(): LeakShape[] {
  const patterns = PATTERNS.flatMap(({ kind, signs, pattern }) =>
    signs.map((sign) => ({
      kind,
      form: 'plain',
      sign,
      confirm: (bytes: Uint8Array, at: number) => {
        pattern.lastIndex = 0;
        return pattern.test(decodeLatin1(bytes, at, at + REACH)) ? kind : null;
      },
    })),
  );
  return [...patterns, ...createTextShapes('wallet token', WALLET_TOKEN_MEMBER)];
}

/** Every spelling of the name, and what may follow it. */
function listCv2Signs(): string[] {
  const spellings = ['cv2', 'cvv', 'cvc'].flatMap((name) =>
    Array.from({ length: 8 }, (_, upper) =>
      Array.from(name, (letter, place) => ((upper >> place) & 1 ? letter.toUpperCase() : letter)).join(''),
    ),
  );
  return [...new Set(spellings)].flatMap((name) => Array.from(`"'=:\\% 2`, (next) => name + next));
}

/**
 * A CV2 as it is sent to the acquirer: the field after the year of a card, or after the reference of a stored one.
 */
export function createCv2MessageShapes(): LeakShape[] {
  const years = Array.from({ length: YEARS }, (_, after) => YEAR_FIRST + after);
  const given = years.flatMap((year) =>
    [3, 4].map((length) => String.fromCharCode((year & 0x7f) | 0x80, year >> 7, GIVEN_CV2, length)),
  );
  const stored = [3, 4].flatMap((length) =>
    Array.from({ length: 100 }, (_, digits) => String.fromCharCode(STORED_CV2, length) + `${digits}`.padStart(2, '0')),
  );
  const kind = 'CV2';
  const form = 'message';
  return [
    ...given.map(
      (sign) =>
        ({
          kind,
          form,
          sign,
          confirm: (bytes: Uint8Array, at: number) =>
            bytes[at - 1] === GIVEN_YEAR && isDigits(bytes, at + 4, bytes[at + 3] ?? 0) ? kind : null,
        }) as const,
    ),
    ...stored.map(
      (sign) =>
        ({
          kind,
          form,
          sign,
          confirm: (bytes: Uint8Array, at: number) =>
            isDigits(bytes, at + 2, bytes[at + 1] ?? 0) && hasReferenceBefore(bytes, at) ? kind : null,
        }) as const,
    ),
  ];
}

/** The tags of `expiry_year` and `cv2` of a given card, and of `original_reference` and `cv2` of a stored one. */
const GIVEN_YEAR = 0x18;
const GIVEN_CV2 = 0x22;
const STORED_REFERENCE = 0x2a;
const STORED_CV2 = 0x32;
const YEAR_FIRST = 2020;
const YEARS = 80;
const REFERENCE_MAX = 64;

function isDigits(bytes: Uint8Array, from: number, count: number): boolean {
  return new RegExp(`^\\d{${count}}$`).test(decodeLatin1(bytes, from, from + count));
}

function hasReferenceBefore(bytes: Uint8Array, at: number): boolean {
  for (let length = 1; length <= Math.min(REFERENCE_MAX, at - 2); length += 1) {
    const isNamed = bytes[at - length - 1] === length && bytes[at - length - 2] === STORED_REFERENCE;
    if (isNamed && /^[\x20-\x7e]+$/.test(decodeLatin1(bytes, at - length, at))) return true;
  }
  return false;
}
