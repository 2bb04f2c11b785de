// Code generated from the contract of the API; DO NOT EDIT. UPDATE_GOLDEN=1 and the test of the generator rewrite it.

package pos

import (
	"context"

	"example.com/pos-sdk/internal/retry"
)

// NewestRelease is the release that the types describe, and that a client asks for.
const NewestRelease = "2026-02-27"

// operations are how each operation is called.
var operations = map[string]operationFacts{
	"readLive":                       {"GET", "/health/live", "", retry.Read, "", false, false, false},
	"readReady":                      {"GET", "/health/ready", "", retry.Read, "", false, false, false},
	"createPaymentIntent":            {"POST", "/payment-intents", "body", retry.Key, "", true, false, false},
	"readPaymentIntent":              {"GET", "/payment-intents/{paymentIntentId}", "query", retry.Read, "", true, false, false},
	"cancelPaymentIntent":            {"DELETE", "/payment-intents/{paymentIntentId}", "", retry.Key, "", true, false, false},
	"searchPaymentIntents":           {"POST", "/payment-intents/search", "body", retry.Read, "cursor", true, false, false},
	"refreshClientSecret":            {"POST", "/payment-intents/{paymentIntentId}/refresh-client-session-secret", "", retry.Key, "", true, false, false},
	"readPublicPaymentIntent":        {"GET", "/payment-intents/public/{paymentIntentId}", "", retry.Read, "", false, false, false},
	"refreshPublicClientSecret":      {"POST", "/payment-intents/public/{paymentIntentId}/refresh-client-session-secret", "", retry.Never, "", false, false, false},
	"changeAmount":                   {"POST", "/payment-intents/{paymentIntentId}/amount", "body", retry.Key, "", true, false, false},
	"changeTips":                     {"POST", "/payment-intents/{paymentIntentId}/tips-amount", "body", retry.Key, "", true, false, false},
	"capturePaymentIntent":           {"POST", "/payment-intents/{paymentIntentId}/captures", "body", retry.Key, "", true, false, false},
	"refundPaymentIntent":            {"POST", "/payment-intents/{paymentIntentId}/refunds", "body", retry.Key, "", true, false, false},
	"readRefund":                     {"GET", "/payment-intents/refunds/{refundId}", "", retry.Read, "", true, false, false},
	"reversePaymentIntent":           {"POST", "/payment-intents/{paymentIntentId}/reversal", "", retry.Key, "", true, false, false},
	"chargePaymentIntent":            {"POST", "/payment-intents/{paymentIntentId}/charge", "", retry.Key, "", true, false, false},
	"readPaymentLink":                {"GET", "/payment-links/{intentId}", "", retry.Read, "", false, false, false},
	"changePublicTips":               {"POST", "/payment-intents/public/{paymentIntentId}/tips-amount", "body", retry.Never, "", false, false, false},
	"changePublicAmount":             {"POST", "/payment-intents/public/{paymentIntentId}/amount", "body", retry.Never, "", false, false, false},
	"sendReceipt":                    {"POST", "/payment-intents/{paymentIntentId}/receipt", "body", retry.Key, "", true, false, false},
	"sendPublicReceipt":              {"POST", "/payment-intents/public/{paymentIntentId}/receipt", "body", retry.Never, "", false, false, false},
	"createSetupIntent":              {"POST", "/setup-intents", "body", retry.Key, "", true, false, false},
	"readSetupIntent":                {"GET", "/setup-intents/{setupIntentId}", "", retry.Read, "", true, false, false},
	"cancelSetupIntent":              {"DELETE", "/setup-intents/{setupIntentId}", "query", retry.Key, "", true, false, false},
	"refreshSetupSecret":             {"POST", "/setup-intents/{setupIntentId}/refresh-client-session-secret", "", retry.Key, "", true, false, false},
	"readPublicSetupIntent":          {"GET", "/setup-intents/public/{setupIntentId}", "", retry.Read, "", false, false, false},
	"refreshPublicSetupSecret":       {"POST", "/setup-intents/public/{setupIntentId}/refresh-client-session-secret", "", retry.Never, "", false, false, false},
	"createCustomer":                 {"POST", "/customers", "body", retry.Key, "", true, false, false},
	"readCustomers":                  {"GET", "/customers/{customerId}", "", retry.Read, "", true, false, false},
	"changeCustomer":                 {"PATCH", "/customers/{customerId}", "body", retry.Key, "", true, false, false},
	"deleteCustomer":                 {"DELETE", "/customers/{customerId}", "", retry.Key, "", true, false, false},
	"searchCustomers":                {"POST", "/customers/search", "body", retry.Read, "members", true, false, false},
	"createCustomerSecret":           {"POST", "/customers/{customerId}/create-secret", "", retry.Key, "", true, false, false},
	"listSavedCards":                 {"GET", "/customers/{customerId}/payment-methods", "", retry.Read, "", true, false, false},
	"deleteSavedCard":                {"DELETE", "/customers/{customerId}/payment-methods/{paymentMethodId}", "", retry.Key, "", true, false, false},
	"readPaymentMethods":             {"GET", "/customers/public/{customerId}/payment-methods", "", retry.Read, "", false, false, true},
	"deletePaymentMethod":            {"DELETE", "/customers/public/{customerId}/payment-methods/{paymentMethodId}", "", retry.Never, "", false, false, true},
	"readOfferedCards":               {"GET", "/payment-intents/public/{paymentIntentId}/payment-methods", "", retry.Read, "", false, false, false},
	"listTerminals":                  {"GET", "/terminals", "query", retry.Read, "", true, true, false},
	"readTerminal":                   {"GET", "/terminals/{terminalId}", "", retry.Read, "", true, true, false},
	"listTerminalSessions":           {"GET", "/terminals/{terminalId}/sessions", "query", retry.Read, "members", true, true, false},
	"resetTerminalMachine":           {"POST", "/terminals/{terminalId}/machine/reset", "body", retry.Key, "", true, true, false},
	"createTerminalSession":          {"POST", "/terminal-sessions", "body", retry.Key, "", true, true, false},
	"readTerminalSession":            {"GET", "/terminal-sessions/{terminalSessionId}", "", retry.Read, "", true, true, false},
	"cancelTerminalSession":          {"PUT", "/terminal-sessions/{terminalSessionId}/cancel", "", retry.Key, "", true, true, false},
	"decideSignature":                {"PUT", "/terminal-sessions/{terminalSessionId}/signature", "body", retry.Key, "", true, true, false},
	"searchTransactions":             {"POST", "/transactions/search", "body", retry.Read, "cursor", true, false, false},
	"listEventKinds":                 {"GET", "/webhooks/events", "query", retry.Read, "", true, false, false},
	"createSubscription":             {"POST", "/webhooks", "body", retry.Key, "", true, false, false},
	"listSubscriptions":              {"GET", "/webhooks", "", retry.Read, "", true, false, false},
	"readSubscription":               {"GET", "/webhooks/{subscriptionId}", "", retry.Read, "", true, false, false},
	"changeSubscription":             {"PATCH", "/webhooks/{subscriptionId}", "body", retry.Key, "", true, false, false},
	"deleteSubscription":             {"DELETE", "/webhooks/{subscriptionId}", "", retry.Key, "", true, false, false},
	"listSecrets":                    {"GET", "/webhooks/{subscriptionId}/secrets", "", retry.Read, "", true, false, false},
	"createSecret":                   {"POST", "/webhooks/{subscriptionId}/secrets", "", retry.Key, "", true, false, false},
	"activateSecret":                 {"PUT", "/webhooks/{subscriptionId}/secrets/{secretId}/activate", "", retry.Key, "", true, false, false},
	"deleteSecret":                   {"DELETE", "/webhooks/{subscriptionId}/secrets/{secretId}", "", retry.Key, "", true, false, false},
	"listDeliveries":                 {"GET", "/webhooks/{subscriptionId}/deliveries", "query", retry.Read, "members", true, false, false},
	"readDelivery":                   {"GET", "/webhooks/{subscriptionId}/deliveries/{deliveryId}", "", retry.Read, "", true, false, false},
	"replayDelivery":                 {"POST", "/webhooks/{subscriptionId}/deliveries/{deliveryId}/replay", "", retry.Key, "", true, false, false},
	"replayEvents":                   {"POST", "/webhooks/{subscriptionId}/replay", "body", retry.Key, "", true, false, false},
	"sendTestEvent":                  {"POST", "/webhooks/{subscriptionId}/test-events", "body", retry.Key, "", true, false, false},
	"createDeliveryLink":             {"POST", "/webhooks/{subscriptionId}/delivery-links", "body", retry.Key, "", true, false, false},
	"listPendingPayments":            {"GET", "/pay-at-table/pending", "", retry.Read, "", true, false, false},
	"resolvePendingPayment":          {"POST", "/pay-at-table/pending/{paymentId}/resolve", "body", retry.Key, "", true, false, false},
	"listTableLeases":                {"GET", "/pay-at-table/leases", "", retry.Read, "", true, false, false},
	"releaseTableLease":              {"POST", "/pay-at-table/leases/{leaseId}/release", "body", retry.Key, "", true, false, false},
	"listTableOperatorCalls":         {"GET", "/pay-at-table/operator-calls", "query", retry.Read, "members", true, false, false},
	"replayEposEvents":               {"POST", "/pay-at-table/epos-events/replay", "body", retry.Key, "", true, false, false},
	"readReconciliation":             {"GET", "/reconciliation", "", retry.Read, "", true, false, false},
	"startReconciliation":            {"POST", "/reconciliation/start", "body", retry.Key, "", true, false, false},
	"listReconciliationDifferences":  {"GET", "/reconciliation/differences", "query", retry.Read, "members", true, false, false},
	"answerReconciliationDifference": {"POST", "/reconciliation/differences/{differenceId}/answer", "body", retry.Key, "", true, false, false},
	"listAlarms":                     {"GET", "/alarms", "query", retry.Read, "members", true, false, false},
	"answerAlarm":                    {"POST", "/alarms/{alarmId}/answer", "body", retry.Key, "", true, false, false},
	"listPaymentActivities":          {"GET", "/payment-intents/{paymentIntentId}/activities", "query", retry.Read, "members", true, false, false},
	"listRequests":                   {"GET", "/activities/requests", "query", retry.Read, "members", true, false, false},
	"groupErrors":                    {"GET", "/activities/errors", "query", retry.Read, "", true, false, false},
	"listEposIntegrations":           {"GET", "/epos/integrations", "", retry.Read, "", true, false, false},
	"readRestIntegration":            {"GET", "/epos/integrations/rest", "", retry.Read, "", true, false, false},
	"putRestIntegration":             {"PUT", "/epos/integrations/rest", "body", retry.Key, "", true, false, false},
	"deleteRestIntegration":          {"DELETE", "/epos/integrations/rest", "", retry.Key, "", true, false, false},
	"readWsIntegration":              {"GET", "/epos/integrations/ws", "", retry.Read, "", true, false, false},
	"putWsIntegration":               {"PUT", "/epos/integrations/ws", "body", retry.Key, "", true, false, false},
	"deleteWsIntegration":            {"DELETE", "/epos/integrations/ws", "", retry.Key, "", true, false, false},
	"readServiceManagedIntegrations": {"GET", "/epos/integrations/service", "", retry.Read, "", true, false, false},
	"readGrpcIntegration":            {"GET", "/epos/integrations/grpc", "", retry.Read, "", true, false, false},
	"putGrpcIntegration":             {"PUT", "/epos/integrations/grpc", "body", retry.Key, "", true, false, false},
	"deleteGrpcIntegration":          {"DELETE", "/epos/integrations/grpc", "", retry.Key, "", true, false, false},
	"reportEposEvent":                {"POST", "/epos/events", "body", retry.Key, "", true, false, false},
	"listEposConnections":            {"GET", "/epos/connections", "", retry.Read, "", true, false, false},
	"listEposCalls":                  {"GET", "/epos/calls", "query", retry.Read, "", true, false, false},
	"listTesterRuns":                 {"GET", "/epos/tester-runs", "query", retry.Read, "members", true, false, false},
	"readTesterRun":                  {"GET", "/epos/tester-runs/{runId}", "", retry.Read, "", true, false, false},
	"submitOrder":                    {"POST", "/epos/order-placements", "body", retry.Key, "", true, false, false},
	"listOrderPlacements":            {"GET", "/epos/order-placements", "query", retry.Read, "members", true, false, false},
	"getOrderPlacement":              {"GET", "/epos/order-placements/{placementId}", "", retry.Read, "", true, false, false},
	"listReservations":               {"GET", "/epos/reservations", "query", retry.Read, "members", true, false, false},
	"getReservation":                 {"GET", "/epos/reservations/{reservationId}", "", retry.Read, "", true, false, false},
	"createReservation":              {"POST", "/epos/reservations", "body", retry.Key, "", true, false, false},
	"updateReservation":              {"PUT", "/epos/reservations/{reservationId}", "body", retry.Key, "", true, false, false},
	"deleteReservation":              {"DELETE", "/epos/reservations/{reservationId}", "", retry.Key, "", true, false, false},
	"listParties":                    {"GET", "/epos/parties", "query", retry.Read, "members", true, false, false},
	"getParty":                       {"GET", "/epos/parties/{partyId}", "", retry.Read, "", true, false, false},
	"createParty":                    {"POST", "/epos/parties", "body", retry.Key, "", true, false, false},
	"updateParty":                    {"PUT", "/epos/parties/{partyId}", "body", retry.Key, "", true, false, false},
	"deleteParty":                    {"DELETE", "/epos/parties/{partyId}", "", retry.Key, "", true, false, false},
	"listAreas":                      {"GET", "/epos/areas", "", retry.Read, "", true, false, false},
	"listTables":                     {"GET", "/epos/tables", "query", retry.Read, "members", true, false, false},
	"createApiKey":                   {"POST", "/api-keys", "body", retry.Key, "", true, false, false},
	"listApiKeys":                    {"GET", "/api-keys", "", retry.Read, "", true, false, false},
	"changeApiKey":                   {"PATCH", "/api-keys/{keyId}", "body", retry.Key, "", true, false, false},
	"deleteApiKey":                   {"DELETE", "/api-keys/{keyId}", "", retry.Key, "", true, false, false},
	"getBranding":                    {"GET", "/branding", "", retry.Read, "", true, false, false},
	"changeBranding":                 {"PATCH", "/branding", "body", retry.Key, "", true, false, false},
	"advanceClock":                   {"POST", "/sandbox/clock/advance", "body", retry.Key, "", true, false, false},
	"readSandboxEpos":                {"GET", "/sandbox/epos", "", retry.Read, "", true, false, false},
	"putSandboxEpos":                 {"PUT", "/sandbox/epos", "body", retry.Key, "", true, false, false},
	"readMailbox":                    {"GET", "/sandbox/mailbox", "query", retry.Read, "members", true, false, false},
}

