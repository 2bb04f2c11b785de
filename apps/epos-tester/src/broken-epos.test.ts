import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { money } from '@pos/core/money';
import { EposRefusal, type PaymentToRecord, type ReferenceEpos } from '@pos/sandbox/epos';
import type { EposFault } from '@pos/sandbox/epos-faults';
import { callsBetween } from '@pos/store/acquirer-calls';
import { putEposIntegration } from '@pos/store/epos-integrations';
import type { ClauseId } from './clauses.js';
import { brokenClauses, type Restaurant, TestTown, type Way } from './testing.js';

let town: TestTown;

beforeAll(async () => {
  town = await TestTown.open();
}, 60_000);

afterAll(() => town.close());

/** How an EPOS is broken, which flow finds it at which step, and what it is told. */
interface Breakage {
  readonly epos: string;
  readonly broken: (restaurant: Restaurant) => void | Promise<void>;
  readonly flow: string;
  readonly params?: Record<string, unknown>;
  readonly step: string;
  readonly clause: ClauseId;
  readonly way?: Way;
}

const PART = { amount: 100 };

const BREAKAGES: readonly Breakage[] = [
  {
    epos: 'that says more is paid than owed',
    broken: faulty({ effect: 'wrong-totals', method: 'GetBillItems' }),
    ...{ flow: 'GetBillItems', step: 'call', clause: 'bill.paid-within-total' },
  },
  {
    epos: 'whose totals change with the lock',
    broken: faulty({ effect: 'wrong-totals', method: 'LockSession' }),
    ...{ flow: 'tables-pay-in-full', step: 'LockSession', clause: 'bill.paid-within-total' },
  },
  {
    epos: 'whose currency changes with the lock',
    broken: faulty({ effect: 'wrong-currency', method: 'LockSession' }),
    ...{ flow: 'tables-split', step: 'LockSession 1', clause: 'bill.currency' },
  },
  {
    epos: 'that forgets its locks before a payment is recorded',
    broken: faulty({ effect: 'forget-locks', method: 'RecordPayment' }),
    ...{ flow: 'tables-pay-in-full', step: 'RecordPayment', clause: 'record.books' },
  },
  {
    epos: 'that lets a locked session be locked again',
    broken: faulty({ effect: 'forget-locks', method: 'LockSession' }),
    ...{ flow: 'tables-lock-rules', step: 'LockSession twice', clause: 'lock.exclusive' },
  },
  {
    epos: 'that fails where it should list its tables',
    broken: faulty({ effect: 'internal-error', method: 'ListTables' }),
    ...{ flow: 'ListTables', step: 'call', clause: 'answer.result' },
  },
  {
    epos: 'that gives a wrong reason for a session it does not know',
    broken: faulty({ effect: 'refuse', code: 'SESSION_NOT_LOCKED', method: 'UnlockSession' }),
    ...{ flow: 'tables-unknown', step: 'unknown session', clause: 'unknown.session' },
  },
  {
    epos: 'that never answers a lock',
    broken: faulty({ effect: 'no-answer', method: 'LockSession' }),
    ...{ flow: 'LockSession', step: 'call', clause: 'answer.in-time' },
  },
  {
    epos: 'that books a payment as often as it is told of it',
    broken: patched((epos) => {
      const record = epos.record.bind(epos);
      let times = 0;
      epos.record = (payment) => {
        times += 1;
        record({ ...payment, id: `${payment.id.slice(0, -1)}${times % 10}` });
      };
    }),
    ...{ flow: 'tables-record-duplicate', params: PART, step: 'RecordPayment again', clause: 'record.once' },
  },
  {
    epos: 'that lets a recorded payment be changed',
    broken: patched((epos) => {
      const record = epos.record.bind(epos);
      epos.record = (payment) => {
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
    broken: recording((payment) => ({
      ...payment,
      base: money(payment.base.value + payment.gratuity.value, payment.base.currencyCode),
    })),
    flow: 'tables-pay-in-full',
    params: { ...PART, gratuity: 50 },
    ...{ step: 'balance', clause: 'record.base-only' },
  },
  {
    epos: 'that books a declined payment',
    broken: recording((payment) => ({ ...payment, isSuccessful: true })),
    ...{ flow: 'tables-declined-payment', params: PART, step: 'balance', clause: 'record.unsuccessful' },
  },
  {
    epos: 'that unlocks when it records',
    broken: patched((epos) => {
      const record = epos.record.bind(epos);
      epos.record = (payment) => {
        record(payment);
        epos.forgetLocks();
      };
    }),
    ...{ flow: 'tables-pay-in-full', step: 'UnlockSession', clause: 'record.keeps-lock' },
  },
  {
    epos: 'that unlocks what nobody has locked',
    broken: patched((epos) => {
      epos.unlock = () => undefined;
    }),
    ...{ flow: 'tables-lock-rules', step: 'UnlockSession unlocked', clause: 'unlock.needs-lock' },
  },
  {
    epos: 'that records on a session nobody has locked',
    broken: patched((epos) => {
      epos.record = () => undefined;
    }),
    ...{ flow: 'tables-lock-rules', step: 'RecordPayment unlocked', clause: 'record.needs-lock' },
  },
  {
    epos: 'that knows no filter',
    broken: patched((epos) => {
      epos.listSessions = () => epos.restaurant.sessions();
    }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'sessions.filter' },
  },
  {
    epos: 'that answers another session than it was asked for',
    broken: patched((epos) => {
      epos.getSession = (id) => epos.restaurant.sessions().find((other) => other.id !== id)!;
      epos.getBill = (id) => epos.restaurant.find(id)!.bill!;
    }),
    ...{ flow: 'GetSession', step: 'check-schema', clause: 'session.same' },
  },
  {
    epos: 'whose tables have separators in their names',
    broken: patched((epos) => {
      const tables = epos.listTables.bind(epos);
      epos.listTables = (statuses) => tables(statuses).map((table) => ({ ...table, name: `${table.name} - 1` }));
    }),
    ...{ flow: 'ListTables', step: 'check-schema', clause: 'table.name' },
  },
  {
    epos: 'that answers with sessions that have no creation time',
    broken: patched((epos) => {
      const sessions = epos.listSessions.bind(epos);
      epos.listSessions = (filter) =>
        sessions(filter).map((session) => ({ ...session, createdAt: undefined as unknown as Date }));
    }),
    ...{ flow: 'ListSessions', step: 'check-schema', clause: 'answer.schema' },
  },
  {
    epos: 'that refuses the password it was registered with',
    broken: ({ scope }) =>
      town.store.database.transact(scope, (tx) =>
        putEposIntegration(tx, {
          ...{ kind: 'grpc', username: 'restaurant-1', password: 'forgotten', capabilities: [] },
          url: town.tablesUrl,
        }),
      ),
    ...{ flow: 'ListTables', step: 'call', clause: 'connection.credentials', way: 'dialled' },
  },
  {
    epos: 'that has hung up',
    broken: ({ place }) => {
      place.eposStream?.stop();
    },
    ...{
      flow: 'ListTables',
      params: { transport: 'grpc' },
      step: 'connected',
      clause: 'connection.live',
      way: 'stream',
    },
  },
  {
    epos: 'that is asked for on a way it does not serve',
    broken: () => undefined,
    ...{ flow: 'tables-unknown', params: { transport: 'tables-ws' }, step: 'unknown session' },
    clause: 'connection.live',
  },
];

describe('an EPOS', () => {
  test.each(BREAKAGES)(
    '$epos is caught by $flow and told $clause',
    async ({ broken, flow, params, step, clause, way }) => {
      const restaurant = await town.restaurant(way ?? 'dialled');
      await broken(restaurant);
      const run = await town.play(restaurant, flow, params);
      const failed = run.steps.find(({ status }) => status !== 'SUCCESS');
      expect({ step: failed?.name, status: failed?.status, clause: brokenClauses(run)[0] }).toEqual({
        step,
        clause,
        status: 'FAILURE',
      });
      expect(run).toMatchObject({ status: 'FAILURE' });
      // What comes after a step that failed is not played, but for the cleanup.
      expect(run.steps.at(-1)?.name).toBe('cleanup');
      expect(run.steps.indexOf(failed!)).toBe(run.steps.length - 2);
    },
    30_000,
  );

  test('that is slower than the step may take is not judged, and the run is timed out', async () => {
    const restaurant = await town.restaurant('stream');
    restaurant.epos.faults.replace([{ effect: 'slow', method: 'LockSession', delayMs: 3_000 }]);
    const run = await town.play(restaurant, 'LockSession', { timeoutSeconds: 1 });
    expect(brokenClauses(run)).toEqual([]);
    expect(run.steps.map(({ name, status }) => [name, status])).toEqual([
      ['connected', 'SUCCESS'],
      ['call', 'TIMED_OUT'],
      ['cleanup', 'SUCCESS'],
    ]);
    expect(run.status).toBe('TIMED_OUT');
    // The lock that came too late is let go all the same.
    expect(restaurant.epos.epos.locks()).toEqual([]);
  }, 30_000);
});

describe('the money of a run', () => {
  test('stays where the bill has it, also when a later step fails', async () => {
    const restaurant = await town.restaurant('dialled');
    restaurant.epos.faults.replace([
      { effect: 'refuse', code: 'SESSION_UNABLE_TO_UNLOCK', method: 'UnlockSession', times: 1 },
    ]);
    const run = await town.play(restaurant, 'tables-pay-in-full');
    expect(run.status).toBe('FAILURE');
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
    expect(restaurant.epos.epos.payments()).toHaveLength(1);
    expect(restaurant.epos.epos.locks()).toEqual([]);
  }, 30_000);

  test('stays, and the run says so, when a refusal follows a silence, for that proves nothing', async () => {
    const restaurant = await town.restaurant('dialled');
    restaurant.epos.faults.replace([
      { effect: 'answer-lost', method: 'RecordPayment', times: 1 },
      { effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'RecordPayment' },
    ]);
    const run = await town.play(restaurant, 'tables-pay-in-full');
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'FAILURE' });
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
  }, 30_000);

  test('goes back to its card when the EPOS has refused the payment', async () => {
    const restaurant = await town.restaurant('dialled');
    restaurant.epos.faults.replace([{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'RecordPayment' }]);
    const run = await town.play(restaurant, 'tables-pay-in-full');
    expect(brokenClauses(run)).toEqual(['record.books']);
    expect(await callsMade(restaurant)).toEqual(['Authorise', 'Reverse']);
    await town.settleCalls(restaurant);
    expect(await town.intentStatuses(restaurant)).toEqual(['Reversed']);
    expect(restaurant.epos.epos.payments()).toEqual([]);
    expect(restaurant.epos.epos.locks()).toEqual([]);
  }, 30_000);

  test('stays when only the answer was lost, for the same payment recorded again is on the bill', async () => {
    const restaurant = await town.restaurant('dialled');
    restaurant.epos.faults.replace([{ effect: 'answer-lost', method: 'RecordPayment', times: 1 }]);
    const run = await town.play(restaurant, 'tables-pay-in-full');
    expect(brokenClauses(run)).toEqual(['answer.in-time']);
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'SUCCESS' });
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
    expect(restaurant.epos.epos.payments()).toHaveLength(1);
    expect(restaurant.epos.epos.locks()).toEqual([]);
  }, 30_000);

  test('stays, and the run says so, when nobody can find out what the EPOS has booked', async () => {
    const restaurant = await town.restaurant('dialled');
    restaurant.epos.faults.replace([{ effect: 'answer-lost', method: 'RecordPayment' }]);
    const run = await town.play(restaurant, 'tables-pay-in-full');
    expect(run.steps.at(-1)).toMatchObject({ name: 'cleanup', status: 'FAILURE' });
    expect(await callsMade(restaurant)).toEqual(['Authorise']);
    expect(restaurant.epos.epos.locks()).toEqual([]);
  }, 40_000);
});

