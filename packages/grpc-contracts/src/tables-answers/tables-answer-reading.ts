import { toWholeLine } from './bill-quantities.js';
import { JsonEdgeError } from '../json-kind.js';
import type { JsonObject } from '../json-shape.js';
import { receiptLine } from '../receipt-shapes.js';
import {
  failMember,
  isMembers,
  MemberReader,
  readAmount,
  readFlag,
  readInt,
  readQuantity,
  readText,
  readTime,
  ReadingProblem,
  type ReadingContext,
  type UnreadableMember,
} from './tables-answer-members.js';
import { readTablesAnswer, type TablesAnswer, type TablesCallName } from '../tables-methods.js';

export type { UnreadableMember } from './tables-answer-members.js';

/** What a reader must know beside the answer. */
export interface TablesReadingOptions {
  /** The session that the call was about; empty for a list. */
  readonly sessionId: string;
  /** The time of a member that the EPOS has not sent, such as the creation of a session. */
  readonly now: Date;
  /** The instant that clocks of the restaurant display as this text, or null. For times without an offset. */
  readonly parseLocalTime: (text: string) => Date | null;
}

/** The answer, and the members that were left out. */
export interface TablesReading {
  readonly answer: TablesAnswer;
  readonly unreadable: readonly UnreadableMember[];
}

/**
 * Reads the JSON of a result element by element and member by member (ADR 0123): what is unambiguous is taken, what
 * cannot be read is left out and named, and an element that cannot be used is left out of its list. Throws
 * JsonEdgeError when nothing usable is left.
 */
export function readTablesAnswerLeniently(
  name: TablesCallName,
  result: JsonObject,
  options: TablesReadingOptions,
): TablesReading {
  const context: ReadingContext = { ...options, unreadable: [], element: '', path: '' };
  const repaired = REPAIRS[name](new MemberReader(result, context), context);
  return { answer: readTablesAnswer(name, repaired), unreadable: context.unreadable };
}

type Repair = (result: MemberReader, context: ReadingContext) => JsonObject;

const REPAIRS: Readonly<Record<TablesCallName, Repair>> = {
  listSessions: (result, context) => readList('sessions', readSession, { result, context }),
  getSession: (result, context) => readOne('session', readSession, { result, context }),
  listTables: (result, context) => readList('tables', readTable, { result, context }),
  getTable: (result, context) => readOne('table', readTable, { result, context }),
  getBillItems: (result, context) => readOne('billItems', readBill, { result, context }),
  listBillItems: (result, context) => readList('billItems', readBill, { result, context }),
  getFullBill: (result, context) => readOne('fullBill', readFullBill, { result, context }),
  lockSession: (result, context) => readOne('billItems', readBill, { result, context }),
  unlockSession: () => ({}),
  recordPayment: () => ({}),
};

type ReadEntity = (json: unknown, context: ReadingContext) => JsonObject;
interface EntityPlace {
  readonly result: MemberReader;
  readonly context: ReadingContext;
}

/** An element that cannot be used is left out, and counted. */
function readList(member: string, read: ReadEntity, { result, context }: EntityPlace): JsonObject {
  const sent = result.find(member);
  if (!Array.isArray(sent)) throw new JsonEdgeError(member, sent === undefined ? 'is missing' : 'is not a list');
  let skipped = 0;
  const kept = (sent as readonly unknown[]).flatMap((json, index) => {
    const element = findElementId(json) ?? `[${index}]`;
    try {
      return [read(json, { ...context, element, path: '' })];
    } catch (error) {
      if (!(error instanceof ReadingProblem)) throw error;
      skipped += 1;
      context.unreadable.push({ element, member: error.path, problem: error.problem, isSkipped: true });
      return [];
    }
  });
  return { [member]: kept, ...(skipped > 0 && { unreadableCount: skipped }) };
}

function readOne(member: string, read: ReadEntity, { result, context }: EntityPlace): JsonObject {
  const sent = result.find(member);
  if (sent === undefined) throw new JsonEdgeError(member, 'is missing');
  try {
    return { [member]: read(sent, { ...context, element: findElementId(sent) ?? context.sessionId, path: '' }) };
  } catch (error) {
    if (!(error instanceof ReadingProblem)) throw error;
    throw new JsonEdgeError(error.path === '' ? member : `${member}.${error.path}`, error.problem);
  }
}

function readSession(json: unknown, context: ReadingContext): JsonObject {
  const from = MemberReader.of(json, context);
  const id = from.require('id', readText);
  const finishedAt = from.optional('finishedAt', readTime);
  return {
    id,
    name: from.optional('name', readText) ?? id,
    tableName: from.optional('tableName', readText),
    createdAt: from.optional('createdAt', readTime) ?? context.now.toISOString(),
    finishedAt,
    isPayable: from.optional('isPayable', readFlag) ?? finishedAt === undefined,
    numberOfCovers: from.optional('numberOfCovers', readInt),
    waiter: from.optional('waiter', readWaiter),
  };
}

