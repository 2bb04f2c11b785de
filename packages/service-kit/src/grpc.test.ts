import {
  Client,
  credentials,
  makeGenericClientConstructor,
  Metadata,
  status,
  type ClientReadableStream,
  type ServiceError,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { newId, timeOrderedBytes } from '@pos/core/ids';
import { ROLES } from '@pos/core/permissions';
import { Refusal } from '@pos/core/refusal';
import { readDescriptor } from '@pos/grpc-contracts/descriptor';
import {
  EposConnectorServiceClient,
  EposConnectorServiceService,
  type ConnectRequest,
  type ConnectResponse,
} from '@pos/grpc-contracts/gateway';
import {
  TablesError,
  TablesServiceClient,
  TablesServiceService,
  type ListSessionsRequest,
  type ListSessionsResponse,
} from '@pos/grpc-contracts/tables';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { BindGrpc, type Served } from './bind-grpc.js';
import type { KeyHolder } from './grpc-auth.js';
import type { GrpcCall } from './grpc-call.js';
import type { GrpcDoor } from './grpc-door.js';
import { REFUSAL_TRAILER, TABLES_ERROR_TRAILER, tablesFailure } from './grpc-errors.js';
import { PushStream } from './grpc-streams.js';
import { bootGrpc } from './grpc.js';
import { openLog } from './log.js';

const FULL_KEY = 'sk_sandbox_full';
const READ_KEY = 'sk_sandbox_readonly';
const KEYS = new Map<string, KeyHolder>();
const LINES: Record<string, unknown>[] = [];
const SEEN = { signals: [] as AbortSignal[], finished: [] as string[], calls: [] as GrpcCall[], chatter: 0 };

const text = (value: string): Buffer => Buffer.from(value);
const untext = (bytes: Buffer): string => bytes.toString();
const codec = {
  requestSerialize: text,
  requestDeserialize: untext,
  responseSerialize: text,
  responseDeserialize: untext,
};
/** A service of plain texts, for the two directions that the project's own services do not use alone. */
const CountService = {
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
    })();
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
let booted: Awaited<ReturnType<typeof bootGrpc>>;
let outer: GrpcDoor;
let inner: GrpcDoor;
let tables: TablesServiceClient;

beforeAll(async () => {
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
  const door = { address: '127.0.0.1:0', log, authenticate: (key: string) => Promise.resolve(KEYS.get(key) ?? null) };
  booted = await bootGrpc({
    module: Restaurant,
    doors: [
      {
        ...door,
        services: [TablesServiceService, EposConnectorServiceService],
        reflectionImage: readDescriptor(),
        deadlineMs: 300,
      },
      { ...door, services: [CountService], closeLimitMs: 2_000 },
    ],
  });
  [outer, inner] = booted.doors as [GrpcDoor, GrpcDoor];
  tables = client(TablesServiceClient, outer);
});

afterAll(async () => {
  for (const open of clients) open.close();
  await booted.close();
});

beforeEach(() => {
  LINES.length = 0;
  SEEN.finished.length = 0;
  SEEN.signals.length = 0;
  SEEN.calls.length = 0;
});

test('a session list goes through the generated codecs and leaves one wide line', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { error, answer } = await list(['Table 4'], keyed(FULL_KEY, { traceparent }));
  expect(error).toBeNull();
  expect(answer?.sessions.map(({ name }) => name)).toEqual(['Table 4']);
  expect(answer?.sessions[0]?.createdAt).toEqual(new Date(0));
  expect(LINES).toHaveLength(1);
  expect(LINES[0]).toMatchObject({
    event: 'grpc.answered',
    rpc: 'service.tables.v1.TablesService/ListSessions',
    status: 'OK',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    account_id: KEYS.get(FULL_KEY)?.scope.accountId,
  });
});

