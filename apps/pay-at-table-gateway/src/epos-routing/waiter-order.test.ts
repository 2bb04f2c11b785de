import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listLiveConnections } from '@pos/store/connections';
import type { RunningGateway } from '../boot.js';
import { buildMachineRequestor, type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';
import { EposTablesClient } from './epos-tables-client.js';
import { EPOS_CONNECTION_KINDS } from './epos-route-cache.js';

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());

const listLive = ({ scope }: GatewayAccount) =>
  environment.testDatabase.database.read(scope, (reader) => listLiveConnections(reader, EPOS_CONNECTION_KINDS));

async function listPayable({ scope }: GatewayAccount, waiterId: number) {
  const requestorInfo = buildMachineRequestor('90000001', waiterId);
  const { outcome } = await gateway.app.get(EposTablesClient).callTables({
    call: { $case: 'listSessions', value: { tableNames: [], isPayable: true, requestorInfo } },
    ...{ scope, waitMs: 10_000, fence: null, faults: null },
  });
  if (outcome.outcome !== 'answered' || outcome.answer.$case !== 'listSessions') return outcome;
  return outcome.answer.value.sessions.map(({ id, waiter }) => ({ id, waiterId: waiter?.id ?? null }));
}

test.each(['dialled', 'stream', 'tables-ws', 'rest', 'ws'] as const)(
  'a waiter sees all payable sessions over %s, their own first',
  async (epos) => {
    const account = await environment.createAccount({ epos });
    if (epos !== 'dialled' && epos !== 'rest') await waitUntil(async () => (await listLive(account)).length === 1);
    const all = await listPayable(account, 0);
    if ('outcome' in all) throw new Error(all.outcome);
    const waiterIds = [...new Set(all.map(({ waiterId }) => waiterId))].filter((id) => id !== null);
    expect(waiterIds.length).toBeGreaterThan(1);
    for (const waiterId of waiterIds) {
      const listed = await listPayable(account, waiterId);
      const own = all.filter((session) => session.waiterId === waiterId);
      const everybodys = all.filter((session) => session.waiterId === null);
      const colleagues = all.filter((session) => session.waiterId !== waiterId && session.waiterId !== null);
      expect(listed).toEqual([...own, ...everybodys, ...colleagues]);
    }
  },
);

test.each(['dialled', 'stream', 'tables-ws'] as const)(
  'a waiter whom the EPOS does not know is refused over %s',
  async (epos) => {
    const account = await environment.createAccount({ epos });
    if (epos !== 'dialled') await waitUntil(async () => (await listLive(account)).length === 1);
    expect(await listPayable(account, 987_654)).toMatchObject({
      ...{ outcome: 'refused', code: 'WAITER_INCORRECT_WAITER_ID' },
    });
  },
);
