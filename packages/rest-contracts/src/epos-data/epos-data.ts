import type { EposCapability } from '@pos/core/tables';
import { z } from 'zod';
import { EposBill } from './epos-data-bill.js';
import {
  EposParty,
  EposPartyPage,
  EposReservation,
  EposReservationPage,
  EposNewParty,
  EposNewReservation,
  PartySearch,
  PartyUpdate,
  ReservationSearch,
  ReservationUpdate,
} from './epos-data-bookings.js';
import {
  EposArea,
  EposOrder,
  EposOrderPage,
  EposTablePage,
  LockExtension,
  NewOrder,
  NewOrderLock,
  OrderSearch,
  RecordedPayment,
  TableSearch,
} from './epos-data-orders.js';
import { EposId } from './epos-data-shapes.js';
import { PaymentIntentEvent } from '../webhooks/events.js';
import type { Method } from '../operation/operation.js';

/** No content: an empty object where a body is required. */
const Nothing = z.object({}).meta({ id: 'EposNothing', examples: [{}] });

/**
 * One call of the EPOS Data API as data: REST path, name on the socket, request and answer. The members of the path are
 * members of `params` on the socket, under their own names.
 */
export interface EposDataOperation {
  readonly method: Method;
  /** Template with members in braces, below the registered address. */
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodObject | null;
  readonly body: z.ZodType | null;
  /** The plain answer; null: no answer is parsed. */
  readonly returns: z.ZodType | null;
}

const ofOrder = z.object({ orderId: EposId.describe('Id of the order at the EPOS.') });
const ofLock = z.object({
  orderId: EposId.describe('Id of the order at the EPOS.'),
  lockId: EposId.describe('UUID of the lock, as the service created it.'),
});
const ofParty = z.object({ partyId: EposId.describe('Id of the party at the EPOS.') });
const ofReservation = z.object({ reservationId: EposId.describe('Id of the reservation at the EPOS.') });

/** Every call of the EPOS Data API, by its capability; the two kinds of event are one call. */
export const EPOS_DATA = {
  ListAreas: {
    method: 'GET',
    path: '/v1/areas',
    summary: 'List the areas of the restaurant',
    params: null,
    body: null,
    returns: z.array(EposArea),
  },
  SearchTables: {
    method: 'POST',
    path: '/v1/tables/search',
    summary: 'Search tables',
    params: null,
    body: TableSearch,
    returns: EposTablePage,
  },
  CreateOrder: {
    method: 'POST',
    path: '/v1/orders',
    summary: 'Create an order, or find the one that was created under this serviceOrderId',
    params: null,
    body: NewOrder,
    returns: EposOrder,
  },
  GetOrderById: {
    method: 'GET',
    path: '/v1/orders/{orderId}',
    summary: 'Read an order',
    params: ofOrder,
    body: null,
    returns: EposOrder,
  },
  CancelOrderById: {
    method: 'DELETE',
    path: '/v1/orders/{orderId}',
    summary: 'Cancel an order',
    params: ofOrder,
    body: null,
    returns: EposOrder,
  },
  SearchOrders: {
    method: 'POST',
    path: '/v1/orders/search',
    summary: 'Search orders',
    params: null,
    body: OrderSearch,
    returns: EposOrderPage,
  },
  CreateOrderLock: {
    method: 'POST',
    path: '/v1/orders/{orderId}/lock',
    summary: 'Lock an order until the lock expires',
    params: ofOrder,
    body: NewOrderLock,
    returns: EposOrder,
  },
  ExtendOrderLock: {
    method: 'PUT',
    path: '/v1/orders/{orderId}/locks/{lockId}',
    summary: 'Let a lock expire later',
    params: ofLock,
    body: LockExtension,
    returns: Nothing,
  },
  DeleteOrderLock: {
    method: 'DELETE',
    path: '/v1/orders/{orderId}/locks/{lockId}',
    summary: 'Let go of a lock',
    params: ofLock,
    body: null,
    returns: EposOrder,
  },
  GetOrderBillById: {
    method: 'GET',
    path: '/v1/orders/{orderId}/bill',
    summary: 'Read the printable bill of an order',
    params: ofOrder,
    body: null,
    returns: EposBill,
  },
  RecordOrderPaymentById: {
    method: 'POST',
    path: '/v1/orders/{orderId}/record-payment',
    summary: 'Record a payment that was taken',
    params: ofOrder,
    body: RecordedPayment,
    returns: EposOrder,
  },
  CreateParty: {
    method: 'POST',
    path: '/v1/parties',
    summary: 'Seat a party',
    params: null,
    body: EposNewParty,
    returns: EposParty,
  },
  GetPartyById: {
    method: 'GET',
    path: '/v1/parties/{partyId}',
    summary: 'Read a party',
    params: ofParty,
    body: null,
    returns: EposParty,
  },
  UpdateParty: {
    method: 'PUT',
    path: '/v1/parties/{partyId}',
    summary: 'Change a party',
    params: ofParty,
    body: PartyUpdate,
    returns: EposParty,
  },
  DeletePartyById: {
    method: 'DELETE',
    path: '/v1/parties/{partyId}',
    summary: 'Delete a party',
    params: ofParty,
    body: null,
    returns: null,
  },
  SearchParties: {
    method: 'POST',
    path: '/v1/parties/search',
    summary: 'Search parties',
    params: null,
    body: PartySearch,
    returns: EposPartyPage,
  },
  CreateReservation: {
    method: 'POST',
    path: '/v1/reservations',
    summary: 'Create a reservation',
    params: null,
    body: EposNewReservation,
    returns: EposReservation,
  },
  GetReservationById: {
    method: 'GET',
    path: '/v1/reservations/{reservationId}',
    summary: 'Read a reservation',
    params: ofReservation,
    body: null,
    returns: EposReservation,
  },
  UpdateReservation: {
    method: 'PUT',
    path: '/v1/reservations/{reservationId}',
    summary: 'Change a reservation',
    params: ofReservation,
    body: ReservationUpdate,
    returns: EposReservation,
  },
  DeleteReservationById: {
    method: 'DELETE',
    path: '/v1/reservations/{reservationId}',
    summary: 'Delete a reservation',
    params: ofReservation,
    body: null,
    returns: null,
  },
  SearchReservations: {
    method: 'POST',
    path: '/v1/reservations/search',
    summary: 'Search reservations',
    params: null,
    body: ReservationSearch,
    returns: EposReservationPage,
  },
  HandleEvent: {
    method: 'POST',
    path: '/v1/events',
    summary: 'Receive a change of a payment',
    params: null,
    body: PaymentIntentEvent,
    returns: null,
  },
} as const satisfies Readonly<Record<string, EposDataOperation>>;

