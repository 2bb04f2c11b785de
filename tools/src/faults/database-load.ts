import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CardTraffic, CardResponse } from '../leaks/card-traffic.js';

export type LoadRequestKind = 'create' | 'capture' | 'refund' | 'charge';

/** Each kind has its own amount, so that the books distinguish them. */
export const AMOUNTS = { create: 1_900, capture: 310, refund: 170, charge: 730 } as const satisfies Record<
  LoadRequestKind,
  number
>;
/** Authorisations made before, to be captured and refunded. */
export const PREPARED_INTENTS = 1_000;

/** One request of an integrator that must take effect once, and all responses to it. */
export interface LoadRequest {
  readonly kind: LoadRequestKind;
  readonly path: string;
  readonly body: CardResponse | null;
  readonly idempotencyKey: string;
  /** The payment of the request; null for one that creates it. */
  readonly intentId: string | null;
  readonly answers: LoadResponse[];
}

/** Null: there was no answer, so it may have been executed. */
export interface LoadResponse {
  readonly status: number | null;
  readonly body: CardResponse;
  /** When it arrived, by the clock of this process. */
  readonly atMs: number;
}

const CARD = { cardName: 'A GUEST', expiryDate: '12/32' };
/** The problems that ask a client to retry with the same key. */
const ASK_AGAIN = ['idempotency', 'busy', 'not known', 'later', 'in progress'];
const SETTLED_MS_MAX = 60_000;
const ASK_AGAIN_MS = 200;
const UNAVAILABLE = 503;
const ANSWER_MS_MAX = 20_000;

/** Requests of every kind, this many of each, in turns. The payments that they need are made before. */
export async function prepareRequests(traffic: CardTraffic, count: number): Promise<LoadRequest[]> {
  const orders: LoadRequest[] = [];
  for (let each = 0; each < count; each += 1) {
    const held = await createPaidIntent(traffic, { captureMode: 'Manual' });
    const taken = await createPaidIntent(traffic, {});
    const charged = await createChargeableCard(traffic);
    orders.push(
      createRequest('create', null, { amount: formatGbp(AMOUNTS.create), reference: `under load ${each}` }),
      createRequest('capture', held, { amount: AMOUNTS.capture }),
      createRequest('refund', taken, { amount: AMOUNTS.refund }),
      createRequest('charge', charged, null),
      createRequest('capture', held, { amount: AMOUNTS.capture }),
      createRequest('refund', taken, { amount: AMOUNTS.refund }),
    );
  }
  return orders;
}

/**
 * Repeats the request until it is settled, as an integrator would: after an outage or without an answer, with the same
 * key.
 */
export async function settleLoad(traffic: CardTraffic, order: LoadRequest): Promise<LoadResponse> {
  const giveUpAt = performance.now() + SETTLED_MS_MAX;
  for (;;) {
    const answer = await sendRequest(traffic, order);
    order.answers.push(answer);
    if (answer.status === 200 || !isTransient(answer)) return answer;
    assert.ok(performance.now() < giveUpAt, `${order.kind} is never settled: ${JSON.stringify(answer)}`);
    await pause(ASK_AGAIN_MS);
  }
}

/** Sends one request and returns the response. */
async function sendRequest(traffic: CardTraffic, { path, body, idempotencyKey }: LoadRequest): Promise<LoadResponse> {
  try {
    const answer = await fetch(`${traffic.world.addresses.api[0] ?? ''}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Basic ${traffic.account.keys.full}`,
        version: '2026-02-27',
        'software-house-id': 'softwareHouse1',
        'reseller-id': 'reseller1',
        idempotencyKey,
      },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const answered = (await answer.json()) as CardResponse;
    return { status: answer.status, body: answered, atMs: performance.now() };
  } catch {
    return { status: null, body: {}, atMs: performance.now() };
  }
}

function isTransient({ status, body }: LoadResponse): boolean {
  if (status === null || [429, 503, 504].includes(status)) return true;
  const text = `${String(body['title'])} ${String(body['detail'])}`.toLowerCase();
  return status === 409 && ASK_AGAIN.some((words) => text.includes(words));
}

function createRequest(kind: LoadRequestKind, intentId: string | null, body: CardResponse | null): LoadRequest {
  const paths = {
    create: '',
    capture: `/${intentId ?? ''}/captures`,
    refund: `/${intentId ?? ''}/refunds`,
    charge: `/${intentId ?? ''}/charge`,
  };
  return { kind, intentId, body, path: `/payment-intents${paths[kind]}`, idempotencyKey: randomUUID(), answers: [] };
}

async function createPaidIntent(traffic: CardTraffic, request: CardResponse): Promise<string> {
  const made = await traffic.api('POST', '/payment-intents', {
    body: { amount: formatGbp(PREPARED_INTENTS), reference: 'before', ...request },
  });
  await submitCard(traffic, made, {});
  return String(made['id']);
}

async function createChargeableCard(traffic: CardTraffic): Promise<string> {
  const terms = { reference: 'before', merchantInitiatedTransactionType: 'NoShow', terms: 'Agreed.' };
  const setup = await traffic.api('POST', '/setup-intents', { body: terms });
  await submitCard(traffic, setup, { mitConsentGiven: true });
  const request = { amount: formatGbp(AMOUNTS.charge), reference: 'charged', setupIntentId: setup['id'] };
  return String((await traffic.api('POST', '/payment-intents', { body: request }))['id']);
}

async function submitCard(
  traffic: CardTraffic,
  { clientSessionSecret }: CardResponse,
  more: CardResponse,
): Promise<void> {
  const headers = { 'client-session-secret': String(clientSessionSecret) };
  const card = { ...CARD, ...traffic.card(), ...more };
  const giveUpAt = performance.now() + SETTLED_MS_MAX;
  for (;;) {
    const answer = await traffic.payer('/client/payments', card, headers);
    if (answer['statusCode'] === 0) return;
    // A vault that has just started may not know yet what the acquirer can do.
    const mayRetry = answer['statusCode'] === UNAVAILABLE && performance.now() < giveUpAt;
    assert.ok(mayRetry, `the prepared payment is refused: ${JSON.stringify(answer)}`);
    await pause(ASK_AGAIN_MS);
  }
}

function formatGbp(value: number): CardResponse {
  return { value, currencyCode: 'GBP' };
}
