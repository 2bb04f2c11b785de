// Code generated from the contract of the API; DO NOT EDIT. UPDATE_GOLDEN=1 and the test of the generator rewrite it.

package pos

// Reason is what a refusal names as its reason. A newer service may send others.
type Reason string

// The reasons of this release.
const (
	ReasonPathUnknown                  Reason = "path_unknown"
	ReasonMethodNotAllowed             Reason = "method_not_allowed"
	ReasonUnauthenticated              Reason = "unauthenticated"
	ReasonRateLimited                  Reason = "rate_limited"
	ReasonVersionInvalid               Reason = "version_invalid"
	ReasonPermissionMissing            Reason = "permission_missing"
	ReasonPartnerHeaderInvalid         Reason = "partner_header_invalid"
	ReasonPartnerNotRegistered         Reason = "partner_not_registered"
	ReasonMediaTypeUnsupported         Reason = "media_type_unsupported"
	ReasonBodyTooLarge                 Reason = "body_too_large"
	ReasonBodyMalformed                Reason = "body_malformed"
	ReasonIdempotencyKeyInvalid        Reason = "idempotency_key_invalid"
	ReasonIdempotencyKeyReused         Reason = "idempotency_key_reused"
	ReasonIdempotencyInProgress        Reason = "idempotency_in_progress"
	ReasonValidationFailed             Reason = "validation_failed"
	ReasonServiceUnavailable           Reason = "service_unavailable"
	ReasonCommitUnknown                Reason = "commit_unknown"
	ReasonAcquirerNotConfigured        Reason = "acquirer_not_configured"
	ReasonAcquirerLacksCapability      Reason = "acquirer_lacks_capability"
	ReasonAcquirerUnanswered           Reason = "acquirer_unanswered"
	ReasonClientSecretMissing          Reason = "client_secret_missing"
	ReasonClientSecretInvalid          Reason = "client_secret_invalid"
	ReasonPageOriginNotRegistered      Reason = "page_origin_not_registered"
	ReasonSubmissionsExhausted         Reason = "submissions_exhausted"
	ReasonPaymentOutcomeUnknown        Reason = "payment_outcome_unknown"
	ReasonAttemptNotFound              Reason = "attempt_not_found"
	ReasonSavedCardNotFound            Reason = "saved_card_not_found"
	ReasonSavedCardNotUsable           Reason = "saved_card_not_usable"
	ReasonSavedCardBusy                Reason = "saved_card_busy"
	ReasonSavedCardOfSetupIntent       Reason = "saved_card_of_setup_intent"
	ReasonPaymentIntentNotFound        Reason = "payment_intent_not_found"
	ReasonPaymentIntentUnknown         Reason = "payment_intent_unknown"
	ReasonPaymentIntentCanceled        Reason = "payment_intent_canceled"
	ReasonPaymentIntentBusy            Reason = "payment_intent_busy"
	ReasonPaymentIntentNotCancelable   Reason = "payment_intent_not_cancelable"
	ReasonPaymentIntentNotPayable      Reason = "payment_intent_not_payable"
	ReasonCurrencyNotEnabled           Reason = "currency_not_enabled"
	ReasonNotCapturable                Reason = "not_capturable"
	ReasonCaptureExceedsAuthorized     Reason = "capture_exceeds_authorized"
	ReasonCaptureRefused               Reason = "capture_refused"
	ReasonNotRefundable                Reason = "not_refundable"
	ReasonRefundExceedsCaptured        Reason = "refund_exceeds_captured"
	ReasonRefundRefused                Reason = "refund_refused"
	ReasonRefundNotFound               Reason = "refund_not_found"
	ReasonNotReversible                Reason = "not_reversible"
	ReasonReversalWindowPassed         Reason = "reversal_window_passed"
	ReasonReversalRefused              Reason = "reversal_refused"
	ReasonNotChargeable                Reason = "not_chargeable"
	ReasonChargeWithoutSetupIntent     Reason = "charge_without_setup_intent"
	ReasonChargeExceedsIntended        Reason = "charge_exceeds_intended"
	ReasonSetupIntentNotChargeable     Reason = "setup_intent_not_chargeable"
	ReasonAmountChangeNotEnabled       Reason = "amount_change_not_enabled"
	ReasonAmountNotChangeable          Reason = "amount_not_changeable"
	ReasonAmountNotRaised              Reason = "amount_not_raised"
	ReasonAmountRaiseRefused           Reason = "amount_raise_refused"
	ReasonTipsChangeNotEnabled         Reason = "tips_change_not_enabled"
	ReasonTipsNotChangeable            Reason = "tips_not_changeable"
	ReasonSecretNotRefreshable         Reason = "secret_not_refreshable"
	ReasonReceiptNotAvailable          Reason = "receipt_not_available"
	ReasonReceiptsExhausted            Reason = "receipts_exhausted"
	ReasonSetupIntentNotFound          Reason = "setup_intent_not_found"
	ReasonSetupIntentBusy              Reason = "setup_intent_busy"
	ReasonSetupIntentNotAuthorisable   Reason = "setup_intent_not_authorisable"
	ReasonSetupIntentNotCancelable     Reason = "setup_intent_not_cancelable"
	ReasonCustomerNotFound             Reason = "customer_not_found"
	ReasonTerminalNotFound             Reason = "terminal_not_found"
	ReasonTerminalUnavailable          Reason = "terminal_unavailable"
	ReasonTerminalSessionNotFound      Reason = "terminal_session_not_found"
	ReasonTerminalSessionNotCancelable Reason = "terminal_session_not_cancelable"
	ReasonSignatureNotAwaited          Reason = "signature_not_awaited"
	ReasonSubscriptionNotFound         Reason = "subscription_not_found"
	ReasonEventKindTaken               Reason = "event_kind_taken"
	ReasonSecretNotFound               Reason = "secret_not_found"
	ReasonSecretIsActive               Reason = "secret_is_active"
	ReasonSecretsExhausted             Reason = "secrets_exhausted"
	ReasonDeliveryNotFound             Reason = "delivery_not_found"
	ReasonDeliveryNotDeadLettered      Reason = "delivery_not_dead_lettered"
	ReasonEventKindNotSubscribed       Reason = "event_kind_not_subscribed"
	ReasonApiKeyNotFound               Reason = "api_key_not_found"
	ReasonApiKeysExhausted             Reason = "api_keys_exhausted"
	ReasonAttestationMissing           Reason = "attestation_missing"
	ReasonAccountDisabled              Reason = "account_disabled"
	ReasonSignInRefused                Reason = "sign_in_refused"
	ReasonPortalSessionMissing         Reason = "portal_session_missing"
	ReasonPasswordChangeNeeded         Reason = "password_change_needed"
	ReasonPasswordLocked               Reason = "password_locked"
	ReasonReauthenticationNeeded       Reason = "reauthentication_needed"
	ReasonCrossSiteRequest             Reason = "cross_site_request"
	ReasonAccountNotChosen             Reason = "account_not_chosen"
	ReasonSignInExpired                Reason = "sign_in_expired"
	ReasonSecondFactorRefused          Reason = "second_factor_refused"
	ReasonSecondFactorMissing          Reason = "second_factor_missing"
	ReasonSecondFactorRequired         Reason = "second_factor_required"
	ReasonPasskeyNotFound              Reason = "passkey_not_found"
	ReasonPasswordSignInOff            Reason = "password_sign_in_off"
	ReasonSecondPersonNeeded           Reason = "second_person_needed"
	ReasonSecondPersonRefused          Reason = "second_person_refused"
	ReasonFourEyesRequestUnknown       Reason = "four_eyes_request_unknown"
	ReasonFourEyesRequestDecided       Reason = "four_eyes_request_decided"
	ReasonFlowNotFound                 Reason = "flow_not_found"
	ReasonFlowRunsExhausted            Reason = "flow_runs_exhausted"
	ReasonPendingPaymentNotFound       Reason = "pending_payment_not_found"
	ReasonPendingPaymentNotDecidable   Reason = "pending_payment_not_decidable"
	ReasonDifferenceNotFound           Reason = "difference_not_found"
	ReasonDifferenceNotAnswerable      Reason = "difference_not_answerable"
	ReasonAlarmNotFound                Reason = "alarm_not_found"
	ReasonAlarmAnswered                Reason = "alarm_answered"
	ReasonLeaseNotFound                Reason = "lease_not_found"
	ReasonLeaseOver                    Reason = "lease_over"
	ReasonLeaseMoneyOpen               Reason = "lease_money_open"
	ReasonJourneyNotFound              Reason = "journey_not_found"
	ReasonJourneyOver                  Reason = "journey_over"
	ReasonJourneyBusy                  Reason = "journey_busy"
	ReasonJourneyMoneyOpen             Reason = "journey_money_open"
	ReasonJourneyNotMovable            Reason = "journey_not_movable"
	ReasonBillUnusable                 Reason = "bill_unusable"
	ReasonBillPaid                     Reason = "bill_paid"
	ReasonPartInvalid                  Reason = "part_invalid"
	ReasonPartExceedsOutstanding       Reason = "part_exceeds_outstanding"
	ReasonItemNotOnBill                Reason = "item_not_on_bill"
	ReasonItemShareTaken               Reason = "item_share_taken"
	ReasonTablePaymentIdReused         Reason = "table_payment_id_reused"
	ReasonCardTransactionUnusable      Reason = "card_transaction_unusable"
	ReasonOrderPlacementNotFound       Reason = "order_placement_not_found"
	ReasonOrderNotPlaceable            Reason = "order_not_placeable"
	ReasonEposCannotOrder              Reason = "epos_cannot_order"
	ReasonPaymentIntentHeldForOrder    Reason = "payment_intent_held_for_order"
	ReasonPaymentIntentIsDeposit       Reason = "payment_intent_is_deposit"
	ReasonReservationNotFound          Reason = "reservation_not_found"
	ReasonPartyNotFound                Reason = "party_not_found"
	ReasonBookingRefused               Reason = "booking_refused"
	ReasonEposCannotBook               Reason = "epos_cannot_book"
	ReasonEposUnreachable              Reason = "epos_unreachable"
	ReasonEposUnanswered               Reason = "epos_unanswered"
	ReasonRequestMalformed             Reason = "request_malformed"
	ReasonRequestTimeout               Reason = "request_timeout"
	ReasonHeaderFieldsTooLarge         Reason = "header_fields_too_large"
	ReasonInternalError                Reason = "internal_error"
)

// ActionLink is an object of the API.
type ActionLink struct {
	// Absolute address that the link opens.
	URL string `json:"url"`

	// Text of the link for the payer.
	Label string `json:"label"`

	// Name of the saved file when `action` is `DownloadFile`.
	FileName *string `json:"fileName,omitempty"`

	// `OpenLink` opens the address; `DownloadFile` saves what it returns. One of `OpenLink`, `DownloadFile`.
	Action string `json:"action"`
}

// Address is an object of the API.
type Address struct {
	// First line: house number and street.
	Address1 *string `json:"address1,omitempty"`

	// Second line, such as a flat or a building.
	Address2 *string `json:"address2,omitempty"`

	// Third line, where two are not enough.
	Address3 *string `json:"address3,omitempty"`

	// Fourth line, where three are not enough.
	Address4 *string `json:"address4,omitempty"`

	// Town or city.
	City *string `json:"city,omitempty"`

	// State or province, where the country has them.
	State *string `json:"state,omitempty"`

	// Village or district within the city.
	Locality *string `json:"locality,omitempty"`

	// County, where addresses of the country name one.
	County *string `json:"county,omitempty"`

	// Postal code as it is written in the country. Address checks of the issuer compare it.
	Postcode *string `json:"postcode,omitempty"`

	// ISO 3166-1 alpha-2 code of the country, such as `GB`; read in any case, written in capitals.
	CountryCode string `json:"countryCode"`
}

// Alarm is an object of the API.
type Alarm struct {
	// UUID of the alarm.
	AlarmID string `json:"alarmId"`

	// What is wrong; the page about pending payments and alarms explains each kind. One of `AcquirerCallOpen`,
	// `AcquirerAccessRefused`, `AcquirerAnswerContradicted`, `MoneyNotReturned`, `AuthorisationUntraceable`,
	// `MachineApprovalNotBooked`, `MachineApprovalDiffers`, `MachineApprovalIncomplete`,
	// `MachineApprovalUnreadable`, `MachineContradictsApproval`, `MachineReportsMissing`, `RefundToOtherCard`,
	// `RecordNotProved`, `SettlementOverdue`, `AcquirerBooksUnread`.
	Kind string `json:"kind"`

	// The reference or id that the alarm is about.
	Subject string `json:"subject"`

	// What happened, and what to check.
	Message string `json:"message"`

	// Facts of this kind of alarm; amounts are minor units.
	Details map[string]any `json:"details"`

	// When the alarm was raised.
	CreatedAt string `json:"createdAt"`

	// `Unanswered` until an operator has answered it, or the service because its cause has ended. One of
	// `Unanswered`, `Answered`.
	State string `json:"state"`

	// What the operator said, with whose key, and when.
	Answer *AlarmAnswerObject `json:"answer,omitempty"`
}

// AlarmAnswer is an object of the API.
type AlarmAnswer struct {
	// What was checked; kept in the audit log.
	Note string `json:"note"`
}

// What the operator said, with whose key, and when.
type AlarmAnswerObject struct {
	// What the operator has checked and done, or what has ended.
	Note string `json:"note"`

	// Id of the API key (`key_…`) that answered; `service` if the cause ended and the service answered itself.
	KeyID string `json:"keyId"`

	// When it was answered.
	AnsweredAt string `json:"answeredAt"`
}

// AlarmPage is an object of the API.
type AlarmPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []Alarm `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// ApiKey is an object of the API.
type ApiKey struct {
	// Id of the record (`key_…`), not the key itself.
	ID string `json:"id"`

	// Account that the key belongs to (`acc_…`).
	AccountID string `json:"accountId"`

	// Environment that every request with the key reaches. One of `sandbox`, `production`.
	Environment string `json:"environment"`

	// The name that people gave it.
	Label string `json:"label"`

	// What the key may do. A role is stored as the list it had when the key was created.
	Permissions []string `json:"permissions"`

	// True: requests that move money are refused with 400 if they have a member that the service does not know.
	// False: the header `warnings` of the answer names it. Keys of before this setting have false.
	Strict bool `json:"strict"`

	// The first characters of its text, which name the environment.
	Prefix string `json:"prefix"`

	// The last four characters of its text, to distinguish keys.
	Last4 string `json:"last4"`

	// When the key was created.
	CreatedAt string `json:"createdAt"`

	// To the minute.
	LastUsedAt *string `json:"lastUsedAt,omitempty"`
}

// ApiKeyChange is an object of the API.
type ApiKeyChange struct {
	// Whether requests of the key that move money are refused if they have an unknown member. False: the header
	// `warnings` of the answer names it.
	Strict bool `json:"strict"`
}

// BookingEvent is an object of the API.
type BookingEvent struct {
	// Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it.
	ID string `json:"id"`

	// Account in which it happened (`acc_…`).
	AccountID string `json:"accountId"`

	// When it happened.
	CreatedAt string `json:"createdAt"`

	// The kind of event. One of `reservation.updated`, `party.updated`.
	Event string `json:"event"`

	// What was created, changed or deleted. Read it again; one that is not found any more was deleted.
	Data BookingEventData `json:"data"`
}

// What was created, changed or deleted. Read it again; one that is not found any more was deleted.
type BookingEventData struct {
	// Id of the reservation at the EPOS; with `reservation.updated` only.
	ReservationID *string `json:"reservationId,omitempty"`

	// Id of the party at the EPOS; with `party.updated` only.
	PartyID *string `json:"partyId,omitempty"`
}

// Branding is an object of the API.
type Branding struct {
	// The https address of the logo; null: none.
	LogoURL *string `json:"logoUrl"`

	// The https address of the icon of the browser tab; null: none.
	FaviconURL *string `json:"faviconUrl"`

	// The colour of the button, `#0b57d0`; null: that of the service.
	AccentColor *string `json:"accentColor"`

	// The kind of letters; null: the font of the system.
	Font *string `json:"font"`

	// Read-only: the colours that the page derives from `accentColor`; null without one.
	Colors *BrandingColors `json:"colors"`
}

// A member that is not sent stays as it is. In production null removes it; in a sandbox null restores the
// value of production.
type BrandingChange struct {
	// The https address of the logo; null: none.
	LogoURL *Nullable[string] `json:"logoUrl,omitempty"`

	// The https address of the icon of the browser tab; null: none.
	FaviconURL *Nullable[string] `json:"faviconUrl,omitempty"`

	// The colour of the button, `#0b57d0`; null: that of the service.
	AccentColor *Nullable[string] `json:"accentColor,omitempty"`

	// The kind of letters; null: the font of the system.
	Font *Nullable[string] `json:"font,omitempty"`
}

// BrandingColors is an object of the API.
type BrandingColors struct {
	// The button: black or white on `accentColor`.
	Button ColorPair `json:"button"`

	// Links and outlines on light pages: `accentColor`, darkened until it can be read.
	LightLink ColorPair `json:"lightLink"`

	// Links and outlines on dark pages: `accentColor`, lightened until it can be read.
	DarkLink ColorPair `json:"darkLink"`
}

// CancelSetupIntentQuery is an object of the API.
type CancelSetupIntentQuery struct {
	// Also when a card is authorised; without it that is a conflict.
	IncludeAuthorized *bool `json:"includeAuthorized,omitempty"`
}

// Capture is an object of the API.
type Capture struct {
	// Id of the capture (`cp_…`).
	ID string `json:"id"`

	// Captured minor units without the tip, in the currency of the payment.
	Amount int64 `json:"amount"`

	// Captured tip in minor units, on top of `amount`; 0 without one.
	TipsAmount int64 `json:"tipsAmount"`

	// `Created` until the acquirer answers; then `Successful`, `Declined` or `Failed`. Only successful captures
	// moved money. One of `Created`, `Successful`, `Declined`, `Failed`.
	Status string `json:"status"`

	// When the capture was requested.
	CreatedAt string `json:"createdAt"`
}

// CaptureResult is an object of the API.
type CaptureResult struct {
	// Id of the capture (`cp_…`); also in `captures` of the intent.
	CaptureID string `json:"captureId"`

	// Always `DEPOSITED`: the acquirer has accepted the capture. One of `DEPOSITED`.
	Message string `json:"message"`
}

// Card is an object of the API.
type Card struct {
	// First 8 digits, `****`, last 4. Asterisks replace digits that are not known, or that must not be displayed
	// because the number may have fewer than 16. Empty when the card machine or the acquirer sent no readable
	// mask.
	CardNumber string `json:"cardNumber"`

	// Empty when they were not sent in a readable form.
	Last4PAN string `json:"last4PAN"`

	// Name on the card, as the payer entered it or the machine read it; absent when it is not known.
	CardName *string `json:"cardName,omitempty"`

	// Last day of the expiry month.
	ExpiryDate *string `json:"expiryDate,omitempty"`

	// Scheme of the card in capitals, such as `VISA`; `UNKNOWN` when its label is not known.
	CardType string `json:"cardType"`

	// How the card is funded, as the acquirer reports it; `Unknown` when it does not. One of `Unknown`, `Debit`,
	// `Credit`, `Charge`, `Prepaid`.
	CardFundingType string `json:"cardFundingType"`

	// How the card was read, as the machine reports it; `Unknown` for payments online. One of `Contactless`,
	// `ContactChip`, `Magstripe`, `ManualEntry`, `Unknown`.
	EntryMode string `json:"entryMode"`

	// How the cardholder proved their identity at the machine; `None` online. One of `Pin`, `Signature`,
	// `Device`, `None`.
	VerificationMethod string `json:"verificationMethod"`
}

