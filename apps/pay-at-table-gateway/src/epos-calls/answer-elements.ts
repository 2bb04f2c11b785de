import { removeControls } from '@pos/core/refusals';
import type { Bill, BillItem, Session, Table } from '@pos/grpc-contracts/tables';
import type { TablesAnswer, TablesCall } from './tables-call.js';
import type { UnreadableMember } from './unreadable-members.js';

const ANSWER_TEXT_LENGTH_MAX = 1_024;

/** The answer in a form that every device can use, and the elements that were left out. */
export interface UsableAnswer {
  readonly answer: TablesAnswer;
  readonly unreadable: readonly UnreadableMember[];
}

/**
 * Completes and cleans an answer element by element, over every transport: a session without a time gets the time at
 * which it was first seen, a text that is too long is cut, an element without an id or a name is left out and counted.
 * Each change is named.
 */
export function toUsableAnswer(
  call: TablesCall,
  answer: TablesAnswer,
  firstSeenAt: (sessionId: string) => Date,
): UsableAnswer {
  const unreadable: UnreadableMember[] = [];
  switch (answer.$case) {
    case 'listSessions': {
      const { sessions, ...rest } = answer.value;
      const completion = { firstSeenAt, unreadable };
      const kept = keepNamed(sessions, 'id', unreadable).map((session) => completeSession(session, completion));
      return {
        answer: { $case: 'listSessions', value: { ...withCount(rest, unreadable), sessions: kept } },
        unreadable,
      };
    }
    case 'getSession': {
      const { session } = answer.value;
      if (session === undefined) return { answer, unreadable };
      return {
        answer: { $case: 'getSession', value: { session: completeSession(session, { firstSeenAt, unreadable }) } },
        unreadable,
      };
    }
    case 'listTables': {
      const { tables, ...rest } = answer.value;
      const kept = keepNamed(tables, 'name', unreadable).map((table) => completeTable(table, unreadable));
      return { answer: { $case: 'listTables', value: { ...withCount(rest, unreadable), tables: kept } }, unreadable };
    }
    case 'getTable': {
      const { table } = answer.value;
      if (table === undefined) return { answer, unreadable };
      return { answer: { $case: 'getTable', value: { table: completeTable(table, unreadable) } }, unreadable };
    }
    case 'listBillItems': {
      const { billItems, ...rest } = answer.value;
      const completion = { firstSeenAt, unreadable };
      const kept = keepNamed(billItems, 'sessionId', unreadable).map((bill) => completeBill(bill, completion));
      return {
        answer: { $case: 'listBillItems', value: { ...withCount(rest, unreadable), billItems: kept } },
        unreadable,
      };
    }
    case 'getBillItems':
    case 'lockSession': {
      const billItems = completeOptionalBill(call, answer.value.billItems, { firstSeenAt, unreadable });
      return { answer: { $case: answer.$case, value: { billItems } }, unreadable };
    }
    case 'getFullBill': {
      const { fullBill } = answer.value;
      if (fullBill === undefined) return { answer, unreadable };
      const billItems = completeOptionalBill(call, fullBill.billItems, { firstSeenAt, unreadable });
      return { answer: { $case: 'getFullBill', value: { fullBill: { ...fullBill, billItems } } }, unreadable };
    }
    case 'unlockSession':
    case 'recordPayment':
      return { answer, unreadable };
  }
}

interface Completion {
  readonly firstSeenAt: (sessionId: string) => Date;
  readonly unreadable: UnreadableMember[];
}

function createMissing(element: string, member: string): UnreadableMember {
  return { element, member, problem: 'is missing', isSkipped: false };
}

type CountedList = { readonly unreadableCount?: number | undefined };

/** The count of the EPOS, or of the reader of its JSON, and what was left out here. */
function withCount({ unreadableCount = 0 }: CountedList, left: readonly UnreadableMember[]): CountedList {
  const count = unreadableCount + left.filter(({ isSkipped }) => isSkipped).length;
  return count > 0 ? { unreadableCount: count } : {};
}

