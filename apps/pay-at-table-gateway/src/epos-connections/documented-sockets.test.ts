import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningGateway } from '../boot.js';
import { GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';
import { PARTNER_HEADERS, TestEposSocket } from '../testing/socket-epos.js';

const GUIDE = path.join(import.meta.dirname, '../../../../docs/epos/integration-guide.md');

let environment: GatewayEnvironment;
let gateway: RunningGateway;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  gateway = await environment.startGateway();
});
afterAll(() => environment.close());

/** The rows of the guide: the name of the transport for the tester, the path, and the header. */
function readDocumentedSockets(): (readonly [string, string, string])[] {
  const guide = readFileSync(GUIDE, 'utf8');
  const section = guide.slice(guide.indexOf('## Open a WebSocket'));
  const rows = section.slice(0, section.indexOf('\n## ')).matchAll(/^\| `([^`]+)` \| `(\/[^`]+)` \| `([^`]+)` \|$/gm);
  return [...rows].map(([, transport = '', socketPath = '', header = '']) => [transport, socketPath, header] as const);
}

/** The header of the guide with an account and a key in place of the names. */
function buildHeader(form: string, account: string, key: string): string {
  const filled = form.replace('<account>', account).replace('<key>', key);
  return filled.replace(/base64\(([^)]+)\)/, (_, text: string) => Buffer.from(text).toString('base64'));
}

test.each(['id', 'name', 'another name'] as const)(
  'the guide names the paths and headers with which a socket opens: by the %s',
  async (named) => {
    const account = await environment.createAccount();
    const { accountId } = account.scope;
    const { dataSource } = environment.testDatabase.database;
    const [row] = await dataSource.query<{ name: string }[]>('select name from accounts where account_id = $1', [
      accountId,
    ]);
    const name = { id: accountId, name: row?.name ?? '', 'another name': 'Elsewhere' }[named];
    const sockets = readDocumentedSockets();
    expect(sockets.map(([transport, socketPath]) => [transport, socketPath])).toEqual([
      ['ws', '/epos'],
      ['tables-ws', '/ws/v1/tables/epos'],
    ]);
    for (const [transport, socketPath, form] of sockets) {
      const authorization = buildHeader(form, name, account.apiKey);
      const socket = new TestEposSocket(socketPath, { authorization, ...PARTNER_HEADERS }, gateway);
      await waitUntil(() => socket.isOpen || socket.refusal !== null);
      const isRefused = named === 'another name' && transport === 'tables-ws';
      expect([transport, socket.refusal?.status ?? 101]).toEqual([transport, isRefused ? 401 : 101]);
      socket.terminate();
    }
  },
);
