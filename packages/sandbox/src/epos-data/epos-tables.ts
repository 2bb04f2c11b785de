import type { EposArea, EposTable, TableSearch } from '@pos/rest-contracts/epos-data';
import { buildPage, type CursorPage } from './cursor-page.js';
import type { Restaurant, RestaurantTable } from '../restaurant/restaurant.js';

/** The waiters of each area. */
const WAITER_IDS_BY_AREA: ReadonlyMap<string, readonly string[]> = new Map([
  ['Main room', ['1', '2']],
  ['Terrace', ['3']],
  ['Upstairs', ['4']],
]);

/** The id of a table in the EPOS Data API. It differs from the name, as in most EPOSes. */
export function buildTableId(name: string): string {
  return `t-${name}`;
}

/** The table with this id, or null. */
export function findTable(restaurant: Restaurant, tableId: string): RestaurantTable | null {
  return restaurant.tables().find(({ name }) => buildTableId(name) === tableId) ?? null;
}

export function listAreas(restaurant: Restaurant): EposArea[] {
  const names = [...new Set(restaurant.tables().map(({ area }) => area))];
  return names.map((name) => ({ id: buildAreaId(name), name, waiterIds: listWaiterIds(name) }));
}

export function searchTables(restaurant: Restaurant, { areaId, waiterId, cursor }: TableSearch): CursorPage<EposTable> {
  const tables = restaurant.tables().map(({ name, area, maxCovers }) => ({
    ...{ id: buildTableId(name), name, maxCovers },
    areaId: buildAreaId(area),
    waiterIds: listWaiterIds(area),
  }));
  return buildPage(tables, {
    idOf: ({ id }) => id,
    matches: (table) =>
      (areaId === undefined || table.areaId === areaId) &&
      (waiterId === undefined || table.waiterIds.includes(waiterId)),
    cursor,
  });
}

function buildAreaId(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function listWaiterIds(area: string): string[] {
  return [...(WAITER_IDS_BY_AREA.get(area) ?? [])];
}