// ReadLive: Report that the process runs.
func (c *Client) ReadLive(ctx context.Context, options ...CallOption) (*Health, error) {
	return call[*Health](ctx, c, "readLive", nil, nil, options)
}

// ReadReady: Report that the process can serve.
func (c *Client) ReadReady(ctx context.Context, options ...CallOption) (*Health, error) {
	return call[*Health](ctx, c, "readReady", nil, nil, options)
}

// CreatePaymentIntent: Create a payment intent.
func (c *Client) CreatePaymentIntent(ctx context.Context, body *NewPaymentIntent, options ...CallOption) (*PaymentIntent, error) {
	return call[*PaymentIntent](ctx, c, "createPaymentIntent", nil, body, options)
}

// ReadPaymentIntent: Read a payment intent.
func (c *Client) ReadPaymentIntent(ctx context.Context, paymentIntentId string, query *ReadPaymentIntentQuery, options ...CallOption) (*PaymentIntent, error) {
	return call[*PaymentIntent](ctx, c, "readPaymentIntent", []string{paymentIntentId}, query, options)
}

// CancelPaymentIntent: Cancel an unpaid payment intent.
func (c *Client) CancelPaymentIntent(ctx context.Context, paymentIntentId string, options ...CallOption) (*PaymentIntent, error) {
	return call[*PaymentIntent](ctx, c, "cancelPaymentIntent", []string{paymentIntentId}, nil, options)
}

