import { EPOS_DATA, type EposDataCallName, toSinglePage } from '@pos/rest-contracts/epos-data';
import { isMembers } from '@pos/rest-contracts/shapes';
import type { ClauseId } from '../checks/clauses.js';
import type { StepContext } from './flow-context.js';

// Compares answers strictly with the contract. The service accepts more, but an EPOS should not rely on it.

/** A member of an answer that differs from the contract. */
interface SchemaViolation {
  readonly clause: ClauseId;
  readonly member: string;
  readonly expected: string;
  readonly found: unknown;
}

type Path = readonly PropertyKey[];

const VIOLATIONS_REPORTED_MAX = 20;
const TO_THE_MILLISECOND = /\.\d{3}(?:Z|[+-]\d{2}:?\d{2})$/;
const BOOKING_TIMES = ['startTime', 'expectedEndTime', 'endTime'];
/** The member that belongs to each type of a line. */
const LINE_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['Logo', 'logo'],
  ['Image', 'image'],
  ['MerchantName', 'merchantName'],
  ['MerchantEmailAddress', 'merchantEmailAddress'],
  ['MerchantPhoneNumber', 'merchantPhoneNumber'],
  ['MerchantAddress', 'merchantAddress'],
  ['Text', 'text'],
  ['HorizontalLine', 'horizontalLine'],
  ['URL', 'url'],
  ['TaxNumber', 'taxNumber'],
]);

/** Checks every member of an answer against the contract; true when all conform. */
export function checkDataSchema({ step }: StepContext, name: EposDataCallName, json: unknown): boolean {
  const violations = findSchemaViolations(name, json);
  for (const { clause, member, expected, found } of violations.slice(0, VIOLATIONS_REPORTED_MAX)) {
    const text = typeof found === 'string' || found === undefined ? found : JSON.stringify(found);
    step.check(false, { clause, member, expected, found: text });
  }
  const broken = new Set(violations.map(({ clause }) => clause));
  for (const clause of listClauses(name, json)) {
    if (!broken.has(clause)) step.saw(clause, { member: name, what: 'what the contract says' });
  }
  return violations.length === 0;
}

/** The clauses that an answer can test: those of every body, and those of its content. */
function listClauses(name: EposDataCallName, json: unknown): ClauseId[] {
  if (EPOS_DATA[name].returns === null) return [];
  const hasBookings = splitPath(BOOKING_PATHS, { name, json }).length > 0;
  return [
    ...(['schema.missing', 'schema.type', 'schema.enum', 'schema.value'] as const),
    ...(hasBookings ? (['booking.times'] as const) : []),
    ...(name === 'GetOrderBillById' ? (['order-bill.lines'] as const) : []),
  ];
}

/** All deviations of an answer from the contract. Unknown members are ignored. */
export function findSchemaViolations(name: EposDataCallName, answer: unknown): SchemaViolation[] {
  const { returns } = EPOS_DATA[name];
  if (returns === null) return [];
  const json = withPrices(toSinglePage(name, answer));
  const { error } = returns.safeParse(json);
  const issues = (error?.issues ?? []).map(({ code, path, message }) => {
    const found = valueAt(json, path);
    return { clause: getClause(code, found), member: getMember(name, path), expected: message, found };
  });
  return [...issues, ...CONTRACT_CHECKS.flatMap((find) => find(name, json))];
}

/** The price of a modifier may have either of its two names. */
function withPrices(json: unknown): unknown {
  if (Array.isArray(json)) return (json as readonly unknown[]).map(withPrices);
  if (!isMembers(json)) return json;
  const members = Object.entries(json).map(([name, value]) => [name, withPrices(value)] as const);
  const { amountPerItem, amountPerModifier } = json;
  const isOther = amountPerItem === undefined && amountPerModifier !== undefined;
  return Object.fromEntries(isOther ? [...members, ['amountPerItem', withPrices(amountPerModifier)]] : members);
}

function getClause(code: string, found: unknown): ClauseId {
  if (found === undefined) return 'schema.missing';
  if (code === 'invalid_type') return 'schema.type';
  return code === 'invalid_value' ? 'schema.enum' : 'schema.value';
}

/** Rules that a schema cannot express. */
const CONTRACT_CHECKS: readonly ((name: EposDataCallName, json: unknown) => SchemaViolation[])[] = [
  findMissingOrderMembers,
  findUntimedBookings,
  findMistakenLines,
  (_, json) => findSmallCurrencies(json, []),
];

