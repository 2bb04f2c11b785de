import type { Permission } from '@pos/core/identity';
import type { RefusalCode } from '@pos/core/refusals';
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One endpoint as data. The route, the parser, the OpenAPI document and the typed client are all derived from it, so
 * each fact about an endpoint is written once.
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
  /**
   * The permission that the key needs; `any` = every valid key; `full` = all that the role has; null = no key is
   * required.
   */
  readonly permission: Permission | 'any' | 'full' | null;
  /** How a production key is refused where only sandbox keys may call. */
  readonly sandboxOnly?: 'path_unknown' | 'permission_missing';
  /** Whether the header `version` must be sent. `none`: it is not read. */
  readonly version: 'required' | 'optional' | 'none';
  /** The headers `software-house-id` and `reseller-id` must be sent. */
  readonly partnerHeaders?: true;
  /**
   * The request reads, ends or returns a payment that exists, so a partner that is retired may still send it: a payment
   * that was begun before must not stay open, or be taken again because its end could not be read.
   */
  readonly continuesPayment?: true;
  /** Called by payers with the header `client-session-secret`; problem bodies also have the members of a result. */
  readonly clientSecret?: true;
  /** The header `client-session-secret` may be sent: it proves that the caller has paid, or tried to. */
  readonly payerProof?: true;
  /**
   * The header of a customer's secret: in place of a key, or beside the client secret. There it is optional for an
   * intent that was created with one.
   */
  readonly customerSecret?: 'authorization' | 'customer-secret';
  /** Browsers of any origin may call. */
  readonly crossOrigin?: true;
  readonly idempotency: 'none' | 'optional' | 'required';
  /** Path members; always text, because a malformed id counts as an unknown id and not as a bad request. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body of the answer 200; null = 204. */
  readonly returns: z.ZodType | null;
  /**
   * The request moves money, or says how it will be moved: a member that it has twice with different values is refused,
   * and unknown members are for keys that read strictly (`ApiKey.strict`).
   */
  readonly movesMoney?: true;
  /** The paths of members of a valid body that have no effect beside the others: the answer's `warnings` name them. */
  readonly listIgnored?: (body: unknown) => readonly string[];
  /** What this operation refuses beyond `COMMON_REFUSALS`. */
  readonly refusals: readonly RefusalCode[];
  /** Errors of another system that are passed on unchanged, beside our problems: the statuses and the body. */
  readonly passedOn?: { readonly statuses: readonly number[]; readonly body: z.ZodType };
  /** The key may be sent unchanged in the header `accountName`, instead of in `authorization`. */
  readonly keyInAccountName?: true;
  /** Problem bodies also carry `code`. */
  readonly problemsCarryCode?: true;
}

/** The path members in the use case. */
export type ParamsOf<O extends Operation> = O extends { readonly params: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** The parsed query in the use case, with defaults. */
export type QueryOf<O extends Operation> = O extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** The parsed body in the use case, with defaults, timestamps as `Date` and timespans as milliseconds. */
export type BodyOf<O extends Operation> = O extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : Readonly<Record<string, never>>;

/** The body as a caller sends it. */
export type SentBodyOf<O extends Operation> = O extends { readonly body: infer S extends z.ZodType }
  ? DeepReadonly<z.input<S>>
  : undefined;

/** The query as a caller sends it. */
export type SentQueryOf<O extends Operation> = O extends { readonly query: infer S extends z.ZodType }
  ? DeepReadonly<z.input<S>>
  : Readonly<Record<string, never>>;

/** The answer, as a presenter creates and a client receives it. */
export type ReturnsOf<O extends Operation> = O['returns'] extends infer S extends z.ZodType
  ? DeepReadonly<z.output<S>>
  : undefined;

/** Requests and answers are never changed, so read-only values may be presented directly. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The refusals that apply to every operation with the same requirements; an operation lists only its own. */
export function commonRefusals(operation: Operation): readonly RefusalCode[] {
  const { permission, version, partnerHeaders, idempotency } = operation;
  return [
    ...(permission === null ? [] : (['unauthenticated'] as const)),
    ...(permission === null || permission === 'any' ? [] : (['permission_missing'] as const)),
    ...(version === 'none' ? [] : (['version_invalid'] as const)),
    ...(partnerHeaders === true ? (['partner_header_invalid'] as const) : []),
    ...(checksPartners(operation) ? (['partner_not_registered'] as const) : []),
    ...(readsInput(operation) ? (['validation_failed'] as const) : []),
    ...(takesBody(operation) ? BODY_REFUSALS : []),
    ...(idempotency === 'none' ? [] : IDEMPOTENCY_REFUSALS),
    ...(operation.sandboxOnly === undefined ? [] : [operation.sandboxOnly]),
    'rate_limited',
    'service_unavailable',
    'commit_unknown',
  ];
}

/** Whether a production request may be refused for the partners that it names. */
function checksPartners({ permission, sandboxOnly }: Operation): boolean {
  return permission !== null && sandboxOnly === undefined;
}

/** Whether a body is read. Operations without a defined body accept an empty object. */
export function takesBody({ method }: Operation): boolean {
  return method !== 'GET';
}

function readsInput({ query, body }: Operation): boolean {
  return query !== undefined || body !== undefined;
}

const BODY_REFUSALS = ['media_type_unsupported', 'body_too_large', 'body_malformed'] as const;
const IDEMPOTENCY_REFUSALS = ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'] as const;
