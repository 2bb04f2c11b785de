import type { Check } from '../checks/check.js';
import type { FlowRecord, GroupRecord, StepRecord } from '../records/flow-record.js';

/** A hostile answer of a subject. */
export const HOSTILE =
  '<script>alert("1")</script> ]]> <!-- --> & \u0000\u0008\u001b[31m \u009b2J \u202eevil\u2069 \u2028 \u{e0041} \uD800 \uFFFE </system-out> \'';

/** A check as a step stores it. */
export function createCheck(clause: string, more: Partial<Check> = {}): Check {
  return { clause, member: 'total', expected: '1', found: '1', holds: true, times: 1, ...more };
}

/** A played flow. */
export function createFlowRecord(flow: string, more: Partial<FlowRecord> = {}): FlowRecord {
  const common = {
    transport: 'rest',
    status: 'SUCCESS',
    whyNot: '',
    skipKind: null,
    startedAt: START,
    tookMs: 1_250,
  } as const;
  return { flow, ...common, steps: [], ...more };
}

export function createStep(name: string, more: Partial<StepRecord> = {}): StepRecord {
  return { name, status: 'SUCCESS', tookMs: 250, lines: [], checks: [], ...more };
}

const START = '2026-03-01T19:00:00.000Z';

/** A group that contains each kind of result once. */
export const GROUP: GroupRecord = {
  subject: `http://epos.example/${HOSTILE}`,
  startedAt: START,
  tookMs: 61_500,
  flows: [
    createFlowRecord('ListAreas', {
      steps: [
        createStep('call', {
          lines: ['request: ListAreas {}', `answer: 200 ${HOSTILE}`],
          checks: [createCheck('data.result')],
        }),
        createStep('check-schema', { checks: [createCheck('area.named', { member: '[]', times: 3 })] }),
      ],
    }),
    createFlowRecord('SearchTables', {
      status: 'FAILURE',
      steps: [
        createStep('call', {
          status: 'FAILURE',
          lines: [`answer: 200 ${HOSTILE}`],
          checks: [createCheck('schema.type', { holds: false, member: HOSTILE, found: HOSTILE })],
        }),
      ],
    }),
    createFlowRecord('unknown-order', {
      status: 'FAILURE',
      steps: [
        createStep('unknown order', { status: 'FAILURE', checks: [createCheck('unknown.order', { holds: false })] }),
      ],
    }),
    createFlowRecord('pagination', { steps: [createStep('SearchOrders', { checks: [createCheck('pages.once')] })] }),
    createFlowRecord('tip', {
      status: 'TIMED_OUT',
      steps: [createStep('pay', { status: 'TIMED_OUT', lines: ['took too long'] })],
    }),
    createFlowRecord('tables-split', {
      ...{ transport: 'ws', status: 'SKIPPED', startedAt: null },
      ...{ whyNot: `Not here: ${HOSTILE}`, skipKind: 'not applicable' },
    }),
  ],
};
