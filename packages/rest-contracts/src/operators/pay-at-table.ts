import { ACQUIRER_CALL_KINDS, ACQUIRER_CALL_STATES } from '@pos/core/acquirer-calls/acquirer-call';
import { OPERATOR_CALL_ACTIONS, REFUND_DECISIONS } from '@pos/core/operators/operator-call';
import { LEASE_STATES } from '@pos/core/tables/lease';
import { z } from 'zod';
import { freeText } from '../shapes/free-text.js';
import type { Operation } from '../operation/operation.js';
import { isOneDirection, Moment, MomentInput, ONE_DIRECTION, PAGE_MEMBERS, getPage } from '../shapes/shapes.js';
import { ReplayResult } from '../webhooks/webhook-deliveries.js';

const amount = z.int().min(0).meta({ format: 'int64', description: 'Minor units.' });

const PendingPayment = z
  .object({
    paymentId: z.string().meta({ description: 'Of an order that is paid in advance the id of its placement.' }),
    journeyId: z.string().optional().meta({ description: 'Present for a payment of a journey.' }),
    sessionId: z.string().optional(),
    orderId: z.string().optional(),
    paymentIntentId: z.string().optional(),
    baseAmount: amount,
    gratuityAmount: amount,
    cashbackAmount: amount,
    currency: z.string(),
    state: z.string(),
    since: Moment,
    attempts: z
      .int()
      .min(0)
      .meta({ description: 'How often the EPOS was asked to record the payment, or to make the order.' }),
    lastError: z.string().optional(),
    acquirerCall: z
      .object({
        kind: z.enum(ACQUIRER_CALL_KINDS),
        reference: z.string(),
        originalReference: z.string().optional().meta({ description: 'The authorisation that the call is about.' }),
        state: z.enum(ACQUIRER_CALL_STATES),
        openSeconds: z.int().min(0).meta({ description: 'How long ago its deadline was.' }),
      })
      .optional()
      .meta({ description: 'Present for a call to the acquirer that has no outcome; `paymentId` is its reference.' }),
    alarm: z.boolean().meta({ description: 'True once it has been pending for 60 seconds.' }),
  })
  .meta({
    id: 'PendingPayment',
    examples: [
      {
        paymentId: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        journeyId: '0190f3c2-7a51-7d33-9f11-000000000001',
        sessionId: 'S-12',
        paymentIntentId: 'pi_sandbox_tV0y2kS1QmC7d5ePz9b4Rw',
        baseAmount: 2400,
        gratuityAmount: 300,
        cashbackAmount: 0,
        currency: 'GBP',
        state: 'RecordUnknown',
        since: '2026-03-01T12:00:00.000Z',
        attempts: 3,
        lastError: 'no answer within 30 s',
        alarm: true,
      },
    ],
  });
export type PendingPayment = z.output<typeof PendingPayment>;

export const listPendingPayments = {
  id: 'listPendingPayments',
  method: 'GET',
  path: '/pay-at-table/pending',
  tag: 'Pay at table',
  summary: 'List the payments whose end is still open',
  description:
    'Money that was approved at a table and is neither recorded by the EPOS nor given back yet, payments whose card is over ' +
    'and whose reversal the acquirer has not acknowledged for a minute (`Started`), refunds on a card machine whose outcome ' +
    'is not known, or that are open for longer than a call to the acquirer may be, and orders that are paid in advance whose money is held, and neither captured nor given back yet. Calls ' +
    'to the acquirer without an outcome for long (`AcquirerCallOpen`), and money that the acquirer neither reverses nor ' +
    'refunds (`MoneyNotReturned`). Open differences between our books and the acquirer’s (`Difference`, by the id of the ' +
    'difference; at most 200) are answered at their own address, not resolved here. Oldest first.',
  permission: 'tables.operate',
  version: 'optional',
  idempotency: 'none',
  returns: z.array(PendingPayment),
  refusals: [],
} as const satisfies Operation;

