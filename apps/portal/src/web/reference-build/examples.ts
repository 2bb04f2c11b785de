import { OPERATION_EXAMPLES } from '@pos/rest-contracts/examples';
import { getBody } from '@pos/rest-contracts/openapi';
import type { Operation } from '@pos/rest-contracts/operation';
import { PROBLEMS_BY_REASON } from '@pos/rest-contracts/problems';
import type { ReferenceExample, Schema } from '../pages/reference/data/reference-data.js';
import type { OpenApi, OpenApiOperation } from './documents.js';

/**
 * The examples of an operation, those that succeed first. The document has their answers in the form of its release.
 * Requests without a key are left out: the form of a sample would have to show a mistake.
 */
export function listContractExamples(operation: Operation, { responses }: OpenApiOperation): ReferenceExample[] {
  const own = OPERATION_EXAMPLES.filter((example) => example.operationId === operation.id && !example.isWithoutKey);
  const examples = own.map((example): ReferenceExample => {
    const { name, summary, refusal, params = {}, query = {} } = example;
    const status =
      refusal === undefined ? (operation.returns === null ? 204 : 200) : PROBLEMS_BY_REASON[refusal.reason].status;
    const mediaType = refusal === undefined ? 'application/json' : 'application/problem+json';
    const answer = responses[String(status)]?.content?.[mediaType]?.examples?.[name]?.value;
    const body = getBody(operation, example);
    return { name, summary, status, params, query, body, ...(answer !== undefined && { answer }) };
  });
  const isSuccess = ({ status }: ReferenceExample): boolean => status < 300;
  return [...examples.filter(isSuccess), ...examples.filter((example) => !isSuccess(example))];
}

/** The example of a shape, for an operation that only a partner serves: no test of ours sends it to them. */
export function listShapeExamples(document: OpenApi, { requestBody, responses }: OpenApiOperation): ReferenceExample[] {
  const [status = '200', success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const body = findShapeExample(document, requestBody?.content['application/json']?.schema);
  const answer = findShapeExample(document, success?.content?.['application/json']?.schema);
  if (body === undefined && answer === undefined) return [];
  const named = { name: 'success', summary: '', status: Number(status), params: {}, query: {}, body };
  return [{ ...named, ...(answer !== undefined && { answer }) }];
}

/** Undefined for a shape without an example. */
export function findShapeExample(document: OpenApi, schema: Schema | undefined): unknown {
  if (schema === undefined) return undefined;
  const { $ref, examples, items } = schema;
  if (examples !== undefined) return examples[0];
  if ($ref !== undefined) {
    return findShapeExample(document, document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)]);
  }
  const element = findShapeExample(document, items);
  return element === undefined ? undefined : [element];
}
