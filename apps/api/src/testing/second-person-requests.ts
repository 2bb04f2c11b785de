import { randomUUID } from 'node:crypto';
import { type AcceptedRequest, createRequest } from './money-requests.js';
import { type ApiTestEnvironment, GBP_20 } from './api-test-environment.js';

/** A request of each operation that gives money back, which a user of the portal may not make alone above the limit. */
export const SECOND_PERSON_REQUESTS = {
  refundPaymentIntent: async (testEnvironment) =>
    createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Captured')}/refunds`, { amount: 1 }),
  reversePaymentIntent: async (testEnvironment) =>
    createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Captured')}/reversal`, {}),
  createTerminalSession: async (testEnvironment) =>
    createRequest('/terminal-sessions', {
      terminalId: await testEnvironment.createTerminal(),
      details: { sessionType: 'UnlinkedRefund', unlinkedRefund: { amount: GBP_20 } },
    }),
  resolvePendingPayment: () =>
    createRequest(`/pay-at-table/pending/${randomUUID()}/resolve`, { action: 'GiveBack', note: 'paid twice' }),
} satisfies Record<string, (testEnvironment: ApiTestEnvironment) => Promise<AcceptedRequest>>;
export type SecondPersonOperation = keyof typeof SECOND_PERSON_REQUESTS;
