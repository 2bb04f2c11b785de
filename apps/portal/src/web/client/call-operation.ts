import type { RequestOptions } from '@pos/rest-contracts/client';
import { buildAddress, type Operation, type ReturnsOf } from '@pos/rest-contracts/operation';
import { PORTAL_ACCOUNT_HEADER, PORTAL_API_PATH, PORTAL_BACKGROUND_HEADER } from '@pos/rest-contracts/portal';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
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

/** What the portal serves itself has this prefix; every other operation is forwarded to the API. */
const OWN_PREFIX = '/portal/';

/** Calls an operation. The portal and the API are of one release, so the answer has the shape of the contract. */
export async function callOperation<const O extends Operation>(
  operation: O,
  options: RequestOptions<O>,
): Promise<ReturnsOf<O>> {
  const { params, query, body, idempotencyKey, signal } = options as AnyOptions;
  const prefix = operation.path.startsWith(OWN_PREFIX) ? '' : PORTAL_API_PATH;
  const shown = getShownAccount();
  const account = shown.read();
  const response = await fetch(`${prefix}${buildAddress(operation, { params, query })}`, {
    method: operation.method,
    headers: {
      accept: 'application/json',
      version: LATEST_RELEASE,
      ...(account !== null && { [PORTAL_ACCOUNT_HEADER]: account }),
      ...(!USER_ACTIVITY.isRecent() && { [PORTAL_BACKGROUND_HEADER]: 'true' }),
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
