import { Server, ServerCredentials, status, type ServerDuplexStream } from '@grpc/grpc-js';
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

const API_KEY = 'sk_sandbox_test';
const HEARTBEAT_SECONDS = 1n;

/** A gateway with no service behind it: it welcomes streams, writes down what comes up, and says what a test tells it. */
export class FakeGateway {
  readonly hellos: Hello[] = [];
  readonly reports: Report[] = [];
  readonly results: EposResult[] = [];
  readonly machines = new Map<string, ServerDuplexStream<MachineUp, MachineDown>>();
  epos: ServerDuplexStream<EposUp, EposDown> | null = null;
  heartbeats = 0;
  eposWelcomes = 0;
  /** Whether reports are acknowledged as they come. */
  acknowledges = true;
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
    const bound = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, opened) => {
        if (error === null) resolve(opened);
        else reject(error);
      });
    });
    return `127.0.0.1:${bound}`;
  }

  close(): void {
    this.#server.forceShutdown();
  }

  tell(tid: string, message: NonNullable<MachineDown['message']>): void {
    const stream = this.machines.get(tid);
    if (stream === undefined) throw new Error(`machine ${tid} is not connected`);
    stream.write({ message });
  }

  call(
    callId: string,
    request: NonNullable<Extract<EposDown['message'], { $case: 'call' }>>['value']['request'],
  ): void {
    this.epos?.write({ message: { $case: 'call', value: { callId, request } } });
  }

  #serveMachine(stream: ServerDuplexStream<MachineUp, MachineDown>): void {
    if (!isAdmitted(stream)) return;
    stream.on('error', () => undefined);
    stream.on('data', ({ message }: MachineUp) => {
      switch (message?.$case) {
        case 'hello':
          this.hellos.push(message.value);
          this.machines.set(message.value.tid, stream);
          stream.write({ message: { $case: 'welcome', value: welcome() } });
          return;
        case 'report': {
          const { terminalSessionId, number: reportNumber } = message.value;
          this.reports.push(message.value);
          const ack = { terminalSessionId, reportNumber, stop: false };
          if (this.acknowledges) stream.write({ message: { $case: 'ack', value: ack } });
          return;
        }
        case 'heartbeat':
        case undefined:
          this.heartbeats += 1;
      }
    });
  }

  #serveEpos(stream: ServerDuplexStream<EposUp, EposDown>): void {
    if (!isAdmitted(stream)) return;
    stream.on('error', () => undefined);
    stream.on('data', ({ message }: EposUp) => {
      if (message?.$case === 'hello') {
        this.epos = stream;
        this.eposWelcomes += 1;
        stream.write({ message: { $case: 'welcome', value: welcome() } });
      }
      if (message?.$case === 'result') this.results.push(message.value);
    });
  }
}

function welcome() {
  return { connectionId: 'c1', heartbeatInterval: { seconds: HEARTBEAT_SECONDS, nanos: 0 } };
}

function isAdmitted(
  stream:
    | ServerDuplexStream<never, never>
    | ServerDuplexStream<MachineUp, MachineDown>
    | ServerDuplexStream<EposUp, EposDown>,
): boolean {
  const isKnown = stream.metadata.get('authorization')[0] === `Basic ${API_KEY}`;
  if (!isKnown) stream.destroy(Object.assign(new Error('unknown key'), { code: status.UNAUTHENTICATED }));
  return isKnown;
}
