import { ACCOUNT_EXAMPLES } from './account-examples.js';
import { ACTIVITY_EXAMPLES } from './activity-examples.js';
import { BOOKING_EXAMPLES } from './booking-examples.js';
import { CARD_MACHINE_EXAMPLES } from './card-machine-examples.js';
import { EPOS_EXAMPLES } from './epos-examples.js';
import { OPERATOR_EXAMPLES } from './operator-examples.js';
import { type OperationExample, refuseWithoutKey } from './operation-example.js';
import { HELD_PAYMENT_EXAMPLES } from './held-payment-examples.js';
import { ONLINE_PAYMENT_EXAMPLES } from './online-payment-examples.js';
import { STORED_CARD_EXAMPLES } from './stored-card-examples.js';
import { WEBHOOK_EXAMPLES } from './webhook-examples.js';

const KEY_EXAMPLES = [
  'listSubscriptions',
  'listPendingPayments',
  'listTableLeases',
  'readReconciliation',
  'listEposIntegrations',
  'readRestIntegration',
  'deleteRestIntegration',
  'readWsIntegration',
  'deleteWsIntegration',
  'readServiceManagedIntegrations',
  'readGrpcIntegration',
  'deleteGrpcIntegration',
  'listApiKeys',
  'getBranding',
  'readSandboxEpos',
  'listFlows',
  'listEposConnections',
  'listAreas',
].map(refuseWithoutKey);

/** Every example, in an order in which each succeeds after those before it. */
export const OPERATION_EXAMPLES: readonly OperationExample[] = [
  ...ONLINE_PAYMENT_EXAMPLES,
  ...ACTIVITY_EXAMPLES,
  ...HELD_PAYMENT_EXAMPLES,
  ...STORED_CARD_EXAMPLES,
  ...CARD_MACHINE_EXAMPLES,
  ...BOOKING_EXAMPLES,
  ...EPOS_EXAMPLES,
  ...OPERATOR_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
  ...KEY_EXAMPLES,
];
