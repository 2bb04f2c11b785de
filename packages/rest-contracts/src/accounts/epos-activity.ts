import { ACTIVITY_OUTCOMES } from '@pos/core/activities';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment } from '../shapes/shapes.js';

const CALLS_DEFAULT = 50;
const CALLS_MAX = 100;
const MOMENT_EXAMPLE = '2026-03-01T12:00:00.000Z';

/** The connections that an EPOS opens, by the names that calls have for their transport. */
const EPOS_CONNECTION_TRANSPORTS = ['stream', 'socket', 'dataSocket'] as const;

const EposConnection = z
  .object({
    transport: z
      .enum(EPOS_CONNECTION_TRANSPORTS)
      .describe(
        '`stream`: the gRPC stream of the pay-at-table contract. `socket`: its WebSocket. `dataSocket`: the WebSocket of the EPOS Data API.',
      ),
    openedAt: Moment.describe('When the EPOS opened the connection.'),
    seenAt: Moment.describe('When the EPOS last sent something on it.'),
  })
  .meta({
    id: 'EposConnection',
    examples: [{ transport: 'socket', openedAt: MOMENT_EXAMPLE, seenAt: '2026-03-01T12:00:15.000Z' }],
  });
export type EposConnection = z.output<typeof EposConnection>;

const UnreadableMember = z
  .object({
    element: z.string().describe('The id of the order, session or table, or its place in the list, such as `[3]`.'),
    member: z.string().describe('The member, such as `items[0].quantity`; empty for the whole element.'),
    clause: z.string().describe('The clause of the contract that it breaks, as the EPOS tester names it.'),
    problem: z.string().describe('Why the member cannot be read.'),
    skipped: z.boolean().describe('True: the element cannot be shown or paid because of it.'),
  })
  .meta({
    id: 'EposUnreadableMember',
    examples: [
      {
        ...{ element: '118', member: 'totalAmount.value', clause: 'schema.value', skipped: true },
        problem: 'Invalid input: expected int, received number',
      },
    ],
  });

const EposCallRecord = z
  .object({
    id: z.string().describe('Id of the entry; its form has no meaning.'),
    name: z.string().meta({ description: 'The call.' }),
    at: Moment.describe('When it began.'),
    outcome: z.enum(ACTIVITY_OUTCOMES).describe('How the call ended: done, refused by the EPOS, or failed.'),
    tookMs: z.int().min(0).describe('How long it took, in milliseconds.'),
    traceId: z.string().describe('The trace of the request that caused the call: 32 hex digits.'),
    transport: z.string().optional().meta({ description: 'How the EPOS was called; absent when there was no route.' }),
    status: z.int().optional().describe('The HTTP status of the answer, where there is one.'),
    reason: z.string().optional().meta({ description: 'The code of the refusal, or why it failed.' }),
    subjectId: z.string().optional().meta({ description: 'The session at a table or the order that it is about.' }),
    unreadableMembers: z.array(UnreadableMember).optional().meta({
      description: 'The members of the answer that could not be read; absent when all could.',
    }),
  })
  .meta({
    id: 'EposCallRecord',
    examples: [
      {
        id: 'b7ad6b7169203331',
        name: 'GetBill',
        at: MOMENT_EXAMPLE,
        outcome: 'Succeeded',
        tookMs: 34,
        traceId: '0af7651916cd43dd8448eb211c80319c',
        transport: 'socket',
        subjectId: 's-118',
      },
    ],
  });
export type EposCallRecord = z.output<typeof EposCallRecord>;

const shared = { method: 'GET', tag: 'EPOS', version: 'optional', idempotency: 'none' } as const;

export const listEposConnections = {
  ...shared,
  id: 'listEposConnections',
  path: '/epos/connections',
  summary: 'List the connections that the EPOS has open now, newest first',
  description: 'Calls use the newest of a transport. An EPOS that is called at an address has no connection.',
  permission: 'epos.read',
  returns: z.array(EposConnection),
  refusals: [],
} as const satisfies Operation;

export const listEposCalls = {
  ...shared,
  id: 'listEposCalls',
  path: '/epos/calls',
  summary: 'List the last calls to the EPOS, newest first',
  description:
    'From the activity log, within a second. Answered calls without a session, an order or a payment, such as the ' +
    'list of tables, are recorded only when something in the answer cannot be read for the first time. The newest 10,000 entries of the log are looked through.',
  permission: 'activities.read',
  query: z.object({
    limit: z.int().min(1).max(CALLS_MAX).default(CALLS_DEFAULT).describe('How many calls are listed at most.'),
  }),
  returns: z.array(EposCallRecord),
  refusals: [],
} as const satisfies Operation;

export const EPOS_ACTIVITY_OPERATIONS = [listEposConnections, listEposCalls] as const;
