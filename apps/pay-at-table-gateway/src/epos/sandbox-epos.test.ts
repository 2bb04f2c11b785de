import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { accountSettings } from '@pos/core/account';
import { updateAccountSettings } from '@pos/store/accounts';
import { listLiveConnections } from '@pos/store/connections';
import type { RunningGateway } from '../boot.js';
import { type TestAccount, TestPlace, until } from '../testing.js';
import { EPOS_CONNECTIONS } from './epos-routes.js';
import { literal, servedTill, Till } from './testing-till.js';

jest.setTimeout(60_000);

let place: TestPlace;
let gateway: RunningGateway;
const closers: (() => void)[] = [];
beforeAll(async () => {
  place = await TestPlace.open();
  gateway = await place.gateway();
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(() => place.close());

const live = ({ scope }: TestAccount) =>
  place.test.database.read(scope, (reader) => listLiveConnections(reader, EPOS_CONNECTIONS));

const setSandboxEpos = ({ scope }: TestAccount, hasSandboxEpos: boolean) =>
  place.test.database.transact(scope, (tx) => updateAccountSettings(tx, { hasSandboxEpos }));

const WITHOUT = accountSettings({ hasSandboxEpos: false });
const PATHS = { ws: '/epos', 'tables-ws': '/ws/v1/tables/epos' } as const;

test.each(['stream', 'ws', 'tables-ws'] as const)(
  'the sandbox EPOS over %s ends when the account switches it off, and a partner connection serves alone',
  async (epos) => {
    const account = await place.account({ epos, gateways: [gateway] });
    await until(async () => (await live(account)).length === 1);
    const [sandboxes] = await live(account);
    await setSandboxEpos(account, false);
    await until(async () => (await live(account)).length === 0);
    const till = await servedTill('/ws/v1/tables/epos', account, { place, at: gateway });
    closers.push(() => till.hangUp());
    const connections = await live(account);
    expect(connections.map(({ connectionId }) => connectionId)).not.toContain(sandboxes?.connectionId);
    expect(connections).toHaveLength(1);
    expect(till.closed).toBeNull();
  },
);

test.each(['ws', 'tables-ws'] as const)(
  'of an account that was made without one the sandbox EPOS is refused over %s, and any other EPOS is not',
  async (kind) => {
    const account = await place.account({ settings: WITHOUT });
    const headers = literal(account.apiKey);
    const simulated = new Till(PATHS[kind], { ...headers, 'sandbox-epos': 'true' }, gateway);
    await until(() => simulated.refused !== null);
    expect(simulated.refused?.status).toBe(403);
    const till = await servedTill(PATHS[kind], account, { place, at: gateway });
    closers.push(() => till.hangUp());
    await setSandboxEpos(account, true);
    const again = new Till(PATHS[kind], { ...headers, 'sandbox-epos': 'true' }, gateway);
    closers.push(() => again.hangUp());
    await until(() => again.isOpen);
  },
);

test('of an account that was made without one no stream of the sandbox EPOS is served', async () => {
  const account = await place.account({ epos: 'stream', gateways: [gateway], settings: WITHOUT });
  const other = await place.account({ epos: 'stream', gateways: [gateway] });
  await until(async () => (await live(other)).length === 1);
  expect(account.place.eposStream?.isServing()).toBe(false);
  expect(await live(account)).toEqual([]);
  await setSandboxEpos(account, true);
  await until(async () => (await live(account)).length === 1);
});
