import { PENDING_ACTIONS, REFUND_DECISIONS } from '@pos/core/operators';
import { DIFFERENCE_KINDS } from '@pos/core/ledger';
import { z } from 'zod';
import type { Operation } from '../operation/operation.js';
import { Moment, MomentInput, Money, text } from '../shapes/shapes.js';
import {
  ADMINISTRATION,
  CHANGE_REFUSALS,
  EXAMPLE_OWNER,
  EXAMPLE_TARGET,
  OPERATOR_REFUSALS,
  OWNER,
  REASON,
  TARGET,
} from './administration-shapes.js';

const PENDING_KINDS = ['TablePayment', 'OrderPlacement', 'MachineRefund', 'AcquirerCall', 'Difference'] as const;

/** A line of the pending list of all accounts. */
export const AdministeredPendingLine = z
  .object({
    ...OWNER,
    id: z.string().describe('What a decision names.'),
    kind: z.enum(PENDING_KINDS).describe('What is open.'),
    state: z.string().describe('The state in which it waits.'),
    amount: Money.optional().describe('Absent for a difference without an amount.'),
    since: Moment.describe('Since when it waits.'),
    isAlarming: z.boolean().describe('It waits for too long.'),
    problem: z.string().optional().describe('What went wrong last; absent when that is not known.'),
  })
  .meta({ id: 'AdministeredPendingLine' });
export type AdministeredPendingLine = z.output<typeof AdministeredPendingLine>;

const PendingLines = z
  .object({
    lines: z.array(AdministeredPendingLine).describe('Those that wait longest first.'),
    isLimited: z.boolean().describe('There are more lines.'),
  })
  .meta({
    id: 'AdministeredPendingLines',
    examples: [
      {
        lines: [
          {
            ...EXAMPLE_OWNER,
            id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
            kind: 'TablePayment',
            state: 'RecordUnknown',
            amount: { value: 2700, currencyCode: 'GBP' },
            since: '2026-03-01T12:00:00.000Z',
            isAlarming: true,
            problem: 'no answer within 30 s',
          },
        ],
        isLimited: false,
      },
    ],
  });

const DECISIONS = [
  ...(Object.keys(PENDING_ACTIONS) as (keyof typeof PENDING_ACTIONS)[]),
  ...REFUND_DECISIONS,
  'SettleAsListed',
  'MarkNotTaken',
] as const;

const lineId = text({ min: 1, max: 100 }).describe('The id of the line.');

