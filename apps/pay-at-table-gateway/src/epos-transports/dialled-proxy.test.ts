import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { bindGrpcServer } from '@pos/grpc-contracts/grpc-server';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TablesServiceService } from '@pos/grpc-contracts/tables';
import { type TablesCall, TABLES_METHODS } from '@pos/grpc-contracts/tables-methods';
import { putEposIntegration } from '@pos/store/repositories';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { RunningGateway } from '../boot.js';
import { TestDevice, describeOutcome, callUnary } from '../testing/payment-device.js';
import {
  buildMachineRequestor,
  buildDevicePayment,
  type GatewayAccount,
  GatewayEnvironment,
} from '../testing/gateway-world.js';
import type { TablesOutcome } from '../epos-calls/tables-call.js';

// An HTTP/2 proxy may answer instead of a dialled EPOS, and an EPOS may lack calls.

const SESSION = '5c1b6f0e-0000-4000-8000-000000000001';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(async () => {
  for (const close of closers) close();
  await environment.close();
});

async function createDialledAccount(port: number): Promise<GatewayAccount> {
  const account = await environment.createAccount();
  await environment.testDatabase.database.transact(account.scope, (tx) =>
    putEposIntegration(tx, {
      ...{ kind: 'grpc', username: 'till', password: 'secret', capabilities: [] },
      url: `http://127.0.0.1:${port}`,
    }),
  );
  return account;
}

/** A proxy that answers every call with this HTTP status and a page. */
async function startProxy(httpStatus: number): Promise<{ readonly port: number; readonly seen: () => number }> {
  let callCount = 0;
  const server = createServer();
  server.on('stream', (stream) => {
    callCount += 1;
    stream.on('error', () => undefined);
    stream.respond({ ':status': httpStatus, 'content-type': 'text/html' });
    stream.end('<html>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { port: (server.address() as AddressInfo).port, seen: () => callCount };
}

/** An EPOS that knows none of the calls: it answers each as gRPC has it. */
async function startEmptyEpos(): Promise<number> {
  const server = new Server();
  closers.push(() => server.forceShutdown());
  return bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
}

/** An EPOS that ends every call at once with this status, without an error of the contract. */
async function startRefusingEpos(code: status): Promise<number> {
  const server = new Server();
  const refuse: handleUnaryCall<unknown, unknown> = (_, done) => done({ code });
  const handlers = Object.keys(TablesServiceService).map((name) => [name, refuse] as const);
  server.addService(TablesServiceService, Object.fromEntries(handlers) as UntypedServiceImplementation);
  closers.push(() => server.forceShutdown());
  return bindGrpcServer(server, '127.0.0.1:0', ServerCredentials.createInsecure());
}

async function callEpos({ scope }: GatewayAccount, call: TablesCall): Promise<TablesOutcome> {
  const callRequest = { scope, call, waitMs: 5_000, fence: null, faults: null };
  return (await gateway.app.get(EposTablesClient).callTables(callRequest)).outcome;
}

const RECORD: TablesCall = {
  $case: 'recordPayment',
  value: { payment: buildDevicePayment(SESSION), requestorInfo: buildMachineRequestor('90000001') },
};

test.each([
  [400, { outcome: 'noAnswer' }],
  // As gRPC has it, this is UNIMPLEMENTED.
  [404, { outcome: 'noAnswer' }],
  [408, { outcome: 'noAnswer' }],
  [425, { outcome: 'noAnswer' }],
  [429, { outcome: 'notSent', cause: 'queueFull' }],
  [499, { outcome: 'noAnswer' }],
  [502, { outcome: 'noAnswer' }],
  [503, { outcome: 'noAnswer' }],
  [401, { outcome: 'credentialsRefused' }],
  [403, { outcome: 'credentialsRefused' }],
])('HTTP status %s of a proxy is no refusal of a payment', async (httpStatus, end) => {
  const proxy = await startProxy(httpStatus);
  expect(await callEpos(await createDialledAccount(proxy.port), RECORD)).toMatchObject(end);
  expect(proxy.seen()).toBe(1);
});

test.each([200, 404, 502, 403])('the HTML page of a proxy with status %i is named', async (httpStatus) => {
  const proxy = await startProxy(httpStatus);
  expect(await callEpos(await createDialledAccount(proxy.port), RECORD)).toMatchObject({
    reason: `HTTP status ${httpStatus} with an HTML page: a proxy in front of the EPOS has answered`,
  });
});

test('an answer of a proxy, or DEADLINE_EXCEEDED of the EPOS, is no deadline of ours', async () => {
  const proxy = await startProxy(502);
  const { apiKey } = await createDialledAccount(proxy.port);
  const hasty = await startRefusingEpos(status.DEADLINE_EXCEEDED);
  const { apiKey: other } = await createDialledAccount(hasty);
  for (const key of [apiKey, other]) {
    const device = new TestDevice(gateway, key);
    closers.push(() => device.close());
    const request = { sessionId: SESSION, requestorInfo: buildMachineRequestor('90000001') };
    const { tablesClient, metadata } = device;
    for (const call of [
      () => callUnary((done) => tablesClient.getSession(request, metadata, done)),
      () => callUnary((done) => tablesClient.lockSession(request, metadata, done)),
    ]) {
      expect(await describeOutcome(call())).toBe('INTERNAL ERROR_INTERNAL_POS_ERROR');
    }
  }
});

test('a call that an EPOS does not have is named, and is a refusal', async () => {
  const account = await createDialledAccount(await startEmptyEpos());
  expect(Object.keys(TablesServiceService)).toHaveLength(Object.keys(TABLES_METHODS).length);
  expect(await callEpos(account, RECORD)).toEqual({
    ...{ outcome: 'refused', code: 'ERROR_PARSE_ERROR', isUnimplemented: true },
    reason: 'the EPOS does not implement RecordPayment',
  });
});

test('a device receives UNIMPLEMENTED of an EPOS as such, with the name of the call', async () => {
  const { apiKey } = await createDialledAccount(await startEmptyEpos());
  const device = new TestDevice(gateway, apiKey);
  closers.push(() => device.close());
  const { tablesClient, metadata } = device;
  const requestorInfo = buildMachineRequestor('90000001');
  const bySession = { sessionId: SESSION, requestorInfo };
  const calls: [string, () => Promise<unknown>][] = [
    [
      'ListSessions',
      () => callUnary((done) => tablesClient.listSessions({ tableNames: [], requestorInfo }, metadata, done)),
    ],
    ['GetFullBill', () => callUnary((done) => tablesClient.getFullBill(bySession, metadata, done))],
    ['LockSession', () => callUnary((done) => tablesClient.lockSession(bySession, metadata, done))],
  ];
  for (const [name, call] of calls) {
    expect(await describeOutcome(call())).toBe('UNIMPLEMENTED ERROR_PARSE_ERROR');
    await expect(call()).rejects.toMatchObject({
      ...{ code: status.UNIMPLEMENTED, details: `the EPOS does not implement ${name}` },
    });
  }
});
