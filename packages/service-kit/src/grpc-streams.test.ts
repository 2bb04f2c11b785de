import { status, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EposConnectorServiceClient, type ConnectRequest, type ConnectResponse } from '@pos/grpc-contracts/gateway';
import { TablesError } from '@pos/grpc-contracts/tables';
import { once } from 'node:events';
import type { KeyHolder } from './grpc-auth.js';
import { TABLES_ERROR_TRAILER } from './grpc-errors.js';
import {
  ask,
  client,
  count,
  forget,
  FULL_KEY,
  keyed,
  KEYS,
  LINES,
  openRestaurant,
  type OpenRestaurant,
  READ_KEY,
  SEEN,
  until,
} from './testing.js';

let restaurant: OpenRestaurant;

beforeAll(async () => {
  restaurant = await openRestaurant();
});

afterAll(() => restaurant.close());

beforeEach(forget);

test('a stream talks in both directions until the caller ends it', async () => {
  const stream = client(EposConnectorServiceClient, restaurant.outer).connect(keyed(FULL_KEY));
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
  const stream = client(EposConnectorServiceClient, restaurant.outer).connect(keyed(FULL_KEY));
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
  const stream = client(EposConnectorServiceClient, restaurant.outer).connect(keyed(FULL_KEY));
  stream.on('error', () => undefined);
  stream.write(hello('till-1'));
  await once(stream, 'data');
  stream.cancel();
  await until(() => SEEN.calls[0]?.signal.aborted === true && SEEN.finished.includes('incoming'));
  await until(() => LINES.length === 1);
  expect(LINES[0]).toMatchObject({ status: 'CANCELLED', rpc: 'service.gateway.v1.EposConnectorService/Connect' });
});

test('a stream is refused before its first message is looked at', async () => {
  const stream = client(EposConnectorServiceClient, restaurant.outer).connect(keyed(READ_KEY));
  const [error] = (await once(stream, 'error')) as [ServiceError];
  expect(error.code).toBe(status.PERMISSION_DENIED);
  expect(SEEN.calls).toHaveLength(0);
});

test('a stream can ask whether its key still lives', async () => {
  const mortal = 'sk_sandbox_mortal';
  KEYS.set(mortal, KEYS.get(FULL_KEY) as KeyHolder);
  const stream = client(EposConnectorServiceClient, restaurant.outer).connect(keyed(mortal));
  stream.on('error', () => undefined);
  stream.write(hello('till-1'));
  await once(stream, 'data');
  await expect(SEEN.calls[0]?.readmit()).resolves.toBeUndefined();
  KEYS.delete(mortal);
  await expect(SEEN.calls[0]?.readmit()).rejects.toMatchObject({ code: 'unauthenticated' });
  stream.cancel();
});

test('a slow reader holds a long answer back instead of filling memory', async () => {
  const stream = count(restaurant.inner).countTo('100000') as ClientReadableStream<string>;
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

test('closing lets a running stream end as UNAVAILABLE and takes no more calls', async () => {
  const stream = count(restaurant.inner).countTo('100000') as ClientReadableStream<string>;
  const failed = once(stream, 'error') as Promise<[ServiceError]>;
  await once(stream, 'data');
  await restaurant.inner.close();
  stream.resume();
  const [error] = await failed;
  expect(error.code).toBe(status.UNAVAILABLE);
  await expect(ask(restaurant.inner, 'trace')).rejects.toMatchObject({ code: status.UNAVAILABLE });
});

function hello(instanceId: string): ConnectRequest {
  return { message: { $case: 'hello', value: { instanceId, clientVersion: '1' } } };
}

function sum(numbers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const stream = count(restaurant.inner).sum((error, answer) => {
      if (error === null) resolve(answer);
      else reject(error);
    });
    for (const number of numbers) stream.write(number);
    stream.end();
  });
}

/** Waits until the number no longer grows. */
async function settled(look: () => number): Promise<void> {
  for (let before = -1; before !== look();) {
    before = look();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
