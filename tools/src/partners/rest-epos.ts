// An EPOS that the service calls over REST: one restaurant, kept in memory, with nothing but Node.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const [port = '7102', credentials = 'till:secret'] = process.argv.slice(2);

interface Amount {
  readonly value: number;
  readonly currencyCode: string;
}

interface Payment {
  readonly paymentIntentId: string;
  readonly paidAmount: Amount;
  readonly tipsAmount?: Amount;
  readonly lockId?: string;
}

interface Lock {
  readonly lockId: string;
  readonly expiry: string;
}

interface Order {
  readonly id: string;
  readonly payments: Payment[];
  lock: Lock | null;
}

interface Search {
  readonly details?: { readonly dineIn?: { readonly tableId?: string } };
  readonly payableOnly?: boolean;
  readonly cursor?: { readonly limit?: number; readonly before?: string; readonly after?: string };
}

/** The four error types of the contract. */
class Refused extends Error {
  constructor(readonly errorType: keyof typeof STATUSES) {
    super(errorType);
  }
}

const STATUSES = { InvalidRequest: 400, NotFound: 404, Conflict: 409, UnexpectedError: 500 } as const;
const TOTAL = 1300;
const restaurant = Array.from({ length: 12 }, (_, index): Order => ({
  id: `table-${index + 1}`,
  payments: [],
  lock: null,
}));

/** The calls that this EPOS registers; `:id` is an order, `:lock` a lock. */
const CALLS: Readonly<Record<string, (ids: readonly string[], body: never) => unknown>> = {
  'POST /v1/orders/search': (_, search: Search) => found(search),
  'GET /v1/orders/:id': ([id]) => shown(find(id)),
  'POST /v1/orders/:id/lock': ([id], { lockId, expiry }: Lock) => {
    const order = find(id);
    if ((lockOf(order) ?? lockId) !== lockId) throw new Refused('Conflict');
    order.lock = { lockId, expiry };
    return shown(order);
  },
  'PUT /v1/orders/:id/locks/:lock': ([id, lockId = ''], { expiry }: Lock) => {
    const order = find(id);
    if (lockOf(order) !== lockId) throw new Refused('NotFound');
    order.lock = { lockId, expiry };
    return {};
  },
  'DELETE /v1/orders/:id/locks/:lock': ([id, lockId]) => {
    const order = find(id);
    if (lockOf(order) === lockId) order.lock = null;
    return shown(order);
  },
  'POST /v1/orders/:id/record-payment': ([id], payment: Payment) => shown(recorded(find(id), payment)),
};

/** The intent is the idempotency key: a repeated payment is on the order once. */
function recorded(order: Order, { lockId, paymentIntentId, paidAmount, tipsAmount }: Payment): Order {
  const known = order.payments.find((payment) => payment.paymentIntentId === paymentIntentId);
  const isSame = known?.paidAmount.value === paidAmount.value && known.tipsAmount?.value === tipsAmount?.value;
  if (known !== undefined && isSame) return order;
  const isOwed = paidAmount.currencyCode === 'GBP' && paidAmount.value <= TOTAL - paid(order);
  const isLocked = lockId !== undefined && lockOf(order) === lockId;
  if (known !== undefined || !isOwed || !isLocked) throw new Refused('Conflict');
  order.payments.push({ paymentIntentId, paidAmount, ...(tipsAmount !== undefined && { tipsAmount }) });
  return order;
}

function found({ details, payableOnly = false, cursor: { limit = 50, before, after } = {} }: Search) {
  const tableId = details?.dineIn?.tableId;
  const atTable = restaurant.filter((order) => tableId === undefined || order.id === tableId);
  const all = atTable.filter((order) => !payableOnly || paid(order) < TOTAL);
  const placeOf = (id?: string) => all.findIndex((order) => order.id === id);
  const from = before === undefined ? placeOf(after) + 1 : Math.max(0, placeOf(before) - limit);
  const data = all.slice(from, before === undefined ? from + limit : placeOf(before));
  const isLast = from + data.length >= all.length;
  return { data: data.map(shown), before: from > 0 ? data[0]?.id : null, after: isLast ? null : data.at(-1)?.id };
}

/** Each table has one order, under its id. The service adds up the tips of the payments itself. */
function shown(order: Order) {
  const { id, payments } = order;
  return {
    ...{ id, status: 'Accepted', details: { orderType: 'DineIn', dineIn: { tableId: id } }, payments },
    items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: pounds(650) }],
    ...{ totalAmount: pounds(TOTAL), paidAmount: pounds(paid(order)), payable: paid(order) < TOTAL },
  };
}

function find(id: string | undefined): Order {
  const order = restaurant.find((each) => each.id === id);
  if (order === undefined) throw new Refused('NotFound');
  return order;
}

/** A lock after its expiry does not count. */
function lockOf({ lock }: Order): string | null {
  return lock !== null && new Date(lock.expiry) > new Date() ? lock.lockId : null;
}

const paid = ({ payments }: Order): number => payments.reduce((sum, { paidAmount }) => sum + paidAmount.value, 0);
const pounds = (value: number): Amount => ({ value, currencyCode: 'GBP' });

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  const asked = `${request.method ?? ''} ${request.url ?? ''}`;
  for (const [call, does] of Object.entries(CALLS)) {
    const ids = new RegExp(`^${call.replace(/:\w+/g, '([^/]+)')}$`).exec(asked);
    if (ids !== null) return does(ids.slice(1), (body === '' ? {} : JSON.parse(body)) as never);
  }
  throw new Refused('NotFound');
}

const server = createServer((request, response) => {
  const isKnown = request.headers.authorization === `Basic ${Buffer.from(credentials).toString('base64')}`;
  const send = (status: number, json: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  };
  const refuse = (error: unknown): void => {
    const errorType = error instanceof Refused ? error.errorType : 'UnexpectedError';
    send(STATUSES[errorType], { errorType, debugMessage: String(error) });
  };
  if (isKnown) answerTo(request).then((answer) => send(200, answer), refuse);
  else send(401, { errorType: 'InvalidRequest', debugMessage: 'wrong user name or password' });
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
