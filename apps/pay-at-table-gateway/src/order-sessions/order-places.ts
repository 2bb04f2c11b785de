import type { Scope } from '@pos/core/identity/identity';
import type { EposOrder, EposTable } from '@pos/rest-contracts/epos-data/epos-data-orders';
import type { OrderSessions } from './order-book.js';
import type { OrderCallResult, OrderApiClient } from './order-calls.js';
import type { OrderCache } from './order-memory.js';
import { readAllPages } from './order-pages.js';
import { type OrderSessionDetails, normaliseTableName } from './order-session.js';

/** So many parties are read for one list; the others for the next one. */
const COVERS_READ_MAX = 16;

/** An order with what is known of it beside itself. */
export interface OrderWithSession {
  readonly order: EposOrder;
  readonly sessionDetails: OrderSessionDetails;
}

/** The data of orders beside themselves: their sessions, and the tables and covers that they are presented with. */
export class OrderSessionReader {
  constructor(
    private readonly parts: {
      readonly sessions: OrderSessions;
      /** Null: nothing is remembered, and everything is read. */
      readonly cache: OrderCache | null;
      readonly calls: OrderApiClient;
      readonly scope: Scope;
    },
  ) {}

  /** The orders as sessions and no more, as bills need them. One without an id cannot be asked for again and is left out. */
  async listSessions(orders: readonly EposOrder[]): Promise<OrderWithSession[]> {
    const idOf = new Map(orders.flatMap((order) => (order.id === undefined ? [] : [[order, order.id] as const])));
    const sessions = await this.parts.sessions.getOrCreateSessions(this.parts.scope, [...idOf.values()]);
    return [...idOf].flatMap(([order, orderId]) => {
      const session = sessions.get(orderId);
      return session === undefined ? [] : [{ order, sessionDetails: { ...session, tableName: null, covers: null } }];
    });
  }

  /** The orders as they are shown in a list: with the names of their tables and how many payers they have. */
  async listSessionsWithDetails(orders: readonly EposOrder[]): Promise<OrderWithSession[]> {
    const isAtTable = orders.some(({ details }) => details.dineIn?.tableId !== undefined);
    const tables = isAtTable ? await this.getTables() : { value: [] };
    const names = new Map(('value' in tables ? tables.value : []).map(({ id, name }) => [id, name]));
    const covers = await this.#readCovers(orders);
    return (await this.listSessions(orders)).map(({ order, sessionDetails }) => {
      const { tableId, partyId } = order.details.dineIn ?? {};
      const tableName = tableId === undefined ? null : normaliseTableName(names.get(tableId) ?? tableId);
      return { order, sessionDetails: { ...sessionDetails, tableName, covers: covers.get(partyId ?? '') ?? null } };
    });
  }

  /** The tables as they were a moment ago; none where the EPOS has none to search. */
  getTables(): Promise<OrderCallResult<readonly EposTable[]>> {
    const { cache, scope } = this.parts;
    const read = () => this.readTables();
    return cache === null ? read() : cache.getTables(scope, read);
  }

  /** The tables as they are. */
  async readTables(): Promise<OrderCallResult<EposTable[]>> {
    const { calls } = this.parts;
    if (!calls.hasCapability('SearchTables')) return { value: [] };
    return readAllPages((cursor) => calls.callEpos('SearchTables', { cursor }, 'session'));
  }

  orders(search: Readonly<Record<string, unknown>>): Promise<OrderCallResult<EposOrder[]>> {
    return readAllPages((cursor) => this.parts.calls.callEpos('SearchOrders', { ...search, cursor }, 'session'));
  }

  /** How many covers each party has, as far as the EPOS sends it; a long list does not wait for it. */
  async #readCovers(orders: readonly EposOrder[]): Promise<ReadonlyMap<string, number>> {
    const { calls, cache, scope } = this.parts;
    if (!calls.hasCapability('GetPartyById')) return new Map();
    const parties = [...new Set(orders.flatMap(({ details }) => details.dineIn?.partyId ?? []))];
    const cachedCovers = new Map(parties.map((partyId) => [partyId, cache?.findCovers(scope, partyId) ?? null]));
    const missingParties = parties.filter((partyId) => cachedCovers.get(partyId) === null).slice(0, COVERS_READ_MAX);
    const recordCovers = cache?.createCoversRecorder(scope);
    const read = await Promise.all(
      missingParties.map(async (partyId) => {
        const result = await calls.callEpos('GetPartyById', { partyId }, 'session');
        if (!('value' in result)) return [partyId, null] as const;
        recordCovers?.(partyId, result.value.covers ?? null);
        return [partyId, result.value.covers ?? null] as const;
      }),
    );
    const all = [
      ...[...cachedCovers].map(([partyId, cachedEntry]) => [partyId, cachedEntry?.value ?? null] as const),
      ...read,
    ];
    return new Map(all.flatMap(([partyId, covers]) => (covers === null ? [] : [[partyId, covers] as const])));
  }
}
