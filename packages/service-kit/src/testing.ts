import { type Client, credentials, makeGenericClientConstructor, Metadata, type ServiceError } from '@grpc/grpc-js';
import { expect } from '@jest/globals';
import { Module } from '@nestjs/common';
import { newId, timeOrderedBytes } from '@pos/core/ids';
import { ROLES } from '@pos/core/permissions';
import { Refusal } from '@pos/core/refusal';
import { readDescriptor } from '@pos/grpc-contracts/descriptor';
import { EposConnectorServiceService, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import {
  TablesServiceClient,
  TablesServiceService,
  type ListSessionsRequest,
  type ListSessionsResponse,
} from '@pos/grpc-contracts/tables';
import { randomBytes } from 'node:crypto';
import { BindGrpc, type Served } from './bind-grpc.js';
import type { KeyHolder } from './grpc-auth.js';
import type { GrpcCall } from './grpc-call.js';
import type { GrpcDoor } from './grpc-door.js';
import { tablesFailure } from './grpc-errors.js';
import { PushStream } from './grpc-streams.js';
import { bootGrpc } from './grpc.js';
import { openLog } from './log.js';

/** Of a call that names none: time enough for a busy machine, and not too long to wait for. */
const DEADLINE_MS = 2_500;
export const FULL_KEY = 'sk_sandbox_full';
export const READ_KEY = 'sk_sandbox_readonly';
export const KEYS = new Map<string, KeyHolder>();
/** What the log says since the last `forget`. */
export const LINES: Record<string, unknown>[] = [];
/** What the controllers saw since the last `forget`. */
export const SEEN = { signals: [] as AbortSignal[], finished: [] as string[], calls: [] as GrpcCall[], chatter: 0 };

const text = (value: string): Buffer => Buffer.from(value);
/** A codec is handed a reader of the bytes where they are counted, as the generated ones are. */
const untext = (bytes: Buffer | { readonly buf: Uint8Array }): string =>
  Buffer.from('buf' in bytes ? bytes.buf : bytes).toString();
const codec = {
  requestSerialize: text,
  requestDeserialize: untext,
  responseSerialize: text,
  responseDeserialize: untext,
};
/** A service of plain texts, for the two directions that the project's own services do not use alone. */
export const CountService = {
  countTo: {
    path: '/test.v1.CountService/CountTo',
    requestStream: false as const,
    responseStream: true as const,
    ...codec,
  },
  sum: { path: '/test.v1.CountService/Sum', requestStream: true as const, responseStream: false as const, ...codec },
  ask: { path: '/test.v1.CountService/Ask', requestStream: false as const, responseStream: false as const, ...codec },
};

type Tables = Served<typeof TablesServiceService>;
const unasked = (): Promise<never> => Promise.reject(new Error('sk_sandbox_leakedinsides at line 3'));

@BindGrpc(TablesServiceService, { permission: 'tables.use' })
class TablesController implements Tables {
  async listSessions(request: ListSessionsRequest, call: GrpcCall): Promise<ListSessionsResponse> {
    SEEN.signals.push(call.signal);
    SEEN.calls.push(call);
    switch (request.tableNames[0] ?? '') {
      case 'refused':
        throw new Refusal('payment_intent_busy', 'two at once', { members: { amount: ['is\r\nodd'] } });
      case 'locked':
        throw tablesFailure('SESSION_ALREADY_LOCKED', 'waiter 7 has it');
      case 'hanging':
        return new Promise(() => undefined);
      case 'huge':
        return { sessions: Array.from({ length: 90 }, () => sessionNamed('x'.repeat(50_000))) };
      default:
        return { sessions: request.tableNames.map(sessionNamed) };
    }
  }
  getSession(): ReturnType<Tables['getSession']> {
    return unasked();
  }
  listTables(): ReturnType<Tables['listTables']> {
    return unasked();
  }
  getTable(): ReturnType<Tables['getTable']> {
    return unasked();
  }
  getBillItems(): ReturnType<Tables['getBillItems']> {
    return unasked();
  }
  listBillItems(): ReturnType<Tables['listBillItems']> {
    return unasked();
  }
  getFullBill(): ReturnType<Tables['getFullBill']> {
    return unasked();
  }
  lockSession(): ReturnType<Tables['lockSession']> {
    return unasked();
  }
  unlockSession(): ReturnType<Tables['unlockSession']> {
    return unasked();
  }
  recordPayment(): ReturnType<Tables['recordPayment']> {
    return unasked();
  }
}

@BindGrpc(EposConnectorServiceService, { permission: { connect: 'epos.connect' } })
class ConnectorController implements Served<typeof EposConnectorServiceService> {
  async *connect(messages: AsyncIterable<ConnectRequest>, call: GrpcCall): AsyncGenerator<ConnectResponse> {
    SEEN.calls.push(call);
    const out = new PushStream<ConnectResponse>();
    void (async () => {
      for await (const { message } of messages) {
        if (message?.$case === 'hello') out.push(welcome(message.value.instanceId));
        else if (message?.$case === 'result') out.fail(new Refusal('validation_failed', 'no such call'));
        else out.push({ message: { $case: 'heartbeat', value: { sentAt: undefined } } });
      }
      SEEN.finished.push('incoming');
      out.end();
    })().catch((error: unknown) => {
      out.fail(error as Error);
    });
    try {
      yield* out;
    } finally {
      SEEN.finished.push('outgoing');
    }
  }
}

@BindGrpc(CountService, { permission: null })
class CountController implements Served<typeof CountService> {
  async *countTo(limit: string, call: GrpcCall): AsyncGenerator<string> {
    try {
      for (let number = 1; number <= Number(limit) && !call.signal.aborted; number += 1) {
        SEEN.chatter = number;
        yield `${number}`.padEnd(1000);
      }
    } finally {
      SEEN.finished.push('counting');
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
class Restaurant {}

const clients: Client[] = [];

/** A restaurant on two ports: `outer` speaks the project's services, `inner` plain texts. */
export interface OpenRestaurant {
  readonly outer: GrpcDoor;
  readonly inner: GrpcDoor;
  readonly tables: TablesServiceClient;
  readonly close: () => Promise<void>;
}

export async function openRestaurant(): Promise<OpenRestaurant> {
  for (const [key, role] of [
    [FULL_KEY, 'full'],
    [READ_KEY, 'read-only'],
  ] as const) {
    KEYS.set(key, {
      scope: { accountId: newId('account', 'sandbox', randomBytes(16)), environment: 'sandbox' },
      keyId: newId('apiKey', 'sandbox', timeOrderedBytes(new Date(0), randomBytes(16))),
      permissions: new Set(ROLES[role]),
    });
  }
  const log = openLog({
    app: 'test',
    level: 'info',
    write: (line) => LINES.push(JSON.parse(line) as Record<string, unknown>),
  });
  const door = {
    ...{ host: '127.0.0.1', port: 0, log },
    authenticate: (key: string) => Promise.resolve(KEYS.get(key) ?? null),
  };
  const booted = await bootGrpc({
    module: Restaurant,
    doors: [
      {
        ...door,
        services: [TablesServiceService, EposConnectorServiceService],
        reflectionImage: readDescriptor(),
        deadlineMs: DEADLINE_MS,
      },
      { ...door, services: [CountService], closeLimitMs: 2_000 },
    ],
  });
  const [outer, inner] = booted.doors as [GrpcDoor, GrpcDoor];
  const close = async (): Promise<void> => {
    for (const open of clients) open.close();
    await booted.close();
  };
  return { outer, inner, tables: client(TablesServiceClient, outer), close };
}

/** Forgets what was logged and seen, so that the next test looks at its own. */
export function forget(): void {
  LINES.length = 0;
  SEEN.finished.length = 0;
  SEEN.signals.length = 0;
  SEEN.calls.length = 0;
}

function sessionNamed(name: string): ListSessionsResponse['sessions'][number] {
  return { id: 's1', name, createdAt: new Date(0), finishedAt: undefined, isPayable: true, waiter: undefined };
}

export function request(tableNames: string[]): ListSessionsRequest {
  return { tableNames, requestorInfo: undefined };
}

function welcome(connectionId: string): ConnectResponse {
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval: undefined } } };
}

export function meta(entries: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return metadata;
}

export function keyed(key: string, more: Record<string, string> = {}): Metadata {
  return meta({ authorization: `Basic ${key}`, ...more });
}

export function client<C extends Client>(
  make: new (address: string, plain: ReturnType<typeof credentials.createInsecure>, options: object) => C,
  door: GrpcDoor,
): C {
  const options = { 'grpc.max_receive_message_length': 8 << 20 };
  const made = new make(`127.0.0.1:${door.port}`, credentials.createInsecure(), options);
  clients.push(made);
  return made;
}

export async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 500 && !isSo(); look += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
}

export type CountClient = Client & {
  countTo(limit: string): unknown;
  ask(question: string, done: (error: ServiceError | null, answer: string) => void): void;
  sum(done: (error: ServiceError | null, answer: string) => void): { write(n: string): void; end(): void };
};

export function count(inner: GrpcDoor): CountClient {
  const make = makeGenericClientConstructor(CountService, 'CountService');
  return client(make as unknown as new (...args: unknown[]) => CountClient, inner);
}

export function ask(inner: GrpcDoor, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    count(inner).ask(question, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}
