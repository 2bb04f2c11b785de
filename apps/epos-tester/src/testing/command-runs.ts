import { afterAll, beforeAll } from '@jest/globals';
import { createMemoryJournal } from '@pos/sandbox/acquirer';
import { createWallClock, Seed } from '@pos/sandbox/clock';
import { SimulatedEnvironment, type SimulatedEposOptions, type AccountSimulation } from '@pos/sandbox/environment';
import { createLoopbackChannelCredentials } from '@pos/service-kit/grpc';
import { createTestDatabase, TEST_SECRETS } from '@pos/store/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSandboxServers, type SandboxServers } from '../test-bench/sandbox-servers.js';
import { runCommand } from '../command/command.js';
import type { TemporaryDatabase } from '../command/temporary-database.js';

/** What the tests of one file share: a partner's EPOS, and a folder for the files of the command. */
export interface TestCommandRunner {
  readonly epos: PartnerEpos;
  readonly folder: string;
  readonly file: (name: string) => string;
  /** The arguments that request every report. */
  readonly reports: () => string[];
}

/** Opens a command runner before the first test of the file and closes it after the last. Only tests may use it. */
export function useTestCommand(): TestCommandRunner {
  let [folder, epos]: [string, PartnerEpos | null] = ['', null];
  const file = (name: string): string => path.join(folder, name);
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'tester-command-'));
    epos = await PartnerEpos.open();
  });
  afterAll(() => {
    epos?.close();
    rmSync(folder, { recursive: true });
  });
  return {
    get epos() {
      if (epos === null) throw new Error('the command runner is not open yet');
      return epos;
    },
    get folder() {
      return folder;
    },
    file,
    reports: () => ['--junit', file('out.xml'), '--json', file('out.json'), '--html', file('out.html')],
  };
}

/** The output of the command, and its exit code. */
export interface CommandOutput {
  readonly exit: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs the command in this process, on a database of the test; `onWrite` receives its output while it runs. */
export async function formatOutput(
  words: readonly string[],
  more: {
    readonly onWrite?: (text: string) => void;
    readonly stop?: AbortSignal;
    readonly openTemporaryDatabase?: () => Promise<TemporaryDatabase>;
  } = {},
): Promise<CommandOutput> {
  let [out, errors] = ['', ''];
  const exit = await runCommand(words, {
    write: (text) => {
      out += text;
      more.onWrite?.(text);
    },
    writeError: (text) => (errors += text),
    ...{ password: undefined, apiKey: undefined, stop: more.stop ?? new AbortController().signal },
    openTemporaryDatabase: more.openTemporaryDatabase ?? createTestTemporaryDatabase,
  });
  return { exit, out, errors };
}

async function createTestTemporaryDatabase(): Promise<TemporaryDatabase> {
  const store = await createTestDatabase();
  const { database, url: databaseUrl } = store;
  return { database, databaseUrl, secrets: TEST_SECRETS, close: () => store.close() };
}

/** An EPOS outside of everything that the command starts, like that of a partner. */
export class PartnerEpos {
  private constructor(
    readonly place: AccountSimulation,
    private readonly parts: { readonly world: SimulatedEnvironment; readonly servers: SandboxServers },
  ) {}

  /** `gateway` is the address where an EPOS that dials in opens its connections. */
  static async open(
    more: {
      readonly epos?: Partial<SimulatedEposOptions>;
      readonly gateway?: { readonly url: string; readonly name: string; readonly key: string };
    } = {},
  ): Promise<PartnerEpos> {
    const { epos, gateway } = more;
    const world = new SimulatedEnvironment({
      ...{ seed: new Seed('partner'), journal: createMemoryJournal() },
      clock: createWallClock({ timeScale: 1, frozenAt: null }),
      service: {
        ...{ gatewayAddresses: [], gatewayUrls: gateway === undefined ? [] : [gateway.url], apiUrl: null },
        transport: { createCredentials: createLoopbackChannelCredentials, readSocketOptions: () => ({}) },
      },
    });
    const place = world.provisionAccount({
      ...{ accountId: gateway?.name ?? 'partner', apiKey: gateway?.key ?? '', merchantId: '526567001' },
      ...{ tradingName: 'Partner', currencyCode: 'GBP', softwareHouseId: 'house-1' },
      ...{ hasMachines: false, amountTriggers: false },
      epos: { username: 'till', password: 'secret', dialsIn: false, needsLocks: true, ...epos },
    });
    return new PartnerEpos(place, { world, servers: await openSandboxServers(world) });
  }

  get simulator(): NonNullable<AccountSimulation['epos']> {
    return this.place.epos!;
  }

  /** Its address over REST, with its credentials. */
  get url(): string {
    return this.parts.servers.restUrl.replace('//', '//till:secret@');
  }

  close(): void {
    this.parts.world.stop();
    this.parts.servers.close();
  }
}
