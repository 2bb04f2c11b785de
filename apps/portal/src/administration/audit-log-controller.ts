import { Controller } from '@nestjs/common';
import { type AuditEntry, SYSTEM_ACCOUNT_ID } from '@pos/core/administration';
import type { AccountId } from '@pos/core/identity';
import { recordAuditRead } from '@pos/administration/audit';
import { listPortalUsers, normaliseEmail } from '@pos/administration/portal';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import type { PortalUser } from '@pos/store/portal';
import { type AuditSearch, searchAuditEntries } from '@pos/store/repositories';
import { OperatorAccess } from './operator-access.js';
import { toTargetAccount } from './target-scope.js';

type Query = OperationCall<typeof rest.listAdministeredAuditLog>['query'];

/** What operators have changed, over all accounts. */
@Controller()
export class AuditLogController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly database: Database,
  ) {}

  @Serve(rest.listAdministeredAuditLog)
  async list({ headers, query }: OperationCall<typeof rest.listAdministeredAuditLog>) {
    const { user } = await this.access.requireOperator(headers);
    const users = await listPortalUsers(this.database);
    const { limit } = query;
    const search = { ...toSearch(query, users), limit: limit + 1 };
    const found = await this.database.readSystem((reader) => searchAuditEntries(reader, search));
    const entries = found.slice(0, limit);
    await recordAuditRead(this.database, { actor: user.id, reason: 'by the portal' }, describeQuery(query));
    const last = found.length > limit ? entries.at(-1) : undefined;
    const emails = new Map(users.map(({ id, email }): [string, string] => [id, email]));
    return {
      entries: entries.map((entry) => presentEntry(entry, emails.get(entry.actor))),
      ...(last !== undefined && { after: `${last.createdAt.toISOString()}_${last.id}` }),
    };
  }
}

/** The filters of a read, for its own entry. */
function describeQuery({ account, isSystem, actor, action, subject }: Query): string {
  const filters = Object.entries({ account, actor, action, subject }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return [isSystem ? 'the service' : 'all accounts', ...filters].join(' ');
}

function toSearch(query: Query, users: readonly PortalUser[]): Omit<AuditSearch, 'limit'> {
  const { action = null, subject = null, from = null, to = null, after } = query;
  const [createdAt = '', id = ''] = after?.split('_') ?? [];
  return {
    ...{ accountId: chooseAccount(query), actors: findActors(query, users), action, subject, from, to },
    after: after === undefined ? null : { createdAt: new Date(createdAt), id },
  };
}

function chooseAccount({ account, isSystem }: Query): AccountId | null {
  if (account !== undefined) return toTargetAccount(account);
  return isSystem ? SYSTEM_ACCOUNT_ID : null;
}

/** The user of an address is stored by the id; `--actor` of a command may be an address too. */
function findActors({ actor }: Query, users: readonly PortalUser[]): readonly string[] | null {
  if (actor === undefined) return null;
  const user = users.find(({ email }) => email === normaliseEmail(actor));
  return user === undefined ? [actor] : [actor, user.id];
}

function presentEntry(entry: AuditEntry, actorEmail: string | undefined): rest.AdministeredAuditEntry {
  const { id, scope, actor, operatingSystemUser, action, subject, reason, before, after, createdAt } = entry;
  const isOfAccount = scope.accountId !== SYSTEM_ACCOUNT_ID;
  return {
    ...{ id, actor, action, subject, reason, environment: scope.environment, createdAt: presentMoment(createdAt) },
    ...(isOfAccount && { accountId: scope.accountId }),
    ...(actorEmail !== undefined && { actorEmail }),
    ...(operatingSystemUser !== null && { operatingSystemUser }),
    ...(before !== null && { before: { ...before } }),
    ...(after !== null && { after: { ...after } }),
  };
}
