import type * as accounts from '@pos/rest-contracts/accounts';
import type * as activities from '@pos/rest-contracts/activities';
import type * as operators from '@pos/rest-contracts/operators';
import type * as rest from '@pos/rest-contracts/portal';
import type * as orders from '@pos/rest-contracts/orders';
import type * as paymentIntents from '@pos/rest-contracts/payment-intents';
import type * as clock from '@pos/rest-contracts/sandbox';
import type * as setups from '@pos/rest-contracts/setup-intents';
import type * as webhooks from '@pos/rest-contracts/webhooks';
import type { Endpoint } from './endpoint.js';

export const signIn: Endpoint<typeof rest.signIn> = { method: 'POST', path: '/portal/session', isOwn: true };
export const readPortalSession: Endpoint<typeof rest.readPortalSession> = {
  method: 'GET',
  path: '/portal/session',
  isOwn: true,
};
export const readSignInOptions: Endpoint<typeof rest.readSignInOptions> = {
  method: 'GET',
  path: '/portal/sign-in-options',
  isOwn: true,
};
export const signOut: Endpoint<typeof rest.signOut> = { method: 'DELETE', path: '/portal/session', isOwn: true };
export const signOutEverywhere: Endpoint<typeof rest.signOutEverywhere> = {
  method: 'DELETE',
  path: '/portal/sessions',
  isOwn: true,
};
export const choosePortalAccount: Endpoint<typeof rest.choosePortalAccount> = {
  method: 'PUT',
  path: '/portal/session/account',
  isOwn: true,
};
export const reauthenticate: Endpoint<typeof rest.reauthenticate> = {
  method: 'POST',
  path: '/portal/session/reauthenticate',
  isOwn: true,
};
export const readPortalOverview: Endpoint<typeof rest.readPortalOverview> = {
  method: 'GET',
  path: '/portal/overview',
  isOwn: true,
};
export const listFourEyesRequests: Endpoint<typeof rest.listFourEyesRequests> = {
  method: 'GET',
  path: '/portal/second-person',
  isOwn: true,
};
export const decideFourEyesRequest: Endpoint<typeof rest.decideFourEyesRequest> = {
  method: 'POST',
  path: '/portal/second-person/decision',
  isOwn: true,
};
export const sendFourEyesRequest: Endpoint<typeof rest.sendFourEyesRequest> = {
  method: 'POST',
  path: '/portal/second-person/sending',
  isOwn: true,
};
export const readTestClock: Endpoint<typeof rest.readTestClock> = {
  method: 'GET',
  path: '/portal/test-clock',
  isOwn: true,
};

