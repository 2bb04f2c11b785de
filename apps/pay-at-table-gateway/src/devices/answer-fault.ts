import { checkBill } from '@pos/core/bill';
import type { Bill, Session, Table } from '@pos/grpc-contracts/tables';
import type { TablesAnswer, TablesCall } from '../epos/tables-call.js';

const ELEMENTS_MAX = 1_000;
const TEXT_LENGTH_MAX = 1_024;

/**
 * Why a device must not be shown what an EPOS has answered, or null. An EPOS is another company's program: a bill whose
 * figures make no sense, or one of another session, is not passed on to somebody who would ask for a card on it.
 */
export function findAnswerFault(asked: TablesCall, answer: TablesAnswer, currencies: readonly string[]): string | null {
  switch (answer.$case) {
    case 'listSessions':
      return listFault(answer.value.sessions, sessionFault);
    case 'getSession': {
      const { session } = answer.value;
      if (session === undefined) return 'session: is missing';
      return sessionFault(session) ?? (session.id === sessionOf(asked) ? null : 'session.id: is another session');
    }
    case 'listTables':
      return listFault(answer.value.tables, tableFault);
    case 'getTable':
      return answer.value.table === undefined ? 'table: is missing' : tableFault(answer.value.table);
    case 'listBillItems':
      return listFault(answer.value.billItems, (bill) => {
        const wanted = asked.$case === 'listBillItems' ? asked.value.sessionIds : [];
        if (wanted.length > 0 && !wanted.includes(bill.sessionId)) return 'session_id: was not asked for';
        return billFault(bill, bill.sessionId, currencies);
      });
    case 'getBillItems':
    case 'lockSession':
      return billFault(answer.value.billItems, sessionOf(asked), currencies);
    case 'getFullBill':
      return billFault(answer.value.fullBill?.billItems, sessionOf(asked), currencies);
    case 'unlockSession':
    case 'recordPayment':
      return null;
  }
}

function sessionOf({ value }: TablesCall): string {
  return 'sessionId' in value ? value.sessionId : '';
}

function billFault(bill: Bill | undefined, sessionId: string, currencies: readonly string[]): string | null {
  if (bill === undefined) return 'bill_items: is missing';
  const checked = checkBill(bill, { sessionId, currencies });
  return checked.outcome === 'sound' ? null : `bill_items: ${checked.fault} (${checked.detail.slice(0, 100)})`;
}

function sessionFault({ id, name, tableName, createdAt }: Session): string | null {
  if (id === '') return 'id: is missing';
  if (createdAt === undefined) return 'created_at: is missing';
  return [id, name, tableName ?? ''].some(isTooLong) ? 'id, name: are too long' : null;
}

function tableFault({ name, maxCovers }: Table): string | null {
  if (name === '') return 'name: is missing';
  if (maxCovers < 0) return 'max_covers: is negative';
  return isTooLong(name) ? 'name: is too long' : null;
}

function listFault<T>(elements: readonly T[], faultOf: (element: T) => string | null): string | null {
  if (elements.length > ELEMENTS_MAX) return `more than ${ELEMENTS_MAX} elements`;
  for (const [place, element] of elements.entries()) {
    const fault = faultOf(element);
    if (fault !== null) return `[${place}].${fault}`;
  }
  return null;
}

function isTooLong(text: string): boolean {
  return text.length > TEXT_LENGTH_MAX;
}
