import { type Client, credentials, makeGenericClientConstructor, Metadata, type ServiceError } from '@grpc/grpc-js';
import { expect } from '@jest/globals';
import { Module } from '@nestjs/common';
import { createId, createTimeOrderedBytes } from '@pos/core/ids';
import { ROLES } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import { readDescriptor } from '@pos/grpc-contracts/descriptor';
import { EposConnectorServiceService, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import {
  TablesServiceClient,
  TablesServiceService,
  type ListSessionsRequest,
  type ListSessionsResponse,
} from '@pos/grpc-contracts/tables';
import { randomBytes } from 'node:crypto';
import { BindGrpc, type GrpcController } from '../grpc/grpc-controller.js';
import type { GrpcKeyHolder } from '../grpc/grpc-auth.js';
import type { GrpcCall } from '../grpc/grpc-call.js';
import type { GrpcServer } from '../grpc/grpc-server.js';
import { createTablesFailure } from '../grpc/grpc-errors.js';
import { PushStream } from '../grpc/grpc-streams.js';
import { startGrpcServers } from './grpc-startup.js';
import { createLog } from '../telemetry/log.js';

/** The default deadline: long enough for a busy machine, and short enough for tests that wait for it. */
const DEADLINE_MS = 2_500;
export const FULL_KEY = 'sk_sandbox_full';
export const READ_KEY = 'sk_sandbox_readonly';
export const TEST_KEY_HOLDERS = new Map<string, GrpcKeyHolder>();
/** The log lines since the last `resetRecordedCalls`. */
export const LOG_LINES: Record<string, unknown>[] = [];
/** The controllers' calls since the last `resetRecordedCalls`. */
export const RECORDED_CALLS = {
  signals: [] as AbortSignal[],
  finished: [] as string[],
  calls: [] as GrpcCall[],
  chatter: 0,
};

const encodeText = (value: string): Buffer => Buffer.from(value);
/** Where values are counted, codecs receive a reader of the bytes, like the generated ones. */
const decodeTextBytes = (bytes: Buffer | { readonly buf: Uint8Array }): string =>
  Buffer.from('buf' in bytes ? bytes.buf : bytes).toString();
const textCodec = {
  requestSerialize: encodeText,
  requestDeserialize: decodeTextBytes,
  responseSerialize: encodeText,
  responseDeserialize: decodeTextBytes,
};
/** A service of plain texts, for the two kinds of rpc that the project's own services do not have alone. */
export const CountService = {
  countTo: {
    path: '/test.v1.CountService/CountTo',
    requestStream: false as const,
    responseStream: true as const,
    ...textCodec,
  },
  sum: {
    path: '/test.v1.CountService/Sum',
    requestStream: true as const,
    responseStream: false as const,
    ...textCodec,
  },
  ask: {
    path: '/test.v1.CountService/Ask',
    requestStream: false as const,
    responseStream: false as const,
    ...textCodec,
  },
};

type TablesServiceController = GrpcController<typeof TablesServiceService>;
const failUnexpectedCall = (): Promise<never> => Promise.reject(new Error('sk_sandbox_leakedinsides at line 3'));

@BindGrpc(TablesServiceService, { permission: 'tables.use' })
class TablesController implements TablesServiceController {
  async listSessions(request: ListSessionsRequest, call: GrpcCall): Promise<ListSessionsResponse> {
    RECORDED_CALLS.signals.push(call.signal);
    RECORDED_CALLS.calls.push(call);
    switch (request.tableNames[0] ?? '') {
      case 'refused':
        throw new Refusal('payment_intent_busy', 'two at once', { members: { amount: ['is\r\nodd'] } });
      case 'locked':
        throw createTablesFailure('SESSION_ALREADY_LOCKED', 'waiter 7 has it');
      case 'hanging':
        return new Promise(() => undefined);
      case 'huge':
        return { sessions: Array.from({ length: 90 }, () => createSession('x'.repeat(50_000))) };
      default:
        return { sessions: request.tableNames.map(createSession) };
    }
  }
  getSession(): ReturnType<TablesServiceController['getSession']> {
    return failUnexpectedCall();
  }
  listTables(): ReturnType<TablesServiceController['listTables']> {
    return failUnexpectedCall();
  }
  getTable(): ReturnType<TablesServiceController['getTable']> {
    return failUnexpectedCall();
  }
  getBillItems(): ReturnType<TablesServiceController['getBillItems']> {
    return failUnexpectedCall();
  }
  listBillItems(): ReturnType<TablesServiceController['listBillItems']> {
    return failUnexpectedCall();
  }
  getFullBill(): ReturnType<TablesServiceController['getFullBill']> {
    return failUnexpectedCall();
  }
  lockSession(): ReturnType<TablesServiceController['lockSession']> {
    return failUnexpectedCall();
  }
  unlockSession(): ReturnType<TablesServiceController['unlockSession']> {
    return failUnexpectedCall();
  }
  recordPayment(): ReturnType<TablesServiceController['recordPayment']> {
    return failUnexpectedCall();
  }
}

@BindGrpc(EposConnectorServiceService, { permission: { connect: 'epos.connect' } })
class ConnectorController implements GrpcController<typeof EposConnectorServiceService> {
  async *connect(messages: AsyncIterable<ConnectRequest>, call: GrpcCall): AsyncGenerator<ConnectResponse> {
    RECORDED_CALLS.calls.push(call);
    const out = new PushStream<ConnectResponse>();
    void (async () => {
      for await (const { message } of messages) {
        if (message?.$case === 'hello') out.push(createWelcome(message.value.instanceId));
        else if (message?.$case === 'result') out.fail(new Refusal('validation_failed', 'no such call'));
        else out.push({ message: { $case: 'heartbeat', value: { sentAt: undefined } } });
      }
      RECORDED_CALLS.finished.push('incoming');
      out.end();
    })().catch((error: unknown) => {
      out.fail(error as Error);
    });
    try {
      yield* out;
    } finally {
      RECORDED_CALLS.finished.push('outgoing');
    }
  }
}

@BindGrpc(CountService, { permission: null })
class CountController implements GrpcController<typeof CountService> {
  async *countTo(limit: string, call: GrpcCall): AsyncGenerator<string> {
    try {
      for (let number = 1; number <= Number(limit) && !call.signal.aborted; number += 1) {
        RECORDED_CALLS.chatter = number;
        yield `${number}`.padEnd(1000);
      }
    } finally {
      RECORDED_CALLS.finished.push('counting');
    }
  }
  async sum(numbers: AsyncIterable<string>): Promise<string> {
    let total = 0;
    for await (const number of numbers) {
      total += Number(number);
      if (total > 100) throw new Refusal('validation_failed', 'too much');
    }
    return String(total);
  }
  ask(question: string, call: GrpcCall): Promise<string> {
    return Promise.resolve(question === 'who' ? call.caller.keyId : call.trace.traceId);
  }
}

@Module({ controllers: [TablesController, ConnectorController, CountController] })
export class TestGrpcModule {}

const clients: Client[] = [];

/** Servers on two ports: `outer` serves the project's services, `inner` plain texts. */
export interface TestGrpcServers {
  readonly outer: GrpcServer;
  readonly inner: GrpcServer;
  readonly tables: TablesServiceClient;
  readonly close: () => Promise<void>;
}

export async function startTestGrpcServers(): Promise<TestGrpcServers> {
  for (const [key, role] of [
    [FULL_KEY, 'full'],
    [READ_KEY, 'read-only'],
  ] as const) {
    TEST_KEY_HOLDERS.set(key, {
      scope: { accountId: createId('account', 'sandbox', randomBytes(16)), environment: 'sandbox' },
      keyId: createId('apiKey', 'sandbox', createTimeOrderedBytes(new Date(0), randomBytes(16))),
      permissions: new Set(ROLES[role]),
    });
  }
  const log = createLog({
    app: 'test',
    level: 'info',
    write: (line) => LOG_LINES.push(JSON.parse(line) as Record<string, unknown>),
  });
  const commonOptions = {
    ...{ host: '127.0.0.1', port: 0, log },
    authenticate: (key: string) => Promise.resolve(TEST_KEY_HOLDERS.get(key) ?? null),
  };
  const started = await startGrpcServers({
    module: TestGrpcModule,
    serverOptions: [
      {
        ...commonOptions,
        services: [TablesServiceService, EposConnectorServiceService],
        reflectionImage: readDescriptor(),
        deadlineMs: DEADLINE_MS,
      },
      { ...commonOptions, services: [CountService], closeTimeoutMs: 2_000 },
    ],
  });
  const [outer, inner] = started.servers as [GrpcServer, GrpcServer];
  const close = async (): Promise<void> => {
    for (const open of clients) open.close();
    await started.close();
  };
  return { outer, inner, tables: openClient(TablesServiceClient, outer), close };
}

/** Deletes the recorded log lines and calls, so that the next test sees only its own. */
export function resetRecordedCalls(): void {
  LOG_LINES.length = 0;
  RECORDED_CALLS.finished.length = 0;
  RECORDED_CALLS.signals.length = 0;
  RECORDED_CALLS.calls.length = 0;
}

function createSession(name: string): ListSessionsResponse['sessions'][number] {
  return { id: 's1', name, createdAt: new Date(0), finishedAt: undefined, isPayable: true, waiter: undefined };
}

export function createListRequest(tableNames: string[]): ListSessionsRequest {
  return { tableNames, requestorInfo: undefined };
}

function createWelcome(connectionId: string): ConnectResponse {
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval: undefined } } };
}

