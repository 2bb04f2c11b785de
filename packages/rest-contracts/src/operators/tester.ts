import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { RECORD_BYTES_MAX } from '../shapes/record-size.js';
import { Moment, text } from '../shapes/shapes.js';

const RUN_STATUSES = ['IN_PROGRESS', 'SUCCESS', 'FAILURE', 'TIMED_OUT'] as const;
const PARAMETER_TYPES = ['text', 'integer', 'boolean', 'timestamp'] as const;

const Flow = z
  .object({
    name: z.string().describe('Name of the flow, by which it is started.'),
    params: z
      .array(
        z.object({
          name: z.string().describe('Name of the member in `params`.'),
          type: z.enum(PARAMETER_TYPES).describe('How its value is read.'),
          required: z.boolean().describe('Whether the flow cannot start without it.'),
          description: z.string().describe('What the parameter does.'),
          default: z.string().meta({ description: 'What is taken when the parameter is not sent, as text.' }),
        }),
      )
      .describe('The parameters that the flow reads; empty when there are none.'),
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
            description: 'The time limit of one step.',
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
    flow: text({ min: 1, max: 100 }).describe('Name of the flow, from the list of flows.'),
    params: Params.default({}).describe('Values by parameter name. Parameters that are not sent have their defaults.'),
  })
  .meta({ id: 'NewRun', examples: [{ flow: 'tables-pay-in-full', params: { gratuity: 150 } }] });

const status = z.enum(RUN_STATUSES);

export const Run = z
  .object({
    flowID: z.uuid().describe('UUID of the run.'),
    flowName: z.string().describe('Name of the flow that runs.'),
    status: status.describe('The worst status of the steps so far, or `IN_PROGRESS` while it runs.'),
    startedAt: Moment.describe('When the run started.'),
    finishedAt: Moment.optional().describe('When the run ended; absent while it runs.'),
    steps: z
      .array(
        z.object({
          name: z.string().describe('Name of the step.'),
          status: status.describe('`SUCCESS`, `FAILURE`, `TIMED_OUT` or, while it runs, `IN_PROGRESS`.'),
          startedAt: Moment.describe('When the step started.'),
          finishedAt: Moment.optional().describe('When the step ended; absent while it runs.'),
          additionalInformation: z
            .array(z.string())
            .describe('Requests, answers and failed checks, one line each; without secrets.'),
        }),
      )
      .describe('Steps in their order. Steps after a failure are absent, except the cleanup.'),
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
  params: z.object({ flowId: z.string().describe('UUID of the run, with or without hyphens.') }),
  returns: Run,
  refusals: ['flow_not_found'],
} as const satisfies Operation;

export const TESTER_OPERATIONS = [listFlows, startFlow, readRun] as const;
