import type { OrderPlacement, PlacementAnswer, PlacementInput } from '@pos/core/orders/order-placement';
import type { Scope } from '@pos/core/identity/identity';
import { cutStorableText, toStorableText } from '@pos/core/refusals/storable-text';
import { buildCreateOrderParams, listOrderCapabilities } from '@pos/payments/orders/order-placements';
import { isMembers } from '@pos/rest-contracts/shapes/reshape';
import type { EposCallHeaders, EposDataCallName } from '@pos/rest-contracts/epos-data/epos-data';
import { EposOrder } from '@pos/rest-contracts/epos-data/epos-data-orders';
import { readEposAnswer } from '@pos/rest-contracts/epos-data/epos-data-reading';
import type { Database } from '@pos/store/database/database';
import { z } from 'zod';
import {
  type CallFence,
  type DataOutcome,
  type DataCallRequest,
  Deadline,
  type CallFailure,
} from '../epos-calls/tables-call.js';
import { readAllPages } from '../order-sessions/order-pages.js';

/** The statuses of orders that are closed at the EPOS: their money is not captured. */
const CLOSED_STATUSES: ReadonlySet<EposOrder['status']> = new Set(['Canceled', 'Failed']);
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

  /** Searches all orders for the one that lists our intent, because the payer may have changed the table. */
  async findOrder(scope: Scope, placement: OrderPlacement): Promise<PlacementInput> {
    const deadline = Deadline.createAfter(this.parts.callLimitMs);
    const searchResult = await readAllPages<ListedOrder, { readonly end: string }>(async (cursor) => {
      const params = { payableOnly: false, cursor };
      const waitMs = Math.max(1, Math.ceil(deadline.getRemainingMs()));
      const outcome = await this.#callOrders(scope, placement, { name: 'SearchOrders', params, fence: null, waitMs });
      const page = outcome.outcome === 'answered' ? readListedOrders(outcome.json) : null;
      return page === null ? { end: buildNote(outcome) } : { value: page };
    });
    if ('end' in searchResult) return { kind: 'orderUnreadable', note: searchResult.end };
    const matchingOrders = searchResult.value.filter(({ payments = [] }) =>
      payments.some(({ paymentIntentId }) => paymentIntentId === placement.intentId),
    );
    // An EPOS that created it twice may have closed one of them. An open order has priority.
    const ownOrder = matchingOrders.find(({ status }) => !CLOSED_STATUSES.has(status)) ?? matchingOrders[0];
    if (ownOrder === undefined) {
      return searchResult.isComplete
        ? { kind: 'orderAbsent' }
        : { kind: 'orderUnreadable', note: 'the EPOS has too many orders' };
    }
    if (CLOSED_STATUSES.has(ownOrder.status))
      return { kind: 'orderOver', note: `the EPOS has closed the order as ${ownOrder.status}` };
    const orderId = findStorableId(ownOrder);
    if (orderId === null) return { kind: 'orderUnreadable', note: 'the EPOS lists the order without its id' };
    return { kind: 'orderFound', orderId };
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

/** An EPOS that answers with an open order has not cancelled it. */
function toCancelResult(json: unknown): PlacementInput {
  const reading = readEposAnswer('CancelOrderById', json);
  if (!reading.ok) return { kind: 'cancelUnanswered', note: `the answer cannot be read: ${reading.reason}` };
  const { status } = reading.value;
  if (CLOSED_STATUSES.has(status)) return { kind: 'orderCancelled' };
  return { kind: 'cancelRefused', note: `the EPOS answered the order as ${status}` };
}

function toPlaceAnswer(outcome: DataOutcome): { readonly answer: PlacementAnswer; readonly note: string } {
  if (outcome.outcome === 'answered') {
    const reading = readEposAnswer('CreateOrder', outcome.json);
    if (!reading.ok) return { answer: { outcome: 'NoAnswer' }, note: `the answer cannot be read: ${reading.reason}` };
    const { status } = reading.value;
    if (CLOSED_STATUSES.has(status))
      return { answer: { outcome: 'Rejected' }, note: `the EPOS made the order ${status}` };
    // The requested order has no id yet, so the answer must contain it.
    const orderId = findStorableId(reading.value);
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

type ListedOrder = Pick<EposOrder, 'id' | 'status' | 'payments'>;

/** A page of a search, reduced to the needed members: one unreadable order must not hide ours. */
function readListedOrders(
  json: unknown,
): { readonly data: readonly ListedOrder[]; readonly after: string | null } | null {
  const reading = readEposAnswer('SearchOrders', json);
  if (reading.ok) return { data: reading.value.data, after: reading.value.after ?? null };
  if (!isMembers(json) || !Array.isArray(json['data'])) return null;
  const { data, after } = json;
  const listed = LISTED_ORDERS.safeParse(data);
  // One whose payments cannot be read may be ours.
  if (!listed.success) return null;
  return { data: listed.data, after: typeof after === 'string' && after !== '' ? after : null };
}

const LISTED_ORDERS = z.array(EposOrder.pick({ id: true, status: true, payments: true }));

/** The id of the order; null if it cannot be stored. */
function findStorableId({ id }: Pick<EposOrder, 'id'>): string | null {
  return id !== undefined && toStorableText(id) === id ? id : null;
}

function cutNote(text: string): string {
  return cutStorableText(text, NOTE_LENGTH_MAX);
}
