// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
package pos.client;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import pos.client.Types.*;

/** A method for each operation: the members of the path, then the body or the query, then options. */
public abstract class PosOperations {
    PosOperations() {}

    abstract <T> T call(
            String operation, List<String> members, Object payload, CallOptions options, Function<Object, T> read);

    abstract <T> Iterable<T> iterate(
            String operation, List<String> members, Object payload, CallOptions options, Function<Object, T> read);

    /** Report that the process runs. */
    public Health readLive() {
        return readLive(CallOptions.none());
    }

    /** Report that the process runs. */
    public Health readLive(CallOptions options) {
        return call("readLive", List.of(), null, options, Health::of);
    }

    /** Report that the process can serve. */
    public Health readReady() {
        return readReady(CallOptions.none());
    }

    /** Report that the process can serve. */
    public Health readReady(CallOptions options) {
        return call("readReady", List.of(), null, options, Health::of);
    }

    /** Create a payment intent. */
    public PaymentIntent createPaymentIntent(NewPaymentIntent body) {
        return createPaymentIntent(body, CallOptions.none());
    }

    /** Create a payment intent. */
    public PaymentIntent createPaymentIntent(NewPaymentIntent body, CallOptions options) {
        return call("createPaymentIntent", List.of(), body, options, PaymentIntent::of);
    }

    /** Read a payment intent. */
    public PaymentIntent readPaymentIntent(String paymentIntentId, ReadPaymentIntentQuery query) {
        return readPaymentIntent(paymentIntentId, query, CallOptions.none());
    }

    /** Read a payment intent. */
    public PaymentIntent readPaymentIntent(String paymentIntentId) {
        return readPaymentIntent(paymentIntentId, null, CallOptions.none());
    }

    /** Read a payment intent. */
    public PaymentIntent readPaymentIntent(String paymentIntentId, ReadPaymentIntentQuery query, CallOptions options) {
        return call("readPaymentIntent", List.of(paymentIntentId), query, options, PaymentIntent::of);
    }

    /** Cancel an unpaid payment intent. */
    public PaymentIntent cancelPaymentIntent(String paymentIntentId) {
        return cancelPaymentIntent(paymentIntentId, CallOptions.none());
    }

    /** Cancel an unpaid payment intent. */
    public PaymentIntent cancelPaymentIntent(String paymentIntentId, CallOptions options) {
        return call("cancelPaymentIntent", List.of(paymentIntentId), null, options, PaymentIntent::of);
    }

    /** Search payment intents, newest first. */
    public PaymentIntentPage searchPaymentIntents(PaymentIntentSearch body) {
        return searchPaymentIntents(body, CallOptions.none());
    }

    /** Search payment intents, newest first. */
    public PaymentIntentPage searchPaymentIntents(PaymentIntentSearch body, CallOptions options) {
        return call("searchPaymentIntents", List.of(), body, options, PaymentIntentPage::of);
    }

    /**
     * Search payment intents, newest first, from page to page. Without a body the page is the service's choice:
     * pass null.
     */
    public Iterable<PaymentIntent> iteratePaymentIntents(PaymentIntentSearch body) {
        return iterate("searchPaymentIntents", List.of(), body, CallOptions.none(), PaymentIntent::of);
    }

    /** Replace the client secret of a payment intent. */
    public PaymentIntent refreshClientSecret(String paymentIntentId) {
        return refreshClientSecret(paymentIntentId, CallOptions.none());
    }

    /** Replace the client secret of a payment intent. */
    public PaymentIntent refreshClientSecret(String paymentIntentId, CallOptions options) {
        return call("refreshClientSecret", List.of(paymentIntentId), null, options, PaymentIntent::of);
    }

    /** Read what a payer may see of a payment intent. */
    public PublicPaymentIntent readPublicPaymentIntent(String paymentIntentId) {
        return readPublicPaymentIntent(paymentIntentId, CallOptions.none());
    }

    /** Read what a payer may see of a payment intent. */
    public PublicPaymentIntent readPublicPaymentIntent(String paymentIntentId, CallOptions options) {
        return call("readPublicPaymentIntent", List.of(paymentIntentId), null, options, PublicPaymentIntent::of);
    }

    /** Get a client secret for one page of a payer. */
    public PublicPaymentIntent refreshPublicClientSecret(String paymentIntentId) {
        return refreshPublicClientSecret(paymentIntentId, CallOptions.none());
    }

    /** Get a client secret for one page of a payer. */
    public PublicPaymentIntent refreshPublicClientSecret(String paymentIntentId, CallOptions options) {
        return call("refreshPublicClientSecret", List.of(paymentIntentId), null, options, PublicPaymentIntent::of);
    }

    /** Change the amount of a payment intent. */
    public PaymentIntent changeAmount(String paymentIntentId, NewAmount body) {
        return changeAmount(paymentIntentId, body, CallOptions.none());
    }

    /** Change the amount of a payment intent. */
    public PaymentIntent changeAmount(String paymentIntentId, NewAmount body, CallOptions options) {
        return call("changeAmount", List.of(paymentIntentId), body, options, PaymentIntent::of);
    }

    /** Change the tip of an unpaid payment intent. */
    public PaymentIntent changeTips(String paymentIntentId, NewTips body) {
        return changeTips(paymentIntentId, body, CallOptions.none());
    }

    /** Change the tip of an unpaid payment intent. */
    public PaymentIntent changeTips(String paymentIntentId, NewTips body, CallOptions options) {
        return call("changeTips", List.of(paymentIntentId), body, options, PaymentIntent::of);
    }

    /** Capture all or part of a payment that is held. */
    public CaptureResult capturePaymentIntent(String paymentIntentId, NewCapture body) {
        return capturePaymentIntent(paymentIntentId, body, CallOptions.none());
    }

    /** Capture all or part of a payment that is held. */
    public CaptureResult capturePaymentIntent(String paymentIntentId, NewCapture body, CallOptions options) {
        return call("capturePaymentIntent", List.of(paymentIntentId), body, options, CaptureResult::of);
    }

    /** Refund all or part of what was captured. */
    public Refund refundPaymentIntent(String paymentIntentId, NewRefund body) {
        return refundPaymentIntent(paymentIntentId, body, CallOptions.none());
    }

    /** Refund all or part of what was captured. */
    public Refund refundPaymentIntent(String paymentIntentId, NewRefund body, CallOptions options) {
        return call("refundPaymentIntent", List.of(paymentIntentId), body, options, Refund::of);
    }

    /** Read a refund. */
    public Refund readRefund(String refundId) {
        return readRefund(refundId, CallOptions.none());
    }

    /** Read a refund. */
    public Refund readRefund(String refundId, CallOptions options) {
        return call("readRefund", List.of(refundId), null, options, Refund::of);
    }

    /** Undo a payment as a whole. */
    public Reversal reversePaymentIntent(String paymentIntentId) {
        return reversePaymentIntent(paymentIntentId, CallOptions.none());
    }

    /** Undo a payment as a whole. */
    public Reversal reversePaymentIntent(String paymentIntentId, CallOptions options) {
        return call("reversePaymentIntent", List.of(paymentIntentId), null, options, Reversal::of);
    }

