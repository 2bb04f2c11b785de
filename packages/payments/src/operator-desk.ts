import type { Caller } from '@pos/core/caller';
import { isId, type TerminalSessionId } from '@pos/core/identity';
import { isUuid } from '@pos/core/ids';
import type { Lease } from '@pos/core/lease';
import {
  isRefundDecision,
  type OperatorCall,
  PENDING_ACTIONS,
  type PendingAction,
  type RefundDecision,
} from '@pos/core/operator-call';
import { required } from '@pos/core/assert';
import { bookRefund, freeRefund } from '@pos/core/unmade-refund';
import { Refusal, type RefusalCode } from '@pos/core/refusal';
import { isPlacementAlarming } from '@pos/core/order-placement';
import { isAlarming } from '@pos/core/table-payment';
import { findMachineRefund, lockCall, type OpenRefund } from '@pos/store/acquirer-calls';
import type { Reader, Tx } from '@pos/store/database';
import { replayToEpos } from '@pos/store/epos-replays';
import { journeysOfLease } from '@pos/store/journeys';
import { openLeases } from '@pos/store/leases';
import { insertOperatorCall, listOperatorCalls } from '@pos/store/operator-calls';
import { orderPlacesOf } from '@pos/store/orders';
import { findTablePayment } from '@pos/store/table-payments';
import { schedule } from '@pos/store/timers';
import { endsOf, type PageEnds, type PageWish, readPlace } from './cursors.js';
import type { Leases } from './leases.js';
import { findPendingCall, isCallPending, type PendingCall, pendingCalls, retryCall } from './open-calls.js';
import { applySession, holdSession } from './session-effects.js';
import {
  isRefundAlarming,
  type PendingRefund,
  pendingRefunds,
  refuseUnlessOpen,
  requireOpenRefund,
} from './pending-refunds.js';
import type { PendingPayment } from './open-table-payments.js';
import type { OrderPlacements, PendingPlacement } from './order-placements.js';
import type { PaymentSettings } from './settings.js';
import type { TablePayments } from './table-payments.js';

/** Who decides, and why; kept as it was given. */
export interface OperatorWord {
  readonly caller: Pick<Caller, 'keyId'>;
  readonly note: string;
}

/** What is decided about one line of the pending list. */
export interface ResolveWish extends OperatorWord {
  readonly paymentId: string;
  readonly action: PendingAction | RefundDecision | 'SettleAsListed';
}

type DecidedWish = ResolveWish & { readonly action: PendingAction | RefundDecision };
type PendingWish = ResolveWish & { readonly action: PendingAction };

/** Which lease is taken away; `isConfirmed`: though money is open on it. */
export interface ReleaseWish extends OperatorWord {
  readonly leaseId: string;
  readonly isConfirmed: boolean;
}

