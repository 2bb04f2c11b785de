<?php

// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

declare(strict_types=1);

namespace Pos;

/**
 * A method for each operation: the members of the path, then the body or the query, then options.
 *
 * @phpstan-import-type Alarm from Types
 * @phpstan-import-type AlarmAnswer from Types
 * @phpstan-import-type AlarmPage from Types
 * @phpstan-import-type ApiKey from Types
 * @phpstan-import-type ApiKeyChange from Types
 * @phpstan-import-type Branding from Types
 * @phpstan-import-type BrandingChange from Types
 * @phpstan-import-type CancelSetupIntentQuery from Types
 * @phpstan-import-type Capture from Types
 * @phpstan-import-type CaptureResult from Types
 * @phpstan-import-type ChargeResult from Types
 * @phpstan-import-type Clock from Types
 * @phpstan-import-type ClockAdvance from Types
 * @phpstan-import-type Customer from Types
 * @phpstan-import-type CustomerChange from Types
 * @phpstan-import-type CustomerPage from Types
 * @phpstan-import-type CustomerSearch from Types
 * @phpstan-import-type CustomerSecret from Types
 * @phpstan-import-type Delivery from Types
 * @phpstan-import-type DeliveryDetails from Types
 * @phpstan-import-type DeliveryLink from Types
 * @phpstan-import-type DeliveryPage from Types
 * @phpstan-import-type DifferenceAnswer from Types
 * @phpstan-import-type DiningArea from Types
 * @phpstan-import-type DiningTable from Types
 * @phpstan-import-type DiningTablePage from Types
 * @phpstan-import-type EposCallRecord from Types
 * @phpstan-import-type EposConnection from Types
 * @phpstan-import-type EposEvent from Types
 * @phpstan-import-type EposEventReplay from Types
 * @phpstan-import-type EposIntegrations from Types
 * @phpstan-import-type ErrorGroups from Types
 * @phpstan-import-type EventModel from Types
 * @phpstan-import-type GroupErrorsQuery from Types
 * @phpstan-import-type GrpcIntegration from Types
 * @phpstan-import-type Health from Types
 * @phpstan-import-type LeaseRelease from Types
 * @phpstan-import-type ListAlarmsQuery from Types
 * @phpstan-import-type ListDeliveriesQuery from Types
 * @phpstan-import-type ListEposCallsQuery from Types
 * @phpstan-import-type ListEventKindsQuery from Types
 * @phpstan-import-type ListOrderPlacementsQuery from Types
 * @phpstan-import-type ListPartiesQuery from Types
 * @phpstan-import-type ListPaymentActivitiesQuery from Types
 * @phpstan-import-type ListReconciliationDifferencesQuery from Types
 * @phpstan-import-type ListRequestsQuery from Types
 * @phpstan-import-type ListReservationsQuery from Types
 * @phpstan-import-type ListTableOperatorCallsQuery from Types
 * @phpstan-import-type ListTablesQuery from Types
 * @phpstan-import-type ListTerminalSessionsQuery from Types
 * @phpstan-import-type ListTerminalsQuery from Types
 * @phpstan-import-type ListTesterRunsQuery from Types
 * @phpstan-import-type MachineReset from Types
 * @phpstan-import-type MadeApiKey from Types
 * @phpstan-import-type NewAmount from Types
 * @phpstan-import-type NewApiKey from Types
 * @phpstan-import-type NewCapture from Types
 * @phpstan-import-type NewCustomer from Types
 * @phpstan-import-type NewDeliveryLink from Types
 * @phpstan-import-type NewEposEvent from Types
 * @phpstan-import-type NewGrpcIntegration from Types
 * @phpstan-import-type NewOrderPlacement from Types
 * @phpstan-import-type NewParty from Types
 * @phpstan-import-type NewPaymentIntent from Types
 * @phpstan-import-type NewPublicAmount from Types
 * @phpstan-import-type NewRefund from Types
 * @phpstan-import-type NewReservation from Types
 * @phpstan-import-type NewRestIntegration from Types
 * @phpstan-import-type NewSandboxEpos from Types
 * @phpstan-import-type NewSetupIntent from Types
 * @phpstan-import-type NewSubscription from Types
 * @phpstan-import-type NewTerminalSession from Types
 * @phpstan-import-type NewTips from Types
 * @phpstan-import-type NewWsIntegration from Types
 * @phpstan-import-type OfferedCards from Types
 * @phpstan-import-type OrderPlacement from Types
 * @phpstan-import-type OrderPlacementPage from Types
 * @phpstan-import-type Party from Types
 * @phpstan-import-type PartyChange from Types
 * @phpstan-import-type PartyPage from Types
 * @phpstan-import-type PaymentActivity from Types
 * @phpstan-import-type PaymentActivityPage from Types
 * @phpstan-import-type PaymentIntent from Types
 * @phpstan-import-type PaymentIntentPage from Types
 * @phpstan-import-type PaymentIntentSearch from Types
 * @phpstan-import-type PaymentLink from Types
 * @phpstan-import-type PaymentMethods from Types
 * @phpstan-import-type PendingPayment from Types
 * @phpstan-import-type PendingResolution from Types
 * @phpstan-import-type PublicPaymentIntent from Types
 * @phpstan-import-type PublicReceiptRequest from Types
 * @phpstan-import-type PublicSetupIntent from Types
 * @phpstan-import-type ReadMailboxQuery from Types
 * @phpstan-import-type ReadPaymentIntentQuery from Types
 * @phpstan-import-type ReceiptRequest from Types
 * @phpstan-import-type Reconciliation from Types
 * @phpstan-import-type ReconciliationDifference from Types
 * @phpstan-import-type ReconciliationDifferencePage from Types
 * @phpstan-import-type ReconciliationStart from Types
 * @phpstan-import-type Refund from Types
 * @phpstan-import-type Replay from Types
 * @phpstan-import-type Replayed from Types
 * @phpstan-import-type RequestActivity from Types
 * @phpstan-import-type RequestActivityPage from Types
 * @phpstan-import-type Reservation from Types
 * @phpstan-import-type ReservationPage from Types
 * @phpstan-import-type RestIntegration from Types
 * @phpstan-import-type Reversal from Types
 * @phpstan-import-type Run from Types
 * @phpstan-import-type RunSummary from Types
 * @phpstan-import-type RunSummaryPage from Types
 * @phpstan-import-type SandboxEpos from Types
 * @phpstan-import-type SandboxMail from Types
 * @phpstan-import-type SandboxMailPage from Types
 * @phpstan-import-type ServiceManagedIntegration from Types
 * @phpstan-import-type SetupIntent from Types
 * @phpstan-import-type SignatureDecision from Types
 * @phpstan-import-type Subscription from Types
 * @phpstan-import-type SubscriptionChange from Types
 * @phpstan-import-type TableLease from Types
 * @phpstan-import-type TableOperatorCall from Types
 * @phpstan-import-type TableOperatorCallPage from Types
 * @phpstan-import-type Terminal from Types
 * @phpstan-import-type TerminalSession from Types
 * @phpstan-import-type TerminalSessionSummary from Types
 * @phpstan-import-type TerminalSessionSummaryPage from Types
 * @phpstan-import-type TestEvent from Types
 * @phpstan-import-type Transaction from Types
 * @phpstan-import-type TransactionPage from Types
 * @phpstan-import-type TransactionSearch from Types
 * @phpstan-import-type WebhookSecrets from Types
 * @phpstan-import-type WsIntegration from Types
 */
