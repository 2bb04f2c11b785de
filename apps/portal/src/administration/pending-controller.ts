import { readTimeZone } from '@pos/store/repositories';
import { Controller, Inject } from '@nestjs/common';
import type { Difference } from '@pos/core/ledger';
import { PendingAdministration, type PendingLine, type ScopedDifference } from '@pos/administration/pending-work';
import type { ReconciliationState } from '@pos/payments/reconciliation';
import * as rest from '@pos/rest-contracts/portal';
import { presentMoment } from '@pos/rest-contracts/shapes';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { AccountNames, type PresentedOwner } from './account-names.js';
import { BooksSettlement } from './books-settlement.js';
import { OperatorAccess } from './operator-access.js';
import { toTargetScope } from './target-scope.js';

/** More lines than a person decides about are not sent; the oldest come first. */
const LINES_MAX = 500;

/** Open money and differences of all accounts, and the decisions of operators about them. */
@Controller()
export class PendingController {
  constructor(
    private readonly access: OperatorAccess,
    private readonly names: AccountNames,
    private readonly books: BooksSettlement,
    private readonly database: Database,
    @Inject(PendingAdministration) private readonly pending: PendingAdministration,
  ) {}

  @Serve(rest.listAdministeredPending)
  async list({ headers }: OperationCall<typeof rest.listAdministeredPending>) {
    await this.access.requireOperator(headers);
    const presentOwner = await this.names.load();
    const all = await this.pending.listAll(this.database);
    const lines = all
      .sort((first, second) => first.since.getTime() - second.since.getTime())
      .slice(0, LINES_MAX)
      .map((line) => presentLine(line, presentOwner(line.scope)));
    return { lines, isLimited: all.length > LINES_MAX };
  }

  @Serve(rest.resolveAdministeredPending)
  async resolve({ headers, body }: OperationCall<typeof rest.resolveAdministeredPending>) {
    const change = await this.access.requireChange(headers, body);
    const { id, action } = body;
    const scope = toTargetScope(body);
    if (action === 'SettleAsListed') return { state: await this.books.settle(scope, change, id) };
    const state = await this.database.transact(scope, (tx) => this.pending.resolve(tx, change, { id, action }));
    return { state };
  }

  @Serve(rest.listAdministeredDifferences)
  async listDifferences({ headers }: OperationCall<typeof rest.listAdministeredDifferences>) {
    await this.access.requireOperator(headers);
    const presentOwner = await this.names.load();
    const all = await this.pending.listAllDifferences(this.database);
    const differences = all
      .sort((first, second) => toTime(first) - toTime(second))
      .slice(0, LINES_MAX)
      .map(({ scope, difference }) => presentDifference(difference, presentOwner(scope)));
    return { differences, isLimited: all.length > LINES_MAX };
  }

  @Serve(rest.answerAdministeredDifference)
  async answerDifference({ headers, body }: OperationCall<typeof rest.answerAdministeredDifference>) {
    const change = await this.access.requireChange(headers, body);
    await this.database.transact(toTargetScope(body), (tx) => this.pending.answerDifference(tx, change, body.id));
    return undefined;
  }

  @Serve(rest.readAdministeredReconciliation)
  async readReconciliation({ headers, query }: OperationCall<typeof rest.readAdministeredReconciliation>) {
    await this.access.requireOperator(headers);
    return this.#presentReconciliation(query);
  }

  @Serve(rest.startAdministeredReconciliation)
  async startReconciliation({ headers, body }: OperationCall<typeof rest.startAdministeredReconciliation>) {
    const change = await this.access.requireChange(headers, body);
    const { from, to = null } = body;
    await this.database.transact(toTargetScope(body), (tx) => this.pending.reconcile(tx, change, { from, to }));
    return this.#presentReconciliation(body);
  }

  async #presentReconciliation(target: Parameters<typeof toTargetScope>[0]) {
    return this.database.read(toTargetScope(target), async (reader) => {
      // It refuses an unknown account, which has no time zone.
      const reconciliation = await this.pending.readReconciliation(reader);
      return { timeZone: await readTimeZone(reader), ...presentReconciliation(reconciliation) };
    });
  }
}

function toTime({ difference }: ScopedDifference): number {
  return difference.firstSeenAt.getTime();
}

function presentLine(line: PendingLine, owner: PresentedOwner): rest.AdministeredPendingLine {
  const { id, kind, state, amount, since, isAlarming, problem } = line;
  return {
    ...{ ...owner, id, kind, state, isAlarming, since: presentMoment(since) },
    ...(amount !== null && { amount }),
    ...(problem !== null && { problem }),
  };
}

function presentDifference(difference: Difference, owner: PresentedOwner): rest.AdministeredDifference {
  const { id, kind, reference, paymentIntentId, acquirer = null, amount, ours, theirs, says } = difference;
  return {
    ...{ ...owner, id, kind, reference, says },
    ...(paymentIntentId !== null && { paymentIntentId }),
    ...(acquirer !== null && { acquirer }),
    ...(amount !== null && { amount }),
    ...(ours !== null && { ours }),
    ...(theirs !== null && { theirs }),
    firstSeenAt: presentMoment(difference.firstSeenAt),
    lastSeenAt: presentMoment(difference.lastSeenAt),
  };
}

function presentReconciliation({ progress, uncomparedDays }: ReconciliationState) {
  const { reconciledTo, requested, listError } = progress;
  return {
    ...(reconciledTo !== null && { reconciledTo: presentMoment(reconciledTo) }),
    ...(requested !== null && {
      requestedFrom: presentMoment(requested.from),
      requestedTo: presentMoment(requested.to),
    }),
    ...(listError !== null && { listError }),
    uncomparedDays: uncomparedDays.map(({ acquirer, day, reason, problem }) => ({
      ...{ acquirer, day, reason },
      ...(problem !== null && { problem }),
    })),
  };
}
