import type { Check } from '../checks/check.js';
import type { FlowRecord, GroupRecord, StepRecord } from '../records/flow-record.js';

/** A hostile answer of a subject. */
export const HOSTILE =
  '<script>alert("1")</script> ]]> <!-- --> & \u0000\u0008\u001b[31m \u009b2J \u202eevil\u2069 \u2028 \u{e0041} \uD800 \uFFFE </system-out> \'';

/** A check as a step stores it. */
export function check(clause: string, more: Partial<Check> = {}): Check {
  return { clause, member: 'total', expected: '1', found: '1', holds: true, times: 1, ...more };
}

/** A played flow. */
export function flowRecord(flow: string, more: Partial<FlowRecord> = {}): FlowRecord {
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

export function step(name: string, more: Partial<StepRecord> = {}): StepRecord {
  return { name, status: 'SUCCESS', tookMs: 250, lines: [], checks: [], ...more };
}

const START = '2026-03-01T19:00:00.000Z';

/** A group that contains each kind of result once. */
export const GROUP: GroupRecord = {
  subject: `http://epos.example/${HOSTILE}`,
  startedAt: START,
  tookMs: 61_500,
  flows: [
    flowRecord('ListAreas', {
      steps: [
        step('call', { lines: ['request: ListAreas {}', `answer: 200 ${HOSTILE}`], checks: [check('data.result')] }),
        step('check-schema', { checks: [check('area.named', { member: '[]', times: 3 })] }),
      ],
    }),
    flowRecord('SearchTables', {
      status: 'FAILURE',
      steps: [
        step('call', {
          status: 'FAILURE',
          lines: [`answer: 200 ${HOSTILE}`],
          checks: [check('schema.type', { holds: false, member: HOSTILE, found: HOSTILE })],
        }),
      ],
    }),
    flowRecord('unknown-order', {
      status: 'FAILURE',
      steps: [step('unknown order', { status: 'FAILURE', checks: [check('unknown.order', { holds: false })] })],
    }),
    flowRecord('pagination', { steps: [step('SearchOrders', { checks: [check('pages.once')] })] }),
    flowRecord('tip', { status: 'TIMED_OUT', steps: [step('pay', { status: 'TIMED_OUT', lines: ['took too long'] })] }),
    flowRecord('tables-split', {
      ...{ transport: 'ws', status: 'SKIPPED', startedAt: null },
      ...{ whyNot: `Not here: ${HOSTILE}`, skipKind: 'not applicable' },
    }),
  ],
};
