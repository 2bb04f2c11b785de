import { AccountClock } from './account-clock.js';
import { Acquirer } from './acquirer.js';
import { AcquirerBooks, type Journal } from './acquirer-books.js';
import { AcquirerDoor } from './acquirer-door.js';
import { AcquirerRules } from './acquirer-rules.js';
import type { WorldClock } from './clock.js';
import type { EposDoor } from './epos-door.js';
import type { DialledEpos } from './epos-grpc-server.js';
import { openHouse } from './epos-house.js';
import { dataSocketOf, tablesSocketOf } from './epos-socket-clients.js';
import { EposStreamClient } from './epos-stream-client.js';
import { readIntentsAt } from './intent-reader.js';
import { ConnectedMachine } from './machine-connection.js';
import { MACHINE_MODELS } from './machine-play.js';
import type { Seed } from './seed.js';
import type { StandingSocket } from './standing-socket.js';

/** An account as the outside world knows it. */
export interface WorldAccount {
  readonly accountId: string;
  /** What its machines and its EPOS show to the gateway. */
  readonly apiKey: string;
  readonly merchantId: string;
  readonly tradingName: string;
  readonly currencyCode: string;
  readonly softwareHouseId: string;
  readonly hasMachines: boolean;
  readonly amountTriggers: boolean;
  readonly epos?: WorldEpos | undefined;
}

/** How an account's EPOS is reached: it can always be dialled, and opens the connections that it is told to. */
export interface WorldEpos {
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
export interface Service {
  /** `host:port` of the gRPC side of each gateway; the next when one fails. */
  readonly gatewayAddresses: readonly string[];
  /** `ws://host:port` of each gateway. */
  readonly gatewayUrls: readonly string[];
  /** Null: no EPOS can read a payment back. */
  readonly apiUrl: string | null;
}

/** What stands in the world for one account. */
export interface WorldPlace {
  readonly account: WorldAccount;
  readonly machines: readonly ConnectedMachine[];
  readonly epos: EposDoor | null;
  readonly eposStream: EposStreamClient | null;
  /** The sockets that it opens; the EPOS answers on all of them. */
  readonly eposSockets: readonly StandingSocket[];
}

/** An acquirer with the books of its journal, and nothing that goes wrong there yet. */
export function openAcquirer({
  seed,
  clock,
  journal,
}: {
  readonly seed: Seed;
  readonly clock: WorldClock;
  readonly journal: Journal;
}): AcquirerDoor {
  const acquirer = new Acquirer({ books: new AcquirerBooks(journal), clock, seed });
  return new AcquirerDoor({ acquirer, rules: new AcquirerRules(), clock });
}

/** Everything outside the service: one acquirer, and the machines and the EPOS of every account. */
export class World {
  readonly acquirer: AcquirerDoor;
  readonly clock: WorldClock;
  readonly #seed: Seed;
  readonly #service: Service;
  readonly #eposStateFolder: string | null;
  readonly #places = new Map<string, WorldPlace>();

  constructor(parts: {
    readonly seed: Seed;
    readonly clock: WorldClock;
    readonly journal: Journal;
    readonly service: Service;
    /** The acquirer of another world; left out: this one has its own. */
    readonly acquirer?: AcquirerDoor;
    /** Folder in which EPOSes keep what they know over a restart; left out, or null: they forget. */
    readonly eposStateFolder?: string | null;
  }) {
    const { seed, clock, journal, eposStateFolder = null } = parts;
    this.clock = clock;
    this.#seed = seed;
    this.#service = parts.service;
    this.#eposStateFolder = eposStateFolder;
    this.acquirer = parts.acquirer ?? openAcquirer({ seed, clock, journal });
  }