// SearchPaymentIntents: Search payment intents, newest first.
func (c *Client) SearchPaymentIntents(ctx context.Context, body *PaymentIntentSearch, options ...CallOption) (*PaymentIntentPage, error) {
	return call[*PaymentIntentPage](ctx, c, "searchPaymentIntents", nil, body, options)
}

// IteratePaymentIntents: Search payment intents, newest first, from page to page.
func (c *Client) IteratePaymentIntents(body *PaymentIntentSearch) *Pager[PaymentIntent] {
	return Iterate[PaymentIntent](c, "searchPaymentIntents", nil, body)
}

// RefreshClientSecret: Replace the client secret of a payment intent.
func (c *Client) RefreshClientSecret(ctx context.Context, paymentIntentId string, options ...CallOption) (*PaymentIntent, error) {
	return call[*PaymentIntent](ctx, c, "refreshClientSecret", []string{paymentIntentId}, nil, options)
}

// ReadPublicPaymentIntent: Read what a payer may see of a payment intent.
func (c *Client) ReadPublicPaymentIntent(ctx context.Context, paymentIntentId string, options ...CallOption) (*PublicPaymentIntent, error) {
	return call[*PublicPaymentIntent](ctx, c, "readPublicPaymentIntent", []string{paymentIntentId}, nil, options)
}

// RefreshPublicClientSecret: Get a client secret for one page of a payer.
func (c *Client) RefreshPublicClientSecret(ctx context.Context, paymentIntentId string, options ...CallOption) (*PublicPaymentIntent, error) {
	return call[*PublicPaymentIntent](ctx, c, "refreshPublicClientSecret", []string{paymentIntentId}, nil, options)
}

// ChangeAmount: Change the amount of a payment intent.
func (c *Client) ChangeAmount(ctx context.Context, paymentIntentId string, body *NewAmount, options ...CallOption) (*PaymentIntent, error) {
	return call[*PaymentIntent](ctx, c, "changeAmount", []string{paymentIntentId}, body, options)
}

// ChangeTips: Change the tip of an unpaid payment intent.
func (c *Client) ChangeTips(ctx context.Context, paymentIntentId string, body *NewTips, options ...CallOption) (*PaymentIntent, error) {
	return call[*PaymentIntent](ctx, c, "changeTips", []string{paymentIntentId}, body, options)
}

// CapturePaymentIntent: Capture all or part of a payment that is held.
func (c *Client) CapturePaymentIntent(ctx context.Context, paymentIntentId string, body *NewCapture, options ...CallOption) (*CaptureResult, error) {
	return call[*CaptureResult](ctx, c, "capturePaymentIntent", []string{paymentIntentId}, body, options)
}

// RefundPaymentIntent: Refund all or part of what was captured.
func (c *Client) RefundPaymentIntent(ctx context.Context, paymentIntentId string, body *NewRefund, options ...CallOption) (*Refund, error) {
	return call[*Refund](ctx, c, "refundPaymentIntent", []string{paymentIntentId}, body, options)
}

// ReadRefund: Read a refund.
func (c *Client) ReadRefund(ctx context.Context, refundId string, options ...CallOption) (*Refund, error) {
	return call[*Refund](ctx, c, "readRefund", []string{refundId}, nil, options)
}

// ReversePaymentIntent: Undo a payment as a whole.
func (c *Client) ReversePaymentIntent(ctx context.Context, paymentIntentId string, options ...CallOption) (*Reversal, error) {
	return call[*Reversal](ctx, c, "reversePaymentIntent", []string{paymentIntentId}, nil, options)
}

// ChargePaymentIntent: Charge the card of the setup intent that the payment names.
func (c *Client) ChargePaymentIntent(ctx context.Context, paymentIntentId string, options ...CallOption) (*ChargeResult, error) {
	return call[*ChargeResult](ctx, c, "chargePaymentIntent", []string{paymentIntentId}, nil, options)
}

