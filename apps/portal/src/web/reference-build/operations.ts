import type { Method, Operation } from '@pos/rest-contracts/operation';
import { listReasons, PROBLEM_STATUSES, PROBLEMS_BY_REASON, reasonsWithStatus } from '@pos/rest-contracts/problems';
import type {
  ReferenceAnswer,
  ReferenceEvent,
  ReferenceOperation,
  ReferenceParameter,
  ReferenceProblem,
  Schema,
} from '../pages/reference/data/reference-data.js';
import type { OpenApi, OpenApiOperation, SourceDocument } from './documents.js';
import { findShapeExample, listContractExamples, listShapeExamples } from './examples.js';

/** The operations of a document, in its order. `guides` are added later. */
export function listOperations({ server, document, operations, tag }: SourceDocument): ReferenceOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const id = described.operationId ?? '';
      const contract = operations.get(id) ?? null;
      const parts = {
        parameters: listParameters(document, described),
        body: readBody(described),
        answers: listAnswers(described, contract),
        problems: contract === null ? [] : listProblems(contract),
      };
      const examples =
        contract === null ? listShapeExamples(document, described) : listContractExamples(contract, described);
      return {
        ...{ id, server, path, method: method.toUpperCase() as Method, tag: described.tags?.[0] ?? tag },
        ...{ summary: described.summary ?? '', description: described.description ?? '' },
        ...{ permission: contract?.permission ?? null, guides: [], examples },
        ...{ ...parts, schemas: collectSchemas(document, parts) },
      };
    }),
  );
}

/** The events that the service sends. */
export function listEvents({ document }: SourceDocument): ReferenceEvent[] {
  return Object.entries(document.webhooks ?? {}).map(([kind, { post }]) => {
    const headers = listParameters(document, post);
    const { schema = {} } = post.requestBody?.content['application/json'] ?? {};
    return {
      ...{ kind, headers, schema, example: findShapeExample(document, schema) ?? null },
      schemas: collectSchemas(document, { headers, schema }),
    };
  });
}

function listParameters({ components }: OpenApi, { parameters = [] }: OpenApiOperation): ReferenceParameter[] {
  return parameters.flatMap((each) => {
    const named = '$ref' in each ? components.parameters?.[each.$ref.slice(each.$ref.lastIndexOf('/') + 1)] : each;
    if (named === undefined) return [];
    // The examples of the operation have the values, each its own.
    const { example: _, ...parameter } = named;
    return [parameter];
  });
}

function readBody({ requestBody }: OpenApiOperation): ReferenceOperation['body'] {
  const content = requestBody?.content['application/json'];
  if (content === undefined) return null;
  const isRequired = requestBody?.required ?? false;
  return { isRequired, schema: content.schema };
}

/** Every answer with a body that is no problem; those of an EPOS have errors of their own form. */
function listAnswers({ responses }: OpenApiOperation, contract: Operation | null): ReferenceAnswer[] {
  return Object.entries(responses)
    .filter(([, { content }]) => content === undefined || 'application/json' in content)
    .filter(([status]) => contract === null || status.startsWith('2') || contract.passedOn !== undefined)
    .map(([status, { description, content }]) => {
      return { status, description, schema: content?.['application/json']?.schema ?? null };
    });
}

function listProblems(contract: Operation): ReferenceProblem[] {
  const reasons = listReasons(contract);
  const statuses = new Set(reasons.map((reason) => PROBLEMS_BY_REASON[reason].status));
  return Object.values(PROBLEM_STATUSES)
    .filter(({ status }) => statuses.has(status))
    .map(({ status, title }) => ({
      ...{ status, title: title.replace(/\.$/, '') },
      reasons: reasonsWithStatus(reasons, status),
    }));
}

const REFERENCE = /"#\/components\/schemas\/([\w.-]+)"/g;

/** The shapes that the parts refer to, and those that these refer to, by name. */
function collectSchemas({ components }: OpenApi, parts: unknown): Record<string, Schema> {
  const found = new Map<string, Schema>();
  const search = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      const schema = components.schemas[name];
      if (schema === undefined) throw new Error(`the document has no shape ${name}`);
      if (found.has(name)) continue;
      found.set(name, schema);
      search(schema);
    }
  };
  search(parts);
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}
