import { Client, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { EposConnectorServiceService } from '@pos/grpc-contracts/gateway';
import { TablesError, type ListSessionsResponse } from '@pos/grpc-contracts/tables';
import { TABLES_ERROR_TRAILER } from '@pos/grpc-contracts/tables-error';
import { once } from 'node:events';
import { connect } from 'node:net';
import { BindGrpc } from './grpc-controller.js';
import type { GrpcServer } from './grpc-server.js';
import { REFUSAL_TRAILER } from './grpc-errors.js';
import { startGrpcServers } from '../testing/grpc-startup.js';
import { createLog } from '../telemetry/log.js';
import {
  askQuestion,
  openClient,
  CountService,
  resetRecordedCalls,
  FULL_KEY,
  createKeyMetadata,
  TEST_KEY_HOLDERS,
  LOG_LINES,
  createMetadata,
  startTestGrpcServers,
  type TestGrpcServers,
  READ_KEY,
  createListRequest,
  RECORDED_CALLS,
  waitUntil,
} from '../testing/grpc-servers.js';

let testServers: TestGrpcServers;

beforeAll(async () => {
  testServers = await startTestGrpcServers();
});

afterAll(() => testServers.close());

beforeEach(resetRecordedCalls);

test('a session list goes through the generated codecs and leaves one wide line', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { error, answer } = await callListSessions(['Table 4'], createKeyMetadata(FULL_KEY, { traceparent }));
  expect(error).toBeNull();
  expect(answer?.sessions.map(({ name }) => name)).toEqual(['Table 4']);
  expect(answer?.sessions[0]?.createdAt).toEqual(new Date(0));
  expect(LOG_LINES).toHaveLength(1);
  expect(LOG_LINES[0]).toMatchObject({
    event: 'grpc.answered',
    rpc: 'service.tables.v1.TablesService/ListSessions',
    status: 'OK',
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    account_id: TEST_KEY_HOLDERS.get(FULL_KEY)?.scope.accountId,
  });
});

test.each([
  ['no credentials', new Metadata(), 'UNAUTHENTICATED', 'unauthenticated'],
  ['an unknown key', createKeyMetadata('sk_sandbox_unknown'), 'UNAUTHENTICATED', 'unauthenticated'],
  ['another scheme', createMetadata({ authorization: `Digest ${FULL_KEY}` }), 'UNAUTHENTICATED', 'unauthenticated'],
  [
    'the key in base64 with a colon',
    createMetadata({ authorization: `Basic ${FULL_KEY}:` }),
    'UNAUTHENTICATED',
    'unauthenticated',
  ],
  ['two spaces', createMetadata({ authorization: `Basic  ${FULL_KEY}` }), 'UNAUTHENTICATED', 'unauthenticated'],
  ['an empty key', createMetadata({ authorization: 'Basic ' }), 'UNAUTHENTICATED', 'unauthenticated'],
  ['a key too long to be one', createKeyMetadata('k'.repeat(201)), 'UNAUTHENTICATED', 'unauthenticated'],
  ['a key without the permission', createKeyMetadata(READ_KEY), 'PERMISSION_DENIED', 'permission_missing'],
  [
    'a reseller with an endless name',
    createKeyMetadata(FULL_KEY, { 'reseller-id': 'r'.repeat(101) }),
    'INVALID_ARGUMENT',
    'partner_header_invalid',
  ],
])('%s is refused', async (_, metadata, code, refusal) => {
  const { error, answer } = await callListSessions(['Table 4'], metadata);
  expect(answer).toBeUndefined();
  expect([status[error?.code ?? 0], error?.metadata.get(REFUSAL_TRAILER)]).toEqual([code, [refusal]]);
  expect(error?.details).not.toContain(FULL_KEY);
  expect(RECORDED_CALLS.signals).toHaveLength(0);
});

test.each([
  ['lower case', 'basic'],
  ['upper case', 'BASIC'],
  ['the other scheme', 'Bearer'],
])('the scheme before a key is read in %s', async (_, expectedText) => {
  expect(
    (await callListSessions([], createMetadata({ authorization: `${expectedText} ${FULL_KEY}` }))).error,
  ).toBeNull();
});