abstract class PosOperations
{
    /** The release that the types describe, and that a client asks for. */
    public const NEWEST_RELEASE = '2026-02-27';

    /** @param list<string> $members */
    abstract public function call(
        string $operation,
        array $members = [],
        mixed $payload = null,
        ?CallOptions $options = null,
    ): mixed;

    /**
     * @param list<string> $members
     * @param ?array<string, mixed> $payload
     */
    abstract public function iterate(string $operation, array $members = [], ?array $payload = null): \Generator;

    /**
     * Throws PosAnswerException for an answer that is neither an object nor a list.
     *
     * @param list<string> $members
     * @return array<mixed>
     */
    protected function callForArray(string $operation, array $members, mixed $payload, ?CallOptions $options): array
    {
        $answer = $this->call($operation, $members, $payload, $options);
        return is_array($answer) ? $answer : throw new PosAnswerException("$operation: the answer is no object");
    }

    /**
     * How an operation is called. Throws PosUsageException for another id than those of the contract.
     *
     * @internal
     */
    public static function getFacts(string $operation): OperationFacts
    {
        return match ($operation) {
            'readLive' => new OperationFacts('GET', '/health/live', null, Repeat::Read),
            'readReady' => new OperationFacts('GET', '/health/ready', null, Repeat::Read),
            'createPaymentIntent' => new OperationFacts('POST', '/payment-intents', 'body', Repeat::Key, key: true),
            'readPaymentIntent' => new OperationFacts('GET', '/payment-intents/{paymentIntentId}', 'query', Repeat::Read, key: true),
            'cancelPaymentIntent' => new OperationFacts('DELETE', '/payment-intents/{paymentIntentId}', null, Repeat::Key, key: true),
            'searchPaymentIntents' => new OperationFacts('POST', '/payment-intents/search', 'body', Repeat::Read, pages: 'cursor', key: true),
            'refreshClientSecret' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/refresh-client-session-secret', null, Repeat::Key, key: true),
            'readPublicPaymentIntent' => new OperationFacts('GET', '/payment-intents/public/{paymentIntentId}', null, Repeat::Read),
            'refreshPublicClientSecret' => new OperationFacts('POST', '/payment-intents/public/{paymentIntentId}/refresh-client-session-secret', null, Repeat::Never),
            'changeAmount' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/amount', 'body', Repeat::Key, key: true),
            'changeTips' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/tips-amount', 'body', Repeat::Key, key: true),
            'capturePaymentIntent' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/captures', 'body', Repeat::Key, key: true),
            'refundPaymentIntent' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/refunds', 'body', Repeat::Key, key: true),
            'readRefund' => new OperationFacts('GET', '/payment-intents/refunds/{refundId}', null, Repeat::Read, key: true),
            'reversePaymentIntent' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/reversal', null, Repeat::Key, key: true),
            'chargePaymentIntent' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/charge', null, Repeat::Key, key: true),
            'readPaymentLink' => new OperationFacts('GET', '/payment-links/{intentId}', null, Repeat::Read),
            'changePublicTips' => new OperationFacts('POST', '/payment-intents/public/{paymentIntentId}/tips-amount', 'body', Repeat::Never),
            'changePublicAmount' => new OperationFacts('POST', '/payment-intents/public/{paymentIntentId}/amount', 'body', Repeat::Never),
            'sendReceipt' => new OperationFacts('POST', '/payment-intents/{paymentIntentId}/receipt', 'body', Repeat::Key, key: true),
            'sendPublicReceipt' => new OperationFacts('POST', '/payment-intents/public/{paymentIntentId}/receipt', 'body', Repeat::Never),
            'createSetupIntent' => new OperationFacts('POST', '/setup-intents', 'body', Repeat::Key, key: true),
            'readSetupIntent' => new OperationFacts('GET', '/setup-intents/{setupIntentId}', null, Repeat::Read, key: true),
            'cancelSetupIntent' => new OperationFacts('DELETE', '/setup-intents/{setupIntentId}', 'query', Repeat::Key, key: true),
            'refreshSetupSecret' => new OperationFacts('POST', '/setup-intents/{setupIntentId}/refresh-client-session-secret', null, Repeat::Key, key: true),
            'readPublicSetupIntent' => new OperationFacts('GET', '/setup-intents/public/{setupIntentId}', null, Repeat::Read),
            'refreshPublicSetupSecret' => new OperationFacts('POST', '/setup-intents/public/{setupIntentId}/refresh-client-session-secret', null, Repeat::Never),
            'createCustomer' => new OperationFacts('POST', '/customers', 'body', Repeat::Key, key: true),
            'readCustomers' => new OperationFacts('GET', '/customers/{customerId}', null, Repeat::Read, key: true),
            'changeCustomer' => new OperationFacts('PATCH', '/customers/{customerId}', 'body', Repeat::Key, key: true),
            'deleteCustomer' => new OperationFacts('DELETE', '/customers/{customerId}', null, Repeat::Key, key: true),
            'searchCustomers' => new OperationFacts('POST', '/customers/search', 'body', Repeat::Read, pages: 'members', key: true),
            'createCustomerSecret' => new OperationFacts('POST', '/customers/{customerId}/create-secret', null, Repeat::Key, key: true),
            'listSavedCards' => new OperationFacts('GET', '/customers/{customerId}/payment-methods', null, Repeat::Read, key: true),
            'deleteSavedCard' => new OperationFacts('DELETE', '/customers/{customerId}/payment-methods/{paymentMethodId}', null, Repeat::Key, key: true),
            'readPaymentMethods' => new OperationFacts('GET', '/customers/public/{customerId}/payment-methods', null, Repeat::Read, customerSecret: true),
            'deletePaymentMethod' => new OperationFacts('DELETE', '/customers/public/{customerId}/payment-methods/{paymentMethodId}', null, Repeat::Never, customerSecret: true),
            'readOfferedCards' => new OperationFacts('GET', '/payment-intents/public/{paymentIntentId}/payment-methods', null, Repeat::Read),
            'listTerminals' => new OperationFacts('GET', '/terminals', 'query', Repeat::Read, key: true, partners: true),
            'readTerminal' => new OperationFacts('GET', '/terminals/{terminalId}', null, Repeat::Read, key: true, partners: true),
            'listTerminalSessions' => new OperationFacts('GET', '/terminals/{terminalId}/sessions', 'query', Repeat::Read, pages: 'members', key: true, partners: true),
            'resetTerminalMachine' => new OperationFacts('POST', '/terminals/{terminalId}/machine/reset', 'body', Repeat::Key, key: true, partners: true),
            'createTerminalSession' => new OperationFacts('POST', '/terminal-sessions', 'body', Repeat::Key, key: true, partners: true),
            'readTerminalSession' => new OperationFacts('GET', '/terminal-sessions/{terminalSessionId}', null, Repeat::Read, key: true, partners: true),
            'cancelTerminalSession' => new OperationFacts('PUT', '/terminal-sessions/{terminalSessionId}/cancel', null, Repeat::Key, key: true, partners: true),
            'decideSignature' => new OperationFacts('PUT', '/terminal-sessions/{terminalSessionId}/signature', 'body', Repeat::Key, key: true, partners: true),
            'searchTransactions' => new OperationFacts('POST', '/transactions/search', 'body', Repeat::Read, pages: 'cursor', key: true),
            'listEventKinds' => new OperationFacts('GET', '/webhooks/events', 'query', Repeat::Read, key: true),
            'createSubscription' => new OperationFacts('POST', '/webhooks', 'body', Repeat::Key, key: true),
            'listSubscriptions' => new OperationFacts('GET', '/webhooks', null, Repeat::Read, key: true),
            'readSubscription' => new OperationFacts('GET', '/webhooks/{subscriptionId}', null, Repeat::Read, key: true),
            'changeSubscription' => new OperationFacts('PATCH', '/webhooks/{subscriptionId}', 'body', Repeat::Key, key: true),
            'deleteSubscription' => new OperationFacts('DELETE', '/webhooks/{subscriptionId}', null, Repeat::Key, key: true),
            'listSecrets' => new OperationFacts('GET', '/webhooks/{subscriptionId}/secrets', null, Repeat::Read, key: true),
            'createSecret' => new OperationFacts('POST', '/webhooks/{subscriptionId}/secrets', null, Repeat::Key, key: true),
            'activateSecret' => new OperationFacts('PUT', '/webhooks/{subscriptionId}/secrets/{secretId}/activate', null, Repeat::Key, key: true),
            'deleteSecret' => new OperationFacts('DELETE', '/webhooks/{subscriptionId}/secrets/{secretId}', null, Repeat::Key, key: true),
            'listDeliveries' => new OperationFacts('GET', '/webhooks/{subscriptionId}/deliveries', 'query', Repeat::Read, pages: 'members', key: true),
            'readDelivery' => new OperationFacts('GET', '/webhooks/{subscriptionId}/deliveries/{deliveryId}', null, Repeat::Read, key: true),
            'replayDelivery' => new OperationFacts('POST', '/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay', null, Repeat::Key, key: true),
            'replayEvents' => new OperationFacts('POST', '/webhooks/{subscriptionId}/replay', 'body', Repeat::Key, key: true),
            'sendTestEvent' => new OperationFacts('POST', '/webhooks/{subscriptionId}/test-events', 'body', Repeat::Key, key: true),
            'createDeliveryLink' => new OperationFacts('POST', '/webhooks/{subscriptionId}/delivery-links', 'body', Repeat::Key, key: true),
            'listPendingPayments' => new OperationFacts('GET', '/pay-at-table/pending', null, Repeat::Read, key: true),
            'resolvePendingPayment' => new OperationFacts('POST', '/pay-at-table/pending/{paymentId}/resolve', 'body', Repeat::Key, key: true),
            'listTableLeases' => new OperationFacts('GET', '/pay-at-table/leases', null, Repeat::Read, key: true),
            'releaseTableLease' => new OperationFacts('POST', '/pay-at-table/leases/{leaseId}/release', 'body', Repeat::Key, key: true),
            'listTableOperatorCalls' => new OperationFacts('GET', '/pay-at-table/operator-calls', 'query', Repeat::Read, pages: 'members', key: true),
            'replayEposEvents' => new OperationFacts('POST', '/pay-at-table/epos-events/replay', 'body', Repeat::Key, key: true),
            'readReconciliation' => new OperationFacts('GET', '/reconciliation', null, Repeat::Read, key: true),
            'startReconciliation' => new OperationFacts('POST', '/reconciliation/start', 'body', Repeat::Key, key: true),
            'listReconciliationDifferences' => new OperationFacts('GET', '/reconciliation/differences', 'query', Repeat::Read, pages: 'members', key: true),
            'answerReconciliationDifference' => new OperationFacts('POST', '/reconciliation/differences/{differenceId}/answer', 'body', Repeat::Key, key: true),
            'listAlarms' => new OperationFacts('GET', '/alarms', 'query', Repeat::Read, pages: 'members', key: true),
            'answerAlarm' => new OperationFacts('POST', '/alarms/{alarmId}/answer', 'body', Repeat::Key, key: true),
            'listPaymentActivities' => new OperationFacts('GET', '/payment-intents/{paymentIntentId}/activities', 'query', Repeat::Read, pages: 'members', key: true),
            'listRequests' => new OperationFacts('GET', '/activities/requests', 'query', Repeat::Read, pages: 'members', key: true),
            'groupErrors' => new OperationFacts('GET', '/activities/errors', 'query', Repeat::Read, key: true),
            'listEposIntegrations' => new OperationFacts('GET', '/epos/integrations', null, Repeat::Read, key: true),
            'readRestIntegration' => new OperationFacts('GET', '/epos/integrations/rest', null, Repeat::Read, key: true),
            'putRestIntegration' => new OperationFacts('PUT', '/epos/integrations/rest', 'body', Repeat::Key, key: true),
            'deleteRestIntegration' => new OperationFacts('DELETE', '/epos/integrations/rest', null, Repeat::Key, key: true),
            'readWsIntegration' => new OperationFacts('GET', '/epos/integrations/ws', null, Repeat::Read, key: true),
            'putWsIntegration' => new OperationFacts('PUT', '/epos/integrations/ws', 'body', Repeat::Key, key: true),
            'deleteWsIntegration' => new OperationFacts('DELETE', '/epos/integrations/ws', null, Repeat::Key, key: true),
            'readServiceManagedIntegrations' => new OperationFacts('GET', '/epos/integrations/service', null, Repeat::Read, key: true),
            'readGrpcIntegration' => new OperationFacts('GET', '/epos/integrations/grpc', null, Repeat::Read, key: true),
            'putGrpcIntegration' => new OperationFacts('PUT', '/epos/integrations/grpc', 'body', Repeat::Key, key: true),
            'deleteGrpcIntegration' => new OperationFacts('DELETE', '/epos/integrations/grpc', null, Repeat::Key, key: true),
            'reportEposEvent' => new OperationFacts('POST', '/epos/events', 'body', Repeat::Key, key: true),
            'listEposConnections' => new OperationFacts('GET', '/epos/connections', null, Repeat::Read, key: true),
            'listEposCalls' => new OperationFacts('GET', '/epos/calls', 'query', Repeat::Read, key: true),
            'listTesterRuns' => new OperationFacts('GET', '/epos/tester-runs', 'query', Repeat::Read, pages: 'members', key: true),
            'readTesterRun' => new OperationFacts('GET', '/epos/tester-runs/{runId}', null, Repeat::Read, key: true),
            'submitOrder' => new OperationFacts('POST', '/epos/order-placements', 'body', Repeat::Key, key: true),
            'listOrderPlacements' => new OperationFacts('GET', '/epos/order-placements', 'query', Repeat::Read, pages: 'members', key: true),
            'getOrderPlacement' => new OperationFacts('GET', '/epos/order-placements/{placementId}', null, Repeat::Read, key: true),
            'listReservations' => new OperationFacts('GET', '/epos/reservations', 'query', Repeat::Read, pages: 'members', key: true),
            'getReservation' => new OperationFacts('GET', '/epos/reservations/{reservationId}', null, Repeat::Read, key: true),
            'createReservation' => new OperationFacts('POST', '/epos/reservations', 'body', Repeat::Key, key: true),
            'updateReservation' => new OperationFacts('PUT', '/epos/reservations/{reservationId}', 'body', Repeat::Key, key: true),
            'deleteReservation' => new OperationFacts('DELETE', '/epos/reservations/{reservationId}', null, Repeat::Key, key: true),
            'listParties' => new OperationFacts('GET', '/epos/parties', 'query', Repeat::Read, pages: 'members', key: true),
            'getParty' => new OperationFacts('GET', '/epos/parties/{partyId}', null, Repeat::Read, key: true),
            'createParty' => new OperationFacts('POST', '/epos/parties', 'body', Repeat::Key, key: true),
            'updateParty' => new OperationFacts('PUT', '/epos/parties/{partyId}', 'body', Repeat::Key, key: true),
            'deleteParty' => new OperationFacts('DELETE', '/epos/parties/{partyId}', null, Repeat::Key, key: true),
            'listAreas' => new OperationFacts('GET', '/epos/areas', null, Repeat::Read, key: true),
            'listTables' => new OperationFacts('GET', '/epos/tables', 'query', Repeat::Read, pages: 'members', key: true),
            'createApiKey' => new OperationFacts('POST', '/api-keys', 'body', Repeat::Key, key: true),
            'listApiKeys' => new OperationFacts('GET', '/api-keys', null, Repeat::Read, key: true),
            'changeApiKey' => new OperationFacts('PATCH', '/api-keys/{keyId}', 'body', Repeat::Key, key: true),
            'deleteApiKey' => new OperationFacts('DELETE', '/api-keys/{keyId}', null, Repeat::Key, key: true),
            'getBranding' => new OperationFacts('GET', '/branding', null, Repeat::Read, key: true),
            'changeBranding' => new OperationFacts('PATCH', '/branding', 'body', Repeat::Key, key: true),
            'advanceClock' => new OperationFacts('POST', '/sandbox/clock/advance', 'body', Repeat::Key, key: true),
            'readSandboxEpos' => new OperationFacts('GET', '/sandbox/epos', null, Repeat::Read, key: true),
            'putSandboxEpos' => new OperationFacts('PUT', '/sandbox/epos', 'body', Repeat::Key, key: true),
            'readMailbox' => new OperationFacts('GET', '/sandbox/mailbox', 'query', Repeat::Read, pages: 'members', key: true),
            default => throw new PosUsageException("there is no operation $operation"),
        };
    }

