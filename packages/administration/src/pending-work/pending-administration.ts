import {
  ADMINISTRATION_KEY_ID,
  type AuditedChange,
  needsSecondPerson,
  SYSTEM_ACCOUNT_ID,
} from '@pos/core/administration';
import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { Scope } from '@pos/core/identity';
import type { Difference } from '@pos/core/ledger';
import type { PendingAction, RefundDecision } from '@pos/core/operators';
import { assert, Refusal } from '@pos/core/refusals';
import type { Database, Reader, Tx } from '@pos/store/database';
import { IdempotentOperation } from '@pos/store/idempotency';
import { listScopesWithOpenMoney } from '@pos/store/monitoring';
import { listOpenDifferences, type ReconciliationProgress } from '@pos/store/reconciliation';
import {
  findUntakenRefund,
  type OperatorService,
  type PendingMachineRefund,
  type ResolveRequest,
} from '@pos/payments/operators';
import { listPendingPlacements, type PendingPlacement } from '@pos/payments/orders';
import type { ReconciliationRequest, ReconciliationService, ReconciliationState } from '@pos/payments/reconciliation';
import type { PendingCall } from '@pos/payments/acquirer-calls';
import { listPendingPayments, type PendingTablePayment } from '@pos/payments/tables';
import { recordChange, requireAccount, requireReason } from '@pos/payments/audit';

/** A line of the pending list in short form. */
export interface PendingLine {
  readonly scope: Scope;
  /** What decisions name: the id of the payment, the order, the session or the difference, or the call's reference. */
  readonly id: string;
  readonly kind: 'TablePayment' | 'OrderPlacement' | 'MachineRefund' | 'AcquirerCall' | 'Difference';
  readonly state: string;
  /** In minor units; null for a difference without an amount. */
  readonly amount: { readonly value: number; readonly currencyCode: string } | null;
  readonly since: Date;
  readonly isAlarming: boolean;
  /** What went wrong last, if that is known. */
  readonly problem: string | null;
  /** The acquirer of a call or of a refund on a card machine; null for the others. */
  readonly acquirer: string | null;
}

/** A difference with the account that it belongs to. */
export interface ScopedDifference {
  readonly scope: Scope;
  readonly difference: Difference;
}

/** A decision about a line. */
export interface PendingDecision {
  readonly id: string;
  readonly action: PendingAction | RefundDecision | 'MarkNotTaken';
}

/** A decision to conclude a line by the books of the acquirer. */
export interface BooksDecision {
  readonly change: AuditedChange;
  readonly id: string;
}

/** The decisions about open money, for operators of the whole service. */
export class PendingAdministration {
  constructor(
    private readonly operators: OperatorService,
    private readonly reconciliation: ReconciliationService,
  ) {}

  /** The pending list of the scope, longest open first. */
  async list(reader: Reader, databaseNow: Date): Promise<PendingLine[]> {
    const { scope } = reader;
    const payments = await listPendingPayments(reader, databaseNow);
    const placements = await listPendingPlacements(reader, databaseNow);
    const refunds = await this.operators.listPendingRefunds(reader, databaseNow);
    const calls = await this.operators.listPendingCalls(reader, databaseNow);
    const differences = await listOpenDifferences(reader);
    const lines = [
      ...[...payments.map(describePayment), ...placements.map(describePlacement), ...refunds.map(describeRefund)],
      ...[...calls.map(describeCall), ...differences.map(describeDifference)],
    ];
    return lines
      .map((line) => ({ scope, ...line }))
      .sort((first, second) => first.since.getTime() - second.since.getTime());
  }

  /** The pending lists of all accounts and environments, account by account. */
  async listAll(database: Database): Promise<PendingLine[]> {
    const now = await database.now();
    const lines: PendingLine[] = [];
    for (const scope of await database.readSystem(listScopesWithOpenMoney)) {
      lines.push(...(await database.read(scope, (reader) => this.list(reader, now))));
    }
    return lines;
  }

  /**
   * Decides about a line, as an operator of the account would. Refuses what `OperatorService.resolvePending` refuses.
   * The decision is also in the account's own list of operator calls.
   */
  async resolve(tx: Tx, change: AuditedChange, { id, action }: PendingDecision): Promise<string> {
    const { settings } = await requireAccount(tx);
    if (action === 'GiveBack' && needsSecondPerson(settings.fourEyes, null)) {
      const detail =
        'the account requires a second person: decide in the portal, on the page Operations of the account';
      throw new Refusal('second_person_needed', detail);
    }
    const caller = { keyId: ADMINISTRATION_KEY_ID };
    const before = (await this.list(tx, tx.databaseNow)).find((line) => line.id === id)?.state ?? null;
    const resolved = await this.operators.resolvePending(tx, { caller, note: change.reason, paymentId: id, action });
    const { state } = describeResolved(resolved);
    await recordChange(tx, change, {
      ...{ action: 'ResolvePending', subject: id },
      before: { state: before },
      after: { state, decision: action },
    });
    return state;
  }

  /**
   * Concludes a call to the acquirer, or a refund on a card machine, by the books of the acquirer. The decision is stored
   * before they are read; a refusal afterwards is stored in the account's list of operator calls. Refuses what
   * `OperatorService.concludeFromBooks` refuses.
   */
  async concludeFromBooks(database: Database, scope: Scope, { change, id }: BooksDecision): Promise<string> {
    const caller = { keyId: ADMINISTRATION_KEY_ID };
    const request: ResolveRequest = { caller, note: change.reason, paymentId: id, action: 'SettleAsListed' };
    await database.transact(scope, (tx) => this.recordBooksDecision(tx, { change, id }));
    const operation = new IdempotentOperation<PendingCall | PendingMachineRefund, string>(
      database,
      { scope, idempotency: null },
      { encodeResult: (settled) => describeResolved(settled).state, encodeRefusal: () => null },
    );
    try {
      const outcome = await this.operators.concludeFromBooks(operation, request);
      assert(outcome.kind === 'completed', 'an operation without a key is not replayed');
      return outcome.body;
    } catch (error) {
      if (error instanceof Refusal) {
        await database.transact(scope, (tx) => this.operators.recordRefusedCall(tx, request, error));
      }
      throw error;
    }
  }

