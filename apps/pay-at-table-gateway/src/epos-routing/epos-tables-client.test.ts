import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listLiveConnections } from '@pos/store/connections';
import { putEposIntegration } from '@pos/store/repositories';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import type { TablesCallRequest } from '../epos-calls/tables-call.js';
import { createTablesClientWithoutHints } from '../testing/tables-client.js';
import { waitUntil } from '../testing/polling.js';

let environment: GatewayEnvironment;
let holdingGateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  holdingGateway = await environment.startGateway();
});
afterAll(async () => {
  for (const close of closers) close();
  await environment.close();
});

const buildCallRequest = ({ scope }: GatewayAccount): TablesCallRequest => ({
  scope,
  call: { $case: 'listSessions', value: { tableNames: [], requestorInfo: buildMachineRequestor('90000001') } },
  waitMs: 5_000,
  fence: null,
  faults: null,
});

const listLive = ({ scope }: GatewayAccount) =>
  environment.testDatabase.database.read(scope, (reader) => listLiveConnections(reader, ['epos-grpc-stream']));

/** An account whose EPOS holds a stream, and a client that has just used it. */
async function createStreamedAccount() {
  const account = await environment.createAccount({ epos: 'stream', gateways: [holdingGateway] });
  await waitUntil(async () => (await listLive(account)).length === 1);
  const client = createTablesClientWithoutHints(environment, closers);
  // The first call may come before it listens, and nothing is kept then.
  for (let calls = 0; calls < 2; calls += 1) {
    expect(await client.callTables(buildCallRequest(account))).toMatchObject({
      transport: 'stream',
      outcome: { outcome: 'answered' },
    });
  }
  return { account, client };
}

test('a call whose cached stream is closed continues at the registered address', async () => {
  const { account, client } = await createStreamedAccount();
  account.sandbox.eposStream!.stop();
  await waitUntil(async () => (await listLive(account)).length === 0);
  await environment.testDatabase.database.transact(account.scope, (tx) =>
    putEposIntegration(tx, {
      kind: 'grpc',
      url: `http://${environment.simulatorAddress}`,
      username: account.sandbox.account.epos!.username,
      password: account.sandbox.account.epos!.password,
      capabilities: [],
    }),
  );
  const before = account.sandbox.epos!.listCalls().length;
  expect(await client.callTables(buildCallRequest(account))).toMatchObject({
    transport: 'dialled',
    outcome: { outcome: 'answered' },
  });
  expect(account.sandbox.epos!.listCalls().length - before).toBe(1);
});

test('a call whose cached stream is closed continues on the newer one', async () => {
  const { account, client } = await createStreamedAccount();
  const [older] = await listLive(account);
  account.sandbox.eposStream!.stop();
  await waitUntil(async () => (await listLive(account)).length === 0);
  account.sandbox.eposStream!.start();
  await waitUntil(async () => (await listLive(account)).length === 1);
  const { outcome, connectionId } = await client.callTables(buildCallRequest(account));
  expect(outcome.outcome).toBe('answered');
  expect(connectionId).not.toBe(older!.connectionId);
});

test('a call whose cached stream is closed ends as not sent when no other route exists', async () => {
  const { account, client } = await createStreamedAccount();
  account.sandbox.eposStream!.stop();
  await waitUntil(async () => (await listLive(account)).length === 0);
  expect((await client.callTables(buildCallRequest(account))).outcome).toMatchObject({ outcome: 'notSent' });
});
