import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { LeakScan } from '@pos/core/leaks/leak-scan';
import { createExactShape, createOwnNumberShapes, createTextShapes } from '@pos/core/leaks/leak-shapes';
import { type EmbeddedPostgres, startPostgres } from '@pos/dev-database/embedded-postgres';
import { listFiles, formatLeak, scanFile } from '@pos/verification/leaks/file-leaks';
import { findDataDirectory, retainWal, disableCompression } from '@pos/dev-database/server-leaks';
import { createFullScan } from '@pos/verification/leaks/full-leak-scan';
import { buildRoleUrl, VAULT_ROLE } from '@pos/store/migrations/migrate';
import { startWorld, type DevWorld } from '../dev/world.js';
import { REPOSITORY } from '../repository/repository.js';
import { CardTraffic, type FreshCard } from './card-traffic.js';
import {
  sendInvalidCards,
  payOnCardMachine,
  payWithApprovedCard,
  sendCardsToWrongPlaces,
  rotateSecrets,
} from './lives.js';
import { listProcessFamily, isMemoryReadable, type MemoryRequest, scanMemory } from './process-memory.js';

/**
 * Files where a world stores the keys of its own accounts: for the developer, and for the sandbox in the role of the
 * integrator.
 */
const KEY_FILES = ['secrets.json', 'sandbox-accounts.json'];
/** The vault may have card numbers. The sandbox is the acquirer, which is external: a real one does not run here. */
const MAY_HOLD_CARDS = ['card-vault', 'sandbox'];
/** An app that received a number by mistake has it until its memory is reused. The number reaches no other process. */
const MISTAKEN_AT = ['api', 'checkout', 'epos-tester', 'pay-at-table-gateway'];

/** What was found, and how much was scanned. */
export interface LeakReport {
  readonly finds: readonly string[];
  readonly cards: number;
  readonly files: number;
  /** False: this machine does not permit to read memory. */
  readonly isMemoryScanned: boolean;
  readonly memoryBytes: number;
}

/** The whole service as separate processes, with a database that stores every change for the scan. */
export class LeakScenario {
  readonly traffic: CardTraffic;

  private constructor(
    private readonly folder: string,
    private readonly postgres: EmbeddedPostgres,
    private readonly cluster: string,
    readonly world: DevWorld,
  ) {
    this.traffic = new CardTraffic(world);
  }