    /**
     * Report that the process runs.
     *
     * @return Health
     */
    public function readLive(?CallOptions $options = null): array
    {
        return $this->callForArray('readLive', [], null, $options);
    }

    /**
     * Report that the process can serve.
     *
     * @return Health
     */
    public function readReady(?CallOptions $options = null): array
    {
        return $this->callForArray('readReady', [], null, $options);
    }

    /**
     * Create a payment intent.
     *
     * @param NewPaymentIntent $body
     * @return PaymentIntent
     */
    public function createPaymentIntent(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createPaymentIntent', [], $body, $options);
    }

    /**
     * Read a payment intent.
     *
     * @param ReadPaymentIntentQuery $query
     * @return PaymentIntent
     */
    public function readPaymentIntent(string $paymentIntentId, array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('readPaymentIntent', [$paymentIntentId], $query, $options);
    }

    /**
     * Cancel an unpaid payment intent.
     *
     * @return PaymentIntent
     */
    public function cancelPaymentIntent(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('cancelPaymentIntent', [$paymentIntentId], null, $options);
    }

    /**
     * Search payment intents, newest first.
     *
     * @param PaymentIntentSearch $body
     * @return PaymentIntentPage
     */
    public function searchPaymentIntents(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('searchPaymentIntents', [], $body, $options);
    }

