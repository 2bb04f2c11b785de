import { parseKnownId, type PortalUserId } from '@pos/core/identity';
import type { Reader, Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';
import { findRow, findRows, type RowOf } from '../relations/relation.js';
import { portalPasskeys } from './factor-relations.js';

/** A passkey of a user of the portal. */
export interface Passkey {
  /** Base64url, as browsers name it. */
  readonly credentialId: string;
  readonly userId: PortalUserId;
  readonly name: string;
  /** COSE. */
  readonly publicKey: Buffer;
  /** The counter of its last signature; 0 for a passkey that does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

const INSERT = defineStatement(
  'insert_passkey',
  `insert into portal_passkeys
     (account_id, environment, credential_id, user_id, name, public_key, counter, transports, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (account_id, environment, credential_id) do nothing returning credential_id`,
);
const USE = defineStatement(
  'use_passkey',
  `update portal_passkeys set counter = $5, used_at = $6
   where account_id = $1 and environment = $2 and credential_id = $3 and user_id = $4
     and (counter < $5 or (counter = 0 and $5 = 0)) returning credential_id`,
);
const DELETE = defineStatement(
  'delete_passkey',
  `delete from portal_passkeys where account_id = $1 and environment = $2 and user_id = $3 and credential_id = $4
   returning name`,
);
const DELETE_ALL = defineStatement(
  'delete_passkeys',
  'delete from portal_passkeys where account_id = $1 and environment = $2 and user_id = $3',
);

export async function findPasskey(reader: Reader, credentialId: string): Promise<Passkey | null> {
  const row = await findRow(reader, portalPasskeys, { where: { credential_id: credentialId } });
  return row === null ? null : toPasskey(row);
}

/** The passkeys of a user, oldest first. */
export async function listPasskeys(reader: Reader, userId: PortalUserId): Promise<Passkey[]> {
  const rows = await findRows(reader, portalPasskeys, {
    where: { user_id: userId },
    orderBy: 'created_at, credential_id',
  });
  return rows.map(toPasskey);
}

/** False: the credential is registered already, for this user or another. */
export async function insertPasskey(tx: Tx, passkey: Omit<Passkey, 'createdAt' | 'usedAt'>): Promise<boolean> {
  const { credentialId, userId, name, publicKey, counter, transports } = passkey;
  const { accountId, environment } = tx.scope;
  const values = [credentialId, userId, name, publicKey, counter, transports, tx.databaseNow];
  return (await tx.query(INSERT, [accountId, environment, ...values])).length === 1;
}

/** Stores a use. False: the counter is not above the stored one, so the credential is a copy or the answer a repeat. */
export async function usePasskey(tx: Tx, { credentialId, userId }: Passkey, counter: number): Promise<boolean> {
  const { accountId, environment } = tx.scope;
  const rows = await tx.query(USE, [accountId, environment, credentialId, userId, counter, tx.databaseNow]);
  return rows.length === 1;
}

/** The name of the deleted passkey; null: the user has no such passkey. */
export async function deletePasskey(tx: Tx, userId: PortalUserId, credentialId: string): Promise<string | null> {
  const { accountId, environment } = tx.scope;
  const [row] = await tx.query<{ name: string }>(DELETE, [accountId, environment, userId, credentialId]);
  return row?.name ?? null;
}

export async function deletePasskeys(tx: Tx, userId: PortalUserId): Promise<void> {
  await tx.query(DELETE_ALL, [tx.scope.accountId, tx.scope.environment, userId]);
}

function toPasskey(row: RowOf<typeof portalPasskeys>): Passkey {
  const { name, counter, transports } = row;
  return {
    ...{ name, counter, transports },
    credentialId: row.credential_id,
    userId: parseKnownId('portalUser', row.user_id),
    publicKey: row.public_key,
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}