  static async open(): Promise<LeakScenario> {
    // Not in the system's folder for temporary files: PostgreSQL's account cannot always access it.
    const folder = await mkdtemp('/var/tmp/pos-leaks-');
    chmodSync(folder, 0o755);
    const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), durable: false });
    await retainWal(postgres);
    const world = await startWorld({
      dataDir: folder,
      databaseUrl: postgres.url,
      restaurants: 2,
      ports: 'free',
      env: {
        '*': { LOG_LEVEL: 'debug' },
        'card-vault': { TRUSTED_PROXIES: '127.0.0.1' },
        sandbox: { SIMULATOR_TIME_SCALE: '40' },
      },
    });
    await disableCompression(postgres.url);
    return new LeakScenario(folder, postgres, await findDataDirectory(postgres), world);
  }

  /** Runs all requests with cards and secrets this many times. */
  async live(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await payWithApprovedCard(this.traffic);
      await sendInvalidCards(this.traffic);
      await payOnCardMachine(this.traffic);
      await sendCardsToWrongPlaces(this.traffic);
      if (round === 0) await rotateSecrets(this.traffic);
      await this.#rotateMasterKey(`round-${round}`);
    }
  }

  /** Scans the memory of all processes, stops them, and scans all files that they wrote. */
  async search(): Promise<LeakReport> {
    const memory = isMemoryReadable(process.pid) ? this.#searchMemory() : null;
    await this.world.stop();
    await this.postgres.stop();
    const files = [...new Set([this.folder, this.cluster].flatMap(listFiles))].filter(
      (file) => !KEY_FILES.includes(path.relative(this.folder, file)),
    );
    const { rightly, wrongly, secrets } = this.traffic;
    const cards = [...rightly, ...wrongly];
    const scan = createFullScan(cards.map(({ cardNumber }) => cardNumber));
    const webhookSecrets = new LeakScan(secrets.flatMap((secret) => createTextShapes('webhook secret', secret)));
    const finds = files.flatMap((file) =>
      [scan, webhookSecrets].flatMap((each) => scanFile(each, file).map(formatLeak)),
    );
    this.#requireSightings(files);
    return {
      finds: [...(memory?.finds ?? []), ...finds],
      cards: cards.length,
      files: files.length,
      isMemoryScanned: memory !== null,
      memoryBytes: memory?.bytes ?? 0,
    };
  }

  /** Deletes everything. */
  async remove(): Promise<void> {
    await this.world.stop();
    await this.postgres.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  #searchMemory(): { readonly finds: string[]; readonly bytes: number } {
    const { rightly, wrongly } = this.traffic;
    const ours = new LeakScan(createOwnNumberShapes(rightly.map(({ cardNumber }) => cardNumber)));
    // The numbers are in this process: a scan that finds nothing here would find nothing anywhere.
    assert.ok(
      scanMemory(ours, { pid: process.pid }).leaks.length >= rightly.length,
      'memory is read without being seen',
    );
    const never = new LeakScan([
      ...createOwnNumberShapes(rightly.map(({ cardNumber }) => cardNumber)),
      ...cv2Shapes(rightly),
    ]);
    const nowhere = new LeakScan([
      ...createOwnNumberShapes(wrongly.map(({ cardNumber }) => cardNumber)),
      ...cv2Shapes(wrongly),
    ]);
    let bytes = 0;
    const finds: string[] = [];
    const scanProcess = (name: string, scan: LeakScan, request: MemoryRequest): number => {
      const seen = scanMemory(scan, request);
      bytes += seen.bytes;
      finds.push(
        ...seen.leaks.map(({ kind, form, excerpt }) => `${kind} (${form}) in the memory of ${name}: ${excerpt}`),
      );
      return seen.bytes;
    };
    for (const { name, pid } of this.world.apps) {
      if (pid === null || MAY_HOLD_CARDS.includes(name)) continue;
      assert.ok(scanProcess(name, never, { pid }) > 0, `${name} has no memory`);
      if (!MISTAKEN_AT.includes(name)) scanProcess(name, nowhere, { pid });
    }
    const postmaster = Number(readFileSync(path.join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    for (const pid of listProcessFamily(postmaster)) {
      for (const scan of [never, nowhere]) scanProcess('PostgreSQL', scan, { pid, isShared: pid === postmaster });
    }
    return { finds, bytes };
  }

  /** Checks that the scan can find values: the masked numbers are in tables and in the log of changes. */
  #requireSightings(files: readonly string[]): void {
    const { cardNumber } = this.traffic.card();
    const masked = `${cardNumber.slice(0, 8)}****`;
    const scan = new LeakScan([createExactShape({ kind: 'card number', form: 'masked' }, Buffer.from(masked))]);
    for (const place of ['pg_wal', 'base', 'server.log']) {
      const there = files.filter((file) => file.split(path.sep).includes(place));
      assert.ok(there.length > 0, `there is no ${place}`);
      if (place !== 'server.log')
        assert.ok(
          there.some((file) => scanFile(scan, file).length > 0),
          `${place} has no card`,
        );
    }
  }

  /**
   * The steps of docs/operate/replace-keys.md: all vaults get the new key, stored numbers are sealed again, the old key
   * is removed.
   */
  async #rotateMasterKey(id: string): Promise<void> {
    const { vaultKeys, vaultPassword, keyPepper, encryptionKey } = this.world.secrets;
    const both = `${id}:${randomBytes(32).toString('base64')},${this.#masterKeys ?? vaultKeys}`;
    const vault = this.world.app('card-vault');
    await vault.kill();
    vault.start({ VAULT_KEYS: both });
    await vault.untilReady();
    const rotation = spawn(process.execPath, [path.join(REPOSITORY, 'apps/card-vault/dist/rotate-keys.js')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        DATABASE_URL: buildRoleUrl(this.postgres.url, VAULT_ROLE, vaultPassword),
        ...{ VAULT_KEYS: both, KEY_PEPPER: keyPepper, ENCRYPTION_KEY: encryptionKey, NODE_ENV: 'development' },
        // It is a setting of the app, so no request is in progress while numbers are sealed.
        ACQUIRER_ADDRESS: new URL(this.world.addresses.sandbox).host,
      },
    });
    const [code] = (await once(rotation, 'exit')) as [number | null];
    assert.equal(code, 0, 'the numbers could not be sealed again');
    this.#masterKeys = both;
  }

  #masterKeys: string | null = null;
}

/** A CV2 in the formats of messages; three digits alone occur everywhere. */
function cv2Shapes(cards: readonly FreshCard[]) {
  const forms = cards.flatMap(({ cV2 }) => [
    ...['cV2', 'cv2', 'cvv'].flatMap((name) => [`"${name}":"${cV2}"`, `"${name}": "${cV2}"`, `${name}=${cV2}`]),
    `\x18\xf0\x0f\x22\x03${cV2}`,
  ]);
  return forms.map((form) => createExactShape({ kind: 'CV2', form: 'plain' }, Buffer.from(form, 'latin1')));
}
