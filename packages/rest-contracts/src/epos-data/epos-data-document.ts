import {
  getCapability,
  EPOS_CALL_HEADERS,
  EPOS_DATA,
  EPOS_ERROR_STATUSES,
  EposError,
  type EposDataCallName,
  toSocketMethod,
} from './epos-data.js';
import { listMembers, describeShape } from '../openapi/openapi.js';

type Json = Readonly<Record<string, unknown>>;

const HEADERS: readonly Json[] = Object.values(EPOS_CALL_HEADERS).map((name) => ({
  name,
  in: 'header',
  required: false,
  description: 'Sent when it is known.',
  schema: { type: 'string' },
}));

/** The OpenAPI 3.1 document of the EPOS Data API, which an EPOS serves and the service calls. A golden file pins it. */
export function eposDataDocument(): Json {
  const components = new Map<string, Json>();
  const paths = new Map<string, Record<string, Json>>();
  for (const name of Object.keys(EPOS_DATA) as EposDataCallName[]) {
    const { method, path } = EPOS_DATA[name];
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: describe(name, components) });
  }
  describeShape(EposError, 'output', components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'EPOS Data API',
      description:
        'What an EPOS serves and the service calls, below the address that the EPOS has registered. Only what is ' +
        'registered as a capability is ever called. The same calls travel over the socket that an EPOS opens, as ' +
        'JSON-RPC with path, body and headers in `params`.',
      version: 'v1',
    },
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: 'The user name and password that the EPOS registered.' },
      },
    },
  };
}

function describe(name: EposDataCallName, components: Map<string, Json>): Json {
  const { summary, params, body, returns } = EPOS_DATA[name];
  const capabilities =
    getCapability(name) ?? 'HandleEvent:payment_intent.created, HandleEvent:payment_intent.status_updated';
  return {
    operationId: name,
    summary,
    description: `Capability: ${capabilities}. Over the socket: \`${toSocketMethod(name)}\`.`,
    security: [{ basic: [] }],
    parameters: [...listMembers(params ?? undefined, 'path', components), ...HEADERS],
    ...(body !== null && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: describeShape(body, 'input', components) } },
      },
    }),
    responses: {
      200:
        returns === null
          ? { description: 'Done; no body is read.' }
          : {
              description: 'Done.',
              content: { 'application/json': { schema: describeShape(returns, 'input', components) } },
            },
      ...Object.fromEntries(
        Object.entries(EPOS_ERROR_STATUSES).map(([errorType, status]) => [
          status,
          {
            description: `${errorType}.`,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/EposError' } } },
          },
        ]),
      ),
    },
  };
}