    /**
     * Search payment intents, newest first, from page to page.
     *
     * @param PaymentIntentSearch $body
     * @return \Generator<int, PaymentIntent>
     */
    public function iteratePaymentIntents(array $body = []): \Generator
    {
        return $this->iterate('searchPaymentIntents', [], $body);
    }

    /**
     * Replace the client secret of a payment intent.
     *
     * @return PaymentIntent
     */
    public function refreshClientSecret(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('refreshClientSecret', [$paymentIntentId], null, $options);
    }

    /**
     * Read what a payer may see of a payment intent.
     *
     * @return PublicPaymentIntent
     */
    public function readPublicPaymentIntent(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readPublicPaymentIntent', [$paymentIntentId], null, $options);
    }

    /**
     * Get a client secret for one page of a payer.
     *
     * @return PublicPaymentIntent
     */
    public function refreshPublicClientSecret(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('refreshPublicClientSecret', [$paymentIntentId], null, $options);
    }

    /**
     * Change the amount of a payment intent.
     *
     * @param NewAmount $body
     * @return PaymentIntent
     */
    public function changeAmount(string $paymentIntentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changeAmount', [$paymentIntentId], $body, $options);
    }

    /**
     * Change the tip of an unpaid payment intent.
     *
     * @param NewTips $body
     * @return PaymentIntent
     */
    public function changeTips(string $paymentIntentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changeTips', [$paymentIntentId], $body, $options);
    }

    /**
     * Capture all or part of a payment that is held.
     *
     * @param NewCapture $body
     * @return CaptureResult
     */
    public function capturePaymentIntent(string $paymentIntentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('capturePaymentIntent', [$paymentIntentId], $body, $options);
    }

    /**
     * Refund all or part of what was captured.
     *
     * @param NewRefund $body
     * @return Refund
     */
    public function refundPaymentIntent(string $paymentIntentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('refundPaymentIntent', [$paymentIntentId], $body, $options);
    }

    /**
     * Read a refund.
     *
     * @return Refund
     */
    public function readRefund(string $refundId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readRefund', [$refundId], null, $options);
    }

    /**
     * Undo a payment as a whole.
     *
     * @return Reversal
     */
    public function reversePaymentIntent(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('reversePaymentIntent', [$paymentIntentId], null, $options);
    }

    /**
     * Charge the card of the setup intent that the payment names.
     *
     * @return ChargeResult
     */
    public function chargePaymentIntent(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('chargePaymentIntent', [$paymentIntentId], null, $options);
    }

    /**
     * Read why a payment link has ended.
     *
     * @return PaymentLink
     */
    public function readPaymentLink(string $intentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readPaymentLink', [$intentId], null, $options);
    }