/** A call of the EPOS Data API: a capability, or `HandleEvent` for both kinds of event. */
export type EposDataCallName = keyof typeof EPOS_DATA;

/** The capability of a call; for `HandleEvent` it includes the kind of event. */
export function getCapability(name: EposDataCallName, event = ''): EposCapability | null {
  if (name !== 'HandleEvent') return name;
  return event === 'payment_intent.created' || event === 'payment_intent.status_updated'
    ? `HandleEvent:${event}`
    : null;
}

/** Whether a call only reads, so that it may be repeated without an answer. */
export function isEposDataRead(name: EposDataCallName): boolean {
  return EPOS_DATA[name].method === 'GET' || name.startsWith('Search');
}

/** The `method` of a call's frame on the socket. */
export function toSocketMethod(name: EposDataCallName): string {
  return `${name}V1`;
}

/** The call of a frame's `method`; null for an unknown method. */
export function findCallOfSocketMethod(method: string): EposDataCallName | null {
  const name = method.endsWith('V1') ? method.slice(0, -2) : '';
  return isEposDataCall(name) ? name : null;
}

/** Whether a call of that name exists. */
export function isEposDataCall(name: string): name is EposDataCallName {
  return Object.hasOwn(EPOS_DATA, name);
}

/** The parsed answer of a call. */
export type EposDataResult<N extends EposDataCallName> = (typeof EPOS_DATA)[N]['returns'] extends infer S extends
  z.ZodType
  ? z.output<S>
  : null;

/** The parameters of a call, path and body together, as on the socket. */
export type EposDataParams<N extends EposDataCallName> = MembersOf<(typeof EPOS_DATA)[N]['params']> &
  MembersOf<(typeof EPOS_DATA)[N]['body']>;

type MembersOf<S> = S extends z.ZodType ? z.output<S> : unknown;

/** The error of an EPOS. */
export const EposError = z
  .object({
    errorType: z
      .enum(['NotFound', 'Conflict', 'InvalidRequest', 'UnexpectedError'])
      .describe('Why the call failed; decides, not the HTTP status.'),
    debugMessage: z.string().optional().describe('A sentence for the people who read the logs.'),
    traceId: z.string().optional().describe('Id under which the EPOS logs the call.'),
  })
  .meta({ id: 'EposError', examples: [{ errorType: 'NotFound', debugMessage: 'no order 119' }] });
export type EposError = z.output<typeof EposError>;

/** The HTTP status of each kind of error. */
export const EPOS_ERROR_STATUSES = {
  NotFound: 404,
  Conflict: 409,
  InvalidRequest: 400,
  UnexpectedError: 500,
} as const satisfies Record<EposError['errorType'], number>;

/** The known facts about the caller, sent with every call: REST header by member of `params.headers` on the socket. */
export const EPOS_CALL_HEADERS = {
  waiterId: 'waiter-id',
  serviceRequestingProduct: 'service-requesting-product',
  deviceId: 'device-id',
  deviceType: 'device-type',
} as const;
export type EposCallHeaders = Partial<Readonly<Record<keyof typeof EPOS_CALL_HEADERS, string>>>;