test('a refusal arrives with its status, its code and one line of detail', async () => {
  const { error } = await callListSessions(['refused']);
  expect(error?.code).toBe(status.ABORTED);
  expect(error?.details).toBe('two at once (amount: is odd)');
  expect(error?.metadata.get(REFUSAL_TRAILER)).toEqual(['payment_intent_busy']);
  expect(error?.metadata.get(TABLES_ERROR_TRAILER)).toEqual([]);
});

test('a pay-at-table error arrives typed in its trailer', async () => {
  const { error } = await callListSessions(['locked']);
  expect(error?.code).toBe(status.ABORTED);
  const [bytes] = error?.metadata.get(TABLES_ERROR_TRAILER) ?? [];
  expect(TablesError.decode(bytes as Buffer)).toEqual({
    errorCode: 'SESSION_ALREADY_LOCKED',
    errorReason: 'waiter 7 has it',
  });
});

test('a defect returns its trace to the caller and nothing else', async () => {
  const error = await new Promise<ServiceError | null>((resolve) => {
    testServers.tables.listTables(
      { statuses: [], requestorInfo: undefined },
      createKeyMetadata(FULL_KEY),
      (failure) => {
        resolve(failure);
      },
    );
  });
  expect(error?.code).toBe(status.INTERNAL);
  expect(error?.details).toMatch(/^internal error, trace [0-9a-f]{32}$/);
  expect(LOG_LINES[0]).toMatchObject({ level: 50, status: 'INTERNAL' });
  expect(JSON.stringify(LOG_LINES)).not.toContain('leakedinsides');
});

test('a request over 1 MiB is refused, and one just under it is read', async () => {
  expect((await callListSessions(['a'.repeat(1024 * 1024)])).error?.code).toBe(status.RESOURCE_EXHAUSTED);
  expect((await callListSessions(['a'.repeat(1024 * 1024 - 200)])).error?.code ?? 0).toBe(status.OK);
});

test('an answer over 4 MiB is not sent', async () => {
  const { error } = await callListSessions(['huge']);
  expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
});

test('endless metadata ends the call, not the server', async () => {
  expect((await callListSessions([], createKeyMetadata(FULL_KEY, { note: 'n'.repeat(200_000) }))).error).not.toBeNull();
  expect((await callListSessions([])).error).toBeNull();
});

const NO_MESSAGE = Buffer.from([0xff, 0xff, 0xff]);

test.each([
  ['of a known caller', createKeyMetadata(FULL_KEY), 'INVALID_ARGUMENT', 'body_malformed'],
  ['of an unknown caller', createKeyMetadata('sk_sandbox_unknown'), 'UNAUTHENTICATED', 'unauthenticated'],
])('bytes that are no message, %s, are refused and logged', async (_, metadata, code, refusal) => {
  const path = '/service.tables.v1.TablesService/ListSessions';
  const { error } = await callRaw(testServers.outer, path, { bytes: NO_MESSAGE, metadata });
  expect([status[error?.code ?? 0], error?.metadata.get(REFUSAL_TRAILER)]).toEqual([code, [refusal]]);
  expect(LOG_LINES).toMatchObject([{ status: code }]);
  expect((await callListSessions([])).error).toBeNull();
});

/** Empty names of tables, a million bytes of them. */
const HALF_A_MILLION_TEXTS = Buffer.alloc(1_000_000, Buffer.from([0x22, 0]));

test.each([
  ['of a known caller', createKeyMetadata(FULL_KEY), 'RESOURCE_EXHAUSTED', 'body_too_large', /more than 30000 values/],
  [
    'of an unknown caller',
    createKeyMetadata('sk_sandbox_unknown'),
    'UNAUTHENTICATED',
    'unauthenticated',
    /key is unknown/,
  ],
])('a message with too many values, %s, is refused and not decoded', async (_, metadata, code, refusal, details) => {
  const path = '/service.tables.v1.TablesService/ListSessions';
  const { error } = await callRaw(testServers.outer, path, { bytes: HALF_A_MILLION_TEXTS, metadata });
  expect([status[error?.code ?? 0], error?.metadata.get(REFUSAL_TRAILER)]).toEqual([code, [refusal]]);
  expect(error?.details).toMatch(details);
  expect(LOG_LINES).toMatchObject([{ status: code }]);
});

test('a message may have thirty thousand values and not one more', async () => {
  expect((await callListSessions(new Array<string>(30_000).fill(''))).error?.details).toBeUndefined();
  expect((await callListSessions(new Array<string>(30_001).fill(''))).error?.code).toBe(status.RESOURCE_EXHAUSTED);
});

