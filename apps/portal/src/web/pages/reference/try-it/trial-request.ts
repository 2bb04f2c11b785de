import { PORTAL_API_PATH, PORTAL_TRIAL_HEADER } from '@pos/rest-contracts/portal';
import type { ReferenceOperation } from '../data/reference-data.js';

/** What the reader has typed. */
export interface TrialInput {
  /** Values of the path and of the query by name; an empty one of the query is not sent. */
  readonly values: Readonly<Record<string, string>>;
  /** Empty for an operation without a body. */
  readonly body: string;
  readonly idempotencyKey: string;
  readonly release: string;
}

/** A request that can be sent, or what is wrong with its fields. */
export type TrialRequest =
  | { readonly path: string; readonly init: RequestInit }
  | { readonly missing: readonly string[]; readonly bodyError: string | null };

/** Makes the request of a form. The session of the portal takes the place of an API key. */
export function createTrialRequest(operation: ReferenceOperation, input: TrialInput): TrialRequest {
  const { method, path, parameters } = operation;
  const { values, body, release, idempotencyKey } = input;
  const missing = parameters
    .filter(({ name, in: place, required }) => place !== 'header' && required && (values[name] ?? '').trim() === '')
    .map(({ name }) => name);
  const bodyError = operation.body === null ? null : findBodyError(body, operation.body.isRequired);
  if (missing.length > 0 || bodyError !== null) return { missing, bodyError };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((values[name] ?? '').trim()));
  const query = parameters.flatMap(({ name, in: place }): [string, string][] => {
    const value = values[name] ?? '';
    return place === 'query' && value !== '' ? [[name, value]] : [];
  });
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  const hasBody = operation.body !== null && body.trim() !== '';
  const headers = {
    [PORTAL_TRIAL_HEADER]: 'sandbox',
    version: release,
    ...(hasBody && { 'content-type': 'application/json' }),
    ...(takesKey(operation) && idempotencyKey !== '' && { idempotencyKey }),
  };
  return {
    path: `${PORTAL_API_PATH}${filled}${search}`,
    init: { method, headers, credentials: 'same-origin', ...(hasBody && { body }) },
  };
}

export function takesKey({ parameters }: ReferenceOperation): boolean {
  return parameters.some(({ name }) => name === 'idempotencyKey');
}

/** Only whether it is JSON: what its members must be is what the reader wants to see the service answer. */
function findBodyError(body: string, isRequired: boolean): string | null {
  if (body.trim() === '' && !isRequired) return null;
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The answer to a trial. */
export interface TrialAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** As text, with indents where it is JSON. */
  readonly body: string;
  readonly tookMs: number;
  readonly traceId: string;
  /** Of a problem. */
  readonly reason: string | null;
}

/** The headers that say something about the request; the others are the same for every answer. */
const SHOWN_HEADERS = ['version', 'idempotent-replayed', 'warnings', 'retry-after', 'content-type'] as const;

/** Sends the request and measures its time. Rejects when the portal does not answer. */
export async function sendTrial({
  path,
  init,
}: {
  readonly path: string;
  readonly init: RequestInit;
}): Promise<TrialAnswer> {
  const startedAt = performance.now();
  const response = await fetch(path, init);
  const text = await response.text();
  const tookMs = Math.round(performance.now() - startedAt);
  const { status, headers } = response;
  return {
    ...{ status, tookMs, body: indentJson(text), traceId: headers.get('trace-id') ?? '', reason: findReason(text) },
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
  };
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function findReason(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('reason' in body)) return null;
    return typeof body.reason === 'string' ? body.reason : null;
  } catch {
    return null;
  }
}
