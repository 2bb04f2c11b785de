import { status, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EposConnectorServiceClient, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import { TablesError } from '@pos/grpc-contracts/tables';
import { once } from 'node:events';
import type { GrpcKeyHolder } from './grpc-auth.js';
import { TABLES_ERROR_TRAILER } from '@pos/grpc-contracts/tables-error';
import {
  askQuestion,
  openClient,
  openCountClient,
  resetRecordedCalls,
  FULL_KEY,
  createKeyMetadata,
  TEST_KEY_HOLDERS,
  LOG_LINES,
  startTestGrpcServers,
  type TestGrpcServers,
  READ_KEY,
  RECORDED_CALLS,
  waitUntil,
} from '../testing/grpc-servers.js';

let testServers: TestGrpcServers;

beforeAll(async () => {
  testServers = await startTestGrpcServers();
});

afterAll(() => testServers.close());

beforeEach(resetRecordedCalls);

test('a stream talks in both directions until the caller ends it', async () => {
  const stream = openClient(EposConnectorServiceClient, testServers.outer).connect(createKeyMetadata(FULL_KEY));
  const received: (string | undefined)[] = [];
  stream.on('data', ({ message }: ConnectResponse) => {
    received.push(message?.$case);
  });
  stream.write(createHello('till-1'));
  stream.write({ message: { $case: 'heartbeat', value: { sentAt: undefined } } });
  await waitUntil(() => received.length === 2);
  stream.end();
  const [ended] = (await once(stream, 'status')) as [{ code: number }];
  expect(ended.code).toBe(status.OK);
  expect(received).toEqual(['welcome', 'heartbeat']);
  expect(RECORDED_CALLS.finished.sort()).toEqual(['incoming', 'outgoing']);
});

test('a failure in the middle of a stream arrives with its status and typed trailer', async () => {
  const stream = openClient(EposConnectorServiceClient, testServers.outer).connect(createKeyMetadata(FULL_KEY));
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  stream.on('data', () => {
    stream.write({
      message: { $case: 'result', value: { callId: '1', answer: undefined } },
    } as unknown as ConnectRequest);
  });
  stream.write(createHello('till-1'));
  const [error] = await failed;
  expect(error.code).toBe(status.INVALID_ARGUMENT);
  expect(TablesError.decode(error.metadata.get(TABLES_ERROR_TRAILER)[0] as Buffer).errorCode).toBe('ERROR_PARSE_ERROR');
});

test('a cancelled stream ends both its directions', async () => {
  const stream = openClient(EposConnectorServiceClient, testServers.outer).connect(createKeyMetadata(FULL_KEY));
  stream.on('error', () => undefined);
  stream.write(createHello('till-1'));
  await once(stream, 'data');
  stream.cancel();
  await waitUntil(
    () => RECORDED_CALLS.calls[0]?.signal.aborted === true && RECORDED_CALLS.finished.includes('incoming'),
  );
  await waitUntil(() => LOG_LINES.length === 1);
  expect(LOG_LINES[0]).toMatchObject({ status: 'CANCELLED', rpc: 'service.gateway.v1.EposConnectorService/Connect' });
});

test('a stream is refused before its first message is read', async () => {
  const stream = openClient(EposConnectorServiceClient, testServers.outer).connect(createKeyMetadata(READ_KEY));
  const [error] = (await once(stream, 'error')) as [ServiceError];
  expect(error.code).toBe(status.PERMISSION_DENIED);
  expect(RECORDED_CALLS.calls).toHaveLength(0);
});

test('a stream can check that its key still exists', async () => {
  const revocableKey = 'sk_sandbox_mortal';
  TEST_KEY_HOLDERS.set(revocableKey, TEST_KEY_HOLDERS.get(FULL_KEY) as GrpcKeyHolder);
  const stream = openClient(EposConnectorServiceClient, testServers.outer).connect(createKeyMetadata(revocableKey));
  stream.on('error', () => undefined);
  stream.write(createHello('till-1'));
  await once(stream, 'data');
  await expect(RECORDED_CALLS.calls[0]?.recheckKey()).resolves.toBeUndefined();
  TEST_KEY_HOLDERS.delete(revocableKey);
  await expect(RECORDED_CALLS.calls[0]?.recheckKey()).rejects.toMatchObject({ code: 'unauthenticated' });
  stream.cancel();
});

test('a slow reader stops the writer before its answer fills memory', async () => {
  const stream = openCountClient(testServers.inner).countTo('100000') as ClientReadableStream<string>;
  stream.on('error', () => undefined);
  await once(stream, 'data');
  stream.pause();
  await waitUntilStable(() => RECORDED_CALLS.chatter);
  expect(RECORDED_CALLS.chatter).toBeLessThan(20_000);
  stream.cancel();
  await waitUntil(() => RECORDED_CALLS.finished.includes('counting'));
});

test('many messages in make one answer, or one refusal', async () => {
  expect(await callSum(['1', '2', '3'])).toBe('6');
  await expect(callSum(['99', '2', '3'])).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
});

test('closing ends a running stream as UNAVAILABLE and accepts no more calls', async () => {
  const stream = openCountClient(testServers.inner).countTo('100000') as ClientReadableStream<string>;
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  await once(stream, 'data');
  await testServers.inner.close();
  stream.resume();
  const [error] = await failed;
  expect(error.code).toBe(status.UNAVAILABLE);
  await expect(askQuestion(testServers.inner, 'trace')).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

function createHello(instanceId: string): ConnectRequest {
  return { message: { $case: 'hello', value: { instanceId, clientVersion: '1' } } };
}

function callSum(numbers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = openCountClient(testServers.inner).sum((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
    for (const number of numbers) stream.write(number);
    stream.end();
  });
}

/** Waits until the number no longer grows. */
async function waitUntilStable(readCount: () => number): Promise<void> {
  for (let before = -1; before !== readCount();) {
    before = readCount();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