    /** Charge the card of the setup intent that the payment names. */
    public ChargeResult chargePaymentIntent(String paymentIntentId) {
        return chargePaymentIntent(paymentIntentId, CallOptions.none());
    }

    /** Charge the card of the setup intent that the payment names. */
    public ChargeResult chargePaymentIntent(String paymentIntentId, CallOptions options) {
        return call("chargePaymentIntent", List.of(paymentIntentId), null, options, ChargeResult::of);
    }

    /** Read why a payment link has ended. */
    public PaymentLink readPaymentLink(String intentId) {
        return readPaymentLink(intentId, CallOptions.none());
    }

    /** Read why a payment link has ended. */
    public PaymentLink readPaymentLink(String intentId, CallOptions options) {
        return call("readPaymentLink", List.of(intentId), null, options, PaymentLink::of);
    }

    /** Choose a tip, by the payer. */
    public PublicPaymentIntent changePublicTips(String paymentIntentId, NewTips body) {
        return changePublicTips(paymentIntentId, body, CallOptions.none());
    }

    /** Choose a tip, by the payer. */
    public PublicPaymentIntent changePublicTips(String paymentIntentId, NewTips body, CallOptions options) {
        return call("changePublicTips", List.of(paymentIntentId), body, options, PublicPaymentIntent::of);
    }

    /** Choose the amount, by the payer. */
    public PublicPaymentIntent changePublicAmount(String paymentIntentId, NewPublicAmount body) {
        return changePublicAmount(paymentIntentId, body, CallOptions.none());
    }

    /** Choose the amount, by the payer. */
    public PublicPaymentIntent changePublicAmount(String paymentIntentId, NewPublicAmount body, CallOptions options) {
        return call("changePublicAmount", List.of(paymentIntentId), body, options, PublicPaymentIntent::of);
    }

    /** Mail the customer’s copy of a payment’s receipt. */
    public void sendReceipt(String paymentIntentId, ReceiptRequest body) {
        sendReceipt(paymentIntentId, body, CallOptions.none());
    }

    /** Mail the customer’s copy of a payment’s receipt. */
    public void sendReceipt(String paymentIntentId, ReceiptRequest body, CallOptions options) {
        call("sendReceipt", List.of(paymentIntentId), body, options, JsonObject::asIs);
    }

    /** Mail the receipt to the payer. */
    public void sendPublicReceipt(String paymentIntentId, PublicReceiptRequest body) {
        sendPublicReceipt(paymentIntentId, body, CallOptions.none());
    }

    /** Mail the receipt to the payer. */
    public void sendPublicReceipt(String paymentIntentId, PublicReceiptRequest body, CallOptions options) {
        call("sendPublicReceipt", List.of(paymentIntentId), body, options, JsonObject::asIs);
    }

    /** Create a setup intent. */
    public SetupIntent createSetupIntent(NewSetupIntent body) {
        return createSetupIntent(body, CallOptions.none());
    }

    /** Create a setup intent. */
    public SetupIntent createSetupIntent(NewSetupIntent body, CallOptions options) {
        return call("createSetupIntent", List.of(), body, options, SetupIntent::of);
    }

    /** Read a setup intent. */
    public SetupIntent readSetupIntent(String setupIntentId) {
        return readSetupIntent(setupIntentId, CallOptions.none());
    }

    /** Read a setup intent. */
    public SetupIntent readSetupIntent(String setupIntentId, CallOptions options) {
        return call("readSetupIntent", List.of(setupIntentId), null, options, SetupIntent::of);
    }

    /** Give a setup intent up. */
    public SetupIntent cancelSetupIntent(String setupIntentId, CancelSetupIntentQuery query) {
        return cancelSetupIntent(setupIntentId, query, CallOptions.none());
    }

    /** Give a setup intent up. */
    public SetupIntent cancelSetupIntent(String setupIntentId) {
        return cancelSetupIntent(setupIntentId, null, CallOptions.none());
    }

    /** Give a setup intent up. */
    public SetupIntent cancelSetupIntent(String setupIntentId, CancelSetupIntentQuery query, CallOptions options) {
        return call("cancelSetupIntent", List.of(setupIntentId), query, options, SetupIntent::of);
    }

    /** Replace the client secret of a setup intent. */
    public SetupIntent refreshSetupSecret(String setupIntentId) {
        return refreshSetupSecret(setupIntentId, CallOptions.none());
    }

    /** Replace the client secret of a setup intent. */
    public SetupIntent refreshSetupSecret(String setupIntentId, CallOptions options) {
        return call("refreshSetupSecret", List.of(setupIntentId), null, options, SetupIntent::of);
    }

    /** Read what a payer may see of a setup intent. */
    public PublicSetupIntent readPublicSetupIntent(String setupIntentId) {
        return readPublicSetupIntent(setupIntentId, CallOptions.none());
    }

    /** Read what a payer may see of a setup intent. */
    public PublicSetupIntent readPublicSetupIntent(String setupIntentId, CallOptions options) {
        return call("readPublicSetupIntent", List.of(setupIntentId), null, options, PublicSetupIntent::of);
    }

    /** Get a client secret of a setup intent for one page of a payer. */
    public PublicSetupIntent refreshPublicSetupSecret(String setupIntentId) {
        return refreshPublicSetupSecret(setupIntentId, CallOptions.none());
    }

    /** Get a client secret of a setup intent for one page of a payer. */
    public PublicSetupIntent refreshPublicSetupSecret(String setupIntentId, CallOptions options) {
        return call("refreshPublicSetupSecret", List.of(setupIntentId), null, options, PublicSetupIntent::of);
    }

    /** Create a customer. */
    public Customer createCustomer(NewCustomer body) {
        return createCustomer(body, CallOptions.none());
    }

    /** Create a customer. */
    public Customer createCustomer(NewCustomer body, CallOptions options) {
        return call("createCustomer", List.of(), body, options, Customer::of);
    }

    /** Read one or several customers. */
    public List<Customer> readCustomers(String customerId) {
        return readCustomers(customerId, CallOptions.none());
    }

    /** Read one or several customers. */
    public List<Customer> readCustomers(String customerId, CallOptions options) {
        return call("readCustomers", List.of(customerId), null, options, JsonObject.asList(Customer::of));
    }

    /** Change some members of a customer. */
    public Customer changeCustomer(String customerId, CustomerChange body) {
        return changeCustomer(customerId, body, CallOptions.none());
    }

    /** Change some members of a customer. */
    public Customer changeCustomer(String customerId, CustomerChange body, CallOptions options) {
        return call("changeCustomer", List.of(customerId), body, options, Customer::of);
    }

    /** Delete a customer. */
    public void deleteCustomer(String customerId) {
        deleteCustomer(customerId, CallOptions.none());
    }

    /** Delete a customer. */
    public void deleteCustomer(String customerId, CallOptions options) {
        call("deleteCustomer", List.of(customerId), null, options, JsonObject::asIs);
    }

    /** List the customers, newest first. */
    public CustomerPage searchCustomers(CustomerSearch body) {
        return searchCustomers(body, CallOptions.none());
    }

