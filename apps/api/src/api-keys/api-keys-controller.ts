import { Controller } from '@nestjs/common';
import type { Scope } from '@pos/core/identity';
import { changeApiKey, createApiKey, revokeApiKey } from '@pos/payments/accounts';
import { refuseKeyAroundLimits, refuseKeyOfUser } from '@pos/payments/four-eyes';
import * as rest from '@pos/rest-contracts/accounts';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { type ApiKey, listApiKeys } from '@pos/store/repositories';
import { ApiDatabase } from '../database/api-database.js';

/** Manages the keys of the caller's own account and environment. */
@Controller()
export class ApiKeysController {
  constructor(private readonly database: ApiDatabase) {}

  /** The key's text is sent with the first answer only; a stored answer does not contain it. */
  @Serve(rest.createApiKey)
  async create(call: OperationCall<typeof rest.createApiKey>) {
    const created: rest.CreatedApiKey[] = [];
    const answer = await this.database.runOnce<typeof rest.createApiKey>(call, async (tx) => {
      await refuseKeyOfUser(tx, call.caller);
      await refuseKeyAroundLimits(tx, call.caller, call.body.permissions);
      const { key, text } = await createApiKey(tx, call.caller, call.body);
      const presented = presentKey(key, call.caller.scope);
      created.push({ ...presented, key: text });
      return presented;
    });
    return created[0] ?? answer;
  }

  @Serve(rest.listApiKeys)
  async list({ caller }: OperationCall<typeof rest.listApiKeys>) {
    const keys = await this.database.readSingle(caller.scope, listApiKeys);
    return keys.map((key) => presentKey(key, caller.scope));
  }

  @Serve(rest.changeApiKey)
  async change(call: OperationCall<typeof rest.changeApiKey>) {
    return this.database.runOnce<typeof rest.changeApiKey>(call, async (tx) => {
      if (!call.body.isStrict) await refuseKeyOfUser(tx, call.caller);
      return presentKey(await changeApiKey(tx, call.params.keyId, call.body), call.caller.scope);
    });
  }

  @Serve(rest.deleteApiKey)
  async delete(call: OperationCall<typeof rest.deleteApiKey>) {
    return this.database.runOnce<typeof rest.deleteApiKey>(call, async (tx) => {
      await revokeApiKey(tx, call.params.keyId);
    });
  }
}

function presentKey(key: ApiKey, { accountId, environment }: Scope): rest.ApiKey {
  const { id, label, permissions, isStrict, prefix, last4, createdAt, lastUsedAt } = key;
  return {
    ...{ id, accountId, environment, label, prefix, last4 },
    permissions: [...permissions],
    strict: isStrict,
    createdAt: presentMoment(createdAt),
    ...(lastUsedAt !== null && { lastUsedAt: presentMoment(lastUsedAt) }),
  };
}
