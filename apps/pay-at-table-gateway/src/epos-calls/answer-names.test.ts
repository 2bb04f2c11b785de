import { expect, test } from '@jest/globals';
import { Bill, BillItem, BillItemModifier, RequestorInfo, Session } from '@pos/grpc-contracts/tables';
import { toUsableAnswer } from './answer-elements.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const OVERRIDE = '\u202e';
const requestorInfo = RequestorInfo.fromPartial({});

test('names of bills and lines lose what changes the direction of a text, and ids stay as they are', () => {
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
