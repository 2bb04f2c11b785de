import { status, type ServiceError } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '@pos/core/identity';
import { EposServiceClient } from '@pos/grpc-contracts/gateway-internal';
import { formatConfigTable } from '@pos/service-kit/config';
import {
  countDropped,
  createTestChannel,
  getInternalTls,
  hasIpv6,
  TEST_CONNECTIONS_MAX,
} from '@pos/service-kit/testing';
import type { ServiceApp } from '@pos/service-kit/internal';
import { listLiveConnections } from '@pos/store/connections';
import { createTestDatabase, runWithOtherPepper, startBeforeDatabase, TEST_SECRETS } from '@pos/store/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunningGateway } from './boot.js';
import { Config } from './config/config.js';
import { EposTablesClient } from './epos-routing/epos-tables-client.js';
import { buildMachineRequestor, GatewayEnvironment } from './testing/gateway-world.js';
import { waitUntil } from './testing/polling.js';

let environment: GatewayEnvironment;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
});
afterEach(() => environment.stopGateways());
afterAll(() => environment.close());

/** How a call of an app ends at the internal port. */
async function listConnections(
  { urls: { internalGrpc: address } }: RunningGateway,
  caller: ServiceApp = 'epos-tester',
): Promise<status | 'answered'> {
  const channel = createTestChannel(caller, { app: 'pay-at-table-gateway', address });
  const client = new EposServiceClient(address, channel.credentials, channel.options);
  const request = { accountId: `acc_${'x'.repeat(22)}`, environment: 'sandbox' };
  const end = await new Promise<ServiceError | null>((resolve) => {
    client.listConnections(request, (error) => resolve(error));
  });
  client.close();
  return end?.code ?? 'answered';
}

async function countEposConnections(scope: Scope): Promise<number> {
  const connections = await environment.testDatabase.database.read(scope, (reader) =>
    listLiveConnections(reader, ['epos-grpc-stream']),
  );
  return connections.length;
}

/** How a call to the EPOS of an account ends, wherever its line is. */
async function callListSessions({ app }: RunningGateway, scope: Scope): Promise<string> {
  const { outcome } = await app.get(EposTablesClient).callTables({
    ...{ scope, waitMs: 2_000, fence: null, faults: null },
    call: { $case: 'listSessions', value: { tableNames: [], requestorInfo: buildMachineRequestor('1') } },
  });
  return outcome.outcome;
}

test('every setting says what it is for', () => {
  expect(formatConfigTable(Config).split('\n')).toHaveLength(2 + Object.keys(Config.shape).length);
});

test('health answers while the gateway serves', async () => {
  const { urls } = await environment.startGateway();
  for (const path of ['/health/live', '/health/ready']) {
    expect((await fetch(`${urls.health}${path}`)).status).toBe(200);
  }
});

test('only apps that may call the rpc are served, and gateways call each other by their certificates', async () => {
  const first = await environment.startGateway();
  const second = await environment.startGateway();
  expect(await listConnections(first)).toBe('answered');
  expect(await listConnections(first, 'api')).toBe(status.PERMISSION_DENIED);

  const account = await environment.createAccount({ epos: 'stream', gateways: [second] });
  await waitUntil(async () => (await countEposConnections(account.scope)) === 1);
  expect(await callListSessions(first, account.scope)).toBe('answered');
});

