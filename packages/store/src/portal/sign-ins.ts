import { createHash } from 'node:crypto';
import { parseKnownId, type PortalUserId } from '@pos/core/identity';
import type { Reader, Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { type ChallengePurpose, type SignInMethod } from './factor-relations.js';

/** A sign-in that waits for a second factor, or for a passkey alone. */
export interface OpenSignIn {
  readonly idHash: Buffer;
  /** Null: the passkey names the user. */
  readonly userId: PortalUserId | null;
  /** A digest of the password's hash when the sign-in began. */
  readonly credentialHash: Buffer | null;
  readonly method: SignInMethod;
  /** When the first factor was given; null where that is not known. */
  readonly authenticatedAt: Date | null;
}

const DELETE_EXPIRED = defineStatement(
  'delete_expired_sign_ins',
  'delete from portal_sign_ins where account_id = $1 and environment = $2 and expires_at <= $3',
);
const INSERT = defineStatement(
  'insert_sign_in',
  `insert into portal_sign_ins
     (account_id, environment, id_hash, user_id, credential_hash, method, authenticated_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const FIND = defineStatement(
  'find_sign_in',
  `select id_hash, user_id, credential_hash, method, authenticated_at from portal_sign_ins
   where account_id = $1 and environment = $2 and id_hash = $3 and expires_at > clock_timestamp()`,
);
const DELETE = defineStatement(
  'end_sign_in',
  `delete from portal_sign_ins where account_id = $1 and environment = $2 and id_hash = $3 and expires_at > $4
   returning id_hash`,
);
const DELETE_OF_USER = defineStatement(
  'end_sign_ins_of_user',
  'delete from portal_sign_ins where account_id = $1 and environment = $2 and user_id = $3',
);
const EXPIRE_CHALLENGES = defineStatement(
  'delete_expired_challenges',
  'delete from portal_challenges where account_id = $1 and environment = $2 and expires_at <= $3',
);
const PUT_CHALLENGE = defineStatement(
  'put_challenge',
  `insert into portal_challenges (account_id, environment, owner_hash, purpose, challenge, expires_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (account_id, environment, owner_hash, purpose) do update
   set challenge = excluded.challenge, expires_at = excluded.expires_at`,
);
const TAKE_CHALLENGE = defineStatement(
  'take_challenge',
  `delete from portal_challenges
   where account_id = $1 and environment = $2 and owner_hash = $3 and purpose = $4 returning challenge, expires_at`,
);

/** What is stored of the id of a sign-in: nobody who reads the rows can continue one. */
export function hashSignInId(id: string): Buffer {
  return createHash('sha256').update('sign-in ').update(id).digest();
}

/** Stores a sign-in, and deletes those that have expired. */
export async function insertSignIn(tx: Tx, signIn: OpenSignIn, ageMs: number): Promise<void> {
  const { accountId, environment } = tx.scope;
  const { idHash, userId, credentialHash, method, authenticatedAt } = signIn;
  const expiresAt = new Date(tx.databaseNow.getTime() + ageMs);
  await tx.query(DELETE_EXPIRED, [accountId, environment, tx.databaseNow]);
  const values = [idHash, userId, credentialHash, method, authenticatedAt, expiresAt];
  await tx.query(INSERT, [accountId, environment, ...values]);
}

/** The sign-in of an id; null when it has ended or expired. */
export async function findSignIn(reader: Reader, idHash: Buffer): Promise<OpenSignIn | null> {
  const { accountId, environment } = reader.scope;
  const [row] = await reader.query<SignInRow>(FIND, [accountId, environment, idHash]);
  if (row === undefined) return null;
  return {
    idHash: row.id_hash,
    userId: row.user_id === null ? null : parseKnownId('portalUser', row.user_id),
    credentialHash: row.credential_hash,
    method: row.method,
    authenticatedAt: row.authenticated_at,
  };
}

interface SignInRow {
  readonly id_hash: Buffer;
  readonly user_id: string | null;
  readonly credential_hash: Buffer | null;
  readonly method: SignInMethod;
  readonly authenticated_at: Date | null;
}

/** Ends a sign-in. False: it has ended or expired before, so it gives no session. */
export async function endSignIn(tx: Tx, idHash: Buffer): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  return (await tx.query(DELETE, [accountId, environment, idHash, tx.databaseNow])).length === 1;
}

/** Ends all sign-ins of a user that wait for a second factor. */
export async function endSignInsOfUser(tx: Tx, userId: PortalUserId): Promise<void> {
  await tx.query(DELETE_OF_USER, [tx.scope.accountId, tx.scope.environment, userId]);
}

/** Where a challenge belongs: the session or sign-in that asked for it, and what it is answered for. */
export interface ChallengeOwner {
  readonly ownerHash: Buffer;
  readonly purpose: ChallengePurpose;
}

/** Stores a challenge; it replaces the previous one of its owner. Deletes those that have expired. */
export async function putChallenge(
  tx: Tx,
  { ownerHash, purpose }: ChallengeOwner,
  { challenge, ageMs }: { readonly challenge: string; readonly ageMs: number },
): Promise<void> {
  const { accountId, environment } = tx.scope;
  const expiresAt = new Date(tx.databaseNow.getTime() + ageMs);
  await tx.query(EXPIRE_CHALLENGES, [accountId, environment, tx.databaseNow]);
  await tx.query(PUT_CHALLENGE, [accountId, environment, ownerHash, purpose, challenge, expiresAt]);
}

/** Uses up the challenge of its owner; null when there is none, or its time is over. */
export async function takeChallenge(tx: Tx, { ownerHash, purpose }: ChallengeOwner): Promise<string | null> {
  const { accountId, environment } = tx.scope;
  type Row = { readonly challenge: string; readonly expires_at: Date };
  const [row] = await tx.query<Row>(TAKE_CHALLENGE, [accountId, environment, ownerHash, purpose]);
  return row === undefined || row.expires_at <= tx.databaseNow ? null : row.challenge;
}
