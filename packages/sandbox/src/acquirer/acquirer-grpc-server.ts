import { status, type handleUnaryCall, type Server, type ServerUnaryCall } from '@grpc/grpc-js';
import {
  AcquirerServiceService,
  type AcquirerServiceServer,
  type AuthoriseRequest,
} from '@pos/grpc-contracts/acquirer';
import { money, type Money } from '@pos/core/money/money';
import {
  AcquirerError,
  type AuthorisationRequest,
  type FollowUpRequest,
  type AcquirerCallState,
} from './acquirer-call.js';
import { CHALLENGE_PASSED } from '../cards/challenge-answer.js';
import { RuledStatusError, NoAnswerError, type AcquirerSimulator } from './acquirer-simulator.js';
import { listBookingLines } from './booking-list.js';
import { presentBooking, presentCallState } from './acquirer-messages.js';
import type { SimulationClock } from '../clock/simulation-clock.js';

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1000;
interface AcquirerServerOptions {
  readonly simulator: AcquirerSimulator;
  readonly clock: SimulationClock;
  /** URL of the issuer's page. */
  readonly stepUpUrl: string;
}

/** Adds the simulated acquirer to a gRPC server. */
export function addAcquirerService(server: Server, serverOptions: AcquirerServerOptions): void {
  const { simulator } = serverOptions;
  const toReply = async (callState: Promise<AcquirerCallState>) => ({
    result: presentCallState(await callState, serverOptions.stepUpUrl),
  });
  const service: AcquirerServiceServer = {
    authorise: createUnaryHandler((request) => toReply(simulator.authorise(readAuthorisationRequest(request)))),
    completeChallenge: createUnaryHandler(({ reference, paRes, md }) =>
      toReply(simulator.completeChallenge(reference, { hasPassed: paRes === CHALLENGE_PASSED, md })),
    ),
    increaseAuthorisation: createUnaryHandler((request) =>
      toReply(simulator.followUp('Increase', readFollowUpRequest(request))),
    ),
    capture: createUnaryHandler((request) => toReply(simulator.followUp('Capture', readFollowUpRequest(request)))),
    refund: createUnaryHandler((request) => toReply(simulator.followUp('Refund', readFollowUpRequest(request)))),
    reverse: createUnaryHandler(({ reference, originalReference, merchantId, releaseRest }) =>
      toReply(simulator.reverse({ reference, originalReference, merchantId, releaseRest })),
    ),
    inquire: createUnaryHandler(({ reference }) => toReply(simulator.inquire(reference))),
    listBooked: createUnaryHandler((request) =>
      simulator.readList('ListBooked', request.merchantId, () => listBooked(serverOptions, request)),
    ),
  };
  server.addService(AcquirerServiceService, service);
}

function listBooked(
  { simulator, clock }: AcquirerServerOptions,
  request: { merchantId: string; from: Date | undefined; to: Date | undefined; pageSize: number; pageToken: string },
) {
  if (request.pageToken !== '' && !/^\d{1,15}$/.test(request.pageToken)) {
    throw new AcquirerError('InvalidArgument', 'page_token of another list');
  }
  if (request.pageSize < 0 || request.pageSize > PAGE_SIZE_MAX) {
    throw new AcquirerError('InvalidArgument', `page_size is at most ${PAGE_SIZE_MAX}`);
  }
  const size = request.pageSize === 0 ? PAGE_SIZE_DEFAULT : request.pageSize;
  const lines = listBookingLines(simulator.acquirer.books, clock.now()).filter(
    ({ merchantId, bookedAt, number }) =>
      merchantId === request.merchantId &&
      number > Number(request.pageToken) &&
      (request.from === undefined || bookedAt >= request.from) &&
      (request.to === undefined || bookedAt < request.to),
  );
  const page = lines.slice(0, size);
  const last = page.at(-1);
  return {
    bookings: page.map(presentBooking),
    nextPageToken: last !== undefined && lines.length > size ? String(last.number) : '',
  };
}

function readAuthorisationRequest(request: AuthoriseRequest): AuthorisationRequest {
  const { instrument, cardholderNotPresent: isRemote } = request;
  if (instrument === undefined) throw new AcquirerError('InvalidArgument', 'an instrument is needed');
  if (request.merchantId === '') throw new AcquirerError('InvalidArgument', 'a merchant_id is needed');
  return {
    reference: request.reference,
    merchantId: request.merchantId,
    amount: readMoney(request),
    isPurchase: request.capture,
    instrument: {
      kind: instrument.$case === 'card' ? 'card' : 'stored',
      card: instrument.value,
      isRemote: isRemote || !request.customerInitiated,
      hasAddress: request.billingAddressLine !== '' || request.billingPostcode !== '',
    },
  };
}

function readFollowUpRequest(request: {
  reference: string;
  originalReference: string;
  amount: bigint;
  currency: string;
}): FollowUpRequest {
  return { reference: request.reference, originalReference: request.originalReference, amount: readMoney(request) };
}

function readMoney({ amount, currency }: { amount: bigint; currency: string }): Money {
  const value = Number(amount);
  if (!Number.isSafeInteger(value) || value < 0) throw new AcquirerError('InvalidArgument', 'amount');
  if (!/^[A-Z]{3}$/.test(currency)) throw new AcquirerError('InvalidArgument', 'currency');
  return money(value, currency);
}

const ERROR_STATUS = {
  AlreadyExists: status.ALREADY_EXISTS,
  NotFound: status.NOT_FOUND,
  FailedPrecondition: status.FAILED_PRECONDITION,
  InvalidArgument: status.INVALID_ARGUMENT,
} as const satisfies Record<AcquirerError['code'], status>;

/** A dropped answer leaves the call open, as a lost packet would: the caller's deadline ends it. */
function createUnaryHandler<Q, A>(work: (request: Q) => Promise<A>): handleUnaryCall<Q, A> {
  return (call: ServerUnaryCall<Q, A>, callback) => {
    void (async () => {
      try {
        callback(null, await work(call.request));
      } catch (error) {
        if (error instanceof NoAnswerError && error.cause === 'dropped') return;
        callback(toGrpcStatus(error));
      }
    })();
  };
}

function toGrpcStatus(error: unknown): { code: status; details: string } {
  if (error instanceof AcquirerError) return { code: ERROR_STATUS[error.code], details: error.message };
  if (error instanceof RuledStatusError) return { code: status[error.status], details: error.message };
  if (error instanceof NoAnswerError) {
    return error.cause === 'down'
      ? { code: status.UNAVAILABLE, details: 'the acquirer is down' }
      : { code: status.INTERNAL, details: 'no answer from the issuer' };
  }
  return { code: status.INTERNAL, details: 'defect of the simulated acquirer' };
}
