import { type IdKind, isId } from '@pos/core/identity';
import { AMOUNT_MAX } from '@pos/core/money';
import { parseTimespan } from '@pos/core/time';
import { z } from 'zod';
import { parseMoment } from './moment.js';

// The smallest shapes of the JSON APIs. Shapes whose names end in `Input` are read from callers; the others are
// written.

/** Text whose length is counted in Unicode code points, as a person counts characters. */
export function text({ min = 0, max }: { min?: number; max: number }) {
  return z
    .string()
    .check((subject) => {
      if (isShorterThan(min, subject.value)) subject.issues.push(customSchema(subject.value, atLeastAmount(min)));
      if (isLongerThan(max, subject.value))
        subject.issues.push(customSchema(subject.value, `Must be at most ${max} characters.`));
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

/** An id of a resource in a request. A malformed id counts as an unknown one, and is refused with the same message. */
export function getId<K extends IdKind>(kind: K, message: string) {
  return text({ min: 1, max: 100 }).refine((id) => isId(kind, id), { error: message });
}

/** Absolute http or https address without credentials. */
export function webAddress({ max = 2048 }: { max?: number } = {}) {
  return z
    .string()
    .refine((address) => !isLongerThan(max, address) && isWebAddress(address), {
      error: `Must be an absolute http or https address of at most ${max} characters.`,
    })
    .meta({ format: 'uri', maxLength: max });
}

/** The limit of a list of enum values: more than the longest enumeration has. */
export const WORDS_MAX = 100;

/** ISO 4217; case-insensitive. */
export const CurrencyCode = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/, { error: 'Must be an ISO 4217 code of three letters.' })
  .meta({ examples: ['GBP'] });

export const Money = z
  .object({
    value: z.int().meta({ description: 'Whole minor units (pence, cents).', format: 'int64' }),
    currencyCode: z.string().meta({ description: 'ISO 4217.' }),
  })
  .meta({ id: 'Money', examples: [{ value: 1250, currencyCode: 'GBP' }] });
export type Money = z.output<typeof Money>;

function amount({ min, max }: { min: number; max: number }) {
  return z.object({
    value: z.int().min(min).max(max).describe('Whole minor units of the currency (pence, cents): 1250 is 12.50.'),
    currencyCode: CurrencyCode.describe(
      'ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one currency.',
    ),
  });
}

/** An amount that a cardholder can pay. */
export const PayableInput = amount({ min: 1, max: AMOUNT_MAX }).meta({
  id: 'PayableAmount',
  examples: [{ value: 1250, currencyCode: 'GBP' }],
});

/** An addition to it: tip, cashback, service charge. */
export const SurplusInput = amount({ min: 0, max: AMOUNT_MAX }).meta({
  id: 'SurplusAmount',
  examples: [{ value: 150, currencyCode: 'GBP' }],
});

/** A price on a line; a discount is negative. */
export const PriceInput = amount({ min: -AMOUNT_MAX, max: AMOUNT_MAX }).meta({
  id: 'PriceAmount',
  examples: [{ value: -100, currencyCode: 'GBP' }],
});

/** UTC, `Z`; callers must accept any number of fraction digits. */
export const Moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/)
  .meta({ format: 'date-time', examples: ['2026-03-01T12:00:00.000Z'] });

/** Parsed to a `Date`. */
export const MomentInput = z
  .string()
  .transform((sent, subject) => {
    const moment = parseMoment(sent);
    if (moment !== null) return moment;
    subject.issues.push(customSchema(sent, 'Must be an ISO 8601 timestamp with an offset or Z.'));
    return z.NEVER;
  })
  .meta({ format: 'date-time', examples: ['2026-03-01T12:00:00Z'] });

/** `hh:mm:ss`, with `d.` in front from one day up. */
export const Timespan = z
  .string()
  .regex(/^(\d+\.)?\d{2}:\d{2}:\d{2}$/)
  .meta({ examples: ['1.12:00:00'] });

/** Parsed to milliseconds. */
export const TimespanInput = z
  .string()
  .transform((sent, subject) => {
    const spanMs = parseTimespan(sent);
    if (spanMs !== null) return spanMs;
    subject.issues.push(customSchema(sent, 'Must be a timespan as hh:mm:ss or d.hh:mm:ss.'));
    return z.NEVER;
  })
  .meta({ examples: ['1.12:00:00'] });

/** E-mail address; only its outline is checked, because only a delivery can prove it. */
export const EmailInput = z
  .string()
  .refine((address) => !isLongerThan(254, address) && /^[^\s@]+@[^\s@]+$/.test(address), {
    error: 'Must be an e-mail address of at most 254 characters.',
  })
  .meta({ format: 'email', maxLength: 254 });

/** ISO 3166-1 alpha-2; case-insensitive. */
export const CountryCodeInput = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, { error: 'Must be an ISO 3166-1 code of two letters.' })
  .meta({ examples: ['GB'] });

/** A page of a listing, newest first: `after` leads to older elements, `before` to newer ones. Both are always written. */
export function getPage<S extends z.ZodType>(id: string, element: S) {
  return z
    .object({
      data: z.array(element).describe('The elements of this page, newest first; empty when nothing matches.'),
      before: z.string().nullable().meta({
        description:
          'Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page.',
      }),
      after: z.string().nullable().meta({ description: 'Cursor of the older page; null when there is none.' }),
    })
    .meta({ id });
}

export const PAGE_SIZE_MAX = 100;
export const PAGE_SIZE_DEFAULT = 50;

/** The members that select a page. */
export const PAGE_MEMBERS = {
  limit: z
    .int()
    .min(1)
    .max(PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .describe('How many elements the page has at most.'),
  before: text({ min: 1, max: 200 })
    .optional()
    .describe(
      'The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.',
    ),
  after: text({ min: 1, max: 200 })
    .optional()
    .describe(
      'The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.',
    ),
};

/** At most one direction is allowed. */
export function isOneDirection({
  before,
  after,
}: {
  before?: string | undefined;
  after?: string | undefined;
}): boolean {
  return before === undefined || after === undefined;
}

export const ONE_DIRECTION = { error: 'Only one of before and after may be sent.', path: ['before'] };

/** Beyond twice the limit in UTF-16 units no count is needed, because a code point has at most two of them. */
function isLongerThan(max: number, subject: string): boolean {
  return subject.length > 2 * max || codePoints(subject) > max;
}

function isShorterThan(min: number, subject: string): boolean {
  return subject.length < 2 * min && codePoints(subject) < min;
}

function codePoints(subject: string): number {
  // A surrogate pair is one code point; every other unit is one by itself.
  return subject.length - (subject.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * The characters of RFC 3986, part by part, because `format: uri` promises exactly those. `URL` accepts more (letters
 * of any alphabet, half an escape) and would yield another address than the text that is stored and shown.
 */
const URI =
  /^https?:\/\/(?:\[[\da-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})+)(?::\d*)?(?:\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i;

function isWebAddress(address: string): boolean {
  if (!URI.test(address) || !URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  const isScheme = protocol === 'https:' || protocol === 'http:';
  return isScheme && username === '' && password === '' && hostname !== '';
}

function atLeastAmount(min: number): string {
  return min === 1 ? 'Must not be empty.' : `Must be at least ${min} characters.`;
}

function customSchema(input: string, message: string): z.core.$ZodRawIssue {
  return { code: 'custom', input, message };
}
