import type { Scope } from '@pos/core/identity';
import type { EposOrder, EposTable } from '@pos/rest-contracts/epos-data';
import type { OrderSessionDirectory } from './order-session-directory.js';
import type { OrderCallResult, OrderApiClient } from './order-api-client.js';
import type { OrderCache } from './order-cache.js';
import { readAllPages } from './order-pages.js';
import { type OrderSessionDetails, normaliseTableName } from './order-session.js';

/** The number of parties that are read for one list. */
const COVERS_READ_MAX = 16;

/** An order and the further data of its session. */
export interface OrderWithSession {
  readonly order: EposOrder;
  readonly sessionDetails: OrderSessionDetails;
}

/** Reads the further data of orders: their sessions, tables and covers. */
export class OrderSessionReader {
  constructor(
    private readonly parts: {
      readonly sessions: OrderSessionDirectory;
      /** Null: nothing is cached. */
      readonly cache: OrderCache | null;
      readonly calls: OrderApiClient;
      readonly scope: Scope;
    },
  ) {}

  /** The orders with their session ids, for bills. An order without an id is left out. */
  async listSessions(orders: readonly EposOrder[]): Promise<OrderWithSession[]> {
    const idOf = new Map(orders.flatMap((order) => (order.id === undefined ? [] : [[order, order.id] as const])));
    const sessions = await this.parts.sessions.getOrCreateSessions(this.parts.scope, [...idOf.values()]);
    return [...idOf].flatMap(([order, orderId]) => {
      const session = sessions.get(orderId);
      return session === undefined ? [] : [{ order, sessionDetails: { ...session, tableName: null, covers: null } }];
    });
  }

  /** The orders with their session ids, table names and covers, for lists. */
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

  /** The tables, possibly cached; none if the EPOS cannot search them. */
  getTables(): Promise<OrderCallResult<readonly EposTable[]>> {
    const { cache, scope } = this.parts;
    const read = () => this.readTables();
    return cache === null ? read() : cache.getTables(scope, read);
  }

  /** Reads the tables. */
  async readTables(): Promise<OrderCallResult<EposTable[]>> {
    const { calls } = this.parts;
    if (!calls.hasCapability('SearchTables')) return { value: [] };
    return readAllPages((cursor) => calls.callEpos('SearchTables', { cursor }, 'session'));
  }

  /** The orders that a search finds, each once. */
  async orders(search: Readonly<Record<string, unknown>>): Promise<OrderCallResult<EposOrder[]>> {
    const found = await readAllPages((cursor) =>
      this.parts.calls.callEpos('SearchOrders', { ...search, cursor }, 'session'),
    );
    return 'end' in found ? found : { ...found, value: removeRepeats(found.value) };
  }

  /** The covers of each party, as far as they are known; a long list does not wait for them. */
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

/**
 * The orders without repeats. An order that moves between two pages is read twice, and an EPOS that ignores the cursor
 * sends every page again. The later element counts. Orders without an id stay: they are counted as unreadable.
 */
function removeRepeats(orders: readonly EposOrder[]): EposOrder[] {
  const latest = new Map(orders.map((order) => [order.id, order]));
  const seenIds = new Set<string>();
  return orders.flatMap((order) => {
    if (order.id === undefined) return [order];
    if (seenIds.has(order.id)) return [];
    seenIds.add(order.id);
    return [latest.get(order.id) ?? order];
  });
}
