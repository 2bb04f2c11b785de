import { createViolation, Refusal, requireValue } from '@pos/core/refusals';
import { type EposCapability, listCapabilities, type OperatorAction, supportsJourney } from '@pos/core/tables';
import { isUuid } from '@pos/core/ids';
import { add, isPositive, isSameAmount, type Money, zeroMoney } from '@pos/core/money';
import {
  isPlacementAlarming,
  isPlacementFinal,
  type OrderPlacement,
  type PlacementCall,
  type PlacementInput,
  type PlacementOutput,
  releaseAt,
  stepPlacement,
  submitOrder,
} from '@pos/core/orders';
import { changeDetails, type PaymentIntent } from '@pos/core/payment-intents';
import { computeHoldTimes } from '@pos/core/captures-refunds';
import type { Reader, Tx } from '@pos/store/database';
import { listEposIntegrations } from '@pos/store/repositories';
import {
  findDepositClaim,
  findOrderPlacement,
  hasTablePayment,
  insertOrderPlacement,
  listOpenOrderPlacements,
  lockOrderPlacement,
  searchOrderPlacements,
  updateOrderPlacement,
} from '@pos/store/tables';
import { type LockedIntent, lockIntent } from '@pos/store/payments';
import { assertFence, cancelTimer, type ClaimedTimer, schedule, type TimerQueue } from '@pos/store/queues';
import { commitIntent } from '../payment-intents/intent-commit.js';
import type { AccountCache } from '../accounts/account-cache.js';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';
import { requireNotHeldForOrder } from '../payment-intents/order-hold.js';

/** The order to make, and its payment. The order is JSON of the EPOS Data API without payments and ids. */
export interface OrderPlacementRequest {
  readonly paymentIntentId: string;
  readonly order: Readonly<Record<string, unknown>> & { readonly totalAmount: Money };
}

/** A page of placements, newest first, without their orders. */
export interface OrderPlacementPage extends PageCursors {
  readonly placements: readonly OrderPlacement[];
}

/** A line of the pending list: an order whose money is held and has not reached its destination. */
export interface PendingPlacement {
  readonly placement: OrderPlacement;
  readonly isAlarming: boolean;
}

/** A placement after a step, and the next call of its runner; null: the runner releases it. */
export interface PlacementResult {
  readonly placement: OrderPlacement;
  readonly outputs: readonly PlacementOutput[];
  readonly call: PlacementCall | null;
}

/**
 * Orders that are paid in advance (ADR 0048). Each method decides and stores within the caller's transaction; a
 * gateway makes the calls to the EPOS and the acquirer between two of them.
 */
export class OrderPlacements {
  constructor(private readonly parts: { readonly accounts: AccountCache; readonly queue: TimerQueue }) {}

  /**
   * Stores an order for a payment that is held, or will be. Refuses an intent that cannot pay an order, an order
   * with another price, a disabled account, and one whose EPOS takes no orders.
   */
  async submitPlacement(tx: Tx, { paymentIntentId, order }: OrderPlacementRequest): Promise<OrderPlacement> {
    await this.parts.accounts.getEnabled(tx);
    const locked = await lockIntent(tx, paymentIntentId);
    if (locked === null) throw createViolation('payment_intent_unknown', 'paymentIntentId', 'is not a payment intent');
    const { intent } = locked;
    requireNotHeldForOrder(intent);
    requirePlaceable(intent, tx.now);
    await requireUnspent(tx, intent);
    const total = { value: order.totalAmount.value, currencyCode: order.totalAmount.currencyCode };
    if (!isSameAmount(total, computePrice(intent))) {
      const message = `Must be the intent's amount with its service charge: ${computePrice(intent).value} ${intent.amount.currencyCode}.`;
      throw createViolation('validation_failed', 'order.totalAmount', message);
    }
    await requireEpos(tx);
    const id = await tx.newUuid();
    const placement = submitOrder({ id, intentId: intent.id, order, total }, tx.databaseNow);
    insertOrderPlacement(tx, placement);
    const { orderDetails } = intent.details;
    const details = {
      ...intent.details,
      heldForOrder: id,
      orderDetails: { ...orderDetails, id: orderDetails?.id ?? id },
    };
    await commitIntent(tx, locked, changeDetails(intent, details, tx.now));
    if (intent.status === 'Authorized') schedulePlacement(tx, placement.id, 0);
    return placement;
  }