// ReadPaymentLink: Read why a payment link has ended.
func (c *Client) ReadPaymentLink(ctx context.Context, intentId string, options ...CallOption) (*PaymentLink, error) {
	return call[*PaymentLink](ctx, c, "readPaymentLink", []string{intentId}, nil, options)
}

// ChangePublicTips: Choose a tip, by the payer.
func (c *Client) ChangePublicTips(ctx context.Context, paymentIntentId string, body *NewTips, options ...CallOption) (*PublicPaymentIntent, error) {
	return call[*PublicPaymentIntent](ctx, c, "changePublicTips", []string{paymentIntentId}, body, options)
}

// ChangePublicAmount: Choose the amount, by the payer.
func (c *Client) ChangePublicAmount(ctx context.Context, paymentIntentId string, body *NewPublicAmount, options ...CallOption) (*PublicPaymentIntent, error) {
	return call[*PublicPaymentIntent](ctx, c, "changePublicAmount", []string{paymentIntentId}, body, options)
}

// SendReceipt: Mail the customer’s copy of a payment’s receipt.
func (c *Client) SendReceipt(ctx context.Context, paymentIntentId string, body *ReceiptRequest, options ...CallOption) error {
	_, err := call[any](ctx, c, "sendReceipt", []string{paymentIntentId}, body, options)
	return err
}

// SendPublicReceipt: Mail the receipt to the payer.
func (c *Client) SendPublicReceipt(ctx context.Context, paymentIntentId string, body *PublicReceiptRequest, options ...CallOption) error {
	_, err := call[any](ctx, c, "sendPublicReceipt", []string{paymentIntentId}, body, options)
	return err
}

// CreateSetupIntent: Create a setup intent.
func (c *Client) CreateSetupIntent(ctx context.Context, body *NewSetupIntent, options ...CallOption) (*SetupIntent, error) {
	return call[*SetupIntent](ctx, c, "createSetupIntent", nil, body, options)
}

// ReadSetupIntent: Read a setup intent.
func (c *Client) ReadSetupIntent(ctx context.Context, setupIntentId string, options ...CallOption) (*SetupIntent, error) {
	return call[*SetupIntent](ctx, c, "readSetupIntent", []string{setupIntentId}, nil, options)
}

// CancelSetupIntent: Give a setup intent up.
func (c *Client) CancelSetupIntent(ctx context.Context, setupIntentId string, query *CancelSetupIntentQuery, options ...CallOption) (*SetupIntent, error) {
	return call[*SetupIntent](ctx, c, "cancelSetupIntent", []string{setupIntentId}, query, options)
}

// RefreshSetupSecret: Replace the client secret of a setup intent.
func (c *Client) RefreshSetupSecret(ctx context.Context, setupIntentId string, options ...CallOption) (*SetupIntent, error) {
	return call[*SetupIntent](ctx, c, "refreshSetupSecret", []string{setupIntentId}, nil, options)
}

// ReadPublicSetupIntent: Read what a payer may see of a setup intent.
func (c *Client) ReadPublicSetupIntent(ctx context.Context, setupIntentId string, options ...CallOption) (*PublicSetupIntent, error) {
	return call[*PublicSetupIntent](ctx, c, "readPublicSetupIntent", []string{setupIntentId}, nil, options)
}

// RefreshPublicSetupSecret: Get a client secret of a setup intent for one page of a payer.
func (c *Client) RefreshPublicSetupSecret(ctx context.Context, setupIntentId string, options ...CallOption) (*PublicSetupIntent, error) {
	return call[*PublicSetupIntent](ctx, c, "refreshPublicSetupSecret", []string{setupIntentId}, nil, options)
}

// CreateCustomer: Create a customer.
func (c *Client) CreateCustomer(ctx context.Context, body *NewCustomer, options ...CallOption) (*Customer, error) {
	return call[*Customer](ctx, c, "createCustomer", nil, body, options)
}

// ReadCustomers: Read one or several customers.
func (c *Client) ReadCustomers(ctx context.Context, customerId string, options ...CallOption) ([]Customer, error) {
	return call[[]Customer](ctx, c, "readCustomers", []string{customerId}, nil, options)
}

// ChangeCustomer: Change some members of a customer.
func (c *Client) ChangeCustomer(ctx context.Context, customerId string, body *CustomerChange, options ...CallOption) (*Customer, error) {
	return call[*Customer](ctx, c, "changeCustomer", []string{customerId}, body, options)
}

// DeleteCustomer: Delete a customer.
func (c *Client) DeleteCustomer(ctx context.Context, customerId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteCustomer", []string{customerId}, nil, options)
	return err
}

// SearchCustomers: List the customers, newest first.
func (c *Client) SearchCustomers(ctx context.Context, body *CustomerSearch, options ...CallOption) (*CustomerPage, error) {
	return call[*CustomerPage](ctx, c, "searchCustomers", nil, body, options)
}

// IterateCustomers: List the customers, newest first, from page to page.
func (c *Client) IterateCustomers(body *CustomerSearch) *Pager[Customer] {
	return Iterate[Customer](c, "searchCustomers", nil, body)
}

// CreateCustomerSecret: Create a secret for the app of a customer.
func (c *Client) CreateCustomerSecret(ctx context.Context, customerId string, options ...CallOption) (*CustomerSecret, error) {
	return call[*CustomerSecret](ctx, c, "createCustomerSecret", []string{customerId}, nil, options)
}

// ListSavedCards: List the saved cards of a customer, by the merchant.
func (c *Client) ListSavedCards(ctx context.Context, customerId string, options ...CallOption) (*PaymentMethods, error) {
	return call[*PaymentMethods](ctx, c, "listSavedCards", []string{customerId}, nil, options)
}

// DeleteSavedCard: Delete a saved card of a customer, by the merchant.
func (c *Client) DeleteSavedCard(ctx context.Context, customerId, paymentMethodId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteSavedCard", []string{customerId, paymentMethodId}, nil, options)
	return err
}

// ReadPaymentMethods: List the saved cards of a customer.
func (c *Client) ReadPaymentMethods(ctx context.Context, customerId string, options ...CallOption) (*PaymentMethods, error) {
	return call[*PaymentMethods](ctx, c, "readPaymentMethods", []string{customerId}, nil, options)
}

// DeletePaymentMethod: Delete a saved card of a customer.
func (c *Client) DeletePaymentMethod(ctx context.Context, customerId, paymentMethodId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deletePaymentMethod", []string{customerId, paymentMethodId}, nil, options)
	return err
}

// ReadOfferedCards: List the saved cards that a payer may choose from.
func (c *Client) ReadOfferedCards(ctx context.Context, paymentIntentId string, options ...CallOption) (*OfferedCards, error) {
	return call[*OfferedCards](ctx, c, "readOfferedCards", []string{paymentIntentId}, nil, options)
}

