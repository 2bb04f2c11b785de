import { add, money, multiply } from '@pos/core/money';
import type { Bill, BillItem } from '@pos/core/tables';
import type { EposDataApi } from '@pos/sandbox/epos-data';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import type { ReferenceEpos } from '@pos/sandbox/epos';
import type { HonestTill } from './zoo-member.js';

const DATA = ['rest', 'ws'] as const;
const TABLES = ['tables-ws', 'grpc-dialled', 'grpc-stream'] as const;

type Members = Readonly<Record<string, unknown>>;

/** Tills that follow the interface documents in other ways than the reference EPOS does. */
export const HONEST_TILLS: readonly HonestTill[] = [
  {
    epos: 'that writes the members of each object in another order',
    transports: DATA,
    adjust: rewriteObjects((members) => Object.fromEntries(Object.entries(members).reverse())),
  },
  {
    epos: 'that sends only the optional members that a question is about',
    transports: DATA,
    adjust: rewriteObjects((members) =>
      Object.fromEntries(Object.entries(members).filter(([name, value]) => value !== null && !UNASKED.has(name))),
    ),
  },
  {
    epos: 'whose times have the offset of the restaurant',
    transports: DATA,
    adjust: rewriteObjects((members) =>
      mapMembers(members, (name, value) => (isMoment(value) ? writeOffset(value, PRECISE.has(name)) : value)),
    ),
  },
  {
    epos: 'whose order ids are text that people can read',
    transports: DATA,
    adjust: renameOrders((number) => `Bon ${number}/26 #Süd`),
  },
  {
    epos: 'whose order ids are numbers as text',
    transports: DATA,
    adjust: renameOrders((number) => String(number)),
  },
  {
    epos: 'that sells by weight and in half portions',
    transports: DATA,
    adjust: rewriteOrders((order) => ({ ...order, items: [...asList(order['items']).map(weighItem), HALF_PORTION] })),
  },
  {
    epos: 'that keeps void lines on the order',
    transports: DATA,
    adjust: rewriteOrders((order) => ({
      ...order,
      items: [...asList(order['items']), VOIDED, { ...VOIDED, quantity: -1 }],
    })),
  },
  {
    epos: 'whose orders were paid in part by another tender',
    transports: DATA,
    adjust: payInCash,
  },
  {
    epos: 'that has no areas',
    transports: DATA,
    adjust: (eposSimulator) => {
      rewriteObjects(({ areaId: _, ...members }) => members)(eposSimulator);
      patchAnswers(eposSimulator, (name, answer) => (name === 'ListAreas' ? [] : answer));
    },
  },
  {
    epos: 'whose sessions and bills have no optional members',
    transports: TABLES,
    adjust: adjustBills((bill) => ({ ...bill, serviceCharge: null, note: null })),
  },
  {
    epos: 'whose bills have weights, half portions and void lines',
    transports: TABLES,
    adjust: adjustBills((bill) => ({ ...bill, items: [...bill.items, ...createOddLines(bill)] })),
  },
  {
    epos: 'whose bills were paid in part by another tender',
    transports: TABLES,
    adjust: adjustBills((bill) => {
      const cash = money(CASH, bill.total.currencyCode);
      return { ...bill, total: add(bill.total, cash), paid: add(bill.paid, cash) };
    }),
  },
];

const CASH = 250;

/** Optional members that no call asks for. */
const UNASKED = new Set([
  ...['note', 'discounts', 'taxLines', 'serviceChargeAmount', 'customer', 'displayName', 'waiterIds', 'maxCovers'],
  ...['createdAt', 'updatedAt', 'amountTotal', 'modifiers', 'subItems'],
]);

const PRECISE = new Set(['startTime', 'endTime', 'expectedEndTime']);
const OFFSET_MS = 2 * 60 * 60 * 1000;

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);
}

function writeOffset(moment: string, isPrecise: boolean): string {
  const local = new Date(Date.parse(moment) + OFFSET_MS).toISOString();
  return `${isPrecise ? local.slice(0, -1) : local.slice(0, -5)}+02:00`;
}

function mapMembers(members: Members, change: (name: string, value: unknown) => unknown): Members {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(name, value)]));
}

function asList(value: unknown): readonly Members[] {
  return Array.isArray(value) ? (value as Members[]) : [];
}

const PRICE = { value: 400, currencyCode: 'GBP' };
const VOIDED = { name: 'Soup of the day', quantity: 1, plu: 'void-1', amountPerItem: PRICE };
const HALF_PORTION = { name: 'Half portion', quantity: 0.5, plu: 'half-1', amountPerItem: PRICE };