    /** List the customers, newest first. */
    public CustomerPage searchCustomers(CustomerSearch body, CallOptions options) {
        return call("searchCustomers", List.of(), body, options, CustomerPage::of);
    }

    /**
     * List the customers, newest first, from page to page. Without a body the page is the service's choice: pass
     * null.
     */
    public Iterable<Customer> iterateCustomers(CustomerSearch body) {
        return iterate("searchCustomers", List.of(), body, CallOptions.none(), Customer::of);
    }

    /** Create a secret for the app of a customer. */
    public CustomerSecret createCustomerSecret(String customerId) {
        return createCustomerSecret(customerId, CallOptions.none());
    }

    /** Create a secret for the app of a customer. */
    public CustomerSecret createCustomerSecret(String customerId, CallOptions options) {
        return call("createCustomerSecret", List.of(customerId), null, options, CustomerSecret::of);
    }

    /** List the saved cards of a customer, by the merchant. */
    public PaymentMethods listSavedCards(String customerId) {
        return listSavedCards(customerId, CallOptions.none());
    }

    /** List the saved cards of a customer, by the merchant. */
    public PaymentMethods listSavedCards(String customerId, CallOptions options) {
        return call("listSavedCards", List.of(customerId), null, options, PaymentMethods::of);
    }

    /** Delete a saved card of a customer, by the merchant. */
    public void deleteSavedCard(String customerId, String paymentMethodId) {
        deleteSavedCard(customerId, paymentMethodId, CallOptions.none());
    }

    /** Delete a saved card of a customer, by the merchant. */
    public void deleteSavedCard(String customerId, String paymentMethodId, CallOptions options) {
        call("deleteSavedCard", List.of(customerId, paymentMethodId), null, options, JsonObject::asIs);
    }

    /** List the saved cards of a customer. */
    public PaymentMethods readPaymentMethods(String customerId) {
        return readPaymentMethods(customerId, CallOptions.none());
    }

    /** List the saved cards of a customer. */
    public PaymentMethods readPaymentMethods(String customerId, CallOptions options) {
        return call("readPaymentMethods", List.of(customerId), null, options, PaymentMethods::of);
    }

    /** Delete a saved card of a customer. */
    public void deletePaymentMethod(String customerId, String paymentMethodId) {
        deletePaymentMethod(customerId, paymentMethodId, CallOptions.none());
    }

    /** Delete a saved card of a customer. */
    public void deletePaymentMethod(String customerId, String paymentMethodId, CallOptions options) {
        call("deletePaymentMethod", List.of(customerId, paymentMethodId), null, options, JsonObject::asIs);
    }

    /** List the saved cards that a payer may choose from. */
    public OfferedCards readOfferedCards(String paymentIntentId) {
        return readOfferedCards(paymentIntentId, CallOptions.none());
    }

    /** List the saved cards that a payer may choose from. */
    public OfferedCards readOfferedCards(String paymentIntentId, CallOptions options) {
        return call("readOfferedCards", List.of(paymentIntentId), null, options, OfferedCards::of);
    }

    /** List the card machines, by TID. */
    public List<Terminal> listTerminals(ListTerminalsQuery query) {
        return listTerminals(query, CallOptions.none());
    }

    /** List the card machines, by TID. */
    public List<Terminal> listTerminals() {
        return listTerminals(null, CallOptions.none());
    }

    /** List the card machines, by TID. */
    public List<Terminal> listTerminals(ListTerminalsQuery query, CallOptions options) {
        return call("listTerminals", List.of(), query, options, JsonObject.asList(Terminal::of));
    }

    /** Read a card machine. */
    public Terminal readTerminal(String terminalId) {
        return readTerminal(terminalId, CallOptions.none());
    }

    /** Read a card machine. */
    public Terminal readTerminal(String terminalId, CallOptions options) {
        return call("readTerminal", List.of(terminalId), null, options, Terminal::of);
    }

    /** List the sessions of a card machine, newest first. */
    public TerminalSessionSummaryPage listTerminalSessions(String terminalId, ListTerminalSessionsQuery query) {
        return listTerminalSessions(terminalId, query, CallOptions.none());
    }

    /** List the sessions of a card machine, newest first. */
    public TerminalSessionSummaryPage listTerminalSessions(String terminalId) {
        return listTerminalSessions(terminalId, null, CallOptions.none());
    }

    /** List the sessions of a card machine, newest first. */
    public TerminalSessionSummaryPage listTerminalSessions(String terminalId, ListTerminalSessionsQuery query, CallOptions options) {
        return call("listTerminalSessions", List.of(terminalId), query, options, TerminalSessionSummaryPage::of);
    }

    /**
     * List the sessions of a card machine, newest first, from page to page. Without a query the page is the
     * service's choice: pass null.
     */
    public Iterable<TerminalSessionSummary> iterateTerminalSessions(String terminalId, ListTerminalSessionsQuery query) {
        return iterate("listTerminalSessions", List.of(terminalId), query, CallOptions.none(), TerminalSessionSummary::of);
    }

    /** Let another machine serve a TID. */
    public Terminal resetTerminalMachine(String terminalId, MachineReset body) {
        return resetTerminalMachine(terminalId, body, CallOptions.none());
    }

    /** Let another machine serve a TID. */
    public Terminal resetTerminalMachine(String terminalId, MachineReset body, CallOptions options) {
        return call("resetTerminalMachine", List.of(terminalId), body, options, Terminal::of);
    }

    /** Start a payment or a refund on a card machine. */
    public TerminalSession createTerminalSession(NewTerminalSession body) {
        return createTerminalSession(body, CallOptions.none());
    }

    /** Start a payment or a refund on a card machine. */
    public TerminalSession createTerminalSession(NewTerminalSession body, CallOptions options) {
        return call("createTerminalSession", List.of(), body, options, TerminalSession::of);
    }

    /** Read a session of a card machine. */
    public TerminalSession readTerminalSession(String terminalSessionId) {
        return readTerminalSession(terminalSessionId, CallOptions.none());
    }

    /** Read a session of a card machine. */
    public TerminalSession readTerminalSession(String terminalSessionId, CallOptions options) {
        return call("readTerminalSession", List.of(terminalSessionId), null, options, TerminalSession::of);
    }

    /** Ask the card machine to stop. */
    public TerminalSession cancelTerminalSession(String terminalSessionId) {
        return cancelTerminalSession(terminalSessionId, CallOptions.none());
    }

    /** Ask the card machine to stop. */
    public TerminalSession cancelTerminalSession(String terminalSessionId, CallOptions options) {
        return call("cancelTerminalSession", List.of(terminalSessionId), null, options, TerminalSession::of);
    }

    /** Accept or reject the cardholder's signature. */
    public TerminalSession decideSignature(String terminalSessionId, SignatureDecision body) {
        return decideSignature(terminalSessionId, body, CallOptions.none());
    }

    /** Accept or reject the cardholder's signature. */
    public TerminalSession decideSignature(String terminalSessionId, SignatureDecision body, CallOptions options) {
        return call("decideSignature", List.of(terminalSessionId), body, options, TerminalSession::of);
    }