export function createMetadata(entries: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return metadata;
}

export function createKeyMetadata(key: string, more: Record<string, string> = {}): Metadata {
  return createMetadata({ authorization: `Basic ${key}`, ...more });
}

export function openClient<C extends Client>(
  ClientType: new (address: string, plain: ReturnType<typeof credentials.createInsecure>, options: object) => C,
  server: GrpcServer,
): C {
  const options = { 'grpc.max_receive_message_length': 8 << 20 };
  const createdClient = new ClientType(`127.0.0.1:${server.port}`, credentials.createInsecure(), options);
  clients.push(createdClient);
  return createdClient;
}

export async function waitUntil(isFulfilled: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 500 && !isFulfilled(); attempt += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isFulfilled()).toBe(true);
}

export type CountClient = Client & {
  countTo(limit: string): unknown;
  ask(question: string, callback: (error: ServiceError | null, answer: string) => void): void;
  sum(callback: (error: ServiceError | null, answer: string) => void): { write(n: string): void; end(): void };
};

export function openCountClient(inner: GrpcServer): CountClient {
  const ClientType = makeGenericClientConstructor(CountService, 'CountService');
  return openClient(ClientType as unknown as new (...args: unknown[]) => CountClient, inner);
}

export function askQuestion(inner: GrpcServer, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    openCountClient(inner).ask(question, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}
