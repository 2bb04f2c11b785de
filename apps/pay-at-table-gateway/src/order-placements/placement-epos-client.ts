import type { OrderPlacement, PlacementAnswer, PlacementInput } from '@pos/core/orders';
import type { Scope } from '@pos/core/identity';
import { cutStorableText, toStorableText } from '@pos/core/refusals';
import { buildCreateOrderParams, listOrderCapabilities } from '@pos/payments/orders';
import { isMembers } from '@pos/rest-contracts/shapes';
import {
  type EposCallHeaders,
  type EposDataCallName,
  type OrderStatus,
  type PlacedOrderAnswer,
  readListedIntents,
  readPlacedOrder,
} from '@pos/rest-contracts/epos-data';
import type { Database } from '@pos/store/database';
import type { CallFence } from '../epos-calls/tables-call.js';
import type { DataOutcome, DataCallRequest } from '../epos-calls/data-call.js';
import { Deadline } from '../epos-calls/deadline.js';
import type { CallFailure } from '../epos-calls/call-failure.js';
import { readAllPages } from '../order-sessions/order-pages.js';

/** The statuses of orders that are closed at the EPOS: their money is not captured. */
const CLOSED_STATUSES: ReadonlySet<OrderStatus> = new Set(['Canceled', 'Failed']);
const NOTE_LENGTH_MAX = 1_000;

