import { isDeepStrictEqual } from 'node:util';
import { assert } from '@pos/core/assert';
import type { Operation } from '@pos/rest-contracts/operation';

/** Fails loudly when an answer is not what its operation declares: a wrong, missing or unlisted member. Used in tests. */
export function requireDeclaredShape(operation: Operation, shape: unknown): void {
  const { id, returns } = operation;
  if (returns === null) return;
  // Compared as it will stand on the wire: members without a value are not written.
  const written: unknown = JSON.parse(JSON.stringify(shape ?? null));
  const parsed = returns.safeParse(written);
  assert(parsed.success, `${id} answers what it does not declare: ${parsed.error?.message ?? ''}`);
  assert(
    isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), written),
    `${id} answers members it does not declare: ${unlisted(parsed.data, written).join(', ')}`,
  );
}

function unlisted(declared: unknown, written: unknown, path = ''): string[] {
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([name, value]) => {
    const inner: unknown = typeof declared === 'object' && declared !== null ? Reflect.get(declared, name) : undefined;
    return inner === undefined ? [`${path}${name}`] : unlisted(inner, value, `${path}${name}.`);
  });
}
