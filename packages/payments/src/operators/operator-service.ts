import { type Caller, requirePermission } from '@pos/core/accounts';
import { isId, type Permission, type TerminalSessionId } from '@pos/core/identity';
import { isUuid } from '@pos/core/ids';
import {
  isRefundDecision,
  type OperatorCall,
  PENDING_ACTIONS,
  type PendingAction,
  type RefundDecision,
} from '@pos/core/operators';
import { Refusal, type RefusalCode, requireValue } from '@pos/core/refusals';
import { bookUnmadeRefund, releaseUnmadeRefund } from '@pos/core/terminals';
import { isPlacementAlarming } from '@pos/core/orders';
import { isAlarming, type Lease } from '@pos/core/tables';
import { findMachineRefund, lockAcquirerCall, type OpenMachineRefund } from '@pos/store/payments';
import type { Reader, Tx } from '@pos/store/database';
import { replayEventsToEpos, schedule } from '@pos/store/queues';
import type { IdempotentOperation, OperationOutcome } from '@pos/store/idempotency';
import { findOrdersOfSessions, findTablePayment, listJourneysOfLease, listOpenLeases } from '@pos/store/tables';
import { insertOperatorCall, listOperatorCalls } from '@pos/store/repositories';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';
import type { Leases } from '../tables/leases.js';
import {
  findPendingCall,
  isCallPending,
  type PendingCall,
  listPendingCalls,
  retryPendingCall,
} from '../acquirer-calls/open-calls.js';
import { commitSession, lockSessionWithIntent } from '../terminals/session-commit.js';
import {
  isRefundAlarming,
  type PendingMachineRefund,
  listPendingMachineRefunds,
  requireOpenCall,
  requireOpenRefund,
} from './pending-refunds.js';
import type { PendingTablePayment } from '../tables/open-table-payments.js';
import type { OrderPlacements, PendingPlacement } from '../orders/order-placements.js';
import type { AcquirerCalls } from '../acquirer-calls/acquirer-calls.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import type { ReconciliationService } from '../reconciliation/reconciliation-service.js';
import { markNotTaken } from './untaken-payments.js';
import { findEndedRefund, requireNotBooked, requireUntakenRefund, undoUntakenRefund } from './untaken-refunds.js';
import type { TablePayments } from '../tables/table-payments.js';

/** The operator and the reason of a decision; stored as it was given. */
export interface OperatorDecision {
  /** Without permissions: an operator of the service, who may decide everything. */
  readonly caller: Pick<Caller, 'keyId'> & Partial<Pick<Caller, 'permissions'>>;
  readonly note: string;
}

/** A decision about one line of the pending list. */
export interface ResolveRequest extends OperatorDecision {
  readonly paymentId: string;
  readonly action: PendingAction | RefundDecision | 'SettleAsListed' | 'MarkNotTaken';
}

type DecidableRequest = ResolveRequest & { readonly action: PendingAction | RefundDecision | 'MarkNotTaken' };
type PendingActionRequest = ResolveRequest & { readonly action: PendingAction };

/** The lease to take away; `isConfirmed`: although it has open money. */
export interface ReleaseLeaseRequest extends OperatorDecision {
  readonly leaseId: string;
  readonly isConfirmed: boolean;
}

/** The events that an EPOS has missed and receives again, by the time they happened; `to` is exclusive. */
export interface EposReplayRequest extends OperatorDecision {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** A lease with the order of its session, if there is one. */
export interface LeaseView {
  readonly lease: Lease;
  readonly orderId: string | null;
  readonly lockId: string | null;
}

/**
 * The operators' decisions about open money and leases. They only write rows: a gateway, or for a refund a worker,
 * continues with what has become due. Each call is stored in the audit log, with its change or its refusal.
 */
export class OperatorService {
  constructor(
    private readonly parts: {
      readonly tablePayments: TablePayments;
      readonly placements: OrderPlacements;
      readonly leases: Leases;
      readonly calls: Pick<AcquirerCalls, 'concludeFromBooks' | 'readBookedState'>;
      readonly reconciliation: Pick<ReconciliationService, 'answerDifference'>;
      readonly settings: PaymentSettings;
    },
  ) {}