export const searchPaymentIntents: Endpoint<typeof paymentIntents.searchPaymentIntents> = {
  method: 'POST',
  path: '/payment-intents/search',
};
export const readPaymentIntent: Endpoint<typeof paymentIntents.readPaymentIntent> = {
  method: 'GET',
  path: '/payment-intents/{paymentIntentId}',
};
export const listPaymentActivities: Endpoint<typeof activities.listPaymentActivities> = {
  method: 'GET',
  path: '/payment-intents/{paymentIntentId}/activities',
};
export const createPaymentIntent: Endpoint<typeof paymentIntents.createPaymentIntent> = {
  method: 'POST',
  path: '/payment-intents',
};
export const cancelPaymentIntent: Endpoint<typeof paymentIntents.cancelPaymentIntent> = {
  method: 'DELETE',
  path: '/payment-intents/{paymentIntentId}',
};
export const capturePaymentIntent: Endpoint<typeof paymentIntents.capturePaymentIntent> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/captures',
};
export const refundPaymentIntent: Endpoint<typeof paymentIntents.refundPaymentIntent> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/refunds',
};
export const reversePaymentIntent: Endpoint<typeof paymentIntents.reversePaymentIntent> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/reversal',
};
export const sendReceipt: Endpoint<typeof paymentIntents.sendReceipt> = {
  method: 'POST',
  path: '/payment-intents/{paymentIntentId}/receipt',
};
export const listTerminals: Endpoint<typeof accounts.listTerminals> = { method: 'GET', path: '/terminals' };
export const listApiKeys: Endpoint<typeof accounts.listApiKeys> = { method: 'GET', path: '/api-keys' };
export const createApiKey: Endpoint<typeof accounts.createApiKey> = { method: 'POST', path: '/api-keys' };
export const changeApiKey: Endpoint<typeof accounts.changeApiKey> = { method: 'PATCH', path: '/api-keys/{keyId}' };
export const deleteApiKey: Endpoint<typeof accounts.deleteApiKey> = { method: 'DELETE', path: '/api-keys/{keyId}' };
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
export const listDeliveries: Endpoint<typeof webhooks.listDeliveries> = {
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries',
};
export const readDelivery: Endpoint<typeof webhooks.readDelivery> = {
  method: 'GET',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}',
};
export const replayDelivery: Endpoint<typeof webhooks.replayDelivery> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay',
};
export const replayEvents: Endpoint<typeof webhooks.replayEvents> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/replay',
};
export const sendTestEvent: Endpoint<typeof webhooks.sendTestEvent> = {
  method: 'POST',
  path: '/webhooks/{subscriptionId}/test-events',
};
export const createDeliveryLink: Endpoint<typeof webhooks.createDeliveryLink> = {
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
export const listPendingPayments: Endpoint<typeof operators.listPendingPayments> = {
  method: 'GET',
  path: '/pay-at-table/pending',
};
export const resolvePendingPayment: Endpoint<typeof operators.resolvePendingPayment> = {
  method: 'POST',
  path: '/pay-at-table/pending/{paymentId}/resolve',
};
export const listTableLeases: Endpoint<typeof operators.listTableLeases> = {
  method: 'GET',
  path: '/pay-at-table/leases',
};
export const releaseTableLease: Endpoint<typeof operators.releaseTableLease> = {
  method: 'POST',
  path: '/pay-at-table/leases/{leaseId}/release',
};
export const listTableOperatorCalls: Endpoint<typeof operators.listTableOperatorCalls> = {
  method: 'GET',
  path: '/pay-at-table/operator-calls',
};
export const listEposIntegrations: Endpoint<typeof accounts.listEposIntegrations> = {
  method: 'GET',
  path: '/epos/integrations',
};

export const searchCustomers: Endpoint<typeof accounts.searchCustomers> = {
  method: 'POST',
  path: '/customers/search',
};
export const readCustomers: Endpoint<typeof accounts.readCustomers> = {
  method: 'GET',
  path: '/customers/{customerId}',
};
export const listSavedCards: Endpoint<typeof paymentIntents.listSavedCards> = {
  method: 'GET',
  path: '/customers/{customerId}/payment-methods',
};
export const deleteSavedCard: Endpoint<typeof paymentIntents.deleteSavedCard> = {
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
export const readTerminal: Endpoint<typeof accounts.readTerminal> = { method: 'GET', path: '/terminals/{terminalId}' };
export const listTerminalSessions: Endpoint<typeof accounts.listTerminalSessions> = {
  method: 'GET',
  path: '/terminals/{terminalId}/sessions',
};
export const resetTerminalMachine: Endpoint<typeof accounts.resetTerminalMachine> = {
  method: 'POST',
  path: '/terminals/{terminalId}/machine/reset',
};
export const listOrderPlacements: Endpoint<typeof orders.listOrderPlacements> = {
  method: 'GET',
  path: '/epos/order-placements',
};
export const listEposConnections: Endpoint<typeof accounts.listEposConnections> = {
  method: 'GET',
  path: '/epos/connections',
};
export const listEposCalls: Endpoint<typeof accounts.listEposCalls> = { method: 'GET', path: '/epos/calls' };
export const listFlows: Endpoint<typeof operators.listFlows> = { method: 'GET', path: '/flows' };
export const startFlow: Endpoint<typeof operators.startFlow> = { method: 'POST', path: '/flows' };
export const listTesterRuns: Endpoint<typeof operators.listTesterRuns> = { method: 'GET', path: '/epos/tester-runs' };
export const readTesterRun: Endpoint<typeof operators.readTesterRun> = {
  method: 'GET',
  path: '/epos/tester-runs/{runId}',
};

export const listPaymentViews: Endpoint<typeof rest.listPaymentViews> = {
  method: 'GET',
  path: '/portal/payment-views',
  isOwn: true,
};
export const createPaymentView: Endpoint<typeof rest.createPaymentView> = {
  method: 'POST',
  path: '/portal/payment-views',
  isOwn: true,
};
export const renamePaymentView: Endpoint<typeof rest.renamePaymentView> = {
  method: 'PATCH',
  path: '/portal/payment-views/{viewId}',
  isOwn: true,
};
export const deletePaymentView: Endpoint<typeof rest.deletePaymentView> = {
  method: 'DELETE',
  path: '/portal/payment-views/{viewId}',
  isOwn: true,
};

export const readSimulator: Endpoint<typeof rest.readSimulator> = {
  method: 'GET',
  path: '/portal/simulator',
  isOwn: true,
};
export const switchSimulatedAcquirer: Endpoint<typeof rest.switchSimulatedAcquirer> = {
  method: 'PUT',
  path: '/portal/simulator/acquirer',
  isOwn: true,
};
export const switchSimulatedEpos: Endpoint<typeof rest.switchSimulatedEpos> = {
  method: 'PUT',
  path: '/portal/simulator/epos',
  isOwn: true,
};
export const switchSimulatedMachine: Endpoint<typeof rest.switchSimulatedMachine> = {
  method: 'PUT',
  path: '/portal/simulator/machines/{tid}',
  isOwn: true,
};

export const readPortalAccountSettings: Endpoint<typeof rest.readPortalAccountSettings> = {
  method: 'GET',
  path: '/portal/account-settings',
  isOwn: true,
};
export const changePortalAccountSettings: Endpoint<typeof rest.changePortalAccountSettings> = {
  method: 'PATCH',
  path: '/portal/account-settings',
  isOwn: true,
};
