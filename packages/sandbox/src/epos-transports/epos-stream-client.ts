import { Metadata } from '@grpc/grpc-js';
import {
  EposConnectorServiceClient,
  type ConnectRequest,
  type ConnectResponse,
  type EposCall,
  type EposResult,
} from '@pos/grpc-contracts/gateway';
import type { TablesAnswer } from '@pos/grpc-contracts/tables-methods';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { distortMessage } from '../epos-simulator/answer-distortion.js';
import { serveTablesCall } from '../epos-simulator/tables-calls.js';
import type { EposSimulator } from '../epos-simulator/epos-simulator.js';
import type { AnswerDistortion } from '../epos-simulator/epos-faults.js';
import type { GatewayTransport } from '../connections/gateway-transport.js';
import { RECONNECT_STORM_TRIES } from '../connections/persistent-connection.js';
import { presentTablesError } from '../epos/tables-messages.js';
import type { Seed } from '../clock/seed.js';
import { PersistentStream } from '../connections/persistent-stream.js';

const CLIENT_VERSION = 'reference EPOS 1.0';
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
const HEARTBEAT_DEFAULT_MS = 30_000;
/** A dropped stream reconnects after this delay: it simulates a broken connection, not a closed restaurant. */
const STREAM_RECONNECT_DELAY_MS = 1_000;

/** What an EPOS that dials in needs. */
export interface EposStreamOptions {
  readonly eposSimulator: EposSimulator;
  readonly accountId: string;
  readonly apiKey: string;
  readonly softwareHouseId: string;
  readonly merchantName: string;
  readonly gatewayAddresses: readonly string[];
  readonly transport: GatewayTransport;
  readonly clock: SimulationClock;
  readonly seed: Seed;
}

/** The reference EPOS as a client of the gateway: it opens the stream and serves the calls on it. */
export class EposStreamClient {
  readonly #options: EposStreamOptions;
  readonly #stream: PersistentStream<ConnectRequest, ConnectResponse>;
  #send: ((message: ConnectRequest) => void) | null = null;

  constructor(clientOptions: EposStreamOptions) {
    this.#options = clientOptions;
    const { clock, seed, accountId } = clientOptions;
    const random = seed.createRandom('epos reconnects', accountId);
    this.#stream = new PersistentStream<ConnectRequest, ConnectResponse>({
      addresses: clientOptions.gatewayAddresses,
      clock,
      backoff: { firstMs: BACKOFF_FIRST_MS, maxMs: BACKOFF_MAX_MS, jitter: () => random.nextFraction() },
      talk: {
        openStream: (address) => this.#openStream(address),
        createHello: () => ({
          message: {
            $case: 'hello',
            value: { instanceId: seed.deriveUuid('epos instance', accountId), clientVersion: CLIENT_VERSION },
          },
        }),
        createHeartbeat: () => ({ message: { $case: 'heartbeat', value: { sentAt: clock.now() } } }),
        readHeartbeatInterval,
        onOpened: (send) => {
          this.#send = send;
        },
        onMessage: (message) => {
          if (message.message?.$case === 'call') void this.#serveCall(message.message.value);
        },
        onClosed: () => {
          this.#send = null;
        },
      },
    });
  }

  start(): void {
    this.#stream.start();
  }

  stop(): void {
    this.#stream.stop();
  }

  isConnected(): boolean {
    return this.#stream.isConnected();
  }

  /** An answer goes out on the stream of its call, or not at all: the gateway never accepts it on another. */
  async #serveCall({ callId, request }: EposCall): Promise<void> {
    const send = this.#send;
    if (send === null) return;
    const sendResponse = (response: EposResult['response']): void => {
      send({ message: { $case: 'result', value: { callId, response } } });
    };
    if (request === undefined) {
      sendResponse({ $case: 'error', value: presentTablesError('ERROR_PARSE_ERROR', 'the method is unknown') });
      return;
    }
    const { eposSimulator, merchantName } = this.#options;
    const callResult = await serveTablesCall(eposSimulator, request, { transport: 'grpc-stream', merchantName });
    if (callResult.kind === 'broken')
      this.#stream.interrupt(STREAM_RECONNECT_DELAY_MS, callResult.isStorm ? RECONNECT_STORM_TRIES : 0);
    if (callResult.kind === 'broken' || callResult.kind === 'silence') return;
    const response: EposResult['response'] =
      callResult.kind === 'answer'
        ? toResponse(callResult)
        : { $case: 'error', value: presentTablesError(callResult.code, callResult.reason) };
    sendResponse(response);
    if (callResult.isDoubled) sendResponse(response);
  }

  #openStream(address: string) {
    const client = new EposConnectorServiceClient(address, this.#options.transport.createCredentials(address));
    const metadata = new Metadata();
    metadata.set('authorization', `Basic ${this.#options.apiKey}`);
    metadata.set('software-house-id', this.#options.softwareHouseId);
    // The gateway admits it only if the account permits it.
    metadata.set('sandbox-epos', 'true');
    return {
      stream: client.connect(metadata),
      close: () => {
        client.close();
      },
    };
  }
}

/** An unreadable gRPC answer is empty. */
function toResponse({
  answer,
  spoiling,
}: {
  answer: TablesAnswer;
  spoiling: AnswerDistortion;
}): EposResult['response'] {
  return spoiling.isBroken ? undefined : distortMessage(answer, spoiling);
}

function readHeartbeatInterval({ message }: ConnectResponse): number | null {
  if (message?.$case !== 'welcome') return null;
  const { heartbeatInterval } = message.value;
  if (heartbeatInterval === undefined) return HEARTBEAT_DEFAULT_MS;
  return Number(heartbeatInterval.seconds) * 1_000 + heartbeatInterval.nanos / 1_000_000;
}
