import type { Metadata } from '@grpc/grpc-js';
import type { Caller } from '@pos/core/accounts';
import { createViolation, Refusal } from '@pos/core/refusals';
import { KEY_FORMS } from '@pos/rest-contracts/shapes';
import { parseBasicCredential } from '../auth/basic-credential.js';

/** The holder of a key: its tenant, its id and its permissions. */
export type GrpcKeyHolder = Pick<Caller, 'scope' | 'keyId' | 'permissions'>;

/** Finds a key by its literal text and the caller's address; null when it is unknown or deleted. */
export type GrpcAuthenticator = (keyText: string, address: string) => Promise<GrpcKeyHolder | null>;

/** Refuses a call for the partners that its metadata names. `rpc` is such as `service.tables.v1.TablesService/ListSessions`. */
export type GrpcPartnerCheck = (caller: Caller, rpc: string) => Promise<void>;

/**
 * Reads the key in the metadata `authorization`, in each form that HTTP accepts. Refuses any other text without
 * repeating it.
 */
export function readApiKey(metadata: Metadata): string {
  const [values, ...more] = metadata.get('authorization');
  if (values === undefined) throw new Refusal('unauthenticated', 'metadata authorization is missing');
  const key = typeof values === 'string' && more.length === 0 ? parseBasicCredential(values) : null;
  if (key === null || !API_KEY.test(key)) {
    throw new Refusal('unauthenticated', `metadata authorization holds no key; it is read from ${KEY_FORMS}`);
  }
  return key;
}

/** The partner in the metadata, or null. Refuses a name that is empty or longer than 100 characters. */
export function readPartnerId(metadata: Metadata, name: 'software-house-id' | 'reseller-id'): string | null {
  const [values] = metadata.get(name);
  if (values === undefined) return null;
  if (typeof values !== 'string' || values.length === 0 || values.length > PARTNER_ID_LENGTH_MAX) {
    throw createViolation('partner_header_invalid', name, 'must be 1 to 100 characters');
  }
  return values;
}

const PARTNER_ID_LENGTH_MAX = 100;
const API_KEY = /^[A-Za-z0-9_-]{1,200}$/;
