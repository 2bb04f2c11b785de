import type { EntitySchema } from 'typeorm';
import { acquirerCalls } from './acquirer-calls.js';
import { alarms } from './alarms.js';
import {
  accountSchema,
  apiKeys,
  eposIntegrations,
  idCounters,
  idempotencyKeys,
  keyCheckSchema,
  sandboxClocks,
  testerRuns,
} from './account-rows.js';
import { customers, customerSecrets } from './customers.js';
import { journeys, sessionLeases, tablePayments } from './pay-at-table-rows.js';
import { ledgerEntries, ledgerPostings, paymentEvents, paymentIntents } from './payment-rows.js';
import { onlineAttempts } from './online-attempts.js';
import { operatorCalls } from './operator-calls.js';
import { orderPlacements } from './order-placements.js';
import { orderLocks, orderSessions } from './orders.js';
import { reconciliationDifferences } from './reconciliation-differences.js';
import { reconciliations } from './reconciliations.js';
import { refunds } from './refunds.js';
import { savedCards } from './saved-cards.js';
import { setupEvents, setupIntents } from './setup-rows.js';
import {
  deliveries,
  events,
  lanes,
  mails,
  replays,
  subscriptionKinds,
  subscriptions,
  timers,
  webhookSecrets,
} from './queue-rows.js';
import { tokenBucketSchema } from './token-buckets.js';
import { transactionCounters, transactions } from './transactions.js';
import { connections, machineBindings, terminals, terminalSessionEvents, terminalSessions } from './terminal-rows.js';

/** Every table whose keys start with the scope. */
const RELATIONS = [
  sandboxClocks,
  idCounters,
  apiKeys,
  idempotencyKeys,
  eposIntegrations,
  testerRuns,
  paymentIntents,
  paymentEvents,
  acquirerCalls,
  onlineAttempts,
  savedCards,
  refunds,
  mails,
  transactions,
  transactionCounters,
  customers,
  customerSecrets,
  setupIntents,
  setupEvents,
  ledgerEntries,
  ledgerPostings,
  terminals,
  terminalSessions,
  terminalSessionEvents,
  connections,
  machineBindings,
  sessionLeases,
  orderSessions,
  orderLocks,
  journeys,
  tablePayments,
  orderPlacements,
  operatorCalls,
  reconciliationDifferences,
  reconciliations,
  alarms,
  subscriptions,
  subscriptionKinds,
  webhookSecrets,
  events,
  lanes,
  deliveries,
  replays,
  timers,
] as const;

/** What TypeORM knows of the schema; it reads and writes by it and never builds from it. */
export const ENTITIES: readonly EntitySchema[] = [
  accountSchema,
  keyCheckSchema,
  tokenBucketSchema,
  ...RELATIONS.map(({ schema }) => schema),
];
