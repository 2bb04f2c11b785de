import type { Metadata } from '@grpc/grpc-js';
import type { Caller } from '@pos/core/caller';
import { keyed, Refusal } from '@pos/core/refusal';
import { KEY_FORMS } from '@pos/rest-contracts/key-forms';
import { basicCredential } from './basic-credential.js';

/** What a key's text stands for: its tenant, its id and what it may do. */
export type KeyHolder = Pick<Caller, 'scope' | 'keyId' | 'permissions'>;

/** Looks a key up by its literal text and where it came from; null when there is none such, or it was deleted. */
export type Authenticate = (keyText: string, address: string) => Promise<KeyHolder | null>;

/** The key in the metadata `authorization`, in each form that is read over HTTP. Refuses anything else, and never repeats what was sent. */
export function readKey(metadata: Metadata): string {
  const [given, ...more] = metadata.get('authorization');
  if (given === undefined) throw new Refusal('unauthenticated', 'metadata authorization is missing');
  const key = typeof given === 'string' && more.length === 0 ? basicCredential(given) : null;
  if (key === null || !KEY.test(key)) {
    throw new Refusal('unauthenticated', `metadata authorization holds no key; it is read from ${KEY_FORMS}`);
  }
  return key;
}

/** The partner named in the metadata, or null; refuses a name that is empty or longer than 100 characters. */
export function readPartner(metadata: Metadata, name: 'software-house-id' | 'reseller-id'): string | null {
  const [given] = metadata.get(name);
  if (given === undefined) return null;
  if (typeof given !== 'string' || given.length === 0 || given.length > PARTNER_LENGTH_MAX) {
    throw keyed('partner_header_invalid', name, 'must be 1 to 100 characters');
  }
  return given;
}

const PARTNER_LENGTH_MAX = 100;
const KEY = /^[A-Za-z0-9_-]{1,200}$/;
