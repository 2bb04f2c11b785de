import { EPOS_ERRORS, type EposErrorCode } from '@pos/core/tables';
import { z } from 'zod';
import { EPOS_DATA, EPOS_ERROR_STATUSES, type EposDataCallName, type EposError } from '../epos-data/epos-data.js';
import type { Operation } from '../operation/operation.js';
import { CONTROL, CONTROL_RULES_MAX, ControlDelay, ControlRepeats } from './sandbox-control-shapes.js';
import { EposParty, EposReservation } from '../epos-data/epos-data-bookings.js';
import { EposOrder } from '../epos-data/epos-data-orders.js';
import { WebhookEvent } from '../webhooks/events.js';
import { Moment, Money } from '../shapes/shapes.js';

/** The calls of the pay-at-table contract. */
const EPOS_METHODS = [
  'ListSessions',
  'GetSession',
  'ListTables',
  'GetTable',
  'GetBillItems',
  'ListBillItems',
  'GetFullBill',
  'LockSession',
  'UnlockSession',
  'RecordPayment',
] as const;

const EVERY_CALL = [
  ...EPOS_METHODS,
  // `Object.keys` loses the type of the keys of this own table.
  ...(Object.keys(EPOS_DATA) as EposDataCallName[]),
] as const;
/** A call of the reference EPOS, of either contract. */
export type EposMethod = (typeof EVERY_CALL)[number];

/** The transports of calls to the reference EPOS. */
export const EPOS_TRANSPORTS = ['grpc', 'grpc-stream', 'rest', 'ws', 'tables-ws'] as const;

/** The faults that can be injected into a call to an EPOS. */
export const EPOS_EFFECTS = [
  'slow',
  'no-answer',
  'answer-lost',
  'wrong-totals',
  'wrong-currency',
  'duplicate-answer',
  'refuse',
  'internal-error',
  'forget-locks',
  'drop-stream',
  'reconnect-storm',
  'unknown-enum',
  'broken-json',
  'huge-answer',
  'wrong-clock',
  'odd-members',
] as const;

// The keys of the tables are the codes; `Object.keys` loses their type.
const errorCodes = [...Object.keys(EPOS_ERRORS), ...Object.keys(EPOS_ERROR_STATUSES)] as [
  RefusalCode,
  ...RefusalCode[],
];
type RefusalCode = EposErrorCode | EposError['errorType'];

const Fault = z
  .object({
    method: z.enum(EVERY_CALL).optional().meta({ description: 'Absent: every call.' }),
    transport: z.enum(EPOS_TRANSPORTS).optional().meta({ description: 'Absent: every transport.' }),
    effect: z.enum(EPOS_EFFECTS),
    delayMs: ControlDelay.optional(),
    code: z.enum(errorCodes).optional().meta({
      description: 'What `refuse` answers; where the contract of the call has no such code, its internal error.',
    }),
    afterDoing: z
      .boolean()
      .optional()
      .meta({ description: '`refuse`, `internal-error`, `drop-stream` and `reconnect-storm` do the call first.' }),
    times: ControlRepeats,
  })
  .meta({ id: 'EposFault', examples: [{ method: 'RecordPayment', effect: 'answer-lost', times: 1 }] });

const Faults = z
  .object({ faults: z.array(Fault).max(CONTROL_RULES_MAX) })
  .meta({ id: 'EposFaults', examples: [{ faults: [{ method: 'LockSession', effect: 'slow', delayMs: 2500 }] }] });

const FaultsInForce = z.object({
  faults: z.array(
    z.object({
      method: z.enum(EVERY_CALL).optional(),
      transport: z.enum(EPOS_TRANSPORTS).optional(),
      effect: z.enum(EPOS_EFFECTS),
      delayMs: z.int().optional(),
      code: z.string().optional(),
      afterDoing: z.boolean().optional(),
      times: z.int().optional(),
      used: z.int(),
    }),
  ),
});

const Requestor = z.object({
  kind: z.enum(['cardMachine', 'consumerDevice']),
  terminalId: z.string().optional(),
  waiterId: z.int().optional(),
});

const Lock = z.object({
  sessionId: z.string(),
  requestor: Requestor,
  lockedAt: Moment,
  lockId: z.string().optional().meta({ description: 'The id of a lock on the order of the session.' }),
  expiresAt: Moment.optional(),
});

const OrderPayment = z.object({
  orderId: z.string(),
  paymentIntentId: z.string(),
  paidAmount: Money,
  tipsAmount: Money.optional(),
  recordedAt: Moment,
});

const Payment = z.object({
  paymentId: z.string(),
  sessionId: z.string(),
  currency: z.string(),
  baseAmount: z.int(),
  gratuityAmount: z.int(),
  cashbackAmount: z.int(),
  attemptedAt: Moment,
  recordedAt: Moment,
  method: z.enum(['cardPresent', 'remote']),
  acquirerTransactionId: z.string(),
});