/** The elements with a usable name. Of several sessions or bills with one id the last counts; tables may share a name. */
function keepNamed<Name extends 'id' | 'name' | 'sessionId', T extends Readonly<Record<Name, string>>>(
  elements: readonly T[],
  name: Name,
  unreadable: UnreadableMember[],
): T[] {
  const lastIndexes = new Map(elements.map((element, index) => [element[name] as string, index]));
  return elements.filter((element, index) => {
    const value: string = element[name];
    if (name !== 'name' && value !== '' && lastIndexes.get(value) !== index) return false;
    if (value !== '' && value.length <= ANSWER_TEXT_LENGTH_MAX) return true;
    const problem = value === '' ? 'is missing' : `is longer than ${ANSWER_TEXT_LENGTH_MAX} characters`;
    unreadable.push({ element: `[${index}]`, member: name, problem, isSkipped: true });
    return false;
  });
}

function completeSession(session: Session, { firstSeenAt, unreadable }: Completion): Session {
  const { id, name, tableName, waiter, createdAt } = session;
  if (createdAt === undefined) unreadable.push(createMissing(id, 'createdAt'));
  return {
    ...session,
    name: cutText(removeControls(name) || id),
    ...(waiter !== undefined && { waiter: { ...waiter, name: removeOptionalControls(waiter.name) } }),
    tableName: tableName === undefined ? undefined : cutText(tableName),
    createdAt: createdAt ?? firstSeenAt(id),
  };
}

function completeTable(table: Table, unreadable: UnreadableMember[]): Table {
  if (table.maxCovers < 0) {
    unreadable.push({ element: table.name, member: 'maxCovers', problem: 'is negative', isSkipped: false });
  }
  return { ...table, maxCovers: Math.max(0, table.maxCovers) };
}

function completeOptionalBill({ value }: TablesCall, bill: Bill | undefined, completion: Completion): Bill | undefined {
  if (bill === undefined) return undefined;
  const requestedId = 'sessionId' in value ? value.sessionId : '';
  if (bill.sessionId !== '') return completeBill(bill, completion);
  completion.unreadable.push(createMissing(requestedId, 'sessionId'));
  return completeBill({ ...bill, sessionId: requestedId }, completion);
}

/** Every line has an id of its own, the same at every reading of the same bill: lines are paid by it. */
function completeBill(bill: Bill, { firstSeenAt, unreadable }: Completion): Bill {
  const { sessionId } = bill;
  const seen = new Set<string>();
  const items = bill.items.map((item, index): BillItem => {
    let id = item.id === '' ? `line-${index + 1}` : item.id;
    for (let number = 2; seen.has(id); number += 1) id = `${item.id}#${number}`;
    seen.add(id);
    const member = `items[${index}]`;
    if (item.id === '') unreadable.push(createMissing(sessionId, `${member}.id`));
    else if (id !== item.id) {
      unreadable.push({ element: sessionId, member: `${member}.id`, problem: 'is repeated', isSkipped: false });
    }
    if (item.lastOrderedAt === undefined) unreadable.push(createMissing(sessionId, `${member}.lastOrderedAt`));
    return { ...withVisibleNames(item), id, lastOrderedAt: item.lastOrderedAt ?? firstSeenAt(sessionId) };
  });
  return { ...bill, note: removeOptionalControls(bill.note), items };
}

/** The texts of a line that people read. Ids, and names of tables, by which a device asks for them, stay as they are. */
function withVisibleNames(item: BillItem): BillItem {
  return {
    ...item,
    name: removeControls(item.name),
    category: item.category.map((text) => removeControls(text)),
    modifiers: item.modifiers.map((modifier) => ({ ...modifier, name: removeControls(modifier.name) })),
  };
}

function removeOptionalControls(text: string | undefined): string | undefined {
  return text === undefined ? undefined : removeControls(text);
}

function cutText(text: string): string {
  return text.length <= ANSWER_TEXT_LENGTH_MAX
    ? text
    : Array.from(text)
        .slice(0, ANSWER_TEXT_LENGTH_MAX / 2)
        .join('');
}
