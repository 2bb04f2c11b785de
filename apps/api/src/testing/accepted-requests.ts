import { createActivityRequests } from './activity-requests.js';
import { createAlarmRequests } from './alarm-requests.js';
import { createKeyRequests } from './api-key-requests.js';
import { createBrandingRequests } from './branding-requests.js';
import { createChargeRequests } from './charge-test-environment.js';
import { createCustomerRequests } from './customer-requests.js';
import { createEposActivityRequests } from './epos/epos-activity-requests.js';
import { createEposRequests } from './epos/epos-requests.js';
import { createOrderRequests } from './order-requests.js';
import { createOperatorRequests } from './operator-requests.js';
import { type AcceptedRequest, createMoneyRequests } from './money-requests.js';
import { createPayerRequests } from './payer-requests.js';
import { createReconciliationRequests } from './reconciliation-requests.js';
import { createSavedCardRequests } from './saved-card-requests.js';
import { createSetupRequests } from './setup-requests.js';
import { type ApiTestEnvironment, GBP_20 } from './api-test-environment.js';
import { createWebhookRequests } from './webhook-requests.js';

export const NEW_INTENT_BODY = { amount: GBP_20, reference: 'table 4' };
export const RECEIPT_BODY = { emails: ['guest@example.com'] };

/** A terminal session that waits for the decision about a signature. */
export async function createSigningSession(testEnvironment: ApiTestEnvironment): Promise<string> {
  const { id } = await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'));
  await testEnvironment.approveSession(id, { isSignatureRequired: true });
  return id;
}

/** A terminal session that runs. */
export async function createRunningSession(testEnvironment: ApiTestEnvironment): Promise<string> {
  return (await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'))).id;
}

export function createSaleDetails(paymentIntentId: string) {
  return { sessionType: 'Sale', sale: { paymentIntentId } };
}

/**
 * An accepted request for each operation, by the operation's id. `idle`: the account whose clock is advanced; none of
 * its timers is due.
 */
export function createAcceptedRequests(
  testEnvironment: () => ApiTestEnvironment,
  idle: () => Promise<{ readonly key: string }>,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    createPaymentIntent: () =>
      Promise.resolve({ path: '/payment-intents', body: NEW_INTENT_BODY, invalid: { body: {} } }),
    readPaymentIntent: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Created')}`,
      invalid: { query: '?returnCanceled=maybe' },
    }),
    cancelPaymentIntent: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Created')}`,
    }),
    searchPaymentIntents: () =>
      Promise.resolve({ path: '/payment-intents/search', body: {}, invalid: { body: { cursor: { limit: 101 } } } }),
    refreshClientSecret: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Created')}/refresh-client-session-secret`,
    }),
    ...createMoneyRequests(testEnvironment),
    ...createPayerRequests(testEnvironment),
    ...createChargeRequests(testEnvironment),
    ...createSavedCardRequests(testEnvironment),
    ...createSetupRequests(testEnvironment),
    ...createCustomerRequests(testEnvironment),
    readPublicPaymentIntent: async () => ({
      path: `/payment-intents/public/${await testEnvironment().createIntentIn('Created')}`,
    }),
    refreshPublicClientSecret: async () => ({
      path: `/payment-intents/public/${await testEnvironment().createIntentIn('Created')}/refresh-client-session-secret`,
    }),
    ...createTerminalRequests(testEnvironment),
    sendReceipt: async () => ({
      path: `/payment-intents/${await testEnvironment().createIntentIn('Captured')}/receipt`,
      body: RECEIPT_BODY,
      invalid: { body: { emails: [] } },
    }),
    readMailbox: () => Promise.resolve({ path: '/sandbox/mailbox', invalid: { query: '?limit=0' } }),
    searchTransactions: () =>
      Promise.resolve({
        path: '/transactions/search',
        body: { startDate: null, endDate: null },
        invalid: { body: { startDate: null } },
      }),
    listEventKinds: () => Promise.resolve({ path: '/webhooks/events', invalid: { query: '?optIn=maybe' } }),
    createSubscription: async () => ({
      path: '/webhooks',
      key: (await testEnvironment().createAccount()).key,
      body: { events: ['payment_intent.created'], url: 'https://shop.example/hooks' },
      invalid: { body: { events: ['payment_intent.deleted'], url: 'http://shop.example' } },
    }),
    listSubscriptions: () => Promise.resolve({ path: '/webhooks' }),
    ...createWebhookRequests(testEnvironment),
    ...createKeyRequests(testEnvironment),
    ...createBrandingRequests(),
    ...createOperatorRequests(testEnvironment),
    ...createReconciliationRequests(testEnvironment),
    ...createAlarmRequests(testEnvironment),
    ...createActivityRequests(testEnvironment),
    ...createEposRequests(),
    ...createEposActivityRequests(testEnvironment),
    ...createOrderRequests(testEnvironment),
    advanceClock: async () => ({
      path: '/sandbox/clock/advance',
      key: (await idle()).key,
      body: { by: '00:00:01' },
      invalid: { body: { by: '00:00:00' } },
    }),
  };
}

/** Accepted requests for the operations of terminals and their sessions. */
function createTerminalRequests(
  testEnvironment: () => ApiTestEnvironment,
): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    listTerminals: () => Promise.resolve({ path: '/terminals', invalid: { query: '?statuses=Lost' } }),
    readTerminal: async () => ({ path: `/terminals/${await testEnvironment().createTerminal()}` }),
    listTerminalSessions: async () => ({
      path: `/terminals/${await testEnvironment().createTerminal()}/sessions`,
      invalid: { query: '?limit=0' },
    }),
    resetTerminalMachine: async () => ({
      path: `/terminals/${await testEnvironment().createTerminal()}/machine/reset`,
      body: { note: 'replaced' },
      invalid: { body: { note: '' } },
    }),
    createTerminalSession: async () => ({
      path: '/terminal-sessions',
      body: {
        terminalId: await testEnvironment().createTerminal(),
        details: createSaleDetails(await testEnvironment().createIntentIn('Created')),
      },
      invalid: { body: { terminalId: 'x', details: { sessionType: 'Gift' } } },
    }),
    readTerminalSession: async () => ({ path: `/terminal-sessions/${await createRunningSession(testEnvironment())}` }),
    cancelTerminalSession: async () => ({
      path: `/terminal-sessions/${await createRunningSession(testEnvironment())}/cancel`,
    }),
    decideSignature: async () => ({
      path: `/terminal-sessions/${await createSigningSession(testEnvironment())}/signature`,
      body: { accepted: true },
      invalid: { body: { accepted: 'perhaps' } },
    }),
  };
}
