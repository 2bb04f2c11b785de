import type { OrderPlacement, PlaceAnswer, PlacementInput } from '@pos/core/order-placement';
import type { Scope } from '@pos/core/identity';
import { cutStorableText, toStorableText } from '@pos/core/storable-text';
import { buildCreateOrderParams, listOrderCapabilities } from '@pos/payments/order-placements';
import { isMembers } from '@pos/rest-contracts/reshape';
import type { EposCallHeaders, EposDataCallName } from '@pos/rest-contracts/epos-data';
import { EposOrder } from '@pos/rest-contracts/epos-data-orders';
import { readEposAnswer } from '@pos/rest-contracts/epos-data-reading';
import type { Database } from '@pos/store/database';
import { z } from 'zod';
import { type CallFence, type DataOutcome, type DataWish, Deadline, type NoOutcome } from '../epos/tables-call.js';
import { allPages } from '../orders/order-pages.js';

/** Orders that an EPOS has given up: no money is taken for them. */
const OVER: ReadonlySet<EposOrder['status']> = new Set(['Canceled', 'Failed']);
const NOTE_LENGTH_MAX = 1_000;

/** What an order that is paid in advance asks of its EPOS; each answer is what the placement is told of it. */
export class PlacementCalls {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly ask: (wish: DataWish) => Promise<DataOutcome>;
      readonly callLimitMs: number;
    },
  ) {}

  /** Has the order made, or found that was made under this id; the fence is checked right before the call is written. */
  async place(scope: Scope, placement: OrderPlacement, fence: CallFence): Promise<PlacementInput> {
    const params = buildCreateOrderParams(placement);
    const said = await this.#ask(scope, placement, { name: 'CreateOrder', params, fence });
    const { answer, note } = placeAnswerOf(said);
    return { kind: 'placeAnswered', answer, ...(note !== '' && { note: noted(note) }) };
  }

  /** Looks through all orders for the one that lists our intent: a guest may have changed tables meanwhile. */
  async look(scope: Scope, placement: OrderPlacement): Promise<PlacementInput> {
    const deadline = Deadline.in(this.parts.callLimitMs);
    const found = await allPages<Listed, { readonly end: string }>(async (cursor) => {
      const params = { payableOnly: false, cursor };
      const waitMs = Math.max(1, Math.ceil(deadline.leftMs()));
      const said = await this.#ask(scope, placement, { name: 'SearchOrders', params, fence: null, waitMs });
      const page = said.outcome === 'answered' ? listedOn(said.json) : null;
      return page === null ? { end: noteOf(said) } : { value: page };
    });
    if ('end' in found) return { kind: 'orderUnreadable', note: found.end };
    const listing = found.value.filter(({ payments = [] }) =>
      payments.some(({ paymentIntentId }) => paymentIntentId === placement.intentId),
    );
    // An EPOS that made it twice may have closed the second one: what counts is whether any of them stands.
    const ours = listing.find(({ status }) => !OVER.has(status)) ?? listing[0];
    if (ours === undefined) {
      return found.isWhole
        ? { kind: 'orderAbsent' }
        : { kind: 'orderUnreadable', note: 'the EPOS has too many orders' };
    }
    if (OVER.has(ours.status)) return { kind: 'orderOver', note: `the EPOS has closed the order as ${ours.status}` };
    const orderId = idOf(ours);
    if (orderId === null) return { kind: 'orderUnreadable', note: 'the EPOS lists the order without its id' };
    return { kind: 'orderFound', orderId };
  }

  /** Tells the order off, if the EPOS has registered that it can do that. */
  async cancel(scope: Scope, placement: OrderPlacement): Promise<PlacementInput> {
    const capabilities = await this.parts.database.read(scope, listOrderCapabilities);
    if (!capabilities.has('CancelOrderById')) return { kind: 'cancelRefused', note: 'the EPOS cannot cancel orders' };
    const params = { orderId: placement.orderId };
    const said = await this.#ask(scope, placement, { name: 'CancelOrderById', params, fence: null });
    if (said.outcome === 'answered') return cancelledOf(said.json);
    if (said.outcome !== 'refused' || said.error.errorType === 'UnexpectedError') {
      return { kind: 'cancelUnanswered', note: noteOf(said) };
    }
    // An order that is not there does not stand.
    return said.error.errorType === 'NotFound'
      ? { kind: 'orderCancelled' }
      : { kind: 'cancelRefused', note: noteOf(said) };
  }

  #ask(
    scope: Scope,
    { order }: OrderPlacement,
    {
      waitMs = this.parts.callLimitMs,
      ...wish
    }: Pick<DataWish, 'params' | 'fence'> & {
      readonly name: EposDataCallName;
      readonly waitMs?: number;
    },
  ): Promise<DataOutcome> {
    return this.parts.ask({ ...wish, scope, headers: headersOf(order), waitMs, faults: null });
  }
}

