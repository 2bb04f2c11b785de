import type { Method } from '../operation/operation.js';
import type { SampleRequest, SampleServer, SampleValue } from './sample-request.js';

/** What samples need to know of an operation. */
export interface SampleOperation {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly server: SampleServer;
  readonly needsKey: boolean;
  readonly parameters: readonly SampleParameter[];
}

export interface SampleParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: { readonly type?: string };
}

/** What is sent. `body` is undefined for an operation that reads none. */
export interface SampleExample {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Optional headers that a sample names all the same, because nobody should leave them out. */
const RECOMMENDED: readonly string[] = ['idempotencyKey', 'version'];

/** The request of an example, for samples in any language. */
export function createSampleRequest(
  operation: SampleOperation,
  example: SampleExample,
  { release, idempotencyKey }: { readonly release: string; readonly idempotencyKey: string },
): SampleRequest {
  const { id: operationId, method, path, server, needsKey, parameters } = operation;
  const { params, query, body } = example;
  const findType = (name: string) => parameters.find((each) => each.in === 'query' && each.name === name)?.schema.type;
  return {
    ...{ operationId, method, path, server, needsKey, params, body, release, idempotencyKey },
    query: Object.fromEntries(Object.entries(query).map(([name, text]) => [name, parseValue(text, findType(name))])),
    headers: parameters
      .filter((each) => each.in === 'header' && (each.required || RECOMMENDED.includes(each.name)))
      .map(({ name }) => name),
  };
}

/** The SDK has types for numbers and booleans of a query. A text that is none of them stays the mistake that it shows. */
function parseValue(text: string, type: string | undefined): SampleValue {
  const isNumber = type === 'integer' || type === 'number';
  const value = isNumber ? Number(text) : type === 'boolean' ? text === 'true' : text;
  return String(value) === text ? value : text;
}