  /**
   * Stores the decision to conclude a line, or a refund that the acquirer does not have, by the books, before something reads them.
   * Another id is not stored: the operation refuses it.
   */
  async recordBooksDecision(tx: Tx, { change, id }: BooksDecision): Promise<void> {
    requireReason(change);
    await requireAccount(tx);
    const line = (await this.list(tx, tx.databaseNow)).find((each) => each.id === id);
    const ended = line === undefined ? await findUntakenRefund(tx, id) : null;
    if (line === undefined && ended === null) return;
    await recordChange(tx, change, {
      ...{ action: 'ResolvePending', subject: id },
      before: { state: line?.state ?? ended?.outcome ?? null },
      after: { decision: 'SettleAsListed' },
    });
  }

  /** The open differences of all accounts and environments, account by account. */
  async listAllDifferences(database: Database): Promise<ScopedDifference[]> {
    const differences: ScopedDifference[] = [];
    for (const scope of await database.readSystem(listScopesWithOpenMoney)) {
      const open = await database.read(scope, listOpenDifferences);
      differences.push(...open.map((difference) => ({ scope, difference })));
    }
    return differences;
  }

  /**
   * Marks a difference as checked: of an account, or of the audit log of the service, which has none. Refuses `difference_not_found` and
   * `difference_not_answerable`.
   */
  async answerDifference(tx: Tx, change: AuditedChange, id: string): Promise<Difference> {
    if (tx.scope.accountId !== SYSTEM_ACCOUNT_ID) await requireAccount(tx);
    const request = { caller: { keyId: ADMINISTRATION_KEY_ID }, note: requireReason(change).reason, id };
    const difference = await this.reconciliation.answerDifference(tx, request);
    await recordChange(tx, change, {
      ...{ action: 'AnswerDifference', subject: id },
      before: { state: 'Open', kind: difference.kind, says: difference.says },
      after: { state: difference.state },
    });
    return difference;
  }

  /** The progress of the checks of the account's books. Refuses an unknown account. */
  async readReconciliation(reader: Reader): Promise<ReconciliationState> {
    await requireAccount(reader);
    return this.reconciliation.read(reader);
  }

  /** Requests a check of the account's books for a span; a worker runs it. Refuses what `ReconciliationService` refuses. */
  async reconcile(
    tx: Tx,
    change: AuditedChange,
    span: Pick<ReconciliationRequest, 'from' | 'to'>,
  ): Promise<ReconciliationProgress> {
    await requireAccount(tx);
    const request = { ...span, caller: { keyId: ADMINISTRATION_KEY_ID }, note: change.reason };
    const { progress } = await this.reconciliation.requestReconciliation(tx, request);
    const { from, to } = progress.requested ?? span;
    await recordChange(tx, change, {
      ...{ action: 'StartReconciliation', subject: tx.scope.accountId },
      after: { from: from.toISOString(), to: to?.toISOString() ?? null },
    });
    return progress;
  }
}

type ScopelessLine = Omit<PendingLine, 'scope'>;

function describePayment({ payment, isAlarming }: PendingTablePayment): ScopelessLine {
  const { id, state, base, gratuity, cashback, since, lastError: problem } = payment;
  const amount = { value: base.value + gratuity.value + cashback.value, currencyCode: base.currencyCode };
  return { id, kind: 'TablePayment', state, amount, since, isAlarming, problem, acquirer: null };
}

function describePlacement({ placement, isAlarming }: PendingPlacement): ScopelessLine {
  const { id, state, total, gratuity, since, lastError: problem } = placement;
  const amount = { value: total.value + gratuity.value, currencyCode: total.currencyCode };
  return { id, kind: 'OrderPlacement', state, amount, since, isAlarming, problem, acquirer: null };
}

function describeRefund({ call, since, isAlarming }: PendingMachineRefund): ScopelessLine {
  const id = call.terminalSessionId ?? call.reference;
  const { state, amount, acquirer } = call;
  return { id, kind: 'MachineRefund', state, amount, since, isAlarming, problem: describeOpenCall(call), acquirer };
}

function describeCall({ call, createdAt: since, isAlarming }: PendingCall): ScopelessLine {
  const { reference: id, state, amount, acquirer } = call;
  return { id, kind: 'AcquirerCall', state, amount, since, isAlarming, problem: describeOpenCall(call), acquirer };
}

/** Why a call is open; null for one that a decision has concluded. */
function describeOpenCall({ kind, acquirer, state }: AcquirerCall): string | null {
  if (state === 'Settled') return null;
  const call = `call ${kind} to the acquirer ${acquirer}`;
  return state === 'Declined' ? `the ${call} was refused` : `the outcome of the ${call} is not known`;
}

function describeDifference({ id, kind, amount, says, firstSeenAt: since }: Difference): ScopelessLine {
  return { id, kind: 'Difference', state: kind, amount, since, isAlarming: true, problem: says, acquirer: null };
}

function describeResolved(
  resolved: PendingTablePayment | PendingMachineRefund | PendingPlacement | PendingCall,
): ScopelessLine {
  if ('payment' in resolved) return describePayment(resolved);
  if ('placement' in resolved) return describePlacement(resolved);
  return 'since' in resolved ? describeRefund(resolved) : describeCall(resolved);
}
