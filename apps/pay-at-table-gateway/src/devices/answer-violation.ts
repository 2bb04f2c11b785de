import { checkBill } from '@pos/core/tables';
import type { Bill, Session, Table } from '@pos/grpc-contracts/tables';
import type { TablesAnswer, TablesCall } from '../epos-calls/tables-call.js';

const ANSWER_ELEMENTS_MAX = 1_000;
const ANSWER_TEXT_LENGTH_MAX = 1_024;

/**
 * Returns why an answer of an EPOS must not be relayed to a device, or null. EPOSes are external programs: a device must
 * not take a payment for a bill with invalid figures, or for the bill of another session.
 */
export function findAnswerViolation(
  call: TablesCall,
  answer: TablesAnswer,
  currencies: readonly string[],
): string | null {
  switch (answer.$case) {
    case 'listSessions':
      return findListViolation(answer.value.sessions, findSessionViolation);
    case 'getSession': {
      const { session } = answer.value;
      if (session === undefined) return 'session: is missing';
      return (
        findSessionViolation(session) ?? (session.id === getSessionId(call) ? null : 'session.id: is another session')
      );
    }
    case 'listTables':
      return findListViolation(answer.value.tables, findTableViolation);
    case 'getTable':
      return answer.value.table === undefined ? 'table: is missing' : findTableViolation(answer.value.table);
    case 'listBillItems':
      return findListViolation(answer.value.billItems, (bill) => {
        const requestedIds = call.$case === 'listBillItems' ? call.value.sessionIds : [];
        return requestedIds.length > 0 && !requestedIds.includes(bill.sessionId)
          ? 'session_id: was not asked for'
          : null;
      });
    case 'getBillItems':
    case 'lockSession':
      return findBillViolation(answer.value.billItems, getSessionId(call), currencies);
    case 'getFullBill':
      return findBillViolation(answer.value.fullBill?.billItems, getSessionId(call), currencies);
    case 'unlockSession':
    case 'recordPayment':
      return null;
  }
}

/** Leaves out and counts the bills of a list whose outstanding amount is uncertain. */
export function withoutUnusableBills(answer: TablesAnswer, currencies: readonly string[]): TablesAnswer {
  if (answer.$case !== 'listBillItems') return answer;
  const { billItems, unreadableCount = 0 } = answer.value;
  const usable = billItems.filter((bill) => findBillViolation(bill, bill.sessionId, currencies) === null);
  const count = unreadableCount + billItems.length - usable.length;
  return { $case: answer.$case, value: { billItems: usable, ...(count > 0 && { unreadableCount: count }) } };
}

function getSessionId({ value }: TablesCall): string {
  return 'sessionId' in value ? value.sessionId : '';
}

function findBillViolation(bill: Bill | undefined, sessionId: string, currencies: readonly string[]): string | null {
  if (bill === undefined) return 'bill_items: is missing';
  const checked = checkBill(bill, { sessionId, currencies });
  return checked.outcome === 'sound' ? null : `bill_items: ${checked.fault} (${checked.detail.slice(0, 100)})`;
}

function findSessionViolation({ id, name, tableName, createdAt }: Session): string | null {
  if (id === '') return 'id: is missing';
  if (createdAt === undefined) return 'created_at: is missing';
  return [id, name, tableName ?? ''].some(isTooLong) ? 'id, name: are too long' : null;
}

function findTableViolation({ name, maxCovers }: Table): string | null {
  if (name === '') return 'name: is missing';
  if (maxCovers < 0) return 'max_covers: is negative';
  return isTooLong(name) ? 'name: is too long' : null;
}

function findListViolation<T>(elements: readonly T[], findViolation: (element: T) => string | null): string | null {
  if (elements.length > ANSWER_ELEMENTS_MAX) return `more than ${ANSWER_ELEMENTS_MAX} elements`;
  for (const [index, element] of elements.entries()) {
    const violation = findViolation(element);
    if (violation !== null) return `[${index}].${violation}`;
  }
  return null;
}

function isTooLong(text: string): boolean {
  return text.length > ANSWER_TEXT_LENGTH_MAX;
}