test.each([
  ['no credentials', new Metadata(), 'UNAUTHENTICATED', 'unauthenticated'],
  ['an unknown key', keyed('sk_sandbox_unknown'), 'UNAUTHENTICATED', 'unauthenticated'],
  ['another scheme', meta({ authorization: `Bearer ${FULL_KEY}` }), 'UNAUTHENTICATED', 'unauthenticated'],
  [
    'the key in base64 with a colon',
    meta({ authorization: `Basic ${FULL_KEY}:` }),
    'UNAUTHENTICATED',
    'unauthenticated',
  ],
  ['two spaces', meta({ authorization: `Basic  ${FULL_KEY}` }), 'UNAUTHENTICATED', 'unauthenticated'],
  ['an empty key', meta({ authorization: 'Basic ' }), 'UNAUTHENTICATED', 'unauthenticated'],
  ['a key too long to be one', keyed('k'.repeat(201)), 'UNAUTHENTICATED', 'unauthenticated'],
  ['a key without the permission', keyed(READ_KEY), 'PERMISSION_DENIED', 'permission_missing'],
  [
    'a reseller with an endless name',
    keyed(FULL_KEY, { 'reseller-id': 'r'.repeat(101) }),
    'INVALID_ARGUMENT',
    'partner_header_invalid',
  ],
])('%s is turned away', async (_, metadata, code, refusal) => {
  const { error, answer } = await list(['Table 4'], metadata);
  expect(answer).toBeUndefined();
  expect([status[error?.code ?? 0], error?.metadata.get(REFUSAL_TRAILER)]).toEqual([code, [refusal]]);
  expect(error?.details).not.toContain(FULL_KEY);
  expect(SEEN.signals).toHaveLength(0);
});

test.each([
  ['lower case', 'basic'],
  ['upper case', 'BASIC'],
])('the word Basic is read in %s', async (_, word) => {
  expect((await list([], meta({ authorization: `${word} ${FULL_KEY}` }))).error).toBeNull();
});

test('a refusal arrives with its status, its code and one line of detail', async () => {
  const { error } = await list(['refused']);
  expect(error?.code).toBe(status.ABORTED);
  expect(error?.details).toBe('two at once (amount: is odd)');
  expect(error?.metadata.get(REFUSAL_TRAILER)).toEqual(['payment_intent_busy']);
  expect(error?.metadata.get(TABLES_ERROR_TRAILER)).toEqual([]);
});

test('a pay-at-table error arrives typed in its trailer', async () => {
  const { error } = await list(['locked']);
  expect(error?.code).toBe(status.ABORTED);
  const [bytes] = error?.metadata.get(TABLES_ERROR_TRAILER) ?? [];
  expect(TablesError.decode(bytes as Buffer)).toEqual({
    errorCode: 'SESSION_ALREADY_LOCKED',
    errorReason: 'waiter 7 has it',
  });
});

test('a defect tells the caller its trace and nothing else', async () => {
  const error = await new Promise<ServiceError | null>((resolve) => {
    tables.listTables({ statuses: [], requestorInfo: undefined }, keyed(FULL_KEY), (failure) => {
      resolve(failure);
    });
  });
  expect(error?.code).toBe(status.INTERNAL);
  expect(error?.details).toMatch(/^internal error, trace [0-9a-f]{32}$/);
  expect(LINES[0]).toMatchObject({ level: 50, status: 'INTERNAL' });
  expect(JSON.stringify(LINES)).not.toContain('leakedinsides');
});

test('a request over 1 MiB is refused, and one just under it is read', async () => {
  expect((await list(['a'.repeat(1024 * 1024)])).error?.code).toBe(status.RESOURCE_EXHAUSTED);
  expect((await list(['a'.repeat(1024 * 1024 - 200)])).error?.code ?? 0).toBe(status.OK);
});

test('an answer over 4 MiB is not sent', async () => {
  const { error } = await list(['huge']);
  expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
});

