# Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
"""The operations of the API as methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Iterator, List, Optional, Sequence

from ._sender import OperationFacts
from .schemas import (
    Alarm,
    AlarmAnswer,
    AlarmPage,
    ApiKey,
    ApiKeyChange,
    Branding,
    BrandingChange,
    CancelSetupIntentQuery,
    Capture,
    CaptureResult,
    ChargeResult,
    Clock,
    ClockAdvance,
    Customer,
    CustomerChange,
    CustomerPage,
    CustomerSearch,
    CustomerSecret,
    Delivery,
    DeliveryDetails,
    DeliveryLink,
    DeliveryPage,
    DifferenceAnswer,
    DiningArea,
    DiningTable,
    DiningTablePage,
    EposCallRecord,
    EposConnection,
    EposEvent,
    EposEventReplay,
    EposIntegrations,
    ErrorGroups,
    EventModel,
    GroupErrorsQuery,
    GrpcIntegration,
    Health,
    LeaseRelease,
    ListAlarmsQuery,
    ListDeliveriesQuery,
    ListEposCallsQuery,
    ListEventKindsQuery,
    ListOrderPlacementsQuery,
    ListPartiesQuery,
    ListPaymentActivitiesQuery,
    ListReconciliationDifferencesQuery,
    ListRequestsQuery,
    ListReservationsQuery,
    ListTableOperatorCallsQuery,
    ListTablesQuery,
    ListTerminalSessionsQuery,
    ListTerminalsQuery,
    ListTesterRunsQuery,
    MachineReset,
    MadeApiKey,
    NewAmount,
    NewApiKey,
    NewCapture,
    NewCustomer,
    NewDeliveryLink,
    NewEposEvent,
    NewGrpcIntegration,
    NewOrderPlacement,
    NewParty,
    NewPaymentIntent,
    NewPublicAmount,
    NewRefund,
    NewReservation,
    NewRestIntegration,
    NewSandboxEpos,
    NewSetupIntent,
    NewSubscription,
    NewTerminalSession,
    NewTips,
    NewWsIntegration,
    OfferedCards,
    OrderPlacement,
    OrderPlacementPage,
    Party,
    PartyChange,
    PartyPage,
    PaymentActivity,
    PaymentActivityPage,
    PaymentIntent,
    PaymentIntentPage,
    PaymentIntentSearch,
    PaymentLink,
    PaymentMethods,
    PendingPayment,
    PendingResolution,
    PublicPaymentIntent,
    PublicReceiptRequest,
    PublicSetupIntent,
    ReadMailboxQuery,
    ReadPaymentIntentQuery,
    ReceiptRequest,
    Reconciliation,
    ReconciliationDifference,
    ReconciliationDifferencePage,
    ReconciliationStart,
    Refund,
    Replay,
    Replayed,
    RequestActivity,
    RequestActivityPage,
    Reservation,
    ReservationPage,
    RestIntegration,
    Reversal,
    Run,
    RunSummary,
    RunSummaryPage,
    SandboxEpos,
    SandboxMail,
    SandboxMailPage,
    ServiceManagedIntegration,
    SetupIntent,
    SignatureDecision,
    Subscription,
    SubscriptionChange,
    TableLease,
    TableOperatorCall,
    TableOperatorCallPage,
    Terminal,
    TerminalSession,
    TerminalSessionSummary,
    TerminalSessionSummaryPage,
    TestEvent,
    Transaction,
    TransactionPage,
    TransactionSearch,
    WebhookSecrets,
    WsIntegration,
)

NEWEST_RELEASE = "2026-02-27"
"""The release that the types describe, and that a client asks for."""

OPERATIONS = {
    "readLive": OperationFacts("GET", "/health/live", None, "read"),
    "readReady": OperationFacts("GET", "/health/ready", None, "read"),
    "createPaymentIntent": OperationFacts("POST", "/payment-intents", "body", "key", key=True),
    "readPaymentIntent": OperationFacts("GET", "/payment-intents/{paymentIntentId}", "query", "read", key=True),
    "cancelPaymentIntent": OperationFacts("DELETE", "/payment-intents/{paymentIntentId}", None, "key", key=True),
    "searchPaymentIntents": OperationFacts("POST", "/payment-intents/search", "body", "read", key=True, pages="cursor"),
    "refreshClientSecret": OperationFacts("POST", "/payment-intents/{paymentIntentId}/refresh-client-session-secret", None, "key", key=True),
    "readPublicPaymentIntent": OperationFacts("GET", "/payment-intents/public/{paymentIntentId}", None, "read"),
    "refreshPublicClientSecret": OperationFacts("POST", "/payment-intents/public/{paymentIntentId}/refresh-client-session-secret", None, "never"),
    "changeAmount": OperationFacts("POST", "/payment-intents/{paymentIntentId}/amount", "body", "key", key=True),
    "changeTips": OperationFacts("POST", "/payment-intents/{paymentIntentId}/tips-amount", "body", "key", key=True),
    "capturePaymentIntent": OperationFacts("POST", "/payment-intents/{paymentIntentId}/captures", "body", "key", key=True),
    "refundPaymentIntent": OperationFacts("POST", "/payment-intents/{paymentIntentId}/refunds", "body", "key", key=True),
    "readRefund": OperationFacts("GET", "/payment-intents/refunds/{refundId}", None, "read", key=True),
    "reversePaymentIntent": OperationFacts("POST", "/payment-intents/{paymentIntentId}/reversal", None, "key", key=True),
    "chargePaymentIntent": OperationFacts("POST", "/payment-intents/{paymentIntentId}/charge", None, "key", key=True),
    "readPaymentLink": OperationFacts("GET", "/payment-links/{intentId}", None, "read"),
    "changePublicTips": OperationFacts("POST", "/payment-intents/public/{paymentIntentId}/tips-amount", "body", "never"),
    "changePublicAmount": OperationFacts("POST", "/payment-intents/public/{paymentIntentId}/amount", "body", "never"),
    "sendReceipt": OperationFacts("POST", "/payment-intents/{paymentIntentId}/receipt", "body", "key", key=True),
    "sendPublicReceipt": OperationFacts("POST", "/payment-intents/public/{paymentIntentId}/receipt", "body", "never"),
    "createSetupIntent": OperationFacts("POST", "/setup-intents", "body", "key", key=True),
    "readSetupIntent": OperationFacts("GET", "/setup-intents/{setupIntentId}", None, "read", key=True),
    "cancelSetupIntent": OperationFacts("DELETE", "/setup-intents/{setupIntentId}", "query", "key", key=True),
    "refreshSetupSecret": OperationFacts("POST", "/setup-intents/{setupIntentId}/refresh-client-session-secret", None, "key", key=True),
    "readPublicSetupIntent": OperationFacts("GET", "/setup-intents/public/{setupIntentId}", None, "read"),
    "refreshPublicSetupSecret": OperationFacts("POST", "/setup-intents/public/{setupIntentId}/refresh-client-session-secret", None, "never"),
    "createCustomer": OperationFacts("POST", "/customers", "body", "key", key=True),
    "readCustomers": OperationFacts("GET", "/customers/{customerId}", None, "read", key=True),
    "changeCustomer": OperationFacts("PATCH", "/customers/{customerId}", "body", "key", key=True),
    "deleteCustomer": OperationFacts("DELETE", "/customers/{customerId}", None, "key", key=True),
    "searchCustomers": OperationFacts("POST", "/customers/search", "body", "read", key=True, pages="members"),
    "createCustomerSecret": OperationFacts("POST", "/customers/{customerId}/create-secret", None, "key", key=True),
    "listSavedCards": OperationFacts("GET", "/customers/{customerId}/payment-methods", None, "read", key=True),
    "deleteSavedCard": OperationFacts("DELETE", "/customers/{customerId}/payment-methods/{paymentMethodId}", None, "key", key=True),
    "readPaymentMethods": OperationFacts("GET", "/customers/public/{customerId}/payment-methods", None, "read", customer_secret=True),
    "deletePaymentMethod": OperationFacts("DELETE", "/customers/public/{customerId}/payment-methods/{paymentMethodId}", None, "never", customer_secret=True),
    "readOfferedCards": OperationFacts("GET", "/payment-intents/public/{paymentIntentId}/payment-methods", None, "read"),
    "listTerminals": OperationFacts("GET", "/terminals", "query", "read", key=True, partners=True),
    "readTerminal": OperationFacts("GET", "/terminals/{terminalId}", None, "read", key=True, partners=True),
    "listTerminalSessions": OperationFacts("GET", "/terminals/{terminalId}/sessions", "query", "read", key=True, partners=True, pages="members"),
    "resetTerminalMachine": OperationFacts("POST", "/terminals/{terminalId}/machine/reset", "body", "key", key=True, partners=True),
    "createTerminalSession": OperationFacts("POST", "/terminal-sessions", "body", "key", key=True, partners=True),
    "readTerminalSession": OperationFacts("GET", "/terminal-sessions/{terminalSessionId}", None, "read", key=True, partners=True),
    "cancelTerminalSession": OperationFacts("PUT", "/terminal-sessions/{terminalSessionId}/cancel", None, "key", key=True, partners=True),
    "decideSignature": OperationFacts("PUT", "/terminal-sessions/{terminalSessionId}/signature", "body", "key", key=True, partners=True),
    "searchTransactions": OperationFacts("POST", "/transactions/search", "body", "read", key=True, pages="cursor"),
    "listEventKinds": OperationFacts("GET", "/webhooks/events", "query", "read", key=True),
    "createSubscription": OperationFacts("POST", "/webhooks", "body", "key", key=True),
    "listSubscriptions": OperationFacts("GET", "/webhooks", None, "read", key=True),
    "readSubscription": OperationFacts("GET", "/webhooks/{subscriptionId}", None, "read", key=True),
    "changeSubscription": OperationFacts("PATCH", "/webhooks/{subscriptionId}", "body", "key", key=True),
    "deleteSubscription": OperationFacts("DELETE", "/webhooks/{subscriptionId}", None, "key", key=True),
    "listSecrets": OperationFacts("GET", "/webhooks/{subscriptionId}/secrets", None, "read", key=True),
    "createSecret": OperationFacts("POST", "/webhooks/{subscriptionId}/secrets", None, "key", key=True),
    "activateSecret": OperationFacts("PUT", "/webhooks/{subscriptionId}/secrets/{secretId}/activate", None, "key", key=True),
    "deleteSecret": OperationFacts("DELETE", "/webhooks/{subscriptionId}/secrets/{secretId}", None, "key", key=True),
    "listDeliveries": OperationFacts("GET", "/webhooks/{subscriptionId}/deliveries", "query", "read", key=True, pages="members"),
    "readDelivery": OperationFacts("GET", "/webhooks/{subscriptionId}/deliveries/{deliveryId}", None, "read", key=True),
    "replayDelivery": OperationFacts("POST", "/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay", None, "key", key=True),
    "replayEvents": OperationFacts("POST", "/webhooks/{subscriptionId}/replay", "body", "key", key=True),
    "sendTestEvent": OperationFacts("POST", "/webhooks/{subscriptionId}/test-events", "body", "key", key=True),
    "createDeliveryLink": OperationFacts("POST", "/webhooks/{subscriptionId}/delivery-links", "body", "key", key=True),
    "listPendingPayments": OperationFacts("GET", "/pay-at-table/pending", None, "read", key=True),
    "resolvePendingPayment": OperationFacts("POST", "/pay-at-table/pending/{paymentId}/resolve", "body", "key", key=True),
    "listTableLeases": OperationFacts("GET", "/pay-at-table/leases", None, "read", key=True),
    "releaseTableLease": OperationFacts("POST", "/pay-at-table/leases/{leaseId}/release", "body", "key", key=True),
    "listTableOperatorCalls": OperationFacts("GET", "/pay-at-table/operator-calls", "query", "read", key=True, pages="members"),
    "replayEposEvents": OperationFacts("POST", "/pay-at-table/epos-events/replay", "body", "key", key=True),
    "readReconciliation": OperationFacts("GET", "/reconciliation", None, "read", key=True),
    "startReconciliation": OperationFacts("POST", "/reconciliation/start", "body", "key", key=True),
    "listReconciliationDifferences": OperationFacts("GET", "/reconciliation/differences", "query", "read", key=True, pages="members"),
    "answerReconciliationDifference": OperationFacts("POST", "/reconciliation/differences/{differenceId}/answer", "body", "key", key=True),
    "listAlarms": OperationFacts("GET", "/alarms", "query", "read", key=True, pages="members"),
    "answerAlarm": OperationFacts("POST", "/alarms/{alarmId}/answer", "body", "key", key=True),
    "listPaymentActivities": OperationFacts("GET", "/payment-intents/{paymentIntentId}/activities", "query", "read", key=True, pages="members"),
    "listRequests": OperationFacts("GET", "/activities/requests", "query", "read", key=True, pages="members"),
    "groupErrors": OperationFacts("GET", "/activities/errors", "query", "read", key=True),
    "listEposIntegrations": OperationFacts("GET", "/epos/integrations", None, "read", key=True),
    "readRestIntegration": OperationFacts("GET", "/epos/integrations/rest", None, "read", key=True),
    "putRestIntegration": OperationFacts("PUT", "/epos/integrations/rest", "body", "key", key=True),
    "deleteRestIntegration": OperationFacts("DELETE", "/epos/integrations/rest", None, "key", key=True),
    "readWsIntegration": OperationFacts("GET", "/epos/integrations/ws", None, "read", key=True),
    "putWsIntegration": OperationFacts("PUT", "/epos/integrations/ws", "body", "key", key=True),
    "deleteWsIntegration": OperationFacts("DELETE", "/epos/integrations/ws", None, "key", key=True),
    "readServiceManagedIntegrations": OperationFacts("GET", "/epos/integrations/service", None, "read", key=True),
    "readGrpcIntegration": OperationFacts("GET", "/epos/integrations/grpc", None, "read", key=True),
    "putGrpcIntegration": OperationFacts("PUT", "/epos/integrations/grpc", "body", "key", key=True),
    "deleteGrpcIntegration": OperationFacts("DELETE", "/epos/integrations/grpc", None, "key", key=True),
    "reportEposEvent": OperationFacts("POST", "/epos/events", "body", "key", key=True),
    "listEposConnections": OperationFacts("GET", "/epos/connections", None, "read", key=True),
    "listEposCalls": OperationFacts("GET", "/epos/calls", "query", "read", key=True),
    "listTesterRuns": OperationFacts("GET", "/epos/tester-runs", "query", "read", key=True, pages="members"),
    "readTesterRun": OperationFacts("GET", "/epos/tester-runs/{runId}", None, "read", key=True),
    "submitOrder": OperationFacts("POST", "/epos/order-placements", "body", "key", key=True),
    "listOrderPlacements": OperationFacts("GET", "/epos/order-placements", "query", "read", key=True, pages="members"),
    "getOrderPlacement": OperationFacts("GET", "/epos/order-placements/{placementId}", None, "read", key=True),
    "listReservations": OperationFacts("GET", "/epos/reservations", "query", "read", key=True, pages="members"),
    "getReservation": OperationFacts("GET", "/epos/reservations/{reservationId}", None, "read", key=True),
    "createReservation": OperationFacts("POST", "/epos/reservations", "body", "key", key=True),
    "updateReservation": OperationFacts("PUT", "/epos/reservations/{reservationId}", "body", "key", key=True),
    "deleteReservation": OperationFacts("DELETE", "/epos/reservations/{reservationId}", None, "key", key=True),
    "listParties": OperationFacts("GET", "/epos/parties", "query", "read", key=True, pages="members"),
    "getParty": OperationFacts("GET", "/epos/parties/{partyId}", None, "read", key=True),
    "createParty": OperationFacts("POST", "/epos/parties", "body", "key", key=True),
    "updateParty": OperationFacts("PUT", "/epos/parties/{partyId}", "body", "key", key=True),
    "deleteParty": OperationFacts("DELETE", "/epos/parties/{partyId}", None, "key", key=True),
    "listAreas": OperationFacts("GET", "/epos/areas", None, "read", key=True),
    "listTables": OperationFacts("GET", "/epos/tables", "query", "read", key=True, pages="members"),
    "createApiKey": OperationFacts("POST", "/api-keys", "body", "key", key=True),
    "listApiKeys": OperationFacts("GET", "/api-keys", None, "read", key=True),
    "changeApiKey": OperationFacts("PATCH", "/api-keys/{keyId}", "body", "key", key=True),
    "deleteApiKey": OperationFacts("DELETE", "/api-keys/{keyId}", None, "key", key=True),
    "getBranding": OperationFacts("GET", "/branding", None, "read", key=True),
    "changeBranding": OperationFacts("PATCH", "/branding", "body", "key", key=True),
    "advanceClock": OperationFacts("POST", "/sandbox/clock/advance", "body", "key", key=True),
    "readSandboxEpos": OperationFacts("GET", "/sandbox/epos", None, "read", key=True),
    "putSandboxEpos": OperationFacts("PUT", "/sandbox/epos", "body", "key", key=True),
    "readMailbox": OperationFacts("GET", "/sandbox/mailbox", "query", "read", key=True, pages="members"),
}
"""How each operation is called."""


class PosOperations(ABC):
    """A method for each operation: the members of the path, then the body or the query, then options."""

    @abstractmethod
    def call(
        self,
        operation: str,
        members: Sequence[str] = (),
        payload: Any = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        customer_secret: Optional[str] = None,
    ) -> Any:
        """Calls an operation by its id in the contract."""

    @abstractmethod
    def iterate(
        self, operation: str, members: Sequence[str] = (), payload: Any = None, *, timeout: Optional[float] = None
    ) -> Iterator[Any]:
        """Every element of a listing, from page to page."""

    def read_live(self, *, timeout: Optional[float] = None) -> Health:
        """Report that the process runs."""
        answer: Health = self.call("readLive", [], None, timeout=timeout)
        return answer

    def read_ready(self, *, timeout: Optional[float] = None) -> Health:
        """Report that the process can serve."""
        answer: Health = self.call("readReady", [], None, timeout=timeout)
        return answer

    def create_payment_intent(
        self,
        body: NewPaymentIntent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PaymentIntent:
        """Create a payment intent."""
        answer: PaymentIntent = self.call("createPaymentIntent", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_payment_intent(
        self,
        payment_intent_id: str,
        query: Optional[ReadPaymentIntentQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> PaymentIntent:
        """Read a payment intent."""
        answer: PaymentIntent = self.call("readPaymentIntent", [payment_intent_id], query, timeout=timeout)
        return answer

    def cancel_payment_intent(
        self,
        payment_intent_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PaymentIntent:
        """Cancel an unpaid payment intent."""
        answer: PaymentIntent = self.call("cancelPaymentIntent", [payment_intent_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def search_payment_intents(
        self,
        body: PaymentIntentSearch,
        *,
        timeout: Optional[float] = None,
    ) -> PaymentIntentPage:
        """Search payment intents, newest first."""
        answer: PaymentIntentPage = self.call("searchPaymentIntents", [], body, timeout=timeout)
        return answer

    def iterate_payment_intents(
        self,
        body: Optional[PaymentIntentSearch] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[PaymentIntent]:
        """Search payment intents, newest first, from page to page."""
        return self.iterate("searchPaymentIntents", [], body, timeout=timeout)

    def refresh_client_secret(
        self,
        payment_intent_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PaymentIntent:
        """Replace the client secret of a payment intent."""
        answer: PaymentIntent = self.call("refreshClientSecret", [payment_intent_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_public_payment_intent(
        self,
        payment_intent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> PublicPaymentIntent:
        """Read what a payer may see of a payment intent."""
        answer: PublicPaymentIntent = self.call("readPublicPaymentIntent", [payment_intent_id], None, timeout=timeout)
        return answer

    def refresh_public_client_secret(
        self,
        payment_intent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> PublicPaymentIntent:
        """Get a client secret for one page of a payer."""
        answer: PublicPaymentIntent = self.call("refreshPublicClientSecret", [payment_intent_id], None, timeout=timeout)
        return answer

    def change_amount(
        self,
        payment_intent_id: str,
        body: NewAmount,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PaymentIntent:
        """Change the amount of a payment intent."""
        answer: PaymentIntent = self.call("changeAmount", [payment_intent_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def change_tips(
        self,
        payment_intent_id: str,
        body: NewTips,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PaymentIntent:
        """Change the tip of an unpaid payment intent."""
        answer: PaymentIntent = self.call("changeTips", [payment_intent_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def capture_payment_intent(
        self,
        payment_intent_id: str,
        body: NewCapture,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CaptureResult:
        """Capture all or part of a payment that is held."""
        answer: CaptureResult = self.call("capturePaymentIntent", [payment_intent_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def refund_payment_intent(
        self,
        payment_intent_id: str,
        body: NewRefund,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Refund:
        """Refund all or part of what was captured."""
        answer: Refund = self.call("refundPaymentIntent", [payment_intent_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_refund(self, refund_id: str, *, timeout: Optional[float] = None) -> Refund:
        """Read a refund."""
        answer: Refund = self.call("readRefund", [refund_id], None, timeout=timeout)
        return answer

    def reverse_payment_intent(
        self,
        payment_intent_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Reversal:
        """Undo a payment as a whole."""
        answer: Reversal = self.call("reversePaymentIntent", [payment_intent_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def charge_payment_intent(
        self,
        payment_intent_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> ChargeResult:
        """Charge the card of the setup intent that the payment names."""
        answer: ChargeResult = self.call("chargePaymentIntent", [payment_intent_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_payment_link(self, intent_id: str, *, timeout: Optional[float] = None) -> PaymentLink:
        """Read why a payment link has ended."""
        answer: PaymentLink = self.call("readPaymentLink", [intent_id], None, timeout=timeout)
        return answer

    def change_public_tips(
        self,
        payment_intent_id: str,
        body: NewTips,
        *,
        timeout: Optional[float] = None,
    ) -> PublicPaymentIntent:
        """Choose a tip, by the payer."""
        answer: PublicPaymentIntent = self.call("changePublicTips", [payment_intent_id], body, timeout=timeout)
        return answer

    def change_public_amount(
        self,
        payment_intent_id: str,
        body: NewPublicAmount,
        *,
        timeout: Optional[float] = None,
    ) -> PublicPaymentIntent:
        """Choose the amount, by the payer."""
        answer: PublicPaymentIntent = self.call("changePublicAmount", [payment_intent_id], body, timeout=timeout)
        return answer

    def send_receipt(
        self,
        payment_intent_id: str,
        body: ReceiptRequest,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Mail the customer’s copy of a payment’s receipt."""
        self.call("sendReceipt", [payment_intent_id], body, idempotency_key=idempotency_key, timeout=timeout)

    def send_public_receipt(
        self,
        payment_intent_id: str,
        body: PublicReceiptRequest,
        *,
        timeout: Optional[float] = None,
    ) -> None:
        """Mail the receipt to the payer."""
        self.call("sendPublicReceipt", [payment_intent_id], body, timeout=timeout)

    def create_setup_intent(
        self,
        body: NewSetupIntent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SetupIntent:
        """Create a setup intent."""
        answer: SetupIntent = self.call("createSetupIntent", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_setup_intent(self, setup_intent_id: str, *, timeout: Optional[float] = None) -> SetupIntent:
        """Read a setup intent."""
        answer: SetupIntent = self.call("readSetupIntent", [setup_intent_id], None, timeout=timeout)
        return answer

    def cancel_setup_intent(
        self,
        setup_intent_id: str,
        query: Optional[CancelSetupIntentQuery] = None,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SetupIntent:
        """Give a setup intent up."""
        answer: SetupIntent = self.call("cancelSetupIntent", [setup_intent_id], query, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def refresh_setup_secret(
        self,
        setup_intent_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SetupIntent:
        """Replace the client secret of a setup intent."""
        answer: SetupIntent = self.call("refreshSetupSecret", [setup_intent_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_public_setup_intent(
        self,
        setup_intent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> PublicSetupIntent:
        """Read what a payer may see of a setup intent."""
        answer: PublicSetupIntent = self.call("readPublicSetupIntent", [setup_intent_id], None, timeout=timeout)
        return answer

    def refresh_public_setup_secret(
        self,
        setup_intent_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> PublicSetupIntent:
        """Get a client secret of a setup intent for one page of a payer."""
        answer: PublicSetupIntent = self.call("refreshPublicSetupSecret", [setup_intent_id], None, timeout=timeout)
        return answer

    def create_customer(
        self,
        body: NewCustomer,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Customer:
        """Create a customer."""
        answer: Customer = self.call("createCustomer", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_customers(self, customer_id: str, *, timeout: Optional[float] = None) -> List[Customer]:
        """Read one or several customers."""
        answer: List[Customer] = self.call("readCustomers", [customer_id], None, timeout=timeout)
        return answer

    def change_customer(
        self,
        customer_id: str,
        body: CustomerChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Customer:
        """Change some members of a customer."""
        answer: Customer = self.call("changeCustomer", [customer_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_customer(
        self,
        customer_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a customer."""
        self.call("deleteCustomer", [customer_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def search_customers(self, body: CustomerSearch, *, timeout: Optional[float] = None) -> CustomerPage:
        """List the customers, newest first."""
        answer: CustomerPage = self.call("searchCustomers", [], body, timeout=timeout)
        return answer

    def iterate_customers(
        self,
        body: Optional[CustomerSearch] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Customer]:
        """List the customers, newest first, from page to page."""
        return self.iterate("searchCustomers", [], body, timeout=timeout)

    def create_customer_secret(
        self,
        customer_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> CustomerSecret:
        """Create a secret for the app of a customer."""
        answer: CustomerSecret = self.call("createCustomerSecret", [customer_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_saved_cards(self, customer_id: str, *, timeout: Optional[float] = None) -> PaymentMethods:
        """List the saved cards of a customer, by the merchant."""
        answer: PaymentMethods = self.call("listSavedCards", [customer_id], None, timeout=timeout)
        return answer

    def delete_saved_card(
        self,
        customer_id: str,
        payment_method_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a saved card of a customer, by the merchant."""
        self.call("deleteSavedCard", [customer_id, payment_method_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def read_payment_methods(
        self,
        customer_id: str,
        *,
        customer_secret: str,
        timeout: Optional[float] = None,
    ) -> PaymentMethods:
        """List the saved cards of a customer."""
        answer: PaymentMethods = self.call("readPaymentMethods", [customer_id], None, customer_secret=customer_secret, timeout=timeout)
        return answer

    def delete_payment_method(
        self,
        customer_id: str,
        payment_method_id: str,
        *,
        customer_secret: str,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a saved card of a customer."""
        self.call("deletePaymentMethod", [customer_id, payment_method_id], None, customer_secret=customer_secret, timeout=timeout)

    def read_offered_cards(self, payment_intent_id: str, *, timeout: Optional[float] = None) -> OfferedCards:
        """List the saved cards that a payer may choose from."""
        answer: OfferedCards = self.call("readOfferedCards", [payment_intent_id], None, timeout=timeout)
        return answer

    def list_terminals(
        self,
        query: Optional[ListTerminalsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> List[Terminal]:
        """List the card machines, by TID."""
        answer: List[Terminal] = self.call("listTerminals", [], query, timeout=timeout)
        return answer

    def read_terminal(self, terminal_id: str, *, timeout: Optional[float] = None) -> Terminal:
        """Read a card machine."""
        answer: Terminal = self.call("readTerminal", [terminal_id], None, timeout=timeout)
        return answer

    def list_terminal_sessions(
        self,
        terminal_id: str,
        query: Optional[ListTerminalSessionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> TerminalSessionSummaryPage:
        """List the sessions of a card machine, newest first."""
        answer: TerminalSessionSummaryPage = self.call("listTerminalSessions", [terminal_id], query, timeout=timeout)
        return answer

    def iterate_terminal_sessions(
        self,
        terminal_id: str,
        query: Optional[ListTerminalSessionsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[TerminalSessionSummary]:
        """List the sessions of a card machine, newest first, from page to page."""
        return self.iterate("listTerminalSessions", [terminal_id], query, timeout=timeout)

    def reset_terminal_machine(
        self,
        terminal_id: str,
        body: MachineReset,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Terminal:
        """Let another machine serve a TID."""
        answer: Terminal = self.call("resetTerminalMachine", [terminal_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def create_terminal_session(
        self,
        body: NewTerminalSession,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> TerminalSession:
        """Start a payment or a refund on a card machine."""
        answer: TerminalSession = self.call("createTerminalSession", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_terminal_session(
        self,
        terminal_session_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> TerminalSession:
        """Read a session of a card machine."""
        answer: TerminalSession = self.call("readTerminalSession", [terminal_session_id], None, timeout=timeout)
        return answer

    def cancel_terminal_session(
        self,
        terminal_session_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> TerminalSession:
        """Ask the card machine to stop."""
        answer: TerminalSession = self.call("cancelTerminalSession", [terminal_session_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def decide_signature(
        self,
        terminal_session_id: str,
        body: SignatureDecision,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> TerminalSession:
        """Accept or reject the cardholder's signature."""
        answer: TerminalSession = self.call("decideSignature", [terminal_session_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def search_transactions(
        self,
        body: TransactionSearch,
        *,
        timeout: Optional[float] = None,
    ) -> TransactionPage:
        """Search transactions, newest first."""
        answer: TransactionPage = self.call("searchTransactions", [], body, timeout=timeout)
        return answer

    def iterate_transactions(
        self,
        body: Optional[TransactionSearch] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Transaction]:
        """Search transactions, newest first, from page to page."""
        return self.iterate("searchTransactions", [], body, timeout=timeout)

    def list_event_kinds(
        self,
        query: Optional[ListEventKindsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> List[EventModel]:
        """List the kinds of events that can be subscribed to."""
        answer: List[EventModel] = self.call("listEventKinds", [], query, timeout=timeout)
        return answer

    def create_subscription(
        self,
        body: NewSubscription,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Subscription:
        """Subscribe to kinds of events."""
        answer: Subscription = self.call("createSubscription", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_subscriptions(self, *, timeout: Optional[float] = None) -> List[Subscription]:
        """List the subscriptions."""
        answer: List[Subscription] = self.call("listSubscriptions", [], None, timeout=timeout)
        return answer

    def read_subscription(self, subscription_id: str, *, timeout: Optional[float] = None) -> Subscription:
        """Read a subscription."""
        answer: Subscription = self.call("readSubscription", [subscription_id], None, timeout=timeout)
        return answer

    def change_subscription(
        self,
        subscription_id: str,
        body: SubscriptionChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Subscription:
        """Change or pause a subscription."""
        answer: Subscription = self.call("changeSubscription", [subscription_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_subscription(
        self,
        subscription_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a subscription."""
        self.call("deleteSubscription", [subscription_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def list_secrets(self, subscription_id: str, *, timeout: Optional[float] = None) -> WebhookSecrets:
        """List the signing secrets of a subscription."""
        answer: WebhookSecrets = self.call("listSecrets", [subscription_id], None, timeout=timeout)
        return answer

    def create_secret(
        self,
        subscription_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WebhookSecrets:
        """Add an inactive signing secret to a subscription."""
        answer: WebhookSecrets = self.call("createSecret", [subscription_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def activate_secret(
        self,
        subscription_id: str,
        secret_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Have a secret sign from the next attempt on."""
        self.call("activateSecret", [subscription_id, secret_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def delete_secret(
        self,
        subscription_id: str,
        secret_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a signing secret that is not active."""
        self.call("deleteSecret", [subscription_id, secret_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def list_deliveries(
        self,
        subscription_id: str,
        query: Optional[ListDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> DeliveryPage:
        """List the deliveries of a subscription, newest first."""
        answer: DeliveryPage = self.call("listDeliveries", [subscription_id], query, timeout=timeout)
        return answer

    def iterate_deliveries(
        self,
        subscription_id: str,
        query: Optional[ListDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Delivery]:
        """List the deliveries of a subscription, newest first, from page to page."""
        return self.iterate("listDeliveries", [subscription_id], query, timeout=timeout)

    def read_delivery(
        self,
        subscription_id: str,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
    ) -> DeliveryDetails:
        """Read a delivery with its body, its attempts and the answers of the receiver."""
        answer: DeliveryDetails = self.call("readDelivery", [subscription_id, delivery_id], None, timeout=timeout)
        return answer

    def replay_delivery(
        self,
        subscription_id: str,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Delivery:
        """Send a dead letter again."""
        answer: Delivery = self.call("replayDelivery", [subscription_id, delivery_id], None, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def replay_events(
        self,
        subscription_id: str,
        body: Replay,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Replayed:
        """Send a range of events again."""
        answer: Replayed = self.call("replayEvents", [subscription_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def send_test_event(
        self,
        subscription_id: str,
        body: TestEvent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Delivery:
        """Send a test event to a subscription of a sandbox."""
        answer: Delivery = self.call("sendTestEvent", [subscription_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def create_delivery_link(
        self,
        subscription_id: str,
        body: NewDeliveryLink,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> DeliveryLink:
        """Create a short-lived link to a page with the deliveries of a subscription."""
        answer: DeliveryLink = self.call("createDeliveryLink", [subscription_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_pending_payments(self, *, timeout: Optional[float] = None) -> List[PendingPayment]:
        """List the payments whose outcome is open."""
        answer: List[PendingPayment] = self.call("listPendingPayments", [], None, timeout=timeout)
        return answer

    def resolve_pending_payment(
        self,
        payment_id: str,
        body: PendingResolution,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> PendingPayment:
        """Decide about a payment whose outcome is open."""
        answer: PendingPayment = self.call("resolvePendingPayment", [payment_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_table_leases(self, *, timeout: Optional[float] = None) -> List[TableLease]:
        """List the sessions that devices hold."""
        answer: List[TableLease] = self.call("listTableLeases", [], None, timeout=timeout)
        return answer

    def release_table_lease(
        self,
        lease_id: str,
        body: LeaseRelease,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> TableLease:
        """End the lease of a device on a session."""
        answer: TableLease = self.call("releaseTableLease", [lease_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_table_operator_calls(
        self,
        query: Optional[ListTableOperatorCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> TableOperatorCallPage:
        """List what operators have decided, newest first."""
        answer: TableOperatorCallPage = self.call("listTableOperatorCalls", [], query, timeout=timeout)
        return answer

    def iterate_table_operator_calls(
        self,
        query: Optional[ListTableOperatorCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[TableOperatorCall]:
        """List what operators have decided, newest first, from page to page."""
        return self.iterate("listTableOperatorCalls", [], query, timeout=timeout)

    def replay_epos_events(
        self,
        body: EposEventReplay,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Replayed:
        """Send the EPOS again what it has missed."""
        answer: Replayed = self.call("replayEposEvents", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_reconciliation(self, *, timeout: Optional[float] = None) -> Reconciliation:
        """Read how far the checks of the books have come."""
        answer: Reconciliation = self.call("readReconciliation", [], None, timeout=timeout)
        return answer

    def start_reconciliation(
        self,
        body: ReconciliationStart,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Reconciliation:
        """Have the books of a span checked now."""
        answer: Reconciliation = self.call("startReconciliation", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_reconciliation_differences(
        self,
        query: Optional[ListReconciliationDifferencesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> ReconciliationDifferencePage:
        """List how our books and the acquirer’s differ, newest first."""
        answer: ReconciliationDifferencePage = self.call("listReconciliationDifferences", [], query, timeout=timeout)
        return answer

    def iterate_reconciliation_differences(
        self,
        query: Optional[ListReconciliationDifferencesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[ReconciliationDifference]:
        """List how our books and the acquirer’s differ, newest first, from page to page."""
        return self.iterate("listReconciliationDifferences", [], query, timeout=timeout)

    def answer_reconciliation_difference(
        self,
        difference_id: str,
        body: DifferenceAnswer,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> ReconciliationDifference:
        """Mark a difference as checked."""
        answer: ReconciliationDifference = self.call("answerReconciliationDifference", [difference_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_alarms(
        self,
        query: Optional[ListAlarmsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> AlarmPage:
        """List what an operator has to look at, newest first."""
        answer: AlarmPage = self.call("listAlarms", [], query, timeout=timeout)
        return answer

    def iterate_alarms(
        self,
        query: Optional[ListAlarmsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Alarm]:
        """List what an operator has to look at, newest first, from page to page."""
        return self.iterate("listAlarms", [], query, timeout=timeout)

    def answer_alarm(
        self,
        alarm_id: str,
        body: AlarmAnswer,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Alarm:
        """Answer an alarm."""
        answer: Alarm = self.call("answerAlarm", [alarm_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_payment_activities(
        self,
        payment_intent_id: str,
        query: Optional[ListPaymentActivitiesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> PaymentActivityPage:
        """List everything that happened to a payment, newest first."""
        answer: PaymentActivityPage = self.call("listPaymentActivities", [payment_intent_id], query, timeout=timeout)
        return answer

    def iterate_payment_activities(
        self,
        payment_intent_id: str,
        query: Optional[ListPaymentActivitiesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[PaymentActivity]:
        """List everything that happened to a payment, newest first, from page to page."""
        return self.iterate("listPaymentActivities", [payment_intent_id], query, timeout=timeout)

    def list_requests(
        self,
        query: Optional[ListRequestsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> RequestActivityPage:
        """List the requests of the account, newest first."""
        answer: RequestActivityPage = self.call("listRequests", [], query, timeout=timeout)
        return answer

    def iterate_requests(
        self,
        query: Optional[ListRequestsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[RequestActivity]:
        """List the requests of the account, newest first, from page to page."""
        return self.iterate("listRequests", [], query, timeout=timeout)

    def group_errors(
        self,
        query: Optional[GroupErrorsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> ErrorGroups:
        """Count the unsuccessful requests of a period by operation, status and reason."""
        answer: ErrorGroups = self.call("groupErrors", [], query, timeout=timeout)
        return answer

    def list_epos_integrations(self, *, timeout: Optional[float] = None) -> EposIntegrations:
        """List how the EPOS is reached and what it can do."""
        answer: EposIntegrations = self.call("listEposIntegrations", [], None, timeout=timeout)
        return answer

    def read_rest_integration(self, *, timeout: Optional[float] = None) -> List[RestIntegration]:
        """Read what is registered of the EPOS over REST."""
        answer: List[RestIntegration] = self.call("readRestIntegration", [], None, timeout=timeout)
        return answer

    def put_rest_integration(
        self,
        body: NewRestIntegration,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> List[RestIntegration]:
        """Register the EPOS at an address that is called."""
        answer: List[RestIntegration] = self.call("putRestIntegration", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_rest_integration(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Forget the EPOS over REST and its credentials."""
        self.call("deleteRestIntegration", [], None, idempotency_key=idempotency_key, timeout=timeout)

    def read_ws_integration(self, *, timeout: Optional[float] = None) -> List[WsIntegration]:
        """Read what is registered of the EPOS over a WebSocket."""
        answer: List[WsIntegration] = self.call("readWsIntegration", [], None, timeout=timeout)
        return answer

    def put_ws_integration(
        self,
        body: NewWsIntegration,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> List[WsIntegration]:
        """Register the capabilities of the EPOS on the socket that it opens."""
        answer: List[WsIntegration] = self.call("putWsIntegration", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_ws_integration(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Forget the EPOS over a WebSocket."""
        self.call("deleteWsIntegration", [], None, idempotency_key=idempotency_key, timeout=timeout)

    def read_service_managed_integrations(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> List[ServiceManagedIntegration]:
        """Read what the operator of the service has set up."""
        answer: List[ServiceManagedIntegration] = self.call("readServiceManagedIntegrations", [], None, timeout=timeout)
        return answer

    def read_grpc_integration(self, *, timeout: Optional[float] = None) -> List[GrpcIntegration]:
        """Read where the EPOS serves the pay-at-table contract over gRPC."""
        answer: List[GrpcIntegration] = self.call("readGrpcIntegration", [], None, timeout=timeout)
        return answer

    def put_grpc_integration(
        self,
        body: NewGrpcIntegration,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> List[GrpcIntegration]:
        """Register the EPOS at a gRPC address that is dialled."""
        answer: List[GrpcIntegration] = self.call("putGrpcIntegration", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_grpc_integration(
        self,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Forget the EPOS over gRPC and its credentials."""
        self.call("deleteGrpcIntegration", [], None, idempotency_key=idempotency_key, timeout=timeout)

    def report_epos_event(
        self,
        body: NewEposEvent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> EposEvent:
        """Report that an order, a party or a reservation has changed at the EPOS."""
        answer: EposEvent = self.call("reportEposEvent", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_epos_connections(self, *, timeout: Optional[float] = None) -> List[EposConnection]:
        """List the connections that the EPOS has open now, newest first."""
        answer: List[EposConnection] = self.call("listEposConnections", [], None, timeout=timeout)
        return answer

    def list_epos_calls(
        self,
        query: Optional[ListEposCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> List[EposCallRecord]:
        """List the last calls to the EPOS, newest first."""
        answer: List[EposCallRecord] = self.call("listEposCalls", [], query, timeout=timeout)
        return answer

    def list_tester_runs(
        self,
        query: Optional[ListTesterRunsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> RunSummaryPage:
        """List the runs of the EPOS tester, newest first."""
        answer: RunSummaryPage = self.call("listTesterRuns", [], query, timeout=timeout)
        return answer

    def iterate_tester_runs(
        self,
        query: Optional[ListTesterRunsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[RunSummary]:
        """List the runs of the EPOS tester, newest first, from page to page."""
        return self.iterate("listTesterRuns", [], query, timeout=timeout)

    def read_tester_run(self, run_id: str, *, timeout: Optional[float] = None) -> Run:
        """Read a run of the EPOS tester with its steps."""
        answer: Run = self.call("readTesterRun", [run_id], None, timeout=timeout)
        return answer

    def submit_order(
        self,
        body: NewOrderPlacement,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> OrderPlacement:
        """Submit an order that is paid before the EPOS has it."""
        answer: OrderPlacement = self.call("submitOrder", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_order_placements(
        self,
        query: Optional[ListOrderPlacementsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> OrderPlacementPage:
        """List the orders that were submitted with their payment, newest first."""
        answer: OrderPlacementPage = self.call("listOrderPlacements", [], query, timeout=timeout)
        return answer

    def iterate_order_placements(
        self,
        query: Optional[ListOrderPlacementsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[OrderPlacement]:
        """List the orders that were submitted with their payment, newest first, from page to page."""
        return self.iterate("listOrderPlacements", [], query, timeout=timeout)

    def get_order_placement(self, placement_id: str, *, timeout: Optional[float] = None) -> OrderPlacement:
        """Read the state of an order that was submitted with its payment."""
        answer: OrderPlacement = self.call("getOrderPlacement", [placement_id], None, timeout=timeout)
        return answer

    def list_reservations(
        self,
        query: Optional[ListReservationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> ReservationPage:
        """List reservations."""
        answer: ReservationPage = self.call("listReservations", [], query, timeout=timeout)
        return answer

    def iterate_reservations(
        self,
        query: Optional[ListReservationsQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Reservation]:
        """List reservations, from page to page."""
        return self.iterate("listReservations", [], query, timeout=timeout)

    def get_reservation(self, reservation_id: str, *, timeout: Optional[float] = None) -> Reservation:
        """Read a reservation."""
        answer: Reservation = self.call("getReservation", [reservation_id], None, timeout=timeout)
        return answer

    def create_reservation(
        self,
        body: NewReservation,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Reservation:
        """Create a reservation."""
        answer: Reservation = self.call("createReservation", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update_reservation(
        self,
        reservation_id: str,
        body: NewReservation,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Reservation:
        """Change a reservation."""
        answer: Reservation = self.call("updateReservation", [reservation_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_reservation(
        self,
        reservation_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Cancel a reservation."""
        self.call("deleteReservation", [reservation_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def list_parties(
        self,
        query: Optional[ListPartiesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> PartyPage:
        """List the parties at the tables."""
        answer: PartyPage = self.call("listParties", [], query, timeout=timeout)
        return answer

    def iterate_parties(
        self,
        query: Optional[ListPartiesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Party]:
        """List the parties at the tables, from page to page."""
        return self.iterate("listParties", [], query, timeout=timeout)

    def get_party(self, party_id: str, *, timeout: Optional[float] = None) -> Party:
        """Read a party."""
        answer: Party = self.call("getParty", [party_id], None, timeout=timeout)
        return answer

    def create_party(
        self,
        body: NewParty,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Party:
        """Create a party."""
        answer: Party = self.call("createParty", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update_party(
        self,
        party_id: str,
        body: PartyChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Party:
        """Change a party."""
        answer: Party = self.call("updateParty", [party_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_party(
        self,
        party_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete a party."""
        self.call("deleteParty", [party_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def list_areas(self, *, timeout: Optional[float] = None) -> List[DiningArea]:
        """List the areas of the restaurant."""
        answer: List[DiningArea] = self.call("listAreas", [], None, timeout=timeout)
        return answer

    def list_tables(
        self,
        query: Optional[ListTablesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> DiningTablePage:
        """List the tables of the restaurant."""
        answer: DiningTablePage = self.call("listTables", [], query, timeout=timeout)
        return answer

    def iterate_tables(
        self,
        query: Optional[ListTablesQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[DiningTable]:
        """List the tables of the restaurant, from page to page."""
        return self.iterate("listTables", [], query, timeout=timeout)

    def create_api_key(
        self,
        body: NewApiKey,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> MadeApiKey:
        """Create an API key of the same account and environment."""
        answer: MadeApiKey = self.call("createApiKey", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list_api_keys(self, *, timeout: Optional[float] = None) -> List[ApiKey]:
        """List the API keys that work, newest first."""
        answer: List[ApiKey] = self.call("listApiKeys", [], None, timeout=timeout)
        return answer

    def change_api_key(
        self,
        key_id: str,
        body: ApiKeyChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> ApiKey:
        """Make an API key strict, or lenient."""
        answer: ApiKey = self.call("changeApiKey", [key_id], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete_api_key(
        self,
        key_id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Delete an API key for good."""
        self.call("deleteApiKey", [key_id], None, idempotency_key=idempotency_key, timeout=timeout)

    def get_branding(self, *, timeout: Optional[float] = None) -> Branding:
        """Read the look of the payment page."""
        answer: Branding = self.call("getBranding", [], None, timeout=timeout)
        return answer

    def change_branding(
        self,
        body: BrandingChange,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Branding:
        """Change the look of the payment page."""
        answer: Branding = self.call("changeBranding", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def advance_clock(
        self,
        body: ClockAdvance,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Clock:
        """Move the time of this sandbox account forward."""
        answer: Clock = self.call("advanceClock", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_sandbox_epos(self, *, timeout: Optional[float] = None) -> SandboxEpos:
        """Read whether the EPOS of the sandbox serves this account."""
        answer: SandboxEpos = self.call("readSandboxEpos", [], None, timeout=timeout)
        return answer

    def put_sandbox_epos(
        self,
        body: NewSandboxEpos,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SandboxEpos:
        """Say whether the EPOS of the sandbox serves this account."""
        answer: SandboxEpos = self.call("putSandboxEpos", [], body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def read_mailbox(
        self,
        query: Optional[ReadMailboxQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> SandboxMailPage:
        """List the mails that this sandbox account would have sent, newest first."""
        answer: SandboxMailPage = self.call("readMailbox", [], query, timeout=timeout)
        return answer

    def iterate_mailbox(
        self,
        query: Optional[ReadMailboxQuery] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[SandboxMail]:
        """List the mails that this sandbox account would have sent, newest first, from page to page."""
        return self.iterate("readMailbox", [], query, timeout=timeout)
