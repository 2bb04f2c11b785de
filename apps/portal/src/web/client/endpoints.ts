import type * as customers from '@pos/rest-contracts/accounts/customers';
import type * as eposActivity from '@pos/rest-contracts/accounts/epos-activity';
import type * as keys from '@pos/rest-contracts/accounts/api-keys';
import type * as activities from '@pos/rest-contracts/activities/activities';
import type * as epos from '@pos/rest-contracts/accounts/epos-registration';
import type * as terminals from '@pos/rest-contracts/accounts/terminals';
import type * as tables from '@pos/rest-contracts/operators/pay-at-table';
import type * as accountSettings from '@pos/rest-contracts/portal/account-settings';
import type * as secondPerson from '@pos/rest-contracts/portal/second-person';
import type * as simulator from '@pos/rest-contracts/portal/simulator';
import type * as tester from '@pos/rest-contracts/operators/tester';
import type * as testerRuns from '@pos/rest-contracts/operators/tester-runs';
import type * as orders from '@pos/rest-contracts/orders/order-placements';
import type * as intents from '@pos/rest-contracts/payment-intents/payment-intent-operations';
import type * as money from '@pos/rest-contracts/payment-intents/payment-money';
import type * as receipts from '@pos/rest-contracts/payment-intents/receipts';
import type * as savedCards from '@pos/rest-contracts/payment-intents/saved-cards';
import type * as views from '@pos/rest-contracts/portal/payment-views';
import type * as overview from '@pos/rest-contracts/portal/portal-overview';
import type * as testClock from '@pos/rest-contracts/portal/test-clock';
import type * as session from '@pos/rest-contracts/portal/portal-session';
import type * as clock from '@pos/rest-contracts/sandbox/sandbox-clock';
import type * as setups from '@pos/rest-contracts/setup-intents/setup-intent-operations';
import type * as deliveryLinks from '@pos/rest-contracts/webhooks/delivery-links';
import type * as deliveries from '@pos/rest-contracts/webhooks/webhook-deliveries';
import type * as webhooks from '@pos/rest-contracts/webhooks/webhooks';
import type { Endpoint } from './endpoint.js';

export const signIn: Endpoint<typeof session.signIn> = { method: 'POST', path: '/portal/session', isOwn: true };
export const readPortalSession: Endpoint<typeof session.readPortalSession> = {
  method: 'GET',
  path: '/portal/session',
  isOwn: true,
};
export const readSignInOptions: Endpoint<typeof session.readSignInOptions> = {
  method: 'GET',
  path: '/portal/sign-in-options',
  isOwn: true,
};
export const signOut: Endpoint<typeof session.signOut> = { method: 'DELETE', path: '/portal/session', isOwn: true };
export const signOutEverywhere: Endpoint<typeof session.signOutEverywhere> = {
  method: 'DELETE',
  path: '/portal/sessions',
  isOwn: true,
};
export const choosePortalAccount: Endpoint<typeof session.choosePortalAccount> = {
  method: 'PUT',
  path: '/portal/session/account',
  isOwn: true,
};
export const reauthenticate: Endpoint<typeof session.reauthenticate> = {
  method: 'POST',
  path: '/portal/session/reauthenticate',
  isOwn: true,
};
export const readPortalOverview: Endpoint<typeof overview.readPortalOverview> = {
  method: 'GET',
  path: '/portal/overview',
  isOwn: true,
};
export const listFourEyesRequests: Endpoint<typeof secondPerson.listFourEyesRequests> = {
  method: 'GET',
  path: '/portal/second-person',
  isOwn: true,
};
export const decideFourEyesRequest: Endpoint<typeof secondPerson.decideFourEyesRequest> = {
  method: 'POST',
  path: '/portal/second-person/decision',
  isOwn: true,
};
export const sendFourEyesRequest: Endpoint<typeof secondPerson.sendFourEyesRequest> = {
  method: 'POST',
  path: '/portal/second-person/sending',
  isOwn: true,
};
export const readTestClock: Endpoint<typeof testClock.readTestClock> = {
  method: 'GET',
  path: '/portal/test-clock',
  isOwn: true,
};

