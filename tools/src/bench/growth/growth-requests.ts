import { buildPageCursors } from '@pos/payments/paging';
import type { GrowthRequest, GrowthWorld, SendRequest } from './growth-world.js';

/** What is measured: an operation, or one page of a listing. */
export interface GrowthCase {
  /** The operation or the listing with its filter; its pages share the name. */
  readonly name: string;
  readonly page: string;
  readonly run: (send: SendRequest) => Promise<unknown>;
  /** How many rows a statement of it may read. A statement that reads more becomes slower as the account grows. */
  readonly rowsMax: number;
}

/** The elements of a page. */
const LIMIT = 20;
/** The elements of a page, one more, one of each status, and the rows that belong to each. */
const PAGE_ROWS_MAX = 10 * LIMIT;
/** A page of requests looks through so many entries first, and reads its elements again. */
const FIRST_SCAN_ROWS_MAX = 500 + 3 * LIMIT;
/** Then it looks through 10,000. A plan reads all entries of a log that has few more. */
const SCAN_ROWS_MAX = 3 * 10_000;
/** A thousand customers are sorted. Of more, a page is found among the newest ones, or by a scan of a few thousand. */
const CUSTOMER_ROWS_MAX = 5_000;

interface Listing {
  readonly name: string;
  /** Where the positions of its pages are found; null: only its first page is measured. */
  readonly relation: string | null;
  /** SQL that holds for its rows. */
  readonly condition?: string;
  readonly rowsMax?: number;
  readonly request: (page: PageMembers) => GrowthRequest;
}

type PageMembers = Readonly<Record<string, string | number>>;

/** How many of the rows are newer than a deep page. */
const DEPTHS = { middle: 0.5, deep: 0.9 } as const;

/** Every search with its filters, and every listing, each at pages of three depths. */
export async function listGrowthCases(world: GrowthWorld): Promise<GrowthCase[]> {
  const cases: GrowthCase[] = [];
  for (const listing of describeListings(world)) {
    const { name, request, rowsMax = PAGE_ROWS_MAX } = listing;
    const add = (page: string, members: PageMembers): unknown =>
      cases.push({ name, page, rowsMax, run: (send) => send(request({ limit: LIMIT, ...members })) });
    add('first', {});
    for (const [place, share] of Object.entries(DEPTHS)) {
      const cursors = await buildCursors(world, listing, share);
      if (cursors === null) continue;
      add(place, { after: cursors.after });
      add(`${place}, newer`, { before: cursors.before });
    }
  }
  return cases;
}

export function describeCreateAndFetch(): GrowthCase {
  const intent = { amount: { value: 1250, currencyCode: 'GBP' }, reference: 'table 4' };
  return {
    ...{ name: 'create + fetch of a payment intent', page: '', rowsMax: PAGE_ROWS_MAX },
    run: async (send) => {
      const { id } = (await send(post('/payment-intents', intent))) as { readonly id: string };
      await send({ method: 'GET', path: `/payment-intents/${id}` });
    },
  };
}