test('the internal port needs a certificate on every address, and public ports without one are on loopback', async () => {
  await expect(environment.startGateway({ INTERNAL_TLS_CERT: '' })).rejects.toThrow('INTERNAL_TLS_CERT: is not set');
  await expect(environment.startGateway({ HOST: '0.0.0.0' })).rejects.toThrow('HTTP_TLS_CERT: is not set, HOST is not');
  const { urls } = await environment.startGateway({ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.1.0.0/16' });
  expect([urls.grpc, urls.internalGrpc]).toEqual([
    expect.stringMatching(/^0\.0\.0\.0:/),
    expect.stringMatching(/^127\.0\.0\.1:/),
  ]);
});

test('a gateway that listens on every address internally needs a setting for its own address', async () => {
  const open = { INTERNAL_HOST: '0.0.0.0' };
  await expect(environment.startGateway(open)).rejects.toThrow('ADVERTISED_ADDRESS');
  const { urls } = await environment.startGateway({ ...open, ADVERTISED_ADDRESS: '127.0.0.1:50054' });
  expect(urls.internalGrpc).toMatch(/^0\.0\.0\.0:/);
});

/** The page of payments is the one of the other gateways on the database. */
const PRODUCTION_ENV = {
  ...{ NODE_ENV: 'production', CHECKOUT_BASE_URL: 'http://127.0.0.1:3006' },
  ...{ HOST: '0.0.0.0', TRUSTED_PROXIES: '10.1.0.0/16' },
};

test('in production a gateway starts on loopback only where a setting says so', async () => {
  await expect(environment.startGateway(PRODUCTION_ENV)).rejects.toThrow('INTERNAL_HOST: is not set');
  const meant = { ADVERTISED_ADDRESS: '10.0.0.5:50054', INTERNAL_HOST: '127.0.0.1' };
  const { urls } = await environment.startGateway({ ...PRODUCTION_ENV, ...meant });
  expect(urls.internalGrpc).toMatch(/^127\.0\.0\.1:/);
});

test.each(['2001:db8::1:50054', '::1', '10.0.0.5', 'gateway'] as const)(
  '%s is no address for others',
  async (address) => {
    await expect(environment.startGateway({ ADVERTISED_ADDRESS: address })).rejects.toThrow(
      'ADVERTISED_ADDRESS: is not host:port',
    );
  },
);

test.each(['::1', '[::1]'] as const)('a gateway on %s is reached there, and by other gateways', async (host) => {
  if (!hasIpv6()) return;
  const first = await environment.startGateway({ HOST: host, INTERNAL_HOST: host });
  const second = await environment.startGateway({ HOST: host, INTERNAL_HOST: host });
  for (const url of Object.values(first.urls)) expect(url).toMatch(/^(http:\/\/)?\[::1\]:\d+$/);
  expect((await fetch(`${first.urls.health}/health/ready`)).status).toBe(200);
  expect(await listConnections(first)).toBe('answered');
  const account = await environment.createAccount({ epos: 'stream', gateways: [second] });
  await waitUntil(async () => (await countEposConnections(account.scope)) === 1);
  expect(await callListSessions(first, account.scope)).toBe('answered');
});

test('a gateway on every address of IPv6 needs a setting for its own address, too', async () => {
  if (!hasIpv6()) return;
  const open = {
    ...{ HOST: '::', TRUSTED_PROXIES: 'fd00::/8' },
    INTERNAL_HOST: '::',
  };
  await expect(environment.startGateway(open)).rejects.toThrow('ADVERTISED_ADDRESS');
  const { urls } = await environment.startGateway({ ...open, ADVERTISED_ADDRESS: '[::1]:50054' });
  expect([urls.grpc, urls.internalGrpc]).toEqual([
    expect.stringMatching(/^\[::\]:/),
    expect.stringMatching(/^\[::\]:/),
  ]);
});

test('a taken port stops the start, and nothing stays open', async () => {
  const { urls } = await environment.startGateway();
  const occupiedPort = urls.grpc.split(':')[1] ?? '';
  await expect(environment.startGateway({ GRPC_PORT: occupiedPort })).rejects.toThrow(/address|EADDRINUSE|bind/i);
});

test('the process starts from its environment, and SIGTERM ends it cleanly', async () => {
  // Its settings differ from those that the gateways of this file agree on.
  const own = await createTestDatabase();
  const child = spawn(process.execPath, ['bundle/main.js'], {
    env: {
      DATABASE_URL: own.url,
      ENCRYPTION_KEY: Buffer.from(TEST_SECRETS.encryptionKey).toString('base64'),
      KEY_PEPPER: TEST_SECRETS.pepper,
      HTTP_PORT: '0',
      GRPC_PORT: '0',
      INTERNAL_GRPC_PORT: '0',
      INTERNAL_HOST: '127.0.0.1',
      ...getInternalTls('pay-at-table-gateway'),
      ACQUIRER_ADDRESS: '127.0.0.1:1',
      CHECKOUT_BASE_URL: 'https://pay.example',
    },
  });
  const connections: string[] = [];
  child.stdout.on('data', (bytes: Buffer) => connections.push(bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => connections.push(bytes.toString()));
  await waitUntil(() => connections.join('').includes('process.started') || child.exitCode !== null);
  expect(connections.join('')).toContain('process.started');
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  await own.close();
});

test('a process with a bad setting names it and does not start', async () => {
  const child = spawn(process.execPath, ['bundle/main.js'], { env: { DATABASE_URL: 'mysql://x', GRPC_PORT: 'seven' } });
  const connections: string[] = [];
  child.stderr.on('data', (bytes: Buffer) => connections.push(bytes.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(2);
  for (const name of ['DATABASE_URL', 'GRPC_PORT', 'KEY_PEPPER', 'CHECKOUT_BASE_URL'])
    expect(connections.join('')).toContain(name);
});

test('a process does not serve a database of another pepper: it ends with 2 and one line that names the setting', async () => {
  const { code, output } = await runWithOtherPepper(environment.testDatabase, getInternalTls('pay-at-table-gateway'));
  expect(code).toBe(2);
  expect(output).toContain('  KEY_PEPPER: is not the one');
  expect(output).not.toContain('    at ');
});

test('without its database it waits, says so in one line, and starts when the database is there', async () => {
  const { lines, stderr, code } = await startBeforeDatabase(environment.testDatabase, {
    ACQUIRER_ADDRESS: '127.0.0.1:1',
    ALLOW_PLAINTEXT_EPOS: 'true',
    ...{ HTTP_PORT: '0', GRPC_PORT: '0', INTERNAL_GRPC_PORT: '0', ...getInternalTls('pay-at-table-gateway') },
  });
  expect(stderr).toBe('');
  const events = lines.map(({ event }) => event);
  expect(events.filter((event) => event === 'database.awaited')).toHaveLength(1);
  // Its acquirer does not answer, at any time.
  const starting = events.filter((event) => event !== 'acquirer.capabilities_unanswered').slice(0, 3);
  expect(starting).toEqual(['database.awaited', 'database.reached', 'process.started']);
  expect(lines[0]).toMatchObject({ level: 40, reason: 'away', code: 'ECONNREFUSED' });
  expect(JSON.stringify(lines)).not.toContain(new URL(environment.testDatabase.url).password);
  expect(code).toBe(0);
});

test('every port limits the connections of one address', async () => {
  const { urls } = await environment.startGateway({ CONNECTIONS_PER_ADDRESS: String(TEST_CONNECTIONS_MAX) });
  for (const address of Object.values(urls)) expect([address, await countDropped(address)]).toEqual([address, 2]);
});
