import { computeOutstanding, type Bill } from '@pos/core/tables';
import { add, isPositive, money, zeroMoney, type Money } from '@pos/core/money';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { Dish } from './menu.js';
import { addDishes, createParty, type Party } from './restaurant-party.js';
import type { Seed } from '../clock/seed.js';

export type TableStatus = 'Available' | 'PendingAvailable' | 'Occupied' | 'NotInUse';

export interface RestaurantTable {
  readonly name: string;
  readonly area: string;
  readonly maxCovers: number;
  readonly status: TableStatus;
}

export interface Waiter {
  readonly id: number;
  readonly name: string;
}

/** A party at a table, or at the counter. */
export interface DiningSession {
  readonly id: string;
  readonly name: string;
  readonly tableName: string | null;
  readonly waiter: Waiter;
  readonly covers: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Null until something is ordered. */
  readonly bill: Bill | null;
}

/** A new party with an order. */
export interface NewDiningSession extends Pick<DiningSession, 'id' | 'name' | 'tableName' | 'covers' | 'bill'> {
  readonly waiter: Waiter | null;
}

const WAITERS: readonly [Waiter, ...Waiter[]] = [
  { id: 1, name: 'Maya' },
  { id: 2, name: 'Tom' },
  { id: 3, name: 'Ines' },
  { id: 4, name: 'Callum' },
];

const TABLES: readonly Omit<RestaurantTable, 'status'>[] = [
  ...createTables('Main room', { prefix: '', count: 8, maxCovers: 4 }),
  ...createTables('Terrace', { prefix: 'T', count: 4, maxCovers: 2 }),
  ...createTables('Upstairs', { prefix: 'U', count: 4, maxCovers: 6 }),
];
const CLOSED_TABLE = 'U4';
const PAYABLE_PARTY_COUNT = 9;
const FINISHED_SESSIONS_MAX = 1_000;

/**
 * A small restaurant that is always busy: when a party has paid, the next one arrives and orders. Its state follows
 * from the seed, the account and the order of the operations.
 */
export class Restaurant {
  readonly currencyCode: string;
  readonly #seed: Seed;
  readonly #accountId: string;
  readonly #clock: SimulationClock;
  readonly #sessions = new Map<string, DiningSession>();
  #arrivals = 0;
  #tables: RestaurantTable[] = [];

  constructor(parts: { seed: Seed; accountId: string; currencyCode: string; clock: SimulationClock }) {
    this.#seed = parts.seed;
    this.#accountId = parts.accountId;
    this.currencyCode = parts.currencyCode;
    this.#clock = parts.clock;
    this.reopen();
  }

