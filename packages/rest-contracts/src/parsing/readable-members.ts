import type { Readable } from '@pos/core/refusals';
import { z } from 'zod';
import { isMembers } from '../shapes/reshape.js';

/**
 * The members of a value in its normal form that are valid by themselves. Other members, and checks of several members
 * together, are left out.
 */
export function readableMembers<S extends z.ZodType>(schema: S, value: unknown): Readable<z.output<S>> | undefined {
  // The result has the shape of the schema's output without its invalid members.
  return isReadable(schema, value) as Readable<z.output<S>> | undefined;
}

function isReadable(schema: z.core.$ZodType, value: unknown): unknown {
  // zod exports the union of its own schema classes; every schema of this package is one of them.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (value !== undefined && value !== null) {
    if ('innerType' in def) return isReadable(def.innerType, value);
    if (def.type === 'object' && isMembers(value)) {
      const members = Object.entries(def.shape).map(
        ([name, member]) => [name, isReadable(member, value[name])] as const,
      );
      return Object.fromEntries(members.filter(([, member]) => member !== undefined));
    }
    if (def.type === 'array' && Array.isArray(value)) return value.map((item) => isReadable(def.element, item));
    if (def.type === 'union' && isMembers(value)) {
      const option = findUnionOption(def, value);
      if (option !== undefined) return isReadable(option, value);
    }
  }
  const read = z.safeParse(schema, value);
  return read.success ? read.data : undefined;
}

/** The option of the discriminator's value. */
function findUnionOption(
  def: z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef,
  value: Readonly<Record<string, unknown>>,
): z.core.$ZodType | undefined {
  if (!('discriminator' in def)) return undefined;
  const { discriminator } = def;
  return def.options.find((option) => {
    const { def: inner } = (option as z.core.$ZodTypes)._zod;
    const name = inner.type === 'object' ? inner.shape[discriminator] : undefined;
    return name !== undefined && z.safeParse(name, value[discriminator]).success;
  });
}
