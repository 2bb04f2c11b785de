/** A value of JSON that holds no others, and the way to it from the outside. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  /** The name of the member that it is, or that holds the list that it stands in. */
  readonly name: string;
  readonly value: unknown;
}

/** Every text, number and word within JSON, however deep, in its order. */
export function leavesOf(value: unknown, path: Leaf['path'] = [], name = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((each, place) => leavesOf(each, [...path, place], name));
  if (typeof value !== 'object' || value === null) return [{ path, name, value }];
  return Object.entries(value).flatMap(([member, each]) => leavesOf(each, [...path, member], member));
}