// ListTerminals: List the card machines, by TID.
func (c *Client) ListTerminals(ctx context.Context, query *ListTerminalsQuery, options ...CallOption) ([]Terminal, error) {
	return call[[]Terminal](ctx, c, "listTerminals", nil, query, options)
}

// ReadTerminal: Read a card machine.
func (c *Client) ReadTerminal(ctx context.Context, terminalId string, options ...CallOption) (*Terminal, error) {
	return call[*Terminal](ctx, c, "readTerminal", []string{terminalId}, nil, options)
}

// ListTerminalSessions: List the sessions of a card machine, newest first.
func (c *Client) ListTerminalSessions(ctx context.Context, terminalId string, query *ListTerminalSessionsQuery, options ...CallOption) (*TerminalSessionSummaryPage, error) {
	return call[*TerminalSessionSummaryPage](ctx, c, "listTerminalSessions", []string{terminalId}, query, options)
}

// IterateTerminalSessions: List the sessions of a card machine, newest first, from page to page.
func (c *Client) IterateTerminalSessions(terminalId string, query *ListTerminalSessionsQuery) *Pager[TerminalSessionSummary] {
	return Iterate[TerminalSessionSummary](c, "listTerminalSessions", []string{terminalId}, query)
}

// ResetTerminalMachine: Let another machine serve a TID.
func (c *Client) ResetTerminalMachine(ctx context.Context, terminalId string, body *MachineReset, options ...CallOption) (*Terminal, error) {
	return call[*Terminal](ctx, c, "resetTerminalMachine", []string{terminalId}, body, options)
}

// CreateTerminalSession: Start a payment or a refund on a card machine.
func (c *Client) CreateTerminalSession(ctx context.Context, body *NewTerminalSession, options ...CallOption) (*TerminalSession, error) {
	return call[*TerminalSession](ctx, c, "createTerminalSession", nil, body, options)
}

// ReadTerminalSession: Read a session of a card machine.
func (c *Client) ReadTerminalSession(ctx context.Context, terminalSessionId string, options ...CallOption) (*TerminalSession, error) {
	return call[*TerminalSession](ctx, c, "readTerminalSession", []string{terminalSessionId}, nil, options)
}

// CancelTerminalSession: Ask the card machine to stop.
func (c *Client) CancelTerminalSession(ctx context.Context, terminalSessionId string, options ...CallOption) (*TerminalSession, error) {
	return call[*TerminalSession](ctx, c, "cancelTerminalSession", []string{terminalSessionId}, nil, options)
}

// DecideSignature: Accept or reject the cardholder's signature.
func (c *Client) DecideSignature(ctx context.Context, terminalSessionId string, body *SignatureDecision, options ...CallOption) (*TerminalSession, error) {
	return call[*TerminalSession](ctx, c, "decideSignature", []string{terminalSessionId}, body, options)
}

// SearchTransactions: Search transactions, newest first.
func (c *Client) SearchTransactions(ctx context.Context, body *TransactionSearch, options ...CallOption) (*TransactionPage, error) {
	return call[*TransactionPage](ctx, c, "searchTransactions", nil, body, options)
}

// IterateTransactions: Search transactions, newest first, from page to page.
func (c *Client) IterateTransactions(body *TransactionSearch) *Pager[Transaction] {
	return Iterate[Transaction](c, "searchTransactions", nil, body)
}

// ListEventKinds: List the kinds of events that can be subscribed to.
func (c *Client) ListEventKinds(ctx context.Context, query *ListEventKindsQuery, options ...CallOption) ([]EventModel, error) {
	return call[[]EventModel](ctx, c, "listEventKinds", nil, query, options)
}

// CreateSubscription: Subscribe to kinds of events.
func (c *Client) CreateSubscription(ctx context.Context, body *NewSubscription, options ...CallOption) (*Subscription, error) {
	return call[*Subscription](ctx, c, "createSubscription", nil, body, options)
}

// ListSubscriptions: List the subscriptions.
func (c *Client) ListSubscriptions(ctx context.Context, options ...CallOption) ([]Subscription, error) {
	return call[[]Subscription](ctx, c, "listSubscriptions", nil, nil, options)
}

// ReadSubscription: Read a subscription.
func (c *Client) ReadSubscription(ctx context.Context, subscriptionId string, options ...CallOption) (*Subscription, error) {
	return call[*Subscription](ctx, c, "readSubscription", []string{subscriptionId}, nil, options)
}

// ChangeSubscription: Change or pause a subscription.
func (c *Client) ChangeSubscription(ctx context.Context, subscriptionId string, body *SubscriptionChange, options ...CallOption) (*Subscription, error) {
	return call[*Subscription](ctx, c, "changeSubscription", []string{subscriptionId}, body, options)
}

// DeleteSubscription: Delete a subscription.
func (c *Client) DeleteSubscription(ctx context.Context, subscriptionId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteSubscription", []string{subscriptionId}, nil, options)
	return err
}

// ListSecrets: List the signing secrets of a subscription.
func (c *Client) ListSecrets(ctx context.Context, subscriptionId string, options ...CallOption) (*WebhookSecrets, error) {
	return call[*WebhookSecrets](ctx, c, "listSecrets", []string{subscriptionId}, nil, options)
}

// CreateSecret: Add an inactive signing secret to a subscription.
func (c *Client) CreateSecret(ctx context.Context, subscriptionId string, options ...CallOption) (*WebhookSecrets, error) {
	return call[*WebhookSecrets](ctx, c, "createSecret", []string{subscriptionId}, nil, options)
}

// ActivateSecret: Have a secret sign from the next attempt on.
func (c *Client) ActivateSecret(ctx context.Context, subscriptionId, secretId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "activateSecret", []string{subscriptionId, secretId}, nil, options)
	return err
}

// DeleteSecret: Delete a signing secret that is not active.
func (c *Client) DeleteSecret(ctx context.Context, subscriptionId, secretId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteSecret", []string{subscriptionId, secretId}, nil, options)
	return err
}

// ListDeliveries: List the deliveries of a subscription, newest first.
func (c *Client) ListDeliveries(ctx context.Context, subscriptionId string, query *ListDeliveriesQuery, options ...CallOption) (*DeliveryPage, error) {
	return call[*DeliveryPage](ctx, c, "listDeliveries", []string{subscriptionId}, query, options)
}

// IterateDeliveries: List the deliveries of a subscription, newest first, from page to page.
func (c *Client) IterateDeliveries(subscriptionId string, query *ListDeliveriesQuery) *Pager[Delivery] {
	return Iterate[Delivery](c, "listDeliveries", []string{subscriptionId}, query)
}

