import { AccountClock } from '../clock/account-clock.js';
import { Acquirer } from '../acquirer/acquirer.js';
import { AcquirerBooks, type AcquirerJournal } from '../acquirer/acquirer-books.js';
import { AcquirerSimulator } from '../acquirer/acquirer-simulator.js';
import { AcquirerRuleSet } from '../acquirer/acquirer-rules.js';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { EposSimulator } from '../epos-simulator/epos-simulator.js';
import type { DialableEpos } from '../epos-transports/epos-grpc-server.js';
import { openRestaurantEpos } from '../epos-simulator/restaurant-epos.js';
import { createDataSocket, createTablesSocket } from '../epos-transports/epos-socket-clients.js';
import { EposStreamClient } from '../epos-transports/epos-stream-client.js';
import { createIntentReader } from '../epos-data/intent-reader.js';
import { ConnectedMachine } from '../machines/connected-machine.js';
import { MACHINE_MODELS } from '../machines/machine-script.js';
import type { Seed } from '../clock/seed.js';
import type { PersistentSocket } from '../connections/persistent-socket.js';

/** An account as the outside world knows it. */
export interface SimulatedAccount {
  readonly accountId: string;
  /** What its machines and its EPOS show to the gateway. */
  readonly apiKey: string;
  readonly merchantId: string;
  readonly tradingName: string;
  readonly currencyCode: string;
  readonly softwareHouseId: string;
  readonly hasMachines: boolean;
  readonly amountTriggers: boolean;
  readonly epos?: SimulatedEposOptions | undefined;
}

/** How an account's EPOS is reached: it can always be dialled, and opens the connections that it is told to. */
export interface SimulatedEposOptions {
  readonly username: string;
  readonly password: string;
  readonly dialsIn: boolean;
  /** The sockets that it opens: `ws` for the EPOS Data API, `tables-ws` for the pay-at-table contract. */
  readonly sockets?: readonly EposSocketKind[] | undefined;
  /** It takes payments on orders under a lock only, as one does that has registered locks. */
  readonly needsLocks?: boolean | undefined;
  /** It reads a payment back from the service before it books it. */
  readonly readsIntents?: boolean | undefined;
}
export type EposSocketKind = 'ws' | 'tables-ws';

/** Where the service is, as the world reaches it. */
export interface ServiceAddresses {
  /** `host:port` of the gRPC side of each gateway; the next when one fails. */
  readonly gatewayAddresses: readonly string[];
  /** `ws://host:port` of each gateway. */
  readonly gatewayUrls: readonly string[];
  /** Null: no EPOS can read a payment back. */
  readonly apiUrl: string | null;
}

/** What stands in the world for one account. */
export interface AccountSimulation {
  readonly account: SimulatedAccount;
  readonly machines: readonly ConnectedMachine[];
  readonly epos: EposSimulator | null;
  readonly eposStream: EposStreamClient | null;
  /** The sockets that it opens; the EPOS answers on all of them. */
  readonly eposSockets: readonly PersistentSocket[];
}

/** An acquirer with the books of its journal, and nothing that goes wrong there yet. */
export function openAcquirerSimulator({
  seed,
  clock,
  journal,
}: {
  readonly seed: Seed;
  readonly clock: SimulationClock;
  readonly journal: AcquirerJournal;
}): AcquirerSimulator {
  const acquirer = new Acquirer({ books: new AcquirerBooks(journal), clock, seed });
  return new AcquirerSimulator({ acquirer, rules: new AcquirerRuleSet(), clock });
}

/** Everything outside the service: one acquirer, and the machines and the EPOS of every account. */
export class SimulatedEnvironment {
  readonly acquirerSimulator: AcquirerSimulator;
  readonly clock: SimulationClock;
  readonly #seed: Seed;
  readonly #service: ServiceAddresses;
  readonly #eposStateFolder: string | null;
  readonly #places = new Map<string, AccountSimulation>();

  constructor(parts: {
    readonly seed: Seed;
    readonly clock: SimulationClock;
    readonly journal: AcquirerJournal;
    readonly service: ServiceAddresses;
    /** The acquirer of another world; left out: this one has its own. */
    readonly acquirer?: AcquirerSimulator;
    /** Folder in which EPOSes keep what they know over a restart; left out, or null: they forget. */
    readonly eposStateFolder?: string | null;
  }) {
    const { seed, clock, journal, eposStateFolder = null } = parts;
    this.clock = clock;
    this.#seed = seed;
    this.#service = parts.service;
    this.#eposStateFolder = eposStateFolder;
    this.acquirerSimulator = parts.acquirer ?? openAcquirerSimulator({ seed, clock, journal });
  }