  /** Refuses `order_placement_not_found`. */
  async getPlacement(reader: Reader, id: string): Promise<OrderPlacement> {
    const name = id.toLowerCase();
    const placement = isUuid(name) ? await findOrderPlacement(reader, name) : null;
    if (placement === null) throw new Refusal('order_placement_not_found', 'there is no such order placement');
    return placement;
  }

  /** A page of placements, newest first. */
  async searchPlacements(reader: Reader, { limit, ...query }: PageQuery): Promise<OrderPlacementPage> {
    const position = readPosition(reader.scope, isUuid, query);
    const page = await searchOrderPlacements(reader, { limit, ...position });
    return { placements: page.elements, ...buildPageCursors(reader.scope, page) };
  }

  /**
   * Applies the state of the payment to a placement that a runner has claimed, and continues it if it is due. Throws
   * LeaseLost when another runner has it.
   */
  async advancePlacement(tx: Tx, found: OrderPlacement, claimed: ClaimedTimer): Promise<PlacementResult> {
    const lockedPlacement = await this.#lockPlacement(tx, found);
    const inputs = readPaymentInputs(lockedPlacement, tx.now);
    // What a change of the payment makes due is done in the same claim.
    const isDue = inputs.length > 0 || claimed.dueAt <= tx.databaseNow;
    return this.#applyInputs(tx, lockedPlacement, { inputs: isDue ? [...inputs, DUE] : inputs, claimed });
  }

  /**
   * Applies the result of a call. Throws LeaseLost, which undoes it, when the runner has lost the placement. It is
   * then applied without a claim, and counts only if the order was made.
   */
  async applyCallResult(
    tx: Tx,
    found: OrderPlacement,
    { input, claimed }: { readonly input: PlacementInput; readonly claimed: ClaimedTimer | null },
  ): Promise<PlacementResult> {
    if (claimed === null && !isOrderCreated(input)) return { placement: found, outputs: [], call: null };
    return this.#applyInputs(tx, await this.#lockPlacement(tx, found), { inputs: [input], claimed });
  }

  /** Applies that the hold of an order ends soon; the current or next runner continues with it. */
  async applyHoldEnding(tx: Tx, claimed: ClaimedTimer): Promise<PlacementResult> {
    const found = requireValue(await findOrderPlacement(tx, claimed.subject), 'the order of a hold');
    const inputs = [{ kind: 'holdEnding' }] as const;
    const result = await this.#applyInputs(tx, await this.#lockPlacement(tx, found), { inputs, claimed: null });
    await this.parts.queue.complete(tx, claimed, null);
    return result;
  }

  /** The EPOS can be reached again: what waits for it is due at once. */
  async resumeAfterReconnect(tx: Tx, found: OrderPlacement): Promise<void> {
    await this.#applyInputs(tx, await this.#lockPlacement(tx, found), {
      inputs: [{ kind: 'reconnected' }],
      claimed: null,
    });
  }

  /**
   * Applies an operator's decision; returns the placement before and after, or null when there is none. Refuses
   * `pending_payment_not_decidable`.
   */
  async resolvePlacement(
    tx: Tx,
    id: string,
    action: OperatorAction,
  ): Promise<readonly [OrderPlacement, OrderPlacement] | null> {
    const found = await findOrderPlacement(tx, id);
    if (found === null) return null;
    const lockedPlacement = await this.#lockPlacement(tx, found);
    return [
      lockedPlacement.placement,
      (await this.#applyInputs(tx, lockedPlacement, { inputs: [{ kind: action }], claimed: null })).placement,
    ];
  }

  async #lockPlacement(tx: Tx, { id, intentId }: OrderPlacement): Promise<LockedPlacement> {
    // Sent together, and locked in this order all the same.
    const [locked, placement] = await Promise.all([lockIntent(tx, intentId), lockOrderPlacement(tx, id)]);
    return {
      locked: requireValue(locked, `intent ${intentId}`),
      placement: requireValue(placement, `order placement ${id}`),
    };
  }

  async #applyInputs(
    tx: Tx,
    lockedPlacement: LockedPlacement,
    { inputs, claimed }: { readonly inputs: readonly PlacementInput[]; readonly claimed: ClaimedTimer | null },
  ): Promise<PlacementResult> {
    const { placement: before } = lockedPlacement;
    let after = before;
    const outputs: PlacementOutput[] = [];
    for (const input of inputs) {
      const next = stepPlacement(after, input, tx.databaseNow);
      after = next.placement;
      outputs.push(...next.outputs);
    }
    // A step that makes the next one due is continued here, instead of in the next poll of the queue.
    while (
      claimed !== null &&
      findNextCall(outputs) === null &&
      after.dueAt !== null &&
      after.dueAt <= tx.databaseNow
    ) {
      const next = stepPlacement(after, DUE, tx.databaseNow);
      if (next.placement === after) break;
      after = next.placement;
      outputs.push(...next.outputs);
    }
    const placement = after === before ? before : updateOrderPlacement(tx, after);
    if (placement !== before) await applyToIntent(tx, lockedPlacement, placement);
    const call = claimed === null ? null : findNextCall(outputs);
    if (claimed !== null) await this.#completeOrKeepClaim(tx, placement, { call, claimed });
    else if (placement !== before && placement.dueAt !== null)
      schedulePlacement(tx, placement.id, computeRemainingMs(tx, placement.dueAt));
    return { placement, outputs, call };
  }

  /** A runner that makes a call keeps its claim; otherwise the row contains the time of the next check. */
  async #completeOrKeepClaim(
    tx: Tx,
    { dueAt }: OrderPlacement,
    { call, claimed }: { readonly call: PlacementCall | null; readonly claimed: ClaimedTimer },
  ): Promise<void> {
    if (call !== null) await assertFence(tx, claimed);
    // A silent EPOS is called again in real time, so this is no step of an advancing clock, for any input of the
    // placement.
    else
      await this.parts.queue.complete(
        tx,
        claimed,
        dueAt === null ? null : { inMs: computeRemainingMs(tx, dueAt), isRepeat: true },
      );
  }
}