// ReadDelivery: Read a delivery with its body, its attempts and the answers of the receiver.
func (c *Client) ReadDelivery(ctx context.Context, subscriptionId, deliveryId string, options ...CallOption) (*DeliveryDetails, error) {
	return call[*DeliveryDetails](ctx, c, "readDelivery", []string{subscriptionId, deliveryId}, nil, options)
}

// ReplayDelivery: Send a dead letter again.
func (c *Client) ReplayDelivery(ctx context.Context, subscriptionId, deliveryId string, options ...CallOption) (*Delivery, error) {
	return call[*Delivery](ctx, c, "replayDelivery", []string{subscriptionId, deliveryId}, nil, options)
}

// ReplayEvents: Send a range of events again.
func (c *Client) ReplayEvents(ctx context.Context, subscriptionId string, body *Replay, options ...CallOption) (*Replayed, error) {
	return call[*Replayed](ctx, c, "replayEvents", []string{subscriptionId}, body, options)
}

// SendTestEvent: Send a test event to a subscription of a sandbox.
func (c *Client) SendTestEvent(ctx context.Context, subscriptionId string, body *TestEvent, options ...CallOption) (*Delivery, error) {
	return call[*Delivery](ctx, c, "sendTestEvent", []string{subscriptionId}, body, options)
}

// CreateDeliveryLink: Create a short-lived link to a page with the deliveries of a subscription.
func (c *Client) CreateDeliveryLink(ctx context.Context, subscriptionId string, body *NewDeliveryLink, options ...CallOption) (*DeliveryLink, error) {
	return call[*DeliveryLink](ctx, c, "createDeliveryLink", []string{subscriptionId}, body, options)
}

// ListPendingPayments: List the payments whose outcome is open.
func (c *Client) ListPendingPayments(ctx context.Context, options ...CallOption) ([]PendingPayment, error) {
	return call[[]PendingPayment](ctx, c, "listPendingPayments", nil, nil, options)
}

// ResolvePendingPayment: Decide about a payment whose outcome is open.
func (c *Client) ResolvePendingPayment(ctx context.Context, paymentId string, body *PendingResolution, options ...CallOption) (*PendingPayment, error) {
	return call[*PendingPayment](ctx, c, "resolvePendingPayment", []string{paymentId}, body, options)
}

// ListTableLeases: List the sessions that devices hold.
func (c *Client) ListTableLeases(ctx context.Context, options ...CallOption) ([]TableLease, error) {
	return call[[]TableLease](ctx, c, "listTableLeases", nil, nil, options)
}

// ReleaseTableLease: End the lease of a device on a session.
func (c *Client) ReleaseTableLease(ctx context.Context, leaseId string, body *LeaseRelease, options ...CallOption) (*TableLease, error) {
	return call[*TableLease](ctx, c, "releaseTableLease", []string{leaseId}, body, options)
}

// ListTableOperatorCalls: List what operators have decided, newest first.
func (c *Client) ListTableOperatorCalls(ctx context.Context, query *ListTableOperatorCallsQuery, options ...CallOption) (*TableOperatorCallPage, error) {
	return call[*TableOperatorCallPage](ctx, c, "listTableOperatorCalls", nil, query, options)
}

// IterateTableOperatorCalls: List what operators have decided, newest first, from page to page.
func (c *Client) IterateTableOperatorCalls(query *ListTableOperatorCallsQuery) *Pager[TableOperatorCall] {
	return Iterate[TableOperatorCall](c, "listTableOperatorCalls", nil, query)
}

// ReplayEposEvents: Send the EPOS again what it has missed.
func (c *Client) ReplayEposEvents(ctx context.Context, body *EposEventReplay, options ...CallOption) (*Replayed, error) {
	return call[*Replayed](ctx, c, "replayEposEvents", nil, body, options)
}

// ReadReconciliation: Read how far the checks of the books have come.
func (c *Client) ReadReconciliation(ctx context.Context, options ...CallOption) (*Reconciliation, error) {
	return call[*Reconciliation](ctx, c, "readReconciliation", nil, nil, options)
}

// StartReconciliation: Have the books of a span checked now.
func (c *Client) StartReconciliation(ctx context.Context, body *ReconciliationStart, options ...CallOption) (*Reconciliation, error) {
	return call[*Reconciliation](ctx, c, "startReconciliation", nil, body, options)
}

// ListReconciliationDifferences: List how our books and the acquirer’s differ, newest first.
func (c *Client) ListReconciliationDifferences(ctx context.Context, query *ListReconciliationDifferencesQuery, options ...CallOption) (*ReconciliationDifferencePage, error) {
	return call[*ReconciliationDifferencePage](ctx, c, "listReconciliationDifferences", nil, query, options)
}

// IterateReconciliationDifferences: List how our books and the acquirer’s differ, newest first, from page to
// page.
func (c *Client) IterateReconciliationDifferences(query *ListReconciliationDifferencesQuery) *Pager[ReconciliationDifference] {
	return Iterate[ReconciliationDifference](c, "listReconciliationDifferences", nil, query)
}

// AnswerReconciliationDifference: Mark a difference as checked.
func (c *Client) AnswerReconciliationDifference(ctx context.Context, differenceId string, body *DifferenceAnswer, options ...CallOption) (*ReconciliationDifference, error) {
	return call[*ReconciliationDifference](ctx, c, "answerReconciliationDifference", []string{differenceId}, body, options)
}

// ListAlarms: List what an operator has to look at, newest first.
func (c *Client) ListAlarms(ctx context.Context, query *ListAlarmsQuery, options ...CallOption) (*AlarmPage, error) {
	return call[*AlarmPage](ctx, c, "listAlarms", nil, query, options)
}

// IterateAlarms: List what an operator has to look at, newest first, from page to page.
func (c *Client) IterateAlarms(query *ListAlarmsQuery) *Pager[Alarm] {
	return Iterate[Alarm](c, "listAlarms", nil, query)
}

// AnswerAlarm: Answer an alarm.
func (c *Client) AnswerAlarm(ctx context.Context, alarmId string, body *AlarmAnswer, options ...CallOption) (*Alarm, error) {
	return call[*Alarm](ctx, c, "answerAlarm", []string{alarmId}, body, options)
}

// ListPaymentActivities: List everything that happened to a payment, newest first.
func (c *Client) ListPaymentActivities(ctx context.Context, paymentIntentId string, query *ListPaymentActivitiesQuery, options ...CallOption) (*PaymentActivityPage, error) {
	return call[*PaymentActivityPage](ctx, c, "listPaymentActivities", []string{paymentIntentId}, query, options)
}

// IteratePaymentActivities: List everything that happened to a payment, newest first, from page to page.
func (c *Client) IteratePaymentActivities(paymentIntentId string, query *ListPaymentActivitiesQuery) *Pager[PaymentActivity] {
	return Iterate[PaymentActivity](c, "listPaymentActivities", []string{paymentIntentId}, query)
}

