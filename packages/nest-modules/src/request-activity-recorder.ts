import {
  ACTIVITY_TAG,
  type ActivityOutcome,
  type ActivityRecorder,
  type RecordedJson,
  recordJson,
  recordPath,
} from '@pos/core/activities';
import { isId, type Scope } from '@pos/core/identity';
import { readClientSecret } from '@pos/core/ids';
import type { AnsweredRequest, RequestRecorder } from '@pos/service-kit/http';

/** A longer answer is not parsed again for the log. */
const ANSWER_LENGTH_MAX = 64 * 1024;

/**
 * Records the requests of accounts in the activity log: those with a valid key, and those of payers with a valid client
 * secret. No other request belongs to an account.
 */
export class RequestActivityRecorder implements RequestRecorder {
  constructor(private readonly activities: ActivityRecorder) {}

  recordRequest(received: AnsweredRequest): void {
    const request = { ...received, answer: readAnswer(received) };
    const { operation, holder, status, refusal, traceId, startedAtMs, tookMs } = request;
    if (operation === null || (operation.tag === ACTIVITY_TAG && status < 400)) return;
    const payer = holder === null ? findPayer(request) : null;
    const scope = holder?.scope ?? payer?.scope;
    if (scope === undefined) return;
    this.activities.record({
      ...{ scope, kind: 'ApiRequest', name: operation.id, outcome: toOutcome(status), status },
      // A read changes nothing, so it is no step of a payment: an integrator that polls would fill the timeline.
      subjectId: isSuccessfulRead(request) ? null : (payer?.intentId ?? findSubject(request)),
      reason: refusal ?? (status >= 500 ? 'internal_error' : null),
      keyId: holder?.keyId ?? null,
      ...{ traceId, startedAtMs, tookMs },
      details: {
        method: request.method,
        path: recordPath(request.path),
        hasIdempotencyKey: IDEMPOTENCY_HEADERS.some((name) => request.headers[name] !== undefined),
        ...describeBodies(request),
      },
    });
  }
}

const IDEMPOTENCY_HEADERS = ['idempotency-key', 'idempotencykey'];

function describeBodies({ body, query, answer }: AnsweredRequest): {
  readonly request?: RecordedJson;
  readonly answer?: RecordedJson;
} {
  const sent = body === undefined ? Object.fromEntries(query) : body;
  const isEmpty = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0;
  return {
    ...(!isEmpty && { request: recordJson(sent) }),
    ...(answer !== null && { answer: recordJson(answer) }),
  };
}

/** Null for a successful read: what it answers is in the rows that it read. */
function readAnswer(request: AnsweredRequest): unknown {
  if (isSuccessfulRead(request)) return null;
  const { answer } = request;
  if (typeof answer !== 'string') return answer ?? null;
  if (answer.length > ANSWER_LENGTH_MAX) return null;
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
}

function isSuccessfulRead({ method, status }: AnsweredRequest): boolean {
  return method === 'GET' && status < 400;
}

function toOutcome(status: number): ActivityOutcome {
  if (status < 400) return 'Succeeded';
  return status < 500 ? 'Refused' : 'Failed';
}

/** The intent of a payer, whose secret the answer has proved: anybody can write a secret that names an account. */
function findPayer({ operation, headers, status, refusal }: AnsweredRequest): {
  readonly scope: Scope;
  readonly intentId: string;
} | null {
  const secret = headers['client-session-secret'];
  const isProved = status < 300 || refusal === 'payment_outcome_unknown';
  if (operation?.clientSecret !== true || typeof secret !== 'string' || !isProved) return null;
  const subject = readClientSecret(secret);
  if (subject === null) return null;
  const { accountId, environment, intentId } = subject;
  return { scope: { accountId, environment }, intentId };
}

/** The payment that a request is about, or else the session on a machine or the setup. */
function findSubject({ params, body, answer }: AnsweredRequest): string | null {
  const ids = [params, body, getMember(body, 'sale'), getMember(body, 'matchedRefund'), answer].flatMap(listIds);
  return SUBJECT_KINDS.flatMap((kind) => ids.filter((id) => isId(kind, id)))[0] ?? null;
}

const SUBJECT_KINDS = ['paymentIntent', 'terminalSession', 'setupIntent'] as const;
const ID_MEMBERS = ['paymentIntentId', 'terminalSessionId', 'sessionId', 'setupIntentId', 'id'];

function listIds(value: unknown): string[] {
  const members = ID_MEMBERS.map((name) => getMember(value, name));
  return members.filter((member) => typeof member === 'string');
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