// ChargeResult is an object of the API.
type ChargeResult struct {
	// Id of the payment intent (`pi_…`) that was charged.
	PaymentIntentID string `json:"paymentIntentId"`

	// How the charge has ended. `Created` is not sent any more: an outcome that is not known yet is the answer
	// 504. One of `Successful`, `Declined`, `Failed`, `Created`.
	Status string `json:"status"`

	// Outcome in the words of `paymentDetails.message`, such as `DEPOSITED` or `DECLINED`.
	Message string `json:"message"`
}

// CheckoutConfig is an object of the API.
type CheckoutConfig struct {
	// Heading of the payment page, if one was sent.
	Title *string `json:"title,omitempty"`

	// Where the page sends the payer after the payment, if an address was sent.
	RedirectURL *string `json:"redirectUrl,omitempty"`

	// Where the page sends a payer who leaves without paying, if an address was sent.
	CancelURL *string `json:"cancelUrl,omitempty"`

	// Whether the page asks for an e-mail address.
	CustomerEmail CheckoutConfigCustomerEmail `json:"customerEmail"`

	// Whether the page asks for the billing address.
	BillingAddress CheckoutConfigBillingAddress `json:"billingAddress"`

	// Whether the page asks for a delivery address.
	ShippingDetails CheckoutConfigShippingDetails `json:"shippingDetails"`

	// What the page displays about the payment.
	Details CheckoutConfigDetails `json:"details"`

	// Which amounts may change before the payment.
	Payment CheckoutConfigPayment `json:"payment"`

	// The look of the merchant’s pages, from the settings of the account.
	Branding CheckoutConfigBranding `json:"branding"`

	// Name of the merchant as payers know it, from the settings of the account.
	TradingName string `json:"tradingName"`
}

// Whether the page asks for the billing address.
type CheckoutConfigBillingAddress struct {
	// Whether the payer must enter it to pay.
	CollectionRequired bool `json:"collectionRequired"`
}

// The look of the merchant’s pages, from the settings of the account.
type CheckoutConfigBranding struct {
	// Address of the logo; absent when the account has none.
	LogoURL *string `json:"logoUrl,omitempty"`

	// Address of the small icon of the browser tab; absent when the account has none.
	FaviconURL *string `json:"faviconUrl,omitempty"`

	// The colour of the button, `#0b57d0`.
	AccentColor *string `json:"accentColor,omitempty"`

	// The kind of letters of the page; the font of the system when absent. One of `sans`, `humanist`,
	// `geometric`, `rounded`, `serif`.
	Font *string `json:"font,omitempty"`
}

// Whether the page asks for an e-mail address.
type CheckoutConfigCustomerEmail struct {
	// Whether the payer must enter it to pay.
	CollectionRequired bool `json:"collectionRequired"`
}

// What the page displays about the payment.
type CheckoutConfigDetails struct {
	// Whether the page displays the total.
	ShowTotal bool `json:"showTotal"`

	// Whether the page displays `reference`.
	ShowReference bool `json:"showReference"`
}

// Which amounts may change before the payment.
type CheckoutConfigPayment struct {
	// Whether the amount can be changed before the payment.
	CustomAmountAllowed bool `json:"customAmountAllowed"`

	// Whether the tip can be changed.
	TipsAllowed bool `json:"tipsAllowed"`

	// Whether the amount can be raised while the payment is held.
	HoldRaiseAllowed bool `json:"holdRaiseAllowed"`
}

// Whether the page asks for a delivery address.
type CheckoutConfigShippingDetails struct {
	// Whether the payer must enter it to pay.
	CollectionRequired bool `json:"collectionRequired"`
}

// Clock is an object of the API.
type Clock struct {
	// The time of this account after the advance.
	Now string `json:"now"`
}

// ClockAdvance is an object of the API.
type ClockAdvance struct {
	// How far to move, as `hh:mm:ss` or `d.hh:mm:ss`; more than zero and at most 366 days.
	By string `json:"by"`
}

// ColorPair is an object of the API.
type ColorPair struct {
	// The colour below the text.
	Background string `json:"background"`

	// The colour of the text.
	Text string `json:"text"`

	// The contrast of the two as WCAG 2.2 defines it, rounded down to two decimals; at least 4.5.
	Contrast float64 `json:"contrast"`
}

// Customer is an object of the API.
type Customer struct {
	// Id of the customer: `cust_sandbox_…` in the sandbox, `cust_…` in production.
	ID string `json:"id"`

	// Name of the person or company, if it is known.
	Name *string `json:"name,omitempty"`

	// E-mail address, if it is known.
	EmailAddress *string `json:"emailAddress,omitempty"`

	// Phone number, if it is known.
	PhoneNumber *string `json:"phoneNumber,omitempty"`

	// VAT number, if it is known.
	VatNumber *string `json:"vatNumber,omitempty"`

	// Address of invoices, if it is known.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Address of deliveries, if it is known.
	ShippingAddress *Address `json:"shippingAddress,omitempty"`

	// When the customer was created.
	CreatedAt string `json:"createdAt"`

	// When the customer was changed last.
	UpdatedAt string `json:"updatedAt"`

	// 0 at creation, one more with each change.
	DocumentVersion int64 `json:"documentVersion"`
}

// A member that is not sent stays as it is; null removes it. An address is replaced as a whole.
type CustomerChange struct {
	// The new name; null removes it.
	Name *Nullable[string] `json:"name,omitempty"`

	// The new e-mail address; null removes it.
	EmailAddress *Nullable[string] `json:"emailAddress,omitempty"`

	// The new phone number; null removes it.
	PhoneNumber *Nullable[string] `json:"phoneNumber,omitempty"`

	// The new VAT number; null removes it.
	VatNumber *Nullable[string] `json:"vatNumber,omitempty"`

	// The new address of invoices, as a whole; null removes it.
	BillingAddress *Nullable[Address] `json:"billingAddress,omitempty"`

	// The new address of deliveries, as a whole; null removes it.
	ShippingAddress *Nullable[Address] `json:"shippingAddress,omitempty"`
}

// CustomerPage is an object of the API.
type CustomerPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []Customer `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// CustomerSearch is an object of the API.
type CustomerSearch struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`

	// Only customers whose name begins with this text, ignoring case.
	Name *string `json:"name,omitempty"`

	// Only customers whose e-mail address begins with this text, ignoring case. Cannot be sent with `name`.
	EmailAddress *string `json:"emailAddress,omitempty"`
}

// CustomerSecret is an object of the API.
type CustomerSecret struct {
	// For the app of this customer; usable repeatedly until it expires.
	Secret string `json:"secret"`

	// When the secret was created.
	CreatedAt string `json:"createdAt"`

	// 15 minutes later.
	ExpireAt string `json:"expireAt"`
}

// Delivery is an object of the API.
type Delivery struct {
	// Id of the delivery (`dlv_…`), also in the header `delivery-id`.
	ID string `json:"id"`

	// Id of the event (`evt_…`) that is delivered.
	EventID string `json:"eventId"`

	// The kind of event. One of `payment_intent.created`, `payment_intent.status_updated`,
	// `payment_intent.send-receipt`, `terminal_session.created`, `terminal_session.status_updated`,
	// `terminal_session.signature_verification_required`, `terminal_session.notification`,
	// `payment_intent.amount_captured`, `payment_intent.amount_refunded`, `payment_intent.charge_failed`,
	// `reservation.updated`, `party.updated`.
	Event string `json:"event"`

	// `Held` while the subscription is paused; `DeadLettered` after the last attempt. One of `Pending`, `Held`,
	// `Delivered`, `DeadLettered`.
	State string `json:"state"`

	// The number of attempts so far; a replay starts at 0.
	Attempts int64 `json:"attempts"`

	// When the next attempt is due; absent when there is none.
	NextAttemptAt *string `json:"nextAttemptAt,omitempty"`

	// HTTP status of the last attempt that was answered.
	LastStatus *int64 `json:"lastStatus,omitempty"`

	// Why the last attempt failed; absent after a success and before the first attempt.
	LastError *string `json:"lastError,omitempty"`

	// When the delivery was queued.
	CreatedAt string `json:"createdAt"`

	// When the delivery changed last.
	UpdatedAt string `json:"updatedAt"`
}

// One attempt to deliver an event.
type DeliveryAttempt struct {
	// Number of the attempt in its series, from 1; a replay starts a new series.
	Number int64 `json:"number"`

	// When the attempt began.
	At string `json:"at"`

	// Refused: answered with a status below 500 that is no success. Failed: not answered, or 5xx. One of
	// `Succeeded`, `Refused`, `Failed`.
	Outcome string `json:"outcome"`

	// HTTP status of the answer; absent where there was none.
	Status *int64 `json:"status,omitempty"`

	// Why the attempt failed; absent after a success.
	Error *string `json:"error,omitempty"`

	// How long the attempt took, in milliseconds.
	TookMs int64 `json:"tookMs"`

	// The trace of the attempt: 32 hex digits.
	TraceID string `json:"traceId"`

	// The first 200 characters of the answer of the receiver; absent for an empty answer, and for one that looks
	// like a secret or a card number.
	Answer *string `json:"answer,omitempty"`
}

// DeliveryDetails is an object of the API.
type DeliveryDetails struct {
	// Id of the delivery (`dlv_…`), also in the header `delivery-id`.
	ID string `json:"id"`

	// Id of the event (`evt_…`) that is delivered.
	EventID string `json:"eventId"`

	// The kind of event. One of `payment_intent.created`, `payment_intent.status_updated`,
	// `payment_intent.send-receipt`, `terminal_session.created`, `terminal_session.status_updated`,
	// `terminal_session.signature_verification_required`, `terminal_session.notification`,
	// `payment_intent.amount_captured`, `payment_intent.amount_refunded`, `payment_intent.charge_failed`,
	// `reservation.updated`, `party.updated`.
	Event string `json:"event"`

	// `Held` while the subscription is paused; `DeadLettered` after the last attempt. One of `Pending`, `Held`,
	// `Delivered`, `DeadLettered`.
	State string `json:"state"`

	// The number of attempts so far; a replay starts at 0.
	Attempts int64 `json:"attempts"`

	// When the next attempt is due; absent when there is none.
	NextAttemptAt *string `json:"nextAttemptAt,omitempty"`

	// HTTP status of the last attempt that was answered.
	LastStatus *int64 `json:"lastStatus,omitempty"`

	// Why the last attempt failed; absent after a success and before the first attempt.
	LastError *string `json:"lastError,omitempty"`

	// When the delivery was queued.
	CreatedAt string `json:"createdAt"`

	// When the delivery changed last.
	UpdatedAt string `json:"updatedAt"`

	// The body of every attempt. It is sent as compact JSON.
	Body any `json:"body"`

	// The attempts, newest first, 100 at most. Attempts are kept for the time that the operator has set, so
	// there may be fewer than `attempts`.
	History []DeliveryAttempt `json:"history"`
}

// DeliveryLink is an object of the API.
type DeliveryLink struct {
	// The path of the page. Append it to the address of the portal. Everybody who has it can read the page.
	Path string `json:"path"`

	// When the link ends, by real time also in a sandbox.
	ExpiresAt string `json:"expiresAt"`
}

// DeliveryPage is an object of the API.
type DeliveryPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []Delivery `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// DifferenceAnswer is an object of the API.
type DifferenceAnswer struct {
	// Why; kept in the audit log.
	Note string `json:"note"`
}

// DiningArea is an object of the API.
type DiningArea struct {
	// Id of the area at the EPOS.
	ID string `json:"id"`

	// Name of the area, as staff know it.
	Name string `json:"name"`

	// Ids of the waiters who serve the area.
	WaiterIDs []string `json:"waiterIds,omitempty"`
}

// DiningTable is an object of the API.
type DiningTable struct {
	// Id of the table at the EPOS; bookings and orders name their tables by it.
	ID string `json:"id"`

	// Name of the table, unique in its area.
	Name string `json:"name"`

	// How many people the table has room for.
	MaxCovers *int64 `json:"maxCovers,omitempty"`

	// Id of the area where the table is.
	AreaID *string `json:"areaId,omitempty"`

	// Ids of the waiters who serve the table.
	WaiterIDs []string `json:"waiterIds,omitempty"`
}

// DiningTablePage is an object of the API.
type DiningTablePage struct {
	// The elements of this page, in the order of the EPOS.
	Data []DiningTable `json:"data"`

	// Cursor of the previous page; null when there is none.
	Before *string `json:"before"`

	// Cursor of the next page; null when there is none.
	After *string `json:"after"`

	// How many elements of the page were left out because they cannot be read; absent when all can.
	UnreadableCount *int64 `json:"unreadableCount,omitempty"`
}

// The password is never returned.
type EposAuth struct {
	// Always `basic`: HTTP Basic authentication. One of `basic`.
	AuthType string `json:"authType"`

	// The credentials, without the password.
	Basic EposAuthBasic `json:"basic"`
}

// The credentials, without the password.
type EposAuthBasic struct {
	// User name that the service sends to the EPOS.
	Username string `json:"username"`
}

// EposCallRecord is an object of the API.
type EposCallRecord struct {
	// Id of the entry; its form has no meaning.
	ID string `json:"id"`

	// The call.
	Name string `json:"name"`

	// When it began.
	At string `json:"at"`

	// How the call ended: done, refused by the EPOS, or failed. One of `Succeeded`, `Refused`, `Failed`.
	Outcome string `json:"outcome"`

	// How long it took, in milliseconds.
	TookMs int64 `json:"tookMs"`

	// The trace of the request that caused the call: 32 hex digits.
	TraceID string `json:"traceId"`

	// How the EPOS was called; absent when there was no route.
	Transport *string `json:"transport,omitempty"`

	// The HTTP status of the answer, where there is one.
	Status *int64 `json:"status,omitempty"`

	// The code of the refusal, or why it failed.
	Reason *string `json:"reason,omitempty"`

	// The session at a table or the order that it is about.
	SubjectID *string `json:"subjectId,omitempty"`

	// The members of the answer that could not be read; absent when all could.
	UnreadableMembers []EposUnreadableMember `json:"unreadableMembers,omitempty"`
}

// Name and version as they were sent.
type EposCapability struct {
	// Name of the capability as it was registered. One of `ListAreas`, `SearchTables`, `CreateOrder`,
	// `GetOrderById`, `CancelOrderById`, `SearchOrders`, `CreateOrderLock`, `ExtendOrderLock`,
	// `DeleteOrderLock`, `GetOrderBillById`, `RecordOrderPaymentById`, `CreateParty`, `GetPartyById`,
	// `UpdateParty`, `DeletePartyById`, `SearchParties`, `CreateReservation`, `GetReservationById`,
	// `UpdateReservation`, `DeleteReservationById`, `SearchReservations`, `HandleEvent:payment_intent.created`,
	// `HandleEvent:payment_intent.status_updated`, `GetOrderBill`, `RecordOrderPayment`, `UpdatePartyById`,
	// `UpdateReservationById`.
	Name string `json:"name"`

	// Version as it was registered; both spellings mean the same. One of `v1`, `1.0.0`.
	Version string `json:"version"`

	// When the capability was registered.
	UpdatedAt string `json:"updatedAt"`
}

// EposConnection is an object of the API.
type EposConnection struct {
	// `stream`: the gRPC stream of the pay-at-table contract. `socket`: its WebSocket. `dataSocket`: the
	// WebSocket of the EPOS Data API. One of `stream`, `socket`, `dataSocket`.
	Transport string `json:"transport"`

	// When the EPOS opened the connection.
	OpenedAt string `json:"openedAt"`

	// When the EPOS last sent something on it.
	SeenAt string `json:"seenAt"`
}

// EposCustomer is an object of the API.
type EposCustomer struct {
	// Id of the customer; its form has no meaning.
	ID *string `json:"id,omitempty"`

	// E-mail address of the customer.
	EmailAddress *string `json:"emailAddress,omitempty"`

	// Phone number of the customer.
	PhoneNumber *string `json:"phoneNumber,omitempty"`

	// Name of the customer.
	Name *string `json:"name,omitempty"`
}

// EposDiscount is an object of the API.
type EposDiscount struct {
	// Text of the discount on the bill.
	Name string `json:"name"`

	// The amount of the whole discount.
	AmountTotal EposMoney `json:"amountTotal"`

	// Two decimals are implied: 25.1 % is 2510.
	AmountPercentage *int64 `json:"amountPercentage,omitempty"`

	// Empty: the whole order.
	AffectedPlu []string `json:"affectedPlu,omitempty"`

	// Reference of the discount at the EPOS.
	DiscountReference *string `json:"discountReference,omitempty"`

	// The code that the customer entered for the discount.
	Code *string `json:"code,omitempty"`
}

// EposEvent is an object of the API.
type EposEvent struct {
	// What has changed at the EPOS; decides which id `event` has. One of `OrderUpdated`, `PartyUpdated`,
	// `ReservationUpdated`.
	EventType string `json:"eventType"`

	// The id of what has changed.
	Event EposEventEvent `json:"event"`
}

// The id of what has changed.
type EposEventEvent struct {
	// Id of the order at the EPOS.
	OrderID *string `json:"orderId,omitempty"`

	// Id of the party at the EPOS.
	PartyID *string `json:"partyId,omitempty"`

	// Id of the reservation at the EPOS.
	ReservationID *string `json:"reservationId,omitempty"`
}

// EposEventReplay is an object of the API.
type EposEventReplay struct {
	// Inclusive, by `createdAt` of the event.
	From *string `json:"from,omitempty"`

	// Exclusive; now when not sent.
	To *string `json:"to,omitempty"`

	// The reason; stored in the audit log.
	Note string `json:"note"`
}

// EposIntegrations is an object of the API.
type EposIntegrations struct {
	// The EPOS that is called over REST: one element, or none.
	RestIntegrations []RestIntegration `json:"restIntegrations"`

	// The EPOS that opens a WebSocket: one element, or none.
	WsIntegrations []WsIntegration `json:"wsIntegrations"`

	// What the operator of the service has set up: one element, or none.
	ServiceManagedIntegrations []ServiceManagedIntegration `json:"serviceManagedIntegrations"`

	// The EPOS that is called over gRPC: one element, or none.
	GrpcIntegrations []GrpcIntegration `json:"grpcIntegrations"`
}

// EposItem is an object of the API.
type EposItem struct {
	// Text of the item on the bill.
	Name string `json:"name"`

	// How many of the item were ordered.
	Quantity int64 `json:"quantity"`

	// Price look-up number: the item in the catalogue of the EPOS.
	Plu string `json:"plu"`

	// Before modifiers, sub-items and discounts.
	AmountPerItem EposMoney `json:"amountPerItem"`

	// Instructions for the kitchen.
	Note *string `json:"note,omitempty"`

	// Changes to the item that have a price of their own.
	Modifiers []EposModifier `json:"modifiers,omitempty"`

	// Items that belong to this one, such as the courses of a menu. They have no sub-items of their own.
	SubItems []EposItemSubItem `json:"subItems,omitempty"`
}

// EposItemSubItem is an object of the API.
type EposItemSubItem struct {
	// Text of the item on the bill.
	Name string `json:"name"`

	// How many of the item were ordered.
	Quantity int64 `json:"quantity"`

	// Price look-up number: the item in the catalogue of the EPOS.
	Plu string `json:"plu"`

	// Before modifiers, sub-items and discounts.
	AmountPerItem EposMoney `json:"amountPerItem"`

	// Instructions for the kitchen.
	Note *string `json:"note,omitempty"`

	// Changes to the item that have a price of their own.
	Modifiers []EposModifier `json:"modifiers,omitempty"`
}

// The quantity is that of a single item. The service writes its price as `amountPerItem` and, with the same
// value, as `amountPerModifier`; it reads either.
type EposModifier struct {
	// Text of the modifier on the bill.
	Name string `json:"name"`

	// How many of the modifier one item has.
	Quantity int64 `json:"quantity"`

	// Price look-up number of the modifier at the EPOS.
	Plu string `json:"plu"`

	// Price of one modifier; negative for a discount.
	AmountPerItem EposMoney `json:"amountPerItem"`
}

// EposMoney is an object of the API.
type EposMoney struct {
	// Whole minor units.
	Value int64 `json:"value"`

	// ISO 4217 code, such as `GBP` or `EUR`.
	CurrencyCode string `json:"currencyCode"`
}

// EposOrderDetails is an object of the API.
type EposOrderDetails struct {
	// `DineIn` is served at a table, `Collection` is collected. One of `DineIn`, `Collection`.
	OrderType string `json:"orderType"`

	// Present for `DineIn`: where the order is served.
	DineIn *EposOrderDetailsDineIn `json:"dineIn,omitempty"`

	// Present for `Collection`: when the order is collected.
	Collection *EposOrderDetailsCollection `json:"collection,omitempty"`
}

// Present for `Collection`: when the order is collected.
type EposOrderDetailsCollection struct {
	// True: as soon as possible. Otherwise `collectAt` counts.
	Asap *bool `json:"asap,omitempty"`

	// When the customer collects the order.
	CollectAt *string `json:"collectAt,omitempty"`
}

// Present for `DineIn`: where the order is served.
type EposOrderDetailsDineIn struct {
	// Id of the table at the EPOS.
	TableID *string `json:"tableId,omitempty"`

	// Id of the waiter, as it is typed.
	WaiterID *string `json:"waiterId,omitempty"`

	// Id of the party at the EPOS.
	PartyID *string `json:"partyId,omitempty"`

	// Id of the reservation at the EPOS.
	ReservationID *string `json:"reservationId,omitempty"`

	// When the order is wanted at the table.
	ReadyAt *string `json:"readyAt,omitempty"`
}

// EposTaxLine is an object of the API.
type EposTaxLine struct {
	// The amount of the tax.
	AmountTotal EposMoney `json:"amountTotal"`

	// Id of the tax at the EPOS.
	ID *string `json:"id,omitempty"`

	// Name of the tax on the bill, such as “VAT”.
	Name *string `json:"name,omitempty"`

	// Two decimals are implied: 25.1 % is 2510.
	AmountPercentage *int64 `json:"amountPercentage,omitempty"`

	// Price look-up numbers of the taxed items; empty or absent for the whole order.
	AffectedPlu []string `json:"affectedPlu,omitempty"`
}

// EposUnreadableMember is an object of the API.
type EposUnreadableMember struct {
	// The id of the order, session or table, or its place in the list, such as `[3]`.
	Element string `json:"element"`

	// The member, such as `items[0].quantity`; empty for the whole element.
	Member string `json:"member"`

	// The clause of the contract that it breaks, as the EPOS tester names it.
	Clause string `json:"clause"`

	// Why the member cannot be read.
	Problem string `json:"problem"`

	// True: the element cannot be shown or paid because of it.
	Skipped bool `json:"skipped"`
}

// ErrorGroups is an object of the API.
type ErrorGroups struct {
	// The groups, largest first.
	Data []ErrorGroupsData `json:"data"`

	// False: only the newest 50,000 errors of the period are counted, or only the 100 largest groups are listed.
	IsComplete bool `json:"isComplete"`
}

// ErrorGroupsData is an object of the API.
type ErrorGroupsData struct {
	// The operation.
	Name string `json:"name"`

	// The HTTP status of the answers.
	Status *int64 `json:"status,omitempty"`

	// The code of the refusal.
	Reason *string `json:"reason,omitempty"`

	// How many requests of the period are in the group.
	Count int64 `json:"count"`

	// When the newest of them began.
	LastAt string `json:"lastAt"`

	// The trace of the newest of them.
	LastTraceID string `json:"lastTraceId"`
}

// EventModel is an object of the API.
type EventModel struct {
	// What the events are about. One of `PaymentIntent`, `TerminalSession`, `Booking`.
	Model string `json:"model"`

	// The kinds that a subscription may name.
	Events []string `json:"events"`
}

// GroupErrorsQuery is an object of the API.
type GroupErrorsQuery struct {
	// Inclusive; a day before the end when not sent.
	From *string `json:"from,omitempty"`

	// Exclusive; now when not sent.
	To *string `json:"to,omitempty"`
}

// An EPOS that serves the pay-at-table contract over gRPC.
type GrpcIntegration struct {
	// Address at which the EPOS serves gRPC, as `https://host:port`.
	URL string `json:"url"`

	// How the service authenticates itself at the EPOS.
	Auth EposAuth `json:"auth"`

	// When it was registered.
	CreatedAt string `json:"createdAt"`
}

