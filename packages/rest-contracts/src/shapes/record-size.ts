import type { z } from 'zod';

/** The record schemas with a limit of bytes of JSON, which is checked before their members are read. */
const LIMITS = new WeakMap<z.core.$ZodType, number>();

/** The limits in bytes of JSON. They are beside the schemas, because JSON Schema has no keyword for them. */
export const RECORD_BYTES_MAX = {
  add(schema: z.core.$ZodType, bytesMax: number): void {
    LIMITS.set(schema, bytesMax);
  },
  of(schema: z.core.$ZodType): number {
    return LIMITS.get(schema) ?? Infinity;
  },
};
