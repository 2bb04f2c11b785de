import { ALARM_OPERATIONS } from './alarms.js';
import { API_KEY_OPERATIONS } from './api-keys.js';
import { CUSTOMER_OPERATIONS } from './customers.js';
import { EPOS_OPERATIONS } from './epos-registration.js';
import { WEBHOOK_BODIES } from './events.js';
import type { ApiTitle } from './openapi.js';
import type { Operation } from './operation.js';
import { ORDER_PLACEMENT_OPERATIONS } from './order-placements.js';
import { PAY_AT_TABLE_OPERATIONS } from './pay-at-table.js';
import { PAYMENT_INTENT_OPERATIONS } from './payment-intent-operations.js';
import { PAYMENT_MONEY_OPERATIONS } from './payment-money.js';
import { readMailbox, RECEIPT_OPERATIONS } from './receipts.js';
import { SANDBOX_OPERATIONS } from './sandbox-clock.js';
import { SAVED_CARD_OPERATIONS } from './saved-cards.js';
import { SETUP_INTENT_OPERATIONS } from './setup-intent-operations.js';
import { TERMINAL_SESSION_OPERATIONS } from './terminal-sessions.js';
import { TERMINAL_OPERATIONS } from './terminals.js';
import { TRANSACTION_OPERATIONS } from './transactions.js';
import { WEBHOOK_DELIVERY_OPERATIONS } from './webhook-deliveries.js';
import { WEBHOOK_OPERATIONS } from './webhooks.js';

/** Everything the public REST API serves, in the order of its document. */
export const API_OPERATIONS: readonly Operation[] = [
  ...PAYMENT_INTENT_OPERATIONS,
  ...PAYMENT_MONEY_OPERATIONS,
  ...RECEIPT_OPERATIONS,
  ...SETUP_INTENT_OPERATIONS,
  ...CUSTOMER_OPERATIONS,
  ...SAVED_CARD_OPERATIONS,
  ...TERMINAL_OPERATIONS,
  ...TERMINAL_SESSION_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_DELIVERY_OPERATIONS,
  ...PAY_AT_TABLE_OPERATIONS,
  ...ALARM_OPERATIONS,
  ...EPOS_OPERATIONS,
  ...ORDER_PLACEMENT_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  readMailbox,
];

/** How the document of the public REST API introduces itself. */
export const API_TITLE: ApiTitle = {
  title: 'Payments API',
  description:
    'Payments online, on card machines and at the table. Amounts are whole minor units. ' +
    'Every change may carry an idempotency key; every failure is a problem body that names the members at fault.',
  webhooks: WEBHOOK_BODIES,
};
