// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
package pos.client;

import pos.client.RetryPolicy.Repeat;

/** How each operation is called. */
enum Operation {
    READ_LIVE("readLive", "GET", "/health/live", Input.NONE, Repeat.READ, Pages.NONE),
    READ_READY("readReady", "GET", "/health/ready", Input.NONE, Repeat.READ, Pages.NONE),
    CREATE_PAYMENT_INTENT("createPaymentIntent", "POST", "/payment-intents", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_PAYMENT_INTENT("readPaymentIntent", "GET", "/payment-intents/{paymentIntentId}", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CANCEL_PAYMENT_INTENT("cancelPaymentIntent", "DELETE", "/payment-intents/{paymentIntentId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    SEARCH_PAYMENT_INTENTS("searchPaymentIntents", "POST", "/payment-intents/search", Input.BODY, Repeat.READ, Pages.CURSOR, Extra.API_KEY),
    REFRESH_CLIENT_SECRET("refreshClientSecret", "POST", "/payment-intents/{paymentIntentId}/refresh-client-session-secret", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_PUBLIC_PAYMENT_INTENT("readPublicPaymentIntent", "GET", "/payment-intents/public/{paymentIntentId}", Input.NONE, Repeat.READ, Pages.NONE),
    REFRESH_PUBLIC_CLIENT_SECRET("refreshPublicClientSecret", "POST", "/payment-intents/public/{paymentIntentId}/refresh-client-session-secret", Input.NONE, Repeat.NEVER, Pages.NONE),
    CHANGE_AMOUNT("changeAmount", "POST", "/payment-intents/{paymentIntentId}/amount", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    CHANGE_TIPS("changeTips", "POST", "/payment-intents/{paymentIntentId}/tips-amount", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    CAPTURE_PAYMENT_INTENT("capturePaymentIntent", "POST", "/payment-intents/{paymentIntentId}/captures", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    REFUND_PAYMENT_INTENT("refundPaymentIntent", "POST", "/payment-intents/{paymentIntentId}/refunds", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_REFUND("readRefund", "GET", "/payment-intents/refunds/{refundId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    REVERSE_PAYMENT_INTENT("reversePaymentIntent", "POST", "/payment-intents/{paymentIntentId}/reversal", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    CHARGE_PAYMENT_INTENT("chargePaymentIntent", "POST", "/payment-intents/{paymentIntentId}/charge", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_PAYMENT_LINK("readPaymentLink", "GET", "/payment-links/{intentId}", Input.NONE, Repeat.READ, Pages.NONE),
    CHANGE_PUBLIC_TIPS("changePublicTips", "POST", "/payment-intents/public/{paymentIntentId}/tips-amount", Input.BODY, Repeat.NEVER, Pages.NONE),
    CHANGE_PUBLIC_AMOUNT("changePublicAmount", "POST", "/payment-intents/public/{paymentIntentId}/amount", Input.BODY, Repeat.NEVER, Pages.NONE),
    SEND_RECEIPT("sendReceipt", "POST", "/payment-intents/{paymentIntentId}/receipt", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    SEND_PUBLIC_RECEIPT("sendPublicReceipt", "POST", "/payment-intents/public/{paymentIntentId}/receipt", Input.BODY, Repeat.NEVER, Pages.NONE),
    CREATE_SETUP_INTENT("createSetupIntent", "POST", "/setup-intents", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_SETUP_INTENT("readSetupIntent", "GET", "/setup-intents/{setupIntentId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CANCEL_SETUP_INTENT("cancelSetupIntent", "DELETE", "/setup-intents/{setupIntentId}", Input.QUERY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    REFRESH_SETUP_SECRET("refreshSetupSecret", "POST", "/setup-intents/{setupIntentId}/refresh-client-session-secret", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_PUBLIC_SETUP_INTENT("readPublicSetupIntent", "GET", "/setup-intents/public/{setupIntentId}", Input.NONE, Repeat.READ, Pages.NONE),
    REFRESH_PUBLIC_SETUP_SECRET("refreshPublicSetupSecret", "POST", "/setup-intents/public/{setupIntentId}/refresh-client-session-secret", Input.NONE, Repeat.NEVER, Pages.NONE),
    CREATE_CUSTOMER("createCustomer", "POST", "/customers", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_CUSTOMERS("readCustomers", "GET", "/customers/{customerId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CHANGE_CUSTOMER("changeCustomer", "PATCH", "/customers/{customerId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    DELETE_CUSTOMER("deleteCustomer", "DELETE", "/customers/{customerId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    SEARCH_CUSTOMERS("searchCustomers", "POST", "/customers/search", Input.BODY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    CREATE_CUSTOMER_SECRET("createCustomerSecret", "POST", "/customers/{customerId}/create-secret", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_PAYMENT_METHODS("readPaymentMethods", "GET", "/customers/public/{customerId}/payment-methods", Input.NONE, Repeat.READ, Pages.NONE, Extra.CUSTOMER_SECRET),
    DELETE_PAYMENT_METHOD("deletePaymentMethod", "DELETE", "/customers/public/{customerId}/payment-methods/{paymentMethodId}", Input.NONE, Repeat.NEVER, Pages.NONE, Extra.CUSTOMER_SECRET),
    READ_OFFERED_CARDS("readOfferedCards", "GET", "/payment-intents/public/{paymentIntentId}/payment-methods", Input.NONE, Repeat.READ, Pages.NONE),
    LIST_TERMINALS("listTerminals", "GET", "/terminals", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    READ_TERMINAL("readTerminal", "GET", "/terminals/{terminalId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    RESET_TERMINAL_MACHINE("resetTerminalMachine", "POST", "/terminals/{terminalId}/machine/reset", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    CREATE_TERMINAL_SESSION("createTerminalSession", "POST", "/terminal-sessions", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    READ_TERMINAL_SESSION("readTerminalSession", "GET", "/terminal-sessions/{terminalSessionId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    CANCEL_TERMINAL_SESSION("cancelTerminalSession", "PUT", "/terminal-sessions/{terminalSessionId}/cancel", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    DECIDE_SIGNATURE("decideSignature", "PUT", "/terminal-sessions/{terminalSessionId}/signature", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY, Extra.PARTNERS),
    SEARCH_TRANSACTIONS("searchTransactions", "POST", "/transactions/search", Input.BODY, Repeat.READ, Pages.CURSOR, Extra.API_KEY),
    LIST_EVENT_KINDS("listEventKinds", "GET", "/webhooks/events", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CREATE_SUBSCRIPTION("createSubscription", "POST", "/webhooks", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_SUBSCRIPTIONS("listSubscriptions", "GET", "/webhooks", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    READ_SUBSCRIPTION("readSubscription", "GET", "/webhooks/{subscriptionId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CHANGE_SUBSCRIPTION("changeSubscription", "PATCH", "/webhooks/{subscriptionId}", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    DELETE_SUBSCRIPTION("deleteSubscription", "DELETE", "/webhooks/{subscriptionId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_SECRETS("listSecrets", "GET", "/webhooks/{subscriptionId}/secrets", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CREATE_SECRET("createSecret", "POST", "/webhooks/{subscriptionId}/secrets", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    ACTIVATE_SECRET("activateSecret", "PUT", "/webhooks/{subscriptionId}/secrets/{secretId}/activate", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    DELETE_SECRET("deleteSecret", "DELETE", "/webhooks/{subscriptionId}/secrets/{secretId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_DELIVERIES("listDeliveries", "GET", "/webhooks/{subscriptionId}/deliveries", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    REPLAY_DELIVERY("replayDelivery", "POST", "/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    REPLAY_EVENTS("replayEvents", "POST", "/webhooks/{subscriptionId}/replay", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_PENDING_PAYMENTS("listPendingPayments", "GET", "/pay-at-table/pending", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    RESOLVE_PENDING_PAYMENT("resolvePendingPayment", "POST", "/pay-at-table/pending/{paymentId}/resolve", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_TABLE_LEASES("listTableLeases", "GET", "/pay-at-table/leases", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    RELEASE_TABLE_LEASE("releaseTableLease", "POST", "/pay-at-table/leases/{leaseId}/release", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_TABLE_OPERATOR_CALLS("listTableOperatorCalls", "GET", "/pay-at-table/operator-calls", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    REPLAY_EPOS_EVENTS("replayEposEvents", "POST", "/pay-at-table/epos-events/replay", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_RECONCILIATION("readReconciliation", "GET", "/reconciliation", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    START_RECONCILIATION("startReconciliation", "POST", "/reconciliation/start", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_RECONCILIATION_DIFFERENCES("listReconciliationDifferences", "GET", "/reconciliation/differences", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    ANSWER_RECONCILIATION_DIFFERENCE("answerReconciliationDifference", "POST", "/reconciliation/differences/{differenceId}/answer", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_ALARMS("listAlarms", "GET", "/alarms", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    ANSWER_ALARM("answerAlarm", "POST", "/alarms/{alarmId}/answer", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_PAYMENT_ACTIVITIES("listPaymentActivities", "GET", "/payment-intents/{paymentIntentId}/activities", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    LIST_REQUESTS("listRequests", "GET", "/activities/requests", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY),
    GROUP_ERRORS("groupErrors", "GET", "/activities/errors", Input.QUERY, Repeat.READ, Pages.NONE, Extra.API_KEY),
    LIST_EPOS_INTEGRATIONS("listEposIntegrations", "GET", "/epos/integrations", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    READ_REST_INTEGRATION("readRestIntegration", "GET", "/epos/integrations/rest", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    PUT_REST_INTEGRATION("putRestIntegration", "PUT", "/epos/integrations/rest", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    DELETE_REST_INTEGRATION("deleteRestIntegration", "DELETE", "/epos/integrations/rest", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_WS_INTEGRATION("readWsIntegration", "GET", "/epos/integrations/ws", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    PUT_WS_INTEGRATION("putWsIntegration", "PUT", "/epos/integrations/ws", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    DELETE_WS_INTEGRATION("deleteWsIntegration", "DELETE", "/epos/integrations/ws", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_SERVICE_MANAGED_INTEGRATIONS("readServiceManagedIntegrations", "GET", "/epos/integrations/service", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    READ_GRPC_INTEGRATION("readGrpcIntegration", "GET", "/epos/integrations/grpc", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    PUT_GRPC_INTEGRATION("putGrpcIntegration", "PUT", "/epos/integrations/grpc", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    DELETE_GRPC_INTEGRATION("deleteGrpcIntegration", "DELETE", "/epos/integrations/grpc", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    REPORT_EPOS_EVENT("reportEposEvent", "POST", "/epos/events", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    SUBMIT_ORDER("submitOrder", "POST", "/epos/order-placements", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    GET_ORDER_PLACEMENT("getOrderPlacement", "GET", "/epos/order-placements/{placementId}", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    CREATE_API_KEY("createApiKey", "POST", "/api-keys", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    LIST_API_KEYS("listApiKeys", "GET", "/api-keys", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    DELETE_API_KEY("deleteApiKey", "DELETE", "/api-keys/{keyId}", Input.NONE, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    ADVANCE_CLOCK("advanceClock", "POST", "/sandbox/clock/advance", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_SANDBOX_EPOS("readSandboxEpos", "GET", "/sandbox/epos", Input.NONE, Repeat.READ, Pages.NONE, Extra.API_KEY),
    PUT_SANDBOX_EPOS("putSandboxEpos", "PUT", "/sandbox/epos", Input.BODY, Repeat.KEY, Pages.NONE, Extra.API_KEY),
    READ_MAILBOX("readMailbox", "GET", "/sandbox/mailbox", Input.QUERY, Repeat.READ, Pages.MEMBERS, Extra.API_KEY);

    /** What follows the path members in the arguments of a call. */
    enum Input {
        NONE,
        BODY,
        QUERY
    }

    /** Where the cursors of a listing are: members of its input, or in its member {@code cursor}. */
    enum Pages {
        NONE,
        MEMBERS,
        CURSOR
    }

    /** What is sent beside the input. */
    private enum Extra {
        API_KEY,
        PARTNERS,
        CUSTOMER_SECRET
    }

    /** The release that the types describe, and that a client asks for. */
    static final String NEWEST_RELEASE = "2026-02-27";

    private final String id;
    private final String method;
    private final String path;
    private final Input input;
    private final Repeat repeat;
    private final Pages pages;
    private final java.util.List<Extra> extras;

    Operation(String id, String method, String path, Input input, Repeat repeat, Pages pages, Extra... extras) {
        this.id = id;
        this.method = method;
        this.path = path;
        this.input = input;
        this.repeat = repeat;
        this.pages = pages;
        this.extras = java.util.List.of(extras);
    }

    /** The operation of this id in the contract, or null. */
    static Operation find(String id) {
        for (Operation operation : values()) {
            if (operation.id.equals(id)) {
                return operation;
            }
        }
        return null;
    }

    String getId() {
        return id;
    }

    String getMethod() {
        return method;
    }

    /** Template with members in braces. */
    String getPath() {
        return path;
    }

    Input getInput() {
        return input;
    }

    Repeat getRepeat() {
        return repeat;
    }

    Pages getPages() {
        return pages;
    }

    boolean takesApiKey() {
        return extras.contains(Extra.API_KEY);
    }

    boolean takesPartners() {
        return extras.contains(Extra.PARTNERS);
    }

    /** The secret of a customer is sent in place of a key. */
    boolean takesCustomerSecret() {
        return extras.contains(Extra.CUSTOMER_SECRET);
    }
}
