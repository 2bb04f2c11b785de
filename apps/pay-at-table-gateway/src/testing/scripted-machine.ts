import { type ClientDuplexStream, credentials } from '@grpc/grpc-js';
import type { Status as status } from '@grpc/grpc-js/build/src/constants.js';
import { expect } from '@jest/globals';
import {
  type ConnectResponse,
  CardMachineServiceClient,
  type ConnectRequest,
  type Report,
} from '@pos/grpc-contracts/card-machine';
import type { RunningGateway } from '../boot.js';
import { buildCallMetadata } from './gateway-world.js';
import { waitUntil } from './polling.js';

export const openMachines: ScriptedMachine[] = [];
export const DEVICE_IDENTITY = { serialNumber: '1', credential: 'c'.repeat(43) };
/** A machine played by hand: every message it gets, and how its stream ended. */
export class ScriptedMachine {
  readonly received: ConnectResponse[] = [];
  streamEnd: { readonly code: status; readonly details: string } | null = null;
  readonly #client: CardMachineServiceClient;
  readonly #stream: ClientDuplexStream<ConnectRequest, ConnectResponse>;

  constructor(gateway: RunningGateway, apiKey: string) {
    this.#client = new CardMachineServiceClient(gateway.urls.grpc, credentials.createInsecure());
    this.#stream = this.#client.connect(buildCallMetadata(apiKey));
    this.#stream.on('data', (message: ConnectResponse) => this.received.push(message));
    this.#stream.on('error', () => undefined);
    this.#stream.on('status', ({ code, details }: { code: status; details: string }) => {
      this.streamEnd = { code, details };
    });
    openMachines.push(this);
  }

  send(message: ConnectRequest['message']): this {
    this.#stream.write({ message });
    return this;
  }

  sendHello(
    tid: string,
    unfinished?: { sessionId: string; lastReportNumber: number },
    { serialNumber, credential } = DEVICE_IDENTITY,
  ): this {
    const unfinishedSession =
      unfinished === undefined
        ? undefined
        : { terminalSessionId: unfinished.sessionId, lastReportNumber: unfinished.lastReportNumber };
    const device = { serialNumber, credential };
    const value = { tid, ...device, softwareVersion: 'by hand', unfinishedSession, inUse: false };
    return this.send({ $case: 'hello', value });
  }

  sendReport(sessionId: string, number: number, event: Report['event']): this {
    const value = { terminalSessionId: sessionId, number, occurredAt: new Date(), event };
    return this.send({ $case: 'report', value });
  }

  listMessages<C extends NonNullable<ConnectResponse['message']>['$case']>(name: C) {
    return this.received.flatMap(({ message }) =>
      message?.$case === name ? [message as Extract<NonNullable<ConnectResponse['message']>, { $case: C }>] : [],
    );
  }

  async waitForWelcome(): Promise<this> {
    await waitUntil(() => this.listMessages('welcome').length === 1 || this.streamEnd !== null);
    expect(this.streamEnd).toBeNull();
    return this;
  }

  async endStream(): Promise<status> {
    await waitUntil(() => this.streamEnd !== null);
    return this.streamEnd!.code;
  }

  cancelStream(): void {
    this.#stream.cancel();
    this.#client.close();
  }
}