test('metadata without end ends the call, not the server', async () => {
  expect((await list([], keyed(FULL_KEY, { note: 'n'.repeat(200_000) }))).error).not.toBeNull();
  expect((await list([])).error).toBeNull();
});

test('bytes that are no message end the call, not the server', async () => {
  const path = '/service.tables.v1.TablesService/ListSessions';
  expect((await raw(outer, path, { bytes: Buffer.from([0xff, 0xff, 0xff]) })).error?.code).toBe(status.INTERNAL);
  expect((await list([])).error).toBeNull();
});

test.each([
  ['an unknown method', '/service.tables.v1.TablesService/DropTables'],
  ['an unknown service', '/service.tables.v2.TablesService/ListSessions'],
  ['a service of the other port', CountService.ask.path],
])('%s is UNIMPLEMENTED', async (_, path) => {
  expect((await raw(outer, path)).error?.code).toBe(status.UNIMPLEMENTED);
});

test('a call past its deadline ends, and its method is told', async () => {
  const { error } = await list(['hanging'], keyed(FULL_KEY), { deadline: Date.now() + 60 });
  expect(error?.code).toBe(status.DEADLINE_EXCEEDED);
  await until(() => SEEN.signals[0]?.aborted === true);
});

test('a call that names no deadline gets the standard one', async () => {
  const { error } = await list(['hanging']);
  expect(error?.code).toBe(status.DEADLINE_EXCEEDED);
  expect(error?.metadata.get('trace-id')).toHaveLength(1);
  expect(SEEN.signals[0]?.aborted).toBe(true);
});

test('a cancelled call ends, and its method is told', async () => {
  const call = tables.listSessions(request(['hanging']), keyed(FULL_KEY), () => undefined);
  await until(() => SEEN.signals.length === 1);
  call.cancel();
  await until(() => SEEN.signals[0]?.aborted === true);
  await until(() => LINES.length === 1);
  expect(LINES[0]).toMatchObject({ status: 'CANCELLED' });
});

test('a stream talks in both directions until the caller ends it', async () => {
  const stream = client(EposConnectorServiceClient, outer).connect(keyed(FULL_KEY));
  const got: (string | undefined)[] = [];
  stream.on('data', ({ message }: ConnectResponse) => {
    got.push(message?.$case);
  });
  stream.write(hello('till-1'));
  stream.write({ message: { $case: 'heartbeat', value: { sentAt: undefined } } });
  await until(() => got.length === 2);
  stream.end();
  const [ended] = (await once(stream, 'status')) as [{ code: number }];
  expect(ended.code).toBe(status.OK);
  expect(got).toEqual(['welcome', 'heartbeat']);
  expect(SEEN.finished.sort()).toEqual(['incoming', 'outgoing']);
});

test('a failure in the middle of a stream arrives with its status and typed trailer', async () => {
  const stream = client(EposConnectorServiceClient, outer).connect(keyed(FULL_KEY));
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  stream.on('data', () => {
    stream.write({
      message: { $case: 'result', value: { callId: '1', answer: undefined } },
    } as unknown as ConnectRequest);
  });
  stream.write(hello('till-1'));
  const [error] = await failed;
  expect(error.code).toBe(status.INVALID_ARGUMENT);
  expect(TablesError.decode(error.metadata.get(TABLES_ERROR_TRAILER)[0] as Buffer).errorCode).toBe('ERROR_PARSE_ERROR');
});

test('a cancelled stream frees both its halves', async () => {
  const stream = client(EposConnectorServiceClient, outer).connect(keyed(FULL_KEY));
  stream.on('error', () => undefined);
  stream.write(hello('till-1'));
  await once(stream, 'data');
  stream.cancel();
  await until(() => SEEN.calls[0]?.signal.aborted === true && SEEN.finished.includes('incoming'));
  await until(() => LINES.length === 1);
  expect(LINES[0]).toMatchObject({ status: 'CANCELLED', rpc: 'service.gateway.v1.EposConnectorService/Connect' });
});

