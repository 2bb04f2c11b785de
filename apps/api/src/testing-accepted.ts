import { alarmRequests } from './alarms/testing.js';
import { keyRequests } from './api-keys/testing.js';
import { chargeRequests } from './charges/testing.js';
import { customerRequests } from './customers/testing.js';
import { eposRequests } from './epos/testing.js';
import { orderRequests } from './orders/testing.js';
import { operatorRequests } from './pay-at-table/testing.js';
import { type Accepted, moneyRequests } from './payment-intents/testing.js';
import { reconciliationRequests } from './reconciliation/testing.js';
import { savedCardRequests } from './saved-cards/testing.js';
import { setupRequests } from './setup-intents/testing.js';
import { type ApiWorld, GBP_20 } from './testing.js';
import { webhookRequests } from './webhooks/testing.js';

export const NEW_INTENT = { amount: GBP_20, reference: 'table 4' };
export const RECEIPT = { emails: ['guest@example.com'] };

/** A terminal session that waits for the decision about a signature. */
export async function signing(world: ApiWorld): Promise<string> {
  const { id } = await world.sale(await world.intentIn('Created'));
  await world.approve(id, { isSignatureRequired: true });
  return id;
}

/** A terminal session that runs. */
export async function running(world: ApiWorld): Promise<string> {
  return (await world.sale(await world.intentIn('Created'))).id;
}

export function saleOf(paymentIntentId: string) {
  return { sessionType: 'Sale', sale: { paymentIntentId } };
}

/**
 * A request of each operation that is accepted, by the operation's id. `idle`: the account whose clock is advanced, where
 * nothing is due.
 */
export function acceptedRequests(
  world: () => ApiWorld,
  idle: () => Promise<{ readonly key: string }>,
): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    createPaymentIntent: () => Promise.resolve({ path: '/payment-intents', body: NEW_INTENT, wrong: { body: {} } }),
    readPaymentIntent: async () => ({
      path: `/payment-intents/${await world().intentIn('Created')}`,
      wrong: { query: '?returnCanceled=maybe' },
    }),
    cancelPaymentIntent: async () => ({ path: `/payment-intents/${await world().intentIn('Created')}` }),
    searchPaymentIntents: () =>
      Promise.resolve({ path: '/payment-intents/search', body: {}, wrong: { body: { cursor: { limit: 101 } } } }),
    refreshClientSecret: async () => ({
      path: `/payment-intents/${await world().intentIn('Created')}/refresh-client-session-secret`,
    }),
    ...moneyRequests(world),
    ...chargeRequests(world),
    ...savedCardRequests(world),
    ...setupRequests(world),
    ...customerRequests(world),
    readPublicPaymentIntent: async () => ({ path: `/payment-intents/public/${await world().intentIn('Created')}` }),
    refreshPublicClientSecret: async () => ({
      path: `/payment-intents/public/${await world().intentIn('Created')}/refresh-client-session-secret`,
    }),
    ...terminalRequests(world),
    sendReceipt: async () => ({
      path: `/payment-intents/${await world().intentIn('Captured')}/receipt`,
      body: RECEIPT,
      wrong: { body: { emails: [] } },
    }),
    readMailbox: () => Promise.resolve({ path: '/sandbox/mailbox', wrong: { query: '?limit=0' } }),
    searchTransactions: () =>
      Promise.resolve({
        path: '/transactions/search',
        body: { startDate: null, endDate: null },
        wrong: { body: { startDate: null } },
      }),
    listEventKinds: () => Promise.resolve({ path: '/webhooks/events', wrong: { query: '?optIn=maybe' } }),
    createSubscription: async () => ({
      path: '/webhooks',
      key: (await world().newcomer()).key,
      body: { events: ['payment_intent.created'], url: 'https://shop.example/hooks' },
      wrong: { body: { events: ['payment_intent.deleted'], url: 'http://shop.example' } },
    }),
    listSubscriptions: () => Promise.resolve({ path: '/webhooks' }),
    ...webhookRequests(world),
    ...keyRequests(world),
    ...operatorRequests(world),
    ...reconciliationRequests(world),
    ...alarmRequests(world),
    ...eposRequests(),
    ...orderRequests(world),
    advanceClock: async () => ({
      path: '/sandbox/clock/advance',
      key: (await idle()).key,
      body: { by: '00:00:01' },
      wrong: { body: { by: '00:00:00' } },
    }),
  };
}

/** The same of terminals and their sessions. */
function terminalRequests(world: () => ApiWorld): Readonly<Record<string, () => Promise<Accepted>>> {
  return {
    listTerminals: () => Promise.resolve({ path: '/terminals', wrong: { query: '?statuses=Lost' } }),
    readTerminal: async () => ({ path: `/terminals/${await world().terminal()}` }),
    resetTerminalMachine: async () => ({
      path: `/terminals/${await world().terminal()}/machine/reset`,
      body: { note: 'replaced' },
      wrong: { body: { note: '' } },
    }),
    createTerminalSession: async () => ({
      path: '/terminal-sessions',
      body: { terminalId: await world().terminal(), details: saleOf(await world().intentIn('Created')) },
      wrong: { body: { terminalId: 'x', details: { sessionType: 'Gift' } } },
    }),
    readTerminalSession: async () => ({ path: `/terminal-sessions/${await running(world())}` }),
    cancelTerminalSession: async () => ({ path: `/terminal-sessions/${await running(world())}/cancel` }),
    decideSignature: async () => ({
      path: `/terminal-sessions/${await signing(world())}/signature`,
      body: { accepted: true },
      wrong: { body: { accepted: 'perhaps' } },
    }),
  };
}
