import type { Scope } from '@pos/core/identity';
import type { EposOrder, EposTable } from '@pos/rest-contracts/epos-data-orders';
import type { OrderBook } from './order-book.js';
import type { Got, OrderCalls } from './order-calls.js';
import type { OrderMemory } from './order-memory.js';
import { allPages } from './order-pages.js';
import { type OrderPlace, tableNameOf } from './order-session.js';

/** So many parties are read for one list; the others for the next one. */
const COVERS_READ_MAX = 16;

/** An order with what is known of it beside itself. */
export interface PlacedOrder {
  readonly order: EposOrder;
  readonly place: OrderPlace;
}

/** What is known of orders beside themselves: the sessions that they are, and the tables and guests that they are shown with. */
export class OrderPlaces {
  constructor(
    private readonly parts: {
      readonly book: OrderBook;
      /** Null: nothing is remembered, and everything is read. */
      readonly memory: OrderMemory | null;
      readonly calls: OrderCalls;
      readonly scope: Scope;
    },
  ) {}

  /** The orders as sessions and no more, as bills need them. One without an id cannot be asked for again and is left out. */
  async bare(orders: readonly EposOrder[]): Promise<PlacedOrder[]> {
    const idOf = new Map(orders.flatMap((order) => (order.id === undefined ? [] : [[order, order.id] as const])));
    const sessions = await this.parts.book.sessionsOf(this.parts.scope, [...idOf.values()]);
    return [...idOf].flatMap(([order, orderId]) => {
      const session = sessions.get(orderId);
      return session === undefined ? [] : [{ order, place: { ...session, tableName: null, covers: null } }];
    });
  }

  /** The orders as they are shown in a list: with the names of their tables and how many guests they have. */
  async shown(orders: readonly EposOrder[]): Promise<PlacedOrder[]> {
    const isAtTable = orders.some(({ details }) => details.dineIn?.tableId !== undefined);
    const tables = isAtTable ? await this.tables() : { value: [] };
    const names = new Map(('value' in tables ? tables.value : []).map(({ id, name }) => [id, name]));
    const covers = await this.#covers(orders);
    return (await this.bare(orders)).map(({ order, place }) => {
      const { tableId, partyId } = order.details.dineIn ?? {};
      const tableName = tableId === undefined ? null : tableNameOf(names.get(tableId) ?? tableId);
      return { order, place: { ...place, tableName, covers: covers.get(partyId ?? '') ?? null } };
    });
  }

  /** The tables as they were a moment ago; none where the EPOS has none to search. */
  tables(): Promise<Got<readonly EposTable[]>> {
    const { memory, scope } = this.parts;
    const read = () => this.tablesNow();
    return memory === null ? read() : memory.tables(scope, read);
  }

  /** The tables as they are. */
  async tablesNow(): Promise<Got<EposTable[]>> {
    const { calls } = this.parts;
    if (!calls.can('SearchTables')) return { value: [] };
    return allPages((cursor) => calls.get('SearchTables', { cursor }, 'session'));
  }

  orders(search: Readonly<Record<string, unknown>>): Promise<Got<EposOrder[]>> {
    return allPages((cursor) => this.parts.calls.get('SearchOrders', { ...search, cursor }, 'session'));
  }

  /** How many guests each party has, as far as the EPOS tells; a long list is not held up for it. */
  async #covers(orders: readonly EposOrder[]): Promise<ReadonlyMap<string, number>> {
    const { calls, memory, scope } = this.parts;
    if (!calls.can('GetPartyById')) return new Map();
    const parties = [...new Set(orders.flatMap(({ details }) => details.dineIn?.partyId ?? []))];
    const known = new Map(parties.map((partyId) => [partyId, memory?.covers(scope, partyId) ?? null]));
    const unknown = parties.filter((partyId) => known.get(partyId) === null).slice(0, COVERS_READ_MAX);
    const note = memory?.noting(scope);
    const read = await Promise.all(
      unknown.map(async (partyId) => {
        const got = await calls.get('GetPartyById', { partyId }, 'session');
        if (!('value' in got)) return [partyId, null] as const;
        note?.(partyId, got.value.covers ?? null);
        return [partyId, got.value.covers ?? null] as const;
      }),
    );
    const all = [...[...known].map(([partyId, found]) => [partyId, found?.value ?? null] as const), ...read];
    return new Map(all.flatMap(([partyId, covers]) => (covers === null ? [] : [[partyId, covers] as const])));
  }
}