test('a stream is refused before its first message is looked at', async () => {
  const stream = client(EposConnectorServiceClient, outer).connect(keyed(READ_KEY));
  const [error] = (await once(stream, 'error')) as [ServiceError];
  expect(error.code).toBe(status.PERMISSION_DENIED);
  expect(SEEN.calls).toHaveLength(0);
});

test('a stream can ask whether its key still lives', async () => {
  const mortal = 'sk_sandbox_mortal';
  KEYS.set(mortal, KEYS.get(FULL_KEY) as KeyHolder);
  const stream = client(EposConnectorServiceClient, outer).connect(keyed(mortal));
  stream.on('error', () => undefined);
  stream.write(hello('till-1'));
  await once(stream, 'data');
  await expect(SEEN.calls[0]?.readmit()).resolves.toBeUndefined();
  KEYS.delete(mortal);
  await expect(SEEN.calls[0]?.readmit()).rejects.toMatchObject({ code: 'unauthenticated' });
  stream.cancel();
});

test('a slow reader holds a long answer back instead of filling memory', async () => {
  const stream = count().countTo('100000') as ClientReadableStream<string>;
  stream.on('error', () => undefined);
  await once(stream, 'data');
  stream.pause();
  await settled(() => SEEN.chatter);
  expect(SEEN.chatter).toBeLessThan(20_000);
  stream.cancel();
  await until(() => SEEN.finished.includes('counting'));
});

test('many messages in make one answer, or one refusal', async () => {
  expect(await sum(['1', '2', '3'])).toBe('6');
  await expect(sum(['99', '2', '3'])).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
});

test('a method without a permission has no caller to ask for', async () => {
  await expect(ask('who')).rejects.toMatchObject({ code: status.INTERNAL });
  expect(await ask('trace')).toMatch(/^[0-9a-f]{32}$/);
});

test('health tells each service of its own port', async () => {
  // HealthCheckRequest { string service = 1 }; HealthCheckResponse { ServingStatus status = 1 }, where 1 is SERVING.
  const named = (name: string): Buffer => Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
  const check = (door: GrpcDoor, name: string) =>
    raw(door, '/grpc.health.v1.Health/Check', { bytes: named(name), metadata: new Metadata() });
  expect((await check(outer, 'service.tables.v1.TablesService')).answer).toEqual(Buffer.from([0x08, 1]));
  expect((await check(outer, '')).answer).toEqual(Buffer.from([0x08, 1]));
  expect((await check(outer, 'test.v1.CountService')).error?.code).toBe(status.NOT_FOUND);
  expect((await check(inner, 'test.v1.CountService')).answer).toEqual(Buffer.from([0x08, 1]));
});