const note = freeText({ min: 1, max: 1024 });

const Resolution = z
  .object({
    action: z.enum(['MarkRecorded', 'GiveBack', 'RetryNow', 'SettleAsListed', ...REFUND_DECISIONS]),
    note: note.meta({ description: 'Why; kept in the audit log.' }),
  })
  .meta({ id: 'PendingResolution', examples: [{ action: 'RetryNow', note: 'the till was restarted' }] });

const shared = { tag: 'Pay at table', permission: 'tables.operate', version: 'optional' } as const;

export const resolvePendingPayment = {
  ...shared,
  id: 'resolvePendingPayment',
  method: 'POST',
  path: '/pay-at-table/pending/{paymentId}/resolve',
  summary: 'Decide about a payment whose end is open',
  description:
    '`MarkRecorded`: the EPOS has it, seen by a person; refused once money may have been given back. `GiveBack`: the payer ' +
    'gets the money back. `RetryNow`: what waits is done at once. A refund on a card machine takes `RetryNow`, by which the ' +
    'machine and the acquirer are asked at once, `SettleAsListed`, `MarkRefunded` and `MarkNotRefunded`: a person has seen in ' +
    'the books of the acquirer whether the money has left. Of an order that is paid in ' +
    'advance: `MarkRecorded`: a person has seen the order at the EPOS, and its money is captured; `GiveBack`: the order is ' +
    'cancelled if the EPOS has told its id, and the money goes back. A call to the acquirer takes `RetryNow`, which repeats ' +
    'it, and `SettleAsListed`, which settles it by what the acquirer answers to an inquiry or shows in its list; while ' +
    'neither has a final word nothing is settled, and the decision is refused. The answer is the payment as the decision left it; ' +
    'what follows from it is done after the answer. Kept in the audit log.',
  idempotency: 'optional',
  params: z.object({ paymentId: z.string() }),
  body: Resolution,
  returns: PendingPayment,
  refusals: ['pending_payment_not_found', 'pending_payment_not_decidable'],
} as const satisfies Operation;

const TableLease = z
  .object({
    leaseId: z.string(),
    accountId: z.string(),
    sessionId: z.string(),
    orderId: z.string().optional().meta({ description: 'Where the EPOS keeps orders.' }),
    lockId: z.string().optional().meta({ description: 'The id of our lock on the order.' }),
    owner: z.string().meta({ description: 'The device.' }),
    waiterId: z.int().optional(),
    acquiredAt: Moment,
    expiresAt: Moment.meta({ description: 'Never reached while money is open.' }),
    state: z.enum(LEASE_STATES),
    openPayments: z.int().min(0).meta({ description: 'Neither recorded, nor given back, nor ended.' }),
  })
  .meta({
    id: 'TableLease',
    examples: [
      {
        leaseId: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20',
        accountId: 'acc_Qk1v5r0bT4a2S7n8Lw3XyA',
        sessionId: 'c0a8012e-7a51-4d33-9f11-6a1b2c3d4e5f',
        owner: '90000001',
        waiterId: 42,
        acquiredAt: '2026-03-01T12:00:00.000Z',
        expiresAt: '2026-03-01T12:10:00.000Z',
        state: 'Held',
        openPayments: 0,
      },
    ],
  });
export type TableLease = z.output<typeof TableLease>;

export const listTableLeases = {
  ...shared,
  id: 'listTableLeases',
  method: 'GET',
  path: '/pay-at-table/leases',
  summary: 'List the sessions that devices hold',
  description: 'The leases that have not ended, oldest first.',
  idempotency: 'none',
  returns: z.array(TableLease),
  refusals: [],
} as const satisfies Operation;