    /** Search transactions, newest first. */
    public TransactionPage searchTransactions(TransactionSearch body) {
        return searchTransactions(body, CallOptions.none());
    }

    /** Search transactions, newest first. */
    public TransactionPage searchTransactions(TransactionSearch body, CallOptions options) {
        return call("searchTransactions", List.of(), body, options, TransactionPage::of);
    }

    /**
     * Search transactions, newest first, from page to page. Without a body the page is the service's choice:
     * pass null.
     */
    public Iterable<Transaction> iterateTransactions(TransactionSearch body) {
        return iterate("searchTransactions", List.of(), body, CallOptions.none(), Transaction::of);
    }

    /** List the kinds of events that can be subscribed to. */
    public List<EventModel> listEventKinds(ListEventKindsQuery query) {
        return listEventKinds(query, CallOptions.none());
    }

    /** List the kinds of events that can be subscribed to. */
    public List<EventModel> listEventKinds() {
        return listEventKinds(null, CallOptions.none());
    }

    /** List the kinds of events that can be subscribed to. */
    public List<EventModel> listEventKinds(ListEventKindsQuery query, CallOptions options) {
        return call("listEventKinds", List.of(), query, options, JsonObject.asList(EventModel::of));
    }

    /** Subscribe to kinds of events. */
    public Subscription createSubscription(NewSubscription body) {
        return createSubscription(body, CallOptions.none());
    }

    /** Subscribe to kinds of events. */
    public Subscription createSubscription(NewSubscription body, CallOptions options) {
        return call("createSubscription", List.of(), body, options, Subscription::of);
    }

    /** List the subscriptions. */
    public List<Subscription> listSubscriptions() {
        return listSubscriptions(CallOptions.none());
    }

    /** List the subscriptions. */
    public List<Subscription> listSubscriptions(CallOptions options) {
        return call("listSubscriptions", List.of(), null, options, JsonObject.asList(Subscription::of));
    }

    /** Read a subscription. */
    public Subscription readSubscription(String subscriptionId) {
        return readSubscription(subscriptionId, CallOptions.none());
    }

    /** Read a subscription. */
    public Subscription readSubscription(String subscriptionId, CallOptions options) {
        return call("readSubscription", List.of(subscriptionId), null, options, Subscription::of);
    }

    /** Change or pause a subscription. */
    public Subscription changeSubscription(String subscriptionId, SubscriptionChange body) {
        return changeSubscription(subscriptionId, body, CallOptions.none());
    }

    /** Change or pause a subscription. */
    public Subscription changeSubscription(String subscriptionId, SubscriptionChange body, CallOptions options) {
        return call("changeSubscription", List.of(subscriptionId), body, options, Subscription::of);
    }

    /** Delete a subscription. */
    public void deleteSubscription(String subscriptionId) {
        deleteSubscription(subscriptionId, CallOptions.none());
    }

    /** Delete a subscription. */
    public void deleteSubscription(String subscriptionId, CallOptions options) {
        call("deleteSubscription", List.of(subscriptionId), null, options, JsonObject::asIs);
    }

    /** List the signing secrets of a subscription. */
    public WebhookSecrets listSecrets(String subscriptionId) {
        return listSecrets(subscriptionId, CallOptions.none());
    }

    /** List the signing secrets of a subscription. */
    public WebhookSecrets listSecrets(String subscriptionId, CallOptions options) {
        return call("listSecrets", List.of(subscriptionId), null, options, WebhookSecrets::of);
    }

    /** Add an inactive signing secret to a subscription. */
    public WebhookSecrets createSecret(String subscriptionId) {
        return createSecret(subscriptionId, CallOptions.none());
    }

    /** Add an inactive signing secret to a subscription. */
    public WebhookSecrets createSecret(String subscriptionId, CallOptions options) {
        return call("createSecret", List.of(subscriptionId), null, options, WebhookSecrets::of);
    }

    /** Have a secret sign from the next attempt on. */
    public void activateSecret(String subscriptionId, String secretId) {
        activateSecret(subscriptionId, secretId, CallOptions.none());
    }

    /** Have a secret sign from the next attempt on. */
    public void activateSecret(String subscriptionId, String secretId, CallOptions options) {
        call("activateSecret", List.of(subscriptionId, secretId), null, options, JsonObject::asIs);
    }

    /** Delete a signing secret that is not active. */
    public void deleteSecret(String subscriptionId, String secretId) {
        deleteSecret(subscriptionId, secretId, CallOptions.none());
    }

    /** Delete a signing secret that is not active. */
    public void deleteSecret(String subscriptionId, String secretId, CallOptions options) {
        call("deleteSecret", List.of(subscriptionId, secretId), null, options, JsonObject::asIs);
    }

    /** List the deliveries of a subscription, newest first. */
    public DeliveryPage listDeliveries(String subscriptionId, ListDeliveriesQuery query) {
        return listDeliveries(subscriptionId, query, CallOptions.none());
    }

    /** List the deliveries of a subscription, newest first. */
    public DeliveryPage listDeliveries(String subscriptionId) {
        return listDeliveries(subscriptionId, null, CallOptions.none());
    }

    /** List the deliveries of a subscription, newest first. */
    public DeliveryPage listDeliveries(String subscriptionId, ListDeliveriesQuery query, CallOptions options) {
        return call("listDeliveries", List.of(subscriptionId), query, options, DeliveryPage::of);
    }

    /**
     * List the deliveries of a subscription, newest first, from page to page. Without a query the page is the
     * service's choice: pass null.
     */
    public Iterable<Delivery> iterateDeliveries(String subscriptionId, ListDeliveriesQuery query) {
        return iterate("listDeliveries", List.of(subscriptionId), query, CallOptions.none(), Delivery::of);
    }

    /** Read a delivery with its body, its attempts and the answers of the receiver. */
    public DeliveryDetails readDelivery(String subscriptionId, String deliveryId) {
        return readDelivery(subscriptionId, deliveryId, CallOptions.none());
    }

    /** Read a delivery with its body, its attempts and the answers of the receiver. */
    public DeliveryDetails readDelivery(String subscriptionId, String deliveryId, CallOptions options) {
        return call("readDelivery", List.of(subscriptionId, deliveryId), null, options, DeliveryDetails::of);
    }

    /** Send a dead letter again. */
    public Delivery replayDelivery(String subscriptionId, String deliveryId) {
        return replayDelivery(subscriptionId, deliveryId, CallOptions.none());
    }

    /** Send a dead letter again. */
    public Delivery replayDelivery(String subscriptionId, String deliveryId, CallOptions options) {
        return call("replayDelivery", List.of(subscriptionId, deliveryId), null, options, Delivery::of);
    }

    /** Send a range of events again. */
    public Replayed replayEvents(String subscriptionId, Replay body) {
        return replayEvents(subscriptionId, body, CallOptions.none());
    }

    /** Send a range of events again. */
    public Replayed replayEvents(String subscriptionId, Replay body, CallOptions options) {
        return call("replayEvents", List.of(subscriptionId), body, options, Replayed::of);
    }