/** The placements of the pending list, longest open first. */
export async function listPendingPlacements(reader: Reader, databaseNow: Date): Promise<PendingPlacement[]> {
  const open = await listOpenOrderPlacements(reader);
  return open.map((placement) => ({ placement, isAlarming: isPlacementAlarming(placement, databaseNow) }));
}

/** The parameters of the call to the EPOS: the same at every try, because their source never changes. */
export function buildCreateOrderParams({ id, intentId, order, total, gratuity }: OrderPlacement) {
  const tip = isPositive(gratuity) ? { tipsAmount: gratuity } : {};
  return { ...order, serviceOrderId: id, payments: [{ paymentIntentId: intentId, paidAmount: total, ...tip }] };
}

interface LockedPlacement {
  readonly locked: LockedIntent;
  readonly placement: OrderPlacement;
}

const DUE: PlacementInput = { kind: 'due' };

/** The inputs from the payment: the money is held, will never be, or is gone. */
function readPaymentInputs({ locked: { intent }, placement }: LockedPlacement, now: Date): PlacementInput[] {
  const { status } = intent;
  if (placement.state === 'Waiting') {
    if (status === 'Created') return [];
    if (status !== 'Authorized') return [{ kind: 'unpaid', note: `the payment intent is ${status}` }];
    const gratuity = intent.tipsAmount ?? zeroMoney(intent.amount.currencyCode);
    const isPrice = isSameAmount(intent.authorized, add(placement.total, gratuity));
    if (!isPrice) return [{ kind: 'unusable', note: 'another amount was authorised' }];
    // The runner did not receive it in time.
    if (now >= computeReleaseTime(intent)) return [{ kind: 'unusable', note: 'the hold ends too soon' }];
    return [{ kind: 'authorised', gratuity }];
  }
  const isGone = status !== 'Authorized' && status !== 'Captured';
  return isGone && !placement.isMoneyGone && NEEDS_MONEY.has(placement.state) ? [{ kind: 'moneyGone' }] : [];
}

const NEEDS_MONEY: ReadonlySet<OrderPlacement['state']> = new Set(['Held', 'Placing', 'PlaceUnknown', 'Placed']);

/**
 * Applies a step to the intent: its order's id at the EPOS, the right to move its money, and the release of the
 * hold.
 */
