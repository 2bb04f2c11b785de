import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { resolveAccountSettings } from '@pos/core/accounts';
import { updateAccountSettings } from '@pos/store/repositories';
import { listLiveConnections } from '@pos/store/connections';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { EPOS_CONNECTION_KINDS } from '../epos-routing/epos-route-cache.js';
import { buildKeyHeaders, connectTestEpos, TestEposSocket } from '../testing/socket-epos.js';
import { waitUntil } from '../testing/polling.js';

jest.setTimeout(60_000);

let environment: GatewayEnvironment;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => environment.close());

const listLive = ({ scope }: GatewayAccount) =>
  environment.testDatabase.database.read(scope, (reader) => listLiveConnections(reader, EPOS_CONNECTION_KINDS));

const setSandboxEpos = ({ scope }: GatewayAccount, hasSandboxEpos: boolean) =>
  environment.testDatabase.database.transact(scope, (tx) => updateAccountSettings(tx, { hasSandboxEpos }));

const SETTINGS_WITHOUT_SANDBOX_EPOS = resolveAccountSettings({ hasSandboxEpos: false });
const SOCKET_PATHS = { ws: '/epos', 'tables-ws': '/ws/v1/tables/epos' } as const;

test.each(['stream', 'ws', 'tables-ws'] as const)(
  'the sandbox EPOS over %s ends when the account switches it off, and a partner connection serves alone',
  async (epos) => {
    const account = await environment.createAccount({ epos, gateways: [gateway] });
    await waitUntil(async () => (await listLive(account)).length === 1);
    const [sandboxes] = await listLive(account);
    await setSandboxEpos(account, false);
    await waitUntil(async () => (await listLive(account)).length === 0);
    const eposSocket = await connectTestEpos('/ws/v1/tables/epos', account, { environment, gateway });
    closers.push(() => eposSocket.terminate());
    const connections = await listLive(account);
    expect(connections.map(({ connectionId }) => connectionId)).not.toContain(sandboxes?.connectionId);
    expect(connections).toHaveLength(1);
    expect(eposSocket.closeEvent).toBeNull();
  },
);

test.each(['ws', 'tables-ws'] as const)(
  'of an account that was made without one the sandbox EPOS is refused over %s, and any other EPOS is not',
  async (kind) => {
    const account = await environment.createAccount({ settings: SETTINGS_WITHOUT_SANDBOX_EPOS });
    const headers = buildKeyHeaders(account.apiKey);
    const simulated = new TestEposSocket(SOCKET_PATHS[kind], { ...headers, 'sandbox-epos': 'true' }, gateway);
    await waitUntil(() => simulated.refusal !== null);
    expect(simulated.refusal?.status).toBe(403);
    const eposSocket = await connectTestEpos(SOCKET_PATHS[kind], account, { environment, gateway });
    closers.push(() => eposSocket.terminate());
    await setSandboxEpos(account, true);
    const again = new TestEposSocket(SOCKET_PATHS[kind], { ...headers, 'sandbox-epos': 'true' }, gateway);
    closers.push(() => again.terminate());
    await waitUntil(() => again.isOpen);
  },
);

test('of an account that was made without one no stream of the sandbox EPOS is served', async () => {
  const account = await environment.createAccount({
    epos: 'stream',
    gateways: [gateway],
    settings: SETTINGS_WITHOUT_SANDBOX_EPOS,
  });
  const other = await environment.createAccount({ epos: 'stream', gateways: [gateway] });
  await waitUntil(async () => (await listLive(other)).length === 1);
  expect(account.sandbox.eposStream?.isConnected()).toBe(false);
  expect(await listLive(account)).toEqual([]);
  await setSandboxEpos(account, true);
  await waitUntil(async () => (await listLive(account)).length === 1);
});
