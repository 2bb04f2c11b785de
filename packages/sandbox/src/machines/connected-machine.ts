import { Metadata } from '@grpc/grpc-js';
import {
  CardMachineServiceClient,
  type ConnectRequest,
  type ConnectResponse,
  type Hello,
} from '@pos/grpc-contracts/card-machine';
import type { AccountClock } from '../clock/account-clock.js';
import type { AcquirerSimulator } from '../acquirer/acquirer-simulator.js';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { CardMachine } from './card-machine.js';
import type { MachineFaults } from './machine-faults.js';
import type { MachineModel } from './machine-script.js';
import { presentReport, readCommand } from './machine-messages.js';
import { Seed } from '../clock/seed.js';
import type { GatewayTransport } from '../connections/gateway-transport.js';
import { PersistentStream } from '../connections/persistent-stream.js';

const SOFTWARE_VERSION = 'simulated 1.0';
/** An unplugged machine stays without a connection until it is plugged in again. */
const UNPLUGGED_MS = 24 * 60 * 60 * 1_000;
const BACKOFF_FIRST_MS = 200;
const BACKOFF_MAX_MS = 5_000;

/** What a connected machine needs. */
export interface ConnectedMachineOptions {
  readonly model: MachineModel;
  readonly accountId: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly gatewayAddresses: readonly string[];
  readonly transport: GatewayTransport;
  readonly acquirerSimulator: AcquirerSimulator;
  readonly clock: SimulationClock;
  /** The machine's timers follow the service's time of the account. */
  readonly accountClock: AccountClock;
  readonly seed: Seed;
}

/** A simulated machine with its stream to a gateway. An `offline` machine never dials. */
export class ConnectedMachine {
  readonly machine: CardMachine;
  readonly #stream: PersistentStream<ConnectRequest, ConnectResponse>;
  readonly #options: ConnectedMachineOptions;
  #isUnplugged = false;

  constructor(machineOptions: ConnectedMachineOptions) {
    this.#options = machineOptions;
    const { model, merchantId, acquirerSimulator, clock, seed, accountId } = machineOptions;
    const random = seed.createRandom('machine reconnects', accountId, model.tid);
    this.machine = new CardMachine({
      ...{ model, merchantId, acquirerSimulator, clock: machineOptions.accountClock },
      unplug: (forMs) => {
        this.#stream.interrupt(forMs);
      },
    });
    this.#stream = new PersistentStream<ConnectRequest, ConnectResponse>({
      addresses: machineOptions.gatewayAddresses,
      clock,
      backoff: { firstMs: BACKOFF_FIRST_MS, maxMs: BACKOFF_MAX_MS, jitter: () => random.nextFraction() },
      talk: {
        openStream: (address) => this.#openStream(address),
        createHello: () => ({ message: { $case: 'hello', value: this.#createHello() } }),
        createHeartbeat: () => ({
          message: { $case: 'heartbeat', value: { sentAt: clock.now(), inUse: this.machine.isInUse() } },
        }),
        readHeartbeatInterval: readMachineHeartbeatInterval,
        onOpened: (send) => {
          this.machine.connect((report) => {
            send(presentReport(report));
          });
        },
        onMessage: (message) => {
          const serviceTime = message.message?.$case === 'heartbeat' ? message.message.value.sentAt : undefined;
          if (serviceTime !== undefined) machineOptions.accountClock.observeServiceTime(serviceTime);
          const command = readCommand(message);
          if (command !== null) this.machine.handleCommand(command);
        },
        onClosed: () => {
          this.machine.disconnect();
        },
      },
    });
  }

  start(): void {
    if (this.machine.model.behaviour !== 'offline') this.#stream.start();
  }

  stop(): void {
    this.#stream.stop();
    this.machine.shutDown();
  }

  setFaults(faults: MachineFaults): void {
    this.machine.setFaults(faults);
  }

  get isUnplugged(): boolean {
    return this.#isUnplugged;
  }

  /** Cuts the connection to the gateway until the machine is plugged in again. */
  setUnplugged(isUnplugged: boolean): void {
    if (this.#isUnplugged === isUnplugged) return;
    this.#isUnplugged = isUnplugged;
    this.#stream.interrupt(isUnplugged ? UNPLUGGED_MS : 0);
  }

  isConnected(): boolean {
    return this.#stream.isConnected();
  }

  #createHello(): Hello {
    const { model, accountId, apiKey } = this.#options;
    const unfinished = this.machine.findUnfinishedSession();
    return {
      tid: model.tid,
      // Both stay the same over a restart of this process, like those of a real device.
      serialNumber: new Seed(accountId).deriveDigits(10, 'serial number', model.tid),
      credential: new Seed(apiKey).deriveBytes('credential', accountId, model.tid).toString('base64url'),
      softwareVersion: SOFTWARE_VERSION,
      unfinishedSession:
        unfinished === null
          ? undefined
          : { terminalSessionId: unfinished.sessionId, lastReportNumber: unfinished.lastReportNumber },
      inUse: this.machine.isInUse(),
    };
  }

  #openStream(address: string) {
    const client = new CardMachineServiceClient(address, this.#options.transport.createCredentials(address));
    const metadata = new Metadata();
    metadata.set('authorization', `Basic ${this.#options.apiKey}`);
    return {
      stream: client.connect(metadata),
      close: () => {
        client.close();
      },
    };
  }
}

const HEARTBEAT_DEFAULT_MS = 30_000;

function readMachineHeartbeatInterval({ message }: ConnectResponse): number | null {
  if (message?.$case !== 'welcome') return null;
  const { heartbeatInterval } = message.value;
  if (heartbeatInterval === undefined) return HEARTBEAT_DEFAULT_MS;
  return Number(heartbeatInterval.seconds) * 1_000 + heartbeatInterval.nanos / 1_000_000;
}
