import { PosAnswerError, PosApiError, PosConnectionError, PosTimeoutError, PosUsageError } from '../errors/errors.js';
import type { OperationFacts } from '../contract/operation-facts.js';
import { decideRetry, type FailedAttempt } from './retry.js';
import { printWarning } from './warning-printer.js';

/** How a client calls. */
export interface SenderSettings {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly version: string;
  readonly softwareHouseId: string | null;
  readonly resellerId: string | null;
  readonly retriesMax: number;
  /** The limit of a call with all its retries and waits. */
  readonly timeoutMs: number;
  /** The limit of one attempt. */
  readonly attemptTimeoutMs: number;
  readonly fetch: typeof fetch;
  readonly onWarnings: WarningsListener;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Receives what the service has noticed about a call and not refused: `unknown_member:captureMod` is a member that it
 * does not know, and `ignored_member:autoExpireIn` one without effect. The operation is named as in the API document.
 */
export type WarningsListener = (warnings: readonly string[], operation: string) => void;

/** What a caller may say about one call. */
export interface CallOptions {
  /** Made by the client when left out. Say your own where a call must also be repeatable after your process ended. */
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** For the operations that a customer's page calls. */
  readonly customerSecret?: string | undefined;
}

/** A call of one operation. */
export interface SentCall {
  readonly name: string;
  readonly facts: OperationFacts;
  /** The values of the members of the path, in their order. */
  readonly members: readonly string[];
  readonly input: unknown;
  readonly options: CallOptions;
}

/** Sends a call until it has an answer, or no further attempt is safe or in time. The answer 204 is `undefined`. */
export async function sendCall(settings: SenderSettings, call: SentCall): Promise<unknown> {
  const { facts, options, name } = call;
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1) throw new PosUsageError(`${name}: timeoutMs is no time`);
  const end = performance.now() + timeoutMs;
  const total = AbortSignal.timeout(timeoutMs);
  const stop = options.signal === undefined ? total : AbortSignal.any([options.signal, total]);
  const request = buildRequest(settings, call);
  for (let retries = 0; ; retries += 1) {
    options.signal?.throwIfAborted();
    const result = await attempt(settings, call, { ...request, stop });
    if ('answer' in result) return result.answer;
    options.signal?.throwIfAborted();
    const wait = decideRetry({
      ...{ failed: result.failed, repeat: facts.repeat, retries, retriesMax: settings.retriesMax },
      ...{ chance: settings.random(), now: performance.timeOrigin + performance.now() },
    });
    if (wait === null || performance.now() + wait >= end) throw result.error;
    await pause(wait, options.signal).catch((cause: unknown) => {
      throw cause instanceof Error ? cause : new PosTimeoutError(`${name}: aborted`, { cause });
    });
  }
}

type AttemptResult = { readonly answer: unknown } | { readonly failed: FailedAttempt; readonly error: Error };
interface BuiltRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly stop: AbortSignal;
}

async function attempt(settings: SenderSettings, call: SentCall, request: BuiltRequest): Promise<AttemptResult> {
  const { name } = call;
  const limit = AbortSignal.timeout(settings.attemptTimeoutMs);
  const signal = AbortSignal.any([request.stop, limit]);
  let response: Response;
  let text: string;
  try {
    response = await settings.fetch(request.url, { ...request.init, signal });
    text = await response.text();
  } catch (cause) {
    return signal.aborted
      ? { failed: { kind: 'timeout' }, error: new PosTimeoutError(`${name}: no answer in time`, { cause }) }
      : { failed: { kind: 'connection' }, error: new PosConnectionError(`${name}: no answer`, { cause }) };
  }
  const { status, headers } = response;
  reportWarnings(settings, name, headers.get('warnings'));
  if (response.ok) return { answer: readAnswer(name, status, text) };
  const error = new PosApiError(name, { status, headers, body: parseJson(text) ?? text, baseUrl: settings.baseUrl });
  const failed = { kind: 'answer', status, reason: error.reason, retryAfter: headers.get('retry-after') } as const;
  return { failed, error };
}

/** A listener that fails must not hide the answer: the money may have moved. */
function reportWarnings({ onWarnings }: SenderSettings, name: string, sent: string | null): void {
  if (sent === null || sent === '') return;
  try {
    onWarnings(sent.split(', '), name);
  } catch (error) {
    printWarning(`${name}: onWarnings has failed`, error);
  }
}

function readAnswer(name: string, status: number, text: string): unknown {
  if (status === 204) return undefined;
  const answer = parseJson(text);
  if (answer === undefined) throw new PosAnswerError(`${name}: ${status} without JSON`);
  return answer;
}

/** Made once for all attempts, so that they have the same key. */
function buildRequest(settings: SenderSettings, { name, facts, members, input, options }: SentCall) {
  const { baseUrl, apiKey, version, softwareHouseId, resellerId } = settings;
  const key = chooseKey(name, facts, options);
  const isKeySent = facts.key === true;
  if (isKeySent && apiKey === null) throw new PosUsageError(`${name} needs an apiKey`);
  const { customerSecret } = options;
  if (facts.customerSecret === true && (customerSecret ?? '') === '') {
    throw new PosUsageError(`${name} needs the option customerSecret`);
  }
  const headers = {
    ...{ accept: 'application/json, application/problem+json', version },
    ...(isKeySent && { authorization: `Bearer ${apiKey}` }),
    ...(facts.partners === true && buildPartners(name, softwareHouseId, resellerId)),
    ...(facts.customerSecret === true && { authorization: `Basic ${customerSecret}` }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(facts.input === 'body' && { 'content-type': 'application/json' }),
  };
  const query = facts.input === 'query' ? buildQuery(input) : '';
  const url = `${baseUrl}${buildPath(name, facts.path, members)}${query}`;
  const body = facts.input === 'body' ? { body: JSON.stringify(input) } : {};
  // The API redirects nothing. `fetch` would send the body to another host, and turn a change into a read of it.
  return { url, init: { method: facts.method, headers, redirect: 'manual' as const, ...body } };
}

/** One key for all attempts of a call: a second key would make a second operation. */
function chooseKey(name: string, { repeat }: OperationFacts, { idempotencyKey }: CallOptions): string | undefined {
  if (idempotencyKey === undefined) return repeat === 'key' ? crypto.randomUUID() : undefined;
  // Silence would let the caller trust in a key that nobody reads.
  if (repeat !== 'key') throw new PosUsageError(`${name} takes no idempotencyKey`);
  if (!/^[!-~]{1,100}$/.test(idempotencyKey)) {
    throw new PosUsageError(`${name}: idempotencyKey must be 1 to 100 visible ASCII characters`);
  }
  return idempotencyKey;
}

function buildPartners(name: string, softwareHouseId: string | null, resellerId: string | null) {
  if (softwareHouseId === null || resellerId === null) {
    throw new PosUsageError(`${name} needs softwareHouseId and resellerId`);
  }
  return { 'software-house-id': softwareHouseId, 'reseller-id': resellerId };
}

function buildPath(name: string, path: string, members: readonly string[]): string {
  let at = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_, member: string) => {
    const value: unknown = members[at];
    at += 1;
    // An empty member would address another operation, and so would `.` and `..`, which `fetch` resolves.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value))
      throw new PosUsageError(`${name} needs ${member}`);
    return encodeURIComponent(value);
  });
}

function buildQuery(query: unknown): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]: [string, unknown]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.filter(isScalar).map((each): [string, string] => [name, String(each)]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