    /**
     * Choose a tip, by the payer.
     *
     * @param NewTips $body
     * @return PublicPaymentIntent
     */
    public function changePublicTips(string $paymentIntentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changePublicTips', [$paymentIntentId], $body, $options);
    }

    /**
     * Choose the amount, by the payer.
     *
     * @param NewPublicAmount $body
     * @return PublicPaymentIntent
     */
    public function changePublicAmount(string $paymentIntentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changePublicAmount', [$paymentIntentId], $body, $options);
    }

    /**
     * Mail the customer’s copy of a payment’s receipt.
     *
     * @param ReceiptRequest $body
     */
    public function sendReceipt(string $paymentIntentId, array $body, ?CallOptions $options = null): void
    {
        $this->call('sendReceipt', [$paymentIntentId], $body, $options);
    }

    /**
     * Mail the receipt to the payer.
     *
     * @param PublicReceiptRequest $body
     */
    public function sendPublicReceipt(string $paymentIntentId, array $body, ?CallOptions $options = null): void
    {
        $this->call('sendPublicReceipt', [$paymentIntentId], $body, $options);
    }

    /**
     * Create a setup intent.
     *
     * @param NewSetupIntent $body
     * @return SetupIntent
     */
    public function createSetupIntent(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createSetupIntent', [], $body, $options);
    }

    /**
     * Read a setup intent.
     *
     * @return SetupIntent
     */
    public function readSetupIntent(string $setupIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readSetupIntent', [$setupIntentId], null, $options);
    }

    /**
     * Give a setup intent up.
     *
     * @param CancelSetupIntentQuery $query
     * @return SetupIntent
     */
    public function cancelSetupIntent(string $setupIntentId, array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('cancelSetupIntent', [$setupIntentId], $query, $options);
    }

    /**
     * Replace the client secret of a setup intent.
     *
     * @return SetupIntent
     */
    public function refreshSetupSecret(string $setupIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('refreshSetupSecret', [$setupIntentId], null, $options);
    }

    /**
     * Read what a payer may see of a setup intent.
     *
     * @return PublicSetupIntent
     */
    public function readPublicSetupIntent(string $setupIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readPublicSetupIntent', [$setupIntentId], null, $options);
    }

    /**
     * Get a client secret of a setup intent for one page of a payer.
     *
     * @return PublicSetupIntent
     */
    public function refreshPublicSetupSecret(string $setupIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('refreshPublicSetupSecret', [$setupIntentId], null, $options);
    }

    /**
     * Create a customer.
     *
     * @param NewCustomer $body
     * @return Customer
     */
    public function createCustomer(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createCustomer', [], $body, $options);
    }

    /**
     * Read one or several customers.
     *
     * @return list<Customer>
     */
    public function readCustomers(string $customerId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readCustomers', [$customerId], null, $options);
    }

    /**
     * Change some members of a customer.
     *
     * @param CustomerChange $body
     * @return Customer
     */
    public function changeCustomer(string $customerId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changeCustomer', [$customerId], $body, $options);
    }

    /**
     * Delete a customer.
     */
    public function deleteCustomer(string $customerId, ?CallOptions $options = null): void
    {
        $this->call('deleteCustomer', [$customerId], null, $options);
    }

    /**
     * List the customers, newest first.
     *
     * @param CustomerSearch $body
     * @return CustomerPage
     */
    public function searchCustomers(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('searchCustomers', [], $body, $options);
    }

    /**
     * List the customers, newest first, from page to page.
     *
     * @param CustomerSearch $body
     * @return \Generator<int, Customer>
     */
    public function iterateCustomers(array $body = []): \Generator
    {
        return $this->iterate('searchCustomers', [], $body);
    }

    /**
     * Create a secret for the app of a customer.
     *
     * @return CustomerSecret
     */
    public function createCustomerSecret(string $customerId, ?CallOptions $options = null): array
    {
        return $this->callForArray('createCustomerSecret', [$customerId], null, $options);
    }

    /**
     * List the saved cards of a customer, by the merchant.
     *
     * @return PaymentMethods
     */
    public function listSavedCards(string $customerId, ?CallOptions $options = null): array
    {
        return $this->callForArray('listSavedCards', [$customerId], null, $options);
    }

    /**
     * Delete a saved card of a customer, by the merchant.
     */
    public function deleteSavedCard(string $customerId, string $paymentMethodId, ?CallOptions $options = null): void
    {
        $this->call('deleteSavedCard', [$customerId, $paymentMethodId], null, $options);
    }

    /**
     * List the saved cards of a customer.
     *
     * @return PaymentMethods
     */
    public function readPaymentMethods(string $customerId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readPaymentMethods', [$customerId], null, $options);
    }

    /**
     * Delete a saved card of a customer.
     */
    public function deletePaymentMethod(string $customerId, string $paymentMethodId, ?CallOptions $options = null): void
    {
        $this->call('deletePaymentMethod', [$customerId, $paymentMethodId], null, $options);
    }

    /**
     * List the saved cards that a payer may choose from.
     *
     * @return OfferedCards
     */
    public function readOfferedCards(string $paymentIntentId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readOfferedCards', [$paymentIntentId], null, $options);
    }

    /**
     * List the card machines, by TID.
     *
     * @param ListTerminalsQuery $query
     * @return list<Terminal>
     */
    public function listTerminals(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listTerminals', [], $query, $options);
    }

    /**
     * Read a card machine.
     *
     * @return Terminal
     */
    public function readTerminal(string $terminalId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readTerminal', [$terminalId], null, $options);
    }

    /**
     * List the sessions of a card machine, newest first.
     *
     * @param ListTerminalSessionsQuery $query
     * @return TerminalSessionSummaryPage
     */
    public function listTerminalSessions(string $terminalId, array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listTerminalSessions', [$terminalId], $query, $options);
    }

    /**
     * List the sessions of a card machine, newest first, from page to page.
     *
     * @param ListTerminalSessionsQuery $query
     * @return \Generator<int, TerminalSessionSummary>
     */
    public function iterateTerminalSessions(string $terminalId, array $query = []): \Generator
    {
        return $this->iterate('listTerminalSessions', [$terminalId], $query);
    }

    /**
     * Let another machine serve a TID.
     *
     * @param MachineReset $body
     * @return Terminal
     */
    public function resetTerminalMachine(string $terminalId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('resetTerminalMachine', [$terminalId], $body, $options);
    }

    /**
     * Start a payment or a refund on a card machine.
     *
     * @param NewTerminalSession $body
     * @return TerminalSession
     */
    public function createTerminalSession(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createTerminalSession', [], $body, $options);
    }

    /**
     * Read a session of a card machine.
     *
     * @return TerminalSession
     */
    public function readTerminalSession(string $terminalSessionId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readTerminalSession', [$terminalSessionId], null, $options);
    }

    /**
     * Ask the card machine to stop.
     *
     * @return TerminalSession
     */
    public function cancelTerminalSession(string $terminalSessionId, ?CallOptions $options = null): array
    {
        return $this->callForArray('cancelTerminalSession', [$terminalSessionId], null, $options);
    }

