import { JsonEdgeError, type JsonKind } from './json-kind.js';

/** A JSON object as it is parsed or about to be written. */
export type JsonObject = Record<string, unknown>;

/** How one message is written and read. A shape is itself a kind, so messages nest. */
export interface JsonShape<T> extends JsonKind<T> {
  readonly name: string;
  write(message: T, at: string): JsonObject;
}

/** Where a field is read from or written to: the JSON object, the field's lowerCamel name, and the object's path. */
export interface JsonPlace {
  readonly json: JsonObject;
  readonly key: string;
  readonly at: string;
}

/** How one field of a message finds its place among the members of a JSON object. */
export interface JsonMember<V> {
  read(place: JsonPlace): V;
  write(value: V, place: JsonPlace): void;
}

/** One row for each field of a message: a field added to the contract does not compile until it has a row. */
export type JsonMembers<T> = { readonly [K in keyof Required<T>]: JsonMember<T[K]> };

/**
 * Declares how a message is written and read. `contradiction` knows what no single member can: it names what in a
 * message cannot be together, or is null; it is asked before writing and after reading.
 */
export function shape<T extends object>(
  name: string,
  members: JsonMembers<T>,
  contradiction: (message: T) => string | null = () => null,
): JsonShape<T> {
  const keys = Object.keys(members) as (keyof T & string)[];
  const check = (message: T, at: string): void => {
    const problem = contradiction(message);
    if (problem !== null) throw new JsonEdgeError(at, problem);
  };
  return {
    name,
    read(json, at) {
      if (!isObject(json)) throw new JsonEdgeError(at, 'is not an object');
      const message: Partial<T> = {};
      for (const key of keys) {
        const value = members[key].read({ json, key, at });
        if (value !== undefined) message[key] = value;
      }
      // Every key of T was read above: JsonMembers has a row for each.
      const whole = message as T;
      check(whole, at);
      return whole;
    },
    write(message, at) {
      check(message, at);
      const json: JsonObject = {};
      for (const key of keys) members[key].write(message[key], { json, key, at });
      return json;
    },
  };
}

/** The path of a member below `at`. */
export function memberPath(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
