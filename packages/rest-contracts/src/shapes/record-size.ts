import type { z } from 'zod';

/** Which record schemas are refused by their size in bytes of JSON, before their members are read. */
const LIMITS = new WeakMap<z.core.$ZodType, number>();

/** The limits in bytes of JSON, beside the schemas: JSON Schema has no word for them. */
export const RECORD_BYTES_MAX = {
  add(schema: z.core.$ZodType, bytesMax: number): void {
    LIMITS.set(schema, bytesMax);
  },
  of(schema: z.core.$ZodType): number {
    return LIMITS.get(schema) ?? Infinity;
  },
};