/** Which events an EPOS has missed and is to be told once more, by the time they happened; `to` is exclusive. */
export interface EposReplayWish extends OperatorWord {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** A lease with the order behind its session, where there is one. */
export interface LeaseView {
  readonly lease: Lease;
  readonly orderId: string | null;
  readonly lockId: string | null;
}

/**
 * What people decide about open money and leases. Rows are all that is written: a gateway, or for a refund a worker, takes
 * up what has become due. Each call stands in the audit log, with the change that it made or the refusal that it met.
 */
export class OperatorDesk {
  constructor(
    private readonly parts: {
      readonly tablePayments: TablePayments;
      readonly placements: OrderPlacements;
      readonly leases: Leases;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Decides about a line of the pending list. Refuses `pending_payment_not_found`, `pending_payment_not_decidable`. */
  async resolve(tx: Tx, wish: DecidedWish): Promise<PendingPayment | PendingRefund | PendingPlacement | PendingCall> {
    const { paymentId, action } = wish;
    if (isId('terminalSession', paymentId, tx.scope.environment)) return this.#resolveRefund(tx, paymentId, wish);
    if (isRefundDecision(action)) {
      throw new Refusal('pending_payment_not_decidable', `${action} is for refunds on a card machine`);
    }
    const decided = { ...wish, action };
    if (!isPaymentId(paymentId)) return this.#retryCall(tx, decided);
    const placement = await this.#resolveOrder(tx, decided);
    if (placement !== null) return placement;
    if ((await findTablePayment(tx, paymentId.toLowerCase())) === null) return this.#retryCall(tx, decided);
    const [before, payment] = await this.parts.tablePayments.resolve(tx, paymentId, PENDING_ACTIONS[action]);
    if (payment.journeyId !== null) tx.hint('journeys', payment.journeyId);
    await insertOperatorCall(tx, {
      ...resolveCall(wish),
      outcome: 'Done',
      stateBefore: before.state,
      stateAfter: payment.state,
    });
    return { payment, isAlarming: isAlarming(payment, tx.databaseNow) };
  }

  /** Takes a lease away. Refuses `lease_not_found`, `lease_over`, and `lease_money_open` unless it is confirmed. */
  async release(tx: Tx, wish: ReleaseWish): Promise<LeaseView> {
    const { leaseId, isConfirmed } = wish;
    if (!isUuid(leaseId)) throw new Refusal('lease_not_found', 'there is no such lease');
    const { before, lease } = await this.parts.leases.force(tx, leaseId, isConfirmed);
    for (const { id } of await journeysOfLease(tx, leaseId)) tx.hint('journeys', id);
    const states = { stateBefore: before.state, stateAfter: lease.state };
    await insertOperatorCall(tx, { ...releaseCall(wish), outcome: 'Done', ...states });
    const [view] = await leaseViews(tx, [lease]);
    return view ?? { lease, orderId: null, lockId: lease.lockId };
  }

  /**
   * Has the events that the account's EPOS has missed told to it once more. Says how many there are, at most a thousand at a
   * time, oldest first; the same again takes the next ones.
   */
  async replayEposEvents(tx: Tx, { caller, note, from, to }: EposReplayWish): Promise<number> {
    // What happened until now is in the span, this millisecond included.
    const now = new Date(tx.now.getTime() + 1);
    const span = { from, to: to !== null && to < now ? to : now };
    const queued = await replayToEpos(tx, span, REPLAYED_MAX);
    await insertOperatorCall(tx, {
      ...{ keyId: caller.keyId, action: 'ReplayEposEvents', note, isConfirmed: false, outcome: 'Done' },
      subject: `${span.from?.toISOString() ?? ''}/${span.to.toISOString()}`,
      ...{ stateBefore: null, stateAfter: `${queued} queued` },
    });
    return queued;
  }

  /** Keeps a call that met a refusal about the state of things. A call about nothing that exists is not kept. */
  async keepRefused(tx: Tx, wish: ResolveWish | ReleaseWish, { code }: Refusal): Promise<void> {
    if (!KEPT_REFUSALS.has(code)) return;
    const call = 'leaseId' in wish ? releaseCall(wish) : resolveCall(wish);
    await insertOperatorCall(tx, { ...call, outcome: code, stateBefore: null, stateAfter: null });
  }

  /** Refunds on card machines whose end is open, longest open first. */
  listPendingRefunds(reader: Reader, databaseNow: Date): Promise<PendingRefund[]> {
    return pendingRefunds(reader, { databaseNow, settings: this.parts.settings });
  }

  /** The calls to the acquirer that wait for a decision, longest open first. */
  listPendingCalls(reader: Reader, databaseNow: Date): Promise<PendingCall[]> {
    return pendingCalls(reader, { databaseNow, settings: this.parts.settings });
  }

  /**
   * Records the decision to settle a call to the acquirer, or a refund on a card machine, by what the acquirer's books say;
   * returns the reference by which that is done next. Refuses `pending_payment_not_found`, `pending_payment_not_decidable`.
   */
  async beginSettleAsListed(tx: Tx, wish: ResolveWish): Promise<string> {
    const refund = await findRefundLine(tx, wish.paymentId);
    const { call } = refund === null ? await this.#requirePendingCall(tx, wish) : await requireOpenRefund(tx, refund);
    const states = { stateBefore: call.state, stateAfter: call.state };
    await insertOperatorCall(tx, { ...resolveCall(wish), outcome: 'Done', ...states });
    return call.reference;
  }

  /** The call after its books were read. Refuses `pending_payment_not_decidable` while they have no final word. */
  async settledAsListed(reader: Reader, reference: string): Promise<PendingCall | PendingRefund> {
    const refund = await findRefundLine(reader, reference);
    const line = refund === null ? await findPendingCall(reader, reference) : { ...refund, isAlarming: false };
    if (line === null) throw notFound();
    if (line.call.state === 'Settled') return line;
    const why = "neither the acquirer's answer nor its list has a final word on it: nothing was settled";
    throw new Refusal('pending_payment_not_decidable', why);
  }

  /** Of a call to the acquirer: a person cannot say how it ended, only have it repeated or its books read. */
  async #retryCall(tx: Tx, wish: PendingWish): Promise<PendingCall> {
    const line = await this.#requirePendingCall(tx, wish);
    if (wish.action !== 'RetryNow') {
      const why = 'a call to the acquirer takes RetryNow, which repeats it, and SettleAsListed, which reads its books';
      throw new Refusal('pending_payment_not_decidable', why);
    }
    await retryCall(tx, line.call);
    const states = { stateBefore: line.call.state, stateAfter: line.call.state };
    await insertOperatorCall(tx, { ...resolveCall(wish), outcome: 'Done', ...states });
    return line;
  }

  async #requirePendingCall(tx: Tx, { paymentId }: ResolveWish): Promise<PendingCall> {
    const line = await findPendingCall(tx, paymentId);
    if (line === null) throw notFound();
    // What it says once it is locked counts: its refund may have been made while we waited.
    const call = required(await lockCall(tx, line.call.reference), `call ${paymentId}`);
    const { settings } = this.parts;
    if (isCallPending(call, { databaseNow: tx.databaseNow, settings })) return { ...line, call };
    const why = call.state === 'Settled' ? 'the call has ended' : 'the call has not been open for long enough';
    throw new Refusal('pending_payment_not_decidable', why);
  }