    /** Send a test event to a subscription of a sandbox. */
    public Delivery sendTestEvent(String subscriptionId, TestEvent body) {
        return sendTestEvent(subscriptionId, body, CallOptions.none());
    }

    /** Send a test event to a subscription of a sandbox. */
    public Delivery sendTestEvent(String subscriptionId, TestEvent body, CallOptions options) {
        return call("sendTestEvent", List.of(subscriptionId), body, options, Delivery::of);
    }

    /** Create a short-lived link to a page with the deliveries of a subscription. */
    public DeliveryLink createDeliveryLink(String subscriptionId, NewDeliveryLink body) {
        return createDeliveryLink(subscriptionId, body, CallOptions.none());
    }

    /** Create a short-lived link to a page with the deliveries of a subscription. */
    public DeliveryLink createDeliveryLink(String subscriptionId, NewDeliveryLink body, CallOptions options) {
        return call("createDeliveryLink", List.of(subscriptionId), body, options, DeliveryLink::of);
    }

    /** List the payments whose outcome is open. */
    public List<PendingPayment> listPendingPayments() {
        return listPendingPayments(CallOptions.none());
    }

    /** List the payments whose outcome is open. */
    public List<PendingPayment> listPendingPayments(CallOptions options) {
        return call("listPendingPayments", List.of(), null, options, JsonObject.asList(PendingPayment::of));
    }

    /** Decide about a payment whose outcome is open. */
    public PendingPayment resolvePendingPayment(String paymentId, PendingResolution body) {
        return resolvePendingPayment(paymentId, body, CallOptions.none());
    }

    /** Decide about a payment whose outcome is open. */
    public PendingPayment resolvePendingPayment(String paymentId, PendingResolution body, CallOptions options) {
        return call("resolvePendingPayment", List.of(paymentId), body, options, PendingPayment::of);
    }

    /** List the sessions that devices hold. */
    public List<TableLease> listTableLeases() {
        return listTableLeases(CallOptions.none());
    }

    /** List the sessions that devices hold. */
    public List<TableLease> listTableLeases(CallOptions options) {
        return call("listTableLeases", List.of(), null, options, JsonObject.asList(TableLease::of));
    }

    /** End the lease of a device on a session. */
    public TableLease releaseTableLease(String leaseId, LeaseRelease body) {
        return releaseTableLease(leaseId, body, CallOptions.none());
    }

    /** End the lease of a device on a session. */
    public TableLease releaseTableLease(String leaseId, LeaseRelease body, CallOptions options) {
        return call("releaseTableLease", List.of(leaseId), body, options, TableLease::of);
    }

    /** List what operators have decided, newest first. */
    public TableOperatorCallPage listTableOperatorCalls(ListTableOperatorCallsQuery query) {
        return listTableOperatorCalls(query, CallOptions.none());
    }

    /** List what operators have decided, newest first. */
    public TableOperatorCallPage listTableOperatorCalls() {
        return listTableOperatorCalls(null, CallOptions.none());
    }

    /** List what operators have decided, newest first. */
    public TableOperatorCallPage listTableOperatorCalls(ListTableOperatorCallsQuery query, CallOptions options) {
        return call("listTableOperatorCalls", List.of(), query, options, TableOperatorCallPage::of);
    }

    /**
     * List what operators have decided, newest first, from page to page. Without a query the page is the
     * service's choice: pass null.
     */
    public Iterable<TableOperatorCall> iterateTableOperatorCalls(ListTableOperatorCallsQuery query) {
        return iterate("listTableOperatorCalls", List.of(), query, CallOptions.none(), TableOperatorCall::of);
    }

    /** Send the EPOS again what it has missed. */
    public Replayed replayEposEvents(EposEventReplay body) {
        return replayEposEvents(body, CallOptions.none());
    }

    /** Send the EPOS again what it has missed. */
    public Replayed replayEposEvents(EposEventReplay body, CallOptions options) {
        return call("replayEposEvents", List.of(), body, options, Replayed::of);
    }

    /** Read how far the checks of the books have come. */
    public Reconciliation readReconciliation() {
        return readReconciliation(CallOptions.none());
    }

    /** Read how far the checks of the books have come. */
    public Reconciliation readReconciliation(CallOptions options) {
        return call("readReconciliation", List.of(), null, options, Reconciliation::of);
    }

    /** Have the books of a span checked now. */
    public Reconciliation startReconciliation(ReconciliationStart body) {
        return startReconciliation(body, CallOptions.none());
    }

    /** Have the books of a span checked now. */
    public Reconciliation startReconciliation(ReconciliationStart body, CallOptions options) {
        return call("startReconciliation", List.of(), body, options, Reconciliation::of);
    }

    /** List how our books and the acquirer’s differ, newest first. */
    public ReconciliationDifferencePage listReconciliationDifferences(ListReconciliationDifferencesQuery query) {
        return listReconciliationDifferences(query, CallOptions.none());
    }

    /** List how our books and the acquirer’s differ, newest first. */
    public ReconciliationDifferencePage listReconciliationDifferences() {
        return listReconciliationDifferences(null, CallOptions.none());
    }

    /** List how our books and the acquirer’s differ, newest first. */
    public ReconciliationDifferencePage listReconciliationDifferences(ListReconciliationDifferencesQuery query, CallOptions options) {
        return call("listReconciliationDifferences", List.of(), query, options, ReconciliationDifferencePage::of);
    }

    /**
     * List how our books and the acquirer’s differ, newest first, from page to page. Without a query the page is
     * the service's choice: pass null.
     */
    public Iterable<ReconciliationDifference> iterateReconciliationDifferences(ListReconciliationDifferencesQuery query) {
        return iterate("listReconciliationDifferences", List.of(), query, CallOptions.none(), ReconciliationDifference::of);
    }

    /** Mark a difference as checked. */
    public ReconciliationDifference answerReconciliationDifference(String differenceId, DifferenceAnswer body) {
        return answerReconciliationDifference(differenceId, body, CallOptions.none());
    }

    /** Mark a difference as checked. */
    public ReconciliationDifference answerReconciliationDifference(String differenceId, DifferenceAnswer body, CallOptions options) {
        return call("answerReconciliationDifference", List.of(differenceId), body, options, ReconciliationDifference::of);
    }

    /** List what an operator has to look at, newest first. */
    public AlarmPage listAlarms(ListAlarmsQuery query) {
        return listAlarms(query, CallOptions.none());
    }

    /** List what an operator has to look at, newest first. */
    public AlarmPage listAlarms() {
        return listAlarms(null, CallOptions.none());
    }

    /** List what an operator has to look at, newest first. */
    public AlarmPage listAlarms(ListAlarmsQuery query, CallOptions options) {
        return call("listAlarms", List.of(), query, options, AlarmPage::of);
    }

    /**
     * List what an operator has to look at, newest first, from page to page. Without a query the page is the
     * service's choice: pass null.
     */
    public Iterable<Alarm> iterateAlarms(ListAlarmsQuery query) {
        return iterate("listAlarms", List.of(), query, CallOptions.none(), Alarm::of);
    }

