import { Controller } from '@nestjs/common';
import {
  changeLocation,
  createAccount,
  disableAccount,
  enableAccount,
  listAccountLocations,
  listAccounts,
  listAdministeredTerminals,
} from '@pos/administration/accounts';
import { changeKey, createRoleKey, listKeys, revokeKey } from '@pos/administration/api-keys';
import { requireAccount } from '@pos/payments/audit';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import type { AdministeredAccount, ApiKey, Location } from '@pos/store/repositories';
import { OperatorAccess } from './operator-access.js';
import { toTargetAccount, toTargetScope } from './target-scope.js';

/** Accounts of the service and their API keys. */
@Controller()
export class AccountController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly database: Database,
  ) {}

  @Serve(rest.listAdministeredAccounts)
  async list({ headers }: OperationCall<typeof rest.listAdministeredAccounts>) {
    await this.access.requireOperator(headers);
    const accounts = await listAccounts(this.database);
    return accounts.map(presentAccount).sort((first, second) => first.tradingName.localeCompare(second.tradingName));
  }

  @Serve(rest.createAdministeredAccount)
  async create({ headers, body }: OperationCall<typeof rest.createAdministeredAccount>) {
    const change = await this.access.requireChange(headers, body);
    const { name, tradingName, merchantId, currencies, site, phoneNumber, timeZone } = body;
    const created = await createAccount(this.database, change, {
      ...{ name, tradingName, merchantId, currencies },
      ...(site !== undefined && { site }),
      ...(phoneNumber !== undefined && { phoneNumber }),
      ...(timeZone !== undefined && { timeZone }),
    });
    return presentAccount(created);
  }

  @Serve(rest.changeAdministeredAccountStatus)
  async changeStatus({ headers, body }: OperationCall<typeof rest.changeAdministeredAccountStatus>) {
    const change = await this.access.requireChange(headers, body);
    const setStatus = body.status === 'Active' ? enableAccount : disableAccount;
    // It belongs to both environments and is changed in production, as by `pos-admin`.
    const scope = { accountId: toTargetAccount(body.account), environment: 'production' } as const;
    return presentAccount(await this.database.transact(scope, (tx) => setStatus(tx, change)));
  }

  @Serve(rest.readAdministeredAccount)
  async read({ headers, query }: OperationCall<typeof rest.readAdministeredAccount>) {
    await this.access.requireOperator(headers);
    return this.database.read(toTargetScope(query), async (reader) => ({
      account: presentAccount(await requireAccount(reader)),
      keys: (await listKeys(reader)).map(presentKey),
      locations: (await listAccountLocations(reader)).map(presentLocation),
      terminalCount: (await listAdministeredTerminals(reader)).length,
    }));
  }

  @Serve(rest.createAdministeredKey)
  async createKey({ headers, body }: OperationCall<typeof rest.createAdministeredKey>) {
    const change = await this.access.requireChange(headers, body);
    const { label, role, grants = [] } = body;
    const { key, text } = await this.database.transact(toTargetScope(body), (tx) =>
      createRoleKey(tx, change, { label, role, grants }),
    );
    return { ...presentKey(key), text };
  }

  @Serve(rest.changeAdministeredKey)
  async changeKey({ headers, body }: OperationCall<typeof rest.changeAdministeredKey>) {
    const change = await this.access.requireChange(headers, body);
    const { key: keyId, strict: isStrict } = body;
    return presentKey(
      await this.database.transact(toTargetScope(body), (tx) => changeKey(tx, change, { keyId, isStrict })),
    );
  }

  @Serve(rest.revokeAdministeredKey)
  async revokeKey({ headers, body }: OperationCall<typeof rest.revokeAdministeredKey>) {
    const change = await this.access.requireChange(headers, body);
    await this.database.transact(toTargetScope(body), (tx) => revokeKey(tx, change, body.key));
    return undefined;
  }

  @Serve(rest.changeAdministeredLocation)
  async changeLocation({ headers, body }: OperationCall<typeof rest.changeAdministeredLocation>) {
    const change = await this.access.requireChange(headers, body);
    const { location: id, timeZone } = body;
    return presentLocation(
      await this.database.transact(toTargetScope(body), (tx) => changeLocation(tx, change, { id, timeZone })),
    );
  }
}

function presentAccount(account: AdministeredAccount): rest.AdministeredAccount {
  const { id, name, tradingName, merchantId, currencies, status, statusChange, createdAt } = account;
  return {
    ...{ id, name, tradingName, merchantId, currencies: [...currencies], status, createdAt: presentMoment(createdAt) },
    ...(statusChange !== null && {
      statusReason: statusChange.reason,
      statusChangedAt: presentMoment(statusChange.changedAt),
    }),
  };
}

function presentKey({ id, label, permissions, isStrict, prefix, last4, createdAt, lastUsedAt }: ApiKey) {
  return {
    ...{
      id,
      label,
      permissions: [...permissions],
      strict: isStrict,
      prefix,
      last4,
      createdAt: presentMoment(createdAt),
    },
    ...(lastUsedAt !== null && { lastUsedAt: presentMoment(lastUsedAt) }),
  };
}

function presentLocation({ id, name, address, phoneNumber, timeZone }: Location) {
  return { id, name, timeZone, ...(address !== null && { address }), ...(phoneNumber !== null && { phoneNumber }) };
}
