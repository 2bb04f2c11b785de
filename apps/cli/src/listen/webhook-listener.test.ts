import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signWebhook } from '@pos/sdk';
import { readNow } from '../connection/now.js';
import { toPrintable } from './webhook-forwarder.js';
import { type ReceivedDelivery, WebhookListener } from './webhook-listener.js';

const SECRET = 'a-secret';
const body = JSON.stringify({ id: 'evt_1', event: 'payment_intent.created', data: { paymentIntentId: 'pi_1' } });

interface Arrived {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const arrived: Arrived[] = [];
const deliveries: ReceivedDelivery[] = [];
const refusals: string[] = [];
let receiver: Server;
let answer: { readonly status: number; readonly body: string };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      arrived.push({ headers: request.headers, body: text });
      response.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body);
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(() => {
  receiver.close();
  receiver.closeAllConnections();
});
beforeEach(() => {
  for (const list of [arrived, deliveries, refusals]) list.length = 0;
  answer = { status: 200, body: 'ok' };
});

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

interface Posting {
  readonly sent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly forwardTo?: string | null;
  readonly secrets?: readonly string[][];
}

/** The status that the service gets for one delivery. */
async function deliver({ sent = body, headers, path = '/pos-listen/x', forwardTo, secrets }: Posting): Promise<number> {
  const rest = [...(secrets ?? [[SECRET]])];
  const listener = new WebhookListener({
    path: '/pos-listen/x',
    forwardTo: forwardTo === undefined ? `${addressOf(receiver)}/hooks` : forwardTo,
    readSecrets: () => Promise.resolve(rest.length > 1 ? (rest.shift() ?? []) : (rest[0] ?? [])),
    onDelivery: (delivery) => deliveries.push(delivery),
    onRefusal: (reason) => refusals.push(reason),
  });
  const server = createServer((request, response) => void listener.handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timestamp = Math.floor(readNow().getTime() / 1000);
  const signed = { ...(await signWebhook(SECRET, { id: 'evt_1', timestamp, body })), 'delivery-id': 'dlv_1' };
  const response = await fetch(`${addressOf(server)}${path}`, {
    method: 'POST',
    headers: { ...signed, 'delivery-attempt': '2', ...headers },
    body: sent,
  });
  server.close();
  server.closeAllConnections();
  return response.status;
}

describe('a signed delivery', () => {
  test('reaches the receiver unchanged, with the headers that it verifies', async () => {
    expect(await deliver({})).toBe(200);
    expect(arrived).toEqual([
      { body, headers: expect.objectContaining({ 'webhook-id': 'evt_1', 'delivery-id': 'dlv_1' }) },
    ]);
    expect(deliveries).toMatchObject([{ deliveryId: 'dlv_1', attempt: 2, isAccepted: true, event: { id: 'evt_1' } }]);
  });

  test.each([[204], [400], [401], [404], [429], [500], [503]])(
    'is answered with the %i of the receiver, so that the service repeats what was not accepted',
    async (status) => {
      answer = { status, body: status === 204 ? '' : 'why' };
      expect(await deliver({})).toBe(status);
      expect(deliveries).toMatchObject([{ isAccepted: status === 204 }]);
    },
  );

  test('is not accepted where the receiver redirects, and the redirect is not followed', async () => {
    answer = { status: 302, body: '' };
    expect(await deliver({})).toBe(302);
    expect(arrived).toHaveLength(1);
    expect(deliveries).toMatchObject([{ isAccepted: false }]);
  });

  test('is answered with 502 where nobody listens behind the listener', async () => {
    expect(await deliver({ forwardTo: 'http://127.0.0.1:9/hooks' })).toBe(502);
    expect(deliveries).toMatchObject([{ isAccepted: false, answer: { kind: 'unanswered' } }]);
  });

  test('is answered with 204 without a receiver', async () => {
    expect(await deliver({ forwardTo: null })).toBe(204);
    expect(deliveries).toMatchObject([{ isAccepted: true, answer: null }]);
  });

  test('is accepted under a secret that was activated since the start', async () => {
    expect(await deliver({ secrets: [['the-secret-before'], ['the-secret-before', SECRET]] })).toBe(200);
  });
});

describe('what reaches no receiver', () => {
  test.each<[string, Posting, number, string]>([
    ['another body', { sent: body.replace('created', 'deleted') }, 401, 'no signature matches'],
    ['another id', { headers: { 'webhook-id': 'evt_2' } }, 401, 'no signature matches'],
    ['an old time', { headers: { 'webhook-timestamp': '1' } }, 401, 'no signature matches'],
    ['a signature that is none', { headers: { 'webhook-signature': 'v1,x' } }, 401, 'no signature of version 1'],
    ['another secret', { secrets: [['another']] }, 401, 'no signature matches'],
    ['an endless body', { sent: 'x'.repeat(1024 * 1024 + 1) }, 413, 'more than 1048576 bytes'],
  ])('%s', async (_, posting, status, reason) => {
    expect(await deliver(posting)).toBe(status);
    expect(arrived).toEqual([]);
    expect(deliveries).toEqual([]);
    expect(refusals).toEqual([expect.stringContaining(reason)]);
  });

  test('a request to another path', async () => {
    expect(await deliver({ path: '/pos-listen/y' })).toBe(404);
    expect([arrived, refusals]).toEqual([[], []]);
  });
});

test.each([
  ['plain text', 'plain text'],
  ['two\nlines', 'two lines'],
  ['\u001B[31mred\u001B[0m', '[31mred [0m'],
  ['\u001B]0;title\u0007', ']0;title'],
  ['turned \u202E round', 'turned   round'],
])('%j is shown as %j, so that no receiver commands the terminal', (text, shown) => {
  expect(toPrintable(text)).toBe(shown);
});
