import type { Partner, PartnerKind, PartnerName, PartnerStatus } from '@pos/core/accounts';
import { requireValue } from '@pos/core/refusals';
import type { SystemReader } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { defineStatement } from '@pos/postgres/statements';

/** The partners of one moment, and whether requests that name another one are refused. */
export interface PartnerRegistry {
  /** Grows with every change. */
  readonly revision: number;
  readonly isEnforced: boolean;
  readonly partners: readonly Partner[];
}

interface RegistryRow {
  readonly revision: number;
  readonly enforced: boolean;
}

interface PartnerRow {
  readonly kind: PartnerKind;
  readonly id: string;
  readonly name: string;
  readonly contact: string | null;
  readonly status: PartnerStatus;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const REGISTRY = defineStatement('read_partner_registry', 'select revision, enforced from partner_registry');
const LIST = defineStatement(
  'list_partners',
  'select kind, id, name, contact, status, created_at, updated_at from partners order by kind desc, id',
);
const TOUCH = defineStatement(
  'lock_partner_registry',
  'update partner_registry set revision = revision + 1 where id = 1 returning revision, enforced',
);
const ENFORCE = defineStatement(
  'update_partner_enforcement',
  'update partner_registry set enforced = $1 where id = 1 returning revision',
);
const FIND = defineStatement(
  'find_partner',
  'select kind, id, name, contact, status, created_at, updated_at from partners where kind = $1 and id = $2',
);
const INSERT = defineStatement(
  'insert_partner',
  `insert into partners (kind, id, name, contact, status, created_at, updated_at) values ($1, $2, $3, $4, 'Active', $5, $5)
   on conflict (kind, id) do nothing returning id`,
);
const UPDATE = defineStatement(
  'update_partner',
  `update partners set name = $3, contact = $4, status = $5, updated_at = $6 where kind = $1 and id = $2 returning id`,
);

/**
 * Reads all partners. The revision is read first: the partners are at least as new, and a change in between raises the
 * revision that the next lookup of a key reads.
 */
export async function readPartnerRegistry(reader: SystemReader): Promise<PartnerRegistry> {
  const registry = requireValue((await reader.query<RegistryRow>(REGISTRY, []))[0], 'the row of partner_registry');
  const rows = await reader.query<PartnerRow>(LIST, []);
  return { ...toRegistry(registry), partners: rows.map(toPartner) };
}

/**
 * Begins a change: the next change waits until this one has committed, and processes read the partners again. Returns
 * whether partners are enforced.
 */
export async function lockPartnerRegistry(tx: Tx): Promise<Omit<PartnerRegistry, 'partners'>> {
  return toRegistry(requireValue((await tx.query<RegistryRow>(TOUCH, []))[0], 'the row of partner_registry'));
}

/** Needs `lockPartnerRegistry`. */
export async function updatePartnerEnforcement(tx: Tx, isEnforced: boolean): Promise<void> {
  await tx.query(ENFORCE, [isEnforced]);
}

/** The partner of this name; null for none. */
export async function findPartner(tx: Tx, { kind, id }: PartnerName): Promise<Partner | null> {
  const [row] = await tx.query<PartnerRow>(FIND, [kind, id]);
  return row === undefined ? null : toPartner(row);
}

/** Needs `lockPartnerRegistry`. False: the name is registered already. */
export async function insertPartner(
  tx: Tx,
  partner: Pick<Partner, 'kind' | 'id' | 'name' | 'contact'>,
): Promise<boolean> {
  const { kind, id, name, contact } = partner;
  return (await tx.query(INSERT, [kind, id, name, contact, tx.databaseNow])).length === 1;
}

/** Needs `lockPartnerRegistry`. */
export async function updatePartner(tx: Tx, partner: Partner): Promise<void> {
  const { kind, id, name, contact, status } = partner;
  await tx.query(UPDATE, [kind, id, name, contact, status, tx.databaseNow]);
}

function toRegistry({ revision, enforced }: RegistryRow): Omit<PartnerRegistry, 'partners'> {
  return { revision, isEnforced: enforced };
}

function toPartner(row: PartnerRow): Partner {
  const { kind, id, name, contact, status, created_at: createdAt, updated_at: updatedAt } = row;
  return { kind, id, name, contact, status, createdAt, updatedAt };
}