test('a message with too many values ends its stream', async () => {
  const same = (value: Buffer): Buffer => value;
  const { path } = EposConnectorServiceService.connect;
  const stream = openClient(Client, testServers.outer).makeBidiStreamRequest(
    path,
    same,
    same,
    createKeyMetadata(FULL_KEY),
    {},
  );
  stream.on('data', () => undefined);
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  stream.write(Buffer.alloc(1_000_000, Buffer.from([0x7a, 0])));
  const [error] = await failed;
  expect([status[error.code], error.metadata.get(REFUSAL_TRAILER)]).toEqual(['RESOURCE_EXHAUSTED', ['body_too_large']]);
});

test('bytes that are no message end their stream', async () => {
  const same = (value: Buffer): Buffer => value;
  const { path } = EposConnectorServiceService.connect;
  const stream = openClient(Client, testServers.outer).makeBidiStreamRequest(
    path,
    same,
    same,
    createKeyMetadata(FULL_KEY),
    {},
  );
  stream.on('data', () => undefined);
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  stream.write(NO_MESSAGE);
  const [error] = await failed;
  expect([status[error.code], error.metadata.get(REFUSAL_TRAILER)]).toEqual(['INVALID_ARGUMENT', ['body_malformed']]);
  await waitUntil(() => LOG_LINES.length === 1);
  expect(LOG_LINES[0]).toMatchObject({ status: 'INVALID_ARGUMENT' });
});

test.each([
  ['an unknown method', '/service.tables.v1.TablesService/DropTables'],
  ['an unknown service', '/service.tables.v2.TablesService/ListSessions'],
  ['a service of the other port', CountService.ask.path],
])('%s is UNIMPLEMENTED', async (_, path) => {
  expect((await callRaw(testServers.outer, path)).error?.code).toBe(status.UNIMPLEMENTED);
});

test('a call past its deadline ends, and its method’s signal is aborted', async () => {
  const { error } = await callListSessions(['hanging'], createKeyMetadata(FULL_KEY), { deadline: Date.now() + 60 });
  expect(error?.code).toBe(status.DEADLINE_EXCEEDED);
  await waitUntil(() => RECORDED_CALLS.signals[0]?.aborted === true);
});

test('a call without a deadline gets the default one', async () => {
  const { error } = await callListSessions(['hanging']);
  expect(error?.code).toBe(status.DEADLINE_EXCEEDED);
  expect(error?.metadata.get('trace-id')).toHaveLength(1);
  expect(RECORDED_CALLS.signals[0]?.aborted).toBe(true);
});

test('a cancelled call ends, and its method’s signal is aborted', async () => {
  const call = testServers.tables.listSessions(
    createListRequest(['hanging']),
    createKeyMetadata(FULL_KEY),
    () => undefined,
  );
  await waitUntil(() => RECORDED_CALLS.signals.length === 1);
  call.cancel();
  await waitUntil(() => RECORDED_CALLS.signals[0]?.aborted === true);
  await waitUntil(() => LOG_LINES.length === 1);
  expect(LOG_LINES[0]).toMatchObject({ status: 'CANCELLED' });
});

test('a method without a permission has no caller', async () => {
  await expect(askQuestion(testServers.inner, 'who')).rejects.toMatchObject({ code: status.INTERNAL });
  expect(await askQuestion(testServers.inner, 'trace')).toMatch(/^[0-9a-f]{32}$/);
});

test('health reports each service of its own port', async () => {
  // HealthCheckRequest { string service = 1 }; HealthCheckResponse { ServingStatus status = 1 }, where 1 is SERVING.
  const namedServices = (name: string): Buffer => Buffer.concat([Buffer.from([0x0a, name.length]), Buffer.from(name)]);
  const check = (server: GrpcServer, name: string) =>
    callRaw(server, '/grpc.health.v1.Health/Check', { bytes: namedServices(name), metadata: new Metadata() });
  expect((await check(testServers.outer, 'service.tables.v1.TablesService')).answer).toEqual(Buffer.from([0x08, 1]));
  expect((await check(testServers.outer, '')).answer).toEqual(Buffer.from([0x08, 1]));
  expect((await check(testServers.outer, 'test.v1.CountService')).error?.code).toBe(status.NOT_FOUND);
  expect((await check(testServers.inner, 'test.v1.CountService')).answer).toEqual(Buffer.from([0x08, 1]));
});

