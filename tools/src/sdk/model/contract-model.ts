import type { Operation } from '@pos/rest-contracts/operation';
import type { Schema } from './schema.js';

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
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Partial<Content>>>;
}

interface DocumentedParameter {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: Schema;
  readonly required?: boolean;
  readonly description?: string;
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** What the clients of all languages are generated from. */
export interface ContractModel {
  /** The release that the types describe. */
  readonly release: string;
  readonly schemas: Readonly<Record<string, Schema>>;
  /** In the order of the contract. */
  readonly operations: readonly OperationModel[];
  readonly events: readonly EventKind[];
  /** What refusals name as their reason. */
  readonly reasons: readonly string[];
}

/** A kind of webhook and its body. */
export interface EventKind {
  readonly kind: string;
  readonly schema: Schema;
}

/** How an operation is called, what it takes and answers. */
export interface OperationModel {
  readonly id: string;
  /** One sentence without its full stop. */
  readonly summary: string;
  readonly method: string;
  /** Template with members in braces. */
  readonly path: string;
  /** The members of the path, in their order. */
  readonly members: readonly string[];
  /** What follows the members in the arguments of a call. */
  readonly input: 'body' | 'query' | null;
  readonly body: Schema | null;
  /** The query as an object; null without parameters. */
  readonly query: Schema | null;
  /** Null: the answer has no content. */
  readonly result: Schema | null;
  /** `read`: changes nothing; `key`: an idempotency key makes repeats one operation; `never`: no repeat is safe. */
  readonly repeat: 'read' | 'key' | 'never';
  /** An API key is sent. */
  readonly key: boolean;
  readonly partners: boolean;
  /** The secret of a customer is sent in place of a key. */
  readonly customerSecret: boolean;
  /** Where the cursors of a listing are: members of its input, or in the member `cursor`; null: it is no listing. */
  readonly pages: 'members' | 'cursor' | null;
  /** Browsers of any origin may call it, and it takes no API key. */
  readonly isForPayers: boolean;
}

/** Reads by POST: a repeat changes nothing, so no key is stored for them. */
const READS_BY_POST = /^search[A-Z]/;

/** Reads what the generators need. Throws for what no client could call. */
export function createContractModel(document: ApiDocument, operations: readonly Operation[]): ContractModel {
  const { schemas } = document.components;
  const reasons = schemas['ProblemReason']?.enum;
  if (reasons === undefined) throw new Error('the document lists no reasons of problems');
  return {
    ...{ release: document.info.version, schemas, reasons: reasons.map(String) },
    operations: operations.map((operation) => readOperation(document, operation)),
    events: Object.entries(document.webhooks).map(([kind, { post }]) => {
      const schema = readSchema(post.requestBody);
      if (schema === null) throw new Error(`the webhook ${kind} has no body`);
      return { kind, schema };
    }),
  };
}

/** The name of the schema that this one refers to; null for a schema on the spot. */
export function readReference(schema: Schema): string | null {
  return schema.$ref?.replace('#/components/schemas/', '') ?? null;
}

function readOperation(document: ApiDocument, operation: Operation): OperationModel {
  const { id, path, permission, idempotency, partnerHeaders, customerSecret, crossOrigin } = operation;
  const documented = document.paths[path]?.[operation.method.toLowerCase()];
  if (documented === undefined) throw new Error(`the document lacks ${id}`);
  if (operation.clientSecret === true || customerSecret === 'customer-secret') {
    throw new Error(`the generator does not know the secret of ${id}`);
  }
  const [body, query] = [readSchema(documented.requestBody), readQuery(documented)];
  const result = readSchema(documented.responses['200']);
  const input = body ?? query;
  const isRead = operation.method === 'GET' || READS_BY_POST.test(id);
  return {
    ...{ id, summary: operation.summary, method: operation.method, path, body, query, result },
    members: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    input: body === null ? (query === null ? null : 'query') : 'body',
    repeat: isRead ? 'read' : idempotency === 'none' ? 'never' : 'key',
    ...{ key: permission !== null, partners: partnerHeaders === true, customerSecret: customerSecret !== undefined },
    pages: readPages(resolve(document, input), resolve(document, result)),
    isForPayers: permission === null && crossOrigin === true,
  };
}

/** A listing takes a cursor `after`, and answers one. */
function readPages(input: Schema, result: Schema): OperationModel['pages'] {
  if (result.properties?.['after'] === undefined || result.properties['data'] === undefined) return null;
  if (input.properties?.['after'] !== undefined) return 'members';
  return input.properties?.['cursor'] === undefined ? null : 'cursor';
}

function resolve(document: ApiDocument, schema: Schema | null): Schema {
  const name = readReference(schema ?? {});
  return (name === null ? schema : document.components.schemas[name]) ?? {};
}

function readQuery({ parameters = [] }: DocumentedOperation): Schema | null {
  const listed = parameters.filter((parameter) => parameter.in === 'query');
  if (listed.length === 0) return null;
  const properties = listed.map(({ name = '', schema = {}, description }) => {
    return [name, { ...schema, ...(description !== undefined && { description }) }] as const;
  });
  const required = listed.flatMap(({ name = '', required: isRequired }) => (isRequired === true ? [name] : []));
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function readSchema(content: Partial<Content> | undefined): Schema | null {
  const [media] = Object.values(content?.content ?? {});
  return media?.schema ?? null;
}