export const listAdministeredPending = {
  ...ADMINISTRATION,
  id: 'listAdministeredPending',
  method: 'GET',
  path: '/portal/administration/pending',
  summary: 'List the open money of all accounts',
  returns: PendingLines,
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const resolveAdministeredPending = {
  ...ADMINISTRATION,
  id: 'resolveAdministeredPending',
  movesMoney: true,
  method: 'POST',
  path: '/portal/administration/pending/resolve',
  summary: 'Decide about a line of the pending list',
  description: 'A gateway or worker continues with the decision. `SettleAsListed` reads the books of the acquirer.',
  body: z.object({ ...TARGET, id: lineId, action: z.enum(DECISIONS).describe('The decision.'), ...REASON }).meta({
    id: 'AdministeredDecision',
    examples: [{ ...EXAMPLE_TARGET, id: 'ref_1', action: 'RetryNow', reason: 'the EPOS was restarted' }],
  }),
  returns: z
    .object({ state: z.string().describe('The state after the decision.') })
    .meta({ id: 'AdministeredDecisionResult', examples: [{ state: 'GivingBack' }] }),
  refusals: [
    ...CHANGE_REFUSALS,
    'pending_payment_not_found',
    'pending_payment_not_decidable',
    'acquirer_not_configured',
    'acquirer_unanswered',
  ],
} as const satisfies Operation;

/** An open difference between our books and other ones. */
const AdministeredDifference = z
  .object({
    ...OWNER,
    id: z.string().describe('What an answer names.'),
    kind: z.enum(DIFFERENCE_KINDS).describe('How the books differ.'),
    reference: z.string().describe('Of the call to the acquirer, or the id of what has the difference.'),
    paymentIntentId: z.string().optional().describe('The payment; absent when none is known.'),
    acquirer: z.string().optional().describe('The acquirer whose books differ; absent for our own books.'),
    amount: Money.optional().describe('The money at stake, where there is one amount.'),
    ours: z.string().optional().describe('The value in our books.'),
    theirs: z.string().optional().describe('The value in the other books.'),
    says: z.string().describe('The difference in a sentence.'),
    firstSeenAt: Moment.describe('When a check found it first.'),
    lastSeenAt: Moment.describe('When a check found it last.'),
  })
  .meta({ id: 'AdministeredDifference' });
export type AdministeredDifference = z.output<typeof AdministeredDifference>;

export const listAdministeredDifferences = {
  ...ADMINISTRATION,
  id: 'listAdministeredDifferences',
  method: 'GET',
  path: '/portal/administration/differences',
  summary: 'List the open differences of all accounts',
  returns: z
    .object({ differences: z.array(AdministeredDifference), isLimited: z.boolean().describe('There are more.') })
    .meta({
      id: 'AdministeredDifferences',
      examples: [
        {
          differences: [
            {
              ...EXAMPLE_OWNER,
              id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
              kind: 'OtherAmount',
              reference: 'ref_01a1fc2b097163620cb44287',
              ours: 'Authorise of 2000 GBP',
              theirs: 'Authorise of 2001 GBP',
              says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP',
              firstSeenAt: '2026-03-01T12:00:00.000Z',
              lastSeenAt: '2026-03-01T12:00:00.000Z',
            },
          ],
          isLimited: false,
        },
      ],
    }),
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const answerAdministeredDifference = {
  ...ADMINISTRATION,
  id: 'answerAdministeredDifference',
  movesMoney: true,
  method: 'POST',
  path: '/portal/administration/differences/answer',
  summary: 'Mark a difference as checked',
  description: 'It leaves the list, and no money is moved. When what was booked changes after that, it is open again.',
  body: z.object({ ...TARGET, id: lineId, ...REASON }).meta({
    id: 'AdministeredDifferenceAnswer',
    examples: [
      { ...EXAMPLE_TARGET, id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f', reason: 'a fee of the acquirer, agreed' },
    ],
  }),
  returns: null,
  refusals: [...CHANGE_REFUSALS, 'difference_not_found', 'difference_not_answerable'],
} as const satisfies Operation;

const AdministeredReconciliation = z
  .object({
    timeZone: z.string().describe('The zone by which the days of the account begin.'),
    reconciledTo: Moment.optional().describe('Every day before it was compared, except `uncomparedDays`.'),
    requestedFrom: Moment.optional().describe('The begin of a requested comparison that is not finished.'),
    requestedTo: Moment.optional().describe('Its end.'),
    listError: z.string().optional().describe('Which books could not be read in the last check, and why.'),
    uncomparedDays: z
      .array(
        z.object({
          acquirer: z.string(),
          day: z.iso.date(),
          reason: z.enum(['WaitingForSettlement', 'BooksUnread']),
          problem: z.string().optional(),
        }),
      )
      .describe('Days whose comparison with an acquirer is incomplete, oldest first.'),
  })
  .meta({
    id: 'AdministeredReconciliation',
    examples: [{ timeZone: 'Europe/London', reconciledTo: '2026-03-01T11:00:00.000Z', uncomparedDays: [] }],
  });

export const readAdministeredReconciliation = {
  ...ADMINISTRATION,
  id: 'readAdministeredReconciliation',
  method: 'GET',
  path: '/portal/administration/reconciliation',
  summary: 'Read how far the checks of the books of an account have come',
  query: z.object(TARGET),
  returns: AdministeredReconciliation,
  refusals: OPERATOR_REFUSALS,
} as const satisfies Operation;

export const startAdministeredReconciliation = {
  ...ADMINISTRATION,
  id: 'startAdministeredReconciliation',
  method: 'POST',
  path: '/portal/administration/reconciliation/start',
  summary: 'Have the books of an account compared for a span',
  description: 'A worker compares them as soon as possible. The span is at most 31 days.',
  body: z
    .object({
      ...TARGET,
      from: MomentInput.describe('The begin of the span.'),
      to: MomentInput.optional().describe('The end of the span, exclusive; now when not sent.'),
      ...REASON,
    })
    .meta({
      id: 'AdministeredReconciliationStart',
      examples: [{ ...EXAMPLE_TARGET, from: '2026-02-27T00:00:00Z', reason: 'restored from the backup' }],
    }),
  returns: AdministeredReconciliation,
  refusals: [...CHANGE_REFUSALS, 'acquirer_not_configured'],
} as const satisfies Operation;
