import type { Metadata } from '@grpc/grpc-js';
import type { Caller } from '@pos/core/accounts/caller';
import { createViolation, Refusal } from '@pos/core/refusals/refusal';
import { KEY_FORMS } from '@pos/rest-contracts/shapes/key-forms';
import { parseBasicCredential } from '../auth/basic-credential.js';

/** What a key's text stands for: its tenant, its id and what it may do. */
export type GrpcKeyHolder = Pick<Caller, 'scope' | 'keyId' | 'permissions'>;

/** Looks a key up by its literal text and where it came from; null when there is none such, or it was deleted. */
export type GrpcAuthenticator = (keyText: string, address: string) => Promise<GrpcKeyHolder | null>;

/** The key in the metadata `authorization`, in each form that is read over HTTP. Refuses anything else, and never repeats what was sent. */
export function readApiKey(metadata: Metadata): string {
  const [values, ...more] = metadata.get('authorization');
  if (values === undefined) throw new Refusal('unauthenticated', 'metadata authorization is missing');
  const key = typeof values === 'string' && more.length === 0 ? parseBasicCredential(values) : null;
  if (key === null || !API_KEY.test(key)) {
    throw new Refusal('unauthenticated', `metadata authorization holds no key; it is read from ${KEY_FORMS}`);
  }
  return key;
}

/** The partner named in the metadata, or null; refuses a name that is empty or longer than 100 characters. */
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
