import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { presentProblem, type ProblemReason } from '@pos/rest-contracts/problems';
import { PaymentClient } from './payment-client.js';

/** The service refuses a new secret for this reason. */
let reason: ProblemReason = 'account_disabled';
let server: Server;
let client: PaymentClient;
beforeAll(async () => {
  server = createServer((_, response) => {
    const problem = presentProblem(reason, { detail: 'No.', traceId: '00-0-0-01', errors: {} });
    response.writeHead(problem.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const services = { api: url, vault: url, walletSheet: null };
  client = new PaymentClient(services, { kind: 'payment', id: 'pi_sandbox_1' });
});
afterAll(() => {
  server.close();
});

test.each<[ProblemReason, object]>([
  ['account_disabled', { kind: 'closed' }],
  ['payment_intent_not_found', { kind: 'gone', link: null }],
  ['permission_missing', { kind: 'unreachable' }],
  ['service_unavailable', { kind: 'unreachable' }],
])('a try that is refused with %s is %j for its payer', async (code, attemptStart) => {
  reason = code;
  expect(await client.startAttempt()).toEqual(attemptStart);
});

test.each<[ProblemReason, string]>([
  ['receipts_exhausted', 'exhausted'],
  ['validation_failed', 'refused'],
  ['receipt_not_available', 'unreachable'],
  ['service_unavailable', 'unreachable'],
])('a receipt that is refused with %s is %s', async (code, outcome) => {
  reason = code;
  expect(await client.sendReceipt('guest@example.com')).toBe(outcome);
});