  /** Restarts the evening with the same parties as at first. */
  reopen(): void {
    this.#sessions.clear();
    this.#arrivals = 0;
    this.#tables = TABLES.map((table) => ({
      ...table,
      status: table.name === CLOSED_TABLE ? 'NotInUse' : 'Available',
    }));
    for (let party = 0; party < PAYABLE_PARTY_COUNT; party += 1)
      this.#createSession({ isAtCounter: false, hasOrdered: true });
    this.#createSession({ isAtCounter: true, hasOrdered: true });
    this.#createSession({ isAtCounter: false, hasOrdered: false });
    this.#payAndFinish(this.#createSession({ isAtCounter: false, hasOrdered: true }));
  }

  /** The stored state of the evening. */
  getState() {
    return {
      currencyCode: this.currencyCode,
      arrivals: this.#arrivals,
      tables: this.#tables,
      sessions: this.sessions(),
    };
  }

  /** Continues a stored evening. Throws for another currency: its amounts would have another meaning. */
  restore({ currencyCode, arrivals, tables, sessions }: ReturnType<Restaurant['getState']>): void {
    if (currencyCode !== this.currencyCode) {
      throw new Error(`its amounts are in ${currencyCode}, and the restaurant is now in ${this.currencyCode}`);
    }
    this.#arrivals = arrivals;
    this.#tables = tables;
    this.#sessions.clear();
    for (const session of sessions) this.#storeSession(session);
  }

  sessions(): DiningSession[] {
    return [...this.#sessions.values()];
  }

  findSession(sessionId: string): DiningSession | null {
    return this.#sessions.get(sessionId.toLowerCase()) ?? null;
  }

  tables(): readonly RestaurantTable[] {
    return this.#tables;
  }

  findWaiter(id: number): Waiter | null {
    return WAITERS.find((waiter) => waiter.id === id) ?? null;
  }

  /** Adds a payment to a bill. When the bill is paid, the next party arrives. */
  addPayment(session: DiningSession, amount: Money): DiningSession {
    if (session.bill === null) return session;
    const bill = { ...session.bill, paid: add(session.bill.paid, amount) };
    const paid = this.#storeSession({ ...session, bill });
    if (!isPositive(computeOutstanding(bill)))
      this.#createSession({ isAtCounter: this.#findFreeTable() === null, hasOrdered: true });
    return paid;
  }

  /** The party orders more. */
  addCourse(session: DiningSession, dishes: readonly Dish[]): DiningSession {
    const bill = getBillOrEmpty(session, this.currencyCode);
    return this.#storeSession({ ...session, bill: addDishes(bill, dishes, this.#clock.getTimestamp()) });
  }

  /** The party leaves, if it has paid; its table is cleared when the next party leaves. */
  finishIfPaid(session: DiningSession): DiningSession {
    const isPaid = session.bill !== null && !isPositive(computeOutstanding(session.bill));
    if (!isPaid || session.finishedAt !== null) return session;
    this.#tables = this.#tables.map((table) => {
      if (table.name === session.tableName) return { ...table, status: 'PendingAvailable' };
      return table.status === 'PendingAvailable' ? { ...table, status: 'Available' } : table;
    });
    const finished = this.#storeSession({ ...session, finishedAt: this.#clock.getTimestamp() });
    this.#deleteOldest();
    return finished;
  }

  /** Adds a party whose order is not drawn from the seed. A free table becomes occupied. */
  addSession(newSession: NewDiningSession): DiningSession {
    if (newSession.tableName !== null) this.setTableStatus([newSession.tableName], 'Occupied');
    const waiter = newSession.waiter ?? WAITERS[0];
    return this.#storeSession({ ...newSession, waiter, createdAt: this.#clock.getTimestamp(), finishedAt: null });
  }

  /** The party leaves without paying; another takes its place. */
  abandonSession(session: DiningSession): DiningSession {
    if (session.finishedAt !== null) return session;
    const abandoned = this.#storeSession({ ...session, finishedAt: this.#clock.getTimestamp() });
    if (session.tableName !== null) this.setTableStatus([session.tableName], 'PendingAvailable');
    this.#createSession({ isAtCounter: this.#findFreeTable() === null, hasOrdered: true });
    return abandoned;
  }

  /** The staff mark tables by hand; a closed table stays closed. */
  setTableStatus(names: readonly string[], status: TableStatus): void {
    this.#tables = this.#tables.map((table) =>
      names.includes(table.name) && table.status !== 'NotInUse' ? { ...table, status } : table,
    );
  }

  #payAndFinish(session: DiningSession): void {
    if (session.bill === null) return;
    this.finishIfPaid(this.#storeSession({ ...session, bill: { ...session.bill, paid: session.bill.total } }));
  }

  #createSession({ isAtCounter, hasOrdered }: { isAtCounter: boolean; hasOrdered: boolean }): DiningSession {
    this.#arrivals += 1;
    const random = this.#seed.createRandom('party', this.#accountId, this.#arrivals);
    const now = this.#clock.getTimestamp();
    const party = createParty(random, this.currencyCode, now);
    const table = isAtCounter ? null : this.#findFreeTable();
    if (table !== null) {
      this.#tables = this.#tables.map((each) => (each === table ? { ...each, status: 'Occupied' } : each));
    }
    const id = this.#seed.deriveUuid('session', this.#accountId, this.#arrivals);
    return this.#storeSession({
      id,
      name: table === null ? `Takeaway ${this.#arrivals}` : party.guestName,
      tableName: table?.name ?? null,
      waiter: random.pickElement(WAITERS),
      covers: party.covers,
      createdAt: new Date(now.getTime() - party.seatedMinutesAgo * 60_000),
      finishedAt: null,
      bill: hasOrdered ? createBill(id, party) : null,
    });
  }

  #findFreeTable(): RestaurantTable | null {
    return this.#tables.find(({ status }) => status === 'Available') ?? null;
  }

  #storeSession(session: DiningSession): DiningSession {
    this.#sessions.set(session.id, session);
    return session;
  }

  #deleteOldest(): void {
    const finished = this.sessions().filter(({ finishedAt }) => finishedAt !== null);
    const oldest = finished.length > FINISHED_SESSIONS_MAX ? finished[0] : undefined;
    if (oldest !== undefined) this.#sessions.delete(oldest.id);
  }
}

/** Whether the session can be paid now. */
export function isPayable(session: DiningSession): boolean {
  return session.finishedAt === null && session.bill !== null && isPositive(computeOutstanding(session.bill));
}

/** What a session owes; zero until something is ordered. */
export function getBillOrEmpty(session: DiningSession, currencyCode: string): Bill {
  const zeroAmount = zeroMoney(currencyCode);
  return (
    session.bill ?? {
      sessionId: session.id,
      ...{ total: zeroAmount, paid: zeroAmount, tax: zeroAmount },
      ...{ serviceCharge: null, items: [], note: null },
    }
  );
}

function createBill(sessionId: string, { total, tax, serviceCharge, items }: Party): Bill {
  return { sessionId, total, tax, serviceCharge, items, paid: money(0, total.currencyCode), note: null };
}

function createTables(
  area: string,
  { prefix, count, maxCovers }: { prefix: string; count: number; maxCovers: number },
): Omit<RestaurantTable, 'status'>[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index + 1}`, area, maxCovers }));
}
