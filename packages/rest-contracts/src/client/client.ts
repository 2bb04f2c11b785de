import type { Operation, ParamsOf, ReturnsOf, SentBodyOf, SentQueryOf } from '../operation/operation.js';
import { buildAddress } from '../operation/operation-address.js';
import { z } from 'zod';
import { Problem } from '../problems/problems.js';
import { LATEST_RELEASE } from '../versions/versions.js';

/** The address, credentials and version of a client. */
export interface ClientSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Or the secret of a customer; null for operations that require neither. */
  readonly apiKey: string | null;
  readonly version?: string;
  readonly softwareHouseId?: string;
  readonly resellerId?: string;
  /** The time limit of one call. */
  readonly deadlineMs?: number;
  readonly fetch?: typeof fetch;
}

/** The inputs of one call, as its operation defines them. */
export type RequestOptions<O extends Operation> = {
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
} & (O extends { readonly params: z.ZodObject } ? { readonly params: ParamsOf<O> } : { readonly params?: never }) &
  (O extends { readonly query: z.ZodObject } ? { readonly query?: SentQueryOf<O> } : { readonly query?: never }) &
  (O extends { readonly body: z.ZodType } ? { readonly body: SentBodyOf<O> } : { readonly body?: never });

/** The service refused or failed; contains its problem. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly operationId: string,
    readonly problem: ReceivedProblem,
  ) {
    super(`${operationId}: ${problem.status} ${problem.title}: ${problem.detail}`);
  }

  /**
   * The reason of the refusal; null from a service that is too old to send one. A newer service may have more reasons.
   */
  get reason(): string | null {
    return this.problem.reason ?? null;
  }
}

/** A problem of a service that may be older or newer than this client. */
const ReceivedProblem = Problem.extend({ reason: z.string().optional(), documentation: z.string().optional() });
type ReceivedProblem = z.output<typeof ReceivedProblem>;

/** The answer is neither a valid answer nor a problem of this API. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** Calls operations, and parses each answer with the operation's own schema. */
export type Client = <const O extends Operation>(operation: O, sending: RequestOptions<O>) => Promise<ReturnsOf<O>>;

const DEADLINE_MS = 30_000;

/**
 * Creates a client of any API of operations. Throws `ProblemError` for a refusal, `AnswerError` for an invalid answer.
 */
export function openClient(settings: ClientSettings): Client {
  const { baseUrl, deadlineMs = DEADLINE_MS, fetch: send = fetch } = settings;
  return async (operation, sending) => {
    const call: AnyRequestOptions = sending;
    const { params, query, body, signal } = call;
    const deadline = AbortSignal.timeout(deadlineMs);
    const response = await send(`${baseUrl}${buildAddress(operation, { params, query })}`, {
      method: operation.method,
      headers: buildHeaders(settings, operation, call),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await readResponse(operation, response)) as ReturnsOf<typeof operation>;
  };
}

/** A call without the type of its operation. */
interface AnyRequestOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** A customer's secret is sent in place of a key. */
function containsKey({ permission, customerSecret }: Operation): boolean {
  return permission !== null || customerSecret === 'authorization';
}

function buildHeaders(
  { apiKey, version = LATEST_RELEASE, softwareHouseId, resellerId }: ClientSettings,
  operation: Operation,
  { body, idempotencyKey }: AnyRequestOptions,
): Record<string, string> {
  return {
    accept: 'application/json, application/problem+json',
    ...(containsKey(operation) && apiKey !== null && { authorization: `Basic ${apiKey}` }),
    ...(operation.version !== 'none' && { version }),
    ...(operation.partnerHeaders === true && softwareHouseId !== undefined && { 'software-house-id': softwareHouseId }),
    ...(operation.partnerHeaders === true && resellerId !== undefined && { 'reseller-id': resellerId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
}

async function readResponse(operation: Operation, response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok && operation.returns === null) return undefined;
  const body = parseJson(text);
  if (response.ok && operation.returns !== null) {
    const answer = operation.returns.safeParse(body);
    if (answer.success) return answer.data;
    throw new AnswerError(`${operation.id} answered ${response.status} with another shape: ${answer.error.message}`);
  }
  const problem = ReceivedProblem.safeParse(body);
  if (problem.success) throw new ProblemError(operation.id, problem.data);
  throw new AnswerError(`${operation.id} answered ${response.status} without a problem body`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
