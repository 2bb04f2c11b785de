import { describe, expect, test } from '@jest/globals';
import { createCheck, createFlowRecord, createStep, listCoverage } from '@pos/conformance/testing';
import type { FlowRecord } from '@pos/conformance/records';
import type { ClauseId } from '../checks/clauses.js';
import { EPOS_CATALOGUE } from './catalogue.js';

const shown = (clause: ClauseId, ...flows: FlowRecord[]) =>
  listCoverage(EPOS_CATALOGUE, flows).find((each) => each.clause === clause);

test('the coverage of a clause lists the flows that checked it, with the number of checks that held and failed', () => {
  const checks = [createCheck('order.tips', { times: 3 }), createCheck('order.tips', { holds: false })];
  const flow = createFlowRecord('tip', {
    steps: [createStep('search', { checks }), createStep('read', { checks: [createCheck('order.tips')] })],
  });
  expect(shown('order.tips', flow)).toMatchObject({
    shownBy: [{ transport: 'rest', flow: 'tip', held: 4, broken: 1 }],
    gap: null,
  });
});

describe('a clause without coverage has a reason', () => {
  test.each<[string, ClauseId, FlowRecord[], string]>([
    [
      'when its flow was not chosen',
      'order-record.tip',
      [createFlowRecord('ListAreas')],
      'No flow that shows it was chosen: tip.',
    ],
    [
      'when its flow was skipped',
      'connection.again',
      [createFlowRecord('reconnect', { status: 'SKIPPED', whyNot: 'There is no socket.' })],
      'Every flow that shows it was skipped. reconnect over rest: There is no socket.',
    ],
    [
      'when its flow ended before',
      'order-record.tip',
      [createFlowRecord('tip', { status: 'FAILURE' })],
      'The flows that show it ended before they came to it: tip.',
    ],
    [
      'when there was nothing to check it on',
      'area.named',
      [createFlowRecord('ListAreas')],
      'The EPOS gave ListAreas nothing to check it on.',
    ],
    [
      'when no EPOS was called',
      'connection.credentials',
      [createFlowRecord('ListTables', { transport: 'tables-ws' })],
      'The EPOS was not called at an address, so no password was shown to it.',
    ],
  ])('%s', (_, clause, flows, gap) => {
    expect(shown(clause, ...flows)).toMatchObject({ shownBy: [], gap });
  });
});
