import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ServiceError, status } from '@grpc/grpc-js';
import { CardVaultServiceClient, CardVaultServiceService } from '@pos/grpc-contracts/card-vault';
import { handleInternalCall, InternalIdentity, type ServiceApp, startInternalServer } from '@pos/service-kit/internal';
import { listCallers, SERVICE_APPS } from '@pos/service-kit/testing';
import { EposServiceService } from '@pos/grpc-contracts/gateway-internal';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listCommandBlocks, readPage } from './page-blocks.js';

const PAGE = 'docs/operate/encrypt-connections.md';
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

let folder: string;
const identities: InternalIdentity[] = [];
const closers: (() => Promise<void>)[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'encryption-page-'));
  for (const { commands } of listCommandBlocks(PAGE, readPage(PAGE))) {
    execFileSync('bash', ['-e', '-c', commands.replaceAll('./.data/', `${folder}/`)]);
  }
});
afterAll(async () => {
  for (const close of closers) await close();
  for (const identity of identities) identity.close();
  rmSync(folder, { recursive: true });
});

function openIdentity(app: ServiceApp): InternalIdentity {
  const [INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA] = [`${app}-cert.pem`, `${app}-key.pem`, 'ca.pem'].map((name) =>
    path.join(folder, 'tls', name),
  );
  const files = { INTERNAL_TLS_CERT, INTERNAL_TLS_KEY, INTERNAL_TLS_CA };
  const identity = new InternalIdentity({ ...files, TLS_RELOAD_MS: 60_000, NODE_ENV: 'production' }, log);
  identities.push(identity);
  return identity;
}

test('the certificates of the page name their apps to each other', async () => {
  const eraseCard = handleInternalCall({ log }, 'EraseCard', () => Promise.resolve({}));
  const { port, close } = await startInternalServer({
    ...{ host: '127.0.0.1', port: 0, credentials: openIdentity('card-vault').createServerCredentials() },
    ...{ name: 'test', definition: CardVaultServiceService, implementation: { eraseCard }, connections: {} },
  });
  closers.push(close);
  const address = `127.0.0.1:${port}`;
  const ends = await Promise.all(
    SERVICE_APPS.map(async (app): Promise<[ServiceApp, status]> => {
      const target = { app: 'card-vault', address, addressSetting: 'CARD_VAULT_ADDRESS' } as const;
      const { credentials, options } = openIdentity(app).createChannel(target);
      const client = new CardVaultServiceClient(address, credentials, options);
      const error = await new Promise<ServiceError | null>((resolve) => {
        client.eraseCard({ scope: undefined, cardId: '' }, (failure) => resolve(failure));
      });
      client.close();
      return [app, error?.code ?? status.OK];
    }),
  );
  const expected = SERVICE_APPS.map((app) => [app, app === 'api' ? status.OK : status.PERMISSION_DENIED]);
  expect(ends).toEqual(expected);
});

test('the page lists the callers of every rpc', () => {
  const rows = [...readPage(PAGE).matchAll(/^\| `(\w+)\/(\w+)`(?:, `(\w+)`)? \| (.+?) \|$/gm)].flatMap(
    ([, service, rpc, second, callers]) =>
      [rpc, second].flatMap((name) => (name === undefined ? [] : [[`${service}/${name}`, callers] as const])),
  );
  const rpcs = [CardVaultServiceService, EposServiceService].flatMap((service) => Object.values<{ readonly path: string }>(service),
  );
  const listed = rpcs.map(({ path: rpc }) => [rpc.split('.').at(-1), listCallers(rpc).join(', ')]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(listed));
});