// Health is an object of the API.
type Health struct {
	// Always `ok`; a process that is not ready answers a problem instead. One of `ok`.
	Status string `json:"status"`

	// The release of the service that answers.
	Release string `json:"release"`
}

// `customerId` and `id` are equal.
type IntentCustomer struct {
	// Id of the stored customer (`cust_…`); absent when the intent names none.
	CustomerID *string `json:"customerId,omitempty"`

	// Equal to `customerId`.
	ID *string `json:"id,omitempty"`

	// E-mail address of the payer.
	EmailAddress *string `json:"emailAddress,omitempty"`

	// Phone number of the payer.
	PhoneNumber *string `json:"phoneNumber,omitempty"`
}

// ItemLine is an object of the API.
type ItemLine struct {
	// The integrator’s or EPOS’s id of the line.
	ID *string `json:"id,omitempty"`

	// Text of the line on the payment page and the receipt. Requests may send it as `name`.
	Caption *string `json:"caption,omitempty"`

	// Group of the item, such as “drinks”.
	Category *string `json:"category,omitempty"`

	// Price look-up number: the item in the catalogue of the EPOS.
	Plu *string `json:"plu,omitempty"`

	// Equal to `caption`.
	Name *string `json:"name,omitempty"`

	// How many of the item the line has; 1 unless another number was sent.
	Quantity int64 `json:"quantity"`

	// Before discounts and taxes, without modifiers.
	AmountTotal Money `json:"amountTotal"`

	// Changes to the item that have a price of their own; empty when there are none.
	Modifiers []Modifier `json:"modifiers"`
}

// LeaseRelease is an object of the API.
type LeaseRelease struct {
	// Stored in the audit log.
	Reason string `json:"reason"`

	// True: end the lease although money is open. 409 without it.
	Confirm *bool `json:"confirm,omitempty"`
}

// ListAlarmsQuery is an object of the API.
type ListAlarmsQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`

	// Only answered or only unanswered alarms; all when not sent. One of `Unanswered`, `Answered`.
	State *string `json:"state,omitempty"`
}

// ListDeliveriesQuery is an object of the API.
type ListDeliveriesQuery struct {
	// Only deliveries in this state; all when not sent. One of `Pending`, `Held`, `Delivered`, `DeadLettered`.
	State *string `json:"state,omitempty"`

	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListEposCallsQuery is an object of the API.
type ListEposCallsQuery struct {
	// How many calls are listed at most.
	Limit *int64 `json:"limit,omitempty"`
}

// ListEventKindsQuery is an object of the API.
type ListEventKindsQuery struct {
	// True: also list the kinds that are additions to the catalogue.
	OptIn *bool `json:"optIn,omitempty"`
}

// ListOrderPlacementsQuery is an object of the API.
type ListOrderPlacementsQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListPartiesQuery is an object of the API.
type ListPartiesQuery struct {
	// Only the party at this table.
	TableID *string `json:"tableId,omitempty"`

	// `true`: only parties that have left. `false`: only parties that are there.
	CompletedOnly *bool `json:"completedOnly,omitempty"`

	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListPaymentActivitiesQuery is an object of the API.
type ListPaymentActivitiesQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListReconciliationDifferencesQuery is an object of the API.
type ListReconciliationDifferencesQuery struct {
	// All when not sent. One of `Open`, `Answered`, `Closed`.
	State *string `json:"state,omitempty"`

	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListRequestsQuery is an object of the API.
type ListRequestsQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`

	// The `operationId`.
	Operation *string `json:"operation,omitempty"`

	// Only requests with this outcome; all when not sent. One of `Succeeded`, `Refused`, `Failed`.
	Outcome *string `json:"outcome,omitempty"`

	// Only requests that were answered with this HTTP status.
	Status *int64 `json:"status,omitempty"`

	// Only requests with this API key (`key_…`).
	KeyID *string `json:"keyId,omitempty"`

	// The second part of the header `trace-id` of an answer.
	TraceID *string `json:"traceId,omitempty"`

	// Inclusive.
	From *string `json:"from,omitempty"`

	// Exclusive.
	To *string `json:"to,omitempty"`
}

