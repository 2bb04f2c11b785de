import { z } from 'zod';
import { parseMoment } from '../shapes/moment.js';
import { CurrencyCode, text } from '../shapes/shapes.js';

// The smallest shapes of the EPOS Data API. They are read from a foreign EPOS and written back to it, so a moment stays
// the text that was sent: the EPOS may get back exactly its own text.

const QUANTITY_MAX = 100_000;

/** Whole minor units; negative only where a discount or a modifier lowers a price. */
export const EposMoney = z
  .object({
    value: z.int().meta({ description: 'Whole minor units.', format: 'int64' }),
    currencyCode: CurrencyCode.describe('ISO 4217 code, such as `GBP` or `EUR`.'),
  })
  .meta({ id: 'EposMoney', examples: [{ value: 1250, currencyCode: 'GBP' }] });
export type EposMoney = z.output<typeof EposMoney>;

/** ISO 8601 with an offset or Z and up to nine fraction digits; written with three and Z. */
export const EposMoment = z
  .string()
  .refine((sent) => parseMoment(sent) !== null, { error: 'Must be an ISO 8601 timestamp with an offset or Z.' })
  .meta({ format: 'date-time', examples: ['2026-03-01T12:00:00.000Z'] });

/** An id from the EPOS, or one that it must store. Its form has no meaning. */
export const EposId = text({ min: 1, max: 200 });

/** Two decimals are implied: 25.1 % is 2510. */
export const Percentage = z.int().meta({ description: 'Two decimals are implied: 25.1 % is 2510.' });

/** How much of something: to the thousandth, for weights and parts of a portion; negative for a void line. */
export const Quantity = z.number().multipleOf(0.001).min(-QUANTITY_MAX).max(QUANTITY_MAX);

const EPOS_PAGE_LIMIT_MAX = 100;

/** The wanted part of a search; `before` and `after` exclude each other. */
export const EposCursor = z
  .object({
    limit: z
      .int()
      .min(1)
      .max(EPOS_PAGE_LIMIT_MAX)
      .optional()
      .describe('How many elements the page has at most, 1 to 100. The service sends 50.'),
    before: z.string().min(1).optional().describe('The cursor `before` of an earlier page; excludes `after`.'),
    after: z.string().min(1).optional().describe('The cursor `after` of an earlier page; excludes `before`.'),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, {
    error: 'Only one of before and after may be sent.',
    path: ['before'],
  })
  .meta({ id: 'EposCursor', examples: [{ limit: 50, after: 'o-50' }] });
export type EposCursor = z.output<typeof EposCursor>;

/** A page of a search; a missing or null cursor means that there is no further page. */
export function getEposPage<S extends z.ZodType>(id: string, element: S) {
  return z
    .object({
      data: z.array(element).describe('The elements of this page; empty when nothing matches.'),
      before: z.string().nullish().describe('Cursor of the previous page; null or absent when there is none.'),
      after: z.string().nullish().describe('Cursor of the next page; null or absent when there is none.'),
    })
    .meta({ id });
}