    /** Answer an alarm. */
    public Alarm answerAlarm(String alarmId, AlarmAnswer body) {
        return answerAlarm(alarmId, body, CallOptions.none());
    }

    /** Answer an alarm. */
    public Alarm answerAlarm(String alarmId, AlarmAnswer body, CallOptions options) {
        return call("answerAlarm", List.of(alarmId), body, options, Alarm::of);
    }

    /** List everything that happened to a payment, newest first. */
    public PaymentActivityPage listPaymentActivities(String paymentIntentId, ListPaymentActivitiesQuery query) {
        return listPaymentActivities(paymentIntentId, query, CallOptions.none());
    }

    /** List everything that happened to a payment, newest first. */
    public PaymentActivityPage listPaymentActivities(String paymentIntentId) {
        return listPaymentActivities(paymentIntentId, null, CallOptions.none());
    }

    /** List everything that happened to a payment, newest first. */
    public PaymentActivityPage listPaymentActivities(String paymentIntentId, ListPaymentActivitiesQuery query, CallOptions options) {
        return call("listPaymentActivities", List.of(paymentIntentId), query, options, PaymentActivityPage::of);
    }

    /**
     * List everything that happened to a payment, newest first, from page to page. Without a query the page is
     * the service's choice: pass null.
     */
    public Iterable<PaymentActivity> iteratePaymentActivities(String paymentIntentId, ListPaymentActivitiesQuery query) {
        return iterate("listPaymentActivities", List.of(paymentIntentId), query, CallOptions.none(), PaymentActivity::of);
    }

    /** List the requests of the account, newest first. */
    public RequestActivityPage listRequests(ListRequestsQuery query) {
        return listRequests(query, CallOptions.none());
    }

    /** List the requests of the account, newest first. */
    public RequestActivityPage listRequests() {
        return listRequests(null, CallOptions.none());
    }

    /** List the requests of the account, newest first. */
    public RequestActivityPage listRequests(ListRequestsQuery query, CallOptions options) {
        return call("listRequests", List.of(), query, options, RequestActivityPage::of);
    }

    /**
     * List the requests of the account, newest first, from page to page. Without a query the page is the
     * service's choice: pass null.
     */
    public Iterable<RequestActivity> iterateRequests(ListRequestsQuery query) {
        return iterate("listRequests", List.of(), query, CallOptions.none(), RequestActivity::of);
    }

    /** Count the unsuccessful requests of a period by operation, status and reason. */
    public ErrorGroups groupErrors(GroupErrorsQuery query) {
        return groupErrors(query, CallOptions.none());
    }

    /** Count the unsuccessful requests of a period by operation, status and reason. */
    public ErrorGroups groupErrors() {
        return groupErrors(null, CallOptions.none());
    }

    /** Count the unsuccessful requests of a period by operation, status and reason. */
    public ErrorGroups groupErrors(GroupErrorsQuery query, CallOptions options) {
        return call("groupErrors", List.of(), query, options, ErrorGroups::of);
    }

    /** List how the EPOS is reached and what it can do. */
    public EposIntegrations listEposIntegrations() {
        return listEposIntegrations(CallOptions.none());
    }

    /** List how the EPOS is reached and what it can do. */
    public EposIntegrations listEposIntegrations(CallOptions options) {
        return call("listEposIntegrations", List.of(), null, options, EposIntegrations::of);
    }

    /** Read what is registered of the EPOS over REST. */
    public List<RestIntegration> readRestIntegration() {
        return readRestIntegration(CallOptions.none());
    }

    /** Read what is registered of the EPOS over REST. */
    public List<RestIntegration> readRestIntegration(CallOptions options) {
        return call("readRestIntegration", List.of(), null, options, JsonObject.asList(RestIntegration::of));
    }

    /** Register the EPOS at an address that is called. */
    public List<RestIntegration> putRestIntegration(NewRestIntegration body) {
        return putRestIntegration(body, CallOptions.none());
    }

    /** Register the EPOS at an address that is called. */
    public List<RestIntegration> putRestIntegration(NewRestIntegration body, CallOptions options) {
        return call("putRestIntegration", List.of(), body, options, JsonObject.asList(RestIntegration::of));
    }

    /** Forget the EPOS over REST and its credentials. */
    public void deleteRestIntegration() {
        deleteRestIntegration(CallOptions.none());
    }

    /** Forget the EPOS over REST and its credentials. */
    public void deleteRestIntegration(CallOptions options) {
        call("deleteRestIntegration", List.of(), null, options, JsonObject::asIs);
    }

    /** Read what is registered of the EPOS over a WebSocket. */
    public List<WsIntegration> readWsIntegration() {
        return readWsIntegration(CallOptions.none());
    }

    /** Read what is registered of the EPOS over a WebSocket. */
    public List<WsIntegration> readWsIntegration(CallOptions options) {
        return call("readWsIntegration", List.of(), null, options, JsonObject.asList(WsIntegration::of));
    }

    /** Register the capabilities of the EPOS on the socket that it opens. */
    public List<WsIntegration> putWsIntegration(NewWsIntegration body) {
        return putWsIntegration(body, CallOptions.none());
    }

    /** Register the capabilities of the EPOS on the socket that it opens. */
    public List<WsIntegration> putWsIntegration(NewWsIntegration body, CallOptions options) {
        return call("putWsIntegration", List.of(), body, options, JsonObject.asList(WsIntegration::of));
    }

    /** Forget the EPOS over a WebSocket. */
    public void deleteWsIntegration() {
        deleteWsIntegration(CallOptions.none());
    }

    /** Forget the EPOS over a WebSocket. */
    public void deleteWsIntegration(CallOptions options) {
        call("deleteWsIntegration", List.of(), null, options, JsonObject::asIs);
    }

    /** Read what the operator of the service has set up. */
    public List<ServiceManagedIntegration> readServiceManagedIntegrations() {
        return readServiceManagedIntegrations(CallOptions.none());
    }

    /** Read what the operator of the service has set up. */
    public List<ServiceManagedIntegration> readServiceManagedIntegrations(CallOptions options) {
        return call("readServiceManagedIntegrations", List.of(), null, options, JsonObject.asList(ServiceManagedIntegration::of));
    }

    /** Read where the EPOS serves the pay-at-table contract over gRPC. */
    public List<GrpcIntegration> readGrpcIntegration() {
        return readGrpcIntegration(CallOptions.none());
    }

    /** Read where the EPOS serves the pay-at-table contract over gRPC. */
    public List<GrpcIntegration> readGrpcIntegration(CallOptions options) {
        return call("readGrpcIntegration", List.of(), null, options, JsonObject.asList(GrpcIntegration::of));
    }

    /** Register the EPOS at a gRPC address that is dialled. */
    public List<GrpcIntegration> putGrpcIntegration(NewGrpcIntegration body) {
        return putGrpcIntegration(body, CallOptions.none());
    }

    /** Register the EPOS at a gRPC address that is dialled. */
    public List<GrpcIntegration> putGrpcIntegration(NewGrpcIntegration body, CallOptions options) {
        return call("putGrpcIntegration", List.of(), body, options, JsonObject.asList(GrpcIntegration::of));
    }