  /**
   * Decides about a line of the pending list. Refuses `pending_payment_not_found`, `pending_payment_not_decidable`, and
   * `permission_missing` for a decision that moves money as an operation does that the key may not call.
   */
  async resolvePending(
    tx: Tx,
    request: DecidableRequest,
  ): Promise<PendingTablePayment | PendingMachineRefund | PendingPlacement | PendingCall> {
    const { paymentId, action } = request;
    if (action === 'GiveBack' || action === 'MarkNotTaken') requireDecisionPermission(request, 'payments.refund');
    if (action === 'MarkNotTaken') return markNotTaken(tx, request, this.parts.reconciliation);
    if (isId('terminalSession', paymentId, tx.scope.environment))
      return this.#resolveRefund(tx, paymentId, { ...request, action });
    if (isRefundDecision(action)) {
      throw new Refusal('pending_payment_not_decidable', `${action} is for refunds on a card machine`);
    }
    const decidable = { ...request, action };
    if (!isPaymentId(paymentId)) return this.#retryCall(tx, decidable);
    const placement = await this.#resolveOrder(tx, decidable);
    if (placement !== null) return placement;
    if ((await findTablePayment(tx, paymentId.toLowerCase())) === null) return this.#retryCall(tx, decidable);
    const [before, payment] = await this.parts.tablePayments.resolvePayment(tx, paymentId, PENDING_ACTIONS[action]);
    if (payment.journeyId !== null) tx.hint('journeys', payment.journeyId);
    await insertOperatorCall(tx, {
      ...toResolveCall(request),
      outcome: 'Done',
      stateBefore: before.state,
      stateAfter: payment.state,
    });
    return { payment, isAlarming: isAlarming(payment, tx.databaseNow) };
  }

  /** Takes a lease away. Refuses `lease_not_found`, `lease_over`, and `lease_money_open` unless it is confirmed. */
  async releaseLease(tx: Tx, request: ReleaseLeaseRequest): Promise<LeaseView> {
    const { leaseId, isConfirmed } = request;
    if (!isUuid(leaseId)) throw new Refusal('lease_not_found', 'there is no such lease');
    const { before, lease } = await this.parts.leases.forceRelease(tx, leaseId, isConfirmed);
    for (const { id } of await listJourneysOfLease(tx, leaseId)) tx.hint('journeys', id);
    const states = { stateBefore: before.state, stateAfter: lease.state };
    await insertOperatorCall(tx, { ...toReleaseCall(request), outcome: 'Done', ...states });
    const [view] = await buildLeaseViews(tx, [lease]);
    return view ?? { lease, orderId: null, lockId: lease.lockId };
  }

  /**
   * Sends the events again that the account's EPOS has missed. Returns their number, at most a thousand at a time,
   * oldest first; a repeated call takes the next ones.
   */
  async replayEposEvents(tx: Tx, { caller, note, from, to }: EposReplayRequest): Promise<number> {
    // Events until now are in the span, including this millisecond.
    const now = new Date(tx.now.getTime() + 1);
    const span = { from, to: to !== null && to < now ? to : now };
    const queued = await replayEventsToEpos(tx, span, REPLAY_MAX);
    await insertOperatorCall(tx, {
      ...{ keyId: caller.keyId, action: 'ReplayEposEvents', note, isConfirmed: false, outcome: 'Done' },
      subject: `${span.from?.toISOString() ?? ''}/${span.to.toISOString()}`,
      ...{ stateBefore: null, stateAfter: `${queued} queued` },
    });
    return queued;
  }

  /** Stores a call that the state of its subject refused. A call about an unknown subject is not stored. */
  async recordRefusedCall(tx: Tx, request: ResolveRequest | ReleaseLeaseRequest, { code }: Refusal): Promise<void> {
    if (!RECORDED_REFUSALS.has(code)) return;
    const call = 'leaseId' in request ? toReleaseCall(request) : toResolveCall(request);
    await insertOperatorCall(tx, { ...call, outcome: code, stateBefore: null, stateAfter: null });
  }

