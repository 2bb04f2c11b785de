import { getMerchantId } from '@pos/core/accounts';
import type { AcquirerBooking, AcquirerPort } from '@pos/core/acquirer';
import type { Scope } from '@pos/core/identity';
import { addDays, DAY_MS, toZonedDay, toZonedMoment } from '@pos/core/time';
import type { Database, Reader } from '@pos/store/database';
import { type DatedAcquirerCall, listCallsBetween } from '@pos/store/payments';
import { listCoveredDays, listLinesByReference, type SettlementLine } from '@pos/store/reconciliation';
import { listRetiredMerchantIds, readTimeZone } from '@pos/store/repositories';
import type { AccountCache } from '../accounts/account-cache.js';
import type { AcquirerDirectory, AcquirerPorts } from '../accounts/acquirer-directory.js';

const PAGES_MAX = 1_000;
const PAGE_DEADLINE_MS = 10_000;
/** How long after a call its line is awaited in a settlement file: a weekend and a holiday. */
const SETTLEMENT_LAG_MS = 4 * DAY_MS;

/** What a comparison needs of the process. */
export interface BooksServices {
  readonly database: Database;
  readonly accounts: AccountCache;
  readonly acquirers: AcquirerPorts;
  readonly directory: Pick<AcquirerDirectory, 'getCapabilities'>;
}

/** A span of database time; `to` is exclusive. */
export interface ComparisonRange {
  readonly from: Date;
  readonly to: Date;
}

/** The books of an acquirer that are compared: its list, or its settlement files where it has no list. */
export type AcquirerBooks = AcquirerList | AcquirerFiles;

/** An acquirer with a list: what it has booked in a span. */
export interface AcquirerList {
  readonly port: AcquirerPort;
  readonly isList: true;
  readonly bookings: readonly AcquirerBooking[];
}

/** An acquirer with settlement files. Their lines are stored; a comparison reads those of its references. */
export interface AcquirerFiles {
  readonly port: AcquirerPort;
  readonly isList: false;
  readonly isCompleteBetween: CompletenessCheck;
}

/** Whether the books hold everything that was booked of calls that were written between two moments, both inclusive. */
export type CompletenessCheck = (from: Date, to: Date) => boolean;

/** What an acquirer has booked under one reference. A list holds other bookings too. */
export interface BookingsUnderReference {
  readonly bookings: readonly AcquirerBooking[];
  readonly isCompleteBetween: CompletenessCheck;
}

/** The acquirers whose books concern a span, and the account's numbers at them. */
export interface BooksOfAccount {
  /** Sorted. */
  readonly names: readonly string[];
  /** The number of now, and those of the calls in the span. */
  readonly findMerchantIds: (acquirer: string) => readonly string[];
  /** The calls of the account in the span, oldest first. */
  readonly calls: readonly DatedAcquirerCall[];
}

/**
 * The acquirers that the account has called in the span, and the one that it calls now if the process has it. Calls under
 * a retired number are left out: its books are those of another account, and no money is open under it.
 */
export async function findBooksOfAccount(
  { database, accounts, acquirers }: Omit<BooksServices, 'directory'>,
  scope: Scope,
  range: ComparisonRange,
): Promise<BooksOfAccount> {
  const { environment } = scope;
  return database.read(scope, async (reader) => {
    const account = await accounts.get(reader);
    const retired = await listRetiredMerchantIds(reader);
    const isRetired = (call: DatedAcquirerCall): boolean =>
      retired.some((each) => each.acquirer === call.acquirer && each.merchantId === call.merchantId);
    const calls = (await listCallsBetween(reader, range.from, range.to)).filter((call) => !isRetired(call));
    const current = account.settings.acquirer[environment];
    const isCurrentHere = acquirers.find(environment, current) !== null;
    const names = new Set([...calls.map(({ acquirer }) => acquirer), ...(isCurrentHere ? [current] : [])]);
    // What is booked without a call of ours is listed under the number of now.
    const findMerchantIds = (acquirer: string): string[] => {
      const own = calls.filter((each) => each.acquirer === acquirer);
      const numbers = own.map(({ merchantId }) => merchantId);
      return [...new Set([getMerchantId(account, { environment, acquirer }), ...numbers])];
    };
    return { names: [...names].toSorted(), findMerchantIds, calls };
  });
}