  /**
   * Gives an account its machines and its EPOS; what it had before goes away, but for what its EPOS keeps in a file.
   * Throws when that file cannot be read.
   */
  provision(account: WorldAccount): WorldPlace {
    this.#remove(account.accountId);
    this.acquirer.acquirer.setAmountTriggers(account.merchantId, account.amountTriggers);
    const machines = account.hasMachines ? this.#machinesOf(account) : [];
    const epos = account.epos === undefined ? null : this.#eposOf(account);
    const eposStream = epos !== null && account.epos?.dialsIn === true ? this.#eposStreamOf(account, epos) : null;
    const eposSockets = epos === null ? [] : this.#eposSocketsOf(account, epos);
    const place = { account, machines, epos, eposStream, eposSockets };
    this.#places.set(account.accountId, place);
    for (const machine of machines) machine.start();
    for (const line of [eposStream, ...eposSockets]) line?.start();
    return place;
  }

  /** Takes an account out of the world: its machines and its EPOS hang up for good. */
  dismiss(accountId: string): void {
    this.#remove(accountId);
  }

  find(accountId: string): WorldPlace | null {
    return this.#places.get(accountId) ?? null;
  }

  places(): WorldPlace[] {
    return [...this.#places.values()];
  }

  /** The EPOS that this user name of a dialled call belongs to. */
  findDialledEpos(username: string): DialledEpos | null {
    const place = this.places().find(({ account }) => account.epos?.username === username);
    if (place === undefined || place.epos === null || place.account.epos === undefined) return null;
    return { door: place.epos, merchantName: place.account.tradingName, password: place.account.epos.password };
  }

  /** Clears all rules and faults, and begins the evening anew. What the acquirer booked stays booked. */
  reset(): void {
    this.acquirer.rules.replace([]);
    for (const { epos, machines } of this.#places.values()) {
      epos?.reset();
      for (const machine of machines) machine.setFaults({});
    }
  }

  /** Hangs up everywhere. */
  stop(): void {
    for (const { account } of this.places()) this.#remove(account.accountId);
  }

  #machinesOf({ accountId, apiKey, merchantId }: WorldAccount): ConnectedMachine[] {
    const accountClock = new AccountClock(this.clock, (byMs) => {
      this.acquirer.acquirer.advance(merchantId, byMs);
    });
    return MACHINE_MODELS.map(
      (model) =>
        new ConnectedMachine({
          ...{ model, accountId, apiKey, merchantId, door: this.acquirer, clock: this.clock, seed: this.#seed },
          ...{ gatewayAddresses: this.#service.gatewayAddresses, accountClock },
        }),
    );
  }

  #eposOf({ accountId, apiKey, currencyCode, tradingName, softwareHouseId, epos }: WorldAccount): EposDoor {
    const { apiUrl } = this.#service;
    const readsIntents = epos?.readsIntents === true && apiUrl !== null;
    return openHouse({
      ...{ seed: this.#seed, clock: this.clock, accountId, currencyCode, merchantName: tradingName },
      needsLocks: epos?.needsLocks ?? false,
      stateFolder: this.#eposStateFolder,
      readIntent: readsIntents ? readIntentsAt(apiUrl, { apiKey, softwareHouseId }) : null,
    });
  }

  #eposStreamOf(account: WorldAccount, door: EposDoor): EposStreamClient {
    const { gatewayAddresses } = this.#service;
    return new EposStreamClient({ ...this.#eposPlaceOf(account, door), gatewayAddresses });
  }

  #eposSocketsOf(account: WorldAccount, door: EposDoor): StandingSocket[] {
    const place = { ...this.#eposPlaceOf(account, door), gatewayUrls: this.#service.gatewayUrls };
    const kinds = new Set(account.epos?.sockets);
    return [
      ...(kinds.has('ws') ? [dataSocketOf(place)] : []),
      ...(kinds.has('tables-ws') ? [tablesSocketOf(place)] : []),
    ];
  }

  #eposPlaceOf({ accountId, apiKey, softwareHouseId, tradingName }: WorldAccount, door: EposDoor) {
    const { clock } = this;
    return { door, accountId, apiKey, softwareHouseId, merchantName: tradingName, clock, seed: this.#seed };
  }

  #remove(accountId: string): void {
    const place = this.#places.get(accountId);
    if (place === undefined) return;
    for (const machine of place.machines) machine.stop();
    for (const line of [place.eposStream, ...place.eposSockets]) line?.stop();
    this.#places.delete(accountId);
  }
}