  /** Refunds on card machines whose end is open, longest open first. */
  listPendingRefunds(reader: Reader, databaseNow: Date): Promise<PendingMachineRefund[]> {
    return listPendingMachineRefunds(reader, { databaseNow, settings: this.parts.settings });
  }

  /** The calls to the acquirer that wait for a decision, longest open first. */
  listPendingCalls(reader: Reader, databaseNow: Date): Promise<PendingCall[]> {
    return listPendingCalls(reader, { databaseNow, settings: this.parts.settings });
  }

  /**
   * Concludes a call to the acquirer, or a refund on a card machine, by the books of the acquirer: records the decision,
   * reads the books, and returns the call. Refuses `pending_payment_not_found`, and `pending_payment_not_decidable` for
   * what has no books and while the books contain no final outcome. A refund that has ended as made is taken out of our
   * books if the acquirer does not have it.
   */
  concludeFromBooks<Body>(
    operation: IdempotentOperation<PendingCall | PendingMachineRefund, Body>,
    request: ResolveRequest,
  ): Promise<OperationOutcome<Body>> {
    return operation.run({
      reserve: (tx) => this.#recordSettlementDecision(tx, request),
      execute: (subject, isRepeated) => this.#concludeBySubject(operation, request, { subject, isRepeated }),
      getResult: (reader, subject) => requireSettledPayment(reader, subject.replace(CORRECTED, '')),
    });
  }

  async #concludeBySubject(
    { database, scope }: Pick<IdempotentOperation<unknown, unknown>, 'database' | 'scope'>,
    request: ResolveRequest,
    { subject, isRepeated }: { readonly subject: string; readonly isRepeated: boolean },
  ): Promise<void> {
    const { calls, reconciliation } = this.parts;
    if (!subject.startsWith(CORRECTED)) {
      await calls.concludeFromBooks(scope, subject);
      return;
    }
    const reference = subject.slice(CORRECTED.length);
    const ended = requireValue(await database.read(scope, (reader) => findPendingCall(reader, reference)), 'the call');
    // The request that began the operation has committed it, and lost its answer.
    if (isRepeated && ended.call.outcome === 'Reversed') return;
    requireNotBooked(await calls.readBookedState(scope, ended));
    await database.transact(scope, (tx) => undoUntakenRefund(tx, request, { reference, reconciliation }));
  }

