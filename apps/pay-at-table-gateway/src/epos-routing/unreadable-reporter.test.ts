import { expect, test } from '@jest/globals';
import { createTestScope } from '@pos/store/testing';
import { describeEposCall, type EndedEposCall } from './epos-call-activity.js';
import { UnreadableReporter } from './unreadable-reporter.js';

const SCOPE = createTestScope();
const QUANTITY = { element: '118', member: 'items[0].quantity', problem: 'Invalid input', isSkipped: false };
const TOTAL = { element: '119', member: 'totalAmount.value', problem: 'Invalid input', isSkipped: true };
const ANSWER = { call: 'listSessions', transport: 'orders', isData: true };

function createReporter() {
  const lines: unknown[] = [];
  const reporter = new UnreadableReporter({ warn: (event, fields) => void lines.push([event, fields]) });
  return { lines, reporter };
}

test('a member is named with its clause, and the same member of other orders is not named again', () => {
  const { lines, reporter } = createReporter();
  const unreadable = [QUANTITY, { ...QUANTITY, element: '120', member: 'items[3].quantity' }, TOTAL];
  expect(reporter.reportUnreadable(SCOPE, { ...ANSWER, unreadable })).toEqual([
    { ...QUANTITY, clause: 'schema.value' },
    { ...TOTAL, clause: 'schema.value' },
  ]);
  expect(lines).toHaveLength(1);
  expect(reporter.reportUnreadable(SCOPE, { ...ANSWER, unreadable })).toEqual([]);
  expect(reporter.reportUnreadable(createTestScope(), { ...ANSWER, unreadable })).toHaveLength(2);
  expect(lines).toHaveLength(2);
});

test('each bill that cannot be shown is named', () => {
  const { reporter } = createReporter();
  const unreadable = [TOTAL, { ...TOTAL, element: '120' }];
  expect(reporter.reportUnreadable(SCOPE, { ...ANSWER, unreadable })).toHaveLength(2);
});

test.each([
  ['is missing', true, 'schema.missing'],
  ['Invalid option: expected one of "New"', true, 'schema.enum'],
  ['is missing', false, 'answer.schema'],
])('%s breaks a clause of its contract', (problem, isData, clause) => {
  const { reporter } = createReporter();
  const unreadable = [{ ...QUANTITY, problem }];
  expect(reporter.reportUnreadable(SCOPE, { ...ANSWER, isData, unreadable })).toMatchObject([{ clause }]);
});

test('a list without a subject is recorded only when something in it cannot be read, and no secret is', () => {
  const ended: Omit<EndedEposCall, 'unreadable'> = {
    ...{ call: 'listSessions', code: undefined, request: {}, fence: null, startedAt: 0 },
    result: {
      outcome: { outcome: 'answered', answer: { $case: 'listSessions', value: { sessions: [] } } },
      transport: 'orders',
      connectionId: '',
    },
  };
  expect(describeEposCall(SCOPE, { ...ended, unreadable: [] })).toBeNull();
  const unreadable = [{ ...TOTAL, element: '4111111111111111', clause: 'schema.value' }];
  expect(describeEposCall(SCOPE, { ...ended, unreadable })).toMatchObject({
    outcome: 'Succeeded',
    details: { unreadable: [{ element: '[not recorded]', member: 'totalAmount.value', isSkipped: true }] },
  });
});
