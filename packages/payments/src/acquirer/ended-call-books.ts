import type { AcquirerCapabilities } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import { DAY_MS } from '@pos/core/time';
import type { Database } from '@pos/store/database';
import type { OpenAcquirerCall } from '@pos/store/payments';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { type BookingsUnderReference, readBookingsUnder } from './acquirer-books.js';
import { findLoggedAcquirer, type LoggedAcquirers } from './logged-acquirer.js';
import { getArrivalEnd } from './reversal-assessment.js';

/** Whether an acquirer has the money of a call in its books; `unknown` if it gives no final word. */
export type BookedState = 'booked' | 'notBooked' | 'unknown';

/**
 * Asks the acquirer about a call that has ended as made in our books. `notBooked` needs its answer to an inquiry. "Not found"
 * alone is none: the acquirer may have forgotten the call, or book it later. Its list or its settlement files decide then,
 * which have to be complete for all days of the call, once it cannot arrive any more. Changes nothing.
 */
export async function readBookedState(
  services: LoggedAcquirers & {
    readonly database: Database;
    readonly settings: PaymentSettings;
  },
  scope: Scope,
  { call, createdAt }: OpenAcquirerCall,
): Promise<BookedState> {
  const { database, acquirers, settings } = services;
  const { reference, acquirer: name, kind } = call;
  const acquirer = findLoggedAcquirer(services, scope, name);
  if (acquirer === null) return 'unknown';
  const { outcome } = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
  if (outcome === 'approved' || outcome === 'done') return 'booked';
  if (outcome === 'declined' || outcome === 'reversed') return 'notBooked';
  if (outcome !== 'notFound') return 'unknown';
  const databaseNow = await database.now();
  const range = { from: new Date(createdAt.getTime() - DAY_MS), to: new Date(databaseNow.getTime() + DAY_MS) };
  const query = { scope, name, merchantIds: [call.merchantId], range };
  const directory = settings.acquirers;
  const books = await readBookingsUnder({ database, acquirers, directory }, query, reference).catch(() => null);
  const capabilities = directory.findCapabilities(scope.environment, name);
  if (books === null || capabilities === null) return 'unknown';
  const booked = books.bookings.filter((booking) => booking.reference === reference && booking.status === 'booked');
  if (booked.some((booking) => booking.kind === kind)) return 'booked';
  // What the acquirer has booked as another kind has moved money, too.
  if (booked.length > 0) return 'unknown';
  return isAbsenceFinal(books, { ended: { call, createdAt }, capabilities, databaseNow }) ? 'notBooked' : 'unknown';
}

interface AbsenceFacts {
  readonly ended: OpenAcquirerCall;
  readonly capabilities: AcquirerCapabilities;
  readonly databaseNow: Date;
}

/** Whether books that do not hold a call never will. */
function isAbsenceFinal(
  { isCompleteBetween }: Pick<BookingsUnderReference, 'isCompleteBetween'>,
  { ended: { call, createdAt }, capabilities, databaseNow }: AbsenceFacts,
): boolean {
  const arrivesUntil = getArrivalEnd(call, capabilities);
  if (arrivesUntil > databaseNow) return false;
  // By the calendar of the acquirer the day may be the one before. The clock of a sandbox moves deadlines, not beginnings.
  return isCompleteBetween(new Date(createdAt.getTime() - DAY_MS), arrivesUntil > createdAt ? arrivesUntil : createdAt);
}