// ListReservationsQuery is an object of the API.
type ListReservationsQuery struct {
	// Only reservations of this table.
	TableID *string `json:"tableId,omitempty"`

	// Only reservations that end after this time.
	From *string `json:"from,omitempty"`

	// Only reservations that begin before this time.
	To *string `json:"to,omitempty"`

	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListTableOperatorCallsQuery is an object of the API.
type ListTableOperatorCallsQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListTablesQuery is an object of the API.
type ListTablesQuery struct {
	// Only tables of this area.
	AreaID *string `json:"areaId,omitempty"`

	// Only tables of this waiter.
	WaiterID *string `json:"waiterId,omitempty"`

	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListTerminalSessionsQuery is an object of the API.
type ListTerminalSessionsQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ListTerminalsQuery is an object of the API.
type ListTerminalsQuery struct {
	// Only these; repeated or separated by commas. All when not sent.
	Statuses []string `json:"statuses,omitempty"`
}

// ListTesterRunsQuery is an object of the API.
type ListTesterRunsQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// MachineReset is an object of the API.
type MachineReset struct {
	// Why; kept in the audit log.
	Note string `json:"note"`
}

// MadeApiKey is an object of the API.
type MadeApiKey struct {
	// Id of the record (`key_…`), not the key itself.
	ID string `json:"id"`

	// Account that the key belongs to (`acc_…`).
	AccountID string `json:"accountId"`

	// Environment that every request with the key reaches. One of `sandbox`, `production`.
	Environment string `json:"environment"`

	// The name that people gave it.
	Label string `json:"label"`

	// What the key may do. A role is stored as the list it had when the key was created.
	Permissions []string `json:"permissions"`

	// True: requests that move money are refused with 400 if they have a member that the service does not know.
	// False: the header `warnings` of the answer names it. Keys of before this setting have false.
	Strict bool `json:"strict"`

	// The first characters of its text, which name the environment.
	Prefix string `json:"prefix"`

	// The last four characters of its text, to distinguish keys.
	Last4 string `json:"last4"`

	// When the key was created.
	CreatedAt string `json:"createdAt"`

	// To the minute.
	LastUsedAt *string `json:"lastUsedAt,omitempty"`

	// The text of the key. Only this answer contains it: a repeated request does not return it again.
	Key *string `json:"key,omitempty"`
}

// MerchantConfig is an object of the API.
type MerchantConfig struct {
	// What the account accepts, by its settings.
	SupportedPaymentMethods MerchantConfigSupportedPaymentMethods `json:"supportedPaymentMethods"`
}

// What the account accepts, by its settings.
type MerchantConfigSupportedPaymentMethods struct {
	// Card schemes that the account accepts.
	CardSchemes []string `json:"cardSchemes"`

	// Wallets that the account accepts; empty when it accepts none.
	Wallets []string `json:"wallets"`
}

// Counts per single item of its line; a negative amount is a discount.
type Modifier struct {
	// The integrator’s or EPOS’s id of the modifier.
	ID string `json:"id"`

	// Text of the modifier on the bill, such as “extra cheese”.
	Name string `json:"name"`

	// How many of the modifier one item has. The line has this number times its own quantity.
	Quantity int64 `json:"quantity"`

	// Price of one modifier; negative for a discount.
	AmountPerModifier Money `json:"amountPerModifier"`
}

// Money is an object of the API.
type Money struct {
	// Whole minor units (pence, cents).
	Value int64 `json:"value"`

	// ISO 4217.
	CurrencyCode string `json:"currencyCode"`
}

// NewActionLink is an object of the API.
type NewActionLink struct {
	// Absolute address that the link opens.
	URL string `json:"url"`

	// Text of the link for the payer.
	Label string `json:"label"`

	// Name of the saved file when `action` is `DownloadFile`.
	FileName *string `json:"fileName,omitempty"`

	// `OpenLink` opens the address; `DownloadFile` saves what it returns. `OpenLink` when not sent. One of
	// `OpenLink`, `DownloadFile`.
	Action *string `json:"action,omitempty"`
}

// NewAmount is an object of the API.
type NewAmount struct {
	// The new price, in the currency of the payment. At least 1.
	Amount PayableAmount `json:"amount"`

	// Replace the old ones when sent.
	ItemLines []NewItemLine `json:"itemLines,omitempty"`

	// Replace the old ones when sent.
	TaxLines []NewTaxLine `json:"taxLines,omitempty"`
}

// NewApiKey is an object of the API.
type NewApiKey struct {
	// A name by which people recognise the key, such as the machine that uses it.
	Label string `json:"label"`

	// What the key may do. Exactly one of `permissions` and `role` must be sent.
	Permissions []string `json:"permissions,omitempty"`

	// Whether requests that move money are refused if they have an unknown member, such as a misspelt
	// `captureMode`. True when not sent.
	Strict *bool `json:"strict,omitempty"`

	// Instead of `permissions`: the list the role has today. One of `full`, `read-only`, `terminal-only`,
	// `webhooks-only`, `epos-only`, `gateway`, `machines-only`, `pci`.
	Role *string `json:"role,omitempty"`
}

// NewCapture is an object of the API.
type NewCapture struct {
	// Minor units in the currency of the payment.
	Amount int64 `json:"amount"`

	// Minor units, taken on top of the amount.
	TipsAmount *int64 `json:"tipsAmount,omitempty"`
}

// What the hosted page displays and requires.
type NewCheckoutConfig struct {
	// Heading of the payment page and title of its tab; the page has words of its own when not sent.
	Title *string `json:"title,omitempty"`

	// Where the page sends the payer after the payment, with `id` of the intent in the query. Without it the
	// page displays the result.
	RedirectURL *string `json:"redirectUrl,omitempty"`

	// Where the page sends a payer who leaves without paying, with `id` of the intent in the query. The intent
	// stays unchanged.
	CancelURL *string `json:"cancelUrl,omitempty"`

	// Whether the page asks for an e-mail address.
	CustomerEmail *NewCheckoutConfigCustomerEmail `json:"customerEmail,omitempty"`

	// Whether the page asks for the billing address.
	BillingAddress *NewCheckoutConfigBillingAddress `json:"billingAddress,omitempty"`

	// Whether the page asks for a delivery address.
	ShippingDetails *NewCheckoutConfigShippingDetails `json:"shippingDetails,omitempty"`

	// What the page displays about the payment.
	Details *NewCheckoutConfigDetails `json:"details,omitempty"`

	// Which amounts may change before the payment.
	Payment *NewCheckoutConfigPayment `json:"payment,omitempty"`
}

// Whether the page asks for the billing address.
type NewCheckoutConfigBillingAddress struct {
	// True: the payer must enter a billing address to pay.
	CollectionRequired *bool `json:"collectionRequired,omitempty"`
}

// Whether the page asks for an e-mail address.
type NewCheckoutConfigCustomerEmail struct {
	// True: the payer must enter an e-mail address to pay.
	CollectionRequired *bool `json:"collectionRequired,omitempty"`
}

// What the page displays about the payment.
type NewCheckoutConfigDetails struct {
	// True: the page displays the total.
	ShowTotal *bool `json:"showTotal,omitempty"`

	// True: the page displays `reference`.
	ShowReference *bool `json:"showReference,omitempty"`
}

// Which amounts may change before the payment.
type NewCheckoutConfigPayment struct {
	// True: the amount can be changed before the payment, by you and by everybody who has the link; otherwise
	// the operations for it answer 405. It also permits what `holdRaiseAllowed` permits.
	CustomAmountAllowed *bool `json:"customAmountAllowed,omitempty"`

	// True: the tip can be changed by the operation for it; otherwise that answers 405.
	TipsAllowed *bool `json:"tipsAllowed,omitempty"`

	// True: your key can raise the amount while the payment is held. Payers cannot change it; without it, and
	// without `customAmountAllowed`, the operation answers 405.
	HoldRaiseAllowed *bool `json:"holdRaiseAllowed,omitempty"`
}

// Whether the page asks for a delivery address.
type NewCheckoutConfigShippingDetails struct {
	// True: the payer must enter delivery details to pay.
	CollectionRequired *bool `json:"collectionRequired,omitempty"`
}

// NewCustomer is an object of the API.
type NewCustomer struct {
	// Name of the person or company.
	Name *string `json:"name,omitempty"`

	// E-mail address of the customer.
	EmailAddress *string `json:"emailAddress,omitempty"`

	// Phone number of the customer, 5 to 50 characters.
	PhoneNumber *string `json:"phoneNumber,omitempty"`

	// Number under which a company is registered for VAT.
	VatNumber *string `json:"vatNumber,omitempty"`

	// Address of invoices.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Address of deliveries.
	ShippingAddress *Address `json:"shippingAddress,omitempty"`
}

// NewDeliveryLink is an object of the API.
type NewDeliveryLink struct {
	// Only deliveries of events about this payment (`pi_…`); all of the subscription when not sent.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// Origins of the pages that may embed the page, 5 at most; without one, no page may.
	FrameAncestors []string `json:"frameAncestors,omitempty"`

	// How long the link can be opened, one hour at most; 15 minutes when not sent.
	ExpiresIn *string `json:"expiresIn,omitempty"`
}

// Sent to the EPOS as HTTP Basic, base64 of `username:password`.
type NewEposAuth struct {
	// Always `basic`: HTTP Basic authentication. One of `basic`.
	AuthType string `json:"authType"`

	// The credentials that the EPOS expects.
	Basic NewEposAuthBasic `json:"basic"`
}

// The credentials that the EPOS expects.
type NewEposAuthBasic struct {
	// User name that the service sends to the EPOS; without a colon.
	Username string `json:"username"`

	// Password that the service sends to the EPOS. Stored encrypted and never returned.
	Password string `json:"password"`
}

// NewEposCapability is an object of the API.
type NewEposCapability struct {
	// Name of the capability or one of its synonyms. One of `ListAreas`, `SearchTables`, `CreateOrder`,
	// `GetOrderById`, `CancelOrderById`, `SearchOrders`, `CreateOrderLock`, `ExtendOrderLock`,
	// `DeleteOrderLock`, `GetOrderBillById`, `RecordOrderPaymentById`, `CreateParty`, `GetPartyById`,
	// `UpdateParty`, `DeletePartyById`, `SearchParties`, `CreateReservation`, `GetReservationById`,
	// `UpdateReservation`, `DeleteReservationById`, `SearchReservations`, `HandleEvent:payment_intent.created`,
	// `HandleEvent:payment_intent.status_updated`, `GetOrderBill`, `RecordOrderPayment`, `UpdatePartyById`,
	// `UpdateReservationById`.
	Name string `json:"name"`

	// Version of the capability; both spellings mean the same. One of `v1`, `1.0.0`.
	Version string `json:"version"`
}

// NewEposEvent is an object of the API.
type NewEposEvent struct {
	// What has changed at the EPOS; decides which id `event` has. One of `OrderUpdated`, `PartyUpdated`,
	// `ReservationUpdated`.
	EventType string `json:"eventType"`

	// The id of what has changed.
	Event NewEposEventEvent `json:"event"`
}

// The id of what has changed.
type NewEposEventEvent struct {
	// Id of the order at the EPOS.
	OrderID *string `json:"orderId,omitempty"`

	// Id of the party at the EPOS.
	PartyID *string `json:"partyId,omitempty"`

	// Id of the reservation at the EPOS.
	ReservationID *string `json:"reservationId,omitempty"`
}

// NewGrpcIntegration is an object of the API.
type NewGrpcIntegration struct {
	// Address at which the EPOS serves gRPC, as `https://host:port`, without a path.
	URL string `json:"url"`

	// How the service authenticates itself at the EPOS.
	Auth NewEposAuth `json:"auth"`
}

// NewIntentCustomer is an object of the API.
type NewIntentCustomer struct {
	// Also read as `customerId`.
	ID *string `json:"id,omitempty"`

	// E-mail address of the payer.
	EmailAddress *string `json:"emailAddress,omitempty"`

	// Phone number of the payer.
	PhoneNumber *string `json:"phoneNumber,omitempty"`

	// A customer secret: the hosted page offers saved cards. Needs `id` and the method SavedCard.
	Secret *string `json:"secret,omitempty"`

	// The saved card to offer first.
	SavedCardID *string `json:"savedCardId,omitempty"`
}

// NewItemLine is an object of the API.
type NewItemLine struct {
	// The integrator’s or EPOS’s id of the line.
	ID *string `json:"id,omitempty"`

	// Text of the line on the payment page and the receipt. Requests may send it as `name`.
	Caption *string `json:"caption,omitempty"`

	// Group of the item, such as “drinks”.
	Category *string `json:"category,omitempty"`

	// Price look-up number: the item in the catalogue of the EPOS.
	Plu *string `json:"plu,omitempty"`

	// How many of the item the line has; negative for returned items. 1 when not sent.
	Quantity *int64 `json:"quantity,omitempty"`

	// Price of the whole line before discounts and taxes, without modifiers. Never checked against the amount of
	// the payment.
	AmountTotal PriceAmount `json:"amountTotal"`

	// Changes to the item that have a price of their own.
	Modifiers []NewModifier `json:"modifiers,omitempty"`
}

// NewModifier is an object of the API.
type NewModifier struct {
	// The integrator’s or EPOS’s id of the modifier.
	ID string `json:"id"`

	// Text of the modifier on the bill, such as “extra cheese”.
	Name string `json:"name"`

	// How many of the modifier one item has. The line has this number times its own quantity.
	Quantity int64 `json:"quantity"`

	// Price of one modifier; negative for a discount.
	AmountPerModifier PriceAmount `json:"amountPerModifier"`
}

// NewOrderDetails is an object of the API.
type NewOrderDetails struct {
	// When the order is ready to be collected or served.
	AvailabilityDate *string `json:"availabilityDate,omitempty"`

	// True if the payment belongs to a change of an order that exists already.
	IsUpdate *bool `json:"isUpdate,omitempty"`

	// The order's id in the service.
	ID *string `json:"id,omitempty"`

	// The order's id in the EPOS.
	ExternalID *string `json:"externalId,omitempty"`
}

// NewOrderPlacement is an object of the API.
type NewOrderPlacement struct {
	// A payment intent with the capture mode `Manual`, its amount and service charge together the `totalAmount`
	// of the order.
	PaymentIntentID string `json:"paymentIntentId"`

	// The order to create at the EPOS once it is paid.
	Order PlacedOrder `json:"order"`
}

// NewParty is an object of the API.
type NewParty struct {
	// Ids of the tables of the party, at least one. A table has one party at a time.
	TableIDs []string `json:"tableIds"`

	// When the party arrives or has arrived.
	StartTime string `json:"startTime"`

	// When the party is expected to leave.
	ExpectedEndTime *string `json:"expectedEndTime,omitempty"`

	// Name under which the party is known.
	Name *string `json:"name,omitempty"`

	// How many people the party has.
	Covers *int64 `json:"covers,omitempty"`

	// Notes of the staff, which guests never see.
	HostNotes *string `json:"hostNotes,omitempty"`

	// The guest's words; the EPOS does not edit them.
	GuestRequests *string `json:"guestRequests,omitempty"`

	// What was paid for the booking in advance.
	Deposit *NewPartyDeposit `json:"deposit,omitempty"`

	// Status of the party, in words of the EPOS.
	Status *string `json:"status,omitempty"`

	// Id of the reservation at the EPOS that the party has come for.
	ReservationID *string `json:"reservationId,omitempty"`
}

// What was paid for the booking in advance. The service checks the payments before it tells the EPOS.
type NewPartyDeposit struct {
	// The sum of the deposit. Must not exceed what the payment intents hold or have captured, less refunds.
	TotalAmount PayableAmount `json:"totalAmount"`

	// Ids of the paid payment intents of this account, all of which have money. A payment is the deposit of one
	// party, and pays no bill.
	PaymentIntentIDs []string `json:"paymentIntentIds"`

	// Text about the deposit, for staff.
	Description *string `json:"description,omitempty"`
}

// NewPaymentIntent is an object of the API.
type NewPaymentIntent struct {
	// The price to collect, without tip, cashback and service charge.
	Amount PayableAmount `json:"amount"`

	// The integrator’s own reference, such as a bill number. Appears in listings; need not be unique.
	Reference string `json:"reference"`

	// `Auto` takes the money at once; `Manual` holds it for captures. `Auto` when not sent. One of `Auto`,
	// `Manual`.
	CaptureMode *string `json:"captureMode,omitempty"`

	// Text about the payment for the payer and for reports.
	Description *string `json:"description,omitempty"`

	// Tip that is collected on top of `amount`.
	TipsAmount *SurplusAmount `json:"tipsAmount,omitempty"`

	// Cash for the payer, collected on top of `amount`.
	CashbackAmount *SurplusAmount `json:"cashbackAmount,omitempty"`

	// Service charge, collected on top of `amount`.
	ServiceChargeAmount *SurplusAmount `json:"serviceChargeAmount,omitempty"`

	// The payer, as far as they are known.
	Customer *NewIntentCustomer `json:"customer,omitempty"`

	// True: the card is keyed in without the cardholder. Also read as `transactionSource: "MOTO"`.
	CardHolderNotPresent *bool `json:"cardHolderNotPresent,omitempty"`

	// How the payer may pay online; `["Card"]` when not sent.
	PaymentMethods []string `json:"paymentMethods,omitempty"`

	// Address of the invoice; issuers compare it.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Where the goods go.
	ShippingDetails *ShippingDetails `json:"shippingDetails,omitempty"`

	// The device from which the payer orders; helps to detect fraud.
	RequestSecurity *RequestSecurity `json:"requestSecurity,omitempty"`

	// What is paid, line by line. The sum need not be the amount.
	ItemLines []NewItemLine `json:"itemLines,omitempty"`

	// Taxes within the amount.
	TaxLines []NewTaxLine `json:"taxLines,omitempty"`

	// A link for the payer that belongs to the payment; stored and returned as it is.
	ActionLink *NewActionLink `json:"actionLink,omitempty"`

	// The order that is paid.
	OrderDetails *NewOrderDetails `json:"orderDetails,omitempty"`

	// What the hosted payment page displays and requires.
	Config *NewCheckoutConfig `json:"config,omitempty"`

	// In the future; 30 days from now when not sent.
	ExpireAt *string `json:"expireAt,omitempty"`

	// Manual only: how long an authorisation is held. More than 30 seconds, less than 7 days.
	AutoExpireIn *string `json:"autoExpireIn,omitempty"`

	// Manual only; Release when not sent. One of `Release`, `Capture`.
	AutoExpireAction *string `json:"autoExpireAction,omitempty"`

	// At most 16 KiB as JSON.
	Metadata map[string]any `json:"metadata,omitempty"`

	// Id of an Authorized setup intent whose card is charged by the charge operation. Not with `Manual`.
	SetupIntentID *string `json:"setupIntentId,omitempty"`

	// False: no client secret until it is refreshed. True: a secret at once, or 403 without the permission
	// `payments.online`. Not sent: a secret if the key may.
	GenerateRemoteToken *bool `json:"generateRemoteToken,omitempty"`

	// True: the answer has `paymentLink` even if the account or key may not take payments online; it then has no
	// client secret.
	IsNotOnlineCheckout *bool `json:"isNotOnlineCheckout,omitempty"`
}

// NewPublicAmount is an object of the API.
type NewPublicAmount struct {
	// The amount that the payer chooses, in the currency of the payment.
	Amount PayableAmount `json:"amount"`
}

// NewRefund is an object of the API.
type NewRefund struct {
	// Minor units in the currency of the payment.
	Amount int64 `json:"amount"`

	// Why the money is returned; returned with the refund.
	RefundReason *string `json:"refundReason,omitempty"`

	// Further notes of the integrator; returned with the refund.
	Notes *string `json:"notes,omitempty"`

	// The integrator’s reference of the transaction that the refund belongs to; stored and not interpreted.
	PreviousTransactionID *string `json:"previousTransactionId,omitempty"`
}

// NewReservation is an object of the API.
type NewReservation struct {
	// Name under which the table is reserved.
	Name string `json:"name"`

	// How many people are expected.
	Covers int64 `json:"covers"`

	// When the reservation begins.
	StartTime string `json:"startTime"`

	// When the table is free again; after `startTime`.
	EndTime string `json:"endTime"`

	// Ids of the reserved tables, at least one.
	TableIDs []string `json:"tableIds"`

	// Notes of the staff, which guests never see.
	HostNotes *string `json:"hostNotes,omitempty"`

	// The guest's words; the EPOS does not edit them.
	GuestRequests *string `json:"guestRequests,omitempty"`
}

// NewRestIntegration is an object of the API.
type NewRestIntegration struct {
	// Address of the EPOS, without query and fragment; `/v1/…` is appended.
	URL string `json:"url"`

	// Everything that the EPOS can do; each capability once. An empty list registers nothing.
	Capabilities []NewEposCapability `json:"capabilities"`

	// How the service authenticates itself at the EPOS.
	Auth NewEposAuth `json:"auth"`
}

// NewSandboxEpos is an object of the API.
type NewSandboxEpos struct {
	// False: the EPOS of the sandbox does not connect for this account.
	IsEnabled bool `json:"isEnabled"`
}

// NewSetupIntent is an object of the API.
type NewSetupIntent struct {
	// The integrator’s own reference; need not be unique.
	Reference string `json:"reference"`

	// Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges.
	// One of `NoShow`, `Unscheduled`.
	MerchantInitiatedTransactionType string `json:"merchantInitiatedTransactionType"`

	// The text that the payer agrees to on the page; it names the charge and when it is made.
	Terms string `json:"terms"`

	// The most that may be charged later; no limit when not sent.
	IntendedAmount *PayableAmount `json:"intendedAmount,omitempty"`

	// A charge is always taken at once. One of `Auto`.
	CaptureMode *string `json:"captureMode,omitempty"`

	// Text for the payer and for reports.
	Description *string `json:"description,omitempty"`

	// The payer, as far as they are known.
	Customer *NewIntentCustomer `json:"customer,omitempty"`

	// How the payer may authorise; `["Card"]` when not sent.
	PaymentMethods []string `json:"paymentMethods,omitempty"`

	// Address of the invoice; issuers compare it.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Where goods go.
	ShippingDetails *ShippingDetails `json:"shippingDetails,omitempty"`

	// What the hosted page for the card displays and requires.
	Config *NewCheckoutConfig `json:"config,omitempty"`

	// At most 16 KiB as JSON.
	Metadata map[string]any `json:"metadata,omitempty"`

	// The order or booking that it belongs to.
	OrderDetails *NewOrderDetails `json:"orderDetails,omitempty"`

	// The payer’s device; helps to detect fraud.
	RequestSecurity *RequestSecurity `json:"requestSecurity,omitempty"`

	// In the future; 30 days from now when not sent.
	ExpireAt *string `json:"expireAt,omitempty"`
}

// NewSubscription is an object of the API.
type NewSubscription struct {
	// The kinds to receive, at least one. A kind of another subscription is refused with 409.
	Events []string `json:"events"`

	// An https address of the public internet. A sandbox of a service that runs for development also calls http
	// on loopback, such as http://localhost:3000/hooks. Redirects are not followed.
	URL string `json:"url"`

	// Text about the receiver, for people.
	Description *string `json:"description,omitempty"`
}

// NewTaxLine is an object of the API.
type NewTaxLine struct {
	// The integrator’s or EPOS’s id of the tax line.
	ID *string `json:"id,omitempty"`

	// Name of the tax on the payment page and the receipt, such as “VAT”.
	Caption *string `json:"caption,omitempty"`

	// Second line of the text, such as the rate.
	SubCaption *string `json:"subCaption,omitempty"`

	// Price look-up number of the item that is taxed; absent for a tax on the whole bill.
	AffectedPlu *string `json:"affectedPlu,omitempty"`

	// The amount of the tax. Never checked against the amount of the payment.
	AmountTotal PriceAmount `json:"amountTotal"`
}

// Also read flat: `terminalId`, `sessionType`, `paymentIntentId`, `amount` (at most 999999999999).
type NewTerminalSession struct {
	// Id of the card machine (`tm_…`), from the list of terminals.
	TerminalID string `json:"terminalId"`

	// What the machine has to do.
	Details NewTerminalSessionDetails `json:"details"`
}

// NewTerminalSessionDetails is an object of the API.
type NewTerminalSessionDetails struct {
	// `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. One of `Sale`,
	// `MatchedRefund`, `UnlinkedRefund`.
	SessionType string `json:"sessionType"`

	// The payment to take.
	Sale *NewTerminalSessionDetailsSale `json:"sale,omitempty"`

	// The refund of a payment.
	MatchedRefund *NewTerminalSessionDetailsMatchedRefund `json:"matchedRefund,omitempty"`

	// A refund without a payment; also needs the permission `payments.refund`.
	UnlinkedRefund *NewTerminalSessionDetailsUnlinkedRefund `json:"unlinkedRefund,omitempty"`
}

// The refund of a payment.
type NewTerminalSessionDetailsMatchedRefund struct {
	// Id of the payment intent (`pi_…`) to refund.
	PaymentIntentID string `json:"paymentIntentId"`

	// The whole refundable amount when not sent.
	Amount *PayableAmount `json:"amount,omitempty"`
}

// The payment to take.
type NewTerminalSessionDetailsSale struct {
	// Id of a payment intent (`pi_…`) that is `Created`.
	PaymentIntentID string `json:"paymentIntentId"`
}

// A refund without a payment; also needs the permission `payments.refund`.
type NewTerminalSessionDetailsUnlinkedRefund struct {
	// What is returned to the card.
	Amount PayableAmount `json:"amount"`

	// True: the card is keyed in without the cardholder.
	CardholderNotPresent *bool `json:"cardholderNotPresent,omitempty"`
}

// NewTips is an object of the API.
type NewTips struct {
	// The new tip, in the currency of the payment; 0 removes it.
	TipsAmount SurplusAmount `json:"tipsAmount"`
}

// NewWsIntegration is an object of the API.
type NewWsIntegration struct {
	// Everything that the EPOS can do; each capability once. An empty list registers nothing.
	Capabilities []NewEposCapability `json:"capabilities"`
}

// NotificationEvent is an object of the API.
type NotificationEvent struct {
	// What the machine displays to the cardholder. One of `Approved`, `Declined`, `InsertCard`, `EnterPin`,
	// `PleaseWait`, `PresentCard`, `PresentOnlyOneCard`, `RemoveCard`, `CardUnsupported`, `CardError`,
	// `ReEnterCard`.
	NotificationType string `json:"notificationType"`

	// When the machine reported it.
	CreatedAt string `json:"createdAt"`
}

// OfferedCards is an object of the API.
type OfferedCards struct {
	// The one that the integrator named first, then newest first; without those that have expired.
	SavedPaymentMethods []SavedPaymentMethod `json:"savedPaymentMethods"`
}

// OrderDetails is an object of the API.
type OrderDetails struct {
	// When the order is ready to be collected or served.
	AvailabilityDate *string `json:"availabilityDate,omitempty"`

	// True if the payment belongs to a change of an order that exists already.
	IsUpdate *bool `json:"isUpdate,omitempty"`

	// The order's id in the service.
	ID *string `json:"id,omitempty"`

	// The order's id in the EPOS.
	ExternalID *string `json:"externalId,omitempty"`
}

// OrderPlacement is an object of the API.
type OrderPlacement struct {
	// Also the `serviceOrderId` of the order at the EPOS, the same in every attempt.
	ID string `json:"id"`

	// Id of the payment intent (`pi_…`) that pays the order.
	PaymentIntentID string `json:"paymentIntentId"`

	// Where the order is; the operation that reads it explains every value. One of `Waiting`, `Held`, `Placing`,
	// `PlaceUnknown`, `Placed`, `Completed`, `Cancelling`, `GivingBack`, `GivenBack`, `Ended`, `NeedsOperator`.
	Status string `json:"status"`

	// The id of the order at the EPOS; absent until it is known.
	OrderID *string `json:"orderId,omitempty"`

	// With the service charge, without the tip.
	TotalAmount Money `json:"totalAmount"`

	// Held on top; 0 before the payment is authorised.
	TipsAmount Money `json:"tipsAmount"`

	// True if the EPOS may have the order although its money was returned. An operator must check it.
	OrderMayStand bool `json:"orderMayStand"`

	// The last error, for people; absent if there was none.
	LastError *string `json:"lastError,omitempty"`

	// When the order was submitted.
	CreatedAt string `json:"createdAt"`

	// When the order changed last.
	UpdatedAt string `json:"updatedAt"`
}

// OrderPlacementPage is an object of the API.
type OrderPlacementPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []OrderPlacement `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// Party is an object of the API.
type Party struct {
	// Id of the party, unique among the current parties of the EPOS.
	ID string `json:"id"`

	// Status of the party, in words of the EPOS.
	Status string `json:"status"`

	// Ids of the tables of the party.
	TableIDs []string `json:"tableIds"`

	// When the party arrives or has arrived.
	StartTime string `json:"startTime"`

	// When the party is expected to leave.
	ExpectedEndTime *string `json:"expectedEndTime,omitempty"`

	// When the party left; absent while it is there.
	EndTime *string `json:"endTime,omitempty"`

	// Name under which the party is known.
	Name *string `json:"name,omitempty"`

	// How many people the party has.
	Covers *int64 `json:"covers,omitempty"`

	// Notes of the staff. Do not show them to guests.
	HostNotes *string `json:"hostNotes,omitempty"`

	// The guest's words.
	GuestRequests *string `json:"guestRequests,omitempty"`

	// Id of the reservation at the EPOS, if there was one.
	ReservationID *string `json:"reservationId,omitempty"`

	// What was paid for the booking in advance.
	Deposit *PartyDeposit `json:"deposit,omitempty"`
}

// PartyChange is an object of the API.
type PartyChange struct {
	// Ids of the tables of the party, at least one. A table has one party at a time.
	TableIDs []string `json:"tableIds"`

	// When the party arrives or has arrived.
	StartTime string `json:"startTime"`

	// When the party is expected to leave.
	ExpectedEndTime *string `json:"expectedEndTime,omitempty"`

	// Name under which the party is known.
	Name *string `json:"name,omitempty"`

	// How many people the party has.
	Covers *int64 `json:"covers,omitempty"`

	// Notes of the staff, which guests never see.
	HostNotes *string `json:"hostNotes,omitempty"`

	// The guest's words; the EPOS does not edit them.
	GuestRequests *string `json:"guestRequests,omitempty"`

	// What was paid for the booking in advance.
	Deposit *NewPartyDeposit `json:"deposit,omitempty"`

	// Status of the party, in words of the EPOS.
	Status string `json:"status"`

	// When the party left. The party is over with it.
	EndTime *string `json:"endTime,omitempty"`
}

// PartyDeposit is an object of the API.
type PartyDeposit struct {
	// The sum of the deposit.
	TotalAmount Money `json:"totalAmount"`

	// Ids of the payment intents that the deposit was paid by.
	PaymentIntentIDs []string `json:"paymentIntentIds"`

	// Text about the deposit, for staff.
	Description *string `json:"description,omitempty"`
}

// PartyPage is an object of the API.
type PartyPage struct {
	// The elements of this page, in the order of the EPOS.
	Data []Party `json:"data"`

	// Cursor of the previous page; null when there is none.
	Before *string `json:"before"`

	// Cursor of the next page; null when there is none.
	After *string `json:"after"`

	// How many elements of the page were left out because they cannot be read; absent when all can.
	UnreadableCount *int64 `json:"unreadableCount,omitempty"`
}

// PastTerminalSession is an object of the API.
type PastTerminalSession struct {
	// The session as it is now.
	TerminalSession PastTerminalSessionTerminalSession `json:"terminalSession"`

	// How the card was taken; absent until the acquirer has approved.
	Payment *PastTerminalSessionPayment `json:"payment,omitempty"`
}

// How the card was taken; absent until the acquirer has approved.
type PastTerminalSessionPayment struct {
	// When the acquirer decided.
	TransactionDateTime string `json:"transactionDateTime"`

	// Masked number of the card.
	CardNumber string `json:"cardNumber"`

	// Last day of the card’s expiry month; absent when the machine did not report it.
	ExpiryDate *string `json:"expiryDate,omitempty"`

	// Scheme of the card in capitals; `UNKNOWN` when its label is not known.
	CardType string `json:"cardType"`

	// UUID of the transaction; equal to `paymentDetails.transactionId`.
	AuthGatewayTransactionID string `json:"authGatewayTransactionId"`

	// Name on the card; absent when the machine did not report it.
	CardHolderName *string `json:"cardHolderName,omitempty"`

	// How the card was read. One of `Contactless`, `ContactChip`, `Magstripe`, `ManualEntry`, `Unknown`.
	EntryMode string `json:"entryMode"`

	// How the cardholder proved their identity. One of `Pin`, `Signature`, `Device`, `None`.
	VerificationMode string `json:"verificationMode"`
}

// The session as it is now.
type PastTerminalSessionTerminalSession struct {
	// Id of the session (`ts_…`).
	ID string `json:"id"`

	// Id of the card machine (`tm_…`).
	TerminalID string `json:"terminalId"`

	// Current status of the session. One of `InitiateRequested`, `Initiated`, `CancelRequested`,
	// `SignatureVerificationRequired`, `SignatureVerificationAccepted`, `SignatureVerificationRejected`,
	// `Authorized`, `Captured`, `Canceled`, `Declined`, `Expired`.
	Status string `json:"status"`

	// When the session expires unless it ends before.
	ExpireAt string `json:"expireAt"`

	// When the session was created.
	CreatedAt string `json:"createdAt"`

	// When the last status was reached.
	UpdatedAt string `json:"updatedAt"`

	// What the machine displayed, oldest first.
	NotificationEvents []NotificationEvent `json:"notificationEvents"`

	// All statuses of the session, oldest first.
	StatusEvents []StatusEvent `json:"statusEvents"`

	// What the session was created for.
	Details SessionDetails `json:"details"`
}

// PayableAmount is an object of the API.
type PayableAmount struct {
	// Whole minor units of the currency (pence, cents): 1250 is 12.50.
	Value int64 `json:"value"`

	// ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one
	// currency.
	CurrencyCode string `json:"currencyCode"`
}

// PaymentActivity is an object of the API.
type PaymentActivity struct {
	// Id of the entry; its form has no meaning.
	ID string `json:"id"`

	// What happened: a request, a change, a call or a report. One of `ApiRequest`, `StateChange`,
	// `AcquirerCall`, `MachineReport`, `EposCall`, `WebhookAttempt`.
	Kind string `json:"kind"`

	// The payment intent, its session on a machine or at a table, or the reference of the acquirer call.
	SubjectID string `json:"subjectId"`

	// When it began.
	At string `json:"at"`

	// The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook, the
	// new status of a change, or what a machine reported.
	Name string `json:"name"`

	// The trace in which it happened: 32 hex digits, as in the header `trace-id`.
	TraceID *string `json:"traceId,omitempty"`

	// Refused: the other side answered with a refusal. Failed: it did not answer, or with an error. One of
	// `Succeeded`, `Refused`, `Failed`.
	Outcome *string `json:"outcome,omitempty"`

	// The HTTP status, where there is one.
	Status *int64 `json:"status,omitempty"`

	// The code of the refusal, or why it failed.
	Reason *string `json:"reason,omitempty"`

	// How long it took, in milliseconds; absent where it is not measured.
	TookMs *int64 `json:"tookMs,omitempty"`

	// HTTP method; absent where there was none.
	Method *string `json:"method,omitempty"`

	// Path that was called; absent where there was none.
	Path *string `json:"path,omitempty"`

	// Whether the request had an idempotency key.
	HasIdempotencyKey *bool `json:"hasIdempotencyKey,omitempty"`

	// Members that are not listed for the log have the value `[not recorded]`; a long body is cut.
	Request map[string]any `json:"request,omitempty"`

	// Members that are not listed for the log have the value `[not recorded]`; a long body is cut.
	Answer map[string]any `json:"answer,omitempty"`

	// The delivery of a webhook, or the table payment that an EPOS is called for.
	Reference *string `json:"reference,omitempty"`

	// Number of the attempt, from 1; absent where there are no attempts.
	Attempt *int64 `json:"attempt,omitempty"`

	// How an EPOS was called; `machine`: the card machine called the acquirer.
	Transport *string `json:"transport,omitempty"`
}

// PaymentActivityPage is an object of the API.
type PaymentActivityPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []PaymentActivity `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// PaymentAmountEvent is an object of the API.
type PaymentAmountEvent struct {
	// Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it.
	ID string `json:"id"`

	// Account in which it happened (`acc_…`).
	AccountID string `json:"accountId"`

	// When it happened.
	CreatedAt string `json:"createdAt"`

	// The kind of event. One of `payment_intent.amount_captured`, `payment_intent.amount_refunded`.
	Event string `json:"event"`

	// The intent and the sums at the time of the event.
	Data PaymentAmountEventData `json:"data"`
}

// The intent and the sums at the time of the event.
type PaymentAmountEventData struct {
	// Id of the payment intent (`pi_…`).
	PaymentIntentID string `json:"paymentIntentId"`

	// Status of the intent right after the change; read the intent for its current status. One of `Created`,
	// `Authorized`, `Captured`, `Reversed`, `Refunded`, `Canceled`.
	PaymentStatus string `json:"paymentStatus"`

	// Capture mode of the intent. One of `Auto`, `Manual`.
	CaptureMode string `json:"captureMode"`

	// What this capture or refund moved.
	Amount Money `json:"amount"`

	// The sum of all captures so far.
	CapturedAmount Money `json:"capturedAmount"`

	// The sum of all refunds so far.
	RefundedAmount Money `json:"refundedAmount"`

	// Absent where the approval captured the money.
	CaptureID *string `json:"captureId,omitempty"`

	// Absent where a card machine refunded the money.
	RefundID *string `json:"refundId,omitempty"`
}

// PaymentChargeEvent is an object of the API.
type PaymentChargeEvent struct {
	// Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it.
	ID string `json:"id"`

	// Account in which it happened (`acc_…`).
	AccountID string `json:"accountId"`

	// When it happened.
	CreatedAt string `json:"createdAt"`

	// The kind of event. One of `payment_intent.charge_failed`.
	Event string `json:"event"`

	// The intent at the time of the event.
	Data PaymentChargeEventData `json:"data"`
}

// The intent at the time of the event.
type PaymentChargeEventData struct {
	// Id of the payment intent (`pi_…`).
	PaymentIntentID string `json:"paymentIntentId"`

	// Status of the intent right after the change; read the intent for its current status. One of `Created`,
	// `Authorized`, `Captured`, `Reversed`, `Refunded`, `Canceled`.
	PaymentStatus string `json:"paymentStatus"`

	// Capture mode of the intent. One of `Auto`, `Manual`.
	CaptureMode string `json:"captureMode"`
}

// PaymentDetails is an object of the API.
type PaymentDetails struct {
	// UUID of the transaction; the same as `id` in the listing of transactions.
	TransactionID string `json:"transactionId"`

	// How the acquirer names the transaction, where that is no UUID; absent otherwise.
	AcquirerTransactionID *string `json:"acquirerTransactionId,omitempty"`

	// When the acquirer decided.
	TransactionDateTime string `json:"transactionDateTime"`

	// Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on. One of `DEPOSITED`,
	// `AUTHORIZED`, `DECLINED`, `REFERRED`, `REVERSED`, `REFUNDED`, `FAILED`.
	Message string `json:"message"`

	// Code with which the issuer approved the payment; printed on receipts.
	AuthCode string `json:"authCode"`

	// Id of the saved card (`pm_…`) that was used or saved; absent otherwise.
	PaymentMethodID *string `json:"paymentMethodId,omitempty"`

	// How the billing address compares with the issuer’s; absent when there was no check. One of
	// `ADDRESS_MATCH_POSTCODE_MATCH`, `ADDRESS_MATCH_POSTCODE_MISMATCH`, `ADDRESS_MISMATCH_POSTCODE_MATCH`,
	// `ADDRESS_MISMATCH_POSTCODE_MISMATCH`, `NOT_CHECKED`.
	AvsResult *string `json:"avsResult,omitempty"`

	// The card that was used, with a masked number.
	Card Card `json:"card"`
}

// Steps of one attempt share `transactionId`.
type PaymentEvent struct {
	// UUID of the attempt; absent for steps that belong to none, such as a cancellation.
	TransactionID *string `json:"transactionId,omitempty"`

	// When the step happened.
	TransactionDateTime string `json:"transactionDateTime"`

	// Empty before an approval.
	AuthCode string `json:"authCode"`

	// Masked number of the card: first 8 digits, `****`, last 4. Absent for steps without a card.
	CardNumber *string `json:"cardNumber,omitempty"`

	// Last day of the card’s expiry month; absent for steps without a card.
	ExpiryDate *string `json:"expiryDate,omitempty"`

	// Scheme of the card in capitals; absent for steps without a card.
	CardType *string `json:"cardType,omitempty"`

	// Name on the card; absent when it is not known.
	CardholderName *string `json:"cardholderName,omitempty"`

	// Id of the saved card (`pm_…`); absent when none was used.
	PaymentMethodID *string `json:"paymentMethodId,omitempty"`

	// What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed without a
	// decision of the issuer. One of `Created`, `Authorized`, `Captured`, `Reversed`, `Refunded`, `Canceled`,
	// `AuthChallenged`, `Declined`, `ManualAuthReady`, `Error`, `Unknown`.
	EventType string `json:"eventType"`

	// The amount of the step: of a capture, of a refund or reversal, or of a declined attempt.
	Amount *Money `json:"amount,omitempty"`
}

// PaymentIntent is an object of the API.
type PaymentIntent struct {
	// Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production.
	ID string `json:"id"`

	// `Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full; `Reversed`
	// undone; `Canceled` given up unpaid. One of `Created`, `Authorized`, `Captured`, `Reversed`, `Refunded`,
	// `Canceled`.
	Status string `json:"status"`

	// `Auto`: the approval takes the money. `Manual`: it is held until captures take it. One of `Auto`,
	// `Manual`.
	CaptureMode string `json:"captureMode"`

	// The price, without tip, cashback and service charge.
	Amount Money `json:"amount"`

	// The total for the cardholder: amount, tip, cashback, service charge.
	TotalAmount Money `json:"totalAmount"`

	// The tip; absent until there is one.
	TipsAmount *Money `json:"tipsAmount,omitempty"`

	// The first amount, once it was changed.
	RequestedAmount *Money `json:"requestedAmount,omitempty"`

	// Minor units.
	RefundedAmount int64 `json:"refundedAmount"`

	// How the payer may pay online: `Card`, `Wallet`, `SavedCard`.
	PaymentMethods []string `json:"paymentMethods"`

	// The integrator’s own reference, as it was sent. It need not be unique.
	Reference string `json:"reference"`

	// The integrator’s text about the payment, if one was sent.
	Description *string `json:"description,omitempty"`

	// While it is unused and unexpired, for a payer and for a key with `payments.write` or `payments.online`.
	ClientSessionSecret *string `json:"clientSessionSecret,omitempty"`

	// When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is
	// 0001-01-01T00:00:00Z, which means that there is no time.
	ClientSessionSecretExpirationDate string `json:"clientSessionSecretExpirationDate"`

	// Address of the invoice, as it was sent or the payer entered it.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Where the goods go, as it was sent or the payer entered it.
	ShippingDetails *ShippingDetails `json:"shippingDetails,omitempty"`

	// What is paid, line by line; empty when no lines were sent. The sum need not be the amount.
	ItemLines []ItemLine `json:"itemLines"`

	// Taxes within the amount; empty when none were sent.
	TaxLines []TaxLine `json:"taxLines"`

	// What the payment page displays and requires.
	Config CheckoutConfig `json:"config"`

	// What the merchant accepts.
	MerchantConfig MerchantConfig `json:"merchantConfig"`

	// Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or `pay-at-table`.
	// One of `api`, `virtual-terminal`, `payment-links`, `pay-at-table`.
	PaymentSource string `json:"paymentSource"`

	// When the intent was created.
	CreatedAt string `json:"createdAt"`

	// When the intent was changed last; moves with every stored change.
	UpdatedAt string `json:"updatedAt"`

	// True: the card is keyed in without the cardholder, such as for an order by phone.
	CardHolderNotPresent bool `json:"cardHolderNotPresent"`

	// Cash that is handed to the payer, on top of the price; absent without any.
	CashbackAmount *Money `json:"cashbackAmount,omitempty"`

	// Service charge on top of the price; absent without any.
	ServiceChargeAmount *Money `json:"serviceChargeAmount,omitempty"`

	// Sum of lines, modifiers and taxes; only with lines.
	SubtotalLineItems *Money `json:"subtotalLineItems,omitempty"`

	// The payer, as far as they are known; absent otherwise.
	Customer *IntentCustomer `json:"customer,omitempty"`

	// A link for the payer that belongs to the payment, if one was sent.
	ActionLink *ActionLink `json:"actionLink,omitempty"`

	// The order that is paid, if it was sent.
	OrderDetails *OrderDetails `json:"orderDetails,omitempty"`

	// The device from which the payer ordered, if it was sent.
	RequestSecurity *RequestSecurity `json:"requestSecurity,omitempty"`

	// Manual only: what happens to the hold when it ends. `Release` returns it, `Capture` takes it. One of
	// `Release`, `Capture`.
	AutoExpireAction *string `json:"autoExpireAction,omitempty"`

	// Manual only: how long an authorisation is held, as `hh:mm:ss` or `d.hh:mm:ss`; seven days when absent.
	AutoExpireIn *string `json:"autoExpireIn,omitempty"`

	// When an unpaid intent is canceled by itself; 30 days after its creation unless another time was sent.
	ExpireAt string `json:"expireAt"`

	// Always holds `location-id`.
	Metadata map[string]any `json:"metadata"`

	// Id of the setup intent (`si_…`) whose card is charged; absent for other payments.
	SetupIntentID *string `json:"setupIntentId,omitempty"`

	// Address of the hosted payment page for this intent; absent when the payment is not taken online.
	PaymentLink *string `json:"paymentLink,omitempty"`

	// Once the payment is final.
	PaymentDetails *PaymentDetails `json:"paymentDetails,omitempty"`

	// Steps of all attempts, oldest first; empty until the first.
	PaymentEvents []PaymentEvent `json:"paymentEvents"`

	// Sessions on card machines for this payment, oldest first; empty when there are none.
	TerminalSessionHistory []PastTerminalSession `json:"terminalSessionHistory"`

	// Of Manual intents only.
	Captures []Capture `json:"captures"`
}

// PaymentIntentEvent is an object of the API.
type PaymentIntentEvent struct {
	// Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it.
	ID string `json:"id"`

	// Account in which it happened (`acc_…`).
	AccountID string `json:"accountId"`

	// When it happened.
	CreatedAt string `json:"createdAt"`

	// The kind of event. One of `payment_intent.created`, `payment_intent.status_updated`,
	// `payment_intent.send-receipt`.
	Event string `json:"event"`

	// The intent at the time of the event.
	Data PaymentIntentEventData `json:"data"`
}

// The intent at the time of the event.
type PaymentIntentEventData struct {
	// Id of the payment intent (`pi_…`).
	PaymentIntentID string `json:"paymentIntentId"`

	// Status of the intent right after the change; read the intent for its current status. One of `Created`,
	// `Authorized`, `Captured`, `Reversed`, `Refunded`, `Canceled`.
	PaymentStatus string `json:"paymentStatus"`

	// Capture mode of the intent. One of `Auto`, `Manual`.
	CaptureMode string `json:"captureMode"`
}

// PaymentIntentPage is an object of the API.
type PaymentIntentPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []PaymentIntent `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// PaymentIntentSearch is an object of the API.
type PaymentIntentSearch struct {
	// All but Canceled when not sent.
	Statuses []string `json:"statuses,omitempty"`

	// Inclusive, by `createdAt`.
	StartDate *string `json:"startDate,omitempty"`

	// Exclusive.
	EndDate *string `json:"endDate,omitempty"`

	// Only payments of this customer (`cust_…`); an unknown one has none.
	CustomerID *string `json:"customerId,omitempty"`

	// Which page.
	Cursor *PaymentIntentSearchCursor `json:"cursor,omitempty"`
}

// Which page.
type PaymentIntentSearchCursor struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// PaymentLink is an object of the API.
type PaymentLink struct {
	// Id of the payment intent (`pi_…`) or setup intent (`si_…`) of the link.
	ID string `json:"id"`

	// `Active`: the intent can be read by its payer, whether it is paid or not. One of `Active`, `Canceled`,
	// `Expired`.
	State string `json:"state"`

	// Name of the merchant as payers know it.
	TradingName string `json:"tradingName"`

	// The look of the merchant’s pages.
	Branding PaymentLinkBranding `json:"branding"`
}

// The look of the merchant’s pages.
type PaymentLinkBranding struct {
	// Address of the logo; absent when the account has none.
	LogoURL *string `json:"logoUrl,omitempty"`

	// Address of the small icon of the browser tab; absent when the account has none.
	FaviconURL *string `json:"faviconUrl,omitempty"`

	// The colour of the button, `#0b57d0`.
	AccentColor *string `json:"accentColor,omitempty"`

	// The kind of letters of the page; the font of the system when absent. One of `sans`, `humanist`,
	// `geometric`, `rounded`, `serif`.
	Font *string `json:"font,omitempty"`
}

// PaymentMethods is an object of the API.
type PaymentMethods struct {
	// Id of the customer (`cust_…`) whose cards are listed.
	CustomerID string `json:"customerId"`

	// Number of the merchant at the acquirer.
	MerchantID string `json:"merchantId"`

	// Newest first.
	SavedPaymentMethods []SavedPaymentMethod `json:"savedPaymentMethods"`

	// What the merchant accepts now.
	SupportedPaymentMethods PaymentMethodsSupportedPaymentMethods `json:"supportedPaymentMethods"`
}

// What the merchant accepts now.
type PaymentMethodsSupportedPaymentMethods struct {
	// Card schemes that the merchant accepts.
	CardSchemes []string `json:"cardSchemes"`

	// Wallets that the merchant accepts.
	Wallets []string `json:"wallets"`
}

// PendingPayment is an object of the API.
type PendingPayment struct {
	// Of an order that is paid in advance the id of its placement.
	PaymentID string `json:"paymentId"`

	// Present for a payment of a journey.
	JourneyID *string `json:"journeyId,omitempty"`

	// Id of the session at the EPOS; absent when the payment belongs to none.
	SessionID *string `json:"sessionId,omitempty"`

	// Id of the order at the EPOS; absent when the EPOS keeps sessions, or the order is not known.
	OrderID *string `json:"orderId,omitempty"`

	// Id of the payment intent (`pi_…`); absent when there is none.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// Minor units.
	BaseAmount int64 `json:"baseAmount"`

	// Minor units.
	GratuityAmount int64 `json:"gratuityAmount"`

	// Minor units.
	CashbackAmount int64 `json:"cashbackAmount"`

	// ISO 4217 code of the three amounts.
	Currency string `json:"currency"`

	// The state in which the payment waits, such as `RecordUnknown` or `NeedsOperator`.
	State string `json:"state"`

	// Since when it waits.
	Since string `json:"since"`

	// The number of calls to the EPOS to record the payment, or to create the order.
	Attempts int64 `json:"attempts"`

	// The last error, for people; absent if there was none.
	LastError *string `json:"lastError,omitempty"`

	// Present for a call to the acquirer that has no outcome; `paymentId` is its reference.
	AcquirerCall *PendingPaymentAcquirerCall `json:"acquirerCall,omitempty"`

	// True once it has been pending for 60 seconds.
	Alarm bool `json:"alarm"`
}

// Present for a call to the acquirer that has no outcome; `paymentId` is its reference.
type PendingPaymentAcquirerCall struct {
	// What the acquirer was asked to do. One of `Authorise`, `Increase`, `Capture`, `Refund`, `Reverse`,
	// `Release`.
	Kind string `json:"kind"`

	// Our reference of the call; the acquirer’s books have it too.
	Reference string `json:"reference"`

	// The authorisation that the call is about.
	OriginalReference *string `json:"originalReference,omitempty"`

	// The state of the call in our books. One of `Prepared`, `Sent`, `Challenged`, `Approved`, `Declined`,
	// `Unknown`, `Settled`.
	State string `json:"state"`

	// How long ago its deadline was.
	OpenSeconds int64 `json:"openSeconds"`
}

// PendingResolution is an object of the API.
type PendingResolution struct {
	// The decision; the description of the operation states which one each kind of payment accepts. One of
	// `MarkRecorded`, `GiveBack`, `RetryNow`, `MarkNotHeld`, `SettleAsListed`, `MarkNotTaken`, `MarkRefunded`,
	// `MarkNotRefunded`.
	Action string `json:"action"`

	// The reason; stored in the audit log.
	Note string `json:"note"`
}

// The order to create at the EPOS; the service adds its own id of the order and the payment. All amounts are
// of one currency, quantities are from 1 to 10000, texts have at most 1024 characters, and the whole has at
// most 256 KiB of JSON. No text may hold a card number or a security code.
type PlacedOrder struct {
	// How the order is served.
	Details EposOrderDetails `json:"details"`

	// Instructions for the whole order.
	Note *string `json:"note,omitempty"`

	// Discounts that `totalAmount` already contains.
	Discounts []EposDiscount `json:"discounts,omitempty"`

	// Taxes that `totalAmount` already contains.
	TaxLines []EposTaxLine `json:"taxLines,omitempty"`

	// Service charge, part of `totalAmount`.
	ServiceChargeAmount *EposMoney `json:"serviceChargeAmount,omitempty"`

	// A number or name of the order that people can read.
	Reference *string `json:"reference,omitempty"`

	// Name under which lists display the order.
	DisplayName *string `json:"displayName,omitempty"`

	// Who ordered.
	Customer *EposCustomer `json:"customer,omitempty"`

	// What is ordered.
	Items []EposItem `json:"items"`

	// After discounts and taxes, with the service charge, never with tips.
	TotalAmount EposMoney `json:"totalAmount"`
}

// PriceAmount is an object of the API.
type PriceAmount struct {
	// Whole minor units of the currency (pence, cents): 1250 is 12.50.
	Value int64 `json:"value"`

	// ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one
	// currency.
	CurrencyCode string `json:"currencyCode"`
}

// Problem is an object of the API.
type Problem struct {
	// Names the kind of problem.
	Type string `json:"type"`

	// Short summary of the status.
	Title string `json:"title"`

	// HTTP status of the answer.
	Status int64 `json:"status"`

	// A sentence for the person who reads the log.
	Detail string `json:"detail"`

	// W3C trace parent of the failed request; also in the header `trace-id`.
	TraceID string `json:"traceId"`

	// Messages by member path or header name; empty when no member is at fault.
	Errors map[string][]string `json:"errors"`

	// The cause, as a value of the error catalogue. Programs decide by it, not by `detail`. One of
	// `path_unknown`, `method_not_allowed`, `unauthenticated`, `rate_limited`, `version_invalid`,
	// `permission_missing`, `partner_header_invalid`, `partner_not_registered`, `media_type_unsupported`,
	// `body_too_large`, `body_malformed`, `idempotency_key_invalid`, `idempotency_key_reused`,
	// `idempotency_in_progress`, `validation_failed`, `service_unavailable`, `commit_unknown`,
	// `acquirer_not_configured`, `acquirer_lacks_capability`, `acquirer_unanswered`, `client_secret_missing`,
	// `client_secret_invalid`, `page_origin_not_registered`, `submissions_exhausted`, `payment_outcome_unknown`,
	// `attempt_not_found`, `saved_card_not_found`, `saved_card_not_usable`, `saved_card_busy`,
	// `saved_card_of_setup_intent`, `payment_intent_not_found`, `payment_intent_unknown`,
	// `payment_intent_canceled`, `payment_intent_busy`, `payment_intent_not_cancelable`,
	// `payment_intent_not_payable`, `currency_not_enabled`, `not_capturable`, `capture_exceeds_authorized`,
	// `capture_refused`, `not_refundable`, `refund_exceeds_captured`, `refund_refused`, `refund_not_found`,
	// `not_reversible`, `reversal_window_passed`, `reversal_refused`, `not_chargeable`,
	// `charge_without_setup_intent`, `charge_exceeds_intended`, `setup_intent_not_chargeable`,
	// `amount_change_not_enabled`, `amount_not_changeable`, `amount_not_raised`, `amount_raise_refused`,
	// `tips_change_not_enabled`, `tips_not_changeable`, `secret_not_refreshable`, `receipt_not_available`,
	// `receipts_exhausted`, `setup_intent_not_found`, `setup_intent_busy`, `setup_intent_not_authorisable`,
	// `setup_intent_not_cancelable`, `customer_not_found`, `terminal_not_found`, `terminal_unavailable`,
	// `terminal_session_not_found`, `terminal_session_not_cancelable`, `signature_not_awaited`,
	// `subscription_not_found`, `event_kind_taken`, `secret_not_found`, `secret_is_active`, `secrets_exhausted`,
	// `delivery_not_found`, `delivery_not_dead_lettered`, `event_kind_not_subscribed`, `api_key_not_found`,
	// `api_keys_exhausted`, `attestation_missing`, `account_disabled`, `sign_in_refused`,
	// `portal_session_missing`, `password_change_needed`, `password_locked`, `reauthentication_needed`,
	// `cross_site_request`, `account_not_chosen`, `sign_in_expired`, `second_factor_refused`,
	// `second_factor_missing`, `second_factor_required`, `passkey_not_found`, `password_sign_in_off`,
	// `second_person_needed`, `second_person_refused`, `four_eyes_request_unknown`, `four_eyes_request_decided`,
	// `flow_not_found`, `flow_runs_exhausted`, `pending_payment_not_found`, `pending_payment_not_decidable`,
	// `difference_not_found`, `difference_not_answerable`, `alarm_not_found`, `alarm_answered`,
	// `lease_not_found`, `lease_over`, `lease_money_open`, `journey_not_found`, `journey_over`, `journey_busy`,
	// `journey_money_open`, `journey_not_movable`, `bill_unusable`, `bill_paid`, `part_invalid`,
	// `part_exceeds_outstanding`, `item_not_on_bill`, `item_share_taken`, `table_payment_id_reused`,
	// `card_transaction_unusable`, `order_placement_not_found`, `order_not_placeable`, `epos_cannot_order`,
	// `payment_intent_held_for_order`, `payment_intent_is_deposit`, `reservation_not_found`, `party_not_found`,
	// `booking_refused`, `epos_cannot_book`, `epos_unreachable`, `epos_unanswered`, `request_malformed`,
	// `request_timeout`, `header_fields_too_large`, `internal_error`.
	Reason string `json:"reason"`

	// The page about `reason` in the error catalogue, relative to the address that was called: the service
	// itself answers it.
	Documentation string `json:"documentation"`

	// Terminals and terminal sessions only. One of `INVALID_REQUEST`, `TERMINAL_UNAVAILABLE`, `INTERNAL_ERROR`.
	Code *string `json:"code,omitempty"`

	// With the reason `acquirer_lacks_capability`: what the acquirer cannot do. One of `separate_capture`,
	// `partial_capture`, `multiple_captures`, `incremental_authorisation`, `partial_refund`, `multiple_refunds`,
	// `unreferenced_refund`, `reversal_after_capture`, `partial_reversal`, `reversal_of_unknown_reference`,
	// `challenge`, `card_verification`, `merchant_initiated`, `cardholder_not_present`, `booked_list`,
	// `currencies`, `card_schemes`, `wallets`, `refund_window`.
	Capability *string `json:"capability,omitempty"`

	// Payers' operations only: `status`, in the form of a result.
	StatusCode *int64 `json:"statusCode,omitempty"`

	// Payers’ operations only: `detail`, in the form of a result.
	Message *string `json:"message,omitempty"`

	// Payers’ operations only: empty, because nothing was approved. One of ``.
	AuthCode *string `json:"authCode,omitempty"`

	// Payers’ operations only: empty, because there is no transaction. One of ``.
	TransactionID *string `json:"transactionId,omitempty"`
}

// PublicPaymentIntent is an object of the API.
type PublicPaymentIntent struct {
	// Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production.
	ID string `json:"id"`

	// `Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full; `Reversed`
	// undone; `Canceled` given up unpaid. One of `Created`, `Authorized`, `Captured`, `Reversed`, `Refunded`,
	// `Canceled`.
	Status string `json:"status"`

	// `Auto`: the approval takes the money. `Manual`: it is held until captures take it. One of `Auto`,
	// `Manual`.
	CaptureMode string `json:"captureMode"`

	// The price, without tip, cashback and service charge.
	Amount Money `json:"amount"`

	// The total for the cardholder: amount, tip, cashback, service charge.
	TotalAmount Money `json:"totalAmount"`

	// The tip; absent until there is one.
	TipsAmount *Money `json:"tipsAmount,omitempty"`

	// The first amount, once it was changed.
	RequestedAmount *Money `json:"requestedAmount,omitempty"`

	// Minor units.
	RefundedAmount int64 `json:"refundedAmount"`

	// How the payer may pay online: `Card`, `Wallet`, `SavedCard`.
	PaymentMethods []string `json:"paymentMethods"`

	// The integrator’s own reference, as it was sent. It need not be unique.
	Reference string `json:"reference"`

	// The integrator’s text about the payment, if one was sent.
	Description *string `json:"description,omitempty"`

	// While it is unused and unexpired, for a payer and for a key with `payments.write` or `payments.online`.
	ClientSessionSecret *string `json:"clientSessionSecret,omitempty"`

	// When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is
	// 0001-01-01T00:00:00Z, which means that there is no time.
	ClientSessionSecretExpirationDate string `json:"clientSessionSecretExpirationDate"`

	// Address of the invoice, as it was sent or the payer entered it.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Where the goods go, as it was sent or the payer entered it.
	ShippingDetails *ShippingDetails `json:"shippingDetails,omitempty"`

	// What is paid, line by line; empty when no lines were sent. The sum need not be the amount.
	ItemLines []ItemLine `json:"itemLines"`

	// Taxes within the amount; empty when none were sent.
	TaxLines []TaxLine `json:"taxLines"`

	// What the payment page displays and requires.
	Config CheckoutConfig `json:"config"`

	// What the merchant accepts.
	MerchantConfig MerchantConfig `json:"merchantConfig"`

	// Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or `pay-at-table`.
	// One of `api`, `virtual-terminal`, `payment-links`, `pay-at-table`.
	PaymentSource string `json:"paymentSource"`

	// When the intent was created.
	CreatedAt string `json:"createdAt"`

	// When the intent was changed last; moves with every stored change.
	UpdatedAt string `json:"updatedAt"`

	// The payer, as far as they are known; absent otherwise, and after the payment for all but the page that has
	// paid.
	Customer *PublicPaymentIntentCustomer `json:"customer,omitempty"`

	// Steps of all attempts without their cards, oldest first. `transactionId` is present for the page of the
	// attempt only.
	PaymentEvents []PublicPaymentIntentPaymentEvent `json:"paymentEvents"`

	// Only the id of the location; the integrator’s own additions are left out.
	Metadata PublicPaymentIntentMetadata `json:"metadata"`
}

// The payer, as far as they are known; absent otherwise, and after the payment for all but the page that has
// paid.
type PublicPaymentIntentCustomer struct {
	// Id of the stored customer (`cust_…`); absent when the intent names none.
	CustomerID *string `json:"customerId,omitempty"`

	// Equal to `customerId`.
	ID *string `json:"id,omitempty"`

	// E-mail address of the payer, so that the page need not ask for it.
	EmailAddress *string `json:"emailAddress,omitempty"`
}

// Only the id of the location; the integrator’s own additions are left out.
type PublicPaymentIntentMetadata struct {
	// Id of the location (`loc_…`) of the account, set by the service.
	LocationID string `json:"location-id"`
}

// PublicPaymentIntentPaymentEvent is an object of the API.
type PublicPaymentIntentPaymentEvent struct {
	// What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed without a
	// decision of the issuer. One of `Created`, `Authorized`, `Captured`, `Reversed`, `Refunded`, `Canceled`,
	// `AuthChallenged`, `Declined`, `ManualAuthReady`, `Error`, `Unknown`.
	EventType string `json:"eventType"`

	// UUID of the attempt; absent for steps that belong to none, such as a cancellation.
	TransactionID *string `json:"transactionId,omitempty"`

	// When the step happened.
	TransactionDateTime string `json:"transactionDateTime"`
}

// PublicReceiptRequest is an object of the API.
type PublicReceiptRequest struct {
	// The address that gets the customer’s copy.
	Email string `json:"email"`
}

// PublicSetupIntent is an object of the API.
type PublicSetupIntent struct {
	// Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production.
	ID string `json:"id"`

	// `Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or
	// `Closed` given up before or after a card; `Expired` or `CardExpired` too late. One of `Created`,
	// `Authorized`, `Expired`, `CardExpired`, `Canceled`, `Completed`, `Closed`.
	Status string `json:"status"`

	// Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges.
	// One of `NoShow`, `Unscheduled`.
	MerchantInitiatedTransactionType string `json:"merchantInitiatedTransactionType"`

	// What the payer agrees to.
	Terms string `json:"terms"`

	// The most that may be charged.
	IntendedAmount *Money `json:"intendedAmount,omitempty"`

	// How the payer may authorise: `Card`, `Wallet`, `SavedCard`.
	PaymentMethods []string `json:"paymentMethods"`

	// The integrator’s own reference, as it was sent.
	Reference string `json:"reference"`

	// The integrator’s text, if one was sent.
	Description *string `json:"description,omitempty"`

	// While it is unused and unexpired, for a payer and for a key with `setup.write`.
	ClientSessionSecret *string `json:"clientSessionSecret,omitempty"`

	// When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is
	// 0001-01-01T00:00:00Z, which means that there is no time.
	ClientSessionSecretExpirationDate string `json:"clientSessionSecretExpirationDate"`

	// Address of the invoice, as it was sent or the payer entered it.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Where goods go, if it was sent.
	ShippingDetails *ShippingDetails `json:"shippingDetails,omitempty"`

	// The order that it belongs to, if it was sent.
	OrderDetails *OrderDetails `json:"orderDetails,omitempty"`

	// What the hosted page displays and requires.
	Config CheckoutConfig `json:"config"`

	// There are no wallets here.
	MerchantConfig MerchantConfig `json:"merchantConfig"`

	// Where the setup intent was created. One of `api`, `virtual-terminal`, `payment-links`, `pay-at-table`.
	PaymentSource string `json:"paymentSource"`

	// When a setup intent without a card becomes `Expired`.
	ExpireAt string `json:"expireAt"`

	// When the setup intent was created.
	CreatedAt string `json:"createdAt"`

	// When the setup intent was changed last.
	UpdatedAt string `json:"updatedAt"`

	// The payer, as far as they are known; absent otherwise, and after the setup for all but the page of the
	// payer.
	Customer *PublicSetupIntentCustomer `json:"customer,omitempty"`

	// Only the id of the location; the integrator’s own additions are left out.
	Metadata PublicSetupIntentMetadata `json:"metadata"`

	// Outcome of the last attempt without the card; absent before the first, and for all but the page of the
	// attempt.
	PaymentDetails *PublicSetupIntentPaymentDetails `json:"paymentDetails,omitempty"`
}

// The payer, as far as they are known; absent otherwise, and after the setup for all but the page of the
// payer.
type PublicSetupIntentCustomer struct {
	// Id of the stored customer (`cust_…`); absent when the intent names none.
	CustomerID *string `json:"customerId,omitempty"`

	// Equal to `customerId`.
	ID *string `json:"id,omitempty"`

	// E-mail address of the payer, so that the page need not ask for it.
	EmailAddress *string `json:"emailAddress,omitempty"`
}

// Only the id of the location; the integrator’s own additions are left out.
type PublicSetupIntentMetadata struct {
	// Id of the location (`loc_…`) of the account, set by the service.
	LocationID string `json:"location-id"`
}

// Outcome of the last attempt without the card; absent before the first, and for all but the page of the
// attempt.
type PublicSetupIntentPaymentDetails struct {
	// UUID of the transaction; the same as `id` in the listing of transactions.
	TransactionID string `json:"transactionId"`

	// When the acquirer decided.
	TransactionDateTime string `json:"transactionDateTime"`

	// Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on. One of `DEPOSITED`,
	// `AUTHORIZED`, `DECLINED`, `REFERRED`, `REVERSED`, `REFUNDED`, `FAILED`.
	Message string `json:"message"`
}

// ReadMailboxQuery is an object of the API.
type ReadMailboxQuery struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// ReadPaymentIntentQuery is an object of the API.
type ReadPaymentIntentQuery struct {
	// Also answer when the intent is Canceled.
	ReturnCanceled *bool `json:"returnCanceled,omitempty"`
}

// Receipt is an object of the API.
type Receipt struct {
	// Lines from top to bottom.
	Lines []ReceiptLine `json:"lines"`
}

// ReceiptLine is an object of the API.
type ReceiptLine struct {
	// What the line is. A line with text or a logo has the member for it; the others have none. One of `Text`,
	// `LogoImage`, `NewLine`, `SingleLineSeperator`, `DoubleLineSeperator`.
	LineType string `json:"lineType"`

	// Present when `lineType` is `Text`.
	Text *ReceiptLineText `json:"text,omitempty"`

	// Present when `lineType` is `LogoImage`.
	ImageLogo *ReceiptLineImageLogo `json:"imageLogo,omitempty"`
}

// Present when `lineType` is `LogoImage`.
type ReceiptLineImageLogo struct {
	// The picture to print.
	Value string `json:"value"`

	// Where the picture is placed. One of `AlignLeft`, `AlignCenter`, `AlignRight`.
	Align string `json:"align"`
}

// Present when `lineType` is `Text`.
type ReceiptLineText struct {
	// The words to print.
	Value string `json:"value"`

	// Size of the letters. One of `SizeHeader1`, `SizeHeader2`, `SizeBody`.
	Size string `json:"size"`

	// Where the words are placed on the line. One of `AlignLeft`, `AlignCenter`, `AlignRight`.
	Align string `json:"align"`

	// True: print in bold.
	EmphasisBold bool `json:"emphasisBold"`
}

// ReceiptRequest is an object of the API.
type ReceiptRequest struct {
	// Addresses that get the customer’s copy, each once.
	Emails []string `json:"emails"`
}

// Reconciliation is an object of the API.
type Reconciliation struct {
	// Every day before it was compared with the acquirers’ books by the daily check, except `uncomparedDays`.
	ReconciledTo *string `json:"reconciledTo,omitempty"`

	// When the books of an acquirer were compared last.
	ListComparedAt *string `json:"listComparedAt,omitempty"`

	// Which acquirers’ books could not be read in the last attempt, and why; the next attempt follows within 15
	// minutes.
	ListError *string `json:"listError,omitempty"`

	// The start of a requested run that has not finished yet.
	RequestedFrom *string `json:"requestedFrom,omitempty"`

	// The end of a requested run that has not finished yet.
	RequestedTo *string `json:"requestedTo,omitempty"`

	// Days whose comparison with an acquirer is incomplete, oldest first; at most a thousand.
	UncomparedDays []UncomparedDay `json:"uncomparedDays"`

	// When the chains of all records were checked last.
	ChainsCheckedAt *string `json:"chainsCheckedAt,omitempty"`
}

// ReconciliationDifference is an object of the API.
type ReconciliationDifference struct {
	// UUID of the difference.
	ID string `json:"id"`

	// `NotAskedFor`: the acquirer booked a transaction that we did not request. `OtherKind`, `OtherAmount`: it
	// booked another kind or amount. `SettledAmount`: the lines of its settlement files sum to another amount
	// than we requested. `NotApproved`: it booked a transaction that is declined or reversed in our books.
	// `NotBooked`: it has not booked a transaction of our books. `ListingSum`: the transactions of a payment do
	// not sum to what the ledger keeps. `BrokenChain`: records of a payment intent, a setup intent or an
	// unlinked refund are not as they were written. One of `NotAskedFor`, `OtherKind`, `OtherAmount`,
	// `SettledAmount`, `NotApproved`, `NotBooked`, `ListingSum`, `BrokenChain`, `UnprovedRecord`.
	Kind string `json:"kind"`

	// Of the call to the acquirer; of the last two kinds the id they are about.
	Reference string `json:"reference"`

	// Id of the payment intent (`pi_…`); absent when none is known.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// The money at stake, where there is one amount.
	Amount *Money `json:"amount,omitempty"`

	// The value in our books.
	Ours *string `json:"ours,omitempty"`

	// The value in the other books.
	Theirs *string `json:"theirs,omitempty"`

	// The difference in a sentence.
	Says string `json:"says"`

	// `Open` until it is answered; `Closed` once a check does not find it any more. One of `Open`, `Answered`,
	// `Closed`.
	State string `json:"state"`

	// When it was booked or requested.
	HappenedAt string `json:"happenedAt"`

	// When a check found it first.
	FirstSeenAt string `json:"firstSeenAt"`

	// When a check found it last.
	LastSeenAt string `json:"lastSeenAt"`
}

// ReconciliationDifferencePage is an object of the API.
type ReconciliationDifferencePage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []ReconciliationDifference `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// ReconciliationStart is an object of the API.
type ReconciliationStart struct {
	// Inclusive; at most 31 days before `to`.
	From string `json:"from"`

	// Exclusive; now when not sent.
	To *string `json:"to,omitempty"`

	// Why; kept in the audit log.
	Note string `json:"note"`
}

// Refund is an object of the API.
type Refund struct {
	// Id of the payment intent (`pi_…`) whose money was returned.
	PaymentIntentID string `json:"paymentIntentId"`

	// Id of the refund (`rfnd_…`).
	RefundID string `json:"refundId"`

	// The reason that was sent; absent if none was.
	RefundReason *string `json:"refundReason,omitempty"`

	// The notes that were sent; absent if none were.
	Notes *string `json:"notes,omitempty"`

	// Always `REFUNDED`: the acquirer has accepted the refund. One of `REFUNDED`.
	Message string `json:"message"`
}

// Replay is an object of the API.
type Replay struct {
	// Inclusive, by `createdAt` of the event.
	From *string `json:"from,omitempty"`

	// Exclusive; now when not sent.
	To *string `json:"to,omitempty"`

	// The states of deliveries to replay; DeadLettered when not sent. `NotSubscribed`: no subscription had its
	// kind then.
	States []string `json:"states,omitempty"`
}

// Replayed is an object of the API.
type Replayed struct {
	// How many events are sent again.
	Queued int64 `json:"queued"`
}

// RequestActivity is an object of the API.
type RequestActivity struct {
	// Id of the entry; its form has no meaning.
	ID string `json:"id"`

	// When it began.
	At string `json:"at"`

	// The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook, the
	// new status of a change, or what a machine reported.
	Name string `json:"name"`

	// The trace of the request: 32 hex digits, as in the header `trace-id`.
	TraceID string `json:"traceId"`

	// How the request ended: done, refused by a rule, or failed. One of `Succeeded`, `Refused`, `Failed`.
	Outcome string `json:"outcome"`

	// The HTTP status, where there is one.
	Status *int64 `json:"status,omitempty"`

	// The code of the refusal, or why it failed.
	Reason *string `json:"reason,omitempty"`

	// How long it took, in milliseconds; absent where it is not measured.
	TookMs *int64 `json:"tookMs,omitempty"`

	// HTTP method; absent where there was none.
	Method *string `json:"method,omitempty"`

	// Path that was called; absent where there was none.
	Path *string `json:"path,omitempty"`

	// Whether the request had an idempotency key.
	HasIdempotencyKey *bool `json:"hasIdempotencyKey,omitempty"`

	// Members that are not listed for the log have the value `[not recorded]`; a long body is cut.
	Request map[string]any `json:"request,omitempty"`

	// Members that are not listed for the log have the value `[not recorded]`; a long body is cut.
	Answer map[string]any `json:"answer,omitempty"`

	// The API key; absent for a request of a payer.
	KeyID *string `json:"keyId,omitempty"`

	// The payment, session or setup that it is about; absent for a successful read.
	SubjectID *string `json:"subjectId,omitempty"`
}

// RequestActivityPage is an object of the API.
type RequestActivityPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []RequestActivity `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// The payer's device.
type RequestSecurity struct {
	// The header `User-Agent` of the payer’s browser, as the integrator received it.
	UserAgent *string `json:"userAgent,omitempty"`

	// The IP address from which the payer orders.
	IpAddress *string `json:"ipAddress,omitempty"`

	// The kind or name of the payer’s device, in the integrator’s words.
	Device *string `json:"device,omitempty"`
}

// Reservation is an object of the API.
type Reservation struct {
	// Id of the reservation, unique within the EPOS of the account.
	ID string `json:"id"`

	// Name under which the table is reserved.
	Name string `json:"name"`

	// How many people are expected.
	Covers int64 `json:"covers"`

	// When the reservation begins.
	StartTime string `json:"startTime"`

	// When the table is free again.
	EndTime string `json:"endTime"`

	// Ids of the reserved tables.
	TableIDs []string `json:"tableIds"`

	// Notes of the staff. Do not show them to guests.
	HostNotes *string `json:"hostNotes,omitempty"`

	// The guest's words.
	GuestRequests *string `json:"guestRequests,omitempty"`
}

// ReservationPage is an object of the API.
type ReservationPage struct {
	// The elements of this page, in the order of the EPOS.
	Data []Reservation `json:"data"`

	// Cursor of the previous page; null when there is none.
	Before *string `json:"before"`

	// Cursor of the next page; null when there is none.
	After *string `json:"after"`

	// How many elements of the page were left out because they cannot be read; absent when all can.
	UnreadableCount *int64 `json:"unreadableCount,omitempty"`
}

// RestIntegration is an object of the API.
type RestIntegration struct {
	// Address of the EPOS, to which `/v1/…` is appended.
	URL string `json:"url"`

	// How the service authenticates itself at the EPOS.
	Auth EposAuth `json:"auth"`

	// What the EPOS can do. Nothing else is called.
	Capabilities []EposCapability `json:"capabilities"`

	// When it was registered.
	CreatedAt string `json:"createdAt"`
}

// Reversal is an object of the API.
type Reversal struct {
	// Always `REVERSED`: the acquirer has undone the payment. One of `REVERSED`.
	Message string `json:"message"`

	// Id of the reversal (`rvs_…`).
	ReversalID string `json:"reversalId"`
}

// Run is an object of the API.
type Run struct {
	// UUID of the run.
	FlowID string `json:"flowID"`

	// Name of the flow that runs.
	FlowName string `json:"flowName"`

	// The worst status of the steps so far, or `IN_PROGRESS` while it runs. One of `IN_PROGRESS`, `SUCCESS`,
	// `FAILURE`, `TIMED_OUT`.
	Status string `json:"status"`

	// When the run started.
	StartedAt string `json:"startedAt"`

	// When the run ended; absent while it runs.
	FinishedAt *string `json:"finishedAt,omitempty"`

	// Steps in their order. Steps after a failure are absent, except the cleanup.
	Steps []RunStep `json:"steps"`
}

// RunStep is an object of the API.
type RunStep struct {
	// Name of the step.
	Name string `json:"name"`

	// `SUCCESS`, `FAILURE`, `TIMED_OUT` or, while it runs, `IN_PROGRESS`. One of `IN_PROGRESS`, `SUCCESS`,
	// `FAILURE`, `TIMED_OUT`.
	Status string `json:"status"`

	// When the step started.
	StartedAt string `json:"startedAt"`

	// When the step ended; absent while it runs.
	FinishedAt *string `json:"finishedAt,omitempty"`

	// Requests, answers and failed checks, one line each; without secrets.
	AdditionalInformation []string `json:"additionalInformation"`
}

// RunSummary is an object of the API.
type RunSummary struct {
	// UUID of the run.
	FlowID string `json:"flowID"`

	// Name of the flow that runs.
	FlowName string `json:"flowName"`

	// The worst status of the steps so far, or `IN_PROGRESS` while it runs. One of `IN_PROGRESS`, `SUCCESS`,
	// `FAILURE`, `TIMED_OUT`.
	Status string `json:"status"`

	// When the run started.
	StartedAt string `json:"startedAt"`

	// When the run ended; absent while it runs.
	FinishedAt *string `json:"finishedAt,omitempty"`

	// How many steps began.
	StepCount int64 `json:"stepCount"`

	// Name of the first step that failed; absent when none did.
	FailedStep *string `json:"failedStep,omitempty"`
}

// RunSummaryPage is an object of the API.
type RunSummaryPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []RunSummary `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// SandboxEpos is an object of the API.
type SandboxEpos struct {
	// False: the EPOS of the sandbox does not connect for this account.
	IsEnabled bool `json:"isEnabled"`
}

// SandboxMail is an object of the API.
type SandboxMail struct {
	// UUID of the mail.
	ID string `json:"id"`

	// Id of the payment intent (`pi_…`) that the receipt is about.
	PaymentIntentID string `json:"paymentIntentId"`

	// The receiver’s address.
	To string `json:"to"`

	// Subject line of the mail.
	Subject string `json:"subject"`

	// The receipt as plain text.
	Text string `json:"text"`

	// The same receipt as HTML.
	Html string `json:"html"`

	// When the mail was requested.
	CreatedAt string `json:"createdAt"`
}

// SandboxMailPage is an object of the API.
type SandboxMailPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []SandboxMail `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// SavedPaymentMethod is an object of the API.
type SavedPaymentMethod struct {
	// Id of the saved card (`pm_…`); pay with it by `paymentMethodId`.
	ID string `json:"id"`

	// What may be displayed of the card.
	CardDetails SavedPaymentMethodCardDetails `json:"cardDetails"`
}

// What may be displayed of the card.
type SavedPaymentMethodCardDetails struct {
	// First 8 digits, `****`, last 4.
	Pan string `json:"pan"`

	// Last day of the expiry month.
	ExpiryDate string `json:"expiryDate"`

	// Scheme of the card; absent when it is not known. One of `VISA`, `MASTERCARD`, `MAESTRO`, `DISCOVER`,
	// `DCI`, `AMEX`.
	Scheme *string `json:"scheme,omitempty"`
}

// Set up by the operator of the service.
type ServiceManagedIntegration struct {
	// What the EPOS can do. Nothing else is called.
	Capabilities []EposCapability `json:"capabilities"`

	// When it was set up.
	CreatedAt string `json:"createdAt"`
}

// Exactly the member of the same theme as `sessionType`.
type SessionDetails struct {
	// `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. One of `Sale`,
	// `MatchedRefund`, `UnlinkedRefund`.
	SessionType string `json:"sessionType"`

	// Present for a `Sale`.
	Sale *SessionDetailsSale `json:"sale,omitempty"`

	// Present for a `MatchedRefund`.
	MatchedRefund *SessionDetailsMatchedRefund `json:"matchedRefund,omitempty"`

	// Present for an `UnlinkedRefund`.
	UnlinkedRefund *SessionDetailsUnlinkedRefund `json:"unlinkedRefund,omitempty"`
}

// Present for a `MatchedRefund`.
type SessionDetailsMatchedRefund struct {
	// Id of the payment intent (`pi_…`) that is refunded.
	PaymentIntentID string `json:"paymentIntentId"`

	// What is returned to the card.
	Amount Money `json:"amount"`
}

// Present for a `Sale`.
type SessionDetailsSale struct {
	// Id of the payment intent (`pi_…`) that is paid.
	PaymentIntentID string `json:"paymentIntentId"`
}

// Present for an `UnlinkedRefund`.
type SessionDetailsUnlinkedRefund struct {
	// What is returned to the card.
	Amount Money `json:"amount"`

	// True: the card is keyed in without the cardholder.
	CardholderNotPresent bool `json:"cardholderNotPresent"`
}

// SetupIntent is an object of the API.
type SetupIntent struct {
	// Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production.
	ID string `json:"id"`

	// `Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or
	// `Closed` given up before or after a card; `Expired` or `CardExpired` too late. One of `Created`,
	// `Authorized`, `Expired`, `CardExpired`, `Canceled`, `Completed`, `Closed`.
	Status string `json:"status"`

	// Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges.
	// One of `NoShow`, `Unscheduled`.
	MerchantInitiatedTransactionType string `json:"merchantInitiatedTransactionType"`

	// What the payer agrees to.
	Terms string `json:"terms"`

	// The most that may be charged.
	IntendedAmount *Money `json:"intendedAmount,omitempty"`

	// How the payer may authorise: `Card`, `Wallet`, `SavedCard`.
	PaymentMethods []string `json:"paymentMethods"`

	// The integrator’s own reference, as it was sent.
	Reference string `json:"reference"`

	// The integrator’s text, if one was sent.
	Description *string `json:"description,omitempty"`

	// While it is unused and unexpired, for a payer and for a key with `setup.write`.
	ClientSessionSecret *string `json:"clientSessionSecret,omitempty"`

	// When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is
	// 0001-01-01T00:00:00Z, which means that there is no time.
	ClientSessionSecretExpirationDate string `json:"clientSessionSecretExpirationDate"`

	// Address of the invoice, as it was sent or the payer entered it.
	BillingAddress *Address `json:"billingAddress,omitempty"`

	// Where goods go, if it was sent.
	ShippingDetails *ShippingDetails `json:"shippingDetails,omitempty"`

	// The order that it belongs to, if it was sent.
	OrderDetails *OrderDetails `json:"orderDetails,omitempty"`

	// What the hosted page displays and requires.
	Config CheckoutConfig `json:"config"`

	// There are no wallets here.
	MerchantConfig MerchantConfig `json:"merchantConfig"`

	// Where the setup intent was created. One of `api`, `virtual-terminal`, `payment-links`, `pay-at-table`.
	PaymentSource string `json:"paymentSource"`

	// When a setup intent without a card becomes `Expired`.
	ExpireAt string `json:"expireAt"`

	// When the setup intent was created.
	CreatedAt string `json:"createdAt"`

	// When the setup intent was changed last.
	UpdatedAt string `json:"updatedAt"`

	// The payer, as far as they are known; absent otherwise.
	Customer *IntentCustomer `json:"customer,omitempty"`

	// The payer’s device, if it was sent.
	RequestSecurity *RequestSecurity `json:"requestSecurity,omitempty"`

	// Always holds `location-id`.
	Metadata map[string]any `json:"metadata"`

	// Outcome of the last attempt to authorise the card; absent before the first.
	PaymentDetails *SetupOutcome `json:"paymentDetails,omitempty"`

	// Address of the hosted page on which the payer enters the card; present while it is `Created`.
	SetupLink *string `json:"setupLink,omitempty"`

	// Steps of all attempts, oldest first; empty until the first.
	SetupEvents []PaymentEvent `json:"setupEvents"`
}

// How the last attempt to authorise the card came out.
type SetupOutcome struct {
	// UUID of the transaction; the same as `id` in the listing of transactions.
	TransactionID string `json:"transactionId"`

	// How the acquirer names the transaction, where that is no UUID; absent otherwise.
	AcquirerTransactionID *string `json:"acquirerTransactionId,omitempty"`

	// When the acquirer decided.
	TransactionDateTime string `json:"transactionDateTime"`

	// Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on. One of `DEPOSITED`,
	// `AUTHORIZED`, `DECLINED`, `REFERRED`, `REVERSED`, `REFUNDED`, `FAILED`.
	Message string `json:"message"`

	// Empty when the card was refused.
	AuthCode string `json:"authCode"`

	// Id of the saved card (`pm_…`) that was used or saved; absent otherwise.
	PaymentMethodID *string `json:"paymentMethodId,omitempty"`

	// How the billing address compares with the issuer’s; absent when there was no check. One of
	// `ADDRESS_MATCH_POSTCODE_MATCH`, `ADDRESS_MATCH_POSTCODE_MISMATCH`, `ADDRESS_MISMATCH_POSTCODE_MATCH`,
	// `ADDRESS_MISMATCH_POSTCODE_MISMATCH`, `NOT_CHECKED`.
	AvsResult *string `json:"avsResult,omitempty"`

	// The card that was tried, with a masked number; absent when it is not known.
	Card *Card `json:"card,omitempty"`
}

// ShippingDetails is an object of the API.
type ShippingDetails struct {
	// Who receives the goods.
	Name *string `json:"name,omitempty"`

	// Instructions for the courier.
	DeliveryNotes *string `json:"deliveryNotes,omitempty"`

	// Where the goods are sent.
	Address *Address `json:"address,omitempty"`
}

// SignatureDecision is an object of the API.
type SignatureDecision struct {
	// True: the signature is the cardholder’s, and the payment continues. False: the payment is undone.
	Accepted bool `json:"accepted"`
}

// StatusEvent is an object of the API.
type StatusEvent struct {
	// Status that the session reached. One of `InitiateRequested`, `Initiated`, `CancelRequested`,
	// `SignatureVerificationRequired`, `SignatureVerificationAccepted`, `SignatureVerificationRejected`,
	// `Authorized`, `Captured`, `Canceled`, `Declined`, `Expired`.
	Status string `json:"status"`

	// When the session reached the status.
	CreatedAt string `json:"createdAt"`

	// Kept for older integrations: always empty text.
	DebugMessage string `json:"debugMessage"`
}

// Subscription is an object of the API.
type Subscription struct {
	// Id of the subscription (`ws_…`).
	ID string `json:"id"`

	// Account that the subscription belongs to (`acc_…`).
	AccountID string `json:"accountId"`

	// The kinds that are sent to `url`; each belongs to one subscription of the account and environment.
	Events []string `json:"events"`

	// Address to which events are posted.
	URL string `json:"url"`

	// The integrator’s text about the receiver, if one was sent.
	Description *string `json:"description,omitempty"`

	// Only while it is paused.
	Paused *bool `json:"paused,omitempty"`

	// All signing secrets, the active one included.
	Secrets []WebhookSecret `json:"secrets"`

	// The active one.
	Secret WebhookSecret `json:"secret"`

	// When the subscription was created.
	CreatedAt string `json:"createdAt"`

	// When the subscription was changed last.
	UpdatedAt string `json:"updatedAt"`
}

// SubscriptionChange is an object of the API.
type SubscriptionChange struct {
	// All of its kinds from now on.
	Events []string `json:"events,omitempty"`

	// Also for what waits already. An https address of the public internet. A sandbox of a service that runs for
	// development also calls http on loopback, such as http://localhost:3000/hooks.
	URL *string `json:"url,omitempty"`

	// The new text about the receiver.
	Description *string `json:"description,omitempty"`

	// While it is true deliveries are held; afterwards they go out, oldest first.
	Paused *bool `json:"paused,omitempty"`
}

// SurplusAmount is an object of the API.
type SurplusAmount struct {
	// Whole minor units of the currency (pence, cents): 1250 is 12.50.
	Value int64 `json:"value"`

	// ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one
	// currency.
	CurrencyCode string `json:"currencyCode"`
}

// TableLease is an object of the API.
type TableLease struct {
	// UUID of the lease.
	LeaseID string `json:"leaseId"`

	// Account of the restaurant (`acc_…`).
	AccountID string `json:"accountId"`

	// Id of the table session at the EPOS.
	SessionID string `json:"sessionId"`

	// Where the EPOS keeps orders.
	OrderID *string `json:"orderId,omitempty"`

	// The id of our lock on the order.
	LockID *string `json:"lockId,omitempty"`

	// The device.
	Owner string `json:"owner"`

	// Number of the waiter; absent when none was entered.
	WaiterID *int64 `json:"waiterId,omitempty"`

	// When the device acquired the lease.
	AcquiredAt string `json:"acquiredAt"`

	// Never reached while money is open.
	ExpiresAt string `json:"expiresAt"`

	// `Held` by the device; `Lost` when the lock at the EPOS was lost; `Released` ended; `Forced` ended by an
	// operator. One of `Held`, `Lost`, `Released`, `Forced`.
	State string `json:"state"`

	// Neither recorded, nor given back, nor ended.
	OpenPayments int64 `json:"openPayments"`
}

// TableOperatorCall is an object of the API.
type TableOperatorCall struct {
	// UUID of the entry.
	ID string `json:"id"`

	// Whose key it was; `service` for alarms that the service answered itself.
	KeyID string `json:"keyId"`

	// What the operator ordered. One of `MarkRecorded`, `GiveBack`, `RetryNow`, `MarkNotHeld`, `ReleaseLease`,
	// `MarkRefunded`, `MarkNotRefunded`, `ResetMachine`, `MoveJourney`, `ReplayEposEvents`,
	// `StartReconciliation`, `AnswerDifference`, `AnswerAlarm`, `SettleAsListed`, `MarkNotTaken`.
	Action string `json:"action"`

	// The id of the payment, terminal session, lease, journey or difference; of a replay and of a reconciliation
	// the span.
	Subject string `json:"subject"`

	// The reason that the operator gave.
	Note string `json:"note"`

	// Whether the operator confirmed that money was open.
	Confirmed bool `json:"confirmed"`

	// `Done`, or `Refused` without an effect. One of `Done`, `Refused`.
	Outcome string `json:"outcome"`

	// Why it was refused.
	Refusal *string `json:"refusal,omitempty"`

	// State of the subject before the decision; absent when it has none.
	StateBefore *string `json:"stateBefore,omitempty"`

	// State of the subject after the decision; absent when it has none.
	StateAfter *string `json:"stateAfter,omitempty"`

	// When the operator decided.
	CreatedAt string `json:"createdAt"`
}

// TableOperatorCallPage is an object of the API.
type TableOperatorCallPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []TableOperatorCall `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// TaxLine is an object of the API.
type TaxLine struct {
	// The integrator’s or EPOS’s id of the tax line.
	ID *string `json:"id,omitempty"`

	// Name of the tax on the payment page and the receipt, such as “VAT”.
	Caption *string `json:"caption,omitempty"`

	// Second line of the text, such as the rate.
	SubCaption *string `json:"subCaption,omitempty"`

	// Price look-up number of the item that is taxed; absent for a tax on the whole bill.
	AffectedPlu *string `json:"affectedPlu,omitempty"`

	// The amount of the tax.
	AmountTotal Money `json:"amountTotal"`
}

// Terminal is an object of the API.
type Terminal struct {
	// Id of the card machine (`tm_…`); sessions name it.
	ID string `json:"id"`

	// Facts about the machine.
	Properties TerminalProperties `json:"properties"`

	// InUse: a session runs. Offline: no message for 60 seconds. Available: neither. One of `Available`,
	// `Offline`, `InUse`.
	Status string `json:"status"`

	// Since when it has the status.
	UpdatedAt string `json:"updatedAt"`
}

// Facts about the machine.
type TerminalProperties struct {
	// Terminal id at the acquirer, 8 digits; printed on receipts.
	Tid string `json:"tid"`
}

// TerminalSession is an object of the API.
type TerminalSession struct {
	// Id of the session: `ts_sandbox_…` in the sandbox, `ts_prod_…` in production.
	ID string `json:"id"`

	// Id of the card machine (`tm_…`).
	TerminalID string `json:"terminalId"`

	// Where the session is. Final are `Authorized`, `Captured`, `Canceled`, `Expired`, `Declined` and
	// `SignatureVerificationRejected`. One of `InitiateRequested`, `Initiated`, `CancelRequested`,
	// `SignatureVerificationRequired`, `SignatureVerificationAccepted`, `SignatureVerificationRejected`,
	// `Authorized`, `Captured`, `Canceled`, `Declined`, `Expired`.
	Status string `json:"status"`

	// Equal to `details.sessionType`. One of `Sale`, `MatchedRefund`, `UnlinkedRefund`.
	SessionType string `json:"sessionType"`

	// Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// When the session was created.
	CreatedAt string `json:"createdAt"`

	// When the last status came.
	UpdatedAt string `json:"updatedAt"`

	// When the current step must have ended: 10 s to confirm, 90 s to pay, 80 s to check a signature.
	ExpireAt string `json:"expireAt"`

	// What the machine displayed, oldest first.
	NotificationEvents []NotificationEvent `json:"notificationEvents"`

	// All statuses of the session, oldest first.
	StatusEvents []StatusEvent `json:"statusEvents"`

	// What the session was created for.
	Details SessionDetails `json:"details"`

	// The card; absent until the machine reports it.
	PaymentDetails *TerminalSessionPaymentDetails `json:"paymentDetails,omitempty"`

	// The copy for the cardholder; absent until the session ends.
	CustomerReceipt *Receipt `json:"customerReceipt,omitempty"`

	// The copy for the merchant, with a line to sign where that is needed; absent until there is one.
	MerchantReceipt *Receipt `json:"merchantReceipt,omitempty"`

	// The customer copy.
	Receipt *Receipt `json:"receipt,omitempty"`
}

// TerminalSessionEvent is an object of the API.
type TerminalSessionEvent struct {
	// Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it.
	ID string `json:"id"`

	// Account in which it happened (`acc_…`).
	AccountID string `json:"accountId"`

	// When it happened.
	CreatedAt string `json:"createdAt"`

	// The kind of event. One of `terminal_session.created`, `terminal_session.status_updated`,
	// `terminal_session.signature_verification_required`, `terminal_session.notification`.
	Event string `json:"event"`

	// The session at the time of the event.
	Data TerminalSessionEventData `json:"data"`
}

// The session at the time of the event.
type TerminalSessionEventData struct {
	// Id of the session (`ts_…`). Events of one session arrive in their order.
	TerminalSessionID string `json:"terminalSessionId"`

	// The status that was reached; for `terminal_session.notification` what the machine displays. One of
	// `InitiateRequested`, `Initiated`, `CancelRequested`, `SignatureVerificationRequired`,
	// `SignatureVerificationAccepted`, `SignatureVerificationRejected`, `Authorized`, `Captured`, `Canceled`,
	// `Declined`, `Expired`, `Approved`, `InsertCard`, `EnterPin`, `PleaseWait`, `PresentCard`,
	// `PresentOnlyOneCard`, `RemoveCard`, `CardUnsupported`, `CardError`, `ReEnterCard`.
	State string `json:"state"`

	// Id of the card machine (`tm_…`).
	TerminalID string `json:"terminalId"`

	// When the session was created.
	CreatedAt string `json:"createdAt"`

	// When the session reached its last status.
	UpdatedAt string `json:"updatedAt"`

	// When the current step of the session must have ended.
	ExpireAt string `json:"expireAt"`

	// `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. One of `Sale`,
	// `MatchedRefund`, `UnlinkedRefund`.
	SessionType string `json:"sessionType"`

	// Id of the payment intent (`pi_…`); absent for an `UnlinkedRefund`.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// The card; absent until the machine reports it.
	PaymentDetails *TerminalSessionEventDataPaymentDetails `json:"paymentDetails,omitempty"`
}