/** The guest's own device asks, for the waiter that the order names, if any. */
function headersOf({ details }: OrderPlacement['order']): EposCallHeaders {
  const dineIn = isMembers(details) ? details['dineIn'] : undefined;
  const waiterId = isMembers(dineIn) ? dineIn['waiterId'] : undefined;
  return {
    ...{ serviceRequestingProduct: 'OrderAndPay', deviceType: 'ConsumerDevice' },
    ...(typeof waiterId === 'string' && { waiterId }),
  };
}

/** An EPOS that answers the order as it stands has not cancelled it. */
function cancelledOf(json: unknown): PlacementInput {
  const reading = readEposAnswer('CancelOrderById', json);
  if (!reading.ok) return { kind: 'cancelUnanswered', note: `the answer cannot be read: ${reading.reason}` };
  const { status } = reading.value;
  if (OVER.has(status)) return { kind: 'orderCancelled' };
  return { kind: 'cancelRefused', note: `the EPOS answered the order as ${status}` };
}

function placeAnswerOf(said: DataOutcome): { readonly answer: PlaceAnswer; readonly note: string } {
  if (said.outcome === 'answered') {
    const reading = readEposAnswer('CreateOrder', said.json);
    if (!reading.ok) return { answer: { outcome: 'NoAnswer' }, note: `the answer cannot be read: ${reading.reason}` };
    const { status } = reading.value;
    if (OVER.has(status)) return { answer: { outcome: 'Rejected' }, note: `the EPOS made the order ${status}` };
    // What was asked for has no id yet, so the answer must tell it.
    const orderId = idOf(reading.value);
    if (orderId === null) return { answer: { outcome: 'NoAnswer' }, note: 'the order was answered without its id' };
    return { answer: { outcome: 'Success', orderId }, note: '' };
  }
  if (said.outcome === 'refused') return { answer: { outcome: said.error.errorType }, note: noteOf(said) };
  return { answer: { outcome: SILENCES[said.outcome] }, note: said.reason };
}

const SILENCES = {
  credentialsRefused: 'CredentialsRefused',
  notSent: 'NotSent',
  noAnswer: 'NoAnswer',
} as const satisfies Record<NoOutcome['outcome'], PlaceAnswer['outcome']>;

function noteOf(said: DataOutcome): string {
  if (said.outcome === 'answered') return 'the answer of the EPOS cannot be read';
  if (said.outcome !== 'refused') return said.reason;
  const { errorType, debugMessage = '' } = said.error;
  return noted(debugMessage === '' ? errorType : `${errorType}: ${debugMessage}`);
}

type Listed = Pick<EposOrder, 'id' | 'status' | 'payments'>;

/** A page of a search; one order that cannot be read must not hide ours, of which no more is needed than this. */
function listedOn(json: unknown): { readonly data: readonly Listed[]; readonly after: string | null } | null {
  const reading = readEposAnswer('SearchOrders', json);
  if (reading.ok) return { data: reading.value.data, after: reading.value.after ?? null };
  if (!isMembers(json) || !Array.isArray(json['data'])) return null;
  const { data, after } = json;
  const listed = LISTED.safeParse(data);
  // One whose payments cannot be read may be ours.
  if (!listed.success) return null;
  return { data: listed.data, after: typeof after === 'string' && after !== '' ? after : null };
}

const LISTED = z.array(EposOrder.pick({ id: true, status: true, payments: true }));

/** An id that cannot be stored is none. */
function idOf({ id }: Pick<EposOrder, 'id'>): string | null {
  return id !== undefined && toStorableText(id) === id ? id : null;
}

function noted(text: string): string {
  return cutStorableText(text, NOTE_LENGTH_MAX);
}
