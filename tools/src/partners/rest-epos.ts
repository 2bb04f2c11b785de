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
}

interface Order {
  readonly id: string;
  readonly tableId: string;
  readonly createdAt: string;
  readonly payments: Payment[];
  lock: { readonly lockId: string; readonly expiry: string } | null;
}

interface Search {
  readonly details?: { readonly dineIn?: { readonly tableId?: string } };
  readonly payableOnly?: boolean;
  readonly cursor?: { readonly limit?: number; readonly before?: string; readonly after?: string };
}

/** What is refused, in one of the four words of the contract. */
class Refused extends Error {
  constructor(readonly errorType: keyof typeof STATUSES) {
    super(errorType);
  }
}

const STATUSES = { InvalidRequest: 400, NotFound: 404, Conflict: 409, UnexpectedError: 500 } as const;
const TOTAL = 1300;
const restaurant: readonly Order[] = Array.from({ length: 12 }, (_, index) => ({
  ...{ id: `order-${index + 1}`, tableId: `t-${index + 1}`, payments: [], lock: null },
  createdAt: new Date().toISOString(),
}));

/** The calls that this EPOS registers; `:id` is an order, `:lock` a lock. */
const CALLS: Readonly<Record<string, (ids: readonly string[], body: never) => unknown>> = {
  'POST /v1/orders/search': (_, search: Search) => found(search),
  'GET /v1/orders/:id': ([id]) => shown(find(id)),
  'POST /v1/orders/:id/lock': ([id], lock: NonNullable<Order['lock']>) => {
    const order = find(id);
    if (!isHeldBy(order, lock.lockId) && isLocked(order)) throw new Refused('Conflict');
    order.lock = { lockId: lock.lockId, expiry: lock.expiry };
    return shown(order);
  },
  'PUT /v1/orders/:id/locks/:lock': ([id, lockId = ''], { expiry }: { readonly expiry: string }) => {
    const order = find(id);
    if (!isHeldBy(order, lockId)) throw new Refused('NotFound');
    order.lock = { lockId, expiry };
    return {};
  },
  'DELETE /v1/orders/:id/locks/:lock': ([id, lockId = '']) => {
    const order = find(id);
    if (isHeldBy(order, lockId)) order.lock = null;
    return shown(order);
  },
  'POST /v1/orders/:id/record-payment': ([id], payment: Payment & { readonly lockId?: string }) =>
    shown(recorded(find(id), payment)),
};

/** The intent is the idempotency key: whatever is sent again, it is on the order once. */
function recorded(order: Order, { lockId, paymentIntentId, paidAmount, tipsAmount }: Payment & { lockId?: string }) {
  const known = order.payments.find((payment) => payment.paymentIntentId === paymentIntentId);
  const isSame = known?.paidAmount.value === paidAmount.value && known.tipsAmount?.value === tipsAmount?.value;
  if (known !== undefined && isSame) return order;
  const isOwed = paidAmount.currencyCode === 'GBP' && paidAmount.value <= TOTAL - paid(order);
  if (known !== undefined || !isOwed || !isHeldBy(order, lockId ?? '')) throw new Refused('Conflict');
  order.payments.push({ paymentIntentId, paidAmount, ...(tipsAmount !== undefined && { tipsAmount }) });
  return order;
}

function found({ details, payableOnly = false, cursor = {} }: Search) {
  const { limit = 50, before, after } = cursor;
  const tableId = details?.dineIn?.tableId;
  const all = restaurant.filter((order) => tableId === undefined || order.tableId === tableId);
  const matching = all.filter((order) => !payableOnly || paid(order) < TOTAL);
  const placeOf = (id: string) => matching.findIndex((order) => order.id === id);
  const from = before === undefined ? placeOf(after ?? '') + 1 : Math.max(0, placeOf(before) - limit);
  const data = matching.slice(from, from + (before === undefined ? limit : placeOf(before) - from));
  const isLast = from + data.length >= matching.length;
  return { data: data.map(shown), before: from > 0 ? data[0]?.id : null, after: isLast ? null : data.at(-1)?.id };
}

function shown(order: Order) {
  const { id, tableId, createdAt, payments } = order;
  const tips = payments.reduce((sum, { tipsAmount }) => sum + (tipsAmount?.value ?? 0), 0);
  return {
    ...{ id, status: 'Accepted', details: { orderType: 'DineIn', dineIn: { tableId } }, createdAt },
    items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: pounds(650) }],
    ...{ totalAmount: pounds(TOTAL), paidAmount: pounds(paid(order)), tipsAmount: pounds(tips), payments },
    payable: paid(order) < TOTAL,
  };
}

function find(id: string | undefined): Order {
  const order = restaurant.find((each) => each.id === id);
  if (order === undefined) throw new Refused('NotFound');
  return order;
}

function paid({ payments }: Order): number {
  return payments.reduce((sum, { paidAmount }) => sum + paidAmount.value, 0);
}

/** A lock past its expiry is no lock. */
function isLocked({ lock }: Order): boolean {
  return lock !== null && new Date(lock.expiry) > new Date();
}

function isHeldBy(order: Order, lockId: string): boolean {
  return isLocked(order) && order.lock?.lockId === lockId;
}

function pounds(value: number): Amount {
  return { value, currencyCode: 'GBP' };
}

async function answerTo(request: IncomingMessage): Promise<unknown> {
  const parts = await request.toArray();
  const body: unknown = parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts as Buffer[]).toString());
  for (const [call, does] of Object.entries(CALLS)) {
    const ids = new RegExp(`^${call.replace(/:\w+/g, '([^/]+)')}$`).exec(
      `${request.method ?? ''} ${request.url ?? ''}`,
    );
    if (ids !== null) return does(ids.slice(1), body as never);
  }
  throw new Refused('NotFound');
}

const server = createServer((request, response) => {
  const send = (code: number, json: unknown): void => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  };
  if (request.headers.authorization !== `Basic ${Buffer.from(credentials).toString('base64')}`) {
    send(401, { errorType: 'InvalidRequest', debugMessage: 'wrong user name or password' });
    return;
  }
  answerTo(request).then(
    (answer) => send(200, answer),
    (error: unknown) => {
      const errorType = error instanceof Refused ? error.errorType : 'UnexpectedError';
      send(STATUSES[errorType], { errorType, debugMessage: String(error) });
    },
  );
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