test('somebody else’s lock is reported, and left to them', async () => {
  const restaurant = await town.restaurant('dialled');
  const { epos } = restaurant.epos;
  const waiter = { kind: 'cardMachine', terminalId: '90000002', waiterId: 1 } as const;
  for (const { id } of epos.restaurant.sessions()) epos.lock(id, waiter);
  const locked = epos.locks().length;
  const run = await town.play(restaurant, 'tables-pay-in-full');
  expect(brokenClauses(run)).toEqual(['lock.takes']);
  expect(epos.locks()).toHaveLength(locked);
});

/** Every call about the restaurant's money, in the order in which they were written. */
async function callsMade({ scope }: Restaurant): Promise<string[]> {
  const { database } = town.store;
  const calls = await database.read(scope, (reader) => callsBetween(reader, new Date(0), new Date('2999-01-01')));
  return calls.map(({ kind }) => kind).sort();
}

function faulty(fault: EposFault) {
  return ({ epos }: Restaurant): void => {
    epos.faults.replace([fault]);
  };
}

function patched(patch: (epos: ReferenceEpos) => void) {
  return ({ epos }: Restaurant): void => {
    patch(epos.epos);
  };
}

function recording(change: (payment: PaymentToRecord) => PaymentToRecord) {
  return patched((epos) => {
    const record = epos.record.bind(epos);
    epos.record = (payment) => {
      record(change(payment));
    };
  });
}