    /**
     * Accept or reject the cardholder's signature.
     *
     * @param SignatureDecision $body
     * @return TerminalSession
     */
    public function decideSignature(string $terminalSessionId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('decideSignature', [$terminalSessionId], $body, $options);
    }

    /**
     * Search transactions, newest first.
     *
     * @param TransactionSearch $body
     * @return TransactionPage
     */
    public function searchTransactions(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('searchTransactions', [], $body, $options);
    }

    /**
     * Search transactions, newest first, from page to page.
     *
     * @param TransactionSearch $body
     * @return \Generator<int, Transaction>
     */
    public function iterateTransactions(array $body = []): \Generator
    {
        return $this->iterate('searchTransactions', [], $body);
    }

    /**
     * List the kinds of events that can be subscribed to.
     *
     * @param ListEventKindsQuery $query
     * @return list<EventModel>
     */
    public function listEventKinds(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listEventKinds', [], $query, $options);
    }

    /**
     * Subscribe to kinds of events.
     *
     * @param NewSubscription $body
     * @return Subscription
     */
    public function createSubscription(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createSubscription', [], $body, $options);
    }

    /**
     * List the subscriptions.
     *
     * @return list<Subscription>
     */
    public function listSubscriptions(?CallOptions $options = null): array
    {
        return $this->callForArray('listSubscriptions', [], null, $options);
    }

    /**
     * Read a subscription.
     *
     * @return Subscription
     */
    public function readSubscription(string $subscriptionId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readSubscription', [$subscriptionId], null, $options);
    }

    /**
     * Change or pause a subscription.
     *
     * @param SubscriptionChange $body
     * @return Subscription
     */
    public function changeSubscription(string $subscriptionId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changeSubscription', [$subscriptionId], $body, $options);
    }

    /**
     * Delete a subscription.
     */
    public function deleteSubscription(string $subscriptionId, ?CallOptions $options = null): void
    {
        $this->call('deleteSubscription', [$subscriptionId], null, $options);
    }

    /**
     * List the signing secrets of a subscription.
     *
     * @return WebhookSecrets
     */
    public function listSecrets(string $subscriptionId, ?CallOptions $options = null): array
    {
        return $this->callForArray('listSecrets', [$subscriptionId], null, $options);
    }

    /**
     * Add an inactive signing secret to a subscription.
     *
     * @return WebhookSecrets
     */
    public function createSecret(string $subscriptionId, ?CallOptions $options = null): array
    {
        return $this->callForArray('createSecret', [$subscriptionId], null, $options);
    }

    /**
     * Have a secret sign from the next attempt on.
     */
    public function activateSecret(string $subscriptionId, string $secretId, ?CallOptions $options = null): void
    {
        $this->call('activateSecret', [$subscriptionId, $secretId], null, $options);
    }

    /**
     * Delete a signing secret that is not active.
     */
    public function deleteSecret(string $subscriptionId, string $secretId, ?CallOptions $options = null): void
    {
        $this->call('deleteSecret', [$subscriptionId, $secretId], null, $options);
    }

    /**
     * List the deliveries of a subscription, newest first.
     *
     * @param ListDeliveriesQuery $query
     * @return DeliveryPage
     */
    public function listDeliveries(string $subscriptionId, array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listDeliveries', [$subscriptionId], $query, $options);
    }

    /**
     * List the deliveries of a subscription, newest first, from page to page.
     *
     * @param ListDeliveriesQuery $query
     * @return \Generator<int, Delivery>
     */
    public function iterateDeliveries(string $subscriptionId, array $query = []): \Generator
    {
        return $this->iterate('listDeliveries', [$subscriptionId], $query);
    }

    /**
     * Read a delivery with its body, its attempts and the answers of the receiver.
     *
     * @return DeliveryDetails
     */
    public function readDelivery(string $subscriptionId, string $deliveryId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readDelivery', [$subscriptionId, $deliveryId], null, $options);
    }

    /**
     * Send a dead letter again.
     *
     * @return Delivery
     */
    public function replayDelivery(string $subscriptionId, string $deliveryId, ?CallOptions $options = null): array
    {
        return $this->callForArray('replayDelivery', [$subscriptionId, $deliveryId], null, $options);
    }

    /**
     * Send a range of events again.
     *
     * @param Replay $body
     * @return Replayed
     */
    public function replayEvents(string $subscriptionId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('replayEvents', [$subscriptionId], $body, $options);
    }

    /**
     * Send a test event to a subscription of a sandbox.
     *
     * @param TestEvent $body
     * @return Delivery
     */
    public function sendTestEvent(string $subscriptionId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('sendTestEvent', [$subscriptionId], $body, $options);
    }

    /**
     * Create a short-lived link to a page with the deliveries of a subscription.
     *
     * @param NewDeliveryLink $body
     * @return DeliveryLink
     */
    public function createDeliveryLink(string $subscriptionId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createDeliveryLink', [$subscriptionId], $body, $options);
    }

    /**
     * List the payments whose outcome is open.
     *
     * @return list<PendingPayment>
     */
    public function listPendingPayments(?CallOptions $options = null): array
    {
        return $this->callForArray('listPendingPayments', [], null, $options);
    }

    /**
     * Decide about a payment whose outcome is open.
     *
     * @param PendingResolution $body
     * @return PendingPayment
     */
    public function resolvePendingPayment(string $paymentId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('resolvePendingPayment', [$paymentId], $body, $options);
    }

    /**
     * List the sessions that devices hold.
     *
     * @return list<TableLease>
     */
    public function listTableLeases(?CallOptions $options = null): array
    {
        return $this->callForArray('listTableLeases', [], null, $options);
    }

    /**
     * End the lease of a device on a session.
     *
     * @param LeaseRelease $body
     * @return TableLease
     */
    public function releaseTableLease(string $leaseId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('releaseTableLease', [$leaseId], $body, $options);
    }

    /**
     * List what operators have decided, newest first.
     *
     * @param ListTableOperatorCallsQuery $query
     * @return TableOperatorCallPage
     */
    public function listTableOperatorCalls(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listTableOperatorCalls', [], $query, $options);
    }

    /**
     * List what operators have decided, newest first, from page to page.
     *
     * @param ListTableOperatorCallsQuery $query
     * @return \Generator<int, TableOperatorCall>
     */
    public function iterateTableOperatorCalls(array $query = []): \Generator
    {
        return $this->iterate('listTableOperatorCalls', [], $query);
    }

    /**
     * Send the EPOS again what it has missed.
     *
     * @param EposEventReplay $body
     * @return Replayed
     */
    public function replayEposEvents(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('replayEposEvents', [], $body, $options);
    }

    /**
     * Read how far the checks of the books have come.
     *
     * @return Reconciliation
     */
    public function readReconciliation(?CallOptions $options = null): array
    {
        return $this->callForArray('readReconciliation', [], null, $options);
    }

