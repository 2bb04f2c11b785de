import { ACQUIRER_CALL_KINDS, ACQUIRER_CALL_STATES } from '@pos/core/acquirer-calls';
import { OPERATOR_CALL_ACTIONS, REFUND_DECISIONS } from '@pos/core/operators';
import { LEASE_STATES } from '@pos/core/tables';
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
    sessionId: z
      .string()
      .optional()
      .describe('Id of the session at the EPOS; absent when the payment belongs to none.'),
    orderId: z
      .string()
      .optional()
      .describe('Id of the order at the EPOS; absent when the EPOS keeps sessions, or the order is not known.'),
    paymentIntentId: z.string().optional().describe('Id of the payment intent (`pi_…`); absent when there is none.'),
    baseAmount: amount,
    gratuityAmount: amount,
    cashbackAmount: amount,
    currency: z.string().describe('ISO 4217 code of the three amounts.'),
    state: z.string().describe('The state in which the payment waits, such as `RecordUnknown` or `NeedsOperator`.'),
    since: Moment.describe('Since when it waits.'),
    attempts: z
      .int()
      .min(0)
      .meta({ description: 'The number of calls to the EPOS to record the payment, or to create the order.' }),
    lastError: z.string().optional().describe('The last error, for people; absent if there was none.'),
    acquirerCall: z
      .object({
        kind: z.enum(ACQUIRER_CALL_KINDS).describe('What the acquirer was asked to do.'),
        reference: z.string().describe('Our reference of the call; the acquirer’s books have it too.'),
        originalReference: z.string().optional().meta({ description: 'The authorisation that the call is about.' }),
        state: z.enum(ACQUIRER_CALL_STATES).describe('The state of the call in our books.'),
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
  summary: 'List the payments whose outcome is open',
  description:
    'Lists, oldest first: payments approved at a table that are neither recorded by the EPOS nor returned; payments that a ' +
    'device reports and no card transaction proves (`Unproved`); ended payments ' +
    'whose reversal the acquirer has not acknowledged for a minute (`Started`); refunds on a card machine without a known ' +
    'outcome, or open for longer than a call to the acquirer may take; orders paid in advance whose money is held, and ' +
    'neither captured nor returned; calls to the acquirer that have been open for too long (`AcquirerCallOpen`); money that ' +
    'the acquirer neither reverses nor refunds (`MoneyNotReturned`); and open differences between our books and the ' +
    'acquirer’s (`Difference`, by the id of the difference; at most 200), which have an operation of their own.',
  permission: 'tables.operate',
  version: 'optional',
  idempotency: 'none',
  returns: z.array(PendingPayment),
  refusals: [],
} as const satisfies Operation;

const note = freeText({ min: 1, max: 1024 });

const Resolution = z
  .object({
    action: z
      .enum([
        'MarkRecorded',
        'GiveBack',
        'RetryNow',
        'MarkNotHeld',
        'SettleAsListed',
        'MarkNotTaken',
        ...REFUND_DECISIONS,
      ])
      .describe('The decision; the description of the operation states which one each kind of payment accepts.'),
    note: note.meta({ description: 'The reason; stored in the audit log.' }),
  })
  .meta({ id: 'PendingResolution', examples: [{ action: 'RetryNow', note: 'the EPOS was restarted' }] });

const shared = { tag: 'Pay at table', permission: 'tables.operate', version: 'optional' } as const;

export const resolvePendingPayment = {
  ...shared,
  id: 'resolvePendingPayment',
  movesMoney: true,
  method: 'POST',
  path: '/pay-at-table/pending/{paymentId}/resolve',
  summary: 'Decide about a payment whose outcome is open',
  description:
    '`MarkRecorded`: an operator has seen the payment at the EPOS; refused once money may have been returned. `GiveBack`: ' +
    'returns the money to the payer; needs the permission payments.refund too, as a refund does. `RetryNow`: repeats the ' +
    'pending call, or looks for the card transaction again, at once. `MarkNotHeld`: for a payment of a device that no payment ' +
    'intent has taken; an operator has made sure that no card was charged, or that the money went back outside the service. ' +
    'For a refund on a card machine: ' +
    '`RetryNow` queries the machine and the acquirer at once; `SettleAsListed`; `MarkRefunded` and `MarkNotRefunded`: an ' +
    'operator has seen in the books of the acquirer whether the money was refunded. For an order that is paid in advance: ' +
    '`MarkRecorded`: an operator has seen the order at the EPOS, and its money is captured, which needs the permission ' +
    'payments.capture too; `GiveBack`: cancels the order if ' +
    'its id is known, and returns the money. For a call to the acquirer: `RetryNow` repeats it; `SettleAsListed` settles it ' +
    'by the answer of the acquirer to an inquiry, or by its list. While neither is final, the decision is refused. ' +
    '`MarkNotTaken`, by the id of a difference `NotBooked` or the reference of an alarm `MachineApprovalDiffers`: an ' +
    'operator has not found the payment in the books of the acquirer; it becomes `Reversed`, and both are answered; needs ' +
    'the permission payments.refund too, as a reversal does. `SettleAsListed` does the same for a refund that has ended as ' +
    'made, by its terminal session, its reference (the `subject` of the alarm) or the difference: if the acquirer, asked ' +
    'again, does not have it, the amount can be refunded again; needs the permission payments.refund too. The answer is the payment after the decision; the calls follow after the answer. Stored in the audit log.',
  idempotency: 'optional',
  params: z.object({
    paymentId: z
      .string()
      .describe(
        'The `paymentId` of the list of pending payments; for `MarkNotTaken` and `SettleAsListed` also the `subject` of an alarm.',
      ),
  }),
  body: Resolution,
  returns: PendingPayment,
  refusals: ['pending_payment_not_found', 'pending_payment_not_decidable', 'second_person_needed'],
} as const satisfies Operation;

const TableLease = z
  .object({
    leaseId: z.string().describe('UUID of the lease.'),
    accountId: z.string().describe('Account of the restaurant (`acc_…`).'),
    sessionId: z.string().describe('Id of the table session at the EPOS.'),
    orderId: z.string().optional().meta({ description: 'Where the EPOS keeps orders.' }),
    lockId: z.string().optional().meta({ description: 'The id of our lock on the order.' }),
    owner: z.string().meta({ description: 'The device.' }),
    waiterId: z.int().optional().describe('Number of the waiter; absent when none was entered.'),
    acquiredAt: Moment.describe('When the device acquired the lease.'),
    expiresAt: Moment.meta({ description: 'Never reached while money is open.' }),
    state: z
      .enum(LEASE_STATES)
      .describe(
        '`Held` by the device; `Lost` when the lock at the EPOS was lost; `Released` ended; `Forced` ended by an operator.',
      ),
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
  summary: 'End the lease of a device on a session',
  description:
    'While money is open on the session this needs `confirm`; the money is still recorded or returned. Later calls of the ' +
    'device are answered SESSION_NOT_LOCKED, and the session is unlocked at the EPOS. Stored in the audit log.',
  idempotency: 'optional',
  params: z.object({ leaseId: z.string().describe('UUID of the lease.') }),
  body: z
    .object({
      reason: note.meta({ description: 'Stored in the audit log.' }),
      confirm: z.boolean().default(false).describe('True: end the lease although money is open. 409 without it.'),
    })
    .meta({ id: 'LeaseRelease', examples: [{ reason: 'the machine was dropped', confirm: false }] }),
  returns: TableLease,
  refusals: ['lease_not_found', 'lease_over', 'lease_money_open'],
} as const satisfies Operation;

const TableOperatorCall = z
  .object({
    id: z.uuid().describe('UUID of the entry.'),
    keyId: z.string().meta({ description: 'Whose key it was; `service` for alarms that the service answered itself.' }),
    action: z.enum(OPERATOR_CALL_ACTIONS).describe('What the operator ordered.'),
    subject: z.string().meta({
      description:
        'The id of the payment, terminal session, lease, journey or difference; of a replay and of a reconciliation the span.',
    }),
    note: z.string().describe('The reason that the operator gave.'),
    confirmed: z.boolean().describe('Whether the operator confirmed that money was open.'),
    outcome: z.enum(['Done', 'Refused']).describe('`Done`, or `Refused` without an effect.'),
    refusal: z.string().optional().meta({ description: 'Why it was refused.' }),
    stateBefore: z.string().optional().describe('State of the subject before the decision; absent when it has none.'),
    stateAfter: z.string().optional().describe('State of the subject after the decision; absent when it has none.'),
    createdAt: Moment.describe('When the operator decided.'),
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
  summary: 'Send the EPOS again what it has missed',
  description:
    'Delivers again the events whose last delivery to the EPOS is a dead letter, of the kinds that it has registered now. ' +
    'They follow the pending events, in their order and with all their attempts; the EPOS detects repeats by their ids. At ' +
    'most 1000 per request, oldest first: the next request delivers the next ones. Stored in the audit log.',
  idempotency: 'optional',
  body: z
    .object({
      from: MomentInput.optional().meta({ description: 'Inclusive, by `createdAt` of the event.' }),
      to: MomentInput.optional().meta({ description: 'Exclusive; now when not sent.' }),
      note: note.meta({ description: 'The reason; stored in the audit log.' }),
    })
    .meta({ id: 'EposEventReplay', examples: [{ from: '2026-03-01T00:00:00Z', note: 'the EPOS was out of order' }] }),
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