  /** Of an order that is paid in advance; null when the line is none. */
  async #resolveOrder(tx: Tx, wish: PendingWish): Promise<PendingPlacement | null> {
    const id = wish.paymentId.toLowerCase();
    const resolved = await this.parts.placements.resolve(tx, id, PENDING_ACTIONS[wish.action]);
    if (resolved === null) return null;
    const [before, placement] = resolved;
    const states = { stateBefore: before.state, stateAfter: placement.state };
    await insertOperatorCall(tx, { ...resolveCall(wish), outcome: 'Done', ...states });
    return { placement, isAlarming: isPlacementAlarming(placement, tx.databaseNow) };
  }

  /**
   * A refund on a card machine: `RetryNow` has machine and acquirer asked at once, and a person who has looked into the
   * acquirer's books may say how it ended. Should the machine report an approval after it was marked as not made, it is booked
   * while the payment has room for it, or else raises an alarm.
   */
  async #resolveRefund(tx: Tx, sessionId: TerminalSessionId, wish: DecidedWish): Promise<PendingRefund> {
    const found = await findMachineRefund(tx, sessionId);
    if (found === null) throw notFound();
    if (isRefundDecision(wish.action)) return decideRefund(tx, found, { ...wish, action: wish.action });
    const refund = await requireOpenRefund(tx, found);
    if (wish.action !== 'RetryNow') {
      const why = 'a refund on a card machine takes RetryNow, SettleAsListed, MarkRefunded and MarkNotRefunded';
      throw new Refusal('pending_payment_not_decidable', why);
    }
    schedule(tx, { kind: 'acquirer-call', subject: refund.call.reference, dueInMs: 0, isRepeat: true });
    const states = { stateBefore: 'Expired', stateAfter: 'Expired' };
    await insertOperatorCall(tx, { ...resolveCall(wish), outcome: 'Done', ...states });
    return { ...refund, isAlarming: isRefundAlarming(refund, tx.databaseNow) };
  }
}

