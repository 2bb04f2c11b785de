import { credentials, Metadata } from '@grpc/grpc-js';
import {
  EposConnectorServiceClient,
  type ConnectRequest,
  type ConnectResponse,
  type EposCall,
  type EposResult,
} from '@pos/grpc-contracts/gateway';
import type { TablesAnswer } from '@pos/grpc-contracts/tables-methods';
import type { WorldClock } from './clock.js';
import { spoiledMessage } from './epos-answers.js';
import { serveTablesCall } from './epos-calls.js';
import type { EposDoor } from './epos-door.js';
import type { Spoiling } from './epos-faults.js';
import { STORM_TRIES } from './standing-line.js';
import { presentError } from './epos-wire.js';
import type { Seed } from './seed.js';
import { StandingStream } from './standing-stream.js';

const CLIENT_VERSION = 'reference EPOS 1.0';
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 60_000;
const HEARTBEAT_DEFAULT_MS = 30_000;
/** A dropped stream is back after this long: a broken connection, not a closed restaurant. */
const DROPPED_FOR_MS = 1_000;

/** What an EPOS that dials in needs. */
export interface EposStreamPlace {
  readonly door: EposDoor;
  readonly accountId: string;
  readonly apiKey: string;
  readonly softwareHouseId: string;
  readonly merchantName: string;
  readonly gatewayAddresses: readonly string[];
  readonly clock: WorldClock;
  readonly seed: Seed;
}

/** The reference EPOS as a client of the gateway: it opens the stream, and the calls come down it. */
export class EposStreamClient {
  readonly #place: EposStreamPlace;
  readonly #stream: StandingStream<ConnectRequest, ConnectResponse>;
  #send: ((message: ConnectRequest) => void) | null = null;

  constructor(place: EposStreamPlace) {
    this.#place = place;
    const { clock, seed, accountId } = place;
    const draws = seed.draws('epos reconnects', accountId);
    this.#stream = new StandingStream<ConnectRequest, ConnectResponse>({
      addresses: place.gatewayAddresses,
      clock,
      backoff: { firstMs: BACKOFF_FIRST_MS, maxMs: BACKOFF_MAX_MS, jitter: () => draws.fraction() },
      talk: {
        open: (address) => this.#open(address),
        hello: () => ({
          message: {
            $case: 'hello',
            value: { instanceId: seed.uuid('epos instance', accountId), clientVersion: CLIENT_VERSION },
          },
        }),
        heartbeat: () => ({ message: { $case: 'heartbeat', value: { sentAt: clock.now() } } }),
        welcomeOf: heartbeatIntervalMs,
        opened: (send) => {
          this.#send = send;
        },
        received: (message) => {
          if (message.message?.$case === 'call') void this.#serve(message.message.value);
        },
        broken: () => {
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

  isServing(): boolean {
    return this.#stream.isServing();
  }

  /** An answer goes out on the stream its call came in on, or not at all: the gateway never takes it on another. */
  async #serve({ callId, request }: EposCall): Promise<void> {
    const send = this.#send;
    if (send === null) return;
    const tell = (response: EposResult['response']): void => {
      send({ message: { $case: 'result', value: { callId, response } } });
    };
    if (request === undefined) {
      tell({ $case: 'error', value: presentError('ERROR_PARSE_ERROR', 'the method is unknown') });
      return;
    }
    const { door, merchantName } = this.#place;
    const served = await serveTablesCall(door, request, { transport: 'grpc-stream', merchantName });
    if (served.kind === 'broken') this.#stream.unplug(DROPPED_FOR_MS, served.isStorm ? STORM_TRIES : 0);
    if (served.kind === 'broken' || served.kind === 'silence') return;
    const response: EposResult['response'] =
      served.kind === 'answer' ? answerOf(served) : { $case: 'error', value: presentError(served.code, served.reason) };
    tell(response);
    if (served.isDoubled) tell(response);
  }

  #open(address: string) {
    const client = new EposConnectorServiceClient(address, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', `Basic ${this.#place.apiKey}`);
    metadata.set('software-house-id', this.#place.softwareHouseId);
    // The gateway admits it only where the account wants it.
    metadata.set('sandbox-epos', 'true');
    return {
      stream: client.connect(metadata),
      close: () => {
        client.close();
      },
    };
  }
}

/** An answer of gRPC that cannot be read has nothing in it. */
function answerOf({ answer, spoiling }: { answer: TablesAnswer; spoiling: Spoiling }): EposResult['response'] {
  return spoiling.isBroken ? undefined : spoiledMessage(answer, spoiling);
}

function heartbeatIntervalMs({ message }: ConnectResponse): number | null {
  if (message?.$case !== 'welcome') return null;
  const { heartbeatInterval } = message.value;
  if (heartbeatInterval === undefined) return HEARTBEAT_DEFAULT_MS;
  return Number(heartbeatInterval.seconds) * 1_000 + heartbeatInterval.nanos / 1_000_000;
}
