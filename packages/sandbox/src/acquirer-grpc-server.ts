import { status, type handleUnaryCall, type Server, type ServerUnaryCall } from '@grpc/grpc-js';
import {
  AcquirerServiceService,
  type AcquirerServiceServer,
  type AuthoriseRequest,
} from '@pos/grpc-contracts/acquirer';
import { money, type Money } from '@pos/core/money';
import { AcquirerError, type Authorisation, type Follow, type Standing } from './acquirer-call.js';
import { CHALLENGE_PASSED } from './challenge-answer.js';
import { RuledStatus, Unanswered, type AcquirerDoor } from './acquirer-door.js';
import { bookingLines } from './acquirer-list.js';
import { presentBooking, presentStanding } from './acquirer-wire.js';
import type { WorldClock } from './clock.js';

const PAGE_DEFAULT = 100;
const PAGE_MAX = 1000;
interface AcquirerPlace {
  readonly door: AcquirerDoor;
  readonly clock: WorldClock;
  /** Where the issuer's page is. */
  readonly stepUpUrl: string;
}

/** Puts the simulated acquirer on a gRPC server. */
export function serveAcquirer(server: Server, place: AcquirerPlace): void {
  const { door } = place;
  const told = async (standing: Promise<Standing>) => ({ result: presentStanding(await standing, place.stepUpUrl) });
  const service: AcquirerServiceServer = {
    authorise: unary((asked) => told(door.authorise(readAuthorisation(asked)))),
    completeChallenge: unary(({ reference, paRes, md }) =>
      told(door.completeChallenge(reference, { hasPassed: paRes === CHALLENGE_PASSED, md })),
    ),
    increaseAuthorisation: unary((asked) => told(door.follow('Increase', readFollow(asked)))),
    capture: unary((asked) => told(door.follow('Capture', readFollow(asked)))),
    refund: unary((asked) => told(door.follow('Refund', readFollow(asked)))),
    reverse: unary(({ reference, originalReference, merchantId, releaseRest }) =>
      told(door.reverse({ reference, originalReference, merchantId, releaseRest })),
    ),
    inquire: unary(({ reference }) => told(door.inquire(reference))),
    listBooked: unary((asked) => door.read('ListBooked', asked.merchantId, () => listBooked(place, asked))),
  };
  server.addService(AcquirerServiceService, service);
}

function listBooked(
  { door, clock }: AcquirerPlace,
  asked: { merchantId: string; from: Date | undefined; to: Date | undefined; pageSize: number; pageToken: string },
) {
  if (asked.pageToken !== '' && !/^\d{1,15}$/.test(asked.pageToken)) {
    throw new AcquirerError('InvalidArgument', 'page_token of another list');
  }
  if (asked.pageSize < 0 || asked.pageSize > PAGE_MAX) {
    throw new AcquirerError('InvalidArgument', `page_size is at most ${PAGE_MAX}`);
  }
  const size = asked.pageSize === 0 ? PAGE_DEFAULT : asked.pageSize;
  const lines = bookingLines(door.acquirer.books, clock.now()).filter(
    ({ merchantId, bookedAt, number }) =>
      merchantId === asked.merchantId &&
      number > Number(asked.pageToken) &&
      (asked.from === undefined || bookedAt >= asked.from) &&
      (asked.to === undefined || bookedAt < asked.to),
  );
  const page = lines.slice(0, size);
  const last = page.at(-1);
  return {
    bookings: page.map(presentBooking),
    nextPageToken: last !== undefined && lines.length > size ? String(last.number) : '',
  };
}

function readAuthorisation(asked: AuthoriseRequest): Authorisation {
  const { instrument, cardholderNotPresent: isRemote } = asked;
  if (instrument === undefined) throw new AcquirerError('InvalidArgument', 'an instrument is needed');
  if (asked.merchantId === '') throw new AcquirerError('InvalidArgument', 'a merchant_id is needed');
  return {
    reference: asked.reference,
    merchantId: asked.merchantId,
    amount: readMoney(asked),
    isPurchase: asked.capture,
    instrument: {
      kind: instrument.$case === 'card' ? 'card' : 'stored',
      card: instrument.value,
      isRemote: isRemote || !asked.customerInitiated,
      hasAddress: asked.billingAddressLine !== '' || asked.billingPostcode !== '',
    },
  };
}

function readFollow(asked: { reference: string; originalReference: string; amount: bigint; currency: string }): Follow {
  return { reference: asked.reference, originalReference: asked.originalReference, amount: readMoney(asked) };
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
function unary<Q, A>(work: (asked: Q) => Promise<A>): handleUnaryCall<Q, A> {
  return (call: ServerUnaryCall<Q, A>, callback) => {
    void (async () => {
      try {
        callback(null, await work(call.request));
      } catch (error) {
        if (error instanceof Unanswered && error.way === 'dropped') return;
        callback(statusOf(error));
      }
    })();
  };
}

function statusOf(error: unknown): { code: status; details: string } {
  if (error instanceof AcquirerError) return { code: ERROR_STATUS[error.code], details: error.message };
  if (error instanceof RuledStatus) return { code: status[error.status], details: error.message };
  if (error instanceof Unanswered) {
    return error.way === 'down'
      ? { code: status.UNAVAILABLE, details: 'the acquirer is down' }
      : { code: status.INTERNAL, details: 'no answer from the issuer' };
  }
  return { code: status.INTERNAL, details: 'defect of the simulated acquirer' };
}
