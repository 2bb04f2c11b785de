import { credentials, Metadata } from '@grpc/grpc-js';
import {
  CardMachineServiceClient,
  type ConnectRequest,
  type ConnectResponse,
  type Hello,
} from '@pos/grpc-contracts/card-machine';
import type { AccountClock } from './account-clock.js';
import type { AcquirerDoor } from './acquirer-door.js';
import type { WorldClock } from './clock.js';
import { CardMachine, type MachineFaults } from './machine.js';
import type { MachineModel } from './machine-play.js';
import { presentReport, readCommand } from './machine-wire.js';
import { Seed } from './seed.js';
import { StandingStream } from './standing-stream.js';

const SOFTWARE_VERSION = 'simulated 1.0';
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 5_000;

/** What a connected machine needs. */
export interface ConnectedMachinePlace {
  readonly model: MachineModel;
  readonly accountId: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly gatewayAddresses: readonly string[];
  readonly door: AcquirerDoor;
  readonly clock: WorldClock;
  /** What the account's machines wait for moves with the service's time of the account. */
  readonly accountClock: AccountClock;
  readonly seed: Seed;
}

/** A simulated machine with its stream to a gateway. An `offline` machine never dials. */
export class ConnectedMachine {
  readonly machine: CardMachine;
  readonly #stream: StandingStream<ConnectRequest, ConnectResponse>;
  readonly #place: ConnectedMachinePlace;

  constructor(place: ConnectedMachinePlace) {
    this.#place = place;
    const { model, merchantId, door, clock, seed, accountId } = place;
    const draws = seed.draws('machine reconnects', accountId, model.tid);
    this.machine = new CardMachine({
      ...{ model, merchantId, door, clock: place.accountClock },
      unplug: (forMs) => {
        this.#stream.unplug(forMs);
      },
    });
    this.#stream = new StandingStream<ConnectRequest, ConnectResponse>({
      addresses: place.gatewayAddresses,
      clock,
      backoff: { firstMs: BACKOFF_FIRST_MS, maxMs: BACKOFF_MAX_MS, jitter: () => draws.fraction() },
      talk: {
        open: (address) => this.#open(address),
        hello: () => ({ message: { $case: 'hello', value: this.#hello() } }),
        heartbeat: () => ({
          message: { $case: 'heartbeat', value: { sentAt: clock.now(), inUse: this.machine.isInUse() } },
        }),
        welcomeOf: heartbeatIntervalMs,
        opened: (send) => {
          this.machine.connected((report) => {
            send(presentReport(report));
          });
        },
        received: (message) => {
          const serviceTime = message.message?.$case === 'heartbeat' ? message.message.value.sentAt : undefined;
          if (serviceTime !== undefined) place.accountClock.observe(serviceTime);
          const command = readCommand(message);
          if (command !== null) this.machine.receive(command);
        },
        broken: () => {
          this.machine.disconnected();
        },
      },
    });
  }

  start(): void {
    if (this.machine.model.behaviour !== 'offline') this.#stream.start();
  }

  stop(): void {
    this.#stream.stop();
    this.machine.switchOff();
  }

  setFaults(faults: MachineFaults): void {
    this.machine.setFaults(faults);
  }

  isServing(): boolean {
    return this.#stream.isServing();
  }

  #hello(): Hello {
    const { model, accountId, apiKey } = this.#place;
    const unfinished = this.machine.unfinishedSession();
    return {
      tid: model.tid,
      // Both stay the same over a restart of this process, as those of a device in a restaurant would.
      serialNumber: new Seed(accountId).digits(10, 'serial number', model.tid),
      credential: new Seed(apiKey).bytes('credential', accountId, model.tid).toString('base64url'),
      softwareVersion: SOFTWARE_VERSION,
      unfinishedSession:
        unfinished === null
          ? undefined
          : { terminalSessionId: unfinished.sessionId, lastReportNumber: unfinished.lastReportNumber },
      inUse: this.machine.isInUse(),
    };
  }

  #open(address: string) {
    const client = new CardMachineServiceClient(address, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('authorization', `Basic ${this.#place.apiKey}`);
    return {
      stream: client.connect(metadata),
      close: () => {
        client.close();
      },
    };
  }
}

const HEARTBEAT_DEFAULT_MS = 30_000;

function heartbeatIntervalMs({ message }: ConnectResponse): number | null {
  if (message?.$case !== 'welcome') return null;
  const { heartbeatInterval } = message.value;
  if (heartbeatInterval === undefined) return HEARTBEAT_DEFAULT_MS;
  return Number(heartbeatInterval.seconds) * 1_000 + heartbeatInterval.nanos / 1_000_000;
}