// ListRequests: List the requests of the account, newest first.
func (c *Client) ListRequests(ctx context.Context, query *ListRequestsQuery, options ...CallOption) (*RequestActivityPage, error) {
	return call[*RequestActivityPage](ctx, c, "listRequests", nil, query, options)
}

// IterateRequests: List the requests of the account, newest first, from page to page.
func (c *Client) IterateRequests(query *ListRequestsQuery) *Pager[RequestActivity] {
	return Iterate[RequestActivity](c, "listRequests", nil, query)
}

// GroupErrors: Count the unsuccessful requests of a period by operation, status and reason.
func (c *Client) GroupErrors(ctx context.Context, query *GroupErrorsQuery, options ...CallOption) (*ErrorGroups, error) {
	return call[*ErrorGroups](ctx, c, "groupErrors", nil, query, options)
}

// ListEposIntegrations: List how the EPOS is reached and what it can do.
func (c *Client) ListEposIntegrations(ctx context.Context, options ...CallOption) (*EposIntegrations, error) {
	return call[*EposIntegrations](ctx, c, "listEposIntegrations", nil, nil, options)
}

// ReadRestIntegration: Read what is registered of the EPOS over REST.
func (c *Client) ReadRestIntegration(ctx context.Context, options ...CallOption) ([]RestIntegration, error) {
	return call[[]RestIntegration](ctx, c, "readRestIntegration", nil, nil, options)
}

// PutRestIntegration: Register the EPOS at an address that is called.
func (c *Client) PutRestIntegration(ctx context.Context, body *NewRestIntegration, options ...CallOption) ([]RestIntegration, error) {
	return call[[]RestIntegration](ctx, c, "putRestIntegration", nil, body, options)
}

// DeleteRestIntegration: Forget the EPOS over REST and its credentials.
func (c *Client) DeleteRestIntegration(ctx context.Context, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteRestIntegration", nil, nil, options)
	return err
}

// ReadWsIntegration: Read what is registered of the EPOS over a WebSocket.
func (c *Client) ReadWsIntegration(ctx context.Context, options ...CallOption) ([]WsIntegration, error) {
	return call[[]WsIntegration](ctx, c, "readWsIntegration", nil, nil, options)
}

// PutWsIntegration: Register the capabilities of the EPOS on the socket that it opens.
func (c *Client) PutWsIntegration(ctx context.Context, body *NewWsIntegration, options ...CallOption) ([]WsIntegration, error) {
	return call[[]WsIntegration](ctx, c, "putWsIntegration", nil, body, options)
}

// DeleteWsIntegration: Forget the EPOS over a WebSocket.
func (c *Client) DeleteWsIntegration(ctx context.Context, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteWsIntegration", nil, nil, options)
	return err
}

// ReadServiceManagedIntegrations: Read what the operator of the service has set up.
func (c *Client) ReadServiceManagedIntegrations(ctx context.Context, options ...CallOption) ([]ServiceManagedIntegration, error) {
	return call[[]ServiceManagedIntegration](ctx, c, "readServiceManagedIntegrations", nil, nil, options)
}

// ReadGrpcIntegration: Read where the EPOS serves the pay-at-table contract over gRPC.
func (c *Client) ReadGrpcIntegration(ctx context.Context, options ...CallOption) ([]GrpcIntegration, error) {
	return call[[]GrpcIntegration](ctx, c, "readGrpcIntegration", nil, nil, options)
}

// PutGrpcIntegration: Register the EPOS at a gRPC address that is dialled.
func (c *Client) PutGrpcIntegration(ctx context.Context, body *NewGrpcIntegration, options ...CallOption) ([]GrpcIntegration, error) {
	return call[[]GrpcIntegration](ctx, c, "putGrpcIntegration", nil, body, options)
}

// DeleteGrpcIntegration: Forget the EPOS over gRPC and its credentials.
func (c *Client) DeleteGrpcIntegration(ctx context.Context, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteGrpcIntegration", nil, nil, options)
	return err
}

// ReportEposEvent: Report that an order, a party or a reservation has changed at the EPOS.
func (c *Client) ReportEposEvent(ctx context.Context, body *NewEposEvent, options ...CallOption) (*EposEvent, error) {
	return call[*EposEvent](ctx, c, "reportEposEvent", nil, body, options)
}

// ListEposConnections: List the connections that the EPOS has open now, newest first.
func (c *Client) ListEposConnections(ctx context.Context, options ...CallOption) ([]EposConnection, error) {
	return call[[]EposConnection](ctx, c, "listEposConnections", nil, nil, options)
}

// ListEposCalls: List the last calls to the EPOS, newest first.
func (c *Client) ListEposCalls(ctx context.Context, query *ListEposCallsQuery, options ...CallOption) ([]EposCallRecord, error) {
	return call[[]EposCallRecord](ctx, c, "listEposCalls", nil, query, options)
}

// ListTesterRuns: List the runs of the EPOS tester, newest first.
func (c *Client) ListTesterRuns(ctx context.Context, query *ListTesterRunsQuery, options ...CallOption) (*RunSummaryPage, error) {
	return call[*RunSummaryPage](ctx, c, "listTesterRuns", nil, query, options)
}

// IterateTesterRuns: List the runs of the EPOS tester, newest first, from page to page.
func (c *Client) IterateTesterRuns(query *ListTesterRunsQuery) *Pager[RunSummary] {
	return Iterate[RunSummary](c, "listTesterRuns", nil, query)
}

// ReadTesterRun: Read a run of the EPOS tester with its steps.
func (c *Client) ReadTesterRun(ctx context.Context, runId string, options ...CallOption) (*Run, error) {
	return call[*Run](ctx, c, "readTesterRun", []string{runId}, nil, options)
}

// SubmitOrder: Submit an order that is paid before the EPOS has it.
func (c *Client) SubmitOrder(ctx context.Context, body *NewOrderPlacement, options ...CallOption) (*OrderPlacement, error) {
	return call[*OrderPlacement](ctx, c, "submitOrder", nil, body, options)
}

// ListOrderPlacements: List the orders that were submitted with their payment, newest first.
func (c *Client) ListOrderPlacements(ctx context.Context, query *ListOrderPlacementsQuery, options ...CallOption) (*OrderPlacementPage, error) {
	return call[*OrderPlacementPage](ctx, c, "listOrderPlacements", nil, query, options)
}

// IterateOrderPlacements: List the orders that were submitted with their payment, newest first, from page to
// page.
func (c *Client) IterateOrderPlacements(query *ListOrderPlacementsQuery) *Pager[OrderPlacement] {
	return Iterate[OrderPlacement](c, "listOrderPlacements", nil, query)
}

