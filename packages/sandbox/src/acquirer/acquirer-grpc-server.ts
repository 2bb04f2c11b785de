import { type Metadata, status, type handleUnaryCall, type Server, type ServerUnaryCall } from '@grpc/grpc-js';
import {
  AcquirerServiceService,
  type AcquirerServiceServer,
  type AuthoriseRequest,
  Wallet,
  type WalletInstrument,
} from '@pos/grpc-contracts/acquirer';
import type { WalletKind } from '@pos/core/cards';
import { money, type Money } from '@pos/core/money';
import {
  AcquirerError,
  type AuthorisationRequest,
  type FollowUpRequest,
  type SimulatedCallState,
} from './acquirer-call.js';
import type { OnlineCard } from '../cards/online-card.js';
import { presentCapabilities } from './simulated-capabilities.js';
import { CHALLENGE_PASSED } from '../cards/challenge-answer.js';
import { readWalletToken } from '../cards/wallet-token.js';
import { RuledStatusError, NoAnswerError, type AcquirerSimulator } from './acquirer-simulator.js';
import { listBookingLines } from './booking-list.js';
import { presentBooking, presentCallState } from './acquirer-messages.js';
import type { SimulationClock } from '../clock/simulation-clock.js';

/** Only a simulated acquirer reads it. */
const ACCOUNT_TIME_METADATA = 'sandbox-account-time';
const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1000;
interface AcquirerServerOptions {
  readonly simulator: AcquirerSimulator;
  readonly clock: SimulationClock;
  /** URL of the issuer's page. */
  readonly stepUpUrl: string;
  /** What every call has to carry as the metadata `authorization`; null: calls need nothing. */
  readonly credential?: { reveal(): string } | null;
}

/** Adds the simulated acquirer to a gRPC server. */
export function addAcquirerService(server: Server, serverOptions: AcquirerServerOptions): void {
  const { simulator, credential = null } = serverOptions;
  const createUnaryHandler = <Q, A>(work: (request: Q) => Promise<A>): handleUnaryCall<Q, A> =>
    handleUnary(work, { simulator, credential: credential?.reveal() ?? null });
  const toReply = async (callState: Promise<SimulatedCallState>) => ({
    result: presentCallState(await callState, serverOptions.stepUpUrl),
  });
  const service: AcquirerServiceServer = {
    authorise: createUnaryHandler((request) => {
      const { wallets } = simulator.capabilities.declared;
      return toReply(simulator.authorise(readAuthorisationRequest(request, wallets)));
    }),
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
    getCapabilities: createUnaryHandler(async () => ({
      capabilities: presentCapabilities(await simulator.getCapabilities()),
    })),
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

function readAuthorisationRequest(request: AuthoriseRequest, wallets: readonly WalletKind[]): AuthorisationRequest {
  const { instrument, cardholderNotPresent: isRemote } = request;
  if (instrument === undefined) throw new AcquirerError('InvalidArgument', 'an instrument is needed');
  if (request.merchantId === '') throw new AcquirerError('InvalidArgument', 'a merchant_id is needed');
  return {
    reference: request.reference,
    merchantId: request.merchantId,
    amount: readMoney(request),
    isPurchase: request.capture,
    instrument: {
      kind: instrument.$case === 'storedCard' ? 'stored' : 'card',
      card: instrument.$case === 'wallet' ? openWallet(instrument.value, wallets) : instrument.value,
      isRemote: isRemote || !request.customerInitiated,
      isAbsent: isRemote,
      isMerchantInitiated: !request.customerInitiated,
      isChallengePossible: !request.noChallenge,
      hasAddress: request.billingAddressLine !== '' || request.billingPostcode !== '',
    },
  };
}

const WALLETS = {
  [Wallet.WALLET_UNSPECIFIED]: null,
  [Wallet.WALLET_APPLE_PAY]: 'APPLE_PAY',
  [Wallet.WALLET_GOOGLE_PAY]: 'GOOGLE_PAY',
  [Wallet.UNRECOGNIZED]: null,
} as const satisfies Record<Wallet, WalletKind | null>;

/** The adapter decrypts the token: nobody before it has seen the card. */
function openWallet({ kind, token }: WalletInstrument, wallets: readonly WalletKind[]): OnlineCard {
  const wallet = WALLETS[kind];
  if (wallet === null || !wallets.includes(wallet)) throw new AcquirerError('Unimplemented', 'not declared: wallets');
  const card = readWalletToken(token);
  if (card === null) throw new AcquirerError('InvalidArgument', 'the token cannot be decrypted');
  return card;
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
  Unimplemented: status.UNIMPLEMENTED,
  Unauthenticated: status.UNAUTHENTICATED,
} as const satisfies Record<AcquirerError['code'], status>;

/** A dropped answer leaves the call open, as a lost packet would: the caller's deadline ends it. */
function handleUnary<Q, A>(
  work: (request: Q) => Promise<A>,
  { simulator, credential }: { readonly simulator: AcquirerSimulator; readonly credential: string | null },
): handleUnaryCall<Q, A> {
  return (call: ServerUnaryCall<Q, A>, callback) => {
    void (async () => {
      try {
        const [sent] = call.metadata.get('authorization');
        if (credential !== null && sent !== credential)
          throw new AcquirerError('Unauthenticated', 'the metadata authorization is missing or wrong');
        observeAccountTime(simulator, call.metadata);
        callback(null, await work(call.request));
      } catch (error) {
        if (error instanceof NoAnswerError && error.cause === 'dropped') return;
        callback(toGrpcStatus(error));
      }
    })();
  };
}

/** The service says `acc_… 2026-03-01T12:00:00.000Z` in calls of a sandbox: its clock may have been advanced. */
function observeAccountTime(simulator: AcquirerSimulator, metadata: Metadata): void {
  const [said] = metadata.get(ACCOUNT_TIME_METADATA);
  const [accountId = '', time = ''] = String(said ?? '').split(' ');
  const moment = new Date(time);
  if (!Number.isNaN(moment.getTime())) simulator.observeAccountTime(accountId, moment);
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
