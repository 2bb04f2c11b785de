import { z } from 'zod';
import { type WebhookBody, WEBHOOK_HEADERS } from '../webhooks/events.js';
import { type DocumentExamples, findExamples } from './document-examples.js';
import { KEY_FORMS } from '../shapes/key-forms.js';
import type { Operation } from '../operation/operation.js';
import { listReasons } from '../problems/operation-reasons.js';
import { PROBLEM_STATUSES, PROBLEMS_BY_REASON, Problem, reasonsWithStatus } from '../problems/problems.js';
import { changesAfter } from '../versions/version-changes.js';
import { LATEST_RELEASE, type Release } from '../versions/versions.js';

/** How a document introduces itself. */
export interface ApiTitle {
  readonly title: string;
  readonly description: string;
  /** What the service sends to its integrators. */
  readonly webhooks?: readonly WebhookBody[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI 3.1 document of a list of operations, in the words of a release. Shapes with an id become components; every
 * refusal of every operation is listed under its status. The order of members is fixed, so that it can be kept as a golden.
 */
export function openApiDocument(
  operations: readonly Operation[],
  { title, description, webhooks = [] }: ApiTitle,
  release: Release = LATEST_RELEASE,
): Json {
  const components = new Map<string, Json>();
  const paths = new Map<string, Record<string, Json>>();
  for (const operation of operations) {
    const methods = paths.get(operation.path) ?? {};
    methods[operation.method.toLowerCase()] = describeOperation(operation, { components, release });
    paths.set(operation.path, methods);
  }
  describeShape(Problem, 'output', components);
  const sent = webhooks.map(({ kind, body }) => [
    kind,
    { post: describeWebhook(kind, describeShape(body, 'output', components)) },
  ]);
  for (const { schemas } of changesAfter(release)) {
    for (const [name, undo] of Object.entries(schemas)) {
      const newer = components.get(name);
      if (newer !== undefined) components.set(name, undo(newer));
    }
  }
  const tags = [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info: { title, description, version: release },
    tags,
    paths: Object.fromEntries(paths),
    ...(sent.length > 0 && { webhooks: Object.fromEntries(sent) as Json }),
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      parameters: HEADER_PARAMETERS,
      headers: ANSWER_HEADERS,
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: `An API key is read from ${KEY_FORMS}.`,
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The API key as the user name and no password, as `curl -u <key>:` sends it.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as the token.' },
      },
    },
  };
}

const VERSION_PARAMETER = {
  name: 'version',
  in: 'header',
  description: 'Selects the newest release not later than this date.',
  schema: { type: 'string', format: 'date', examples: [LATEST_RELEASE] },
};
const PARTNER = { in: 'header', required: true, schema: { type: 'string', minLength: 1, maxLength: 100 } };
const IDEMPOTENCY_PARAMETER = {
  name: 'idempotencyKey',
  in: 'header',
  description:
    'Makes repeats of one request one operation. Kept for at least 24 hours. The standard header `Idempotency-Key` is ' +
    'read as well; if both are sent, they must be equal.',
  schema: { type: 'string', pattern: '^[!-~]{1,100}$' },
};
const HEADER_PARAMETERS = {
  version: { ...VERSION_PARAMETER, required: true },
  versionOptional: { ...VERSION_PARAMETER, required: false },
  softwareHouseId: {
    name: 'software-house-id',
    description: 'The company that develops the EPOS software.',
    ...PARTNER,
  },
  resellerId: { name: 'reseller-id', description: 'The reseller who looks after the restaurant.', ...PARTNER },
  idempotencyKey: { ...IDEMPOTENCY_PARAMETER, required: true },
  idempotencyKeyOptional: { ...IDEMPOTENCY_PARAMETER, required: false },
};

const CLIENT_SECRET_PARAMETER = {
  name: 'client-session-secret',
  in: 'header',
  required: true,
  description: 'The one-time secret of the intent that is paid.',
  schema: { type: 'string' },
};

