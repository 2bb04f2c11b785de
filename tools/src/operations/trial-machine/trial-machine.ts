import { type ChannelCredentials, type ClientDuplexStream, Metadata } from '@grpc/grpc-js';
import type { Result } from '@pos/grpc-contracts/acquirer';
import {
  CardMachineServiceClient,
  type ConnectRequest,
  type ConnectResponse,
  type Start,
  type Welcome,
} from '@pos/grpc-contracts/card-machine';
import { createHash } from 'node:crypto';
import type { AcquirerTerminal } from './acquirer-terminal.js';
import { MachineSession } from './machine-session.js';

/** Who the machine is, and how it reaches the gateway and the acquirer. */
export interface TrialMachineParts {
  readonly address: string;
  readonly credentials: ChannelCredentials;
  readonly key: string;
  readonly tid: string;
  /** The secret of this machine; its serial number is derived from it. */
  readonly credential: string;
  readonly merchantId: string;
  readonly acquirer: AcquirerTerminal;
  readonly write: (line: string) => void;
}

const SOFTWARE_VERSION = 'trial 1.0';
const SERIAL_LENGTH = 16;
const MS_PER_SECOND = 1_000;

/**
 * A simulated card machine for trials: it runs one sale over the contract of card machines, and ends. It stores nothing, so
 * a stream that breaks ends it with an error, and the gateway asks the acquirer for the outcome.
 */
export class TrialMachine {
  readonly #client: CardMachineServiceClient;
  readonly #refused = new Set<string>();
  #session: MachineSession | null = null;
  #decision: Result | null = null;
  #heartbeats: NodeJS.Timeout | undefined;

  constructor(private readonly parts: TrialMachineParts) {
    this.#client = new CardMachineServiceClient(parts.address, parts.credentials);
  }

  /** Serves until the gateway has acknowledged the result of one sale. Throws when the stream ends before. */
  async runSale(): Promise<Result> {
    const metadata = new Metadata();
    metadata.set('authorization', `Basic ${this.parts.key}`);
    const stream = this.#client.connect(metadata);
    try {
      return await new Promise<Result>((resolve, reject) => {
        stream.on('error', reject);
        stream.on('end', () => {
          reject(new Error('the gateway has ended the stream'));
        });
        stream.on('data', ({ message }: ConnectResponse) => {
          this.#receive(stream, message, reject);
          if (message?.$case !== 'ack' || this.#decision === null) return;
          if (message.value.reportNumber >= (this.#session?.lastNumber ?? 0)) resolve(this.#decision);
        });
        this.#send(stream, { $case: 'hello', value: this.#createHello() });
      });
    } finally {
      clearInterval(this.#heartbeats);
      stream.cancel();
      this.#client.close();
    }
  }

  #receive(
    stream: ClientDuplexStream<ConnectRequest, ConnectResponse>,
    message: ConnectResponse['message'],
    reject: (error: Error) => void,
  ): void {
    switch (message?.$case) {
      case 'welcome':
        this.#beginHeartbeats(stream, message.value);
        return;
      case 'start':
        if (this.#session === null) this.#runSession(stream, message.value).catch(reject);
        return;
      case 'cancel':
      case 'stop':
        // The card is in from the start: a session that runs is reported with its result.
        if (this.#session === null) this.#refused.add(message.value.terminalSessionId);
        return;
      case 'ack':
      case 'heartbeat':
      case 'signatureDecision':
      case undefined:
        return;
    }
  }

  async #runSession(stream: ClientDuplexStream<ConnectRequest, ConnectResponse>, start: Start): Promise<void> {
    const { parts } = this;
    if (this.#refused.has(start.terminalSessionId)) throw new Error('the session was stopped before its start');
    parts.write(`asks for ${start.amount?.totalAmount ?? 0n} ${start.currency}`);
    this.#session = new MachineSession(start, {
      ...{ acquirer: parts.acquirer, merchantId: parts.merchantId },
      send: (report) => {
        this.#send(stream, { $case: 'report', value: report });
      },
    });
    this.#decision = await this.#session.run();
  }

  #beginHeartbeats(stream: ClientDuplexStream<ConnectRequest, ConnectResponse>, { heartbeatInterval }: Welcome): void {
    this.parts.write('is connected');
    const intervalMs = Number(heartbeatInterval?.seconds ?? 1n) * MS_PER_SECOND;
    this.#heartbeats = setInterval(() => {
      this.#send(stream, { $case: 'heartbeat', value: { sentAt: new Date(), inUse: false } });
    }, intervalMs);
  }

  #send(stream: ClientDuplexStream<ConnectRequest, ConnectResponse>, message: ConnectRequest['message']): void {
    stream.write({ message });
  }

  #createHello() {
    const { tid, credential } = this.parts;
    const serialNumber = createHash('sha256').update(credential).digest('hex').slice(0, SERIAL_LENGTH);
    return {
      tid,
      serialNumber,
      credential,
      softwareVersion: SOFTWARE_VERSION,
      unfinishedSession: undefined,
      inUse: false,
    };
  }
}
