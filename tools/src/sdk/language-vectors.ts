import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type CallOptions,
  type OperationTypes,
  PosAnswerError,
  PosApiError,
  PosClient,
  type PosClientSettings,
  PosConnectionError,
  PosTimeoutError,
  PosUsageError,
} from '@pos/sdk';
import { REPOSITORY } from '../repository/repository.js';

interface CalledVector {
  readonly operation: string;
  readonly members: readonly string[];
  readonly payload?: unknown;
  readonly options?: CallOptions;
  readonly settings?: Partial<PosClientSettings>;
  readonly iterate?: true;
  readonly listener?: 'fails';
}

type Outcome = Readonly<Record<string, unknown>>;

const FAILURES = [
  [PosConnectionError, 'connection'],
  [PosTimeoutError, 'timeout'],
  [PosAnswerError, 'malformed'],
  [PosUsageError, 'usage'],
] as const;

const CALLS_AT_ONCE = 8;

/** What the client in TypeScript does with the calls of the vectors, in their order. */
export async function runTypeScriptVectors(origin: string): Promise<readonly Outcome[]> {
  const file = path.join(REPOSITORY, 'sdks/vectors/calls.json');
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { readonly vectors: readonly CalledVector[] };
  const outcomes: Outcome[] = [];
  // Some at once: the machine must be fast enough for the time limits of the vectors.
  for (let from = 0; from < vectors.length; from += CALLS_AT_ONCE) {
    const some = vectors.slice(from, from + CALLS_AT_ONCE);
    outcomes.push(...(await Promise.all(some.map((vector, at) => run(vector, `${origin}/typescript/${from + at}`)))));
  }
  return outcomes;
}

async function run(vector: CalledVector, baseUrl: string): Promise<Outcome> {
  const warnings: unknown[] = [];
  const onWarnings = (names: readonly string[], operation: string): void => {
    warnings.push([operation, names]);
    if (vector.listener === 'fails') throw new Error('the listener has failed');
  };
  return { ...(await endCall(vector, { baseUrl, apiKey: 'sk_sandbox_1', random: () => 0, onWarnings })), warnings };
}

async function endCall(vector: CalledVector, settings: PosClientSettings): Promise<Outcome> {
  try {
    const client = new PosClient({ ...settings, ...vector.settings });
    if (vector.iterate === true) return { outcome: 'answer', answer: await iterate(client, vector) };
    const answer = await call(client, vector);
    return answer === undefined ? { outcome: 'nothing' } : { outcome: 'answer', answer };
  } catch (error) {
    if (error instanceof PosApiError) {
      const { status, reason, traceId, fields, documentation } = error;
      return { outcome: 'api', status, reason, traceId, fields, documentation };
    }
    const failure = FAILURES.find(([type]) => error instanceof type);
    if (failure === undefined) throw error;
    return { outcome: failure[1] };
  }
}

async function call(client: PosClient, { operation, members, payload, options }: CalledVector): Promise<unknown> {
  // The vectors choose operations at run time, which no type describes.
  const send = client.call.bind(client) as (id: keyof OperationTypes, ...args: unknown[]) => Promise<unknown>;
  const optional = operation === 'readPaymentIntent' && payload === undefined ? [undefined] : [];
  const input = payload === undefined ? optional : [payload];
  return send(operation as keyof OperationTypes, ...members, ...input, options);
}

async function iterate(client: PosClient, { operation, members, payload }: CalledVector): Promise<unknown[]> {
  const iterators: Readonly<Record<string, () => AsyncIterable<unknown>>> = {
    searchPaymentIntents: () => client.paymentIntents.searchAll(payload ?? {}),
    searchCustomers: () => client.customers.searchAll(payload ?? {}),
    listDeliveries: () => client.webhooks.listAllDeliveries(members[0] ?? '', payload ?? {}),
    listAlarms: () => client.alarms.listAll(payload ?? {}),
  };
  const found: unknown[] = [];
  for await (const element of iterators[operation]?.() ?? []) found.push(element);
  return found;
}