const PAYER_PROOF_PARAMETER: Json = {
  name: 'client-session-secret',
  in: 'header',
  required: false,
  description:
    'The secret with which a page has paid, from `refresh-client-session-secret` without a key. Only with it does the answer show what the payer has entered.',
  schema: { type: 'string' },
};

const CUSTOMER_SECRET_PARAMETERS = {
  authorization: {
    name: 'authorization',
    in: 'header',
    required: true,
    description: 'The word Basic, one space and the secret of the customer as it is.',
    schema: { type: 'string' },
  },
  'customer-secret': {
    name: 'customer-secret',
    in: 'header',
    required: false,
    description:
      'The secret of the customer whose card it is. Not needed if the payment was created with one that is still valid.',
    schema: { type: 'string' },
  },
} as const satisfies Record<NonNullable<Operation['customerSecret']>, Json>;

const ANSWER_HEADERS = {
  version: { description: 'The release the answer is written in.', schema: { type: 'string', format: 'date' } },
  'trace-id': { description: 'W3C trace parent of the request.', schema: { type: 'string' } },
  warnings: {
    description:
      'What was odd about the request and not refused, separated by commas: `unknown_member:` or `unknown_query_member:` ' +
      'and the path of something that is not read (`ignored_member:` if it has no effect beside the others), `version_not_released:` and a date after the newest release. ' +
      'At most ten are named. Not sent when there is nothing.',
    schema: { type: 'string', examples: ['unknown_member:colour, version_not_released:2099-01-01'] },
  },
};

/** What the description of an operation adds to, and the release in which it is written. */
interface DescribeContext {
  readonly components: Map<string, Json>;
  readonly release: Release;
}

function describeOperation(operation: Operation, { components, release }: DescribeContext): Json {
  const examples = findExamples(operation, release);
  const { id, tag, summary, description, permission, body } = operation;
  const text = [description, describeSecurity(permission)]
    .filter((part) => part !== undefined && part !== null)
    .join('\n\n');
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(text !== '' && { description: text }),
    security: permission === null ? [] : [{ apiKey: [] }, { basic: [] }, { bearer: [] }],
    parameters: addParameterExamples(describeParameters(operation, components), examples.parameters),
    ...(body !== undefined && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: {
          'application/json': { schema: describeShape(body, 'input', components), ...listNamed(examples.request) },
        },
      },
    }),
    responses: describeResponses(operation, { components, examples }),
  };
}

function describeSecurity(permission: Operation['permission']): string | null {
  if (permission === null || permission === 'any') return null;
  if (permission === 'full') return 'Needs every permission of the role `full`.';
  return `Needs the permission \`${permission}\`.`;
}

