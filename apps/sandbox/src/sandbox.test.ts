import { credentials } from '@grpc/grpc-js';
import { AcquirerServiceClient, Outcome, type AuthoriseResponse } from '@pos/grpc-contracts/acquirer';
import { countDropped, TEST_CONNECTIONS_MAX } from '@pos/service-kit/testing';
import { createLog } from '@pos/service-kit/telemetry';
import { afterEach, expect, test } from '@jest/globals';
import { get } from 'node:http';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox, type SandboxServer } from './sandbox.js';
import { SandboxConfig } from './config/sandbox-config.js';

const ACCOUNT = {
  accountId: 'acc_1',
  apiKey: 'sk_sandbox_test',
  merchantId: 'merchant-1',
  tradingName: 'The Oyster Shed',
  epos: { username: 'shed', password: 'secret', dialsIn: false },
};

const running: SandboxServer[] = [];
afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox.close();
});

async function startTestSandbox({
  folder = createFolder(),
  settings = {},
}: { folder?: string; settings?: object } = {}) {
  const config = SandboxConfig.parse({
    HTTP_PORT: 0,
    GRPC_PORT: 0,
    EPOS_HTTP_PORT: 0,
    SANDBOX_DATA: folder,
    GATEWAY_ADDRESSES: '127.0.0.1:1',
    SEED: 'test',
    ...settings,
  });
  const sandbox = await startSandbox(config, createLog({ app: 'sandbox', level: 'silent' }));
  running.push(sandbox);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${sandbox.controlUrl}${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as Record<string, unknown>) };
  };
  return { sandbox, ask, folder };
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'sandbox-'));
}

function authorise(grpcPort: number): Promise<AuthoriseResponse> {
  const client = new AcquirerServiceClient(`127.0.0.1:${grpcPort}`, credentials.createInsecure());
  const card = { number: '5200000000000056', expiryMonth: 12, expiryYear: 2032, cv2: '341', cardholderName: 'A' };
  const request = {
    ...{ reference: 'a', merchantId: 'merchant-1', amount: 1_000n, currency: 'GBP', capture: true },
    instrument: { $case: 'card', value: card } as const,
    ...{
      customerInitiated: true,
      cardholderNotPresent: false,
      noChallenge: false,
      billingAddressLine: '',
      billingPostcode: '',
    },
    ...{ userAgent: '', ipAddress: '' },
  };
  return new Promise((resolve, reject) => {
    client.authorise(request, (error, answer) => {
      client.close();
      if (error === null) resolve(answer);
      else reject(error);
    });
  });
}

test('an account gets its machines and its EPOS, and both it and the books survive a restart', async () => {
  const { sandbox, ask, folder } = await startTestSandbox();
  expect(await ask('POST', '/accounts', ACCOUNT)).toMatchObject({
    status: 200,
    body: { accountId: 'acc_1', currencyCode: 'GBP', eposUsername: 'shed', isEposConnected: false },
  });
  expect(statSync(join(folder, 'accounts.json')).mode & 0o777).toBe(0o600);
  expect((await authorise(sandbox.grpcPort)).result?.outcome).toBe(Outcome.OUTCOME_APPROVED);
  const [machines, bookings, sessions] = await Promise.all([
    ask('GET', '/machines/acc_1'),
    ask('GET', '/acquirer/bookings?merchantId=merchant-1'),
    ask('GET', '/epos/acc_1/sessions'),
  ]);
  expect(machines.body?.['machines']).toHaveLength(10);
  expect(bookings.body).toMatchObject({ bookings: [{ kind: 'Authorise' }, { kind: 'Capture', status: 'Booked' }] });
  await running.pop()?.close();

  const repeated = await startTestSandbox({ folder });
  expect(await repeated.ask('GET', '/acquirer/bookings')).toEqual(bookings);
  expect(await repeated.ask('GET', '/epos/acc_1/sessions')).toEqual(sessions);
});

