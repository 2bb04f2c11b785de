import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import { isOneDirection, ONE_DIRECTION, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, text } from '../shapes/shapes.js';

// The shapes that reservations, parties, areas and tables share. All of them are stored by the EPOS alone.

const TEXT_LENGTH_MAX = 1024;
const NAME_LENGTH_MAX = 200;
const COVERS_MAX = 10_000;
const TABLES_MAX = 50;
const CURSOR_LENGTH_MAX = 1024;

/** An id that the EPOS has given. */
export const EposIdInput = text({ min: 1, max: 200 });

export const TableIdsInput = z.array(EposIdInput).min(1).max(TABLES_MAX);
export const NameInput = freeText({ min: 1, max: NAME_LENGTH_MAX });
export const CoversInput = z.int().min(0).max(COVERS_MAX);
export const NotesInput = freeText({ max: TEXT_LENGTH_MAX });

/** An EPOS gives the cursors of its pages, so their form has no meaning here. */
const EposCursorInput = text({ min: 1, max: CURSOR_LENGTH_MAX }).optional();

/** The members that select a page of a search at the EPOS. */
export const EPOS_PAGE_MEMBERS = {
  limit: z
    .int()
    .min(1)
    .max(PAGE_SIZE_MAX)
    .default(PAGE_SIZE_DEFAULT)
    .describe('How many elements the page has at most.'),
  before: EposCursorInput.describe('The cursor `before` of an earlier page. Cannot be sent together with `after`.'),
  after: EposCursorInput.describe('The cursor `after` of an earlier page. Cannot be sent together with `before`.'),
};

export { isOneDirection, ONE_DIRECTION };

/** A page of elements in the order of the EPOS. */
export function getBookingPage<S extends z.ZodType>(id: string, element: S) {
  return z
    .object({
      data: z.array(element).describe('The elements of this page, in the order of the EPOS.'),
      before: z.string().nullable().describe('Cursor of the previous page; null when there is none.'),
      after: z.string().nullable().describe('Cursor of the next page; null when there is none.'),
      unreadableCount: z
        .int()
        .min(1)
        .optional()
        .describe('How many elements of the page were left out because they cannot be read; absent when all can.'),
    })
    .meta({ id });
}

/** The refusals of a call to the EPOS of the account. */
export const EPOS_CALL_REFUSALS = ['epos_cannot_book', 'epos_unreachable', 'epos_unanswered'] as const;
/** The refusals of a change of a booking. */
export const BOOKING_CHANGE_REFUSALS = ['account_disabled', 'booking_refused', ...EPOS_CALL_REFUSALS] as const;

export const BOOKINGS_TAG = 'Bookings';
