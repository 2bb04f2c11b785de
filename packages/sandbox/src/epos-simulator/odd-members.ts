// Oddities of tills that others wrote. Each element of an answer gets one of them, the same one in every answer, and
// can be paid all the same.

type Members = Readonly<Record<string, unknown>>;
type Oddity = (element: Members) => Members;

const ORDER_ODDITIES: readonly Oddity[] = [
  (order) => withFirst(order, 'items', { quantity: 0.575 }),
  (order) => withFirst(order, 'items', { plu: undefined }),
  (order) => withFirst(order, 'items', { amountPerItem: null }),
  (order) => withFirst(order, 'items', { amountPerItem: { value: '13.00', currencyCode: 'GBP' } }),
  (order) => withFirst(order, 'items', { quantity: '2' }),
  (order) => withVoid(order, 'items'),
  (order) => ({ ...order, createdAt: '2026-03-01T19:05:00' }),
  (order) => ({ ...order, createdAt: '' }),
  (order) => ({ ...order, updatedAt: 'a minute ago' }),
  (order) => ({ ...order, details: undefined }),
  (order) => ({ ...order, details: { ...toMembers(order['details']), orderType: 'Delivery' } }),
  (order) => ({ ...order, customer: { phoneNumber: 441_234_567 } }),
  (order) => withFirst(order, 'taxLines', { name: 'x'.repeat(101) }),
  (order) => ({ ...order, status: 'Being cooked' }),
  (order) => ({ ...order, tipsAmount: '2.00' }),
  (order) => ({ ...order, paidAmount: undefined }),
  (order) => ({ ...order, totalAmount: toTexts(order['totalAmount']) }),
  (order) => ({ ...order, payable: 'yes, please' }),
];

const SESSION_ODDITIES: readonly Oddity[] = [
  (session) => ({ ...session, createdAt: undefined }),
  (session) => ({ ...session, createdAt: '2026-03-01 19:05:00' }),
  (session) => ({ ...session, finishedAt: session['finishedAt'] ?? '' }),
  (session) => ({ ...session, numberOfCovers: '2' }),
  (session) => ({ ...session, waiter: { id: 'Ann' } }),
  (session) => ({ ...session, isPayable: session['isPayable'] === true ? 'true' : 0 }),
];

const BILL_ODDITIES: readonly Oddity[] = [
  (bill) => withFirst(bill, 'items', { quantity: 0.575 }),
  (bill) => withFirst(bill, 'items', { amountPerItem: '13.00' }),
  (bill) => withFirst(bill, 'items', { lastOrderedAt: undefined }),
  (bill) => withFirst(bill, 'items', { category: undefined, id: undefined }),
  (bill) => withVoid(bill, 'items'),
  (bill) => ({ ...bill, taxAmount: null }),
  (bill) => ({ ...bill, serviceCharge: '10%' }),
  (bill) => ({ ...bill, totalAmount: String(bill['totalAmount']) }),
];

/** In a message of gRPC a member has its type, but may be unset, repeated or out of its bounds. */
const BILL_MESSAGE_ODDITIES: readonly Oddity[] = [
  (bill) => withFirst(bill, 'items', { lastOrderedAt: undefined }),
  (bill) => withFirst(bill, 'items', { id: '' }),
  (bill) => withVoid(bill, 'items'),
  (bill) => ({ ...bill, taxAmount: BigInt(Number(bill['totalAmount'])) + 1n }),
  (bill) => ({ ...bill, items: toList(bill['items']).map((item) => ({ ...toMembers(item), id: 'same' })) }),
];

/** The JSON of an answer in which every element has one odd member. */
export function withOddMembers(json: unknown): unknown {
  return mapElements(json, (element) => {
    if ('details' in element && 'status' in element) return applyOddity(ORDER_ODDITIES, element);
    if ('isPayable' in element) return applyOddity(SESSION_ODDITIES, element);
    if ('maxCovers' in element) return { ...element, maxCovers: undefined };
    if ('items' in element && 'sessionId' in element) return applyOddity(BILL_ODDITIES, element, 'sessionId');
    return element;
  });
}

/** The same for a message of gRPC. */
export function withOddFields(message: unknown): unknown {
  return mapElements(message, (element) => {
    if ('isPayable' in element) return { ...element, createdAt: undefined };
    if ('maxCovers' in element) return { ...element, maxCovers: -1 };
    if ('items' in element && 'sessionId' in element) return applyOddity(BILL_MESSAGE_ODDITIES, element, 'sessionId');
    return element;
  });
}

function applyOddity(oddities: readonly Oddity[], element: Members, idMember = 'id'): Members {
  const id = element[idMember];
  const text = typeof id === 'string' ? id : '';
  const sum = Array.from(text).reduce((made, character) => made + (character.codePointAt(0) ?? 0), 0);
  return oddities[sum % oddities.length]?.(element) ?? element;
}

function mapElements(value: unknown, change: (element: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((each) => mapElements(each, change));
  if (!isMembers(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, mapElements(each, change)] as const);
  return change(Object.fromEntries(members));
}

function withFirst(element: Members, list: string, members: Members): Members {
  const [first, ...others] = toList(element[list]);
  return first === undefined ? element : { ...element, [list]: [{ ...toMembers(first), ...members }, ...others] };
}

/** A waiter has voided one of the first item. */
function withVoid(element: Members, list: string): Members {
  const [first, ...others] = toList(element[list]);
  if (first === undefined) return element;
  return { ...element, [list]: [first, ...others, { ...toMembers(first), quantity: -1 }] };
}

function toTexts(amount: unknown): unknown {
  const { value, ...rest } = toMembers(amount);
  return typeof value === 'number' ? { ...rest, value: String(value) } : amount;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function toMembers(value: unknown): Members {
  return isMembers(value) ? value : {};
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
