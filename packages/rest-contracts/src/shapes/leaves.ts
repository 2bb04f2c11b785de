/** A JSON value without values inside, and its path. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  /** The member's name; for an element of a list, the name of the member with the list. */
  readonly name: string;
  readonly value: unknown;
}

/** A leaf during a walk: its path is built only on demand. */
export interface WalkedLeaf extends Omit<Leaf, 'path'> {
  readonly path: () => Leaf['path'];
}

/** Lists every text, number, boolean and null within JSON, at every depth, in order. */
export function listLeaves(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  walkLeaves(value, ({ name, value: each, path }) => leaves.push({ path: path(), name, value: each }));
  return leaves;
}

/** Calls `onLeaf` with each leaf, in order. */
export function walkLeaves(value: unknown, onLeaf: (leaf: WalkedLeaf) => void): void {
  walkSchema({ value, name: '', step: '', outer: null }, onLeaf);
}

interface LeafContext {
  readonly value: unknown;
  readonly name: string;
  readonly step: string | number;
  readonly outer: LeafContext | null;
}

function walkSchema(place: LeafContext, onLeaf: (leaf: WalkedLeaf) => void): void {
  const { value, name } = place;
  if (Array.isArray(value)) {
    value.forEach((each: unknown, step) => walkSchema({ value: each, name, step, outer: place }, onLeaf));
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    for (const step of Object.keys(members))
      walkSchema({ value: members[step], name: step, step, outer: place }, onLeaf);
  } else onLeaf({ name, value, path: () => formatPath(place) });
}

function formatPath(place: LeafContext): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at.outer !== null; at = at.outer) path.unshift(at.step);
  return path;
}
