import { Controller } from '@nestjs/common';
import type { Difference } from '@pos/core/ledger';
import { Refusal } from '@pos/core/refusals';
import {
  type AnswerDifferenceRequest,
  ReconciliationService,
  type ReconciliationState,
} from '@pos/payments/reconciliation';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/operators';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';

/** Reads the checks of an account's books, and records the operators' answers and requests. */
@Controller()
export class ReconciliationController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly reconciliation: ReconciliationService,
  ) {}

  @Serve(rest.readReconciliation)
  async read({ caller }: OperationCall<typeof rest.readReconciliation>) {
    return presentState(await this.store.readSingle(caller.scope, (reader) => this.reconciliation.read(reader)));
  }

  @Serve(rest.startReconciliation)
  async start(call: OperationCall<typeof rest.startReconciliation>) {
    const { caller, body } = call;
    const { from, to = null, note } = body;
    return this.store.runOnce<typeof rest.startReconciliation>(call, async (tx) =>
      presentState(await this.reconciliation.requestReconciliation(tx, { caller, note, from, to })),
    );
  }

  @Serve(rest.listReconciliationDifferences)
  async list({ caller, query }: OperationCall<typeof rest.listReconciliationDifferences>) {
    const { state = null, ...page } = query;
    const { differences, before, after } = await this.store.read(caller.scope, (reader) =>
      this.reconciliation.list(reader, { state, ...page }),
    );
    return { data: differences.map(presentDifference), before, after };
  }

  @Serve(rest.answerReconciliationDifference)
  async answer(call: OperationCall<typeof rest.answerReconciliationDifference>) {
    const { caller, params, body } = call;
    const answer: AnswerDifferenceRequest = { caller, note: body.note, id: params.differenceId };
    try {
      return await this.store.runOnce<typeof rest.answerReconciliationDifference>(call, async (tx) =>
        presentDifference(await this.reconciliation.answerDifference(tx, answer)),
      );
    } catch (error) {
      if (error instanceof Refusal) {
        await this.store.database.transact(caller.scope, (tx) =>
          this.reconciliation.recordRefusedAnswer(tx, answer, error),
        );
      }
      throw error;
    }
  }
}

function presentState({ progress, uncomparedDays }: ReconciliationState): rest.Reconciliation {
  const { reconciledTo, listedAt, listError, requested, chainsCheckedAt } = progress;
  return {
    ...present({
      reconciledTo: presentOptionalMoment(reconciledTo),
      listComparedAt: presentOptionalMoment(listedAt),
      listError,
      requestedFrom: presentOptionalMoment(requested?.from ?? null),
      requestedTo: presentOptionalMoment(requested?.to ?? null),
      chainsCheckedAt: presentOptionalMoment(chainsCheckedAt),
    }),
    uncomparedDays: uncomparedDays.map(({ acquirer, day, reason, problem, since }) => ({
      ...{ acquirer, day, reason, since: presentMoment(since) },
      ...present({ problem }),
    })),
  };
}

function presentOptionalMoment(date: Date | null): string | null {
  return date === null ? null : presentMoment(date);
}

function presentDifference(difference: Difference): rest.ReconciliationDifference {
  const { id, kind, reference, paymentIntentId, amount, ours, theirs, says, state } = difference;
  return {
    ...{ id, kind, reference, says, state },
    ...present({ paymentIntentId, ours, theirs }),
    ...(amount !== null && { amount: { value: amount.value, currencyCode: amount.currencyCode } }),
    happenedAt: presentMoment(difference.happenedAt),
    firstSeenAt: presentMoment(difference.firstSeenAt),
    lastSeenAt: presentMoment(difference.lastSeenAt),
  };
}
