import { type ContractModel, readReference } from './contract-model.js';
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from './schema.js';

/** A type as languages with named types express it. */
export type TypeNode =
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'any' }
  /** One of these texts. */
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'object'; readonly name: string }
  | { readonly kind: 'list' | 'map' | 'nullable'; readonly of: TypeNode };

/** An object of the contract with its members. */
export interface ObjectType {
  readonly name: string;
  readonly description: string | undefined;
  readonly members: readonly ObjectMember[];
}

export interface ObjectMember {
  readonly name: string;
  readonly description: string | undefined;
  readonly type: TypeNode;
  readonly isRequired: boolean;
}

/** The types of an operation, in terms of the object types. */
export interface OperationTypeNodes {
  readonly input: TypeNode | null;
  readonly result: TypeNode | null;
  /** What an iterator over the pages of a listing returns. */
  readonly element: TypeNode | null;
}

/** Names every object of the contract, also those that a schema describes on the spot. */
export class ObjectTypes {
  readonly #types = new Map<string, ObjectType>();
  readonly #schemas: ContractModel['schemas'];
  readonly #operations = new Map<string, OperationTypeNodes>();

  constructor({ schemas, operations, events }: ContractModel) {
    this.#schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) if (isObject(schema)) this.#define(name, schema);
    for (const { schema } of events) this.#read(schema, 'WebhookBody');
    for (const { id, body, query, result, pages } of operations) {
      const name = capitalize(id);
      const returned = result === null ? null : this.#read(result, `${name}Result`);
      this.#operations.set(id, {
        input: body === null ? query && this.#read(query, `${name}Query`) : this.#read(body, `${name}Body`),
        ...{ result: returned, element: pages === null ? null : this.#findElement(returned, id) },
      });
    }
  }

  /** All objects, in the order of their names. */
  list(): readonly ObjectType[] {
    return [...this.#types.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  getOperation(id: string): OperationTypeNodes {
    const found = this.#operations.get(id);
    if (found === undefined) throw new Error(`there is no operation ${id}`);
    return found;
  }

  /** The names of the objects that a caller may send. */
  listSent(): ReadonlySet<string> {
    const sent = new Set<string>();
    const visit = (type: TypeNode | null): void => {
      if (type === null) return;
      if ('of' in type) visit(type.of);
      if (type.kind !== 'object' || sent.has(type.name)) return;
      sent.add(type.name);
      for (const member of this.#types.get(type.name)?.members ?? []) visit(member.type);
    };
    for (const { input } of this.#operations.values()) visit(input);
    return sent;
  }

  #findElement(page: TypeNode | null, id: string): TypeNode {
    const type = page?.kind === 'object' ? this.#types.get(page.name) : undefined;
    const data = type?.members.find(({ name }) => name === 'data')?.type;
    if (data?.kind !== 'list') throw new Error(`the pages of ${id} have no list of data`);
    return data.of;
  }

  /** The type of a schema; an object on the spot gets the name. */
  #read(schema: Schema, name: string): TypeNode {
    const reference = readReference(schema);
    if (reference !== null) {
      const target = this.#schemas[reference] ?? {};
      return isObject(target) ? { kind: 'object', name: reference } : this.#read(target, reference);
    }
    const values = schema.enum ?? (schema.const === undefined ? null : [schema.const]);
    if (values !== null) return readChoice(values);
    const options = listOptions(schema);
    if (options !== null) return this.#readOptions(options, name);
    switch (schema.type) {
      case 'string':
        return { kind: 'text' };
      case 'integer':
      case 'number':
      case 'boolean':
        return { kind: schema.type };
      case 'array':
        return { kind: 'list', of: this.#read(schema.items ?? {}, name.replace(/s$/, '')) };
      case 'object':
        return this.#readObject(schema, name);
      case undefined:
        return { kind: 'any' };
      default:
        throw new Error(`the generator does not know the type ${JSON.stringify(schema.type)}`);
    }
  }

  #readOptions(options: readonly Schema[], name: string): TypeNode {
    const others = options.filter(({ type }) => type !== 'null');
    const [first = {}] = others;
    if (others.length < options.length) {
      const of = others.length === 1 ? this.#read(first, name) : { kind: 'any' as const };
      return of.kind === 'any' ? of : { kind: 'nullable', of };
    }
    if (others.length === 1) return this.#read(first, name);
    return others.every(isObject) ? this.#readObject(mergeObjects(others), name) : { kind: 'any' };
  }

  #readObject(schema: Schema, name: string): TypeNode {
    if (!isObject(schema)) {
      const { additionalProperties: value } = schema;
      return { kind: 'map', of: typeof value === 'object' ? this.#read(value, `${name}Value`) : { kind: 'any' } };
    }
    // A schema of the contract keeps its name, so an object on the spot takes another.
    const free = name in this.#schemas ? `${name}Object` : name;
    this.#define(free, schema);
    return { kind: 'object', name: free };
  }

  #define(name: string, schema: Schema): void {
    if (this.#types.has(name)) throw new Error(`two objects have the name ${name}`);
    // Before its members, so that a second object of the name is found.
    this.#types.set(name, { name, description: schema.description, members: [] });
    const { properties = {}, required = [] } = schema.oneOf === undefined ? schema : mergeObjects(schema.oneOf);
    const members = Object.entries(properties)
      .filter(([, { not }]) => not === undefined)
      .map(([member, value]) => ({
        ...{ name: member, description: value.description, isRequired: required.includes(member) },
        type: this.#read(value, `${name}${capitalize(member)}`),
      }));
    this.#types.set(name, { name, description: schema.description, members });
  }
}

function readChoice(values: readonly unknown[]): TypeNode {
  const texts = values.filter((value) => typeof value === 'string');
  if (texts.length === values.length) return { kind: 'choice', values: texts };
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'boolean' };
  throw new Error(`the generator does not know the values ${JSON.stringify(values)}`);
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function isObject({ type, properties, oneOf }: Schema): boolean {
  if (oneOf !== undefined) return oneOf.every(isObject);
  return type === 'object' && Object.keys(properties ?? {}).length > 0;
}

function listOptions({ anyOf, oneOf, allOf, type, ...rest }: Schema): readonly Schema[] | null {
  if (allOf !== undefined) throw new Error('the generator does not know allOf');
  if (Array.isArray(type)) return (type as string[]).map((each) => ({ ...rest, type: each }));
  return anyOf ?? oneOf ?? null;
}

/** One object with the members of all alternatives: required is what all of them require. */
function mergeObjects(alternatives: readonly Schema[]): Schema {
  const names = [...new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const found = alternatives.flatMap((each) => each.properties?.[name] ?? []).filter(({ not }) => not === undefined);
    return [name, mergeMember(name, found)] as const;
  });
  const required = names.filter((name) => alternatives.every((each) => each.required?.includes(name) === true));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function mergeMember(name: string, found: readonly Schema[]): Schema {
  const [first = {}, ...others] = found;
  if (others.every((each) => isDeepStrictEqual(each, first))) return first;
  const values = found.flatMap((each) => each.enum ?? (each.const === undefined ? [] : [each.const]));
  const description = first.description === undefined ? {} : { description: first.description };
  if (found.every((each) => each.enum !== undefined || each.const !== undefined)) {
    return { enum: [...new Set(values)], ...description };
  }
  if (found.every(isObject)) return { ...mergeObjects(found), ...description };
  throw new Error(`the generator cannot merge the alternatives of ${name}`);
}