export const releaseTableLease = {
  ...shared,
  id: 'releaseTableLease',
  method: 'POST',
  path: '/pay-at-table/leases/{leaseId}/release',
  summary: 'Take a session away from its device',
  description:
    'While money is open on the session this needs `confirm`; the money goes on to be recorded or given back all the same. ' +
    'Later calls of the device are answered SESSION_NOT_LOCKED, and the EPOS is told to unlock. Kept in the audit log.',
  idempotency: 'optional',
  params: z.object({ leaseId: z.string() }),
  body: z
    .object({ reason: note.meta({ description: 'Kept in the audit log.' }), confirm: z.boolean().default(false) })
    .meta({ id: 'LeaseRelease', examples: [{ reason: 'the machine was dropped', confirm: false }] }),
  returns: TableLease,
  refusals: ['lease_not_found', 'lease_over', 'lease_money_open'],
} as const satisfies Operation;

const TableOperatorCall = z
  .object({
    id: z.uuid(),
    keyId: z.string().meta({ description: 'Whose key it was.' }),
    action: z.enum(OPERATOR_CALL_ACTIONS),
    subject: z.string().meta({
      description:
        'The id of the payment, terminal session, lease, journey or difference; of a replay and of a reconciliation the span.',
    }),
    note: z.string(),
    confirmed: z.boolean(),
    outcome: z.enum(['Done', 'Refused']),
    refusal: z.string().optional().meta({ description: 'Why it was refused.' }),
    stateBefore: z.string().optional(),
    stateAfter: z.string().optional(),
    createdAt: Moment,
  })
  .meta({
    id: 'TableOperatorCall',
    examples: [
      {
        id: '0d4c7c52-5b0d-4d0f-8a55-0a3e7f1c9b20',
        keyId: 'key_AaH8KwlxavakGwZZljrhYw',
        action: 'GiveBack',
        subject: '0190f3c2-7a51-7d33-9f11-6a1b2c3d4e5f',
        note: 'not in the restaurant’s books',
        confirmed: false,
        outcome: 'Done',
        stateBefore: 'NeedsOperator',
        stateAfter: 'GivingBack',
        createdAt: '2026-03-01T12:00:00.000Z',
      },
    ],
  });
export type TableOperatorCall = z.output<typeof TableOperatorCall>;

export const listTableOperatorCalls = {
  ...shared,
  id: 'listTableOperatorCalls',
  method: 'GET',
  path: '/pay-at-table/operator-calls',
  summary: 'List what operators have decided, newest first',
  description: 'The audit log: nothing in it is ever changed or deleted.',
  idempotency: 'none',
  query: z.object(PAGE_MEMBERS).refine(isOneDirection, ONE_DIRECTION),
  returns: getPage('TableOperatorCallPage', TableOperatorCall),
  refusals: [],
} as const satisfies Operation;

export const replayEposEvents = {
  ...shared,
  id: 'replayEposEvents',
  method: 'POST',
  path: '/pay-at-table/epos-events/replay',
  summary: 'Tell the EPOS once more what it has missed',
  description:
    'Events whose last delivery to the EPOS was given up, of the kinds that it has registered now. They are told again with ' +
    'all their attempts, in their order, behind what waits for the EPOS; it knows them by their ids. At most 1000 at a time, ' +
    'oldest first: the same again takes the next ones. Kept in the audit log.',
  idempotency: 'optional',
  body: z
    .object({
      from: MomentInput.optional().meta({ description: 'Inclusive, by `createdAt` of the event.' }),
      to: MomentInput.optional().meta({ description: 'Exclusive; now when not sent.' }),
      note: note.meta({ description: 'Why; kept in the audit log.' }),
    })
    .meta({ id: 'EposEventReplay', examples: [{ from: '2026-03-01T00:00:00Z', note: 'the till was out of order' }] }),
  returns: ReplayResult,
  refusals: [],
} as const satisfies Operation;

export const PAY_AT_TABLE_OPERATIONS = [
  listPendingPayments,
  resolvePendingPayment,
  listTableLeases,
  releaseTableLease,
  listTableOperatorCalls,
  replayEposEvents,
] as const;
