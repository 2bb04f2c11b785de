import { DIFFERENCE_KINDS, DIFFERENCE_STATES } from '@pos/core/ledger';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { isOneDirection, Moment, Money, MomentInput, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';

const UncomparedDay = z
  .object({
    acquirer: z.string().meta({ description: 'The name of the acquirer.' }),
    day: z.iso
      .date()
      .meta({ description: 'The day of our calls to it, by the calendar of the account’s first location.' }),
    reason: z.enum(['WaitingForSettlement', 'BooksUnread']).meta({
      description:
        '`WaitingForSettlement`: not all of its settlement files have arrived. `BooksUnread`: its books could not be read.',
    }),
    problem: z.string().optional().meta({ description: 'Why the books could not be read.' }),
    since: Moment.meta({ description: 'When the comparison was incomplete for the first time.' }),
  })
  .meta({
    id: 'UncomparedDay',
    examples: [
      {
        acquirer: 'north',
        day: '2026-02-27',
        reason: 'WaitingForSettlement',
        since: '2026-02-28T12:00:00.000Z',
      },
    ],
  });

const Reconciliation = z
  .object({
    reconciledTo: Moment.optional().meta({
      description:
        'Every day before it was compared with the acquirers’ books by the daily check, except `uncomparedDays`.',
    }),
    listComparedAt: Moment.optional().meta({ description: 'When the books of an acquirer were compared last.' }),
    listError: z.string().optional().meta({
      description:
        'Which acquirers’ books could not be read in the last attempt, and why; the next attempt follows within 15 minutes.',
    }),
    requestedFrom: Moment.optional().meta({ description: 'The start of a requested run that has not finished yet.' }),
    requestedTo: Moment.optional().describe('The end of a requested run that has not finished yet.'),
    uncomparedDays: z
      .array(UncomparedDay)
      .meta({ description: 'Days whose comparison with an acquirer is incomplete, oldest first; at most a thousand.' }),
    chainsCheckedAt: Moment.optional().meta({ description: 'When the chains of all records were checked last.' }),
  })
  .meta({
    id: 'Reconciliation',
    examples: [
      {
        reconciledTo: '2026-03-01T11:00:00.000Z',
        listComparedAt: '2026-03-01T12:00:00.000Z',
        uncomparedDays: [],
        chainsCheckedAt: '2026-03-01T12:00:10.000Z',
      },
    ],
  });
export type Reconciliation = z.output<typeof Reconciliation>;

const ReconciliationDifference = z
  .object({
    id: z.uuid().describe('UUID of the difference.'),
    kind: z.enum(DIFFERENCE_KINDS).meta({
      description:
        '`NotAskedFor`: the acquirer booked a transaction that we did not request. `OtherKind`, `OtherAmount`: it booked another kind or amount. ' +
        '`SettledAmount`: the lines of its settlement files sum to another amount than we requested. ' +
        '`NotApproved`: it booked a transaction that is declined or reversed in our books. `NotBooked`: it has not booked a transaction of our books. ' +
        '`ListingSum`: the transactions of a payment do not sum to what the ledger keeps. `BrokenChain`: records of a ' +
        'payment intent, a setup intent or an unlinked refund are not as they were written.',
    }),
    reference: z
      .string()
      .meta({ description: 'Of the call to the acquirer; of the last two kinds the id they are about.' }),
    paymentIntentId: z.string().optional().describe('Id of the payment intent (`pi_…`); absent when none is known.'),
    amount: Money.optional().meta({ description: 'The money at stake, where there is one amount.' }),
    ours: z.string().optional().meta({ description: 'The value in our books.' }),
    theirs: z.string().optional().meta({ description: 'The value in the other books.' }),
    says: z.string().meta({ description: 'The difference in a sentence.' }),
    state: z.enum(DIFFERENCE_STATES).meta({
      description: '`Open` until it is answered; `Closed` once a check does not find it any more.',
    }),
    happenedAt: Moment.meta({ description: 'When it was booked or requested.' }),
    firstSeenAt: Moment.describe('When a check found it first.'),
    lastSeenAt: Moment.describe('When a check found it last.'),
  })
  .meta({
    id: 'ReconciliationDifference',
    examples: [
      {
        id: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        kind: 'OtherAmount',
        reference: 'ref_01a1fc2b097163620cb44287',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        amount: { value: 2001, currencyCode: 'GBP' },
        ours: 'Authorise of 2000 GBP',
        theirs: 'Authorise of 2001 GBP',
        says: 'the acquirer booked 2001 GBP, we asked for 2000 GBP',
        state: 'Open',
        happenedAt: '2026-02-28T19:30:00.000Z',
        firstSeenAt: '2026-03-01T12:00:00.000Z',
        lastSeenAt: '2026-03-01T12:00:00.000Z',
      },
    ],
  });
export type ReconciliationDifference = z.output<typeof ReconciliationDifference>;

const shared = { tag: 'Reconciliation', permission: 'tables.operate', version: 'optional' } as const;
const note = freeText({ min: 1, max: 1024 }).meta({ description: 'Why; kept in the audit log.' });

export const readReconciliation = {
  ...shared,
  id: 'readReconciliation',
  method: 'GET',
  path: '/reconciliation',
  summary: 'Read how far the checks of the books have come',
  description:
    'Once a day the bookings that the acquirer lists are compared with our calls, the transactions with the ledger, and the ' +
    'hash chains of all records are recomputed.',
  idempotency: 'none',
  returns: Reconciliation,
  refusals: [],
} as const satisfies Operation;

export const startReconciliation = {
  ...shared,
  id: 'startReconciliation',
  method: 'POST',
  path: '/reconciliation/start',
  summary: 'Have the books of a span checked now',
  description:
    'The acquirer’s list of that span is compared, and all chains are checked, as soon as a worker starts it; the answer ' +
    'does not wait for it. A request that still waits is replaced. Kept in the audit log.',
  idempotency: 'optional',
  body: z
    .object({
      from: MomentInput.meta({ description: 'Inclusive; at most 31 days before `to`.' }),
      to: MomentInput.optional().meta({ description: 'Exclusive; now when not sent.' }),
      note,
    })
    .meta({ id: 'ReconciliationStart', examples: [{ from: '2026-02-27T00:00:00Z', note: 'the bank called' }] }),
  returns: Reconciliation,
  refusals: ['acquirer_not_configured'],
} as const satisfies Operation;

export const listReconciliationDifferences = {
  ...shared,
  id: 'listReconciliationDifferences',
  method: 'GET',
  path: '/reconciliation/differences',
  summary: 'List how our books and the acquirer’s differ, newest first',
  description:
    'A difference is one line, however often it is found. Open ones are on the list of what is pending, too; a difference ' +
    'closes by itself once the books agree.',
  idempotency: 'none',
  query: z
    .object({
      state: z.enum(DIFFERENCE_STATES).optional().meta({ description: 'All when not sent.' }),
      ...PAGE_MEMBERS,
    })
    .refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('ReconciliationDifferencePage', ReconciliationDifference),
  refusals: [],
} as const satisfies Operation;

export const answerReconciliationDifference = {
  ...shared,
  id: 'answerReconciliationDifference',
  movesMoney: true,
  method: 'POST',
  path: '/reconciliation/differences/{differenceId}/answer',
  summary: 'Mark a difference as checked',
  description:
    'It leaves the list of what is pending and is no alarm any more. No money is moved. When what was booked changes after ' +
    'that, it is open again. Kept in the audit log.',
  idempotency: 'optional',
  params: z.object({ differenceId: z.string().describe('UUID of the difference.') }),
  body: z.object({ note }).meta({ id: 'DifferenceAnswer', examples: [{ note: 'a fee of the acquirer, agreed' }] }),
  returns: ReconciliationDifference,
  refusals: ['difference_not_found', 'difference_not_answerable'],
} as const satisfies Operation;

export const RECONCILIATION_OPERATIONS = [
  readReconciliation,
  startReconciliation,
  listReconciliationDifferences,
  answerReconciliationDifference,
] as const;
