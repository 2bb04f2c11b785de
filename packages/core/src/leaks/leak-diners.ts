import { CardNumber } from '../cards/card-number.js';
import { decodeLatin1, type LeakShape } from './leak-scan.js';

/** The ranges of Diners Club: 300 to 305, 36, 38 and 39. */
const LEADS: readonly string[] = [
  ...['0', '1', '2', '3', '4', '5'].map((third) => `30${third}`),
  ...['36', '38', '39'].flatMap((lead) => Array.from({ length: 10 }, (_, third) => `${lead}${third}`)),
];
const SECOND_TO_FOURTH = LEADS.flatMap((lead) => listDigits(lead.slice(1)));
const THIRD_AND_FOURTH = [...new Set(LEADS.flatMap((lead) => listDigits(lead.slice(2))))];
/** The number as it is embossed, or in one piece. Neither more digits nor the fraction of an amount may follow. */
const WRITTEN = /^3(?:0[0-5]|[689]\d)(?:\d{11}|\d([ ._/-])\d{6}\1\d{4})(?![0-9A-Za-z]|[.,]\d)/;
/**
 * No other digit, no letter of a hash, and no sign of a fraction or of a group of an amount may precede the number.
 */
const WITHIN = /[0-9A-Za-z]$|\d[.,]$/;
const WINDOW = 24;
const BEFORE = 2;

/**
 * Every number of 14 digits of Diners Club. Its ranges are wide and have only two fixed digits, so a number counts
 * only if it is separate: hashes and fractions contain such digits by chance.
 */
export function createDinersShapes(): LeakShape[] {
  return [...createPlainDinersShapes(), ...createWideDinersShapes(), ...createBase64DinersShapes()];
}

function createPlainDinersShapes(): LeakShape[] {
  const confirm = (bytes: Uint8Array, at: number) =>
    maskNumber(decodeLatin1(bytes, at, at + WINDOW), decodeLatin1(bytes, Math.max(0, at - BEFORE), at));
  return LEADS.flatMap(listDigits).map((sign) => ({ kind: 'card number', form: 'plain', sign, confirm }));
}

function createWideDinersShapes(): LeakShape[] {
  const read = (first: number) => (bytes: Uint8Array, at: number) => {
    const from = at + first;
    return maskNumber(
      narrowText(decodeLatin1(bytes, from, from + 2 * WINDOW)),
      narrowText(decodeLatin1(bytes, Math.max(0, from - 2 * BEFORE), from)),
    );
  };
  return ['0', '6', '8', '9'].flatMap((second): LeakShape[] => [
    { kind: 'card number', form: 'utf-16', sign: `3\0${second}\0`, confirm: read(0) },
    { kind: 'card number', form: 'utf-16', sign: `\x003\0${second}`, confirm: read(1) },
  ]);
}

/** The offset in a group of three bytes, and the first group that contains nothing else. */
function createBase64DinersShapes(): LeakShape[] {
  const places = [
    ...LEADS.map((group) => ({ shift: 0, group })),
    ...SECOND_TO_FOURTH.map((group) => ({ shift: 2, group })),
    ...THIRD_AND_FOURTH.flatMap((two) => [...listDigits(two), ...Array.from(' ._/-', (sign) => two + sign)]).map(
      (group) => ({ shift: 1, group }),
    ),
  ];
  return places.map(({ shift, group }) => ({
    kind: 'card number',
    form: 'base64',
    sign: Buffer.from(group).toString('base64'),
    confirm: (bytes, at) => {
      const from = shift === 0 ? at : at - 4;
      if (from < 0) return null;
      const decoded = Buffer.from(decodeLatin1(bytes, from, from + 2 * WINDOW), 'base64').toString('latin1');
      return maskNumber(decoded.slice(shift), decoded.slice(0, shift));
    },
  }));
}

function maskNumber(text: string, before: string): string | null {
  const [written] = WRITTEN.exec(text) ?? [];
  if (written === undefined || WITHIN.test(before)) return null;
  const number = CardNumber.read(written.replaceAll(/\D/g, ''));
  return number === null ? null : `card number ${number.masked}`;
}

/** Each character of a text in two bytes, from its own byte on, as long as the bytes between are zero. */
function narrowText(wide: string): string {
  return (/^(?:[^\0]\0)*[^\0]?/.exec(wide)?.[0] ?? '').replaceAll('\0', '');
}

function listDigits(lead: string): string[] {
  return Array.from({ length: 10 }, (_, digit) => `${lead}${digit}`);
}
