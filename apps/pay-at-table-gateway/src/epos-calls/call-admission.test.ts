import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { type CallRequest, EposServiceClient, Transport } from '@pos/grpc-contracts/gateway-internal';
import { EPOS_DATA } from '@pos/rest-contracts/epos-data';
import { findCallerRefusal, type ServiceApp } from '@pos/service-kit/internal';
import { createTestChannel } from '@pos/service-kit/testing';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';

jest.setTimeout(60_000);

const REQUESTOR = buildMachineRequestor('90000001');
const LIST_SESSIONS: CallRequest['request'] = {
  $case: 'listSessions',
  value: { tableNames: [], requestorInfo: REQUESTOR },
};
const RECORD_PAYMENT: CallRequest['request'] = {
  $case: 'recordPayment',
  value: { requestorInfo: REQUESTOR, payment: undefined },
};
const BOOKINGS = Object.keys(EPOS_DATA).filter((name) => /Area|Table|Party|Parties|Reservation/.test(name));

let environment: GatewayEnvironment;
let gateway: RunningGateway;
let account: GatewayAccount;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
  account = await environment.createAccount({ epos: 'rest' });
});
afterAll(() => environment.close());

const ofData = (name: string): CallRequest['request'] => ({
  $case: 'eposData',
  value: { name, paramsJson: Buffer.from('{}'), headers: {} },
});

/** Why the gateway refuses a call of an app before it does anything; null if it made the call. */
async function callAs(
  caller: ServiceApp,
  request: CallRequest['request'],
  accountEnvironment = 'sandbox',
): Promise<string | null> {
  const address = gateway.urls.internalGrpc;
  const channel = createTestChannel(caller, { app: 'pay-at-table-gateway', address });
  const client = new EposServiceClient(address, channel.credentials, channel.options);
  const message: CallRequest = {
    ...{ accountId: account.scope.accountId, environment: accountEnvironment, deadlineMsLeft: 2_000, request },
    ...{ target: undefined, recordFence: undefined, sandboxFaults: undefined },
    transport: Transport.TRANSPORT_UNSPECIFIED,
  };
  const failure = await new Promise<ServiceError | null>((resolve) => {
    client.call(message, new Metadata(), (error) => resolve(error));
  });
  client.close();
  const refusal = failure === null ? null : findCallerRefusal(failure);
  if (refusal !== null) expect(failure?.code).toBe(status.PERMISSION_DENIED);
  return refusal;
}

describe('the API', () => {
  test.each(Object.keys(EPOS_DATA).filter((name) => !BOOKINGS.includes(name)))(
    'makes no %s, which is about the money or the order of a bill',
    async (name) => {
      expect(await callAs('api', ofData(name))).toBe('api may not make this call: its calls are those of bookings');
    },
  );

  test('records no payment, locks no bill and reads none', async () => {
    const before = account.sandbox.epos?.listCalls().length;
    for (const call of [RECORD_PAYMENT, LIST_SESSIONS, ofData('toString'), undefined]) {
      expect(await callAs('api', call)).toMatch(/^api may not make this call/);
    }
    expect(account.sandbox.epos?.listCalls()).toHaveLength(before ?? -1);
  });

  test.each(BOOKINGS)('makes the call %s of bookings', async (name) => {
    expect(await callAs('api', ofData(name))).toBeNull();
  });
});

test('the EPOS tester calls EPOSes of sandbox accounts only', async () => {
  for (const call of [LIST_SESSIONS, RECORD_PAYMENT, ofData('CreateOrder')]) {
    expect(await callAs('epos-tester', call)).toBeNull();
    expect(await callAs('epos-tester', call, 'production')).toBe(
      'epos-tester may not make this call: it tests EPOSes of sandbox accounts',
    );
  }
});

test('a gateway forwards every call to another one', async () => {
  for (const call of [LIST_SESSIONS, RECORD_PAYMENT, ofData('CreateOrder'), ofData('HandleEvent')]) {
    expect(await callAs('pay-at-table-gateway', call, 'production')).toBeNull();
  }
});
