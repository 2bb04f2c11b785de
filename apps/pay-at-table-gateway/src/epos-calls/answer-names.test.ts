import { expect, test } from '@jest/globals';
import { Bill, BillItem, BillItemModifier, RequestorInfo, Session } from '@pos/grpc-contracts/tables';
import type { TablesCall } from '@pos/grpc-contracts/tables-methods';
import { toUsableAnswer } from './answer-elements.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const OVERRIDE = '\u202e';
const requestorInfo = RequestorInfo.fromPartial({});

test('direction-changing characters are removed from names of bills and lines, and ids stay unchanged', () => {
  const id = `${OVERRIDE}7`;
  const modifiers = [BillItemModifier.fromPartial({ id, name: `hot${OVERRIDE}` })];
  const items = [BillItem.fromPartial({ id, name: `${OVERRIDE}puoS`, category: [`a${OVERRIDE}`], modifiers })];
  const call = { $case: 'getBillItems', value: { sessionId: id, requestorInfo } } as const;
  const bill = Bill.fromPartial({ sessionId: id, note: `a note${OVERRIDE}`, items });
  const { answer } = toUsableAnswer(call, { $case: 'getBillItems', value: { billItems: bill } }, () => NOW);
  expect(answer.value).toMatchObject({
    billItems: {
      ...{ sessionId: id, note: 'a note' },
      items: [{ id, name: 'puoS', category: ['a'], modifiers: [{ id, name: 'hot' }] }],
    },
  });
});

test('a bill whose name has nothing to display is named by its id', () => {
  const call = { $case: 'getSession', value: { sessionId: 'S-1', requestorInfo } } as const;
  const read = (name: string) => {
    const session = Session.fromPartial({ id: 'S-1', name, waiter: { id: 1, name: `Ada${OVERRIDE}` } });
    return toUsableAnswer(call, { $case: 'getSession', value: { session } }, () => NOW).answer.value;
  };
  expect(read(`Bar${OVERRIDE} 1`)).toMatchObject({ session: { name: 'Bar 1', waiter: { name: 'Ada' } } });
  expect(read(OVERRIDE)).toMatchObject({ session: { name: 'S-1' } });
});

test('a session or a bill that the EPOS lists twice is listed once, as it was listed last', () => {
  const list: TablesCall = { $case: 'listSessions', value: { tableNames: [], requestorInfo } };
  const sessions = [
    { id: 'S-1', name: 'Bar' },
    { id: 'S-2', name: 'Bar' },
    { id: 'S-1', name: 'Hall' },
  ].map((session) => Session.fromPartial({ ...session, createdAt: NOW }));
  const { answer, unreadable } = toUsableAnswer(list, { $case: 'listSessions', value: { sessions } }, () => NOW);
  expect(answer.value).toMatchObject({ sessions: [{ id: 'S-2' }, { id: 'S-1', name: 'Hall' }] });
  expect(unreadable).toEqual([]);
  const bills: TablesCall = { $case: 'listBillItems', value: { sessionIds: [], requestorInfo } };
  const billItems = [900, 950].map((totalAmount) =>
    Bill.fromPartial({ sessionId: 'S-1', totalAmount: BigInt(totalAmount) }),
  );
  const found = toUsableAnswer(bills, { $case: 'listBillItems', value: { billItems } }, () => NOW).answer.value;
  expect(found).toMatchObject({ billItems: [{ sessionId: 'S-1', totalAmount: 950n }] });
});