    /**
     * Have the books of a span checked now.
     *
     * @param ReconciliationStart $body
     * @return Reconciliation
     */
    public function startReconciliation(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('startReconciliation', [], $body, $options);
    }

    /**
     * List how our books and the acquirer’s differ, newest first.
     *
     * @param ListReconciliationDifferencesQuery $query
     * @return ReconciliationDifferencePage
     */
    public function listReconciliationDifferences(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listReconciliationDifferences', [], $query, $options);
    }

    /**
     * List how our books and the acquirer’s differ, newest first, from page to page.
     *
     * @param ListReconciliationDifferencesQuery $query
     * @return \Generator<int, ReconciliationDifference>
     */
    public function iterateReconciliationDifferences(array $query = []): \Generator
    {
        return $this->iterate('listReconciliationDifferences', [], $query);
    }

    /**
     * Mark a difference as checked.
     *
     * @param DifferenceAnswer $body
     * @return ReconciliationDifference
     */
    public function answerReconciliationDifference(string $differenceId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('answerReconciliationDifference', [$differenceId], $body, $options);
    }

    /**
     * List what an operator has to look at, newest first.
     *
     * @param ListAlarmsQuery $query
     * @return AlarmPage
     */
    public function listAlarms(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listAlarms', [], $query, $options);
    }

    /**
     * List what an operator has to look at, newest first, from page to page.
     *
     * @param ListAlarmsQuery $query
     * @return \Generator<int, Alarm>
     */
    public function iterateAlarms(array $query = []): \Generator
    {
        return $this->iterate('listAlarms', [], $query);
    }

    /**
     * Answer an alarm.
     *
     * @param AlarmAnswer $body
     * @return Alarm
     */
    public function answerAlarm(string $alarmId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('answerAlarm', [$alarmId], $body, $options);
    }

    /**
     * List everything that happened to a payment, newest first.
     *
     * @param ListPaymentActivitiesQuery $query
     * @return PaymentActivityPage
     */
    public function listPaymentActivities(string $paymentIntentId, array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listPaymentActivities', [$paymentIntentId], $query, $options);
    }

    /**
     * List everything that happened to a payment, newest first, from page to page.
     *
     * @param ListPaymentActivitiesQuery $query
     * @return \Generator<int, PaymentActivity>
     */
    public function iteratePaymentActivities(string $paymentIntentId, array $query = []): \Generator
    {
        return $this->iterate('listPaymentActivities', [$paymentIntentId], $query);
    }

    /**
     * List the requests of the account, newest first.
     *
     * @param ListRequestsQuery $query
     * @return RequestActivityPage
     */
    public function listRequests(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listRequests', [], $query, $options);
    }

    /**
     * List the requests of the account, newest first, from page to page.
     *
     * @param ListRequestsQuery $query
     * @return \Generator<int, RequestActivity>
     */
    public function iterateRequests(array $query = []): \Generator
    {
        return $this->iterate('listRequests', [], $query);
    }

    /**
     * Count the unsuccessful requests of a period by operation, status and reason.
     *
     * @param GroupErrorsQuery $query
     * @return ErrorGroups
     */
    public function groupErrors(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('groupErrors', [], $query, $options);
    }

    /**
     * List how the EPOS is reached and what it can do.
     *
     * @return EposIntegrations
     */
    public function listEposIntegrations(?CallOptions $options = null): array
    {
        return $this->callForArray('listEposIntegrations', [], null, $options);
    }

    /**
     * Read what is registered of the EPOS over REST.
     *
     * @return list<RestIntegration>
     */
    public function readRestIntegration(?CallOptions $options = null): array
    {
        return $this->callForArray('readRestIntegration', [], null, $options);
    }

    /**
     * Register the EPOS at an address that is called.
     *
     * @param NewRestIntegration $body
     * @return list<RestIntegration>
     */
    public function putRestIntegration(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('putRestIntegration', [], $body, $options);
    }

    /**
     * Forget the EPOS over REST and its credentials.
     */
    public function deleteRestIntegration(?CallOptions $options = null): void
    {
        $this->call('deleteRestIntegration', [], null, $options);
    }

    /**
     * Read what is registered of the EPOS over a WebSocket.
     *
     * @return list<WsIntegration>
     */
    public function readWsIntegration(?CallOptions $options = null): array
    {
        return $this->callForArray('readWsIntegration', [], null, $options);
    }

    /**
     * Register the capabilities of the EPOS on the socket that it opens.
     *
     * @param NewWsIntegration $body
     * @return list<WsIntegration>
     */
    public function putWsIntegration(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('putWsIntegration', [], $body, $options);
    }

    /**
     * Forget the EPOS over a WebSocket.
     */
    public function deleteWsIntegration(?CallOptions $options = null): void
    {
        $this->call('deleteWsIntegration', [], null, $options);
    }

    /**
     * Read what the operator of the service has set up.
     *
     * @return list<ServiceManagedIntegration>
     */
    public function readServiceManagedIntegrations(?CallOptions $options = null): array
    {
        return $this->callForArray('readServiceManagedIntegrations', [], null, $options);
    }

    /**
     * Read where the EPOS serves the pay-at-table contract over gRPC.
     *
     * @return list<GrpcIntegration>
     */
    public function readGrpcIntegration(?CallOptions $options = null): array
    {
        return $this->callForArray('readGrpcIntegration', [], null, $options);
    }

    /**
     * Register the EPOS at a gRPC address that is dialled.
     *
     * @param NewGrpcIntegration $body
     * @return list<GrpcIntegration>
     */
    public function putGrpcIntegration(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('putGrpcIntegration', [], $body, $options);
    }

    /**
     * Forget the EPOS over gRPC and its credentials.
     */
    public function deleteGrpcIntegration(?CallOptions $options = null): void
    {
        $this->call('deleteGrpcIntegration', [], null, $options);
    }

    /**
     * Report that an order, a party or a reservation has changed at the EPOS.
     *
     * @param NewEposEvent $body
     * @return EposEvent
     */
    public function reportEposEvent(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('reportEposEvent', [], $body, $options);
    }

    /**
     * List the connections that the EPOS has open now, newest first.
     *
     * @return list<EposConnection>
     */
    public function listEposConnections(?CallOptions $options = null): array
    {
        return $this->callForArray('listEposConnections', [], null, $options);
    }

    /**
     * List the last calls to the EPOS, newest first.
     *
     * @param ListEposCallsQuery $query
     * @return list<EposCallRecord>
     */
    public function listEposCalls(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listEposCalls', [], $query, $options);
    }

    /**
     * List the runs of the EPOS tester, newest first.
     *
     * @param ListTesterRunsQuery $query
     * @return RunSummaryPage
     */
    public function listTesterRuns(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listTesterRuns', [], $query, $options);
    }

    /**
     * List the runs of the EPOS tester, newest first, from page to page.
     *
     * @param ListTesterRunsQuery $query
     * @return \Generator<int, RunSummary>
     */
    public function iterateTesterRuns(array $query = []): \Generator
    {
        return $this->iterate('listTesterRuns', [], $query);
    }

