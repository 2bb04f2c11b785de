import type { Operation } from '@pos/rest-contracts/operation/operation';
import { renderComment, renderType, type Schema } from './render-type.js';

/** The parts of an OpenAPI document that the generator reads. */
export interface ApiDocument {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentedOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Partial<Content>>>;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Schema;
  readonly required?: boolean;
  readonly description?: string;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

const HEAD = '// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.\n';
/** Reads by POST: a repeat changes nothing, so no key is stored for them. */
const READS_BY_POST = /^search[A-Z]/;

/** `schemas.ts`: a type for each schema of the document, and the union of all webhooks by `event`. */
export function renderSchemas({ components, webhooks }: ApiDocument): string {
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${renderComment(schema.description)}export type ${name} = ${renderType(schema)};\n`,
  );
  const events = Object.entries(webhooks).map(
    ([kind, { post }]) => `  | (${bodyType(post.requestBody)} & { readonly event: ${JSON.stringify(kind)} })`,
  );
  return [
    HEAD,
    ...types,
    `/** Any webhook; \`event\` distinguishes them. */\nexport type WebhookEvent =\n${events.join('\n')};\n`,
  ].join('\n');
}

/** `operation-types.ts`: the arguments and the answer of each operation. */
export function renderOperationTypes(document: ApiDocument, operations: readonly Operation[]): string {
  const types = operations.map((operation) => renderOperationType(operation, findDocumented(document, operation)));
  const imports = Object.keys(document.components.schemas).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(types.join('').replaceAll(/\/\*\*.*\*\//g, '')),
  );
  return `${HEAD}
import type {\n${imports.map((name) => `  ${name},\n`).join('')}} from './schemas.js';

/** The release that these types describe, and that a client asks for. */
export const NEWEST_RELEASE = '${document.info.version}';

/** What each operation takes and answers. */
export interface OperationTypes {
${types.join('')}}
`;
}

/** `payer-operations.ts`: how the operations are called that browsers of payers may call. */
export function renderPayerOperations(document: ApiDocument, operations: readonly Operation[]): string {
  const rows = operations.filter(isForPayers).map((operation) => renderRow(document, operation));
  return `${HEAD}
import type { OperationFacts } from '../contract/operation-facts.js';
import type { OperationTypes } from './operation-types.js';

/** How each operation of payers is called. */
export const PAYER_OPERATIONS = {
${rows.join('')}} as const satisfies Partial<Readonly<Record<keyof OperationTypes, OperationFacts>>>;
`;
}

/** `operations.ts`: how all operations are called. */
export function renderOperations(document: ApiDocument, operations: readonly Operation[]): string {
  const rows = operations.filter((each) => !isForPayers(each)).map((operation) => renderRow(document, operation));
  return `${HEAD}
import type { OperationFacts } from '../contract/operation-facts.js';
import type { OperationTypes } from './operation-types.js';
import { PAYER_OPERATIONS } from './payer-operations.js';

/** How each operation is called. */
export const OPERATIONS = {
  ...PAYER_OPERATIONS,
${rows.join('')}} as const satisfies Readonly<Record<keyof OperationTypes, OperationFacts>>;
`;
}

/** Browsers of any origin may call it, and it takes no API key. */
function isForPayers({ permission, crossOrigin }: Operation): boolean {
  return permission === null && crossOrigin === true;
}

function findDocumented(document: ApiDocument, { id, path, method }: Operation): DocumentedOperation {
  const documented = document.paths[path]?.[method.toLowerCase()];
  if (documented === undefined) throw new Error(`the document lacks ${id}`);
  return documented;
}

function renderOperationType({ id, summary, path }: Operation, documented: DocumentedOperation): string {
  const members = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const query = listQuery(documented);
  const body = documented.requestBody === undefined ? [] : [`body: ${bodyType(documented.requestBody, 2)}`];
  const asked = query.length === 0 ? [] : [`query?: ${renderQuery(query)}`];
  const [args, returns] = [[...members, ...body, ...asked].join(', '), returnType(documented)];
  return `${renderComment(`${summary}.`, '  ')}  readonly ${id}: { readonly args: [${args}]; readonly returns: ${returns} };\n`;
}

function renderQuery(parameters: readonly Parameter[]): string {
  const members = parameters.map(({ name = '', schema = {}, required, description }) => {
    return [name, { ...schema, ...(description !== undefined && { description }) }, required === true] as const;
  });
  const required = members.flatMap(([name, , isRequired]) => (isRequired ? [name] : []));
  return renderType(
    { type: 'object', properties: Object.fromEntries(members.map(([name, schema]) => [name, schema])), required },
    1,
  );
}

function renderRow(document: ApiDocument, operation: Operation): string {
  const documented = findDocumented(document, operation);
  const input = documented.requestBody === undefined ? (listQuery(documented).length > 0 ? 'query' : null) : 'body';
  const { id, summary, method, path, permission, idempotency, partnerHeaders, customerSecret } = operation;
  if (operation.clientSecret === true || customerSecret === 'customer-secret') {
    throw new Error(`the generator does not know the secret of ${id}`);
  }
  const isRead = method === 'GET' || READS_BY_POST.test(id);
  const facts = JSON.stringify({
    ...{ method, path, input, summary },
    repeat: isRead ? 'read' : idempotency === 'none' ? 'never' : 'key',
    ...(permission !== null && { key: true }),
    ...(partnerHeaders === true && { partners: true }),
    ...(customerSecret !== undefined && { customerSecret: true }),
  });
  return `  ${id}: ${facts},\n`;
}

function listQuery({ parameters = [] }: DocumentedOperation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function bodyType(content: Partial<Content> | undefined, depth = 0): string {
  const [media] = Object.values(content?.content ?? {});
  return media === undefined ? 'undefined' : renderType(media.schema, depth);
}

function returnType({ responses }: DocumentedOperation): string {
  return bodyType(responses['200'], 2);
}
