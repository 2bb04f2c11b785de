import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Refusal, StartFailure } from '@pos/core/refusals';
import { exitOnFailure, describeExternalFailure } from './failure-exit.js';
import { serveHealth } from '../http/health.js';

test.each([
  ['a start failure', new StartFailure('cannot start: the database is away'), 'cannot start: the database is away'],
  [
    'an outage',
    new Refusal('service_unavailable', 'the database did not serve the request (57P01)'),
    /^cannot continue: .*57P01/,
  ],
  ['a defect', new Error('a defect'), null],
  ['another refusal', new Refusal('path_unknown', 'There is no such path.'), null],
  ['no error', 'a text', null],
])('%s', (_, error, output) => {
  if (output instanceof RegExp) expect(describeExternalFailure(error)).toMatch(output);
  else expect(describeExternalFailure(error)).toBe(output);
});

test('an occupied port is one sentence, over HTTP and over gRPC', async () => {
  const occupied = createServer().listen(0, '127.0.0.1');
  await once(occupied, 'listening');
  const { port } = occupied.address() as AddressInfo;
  const output = new RegExp(`^cannot start: the port cannot be opened \\(listen EADDRINUSE.* 127.0.0.1:${port}\\)$`);
  const health = await serveHealth({ port, host: '127.0.0.1', checks: [] }).catch((error: unknown) => error);
  expect(describeExternalFailure(health)).toMatch(output);
  const grpc = await new Promise((resolve) => {
    new Server().bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), resolve);
  });
  expect(describeExternalFailure(grpc)).toMatch(output);
  occupied.close();
});

test('a host without a local address is one sentence', async () => {
  const here = await serveHealth({ port: 0, host: '192.0.2.1', checks: [] }).catch((error: unknown) => error);
  expect(describeExternalFailure(here)).toMatch(/^cannot start: the port cannot be opened \(listen EADDRNOTAVAIL/);
});

test('a host that does not resolve is one sentence, over HTTP and over gRPC', async () => {
  const output = /^cannot start: the port cannot be opened \(.*nowhere\.invalid/;
  const health = serveHealth({ port: 0, host: 'nowhere.invalid', checks: [] });
  expect(describeExternalFailure(await health.catch((error: unknown) => error))).toMatch(output);
  const grpc = await new Promise((resolve) => {
    new Server().bindAsync('nowhere.invalid:0', ServerCredentials.createInsecure(), resolve);
  });
  expect(describeExternalFailure(grpc)).toMatch(output);
});

test('an invalid gRPC address to listen on is one sentence; one to call is a defect', async () => {
  const grpc = await new Promise((resolve) => {
    new Server().bindAsync(':::0', ServerCredentials.createInsecure(), resolve);
  });
  expect(describeExternalFailure(grpc)).toMatch(
    /^cannot start: the port cannot be opened \(Name resolution failed for target/,
  );
  const called = new Error('14 UNAVAILABLE: Name resolution failed for target dns:acquirer.invalid:443');
  expect(describeExternalFailure(called)).toBeNull();
});

test('a defect is thrown again', () => {
  const defect = new Error('a defect');
  expect(() => exitOnFailure(defect)).toThrow(defect);
});
