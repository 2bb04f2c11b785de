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
import { DeviceClient } from '../devices/device-client.js';
import { CounterSalesClient } from '../devices/counter-sales-client.js';
import { createIntentReader } from '../epos-data/intent-reader.js';
import type { GatewayTransport } from '../connections/gateway-transport.js';
import { ConnectedMachine } from '../machines/connected-machine.js';
import { MACHINE_MODELS } from '../machines/machine-script.js';
import type { Seed } from '../clock/seed.js';
import type { PersistentSocket } from '../connections/persistent-socket.js';

/** An account in the simulated world. */
export interface SimulatedAccount {
  readonly accountId: string;
  /** The key that its machines and its EPOS send to the gateway. */
  readonly apiKey: string;
  readonly merchantId: string;
  readonly tradingName: string;
  readonly currencyCode: string;
  readonly softwareHouseId: string;
  readonly hasMachines: boolean;
  readonly amountTriggers: boolean;
  readonly epos?: SimulatedEposOptions | undefined;
}

/** The transports of an account's EPOS. It can always be dialled, and opens the configured connections. */
export interface SimulatedEposOptions {
  readonly username: string;
  readonly password: string;
  readonly dialsIn: boolean;
  /** The sockets that it opens: `ws` for the EPOS Data API, `tables-ws` for the pay-at-table contract. */
  readonly sockets?: readonly EposSocketKind[] | undefined;
  /** It takes payments on orders under a lock only, like an EPOS that has registered locks. */
  readonly needsLocks?: boolean | undefined;
  /** It reads a payment back from the service before it books it. */
  readonly readsIntents?: boolean | undefined;
}
export type EposSocketKind = 'ws' | 'tables-ws';

/** The addresses of the service. */
export interface ServiceAddresses {
  /** `host:port` of the gRPC side of each gateway; the next when one fails. */
  readonly gatewayAddresses: readonly string[];
  /** `ws://host:port` or `wss://host:port` of each gateway. */
  readonly gatewayUrls: readonly string[];
  readonly transport: GatewayTransport;
  /** Null: no EPOS can read a payment back. */
  readonly apiUrl: string | null;
}

/** Everything that simulates one account. */
export interface AccountSimulation {
  readonly account: SimulatedAccount;
  readonly machines: readonly ConnectedMachine[];
  readonly epos: EposSimulator | null;
  readonly eposStream: EposStreamClient | null;
  /** The sockets that it opens. The EPOS answers on each. */
  readonly eposSockets: readonly PersistentSocket[];
}

/** Opens an acquirer with the books of its journal and without rules. */
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
    /** The acquirer of another world. Left out: this world has its own. */
    readonly acquirer?: AcquirerSimulator;
    /** Folder where EPOSes store their state for the next start. Left out, or null: the state is lost. */
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
   * Creates the machines and the EPOS of an account. Replaces those that it had, except the state that its EPOS stores
   * in a file. Throws when that file cannot be read.
   */
  provisionAccount(account: SimulatedAccount): AccountSimulation {
    this.#stopAccount(account.accountId);
    this.acquirerSimulator.acquirer.setAmountTriggers(account.merchantId, account.amountTriggers);
    const accountClock = this.#createAccountClock(account);
    const machines = account.hasMachines ? this.#createMachines(account, accountClock) : [];
    const epos = account.epos === undefined ? null : this.#createEpos(account, accountClock);
    const eposStream = epos !== null && account.epos?.dialsIn === true ? this.#createEposStream(account, epos) : null;
    const eposSockets = epos === null ? [] : this.#createEposSockets(account, epos);
    const simulation = { account, machines, epos, eposStream, eposSockets };
    this.#places.set(account.accountId, simulation);
    for (const machine of machines) machine.start();
    for (const connection of [eposStream, ...eposSockets]) connection?.start();
    return simulation;
  }

  /** Removes an account: its machines and its EPOS disconnect for good. */
  removeAccount(accountId: string): void {
    this.#stopAccount(accountId);
  }

  findAccount(accountId: string): AccountSimulation | null {
    return this.#places.get(accountId) ?? null;
  }

  listAccounts(): AccountSimulation[] {
    return [...this.#places.values()];
  }

  /** The EPOS with this user name of a dialled call. */
  findDialledEpos(username: string): DialableEpos | null {
    const simulation = this.listAccounts().find(({ account }) => account.epos?.username === username);
    if (simulation === undefined || simulation.epos === null || simulation.account.epos === undefined) return null;
    return {
      simulator: simulation.epos,
      merchantName: simulation.account.tradingName,
      password: simulation.account.epos.password,
    };
  }

  /** Opens a device of the account at the table: a card machine, or without a TID a payer's own device. */
  openDevice({ apiKey }: SimulatedAccount, tid: string | null): DeviceClient {
    const { gatewayAddresses, transport } = this.#service;
    const [address] = gatewayAddresses;
    if (address === undefined) throw new Error('the simulated world has no gateway');
    return new DeviceClient({ address, transport, apiKey, tid });
  }

  /** The client that starts sales of the account by the payments API. Null where the API has no address. */
  openCounterSales({ apiKey, softwareHouseId, currencyCode }: SimulatedAccount): CounterSalesClient | null {
    const { apiUrl } = this.#service;
    return apiUrl === null ? null : new CounterSalesClient({ apiUrl, apiKey, softwareHouseId, currencyCode });
  }

  /** Clears all rules and faults, and restarts the evening. The acquirer's bookings stay. */
  reset(): void {
    this.acquirerSimulator.rules.replaceRules([]);
    this.acquirerSimulator.capabilities.reset();
    for (const { epos, machines } of this.#places.values()) {
      epos?.reset();
      for (const machine of machines) machine.setFaults({});
    }
  }

  /** Closes all connections. */
  stop(): void {
    for (const { account } of this.listAccounts()) this.#stopAccount(account.accountId);
  }

  #createAccountClock(account: SimulatedAccount): AccountClock {
    const { acquirer } = this.acquirerSimulator;
    const accountClock = new AccountClock(this.clock, (byMs) => {
      acquirer.advanceTime(account.merchantId, byMs);
    });
    this.acquirerSimulator.setAccountClock(account, accountClock);
    return accountClock;
  }

  #createMachines({ accountId, apiKey, merchantId }: SimulatedAccount, accountClock: AccountClock): ConnectedMachine[] {
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
          ...{ gatewayAddresses: this.#service.gatewayAddresses, transport: this.#service.transport, accountClock },
        }),
    );
  }

  #createEpos(account: SimulatedAccount, accountClock: AccountClock): EposSimulator {
    const { accountId, apiKey, currencyCode, tradingName, softwareHouseId, epos } = account;
    // Locks and answers of an EPOS end by real time; what it writes has the time of the account.
    const { clock: base } = this;
    const clock: SimulationClock = {
      now: () => base.now(),
      getTimestamp: () => accountClock.getTimestamp(),
      schedule: (simulatedMs, work) => base.schedule(simulatedMs, work),
      scheduleRealTime: (realMs, work) => base.scheduleRealTime(realMs, work),
      toRealMs: (simulatedMs) => base.toRealMs(simulatedMs),
    };
    const { apiUrl } = this.#service;
    const readsIntents = epos?.readsIntents === true && apiUrl !== null;
    return openRestaurantEpos({
      ...{ seed: this.#seed, clock, accountId, currencyCode, merchantName: tradingName },
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
      transport: this.#service.transport,
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
