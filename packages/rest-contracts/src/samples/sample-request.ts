import type { Method } from '../operation/operation.js';

/** A request of which samples are written: data only, so that pages can write samples without the contract. */
export interface SampleRequest {
  readonly operationId: string;
  readonly method: Method;
  /** With its members in braces. */
  readonly path: string;
  readonly server: SampleServer;
  readonly release: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, SampleValue>>;
  /** Undefined: the operation reads no body. */
  readonly body: unknown;
  /** The names of the headers that the operation needs beside the key and the media type. */
  readonly headers: readonly string[];
  readonly needsKey: boolean;
  readonly idempotencyKey: string;
}

export type SampleValue = string | number | boolean;
export type SampleServer = 'api' | 'card-vault' | 'epos-tester';

/** The values of the path's members, in their order. */
export function listPathMembers({ path, params }: Pick<SampleRequest, 'path' | 'params'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => params[name] ?? '');
}