    /**
     * Read a run of the EPOS tester with its steps.
     *
     * @return Run
     */
    public function readTesterRun(string $runId, ?CallOptions $options = null): array
    {
        return $this->callForArray('readTesterRun', [$runId], null, $options);
    }

    /**
     * Submit an order that is paid before the EPOS has it.
     *
     * @param NewOrderPlacement $body
     * @return OrderPlacement
     */
    public function submitOrder(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('submitOrder', [], $body, $options);
    }

    /**
     * List the orders that were submitted with their payment, newest first.
     *
     * @param ListOrderPlacementsQuery $query
     * @return OrderPlacementPage
     */
    public function listOrderPlacements(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listOrderPlacements', [], $query, $options);
    }

    /**
     * List the orders that were submitted with their payment, newest first, from page to page.
     *
     * @param ListOrderPlacementsQuery $query
     * @return \Generator<int, OrderPlacement>
     */
    public function iterateOrderPlacements(array $query = []): \Generator
    {
        return $this->iterate('listOrderPlacements', [], $query);
    }

    /**
     * Read the state of an order that was submitted with its payment.
     *
     * @return OrderPlacement
     */
    public function getOrderPlacement(string $placementId, ?CallOptions $options = null): array
    {
        return $this->callForArray('getOrderPlacement', [$placementId], null, $options);
    }

    /**
     * List reservations.
     *
     * @param ListReservationsQuery $query
     * @return ReservationPage
     */
    public function listReservations(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listReservations', [], $query, $options);
    }

    /**
     * List reservations, from page to page.
     *
     * @param ListReservationsQuery $query
     * @return \Generator<int, Reservation>
     */
    public function iterateReservations(array $query = []): \Generator
    {
        return $this->iterate('listReservations', [], $query);
    }

    /**
     * Read a reservation.
     *
     * @return Reservation
     */
    public function getReservation(string $reservationId, ?CallOptions $options = null): array
    {
        return $this->callForArray('getReservation', [$reservationId], null, $options);
    }

    /**
     * Create a reservation.
     *
     * @param NewReservation $body
     * @return Reservation
     */
    public function createReservation(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createReservation', [], $body, $options);
    }

    /**
     * Change a reservation.
     *
     * @param NewReservation $body
     * @return Reservation
     */
    public function updateReservation(string $reservationId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('updateReservation', [$reservationId], $body, $options);
    }

    /**
     * Cancel a reservation.
     */
    public function deleteReservation(string $reservationId, ?CallOptions $options = null): void
    {
        $this->call('deleteReservation', [$reservationId], null, $options);
    }

    /**
     * List the parties at the tables.
     *
     * @param ListPartiesQuery $query
     * @return PartyPage
     */
    public function listParties(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listParties', [], $query, $options);
    }

    /**
     * List the parties at the tables, from page to page.
     *
     * @param ListPartiesQuery $query
     * @return \Generator<int, Party>
     */
    public function iterateParties(array $query = []): \Generator
    {
        return $this->iterate('listParties', [], $query);
    }

    /**
     * Read a party.
     *
     * @return Party
     */
    public function getParty(string $partyId, ?CallOptions $options = null): array
    {
        return $this->callForArray('getParty', [$partyId], null, $options);
    }

    /**
     * Create a party.
     *
     * @param NewParty $body
     * @return Party
     */
    public function createParty(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createParty', [], $body, $options);
    }

    /**
     * Change a party.
     *
     * @param PartyChange $body
     * @return Party
     */
    public function updateParty(string $partyId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('updateParty', [$partyId], $body, $options);
    }

    /**
     * Delete a party.
     */
    public function deleteParty(string $partyId, ?CallOptions $options = null): void
    {
        $this->call('deleteParty', [$partyId], null, $options);
    }

    /**
     * List the areas of the restaurant.
     *
     * @return list<DiningArea>
     */
    public function listAreas(?CallOptions $options = null): array
    {
        return $this->callForArray('listAreas', [], null, $options);
    }

    /**
     * List the tables of the restaurant.
     *
     * @param ListTablesQuery $query
     * @return DiningTablePage
     */
    public function listTables(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('listTables', [], $query, $options);
    }

    /**
     * List the tables of the restaurant, from page to page.
     *
     * @param ListTablesQuery $query
     * @return \Generator<int, DiningTable>
     */
    public function iterateTables(array $query = []): \Generator
    {
        return $this->iterate('listTables', [], $query);
    }

    /**
     * Create an API key of the same account and environment.
     *
     * @param NewApiKey $body
     * @return MadeApiKey
     */
    public function createApiKey(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('createApiKey', [], $body, $options);
    }

    /**
     * List the API keys that work, newest first.
     *
     * @return list<ApiKey>
     */
    public function listApiKeys(?CallOptions $options = null): array
    {
        return $this->callForArray('listApiKeys', [], null, $options);
    }

    /**
     * Make an API key strict, or lenient.
     *
     * @param ApiKeyChange $body
     * @return ApiKey
     */
    public function changeApiKey(string $keyId, array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changeApiKey', [$keyId], $body, $options);
    }

    /**
     * Delete an API key for good.
     */
    public function deleteApiKey(string $keyId, ?CallOptions $options = null): void
    {
        $this->call('deleteApiKey', [$keyId], null, $options);
    }

    /**
     * Read the look of the payment page.
     *
     * @return Branding
     */
    public function getBranding(?CallOptions $options = null): array
    {
        return $this->callForArray('getBranding', [], null, $options);
    }

    /**
     * Change the look of the payment page.
     *
     * @param BrandingChange $body
     * @return Branding
     */
    public function changeBranding(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('changeBranding', [], $body, $options);
    }

    /**
     * Move the time of this sandbox account forward.
     *
     * @param ClockAdvance $body
     * @return Clock
     */
    public function advanceClock(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('advanceClock', [], $body, $options);
    }

    /**
     * Read whether the EPOS of the sandbox serves this account.
     *
     * @return SandboxEpos
     */
    public function readSandboxEpos(?CallOptions $options = null): array
    {
        return $this->callForArray('readSandboxEpos', [], null, $options);
    }

    /**
     * Say whether the EPOS of the sandbox serves this account.
     *
     * @param NewSandboxEpos $body
     * @return SandboxEpos
     */
    public function putSandboxEpos(array $body, ?CallOptions $options = null): array
    {
        return $this->callForArray('putSandboxEpos', [], $body, $options);
    }

    /**
     * List the mails that this sandbox account would have sent, newest first.
     *
     * @param ReadMailboxQuery $query
     * @return SandboxMailPage
     */
    public function readMailbox(array $query = [], ?CallOptions $options = null): array
    {
        return $this->callForArray('readMailbox', [], $query, $options);
    }

    /**
     * List the mails that this sandbox account would have sent, newest first, from page to page.
     *
     * @param ReadMailboxQuery $query
     * @return \Generator<int, SandboxMail>
     */
    public function iterateMailbox(array $query = []): \Generator
    {
        return $this->iterate('readMailbox', [], $query);
    }
}
