import type { SampleRequest, SampleValue } from '@pos/rest-contracts/samples/sample-request';
import type { ReferenceOperation, ReferenceParameter } from '../reference-data.js';

/** An example of the document: what is sent, and the answer that a test has received. */
export interface ExampleChoice {
  readonly name: string;
  readonly summary: string;
  /** Undefined: the operation reads no body. */
  readonly body: unknown;
  readonly answer: unknown;
  /** Null: it has no body. */
  readonly status: string;
}

/** The examples that succeed, and then those that are refused for their body. */
export function listExampleChoices({ body, answers, problems }: ReferenceOperation): ExampleChoice[] {
  const sent = new Map(body?.examples.map(({ name, value }) => [name, value]));
  const received = [
    ...answers.map(({ status, examples }) => ({ status, examples })),
    ...problems.map(({ status, examples }) => ({ status: String(status), examples })),
  ];
  const answered = received.flatMap(({ status, examples }) =>
    examples.map(({ name, summary, value }) => ({ name, summary, status, answer: value, body: sent.get(name) })),
  );
  // An operation without an answer has examples of its body only.
  const unanswered = (body?.examples ?? [])
    .filter(({ name }) => !answered.some((each) => each.name === name))
    .map(({ name, summary, value }) => ({ name, summary, status: '204', answer: undefined, body: value }));
  const choices = [...unanswered, ...answered].filter(
    ({ status, body: own }) => status.startsWith('2') || body === null || own !== undefined,
  );
  const isSuccess = ({ status }: ExampleChoice): boolean => status.startsWith('2');
  const ordered = [...choices.filter(isSuccess), ...choices.filter((choice) => !isSuccess(choice))];
  if (ordered.some(isSuccess) || body !== null) return ordered;
  // Neither body nor answer: the address alone is the example.
  return [{ name: 'success', summary: '', status: '204', answer: undefined, body: undefined }, ...ordered];
}

/** The request of an example, for samples. An operation of an EPOS is called by the service, so it has none. */
export function createSampleRequest(
  operation: ReferenceOperation,
  { body }: Pick<ExampleChoice, 'body'>,
  { release, idempotencyKey }: { readonly release: string; readonly idempotencyKey: string },
): SampleRequest | null {
  const { id: operationId, method, path, server, parameters, permission } = operation;
  if (server === 'epos') return null;
  const inPlace = (place: ReferenceParameter['in']) => parameters.filter((parameter) => parameter.in === place);
  return {
    ...{ operationId, method, path, server, release, body, idempotencyKey, needsKey: permission !== null },
    params: Object.fromEntries(inPlace('path').map(({ name, example = `{${name}}` }) => [name, example])),
    query: Object.fromEntries(
      inPlace('query').flatMap(({ name, example, schema }) =>
        example === undefined ? [] : [[name, parseValue(example, schema.type)]],
      ),
    ),
    headers: inPlace('header')
      .filter(({ name, required }) => required || name === 'idempotencyKey' || name === 'version')
      .map(({ name }) => name),
  };
}

/** The SDK has types for numbers and booleans of a query; the address has text. */
function parseValue(text: string, type: string | undefined): SampleValue {
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'boolean' ? text === 'true' : text;
}
