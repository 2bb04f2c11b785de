import { Controller } from '@nestjs/common';
import type { Scope } from '@pos/core/identity';
import type { OperatorCall } from '@pos/core/operators';
import type { Difference } from '@pos/core/ledger';
import { Refusal } from '@pos/core/refusals';
import type { PendingCall } from '@pos/payments/acquirer-calls';
import {
  type LeaseView,
  listLeases,
  listOperatorCallPage,
  OperatorService,
  type PendingMachineRefund,
  type ReleaseLeaseRequest,
  type ResolveRequest,
} from '@pos/payments/operators';
import { type PendingPlacement, listPendingPlacements } from '@pos/payments/orders';
import { type PendingTablePayment, listPendingPayments } from '@pos/payments/tables';
import { present, presentMoment } from '@pos/rest-contracts/shapes';
import { requireSecondPerson } from '@pos/payments/four-eyes';
import * as rest from '@pos/rest-contracts/operators';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { listOpenDifferences } from '@pos/store/reconciliation';
import { ApiDatabase } from '../database/api-database.js';

/** Lists payments at the tables that need an operator, and records the operators' decisions. */
@Controller()
export class PayAtTableController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly operatorService: OperatorService,
  ) {}

  @Serve(rest.listPendingPayments)
  async listPending({ caller }: OperationCall<typeof rest.listPendingPayments>) {
    const now = await this.store.database.now();
    const { payments, refunds, placements, calls, differences } = await this.store.read(
      caller.scope,
      async (reader) => ({
        payments: await listPendingPayments(reader, now),
        refunds: await this.operatorService.listPendingRefunds(reader, now),
        placements: await listPendingPlacements(reader, now),
        differences: await listOpenDifferences(reader),
        calls: await this.operatorService.listPendingCalls(reader, now),
      }),
    );
    return [
      ...[
        ...payments.map(presentPendingPayment),
        ...refunds.map(presentPendingRefund),
        ...placements.map(presentPendingPlacement),
      ],
      ...differences.map(presentOpenDifference),
      ...calls.map((resolved) => presentPendingCall(resolved, now)),
    ].sort(compareBySince);
  }

  @Serve(rest.resolvePendingPayment)
  async resolve(call: OperationCall<typeof rest.resolvePendingPayment>) {
    const { caller, params, body } = call;
    const { action, note } = body;
    const common = { caller, paymentId: params.paymentId, note };
    if (action === 'SettleAsListed') return this.#concludeFromBooks(call, { ...common, action });
    const request = { ...common, action };
    return this.#recordRefusal(caller.scope, request, () =>
      this.store.runOnce<typeof rest.resolvePendingPayment>(call, async (tx) => {
        if (action === 'GiveBack') await requireSecondPerson(tx, call, { kind: 'pending' });
        const resolved = await this.operatorService.resolvePending(tx, request);
        if ('payment' in resolved) return presentPendingPayment(resolved);
        if ('placement' in resolved) return presentPendingPlacement(resolved);
        return 'since' in resolved ? presentPendingRefund(resolved) : presentPendingCall(resolved, tx.databaseNow);
      }),
    );
  }

  /** Stores the decision first; then asks the acquirer, and settles the call by the acquirer's books. */
  #concludeFromBooks(call: OperationCall<typeof rest.resolvePendingPayment>, request: ResolveRequest) {
    const { scope } = call.caller;
    return this.#recordRefusal(scope, request, async () => {
      const now = await this.store.database.now();
      const present = (settled: PendingCall | PendingMachineRefund) =>
        'since' in settled ? presentPendingRefund(settled) : presentPendingCall(settled, now);
      return this.store.runOperation(call, present, (operation) =>
        this.operatorService.concludeFromBooks(operation, request),
      );
    });
  }

  @Serve(rest.listTableLeases)
  async listLeases({ caller }: OperationCall<typeof rest.listTableLeases>) {
    const leases = await this.store.read(caller.scope, listLeases);
    return leases.map((view) => presentLease(view, caller.scope));
  }

  @Serve(rest.releaseTableLease)
  async release(call: OperationCall<typeof rest.releaseTableLease>) {
    const { caller, params, body } = call;
    const request: ReleaseLeaseRequest = {
      caller,
      leaseId: params.leaseId,
      note: body.reason,
      isConfirmed: body.confirm,
    };
    return this.#recordRefusal(caller.scope, request, () =>
      this.store.runOnce<typeof rest.releaseTableLease>(call, async (tx) =>
        presentLease(await this.operatorService.releaseLease(tx, request), caller.scope),
      ),
    );
  }

  @Serve(rest.replayEposEvents)
  async replay(call: OperationCall<typeof rest.replayEposEvents>) {
    const { caller, body } = call;
    const { from = null, to = null, note } = body;
    return this.store.runOnce<typeof rest.replayEposEvents>(call, async (tx) => ({
      queued: await this.operatorService.replayEposEvents(tx, { caller, note, from, to }),
    }));
  }

  @Serve(rest.listTableOperatorCalls)
  async listCalls({ caller, query }: OperationCall<typeof rest.listTableOperatorCalls>) {
    const { calls, before, after } = await this.store.read(caller.scope, (reader) =>
      listOperatorCallPage(reader, query),
    );
    return { data: calls.map(presentOperatorCall), before, after };
  }

  /** A refusal rolls its own transaction back, so another transaction records it. */
  async #recordRefusal<T>(
    scope: Scope,
    request: ResolveRequest | ReleaseLeaseRequest,
    runDecision: () => Promise<T>,
  ): Promise<T> {
    try {
      return await runDecision();
    } catch (error) {
      if (error instanceof Refusal) {
        await this.store.database.transact(scope, (tx) => this.operatorService.recordRefusedCall(tx, request, error));
      }
      throw error;
    }
  }
}

