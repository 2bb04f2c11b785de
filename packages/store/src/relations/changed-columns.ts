import { assert } from '@pos/core/refusals';

/**
 * Columns that are written only if one of them has changed, in groups that change together: an update then has few
 * texts. A column in no group is always written.
 */
export type ColumnGroups<Row> = readonly (readonly (keyof Row & string)[])[];

/**
 * The columns to write of a row that was read as `before`; both states name the same version. A value of JSON counts
 * as unchanged only if it is the same object.
 */
export function selectChangedColumns<Row extends { readonly version: number }>(
  groups: ColumnGroups<Row>,
  before: Row,
  after: Row,
): Partial<Row> {
  assert(before.version === after.version, 'a change of another version than the one that was read');
  const changed: Partial<Row> = { ...after };
  for (const group of groups) {
    if (group.every((key) => isSameValue(before[key], after[key]))) for (const key of group) changed[key] = undefined;
  }
  return changed;
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}
