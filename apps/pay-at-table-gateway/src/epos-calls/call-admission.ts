import { Refusal } from '@pos/core/refusals';
import type { CallRequest } from '@pos/grpc-contracts/gateway-internal';
import type { EposDataCallName } from '@pos/rest-contracts/epos-data';
import type { Callers, ServiceApp } from '@pos/service-kit/internal';

const BOOKING = true;
const NOT_OF_THE_API = false;

/**
 * The calls of the EPOS Data API that the REST API makes: those of bookings, each after the check of `bookings.read` or
 * `bookings.write`. Orders, their locks and their payments belong to journeys and to orders that are paid in advance,
 * which a gateway calls itself. A call without a row does not compile.
 */
const CALLS_OF_THE_API: Readonly<Record<EposDataCallName, boolean>> = {
  ListAreas: BOOKING,
  SearchTables: BOOKING,
  CreateParty: BOOKING,
  GetPartyById: BOOKING,
  UpdateParty: BOOKING,
  DeletePartyById: BOOKING,
  SearchParties: BOOKING,
  CreateReservation: BOOKING,
  GetReservationById: BOOKING,
  UpdateReservation: BOOKING,
  DeleteReservationById: BOOKING,
  SearchReservations: BOOKING,
  CreateOrder: NOT_OF_THE_API,
  GetOrderById: NOT_OF_THE_API,
  CancelOrderById: NOT_OF_THE_API,
  SearchOrders: NOT_OF_THE_API,
  CreateOrderLock: NOT_OF_THE_API,
  ExtendOrderLock: NOT_OF_THE_API,
  DeleteOrderLock: NOT_OF_THE_API,
  GetOrderBillById: NOT_OF_THE_API,
  RecordOrderPaymentById: NOT_OF_THE_API,
  HandleEvent: NOT_OF_THE_API,
};

/** Whether `EposService/Call` makes a call for an app, or why not. Only apps that may call the rpc ask. */
const ADMISSION: Partial<Readonly<Record<ServiceApp, (request: CallRequest) => string | null>>> = {
  // It forwards the calls of its own devices and journeys to the gateway that holds the connection.
  'pay-at-table-gateway': () => null,
  'epos-tester': ({ environment }) => (environment === 'sandbox' ? null : 'it tests EPOSes of sandbox accounts'),
  api: ({ request }) =>
    request?.$case === 'eposData' &&
    (CALLS_OF_THE_API as Readonly<Record<string, boolean>>)[request.value.name] === true
      ? null
      : 'its calls are those of bookings',
};

/**
 * Refuses a call that is no business of its caller: the rpc carries every call to an EPOS, and with one of them a bill is
 * recorded as paid.
 */
export function requireAdmittedCall(request: CallRequest, callers: Callers): void {
  const reasons = callers.map((caller) => {
    const admit = ADMISSION[caller];
    return admit === undefined ? 'it makes no calls' : admit(request);
  });
  if (reasons.includes(null)) return;
  throw new Refusal('permission_missing', `${callers.join(', ')} may not make this call: ${reasons.join(', ')}`);
}
