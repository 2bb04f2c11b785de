import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { getPage, isOneDirection, ONE_DIRECTION, PAGE_MEMBERS } from '../shapes/shapes.js';
import { Run } from './tester.js';

const RunSummary = Run.omit({ steps: true })
  .extend({
    stepCount: z.int().min(0).describe('How many steps began.'),
    failedStep: z.string().optional().describe('Name of the first step that failed; absent when none did.'),
  })
  .meta({
    id: 'RunSummary',
    examples: [
      {
        flowID: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        flowName: 'tables-pay-in-full',
        status: 'FAILURE',
        startedAt: '2026-03-01T12:00:00.000Z',
        finishedAt: '2026-03-01T12:00:04.000Z',
        stepCount: 3,
        failedStep: 'RecordPayment',
      },
    ],
  });
export type RunSummary = z.output<typeof RunSummary>;

const shared = {
  method: 'GET',
  tag: 'EPOS',
  permission: 'tester.run',
  sandboxOnly: 'permission_missing',
  version: 'optional',
  idempotency: 'none',
} as const;

export const listTesterRuns = {
  ...shared,
  id: 'listTesterRuns',
  path: '/epos/tester-runs',
  summary: 'List the runs of the EPOS tester, newest first',
  description: 'The tester starts them. Runs are kept for 30 days.',
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('RunSummaryPage', RunSummary),
  refusals: [],
} as const satisfies Operation;

export const readTesterRun = {
  ...shared,
  id: 'readTesterRun',
  path: '/epos/tester-runs/{runId}',
  summary: 'Read a run of the EPOS tester with its steps',
  description: 'The same as the tester answers for its run.',
  params: z.object({ runId: z.string().describe('UUID of the run.') }),
  returns: Run,
  refusals: ['flow_not_found'],
} as const satisfies Operation;

export const TESTER_RUN_OPERATIONS = [listTesterRuns, readTesterRun] as const;
