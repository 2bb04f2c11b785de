import { type AuditedChange, SYSTEM_SCOPE } from '@pos/core/administration';
import {
  isPartnerId,
  type Partner,
  PARTNER_ID_LENGTH_MAX,
  type PartnerName,
  type PartnerStatus,
} from '@pos/core/accounts';
import { createViolation } from '@pos/core/refusals';
import { DAY_MS } from '@pos/core/time';
import type { Database, Tx } from '@pos/store/database';
import {
  findPartner,
  insertPartner,
  listUsedPartners,
  lockPartnerRegistry,
  type PartnerRegistry,
  readPartnerRegistry,
  updatePartner,
  updatePartnerEnforcement,
} from '@pos/store/repositories';
import { splitIntoDays } from './partner-report.js';
import { recordChange, requireLine } from '@pos/payments/audit';

const NAME_LENGTH_MAX = 100;
const CONTACT_LENGTH_MAX = 200;

/** How many days of traffic are searched for partners that are not registered. */
export const USED_DAYS_MAX = 92;

/** A partner to register. */
export interface NewPartner extends PartnerName {
  readonly name: string;
  readonly contact: string | null;
}

/** All partners by kind and id, and whether production requests must name one of them. */
export function listPartners(database: Database): Promise<PartnerRegistry> {
  return database.readSystem(readPartnerRegistry);
}

/** Registers a partner for all accounts. Refuses an id that is registered already. */
export function registerPartner(database: Database, change: AuditedChange, partner: NewPartner): Promise<Partner> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    await lockPartnerRegistry(tx);
    return insertRegistered(tx, change, partner);
  });
}

/** Changes the name or the contact of a partner. An empty contact removes it. */
export function changePartner(
  database: Database,
  change: AuditedChange,
  { kind, id, ...members }: PartnerName & { readonly name?: string | undefined; readonly contact?: string | undefined },
): Promise<Partner> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    await lockPartnerRegistry(tx);
    const before = await requirePartner(tx, { kind, id });
    const contact = members.contact === undefined ? before.contact : members.contact.trim() || null;
    const changed = { ...before, name: requireName(members.name ?? before.name), contact: requireContact(contact) };
    await updatePartner(tx, changed);
    await recordChange(tx, change, {
      ...{ action: 'UpdatePartner', subject: toSubject(before) },
      ...{ before: { name: before.name }, after: { name: changed.name, contactChanged: contact !== before.contact } },
    });
    return changed;
  });
}

/**
 * Retires a partner: production requests that name it begin nothing new, and the ones that have begun end. Or makes a
 * retired partner active again.
 */
export function changePartnerStatus(
  database: Database,
  change: AuditedChange,
  { kind, id, status }: PartnerName & { readonly status: PartnerStatus },
): Promise<Partner> {
  return database.transact(SYSTEM_SCOPE, async (tx) => {
    await lockPartnerRegistry(tx);
    const before = await requirePartner(tx, { kind, id });
    await updatePartner(tx, { ...before, status });
    await recordChange(tx, change, {
      ...{ action: status === 'Retired' ? 'RetirePartner' : 'ReactivatePartner', subject: toSubject(before) },
      ...{ before: { status: before.status }, after: { status } },
    });
    return { ...before, status };
  });
}

/** What a search for partners that are not registered found. */
export interface UnregisteredPartners {
  readonly partners: readonly PartnerName[];
  /** Texts that cannot be registered, such as one that held a card number. */
  readonly unusable: readonly PartnerName[];
}

/**
 * The partners that production payments and money calls of the last days name, and that are not registered. Connections
 * and requests that only read store no partner: the log has those.
 */