function describeWebhook(kind: string, body: Json): Json {
  return {
    summary: kind,
    parameters: Object.entries(WEBHOOK_HEADERS).map(([name, { description, schema }]) => ({
      name,
      in: 'header',
      required: true,
      description,
      schema,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 200: { description: 'Any status from 200 to 299 confirms the delivery.' } },
  };
}

function describeParameters(operation: Operation, components: Map<string, Json>): readonly Json[] {
  const { version, partnerHeaders, idempotency, params, query, clientSecret, payerProof, customerSecret } = operation;
  const header = (name: keyof typeof HEADER_PARAMETERS): Json => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...listMembers(params, 'path', components),
    ...listMembers(query, 'query', components),
    ...(version === 'required' ? [header('version')] : []),
    ...(version === 'optional' ? [header('versionOptional')] : []),
    ...(partnerHeaders === true ? [header('softwareHouseId'), header('resellerId')] : []),
    ...(clientSecret === true ? [CLIENT_SECRET_PARAMETER] : []),
    ...(payerProof === true ? [PAYER_PROOF_PARAMETER] : []),
    ...(customerSecret === undefined ? [] : [CUSTOMER_SECRET_PARAMETERS[customerSecret]]),
    ...(idempotency === 'required' ? [header('idempotencyKey')] : []),
    ...(idempotency === 'optional' ? [header('idempotencyKeyOptional')] : []),
  ];
}

/** The members of a path or a query as parameters. */
export function listMembers(
  members: z.ZodObject | undefined,
  place: 'path' | 'query',
  components: Map<string, Json>,
): Json[] {
  if (members === undefined) return [];
  // zod types the members of an unknown object as any.
  const shapes = members.shape as Readonly<Record<string, z.ZodType>>;
  return Object.entries(shapes).map(([name, schema]) => {
    // Viewers of documents display the description of the parameter, not that of its schema.
    const { description, ...shape } = describeShape(schema, 'input', components);
    return {
      name,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: shape,
    };
  });
}

function addParameterExamples(parameters: readonly Json[], examples: Readonly<Record<string, string>>): Json[] {
  return parameters.map((parameter) => {
    const example = examples[String(parameter['name'])];
    return example === undefined ? parameter : { ...parameter, example };
  });
}

function listNamed(examples: Json | undefined): Json {
  return examples === undefined || Object.keys(examples).length === 0 ? {} : { examples };
}

function describeResponses(
  operation: Operation,
  { components, examples }: { components: Map<string, Json>; examples: DocumentExamples },
): Json {
  const { returns, method } = operation;
  const reasons = listReasons(operation);
  const statuses = new Set(reasons.map((reason) => PROBLEMS_BY_REASON[reason].status));
  const failures = Object.values(PROBLEM_STATUSES)
    .filter(({ status }) => statuses.has(status))
    .map(({ status, title }) => {
      const named = listNamed(examples.problems.get(status));
      return [String(status), describeFailure(title, { reasons: reasonsWithStatus(reasons, status), named })] as const;
    });
  const success =
    returns === null
      ? { 204: { description: 'Done; there is no body.', headers: HEADERS } }
      : {
          200: {
            description: method === 'GET' ? 'Read.' : 'Done.',
            headers: HEADERS,
            content: {
              'application/json': {
                schema: describeShape(returns, 'output', components),
                ...listNamed(examples.success),
              },
            },
          },
        };
  return addPassedOnErrors(operation, { ...success, ...Object.fromEntries(failures) }, components);
}

/** Errors that are passed on stand beside our problems of the same status, under a media type of their own. */
function addPassedOnErrors({ passedOn }: Operation, responses: Json, components: Map<string, Json>): Json {
  if (passedOn === undefined) return responses;
  const ours = new Map(Object.entries(responses));
  const content = { 'application/json': { schema: describeShape(passedOn.body, 'output', components) } };
  const theirs = passedOn.statuses.map((status) => {
    const problem = ours.get(String(status));
    const known = isJson(problem) ? problem : { description: 'As the EPOS answers.', headers: HEADERS };
    const media = isJson(known['content']) ? known['content'] : {};
    return [String(status), { ...known, content: { ...media, ...content } }] as const;
  });
  return { ...responses, ...Object.fromEntries(theirs) };
}

function isJson(part: unknown): part is Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null;
}

const HEADERS = Object.fromEntries(
  Object.keys(ANSWER_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function describeFailure(title: string, { reasons, named }: { reasons: readonly string[]; named: Json }): Json {
  return {
    description: `${title.replace(/\.$/, '')}: ${reasons.join(', ')}.`,
    headers: HEADERS,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, ...named } },
  };
}

/** JSON Schema of a shape; named shapes inside it go to the components, once each and always the same. */
export function describeShape(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Json>): Json {
  // Wrapped, because zod gives a reference only to what stands inside something.
  const wrapped = z.toJSONSchema(z.object({ it: schema }), {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Answers may gain members without a new release, so the schema must not forbid other members.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.id;
    },
  });
  const rewritten: unknown = JSON.parse(JSON.stringify(wrapped).replaceAll('"#/$defs/', '"#/components/schemas/'));
  const { properties, $defs = {} } = rewritten as { properties: { it: Json }; $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs)) {
    const known = components.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`two shapes are called ${name}`);
    }
    components.set(name, definition);
  }
  return properties.it;
}
