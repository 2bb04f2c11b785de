import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { credentials, type ServiceError, status } from '@grpc/grpc-js';
import { CardVaultServiceClient } from '@pos/grpc-contracts/card-vault';
import { TablesServiceClient } from '@pos/grpc-contracts/tables';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from 'node:tls';
import type { DevJson } from './dev-json.js';
import { buildOwnSettings, forgetWorld, TestTerminal, useTerminals, waitForReadyWorld, pollUntil } from './testing.js';
import { WORLD_APPS } from './world-apps.js';
import { WorldTls } from './world-tls.js';

const START_MS_MAX = 180_000;
const DEMO_MS_MAX = 180_000;

const openTerminal = useTerminals();
let settings: Awaited<ReturnType<typeof buildOwnSettings>>;
let world: TestTerminal;
let devJson: DevJson;
let tls: WorldTls;

beforeAll(async () => {
  settings = { ...(await buildOwnSettings()), TLS: 'true', TLS_RELOAD_MS: '200', SIMULATOR_TIME_SCALE: '10' };
  world = new TestTerminal('dev/start.js', settings);
  devJson = await waitForReadyWorld(world, settings.DATA_DIR);
  tls = await WorldTls.open(path.join(settings.DATA_DIR, 'certificates/service'), Object.keys(WORLD_APPS));
}, START_MS_MAX);
afterAll(async () => {
  await world.end('SIGINT');
  await forgetWorld(settings.DATA_DIR);
}, START_MS_MAX);

/** Every port with TLS, by the setting of its number, and the app whose certificate it shows. */
const PORTS = {
  API_PORT: 'api',
  CARD_VAULT_PORT: 'card-vault',
  CARD_VAULT_GRPC_PORT: 'card-vault',
  GATEWAY_PORT: 'pay-at-table-gateway',
  GATEWAY_GRPC_PORT: 'pay-at-table-gateway',
  GATEWAY_INTERNAL_PORT: 'pay-at-table-gateway',
  EPOS_TESTER_PORT: 'epos-tester',
  CHECKOUT_PORT: 'checkout',
  SANDBOX_PORT: 'sandbox',
  SANDBOX_GRPC_PORT: 'sandbox',
  SANDBOX_EPOS_PORT: 'sandbox',
} as const;

const CARD = { scope: undefined, cardId: '' };

/** The serial number of the certificate that a port shows to a new connection. */
async function readServedSerial(setting: keyof typeof PORTS): Promise<string> {
  const { ca, cert, key } = tls.filesOf('demo');
  const identity = { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key) };
  const socket = connect({
    ...identity,
    host: 'localhost',
    port: Number(settings[setting]),
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test(
  'a table is paid over TLS on every hop while all certificates are replaced, and again with the new ones',
  async () => {
    const during = openTerminal('demo/demo.js', settings);
    await during.waitForOutput(/The first guest pays half/);
    const replaced = new Map<string, string>();
    for (const app of new Set(Object.values(PORTS))) {
      replaced.set(app, new X509Certificate((await tls.issue(app)).cert).serialNumber);
    }
    for (const [setting, app] of Object.entries(PORTS) as [keyof typeof PORTS, string][]) {
      const isReplaced = async (): Promise<boolean> => (await readServedSerial(setting)) === replaced.get(app);
      await pollUntil(isReplaced, `${setting} shows its previous certificate`);
    }
    expect([await during.end(), during.output]).toEqual([0, expect.stringContaining('Every step held')]);

    await tls.issue('demo');
    const after = openTerminal('demo/demo.js garden-room', settings);
    expect([await after.end(), after.output]).toEqual([0, expect.stringContaining('Every step held')]);
  },
  2 * DEMO_MS_MAX,
);

test.each(['api', 'cardVault', 'eposTester', 'sandbox', 'checkout'] as const)(
  'the port of %s answers no request without TLS',
  async (name) => {
    await expect(fetch(`${devJson.urls[name].replace('https:', 'http:')}/health/live`)).rejects.toThrow();
  },
);

test('gRPC ports answer neither a client without TLS nor one without a certificate', async () => {
  const ca = readFileSync(tls.filesOf('demo').ca);
  for (const denied of [credentials.createInsecure(), credentials.createSsl(ca)]) {
    const machine = new TablesServiceClient(devJson.urls.gatewayGrpc, denied);
    const vault = new CardVaultServiceClient(`localhost:${settings['CARD_VAULT_GRPC_PORT']}`, denied);
    const request = { tableNames: [], requestorInfo: undefined };
    const ends = [
      await new Promise<ServiceError | null>((resolve) => machine.listSessions(request, (error) => resolve(error))),
      await new Promise<ServiceError | null>((resolve) => vault.eraseCard(CARD, (error) => resolve(error))),
    ];
    expect(ends.map((error) => error?.code)).toEqual([status.UNAVAILABLE, status.UNAVAILABLE]);
    machine.close();
    vault.close();
  }
});

test('an app that has no business with the card vault is refused there, with the missing right', async () => {
  const { ca, cert, key } = tls.filesOf('webhook-worker');
  const identity = credentials.createSsl(readFileSync(ca), readFileSync(key), readFileSync(cert));
  const vault = new CardVaultServiceClient(`localhost:${settings['CARD_VAULT_GRPC_PORT']}`, identity);
  const error = await new Promise<Error | null>((resolve) => {
    vault.describeCard(CARD, (failure) => resolve(failure));
  });
  expect(error?.message).toContain('webhook-worker may not call /service.card_vault.v1.CardVaultService/DescribeCard');
  vault.close();
});