export async function findUnregisteredPartners(database: Database, days: number): Promise<UnregisteredPartners> {
  const to = await database.now();
  const used = new Map<string, PartnerName>();
  for (const span of splitIntoDays({ from: new Date(to.getTime() - days * DAY_MS), to })) {
    const found = await database.readSystem((reader) => listUsedPartners(reader, 'production', span));
    for (const partner of found) used.set(toSubject(partner), partner);
  }
  for (const partner of (await listPartners(database)).partners) used.delete(toSubject(partner));
  const sorted = [...used.keys()].sort().flatMap((key) => used.get(key) ?? []);
  return {
    partners: sorted.filter(({ id }) => isPartnerId(id)),
    unusable: sorted.filter(({ id }) => !isPartnerId(id)),
  };
}

/** Registers the partners that production traffic of the last days names, each under its id as the name. */
export async function adoptPartners(
  database: Database,
  change: AuditedChange,
  days: number,
): Promise<UnregisteredPartners> {
  const found = await findUnregisteredPartners(database, days);
  await database.transact(SYSTEM_SCOPE, async (tx) => {
    if (found.partners.length > 0) await lockPartnerRegistry(tx);
    for (const partner of found.partners) {
      // Another operator may have registered it meanwhile.
      if ((await findPartner(tx, partner)) !== null) continue;
      await insertRegistered(tx, change, { ...partner, name: partner.id, contact: null });
    }
  });
  return found;
}

/** The days of traffic that must name registered partners only before they are enforced. */
const CHECKED_DAYS = 31;

/**
 * Decides whether production requests must name registered partners. Refuses to begin while the traffic of the last 31
 * days names others, unless it is forced: those requests would be refused.
 */
export async function enforcePartners(
  database: Database,
  change: AuditedChange,
  { isEnforced, isForced = false }: { readonly isEnforced: boolean; readonly isForced?: boolean },
): Promise<void> {
  if (isEnforced && !isForced) {
    const { partners } = await findUnregisteredPartners(database, CHECKED_DAYS);
    const names = partners.map(toSubject).join(', ');
    if (partners.length > 0) {
      throw createViolation(
        'validation_failed',
        'enforced',
        `would refuse traffic of the last ${CHECKED_DAYS} days: ${names}`,
      );
    }
  }
  await database.transact(SYSTEM_SCOPE, async (tx) => {
    const before = await lockPartnerRegistry(tx);
    await updatePartnerEnforcement(tx, isEnforced);
    await recordChange(tx, change, {
      ...{ action: 'EnforcePartners', subject: 'partners' },
      ...{ before: { isEnforced: before.isEnforced }, after: { isEnforced, isForced } },
    });
  });
}

async function insertRegistered(tx: Tx, change: AuditedChange, partner: NewPartner): Promise<Partner> {
  const { kind, id } = partner;
  if (!isPartnerId(id)) {
    const message = `must be 1 to ${PARTNER_ID_LENGTH_MAX} characters of one line, without outer blanks or a card number`;
    throw createViolation('validation_failed', 'id', message);
  }
  const added = { kind, id, name: requireName(partner.name), contact: requireContact(partner.contact) };
  if (!(await insertPartner(tx, added))) throw createViolation('validation_failed', 'id', 'is registered already');
  // The contact may be a person: it is in the record, which can be changed, and not in the audit log.
  await recordChange(tx, change, { action: 'RegisterPartner', subject: toSubject(added), after: { name: added.name } });
  return { ...added, status: 'Active', createdAt: tx.databaseNow, updatedAt: tx.databaseNow };
}

async function requirePartner(tx: Tx, partner: PartnerName): Promise<Partner> {
  const found = await findPartner(tx, partner);
  if (found === null) throw createViolation('validation_failed', 'id', 'is not registered');
  return found;
}

function requireName(name: string): string {
  return requireLine('name', name, NAME_LENGTH_MAX);
}

function requireContact(contact: string | null): string | null {
  return contact === null ? null : requireLine('contact', contact, CONTACT_LENGTH_MAX);
}

function toSubject({ kind, id }: PartnerName): string {
  return `${kind} ${id}`;
}