function presentLease({ lease, orderId, lockId }: LeaseView, { accountId }: Scope): rest.TableLease {
  const { leaseId, sessionId, owner, waiterId, acquiredAt, expiresAt, state, openPayments } = lease;
  return {
    ...{ leaseId, accountId, sessionId, owner, state, openPayments },
    ...present({ orderId, lockId, waiterId }),
    acquiredAt: presentMoment(acquiredAt),
    expiresAt: presentMoment(expiresAt),
  };
}

function presentOperatorCall(call: OperatorCall): rest.TableOperatorCall {
  const { id, keyId, action, subject, note, isConfirmed, outcome, stateBefore, stateAfter } = call;
  return {
    ...{ id, keyId, action, subject, note, confirmed: isConfirmed },
    outcome: outcome === 'Done' ? 'Done' : 'Refused',
    ...(outcome !== 'Done' && { refusal: outcome }),
    ...present({ stateBefore, stateAfter }),
    createdAt: presentMoment(call.createdAt),
  };
}

function presentPendingPayment({ payment, isAlarming }: PendingTablePayment): rest.PendingPayment {
  const { id, journeyId, sessionId, orderId, intentId, base, gratuity, cashback, lastError } = payment;
  return {
    paymentId: id,
    ...present({ journeyId, sessionId, orderId, paymentIntentId: intentId, lastError }),
    baseAmount: base.value,
    gratuityAmount: gratuity.value,
    cashbackAmount: cashback.value,
    currency: base.currencyCode,
    state: payment.state,
    since: presentMoment(payment.since),
    attempts: payment.recordCalls,
    alarm: isAlarming,
  };
}

/** Uses the id of the placement: it has no journey and no table session. */
function presentPendingPlacement({ placement, isAlarming }: PendingPlacement): rest.PendingPayment {
  const { id, orderId, intentId, total, gratuity, lastError } = placement;
  return {
    paymentId: id,
    ...present({ orderId, paymentIntentId: intentId, lastError }),
    baseAmount: total.value,
    gratuityAmount: gratuity.value,
    cashbackAmount: 0,
    currency: total.currencyCode,
    state: placement.state,
    since: presentMoment(placement.since),
    attempts: placement.placeCalls,
    alarm: isAlarming,
  };
}

/** An expired session without an outcome, and one that has ended; every other state means that the machine is late. */
const REFUND_STATES: Partial<Record<PendingMachineRefund['call']['state'], string>> = {
  Unknown: 'Expired',
  Settled: 'Settled',
};

/** Uses the id of its terminal session: it has no journey and no payment at a table. */
function presentPendingRefund({ call, since, isAlarming }: PendingMachineRefund): rest.PendingPayment {
  return {
    paymentId: call.terminalSessionId ?? call.reference,
    ...present({ paymentIntentId: call.paymentIntentId }),
    baseAmount: call.amount.value,
    gratuityAmount: 0,
    cashbackAmount: 0,
    currency: call.amount.currencyCode,
    state: REFUND_STATES[call.state] ?? 'AcquirerCallOpen',
    since: presentMoment(since),
    attempts: 1,
    alarm: isAlarming,
  };
}

/** Our books and the acquirer's differ: an alarm until an operator answers. Without an amount there is no currency. */
function presentOpenDifference({ id, paymentIntentId, amount, says, firstSeenAt }: Difference): rest.PendingPayment {
  return {
    paymentId: id,
    ...present({ paymentIntentId }),
    baseAmount: amount?.value ?? 0,
    gratuityAmount: 0,
    cashbackAmount: 0,
    currency: amount?.currencyCode ?? NO_CURRENCY,
    state: 'Difference',
    since: presentMoment(firstSeenAt),
    attempts: 0,
    lastError: says,
    alarm: true,
  };
}

/** ISO 4217: no currency is involved. */
const NO_CURRENCY = 'XXX';

/** Uses the reference of the call: a call need not belong to a payment at a table, or to any payment. */
function presentPendingCall({ call, createdAt }: PendingCall, databaseNow: Date): rest.PendingPayment {
  const { reference, kind, originalReference, state, amount, deadlineAt } = call;
  const openMs = databaseNow.getTime() - deadlineAt.getTime();
  return {
    paymentId: reference,
    ...present({ paymentIntentId: call.paymentIntentId }),
    ...{ baseAmount: amount.value, gratuityAmount: 0, cashbackAmount: 0, currency: amount.currencyCode },
    state: state === 'Settled' ? 'Settled' : state === 'Declined' ? 'MoneyNotReturned' : 'AcquirerCallOpen',
    since: presentMoment(createdAt),
    attempts: 0,
    acquirerCall: {
      ...{ kind, reference, state },
      ...present({ originalReference }),
      openSeconds: Math.max(0, Math.floor(openMs / 1_000)),
    },
    alarm: state !== 'Settled',
  };
}

/** All timestamps have one format, so the order of their texts is their order in time. */
function compareBySince(first: rest.PendingPayment, second: rest.PendingPayment): number {
  return first.since < second.since ? -1 : first.since > second.since ? 1 : 0;
}