    /** Forget the EPOS over gRPC and its credentials. */
    public void deleteGrpcIntegration() {
        deleteGrpcIntegration(CallOptions.none());
    }

    /** Forget the EPOS over gRPC and its credentials. */
    public void deleteGrpcIntegration(CallOptions options) {
        call("deleteGrpcIntegration", List.of(), null, options, JsonObject::asIs);
    }

    /** Report that an order, a party or a reservation has changed at the EPOS. */
    public EposEvent reportEposEvent(NewEposEvent body) {
        return reportEposEvent(body, CallOptions.none());
    }

    /** Report that an order, a party or a reservation has changed at the EPOS. */
    public EposEvent reportEposEvent(NewEposEvent body, CallOptions options) {
        return call("reportEposEvent", List.of(), body, options, EposEvent::of);
    }

    /** List the connections that the EPOS has open now, newest first. */
    public List<EposConnection> listEposConnections() {
        return listEposConnections(CallOptions.none());
    }

    /** List the connections that the EPOS has open now, newest first. */
    public List<EposConnection> listEposConnections(CallOptions options) {
        return call("listEposConnections", List.of(), null, options, JsonObject.asList(EposConnection::of));
    }

    /** List the last calls to the EPOS, newest first. */
    public List<EposCallRecord> listEposCalls(ListEposCallsQuery query) {
        return listEposCalls(query, CallOptions.none());
    }

    /** List the last calls to the EPOS, newest first. */
    public List<EposCallRecord> listEposCalls() {
        return listEposCalls(null, CallOptions.none());
    }

    /** List the last calls to the EPOS, newest first. */
    public List<EposCallRecord> listEposCalls(ListEposCallsQuery query, CallOptions options) {
        return call("listEposCalls", List.of(), query, options, JsonObject.asList(EposCallRecord::of));
    }

    /** List the runs of the EPOS tester, newest first. */
    public RunSummaryPage listTesterRuns(ListTesterRunsQuery query) {
        return listTesterRuns(query, CallOptions.none());
    }

    /** List the runs of the EPOS tester, newest first. */
    public RunSummaryPage listTesterRuns() {
        return listTesterRuns(null, CallOptions.none());
    }

    /** List the runs of the EPOS tester, newest first. */
    public RunSummaryPage listTesterRuns(ListTesterRunsQuery query, CallOptions options) {
        return call("listTesterRuns", List.of(), query, options, RunSummaryPage::of);
    }

    /**
     * List the runs of the EPOS tester, newest first, from page to page. Without a query the page is the
     * service's choice: pass null.
     */
    public Iterable<RunSummary> iterateTesterRuns(ListTesterRunsQuery query) {
        return iterate("listTesterRuns", List.of(), query, CallOptions.none(), RunSummary::of);
    }

    /** Read a run of the EPOS tester with its steps. */
    public Run readTesterRun(String runId) {
        return readTesterRun(runId, CallOptions.none());
    }

    /** Read a run of the EPOS tester with its steps. */
    public Run readTesterRun(String runId, CallOptions options) {
        return call("readTesterRun", List.of(runId), null, options, Run::of);
    }

    /** Submit an order that is paid before the EPOS has it. */
    public OrderPlacement submitOrder(NewOrderPlacement body) {
        return submitOrder(body, CallOptions.none());
    }

    /** Submit an order that is paid before the EPOS has it. */
    public OrderPlacement submitOrder(NewOrderPlacement body, CallOptions options) {
        return call("submitOrder", List.of(), body, options, OrderPlacement::of);
    }

    /** List the orders that were submitted with their payment, newest first. */
    public OrderPlacementPage listOrderPlacements(ListOrderPlacementsQuery query) {
        return listOrderPlacements(query, CallOptions.none());
    }

    /** List the orders that were submitted with their payment, newest first. */
    public OrderPlacementPage listOrderPlacements() {
        return listOrderPlacements(null, CallOptions.none());
    }

    /** List the orders that were submitted with their payment, newest first. */
    public OrderPlacementPage listOrderPlacements(ListOrderPlacementsQuery query, CallOptions options) {
        return call("listOrderPlacements", List.of(), query, options, OrderPlacementPage::of);
    }

    /**
     * List the orders that were submitted with their payment, newest first, from page to page. Without a query
     * the page is the service's choice: pass null.
     */
    public Iterable<OrderPlacement> iterateOrderPlacements(ListOrderPlacementsQuery query) {
        return iterate("listOrderPlacements", List.of(), query, CallOptions.none(), OrderPlacement::of);
    }

    /** Read the state of an order that was submitted with its payment. */
    public OrderPlacement getOrderPlacement(String placementId) {
        return getOrderPlacement(placementId, CallOptions.none());
    }

    /** Read the state of an order that was submitted with its payment. */
    public OrderPlacement getOrderPlacement(String placementId, CallOptions options) {
        return call("getOrderPlacement", List.of(placementId), null, options, OrderPlacement::of);
    }

    /** List reservations. */
    public ReservationPage listReservations(ListReservationsQuery query) {
        return listReservations(query, CallOptions.none());
    }

    /** List reservations. */
    public ReservationPage listReservations() {
        return listReservations(null, CallOptions.none());
    }

    /** List reservations. */
    public ReservationPage listReservations(ListReservationsQuery query, CallOptions options) {
        return call("listReservations", List.of(), query, options, ReservationPage::of);
    }

    /** List reservations, from page to page. Without a query the page is the service's choice: pass null. */
    public Iterable<Reservation> iterateReservations(ListReservationsQuery query) {
        return iterate("listReservations", List.of(), query, CallOptions.none(), Reservation::of);
    }

    /** Read a reservation. */
    public Reservation getReservation(String reservationId) {
        return getReservation(reservationId, CallOptions.none());
    }

    /** Read a reservation. */
    public Reservation getReservation(String reservationId, CallOptions options) {
        return call("getReservation", List.of(reservationId), null, options, Reservation::of);
    }

    /** Create a reservation. */
    public Reservation createReservation(NewReservation body) {
        return createReservation(body, CallOptions.none());
    }

    /** Create a reservation. */
    public Reservation createReservation(NewReservation body, CallOptions options) {
        return call("createReservation", List.of(), body, options, Reservation::of);
    }

    /** Change a reservation. */
    public Reservation updateReservation(String reservationId, NewReservation body) {
        return updateReservation(reservationId, body, CallOptions.none());
    }

    /** Change a reservation. */
    public Reservation updateReservation(String reservationId, NewReservation body, CallOptions options) {
        return call("updateReservation", List.of(reservationId), body, options, Reservation::of);
    }

    /** Cancel a reservation. */
    public void deleteReservation(String reservationId) {
        deleteReservation(reservationId, CallOptions.none());
    }

    /** Cancel a reservation. */
    public void deleteReservation(String reservationId, CallOptions options) {
        call("deleteReservation", List.of(reservationId), null, options, JsonObject::asIs);
    }

