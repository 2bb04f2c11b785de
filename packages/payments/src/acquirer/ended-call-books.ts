import { resolveMerchantId } from '@pos/core/accounts/merchant-ids';
import type { Scope } from '@pos/core/identity/identity';
import { DAY_MS } from '@pos/core/time/timespan';
import type { Database } from '@pos/store/database/database';
import type { OpenAcquirerCall } from '@pos/store/payments/acquirer-calls';
import type { AccountCache } from '../accounts/account-cache.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { readBookingsUnder } from './acquirer-books.js';
import { findLoggedAcquirer, type LoggedAcquirers } from './logged-acquirer.js';

/** Whether an acquirer has the money of a call in its books; `unknown` if it gives no final word. */
export type BookedState = 'booked' | 'notBooked' | 'unknown';

/**
 * Asks the acquirer about a call that has ended as made in our books. `notBooked` needs its answer to an inquiry, and after
 * "not found" also its list or its settlement files, which must be readable. Changes nothing.
 */
export async function readBookedState(
  services: LoggedAcquirers & {
    readonly database: Database;
    readonly accounts: AccountCache;
    readonly settings: PaymentSettings;
  },
  scope: Scope,
  { call, createdAt }: OpenAcquirerCall,
): Promise<BookedState> {
  const { database, accounts, acquirers, settings } = services;
  const { reference, acquirer: name, kind } = call;
  const acquirer = findLoggedAcquirer(services, scope, name);
  if (acquirer === null) return 'unknown';
  const { outcome } = await acquirer.inquire({ reference, deadlineMs: settings.acquirerDeadlineMs });
  if (outcome === 'approved' || outcome === 'done') return 'booked';
  if (outcome === 'declined' || outcome === 'reversed') return 'notBooked';
  if (outcome !== 'notFound') return 'unknown';
  const account = await database.read(scope, (reader) => accounts.get(reader));
  const databaseNow = await database.now();
  const range = { from: new Date(createdAt.getTime() - DAY_MS), to: new Date(databaseNow.getTime() + DAY_MS) };
  const query = { scope, name, merchantIds: [resolveMerchantId(call, account)], range };
  const directory = settings.acquirers;
  const books = await readBookingsUnder({ database, acquirers, directory }, query, reference).catch(() => null);
  if (books === null) return 'unknown';
  const isBooked = books.bookings.some(
    (booking) => booking.reference === reference && booking.kind === kind && booking.status === 'booked',
  );
  return isBooked ? 'booked' : 'notBooked';
}