  /** Returns the reference of the call; of a refund to take out of the books with a mark, because it has ended already. */
  async #recordSettlementDecision(tx: Tx, request: ResolveRequest): Promise<string> {
    const ended = await findEndedRefund(tx, request.paymentId);
    if (ended !== null) {
      await requireUntakenRefund(tx, ended, request.paymentId);
      requireDecisionPermission(request, 'payments.refund');
      return `${CORRECTED}${ended.reference}`;
    }
    const refund = await findPendingMachineRefund(tx, request.paymentId);
    const { call } =
      refund === null ? await this.#requirePendingCall(tx, request) : await requireOpenRefund(tx, refund);
    const states = { stateBefore: call.state, stateAfter: call.state };
    await insertOperatorCall(tx, { ...toResolveCall(request), outcome: 'Done', ...states });
    return call.reference;
  }

  /** Retries a call to the acquirer. An operator cannot decide its result, only have it repeated or its books read. */
  async #retryCall(tx: Tx, request: PendingActionRequest): Promise<PendingCall> {
    const pendingCall = await this.#requirePendingCall(tx, request);
    if (request.action !== 'RetryNow') {
      const reason =
        'a call to the acquirer takes RetryNow, which repeats it, and SettleAsListed, which reads its books';
      throw new Refusal('pending_payment_not_decidable', reason);
    }
    await retryPendingCall(tx, pendingCall.call);
    const states = { stateBefore: pendingCall.call.state, stateAfter: pendingCall.call.state };
    await insertOperatorCall(tx, { ...toResolveCall(request), outcome: 'Done', ...states });
    return pendingCall;
  }

  async #requirePendingCall(tx: Tx, { paymentId }: ResolveRequest): Promise<PendingCall> {
    const pendingCall = await findPendingCall(tx, paymentId);
    if (pendingCall === null) throw createNotFoundRefusal();
    // Its state after the lock counts: its refund may have been made while we waited.
    const call = requireValue(await lockAcquirerCall(tx, pendingCall.call.reference), `call ${paymentId}`);
    const { settings } = this.parts;
    if (isCallPending(call, { databaseNow: tx.databaseNow, settings })) return { ...pendingCall, call };
    const reason = call.state === 'Settled' ? 'the call has ended' : 'the call has not been open for long enough';
    throw new Refusal('pending_payment_not_decidable', reason);
  }

  /** Decides about an order that is paid in advance; null when the line is none. */
  async #resolveOrder(tx: Tx, request: PendingActionRequest): Promise<PendingPlacement | null> {
    const id = request.paymentId.toLowerCase();
    const resolved = await this.parts.placements.resolvePlacement(tx, id, PENDING_ACTIONS[request.action]);
    if (resolved === null) return null;
    // The money of an order that was made is captured.
    if (request.action === 'MarkRecorded') requireDecisionPermission(request, 'payments.capture');
    const [before, placement] = resolved;
    const states = { stateBefore: before.state, stateAfter: placement.state };
    await insertOperatorCall(tx, { ...toResolveCall(request), outcome: 'Done', ...states });
    return { placement, isAlarming: isPlacementAlarming(placement, tx.databaseNow) };
  }

  /**
   * Decides about a refund on a card machine. `RetryNow` starts inquiries of machine and acquirer at once. An
   * operator who has looked into the acquirer's books may enter the result. If the machine reports an approval after
   * it was marked as not made, it is booked while the payment has room for it, or else raises an alarm.
   */
  async #resolveRefund(
    tx: Tx,
    sessionId: TerminalSessionId,
    request: ResolveRequest & { readonly action: PendingAction | RefundDecision },
  ): Promise<PendingMachineRefund> {
    const found = await findMachineRefund(tx, sessionId);
    if (found === null) throw createNotFoundRefusal();
    if (isRefundDecision(request.action)) return decideRefund(tx, found, { ...request, action: request.action });
    const refund = await requireOpenRefund(tx, found);
    if (request.action !== 'RetryNow') {
      const reason = 'a refund on a card machine takes RetryNow, SettleAsListed, MarkRefunded and MarkNotRefunded';
      throw new Refusal('pending_payment_not_decidable', reason);
    }
    schedule(tx, { kind: 'acquirer-call', subject: refund.call.reference, dueInMs: 0, isRepeat: true });
    const states = { stateBefore: 'Expired', stateAfter: 'Expired' };
    await insertOperatorCall(tx, { ...toResolveCall(request), outcome: 'Done', ...states });
    return { ...refund, isAlarming: isRefundAlarming(refund, tx.databaseNow) };
  }
}

function requireDecisionPermission({ caller: { permissions } }: OperatorDecision, permission: Permission): void {
  if (permissions !== undefined) requirePermission({ permissions }, permission);
}

/**
 * Ends a refund on a card machine as the operator decides. The call is checked after all locks, because it is locked
 * last.
 */
async function decideRefund(
  tx: Tx,
  refund: OpenMachineRefund,
  request: ResolveRequest & { readonly action: RefundDecision },
): Promise<PendingMachineRefund> {
  const sessionId = requireValue(refund.call.terminalSessionId, 'the session of a refund on a card machine');
  const lockedSession = requireValue(await lockSessionWithIntent(tx, sessionId), `session ${sessionId}`);
  requireOpenCall(lockedSession.call);
  const isMade = request.action === 'MarkRefunded';
  const decide = isMade ? bookUnmadeRefund : releaseUnmadeRefund;
  await commitSession(tx, lockedSession, decide(lockedSession.session));
  const states = { stateBefore: 'Expired', stateAfter: isMade ? 'Refunded' : 'NotRefunded' };
  await insertOperatorCall(tx, { ...toResolveCall(request), outcome: 'Done', ...states });
  return { ...refund, call: lockedSession.call, isAlarming: false };
}