function readWaiter(json: unknown, context: ReadingContext): JsonObject {
  // Some tills send the number alone.
  if (typeof json === 'number' || typeof json === 'string') return { id: readInt(json, context) };
  const from = MemberReader.of(json, context);
  return { id: from.require('id', readInt), name: from.optional('name', readText) };
}

function readTable(json: unknown, context: ReadingContext): JsonObject {
  const from = MemberReader.of(json, context);
  return {
    name: from.require('name', readText),
    // A negative number is named and corrected for every transport alike, by the gateway.
    maxCovers: from.optional('maxCovers', readInt) ?? 0,
    status: from.optional('status', readTableStatus) ?? 'TABLE_STATUS_UNSPECIFIED',
  };
}

const TABLE_STATUS_PREFIX = 'TABLE_STATUS_';

function readTableStatus(json: unknown, context: ReadingContext): string {
  const name = readText(json, context)
    .trim()
    .replace(/[\s-]+/g, '_')
    .toUpperCase();
  return name.startsWith(TABLE_STATUS_PREFIX) ? name : `${TABLE_STATUS_PREFIX}${name}`;
}

/** The total and the paid amount are required: the amount due is unknown without them. */
function readBill(json: unknown, context: ReadingContext): JsonObject {
  const from = MemberReader.of(json, context);
  const sessionId =
    context.sessionId === '' ? from.require('sessionId', readText) : from.optional('sessionId', readText);
  return {
    sessionId: sessionId ?? context.sessionId,
    totalAmount: from.require('totalAmount', readAmount),
    paidAmount: from.require('paidAmount', readAmount),
    taxAmount: from.optional('taxAmount', readAmount) ?? 0,
    serviceCharge: from.optional('serviceCharge', readAmount),
    currency: from.require('currency', readText).toUpperCase(),
    items: from.list('items', readItem),
    note: from.optional('note', readText),
  };
}

function readItem(json: unknown, context: ReadingContext, index: number): JsonObject {
  const from = MemberReader.of(json, context);
  const id = from.optional('id', readText) ?? '';
  const name = from.optional('name', readText) ?? (id === '' ? 'Item' : id);
  const category = from.find('category');
  const line = toWholeLine({
    // A line whose quantity or price is not known has no price.
    quantity: from.essential('quantity', readQuantity) ?? 1,
    amountPerItem: BigInt(from.require('amountPerItem', readAmount)),
    amountTotal: toBigInt(from.essential('amountTotal', readAmount)),
    modifiers: from.list('modifiers', readModifier, { isEssential: true }).map(toTillModifier),
  });
  const thousandths = from.optional('quantityThousandths', readInt);
  return {
    id: id === '' ? `line-${index + 1}` : id,
    name,
    category: typeof category === 'string' ? [category] : from.list('category', readText),
    quantity: line.quantity,
    quantityThousandths: thousandths ?? line.quantityThousandths,
    amountPerItem: Number(line.amountPerItem),
    lastOrderedAt: from.optional('lastOrderedAt', readTime) ?? context.now.toISOString(),
    modifiers: line.modifiers.map((modifier) => ({
      ...modifier,
      amountPerModifier: Number(modifier.amountPerModifier),
    })),
  };
}

/** "No onions" has no price, and needs none. */
function readModifier(json: unknown, context: ReadingContext, index: number): JsonObject {
  const from = MemberReader.of(json, context);
  const id = from.optional('id', readText) ?? `modifier-${index + 1}`;
  return {
    id,
    name: from.optional('name', readText) ?? id,
    quantity: from.essential('quantity', readQuantity) ?? 1,
    amountPerModifier: from.essential('amountPerModifier', readAmount, 'amountPerItem') ?? 0,
  };
}

function toTillModifier({ id, name, quantity, amountPerModifier }: JsonObject) {
  return { id, name, quantity: Number(quantity), amountPerModifier: BigInt(Number(amountPerModifier)) };
}

function toBigInt(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

function readFullBill(json: unknown, context: ReadingContext): JsonObject {
  const from = MemberReader.of(json, context);
  return {
    header: from.optional('header', readSection),
    billItems: from.require('billItems', readBill),
    footer: from.optional('footer', readSection),
  };
}

function readSection(json: unknown, context: ReadingContext): JsonObject {
  return { receiptLines: MemberReader.of(json, context).list('receiptLines', readReceiptLine) };
}

/** A line that cannot be read is not printed. */
function readReceiptLine(json: unknown, context: ReadingContext): unknown {
  try {
    receiptLine.read(json, '');
    return json;
  } catch (error) {
    if (!(error instanceof JsonEdgeError)) throw error;
    return failMember(context, error.path, error.problem);
  }
}

function findElementId(json: unknown): string | null {
  if (!isMembers(json)) return null;
  const id = json['id'] ?? json['sessionId'] ?? json['session_id'] ?? json['name'];
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id.slice(0, ELEMENT_LENGTH_MAX) : null;
}
const ELEMENT_LENGTH_MAX = 100;