export const searchPaymentIntents: Endpoint<typeof intents.searchPaymentIntents> = {
  method: 'POST',
  path: '/payment-intents/search',
};
export const readPaymentIntent: Endpoint<typeof intents.readPaymentIntent> = {
  method: 'GET',
  path: '/payment-intents/{paymentIntentId}',
};
export const listPaymentActivities: Endpoint<typeof activities.listPaymentActivities> = {
  method: 'GET',
  path: '/payment-intents/{paymentIntentId}/activities',
};
export const createPaymentIntent: Endpoint<typeof intents.createPaymentIntent> = {
  method: 'POST',
  path: '/payment-intents',
};
export const cancelPaymentIntent: Endpoint<typeof intents.cancelPaymentIntent> = {
  method: 'DELETE',
  path: '/payment-intents/{paymentIntentId}',
};
export const capturePaymentIntent: Endpoint<typeof money.capturePaymentIntent> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/captures',
};
export const refundPaymentIntent: Endpoint<typeof money.refundPaymentIntent> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/refunds',
};
export const reversePaymentIntent: Endpoint<typeof money.reversePaymentIntent> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/reversal',
};
export const sendReceipt: Endpoint<typeof receipts.sendReceipt> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/receipt',
};
export const listTerminals: Endpoint<typeof terminals.listTerminals> = { method: 'GET', path: '/terminals' };
export const listApiKeys: Endpoint<typeof keys.listApiKeys> = { method: 'GET', path: '/api-keys' };
export const createApiKey: Endpoint<typeof keys.createApiKey> = { method: 'POST', path: '/api-keys' };
export const changeApiKey: Endpoint<typeof keys.changeApiKey> = { method: 'PATCH', path: '/api-keys/{keyId}' };
export const deleteApiKey: Endpoint<typeof keys.deleteApiKey> = { method: 'DELETE', path: '/api-keys/{keyId}' };
export const listSubscriptions: Endpoint<typeof webhooks.listSubscriptions> = { method: 'GET', path: '/webhooks' };
export const createSubscription: Endpoint<typeof webhooks.createSubscription> = { method: 'POST', path: '/webhooks' };
export const readSubscription: Endpoint<typeof webhooks.readSubscription> = {
  method: 'GET',
  path: '/webhooks/{subscriptionId}',
};
export const changeSubscription: Endpoint<typeof webhooks.changeSubscription> = {
  method: 'PATCH',
  path: '/webhooks/{subscriptionId}',
};
export const listDeliveries: Endpoint<typeof deliveries.listDeliveries> = {
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries',
};
export const readDelivery: Endpoint<typeof deliveries.readDelivery> = {
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}',
};
export const replayDelivery: Endpoint<typeof deliveries.replayDelivery> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay',
};
export const replayEvents: Endpoint<typeof deliveries.replayEvents> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/replay',
};
export const sendTestEvent: Endpoint<typeof deliveries.sendTestEvent> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/test-events',
};
export const createDeliveryLink: Endpoint<typeof deliveryLinks.createDeliveryLink> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/delivery-links',
};
export const createSecret: Endpoint<typeof webhooks.createSecret> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/secrets',
};
export const activateSecret: Endpoint<typeof webhooks.activateSecret> = {
  method: 'PUT',
  path: '/webhooks/{subscriptionId}/secrets/{secretId}/activate',
};
export const deleteSecret: Endpoint<typeof webhooks.deleteSecret> = {
  method: 'DELETE',
  path: '/webhooks/{subscriptionId}/secrets/{secretId}',
};
export const listEventKinds: Endpoint<typeof webhooks.listEventKinds> = { method: 'GET', path: '/webhooks/events' };
export const listRequests: Endpoint<typeof activities.listRequests> = { method: 'GET', path: '/activities/requests' };
export const groupErrors: Endpoint<typeof activities.groupErrors> = { method: 'GET', path: '/activities/errors' };
export const advanceClock: Endpoint<typeof clock.advanceClock> = { method: 'POST', path: '/sandbox/clock/advance' };
export const listPendingPayments: Endpoint<typeof tables.listPendingPayments> = {
  method: 'GET',
  path: '/pay-at-table/pending',
};
export const resolvePendingPayment: Endpoint<typeof tables.resolvePendingPayment> = {
  method: 'POST',
  path: '/pay-at-table/pending/{paymentId}/resolve',
};
export const listTableLeases: Endpoint<typeof tables.listTableLeases> = { method: 'GET', path: '/pay-at-table/leases' };
export const releaseTableLease: Endpoint<typeof tables.releaseTableLease> = {
  method: 'POST',
  path: '/pay-at-table/leases/{leaseId}/release',
};
export const listTableOperatorCalls: Endpoint<typeof tables.listTableOperatorCalls> = {
  method: 'GET',
  path: '/pay-at-table/operator-calls',
};
export const listEposIntegrations: Endpoint<typeof epos.listEposIntegrations> = {
  method: 'GET',
  path: '/epos/integrations',
};