test('accounts of the start list exist from the start', async () => {
  const list = join(createFolder(), 'accounts.json');
  writeFileSync(list, JSON.stringify([ACCOUNT]));
  const { ask } = await startTestSandbox({ settings: { SANDBOX_ACCOUNTS: list } });
  expect(await ask('GET', '/accounts')).toMatchObject({ body: { accounts: [{ accountId: 'acc_1' }] } });
  await expect(startTestSandbox({ settings: { SANDBOX_ACCOUNTS: `${list}.gone` } })).rejects.toThrow(
    'SANDBOX_ACCOUNTS',
  );
});

test('rules, faults and locks are set, listed and cleared', async () => {
  const { sandbox, ask } = await startTestSandbox();
  await ask('POST', '/accounts', ACCOUNT);
  const rules = [{ match: { kind: 'Capture', amount: 1250 }, effect: 'delay', delayMs: 100, times: 2 }];
  expect(await ask('PUT', '/acquirer/rules', { rules })).toMatchObject({ status: 200, body: { rules } });
  expect(await ask('DELETE', '/acquirer/rules')).toEqual({ status: 204, body: null });
  expect((await ask('GET', '/acquirer/rules')).body).toEqual({ rules: [] });

  const faults = [{ method: 'RecordPayment', effect: 'refuse', code: 'PAYMENT_NOT_RECORDED', afterDoing: true }];
  expect(await ask('PUT', '/epos/acc_1/faults', { faults })).toMatchObject({ status: 200, body: { faults } });
  expect((await ask('POST', '/reset')).status).toBe(204);
  expect((await ask('GET', '/epos/acc_1/faults')).body).toEqual({ faults: [] });

  const id = sandbox.environment.findAccount('acc_1')?.epos?.epos.listBills([])[0]?.sessionId ?? '';
  for (const attempt of [1, 2]) {
    expect([attempt, (await ask('PUT', `/epos/acc_1/locks/${id}`)).status]).toEqual([attempt, 204]);
  }
  expect((await ask('GET', '/epos/acc_1/locks')).body).toMatchObject({ locks: [{ sessionId: id }] });
  expect((await ask('DELETE', `/epos/acc_1/locks/${id}`)).status).toBe(204);
  expect((await ask('GET', '/epos/acc_1/locks')).body).toEqual({ locks: [] });

  expect(await ask('PUT', '/machines/acc_1/90000001', { inUse: true })).toMatchObject({ body: { inUse: true } });
  expect(await ask('PUT', '/machines/acc_1/90000001', {})).toMatchObject({ body: { inUse: false, faults: {} } });
});

test('an EPOS is called over REST, and its orders, bookings and calls are listed', async () => {
  const { sandbox, ask } = await startTestSandbox();
  await ask('POST', '/accounts', ACCOUNT);
  const authorization = `Basic ${Buffer.from('shed:secret').toString('base64')}`;
  const areas = await fetch(`${sandbox.eposUrl}/v1/areas`, { headers: { authorization } });
  expect(areas.status).toBe(200);
  expect((await fetch(`${sandbox.eposUrl}/v1/areas`)).status).toBe(401);
  expect((await ask('GET', '/epos/acc_1/calls')).body).toMatchObject({
    calls: [{ method: 'ListAreas', transport: 'rest', answered: 'ok' }],
  });
  const orders = (await ask('GET', '/epos/acc_1/orders')).body?.['orders'];
  const sessions = (await ask('GET', '/epos/acc_1/sessions')).body?.['sessions'];
  expect(orders).toHaveLength((sessions as unknown[]).length);
  expect((await ask('GET', '/epos/acc_1/bookings')).body).toMatchObject({ reservations: [] });
  expect((await ask('GET', '/epos/acc_1/events')).body).toEqual({ events: [] });
});

