import type { Permission } from '@pos/core/identity/permissions';
import type { RefusalCode } from '@pos/core/refusals/refusal';
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One endpoint as data. Routing, reading, OpenAPI document and typed client are all made from it,
 * so nothing about an endpoint is written twice.
 */
export interface Operation {
  /** Lower camel case, unique over all apps: the `operationId` of the document. */
  readonly id: string;
  readonly method: Method;
  /** Template with members in braces, without a trailing slash: `/payment-intents/{paymentIntentId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What the key must be allowed to do; `any` = every valid key; `full` = all that the role has; null = no key is asked for. */
  readonly permission: Permission | 'any' | 'full' | null;
  /** How a production key is refused where only sandbox keys may call. */
  readonly sandboxOnly?: 'path_unknown' | 'permission_missing';
  /** Whether the header `version` must be sent. `none`: it is not even read. */
  readonly version: 'required' | 'optional' | 'none';
  /** The headers `software-house-id` and `reseller-id` must be sent. */
  readonly partnerHeaders?: true;
  /** A payer calls, with the header `client-session-secret`; problem bodies also carry the members of a result. */
  readonly clientSecret?: true;
  /** The header in which the secret of a customer comes: as a key would, or beside the client secret, where it may be left
   * out for an intent that was given one. */
  readonly customerSecret?: 'authorization' | 'customer-secret';
  /** Browsers of any origin may call. */
  readonly crossOrigin?: true;
  readonly idempotency: 'none' | 'optional' | 'required';
  /** Path members; always text, because a malformed id is an unknown id and not a bad request. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body of the answer 200; null = 204. */
  readonly returns: z.ZodType | null;
  /** What this operation refuses beyond `COMMON_REFUSALS`. */
  readonly refusals: readonly RefusalCode[];
  /** Errors of another system that are passed on unchanged, beside our problems: the statuses and the body. */
  readonly passedOn?: { readonly statuses: readonly number[]; readonly body: z.ZodType };
  /** The key may come in the header `accountName` as it is, instead of `authorization`. */
  readonly keyInAccountName?: true;
  /** Problem bodies also carry `code`. */
  readonly problemsCarryCode?: true;
}

/** What the use case is handed of the path. */
export type ParamsOf<O extends Operation> = O extends { readonly params: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** What the use case is handed of the query: read, with defaults in place. */
export type QueryOf<O extends Operation> = O extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** What the use case is handed of the body: read, with defaults in place, timestamps as `Date`, timespans as milliseconds. */
export type BodyOf<O extends Operation> = O extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** What a caller sends as body, before it is read. */
export type SentBodyOf<O extends Operation> = O extends { readonly body: infer S extends z.ZodType }
  ? DeepReadonly<z.input<S>>
  : undefined;

/** What a caller sends as query, before it is read. */
export type SentQueryOf<O extends Operation> = O extends { readonly query: infer S extends z.ZodType }
  ? DeepReadonly<z.input<S>>
  : Readonly<Record<string, never>>;

/** The answer: what a presenter makes and a client receives. */
export type ReturnsOf<O extends Operation> = O['returns'] extends infer S extends z.ZodType
  ? DeepReadonly<z.output<S>>
  : undefined;

/** Nobody changes what is sent or received; and what cannot be changed may be presented as it is. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** Refusals that any operation may answer, each where it applies; an operation lists only what is its own. */
export function commonRefusals(operation: Operation): readonly RefusalCode[] {
  const { permission, version, partnerHeaders, idempotency } = operation;
  return [
    ...(permission === null ? [] : (['unauthenticated'] as const)),
    ...(permission === null || permission === 'any' ? [] : (['permission_missing'] as const)),
    ...(version === 'none' ? [] : (['version_invalid'] as const)),
    ...(partnerHeaders === true ? (['partner_header_invalid'] as const) : []),
    ...(readsInput(operation) ? (['validation_failed'] as const) : []),
    ...(takesBody(operation) ? BODY_REFUSALS : []),
    ...(idempotency === 'none' ? [] : IDEMPOTENCY_REFUSALS),
    ...(operation.sandboxOnly === undefined ? [] : [operation.sandboxOnly]),
    'rate_limited',
    'service_unavailable',
    'commit_unknown',
  ];
}

/** Whether a body is read at all; where none is defined, an empty object is still accepted. */
export function takesBody({ method }: Operation): boolean {
  return method !== 'GET';
}

function readsInput({ query, body }: Operation): boolean {
  return query !== undefined || body !== undefined;
}

const BODY_REFUSALS = ['media_type_unsupported', 'body_too_large', 'body_malformed'] as const;
const IDEMPOTENCY_REFUSALS = ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'] as const;
