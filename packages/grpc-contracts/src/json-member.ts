import { JsonEdgeError, type JsonKind } from './json-kind.js';
import { memberPath, type JsonMember, type JsonObject } from './json-shape.js';

/** Spellings of a member beside its lowerCamel name and that name in snake_case. */
export interface Spelling {
  /** Written instead of the lowerCamel name. */
  readonly as?: string;
  /** Read as the same. */
  readonly or?: readonly string[];
}

/** A member that must be there, in both directions; 0, false and [] are written too. */
export function required<V>(kind: JsonKind<V>, spelling: Spelling = {}): JsonMember<V> {
  return {
    read(from, key, at) {
      const value = readMember(kind, { from, key, at, spelling });
      if (value === undefined) throw new JsonEdgeError(memberPath(at, nameOf(key, spelling)), 'is missing');
      return value;
    },
    write(value, into, key, at) {
      const path = memberPath(at, nameOf(key, spelling));
      const json = kind.write(value, path);
      if (json === undefined) throw new JsonEdgeError(path, 'is missing');
      into[nameOf(key, spelling)] = json;
    },
  };
}

/** A required message or time: undefined in the generated types whatever the contract says, but not on the wire. */
export function requiredMessage<V>(kind: JsonKind<V>): JsonMember<V | undefined> {
  return required<V | undefined>({
    read: (json, at) => kind.read(json, at),
    write: (value, at) => (value === undefined ? undefined : kind.write(value, at)),
  });
}

/** A member that may be absent; null reads as absent, and null is never written. */
export function optional<V>(kind: JsonKind<V>, spelling: Spelling = {}): JsonMember<V | undefined> {
  return {
    read: (from, key, at) => readMember(kind, { from, key, at, spelling }),
    write(value, into, key, at) {
      const json = value === undefined ? undefined : kind.write(value, memberPath(at, nameOf(key, spelling)));
      if (json !== undefined) into[nameOf(key, spelling)] = json;
    },
  };
}

/** An optional member whose proto field has no presence: absent reads as `zero`, and `zero` is left out. */
export function plain<V extends string>(kind: JsonKind<V>, zero: V, spelling: Spelling = {}): JsonMember<V> {
  const member = optional(kind, spelling);
  return {
    read: (from, key, at) => member.read(from, key, at) ?? zero,
    write(value, into, key, at) {
      if (value !== zero) member.write(value, into, key, at);
    },
  };
}

/** A member that is always written, and that reads as `zero` from those who leave it out. */
export function lenient<V>(kind: JsonKind<V>, zero: V): JsonMember<V> {
  const member = required(kind);
  return {
    read: (from, key, at) => readMember(kind, { from, key, at, spelling: {} }) ?? zero,
    write: (value, into, key, at) => {
      member.write(value, into, key, at);
    },
  };
}

/** An optional list: absent reads as empty, and an empty one is left out. */
export function optionalList<V>(kind: JsonKind<V[]>): JsonMember<V[]> {
  const member = optional(kind);
  return {
    read: (from, key, at) => member.read(from, key, at) ?? [],
    write(value, into, key, at) {
      if (value.length > 0) member.write(value, into, key, at);
    },
  };
}

/**
 * A required enum in an answer. It must be there, but a value that is not known reads as `zero` instead of costing the
 * whole answer; such a value is left out when it is passed on.
 */
export function requiredEnum<E extends string>(kind: JsonKind<E>, zero: E): JsonMember<E> {
  return {
    read(from, key, at) {
      const json = jsonOf({ from, key, at, spelling: {} });
      if (json === undefined) throw new JsonEdgeError(memberPath(at, key), 'is missing');
      return kind.read(json, memberPath(at, key)) ?? zero;
    },
    write(value, into, key, at) {
      const json = kind.write(value, memberPath(at, key));
      if (json !== undefined) into[key] = json;
    },
  };
}

/** One case of a oneof and the member that holds it. */
export interface OneofCase<V> {
  readonly kind: JsonKind<V>;
  readonly spelling?: Spelling;
}

type Case = { readonly $case: string; readonly value: unknown };

/** A row for each case of a oneof. */
export type OneofCases<U extends Case> = {
  readonly [C in U['$case']]: OneofCase<Extract<U, { readonly $case: C }>['value']>;
};

/** A oneof vanishes in JSON: the case is the member that is there. Two members at once are refused. */
export function oneof<U extends Case>(cases: OneofCases<U>): JsonMember<U | undefined> {
  const rows = Object.entries<OneofCase<unknown>>(cases);
  return {
    read(from, _key, at) {
      const given = rows.flatMap(([$case, { kind, spelling = {} }]) => {
        const value = readMember(kind, { from, key: $case, at, spelling });
        return value === undefined ? [] : [{ $case, value }];
      });
      if (given.length > 1) throw new JsonEdgeError(at, `has both ${given.map((one) => one.$case).join(' and ')}`);
      // Case and value come from the same row of OneofCases<U>, which pairs them by type.
      return given[0] as U | undefined;
    },
    write(value, into, _key, at) {
      const row = rows.find(([$case]) => $case === value?.$case);
      if (value === undefined || row === undefined) return;
      const [$case, { kind, spelling = {} }] = row;
      optional(kind, spelling).write(value.value, into, $case, at);
    },
  };
}

interface Place {
  readonly from: JsonObject;
  readonly key: string;
  readonly at: string;
  readonly spelling: Spelling;
}

function readMember<V>(kind: JsonKind<V>, place: Place): V | undefined {
  const json = jsonOf(place);
  return json === undefined ? undefined : kind.read(json, memberPath(place.at, nameOf(place.key, place.spelling)));
}

/** The member's JSON in whichever spelling it came, or undefined; two spellings must not disagree. */
function jsonOf({ from, key, at, spelling }: Place): unknown {
  const { or = [] } = spelling;
  const names = [nameOf(key, spelling), key, snake(key), ...or.flatMap((name) => [name, snake(name)])];
  const given = [...new Set(names)].filter((name) => Object.hasOwn(from, name) && from[name] !== null);
  const [first, ...others] = given.map((name) => from[name]);
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first))) {
    throw new JsonEdgeError(memberPath(at, nameOf(key, spelling)), `is given twice, as ${given.join(' and ')}`);
  }
  return first;
}

function nameOf(key: string, { as }: Spelling): string {
  return as ?? key;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
