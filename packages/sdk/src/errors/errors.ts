import type { Problem, ProblemReason } from '../gen/schemas.js';

/** Any failure that this package throws by itself. */
export class PosError extends Error {
  override readonly name: string = 'PosError';
}

/** The service refused a call, or failed. */
export class PosApiError extends PosError {
  override readonly name = 'PosApiError';
  readonly status: number;
  /** Null where something before the service answered, without a problem body. A newer service may know more reasons. */
  readonly reason: ProblemReason | null;
  /** Names the request in the log of the service. */
  readonly traceId: string | null;
  /** Messages by member path or header name; empty when no member is at fault. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** The address of the page about the reason. */
  readonly documentation: string | null;
  /** The body as it arrived, parsed when it is JSON. */
  readonly body: unknown;

  constructor(
    readonly operation: string,
    { status, body, headers, baseUrl }: RefusedAnswer,
  ) {
    const problem = readProblem(body);
    super(
      `${operation}: ${status} ${problem.reason ?? problem.title ?? 'without a problem body'}: ${problem.detail ?? ''}`,
    );
    this.status = status;
    this.reason = problem.reason ?? null;
    this.traceId = problem.traceId ?? headers.get('trace-id');
    this.fields = problem.errors ?? {};
    const { documentation } = problem;
    const isAddress = documentation !== undefined && URL.canParse(documentation, baseUrl);
    this.documentation = isAddress ? new URL(documentation, baseUrl).href : null;
    this.body = body;
  }
}

/** No answer arrived; whether the call took effect is unknown. The cause is that of `fetch`. */
export class PosConnectionError extends PosError {
  override readonly name = 'PosConnectionError';
}

/** The time limit passed before an answer arrived; whether the call took effect is unknown. */
export class PosTimeoutError extends PosError {
  override readonly name = 'PosTimeoutError';
}

/** The answer of a successful status is not JSON, so something other than the service sent it. */
export class PosAnswerError extends PosError {
  override readonly name = 'PosAnswerError';
}

/** The client was created or called in a way that cannot work; nothing was sent. */
export class PosUsageError extends PosError {
  override readonly name = 'PosUsageError';
}

/** An answer that is no success. */
export interface RefusedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  /** What a relative `documentation` refers to. */
  readonly baseUrl: string;
}

/** The members of a problem that have their right types; all absent where the body is no problem. */
function readProblem(body: unknown): Partial<Problem> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const sent = body as Readonly<Record<string, unknown>>;
  const texts = ['title', 'detail', 'traceId', 'reason', 'documentation'].filter(
    (name) => typeof sent[name] === 'string',
  );
  return {
    ...Object.fromEntries(texts.map((name) => [name, sent[name]])),
    ...(isFields(sent['errors']) && { errors: sent['errors'] }),
  };
}

function isFields(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((each) => Array.isArray(each) && each.every((text) => typeof text === 'string'));
}
