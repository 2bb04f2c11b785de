import { describe, expect, test } from '@jest/globals';
import { AnswerError, openClient, ProblemError, type ClientSettings } from './client.js';
import { readPaymentIntent } from '../payment-intents/payment-intent-operations.js';
import { decideSignature } from '../terminal-sessions/terminal-sessions.js';
import { listTerminals } from '../accounts/terminals.js';
import { createSubscription } from '../webhooks/webhooks.js';

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A service that answers once and records the request. */
function service(answer: Response, settings: Partial<ClientSettings> = {}) {
  const seen: Seen[] = [];
  const call = openClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'sk_sandbox_abc',
    softwareHouseId: 'softwareHouse1',
    resellerId: 'reseller1',
    fetch: async (url, init) => {
      seen.push({
        url: url instanceof Request ? url.url : url.toString(),
        method: init?.method ?? '',
        headers: init?.headers as Record<string, string>,
        body: init?.body,
      });
      return answer;
    },
    ...settings,
  });
  return { call, seen };
}

const TERMINAL = {
  id: 'tm_sandbox_66a1f0c2d4e5f60718293a01',
  properties: { tid: '90000001' },
  status: 'Available',
  updatedAt: '2026-03-01T12:00:00.000Z',
} as const;

test('a call is built from its operation: path, query, headers, body', async () => {
  const { call, seen } = service(Response.json([TERMINAL]));
  await expect(call(listTerminals, { query: { statuses: ['Available', 'Offline'] } })).resolves.toEqual([TERMINAL]);
  expect(seen).toEqual([
    {
      url: 'https://api.example.com/terminals?statuses=Available&statuses=Offline',
      method: 'GET',
      headers: {
        accept: 'application/json, application/problem+json',
        authorization: 'Basic sk_sandbox_abc',
        version: '2026-02-27',
        'software-house-id': 'softwareHouse1',
        'reseller-id': 'reseller1',
      },
      body: undefined,
    },
  ]);
});

test('a path member cannot change the rest of the path', async () => {
  const { call, seen } = service(Response.json({}));
  await expect(
    call(decideSignature, { params: { terminalSessionId: '../a?b' }, body: { accepted: true }, idempotencyKey: 'k' }),
  ).rejects.toThrow('another shape');
  expect(seen[0]?.url).toBe('https://api.example.com/terminal-sessions/..%2Fa%3Fb/signature');
  expect(seen[0]?.headers).toMatchObject({ idempotencyKey: 'k', 'content-type': 'application/json' });
  expect(seen[0]?.body).toBe('{"accepted":true}');
});

describe('an invalid answer', () => {
  const problem = {
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.8',
    title: 'Conflict',
    status: 409,
    detail: 'Another subscription has this kind.',
    traceId: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    errors: {},
  };
  const body = { events: ['payment_intent.created'], url: 'https://example.com' } as const;

  test('a refusal keeps its problem', async () => {
    const { call } = service(Response.json(problem, { status: 409 }));
    await expect(call(createSubscription, { body })).rejects.toEqual(new ProblemError('createSubscription', problem));
  });

  test.each([
    ['a gateway in between that answers HTML', new Response('<html>', { status: 502 })],
    ['a problem without its members', Response.json({ status: 409 }, { status: 409 })],
    ['a success of another shape', Response.json({ id: 1 })],
    ['a success that is not JSON', new Response('ok')],
  ])('%s is unreadable', async (_, answer) => {
    const { call } = service(answer);
    await expect(call(createSubscription, { body })).rejects.toBeInstanceOf(AnswerError);
  });

  test('a call without an answer fails at the deadline', async () => {
    const { call } = service(Response.json({}), {
      deadlineMs: 5,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
    });
    await expect(call(readPaymentIntent, { params: { paymentIntentId: 'pi' } })).rejects.toThrow('aborted');
  });
});

test('a wrong call does not compile', () => {
  const { call } = service(Response.json({}));
  // @ts-expect-error -- the path needs its member
  const pathless = () => call(readPaymentIntent, {});
  // @ts-expect-error -- the body needs its members
  const bodiless = () => call(createSubscription, { body: { url: 'x' } });
  // @ts-expect-error -- this operation has no body
  const bodied = () => call(listTerminals, { body: {} });
  expect([pathless, bodiless, bodied]).toHaveLength(3);
});