/** The service treats an order without a status as new, and needs no id where it named the order itself. */
function findMissingOrderMembers(name: EposDataCallName, json: unknown): SchemaViolation[] {
  const required = name === 'SearchOrders' || name === 'CreateOrder' ? ['id', 'status'] : ['status'];
  return splitPath(ORDER_PATHS, { name, json }).flatMap(({ path, members }) =>
    required
      .filter((member) => members[member] === undefined)
      .map((member) => ({
        clause: 'schema.missing' as const,
        member: getMember(name, [...path, member]),
        expected: 'a text',
        found: undefined,
      })),
  );
}

function findUntimedBookings(name: EposDataCallName, json: unknown): SchemaViolation[] {
  return splitPath(BOOKING_PATHS, { name, json }).flatMap(({ path, members }) =>
    BOOKING_TIMES.flatMap((member) => {
      const found = members[member];
      if (typeof found !== 'string' || TO_THE_MILLISECOND.test(found)) return [];
      const expected = 'a time with three fraction digits';
      return [{ clause: 'booking.times' as const, member: getMember(name, [...path, member]), expected, found }];
    }),
  );
}

function findMistakenLines(name: EposDataCallName, json: unknown): SchemaViolation[] {
  if (name !== 'GetOrderBillById') return [];
  return ['header', 'footer'].flatMap((section) => {
    const lines = valueAt(json, [section, 'lines']);
    if (!Array.isArray(lines)) return [];
    return (lines as readonly unknown[]).flatMap((line, index): SchemaViolation[] => {
      const type = isMembers(line) ? line['lineType'] : undefined;
      if (!isMembers(line) || typeof type !== 'string') return [];
      const at = [section, 'lines', index];
      const member = LINE_MEMBERS.get(type);
      if (member === undefined) {
        const expected = [...LINE_MEMBERS.keys()].join(' or ');
        return [{ clause: 'schema.enum', member: getMember(name, [...at, 'lineType']), expected, found: type }];
      }
      if (line[member] !== undefined) return [];
      const found = Object.keys(line).join(', ');
      return [{ clause: 'order-bill.lines', member: getMember(name, at), expected: `a member ${member}`, found }];
    });
  });
}

/** The service accepts currencies in any case; the contract has capitals only. */
function findSmallCurrencies(json: unknown, path: Path): SchemaViolation[] {
  if (Array.isArray(json)) {
    return (json as readonly unknown[]).flatMap((each, index) => findSmallCurrencies(each, [...path, index]));
  }
  if (!isMembers(json)) return [];
  return Object.entries(json).flatMap(([member, found]): SchemaViolation[] => {
    const at = [...path, member];
    if (member !== 'currencyCode' || typeof found !== 'string') return findSmallCurrencies(found, at);
    if (found === found.toUpperCase()) return [];
    return [{ clause: 'schema.value', member: pathText(at), expected: 'capital letters', found }];
  });
}

/** Where an answer contains its orders, and where its parties and reservations. */
const ORDER_PATHS: Partial<Record<EposDataCallName, Path>> = {
  CreateOrder: [],
  GetOrderById: [],
  CancelOrderById: [],
  SearchOrders: ['data'],
  CreateOrderLock: [],
  DeleteOrderLock: [],
  GetOrderBillById: ['order'],
  RecordOrderPaymentById: [],
};
const BOOKING_PATHS: Partial<Record<EposDataCallName, Path>> = {
  CreateParty: [],
  GetPartyById: [],
  UpdateParty: [],
  SearchParties: ['data'],
  CreateReservation: [],
  GetReservationById: [],
  UpdateReservation: [],
  SearchReservations: ['data'],
};

function splitPath(
  paths: Partial<Record<EposDataCallName, Path>>,
  { name, json }: { readonly name: EposDataCallName; readonly json: unknown },
): { readonly path: Path; readonly members: Readonly<Record<string, unknown>> }[] {
  const path = paths[name];
  const value = path === undefined ? undefined : valueAt(json, path);
  if (path === undefined) return [];
  if (!Array.isArray(value)) return isMembers(value) ? [{ path, members: value }] : [];
  return (value as readonly unknown[]).flatMap((each, index) =>
    isMembers(each) ? [{ path: [...path, index], members: each }] : [],
  );
}

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return typeof step === 'number' ? (inner as readonly unknown[])[step] : undefined;
    return isMembers(inner) && typeof step === 'string' ? inner[step] : undefined;
  }, json);
}

/** The member as `data[2].totalAmount.value`; the call itself for the whole answer. */
function getMember(name: EposDataCallName, path: Path): string {
  return path.length === 0 ? name : pathText(path);
}

function pathText(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('');
}