export const searchCustomers: Endpoint<typeof customers.searchCustomers> = {
  method: 'POST',
  path: '/customers/search',
};
export const readCustomers: Endpoint<typeof customers.readCustomers> = {
  method: 'GET',
  path: '/customers/{customerId}',
};
export const listSavedCards: Endpoint<typeof savedCards.listSavedCards> = {
  method: 'GET',
  path: '/customers/{customerId}/payment-methods',
};
export const deleteSavedCard: Endpoint<typeof savedCards.deleteSavedCard> = {
  method: 'DELETE',
  path: '/customers/{customerId}/payment-methods/{paymentMethodId}',
};
export const createSetupIntent: Endpoint<typeof setups.createSetupIntent> = { method: 'POST', path: '/setup-intents' };
export const readSetupIntent: Endpoint<typeof setups.readSetupIntent> = {
  method: 'GET',
  path: '/setup-intents/{setupIntentId}',
};
export const cancelSetupIntent: Endpoint<typeof setups.cancelSetupIntent> = {
  method: 'DELETE',
  path: '/setup-intents/{setupIntentId}',
};
export const readTerminal: Endpoint<typeof terminals.readTerminal> = { method: 'GET', path: '/terminals/{terminalId}' };
export const listTerminalSessions: Endpoint<typeof terminals.listTerminalSessions> = {
  method: 'GET',
  path: '/terminals/{terminalId}/sessions',
};
export const resetTerminalMachine: Endpoint<typeof terminals.resetTerminalMachine> = {
  method: 'POST',
  path: '/terminals/{terminalId}/machine/reset',
};
export const listOrderPlacements: Endpoint<typeof orders.listOrderPlacements> = {
  method: 'GET',
  path: '/epos/order-placements',
};
export const listEposConnections: Endpoint<typeof eposActivity.listEposConnections> = {
  method: 'GET',
  path: '/epos/connections',
};
export const listEposCalls: Endpoint<typeof eposActivity.listEposCalls> = { method: 'GET', path: '/epos/calls' };
export const listFlows: Endpoint<typeof tester.listFlows> = { method: 'GET', path: '/flows' };
export const startFlow: Endpoint<typeof tester.startFlow> = { method: 'POST', path: '/flows' };
export const listTesterRuns: Endpoint<typeof testerRuns.listTesterRuns> = { method: 'GET', path: '/epos/tester-runs' };
export const readTesterRun: Endpoint<typeof testerRuns.readTesterRun> = {
  method: 'GET',
  path: '/epos/tester-runs/{runId}',
};

export const listPaymentViews: Endpoint<typeof views.listPaymentViews> = {
  method: 'GET',
  path: '/portal/payment-views',
  isOwn: true,
};
export const createPaymentView: Endpoint<typeof views.createPaymentView> = {
  method: 'POST',
  path: '/portal/payment-views',
  isOwn: true,
};
export const renamePaymentView: Endpoint<typeof views.renamePaymentView> = {
  method: 'PATCH',
  path: '/portal/payment-views/{viewId}',
  isOwn: true,
};
export const deletePaymentView: Endpoint<typeof views.deletePaymentView> = {
  method: 'DELETE',
  path: '/portal/payment-views/{viewId}',
  isOwn: true,
};

export const readSimulator: Endpoint<typeof simulator.readSimulator> = {
  method: 'GET',
  path: '/portal/simulator',
  isOwn: true,
};
export const switchSimulatedAcquirer: Endpoint<typeof simulator.switchSimulatedAcquirer> = {
  method: 'PUT',
  path: '/portal/simulator/acquirer',
  isOwn: true,
};
export const switchSimulatedEpos: Endpoint<typeof simulator.switchSimulatedEpos> = {
  method: 'PUT',
  path: '/portal/simulator/epos',
  isOwn: true,
};
export const switchSimulatedMachine: Endpoint<typeof simulator.switchSimulatedMachine> = {
  method: 'PUT',
  path: '/portal/simulator/machines/{tid}',
  isOwn: true,
};

export const readPortalAccountSettings: Endpoint<typeof accountSettings.readPortalAccountSettings> = {
  method: 'GET',
  path: '/portal/account-settings',
  isOwn: true,
};
export const changePortalAccountSettings: Endpoint<typeof accountSettings.changePortalAccountSettings> = {
  method: 'PATCH',
  path: '/portal/account-settings',
  isOwn: true,
};