/** The calls to the EPOS for an order that is paid in advance; each returns the input for the placement. */
export class PlacementEposClient {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly callData: (request: DataCallRequest) => Promise<DataOutcome>;
      readonly callLimitMs: number;
    },
  ) {}

  /** Creates the order, or finds the order with this id. The fence is checked right before the call is sent. */
  async placeOrder(scope: Scope, placement: OrderPlacement, fence: CallFence): Promise<PlacementInput> {
    const params = buildCreateOrderParams(placement);
    const outcome = await this.#callOrders(scope, placement, { name: 'CreateOrder', params, fence });
    const { answer, note } = toPlaceAnswer(outcome);
    return { kind: 'placeAnswered', answer, ...(note !== '' && { note: cutNote(note) }) };
  }

  /**
   * Reads the order by its id, if the EPOS has returned one. If that order is not open, or without an id, searches all
   * orders for the one that lists our intent, because the payer may have changed the table.
   */
  async findOrder(scope: Scope, placement: OrderPlacement): Promise<PlacementInput> {
    const { orderId } = placement;
    if (orderId === null) return this.#searchOrder(scope, placement);
    const known = await this.#readOrder(scope, placement, orderId);
    if (known.kind === 'orderFound' || known.kind === 'orderUndecided') return known;
    // One request made one order: what cannot be read of others does not matter.
    if (known.kind === 'orderOver' && placement.placeCalls === 1) return known;
    const searched = await this.#searchOrder(scope, placement);
    if (searched.kind === 'orderFound' || searched.kind === 'orderUndecided') return searched;
    // A closed order that lists our intent may be another one than that whose id is known.
    return known.kind === 'orderOver' && searched.kind === 'orderUnreadable' ? searched : known;
  }

  async #readOrder(scope: Scope, placement: OrderPlacement, orderId: string): Promise<PlacementInput> {
    const params = { orderId };
    const outcome = await this.#callOrders(scope, placement, { name: 'GetOrderById', params, fence: null });
    if (outcome.outcome === 'refused' && outcome.error.errorType === 'NotFound') {
      return { kind: 'orderAbsent', note: `the EPOS does not find its order ${orderId}` };
    }
    const order = outcome.outcome === 'answered' ? readPlacedOrder(outcome.json) : null;
    if (order === null) return { kind: 'orderUnreadable', note: buildNote(outcome) };
    // An answer without this id may be anything, and an order without a status counts as new.
    if (findStorableId(order) !== orderId) return { kind: 'orderUnreadable', note: 'the EPOS answered another order' };
    return toFoundOrder(order);
  }

  async #searchOrder(scope: Scope, placement: OrderPlacement): Promise<PlacementInput> {
    const deadline = Deadline.createAfter(this.parts.callLimitMs);
    const searchResult = await readAllPages<unknown, { readonly end: string }>(async (cursor) => {
      const params = { payableOnly: false, cursor };
      const waitMs = Math.max(1, Math.ceil(deadline.getRemainingMs()));
      const outcome = await this.#callOrders(scope, placement, { name: 'SearchOrders', params, fence: null, waitMs });
      const page = outcome.outcome === 'answered' ? readListedPage(outcome.json) : null;
      return page === null ? { end: buildNote(outcome) } : { value: page };
    });
    if ('end' in searchResult) return { kind: 'orderUnreadable', note: searchResult.end };
    const ownOrders = searchResult.value.flatMap((order) => (isOrderOf(order, placement) === true ? [order] : []));
    const readOrders = ownOrders.flatMap((order) => readPlacedOrder(order) ?? []);
    // An EPOS that created it twice may have closed one of them. An open order has priority.
    const ownOrder =
      readOrders.find(({ status }) => status !== null && !CLOSED_STATUSES.has(status)) ??
      readOrders.find(({ status }) => status === null) ??
      readOrders[0];
    const isOpen = ownOrder !== undefined && ownOrder.status !== null && !CLOSED_STATUSES.has(ownOrder.status);
    // Without an open order of ours, one whose payments cannot be read may be ours.
    if (!isOpen && searchResult.value.some((order) => isOrderOf(order, placement) === null))
      return { kind: 'orderUnreadable', note: 'the payments of an order of the EPOS cannot be read' };
    if (ownOrder === undefined) {
      return searchResult.isComplete
        ? { kind: 'orderAbsent' }
        : { kind: 'orderUnreadable', note: 'the EPOS has too many orders' };
    }
    return toFoundOrder(ownOrder);
  }

  /** Cancels the order, if the EPOS has registered that it can. */
  async cancelOrder(scope: Scope, placement: OrderPlacement): Promise<PlacementInput> {
    const capabilities = await this.parts.database.read(scope, listOrderCapabilities);
    if (!capabilities.has('CancelOrderById')) return { kind: 'cancelRefused', note: 'the EPOS cannot cancel orders' };
    const params = { orderId: placement.orderId };
    const outcome = await this.#callOrders(scope, placement, { name: 'CancelOrderById', params, fence: null });
    if (outcome.outcome === 'answered') return toCancelResult(outcome.json);
    if (outcome.outcome !== 'refused' || outcome.error.errorType === 'UnexpectedError') {
      return { kind: 'cancelUnanswered', note: buildNote(outcome) };
    }
    // An order that does not exist is not open.
    return outcome.error.errorType === 'NotFound'
      ? { kind: 'orderCancelled' }
      : { kind: 'cancelRefused', note: buildNote(outcome) };
  }

  #callOrders(
    scope: Scope,
    { order }: OrderPlacement,
    {
      waitMs = this.parts.callLimitMs,
      ...request
    }: Pick<DataCallRequest, 'params' | 'fence'> & {
      readonly name: EposDataCallName;
      readonly waitMs?: number;
    },
  ): Promise<DataOutcome> {
    return this.parts.callData({ ...request, scope, headers: buildPlacementHeaders(order), waitMs, faults: null });
  }
}

/** The requestor is the payer's own device, with the waiter of the order, if any. */
function buildPlacementHeaders({ details }: OrderPlacement['order']): EposCallHeaders {
  const dineIn = isMembers(details) ? details['dineIn'] : undefined;
  const waiterId = isMembers(dineIn) ? dineIn['waiterId'] : undefined;
  return {
    ...{ serviceRequestingProduct: 'OrderAndPay', deviceType: 'ConsumerDevice' },
    ...(typeof waiterId === 'string' && { waiterId }),
  };
}

function toFoundOrder(order: PlacedOrderAnswer): PlacementInput {
  const { status } = order;
  if (status !== null && CLOSED_STATUSES.has(status)) {
    return { kind: 'orderOver', note: `the EPOS has closed the order as ${status}` };
  }
  const orderId = findStorableId(order);
  if (orderId === null) return { kind: 'orderUnreadable', note: 'the EPOS lists the order without its id' };
  if (status === null) return { kind: 'orderUndecided', orderId, note: cutNote(describeUnknownStatus(order)) };
  return { kind: 'orderFound', orderId };
}

