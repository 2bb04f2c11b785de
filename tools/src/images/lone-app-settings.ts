import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database';
import { APP_ROLE, buildRoleUrl, migrate, VAULT_ROLE } from '@pos/store/migrations';
import { findFreePorts } from '@pos/dev-database';
import { LOOPBACK } from '../dev/ports.js';
import { WORLD_APPS, type WorldApp, type WorldFacts } from '../dev/world-apps.js';
import { WorldTls } from '../dev/world-tls.js';
import { loadSettingsSchemas } from '../docs/configuration.js';

const KEY_BYTES = 32;

/** A migrated database, and the settings with which each app starts on it in production, alone. */
export class LoneApps {
  private constructor(
    private readonly dataDir: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly facts: WorldFacts,
    private readonly schemas: Awaited<ReturnType<typeof loadSettingsSchemas>>,
  ) {}

  static async open(): Promise<LoneApps> {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'lone-apps-'));
    const postgres = await startPostgres({ dataDir: path.join(dataDir, 'postgres'), durable: false });
    const [appPassword, vaultPassword] = [drawKey('hex'), drawKey('hex')];
    await migrate(postgres.url, { appPassword, vaultPassword });
    // Made by the app, as the user that it runs as.
    const facts = { ...UNREACHABLE, dataDir: path.join(tmpdir(), `books-${drawKey('hex')}`), ...drawSecrets() };
    const databaseUrl = buildRoleUrl(postgres.url, APP_ROLE, appPassword);
    const vaultDatabaseUrl = buildRoleUrl(postgres.url, VAULT_ROLE, vaultPassword);
    const tls = await WorldTls.open(path.join(dataDir, 'certificates'), Object.keys(WORLD_APPS));
    const internalFilesOf = (app: string) => tls.filesOf(app);
    const known = { ...facts, databaseUrl, vaultDatabaseUrl, internalFilesOf };
    return new LoneApps(dataDir, postgres, known, await loadSettingsSchemas());
  }

  /** The settings of one process: its own ports, and addresses of others that do not run. */
  async settings(app: string): Promise<Record<string, string>> {
    const known: Readonly<Record<string, WorldApp>> = WORLD_APPS;
    const world = known[app];
    if (world === undefined) throw new Error(`${app} serves nothing`);
    const names = [...Object.keys(world.ports), 'HEALTH_PORT'];
    const ports = await findFreePorts(names.length);
    const own = {
      ...world.settings(this.facts),
      ...Object.fromEntries(names.map((name, index) => [name, String(ports[index])])),
      NODE_ENV: 'production',
      MAIL_FROM: 'receipts@restaurant.example',
    };
    const shape = this.schemas.get(app)?.shape ?? {};
    const settings = Object.entries(own).filter(([name]) => name in shape);
    // Set in every image: the health check of an app without the setting must not use it.
    return { HEALTH_PORT: '', ...Object.fromEntries(settings) };
  }

  /** The settings of the operator's command as the owner of the database. */
  get ownerSettings(): Readonly<Record<string, string>> {
    return { DATABASE_OWNER_URL: this.postgres.url };
  }

  async close(): Promise<void> {
    await this.postgres.remove();
    for (const folder of [this.dataDir, this.facts.dataDir]) rmSync(folder, { recursive: true, force: true });
  }
}

function drawSecrets() {
  return {
    keyPepper: drawKey('hex'),
    encryptionKey: drawKey('base64'),
    vaultKeys: `first:${drawKey('base64')}`,
    portalKey: drawKey('hex'),
  };
}

function drawKey(encoding: 'hex' | 'base64'): string {
  return randomBytes(KEY_BYTES).toString(encoding);
}

/** Addresses where nothing listens: an app starts without the others. */
const UNREACHABLE = {
  seed: undefined,
  egressAllow: [],
  acquirerAddress: `${LOOPBACK}:1`,
  eposRestAddress: `${LOOPBACK}:1`,
  cardVaultAddress: `${LOOPBACK}:1`,
  sandboxUrl: `http://${LOOPBACK}:1`,
  eposTesterUrl: `http://${LOOPBACK}:1`,
  apiUrl: `http://${LOOPBACK}:1`,
  caFile: '',
  filesOf: () => null,
  eposGrpcScheme: 'http' as const,
  cardVaultUrl: `http://${LOOPBACK}:1`,
  checkoutUrl: `http://${LOOPBACK}:1`,
  portalUrl: `http://${LOOPBACK}:1`,
  gatewayAddresses: [],
  gatewayHttpAddresses: [],
  gatewayInternalAddresses: [`${LOOPBACK}:1`],
  sandboxAccountsFile: '',
};