/** Ends a refund on a card machine as a person says. The call is judged once all is locked: it comes last in the order. */
async function decideRefund(
  tx: Tx,
  refund: OpenRefund,
  wish: ResolveWish & { readonly action: RefundDecision },
): Promise<PendingRefund> {
  const sessionId = required(refund.call.terminalSessionId, 'the session of a refund on a card machine');
  const held = required(await holdSession(tx, sessionId), `session ${sessionId}`);
  refuseUnlessOpen(held.call);
  const isMade = wish.action === 'MarkRefunded';
  const decide = isMade ? bookRefund : freeRefund;
  await applySession(tx, held, decide(held.session));
  const states = { stateBefore: 'Expired', stateAfter: isMade ? 'Refunded' : 'NotRefunded' };
  await insertOperatorCall(tx, { ...resolveCall(wish), outcome: 'Done', ...states });
  return { ...refund, call: held.call, isAlarming: false };
}

/** The leases that are held or lost, oldest first. */
export async function listLeases(reader: Reader): Promise<LeaseView[]> {
  return leaseViews(reader, await openLeases(reader));
}

/** A page of the audit log. */
export interface OperatorCallPage extends PageEnds {
  readonly calls: readonly OperatorCall[];
}

/** What operators have done, newest first. */
export async function listOperatorCallPage(reader: Reader, { limit, ...wish }: PageWish): Promise<OperatorCallPage> {
  const page = await listOperatorCalls(reader, { limit, ...readPlace(reader.scope, isUuid, wish) });
  return { calls: page.elements, ...endsOf(reader.scope, page) };
}

const REPLAYED_MAX = 1_000;
const KEPT_REFUSALS: ReadonlySet<RefusalCode> = new Set([
  'pending_payment_not_decidable',
  'lease_over',
  'lease_money_open',
]);

type Unfinished = Omit<OperatorCall, 'id' | 'createdAt' | 'outcome' | 'stateBefore' | 'stateAfter'>;

function resolveCall({ caller, note, paymentId, action }: ResolveWish): Unfinished {
  return { keyId: caller.keyId, action, subject: paymentId, note, isConfirmed: false };
}

function releaseCall({ caller, note, leaseId, isConfirmed }: ReleaseWish): Unfinished {
  return { keyId: caller.keyId, action: 'ReleaseLease', subject: leaseId, note, isConfirmed };
}

async function leaseViews(reader: Reader, leases: readonly Lease[]): Promise<LeaseView[]> {
  const places = await orderPlacesOf(
    reader,
    leases.map(({ sessionId }) => sessionId),
  );
  return leases.map((lease) => {
    const place = places.get(lease.sessionId);
    return { lease, orderId: place?.orderId ?? null, lockId: lease.lockId ?? place?.lockId ?? null };
  });
}

/** A device names its payments, in either case of letters. */
function isPaymentId(text: string): boolean {
  return isUuid(text.toLowerCase());
}

/** The refund on a card machine that a line is about, by the id of its session or its reference; null for another line. */
async function findRefundLine(reader: Reader, paymentId: string): Promise<OpenRefund | null> {
  if (isId('terminalSession', paymentId, reader.scope.environment)) {
    const refund = await findMachineRefund(reader, paymentId);
    if (refund === null) throw notFound();
    return refund;
  }
  const sessionId = (await findPendingCall(reader, paymentId))?.call.terminalSessionId ?? null;
  const refund = sessionId === null ? null : await findMachineRefund(reader, sessionId);
  return refund?.call.reference === paymentId ? refund : null;
}

function notFound(): Refusal {
  return new Refusal('pending_payment_not_found', 'there is no such payment');
}