async function applyToIntent(
  tx: Tx,
  { locked, placement: before }: LockedPlacement,
  placement: OrderPlacement,
): Promise<void> {
  const { intent } = locked;
  const timer = { kind: 'order-release', subject: placement.id } as const;
  // Money that was authorised for another amount is given back at once.
  const isHeld = before.state === 'Waiting' && !isPlacementFinal(placement) && placement.state !== 'GivingBack';
  if (isHeld) schedule(tx, { ...timer, dueAt: computeReleaseTime(intent) });
  const isOver = isPlacementFinal(placement) && !isPlacementFinal(before);
  if (isOver) cancelTimer(tx, timer);
  const isNamed = placement.orderId !== null && placement.orderId !== before.orderId;
  if (!isOver && !isNamed) return;
  const { orderDetails, heldForOrder, ...rest } = intent.details;
  const details = {
    ...rest,
    ...(!isOver && heldForOrder !== undefined && { heldForOrder }),
    orderDetails: { ...orderDetails, ...(isNamed && { externalId: placement.orderId }) },
  };
  await commitIntent(tx, locked, changeDetails(intent, details, tx.now));
}

/** When the hold is released if no order was made for it: account time. */
function computeReleaseTime(intent: PaymentIntent): Date {
  const authorizedAt = requireValue(intent.authorizedAt, 'the time of the authorisation');
  return releaseAt({ authorizedAt, endsAt: computeHoldTimes(intent).actAt });
}

/** The price of the order: the intent without its tip. */
function computePrice({ amount, serviceChargeAmount }: PaymentIntent): Money {
  return serviceChargeAmount === null ? amount : add(amount, serviceChargeAmount);
}

function requirePlaceable(intent: PaymentIntent, now: Date): void {
  const objection = findPlacementObjection(intent, now);
  if (objection !== null) throw new Refusal('order_not_placeable', objection);
}

/** Refuses money that pays for something else, which the EPOS would count twice. */
async function requireUnspent(tx: Tx, { id }: PaymentIntent): Promise<void> {
  const [isRecorded, claim] = await Promise.all([hasTablePayment(tx, id), findDepositClaim(tx, id)]);
  if (isRecorded) throw new Refusal('order_not_placeable', 'a payment at a table is made with it');
  if (claim !== null) throw new Refusal('order_not_placeable', 'it is the deposit of a party');
}

function findPlacementObjection(intent: PaymentIntent, now: Date): string | null {
  const { status, captureMode, cashbackAmount, captured, pendingCapture, pendingRefund, details } = intent;
  if (captureMode !== 'Manual') return 'only a payment intent with captureMode Manual is held until the order is made';
  if (status !== 'Created' && status !== 'Authorized') return `the payment intent is ${status}`;
  if (cashbackAmount !== null && isPositive(cashbackAmount)) return 'an order has no cashback';
  if (isPositive(captured) || isPositive(pendingCapture) || isPositive(pendingRefund)) {
    return 'its money is being captured, reversed or raised';
  }
  if (status === 'Created') {
    return details.config.payment.customAmountAllowed ? 'the payer may choose another amount than the order’s' : null;
  }
  if (
    !isSameAmount(
      intent.authorized,
      add(computePrice(intent), intent.tipsAmount ?? zeroMoney(intent.amount.currencyCode)),
    )
  ) {
    return 'another amount was authorised';
  }
  return now < computeReleaseTime(intent) ? null : 'the hold ends too soon';
}

/** The account's registered capabilities of the EPOS Data API, over any transport. */
export async function listOrderCapabilities(reader: Reader): Promise<ReadonlySet<EposCapability>> {
  const integrations = await listEposIntegrations(reader);
  const reached = integrations.filter(({ kind }) => kind === 'rest' || kind === 'ws');
  return new Set(reached.flatMap((each) => listCapabilities(each.capabilities)));
}

async function requireEpos(reader: Reader): Promise<void> {
  if (!supportsJourney(await listOrderCapabilities(reader), 'OrderAndPay')) {
    throw new Refusal('epos_cannot_order', 'the EPOS has not registered all that ordering needs');
  }
}

function findNextCall(outputs: readonly PlacementOutput[]): PlacementCall | null {
  for (const output of outputs) if (output.do !== 'alarm') return output.do;
  return null;
}

function isOrderCreated(input: PlacementInput): boolean {
  return input.kind === 'placeAnswered' && (input.answer.outcome === 'Success' || input.answer.outcome === 'Undecided');
}

/** No retry: an advancing clock waits for the effects of the end of a hold. */
function schedulePlacement(tx: Tx, subject: string, inMs: number): void {
  schedule(tx, { kind: 'order-placement', subject, dueInMs: inMs, isRepeat: inMs > 0 });
}

function computeRemainingMs({ databaseNow }: Tx, dueAt: Date): number {
  return Math.max(0, dueAt.getTime() - databaseNow.getTime());
}
