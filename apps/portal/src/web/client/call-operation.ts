import type { RequestOptions } from '@pos/rest-contracts/client';
import type { Operation, ReturnsOf } from '@pos/rest-contracts/operation';
import type { PORTAL_ACCOUNT_HEADER, PORTAL_BACKGROUND_HEADER } from '@pos/rest-contracts/portal';
import type { Endpoint } from './endpoint.js';
import { getShownAccount } from './shown-account.js';
import { USER_ACTIVITY } from './user-activity.js';

/** What the service refuses, in the form of its problem bodies. */
export interface ReceivedProblem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly reason: string;
  /** Messages by member: `amount.value`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly traceId: string;
}

/** A refused or failed request. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem';

  constructor(readonly problem: ReceivedProblem) {
    super(problem.detail);
  }
}

/** The release of the API that the pages are written for. */
const VERSION = '2026-02-27';
const API = '/portal/api';
const ACCOUNT_HEADER: typeof PORTAL_ACCOUNT_HEADER = 'portal-account';
const BACKGROUND_HEADER: typeof PORTAL_BACKGROUND_HEADER = 'portal-background';

/** Calls an operation. The portal and the API are of one release, so the answer has the shape of the contract. */
export async function callOperation<O extends Operation>(
  endpoint: Endpoint<O>,
  options: RequestOptions<O>,
): Promise<ReturnsOf<O>> {
  const { params, query, body, idempotencyKey, signal } = options as AnyOptions;
  const path = `${endpoint.isOwn === true ? '' : API}${buildPath(endpoint.path, params)}${buildQuery(query)}`;
  const shown = getShownAccount();
  const account = shown.read();
  const response = await fetch(path, {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      version: VERSION,
      ...(account !== null && { [ACCOUNT_HEADER]: account }),
      ...(!USER_ACTIVITY.isRecent() && { [BACKGROUND_HEADER]: 'true' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    },
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new RequestProblem(createProblem(0, {}));
  });
  const text = await response.text();
  const received = parseJson(text);
  if (!response.ok) {
    const problem = createProblem(response.status, received);
    if (problem.reason === 'account_not_chosen') shown.onOtherChosen();
    if (problem.reason === 'password_change_needed') shown.onPasswordChangeNeeded();
    if (problem.reason === 'portal_session_missing') shown.onSessionEnded();
    throw new RequestProblem(problem);
  }
  return (text === '' ? undefined : received) as ReturnsOf<O>;
}

interface AnyOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

function buildPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function buildQuery(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : [],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

/** Also for an answer of something between the browser and the service: then only the status is known. */
function createProblem(status: number, received: unknown): ReceivedProblem {
  const problem = typeof received === 'object' && received !== null ? (received as Partial<ReceivedProblem>) : {};
  const {
    title = '',
    detail = '',
    reason = status === 0 ? 'unreachable' : 'unknown',
    errors = {},
    traceId = '',
  } = problem;
  return { status, title, detail, reason, errors, traceId };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