    /** List the parties at the tables. */
    public PartyPage listParties(ListPartiesQuery query) {
        return listParties(query, CallOptions.none());
    }

    /** List the parties at the tables. */
    public PartyPage listParties() {
        return listParties(null, CallOptions.none());
    }

    /** List the parties at the tables. */
    public PartyPage listParties(ListPartiesQuery query, CallOptions options) {
        return call("listParties", List.of(), query, options, PartyPage::of);
    }

    /**
     * List the parties at the tables, from page to page. Without a query the page is the service's choice: pass
     * null.
     */
    public Iterable<Party> iterateParties(ListPartiesQuery query) {
        return iterate("listParties", List.of(), query, CallOptions.none(), Party::of);
    }

    /** Read a party. */
    public Party getParty(String partyId) {
        return getParty(partyId, CallOptions.none());
    }

    /** Read a party. */
    public Party getParty(String partyId, CallOptions options) {
        return call("getParty", List.of(partyId), null, options, Party::of);
    }

    /** Create a party. */
    public Party createParty(NewParty body) {
        return createParty(body, CallOptions.none());
    }

    /** Create a party. */
    public Party createParty(NewParty body, CallOptions options) {
        return call("createParty", List.of(), body, options, Party::of);
    }

    /** Change a party. */
    public Party updateParty(String partyId, PartyChange body) {
        return updateParty(partyId, body, CallOptions.none());
    }

    /** Change a party. */
    public Party updateParty(String partyId, PartyChange body, CallOptions options) {
        return call("updateParty", List.of(partyId), body, options, Party::of);
    }

    /** Delete a party. */
    public void deleteParty(String partyId) {
        deleteParty(partyId, CallOptions.none());
    }

    /** Delete a party. */
    public void deleteParty(String partyId, CallOptions options) {
        call("deleteParty", List.of(partyId), null, options, JsonObject::asIs);
    }

    /** List the areas of the restaurant. */
    public List<DiningArea> listAreas() {
        return listAreas(CallOptions.none());
    }

    /** List the areas of the restaurant. */
    public List<DiningArea> listAreas(CallOptions options) {
        return call("listAreas", List.of(), null, options, JsonObject.asList(DiningArea::of));
    }

    /** List the tables of the restaurant. */
    public DiningTablePage listTables(ListTablesQuery query) {
        return listTables(query, CallOptions.none());
    }

    /** List the tables of the restaurant. */
    public DiningTablePage listTables() {
        return listTables(null, CallOptions.none());
    }

    /** List the tables of the restaurant. */
    public DiningTablePage listTables(ListTablesQuery query, CallOptions options) {
        return call("listTables", List.of(), query, options, DiningTablePage::of);
    }

    /**
     * List the tables of the restaurant, from page to page. Without a query the page is the service's choice:
     * pass null.
     */
    public Iterable<DiningTable> iterateTables(ListTablesQuery query) {
        return iterate("listTables", List.of(), query, CallOptions.none(), DiningTable::of);
    }

    /** Create an API key of the same account and environment. */
    public MadeApiKey createApiKey(NewApiKey body) {
        return createApiKey(body, CallOptions.none());
    }

    /** Create an API key of the same account and environment. */
    public MadeApiKey createApiKey(NewApiKey body, CallOptions options) {
        return call("createApiKey", List.of(), body, options, MadeApiKey::of);
    }

    /** List the API keys that work, newest first. */
    public List<ApiKey> listApiKeys() {
        return listApiKeys(CallOptions.none());
    }

    /** List the API keys that work, newest first. */
    public List<ApiKey> listApiKeys(CallOptions options) {
        return call("listApiKeys", List.of(), null, options, JsonObject.asList(ApiKey::of));
    }

    /** Make an API key strict, or lenient. */
    public ApiKey changeApiKey(String keyId, ApiKeyChange body) {
        return changeApiKey(keyId, body, CallOptions.none());
    }

    /** Make an API key strict, or lenient. */
    public ApiKey changeApiKey(String keyId, ApiKeyChange body, CallOptions options) {
        return call("changeApiKey", List.of(keyId), body, options, ApiKey::of);
    }

    /** Delete an API key for good. */
    public void deleteApiKey(String keyId) {
        deleteApiKey(keyId, CallOptions.none());
    }

    /** Delete an API key for good. */
    public void deleteApiKey(String keyId, CallOptions options) {
        call("deleteApiKey", List.of(keyId), null, options, JsonObject::asIs);
    }

    /** Read the look of the payment page. */
    public Branding getBranding() {
        return getBranding(CallOptions.none());
    }

    /** Read the look of the payment page. */
    public Branding getBranding(CallOptions options) {
        return call("getBranding", List.of(), null, options, Branding::of);
    }

    /** Change the look of the payment page. */
    public Branding changeBranding(BrandingChange body) {
        return changeBranding(body, CallOptions.none());
    }

    /** Change the look of the payment page. */
    public Branding changeBranding(BrandingChange body, CallOptions options) {
        return call("changeBranding", List.of(), body, options, Branding::of);
    }

    /** Move the time of this sandbox account forward. */
    public Clock advanceClock(ClockAdvance body) {
        return advanceClock(body, CallOptions.none());
    }

    /** Move the time of this sandbox account forward. */
    public Clock advanceClock(ClockAdvance body, CallOptions options) {
        return call("advanceClock", List.of(), body, options, Clock::of);
    }

    /** Read whether the EPOS of the sandbox serves this account. */
    public SandboxEpos readSandboxEpos() {
        return readSandboxEpos(CallOptions.none());
    }

    /** Read whether the EPOS of the sandbox serves this account. */
    public SandboxEpos readSandboxEpos(CallOptions options) {
        return call("readSandboxEpos", List.of(), null, options, SandboxEpos::of);
    }

    /** Say whether the EPOS of the sandbox serves this account. */
    public SandboxEpos putSandboxEpos(NewSandboxEpos body) {
        return putSandboxEpos(body, CallOptions.none());
    }

    /** Say whether the EPOS of the sandbox serves this account. */
    public SandboxEpos putSandboxEpos(NewSandboxEpos body, CallOptions options) {
        return call("putSandboxEpos", List.of(), body, options, SandboxEpos::of);
    }

    /** List the mails that this sandbox account would have sent, newest first. */
    public SandboxMailPage readMailbox(ReadMailboxQuery query) {
        return readMailbox(query, CallOptions.none());
    }

    /** List the mails that this sandbox account would have sent, newest first. */
    public SandboxMailPage readMailbox() {
        return readMailbox(null, CallOptions.none());
    }

    /** List the mails that this sandbox account would have sent, newest first. */
    public SandboxMailPage readMailbox(ReadMailboxQuery query, CallOptions options) {
        return call("readMailbox", List.of(), query, options, SandboxMailPage::of);
    }

    /**
     * List the mails that this sandbox account would have sent, newest first, from page to page. Without a query
     * the page is the service's choice: pass null.
     */
    public Iterable<SandboxMail> iterateMailbox(ReadMailboxQuery query) {
        return iterate("readMailbox", List.of(), query, CallOptions.none(), SandboxMail::of);
    }
}