  /**
   * Gives an account its machines and its EPOS; what it had before goes away, but for what its EPOS keeps in a file.
   * Throws when that file cannot be read.
   */
  provisionAccount(account: SimulatedAccount): AccountSimulation {
    this.#stopAccount(account.accountId);
    this.acquirerSimulator.acquirer.setAmountTriggers(account.merchantId, account.amountTriggers);
    const machines = account.hasMachines ? this.#createMachines(account) : [];
    const epos = account.epos === undefined ? null : this.#createEpos(account);
    const eposStream = epos !== null && account.epos?.dialsIn === true ? this.#createEposStream(account, epos) : null;
    const eposSockets = epos === null ? [] : this.#createEposSockets(account, epos);
    const simulation = { account, machines, epos, eposStream, eposSockets };
    this.#places.set(account.accountId, simulation);
    for (const machine of machines) machine.start();
    for (const connection of [eposStream, ...eposSockets]) connection?.start();
    return simulation;
  }

  /** Takes an account out of the world: its machines and its EPOS hang up for good. */
  removeAccount(accountId: string): void {
    this.#stopAccount(accountId);
  }

  findAccount(accountId: string): AccountSimulation | null {
    return this.#places.get(accountId) ?? null;
  }

  listAccounts(): AccountSimulation[] {
    return [...this.#places.values()];
  }

  /** The EPOS that this user name of a dialled call belongs to. */
  findDialledEpos(username: string): DialableEpos | null {
    const simulation = this.listAccounts().find(({ account }) => account.epos?.username === username);
    if (simulation === undefined || simulation.epos === null || simulation.account.epos === undefined) return null;
    return {
      simulator: simulation.epos,
      merchantName: simulation.account.tradingName,
      password: simulation.account.epos.password,
    };
  }

  /** Clears all rules and faults, and begins the evening again. What the acquirer booked stays booked. */
  reset(): void {
    this.acquirerSimulator.rules.replaceRules([]);
    for (const { epos, machines } of this.#places.values()) {
      epos?.reset();
      for (const machine of machines) machine.setFaults({});
    }
  }

  /** Hangs up everywhere. */
  stop(): void {
    for (const { account } of this.listAccounts()) this.#stopAccount(account.accountId);
  }

  #createMachines({ accountId, apiKey, merchantId }: SimulatedAccount): ConnectedMachine[] {
    const accountClock = new AccountClock(this.clock, (byMs) => {
      this.acquirerSimulator.acquirer.advanceTime(merchantId, byMs);
    });
    return MACHINE_MODELS.map(
      (model) =>
        new ConnectedMachine({
          ...{
            model,
            accountId,
            apiKey,
            merchantId,
            acquirerSimulator: this.acquirerSimulator,
            clock: this.clock,
            seed: this.#seed,
          },
          ...{ gatewayAddresses: this.#service.gatewayAddresses, accountClock },
        }),
    );
  }

  #createEpos({
    accountId,
    apiKey,
    currencyCode,
    tradingName,
    softwareHouseId,
    epos,
  }: SimulatedAccount): EposSimulator {
    const { apiUrl } = this.#service;
    const readsIntents = epos?.readsIntents === true && apiUrl !== null;
    return openRestaurantEpos({
      ...{ seed: this.#seed, clock: this.clock, accountId, currencyCode, merchantName: tradingName },
      needsLocks: epos?.needsLocks ?? false,
      stateFolder: this.#eposStateFolder,
      readIntent: readsIntents ? createIntentReader(apiUrl, { apiKey, softwareHouseId }) : null,
    });
  }

  #createEposStream(account: SimulatedAccount, eposSimulator: EposSimulator): EposStreamClient {
    const { gatewayAddresses } = this.#service;
    return new EposStreamClient({ ...this.#buildEposOptions(account, eposSimulator), gatewayAddresses });
  }

  #createEposSockets(account: SimulatedAccount, eposSimulator: EposSimulator): PersistentSocket[] {
    const simulation = { ...this.#buildEposOptions(account, eposSimulator), gatewayUrls: this.#service.gatewayUrls };
    const kinds = new Set(account.epos?.sockets);
    return [
      ...(kinds.has('ws') ? [createDataSocket(simulation)] : []),
      ...(kinds.has('tables-ws') ? [createTablesSocket(simulation)] : []),
    ];
  }

  #buildEposOptions(
    { accountId, apiKey, softwareHouseId, tradingName }: SimulatedAccount,
    eposSimulator: EposSimulator,
  ) {
    const { clock } = this;
    return {
      eposSimulator,
      accountId,
      apiKey,
      softwareHouseId,
      merchantName: tradingName,
      clock,
      seed: this.#seed,
    };
  }

  #stopAccount(accountId: string): void {
    const simulation = this.#places.get(accountId);
    if (simulation === undefined) return;
    for (const machine of simulation.machines) machine.stop();
    for (const connection of [simulation.eposStream, ...simulation.eposSockets]) connection?.stop();
    this.#places.delete(accountId);
  }
}
