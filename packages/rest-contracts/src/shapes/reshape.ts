import { z } from 'zod';

/** Members of a request object under their documented names, before their values are read. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * The result of a reshape: the members, and the members that contradict each other (path within the object: message).
 */
export interface ReshapedBody {
  readonly members: Members;
  readonly conflicts: readonly { readonly path: readonly string[]; readonly message: string }[];
  /** Members that are read in another place than they were sent; both paths are within the object. */
  readonly origins?: readonly MemberOrigin<readonly string[]>[];
}

/** Where a member was sent and where it is read. Violations are named by the place of the caller. */
export interface MemberOrigin<Path> {
  readonly sentAs: Path;
  readonly readAs: Path;
}

/** Other spellings of one object: further accepted names, and their conversion to the documented ones. */
export interface Reshape {
  /** Names that are read beside those of the schema; they are case-insensitive too. */
  readonly names: readonly string[];
  readonly reshape: (members: Members) => ReshapedBody;
}

/**
 * The object schemas that accept other shapes. Kept beside the schemas, because the document describes one shape only.
 */
export const RESHAPES = z.registry<Reshape>();

/** A further name for a member. Both with different values are refused; the documented one is kept. */
export function reshapeSynonym(documented: string, other: string): Reshape {
  return reshapeMovedMember({ from: other, into: [documented] });
}

/** A member that is read under another name, in another place or with another value. */
export function reshapeMovedMember({
  from,
  into,
  value = (sent) => sent,
}: {
  from: string;
  into: readonly string[];
  value?: (sent: unknown) => unknown;
}): Reshape {
  return {
    names: [from],
    reshape: (members) => {
      const { [from]: sent, ...rest } = members;
      if (sent === undefined || sent === null) return { members: rest, conflicts: [] };
      const wanted = value(sent);
      return wanted === undefined ? { members: rest, conflicts: [] } : setMember(rest, { from, into, value: wanted });
    },
  };
}

/** Applies one reshape after another. */
export function applyInTurn(...reshapes: readonly Reshape[]): Reshape {
  return {
    names: reshapes.flatMap(({ names }) => names),
    reshape: (members) =>
      reshapes.reduce<ReshapedBody>((made, { reshape }) => applyInSequence(made, reshape(made.members)), {
        members,
        conflicts: [],
      }),
  };
}

/** The result of two reshapes, the second applied to the result of the first. */
export function applyInSequence(first: ReshapedBody, next: ReshapedBody): ReshapedBody {
  return {
    members: next.members,
    conflicts: [...first.conflicts, ...next.conflicts],
    origins: [...(first.origins ?? []), ...(next.origins ?? [])],
  };
}

/** Moves the value of a member to another path, unless that path has a value already. */
export function setMember(
  members: Members,
  { from, into, value }: { readonly from: string; readonly into: readonly string[]; readonly value: unknown },
): ReshapedBody {
  const made = setMemberAt(members, into, value);
  // A member that was sent in both places is named by the documented one.
  if (made.conflicts.length > 0 || !isAbsent(getMember(members, into))) return made;
  return { ...made, origins: [{ sentAs: [from], readAs: into }] };
}

/** The value at a path, whose names are case-insensitive; undefined when there is none. */
export function getMember(members: unknown, [name, ...deeper]: readonly string[]): unknown {
  if (name === undefined || !isMembers(members)) return name === undefined ? members : undefined;
  const sentName = Object.keys(members).find((each) => each.toLowerCase() === name.toLowerCase());
  return sentName === undefined ? undefined : getMember(members[sentName], deeper);
}

function setMemberAt(members: Members, path: readonly string[], value: unknown): ReshapedBody {
  const [name, ...deeper] = path;
  if (name === undefined) return { members, conflicts: [] };
  // `details.Sale` is the same member as `details.sale`.
  const sentName = Object.keys(members).find((each) => each.toLowerCase() === name.toLowerCase()) ?? name;
  const there = members[sentName];
  if (deeper.length > 0 && (isMembers(there) || isAbsent(there))) {
    const inner = setMemberAt(isMembers(there) ? there : {}, deeper, value);
    return {
      members: { ...members, [sentName]: inner.members },
      conflicts: inner.conflicts.map(({ path: at, message }) => ({ path: [name, ...at], message })),
    };
  }
  if (isAbsent(there)) return { members: { ...members, [sentName]: value }, conflicts: [] };
  if (isSame(there, value)) return { members, conflicts: [] };
  return { members, conflicts: [{ path, message: 'Is sent twice with different values.' }] };
}

/** An object of JSON: neither null nor a list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** `"1000"` and `1000` are equal, and so are two objects whose members have another order or spelling. */
export function isSame(first: unknown, second: unknown): boolean {
  if (isMembers(first) && isMembers(second)) {
    const [one, other] = [toLowerCaseKeys(first), toLowerCaseKeys(second)];
    const names = new Set([...one.keys(), ...other.keys()]);
    return [...names].every((name) => isSame(one.get(name), other.get(name)));
  }
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, place) => isSame(item, second[place]));
  }
  if (isScalar(first) && isScalar(second)) return String(first) === String(second);
  return isAbsent(first) && isAbsent(second);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A map, because an object inherits members such as `constructor`. */
function toLowerCaseKeys(members: Members): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
}