interface BooksQuery {
  readonly scope: Scope;
  readonly name: string;
  /** The numbers of the account at the acquirer whose lists are read. */
  readonly merchantIds: readonly string[];
  readonly range: ComparisonRange;
}

/**
 * The books of one acquirer. Throws where it is not configured, has not declared what it can do, or does not return its
 * list.
 */
export async function readBooksOf(
  { database, acquirers, directory }: Omit<BooksServices, 'accounts'>,
  { scope, name, merchantIds, range }: BooksQuery,
): Promise<AcquirerBooks> {
  const port = acquirers.find(scope.environment, name);
  if (port === null) throw new Error(`the acquirer "${name}" is not configured`);
  if (directory.getCapabilities(scope.environment, name).can.booked_list) {
    const bookings: AcquirerBooking[] = [];
    for (const merchantId of merchantIds) bookings.push(...(await listAllBookings(port, { merchantId, ...range })));
    return { port, isList: true, bookings };
  }
  const isCompleteBetween = await database.read(scope, (reader) => readCompleteness(reader, name, range));
  return { port, isList: false, isCompleteBetween };
}

/** What the books of one acquirer hold under a reference of ours. Throws what `readBooksOf` throws. */
export async function readBookingsUnder(
  services: Omit<BooksServices, 'accounts'>,
  query: BooksQuery,
  reference: string,
): Promise<BookingsUnderReference> {
  const books = await readBooksOf(services, query);
  // A list holds what was booked until now.
  if (books.isList) return { bookings: books.bookings, isCompleteBetween: () => true };
  const { scope, name } = query;
  const { lines, timeZone } = await services.database.read(scope, async (reader) => ({
    lines: await listLinesByReference(reader, name, [reference]),
    timeZone: await readTimeZone(reader),
  }));
  return { bookings: lines.map((line) => toBooking(line, timeZone)), isCompleteBetween: books.isCompleteBetween };
}

/**
 * Whether the settlement files of an acquirer hold everything of the calls of a span within `range`: each day from the
 * first call until the files of the last one are due has a file, or is stated to have none (ADR-0089).
 */
export async function readCompleteness(
  reader: Reader,
  acquirer: string,
  range: ComparisonRange,
): Promise<CompletenessCheck> {
  const timeZone = await readTimeZone(reader);
  const covered = await listCoveredDays(reader, acquirer, {
    from: toZonedDay(range.from, timeZone),
    to: toZonedDay(addMs(range.to, SETTLEMENT_LAG_MS), timeZone),
  });
  return (from, to) => {
    const last = toZonedDay(addMs(to, SETTLEMENT_LAG_MS), timeZone);
    for (let day = toZonedDay(from, timeZone); day <= last; day = addDays(day, 1)) {
      if (!covered.has(day)) return false;
    }
    return true;
  };
}

/** A line of a settlement file as a booking at the begin of its day in the zone: what is settled counts. */
export function toBooking({ reference, kind, amount, bookedOn }: SettlementLine, timeZone: string): AcquirerBooking {
  const bookedAt = toZonedMoment(bookedOn, timeZone);
  const unnamed = { originalReference: null, transactionId: '', tid: '' };
  return { ...unnamed, reference, kind, status: 'booked', amount, bookedAt };
}

function addMs(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

async function listAllBookings(
  acquirer: AcquirerPort,
  span: { readonly merchantId: string; readonly from: Date; readonly to: Date },
): Promise<AcquirerBooking[]> {
  const all: AcquirerBooking[] = [];
  let pageToken: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { bookings, nextPageToken } = await acquirer.listBooked({
      ...span,
      pageToken,
      deadlineMs: PAGE_DEADLINE_MS,
    });
    all.push(...bookings);
    if (nextPageToken === null) return all;
    pageToken = nextPageToken;
  }
  throw new Error(`the acquirer lists more than ${PAGES_MAX} pages`);
}