/** An EPOS that answers with an open order has not cancelled it. Only its status is needed. */
function toCancelResult(json: unknown): PlacementInput {
  const order = readPlacedOrder(json);
  if (order === null) return { kind: 'cancelUnanswered', note: 'the answer cannot be read: it is no order' };
  if (order.status === null) return { kind: 'cancelUnanswered', note: cutNote(describeUnknownStatus(order)) };
  if (CLOSED_STATUSES.has(order.status)) return { kind: 'orderCancelled' };
  return { kind: 'cancelRefused', note: `the EPOS answered the order as ${order.status}` };
}

/**
 * Only id and status are needed. Money is captured for an order of a known open status only: with any other word the
 * order counts as not placed yet, is read again by its id, and is shown to people (ADR 0123).
 */
function toPlaceAnswer(outcome: DataOutcome): { readonly answer: PlacementAnswer; readonly note: string } {
  if (outcome.outcome === 'answered') {
    const order = readPlacedOrder(outcome.json);
    if (order === null) return { answer: { outcome: 'NoAnswer' }, note: 'the answer cannot be read: it is no order' };
    const orderId = findStorableId(order);
    if (order.status === null) {
      const answer =
        orderId === null ? ({ outcome: 'NoAnswer' } as const) : ({ outcome: 'Undecided', orderId } as const);
      return { answer, note: describeUnknownStatus(order) };
    }
    if (CLOSED_STATUSES.has(order.status))
      return { answer: { outcome: 'Rejected' }, note: `the EPOS made the order ${order.status}` };
    // The requested order has no id yet, so the answer must contain it.
    if (orderId === null) return { answer: { outcome: 'NoAnswer' }, note: 'the order was answered without its id' };
    return { answer: { outcome: 'Success', orderId }, note: '' };
  }
  if (outcome.outcome === 'refused') return { answer: { outcome: outcome.error.errorType }, note: buildNote(outcome) };
  return { answer: { outcome: FAILURE_OUTCOMES[outcome.outcome] }, note: outcome.reason };
}

const FAILURE_OUTCOMES = {
  credentialsRefused: 'CredentialsRefused',
  notSent: 'NotSent',
  noAnswer: 'NoAnswer',
} as const satisfies Record<CallFailure['outcome'], PlacementAnswer['outcome']>;

function buildNote(outcome: DataOutcome): string {
  if (outcome.outcome === 'answered') return 'the answer of the EPOS cannot be read';
  if (outcome.outcome !== 'refused') return outcome.reason;
  const { errorType, debugMessage = '' } = outcome.error;
  return cutNote(debugMessage === '' ? errorType : `${errorType}: ${debugMessage}`);
}

function describeUnknownStatus({ statusText }: PlacedOrderAnswer): string {
  return `the EPOS answered the order with the status "${statusText}", which the contract does not have`;
}

/** A page of a search, its orders as they were sent: one unreadable order must not hide ours. */
function readListedPage(json: unknown): { readonly data: readonly unknown[]; readonly after: string | null } | null {
  if (!isMembers(json) || !Array.isArray(json['data'])) return null;
  const { data, after } = json;
  const cursor = typeof after === 'number' ? String(after) : after;
  return { data: data as readonly unknown[], after: typeof cursor === 'string' && cursor !== '' ? cursor : null };
}

/** Whether the order lists our payment; null when its payments cannot be read. An order without a list has none. */
function isOrderOf(order: unknown, { intentId }: OrderPlacement): boolean | null {
  if (!isMembers(order)) return null;
  const listed = readListedIntents('payments' in order ? order : { payments: [], ...order });
  if (listed?.intentIds.has(intentId) === true) return true;
  return listed?.isComplete === true ? false : null;
}

const MAX_ID_LENGTH = 200;

/** The id of the order; null if it cannot be stored. */
function findStorableId({ id }: PlacedOrderAnswer): string | null {
  return id !== null && id.length <= MAX_ID_LENGTH && toStorableText(id) === id ? id : null;
}

function cutNote(text: string): string {
  return cutStorableText(text, NOTE_LENGTH_MAX);
}
