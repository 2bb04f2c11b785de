import { JsonEdgeError, type JsonKind } from './json-kind.js';
import { memberPath, type JsonMember, type JsonPlace } from './json-shape.js';

/** Spellings of a member beside its lowerCamel name and that name in snake_case. */
export interface MemberSpelling {
  /** Written instead of the lowerCamel name. */
  readonly as?: string;
  /** Read as the same. */
  readonly or?: readonly string[];
}

/** A member that must be there, in both directions; 0, false and [] are written too. */
export function required<V>(kind: JsonKind<V>, spelling: MemberSpelling = {}): JsonMember<V> {
  return {
    read(place) {
      const value = read(kind, place, spelling);
      if (value === undefined) throw refuseMissing(place, spelling);
      return value;
    },
    write(value, place) {
      if (!write(kind, value, { ...place, spelling })) throw refuseMissing(place, spelling);
    },
  };
}

/** A required message or time: undefined in the generated types although the contract requires it, but not on the wire. */
export function requiredMessage<V>(kind: JsonKind<V>): JsonMember<V | undefined> {
  return required<V | undefined>({
    read: (json, at) => kind.read(json, at),
    write: (value, at) => (value === undefined ? undefined : kind.write(value, at)),
  });
}

/** A member that may be absent; null reads as absent, and null is never written. */
export function optional<V>(kind: JsonKind<V>, spelling: MemberSpelling = {}): JsonMember<V | undefined> {
  return {
    read: (place) => read(kind, place, spelling),
    write(value, place) {
      if (value !== undefined) write(kind, value, { ...place, spelling });
    },
  };
}

/** An optional member whose proto field has no presence: absent reads as `zero`, and `zero` is left out. */
export function plain<V extends string>(kind: JsonKind<V>, zero: V, spelling: MemberSpelling = {}): JsonMember<V> {
  return {
    read: (place) => read(kind, place, spelling) ?? zero,
    write(value, place) {
      if (value !== zero) write(kind, value, { ...place, spelling });
    },
  };
}

/** A member that is always written, and that reads as `zero` from those who leave it out. */
export function lenient<V>(kind: JsonKind<V>, zero: V): JsonMember<V> {
  return { ...required(kind), read: (place) => read(kind, place, {}) ?? zero };
}

/** An optional list: absent reads as empty, and an empty one is left out. */
export function optionalList<V>(kind: JsonKind<V[]>): JsonMember<V[]> {
  return {
    read: (place) => read(kind, place, {}) ?? [],
    write(value, place) {
      if (value.length > 0) write(kind, value, { ...place, spelling: {} });
    },
  };
}

/**
 * A required enum in an answer. It must be there, but a value that is not known reads as `zero` instead of costing the
 * whole answer; such a value is left out when it is passed on.
 */
export function requiredEnum<E extends string>(kind: JsonKind<E>, zero: E): JsonMember<E> {
  return {
    read(place) {
      if (toMemberJson(place, {}) === undefined) throw refuseMissing(place, {});
      return read(kind, place, {}) ?? zero;
    },
    write(value, place) {
      write(kind, value, { ...place, spelling: {} });
    },
  };
}

/** One case of a oneof and the member that holds it. */
export interface OneofCase<V> {
  readonly kind: JsonKind<V>;
  readonly spelling?: MemberSpelling;
}

/** The shape of a generated oneof. */
export interface Oneof {
  readonly $case: string;
  readonly value: unknown;
}

/** A row for each case of a oneof. */
export type OneofCases<U extends Oneof> = {
  readonly [C in U['$case']]: OneofCase<Extract<U, { readonly $case: C }>['value']>;
};

/** A oneof vanishes in JSON: the case is the member that is there. Two members at once are refused. */
export function oneof<U extends Oneof>(cases: OneofCases<U>): JsonMember<U | undefined> {
  const rows = Object.entries<OneofCase<unknown>>(cases);
  return {
    read({ json, at }) {
      const given = rows.flatMap(([$case, { kind, spelling = {} }]) => {
        const value = read(kind, { json, key: $case, at }, spelling);
        return value === undefined ? [] : [{ $case, value }];
      });
      if (given.length > 1) throw new JsonEdgeError(at, `has both ${given.map((one) => one.$case).join(' and ')}`);
      // Case and value come from the same row of OneofCases<U>, which pairs them by type.
      return given[0] as U | undefined;
    },
    write(value, { json, at }) {
      const row = rows.find(([$case]) => $case === value?.$case);
      if (value === undefined || row === undefined) return;
      const [key, { kind, spelling = {} }] = row;
      write(kind, value.value, { json, key, at, spelling });
    },
  };
}

function read<V>(kind: JsonKind<V>, place: JsonPlace, spelling: MemberSpelling): V | undefined {
  const json = toMemberJson(place, spelling);
  return json === undefined ? undefined : kind.read(json, formatPath(place, spelling));
}

/** Writes the member unless its kind leaves it out; says whether it did. */
function write<V>(kind: JsonKind<V>, value: V, place: JsonPlace & { readonly spelling: MemberSpelling }): boolean {
  const json = kind.write(value, formatPath(place, place.spelling));
  if (json === undefined) return false;
  place.json[place.spelling.as ?? place.key] = json;
  return true;
}

/** The JSON of the member, in either spelling, or undefined. Two spellings must not differ. */
function toMemberJson(place: JsonPlace, { as, or = [] }: MemberSpelling): unknown {
  const { json, key } = place;
  const names = new Set([as ?? key, key, toSnakeCase(key), ...or, ...or.map(toSnakeCase)]);
  const given = [...names].filter((name) => Object.hasOwn(json, name) && (json[name] ?? null) !== null);
  const [first, ...others] = given.map((name) => json[name]);
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
    throw new JsonEdgeError(formatPath(place, { as: as ?? key }), `is given twice, as ${given.join(' and ')}`);
  }
  return first;
}

function refuseMissing(place: JsonPlace, spelling: MemberSpelling): JsonEdgeError {
  return new JsonEdgeError(formatPath(place, spelling), 'is missing');
}

function formatPath({ key, at }: JsonPlace, { as }: MemberSpelling): string {
  return memberPath(at, as ?? key);
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
