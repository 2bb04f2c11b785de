import { money } from '@pos/core/money';
import { EposRefusal, type RecordPaymentRequest, type ReferenceEpos } from '@pos/sandbox/epos';
import type { EposSimulator } from '@pos/sandbox/epos-simulator';
import { isPayable } from '@pos/sandbox/restaurant';
import { createFaultyMember, type ZooMember } from './zoo-member.js';

const PART = { amount: 100 };

/** EPOSes that break the pay-at-table contract. */
export const TABLES_MEMBERS: readonly ZooMember[] = [
  {
    epos: 'that reports more paid than owed',
    broken: createFaultyMember({ effect: 'wrong-totals', method: 'GetBillItems' }),
    ...{ flow: 'GetBillItems', step: 'call', clause: 'bill.paid-within-total' },
  },
  {
    epos: 'whose totals change with the lock',
    broken: createFaultyMember({ effect: 'wrong-totals', method: 'LockSession' }),
    ...{ flow: 'tables-pay-in-full', step: 'LockSession', clause: 'bill.paid-within-total' },
  },
  {
    epos: 'whose currency changes with the lock',
    broken: createFaultyMember({ effect: 'wrong-currency', method: 'LockSession' }),
    ...{ flow: 'tables-split', step: 'LockSession 1', clause: 'bill.currency' },
  },
  {
    epos: 'that loses its locks before a payment is recorded',
    broken: createFaultyMember({ effect: 'forget-locks', method: 'RecordPayment' }),
    ...{ flow: 'tables-pay-in-full', step: 'RecordPayment', clause: 'record.books' },
  },
  {
    epos: 'that lets a locked session be locked again',
    broken: createFaultyMember({ effect: 'forget-locks', method: 'LockSession' }),
    ...{ flow: 'tables-lock-rules', step: 'LockSession twice', clause: 'lock.exclusive' },
  },
  {
    epos: 'that answers the list of tables with an internal error',
    broken: createFaultyMember({ effect: 'internal-error', method: 'ListTables' }),
    ...{ flow: 'ListTables', step: 'call', clause: 'answer.result' },
  },
  {
    epos: 'that gives a wrong reason for an unknown session',
    broken: createFaultyMember({ effect: 'refuse', code: 'SESSION_NOT_LOCKED', method: 'UnlockSession' }),
    ...{ flow: 'tables-unknown', step: 'unknown session', clause: 'unknown.session' },
  },
  {
    epos: 'whose answers are empty',
    broken: createFaultyMember({ effect: 'broken-json', method: 'ListTables' }),
    ...{ flow: 'ListTables', step: 'call', clause: 'answer.readable', over: ['grpc-stream'] },
  },
  {
    epos: 'whose answers exceed every size limit',
    broken: createFaultyMember({ effect: 'huge-answer', method: 'ListTables' }),
    ...{ flow: 'ListTables', step: 'call', clause: 'answer.readable', over: ['grpc-dialled'] },
  },
  {
    epos: 'that refuses payments with a NUL in the reason',
    broken: patchCall((epos) => {
      epos.recordPayment = () => {
        throw new EposRefusal('PAYMENT_NOT_RECORDED', 'sold\0 out');
      };
    }),
    ...{ flow: 'tables-pay-in-full', step: 'RecordPayment', clause: 'record.books' },
  },
  {
    epos: 'that never answers a lock',
    broken: createFaultyMember({ effect: 'no-answer', method: 'LockSession' }),
    ...{ flow: 'LockSession', step: 'call', clause: 'answer.in-time' },
  },
  {
    epos: 'that books a repeated payment again',
    broken: patchCall((epos) => {
      const record = epos.recordPayment.bind(epos);
      let times = 0;
      epos.recordPayment = (payment) => {
        times += 1;
        record({ ...payment, id: `${payment.id.slice(0, -1)}${times % 10}` });
      };
    }),
    ...{ flow: 'tables-record-duplicate', params: PART, step: 'RecordPayment again', clause: 'record.once' },
  },
  {
    epos: 'that lets a recorded payment be changed',
    broken: patchCall((epos) => {
      const record = epos.recordPayment.bind(epos);
      epos.recordPayment = (payment) => {
        try {
          record(payment);
        } catch (error) {
          if (!(error instanceof EposRefusal) || error.code !== 'PAYMENT_NOT_RECORDED') throw error;
        }
      };
    }),
    ...{ flow: 'tables-record-duplicate', params: PART, step: 'RecordPayment changed', clause: 'record.id-unique' },
  },
  {
    epos: 'that pays the bill with the tip',
    broken: createRecordingMember((payment) => ({
      ...payment,
      base: money(payment.base.value + payment.gratuity.value, payment.base.currencyCode),
    })),
    flow: 'tables-pay-in-full',
    params: { ...PART, gratuity: 50 },
    ...{ step: 'balance', clause: 'record.base-only' },
  },
  {
    epos: 'that books a declined payment',
    broken: createRecordingMember((payment) => ({ ...payment, isSuccessful: true })),
    ...{ flow: 'tables-declined-payment', params: PART, step: 'balance', clause: 'record.unsuccessful' },
  },
  {
    epos: 'that unlocks when it records',
    broken: patchCall((epos) => {
      const record = epos.recordPayment.bind(epos);
      epos.recordPayment = (payment) => {
        record(payment);
        epos.clearLocks();
      };
    }),
    ...{ flow: 'tables-pay-in-full', step: 'UnlockSession', clause: 'record.keeps-lock' },
  },
  {
    epos: 'that unlocks a session that is not locked',
    broken: patchCall((epos) => {
      epos.unlockSession = () => undefined;
    }),
    ...{ flow: 'tables-lock-rules', step: 'UnlockSession unlocked', clause: 'unlock.needs-lock' },
  },
  {
    epos: 'that records on a session that is not locked',
    broken: patchCall((epos) => {
      epos.recordPayment = () => undefined;
    }),
    ...{ flow: 'tables-lock-rules', step: 'RecordPayment unlocked', clause: 'record.needs-lock' },
  },
  {
    epos: 'that ignores filters',
    broken: patchCall((epos) => {
      epos.listSessions = () => epos.restaurant.sessions();
    }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'sessions.filter' },
  },
  {
    epos: 'that returns another session than the requested one',
    broken: patchCall((epos) => {
      epos.getSession = (id) => requirePresent(epos.restaurant.sessions().find((other) => other.id !== id));
      epos.getBill = (id) => requirePresent(epos.restaurant.findSession(id)?.bill);
    }),
    ...{ flow: 'GetSession', step: 'check-schema', clause: 'session.same' },
  },
  {
    epos: 'that returns another table than the requested one',
    broken: patchCall((epos) => {
      epos.getTable = (name) => requirePresent(epos.listTables([]).find((table) => table.name !== name));
    }),
    ...{ flow: 'GetTable', step: 'check-schema', clause: 'table.same' },
  },
  {
    epos: 'that reports a paid session as payable',
    broken: patchCall((epos) => {
      const get = epos.getSession.bind(epos);
      epos.getBill = (id) => requirePresent(get(id).bill);
      epos.getSession = (id) => {
        const owing = requirePresent(epos.restaurant.sessions().find((session) => isPayable(session)));
        return { ...get(id), finishedAt: null, bill: owing.bill };
      };
    }),
    ...{ flow: 'tables-pay-in-full', step: 'balance', clause: 'session.payable' },
  },
  {
    epos: 'that accepts payments of card machines only',
    broken: createFaultyMember({ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'RecordPayment' }),
    ...{ flow: 'tables-consumer-device', step: 'RecordPayment', clause: 'record.remote' },
  },
  {
    epos: 'whose tables have separators in their names',
    broken: patchCall((epos) => {
      const tables = epos.listTables.bind(epos);
      epos.listTables = (statuses) => tables(statuses).map((table) => ({ ...table, name: `${table.name} - 1` }));
    }),
    ...{ flow: 'ListTables', step: 'check-schema', clause: 'table.name' },
  },
  {
    epos: 'that answers with sessions that have no creation time',
    broken: patchCall((epos) => {
      const sessions = epos.listSessions.bind(epos);
      epos.listSessions = (filter) =>
        sessions(filter).map((session) => ({ ...session, createdAt: undefined as unknown as Date }));
    }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'answer.schema' },
    // The EPOS of the sandbox cannot even encode it as JSON.
    over: ['grpc-dialled', 'grpc-stream'],
  },
  {
    epos: 'whose sessions have odd members',
    broken: createFaultyMember({ effect: 'odd-members', method: 'ListSessions' }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'answer.schema' },
  },
  {
    epos: 'whose tables have odd members',
    broken: createFaultyMember({ effect: 'odd-members', method: 'ListTables' }),
    ...{ flow: 'ListTables', step: 'check-schema', clause: 'answer.schema', over: ['tables-ws'] },
  },
  {
    epos: 'whose bills repeat the ids of their items',
    broken: patchCall((epos) => {
      const getBill = epos.getBill.bind(epos);
      epos.getBill = (sessionId) => {
        const bill = getBill(sessionId);
        return { ...bill, items: [...bill.items, ...bill.items] };
      };
    }),
    ...{ flow: 'GetBillItems', step: 'check-schema', clause: 'bill.items' },
  },
  {
    epos: 'that pays the bill with the cashback',
    broken: createRecordingMember((payment) => ({
      ...payment,
      base: money(payment.base.value + payment.cashback.value, payment.base.currencyCode),
    })),
    ...{ flow: 'tables-split', step: 'balance 1', clause: 'record.base-only' },
  },
  {
    epos: 'that confirms an unlock and does not unlock',
    broken: patchCall((epos) => {
      epos.unlockSession = (sessionId) => {
        if (!epos.listLocks().some((lock) => lock.sessionId === sessionId)) {
          throw new EposRefusal('SESSION_NOT_LOCKED', 'It is not locked');
        }
      };
    }),
    ...{ flow: 'tables-lock-rules', step: 'RecordPayment unlocked', clause: 'record.needs-lock' },
    also: ['unlock.releases', 'lock.takes'],
  },
  {
    epos: 'that refuses a payment that was declined',
    broken: patchCall((epos) => {
      const record = epos.recordPayment.bind(epos);
      epos.recordPayment = (payment) => {
        if (!payment.isSuccessful) throw new EposRefusal('PAYMENT_NOT_RECORDED', 'It was declined');
        record(payment);
      };
    }),
    ...{ flow: 'tables-declined-payment', params: PART, step: 'RecordPayment declined', clause: 'record.unsuccessful' },
  },
  {
    epos: 'whose sessions have numbers for ids',
    broken: patchCall((epos) => {
      const sessions = epos.listSessions.bind(epos);
      epos.listSessions = (filter) => sessions(filter).map((session, index) => ({ ...session, id: String(index + 1) }));
    }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'session.id' },
  },
  {
    epos: 'that reports negative covers',
    broken: patchCall((epos) => {
      const tables = epos.listTables.bind(epos);
      epos.listTables = (statuses) => tables(statuses).map((table) => ({ ...table, maxCovers: -1 }));
    }),
    ...{ flow: 'ListTables', step: 'check-schema', clause: 'table.covers' },
  },
  {
    epos: 'whose lock returns the bill from before the payments',
    broken: patchCall((epos) => {
      const lock = epos.lockSession.bind(epos);
      epos.lockSession = (sessionId, requestor) => {
        const bill = lock(sessionId, requestor);
        return { ...bill, paid: money(0, bill.paid.currencyCode) };
      };
    }),
    ...{ flow: 'tables-split', step: 'LockSession 2', clause: 'lock.bill' },
  },
  {
    epos: 'that lists finished sessions as open',
    broken: patchCall((epos) => {
      const sessions = epos.listSessions.bind(epos);
      epos.listSessions = ({ isFinished: _, ...filter }) => sessions({ ...filter, isFinished: null });
    }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'sessions.filter' },
  },
];

function createRecordingMember(change: (payment: RecordPaymentRequest) => RecordPaymentRequest) {
  return patchCall((epos) => {
    const record = epos.recordPayment.bind(epos);
    epos.recordPayment = (payment) => {
      record(change(payment));
    };
  });
}

function patchCall(patch: (epos: ReferenceEpos) => void) {
  return ({ epos }: EposSimulator): void => {
    patch(epos);
  };
}

function requirePresent<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the restaurant has none');
  return value;
}
