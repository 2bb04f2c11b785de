import { z } from 'zod';
import type { MemberContradiction } from '../shapes/normal-form.js';
import { isMembers, type Members } from '../shapes/reshape.js';
import { changesAfter } from './version-changes.js';
import { LATEST_RELEASE, type Release, type VersionChange } from './versions.js';

/** The effect of a change on the members of one shape. */
type ShapeRewrite = (members: Members, contradict: (found: MemberContradiction) => void) => Members;
type RewriteWalk = (value: unknown, place: RewriteContext) => unknown;

interface RewriteContext {
  readonly path: readonly (string | number)[];
  readonly contradictions: MemberContradiction[];
}

/** An answer of this schema in the form of a release. The newest release gets it unchanged. */
export function toOlderShape(schema: z.ZodType, value: unknown, release: Release): unknown {
  const walk = createWalk(schema, 'writes', release);
  return walk === null ? value : walk(value, { path: [], contradictions: [] });
}

/** A body of this schema, in its documented form, as the newest release would send it. */
export function toLatestShape(
  schema: z.ZodType,
  value: unknown,
  release: Release,
): { readonly value: unknown; readonly contradictions: readonly MemberContradiction[] } {
  const contradictions: MemberContradiction[] = [];
  const walk = createWalk(schema, 'reads', release);
  return { value: walk === null ? value : walk(value, { path: [], contradictions }), contradictions };
}

const walks = new WeakMap<z.ZodType, Map<string, RewriteWalk | null>>();

/** Created once per schema and release; null where nothing changed. */
function createWalk(schema: z.ZodType, way: 'writes' | 'reads', release: Release): RewriteWalk | null {
  if (release === LATEST_RELEASE) return null;
  const known = walks.get(schema) ?? new Map<string, RewriteWalk | null>();
  walks.set(schema, known);
  const name = `${way} ${release}`;
  const made = known.get(name);
  if (made !== undefined) return made;
  const walk = walkValue(schema, listRewrites(way, changesAfter(release)));
  known.set(name, walk);
  return walk;
}

/** All rewrites by shape, in the order in which the changes are undone or applied. */
function listRewrites(way: 'writes' | 'reads', changes: readonly VersionChange[]): ReadonlyMap<string, ShapeRewrite> {
  const rewrites = new Map<string, ShapeRewrite>();
  for (const change of way === 'writes' ? changes : [...changes].reverse()) {
    for (const [shape, rewrite] of Object.entries(findRewrites(change, way))) {
      const before = rewrites.get(shape);
      rewrites.set(shape, before === undefined ? rewrite : (members, found) => rewrite(before(members, found), found));
    }
  }
  return rewrites;
}

function findRewrites(
  { writes = {}, reads = {} }: VersionChange,
  way: 'writes' | 'reads',
): Record<string, ShapeRewrite> {
  if (way === 'writes') return writes;
  return Object.fromEntries(
    Object.entries(reads).map(([shape, read]): [string, ShapeRewrite] => [
      shape,
      (members, contradict) => {
        const reshaped = read(members);
        reshaped.conflicts.forEach(contradict);
        return reshaped.members;
      },
    ]),
  );
}

/** A walk to every changed shape inside a schema; null when there is none. */
function walkValue(schema: z.core.$ZodType, rewrites: ReadonlyMap<string, ShapeRewrite>): RewriteWalk | null {
  // zod exports the union of its own schema classes; every schema of this package is one of them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return walkValue(def.innerType, rewrites);
  if (def.type === 'pipe') return walkValue(def.in, rewrites);
  if (def.type === 'array') return walkItems(walkValue(def.element, rewrites));
  if (def.type === 'object') return walkMembers(schema, def.shape, rewrites);
  if (def.type === 'union' && def.options.some((option) => walkValue(option, rewrites) !== null)) {
    throw new Error('a change inside one of several shapes: nobody can tell which of them a value is');
  }
  return null;
}

function walkItems(walk: RewriteWalk | null): RewriteWalk | null {
  if (walk === null) return null;
  return (value, { path, contradictions }) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => walk(item, { path: [...path, index], contradictions }))
      : value;
}

function walkMembers(
  schema: z.core.$ZodType,
  shape: Readonly<Record<string, z.core.$ZodType>>,
  rewrites: ReadonlyMap<string, ShapeRewrite>,
): RewriteWalk | null {
  const rewrite = rewrites.get(z.globalRegistry.get(schema)?.id ?? '');
  const inner = Object.entries(shape).flatMap(([name, member]) => {
    const walk = walkValue(member, rewrites);
    return walk === null ? [] : [{ name, walk }];
  });
  if (rewrite === undefined && inner.length === 0) return null;
  return (value, { path, contradictions }) => {
    if (!isMembers(value)) return value;
    const members: Record<string, unknown> = { ...value };
    for (const { name, walk } of inner) {
      if (members[name] !== undefined) members[name] = walk(members[name], { path: [...path, name], contradictions });
    }
    if (rewrite === undefined) return members;
    return rewrite(members, (found) => contradictions.push({ ...found, path: [...path, ...found.path] }));
  };
}
