import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createExactShape, createOwnNumberShapes, createTextShapes, LeakScan } from '@pos/core/leaks';
import {
  createServerFolder,
  disableCompression,
  type EmbeddedPostgres,
  findDataDirectory,
  retainWal,
  startPostgres,
} from '@pos/dev-database';
import { createFullScan, createPartBuffer, formatLeak, listFiles, scanFile } from '@pos/verification/leaks';
import { startWorld, type DevWorld } from '../dev/world.js';
import { findMonitoringUrl } from '../alerts/monitor.js';
import { REPOSITORY } from '../repository/repository.js';
import { TraceReceiver } from './trace-receiver.js';
import { CardTraffic, type FreshCard } from './card-traffic.js';
import {
  sendInvalidCards,
  payOnCardMachine,
  payWithApprovedCard,
  sendCardsToWrongPlaces,
  rotateSecrets,
} from './lives.js';
import { listProcessFamily } from '../processes/process-family.js';
import { isMemoryReadable, type MemoryRequest, scanMemory } from './process-memory.js';

/**
 * Files where a world stores the keys of its own accounts: for the developer, and for the sandbox in the role of the
 * integrator.
 */
const KEY_FILES = ['secrets.json', 'sandbox-accounts.json'];
/** The whole write-ahead log of a scenario with many rounds. */
const SCENARIO_BYTES_MAX = 8 * 2 ** 30;
/** The vault may have card numbers. The sandbox is the acquirer, which is external: a real one does not run here. */
const MAY_HOLD_CARDS = ['card-vault', 'sandbox'];
/** An app that received a number by mistake has it until its memory is reused. The number reaches no other process. */
const MISTAKEN_AT = ['api', 'checkout', 'epos-tester', 'pay-at-table-gateway'];

/** What was found, and how much was scanned. */
export interface LeakReport {
  readonly finds: readonly string[];
  readonly cards: number;
  /** The metrics of every process at the end, by its name. */
  readonly scrapes: ReadonlyMap<string, string>;
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
    /** What the apps export of their traces is a file, which is searched like all others. */
    readonly traces: TraceReceiver,
  ) {
    this.traffic = new CardTraffic(world);
  }

  static async open(): Promise<LeakScenario> {
    const folder = createServerFolder('pos-leaks-', SCENARIO_BYTES_MAX);
    const postgres = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      durable: false,
      afterExit: 'remove',
    });
    await retainWal(postgres);
    const traces = await TraceReceiver.open(path.join(folder, 'traces.jsonl'));
    const world = await startWorld({
      dataDir: folder,
      databaseUrl: postgres.url,
      restaurants: 2,
      ports: 'free',
      env: {
        '*': { LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: traces.endpoint, HEALTH_PORT: '0' },
        'card-vault': { TRUSTED_PROXIES: '127.0.0.1' },
        sandbox: { SIMULATOR_TIME_SCALE: '40' },
      },
    });
    await disableCompression(postgres.url);
    return new LeakScenario(folder, postgres, await findDataDirectory(postgres), world, traces);
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
    const scrapes = await this.#storeScrapes();
    await this.world.stop();
    await this.traces.close();
    await this.postgres.stop();
    const files = [...new Set([this.folder, this.cluster].flatMap(listFiles))].filter(
      (file) => !KEY_FILES.includes(path.relative(this.folder, file)),
    );
    const { rightly, wrongly, secrets } = this.traffic;
    const cards = [...rightly, ...wrongly];
    const scan = createFullScan(cards.map(({ cardNumber }) => cardNumber));
    const webhookSecrets = new LeakScan(secrets.flatMap((secret) => createTextShapes('webhook secret', secret)));
    const buffer = createPartBuffer();
    const finds = files.flatMap((file) =>
      [scan, webhookSecrets].flatMap((each) => scanFile(each, file, buffer).map(formatLeak)),
    );
    this.#requireSightings(files, buffer);
    return {
      finds: [...(memory?.finds ?? []), ...finds],
      cards: cards.length,
      scrapes,
      files: files.length,
      isMemoryScanned: memory !== null,
      memoryBytes: memory?.bytes ?? 0,
    };
  }

  /** Deletes everything. */
  async remove(): Promise<void> {
    await this.world.stop();
    await this.traces.close();
    await this.postgres.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Metrics become files, which are searched like all others. */
  async #storeScrapes(): Promise<Map<string, string>> {
    const scrapes = new Map<string, string>();
    for (const app of this.world.apps) {
      const url = findMonitoringUrl(app);
      assert.ok(url !== null, `${app.name} has no metrics`);
      const text = await (await fetch(`${url}/metrics`)).text();
      writeFileSync(path.join(this.folder, `metrics-${app.name}.txt`), text);
      scrapes.set(app.name, text);
    }
    return scrapes;
  }

  #searchMemory(): { readonly finds: string[]; readonly bytes: number } {
    const { rightly, wrongly } = this.traffic;
    const ours = new LeakScan(createOwnNumberShapes(rightly.map(({ cardNumber }) => cardNumber)));
    // The numbers are in this process: a scan that finds nothing here would find nothing anywhere.
    assert.ok(
      scanMemory(ours, { pid: process.pid }).leaks.length >= rightly.length,
      'memory is read without being seen',
    );
    const shapesOf = (cards: readonly FreshCard[]) => [
      ...createOwnNumberShapes(cards.map(({ cardNumber }) => cardNumber)),
      ...cv2Shapes(cards),
    ];
    // One pass for each process, with all that it must not have.
    const withoutMistakes = new LeakScan(shapesOf(rightly));
    const all = new LeakScan(shapesOf([...rightly, ...wrongly]));
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
      const scan = MISTAKEN_AT.includes(name) ? withoutMistakes : all;
      assert.ok(scanProcess(name, scan, { pid }) > 0, `${name} has no memory`);
    }
    const postmaster = Number(readFileSync(path.join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    for (const pid of listProcessFamily(postmaster)) {
      scanProcess('PostgreSQL', all, { pid, isShared: pid === postmaster });
    }
    return { finds, bytes };
  }

  /** Checks that the scan can find values: the masked numbers are in tables and in the log of changes. */
  #requireSightings(files: readonly string[], buffer: Buffer): void {
    const { cardNumber } = this.traffic.card();
    const masked = `${cardNumber.slice(0, 8)}****`;
    const scan = new LeakScan([createExactShape({ kind: 'card number', form: 'masked' }, Buffer.from(masked))]);
    for (const place of ['pg_wal', 'base', 'server.log']) {
      const there = files.filter((file) => file.split(path.sep).includes(place));
      assert.ok(there.length > 0, `there is no ${place}`);
      if (place !== 'server.log')
        assert.ok(
          there.some((file) => scanFile(scan, file, buffer).length > 0),
          `${place} has no card`,
        );
    }
  }

  /**
   * The steps of docs/operate/replace-keys.md: all vaults get the new key, stored numbers are sealed again, the old key
   * is removed.
   */
  async #rotateMasterKey(id: string): Promise<void> {
    const before = this.#masterKeys ?? this.world.secrets.vaultKeys;
    const both = `${id}:${randomBytes(32).toString('base64')},${before}`;
    const vault = this.world.app('card-vault');
    await vault.kill();
    vault.start({ VAULT_KEYS: both });
    await vault.untilReady();
    const rotation = spawn(process.execPath, [path.join(REPOSITORY, 'apps/card-vault/bundle/rotate-keys.js')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: vault.settings,
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
