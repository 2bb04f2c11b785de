import { z } from 'zod';

/** The examples that a schema has of its own, or that follow from those of its elements. */
export function listExamples(schema: z.ZodType): readonly unknown[] {
  const own = z.globalRegistry.get(schema)?.['examples'];
  if (own !== undefined) return own as readonly unknown[];
  if (schema instanceof z.ZodArray) return listExamples(schema.element as z.ZodType).map((example) => [example]);
  // The example of a page is a page with one element.
  if (schema instanceof z.ZodObject && 'data' in schema.shape) {
    return listExamples(schema.shape['data'] as z.ZodType).map((data) => ({ data, before: null, after: null }));
  }
  return [];
}