const Session = z.object({
  sessionId: z.string(),
  name: z.string(),
  tableName: z.string().optional(),
  currency: z.string(),
  totalAmount: z.int(),
  paidAmount: z.int(),
  isPayable: z.boolean(),
  isFinished: z.boolean(),
  isLocked: z.boolean(),
});

const SeenCall = z.object({
  number: z.int(),
  arrivedAt: Moment,
  method: z.enum(EVERY_CALL),
  transport: z.enum(EPOS_TRANSPORTS),
  requestor: Requestor,
  sessionId: z.string().optional(),
  paymentId: z.string().optional(),
  wasDone: z.boolean(),
  answered: z.string().meta({ description: '`ok`, an error code, `silence` or `broken`.' }),
});

const ofAccount = { params: z.object({ accountId: z.string() }), refusals: ['path_unknown'] } as const;
const ofSession = {
  params: z.object({ accountId: z.string(), sessionId: z.string() }),
  refusals: ['path_unknown'],
} as const;
export const listEposLocks = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposLocks',
  method: 'GET',
  path: '/epos/{accountId}/locks',
  summary: 'List the session locks the reference EPOS holds',
  returns: z.object({ locks: z.array(Lock) }),
} as const satisfies Operation;

export const takeEposLock = {
  ...CONTROL,
  ...ofSession,
  id: 'takeEposLock',
  method: 'PUT',
  path: '/epos/{accountId}/locks/{sessionId}',
  summary: 'Lock a session as the staff of the restaurant would',
  description: 'Answers 204 also when it is locked already.',
  returns: null,
} as const satisfies Operation;

export const dropEposLock = {
  ...CONTROL,
  ...ofSession,
  id: 'dropEposLock',
  method: 'DELETE',
  path: '/epos/{accountId}/locks/{sessionId}',
  summary: 'Remove the lock of a session, of any owner',
  description: 'Answers 204 also when there is none.',
  returns: null,
} as const satisfies Operation;

export const listEposPayments = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposPayments',
  method: 'GET',
  path: '/epos/{accountId}/payments',
  summary: 'List the payments and the unsuccessful attempts recorded at the reference EPOS',
  returns: z.object({
    payments: z.array(Payment),
    unsuccessfulAttempts: z.array(Payment),
    orderPayments: z.array(OrderPayment).meta({ description: 'Payments that were recorded over the EPOS Data API.' }),
  }),
} as const satisfies Operation;

export const listEposSessions = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposSessions',
  method: 'GET',
  path: '/epos/{accountId}/sessions',
  summary: 'List the sessions of the reference EPOS with their bills',
  returns: z.object({ sessions: z.array(Session) }),
} as const satisfies Operation;

export const listEposOrders = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposOrders',
  method: 'GET',
  path: '/epos/{accountId}/orders',
  summary: 'List the orders of the reference EPOS in the form of the EPOS Data API',
  description: 'Each order represents the session with the same id, with the same money.',
  returns: z.object({ orders: z.array(EposOrder) }),
} as const satisfies Operation;

export const listEposBookings = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposBookings',
  method: 'GET',
  path: '/epos/{accountId}/bookings',
  summary: 'List the parties and reservations of the reference EPOS',
  returns: z.object({ parties: z.array(EposParty), reservations: z.array(EposReservation) }),
} as const satisfies Operation;

export const listEposEvents = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposEvents',
  method: 'GET',
  path: '/epos/{accountId}/events',
  summary: 'List the payment events that the reference EPOS has received, oldest first',
  returns: z.object({ events: z.array(WebhookEvent) }),
} as const satisfies Operation;

export const listReferenceEposCalls = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposCalls',
  method: 'GET',
  path: '/epos/{accountId}/calls',
  summary: 'List the calls the reference EPOS has seen, oldest first',
  returns: z.object({ calls: z.array(SeenCall) }),
} as const satisfies Operation;

export const listEposFaults = {
  ...CONTROL,
  ...ofAccount,
  id: 'listEposFaults',
  method: 'GET',
  path: '/epos/{accountId}/faults',
  summary: 'List the faults the reference EPOS acts on, with how often each was used',
  returns: FaultsInForce,
} as const satisfies Operation;

export const replaceEposFaults = {
  ...CONTROL,
  ...ofAccount,
  id: 'replaceEposFaults',
  method: 'PUT',
  path: '/epos/{accountId}/faults',
  summary: 'Replace the faults of the reference EPOS',
  body: Faults,
  returns: FaultsInForce,
} as const satisfies Operation;

export const clearEposFaults = {
  ...CONTROL,
  ...ofAccount,
  id: 'clearEposFaults',
  method: 'DELETE',
  path: '/epos/{accountId}/faults',
  summary: 'Let the reference EPOS behave',
  returns: null,
} as const satisfies Operation;
