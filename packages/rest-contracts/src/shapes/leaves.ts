/** A value of JSON that holds no others, and the way to it from the outside. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  /** The name of the member that it is, or that holds the list that it stands in. */
  readonly name: string;
  readonly value: unknown;
}

/** The same on a walk: its path is put together only where somebody asks for it. */
export interface WalkedLeaf extends Omit<Leaf, 'path'> {
  readonly path: () => Leaf['path'];
}

/** Every text, number and word within JSON, however deep, in its order. */
export function listLeaves(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  walkLeaves(value, ({ name, value: each, path }) => leaves.push({ path: path(), name, value: each }));
  return leaves;
}

/** Calls the visitor with each of them, in order. */
export function walkLeaves(value: unknown, visit: (leaf: WalkedLeaf) => void): void {
  walkSchema({ value, name: '', step: '', outer: null }, visit);
}

interface LeafContext {
  readonly value: unknown;
  readonly name: string;
  readonly step: string | number;
  readonly outer: LeafContext | null;
}

function walkSchema(place: LeafContext, visit: (leaf: WalkedLeaf) => void): void {
  const { value, name } = place;
  if (Array.isArray(value)) {
    value.forEach((each: unknown, step) => walkSchema({ value: each, name, step, outer: place }, visit));
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    for (const step of Object.keys(members))
      walkSchema({ value: members[step], name: step, step, outer: place }, visit);
  } else visit({ name, value, path: () => formatPath(place) });
}

function formatPath(place: LeafContext): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at.outer !== null; at = at.outer) path.unshift(at.step);
  return path;
}