test('reflection lists the services of a port that has the image, and their files', async () => {
  const listed = await reflect(outer, Buffer.from([0x3a, 0]));
  expect(listed.toString()).toContain('service.tables.v1.TablesService');
  expect(listed.toString()).not.toContain('AcquirerService');
  const symbol = 'service.tables.v1.TablesService';
  const file = await reflect(outer, Buffer.concat([Buffer.from([0x22, symbol.length]), Buffer.from(symbol)]));
  expect(file.toString()).toContain('ListSessionsRequest');
  await expect(reflect(inner, Buffer.from([0x3a, 0]))).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

test('a module without the controller of a service does not start', async () => {
  @Module({})
  class Empty {}
  const log = openLog({ app: 'test', level: 'silent' });
  const doors = [{ address: '127.0.0.1:0', services: [CountService], authenticate: () => Promise.resolve(null), log }];
  await expect(bootGrpc({ module: Empty, doors })).rejects.toThrow(
    'no controller of the module is bound to /test.v1.CountService/CountTo',
  );
});

test('a class without a method of the service does not even compile', () => {
  expect(() => {
    // @ts-expect-error The class lacks every rpc of the service.
    @BindGrpc(CountService, { permission: null })
    class Nothing {}
    return Nothing;
  }).toThrow('Nothing has no method countTo of its own');
});

test('closing lets a running stream end as UNAVAILABLE and takes no more calls', async () => {
  const stream = count().countTo('100000') as ClientReadableStream<string>;
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  await once(stream, 'data');
  await inner.close();
  stream.resume();
  const [error] = await failed;
  expect(error.code).toBe(status.UNAVAILABLE);
  await expect(ask('trace')).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

function sessionNamed(name: string): ListSessionsResponse['sessions'][number] {
  return { id: 's1', name, createdAt: new Date(0), finishedAt: undefined, isPayable: true, waiter: undefined };
}

function request(tableNames: string[]): ListSessionsRequest {
  return { tableNames, requestorInfo: undefined };
}

function hello(instanceId: string): ConnectRequest {
  return { message: { $case: 'hello', value: { instanceId, clientVersion: '1' } } };
}

function welcome(connectionId: string): ConnectResponse {
  return { message: { $case: 'welcome', value: { connectionId, heartbeatInterval: undefined } } };
}

function meta(entries: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(entries)) metadata.set(name, value);
  return metadata;
}

function keyed(key: string, more: Record<string, string> = {}): Metadata {
  return meta({ authorization: `Basic ${key}`, ...more });
}

function client<C extends Client>(
  make: new (address: string, plain: ReturnType<typeof credentials.createInsecure>, options: object) => C,
  door: GrpcDoor,
): C {
  const options = { 'grpc.max_receive_message_length': 8 << 20 };
  const made = new make(`127.0.0.1:${door.port}`, credentials.createInsecure(), options);
  clients.push(made);
  return made;
}

function list(tableNames: string[], metadata = keyed(FULL_KEY), options: { deadline?: number } = {}) {
  return new Promise<{ error: ServiceError | null; answer: ListSessionsResponse | undefined }>((resolve) => {
    tables.listSessions(request(tableNames), metadata, options, (error, answer) => {
      resolve({ error, answer });
    });
  });
}

/** A call of bytes, for what no generated client would send. */
function raw(door: GrpcDoor, path: string, call: { bytes?: Buffer; metadata?: Metadata } = {}) {
  const { bytes = Buffer.alloc(0), metadata = keyed(FULL_KEY) } = call;
  return new Promise<{ error: ServiceError | null; answer: Buffer | undefined }>((resolve) => {
    const same = (value: Buffer): Buffer => value;
    client(Client, door).makeUnaryRequest(path, same, same, bytes, metadata, {}, (error, answer) => {
      resolve({ error, answer });
    });
  });
}

function reflect(door: GrpcDoor, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const same = (value: Buffer): Buffer => value;
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const stream = client(Client, door).makeBidiStreamRequest(path, same, same, new Metadata(), {});
    stream.on('data', resolve);
    stream.on('error', reject);
    stream.write(bytes);
    stream.end();
  });
}

type CountClient = Client & {
  countTo(limit: string): unknown;
  ask(question: string, done: (error: ServiceError | null, answer: string) => void): void;
  sum(done: (error: ServiceError | null, answer: string) => void): { write(n: string): void; end(): void };
};

function count(): CountClient {
  const make = makeGenericClientConstructor(CountService, 'CountService');
  return client(make as unknown as new (...args: unknown[]) => CountClient, inner);
}

function ask(question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    count().ask(question, (error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

function sum(numbers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = count().sum((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
    for (const number of numbers) stream.write(number);
    stream.end();
  });
}

async function until(isSo: () => boolean): Promise<void> {
  for (let look = 0; look < 500 && !isSo(); look += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
}

/** Waits until the number no longer grows. */
async function settled(look: () => number): Promise<void> {
  for (let before = -1; before !== look();) {
    before = look();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
