import { formatScope } from '@pos/core/identity';
import type { RegisteredCapability } from '@pos/core/tables';
import { eposIntegrations, type EposIntegrationRow } from '../relations/account-relations.js';
import type { SealContext } from '../crypto/sealing.js';
import { findRow, findRows } from '../relations/relation.js';
import { deleteScopedRows, upsertScopedRow } from '../relations/scoped-query.js';
import type { Reader, Tx } from '../database/transaction.js';

export type EposIntegrationKind = EposIntegrationRow['kind'];

/** How an account's EPOS is reached, and its capabilities. The password is in clear: it is only sent to the EPOS. */
export interface EposIntegration {
  readonly kind: EposIntegrationKind;
  readonly url: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly capabilities: readonly RegisteredCapability[];
  readonly createdAt: Date;
}

/** The complete registration of one kind from now on. */
export interface NewEposIntegration extends Omit<EposIntegration, 'capabilities' | 'createdAt'> {
  readonly capabilities: readonly Omit<RegisteredCapability, 'updatedAt'>[];
}

/** Registers the EPOS, or replaces the registration of this kind. */
export async function putEposIntegration(tx: Tx, request: NewEposIntegration): Promise<void> {
  const sealed = request.password === null ? null : tx.seal(eposPasswordContext(request.kind), request.password);
  const { kind, url, username } = request;
  const capabilities = request.capabilities.map(({ name, version }) => ({
    ...{ name, version, updatedAt: tx.now.toISOString() },
  }));
  const row = { kind, url, username, password_ciphertext: sealed, capabilities, created_at: tx.now };
  const replaces = ['url', 'username', 'password_ciphertext', 'capabilities'] as const;
  await upsertScopedRow(tx, eposIntegrations, { row, replaces });
  notifyRouteChange(tx);
}

/** False if this kind was not registered. */
export async function deleteEposIntegration(tx: Tx, kind: EposIntegrationKind): Promise<boolean> {
  notifyRouteChange(tx);
  return (await deleteScopedRows(tx, eposIntegrations, { kind })) === 1;
}

/** The registration of the kind, or null. Calls of an EPOS read it, so it is named SQL (0071). */
export async function findEposIntegration(reader: Reader, kind: EposIntegrationKind): Promise<EposIntegration | null> {
  const row = await findRow(reader, eposIntegrations, { where: { kind } });
  return row === null ? null : fromRow(reader, row);
}

/** All registrations. Calls of an EPOS read them, so it is named SQL (0071). */
export async function listEposIntegrations(reader: Reader): Promise<EposIntegration[]> {
  const rows = await findRows(reader, eposIntegrations, { where: {}, orderBy: 'kind' });
  return rows.map((row) => fromRow(reader, row));
}

/**
 * Notifies like an EPOS that connects: every process that has stored the route reads it again, and closes the old
 * connection.
 */
function notifyRouteChange(tx: Tx): void {
  tx.hint('machines', '');
  tx.hint('epos', formatScope(tx.scope));
}

/** Whether the registration is current: it was neither deleted nor replaced since it was read. */
export async function isStillRegistered(reader: Reader, registered: EposIntegration): Promise<boolean> {
  const now = await findEposIntegration(reader, registered.kind);
  return now?.url === registered.url && now.username === registered.username && now.password === registered.password;
}

function eposPasswordContext(kind: string): SealContext {
  return { relation: 'epos_integrations', column: 'password_ciphertext', row: kind };
}

function fromRow(reader: Reader, row: EposIntegrationRow): EposIntegration {
  return {
    kind: row.kind,
    url: row.url,
    username: row.username,
    password:
      row.password_ciphertext === null ? null : reader.open(eposPasswordContext(row.kind), row.password_ciphertext),
    capabilities: row.capabilities.map((each) => ({ ...each, updatedAt: new Date(each.updatedAt) })),
    createdAt: row.created_at,
  };
}
