// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
package pos.client;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import pos.client.Operation.Extra;
import pos.client.Operation.Input;
import pos.client.Operation.Pages;
import pos.client.RetryPolicy.Repeat;

/** How each operation is called. */
final class Operations {
    /** The release that the types describe, and that a client asks for. */
    static final String NEWEST_RELEASE = "2026-02-27";

    private static final Map<String, Operation> BY_ID = List.of(
                    new Operation("readLive", "GET", "/health/live", Input.NONE, Repeat.READ, Pages.NONE),
                    new Operation("readReady", "GET", "/health/ready", Input.NONE, Repeat.READ, Pages.NONE),
                    new Operation("createPaymentIntent", "POST", "/payment-intents", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readPaymentIntent", "GET", "/payment-intents/{paymentIntentId}", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("cancelPaymentIntent", "DELETE", "/payment-intents/{paymentIntentId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("searchPaymentIntents", "POST", "/payment-intents/search", Input.BODY, Repeat.READ, Pages.CURSOR, Extra.API_KEY),
                    new Operation("refreshClientSecret", "POST", "/payment-intents/{paymentIntentId}/refresh-client-session-secret", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readPublicPaymentIntent", "GET", "/payment-intents/public/{paymentIntentId}", Input.NONE, Repeat.READ, Pages.NONE),
                    new Operation("refreshPublicClientSecret", "POST", "/payment-intents/public/{paymentIntentId}/refresh-client-session-secret", Input.NONE, Repeat.NEVER, Pages.NONE),
                    new Operation("changeAmount", "POST", "/payment-intents/{paymentIntentId}/amount", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("changeTips", "POST", "/payment-intents/{paymentIntentId}/tips-amount", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("capturePaymentIntent", "POST", "/payment-intents/{paymentIntentId}/captures", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("refundPaymentIntent", "POST", "/payment-intents/{paymentIntentId}/refunds", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readRefund", "GET", "/payment-intents/refunds/{refundId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("reversePaymentIntent", "POST", "/payment-intents/{paymentIntentId}/reversal", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("chargePaymentIntent", "POST", "/payment-intents/{paymentIntentId}/charge", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readPaymentLink", "GET", "/payment-links/{intentId}", Input.NONE, Repeat.READ, Pages.NONE),
                    new Operation("changePublicTips", "POST", "/payment-intents/public/{paymentIntentId}/tips-amount", Input.BODY, Repeat.NEVER, Pages.NONE),
                    new Operation("changePublicAmount", "POST", "/payment-intents/public/{paymentIntentId}/amount", Input.BODY, Repeat.NEVER, Pages.NONE),
                    new Operation("sendReceipt", "POST", "/payment-intents/{paymentIntentId}/receipt", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("sendPublicReceipt", "POST", "/payment-intents/public/{paymentIntentId}/receipt", Input.BODY, Repeat.NEVER, Pages.NONE),
                    new Operation("createSetupIntent", "POST", "/setup-intents", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readSetupIntent", "GET", "/setup-intents/{setupIntentId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("cancelSetupIntent", "DELETE", "/setup-intents/{setupIntentId}", Input.QUERY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("refreshSetupSecret", "POST", "/setup-intents/{setupIntentId}/refresh-client-session-secret", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readPublicSetupIntent", "GET", "/setup-intents/public/{setupIntentId}", Input.NONE, Repeat.READ, Pages.NONE),
                    new Operation("refreshPublicSetupSecret", "POST", "/setup-intents/public/{setupIntentId}/refresh-client-session-secret", Input.NONE, Repeat.NEVER, Pages.NONE),
                    new Operation("createCustomer", "POST", "/customers", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readCustomers", "GET", "/customers/{customerId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("changeCustomer", "PATCH", "/customers/{customerId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteCustomer", "DELETE", "/customers/{customerId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("searchCustomers", "POST", "/customers/search", Input.BODY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("createCustomerSecret", "POST", "/customers/{customerId}/create-secret", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listSavedCards", "GET", "/customers/{customerId}/payment-methods", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteSavedCard", "DELETE", "/customers/{customerId}/payment-methods/{paymentMethodId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readPaymentMethods", "GET", "/customers/public/{customerId}/payment-methods", Input.NONE, Repeat.READ, Pages.NONE, Extra.CUSTOMER_SECRET),
                    new Operation("deletePaymentMethod", "DELETE", "/customers/public/{customerId}/payment-methods/{paymentMethodId}", Input.NONE, Repeat.NEVER, Pages.NONE, Extra.CUSTOMER_SECRET),
                    new Operation("readOfferedCards", "GET", "/payment-intents/public/{paymentIntentId}/payment-methods", Input.NONE, Repeat.READ, Pages.NONE),
                    new Operation("listTerminals", "GET", "/terminals", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("readTerminal", "GET", "/terminals/{terminalId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("listTerminalSessions", "GET", "/terminals/{terminalId}/sessions", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("resetTerminalMachine", "POST", "/terminals/{terminalId}/machine/reset", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("createTerminalSession", "POST", "/terminal-sessions", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("readTerminalSession", "GET", "/terminal-sessions/{terminalSessionId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("cancelTerminalSession", "PUT", "/terminal-sessions/{terminalSessionId}/cancel", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("decideSignature", "PUT", "/terminal-sessions/{terminalSessionId}/signature", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
                    new Operation("searchTransactions", "POST", "/transactions/search", Input.BODY, Repeat.READ, Pages.CURSOR, Extra.API_KEY),
                    new Operation("listEventKinds", "GET", "/webhooks/events", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("createSubscription", "POST", "/webhooks", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listSubscriptions", "GET", "/webhooks", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("readSubscription", "GET", "/webhooks/{subscriptionId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("changeSubscription", "PATCH", "/webhooks/{subscriptionId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteSubscription", "DELETE", "/webhooks/{subscriptionId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listSecrets", "GET", "/webhooks/{subscriptionId}/secrets", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("createSecret", "POST", "/webhooks/{subscriptionId}/secrets", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("activateSecret", "PUT", "/webhooks/{subscriptionId}/secrets/{secretId}/activate", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteSecret", "DELETE", "/webhooks/{subscriptionId}/secrets/{secretId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listDeliveries", "GET", "/webhooks/{subscriptionId}/deliveries", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("readDelivery", "GET", "/webhooks/{subscriptionId}/deliveries/{deliveryId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("replayDelivery", "POST", "/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("replayEvents", "POST", "/webhooks/{subscriptionId}/replay", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("sendTestEvent", "POST", "/webhooks/{subscriptionId}/test-events", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("createDeliveryLink", "POST", "/webhooks/{subscriptionId}/delivery-links", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listPendingPayments", "GET", "/pay-at-table/pending", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("resolvePendingPayment", "POST", "/pay-at-table/pending/{paymentId}/resolve", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listTableLeases", "GET", "/pay-at-table/leases", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("releaseTableLease", "POST", "/pay-at-table/leases/{leaseId}/release", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listTableOperatorCalls", "GET", "/pay-at-table/operator-calls", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("replayEposEvents", "POST", "/pay-at-table/epos-events/replay", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readReconciliation", "GET", "/reconciliation", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("startReconciliation", "POST", "/reconciliation/start", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listReconciliationDifferences", "GET", "/reconciliation/differences", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("answerReconciliationDifference", "POST", "/reconciliation/differences/{differenceId}/answer", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listAlarms", "GET", "/alarms", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("answerAlarm", "POST", "/alarms/{alarmId}/answer", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listPaymentActivities", "GET", "/payment-intents/{paymentIntentId}/activities", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("listRequests", "GET", "/activities/requests", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("groupErrors", "GET", "/activities/errors", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("listEposIntegrations", "GET", "/epos/integrations", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("readRestIntegration", "GET", "/epos/integrations/rest", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("putRestIntegration", "PUT", "/epos/integrations/rest", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteRestIntegration", "DELETE", "/epos/integrations/rest", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readWsIntegration", "GET", "/epos/integrations/ws", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("putWsIntegration", "PUT", "/epos/integrations/ws", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteWsIntegration", "DELETE", "/epos/integrations/ws", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readServiceManagedIntegrations", "GET", "/epos/integrations/service", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("readGrpcIntegration", "GET", "/epos/integrations/grpc", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("putGrpcIntegration", "PUT", "/epos/integrations/grpc", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteGrpcIntegration", "DELETE", "/epos/integrations/grpc", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("reportEposEvent", "POST", "/epos/events", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listEposConnections", "GET", "/epos/connections", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("listEposCalls", "GET", "/epos/calls", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("listTesterRuns", "GET", "/epos/tester-runs", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("readTesterRun", "GET", "/epos/tester-runs/{runId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("submitOrder", "POST", "/epos/order-placements", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listOrderPlacements", "GET", "/epos/order-placements", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("getOrderPlacement", "GET", "/epos/order-placements/{placementId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("listReservations", "GET", "/epos/reservations", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("getReservation", "GET", "/epos/reservations/{reservationId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("createReservation", "POST", "/epos/reservations", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("updateReservation", "PUT", "/epos/reservations/{reservationId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteReservation", "DELETE", "/epos/reservations/{reservationId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listParties", "GET", "/epos/parties", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("getParty", "GET", "/epos/parties/{partyId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("createParty", "POST", "/epos/parties", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("updateParty", "PUT", "/epos/parties/{partyId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteParty", "DELETE", "/epos/parties/{partyId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listAreas", "GET", "/epos/areas", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("listTables", "GET", "/epos/tables", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
                    new Operation("createApiKey", "POST", "/api-keys", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("listApiKeys", "GET", "/api-keys", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("changeApiKey", "PATCH", "/api-keys/{keyId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("deleteApiKey", "DELETE", "/api-keys/{keyId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("getBranding", "GET", "/branding", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("changeBranding", "PATCH", "/branding", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("advanceClock", "POST", "/sandbox/clock/advance", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readSandboxEpos", "GET", "/sandbox/epos", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
                    new Operation("putSandboxEpos", "PUT", "/sandbox/epos", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
                    new Operation("readMailbox", "GET", "/sandbox/mailbox", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY))
            .stream()
            .collect(Collectors.toUnmodifiableMap(Operation::getId, Function.identity()));

    private Operations() {}

    /** The operation of this id in the contract, or null. */
    static Operation find(String id) {
        return BY_ID.get(id);
    }
}
