import { credentials, Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import {
  CardMachineServiceService,
  type ConnectRequest as MachineUp,
  type ConnectResponse as MachineDown,
  type Hello,
  type Report,
} from '@pos/grpc-contracts/card-machine';
import {
  EposConnectorServiceService,
  type ConnectRequest as EposUp,
  type ConnectResponse as EposDown,
  type EposResult,
} from '@pos/grpc-contracts/gateway';
import type { GatewayTransport } from '../connections/gateway-transport.js';

/** How clients of these gateways connect. */
export const PLAINTEXT: GatewayTransport = {
  createCredentials: () => credentials.createInsecure(),
  readSocketOptions: () => ({}),
};

const FAKE_GATEWAY_KEY = 'sk_sandbox_test';
const HEARTBEAT_SECONDS = 1n;

/** A gateway without a service: it welcomes streams, records incoming messages, and sends what a test requests. */
export class FakeGateway {
  readonly receivedHellos: Hello[] = [];
  readonly receivedReports: Report[] = [];
  readonly receivedResults: EposResult[] = [];
  readonly machines = new Map<string, ServerDuplexStream<MachineUp, MachineDown>>();
  epos: ServerDuplexStream<EposUp, EposDown> | null = null;
  heartbeats = 0;
  eposWelcomes = 0;
  /** Whether reports are acknowledged when they arrive. */
  isAcknowledging = true;
  readonly #server = new Server();

  async listen(port = 0): Promise<string> {
    this.#server.addService(CardMachineServiceService, {
      connect: (stream: ServerDuplexStream<MachineUp, MachineDown>) => {
        this.#serveMachine(stream);
      },
    });
    this.#server.addService(EposConnectorServiceService, {
      connect: (stream: ServerDuplexStream<EposUp, EposDown>) => {
        this.#serveEpos(stream);
      },
    });
    const bound = await bindGrpcServer(this.#server, `127.0.0.1:${port}`, ServerCredentials.createInsecure());
    return `127.0.0.1:${bound}`;
  }

  close(): void {
    this.#server.forceShutdown();
  }

  sendToMachine(tid: string, message: NonNullable<MachineDown['message']>): void {
    const stream = this.machines.get(tid);
    if (stream === undefined) throw new Error(`machine ${tid} is not connected`);
    stream.write({ message });
  }

  callEpos(
    callId: string,
    request: NonNullable<Extract<EposDown['message'], { $case: 'call' }>>['value']['request'],
  ): void {
    this.epos?.write({ message: { $case: 'call', value: { callId, request } } });
  }

  #serveMachine(stream: ServerDuplexStream<MachineUp, MachineDown>): void {
    if (!admitStream(stream)) return;
    stream.on('error', () => undefined);
    stream.on('data', ({ message }: MachineUp) => {
      switch (message?.$case) {
        case 'hello':
          this.receivedHellos.push(message.value);
          this.machines.set(message.value.tid, stream);
          stream.write({ message: { $case: 'welcome', value: createWelcome() } });
          return;
        case 'report': {
          const { terminalSessionId, number: reportNumber } = message.value;
          this.receivedReports.push(message.value);
          const ack = { terminalSessionId, reportNumber, stop: false };
          if (this.isAcknowledging) stream.write({ message: { $case: 'ack', value: ack } });
          return;
        }
        case 'heartbeat':
        case undefined:
          this.heartbeats += 1;
      }
    });
  }

  #serveEpos(stream: ServerDuplexStream<EposUp, EposDown>): void {
    if (!admitStream(stream)) return;
    stream.on('error', () => undefined);
    stream.on('data', ({ message }: EposUp) => {
      if (message?.$case === 'hello') {
        this.epos = stream;
        this.eposWelcomes += 1;
        stream.write({ message: { $case: 'welcome', value: createWelcome() } });
      }
      if (message?.$case === 'result') this.receivedResults.push(message.value);
    });
  }
}

function createWelcome() {
  return { connectionId: 'c1', heartbeatInterval: { seconds: HEARTBEAT_SECONDS, nanos: 0 } };
}

function admitStream(
  stream:
    | ServerDuplexStream<never, never>
    | ServerDuplexStream<MachineUp, MachineDown>
    | ServerDuplexStream<EposUp, EposDown>,
): boolean {
  const isKnown = stream.metadata.get('authorization')[0] === `Basic ${FAKE_GATEWAY_KEY}`;
  if (!isKnown) stream.destroy(Object.assign(new Error('unknown key'), { code: status.UNAUTHENTICATED }));
  return isKnown;
}
