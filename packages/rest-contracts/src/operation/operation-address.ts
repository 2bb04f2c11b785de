import type { Operation } from './operation.js';

/** The parts of a request that are in its address. */
interface AddressParts {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

/** The path of a request with its members and its query. A member cannot change the rest of the path. */
export function buildAddress(
  { path }: Pick<Operation, 'path'>,
  { params = {}, query = {} }: AddressParts = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter(isScalar).map((each): [string, string] => [name, String(each)]);
  });
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs).toString()}`;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