/** The line has a weight and keeps its total. */
function weighItem(item: Members): Members {
  const { quantity, amountPerItem, modifiers } = item;
  if (typeof quantity !== 'number' || modifiers !== undefined) return item;
  const { value, currencyCode } = amountPerItem as { value: number; currencyCode: string };
  return { ...item, quantity: 0.575, amountTotal: { value: value * quantity, currencyCode } };
}

/** Changes every object of every answer. */
function rewriteObjects(change: (members: Members) => Members) {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite);
    if (typeof value !== 'object' || value === null) return value;
    return change(mapMembers(value as Members, (_, member) => rewrite(member)));
  };
  return (eposSimulator: EposSimulator): void => {
    patchAnswers(eposSimulator, (_, answer) => rewrite(answer));
  };
}

/** Changes the orders of every answer. */
function rewriteOrders(change: (order: Members) => Members) {
  return rewriteObjects((members) => ('totalAmount' in members && 'status' in members ? change(members) : members));
}

/** Answers of calls after a change; they are JSON. */
function patchAnswers({ data }: EposSimulator, change: (name: string, answer: unknown) => unknown): void {
  const answer = data.answerCall.bind(data);
  data.answerCall = (call, proof) => {
    const given = answer(call, proof);
    return change(call.name, given === undefined ? given : (JSON.parse(JSON.stringify(given)) as unknown));
  };
}

/** Gives orders other ids, in answers and in calls. */
function renameOrders(write: (number: number) => string) {
  return ({ data }: EposSimulator): void => {
    const names = new Map<string, string>();
    const nameOrders = ({ orders }: EposDataApi): void => {
      for (const { id = '' } of orders.listOrders()) if (!names.has(id)) names.set(id, write(1_000 + names.size));
    };
    const answer = data.answerCall.bind(data);
    data.answerCall = (call, proof) => {
      nameOrders(data);
      const ids = new Map([...names].map(([id, name]) => [name, id]));
      const own = answer({ ...call, params: replaceTexts(call.params, ids) } as typeof call, proof);
      nameOrders(data);
      return replaceTexts(own, names);
    };
  };
}

function replaceTexts(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => replaceTexts(each, texts));
  if (typeof value !== 'object' || value === null) return value;
  return mapMembers(value as Members, (_, member) => replaceTexts(member, texts));
}

/** The orders that the till has now were paid in part with cash. */
function payInCash(eposSimulator: EposSimulator): void {
  const paid = new Set(eposSimulator.data.orders.listOrders().map(({ id }) => id));
  rewriteOrders((order) => {
    if (!paid.has(order['id'] as string)) return order;
    const { currencyCode } = order['totalAmount'] as { currencyCode: string };
    const raise = (name: string): Members => ({
      [name]: { value: ((order[name] as { value?: number } | undefined)?.value ?? 0) + CASH, currencyCode },
    });
    const payments = [...asList(order['payments']), { paidAmount: { value: CASH, currencyCode } }];
    return { ...order, ...raise('totalAmount'), ...raise('paidAmount'), payments };
  })(eposSimulator);
}

/** Changes the bills of a till with sessions, wherever it answers them. */
function adjustBills(change: (bill: Bill) => Bill) {
  return ({ epos }: EposSimulator): void => {
    const own: Pick<ReferenceEpos, 'getBill' | 'listBills' | 'lockSession'> = {
      getBill: epos.getBill.bind(epos),
      listBills: epos.listBills.bind(epos),
      lockSession: epos.lockSession.bind(epos),
    };
    epos.getBill = (sessionId) => change(own.getBill(sessionId));
    epos.listBills = (sessionIds) => own.listBills(sessionIds).map(change);
    epos.lockSession = (sessionId, requestor) => change(own.lockSession(sessionId, requestor));
  };
}

/** Lines that cancel each other out: a weight, half a portion, and their voids. */
function createOddLines({ sessionId, total: { currencyCode } }: Bill): BillItem[] {
  const plain = { category: [], modifiers: [], lastOrderedAt: new Date('2026-03-01T12:00:00.000Z') };
  const price = money(PRICE.value, currencyCode);
  const line = (name: string, quantity: number, more: Partial<BillItem> = {}): BillItem => ({
    ...{ id: `${sessionId}-${name}`, name, quantity, amountPerItem: price, ...plain },
    ...more,
  });
  return [
    line('Trout', 1, { quantityThousandths: 575 }),
    line('Half portion', 1, { quantityThousandths: 500 }),
    line('Void', -2, { amountPerItem: multiply(price, 1) }),
  ];
}
