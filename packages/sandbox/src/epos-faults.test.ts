import { expect, test } from '@jest/globals';
import { checkBill } from '@pos/core/bill';
import type { EposFault } from './epos-faults.js';
import { eposForTest, lock, MACHINE, payment, presentForCheck } from './testing.js';

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
  const stand = eposForTest();
  const { door, epos, open } = stand;
  lock(stand);
  door.faults.replace([{ ...fault, times: 1 }]);
  const arrival = {
    method: 'RecordPayment',
    transport: 'grpc',
    requestor: MACHINE,
    sessionId: open.id,
    paymentId: 'p',
  } as const;
  const served = await door.serve(arrival, () => {
    epos.record(payment(open.id));
  });
  expect(served.kind === 'refusal' ? served.code : served.kind === 'answer' ? 'ok' : served.kind).toBe(then);
  expect(epos.getBill(open.id).paid.value).toBe(paid);
  expect(door.calls()).toMatchObject([{ number: 1, method: 'RecordPayment', answered: then }]);
  if (fault.method === undefined) expect(door.faults.list()).toMatchObject([{ used: 1 }]);
});

test('wrong totals and a wrong currency are what the service has to refuse', async () => {
  const { door, epos, open } = eposForTest();
  const arrival = {
    method: 'GetBillItems',
    transport: 'grpc',
    requestor: MACHINE,
    sessionId: open.id,
    paymentId: null,
  } as const;
  const faultOf = async (effect: 'wrong-totals' | 'wrong-currency') => {
    door.faults.replace([{ effect }]);
    const served = await door.serve(arrival, (distort) => distort(epos.getBill(open.id)));
    if (served.kind !== 'answer') throw new Error('no answer');
    const checked = checkBill(presentForCheck(served.answer), { sessionId: open.id, currencies: ['GBP'] });
    return checked.outcome === 'unsound' ? checked.fault : 'sound';
  };
  expect([await faultOf('wrong-totals'), await faultOf('wrong-currency')]).toEqual([
    'paid_exceeds_total',
    'currency_not_enabled',
  ]);
});