test.each([
  ['GET', '/epos/acc_2/locks', undefined, 404],
  ['GET', '/machines/acc_1/80000001', undefined, 404],
  ['PUT', '/epos/acc_1/locks/00000000-0000-4000-8000-000000000000', undefined, 404],
  ['PUT', '/acquirer/rules', { rules: [{ match: {}, effect: 'explode' }] }, 400],
  ['PUT', '/acquirer/rules', {}, 400],
  ['PUT', '/epos/acc_1/faults', { faults: [{ effect: 'slow', delayMs: -1 }] }, 400],
  ['PUT', '/machines/acc_1/90000001', { unplug: { when: 'later', forMs: 1 } }, 400],
  ['POST', '/accounts', { accountId: 'acc_3' }, 400],
  ['PATCH', '/reset', undefined, 405],
])('%s %s with %j is refused with %d', async (method, path, body, expected) => {
  const { ask } = await startTestSandbox();
  await ask('POST', '/accounts', ACCOUNT);
  expect((await ask(method, path, body)).status).toBe(expected);
});

test('every port limits the connections of one address', async () => {
  const { sandbox } = await startTestSandbox({ settings: { CONNECTIONS_PER_ADDRESS: TEST_CONNECTIONS_MAX } });
  for (const address of [sandbox.controlUrl, sandbox.eposUrl, `127.0.0.1:${sandbox.grpcPort}`]) {
    expect([address, await countDropped(address)]).toEqual([address, 2]);
  }
});

test('a deleted account has no machines, is not there at the next start, and can be deleted again', async () => {
  const { sandbox, ask, folder } = await startTestSandbox();
  await ask('POST', '/accounts', ACCOUNT);
  expect(await ask('GET', '/machines/acc_1')).toMatchObject({ status: 200 });
  for (const time of ['the first time', 'the second time']) {
    expect([time, await ask('DELETE', '/accounts/acc_1')]).toMatchObject([time, { body: null }]);
  }
  expect(await ask('GET', '/machines/acc_1')).toMatchObject({ status: 404 });
  await sandbox.close();
  running.splice(0);
  const again = await startTestSandbox({ folder });
  expect(await again.ask('GET', '/accounts')).toMatchObject({ body: { accounts: [] } });
});

test.each([
  [{}, {}],
  [{ PORTAL_URL: 'http://127.0.0.1:3007' }, { portal: 'http://127.0.0.1:3007' }],
  [{ PORTAL_URL: 'http://127.0.0.1:3007/' }, { reference: 'http://127.0.0.1:3007/reference' }],
])('with %j the start page links to %j', async (settings, links) => {
  const { ask } = await startTestSandbox({ settings });
  const { status, body } = await ask('GET', '/links');
  expect([status, body]).toEqual([200, expect.objectContaining(links)]);
  expect(Object.keys(body ?? {})).toHaveLength(Object.keys(settings).length * 2);
});

test.each<[string, number, Record<string, string>]>([
  ['a program', 200, {}],
  ['a name of the settings', 200, { host: 'sandbox.test:3005' }],
  ['a name that leads here by DNS', 403, { host: 'evil.example:3005' }],
  ['a page of another site', 403, { 'sec-fetch-site': 'cross-site' }],
  ['a page of another port of this machine', 403, { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' }],
])('the control port: %s is answered %i', async (_, status, headers) => {
  const { sandbox } = await startTestSandbox({ settings: { CONTROL_HOSTS: 'sandbox.test' } });
  for (const path of ['/accounts', '/health/live'])
    expect(await requestStatus(sandbox.controlUrl, path, headers)).toBe(status);
});

test('the pages of the card issuer are opened from other sites, by the own names only', async () => {
  const { sandbox } = await startTestSandbox();
  const send = (host: string) => requestStatus(sandbox.controlUrl, '/', { host, 'sec-fetch-site': 'cross-site' });
  expect(await send('localhost')).not.toBe(403);
  expect(await send('evil.example')).toBe(403);
});

/** `fetch` sets the header `host` itself. */
function requestStatus(url: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