test('the health of a port says that its process is to stop while calls are still served', async () => {
  @Module({})
  class Empty {}
  const shutdown = new AbortController();
  const log = createLog({ app: 'test', level: 'silent' });
  const parts = { services: [], authenticate: () => Promise.resolve(null), log, shutdown: shutdown.signal };
  const opened = await startGrpcServers({ module: Empty, serverOptions: [{ host: '127.0.0.1', port: 0, ...parts }] });
  const server = opened.servers[0]!;
  // HealthCheckResponse { ServingStatus status = 1 }, where 1 is SERVING and 2 NOT_SERVING.
  const check = () =>
    callRaw(server, '/grpc.health.v1.Health/Check', { bytes: Buffer.alloc(0), metadata: new Metadata() });
  expect((await check()).answer).toEqual(Buffer.from([0x08, 1]));
  shutdown.abort();
  expect((await check()).answer).toEqual(Buffer.from([0x08, 2]));
  await opened.close();
});

test('reflection lists the services of a port that has the image, and their files', async () => {
  const listed = await callReflection(testServers.outer, Buffer.from([0x3a, 0]));
  expect(listed.toString()).toContain('service.tables.v1.TablesService');
  expect(listed.toString()).not.toContain('AcquirerService');
  const symbol = 'service.tables.v1.TablesService';
  const file = await callReflection(
    testServers.outer,
    Buffer.concat([Buffer.from([0x22, symbol.length]), Buffer.from(symbol)]),
  );
  expect(file.toString()).toContain('ListSessionsRequest');
  await expect(callReflection(testServers.inner, Buffer.from([0x3a, 0]))).rejects.toMatchObject({
    code: status.UNIMPLEMENTED,
  });
});

test('a port drops the connections of one address beyond its limit', async () => {
  @Module({})
  class Empty {}
  const log = createLog({ app: 'test', level: 'silent' });
  const limited = { connections: { perAddress: 2 }, services: [], authenticate: () => Promise.resolve(null), log };
  const opened = await startGrpcServers({ module: Empty, serverOptions: [{ host: '127.0.0.1', port: 0, ...limited }] });
  const sockets = [];
  for (let count = 0; count < 3; count += 1) {
    const socket = connect(opened.servers[0]!.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.resume();
  }
  await once(sockets[2]!, 'close');
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
  for (const socket of sockets) socket.destroy();
  await opened.close();
});

test('a module without the controller of a service does not start', async () => {
  @Module({})
  class Empty {}
  const log = createLog({ app: 'test', level: 'silent' });
  const at = { host: '127.0.0.1', port: 0 };
  const servers = [{ ...at, services: [CountService], authenticate: () => Promise.resolve(null), log }];
  await expect(startGrpcServers({ module: Empty, serverOptions: servers })).rejects.toThrow(
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

function callListSessions(
  tableNames: string[],
  metadata = createKeyMetadata(FULL_KEY),
  options: { deadline?: number } = {},
) {
  return new Promise<{ error: ServiceError | null; answer: ListSessionsResponse | undefined }>((resolve) => {
    testServers.tables.listSessions(createListRequest(tableNames), metadata, options, (error, answer) => {
      resolve({ error, answer });
    });
  });
}

/** Sends raw bytes, which no generated client would send. */
function callRaw(server: GrpcServer, path: string, call: { bytes?: Buffer; metadata?: Metadata } = {}) {
  const { bytes = Buffer.alloc(0), metadata = createKeyMetadata(FULL_KEY) } = call;
  return new Promise<{ error: ServiceError | null; answer: Buffer | undefined }>((resolve) => {
    const same = (value: Buffer): Buffer => value;
    openClient(Client, server).makeUnaryRequest(path, same, same, bytes, metadata, {}, (error, answer) => {
      resolve({ error, answer });
    });
  });
}

function callReflection(server: GrpcServer, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const same = (value: Buffer): Buffer => value;
    const path = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
    const stream = openClient(Client, server).makeBidiStreamRequest(path, same, same, new Metadata(), {});
    stream.on('data', resolve);
    stream.on('error', reject);
    stream.write(bytes);
    stream.end();
  });
}