// GetOrderPlacement: Read the state of an order that was submitted with its payment.
func (c *Client) GetOrderPlacement(ctx context.Context, placementId string, options ...CallOption) (*OrderPlacement, error) {
	return call[*OrderPlacement](ctx, c, "getOrderPlacement", []string{placementId}, nil, options)
}

// ListReservations: List reservations.
func (c *Client) ListReservations(ctx context.Context, query *ListReservationsQuery, options ...CallOption) (*ReservationPage, error) {
	return call[*ReservationPage](ctx, c, "listReservations", nil, query, options)
}

// IterateReservations: List reservations, from page to page.
func (c *Client) IterateReservations(query *ListReservationsQuery) *Pager[Reservation] {
	return Iterate[Reservation](c, "listReservations", nil, query)
}

// GetReservation: Read a reservation.
func (c *Client) GetReservation(ctx context.Context, reservationId string, options ...CallOption) (*Reservation, error) {
	return call[*Reservation](ctx, c, "getReservation", []string{reservationId}, nil, options)
}

// CreateReservation: Create a reservation.
func (c *Client) CreateReservation(ctx context.Context, body *NewReservation, options ...CallOption) (*Reservation, error) {
	return call[*Reservation](ctx, c, "createReservation", nil, body, options)
}

// UpdateReservation: Change a reservation.
func (c *Client) UpdateReservation(ctx context.Context, reservationId string, body *NewReservation, options ...CallOption) (*Reservation, error) {
	return call[*Reservation](ctx, c, "updateReservation", []string{reservationId}, body, options)
}

// DeleteReservation: Cancel a reservation.
func (c *Client) DeleteReservation(ctx context.Context, reservationId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteReservation", []string{reservationId}, nil, options)
	return err
}

// ListParties: List the parties at the tables.
func (c *Client) ListParties(ctx context.Context, query *ListPartiesQuery, options ...CallOption) (*PartyPage, error) {
	return call[*PartyPage](ctx, c, "listParties", nil, query, options)
}

// IterateParties: List the parties at the tables, from page to page.
func (c *Client) IterateParties(query *ListPartiesQuery) *Pager[Party] {
	return Iterate[Party](c, "listParties", nil, query)
}

// GetParty: Read a party.
func (c *Client) GetParty(ctx context.Context, partyId string, options ...CallOption) (*Party, error) {
	return call[*Party](ctx, c, "getParty", []string{partyId}, nil, options)
}

// CreateParty: Create a party.
func (c *Client) CreateParty(ctx context.Context, body *NewParty, options ...CallOption) (*Party, error) {
	return call[*Party](ctx, c, "createParty", nil, body, options)
}

// UpdateParty: Change a party.
func (c *Client) UpdateParty(ctx context.Context, partyId string, body *PartyChange, options ...CallOption) (*Party, error) {
	return call[*Party](ctx, c, "updateParty", []string{partyId}, body, options)
}

// DeleteParty: Delete a party.
func (c *Client) DeleteParty(ctx context.Context, partyId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteParty", []string{partyId}, nil, options)
	return err
}

// ListAreas: List the areas of the restaurant.
func (c *Client) ListAreas(ctx context.Context, options ...CallOption) ([]DiningArea, error) {
	return call[[]DiningArea](ctx, c, "listAreas", nil, nil, options)
}

// ListTables: List the tables of the restaurant.
func (c *Client) ListTables(ctx context.Context, query *ListTablesQuery, options ...CallOption) (*DiningTablePage, error) {
	return call[*DiningTablePage](ctx, c, "listTables", nil, query, options)
}

// IterateTables: List the tables of the restaurant, from page to page.
func (c *Client) IterateTables(query *ListTablesQuery) *Pager[DiningTable] {
	return Iterate[DiningTable](c, "listTables", nil, query)
}

// CreateApiKey: Create an API key of the same account and environment.
func (c *Client) CreateApiKey(ctx context.Context, body *NewApiKey, options ...CallOption) (*MadeApiKey, error) {
	return call[*MadeApiKey](ctx, c, "createApiKey", nil, body, options)
}

// ListApiKeys: List the API keys that work, newest first.
func (c *Client) ListApiKeys(ctx context.Context, options ...CallOption) ([]ApiKey, error) {
	return call[[]ApiKey](ctx, c, "listApiKeys", nil, nil, options)
}

// ChangeApiKey: Make an API key strict, or lenient.
func (c *Client) ChangeApiKey(ctx context.Context, keyId string, body *ApiKeyChange, options ...CallOption) (*ApiKey, error) {
	return call[*ApiKey](ctx, c, "changeApiKey", []string{keyId}, body, options)
}

// DeleteApiKey: Delete an API key for good.
func (c *Client) DeleteApiKey(ctx context.Context, keyId string, options ...CallOption) error {
	_, err := call[any](ctx, c, "deleteApiKey", []string{keyId}, nil, options)
	return err
}

// GetBranding: Read the look of the payment page.
func (c *Client) GetBranding(ctx context.Context, options ...CallOption) (*Branding, error) {
	return call[*Branding](ctx, c, "getBranding", nil, nil, options)
}

// ChangeBranding: Change the look of the payment page.
func (c *Client) ChangeBranding(ctx context.Context, body *BrandingChange, options ...CallOption) (*Branding, error) {
	return call[*Branding](ctx, c, "changeBranding", nil, body, options)
}

// AdvanceClock: Move the time of this sandbox account forward.
func (c *Client) AdvanceClock(ctx context.Context, body *ClockAdvance, options ...CallOption) (*Clock, error) {
	return call[*Clock](ctx, c, "advanceClock", nil, body, options)
}

// ReadSandboxEpos: Read whether the EPOS of the sandbox serves this account.
func (c *Client) ReadSandboxEpos(ctx context.Context, options ...CallOption) (*SandboxEpos, error) {
	return call[*SandboxEpos](ctx, c, "readSandboxEpos", nil, nil, options)
}

// PutSandboxEpos: Say whether the EPOS of the sandbox serves this account.
func (c *Client) PutSandboxEpos(ctx context.Context, body *NewSandboxEpos, options ...CallOption) (*SandboxEpos, error) {
	return call[*SandboxEpos](ctx, c, "putSandboxEpos", nil, body, options)
}

// ReadMailbox: List the mails that this sandbox account would have sent, newest first.
func (c *Client) ReadMailbox(ctx context.Context, query *ReadMailboxQuery, options ...CallOption) (*SandboxMailPage, error) {
	return call[*SandboxMailPage](ctx, c, "readMailbox", nil, query, options)
}

// IterateMailbox: List the mails that this sandbox account would have sent, newest first, from page to page.
func (c *Client) IterateMailbox(query *ReadMailboxQuery) *Pager[SandboxMail] {
	return Iterate[SandboxMail](c, "readMailbox", nil, query)
}
