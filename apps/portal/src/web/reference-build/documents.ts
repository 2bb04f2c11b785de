import { API_OPERATIONS, API_TITLE } from '@pos/rest-contracts/operations';
import { CARD_VAULT_OPERATIONS, CARD_VAULT_TITLE } from '@pos/rest-contracts/card-vault';
import { eposDataDocument } from '@pos/rest-contracts/epos-data';
import { openApiDocument } from '@pos/rest-contracts/openapi';
import type { Operation } from '@pos/rest-contracts/operation';
import { HEALTH_OPERATIONS, TESTER_OPERATIONS } from '@pos/rest-contracts/operators';
import type { Release } from '@pos/rest-contracts/versions';
import type { ReferenceServer, Schema } from '../pages/reference/data/reference-data.js';

/** An OpenAPI document, and what it does not say about its operations. */
export interface SourceDocument {
  readonly server: ReferenceServer;
  readonly document: OpenApi;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The tag of operations without one. */
  readonly tag: string;
}

/** The part of OpenAPI 3.1 that our documents use. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, OpenApiParameter>>;
  };
}

export interface OpenApiOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly content?: OpenApiContent;
}

export type OpenApiContent = Readonly<
  Record<
    string,
    {
      readonly schema: Schema;
      readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    }
  >
>;

/** Every document of a release. The card vault repeats the operations of health, which are listed once. */
export function createDocuments(release: Release): SourceDocument[] {
  const create = (
    server: ReferenceServer,
    operations: readonly Operation[],
    title: Parameters<typeof openApiDocument>[1],
  ): SourceDocument => ({
    ...{ server, tag: title.title, document: openApiDocument(operations, title, release) as unknown as OpenApi },
    operations: new Map(operations.map((operation) => [operation.id, operation])),
  });
  return [
    create('api', [...API_OPERATIONS, ...HEALTH_OPERATIONS], API_TITLE),
    create('card-vault', CARD_VAULT_OPERATIONS, CARD_VAULT_TITLE),
    create('epos-tester', TESTER_OPERATIONS, { title: 'EPOS tester', description: '' }),
    {
      ...{ server: 'epos', tag: 'EPOS Data API, served by an EPOS', operations: new Map<string, Operation>() },
      document: eposDataDocument() as unknown as OpenApi,
    },
  ];
}
