import { ACTIVITY_OPERATIONS } from '../activities/activities.js';
import { ALARM_OPERATIONS } from '../operators/alarms.js';
import { API_KEY_OPERATIONS } from '../accounts/api-keys.js';
import { DINING_TABLE_OPERATIONS } from '../bookings/dining-tables.js';
import { PARTY_OPERATIONS } from '../bookings/parties.js';
import { RESERVATION_OPERATIONS } from '../bookings/reservations.js';
import { BRANDING_OPERATIONS } from '../accounts/branding.js';
import { CUSTOMER_OPERATIONS } from '../accounts/customers.js';
import { EPOS_ACTIVITY_OPERATIONS } from '../accounts/epos-activity.js';
import { EPOS_OPERATIONS } from '../accounts/epos-registration.js';
import { WEBHOOK_BODIES } from '../webhooks/events.js';
import type { ApiTitle } from '../openapi/openapi.js';
import type { Operation } from '../operation/operation.js';
import { ORDER_PLACEMENT_OPERATIONS } from '../orders/order-placements.js';
import { PAY_AT_TABLE_OPERATIONS } from '../operators/pay-at-table.js';
import { PAYMENT_INTENT_OPERATIONS } from '../payment-intents/payment-intent-operations.js';
import { PAYMENT_LINK_OPERATIONS } from '../payment-intents/payment-links.js';
import { PAYMENT_MONEY_OPERATIONS } from '../payment-intents/payment-money.js';
import { PUBLIC_AMOUNT_OPERATIONS } from '../payment-intents/public-amounts.js';
import { readMailbox, RECEIPT_OPERATIONS } from '../payment-intents/receipts.js';
import { RECONCILIATION_OPERATIONS } from '../operators/reconciliation.js';
import { SANDBOX_OPERATIONS } from '../sandbox/sandbox-clock.js';
import { SAVED_CARD_OPERATIONS } from '../payment-intents/saved-cards.js';
import { SETUP_INTENT_OPERATIONS } from '../setup-intents/setup-intent-operations.js';
import { TESTER_RUN_OPERATIONS } from '../operators/tester-runs.js';
import { TERMINAL_SESSION_OPERATIONS } from '../terminal-sessions/terminal-sessions.js';
import { TERMINAL_OPERATIONS } from '../accounts/terminals.js';
import { TRANSACTION_OPERATIONS } from '../payment-intents/transactions.js';
import { WEBHOOK_DELIVERY_OPERATIONS } from '../webhooks/webhook-deliveries.js';
import { WEBHOOK_OPERATIONS } from '../webhooks/webhooks.js';

/** Every operation of the public REST API, in the order of its document. */
export const API_OPERATIONS: readonly Operation[] = [
  ...PAYMENT_INTENT_OPERATIONS,
  ...PAYMENT_MONEY_OPERATIONS,
  ...PAYMENT_LINK_OPERATIONS,
  ...PUBLIC_AMOUNT_OPERATIONS,
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
  ...RECONCILIATION_OPERATIONS,
  ...ALARM_OPERATIONS,
  ...ACTIVITY_OPERATIONS,
  ...EPOS_OPERATIONS,
  ...EPOS_ACTIVITY_OPERATIONS,
  ...TESTER_RUN_OPERATIONS,
  ...ORDER_PLACEMENT_OPERATIONS,
  ...RESERVATION_OPERATIONS,
  ...PARTY_OPERATIONS,
  ...DINING_TABLE_OPERATIONS,
  ...API_KEY_OPERATIONS,
  ...BRANDING_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  readMailbox,
];

/** The title and introduction of the public REST API's document. */
export const API_TITLE: ApiTitle = {
  title: 'Payments API',
  description:
    'Payments online, on card machines and at the table. Amounts are whole minor units. ' +
    'Every change may carry an idempotency key; every failure is a problem body that names the members at fault.',
  webhooks: WEBHOOK_BODIES,
};
