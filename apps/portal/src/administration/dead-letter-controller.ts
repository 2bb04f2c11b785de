import { Controller } from '@nestjs/common';
import { listAccountDeadLetters, replayAllDeadLetters, replayDeadLetter } from '@pos/administration/pending-work';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { countDeadLetters, type DeadLetter } from '@pos/store/webhooks';
import { AccountNames } from './account-names.js';
import { OperatorAccess } from './operator-access.js';
import { toTargetScope } from './target-scope.js';

const ACCOUNTS_MAX = 500;

/** Deliveries whose attempts are spent. */
@Controller()
export class DeadLetterController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly names: AccountNames,
    private readonly database: Database,
  ) {}

  @Serve(rest.listDeadLetterAccounts)
  async listAccounts({ headers }: OperationCall<typeof rest.listDeadLetterAccounts>) {
    await this.access.requireOperator(headers);
    const presentOwner = await this.names.load();
    const counts = await this.database.readSystem((reader) => countDeadLetters(reader, ACCOUNTS_MAX));
    return counts.map(({ scope, count }) => ({ ...presentOwner(scope), count }));
  }

  @Serve(rest.listAdministeredDeadLetters)
  async list({ headers, query }: OperationCall<typeof rest.listAdministeredDeadLetters>) {
    await this.access.requireOperator(headers);
    const letters = await this.database.read(toTargetScope(query), (reader) =>
      listAccountDeadLetters(reader, query.limit),
    );
    return letters.map(presentDeadLetter);
  }

  @Serve(rest.replayAdministeredDeadLetters)
  async replay({ headers, body }: OperationCall<typeof rest.replayAdministeredDeadLetters>) {
    const change = await this.access.requireChange(headers, body);
    const { delivery } = body;
    const queued = await this.database.transact(toTargetScope(body), async (tx) => {
      if (delivery === undefined) return replayAllDeadLetters(tx, change);
      await replayDeadLetter(tx, change, delivery);
      return 1;
    });
    return { queued };
  }
}

function presentDeadLetter(letter: DeadLetter): rest.AdministeredDeadLetter {
  const { id, event, url, attempts, lastStatus, lastError, updatedAt } = letter;
  return {
    ...{ id, event, url, attempts, updatedAt: presentMoment(updatedAt) },
    ...(lastStatus !== null && { lastStatus }),
    ...(lastError !== null && { lastError }),
  };
}
