import { randomUUID } from 'node:crypto';
import type { Scope } from '@pos/core/identity';
import { insertTesterRun } from '@pos/store/repositories';
import type { ApiTestEnvironment } from '../api-test-environment.js';
import { type AcceptedRequest, createRequest, type RefusalCase } from '../money-requests.js';

type EnvironmentGetter = () => ApiTestEnvironment;

const RUNS_PATH = '/epos/tester-runs';

/** Stores a run as the tester does: its first step passed, and its second failed. */
export async function createTesterRun(
  { testDatabase, sandbox }: ApiTestEnvironment,
  scope: Scope = sandbox,
): Promise<string> {
  return testDatabase.database.transact(scope, async (tx) => {
    const at = tx.databaseNow.toISOString();
    const step = { startedAt: at, finishedAt: at, additionalInformation: [], checks: [], aliveUntil: null };
    const id = randomUUID();
    await insertTesterRun(tx, {
      ...{ id, flow: 'tables-pay-in-full', status: 'FAILURE', startedAt: tx.databaseNow, finishedAt: tx.databaseNow },
      steps: [
        { ...step, name: 'LockSession', status: 'SUCCESS' },
        { ...step, name: 'RecordPayment', status: 'FAILURE', additionalInformation: ['the EPOS answered 500'] },
      ],
      params: {},
    });
    return id;
  });
}

/** An accepted request for each operation on what the EPOS does and how it was tested. */
export function createEposActivityRequests(
  testEnvironment: EnvironmentGetter,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    listEposConnections: () => Promise.resolve({ path: '/epos/connections' }),
    listEposCalls: () => Promise.resolve({ path: '/epos/calls', invalid: { query: '?limit=101' } }),
    listTesterRuns: () => Promise.resolve({ path: RUNS_PATH, invalid: { query: '?before=a&after=b' } }),
    readTesterRun: async () => ({ path: `${RUNS_PATH}/${await createTesterRun(testEnvironment())}` }),
  };
}

/** The refusals that each of these operations declares for itself. */
// oxfmt-ignore
export function createEposActivityRefusals(testEnvironment: EnvironmentGetter): readonly RefusalCase[] {
  return [
    ['readTesterRun', 'flow_not_found', [], () => createRequest(`${RUNS_PATH}/${randomUUID()}`)],
    ['readTesterRun', 'flow_not_found', [], () => createRequest(`${RUNS_PATH}/%00`)],
    ['readTesterRun', 'flow_not_found', [], async () => createRequest(`${RUNS_PATH}/${await createTesterRun(testEnvironment())}`, undefined, testEnvironment().keys.foreign)],
    ['listTesterRuns', 'validation_failed', ['after'], () => createRequest(`${RUNS_PATH}?after=x`)],
    ['listEposCalls', 'validation_failed', ['limit'], () => createRequest('/epos/calls?limit=0')],
  ];
}
