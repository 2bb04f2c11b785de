import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { RECORD_BYTES_MAX } from '../shapes/record-size.js';
import { Moment, text } from '../shapes/shapes.js';

const RUN_STATUSES = ['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'TIMED_OUT'] as const;
const PARAMETER_TYPES = ['text', 'integer', 'boolean', 'timestamp'] as const;

const Flow = z
  .object({
    name: z.string(),
    params: z.array(
      z.object({
        name: z.string(),
        type: z.enum(PARAMETER_TYPES),
        required: z.boolean(),
        description: z.string(),
        default: z.string().meta({ description: 'What is taken when the parameter is not sent, as text.' }),
      }),
    ),
  })
  .meta({
    id: 'Flow',
    examples: [
      {
        name: 'tables-pay-in-full',
        params: [
          {
            name: 'timeoutSeconds',
            type: 'integer',
            required: false,
            description: 'How long one step may take.',
            default: '30',
          },
        ],
      },
    ],
  });
export type Flow = z.output<typeof Flow>;

/** Far above the size of any flow's parameters. A larger object is refused before its members are read. */
const PARAMS_BYTES_MAX = 8 * 1024;
const Params = z.record(z.string(), z.unknown());
RECORD_BYTES_MAX.add(Params, PARAMS_BYTES_MAX);

const NewRun = z
  .object({
    flow: text({ min: 1, max: 100 }),
    params: Params.default({}),
  })
  .meta({ id: 'NewRun', examples: [{ flow: 'tables-pay-in-full', params: { gratuity: 150 } }] });

const status = z.enum(RUN_STATUSES);

const Run = z
  .object({
    flowID: z.uuid(),
    flowName: z.string(),
    status,
    startedAt: Moment,
    finishedAt: Moment.optional(),
    steps: z.array(
      z.object({
        name: z.string(),
        status,
        startedAt: Moment,
        finishedAt: Moment.optional(),
        additionalInformation: z.array(z.string()),
      }),
    ),
  })
  .meta({
    id: 'Run',
    examples: [
      {
        flowID: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        flowName: 'tables-pay-in-full',
        status: 'IN_PROGRESS',
        startedAt: '2026-03-01T12:00:00.000Z',
        steps: [
          {
            name: 'ListSessions',
            status: 'SUCCESS',
            startedAt: '2026-03-01T12:00:00.000Z',
            finishedAt: '2026-03-01T12:00:00.140Z',
            additionalInformation: [],
          },
        ],
      },
    ],
  });
export type Run = z.output<typeof Run>;

const shared = {
  tag: 'EPOS tester',
  permission: 'tester.run',
  sandboxOnly: 'permission_missing',
  version: 'optional',
} as const;

export const listFlows = {
  ...shared,
  id: 'listFlows',
  method: 'GET',
  path: '/flows',
  summary: 'List the flows that can be run against an EPOS',
  idempotency: 'none',
  returns: z.array(Flow),
  refusals: [],
} as const satisfies Operation;

export const startFlow = {
  ...shared,
  id: 'startFlow',
  method: 'POST',
  path: '/flows',
  summary: 'Start a flow',
  description: 'Answers at once with the id of the run. At most five runs of an account at a time.',
  idempotency: 'optional',
  body: NewRun,
  returns: z.uuid().meta({ id: 'RunId', examples: ['0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f'] }),
  refusals: ['flow_runs_exhausted'],
} as const satisfies Operation;

export const readRun = {
  ...shared,
  id: 'readRun',
  method: 'GET',
  path: '/flows/{flowId}',
  summary: 'Read how a run is going',
  description: 'The id may be sent without hyphens. Runs are kept for 30 days.',
  idempotency: 'none',
  params: z.object({ flowId: z.string() }),
  returns: Run,
  refusals: ['flow_not_found'],
} as const satisfies Operation;

export const TESTER_OPERATIONS = [listFlows, startFlow, readRun] as const;