// The card; absent until the machine reports it.
type TerminalSessionEventDataPaymentDetails struct {
	// Scheme of the card in capitals.
	CardScheme *string `json:"cardScheme,omitempty"`

	// Twelve asterisks and the last four digits of the card.
	MaskedPan *string `json:"maskedPan,omitempty"`

	// Code of the approval; absent without one.
	AuthCode *string `json:"authCode,omitempty"`
}

// The card; absent until the machine reports it.
type TerminalSessionPaymentDetails struct {
	// Scheme of the card in capitals.
	CardScheme string `json:"cardScheme"`

	// Twelve asterisks and the last four digits of the card.
	MaskedPan string `json:"maskedPan"`

	// Code of the approval; absent without one.
	AuthCode *string `json:"authCode,omitempty"`
}

// TerminalSessionSummary is an object of the API.
type TerminalSessionSummary struct {
	// Id of the session (`ts_…`).
	ID string `json:"id"`

	// Where the session is, as the operation that reads one explains. One of `InitiateRequested`, `Initiated`,
	// `CancelRequested`, `SignatureVerificationRequired`, `SignatureVerificationAccepted`,
	// `SignatureVerificationRejected`, `Authorized`, `Captured`, `Canceled`, `Declined`, `Expired`.
	Status string `json:"status"`

	// What the session was created for. One of `Sale`, `MatchedRefund`, `UnlinkedRefund`.
	SessionType string `json:"sessionType"`

	// Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// What is paid or returned, with tip, cashback and service charge.
	Amount Money `json:"amount"`

	// When the session was created.
	CreatedAt string `json:"createdAt"`

	// When the last status came.
	UpdatedAt string `json:"updatedAt"`
}

