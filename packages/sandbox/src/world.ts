import { Acquirer } from './acquirer.js';
import { AcquirerBooks, type Journal } from './acquirer-books.js';
import { AcquirerDoor } from './acquirer-door.js';
import { AcquirerRules } from './acquirer-rules.js';
import type { WorldClock } from './clock.js';
import { ReferenceEpos } from './epos.js';
import { EposDoor } from './epos-door.js';
import type { DialledEpos } from './epos-grpc-server.js';
import { EposStreamClient } from './epos-stream-client.js';
import { ConnectedMachine } from './machine-connection.js';
import { MACHINE_MODELS } from './machine-play.js';
import { Restaurant } from './restaurant.js';
import type { Seed } from './seed.js';

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
  readonly epos?: { readonly username: string; readonly password: string; readonly dialsIn: boolean } | undefined;
}

/** What stands in the world for one account. */
export interface WorldPlace {
  readonly account: WorldAccount;
  readonly machines: readonly ConnectedMachine[];
  readonly epos: EposDoor | null;
  readonly eposStream: EposStreamClient | null;
}

/** Everything outside the service: one acquirer, and the machines and the EPOS of every account. */
export class World {
  readonly acquirer: AcquirerDoor;
  readonly clock: WorldClock;
  readonly #seed: Seed;
  readonly #gatewayAddresses: readonly string[];
  readonly #places = new Map<string, WorldPlace>();

  constructor(parts: {
    readonly seed: Seed;
    readonly clock: WorldClock;
    readonly journal: Journal;
    readonly gatewayAddresses: readonly string[];
  }) {
    const { seed, clock, journal } = parts;
    this.clock = clock;
    this.#seed = seed;
    this.#gatewayAddresses = parts.gatewayAddresses;
    const acquirer = new Acquirer({ books: new AcquirerBooks(journal), clock, seed });
    this.acquirer = new AcquirerDoor({ acquirer, rules: new AcquirerRules(), clock });
  }

  /** Gives an account its machines and its EPOS; what it had before goes away. */
  provision(account: WorldAccount): WorldPlace {
    this.#remove(account.accountId);
    this.acquirer.acquirer.setAmountTriggers(account.merchantId, account.amountTriggers);
    const machines = account.hasMachines ? this.#machinesOf(account) : [];
    const epos = account.epos === undefined ? null : this.#eposOf(account);
    const dialsIn = epos !== null && account.epos?.dialsIn === true;
    const eposStream = dialsIn ? this.#eposStreamOf(account, epos) : null;
    const place = { account, machines, epos, eposStream };
    this.#places.set(account.accountId, place);
    for (const machine of machines) machine.start();
    eposStream?.start();
    return place;
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
    return MACHINE_MODELS.map(
      (model) =>
        new ConnectedMachine({
          ...{ model, accountId, apiKey, merchantId, door: this.acquirer, clock: this.clock, seed: this.#seed },
          gatewayAddresses: this.#gatewayAddresses,
        }),
    );
  }

  #eposOf({ accountId, currencyCode }: WorldAccount): EposDoor {
    const { clock } = this;
    const restaurant = new Restaurant({ seed: this.#seed, accountId, currencyCode, clock });
    return new EposDoor({ epos: new ReferenceEpos({ restaurant, clock }), clock });
  }

  #eposStreamOf({ accountId, apiKey, softwareHouseId, tradingName }: WorldAccount, door: EposDoor): EposStreamClient {
    return new EposStreamClient({
      ...{ door, accountId, apiKey, softwareHouseId, clock: this.clock, seed: this.#seed },
      merchantName: tradingName,
      gatewayAddresses: this.#gatewayAddresses,
    });
  }

  #remove(accountId: string): void {
    const place = this.#places.get(accountId);
    if (place === undefined) return;
    for (const machine of place.machines) machine.stop();
    place.eposStream?.stop();
    this.#places.delete(accountId);
  }
}
