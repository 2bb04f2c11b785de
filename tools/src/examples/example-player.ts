import { setTimeout as pause } from 'node:timers/promises';
import type { Operation } from '@pos/rest-contracts/operation';
import { listExamples, type OperationExample } from '@pos/rest-contracts/examples';
import { PROBLEMS_BY_REASON } from '@pos/rest-contracts/problems';
import { LATEST_RELEASE } from '@pos/rest-contracts/versions';
import type { ExampleNames } from './example-match.js';

/** Where an operation is served, and with which key. */
export interface ExampleServer {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly softwareHouseId: string;
  readonly resellerId: string;
}

const POLL_MS = 200;
const READ_MS_MAX = 20_000;

/** Sends examples to the service, and compares the answers with those of the examples. */
export class ExamplePlayer {
  #keys = 0;

  constructor(readonly names: ExampleNames) {}

  /** Returns the differences. A read is repeated until it agrees, because payments and webhooks take their time. */
  async play(operation: Operation, example: OperationExample, server: ExampleServer): Promise<readonly string[]> {
    const end = performance.now() + READ_MS_MAX;
    for (;;) {
      const answer = await this.#send(operation, example, server);
      const differences = this.#compare(operation, example, answer);
      const isRead = operation.method === 'GET' && example.refusal === undefined;
      if (differences.length === 0 || !isRead || performance.now() > end) return differences;
      await pause(POLL_MS);
    }
  }

  async #send(operation: Operation, example: OperationExample, server: ExampleServer) {
    this.#keys += 1;
    const { url, ...request } = buildExampleRequest(operation, example, {
      ...{ server, names: this.names, idempotencyKey: `example-${this.#keys}` },
    });
    const response = await fetch(url, request);
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  }

  #compare(
    operation: Operation,
    { answer, refusal }: OperationExample,
    { status, body }: { readonly status: number; readonly body: unknown },
  ): readonly string[] {
    const wanted =
      refusal === undefined ? (operation.returns === null ? 204 : 200) : PROBLEMS_BY_REASON[refusal.reason].status;
    if (status !== wanted) return [`expected ${wanted}, found ${status} ${JSON.stringify(body)}`];
    if (refusal !== undefined) {
      const { reason, detail, errors = {} } = refusal;
      const differences = this.names.match({ reason, detail, errors }, body);
      const named = Object.keys((body as { errors: object }).errors);
      const isComplete = named.every((member) => member in errors);
      return isComplete ? differences : [...differences, `.errors has ${named.join(', ')}`];
    }
    if (operation.returns === null) return [];
    return this.names.match(answer ?? listExamples(operation.returns)[0], body);
  }
}

/** What an example does not say about its request. */
export interface ExampleSetting {
  readonly server: ExampleServer;
  readonly names: ExampleNames;
  readonly idempotencyKey: string;
}

/** A request as it is sent; without a body it is undefined. */
export interface ExampleRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The request of an example. */
export function buildExampleRequest(
  operation: Operation,
  example: OperationExample,
  setting: ExampleSetting,
): ExampleRequest {
  const { server, names } = setting;
  const { params = {}, query } = example;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(names.toReal(params[name] ?? ''))),
  );
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const body = operation.body === undefined ? undefined : (example.body ?? listExamples(operation.body)[0]);
  return {
    url: `${server.baseUrl}${path}${search}`,
    method: operation.method,
    headers: buildHeaders(operation, example, setting),
    ...(body !== undefined && { body: JSON.stringify(names.toReal(body)) }),
  };
}

function buildHeaders(
  operation: Operation,
  { secret, origin, isWithoutKey }: OperationExample,
  { server, names, idempotencyKey }: ExampleSetting,
): Record<string, string> {
  const real = String(names.toReal(secret ?? ''));
  return {
    version: LATEST_RELEASE,
    ...(operation.body !== undefined && { 'content-type': 'application/json' }),
    ...(operation.permission !== null && isWithoutKey !== true && { authorization: `Basic ${server.apiKey}` }),
    ...(operation.customerSecret === 'authorization' && { authorization: `Basic ${real}` }),
    ...(origin !== undefined && { origin }),
    ...(operation.clientSecret === true && { 'client-session-secret': real }),
    ...(operation.idempotency === 'required' && { idempotencyKey }),
    ...(operation.partnerHeaders === true && {
      'software-house-id': server.softwareHouseId,
      'reseller-id': server.resellerId,
    }),
  };
}