// TerminalSessionSummaryPage is an object of the API.
type TerminalSessionSummaryPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []TerminalSessionSummary `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// TestEvent is an object of the API.
type TestEvent struct {
	// The kind of event to send; the subscription must have it. One of `payment_intent.created`,
	// `payment_intent.status_updated`, `payment_intent.send-receipt`, `terminal_session.created`,
	// `terminal_session.status_updated`, `terminal_session.signature_verification_required`,
	// `terminal_session.notification`, `payment_intent.amount_captured`, `payment_intent.amount_refunded`,
	// `payment_intent.charge_failed`, `reservation.updated`, `party.updated`.
	Event string `json:"event"`
}

// Transaction is an object of the API.
type Transaction struct {
	// Of a payment the `transactionId` of its details.
	ID string `json:"id"`

	// Decimal digits, for reports that need a number.
	LegacyID string `json:"legacyId"`

	// Id of the payment intent (`pi_…`); absent for an unlinked refund.
	PaymentIntentID *string `json:"paymentIntentId,omitempty"`

	// Number of the merchant at the acquirer; absent when it was not known.
	MerchantID *string `json:"merchantId,omitempty"`

	// Reference of the payment intent; absent for an unlinked refund.
	Reference *string `json:"reference,omitempty"`

	// When the acquirer decided.
	DateTime string `json:"dateTime"`

	// PreAuth: a hold. Collection: a capture of one. One of `Sale`, `Refund`, `PreAuth`, `Collection`.
	Type *string `json:"type,omitempty"`

	// A hold is AwaitingCollection until it is fully captured (Authorized), released in part (Released), over
	// with nothing captured (Expired) or undone (Reversed). One of `Authorized`, `Declined`, `Held`,
	// `UnderReview`, `Reversed`, `AwaitingCollection`, `Released`, `Expired`.
	Status *string `json:"status,omitempty"`

	// Without tip and cashback.
	Amount Money `json:"amount"`

	// Cash that was handed to the payer; 0 without any.
	CashbackAmount Money `json:"cashbackAmount"`

	// The tip within the transaction; 0 without one.
	TipsAmount Money `json:"tipsAmount"`

	// The day on which the acquirer settled the capture or refund, by its calendar; absent until a settlement
	// file names it.
	SettledOn *string `json:"settledOn,omitempty"`

	// How the money was taken.
	PaymentDetails TransactionPaymentDetails `json:"paymentDetails"`
}

// TransactionPage is an object of the API.
type TransactionPage struct {
	// The elements of this page, newest first; empty when nothing matches.
	Data []Transaction `json:"data"`

	// Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous
	// page.
	Before *string `json:"before"`

	// Cursor of the older page; null when there is none.
	After *string `json:"after"`
}

// How the money was taken.
type TransactionPaymentDetails struct {
	// The card, masked; absent when there was none.
	Card *TransactionPaymentDetailsCard `json:"card,omitempty"`

	// Code with which the issuer approved; absent when it did not.
	AuthCode *string `json:"authCode,omitempty"`

	// True unless taken on a card machine.
	IsRemote bool `json:"isRemote"`

	// How the payment was started; absent when it is not known. One of `TapToPayOnIPhone`, `ServicePocket`,
	// `Terminal`, `OnlineCheckout`, `VirtualTerminal`, `PaymentLinks`, `ServiceBookings`, `PayByQr`, `Other`.
	PaymentProduct *string `json:"paymentProduct,omitempty"`

	// How the card machine read the card; absent for remote payments. One of `Chip`, `ContactLess`, `Swipe`,
	// `Keyed`, `Unknown`.
	TerminalEntryModeType *string `json:"terminalEntryModeType,omitempty"`

	// Id of the card machine (`tm_…`); absent for remote payments.
	TerminalID *string `json:"terminalId,omitempty"`
}

// The card, masked; absent when there was none.
type TransactionPaymentDetailsCard struct {
	// Asterisks and the last four digits.
	Number string `json:"number"`

	// How the card is funded; absent when it is not known or is neither of the two. One of `Credit`, `Debit`.
	FundingType *string `json:"fundingType,omitempty"`

	// Absent if the scheme is not known. One of `Visa`, `Mastercard`, `Maestro`, `Discover`, `Dci`, `Amex`.
	Type *string `json:"type,omitempty"`
}

// TransactionSearch is an object of the API.
type TransactionSearch struct {
	// Inclusive; null = seven days before the end. The span is at most seven days.
	StartDate *string `json:"startDate"`

	// Exclusive; null = now.
	EndDate *string `json:"endDate"`

	// All when not sent.
	Statuses []string `json:"statuses,omitempty"`

	// Which page.
	Cursor *TransactionSearchCursor `json:"cursor,omitempty"`
}

// Which page.
type TransactionSearchCursor struct {
	// How many elements the page has at most.
	Limit *int64 `json:"limit,omitempty"`

	// The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`.
	Before *string `json:"before,omitempty"`

	// The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`.
	After *string `json:"after,omitempty"`
}

