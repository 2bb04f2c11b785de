import { z } from 'zod';

/** A position in a schema. `*` in its path means each element of a list. */
export interface SchemaPath {
  readonly schema: z.core.$ZodTypes;
  readonly path: readonly string[];
}

/** Every position of a schema down to the elements of its lists. */
export function listSchemaPaths(schema: z.core.$ZodType, path: readonly string[] = []): SchemaPath[] {
  const known = schema as z.core.$ZodTypes;
  const { def } = known._zod;
  if ('innerType' in def) return listSchemaPaths(def.innerType, path);
  if (def.type === 'pipe') return listSchemaPaths(def.in, path);
  const here = { schema: known, path };
  if (def.type === 'object') {
    return [here, ...Object.entries(def.shape).flatMap(([name, member]) => listSchemaPaths(member, [...path, name]))];
  }
  if (def.type === 'array') return [here, ...listSchemaPaths(def.element, [...path, '*'])];
  if (def.type === 'union') return def.options.flatMap((option) => listSchemaPaths(option, path));
  return [here];
}

/** The example of the documentation, or the smallest valid value. */
export function getExample(schema: z.core.$ZodType): unknown {
  const example = getDocumentedSchema(schema);
  if (example !== undefined) return example;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (isLeftOut(def.type)) return undefined;
  if ('innerType' in def) return getExample(def.innerType);
  if (def.type === 'pipe') return getExample(def.in);
  if (def.type === 'object') {
    return Object.fromEntries(Object.entries(def.shape).map(([name, member]) => [name, getExample(member)]));
  }
  if (def.type === 'array') return [];
  return getLeafValue(def);
}

/** A value with every member. Its lists have at most `length` elements, and lists inside them at most two. */
export function buildFullValue(schema: z.core.$ZodType, length: number): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return buildFullValue(def.innerType, length);
  if (def.type === 'pipe') return buildFullValue(def.in, length);
  if (def.type === 'object') {
    return Object.fromEntries(
      Object.entries(def.shape).map(([name, member]) => [name, buildFullValue(member, length)]),
    );
  }
  if (def.type === 'array') {
    const element = buildFullValue(def.element, Math.min(length, 2));
    return new Array(Math.min(length, getLengthMax(def))).fill(element);
  }
  return getDocumentedSchema(schema) ?? getLeafValue(def);
}

/** The maximal number of elements of a list. */
export function getLengthMax({ checks = [] }: z.core.$ZodArrayDef): number {
  const limits = checks.map(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity,
  );
  return Math.min(...limits);
}

function getDocumentedSchema(schema: z.core.$ZodType): unknown {
  const examples = z.globalRegistry.get(schema)?.['examples'];
  return Array.isArray(examples) ? (examples[0] as unknown) : undefined;
}

function isLeftOut(type: string): boolean {
  return type === 'optional' || type === 'default' || type === 'prefault';
}

function getLeafValue(def: z.core.$ZodTypes['_zod']['def']): unknown {
  if (def.type === 'number') return 1;
  if (def.type === 'boolean') return true;
  if (def.type === 'enum') return Object.values(def.entries)[0];
  if (def.type === 'literal') return def.values[0];
  if (def.type === 'record' || def.type === 'unknown') return { note: 'a' };
  if (def.type === 'union') return def.options.slice(0, 1).map(getExample)[0];
  return 'a';
}
