import { formatScope } from '@pos/core/identity/identity';
import type { RegisteredCapability } from '@pos/core/tables/epos-capability';
import { eposIntegrations, type EposIntegrationRow } from '../relations/account-relations.js';
import type { SealContext } from '../crypto/sealing.js';
import { defineStatement } from '../postgres/statement.js';
import { findRow, findRows } from '../relations/relation.js';
import type { Reader, Tx } from '../database/transaction.js';

export type EposIntegrationKind = EposIntegrationRow['kind'];

/** How an account's EPOS is reached, and what it can do. The password is in clear: it goes nowhere but to the EPOS. */
export interface EposIntegration {
  readonly kind: EposIntegrationKind;
  readonly url: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly capabilities: readonly RegisteredCapability[];
  readonly createdAt: Date;
}

/** All that is registered of one kind from now on. */
export interface NewEposIntegration extends Omit<EposIntegration, 'capabilities' | 'createdAt'> {
  readonly capabilities: readonly Omit<RegisteredCapability, 'updatedAt'>[];
}

const PUT = defineStatement(
  'epos_integration_put',
  `insert into epos_integrations
     (account_id, environment, kind, url, username, password_ciphertext, capabilities, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (account_id, environment, kind) do update
     set url = excluded.url, username = excluded.username, password_ciphertext = excluded.password_ciphertext,
       capabilities = excluded.capabilities
   returning kind`,
);

const DELETE = defineStatement(
  'epos_integration_delete',
  `delete from epos_integrations where account_id = $1 and environment = $2 and kind = $3 returning kind`,
);

/** Registers the EPOS, or replaces what was registered of this kind. */
export async function putEposIntegration(tx: Tx, request: NewEposIntegration): Promise<void> {
  const sealed = request.password === null ? null : tx.seal(eposPasswordContext(request.kind), request.password);
  const { kind, url, username } = request;
  const capabilities = request.capabilities.map(({ name, version }) => ({ name, version, updatedAt: tx.now }));
  const values = [kind, url, username, sealed, JSON.stringify(capabilities), tx.now];
  await tx.query(PUT, [tx.scope.accountId, tx.scope.environment, ...values]);
  notifyRouteChange(tx);
}

/** False: nothing of this kind was registered. */
export async function deleteEposIntegration(tx: Tx, kind: EposIntegrationKind): Promise<boolean> {
  notifyRouteChange(tx);
  return (await tx.query(DELETE, [tx.scope.accountId, tx.scope.environment, kind])).length === 1;
}

export async function findEposIntegration(reader: Reader, kind: EposIntegrationKind): Promise<EposIntegration | null> {
  const row = await findRow(reader, eposIntegrations, { where: { kind } });
  return row === null ? null : fromRow(reader, row);
}

export async function listEposIntegrations(reader: Reader): Promise<EposIntegration[]> {
  const rows = await findRows(reader, eposIntegrations, { where: {}, orderBy: 'kind' });
  return rows.map((row) => fromRow(reader, row));
}

/** As an EPOS that connects does it: whoever remembers the way to this one looks again, and closes what led there. */
function notifyRouteChange(tx: Tx): void {
  tx.hint('machines', '');
  tx.hint('epos', formatScope(tx.scope));
}

/** Whether calls still go to what was registered: it was neither deleted nor replaced since it was read. */
export async function isStillRegistered(reader: Reader, known: EposIntegration): Promise<boolean> {
  const now = await findEposIntegration(reader, known.kind);
  return now?.url === known.url && now.username === known.username && now.password === known.password;
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