// UncomparedDay is an object of the API.
type UncomparedDay struct {
	// The name of the acquirer.
	Acquirer string `json:"acquirer"`

	// The day of our calls to it, by the calendar of the account’s first location.
	Day string `json:"day"`

	// `WaitingForSettlement`: not all of its settlement files have arrived. `BooksUnread`: its books could not
	// be read. One of `WaitingForSettlement`, `BooksUnread`.
	Reason string `json:"reason"`

	// Why the books could not be read.
	Problem *string `json:"problem,omitempty"`

	// When the comparison was incomplete for the first time.
	Since string `json:"since"`
}

// Deliveries are signed with the active one.
type WebhookSecret struct {
	// Id of the secret (`sc_…`), not the secret itself.
	ID string `json:"id"`

	// The signing secret. Its UTF-8 bytes are the key of both signatures.
	Value string `json:"value"`

	// The same secret as libraries of standard-webhooks read it: `whsec_` and its UTF-8 bytes in base64. Absent
	// where the value is hidden.
	StandardValue *string `json:"standardValue,omitempty"`

	// When the secret was created.
	CreatedAt string `json:"createdAt"`

	// Whether attempts are signed with it. Exactly one secret of a subscription is active.
	IsActive bool `json:"isActive"`

	// When an attempt was signed with it last; absent before the first.
	LastUsedAt *string `json:"lastUsedAt,omitempty"`
}

// WebhookSecrets is an object of the API.
type WebhookSecrets struct {
	// The subscription.
	ID string `json:"id"`

	// All signing secrets, the active one included.
	Secrets []WebhookSecret `json:"secrets"`
}

// The capabilities of the EPOS on the socket that it opens.
type WsIntegration struct {
	// What the EPOS can do. Nothing else is called.
	Capabilities []EposCapability `json:"capabilities"`

	// When it was registered.
	CreatedAt string `json:"createdAt"`
}