/** The leases that are held or lost, oldest first. */
export async function listLeases(reader: Reader): Promise<LeaseView[]> {
  return buildLeaseViews(reader, await listOpenLeases(reader));
}

/** A page of the audit log. */
export interface OperatorCallPage extends PageCursors {
  readonly calls: readonly OperatorCall[];
}

/** The operators' calls, newest first. */
export async function listOperatorCallPage(
  reader: Reader,
  { limit, ...request }: PageQuery,
): Promise<OperatorCallPage> {
  const page = await listOperatorCalls(reader, { limit, ...readPosition(reader.scope, isUuid, request) });
  return { calls: page.elements, ...buildPageCursors(reader.scope, page) };
}

const REPLAY_MAX = 1_000;
/** Before the reference of a refund that is taken out of the books, where an operation stores how far it is. */
const CORRECTED = 'corrected:';
const RECORDED_REFUSALS: ReadonlySet<RefusalCode> = new Set([
  'pending_payment_not_decidable',
  'lease_over',
  'lease_money_open',
]);

type OperatorCallDraft = Omit<OperatorCall, 'id' | 'createdAt' | 'outcome' | 'stateBefore' | 'stateAfter'>;

function toResolveCall({ caller, note, paymentId, action }: ResolveRequest): OperatorCallDraft {
  return { keyId: caller.keyId, action, subject: paymentId, note, isConfirmed: false };
}

function toReleaseCall({ caller, note, leaseId, isConfirmed }: ReleaseLeaseRequest): OperatorCallDraft {
  return { keyId: caller.keyId, action: 'ReleaseLease', subject: leaseId, note, isConfirmed };
}

async function buildLeaseViews(reader: Reader, leases: readonly Lease[]): Promise<LeaseView[]> {
  const ordersBySession = await findOrdersOfSessions(
    reader,
    leases.map(({ sessionId }) => sessionId),
  );
  return leases.map((lease) => {
    const orderOfSession = ordersBySession.get(lease.sessionId);
    return { lease, orderId: orderOfSession?.orderId ?? null, lockId: lease.lockId ?? orderOfSession?.lockId ?? null };
  });
}

/** A device creates the ids of its payments; upper and lower case are equal. */
function isPaymentId(text: string): boolean {
  return isUuid(text.toLowerCase());
}

/** The refund of a line on a card machine, by the id of its session or its reference; null for another line. */
async function findPendingMachineRefund(reader: Reader, paymentId: string): Promise<OpenMachineRefund | null> {
  if (isId('terminalSession', paymentId, reader.scope.environment)) {
    const refund = await findMachineRefund(reader, paymentId);
    if (refund === null) throw createNotFoundRefusal();
    return refund;
  }
  const sessionId = (await findPendingCall(reader, paymentId))?.call.terminalSessionId ?? null;
  const refund = sessionId === null ? null : await findMachineRefund(reader, sessionId);
  return refund?.call.reference === paymentId ? refund : null;
}

function createNotFoundRefusal(): Refusal {
  return new Refusal('pending_payment_not_found', 'there is no such payment');
}

/** The call once it is concluded. */
async function requireSettledPayment(reader: Reader, reference: string): Promise<PendingCall | PendingMachineRefund> {
  const refund = await findPendingMachineRefund(reader, reference);
  const pendingCall = refund === null ? await findPendingCall(reader, reference) : { ...refund, isAlarming: false };
  if (pendingCall === null) throw createNotFoundRefusal();
  if (pendingCall.call.state === 'Settled') return pendingCall;
  const reason = "neither the acquirer's answer nor its list has a final word on it: nothing was settled";
  throw new Refusal('pending_payment_not_decidable', reason);
}
