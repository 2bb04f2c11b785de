import { type handleUnaryCall, Server, type ServerInterceptor, ServerInterceptingCall, status } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import {
  AcquirerServiceService,
  type AcquirerServiceServer,
  type ListBookedRequest,
} from '@pos/grpc-contracts/acquirer';
import { chooseServerCredentials, limitGrpcConnections } from '@pos/service-kit/grpc';
import { formatHostPort, type TlsFiles } from '@pos/service-kit/network';
import type { Log } from '@pos/service-kit/telemetry';
import { createHash, timingSafeEqual } from 'node:crypto';
import { Authorisations } from '../calls/authorisations.js';
import { type Call, CallRefusal } from '../calls/call.js';
import { FollowUps } from '../calls/follow-ups.js';
import { type AdapterParts, ProcessorCalls } from '../calls/processor-calls.js';
import { CAPABILITIES, toAuthorisationResult, toBooking, toResult, toUnknownResult } from './acquirer-wire.js';
import { type FingerprintKeys, RequestReader } from './request-reading.js';

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1_000;

interface AcquirerServerOptions extends AdapterParts {
  readonly host: string;
  readonly port: number;
  /** Null: without TLS. */
  readonly tls: TlsFiles | null;
  readonly credential: string;
  readonly fingerprintKeys: FingerprintKeys;
  readonly log: Log;
}

/** The gRPC side of the adapter, and the calls behind it. */
export interface AcquirerServer {
  readonly port: number;
  readonly authorisations: Authorisations;
  /** Resolves when running calls have ended. */
  readonly close: () => Promise<void>;
}

/** Opens the gRPC port. */
export async function startAcquirerServer(options: AcquirerServerOptions): Promise<AcquirerServer> {
  const calls = new ProcessorCalls(options);
  const authorisations = new Authorisations(options, calls);
  const server = new Server({ interceptors: [createCredentialCheck(options.credential)] });
  server.addService(
    AcquirerServiceService,
    createService(options, { authorisations, followUps: new FollowUps(options, calls) }),
  );
  const { host, tls } = options;
  const names = { hostSetting: 'GRPC_HOST', tlsSetting: 'GRPC_TLS_CERT' };
  const credentials = chooseServerCredentials({ host, tls, ...names, isEncryptedElsewhere: false });
  const port = await bindGrpcServer(server, formatHostPort(host, options.port), credentials);
  limitGrpcConnections(server);
  const close = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.tryShutdown((error) => {
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  return { port, authorisations, close };
}

function createService(
  options: AcquirerServerOptions,
  { authorisations, followUps }: { readonly authorisations: Authorisations; readonly followUps: FollowUps },
): AcquirerServiceServer {
  const reader = new RequestReader(options.fingerprintKeys);
  const handle = <Q, R>(work: (request: Q) => Promise<R>) => createHandler(options.log, work);
  const answer = async (call: Promise<Call>) => ({ result: toResult(await call) });
  const answerAuthorisation = async (call: Promise<Call>) => ({ result: toAuthorisationResult(await call) });
  return {
    authorise: handle((request) => {
      const { call, card } = reader.readAuthorisation(request);
      return answerAuthorisation(authorisations.authorise(call, card));
    }),
    completeChallenge: handle(({ reference, paRes, md }) =>
      answerAuthorisation(authorisations.completeChallenge(reference, { paRes, md })),
    ),
    increaseAuthorisation: handle((request) => answer(followUps.change(reader.readFollowUp('Increase', request)))),
    capture: handle((request) => answer(followUps.change(reader.readFollowUp('Capture', request)))),
    refund: handle((request) => answer(followUps.change(reader.readFollowUp('Refund', request)))),
    reverse: handle((request) => answer(followUps.reverse(reader.readReversal(request)))),
    inquire: handle(async ({ reference }) => {
      const call = await authorisations.inquire(reference);
      if (call === null) return { result: toUnknownResult(reference) };
      return { result: toResult(call.kind === 'Authorise' ? call : await followUps.refresh(call)) };
    }),
    listBooked: handle((request) => listBooked(options, request)),
    getCapabilities: handle(() => Promise.resolve({ capabilities: CAPABILITIES })),
  };
}

/** The processor's own list, not the adapter's rows: what they disagree in is what reconciliation looks for. */
async function listBooked({ processor, store }: AdapterParts, request: ListBookedRequest) {
  const { merchantId, from = new Date(0), to, pageSize, pageToken } = request;
  if (!/^\d{0,15}$/.test(pageToken)) throw new CallRefusal('INVALID_ARGUMENT', 'page_token of another list');
  if (pageSize < 0 || pageSize > PAGE_SIZE_MAX) {
    throw new CallRefusal('INVALID_ARGUMENT', `page_size is at most ${PAGE_SIZE_MAX}`);
  }
  const limit = pageSize === 0 ? PAGE_SIZE_DEFAULT : pageSize;
  const query = { merchant: merchantId, from, to: to ?? (await store.now()), after: Number(pageToken), limit };
  const entries = await processor.listEntries(query).catch((error: unknown) => {
    throw new CallRefusal('UNAVAILABLE', error instanceof Error ? error.message : String(error));
  });
  if (entries === 'unknown merchant') throw new CallRefusal('NOT_FOUND', 'unknown merchant');
  const refs = entries.flatMap(({ order_ref, op_ref }) => [order_ref, ...(op_ref === null ? [] : [op_ref])]);
  const calls = await store.findAll([...new Set(refs)]);
  return {
    bookings: entries.map((entry) => toBooking(entry, calls)),
    // The processor may list fewer than asked for, so only an empty page is the last.
    nextPageToken: String(entries.at(-1)?.seq ?? ''),
  };
}

/** A refusal is its status. Anything else says nothing about what was booked: UNKNOWN, without details. */
function createHandler<Q, R>(log: Log, work: (request: Q) => Promise<R>): handleUnaryCall<Q, R> {
  return (call, callback) => {
    void (async () => {
      try {
        callback(null, await work(call.request));
      } catch (error) {
        if (error instanceof CallRefusal) {
          callback({ code: status[error.code], details: error.message });
          return;
        }
        log.error('adapter.call_failed', { method: call.getPath(), error });
        callback({ code: status.UNKNOWN, details: 'the outcome is not known' });
      }
    })();
  };
}

/** Refuses a call without the credential before it is read. */
function createCredentialCheck(credential: string): ServerInterceptor {
  const wanted = createHash('sha256').update(credential).digest();
  return (_, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        next({
          onReceiveMetadata: (metadata, nextMetadata) => {
            const shown = String(metadata.get('authorization')[0] ?? '');
            if (timingSafeEqual(createHash('sha256').update(shown).digest(), wanted)) nextMetadata(metadata);
            else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'the credential is wrong or missing' });
          },
        });
      },
    });
}