/** Both cursors at the newest row that is older than this share; null if there is no such row. */
async function buildCursors(
  { owner, scope, planted }: GrowthWorld,
  { relation, condition = 'true' }: Listing,
  share: number,
): Promise<{ readonly before: string; readonly after: string } | null> {
  if (relation === null) return null;
  const at = planted.timeOf(planted.size.intents * (1 - share));
  const { rows } = await owner.query<{ id: string; created_at: Date; seen: string }>(
    `select id, created_at, pg_current_snapshot()::text as seen from ${relation}
     where account_id = $1 and environment = $2 and created_at <= $3 and ${condition}
     order by created_at desc limit 1`,
    [scope.accountId, scope.environment, at],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const cursor = { createdAt: row.created_at, id: row.id, seen: row.seen };
  const { before, after } = buildPageCursors(scope, { elements: [], newer: cursor, older: cursor });
  return before === null || after === null ? null : { before, after };
}

const query = (path: string, members: Readonly<Record<string, string | number>>): GrowthRequest => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)])).toString()}`,
});
const post = (path: string, body: unknown): GrowthRequest => ({ method: 'POST', path, body });

function describeListings(world: GrowthWorld): Listing[] {
  return [
    ...describeIntentSearches(world),
    ...describeTransactionSearches(),
    ...describeDeliveryListings(world),
    ...describeCustomerSearches(),
    ...describeOtherListings(world),
    ...describeActivityListings(),
  ];
}

/** One rare status, a common one of old payments, a frequent one of new payments, and one of no payment. */
const INTENT_FILTERS = { rare: ['Reversed'], old: ['Captured'], new: ['Canceled'], none: ['Authorized'], any: [] };

function describeIntentSearches({ planted }: GrowthWorld): Listing[] {
  const { intents } = planted.size;
  const day = { startDate: planted.timeOf(intents * 0.2), endDate: planted.timeOf(intents * 0.21) };
  const search = (name: string, terms: object): Listing => ({
    ...{ name: `payment intents, ${name}`, relation: 'payment_intents' },
    request: (cursor) => post('/payment-intents/search', { ...terms, cursor }),
  });
  return [
    ...Object.entries(INTENT_FILTERS).map(([name, statuses]) => search(`status ${name}`, { statuses })),
    search('rare and old statuses', { statuses: ['Reversed', 'Captured'] }),
    search('a range of time', day),
    search('a rare status in a range', { statuses: ['Reversed'], ...day }),
    search('of a customer', { customerId: planted.customerId }),
    search('a rare status of a customer', { customerId: planted.customerId, statuses: ['Reversed'] }),
  ];
}

const TRANSACTION_FILTERS = { rare: ['Expired'], old: ['Authorized'], new: ['Declined'], none: ['Held'], any: [] };

function describeTransactionSearches(): Listing[] {
  return Object.entries(TRANSACTION_FILTERS).map(([name, statuses]) => ({
    ...{ name: `transactions, status ${name}`, relation: 'transactions' },
    request: (cursor) => post('/transactions/search', { startDate: null, endDate: null, statuses, cursor }),
  }));
}

const DELIVERY_FILTERS = { rare: 'Held', old: 'Delivered', new: 'DeadLettered', none: 'Pending', any: null };

function describeDeliveryListings({ templates }: GrowthWorld): Listing[] {
  return Object.entries(DELIVERY_FILTERS).map(([name, state]) => ({
    ...{ name: `deliveries, state ${name}`, relation: 'deliveries' },
    request: (page) =>
      query(`/webhooks/${templates.subscriptionId}/deliveries`, { ...(state !== null && { state }), ...page }),
  }));
}

function describeCustomerSearches(): Listing[] {
  const filters = { any: {}, 'a rare name': { name: 'zed' }, 'a common name': { name: 'ada' } };
  const addresses = {
    'an address that all share': { emailAddress: 'guest' },
    'one address': { emailAddress: 'guest77@' },
  };
  return Object.entries<object>({ ...filters, ...addresses }).map(([name, filter]) => ({
    ...{ name: `customers, ${name}`, relation: 'customers', rowsMax: CUSTOMER_ROWS_MAX },
    request: (page) => post('/customers/search', { ...filter, ...page }),
  }));
}

function describeOtherListings({ templates }: GrowthWorld): Listing[] {
  return [
    {
      ...{ name: 'sessions of a terminal', relation: 'terminal_sessions' },
      request: (page) => query(`/terminals/${templates.terminalId}/sessions`, page),
    },
    {
      ...{ name: 'activities of a payment', relation: null },
      request: (page) => query(`/payment-intents/${templates.intentId}/activities`, page),
    },
    {
      ...{ name: 'order placements', relation: 'order_placements' },
      request: (page) => query('/epos/order-placements', page),
    },
  ];
}

const NO_MATCH = 'of an operation that was not called';

/** A filter that matches nothing is looked for among 10,000 entries for each page. */
function describeActivityListings(): Listing[] {
  const filters: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
    all: {},
    unsuccessful: { outcome: 'Refused' },
    'with a status': { status: 409 },
    [NO_MATCH]: { operation: 'createCustomer' },
  };
  return Object.entries(filters).map(([name, filter]) => ({
    ...{ name: `requests, ${name}`, relation: 'activities', condition: `kind = 'ApiRequest'` },
    rowsMax: name === NO_MATCH ? SCAN_ROWS_MAX : FIRST_SCAN_ROWS_MAX,
    request: (page) => query('/activities/requests', { ...filter, ...page }),
  }));
}
