import type { EntitySchema } from 'typeorm';
import { activities } from '../activities/activity-relation.js';
import { acquirerCalls } from '../payments/acquirer-calls.js';
import { alarms } from '../repositories/alarms.js';
import { auditEntries } from '../repositories/audit-entries.js';
import {
  accountSchema,
  acquirerSchema,
  agreedSettingSchema,
  apiKeys,
  eposIntegrations,
  idCounters,
  idempotencyKeys,
  keyCheckSchema,
  locations,
  auditChainSchema,
  merchantIdSchema,
  operatorApprovalSchema,
  operatorRuleSchema,
  partnerRegistrySchema,
  partnerSchema,
  sandboxClocks,
  schemaCompatibilitySchema,
  testerRuns,
} from '../relations/account-relations.js';
import { customers, customerSecrets } from '../repositories/customers.js';
import { journeys, sessionLeases, provedTransactions, tablePayments } from '../relations/table-relations.js';
import { ledgerEntries, ledgerPostings, paymentEvents, paymentIntents } from '../relations/payment-relations.js';
import { onlineAttempts } from '../payments/online-attempts.js';
import { pageSecrets } from '../payments/page-secrets.js';
import { operatorCalls } from '../repositories/operator-calls.js';
import {
  portalMembershipSchema,
  portalPasswordHistorySchema,
  portalRequestNonces,
  portalSessionSchema,
  portalSignInAttemptSchema,
  portalUserSchema,
} from '../portal/portal-relations.js';
import { orderPlacements } from '../tables/order-placements.js';
import { orderLocks, orderSessions } from '../tables/order-sessions.js';
import { depositClaims } from '../tables/deposit-claims.js';
import { eposBookingOwners, eposBookings } from '../tables/epos-bookings.js';
import { orderSessionLabels } from '../tables/session-labels.js';
import { reconciliationDifferences } from '../reconciliation/reconciliation-differences.js';
import { reconciliations } from '../reconciliation/reconciliation-progress.js';
import { captures } from '../payments/captures.js';
import { settlementDays } from '../reconciliation/settlement-days.js';
import { settlementFiles, settlementLines } from '../reconciliation/settlement-files.js';
import { uncomparedDays } from '../reconciliation/uncompared-days.js';
import { fourEyesRequests } from '../four-eyes/four-eyes-requests.js';
import { refunds } from '../payments/refunds.js';
import { retiredMerchantIds } from '../repositories/retired-merchant-ids.js';
import { savedCards } from '../payments/saved-cards.js';
import { setupEvents, setupIntents } from '../relations/setup-intent-relations.js';
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
} from '../relations/queue-relations.js';
import {
  portalChallenges,
  portalPasskeys,
  portalRecoveryCodes,
  portalSignIns,
  portalTotpSecrets,
} from '../portal/factor-relations.js';
import { tokenBucketSchema } from '../rate-limits/token-buckets.js';
import { transactionCounters, transactions } from '../payments/transaction-listing.js';
import {
  connections,
  machineBindings,
  terminals,
  terminalSessionEvents,
  terminalSessions,
} from '../relations/terminal-relations.js';

/** Every table whose keys start with the scope. */
const RELATIONS = [
  activities,
  auditEntries,
  locations,
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
  pageSecrets,
  savedCards,
  captures,
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
  eposBookings,
  eposBookingOwners,
  depositClaims,
  orderSessionLabels,
  journeys,
  provedTransactions,
  tablePayments,
  orderPlacements,
  operatorCalls,
  portalRequestNonces,
  portalPasskeys,
  portalTotpSecrets,
  portalRecoveryCodes,
  portalSignIns,
  portalChallenges,
  reconciliationDifferences,
  reconciliations,
  settlementFiles,
  settlementLines,
  settlementDays,
  uncomparedDays,
  retiredMerchantIds,
  fourEyesRequests,
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

/** The entity schemas of TypeORM; it reads and writes with them and never changes the database's schema. */
export const ENTITIES: readonly EntitySchema[] = [
  accountSchema,
  acquirerSchema,
  auditChainSchema,
  merchantIdSchema,
  operatorApprovalSchema,
  operatorRuleSchema,
  partnerRegistrySchema,
  partnerSchema,
  agreedSettingSchema,
  keyCheckSchema,
  schemaCompatibilitySchema,
  tokenBucketSchema,
  portalUserSchema,
  portalMembershipSchema,
  portalSessionSchema,
  portalPasswordHistorySchema,
  portalSignInAttemptSchema,
  ...RELATIONS.map(({ schema }) => schema),
];
