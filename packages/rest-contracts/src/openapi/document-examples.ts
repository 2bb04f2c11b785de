import type { z } from 'zod';
import { OPERATION_EXAMPLES } from '../examples/examples.js';
import type { OperationExample } from '../examples/operation-example.js';
import { listExamples } from '../examples/schema-examples.js';
import type { Operation } from '../operation/operation.js';
import { presentProblem, problemCode, PROBLEMS_BY_REASON } from '../problems/problems.js';
import { toOlderShape } from '../versions/older-shapes.js';
import type { Release } from '../versions/versions.js';

type Json = Readonly<Record<string, unknown>>;
/** The named examples of a body, as a media type lists them. */
type NamedExamples = Record<string, { readonly summary: string; readonly value: unknown }>;

/** The examples of an operation by the place in its document; empty for an operation without any. */
export interface DocumentExamples {
  readonly request: NamedExamples;
  readonly success: NamedExamples;
  /** By HTTP status. */
  readonly problems: ReadonlyMap<number, NamedExamples>;
  /** Values of path and query members in the first success. */
  readonly parameters: Readonly<Record<string, string>>;
}

const TRACE_ID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** The examples of an operation, with answers in the form of the release. */
export function findExamples(operation: Operation, release: Release): DocumentExamples {
  const request: NamedExamples = {};
  const success: NamedExamples = {};
  const problems = new Map<number, NamedExamples>();
  const examples = OPERATION_EXAMPLES.filter(({ operationId }) => operationId === operation.id);
  for (const example of examples) {
    const { name, summary, refusal } = example;
    const body = getBody(operation, example);
    if (body !== undefined) request[name] = { summary, value: toPlainJson(body) };
    if (refusal !== undefined) {
      const { status } = PROBLEMS_BY_REASON[refusal.reason];
      problems.set(status, { ...problems.get(status), [name]: { summary, value: createProblem(operation, refusal) } });
    } else if (operation.returns !== null) {
      success[name] = { summary, value: getAnswer(operation.returns, example, release) };
    }
  }
  const accepted = examples.find(({ refusal }) => refusal === undefined);
  return { request, success, problems, parameters: { ...accepted?.params, ...accepted?.query } };
}

/** The body of an example's request; undefined for an operation without a body. */
export function getBody({ body }: Operation, example: OperationExample): unknown {
  if (body === undefined) return undefined;
  return example.body ?? listExamples(body)[0];
}

function getAnswer(returns: z.ZodType, { answer }: OperationExample, release: Release): unknown {
  return toPlainJson(toOlderShape(returns, toPlainJson(answer ?? listExamples(returns)[0]), release));
}

function createProblem(operation: Operation, refusal: NonNullable<OperationExample['refusal']>): Json {
  const { reason, detail, errors = {} } = refusal;
  const { status } = PROBLEMS_BY_REASON[reason];
  return presentProblem(reason, {
    ...{ detail, errors, traceId: TRACE_ID, isResult: operation.clientSecret === true },
    ...(operation.problemsCarryCode === true && {
      code: problemCode(status, reason === 'terminal_unavailable' ? reason : null),
    }),
  });
}

/** Without members that are undefined, as JSON has none. */
function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
