import { expect, test } from '@jest/globals';
import { checkBill } from '@pos/core/tables';
import type { EposFault } from './epos-faults.js';
import {
  createTestEpos,
  lockOpenSession,
  MACHINE_REQUESTOR,
  createPayment,
  presentForCheck,
} from '../testing/builders.js';

test.each<[EposFault, string, { paid: number }]>([
  [{ effect: 'no-answer' }, 'silence', { paid: 0 }],
  [{ effect: 'answer-lost' }, 'silence', { paid: 500 }],
  [{ effect: 'internal-error' }, 'ERROR_INTERNAL_POS_ERROR', { paid: 0 }],
  [{ effect: 'internal-error', afterDoing: true }, 'ERROR_INTERNAL_POS_ERROR', { paid: 500 }],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED' }, 'PAYMENT_NOT_RECORDED', { paid: 0 }],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', afterDoing: true }, 'PAYMENT_NOT_RECORDED', { paid: 500 }],
  [{ effect: 'drop-stream' }, 'broken', { paid: 0 }],
  [{ effect: 'drop-stream', afterDoing: true }, 'broken', { paid: 500 }],
  [{ effect: 'forget-locks' }, 'SESSION_NOT_LOCKED', { paid: 0 }],
  [{ effect: 'duplicate-answer' }, 'ok', { paid: 500 }],
  [{ effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', method: 'LockSession' }, 'ok', { paid: 500 }],
])('fault %j on a record: %s', async (fault, then, { paid }) => {
  const testEpos = createTestEpos();
  const { eposSimulator, epos, open } = testEpos;
  lockOpenSession(testEpos);
  eposSimulator.faults.replaceFaults([{ ...fault, times: 1 }]);
  const callDetails = {
    method: 'RecordPayment',
    transport: 'grpc',
    requestor: MACHINE_REQUESTOR,
    sessionId: open.id,
    paymentId: 'p',
  } as const;
  const callResult = await eposSimulator.serveTables(callDetails, () => {
    epos.recordPayment(createPayment(open.id));
  });
  expect(callResult.kind === 'refusal' ? callResult.code : callResult.kind === 'answer' ? 'ok' : callResult.kind).toBe(
    then,
  );
  expect(epos.getBill(open.id).paid.value).toBe(paid);
  expect(eposSimulator.listCalls()).toMatchObject([{ number: 1, method: 'RecordPayment', answered: then }]);
  if (fault.method === undefined) expect(eposSimulator.faults.listFaults()).toMatchObject([{ used: 1 }]);
});

test('nothing is owed on bills with wrong totals, and the service refuses bills with a wrong currency', async () => {
  const { eposSimulator, epos, open } = createTestEpos();
  const callDetails = {
    method: 'GetBillItems',
    transport: 'grpc',
    requestor: MACHINE_REQUESTOR,
    sessionId: open.id,
    paymentId: null,
  } as const;
  const createFault = async (effect: 'wrong-totals' | 'wrong-currency') => {
    eposSimulator.faults.replaceFaults([{ effect }]);
    const callResult = await eposSimulator.serveTables(callDetails, (distort) => distort(epos.getBill(open.id)));
    if (callResult.kind !== 'answer') throw new Error('no answer');
    const checked = checkBill(presentForCheck(callResult.answer), { sessionId: open.id, currencies: ['GBP'] });
    return checked.outcome === 'unsound' ? checked.fault : checked.deviations.map(({ fault }) => fault).join();
  };
  expect([await createFault('wrong-totals'), await createFault('wrong-currency')]).toEqual([
    'paid_exceeds_total',
    'currency_not_enabled',
  ]);
});
