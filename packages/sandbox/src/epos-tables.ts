import type { EposArea, EposTable, TableSearch } from '@pos/rest-contracts/epos-data-orders';
import { pageOf, type Page } from './epos-pages.js';
import type { Restaurant, RestaurantTable } from './restaurant.js';

/** Who serves where. */
const WAITERS_OF_AREAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Main room', ['1', '2']],
  ['Terrace', ['3']],
  ['Upstairs', ['4']],
]);

/** The id of a table in the EPOS Data API: other than its name, as in most EPOSes. */
export function tableIdOf(name: string): string {
  return `t-${name}`;
}

/** The table behind an id, or null. */
export function findTable(restaurant: Restaurant, tableId: string): RestaurantTable | null {
  return restaurant.tables().find(({ name }) => tableIdOf(name) === tableId) ?? null;
}

export function listAreas(restaurant: Restaurant): EposArea[] {
  const names = [...new Set(restaurant.tables().map(({ area }) => area))];
  return names.map((name) => ({ id: areaIdOf(name), name, waiterIds: waitersOf(name) }));
}

export function searchTables(restaurant: Restaurant, { areaId, waiterId, cursor }: TableSearch): Page<EposTable> {
  const tables = restaurant.tables().map(({ name, area, maxCovers }) => ({
    ...{ id: tableIdOf(name), name, maxCovers },
    areaId: areaIdOf(area),
    waiterIds: waitersOf(area),
  }));
  return pageOf(tables, {
    idOf: ({ id }) => id,
    matches: (table) =>
      (areaId === undefined || table.areaId === areaId) &&
      (waiterId === undefined || table.waiterIds.includes(waiterId)),
    cursor,
  });
}

function areaIdOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}

function waitersOf(area: string): string[] {
  return [...(WAITERS_OF_AREAS.get(area) ?? [])];
}
