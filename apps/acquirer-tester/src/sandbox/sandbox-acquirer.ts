import { Server, ServerCredentials, ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import {
  Acquirer,
  AcquirerBooks,
  AcquirerRuleSet,
  AcquirerSimulator,
  addAcquirerService,
  createMemoryJournal,
  LATE_APPROVAL_MS,
} from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { limitGrpcConnections } from '@pos/service-kit/grpc';

/** The acquirer of the sandbox in this process, on a free port of loopback. */
export interface SandboxAcquirer {
  /** `host:port`. */
  readonly address: string;
  readonly credential: string;
  readonly close: () => void;
}

interface SandboxAcquirerOptions {
  /** The source of its transaction ids; a run has its own. */
  readonly seed: string;
  /** Changes the acquirer before it listens. */
  readonly prepare?: (simulator: AcquirerSimulator) => void;
  /** False: calls need no credential, as with a broken adapter. */
  readonly checksCredential?: boolean;
  /** Changes calls and answers on the wire. */
  readonly interceptors?: readonly ServerInterceptor[];
}

const LOOPBACK = '127.0.0.1';
/** The credential of the sandbox in this process is no secret: the port is on loopback and ends with the run. */
const CREDENTIAL = 'Bearer sandbox-acquirer';
/** A late approval arrives a second after its call, so that a run does not wait for long. */
const LATE_MS = 1_000;

/** Opens the acquirer of the sandbox with empty books. */
export async function openSandboxAcquirer(options: SandboxAcquirerOptions): Promise<SandboxAcquirer> {
  const { seed, prepare, checksCredential = true, interceptors = [] } = options;
  const clock = createWallClock({ timeScale: LATE_APPROVAL_MS / LATE_MS, frozenAt: null });
  const books = new AcquirerBooks(createMemoryJournal());
  const acquirer = new Acquirer({ books, clock, seed: new Seed(seed) });
  const simulator = new AcquirerSimulator({ acquirer, rules: new AcquirerRuleSet(), clock });
  prepare?.(simulator);
  const server = new Server({ interceptors: [...(checksCredential ? [requireCredential] : []), ...interceptors] });
  addAcquirerService(server, { simulator, clock, stepUpUrl: `http://${LOOPBACK}/step-up` });
  const port = await bindGrpcServer(server, `${LOOPBACK}:0`, ServerCredentials.createInsecure());
  limitGrpcConnections(server);
  return {
    address: `${LOOPBACK}:${port}`,
    credential: CREDENTIAL,
    close: () => {
      server.forceShutdown();
    },
  };
}

/** Refuses a call before it is read, as an adapter with credentials does. */
const requireCredential: ServerInterceptor = (_, call) =>
  new ServerInterceptingCall(call, {
    start: (next) => {
      next({
        onReceiveMetadata: (metadata, nextMetadata) => {
          if (metadata.get('authorization')[0] === CREDENTIAL) nextMetadata(metadata);
          else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'a credential is needed' });
        },
      });
    },
  });
