# Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.
"""What the API takes and answers. An absent member is left out; None is sent as null."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NotRequired, Optional, TypeAlias, TypedDict, Union

ProblemReason: TypeAlias = Literal[
    "path_unknown",
    "method_not_allowed",
    "unauthenticated",
    "rate_limited",
    "version_invalid",
    "permission_missing",
    "partner_header_invalid",
    "partner_not_registered",
    "media_type_unsupported",
    "body_too_large",
    "body_malformed",
    "idempotency_key_invalid",
    "idempotency_key_reused",
    "idempotency_in_progress",
    "validation_failed",
    "service_unavailable",
    "commit_unknown",
    "acquirer_not_configured",
    "acquirer_lacks_capability",
    "acquirer_unanswered",
    "client_secret_missing",
    "client_secret_invalid",
    "page_origin_not_registered",
    "submissions_exhausted",
    "payment_outcome_unknown",
    "attempt_not_found",
    "saved_card_not_found",
    "saved_card_not_usable",
    "saved_card_busy",
    "saved_card_of_setup_intent",
    "payment_intent_not_found",
    "payment_intent_unknown",
    "payment_intent_canceled",
    "payment_intent_busy",
    "payment_intent_not_cancelable",
    "payment_intent_not_payable",
    "currency_not_enabled",
    "not_capturable",
    "capture_exceeds_authorized",
    "capture_refused",
    "not_refundable",
    "refund_exceeds_captured",
    "refund_refused",
    "refund_not_found",
    "not_reversible",
    "reversal_window_passed",
    "reversal_refused",
    "not_chargeable",
    "charge_without_setup_intent",
    "charge_exceeds_intended",
    "setup_intent_not_chargeable",
    "amount_change_not_enabled",
    "amount_not_changeable",
    "amount_not_raised",
    "amount_raise_refused",
    "tips_change_not_enabled",
    "tips_not_changeable",
    "secret_not_refreshable",
    "receipt_not_available",
    "receipts_exhausted",
    "setup_intent_not_found",
    "setup_intent_busy",
    "setup_intent_not_authorisable",
    "setup_intent_not_cancelable",
    "customer_not_found",
    "terminal_not_found",
    "terminal_unavailable",
    "terminal_session_not_found",
    "terminal_session_not_cancelable",
    "signature_not_awaited",
    "subscription_not_found",
    "event_kind_taken",
    "secret_not_found",
    "secret_is_active",
    "secrets_exhausted",
    "delivery_not_found",
    "delivery_not_dead_lettered",
    "event_kind_not_subscribed",
    "api_key_not_found",
    "api_keys_exhausted",
    "attestation_missing",
    "account_disabled",
    "sign_in_refused",
    "portal_session_missing",
    "password_change_needed",
    "password_locked",
    "reauthentication_needed",
    "cross_site_request",
    "account_not_chosen",
    "sign_in_expired",
    "second_factor_refused",
    "second_factor_missing",
    "second_factor_required",
    "passkey_not_found",
    "password_sign_in_off",
    "second_person_needed",
    "second_person_refused",
    "four_eyes_request_unknown",
    "four_eyes_request_decided",
    "flow_not_found",
    "flow_runs_exhausted",
    "pending_payment_not_found",
    "pending_payment_not_decidable",
    "difference_not_found",
    "difference_not_answerable",
    "alarm_not_found",
    "alarm_answered",
    "lease_not_found",
    "lease_over",
    "lease_money_open",
    "journey_not_found",
    "journey_over",
    "journey_busy",
    "journey_money_open",
    "journey_not_movable",
    "bill_unusable",
    "bill_paid",
    "part_invalid",
    "part_exceeds_outstanding",
    "item_not_on_bill",
    "item_share_taken",
    "table_payment_id_reused",
    "card_transaction_unusable",
    "order_placement_not_found",
    "order_not_placeable",
    "epos_cannot_order",
    "payment_intent_held_for_order",
    "payment_intent_is_deposit",
    "reservation_not_found",
    "party_not_found",
    "booking_refused",
    "epos_cannot_book",
    "epos_unreachable",
    "epos_unanswered",
    "request_malformed",
    "request_timeout",
    "header_fields_too_large",
    "internal_error",
]
"""What a refusal names as its reason."""


class ActionLink(TypedDict):
    url: str
    """Absolute address that the link opens."""
    label: str
    """Text of the link for the payer."""
    fileName: NotRequired[str]
    """Name of the saved file when `action` is `DownloadFile`."""
    action: Literal["OpenLink", "DownloadFile"]
    """`OpenLink` opens the address; `DownloadFile` saves what it returns."""


class Address(TypedDict):
    address1: NotRequired[str]
    """First line: house number and street."""
    address2: NotRequired[str]
    """Second line, such as a flat or a building."""
    address3: NotRequired[str]
    """Third line, where two are not enough."""
    address4: NotRequired[str]
    """Fourth line, where three are not enough."""
    city: NotRequired[str]
    """Town or city."""
    state: NotRequired[str]
    """State or province, where the country has them."""
    locality: NotRequired[str]
    """Village or district within the city."""
    county: NotRequired[str]
    """County, where addresses of the country name one."""
    postcode: NotRequired[str]
    """Postal code as it is written in the country. Address checks of the issuer compare it."""
    countryCode: str
    """ISO 3166-1 alpha-2 code of the country, such as `GB`; read in any case, written in capitals."""


class Alarm(TypedDict):
    alarmId: str
    """UUID of the alarm."""
    kind: Literal["AcquirerCallOpen", "AcquirerAccessRefused", "AcquirerAnswerContradicted", "MoneyNotReturned", "AuthorisationUntraceable", "MachineApprovalNotBooked", "MachineApprovalDiffers", "MachineApprovalIncomplete", "MachineApprovalUnreadable", "MachineContradictsApproval", "MachineReportsMissing", "RefundToOtherCard", "RecordNotProved", "SettlementOverdue", "AcquirerBooksUnread"]
    """What is wrong; the page about pending payments and alarms explains each kind."""
    subject: str
    """The reference or id that the alarm is about."""
    message: str
    """What happened, and what to check."""
    details: Dict[str, Any]
    """Facts of this kind of alarm; amounts are minor units."""
    createdAt: str
    """When the alarm was raised."""
    state: Literal["Unanswered", "Answered"]
    """`Unanswered` until an operator has answered it, or the service because its cause has ended."""
    answer: NotRequired[AlarmAnswerObject]
    """What the operator said, with whose key, and when."""


class AlarmAnswer(TypedDict):
    note: str
    """What was checked; kept in the audit log."""


class AlarmAnswerObject(TypedDict):
    """What the operator said, with whose key, and when."""

    note: str
    """What the operator has checked and done, or what has ended."""
    keyId: str
    """Id of the API key (`key_…`) that answered; `service` if the cause ended and the service answered
    itself."""
    answeredAt: str
    """When it was answered."""


class AlarmPage(TypedDict):
    data: List[Alarm]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class ApiKey(TypedDict):
    id: str
    """Id of the record (`key_…`), not the key itself."""
    accountId: str
    """Account that the key belongs to (`acc_…`)."""
    environment: Literal["sandbox", "production"]
    """Environment that every request with the key reaches."""
    label: str
    """The name that people gave it."""
    permissions: List[Literal["payments.read", "payments.write", "payments.online", "payments.capture", "payments.refund", "payments.charge", "setup.read", "setup.write", "setup.card", "customers.read", "customers.write", "webhooks.read", "webhooks.write", "terminals.read", "terminals.sessions", "transactions.read", "epos.read", "epos.write", "epos.connect", "tables.use", "tables.operate", "machines.connect", "tester.run", "activities.read", "bookings.read", "bookings.write", "branding.read", "branding.write"]]
    """What the key may do. A role is stored as the list it had when the key was created."""
    strict: bool
    """True: requests that move money are refused with 400 if they have a member that the service does not
    know. False: the header `warnings` of the answer names it. Keys of before this setting have false."""
    prefix: str
    """The first characters of its text, which name the environment."""
    last4: str
    """The last four characters of its text, to distinguish keys."""
    createdAt: str
    """When the key was created."""
    lastUsedAt: NotRequired[str]
    """To the minute."""


class ApiKeyChange(TypedDict):
    strict: bool
    """Whether requests of the key that move money are refused if they have an unknown member. False: the
    header `warnings` of the answer names it."""


class BookingEvent(TypedDict):
    id: str
    """Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it."""
    accountId: str
    """Account in which it happened (`acc_…`)."""
    createdAt: str
    """When it happened."""
    event: Literal["reservation.updated", "party.updated"]
    """The kind of event."""
    data: BookingEventData
    """What was created, changed or deleted. Read it again; one that is not found any more was deleted."""


class BookingEventData(TypedDict):
    """What was created, changed or deleted. Read it again; one that is not found any more was deleted."""

    reservationId: NotRequired[str]
    """Id of the reservation at the EPOS; with `reservation.updated` only."""
    partyId: NotRequired[str]
    """Id of the party at the EPOS; with `party.updated` only."""


class Branding(TypedDict):
    logoUrl: Optional[str]
    """The https address of the logo; null: none."""
    faviconUrl: Optional[str]
    """The https address of the icon of the browser tab; null: none."""
    accentColor: Optional[str]
    """The colour of the button, `#0b57d0`; null: that of the service."""
    font: Optional[Literal["sans", "humanist", "geometric", "rounded", "serif"]]
    """The kind of letters; null: the font of the system."""
    colors: Optional[BrandingColors]
    """Read-only: the colours that the page derives from `accentColor`; null without one."""


class BrandingChange(TypedDict):
    """A member that is not sent stays as it is. In production null removes it; in a sandbox null restores
    the value of production."""

    logoUrl: NotRequired[Optional[str]]
    """The https address of the logo; null: none."""
    faviconUrl: NotRequired[Optional[str]]
    """The https address of the icon of the browser tab; null: none."""
    accentColor: NotRequired[Optional[str]]
    """The colour of the button, `#0b57d0`; null: that of the service."""
    font: NotRequired[Optional[Literal["sans", "humanist", "geometric", "rounded", "serif"]]]
    """The kind of letters; null: the font of the system."""


class BrandingColors(TypedDict):
    button: ColorPair
    """The button: black or white on `accentColor`."""
    lightLink: ColorPair
    """Links and outlines on light pages: `accentColor`, darkened until it can be read."""
    darkLink: ColorPair
    """Links and outlines on dark pages: `accentColor`, lightened until it can be read."""


class CancelSetupIntentQuery(TypedDict):
    includeAuthorized: NotRequired[bool]
    """Also when a card is authorised; without it that is a conflict."""


class Capture(TypedDict):
    id: str
    """Id of the capture (`cp_…`)."""
    amount: int
    """Captured minor units without the tip, in the currency of the payment."""
    tipsAmount: int
    """Captured tip in minor units, on top of `amount`; 0 without one."""
    status: Literal["Created", "Successful", "Declined", "Failed"]
    """`Created` until the acquirer answers; then `Successful`, `Declined` or `Failed`. Only successful
    captures moved money."""
    createdAt: str
    """When the capture was requested."""


class CaptureResult(TypedDict):
    captureId: str
    """Id of the capture (`cp_…`); also in `captures` of the intent."""
    message: Literal["DEPOSITED"]
    """Always `DEPOSITED`: the acquirer has accepted the capture."""


class Card(TypedDict):
    cardNumber: str
    """First 8 digits, `****`, last 4. Asterisks replace digits that are not known, or that must not be
    displayed because the number may have fewer than 16. Empty when the card machine or the acquirer
    sent no readable mask."""
    last4PAN: str
    """Empty when they were not sent in a readable form."""
    cardName: NotRequired[str]
    """Name on the card, as the payer entered it or the machine read it; absent when it is not known."""
    expiryDate: NotRequired[str]
    """Last day of the expiry month."""
    cardType: str
    """Scheme of the card in capitals, such as `VISA`; `UNKNOWN` when its label is not known."""
    cardFundingType: Literal["Unknown", "Debit", "Credit", "Charge", "Prepaid"]
    """How the card is funded, as the acquirer reports it; `Unknown` when it does not."""
    entryMode: Literal["Contactless", "ContactChip", "Magstripe", "ManualEntry", "Unknown"]
    """How the card was read, as the machine reports it; `Unknown` for payments online."""
    verificationMethod: Literal["Pin", "Signature", "Device", "None"]
    """How the cardholder proved their identity at the machine; `None` online."""


class ChargeResult(TypedDict):
    paymentIntentId: str
    """Id of the payment intent (`pi_…`) that was charged."""
    status: Literal["Successful", "Declined", "Failed", "Created"]
    """How the charge has ended. `Created` is not sent any more: an outcome that is not known yet is the
    answer 504."""
    message: str
    """Outcome in the words of `paymentDetails.message`, such as `DEPOSITED` or `DECLINED`."""


class CheckoutConfig(TypedDict):
    title: NotRequired[str]
    """Heading of the payment page, if one was sent."""
    redirectUrl: NotRequired[str]
    """Where the page sends the payer after the payment, if an address was sent."""
    cancelUrl: NotRequired[str]
    """Where the page sends a payer who leaves without paying, if an address was sent."""
    customerEmail: CheckoutConfigCustomerEmail
    """Whether the page asks for an e-mail address."""
    billingAddress: CheckoutConfigBillingAddress
    """Whether the page asks for the billing address."""
    shippingDetails: CheckoutConfigShippingDetails
    """Whether the page asks for a delivery address."""
    details: CheckoutConfigDetails
    """What the page displays about the payment."""
    payment: CheckoutConfigPayment
    """Which amounts may change before the payment."""
    branding: CheckoutConfigBranding
    """The look of the merchant’s pages, from the settings of the account."""
    tradingName: str
    """Name of the merchant as payers know it, from the settings of the account."""


class CheckoutConfigBillingAddress(TypedDict):
    """Whether the page asks for the billing address."""

    collectionRequired: bool
    """Whether the payer must enter it to pay."""


class CheckoutConfigBranding(TypedDict):
    """The look of the merchant’s pages, from the settings of the account."""

    logoUrl: NotRequired[str]
    """Address of the logo; absent when the account has none."""
    faviconUrl: NotRequired[str]
    """Address of the small icon of the browser tab; absent when the account has none."""
    accentColor: NotRequired[str]
    """The colour of the button, `#0b57d0`."""
    font: NotRequired[Literal["sans", "humanist", "geometric", "rounded", "serif"]]
    """The kind of letters of the page; the font of the system when absent."""


class CheckoutConfigCustomerEmail(TypedDict):
    """Whether the page asks for an e-mail address."""

    collectionRequired: bool
    """Whether the payer must enter it to pay."""


class CheckoutConfigDetails(TypedDict):
    """What the page displays about the payment."""

    showTotal: bool
    """Whether the page displays the total."""
    showReference: bool
    """Whether the page displays `reference`."""


class CheckoutConfigPayment(TypedDict):
    """Which amounts may change before the payment."""

    customAmountAllowed: bool
    """Whether the amount can be changed before the payment."""
    tipsAllowed: bool
    """Whether the tip can be changed."""
    holdRaiseAllowed: bool
    """Whether the amount can be raised while the payment is held."""


class CheckoutConfigShippingDetails(TypedDict):
    """Whether the page asks for a delivery address."""

    collectionRequired: bool
    """Whether the payer must enter it to pay."""


class Clock(TypedDict):
    now: str
    """The time of this account after the advance."""


class ClockAdvance(TypedDict):
    by: str
    """How far to move, as `hh:mm:ss` or `d.hh:mm:ss`; more than zero and at most 366 days."""


class ColorPair(TypedDict):
    background: str
    """The colour below the text."""
    text: str
    """The colour of the text."""
    contrast: float
    """The contrast of the two as WCAG 2.2 defines it, rounded down to two decimals; at least 4.5."""


class Customer(TypedDict):
    id: str
    """Id of the customer: `cust_sandbox_…` in the sandbox, `cust_…` in production."""
    name: NotRequired[str]
    """Name of the person or company, if it is known."""
    emailAddress: NotRequired[str]
    """E-mail address, if it is known."""
    phoneNumber: NotRequired[str]
    """Phone number, if it is known."""
    vatNumber: NotRequired[str]
    """VAT number, if it is known."""
    billingAddress: NotRequired[Address]
    """Address of invoices, if it is known."""
    shippingAddress: NotRequired[Address]
    """Address of deliveries, if it is known."""
    createdAt: str
    """When the customer was created."""
    updatedAt: str
    """When the customer was changed last."""
    documentVersion: int
    """0 at creation, one more with each change."""


class CustomerChange(TypedDict):
    """A member that is not sent stays as it is; null removes it. An address is replaced as a whole."""

    name: NotRequired[Optional[str]]
    """The new name; null removes it."""
    emailAddress: NotRequired[Optional[str]]
    """The new e-mail address; null removes it."""
    phoneNumber: NotRequired[Optional[str]]
    """The new phone number; null removes it."""
    vatNumber: NotRequired[Optional[str]]
    """The new VAT number; null removes it."""
    billingAddress: NotRequired[Optional[Address]]
    """The new address of invoices, as a whole; null removes it."""
    shippingAddress: NotRequired[Optional[Address]]
    """The new address of deliveries, as a whole; null removes it."""


class CustomerPage(TypedDict):
    data: List[Customer]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class CustomerSearch(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""
    name: NotRequired[str]
    """Only customers whose name begins with this text, ignoring case."""
    emailAddress: NotRequired[str]
    """Only customers whose e-mail address begins with this text, ignoring case. Cannot be sent with
    `name`."""


class CustomerSecret(TypedDict):
    secret: str
    """For the app of this customer; usable repeatedly until it expires."""
    createdAt: str
    """When the secret was created."""
    expireAt: str
    """15 minutes later."""


class Delivery(TypedDict):
    id: str
    """Id of the delivery (`dlv_…`), also in the header `delivery-id`."""
    eventId: str
    """Id of the event (`evt_…`) that is delivered."""
    event: Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]
    """The kind of event."""
    state: Literal["Pending", "Held", "Delivered", "DeadLettered"]
    """`Held` while the subscription is paused; `DeadLettered` after the last attempt."""
    attempts: int
    """The number of attempts so far; a replay starts at 0."""
    nextAttemptAt: NotRequired[str]
    """When the next attempt is due; absent when there is none."""
    lastStatus: NotRequired[int]
    """HTTP status of the last attempt that was answered."""
    lastError: NotRequired[str]
    """Why the last attempt failed; absent after a success and before the first attempt."""
    createdAt: str
    """When the delivery was queued."""
    updatedAt: str
    """When the delivery changed last."""


class DeliveryAttempt(TypedDict):
    """One attempt to deliver an event."""

    number: int
    """Number of the attempt in its series, from 1; a replay starts a new series."""
    at: str
    """When the attempt began."""
    outcome: Literal["Succeeded", "Refused", "Failed"]
    """Refused: answered with a status below 500 that is no success. Failed: not answered, or 5xx."""
    status: NotRequired[int]
    """HTTP status of the answer; absent where there was none."""
    error: NotRequired[str]
    """Why the attempt failed; absent after a success."""
    tookMs: int
    """How long the attempt took, in milliseconds."""
    traceId: str
    """The trace of the attempt: 32 hex digits."""
    answer: NotRequired[str]
    """The first 200 characters of the answer of the receiver; absent for an empty answer, and for one that
    looks like a secret or a card number."""


class DeliveryDetails(TypedDict):
    id: str
    """Id of the delivery (`dlv_…`), also in the header `delivery-id`."""
    eventId: str
    """Id of the event (`evt_…`) that is delivered."""
    event: Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]
    """The kind of event."""
    state: Literal["Pending", "Held", "Delivered", "DeadLettered"]
    """`Held` while the subscription is paused; `DeadLettered` after the last attempt."""
    attempts: int
    """The number of attempts so far; a replay starts at 0."""
    nextAttemptAt: NotRequired[str]
    """When the next attempt is due; absent when there is none."""
    lastStatus: NotRequired[int]
    """HTTP status of the last attempt that was answered."""
    lastError: NotRequired[str]
    """Why the last attempt failed; absent after a success and before the first attempt."""
    createdAt: str
    """When the delivery was queued."""
    updatedAt: str
    """When the delivery changed last."""
    body: Any
    """The body of every attempt. It is sent as compact JSON."""
    history: List[DeliveryAttempt]
    """The attempts, newest first, 100 at most. Attempts are kept for the time that the operator has set,
    so there may be fewer than `attempts`."""


class DeliveryLink(TypedDict):
    path: str
    """The path of the page. Append it to the address of the portal. Everybody who has it can read the
    page."""
    expiresAt: str
    """When the link ends, by real time also in a sandbox."""


class DeliveryPage(TypedDict):
    data: List[Delivery]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class DifferenceAnswer(TypedDict):
    note: str
    """Why; kept in the audit log."""


class DiningArea(TypedDict):
    id: str
    """Id of the area at the EPOS."""
    name: str
    """Name of the area, as staff know it."""
    waiterIds: NotRequired[List[str]]
    """Ids of the waiters who serve the area."""


class DiningTable(TypedDict):
    id: str
    """Id of the table at the EPOS; bookings and orders name their tables by it."""
    name: str
    """Name of the table, unique in its area."""
    maxCovers: NotRequired[int]
    """How many people the table has room for."""
    areaId: NotRequired[str]
    """Id of the area where the table is."""
    waiterIds: NotRequired[List[str]]
    """Ids of the waiters who serve the table."""


class DiningTablePage(TypedDict):
    data: List[DiningTable]
    """The elements of this page, in the order of the EPOS."""
    before: Optional[str]
    """Cursor of the previous page; null when there is none."""
    after: Optional[str]
    """Cursor of the next page; null when there is none."""
    unreadableCount: NotRequired[int]
    """How many elements of the page were left out because they cannot be read; absent when all can."""


class EposAuth(TypedDict):
    """The password is never returned."""

    authType: Literal["basic"]
    """Always `basic`: HTTP Basic authentication."""
    basic: EposAuthBasic
    """The credentials, without the password."""


class EposAuthBasic(TypedDict):
    """The credentials, without the password."""

    username: str
    """User name that the service sends to the EPOS."""


class EposCallRecord(TypedDict):
    id: str
    """Id of the entry; its form has no meaning."""
    name: str
    """The call."""
    at: str
    """When it began."""
    outcome: Literal["Succeeded", "Refused", "Failed"]
    """How the call ended: done, refused by the EPOS, or failed."""
    tookMs: int
    """How long it took, in milliseconds."""
    traceId: str
    """The trace of the request that caused the call: 32 hex digits."""
    transport: NotRequired[str]
    """How the EPOS was called; absent when there was no route."""
    status: NotRequired[int]
    """The HTTP status of the answer, where there is one."""
    reason: NotRequired[str]
    """The code of the refusal, or why it failed."""
    subjectId: NotRequired[str]
    """The session at a table or the order that it is about."""
    unreadableMembers: NotRequired[List[EposUnreadableMember]]
    """The members of the answer that could not be read; absent when all could."""


class EposCapability(TypedDict):
    """Name and version as they were sent."""

    name: Literal["ListAreas", "SearchTables", "CreateOrder", "GetOrderById", "CancelOrderById", "SearchOrders", "CreateOrderLock", "ExtendOrderLock", "DeleteOrderLock", "GetOrderBillById", "RecordOrderPaymentById", "CreateParty", "GetPartyById", "UpdateParty", "DeletePartyById", "SearchParties", "CreateReservation", "GetReservationById", "UpdateReservation", "DeleteReservationById", "SearchReservations", "HandleEvent:payment_intent.created", "HandleEvent:payment_intent.status_updated", "GetOrderBill", "RecordOrderPayment", "UpdatePartyById", "UpdateReservationById"]
    """Name of the capability as it was registered."""
    version: Literal["v1", "1.0.0"]
    """Version as it was registered; both spellings mean the same."""
    updatedAt: str
    """When the capability was registered."""


class EposConnection(TypedDict):
    transport: Literal["stream", "socket", "dataSocket"]
    """`stream`: the gRPC stream of the pay-at-table contract. `socket`: its WebSocket. `dataSocket`: the
    WebSocket of the EPOS Data API."""
    openedAt: str
    """When the EPOS opened the connection."""
    seenAt: str
    """When the EPOS last sent something on it."""


class EposCustomer(TypedDict):
    id: NotRequired[str]
    """Id of the customer; its form has no meaning."""
    emailAddress: NotRequired[str]
    """E-mail address of the customer."""
    phoneNumber: NotRequired[str]
    """Phone number of the customer."""
    name: NotRequired[str]
    """Name of the customer."""


class EposDiscount(TypedDict):
    name: str
    """Text of the discount on the bill."""
    amountTotal: EposMoney
    """The amount of the whole discount."""
    amountPercentage: NotRequired[int]
    """Two decimals are implied: 25.1 % is 2510."""
    affectedPlu: NotRequired[List[str]]
    """Empty: the whole order."""
    discountReference: NotRequired[str]
    """Reference of the discount at the EPOS."""
    code: NotRequired[str]
    """The code that the customer entered for the discount."""


class EposEvent(TypedDict):
    eventType: Literal["OrderUpdated", "PartyUpdated", "ReservationUpdated"]
    """What has changed at the EPOS; decides which id `event` has."""
    event: EposEventEvent
    """The id of what has changed."""


class EposEventEvent(TypedDict):
    """The id of what has changed."""

    orderId: NotRequired[str]
    """Id of the order at the EPOS."""
    partyId: NotRequired[str]
    """Id of the party at the EPOS."""
    reservationId: NotRequired[str]
    """Id of the reservation at the EPOS."""


EposEventReplay = TypedDict(
    "EposEventReplay",
    {
        # Inclusive, by `createdAt` of the event.
        "from": NotRequired["str"],
        # Exclusive; now when not sent.
        "to": NotRequired["str"],
        # The reason; stored in the audit log.
        "note": "str",
    },
)


class EposIntegrations(TypedDict):
    restIntegrations: List[RestIntegration]
    """The EPOS that is called over REST: one element, or none."""
    wsIntegrations: List[WsIntegration]
    """The EPOS that opens a WebSocket: one element, or none."""
    serviceManagedIntegrations: List[ServiceManagedIntegration]
    """What the operator of the service has set up: one element, or none."""
    grpcIntegrations: List[GrpcIntegration]
    """The EPOS that is called over gRPC: one element, or none."""


class EposItem(TypedDict):
    name: str
    """Text of the item on the bill."""
    quantity: int
    """How many of the item were ordered."""
    plu: str
    """Price look-up number: the item in the catalogue of the EPOS."""
    amountPerItem: EposMoney
    """Before modifiers, sub-items and discounts."""
    note: NotRequired[str]
    """Instructions for the kitchen."""
    modifiers: NotRequired[List[EposModifier]]
    """Changes to the item that have a price of their own."""
    subItems: NotRequired[List[EposItemSubItem]]
    """Items that belong to this one, such as the courses of a menu. They have no sub-items of their own."""


class EposItemSubItem(TypedDict):
    name: str
    """Text of the item on the bill."""
    quantity: int
    """How many of the item were ordered."""
    plu: str
    """Price look-up number: the item in the catalogue of the EPOS."""
    amountPerItem: EposMoney
    """Before modifiers, sub-items and discounts."""
    note: NotRequired[str]
    """Instructions for the kitchen."""
    modifiers: NotRequired[List[EposModifier]]
    """Changes to the item that have a price of their own."""


class EposModifier(TypedDict):
    """The quantity is that of a single item. The service writes its price as `amountPerItem` and, with the
    same value, as `amountPerModifier`; it reads either."""

    name: str
    """Text of the modifier on the bill."""
    quantity: int
    """How many of the modifier one item has."""
    plu: str
    """Price look-up number of the modifier at the EPOS."""
    amountPerItem: EposMoney
    """Price of one modifier; negative for a discount."""


class EposMoney(TypedDict):
    value: int
    """Whole minor units."""
    currencyCode: str
    """ISO 4217 code, such as `GBP` or `EUR`."""


class EposOrderDetails(TypedDict):
    orderType: Literal["DineIn", "Collection"]
    """`DineIn` is served at a table, `Collection` is collected."""
    dineIn: NotRequired[EposOrderDetailsDineIn]
    """Present for `DineIn`: where the order is served."""
    collection: NotRequired[EposOrderDetailsCollection]
    """Present for `Collection`: when the order is collected."""


class EposOrderDetailsCollection(TypedDict):
    """Present for `Collection`: when the order is collected."""

    asap: NotRequired[bool]
    """True: as soon as possible. Otherwise `collectAt` counts."""
    collectAt: NotRequired[str]
    """When the customer collects the order."""


class EposOrderDetailsDineIn(TypedDict):
    """Present for `DineIn`: where the order is served."""

    tableId: NotRequired[str]
    """Id of the table at the EPOS."""
    waiterId: NotRequired[str]
    """Id of the waiter, as it is typed."""
    partyId: NotRequired[str]
    """Id of the party at the EPOS."""
    reservationId: NotRequired[str]
    """Id of the reservation at the EPOS."""
    readyAt: NotRequired[str]
    """When the order is wanted at the table."""


class EposTaxLine(TypedDict):
    amountTotal: EposMoney
    """The amount of the tax."""
    id: NotRequired[str]
    """Id of the tax at the EPOS."""
    name: NotRequired[str]
    """Name of the tax on the bill, such as “VAT”."""
    amountPercentage: NotRequired[int]
    """Two decimals are implied: 25.1 % is 2510."""
    affectedPlu: NotRequired[List[str]]
    """Price look-up numbers of the taxed items; empty or absent for the whole order."""


class EposUnreadableMember(TypedDict):
    element: str
    """The id of the order, session or table, or its place in the list, such as `[3]`."""
    member: str
    """The member, such as `items[0].quantity`; empty for the whole element."""
    clause: str
    """The clause of the contract that it breaks, as the EPOS tester names it."""
    problem: str
    """Why the member cannot be read."""
    skipped: bool
    """True: the element cannot be shown or paid because of it."""


class ErrorGroups(TypedDict):
    data: List[ErrorGroupsData]
    """The groups, largest first."""
    isComplete: bool
    """False: only the newest 50,000 errors of the period are counted, or only the 100 largest groups are
    listed."""


class ErrorGroupsData(TypedDict):
    name: str
    """The operation."""
    status: NotRequired[int]
    """The HTTP status of the answers."""
    reason: NotRequired[str]
    """The code of the refusal."""
    count: int
    """How many requests of the period are in the group."""
    lastAt: str
    """When the newest of them began."""
    lastTraceId: str
    """The trace of the newest of them."""


class EventModel(TypedDict):
    model: Literal["PaymentIntent", "TerminalSession", "Booking"]
    """What the events are about."""
    events: List[Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]]
    """The kinds that a subscription may name."""


GroupErrorsQuery = TypedDict(
    "GroupErrorsQuery",
    {
        # Inclusive; a day before the end when not sent.
        "from": NotRequired["str"],
        # Exclusive; now when not sent.
        "to": NotRequired["str"],
    },
)


class GrpcIntegration(TypedDict):
    """An EPOS that serves the pay-at-table contract over gRPC."""

    url: str
    """Address at which the EPOS serves gRPC, as `https://host:port`."""
    auth: EposAuth
    """How the service authenticates itself at the EPOS."""
    createdAt: str
    """When it was registered."""


class Health(TypedDict):
    status: Literal["ok"]
    """Always `ok`; a process that is not ready answers a problem instead."""
    release: str
    """The release of the service that answers."""


class IntentCustomer(TypedDict):
    """`customerId` and `id` are equal."""

    customerId: NotRequired[str]
    """Id of the stored customer (`cust_…`); absent when the intent names none."""
    id: NotRequired[str]
    """Equal to `customerId`."""
    emailAddress: NotRequired[str]
    """E-mail address of the payer."""
    phoneNumber: NotRequired[str]
    """Phone number of the payer."""


class ItemLine(TypedDict):
    id: NotRequired[str]
    """The integrator’s or EPOS’s id of the line."""
    caption: NotRequired[str]
    """Text of the line on the payment page and the receipt. Requests may send it as `name`."""
    category: NotRequired[str]
    """Group of the item, such as “drinks”."""
    plu: NotRequired[str]
    """Price look-up number: the item in the catalogue of the EPOS."""
    name: NotRequired[str]
    """Equal to `caption`."""
    quantity: int
    """How many of the item the line has; 1 unless another number was sent."""
    amountTotal: Money
    """Before discounts and taxes, without modifiers."""
    modifiers: List[Modifier]
    """Changes to the item that have a price of their own; empty when there are none."""


class LeaseRelease(TypedDict):
    reason: str
    """Stored in the audit log."""
    confirm: NotRequired[bool]
    """True: end the lease although money is open. 409 without it."""


class ListAlarmsQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""
    state: NotRequired[Literal["Unanswered", "Answered"]]
    """Only answered or only unanswered alarms; all when not sent."""


class ListDeliveriesQuery(TypedDict):
    state: NotRequired[Literal["Pending", "Held", "Delivered", "DeadLettered"]]
    """Only deliveries in this state; all when not sent."""
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class ListEposCallsQuery(TypedDict):
    limit: NotRequired[int]
    """How many calls are listed at most."""


class ListEventKindsQuery(TypedDict):
    optIn: NotRequired[bool]
    """True: also list the kinds that are additions to the catalogue."""


class ListOrderPlacementsQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class ListPartiesQuery(TypedDict):
    tableId: NotRequired[str]
    """Only the party at this table."""
    completedOnly: NotRequired[bool]
    """`true`: only parties that have left. `false`: only parties that are there."""
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page. Cannot be sent together with `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page. Cannot be sent together with `before`."""


class ListPaymentActivitiesQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class ListReconciliationDifferencesQuery(TypedDict):
    state: NotRequired[Literal["Open", "Answered", "Closed"]]
    """All when not sent."""
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


ListRequestsQuery = TypedDict(
    "ListRequestsQuery",
    {
        # How many elements the page has at most.
        "limit": NotRequired["int"],
        # The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
        # `after`.
        "before": NotRequired["str"],
        # The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
        # `before`.
        "after": NotRequired["str"],
        # The `operationId`.
        "operation": NotRequired["str"],
        # Only requests with this outcome; all when not sent.
        "outcome": NotRequired["Literal[\"Succeeded\", \"Refused\", \"Failed\"]"],
        # Only requests that were answered with this HTTP status.
        "status": NotRequired["int"],
        # Only requests with this API key (`key_…`).
        "keyId": NotRequired["str"],
        # The second part of the header `trace-id` of an answer.
        "traceId": NotRequired["str"],
        # Inclusive.
        "from": NotRequired["str"],
        # Exclusive.
        "to": NotRequired["str"],
    },
)


ListReservationsQuery = TypedDict(
    "ListReservationsQuery",
    {
        # Only reservations of this table.
        "tableId": NotRequired["str"],
        # Only reservations that end after this time.
        "from": NotRequired["str"],
        # Only reservations that begin before this time.
        "to": NotRequired["str"],
        # How many elements the page has at most.
        "limit": NotRequired["int"],
        # The cursor `before` of an earlier page. Cannot be sent together with `after`.
        "before": NotRequired["str"],
        # The cursor `after` of an earlier page. Cannot be sent together with `before`.
        "after": NotRequired["str"],
    },
)


class ListTableOperatorCallsQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class ListTablesQuery(TypedDict):
    areaId: NotRequired[str]
    """Only tables of this area."""
    waiterId: NotRequired[str]
    """Only tables of this waiter."""
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page. Cannot be sent together with `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page. Cannot be sent together with `before`."""


class ListTerminalSessionsQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class ListTerminalsQuery(TypedDict):
    statuses: NotRequired[List[Literal["Available", "Offline", "InUse"]]]
    """Only these; repeated or separated by commas. All when not sent."""


class ListTesterRunsQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class MachineReset(TypedDict):
    note: str
    """Why; kept in the audit log."""


class MadeApiKey(TypedDict):
    id: str
    """Id of the record (`key_…`), not the key itself."""
    accountId: str
    """Account that the key belongs to (`acc_…`)."""
    environment: Literal["sandbox", "production"]
    """Environment that every request with the key reaches."""
    label: str
    """The name that people gave it."""
    permissions: List[Literal["payments.read", "payments.write", "payments.online", "payments.capture", "payments.refund", "payments.charge", "setup.read", "setup.write", "setup.card", "customers.read", "customers.write", "webhooks.read", "webhooks.write", "terminals.read", "terminals.sessions", "transactions.read", "epos.read", "epos.write", "epos.connect", "tables.use", "tables.operate", "machines.connect", "tester.run", "activities.read", "bookings.read", "bookings.write", "branding.read", "branding.write"]]
    """What the key may do. A role is stored as the list it had when the key was created."""
    strict: bool
    """True: requests that move money are refused with 400 if they have a member that the service does not
    know. False: the header `warnings` of the answer names it. Keys of before this setting have false."""
    prefix: str
    """The first characters of its text, which name the environment."""
    last4: str
    """The last four characters of its text, to distinguish keys."""
    createdAt: str
    """When the key was created."""
    lastUsedAt: NotRequired[str]
    """To the minute."""
    key: NotRequired[str]
    """The text of the key. Only this answer contains it: a repeated request does not return it again."""


class MerchantConfig(TypedDict):
    supportedPaymentMethods: MerchantConfigSupportedPaymentMethods
    """What the account accepts, by its settings."""


class MerchantConfigSupportedPaymentMethods(TypedDict):
    """What the account accepts, by its settings."""

    cardSchemes: List[Literal["VISA", "MASTERCARD", "MAESTRO", "DISCOVER", "DCI", "AMEX"]]
    """Card schemes that the account accepts."""
    wallets: List[Literal["APPLE_PAY", "GOOGLE_PAY"]]
    """Wallets that the account accepts; empty when it accepts none."""


class Modifier(TypedDict):
    """Counts per single item of its line; a negative amount is a discount."""

    id: str
    """The integrator’s or EPOS’s id of the modifier."""
    name: str
    """Text of the modifier on the bill, such as “extra cheese”."""
    quantity: int
    """How many of the modifier one item has. The line has this number times its own quantity."""
    amountPerModifier: Money
    """Price of one modifier; negative for a discount."""


class Money(TypedDict):
    value: int
    """Whole minor units (pence, cents)."""
    currencyCode: str
    """ISO 4217."""


class NewActionLink(TypedDict):
    url: str
    """Absolute address that the link opens."""
    label: str
    """Text of the link for the payer."""
    fileName: NotRequired[str]
    """Name of the saved file when `action` is `DownloadFile`."""
    action: NotRequired[Literal["OpenLink", "DownloadFile"]]
    """`OpenLink` opens the address; `DownloadFile` saves what it returns. `OpenLink` when not sent."""


class NewAmount(TypedDict):
    amount: PayableAmount
    """The new price, in the currency of the payment. At least 1."""
    itemLines: NotRequired[List[NewItemLine]]
    """Replace the old ones when sent."""
    taxLines: NotRequired[List[NewTaxLine]]
    """Replace the old ones when sent."""


class NewApiKey(TypedDict):
    label: str
    """A name by which people recognise the key, such as the machine that uses it."""
    permissions: NotRequired[List[Literal["payments.read", "payments.write", "payments.online", "payments.capture", "payments.refund", "payments.charge", "setup.read", "setup.write", "setup.card", "customers.read", "customers.write", "webhooks.read", "webhooks.write", "terminals.read", "terminals.sessions", "transactions.read", "epos.read", "epos.write", "epos.connect", "tables.use", "tables.operate", "machines.connect", "tester.run", "activities.read", "bookings.read", "bookings.write", "branding.read", "branding.write"]]]
    """What the key may do. Exactly one of `permissions` and `role` must be sent."""
    strict: NotRequired[bool]
    """Whether requests that move money are refused if they have an unknown member, such as a misspelt
    `captureMode`. True when not sent."""
    role: NotRequired[Literal["full", "read-only", "terminal-only", "webhooks-only", "epos-only", "gateway", "machines-only", "pci"]]
    """Instead of `permissions`: the list the role has today."""


class NewCapture(TypedDict):
    amount: int
    """Minor units in the currency of the payment."""
    tipsAmount: NotRequired[int]
    """Minor units, taken on top of the amount."""


class NewCheckoutConfig(TypedDict):
    """What the hosted page displays and requires."""

    title: NotRequired[str]
    """Heading of the payment page and title of its tab; the page has words of its own when not sent."""
    redirectUrl: NotRequired[str]
    """Where the page sends the payer after the payment, with `id` of the intent in the query. Without it
    the page displays the result."""
    cancelUrl: NotRequired[str]
    """Where the page sends a payer who leaves without paying, with `id` of the intent in the query. The
    intent stays unchanged."""
    customerEmail: NotRequired[NewCheckoutConfigCustomerEmail]
    """Whether the page asks for an e-mail address."""
    billingAddress: NotRequired[NewCheckoutConfigBillingAddress]
    """Whether the page asks for the billing address."""
    shippingDetails: NotRequired[NewCheckoutConfigShippingDetails]
    """Whether the page asks for a delivery address."""
    details: NotRequired[NewCheckoutConfigDetails]
    """What the page displays about the payment."""
    payment: NotRequired[NewCheckoutConfigPayment]
    """Which amounts may change before the payment."""


class NewCheckoutConfigBillingAddress(TypedDict):
    """Whether the page asks for the billing address."""

    collectionRequired: NotRequired[bool]
    """True: the payer must enter a billing address to pay."""


class NewCheckoutConfigCustomerEmail(TypedDict):
    """Whether the page asks for an e-mail address."""

    collectionRequired: NotRequired[bool]
    """True: the payer must enter an e-mail address to pay."""


class NewCheckoutConfigDetails(TypedDict):
    """What the page displays about the payment."""

    showTotal: NotRequired[bool]
    """True: the page displays the total."""
    showReference: NotRequired[bool]
    """True: the page displays `reference`."""


class NewCheckoutConfigPayment(TypedDict):
    """Which amounts may change before the payment."""

    customAmountAllowed: NotRequired[bool]
    """True: the amount can be changed before the payment, by you and by everybody who has the link;
    otherwise the operations for it answer 405. It also permits what `holdRaiseAllowed` permits."""
    tipsAllowed: NotRequired[bool]
    """True: the tip can be changed by the operation for it; otherwise that answers 405."""
    holdRaiseAllowed: NotRequired[bool]
    """True: your key can raise the amount while the payment is held. Payers cannot change it; without it,
    and without `customAmountAllowed`, the operation answers 405."""


class NewCheckoutConfigShippingDetails(TypedDict):
    """Whether the page asks for a delivery address."""

    collectionRequired: NotRequired[bool]
    """True: the payer must enter delivery details to pay."""


class NewCustomer(TypedDict):
    name: NotRequired[str]
    """Name of the person or company."""
    emailAddress: NotRequired[str]
    """E-mail address of the customer."""
    phoneNumber: NotRequired[str]
    """Phone number of the customer, 5 to 50 characters."""
    vatNumber: NotRequired[str]
    """Number under which a company is registered for VAT."""
    billingAddress: NotRequired[Address]
    """Address of invoices."""
    shippingAddress: NotRequired[Address]
    """Address of deliveries."""


class NewDeliveryLink(TypedDict):
    paymentIntentId: NotRequired[str]
    """Only deliveries of events about this payment (`pi_…`); all of the subscription when not sent."""
    frameAncestors: NotRequired[List[str]]
    """Origins of the pages that may embed the page, 5 at most; without one, no page may."""
    expiresIn: NotRequired[str]
    """How long the link can be opened, one hour at most; 15 minutes when not sent."""


class NewEposAuth(TypedDict):
    """Sent to the EPOS as HTTP Basic, base64 of `username:password`."""

    authType: Literal["basic"]
    """Always `basic`: HTTP Basic authentication."""
    basic: NewEposAuthBasic
    """The credentials that the EPOS expects."""


class NewEposAuthBasic(TypedDict):
    """The credentials that the EPOS expects."""

    username: str
    """User name that the service sends to the EPOS; without a colon."""
    password: str
    """Password that the service sends to the EPOS. Stored encrypted and never returned."""


class NewEposCapability(TypedDict):
    name: Literal["ListAreas", "SearchTables", "CreateOrder", "GetOrderById", "CancelOrderById", "SearchOrders", "CreateOrderLock", "ExtendOrderLock", "DeleteOrderLock", "GetOrderBillById", "RecordOrderPaymentById", "CreateParty", "GetPartyById", "UpdateParty", "DeletePartyById", "SearchParties", "CreateReservation", "GetReservationById", "UpdateReservation", "DeleteReservationById", "SearchReservations", "HandleEvent:payment_intent.created", "HandleEvent:payment_intent.status_updated", "GetOrderBill", "RecordOrderPayment", "UpdatePartyById", "UpdateReservationById"]
    """Name of the capability or one of its synonyms."""
    version: Literal["v1", "1.0.0"]
    """Version of the capability; both spellings mean the same."""


class NewEposEvent(TypedDict):
    eventType: Literal["OrderUpdated", "PartyUpdated", "ReservationUpdated"]
    """What has changed at the EPOS; decides which id `event` has."""
    event: NewEposEventEvent
    """The id of what has changed."""


class NewEposEventEvent(TypedDict):
    """The id of what has changed."""

    orderId: NotRequired[str]
    """Id of the order at the EPOS."""
    partyId: NotRequired[str]
    """Id of the party at the EPOS."""
    reservationId: NotRequired[str]
    """Id of the reservation at the EPOS."""


class NewGrpcIntegration(TypedDict):
    url: str
    """Address at which the EPOS serves gRPC, as `https://host:port`, without a path."""
    auth: NewEposAuth
    """How the service authenticates itself at the EPOS."""


class NewIntentCustomer(TypedDict):
    id: NotRequired[str]
    """Also read as `customerId`."""
    emailAddress: NotRequired[str]
    """E-mail address of the payer."""
    phoneNumber: NotRequired[str]
    """Phone number of the payer."""
    secret: NotRequired[str]
    """A customer secret: the hosted page offers saved cards. Needs `id` and the method SavedCard."""
    savedCardId: NotRequired[str]
    """The saved card to offer first."""


class NewItemLine(TypedDict):
    id: NotRequired[str]
    """The integrator’s or EPOS’s id of the line."""
    caption: NotRequired[str]
    """Text of the line on the payment page and the receipt. Requests may send it as `name`."""
    category: NotRequired[str]
    """Group of the item, such as “drinks”."""
    plu: NotRequired[str]
    """Price look-up number: the item in the catalogue of the EPOS."""
    quantity: NotRequired[int]
    """How many of the item the line has; negative for returned items. 1 when not sent."""
    amountTotal: PriceAmount
    """Price of the whole line before discounts and taxes, without modifiers. Never checked against the
    amount of the payment."""
    modifiers: NotRequired[List[NewModifier]]
    """Changes to the item that have a price of their own."""


class NewModifier(TypedDict):
    id: str
    """The integrator’s or EPOS’s id of the modifier."""
    name: str
    """Text of the modifier on the bill, such as “extra cheese”."""
    quantity: int
    """How many of the modifier one item has. The line has this number times its own quantity."""
    amountPerModifier: PriceAmount
    """Price of one modifier; negative for a discount."""


class NewOrderDetails(TypedDict):
    availabilityDate: NotRequired[str]
    """When the order is ready to be collected or served."""
    isUpdate: NotRequired[bool]
    """True if the payment belongs to a change of an order that exists already."""
    id: NotRequired[str]
    """The order's id in the service."""
    externalId: NotRequired[str]
    """The order's id in the EPOS."""


class NewOrderPlacement(TypedDict):
    paymentIntentId: str
    """A payment intent with the capture mode `Manual`, its amount and service charge together the
    `totalAmount` of the order."""
    order: PlacedOrder
    """The order to create at the EPOS once it is paid."""


class NewParty(TypedDict):
    tableIds: List[str]
    """Ids of the tables of the party, at least one. A table has one party at a time."""
    startTime: str
    """When the party arrives or has arrived."""
    expectedEndTime: NotRequired[str]
    """When the party is expected to leave."""
    name: NotRequired[str]
    """Name under which the party is known."""
    covers: NotRequired[int]
    """How many people the party has."""
    hostNotes: NotRequired[str]
    """Notes of the staff, which guests never see."""
    guestRequests: NotRequired[str]
    """The guest's words; the EPOS does not edit them."""
    deposit: NotRequired[NewPartyDeposit]
    """What was paid for the booking in advance."""
    status: NotRequired[str]
    """Status of the party, in words of the EPOS."""
    reservationId: NotRequired[str]
    """Id of the reservation at the EPOS that the party has come for."""


class NewPartyDeposit(TypedDict):
    """What was paid for the booking in advance. The service checks the payments before it tells the EPOS."""

    totalAmount: PayableAmount
    """The sum of the deposit. Must not exceed what the payment intents hold or have captured, less
    refunds."""
    paymentIntentIds: List[str]
    """Ids of the paid payment intents of this account, all of which have money. A payment is the deposit
    of one party, and pays no bill."""
    description: NotRequired[str]
    """Text about the deposit, for staff."""


class NewPaymentIntent(TypedDict):
    amount: PayableAmount
    """The price to collect, without tip, cashback and service charge."""
    reference: str
    """The integrator’s own reference, such as a bill number. Appears in listings; need not be unique."""
    captureMode: NotRequired[Literal["Auto", "Manual"]]
    """`Auto` takes the money at once; `Manual` holds it for captures. `Auto` when not sent."""
    description: NotRequired[str]
    """Text about the payment for the payer and for reports."""
    tipsAmount: NotRequired[SurplusAmount]
    """Tip that is collected on top of `amount`."""
    cashbackAmount: NotRequired[SurplusAmount]
    """Cash for the payer, collected on top of `amount`."""
    serviceChargeAmount: NotRequired[SurplusAmount]
    """Service charge, collected on top of `amount`."""
    customer: NotRequired[NewIntentCustomer]
    """The payer, as far as they are known."""
    cardHolderNotPresent: NotRequired[bool]
    """True: the card is keyed in without the cardholder. Also read as `transactionSource: \"MOTO\"`."""
    paymentMethods: NotRequired[List[Literal["Card", "Wallet", "SavedCard"]]]
    """How the payer may pay online; `[\"Card\"]` when not sent."""
    billingAddress: NotRequired[Address]
    """Address of the invoice; issuers compare it."""
    shippingDetails: NotRequired[ShippingDetails]
    """Where the goods go."""
    requestSecurity: NotRequired[RequestSecurity]
    """The device from which the payer orders; helps to detect fraud."""
    itemLines: NotRequired[List[NewItemLine]]
    """What is paid, line by line. The sum need not be the amount."""
    taxLines: NotRequired[List[NewTaxLine]]
    """Taxes within the amount."""
    actionLink: NotRequired[NewActionLink]
    """A link for the payer that belongs to the payment; stored and returned as it is."""
    orderDetails: NotRequired[NewOrderDetails]
    """The order that is paid."""
    config: NotRequired[NewCheckoutConfig]
    """What the hosted payment page displays and requires."""
    expireAt: NotRequired[str]
    """In the future; 30 days from now when not sent."""
    autoExpireIn: NotRequired[str]
    """Manual only: how long an authorisation is held. More than 30 seconds, less than 7 days."""
    autoExpireAction: NotRequired[Literal["Release", "Capture"]]
    """Manual only; Release when not sent."""
    metadata: NotRequired[Dict[str, Any]]
    """At most 16 KiB as JSON."""
    setupIntentId: NotRequired[str]
    """Id of an Authorized setup intent whose card is charged by the charge operation. Not with `Manual`."""
    generateRemoteToken: NotRequired[bool]
    """False: no client secret until it is refreshed. True: a secret at once, or 403 without the permission
    `payments.online`. Not sent: a secret if the key may."""
    isNotOnlineCheckout: NotRequired[bool]
    """True: the answer has `paymentLink` even if the account or key may not take payments online; it then
    has no client secret."""


class NewPublicAmount(TypedDict):
    amount: PayableAmount
    """The amount that the payer chooses, in the currency of the payment."""


class NewRefund(TypedDict):
    amount: int
    """Minor units in the currency of the payment."""
    refundReason: NotRequired[str]
    """Why the money is returned; returned with the refund."""
    notes: NotRequired[str]
    """Further notes of the integrator; returned with the refund."""
    previousTransactionId: NotRequired[str]
    """The integrator’s reference of the transaction that the refund belongs to; stored and not
    interpreted."""


class NewReservation(TypedDict):
    name: str
    """Name under which the table is reserved."""
    covers: int
    """How many people are expected."""
    startTime: str
    """When the reservation begins."""
    endTime: str
    """When the table is free again; after `startTime`."""
    tableIds: List[str]
    """Ids of the reserved tables, at least one."""
    hostNotes: NotRequired[str]
    """Notes of the staff, which guests never see."""
    guestRequests: NotRequired[str]
    """The guest's words; the EPOS does not edit them."""


class NewRestIntegration(TypedDict):
    url: str
    """Address of the EPOS, without query and fragment; `/v1/…` is appended."""
    capabilities: List[NewEposCapability]
    """Everything that the EPOS can do; each capability once. An empty list registers nothing."""
    auth: NewEposAuth
    """How the service authenticates itself at the EPOS."""


class NewSandboxEpos(TypedDict):
    isEnabled: bool
    """False: the EPOS of the sandbox does not connect for this account."""


class NewSetupIntent(TypedDict):
    reference: str
    """The integrator’s own reference; need not be unique."""
    merchantInitiatedTransactionType: Literal["NoShow", "Unscheduled"]
    """Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed
    charges."""
    terms: str
    """The text that the payer agrees to on the page; it names the charge and when it is made."""
    intendedAmount: NotRequired[PayableAmount]
    """The most that may be charged later; no limit when not sent."""
    captureMode: NotRequired[Literal["Auto"]]
    """A charge is always taken at once."""
    description: NotRequired[str]
    """Text for the payer and for reports."""
    customer: NotRequired[NewIntentCustomer]
    """The payer, as far as they are known."""
    paymentMethods: NotRequired[List[Literal["Card", "Wallet", "SavedCard"]]]
    """How the payer may authorise; `[\"Card\"]` when not sent."""
    billingAddress: NotRequired[Address]
    """Address of the invoice; issuers compare it."""
    shippingDetails: NotRequired[ShippingDetails]
    """Where goods go."""
    config: NotRequired[NewCheckoutConfig]
    """What the hosted page for the card displays and requires."""
    metadata: NotRequired[Dict[str, Any]]
    """At most 16 KiB as JSON."""
    orderDetails: NotRequired[NewOrderDetails]
    """The order or booking that it belongs to."""
    requestSecurity: NotRequired[RequestSecurity]
    """The payer’s device; helps to detect fraud."""
    expireAt: NotRequired[str]
    """In the future; 30 days from now when not sent."""


class NewSubscription(TypedDict):
    events: List[Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]]
    """The kinds to receive, at least one. A kind of another subscription is refused with 409."""
    url: str
    """An https address of the public internet. A sandbox of a service that runs for development also calls
    http on loopback, such as http://localhost:3000/hooks. Redirects are not followed."""
    description: NotRequired[str]
    """Text about the receiver, for people."""


class NewTaxLine(TypedDict):
    id: NotRequired[str]
    """The integrator’s or EPOS’s id of the tax line."""
    caption: NotRequired[str]
    """Name of the tax on the payment page and the receipt, such as “VAT”."""
    subCaption: NotRequired[str]
    """Second line of the text, such as the rate."""
    affectedPlu: NotRequired[str]
    """Price look-up number of the item that is taxed; absent for a tax on the whole bill."""
    amountTotal: PriceAmount
    """The amount of the tax. Never checked against the amount of the payment."""


class NewTerminalSession(TypedDict):
    """Also read flat: `terminalId`, `sessionType`, `paymentIntentId`, `amount` (at most 999999999999)."""

    terminalId: str
    """Id of the card machine (`tm_…`), from the list of terminals."""
    details: NewTerminalSessionDetails
    """What the machine has to do."""


class NewTerminalSessionDetails(TypedDict):
    sessionType: Literal["Sale", "MatchedRefund", "UnlinkedRefund"]
    """`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one."""
    sale: NotRequired[NewTerminalSessionDetailsSale]
    """The payment to take."""
    matchedRefund: NotRequired[NewTerminalSessionDetailsMatchedRefund]
    """The refund of a payment."""
    unlinkedRefund: NotRequired[NewTerminalSessionDetailsUnlinkedRefund]
    """A refund without a payment; also needs the permission `payments.refund`."""


class NewTerminalSessionDetailsMatchedRefund(TypedDict):
    """The refund of a payment."""

    paymentIntentId: str
    """Id of the payment intent (`pi_…`) to refund."""
    amount: NotRequired[PayableAmount]
    """The whole refundable amount when not sent."""


class NewTerminalSessionDetailsSale(TypedDict):
    """The payment to take."""

    paymentIntentId: str
    """Id of a payment intent (`pi_…`) that is `Created`."""


class NewTerminalSessionDetailsUnlinkedRefund(TypedDict):
    """A refund without a payment; also needs the permission `payments.refund`."""

    amount: PayableAmount
    """What is returned to the card."""
    cardholderNotPresent: NotRequired[bool]
    """True: the card is keyed in without the cardholder."""


class NewTips(TypedDict):
    tipsAmount: SurplusAmount
    """The new tip, in the currency of the payment; 0 removes it."""


class NewWsIntegration(TypedDict):
    capabilities: List[NewEposCapability]
    """Everything that the EPOS can do; each capability once. An empty list registers nothing."""


class NotificationEvent(TypedDict):
    notificationType: Literal["Approved", "Declined", "InsertCard", "EnterPin", "PleaseWait", "PresentCard", "PresentOnlyOneCard", "RemoveCard", "CardUnsupported", "CardError", "ReEnterCard"]
    """What the machine displays to the cardholder."""
    createdAt: str
    """When the machine reported it."""


class OfferedCards(TypedDict):
    savedPaymentMethods: List[SavedPaymentMethod]
    """The one that the integrator named first, then newest first; without those that have expired."""


class OrderDetails(TypedDict):
    availabilityDate: NotRequired[str]
    """When the order is ready to be collected or served."""
    isUpdate: NotRequired[bool]
    """True if the payment belongs to a change of an order that exists already."""
    id: NotRequired[str]
    """The order's id in the service."""
    externalId: NotRequired[str]
    """The order's id in the EPOS."""


class OrderPlacement(TypedDict):
    id: str
    """Also the `serviceOrderId` of the order at the EPOS, the same in every attempt."""
    paymentIntentId: str
    """Id of the payment intent (`pi_…`) that pays the order."""
    status: Literal["Waiting", "Held", "Placing", "PlaceUnknown", "Placed", "Completed", "Cancelling", "GivingBack", "GivenBack", "Ended", "NeedsOperator"]
    """Where the order is; the operation that reads it explains every value."""
    orderId: NotRequired[str]
    """The id of the order at the EPOS; absent until it is known."""
    totalAmount: Money
    """With the service charge, without the tip."""
    tipsAmount: Money
    """Held on top; 0 before the payment is authorised."""
    orderMayStand: bool
    """True if the EPOS may have the order although its money was returned. An operator must check it."""
    lastError: NotRequired[str]
    """The last error, for people; absent if there was none."""
    createdAt: str
    """When the order was submitted."""
    updatedAt: str
    """When the order changed last."""


class OrderPlacementPage(TypedDict):
    data: List[OrderPlacement]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class Party(TypedDict):
    id: str
    """Id of the party, unique among the current parties of the EPOS."""
    status: str
    """Status of the party, in words of the EPOS."""
    tableIds: List[str]
    """Ids of the tables of the party."""
    startTime: str
    """When the party arrives or has arrived."""
    expectedEndTime: NotRequired[str]
    """When the party is expected to leave."""
    endTime: NotRequired[str]
    """When the party left; absent while it is there."""
    name: NotRequired[str]
    """Name under which the party is known."""
    covers: NotRequired[int]
    """How many people the party has."""
    hostNotes: NotRequired[str]
    """Notes of the staff. Do not show them to guests."""
    guestRequests: NotRequired[str]
    """The guest's words."""
    reservationId: NotRequired[str]
    """Id of the reservation at the EPOS, if there was one."""
    deposit: NotRequired[PartyDeposit]
    """What was paid for the booking in advance."""


class PartyChange(TypedDict):
    tableIds: List[str]
    """Ids of the tables of the party, at least one. A table has one party at a time."""
    startTime: str
    """When the party arrives or has arrived."""
    expectedEndTime: NotRequired[str]
    """When the party is expected to leave."""
    name: NotRequired[str]
    """Name under which the party is known."""
    covers: NotRequired[int]
    """How many people the party has."""
    hostNotes: NotRequired[str]
    """Notes of the staff, which guests never see."""
    guestRequests: NotRequired[str]
    """The guest's words; the EPOS does not edit them."""
    deposit: NotRequired[NewPartyDeposit]
    """What was paid for the booking in advance."""
    status: str
    """Status of the party, in words of the EPOS."""
    endTime: NotRequired[str]
    """When the party left. The party is over with it."""


class PartyDeposit(TypedDict):
    totalAmount: Money
    """The sum of the deposit."""
    paymentIntentIds: List[str]
    """Ids of the payment intents that the deposit was paid by."""
    description: NotRequired[str]
    """Text about the deposit, for staff."""


class PartyPage(TypedDict):
    data: List[Party]
    """The elements of this page, in the order of the EPOS."""
    before: Optional[str]
    """Cursor of the previous page; null when there is none."""
    after: Optional[str]
    """Cursor of the next page; null when there is none."""
    unreadableCount: NotRequired[int]
    """How many elements of the page were left out because they cannot be read; absent when all can."""


class PastTerminalSession(TypedDict):
    terminalSession: PastTerminalSessionTerminalSession
    """The session as it is now."""
    payment: NotRequired[PastTerminalSessionPayment]
    """How the card was taken; absent until the acquirer has approved."""


class PastTerminalSessionPayment(TypedDict):
    """How the card was taken; absent until the acquirer has approved."""

    transactionDateTime: str
    """When the acquirer decided."""
    cardNumber: str
    """Masked number of the card."""
    expiryDate: NotRequired[str]
    """Last day of the card’s expiry month; absent when the machine did not report it."""
    cardType: str
    """Scheme of the card in capitals; `UNKNOWN` when its label is not known."""
    authGatewayTransactionId: str
    """UUID of the transaction; equal to `paymentDetails.transactionId`."""
    cardHolderName: NotRequired[str]
    """Name on the card; absent when the machine did not report it."""
    entryMode: Literal["Contactless", "ContactChip", "Magstripe", "ManualEntry", "Unknown"]
    """How the card was read."""
    verificationMode: Literal["Pin", "Signature", "Device", "None"]
    """How the cardholder proved their identity."""


class PastTerminalSessionTerminalSession(TypedDict):
    """The session as it is now."""

    id: str
    """Id of the session (`ts_…`)."""
    terminalId: str
    """Id of the card machine (`tm_…`)."""
    status: Literal["InitiateRequested", "Initiated", "CancelRequested", "SignatureVerificationRequired", "SignatureVerificationAccepted", "SignatureVerificationRejected", "Authorized", "Captured", "Canceled", "Declined", "Expired"]
    """Current status of the session."""
    expireAt: str
    """When the session expires unless it ends before."""
    createdAt: str
    """When the session was created."""
    updatedAt: str
    """When the last status was reached."""
    notificationEvents: List[NotificationEvent]
    """What the machine displayed, oldest first."""
    statusEvents: List[StatusEvent]
    """All statuses of the session, oldest first."""
    details: SessionDetails
    """What the session was created for."""


class PayableAmount(TypedDict):
    value: int
    """Whole minor units of the currency (pence, cents): 1250 is 12.50."""
    currencyCode: str
    """ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one
    currency."""


class PaymentActivity(TypedDict):
    id: str
    """Id of the entry; its form has no meaning."""
    kind: Literal["ApiRequest", "StateChange", "AcquirerCall", "MachineReport", "EposCall", "WebhookAttempt"]
    """What happened: a request, a change, a call or a report."""
    subjectId: str
    """The payment intent, its session on a machine or at a table, or the reference of the acquirer call."""
    at: str
    """When it began."""
    name: str
    """The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook,
    the new status of a change, or what a machine reported."""
    traceId: NotRequired[str]
    """The trace in which it happened: 32 hex digits, as in the header `trace-id`."""
    outcome: NotRequired[Literal["Succeeded", "Refused", "Failed"]]
    """Refused: the other side answered with a refusal. Failed: it did not answer, or with an error."""
    status: NotRequired[int]
    """The HTTP status, where there is one."""
    reason: NotRequired[str]
    """The code of the refusal, or why it failed."""
    tookMs: NotRequired[int]
    """How long it took, in milliseconds; absent where it is not measured."""
    method: NotRequired[str]
    """HTTP method; absent where there was none."""
    path: NotRequired[str]
    """Path that was called; absent where there was none."""
    hasIdempotencyKey: NotRequired[bool]
    """Whether the request had an idempotency key."""
    request: NotRequired[Dict[str, Any]]
    """Members that are not listed for the log have the value `[not recorded]`; a long body is cut."""
    answer: NotRequired[Dict[str, Any]]
    """Members that are not listed for the log have the value `[not recorded]`; a long body is cut."""
    reference: NotRequired[str]
    """The delivery of a webhook, or the table payment that an EPOS is called for."""
    attempt: NotRequired[int]
    """Number of the attempt, from 1; absent where there are no attempts."""
    transport: NotRequired[str]
    """How an EPOS was called; `machine`: the card machine called the acquirer."""


class PaymentActivityPage(TypedDict):
    data: List[PaymentActivity]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class PaymentAmountEvent(TypedDict):
    id: str
    """Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it."""
    accountId: str
    """Account in which it happened (`acc_…`)."""
    createdAt: str
    """When it happened."""
    event: Literal["payment_intent.amount_captured", "payment_intent.amount_refunded"]
    """The kind of event."""
    data: PaymentAmountEventData
    """The intent and the sums at the time of the event."""


class PaymentAmountEventData(TypedDict):
    """The intent and the sums at the time of the event."""

    paymentIntentId: str
    """Id of the payment intent (`pi_…`)."""
    paymentStatus: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled"]
    """Status of the intent right after the change; read the intent for its current status."""
    captureMode: Literal["Auto", "Manual"]
    """Capture mode of the intent."""
    amount: Money
    """What this capture or refund moved."""
    capturedAmount: Money
    """The sum of all captures so far."""
    refundedAmount: Money
    """The sum of all refunds so far."""
    captureId: NotRequired[str]
    """Absent where the approval captured the money."""
    refundId: NotRequired[str]
    """Absent where a card machine refunded the money."""


class PaymentChargeEvent(TypedDict):
    id: str
    """Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it."""
    accountId: str
    """Account in which it happened (`acc_…`)."""
    createdAt: str
    """When it happened."""
    event: Literal["payment_intent.charge_failed"]
    """The kind of event."""
    data: PaymentChargeEventData
    """The intent at the time of the event."""


class PaymentChargeEventData(TypedDict):
    """The intent at the time of the event."""

    paymentIntentId: str
    """Id of the payment intent (`pi_…`)."""
    paymentStatus: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled"]
    """Status of the intent right after the change; read the intent for its current status."""
    captureMode: Literal["Auto", "Manual"]
    """Capture mode of the intent."""


class PaymentDetails(TypedDict):
    transactionId: str
    """UUID of the transaction; the same as `id` in the listing of transactions."""
    acquirerTransactionId: NotRequired[str]
    """How the acquirer names the transaction, where that is no UUID; absent otherwise."""
    transactionDateTime: str
    """When the acquirer decided."""
    message: Literal["DEPOSITED", "AUTHORIZED", "DECLINED", "REFERRED", "REVERSED", "REFUNDED", "FAILED"]
    """Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on."""
    authCode: str
    """Code with which the issuer approved the payment; printed on receipts."""
    paymentMethodId: NotRequired[str]
    """Id of the saved card (`pm_…`) that was used or saved; absent otherwise."""
    avsResult: NotRequired[Literal["ADDRESS_MATCH_POSTCODE_MATCH", "ADDRESS_MATCH_POSTCODE_MISMATCH", "ADDRESS_MISMATCH_POSTCODE_MATCH", "ADDRESS_MISMATCH_POSTCODE_MISMATCH", "NOT_CHECKED"]]
    """How the billing address compares with the issuer’s; absent when there was no check."""
    card: Card
    """The card that was used, with a masked number."""


class PaymentEvent(TypedDict):
    """Steps of one attempt share `transactionId`."""

    transactionId: NotRequired[str]
    """UUID of the attempt; absent for steps that belong to none, such as a cancellation."""
    transactionDateTime: str
    """When the step happened."""
    authCode: str
    """Empty before an approval."""
    cardNumber: NotRequired[str]
    """Masked number of the card: first 8 digits, `****`, last 4. Absent for steps without a card."""
    expiryDate: NotRequired[str]
    """Last day of the card’s expiry month; absent for steps without a card."""
    cardType: NotRequired[str]
    """Scheme of the card in capitals; absent for steps without a card."""
    cardholderName: NotRequired[str]
    """Name on the card; absent when it is not known."""
    paymentMethodId: NotRequired[str]
    """Id of the saved card (`pm_…`); absent when none was used."""
    eventType: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled", "AuthChallenged", "Declined", "ManualAuthReady", "Error", "Unknown"]
    """What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed
    without a decision of the issuer."""
    amount: NotRequired[Money]
    """The amount of the step: of a capture, of a refund or reversal, or of a declined attempt."""


class PaymentIntent(TypedDict):
    id: str
    """Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production."""
    status: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled"]
    """`Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full;
    `Reversed` undone; `Canceled` given up unpaid."""
    captureMode: Literal["Auto", "Manual"]
    """`Auto`: the approval takes the money. `Manual`: it is held until captures take it."""
    amount: Money
    """The price, without tip, cashback and service charge."""
    totalAmount: Money
    """The total for the cardholder: amount, tip, cashback, service charge."""
    tipsAmount: NotRequired[Money]
    """The tip; absent until there is one."""
    requestedAmount: NotRequired[Money]
    """The first amount, once it was changed."""
    refundedAmount: int
    """Minor units."""
    paymentMethods: List[Literal["Card", "Wallet", "SavedCard"]]
    """How the payer may pay online: `Card`, `Wallet`, `SavedCard`."""
    reference: str
    """The integrator’s own reference, as it was sent. It need not be unique."""
    description: NotRequired[str]
    """The integrator’s text about the payment, if one was sent."""
    clientSessionSecret: NotRequired[str]
    """While it is unused and unexpired, for a payer and for a key with `payments.write` or
    `payments.online`."""
    clientSessionSecretExpirationDate: str
    """When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it
    is 0001-01-01T00:00:00Z, which means that there is no time."""
    billingAddress: NotRequired[Address]
    """Address of the invoice, as it was sent or the payer entered it."""
    shippingDetails: NotRequired[ShippingDetails]
    """Where the goods go, as it was sent or the payer entered it."""
    itemLines: List[ItemLine]
    """What is paid, line by line; empty when no lines were sent. The sum need not be the amount."""
    taxLines: List[TaxLine]
    """Taxes within the amount; empty when none were sent."""
    config: CheckoutConfig
    """What the payment page displays and requires."""
    merchantConfig: MerchantConfig
    """What the merchant accepts."""
    paymentSource: Literal["api", "virtual-terminal", "payment-links", "pay-at-table"]
    """Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or
    `pay-at-table`."""
    createdAt: str
    """When the intent was created."""
    updatedAt: str
    """When the intent was changed last; moves with every stored change."""
    cardHolderNotPresent: bool
    """True: the card is keyed in without the cardholder, such as for an order by phone."""
    cashbackAmount: NotRequired[Money]
    """Cash that is handed to the payer, on top of the price; absent without any."""
    serviceChargeAmount: NotRequired[Money]
    """Service charge on top of the price; absent without any."""
    subtotalLineItems: NotRequired[Money]
    """Sum of lines, modifiers and taxes; only with lines."""
    customer: NotRequired[IntentCustomer]
    """The payer, as far as they are known; absent otherwise."""
    actionLink: NotRequired[ActionLink]
    """A link for the payer that belongs to the payment, if one was sent."""
    orderDetails: NotRequired[OrderDetails]
    """The order that is paid, if it was sent."""
    requestSecurity: NotRequired[RequestSecurity]
    """The device from which the payer ordered, if it was sent."""
    autoExpireAction: NotRequired[Literal["Release", "Capture"]]
    """Manual only: what happens to the hold when it ends. `Release` returns it, `Capture` takes it."""
    autoExpireIn: NotRequired[str]
    """Manual only: how long an authorisation is held, as `hh:mm:ss` or `d.hh:mm:ss`; seven days when
    absent."""
    expireAt: str
    """When an unpaid intent is canceled by itself; 30 days after its creation unless another time was
    sent."""
    metadata: Dict[str, Any]
    """Always holds `location-id`."""
    setupIntentId: NotRequired[str]
    """Id of the setup intent (`si_…`) whose card is charged; absent for other payments."""
    paymentLink: NotRequired[str]
    """Address of the hosted payment page for this intent; absent when the payment is not taken online."""
    paymentDetails: NotRequired[PaymentDetails]
    """Once the payment is final."""
    paymentEvents: List[PaymentEvent]
    """Steps of all attempts, oldest first; empty until the first."""
    terminalSessionHistory: List[PastTerminalSession]
    """Sessions on card machines for this payment, oldest first; empty when there are none."""
    captures: List[Capture]
    """Of Manual intents only."""


class PaymentIntentEvent(TypedDict):
    id: str
    """Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it."""
    accountId: str
    """Account in which it happened (`acc_…`)."""
    createdAt: str
    """When it happened."""
    event: Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt"]
    """The kind of event."""
    data: PaymentIntentEventData
    """The intent at the time of the event."""


class PaymentIntentEventData(TypedDict):
    """The intent at the time of the event."""

    paymentIntentId: str
    """Id of the payment intent (`pi_…`)."""
    paymentStatus: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled"]
    """Status of the intent right after the change; read the intent for its current status."""
    captureMode: Literal["Auto", "Manual"]
    """Capture mode of the intent."""


class PaymentIntentPage(TypedDict):
    data: List[PaymentIntent]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class PaymentIntentSearch(TypedDict):
    statuses: NotRequired[List[Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled"]]]
    """All but Canceled when not sent."""
    startDate: NotRequired[str]
    """Inclusive, by `createdAt`."""
    endDate: NotRequired[str]
    """Exclusive."""
    customerId: NotRequired[str]
    """Only payments of this customer (`cust_…`); an unknown one has none."""
    cursor: NotRequired[PaymentIntentSearchCursor]
    """Which page."""


class PaymentIntentSearchCursor(TypedDict):
    """Which page."""

    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class PaymentLink(TypedDict):
    id: str
    """Id of the payment intent (`pi_…`) or setup intent (`si_…`) of the link."""
    state: Literal["Active", "Canceled", "Expired"]
    """`Active`: the intent can be read by its payer, whether it is paid or not."""
    tradingName: str
    """Name of the merchant as payers know it."""
    branding: PaymentLinkBranding
    """The look of the merchant’s pages."""


class PaymentLinkBranding(TypedDict):
    """The look of the merchant’s pages."""

    logoUrl: NotRequired[str]
    """Address of the logo; absent when the account has none."""
    faviconUrl: NotRequired[str]
    """Address of the small icon of the browser tab; absent when the account has none."""
    accentColor: NotRequired[str]
    """The colour of the button, `#0b57d0`."""
    font: NotRequired[Literal["sans", "humanist", "geometric", "rounded", "serif"]]
    """The kind of letters of the page; the font of the system when absent."""


class PaymentMethods(TypedDict):
    customerId: str
    """Id of the customer (`cust_…`) whose cards are listed."""
    merchantId: str
    """Number of the merchant at the acquirer."""
    savedPaymentMethods: List[SavedPaymentMethod]
    """Newest first."""
    supportedPaymentMethods: PaymentMethodsSupportedPaymentMethods
    """What the merchant accepts now."""


class PaymentMethodsSupportedPaymentMethods(TypedDict):
    """What the merchant accepts now."""

    cardSchemes: List[Literal["VISA", "MASTERCARD", "MAESTRO", "DISCOVER", "DCI", "AMEX"]]
    """Card schemes that the merchant accepts."""
    wallets: List[Literal["APPLE_PAY", "GOOGLE_PAY"]]
    """Wallets that the merchant accepts."""


class PendingPayment(TypedDict):
    paymentId: str
    """Of an order that is paid in advance the id of its placement."""
    journeyId: NotRequired[str]
    """Present for a payment of a journey."""
    sessionId: NotRequired[str]
    """Id of the session at the EPOS; absent when the payment belongs to none."""
    orderId: NotRequired[str]
    """Id of the order at the EPOS; absent when the EPOS keeps sessions, or the order is not known."""
    paymentIntentId: NotRequired[str]
    """Id of the payment intent (`pi_…`); absent when there is none."""
    baseAmount: int
    """Minor units."""
    gratuityAmount: int
    """Minor units."""
    cashbackAmount: int
    """Minor units."""
    currency: str
    """ISO 4217 code of the three amounts."""
    state: str
    """The state in which the payment waits, such as `RecordUnknown` or `NeedsOperator`."""
    since: str
    """Since when it waits."""
    attempts: int
    """The number of calls to the EPOS to record the payment, or to create the order."""
    lastError: NotRequired[str]
    """The last error, for people; absent if there was none."""
    acquirerCall: NotRequired[PendingPaymentAcquirerCall]
    """Present for a call to the acquirer that has no outcome; `paymentId` is its reference."""
    alarm: bool
    """True once it has been pending for 60 seconds."""


class PendingPaymentAcquirerCall(TypedDict):
    """Present for a call to the acquirer that has no outcome; `paymentId` is its reference."""

    kind: Literal["Authorise", "Increase", "Capture", "Refund", "Reverse", "Release"]
    """What the acquirer was asked to do."""
    reference: str
    """Our reference of the call; the acquirer’s books have it too."""
    originalReference: NotRequired[str]
    """The authorisation that the call is about."""
    state: Literal["Prepared", "Sent", "Challenged", "Approved", "Declined", "Unknown", "Settled"]
    """The state of the call in our books."""
    openSeconds: int
    """How long ago its deadline was."""


class PendingResolution(TypedDict):
    action: Literal["MarkRecorded", "GiveBack", "RetryNow", "MarkNotHeld", "SettleAsListed", "MarkNotTaken", "MarkRefunded", "MarkNotRefunded"]
    """The decision; the description of the operation states which one each kind of payment accepts."""
    note: str
    """The reason; stored in the audit log."""


class PlacedOrder(TypedDict):
    """The order to create at the EPOS; the service adds its own id of the order and the payment. All
    amounts are of one currency, quantities are from 1 to 10000, texts have at most 1024 characters, and
    the whole has at most 256 KiB of JSON. No text may hold a card number or a security code."""

    details: EposOrderDetails
    """How the order is served."""
    note: NotRequired[str]
    """Instructions for the whole order."""
    discounts: NotRequired[List[EposDiscount]]
    """Discounts that `totalAmount` already contains."""
    taxLines: NotRequired[List[EposTaxLine]]
    """Taxes that `totalAmount` already contains."""
    serviceChargeAmount: NotRequired[EposMoney]
    """Service charge, part of `totalAmount`."""
    reference: NotRequired[str]
    """A number or name of the order that people can read."""
    displayName: NotRequired[str]
    """Name under which lists display the order."""
    customer: NotRequired[EposCustomer]
    """Who ordered."""
    items: List[EposItem]
    """What is ordered."""
    totalAmount: EposMoney
    """After discounts and taxes, with the service charge, never with tips."""


class PriceAmount(TypedDict):
    value: int
    """Whole minor units of the currency (pence, cents): 1250 is 12.50."""
    currencyCode: str
    """ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one
    currency."""


class Problem(TypedDict):
    type: str
    """Names the kind of problem."""
    title: str
    """Short summary of the status."""
    status: int
    """HTTP status of the answer."""
    detail: str
    """A sentence for the person who reads the log."""
    traceId: str
    """W3C trace parent of the failed request; also in the header `trace-id`."""
    errors: Dict[str, List[str]]
    """Messages by member path or header name; empty when no member is at fault."""
    reason: Literal["path_unknown", "method_not_allowed", "unauthenticated", "rate_limited", "version_invalid", "permission_missing", "partner_header_invalid", "partner_not_registered", "media_type_unsupported", "body_too_large", "body_malformed", "idempotency_key_invalid", "idempotency_key_reused", "idempotency_in_progress", "validation_failed", "service_unavailable", "commit_unknown", "acquirer_not_configured", "acquirer_lacks_capability", "acquirer_unanswered", "client_secret_missing", "client_secret_invalid", "page_origin_not_registered", "submissions_exhausted", "payment_outcome_unknown", "attempt_not_found", "saved_card_not_found", "saved_card_not_usable", "saved_card_busy", "saved_card_of_setup_intent", "payment_intent_not_found", "payment_intent_unknown", "payment_intent_canceled", "payment_intent_busy", "payment_intent_not_cancelable", "payment_intent_not_payable", "currency_not_enabled", "not_capturable", "capture_exceeds_authorized", "capture_refused", "not_refundable", "refund_exceeds_captured", "refund_refused", "refund_not_found", "not_reversible", "reversal_window_passed", "reversal_refused", "not_chargeable", "charge_without_setup_intent", "charge_exceeds_intended", "setup_intent_not_chargeable", "amount_change_not_enabled", "amount_not_changeable", "amount_not_raised", "amount_raise_refused", "tips_change_not_enabled", "tips_not_changeable", "secret_not_refreshable", "receipt_not_available", "receipts_exhausted", "setup_intent_not_found", "setup_intent_busy", "setup_intent_not_authorisable", "setup_intent_not_cancelable", "customer_not_found", "terminal_not_found", "terminal_unavailable", "terminal_session_not_found", "terminal_session_not_cancelable", "signature_not_awaited", "subscription_not_found", "event_kind_taken", "secret_not_found", "secret_is_active", "secrets_exhausted", "delivery_not_found", "delivery_not_dead_lettered", "event_kind_not_subscribed", "api_key_not_found", "api_keys_exhausted", "attestation_missing", "account_disabled", "sign_in_refused", "portal_session_missing", "password_change_needed", "password_locked", "reauthentication_needed", "cross_site_request", "account_not_chosen", "sign_in_expired", "second_factor_refused", "second_factor_missing", "second_factor_required", "passkey_not_found", "password_sign_in_off", "second_person_needed", "second_person_refused", "four_eyes_request_unknown", "four_eyes_request_decided", "flow_not_found", "flow_runs_exhausted", "pending_payment_not_found", "pending_payment_not_decidable", "difference_not_found", "difference_not_answerable", "alarm_not_found", "alarm_answered", "lease_not_found", "lease_over", "lease_money_open", "journey_not_found", "journey_over", "journey_busy", "journey_money_open", "journey_not_movable", "bill_unusable", "bill_paid", "part_invalid", "part_exceeds_outstanding", "item_not_on_bill", "item_share_taken", "table_payment_id_reused", "card_transaction_unusable", "order_placement_not_found", "order_not_placeable", "epos_cannot_order", "payment_intent_held_for_order", "payment_intent_is_deposit", "reservation_not_found", "party_not_found", "booking_refused", "epos_cannot_book", "epos_unreachable", "epos_unanswered", "request_malformed", "request_timeout", "header_fields_too_large", "internal_error"]
    """The cause, as a value of the error catalogue. Programs decide by it, not by `detail`."""
    documentation: str
    """The page about `reason` in the error catalogue, relative to the address that was called: the service
    itself answers it."""
    code: NotRequired[Literal["INVALID_REQUEST", "TERMINAL_UNAVAILABLE", "INTERNAL_ERROR"]]
    """Terminals and terminal sessions only."""
    capability: NotRequired[Literal["separate_capture", "partial_capture", "multiple_captures", "incremental_authorisation", "partial_refund", "multiple_refunds", "unreferenced_refund", "reversal_after_capture", "partial_reversal", "reversal_of_unknown_reference", "challenge", "card_verification", "merchant_initiated", "cardholder_not_present", "booked_list", "currencies", "card_schemes", "wallets", "refund_window"]]
    """With the reason `acquirer_lacks_capability`: what the acquirer cannot do."""
    statusCode: NotRequired[int]
    """Payers' operations only: `status`, in the form of a result."""
    message: NotRequired[str]
    """Payers’ operations only: `detail`, in the form of a result."""
    authCode: NotRequired[Literal[""]]
    """Payers’ operations only: empty, because nothing was approved."""
    transactionId: NotRequired[Literal[""]]
    """Payers’ operations only: empty, because there is no transaction."""


class PublicPaymentIntent(TypedDict):
    id: str
    """Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production."""
    status: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled"]
    """`Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full;
    `Reversed` undone; `Canceled` given up unpaid."""
    captureMode: Literal["Auto", "Manual"]
    """`Auto`: the approval takes the money. `Manual`: it is held until captures take it."""
    amount: Money
    """The price, without tip, cashback and service charge."""
    totalAmount: Money
    """The total for the cardholder: amount, tip, cashback, service charge."""
    tipsAmount: NotRequired[Money]
    """The tip; absent until there is one."""
    requestedAmount: NotRequired[Money]
    """The first amount, once it was changed."""
    refundedAmount: int
    """Minor units."""
    paymentMethods: List[Literal["Card", "Wallet", "SavedCard"]]
    """How the payer may pay online: `Card`, `Wallet`, `SavedCard`."""
    reference: str
    """The integrator’s own reference, as it was sent. It need not be unique."""
    description: NotRequired[str]
    """The integrator’s text about the payment, if one was sent."""
    clientSessionSecret: NotRequired[str]
    """While it is unused and unexpired, for a payer and for a key with `payments.write` or
    `payments.online`."""
    clientSessionSecretExpirationDate: str
    """When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it
    is 0001-01-01T00:00:00Z, which means that there is no time."""
    billingAddress: NotRequired[Address]
    """Address of the invoice, as it was sent or the payer entered it."""
    shippingDetails: NotRequired[ShippingDetails]
    """Where the goods go, as it was sent or the payer entered it."""
    itemLines: List[ItemLine]
    """What is paid, line by line; empty when no lines were sent. The sum need not be the amount."""
    taxLines: List[TaxLine]
    """Taxes within the amount; empty when none were sent."""
    config: CheckoutConfig
    """What the payment page displays and requires."""
    merchantConfig: MerchantConfig
    """What the merchant accepts."""
    paymentSource: Literal["api", "virtual-terminal", "payment-links", "pay-at-table"]
    """Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or
    `pay-at-table`."""
    createdAt: str
    """When the intent was created."""
    updatedAt: str
    """When the intent was changed last; moves with every stored change."""
    customer: NotRequired[PublicPaymentIntentCustomer]
    """The payer, as far as they are known; absent otherwise, and after the payment for all but the page
    that has paid."""
    paymentEvents: List[PublicPaymentIntentPaymentEvent]
    """Steps of all attempts without their cards, oldest first. `transactionId` is present for the page of
    the attempt only."""
    metadata: PublicPaymentIntentMetadata
    """Only the id of the location; the integrator’s own additions are left out."""


class PublicPaymentIntentCustomer(TypedDict):
    """The payer, as far as they are known; absent otherwise, and after the payment for all but the page
    that has paid."""

    customerId: NotRequired[str]
    """Id of the stored customer (`cust_…`); absent when the intent names none."""
    id: NotRequired[str]
    """Equal to `customerId`."""
    emailAddress: NotRequired[str]
    """E-mail address of the payer, so that the page need not ask for it."""


PublicPaymentIntentMetadata = TypedDict(
    "PublicPaymentIntentMetadata",
    {
        # Id of the location (`loc_…`) of the account, set by the service.
        "location-id": "str",
    },
)
"""Only the id of the location; the integrator’s own additions are left out."""


class PublicPaymentIntentPaymentEvent(TypedDict):
    eventType: Literal["Created", "Authorized", "Captured", "Reversed", "Refunded", "Canceled", "AuthChallenged", "Declined", "ManualAuthReady", "Error", "Unknown"]
    """What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed
    without a decision of the issuer."""
    transactionId: NotRequired[str]
    """UUID of the attempt; absent for steps that belong to none, such as a cancellation."""
    transactionDateTime: str
    """When the step happened."""


class PublicReceiptRequest(TypedDict):
    email: str
    """The address that gets the customer’s copy."""


class PublicSetupIntent(TypedDict):
    id: str
    """Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production."""
    status: Literal["Created", "Authorized", "Expired", "CardExpired", "Canceled", "Completed", "Closed"]
    """`Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or
    `Closed` given up before or after a card; `Expired` or `CardExpired` too late."""
    merchantInitiatedTransactionType: Literal["NoShow", "Unscheduled"]
    """Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed
    charges."""
    terms: str
    """What the payer agrees to."""
    intendedAmount: NotRequired[Money]
    """The most that may be charged."""
    paymentMethods: List[Literal["Card", "Wallet", "SavedCard"]]
    """How the payer may authorise: `Card`, `Wallet`, `SavedCard`."""
    reference: str
    """The integrator’s own reference, as it was sent."""
    description: NotRequired[str]
    """The integrator’s text, if one was sent."""
    clientSessionSecret: NotRequired[str]
    """While it is unused and unexpired, for a payer and for a key with `setup.write`."""
    clientSessionSecretExpirationDate: str
    """When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it
    is 0001-01-01T00:00:00Z, which means that there is no time."""
    billingAddress: NotRequired[Address]
    """Address of the invoice, as it was sent or the payer entered it."""
    shippingDetails: NotRequired[ShippingDetails]
    """Where goods go, if it was sent."""
    orderDetails: NotRequired[OrderDetails]
    """The order that it belongs to, if it was sent."""
    config: CheckoutConfig
    """What the hosted page displays and requires."""
    merchantConfig: MerchantConfig
    """There are no wallets here."""
    paymentSource: Literal["api", "virtual-terminal", "payment-links", "pay-at-table"]
    """Where the setup intent was created."""
    expireAt: str
    """When a setup intent without a card becomes `Expired`."""
    createdAt: str
    """When the setup intent was created."""
    updatedAt: str
    """When the setup intent was changed last."""
    customer: NotRequired[PublicSetupIntentCustomer]
    """The payer, as far as they are known; absent otherwise, and after the setup for all but the page of
    the payer."""
    metadata: PublicSetupIntentMetadata
    """Only the id of the location; the integrator’s own additions are left out."""
    paymentDetails: NotRequired[PublicSetupIntentPaymentDetails]
    """Outcome of the last attempt without the card; absent before the first, and for all but the page of
    the attempt."""


class PublicSetupIntentCustomer(TypedDict):
    """The payer, as far as they are known; absent otherwise, and after the setup for all but the page of
    the payer."""

    customerId: NotRequired[str]
    """Id of the stored customer (`cust_…`); absent when the intent names none."""
    id: NotRequired[str]
    """Equal to `customerId`."""
    emailAddress: NotRequired[str]
    """E-mail address of the payer, so that the page need not ask for it."""


PublicSetupIntentMetadata = TypedDict(
    "PublicSetupIntentMetadata",
    {
        # Id of the location (`loc_…`) of the account, set by the service.
        "location-id": "str",
    },
)
"""Only the id of the location; the integrator’s own additions are left out."""


class PublicSetupIntentPaymentDetails(TypedDict):
    """Outcome of the last attempt without the card; absent before the first, and for all but the page of
    the attempt."""

    transactionId: str
    """UUID of the transaction; the same as `id` in the listing of transactions."""
    transactionDateTime: str
    """When the acquirer decided."""
    message: Literal["DEPOSITED", "AUTHORIZED", "DECLINED", "REFERRED", "REVERSED", "REFUNDED", "FAILED"]
    """Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on."""


class ReadMailboxQuery(TypedDict):
    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class ReadPaymentIntentQuery(TypedDict):
    returnCanceled: NotRequired[bool]
    """Also answer when the intent is Canceled."""


class Receipt(TypedDict):
    lines: List[ReceiptLine]
    """Lines from top to bottom."""


class ReceiptLine(TypedDict):
    lineType: Literal["Text", "LogoImage", "NewLine", "SingleLineSeperator", "DoubleLineSeperator"]
    """What the line is. A line with text or a logo has the member for it; the others have none."""
    text: NotRequired[ReceiptLineText]
    """Present when `lineType` is `Text`."""
    imageLogo: NotRequired[ReceiptLineImageLogo]
    """Present when `lineType` is `LogoImage`."""


class ReceiptLineImageLogo(TypedDict):
    """Present when `lineType` is `LogoImage`."""

    value: str
    """The picture to print."""
    align: Literal["AlignLeft", "AlignCenter", "AlignRight"]
    """Where the picture is placed."""


class ReceiptLineText(TypedDict):
    """Present when `lineType` is `Text`."""

    value: str
    """The words to print."""
    size: Literal["SizeHeader1", "SizeHeader2", "SizeBody"]
    """Size of the letters."""
    align: Literal["AlignLeft", "AlignCenter", "AlignRight"]
    """Where the words are placed on the line."""
    emphasisBold: bool
    """True: print in bold."""


class ReceiptRequest(TypedDict):
    emails: List[str]
    """Addresses that get the customer’s copy, each once."""


class Reconciliation(TypedDict):
    reconciledTo: NotRequired[str]
    """Every day before it was compared with the acquirers’ books by the daily check, except
    `uncomparedDays`."""
    listComparedAt: NotRequired[str]
    """When the books of an acquirer were compared last."""
    listError: NotRequired[str]
    """Which acquirers’ books could not be read in the last attempt, and why; the next attempt follows
    within 15 minutes."""
    requestedFrom: NotRequired[str]
    """The start of a requested run that has not finished yet."""
    requestedTo: NotRequired[str]
    """The end of a requested run that has not finished yet."""
    uncomparedDays: List[UncomparedDay]
    """Days whose comparison with an acquirer is incomplete, oldest first; at most a thousand."""
    chainsCheckedAt: NotRequired[str]
    """When the chains of all records were checked last."""


class ReconciliationDifference(TypedDict):
    id: str
    """UUID of the difference."""
    kind: Literal["NotAskedFor", "OtherKind", "OtherAmount", "SettledAmount", "NotApproved", "NotBooked", "ListingSum", "BrokenChain", "UnprovedRecord"]
    """`NotAskedFor`: the acquirer booked a transaction that we did not request. `OtherKind`,
    `OtherAmount`: it booked another kind or amount. `SettledAmount`: the lines of its settlement files
    sum to another amount than we requested. `NotApproved`: it booked a transaction that is declined or
    reversed in our books. `NotBooked`: it has not booked a transaction of our books. `ListingSum`: the
    transactions of a payment do not sum to what the ledger keeps. `BrokenChain`: records of a payment
    intent, a setup intent or an unlinked refund are not as they were written."""
    reference: str
    """Of the call to the acquirer; of the last two kinds the id they are about."""
    paymentIntentId: NotRequired[str]
    """Id of the payment intent (`pi_…`); absent when none is known."""
    amount: NotRequired[Money]
    """The money at stake, where there is one amount."""
    ours: NotRequired[str]
    """The value in our books."""
    theirs: NotRequired[str]
    """The value in the other books."""
    says: str
    """The difference in a sentence."""
    state: Literal["Open", "Answered", "Closed"]
    """`Open` until it is answered; `Closed` once a check does not find it any more."""
    happenedAt: str
    """When it was booked or requested."""
    firstSeenAt: str
    """When a check found it first."""
    lastSeenAt: str
    """When a check found it last."""


class ReconciliationDifferencePage(TypedDict):
    data: List[ReconciliationDifference]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


ReconciliationStart = TypedDict(
    "ReconciliationStart",
    {
        # Inclusive; at most 31 days before `to`.
        "from": "str",
        # Exclusive; now when not sent.
        "to": NotRequired["str"],
        # Why; kept in the audit log.
        "note": "str",
    },
)


class Refund(TypedDict):
    paymentIntentId: str
    """Id of the payment intent (`pi_…`) whose money was returned."""
    refundId: str
    """Id of the refund (`rfnd_…`)."""
    refundReason: NotRequired[str]
    """The reason that was sent; absent if none was."""
    notes: NotRequired[str]
    """The notes that were sent; absent if none were."""
    message: Literal["REFUNDED"]
    """Always `REFUNDED`: the acquirer has accepted the refund."""


Replay = TypedDict(
    "Replay",
    {
        # Inclusive, by `createdAt` of the event.
        "from": NotRequired["str"],
        # Exclusive; now when not sent.
        "to": NotRequired["str"],
        # The states of deliveries to replay; DeadLettered when not sent. `NotSubscribed`: no subscription had its
        # kind then.
        "states": NotRequired["List[Literal[\"DeadLettered\", \"Delivered\", \"NotSubscribed\"]]"],
    },
)


class Replayed(TypedDict):
    queued: int
    """How many events are sent again."""


class RequestActivity(TypedDict):
    id: str
    """Id of the entry; its form has no meaning."""
    at: str
    """When it began."""
    name: str
    """The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook,
    the new status of a change, or what a machine reported."""
    traceId: str
    """The trace of the request: 32 hex digits, as in the header `trace-id`."""
    outcome: Literal["Succeeded", "Refused", "Failed"]
    """How the request ended: done, refused by a rule, or failed."""
    status: NotRequired[int]
    """The HTTP status, where there is one."""
    reason: NotRequired[str]
    """The code of the refusal, or why it failed."""
    tookMs: NotRequired[int]
    """How long it took, in milliseconds; absent where it is not measured."""
    method: NotRequired[str]
    """HTTP method; absent where there was none."""
    path: NotRequired[str]
    """Path that was called; absent where there was none."""
    hasIdempotencyKey: NotRequired[bool]
    """Whether the request had an idempotency key."""
    request: NotRequired[Dict[str, Any]]
    """Members that are not listed for the log have the value `[not recorded]`; a long body is cut."""
    answer: NotRequired[Dict[str, Any]]
    """Members that are not listed for the log have the value `[not recorded]`; a long body is cut."""
    keyId: NotRequired[str]
    """The API key; absent for a request of a payer."""
    subjectId: NotRequired[str]
    """The payment, session or setup that it is about; absent for a successful read."""


class RequestActivityPage(TypedDict):
    data: List[RequestActivity]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class RequestSecurity(TypedDict):
    """The payer's device."""

    userAgent: NotRequired[str]
    """The header `User-Agent` of the payer’s browser, as the integrator received it."""
    ipAddress: NotRequired[str]
    """The IP address from which the payer orders."""
    device: NotRequired[str]
    """The kind or name of the payer’s device, in the integrator’s words."""


class Reservation(TypedDict):
    id: str
    """Id of the reservation, unique within the EPOS of the account."""
    name: str
    """Name under which the table is reserved."""
    covers: int
    """How many people are expected."""
    startTime: str
    """When the reservation begins."""
    endTime: str
    """When the table is free again."""
    tableIds: List[str]
    """Ids of the reserved tables."""
    hostNotes: NotRequired[str]
    """Notes of the staff. Do not show them to guests."""
    guestRequests: NotRequired[str]
    """The guest's words."""


class ReservationPage(TypedDict):
    data: List[Reservation]
    """The elements of this page, in the order of the EPOS."""
    before: Optional[str]
    """Cursor of the previous page; null when there is none."""
    after: Optional[str]
    """Cursor of the next page; null when there is none."""
    unreadableCount: NotRequired[int]
    """How many elements of the page were left out because they cannot be read; absent when all can."""


class RestIntegration(TypedDict):
    url: str
    """Address of the EPOS, to which `/v1/…` is appended."""
    auth: EposAuth
    """How the service authenticates itself at the EPOS."""
    capabilities: List[EposCapability]
    """What the EPOS can do. Nothing else is called."""
    createdAt: str
    """When it was registered."""


class Reversal(TypedDict):
    message: Literal["REVERSED"]
    """Always `REVERSED`: the acquirer has undone the payment."""
    reversalId: str
    """Id of the reversal (`rvs_…`)."""


class Run(TypedDict):
    flowID: str
    """UUID of the run."""
    flowName: str
    """Name of the flow that runs."""
    status: Literal["IN_PROGRESS", "SUCCESS", "FAILURE", "TIMED_OUT"]
    """The worst status of the steps so far, or `IN_PROGRESS` while it runs."""
    startedAt: str
    """When the run started."""
    finishedAt: NotRequired[str]
    """When the run ended; absent while it runs."""
    steps: List[RunStep]
    """Steps in their order. Steps after a failure are absent, except the cleanup."""


class RunStep(TypedDict):
    name: str
    """Name of the step."""
    status: Literal["IN_PROGRESS", "SUCCESS", "FAILURE", "TIMED_OUT"]
    """`SUCCESS`, `FAILURE`, `TIMED_OUT` or, while it runs, `IN_PROGRESS`."""
    startedAt: str
    """When the step started."""
    finishedAt: NotRequired[str]
    """When the step ended; absent while it runs."""
    additionalInformation: List[str]
    """Requests, answers and failed checks, one line each; without secrets."""


class RunSummary(TypedDict):
    flowID: str
    """UUID of the run."""
    flowName: str
    """Name of the flow that runs."""
    status: Literal["IN_PROGRESS", "SUCCESS", "FAILURE", "TIMED_OUT"]
    """The worst status of the steps so far, or `IN_PROGRESS` while it runs."""
    startedAt: str
    """When the run started."""
    finishedAt: NotRequired[str]
    """When the run ended; absent while it runs."""
    stepCount: int
    """How many steps began."""
    failedStep: NotRequired[str]
    """Name of the first step that failed; absent when none did."""


class RunSummaryPage(TypedDict):
    data: List[RunSummary]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class SandboxEpos(TypedDict):
    isEnabled: bool
    """False: the EPOS of the sandbox does not connect for this account."""


class SandboxMail(TypedDict):
    id: str
    """UUID of the mail."""
    paymentIntentId: str
    """Id of the payment intent (`pi_…`) that the receipt is about."""
    to: str
    """The receiver’s address."""
    subject: str
    """Subject line of the mail."""
    text: str
    """The receipt as plain text."""
    html: str
    """The same receipt as HTML."""
    createdAt: str
    """When the mail was requested."""


class SandboxMailPage(TypedDict):
    data: List[SandboxMail]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class SavedPaymentMethod(TypedDict):
    id: str
    """Id of the saved card (`pm_…`); pay with it by `paymentMethodId`."""
    cardDetails: SavedPaymentMethodCardDetails
    """What may be displayed of the card."""


class SavedPaymentMethodCardDetails(TypedDict):
    """What may be displayed of the card."""

    pan: str
    """First 8 digits, `****`, last 4."""
    expiryDate: str
    """Last day of the expiry month."""
    scheme: NotRequired[Literal["VISA", "MASTERCARD", "MAESTRO", "DISCOVER", "DCI", "AMEX"]]
    """Scheme of the card; absent when it is not known."""


class ServiceManagedIntegration(TypedDict):
    """Set up by the operator of the service."""

    capabilities: List[EposCapability]
    """What the EPOS can do. Nothing else is called."""
    createdAt: str
    """When it was set up."""


class SessionDetails(TypedDict):
    """Exactly the member of the same theme as `sessionType`."""

    sessionType: Literal["Sale", "MatchedRefund", "UnlinkedRefund"]
    """`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one."""
    sale: NotRequired[SessionDetailsSale]
    """Present for a `Sale`."""
    matchedRefund: NotRequired[SessionDetailsMatchedRefund]
    """Present for a `MatchedRefund`."""
    unlinkedRefund: NotRequired[SessionDetailsUnlinkedRefund]
    """Present for an `UnlinkedRefund`."""


class SessionDetailsMatchedRefund(TypedDict):
    """Present for a `MatchedRefund`."""

    paymentIntentId: str
    """Id of the payment intent (`pi_…`) that is refunded."""
    amount: Money
    """What is returned to the card."""


class SessionDetailsSale(TypedDict):
    """Present for a `Sale`."""

    paymentIntentId: str
    """Id of the payment intent (`pi_…`) that is paid."""


class SessionDetailsUnlinkedRefund(TypedDict):
    """Present for an `UnlinkedRefund`."""

    amount: Money
    """What is returned to the card."""
    cardholderNotPresent: bool
    """True: the card is keyed in without the cardholder."""


class SetupIntent(TypedDict):
    id: str
    """Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production."""
    status: Literal["Created", "Authorized", "Expired", "CardExpired", "Canceled", "Completed", "Closed"]
    """`Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or
    `Closed` given up before or after a card; `Expired` or `CardExpired` too late."""
    merchantInitiatedTransactionType: Literal["NoShow", "Unscheduled"]
    """Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed
    charges."""
    terms: str
    """What the payer agrees to."""
    intendedAmount: NotRequired[Money]
    """The most that may be charged."""
    paymentMethods: List[Literal["Card", "Wallet", "SavedCard"]]
    """How the payer may authorise: `Card`, `Wallet`, `SavedCard`."""
    reference: str
    """The integrator’s own reference, as it was sent."""
    description: NotRequired[str]
    """The integrator’s text, if one was sent."""
    clientSessionSecret: NotRequired[str]
    """While it is unused and unexpired, for a payer and for a key with `setup.write`."""
    clientSessionSecretExpirationDate: str
    """When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it
    is 0001-01-01T00:00:00Z, which means that there is no time."""
    billingAddress: NotRequired[Address]
    """Address of the invoice, as it was sent or the payer entered it."""
    shippingDetails: NotRequired[ShippingDetails]
    """Where goods go, if it was sent."""
    orderDetails: NotRequired[OrderDetails]
    """The order that it belongs to, if it was sent."""
    config: CheckoutConfig
    """What the hosted page displays and requires."""
    merchantConfig: MerchantConfig
    """There are no wallets here."""
    paymentSource: Literal["api", "virtual-terminal", "payment-links", "pay-at-table"]
    """Where the setup intent was created."""
    expireAt: str
    """When a setup intent without a card becomes `Expired`."""
    createdAt: str
    """When the setup intent was created."""
    updatedAt: str
    """When the setup intent was changed last."""
    customer: NotRequired[IntentCustomer]
    """The payer, as far as they are known; absent otherwise."""
    requestSecurity: NotRequired[RequestSecurity]
    """The payer’s device, if it was sent."""
    metadata: Dict[str, Any]
    """Always holds `location-id`."""
    paymentDetails: NotRequired[SetupOutcome]
    """Outcome of the last attempt to authorise the card; absent before the first."""
    setupLink: NotRequired[str]
    """Address of the hosted page on which the payer enters the card; present while it is `Created`."""
    setupEvents: List[PaymentEvent]
    """Steps of all attempts, oldest first; empty until the first."""


class SetupOutcome(TypedDict):
    """How the last attempt to authorise the card came out."""

    transactionId: str
    """UUID of the transaction; the same as `id` in the listing of transactions."""
    acquirerTransactionId: NotRequired[str]
    """How the acquirer names the transaction, where that is no UUID; absent otherwise."""
    transactionDateTime: str
    """When the acquirer decided."""
    message: Literal["DEPOSITED", "AUTHORIZED", "DECLINED", "REFERRED", "REVERSED", "REFUNDED", "FAILED"]
    """Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on."""
    authCode: str
    """Empty when the card was refused."""
    paymentMethodId: NotRequired[str]
    """Id of the saved card (`pm_…`) that was used or saved; absent otherwise."""
    avsResult: NotRequired[Literal["ADDRESS_MATCH_POSTCODE_MATCH", "ADDRESS_MATCH_POSTCODE_MISMATCH", "ADDRESS_MISMATCH_POSTCODE_MATCH", "ADDRESS_MISMATCH_POSTCODE_MISMATCH", "NOT_CHECKED"]]
    """How the billing address compares with the issuer’s; absent when there was no check."""
    card: NotRequired[Card]
    """The card that was tried, with a masked number; absent when it is not known."""


class ShippingDetails(TypedDict):
    name: NotRequired[str]
    """Who receives the goods."""
    deliveryNotes: NotRequired[str]
    """Instructions for the courier."""
    address: NotRequired[Address]
    """Where the goods are sent."""


class SignatureDecision(TypedDict):
    accepted: bool
    """True: the signature is the cardholder’s, and the payment continues. False: the payment is undone."""


class StatusEvent(TypedDict):
    status: Literal["InitiateRequested", "Initiated", "CancelRequested", "SignatureVerificationRequired", "SignatureVerificationAccepted", "SignatureVerificationRejected", "Authorized", "Captured", "Canceled", "Declined", "Expired"]
    """Status that the session reached."""
    createdAt: str
    """When the session reached the status."""
    debugMessage: str
    """Kept for older integrations: always empty text."""


class Subscription(TypedDict):
    id: str
    """Id of the subscription (`ws_…`)."""
    accountId: str
    """Account that the subscription belongs to (`acc_…`)."""
    events: List[Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]]
    """The kinds that are sent to `url`; each belongs to one subscription of the account and environment."""
    url: str
    """Address to which events are posted."""
    description: NotRequired[str]
    """The integrator’s text about the receiver, if one was sent."""
    paused: NotRequired[bool]
    """Only while it is paused."""
    secrets: List[WebhookSecret]
    """All signing secrets, the active one included."""
    secret: WebhookSecret
    """The active one."""
    createdAt: str
    """When the subscription was created."""
    updatedAt: str
    """When the subscription was changed last."""


class SubscriptionChange(TypedDict):
    events: NotRequired[List[Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]]]
    """All of its kinds from now on."""
    url: NotRequired[str]
    """Also for what waits already. An https address of the public internet. A sandbox of a service that
    runs for development also calls http on loopback, such as http://localhost:3000/hooks."""
    description: NotRequired[str]
    """The new text about the receiver."""
    paused: NotRequired[bool]
    """While it is true deliveries are held; afterwards they go out, oldest first."""


class SurplusAmount(TypedDict):
    value: int
    """Whole minor units of the currency (pence, cents): 1250 is 12.50."""
    currencyCode: str
    """ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one
    currency."""


class TableLease(TypedDict):
    leaseId: str
    """UUID of the lease."""
    accountId: str
    """Account of the restaurant (`acc_…`)."""
    sessionId: str
    """Id of the table session at the EPOS."""
    orderId: NotRequired[str]
    """Where the EPOS keeps orders."""
    lockId: NotRequired[str]
    """The id of our lock on the order."""
    owner: str
    """The device."""
    waiterId: NotRequired[int]
    """Number of the waiter; absent when none was entered."""
    acquiredAt: str
    """When the device acquired the lease."""
    expiresAt: str
    """Never reached while money is open."""
    state: Literal["Held", "Lost", "Released", "Forced"]
    """`Held` by the device; `Lost` when the lock at the EPOS was lost; `Released` ended; `Forced` ended by
    an operator."""
    openPayments: int
    """Neither recorded, nor given back, nor ended."""


class TableOperatorCall(TypedDict):
    id: str
    """UUID of the entry."""
    keyId: str
    """Whose key it was; `service` for alarms that the service answered itself."""
    action: Literal["MarkRecorded", "GiveBack", "RetryNow", "MarkNotHeld", "ReleaseLease", "MarkRefunded", "MarkNotRefunded", "ResetMachine", "MoveJourney", "ReplayEposEvents", "StartReconciliation", "AnswerDifference", "AnswerAlarm", "SettleAsListed", "MarkNotTaken"]
    """What the operator ordered."""
    subject: str
    """The id of the payment, terminal session, lease, journey or difference; of a replay and of a
    reconciliation the span."""
    note: str
    """The reason that the operator gave."""
    confirmed: bool
    """Whether the operator confirmed that money was open."""
    outcome: Literal["Done", "Refused"]
    """`Done`, or `Refused` without an effect."""
    refusal: NotRequired[str]
    """Why it was refused."""
    stateBefore: NotRequired[str]
    """State of the subject before the decision; absent when it has none."""
    stateAfter: NotRequired[str]
    """State of the subject after the decision; absent when it has none."""
    createdAt: str
    """When the operator decided."""


class TableOperatorCallPage(TypedDict):
    data: List[TableOperatorCall]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class TaxLine(TypedDict):
    id: NotRequired[str]
    """The integrator’s or EPOS’s id of the tax line."""
    caption: NotRequired[str]
    """Name of the tax on the payment page and the receipt, such as “VAT”."""
    subCaption: NotRequired[str]
    """Second line of the text, such as the rate."""
    affectedPlu: NotRequired[str]
    """Price look-up number of the item that is taxed; absent for a tax on the whole bill."""
    amountTotal: Money
    """The amount of the tax."""


class Terminal(TypedDict):
    id: str
    """Id of the card machine (`tm_…`); sessions name it."""
    properties: TerminalProperties
    """Facts about the machine."""
    status: Literal["Available", "Offline", "InUse"]
    """InUse: a session runs. Offline: no message for 60 seconds. Available: neither."""
    updatedAt: str
    """Since when it has the status."""


class TerminalProperties(TypedDict):
    """Facts about the machine."""

    tid: str
    """Terminal id at the acquirer, 8 digits; printed on receipts."""


class TerminalSession(TypedDict):
    id: str
    """Id of the session: `ts_sandbox_…` in the sandbox, `ts_prod_…` in production."""
    terminalId: str
    """Id of the card machine (`tm_…`)."""
    status: Literal["InitiateRequested", "Initiated", "CancelRequested", "SignatureVerificationRequired", "SignatureVerificationAccepted", "SignatureVerificationRejected", "Authorized", "Captured", "Canceled", "Declined", "Expired"]
    """Where the session is. Final are `Authorized`, `Captured`, `Canceled`, `Expired`, `Declined` and
    `SignatureVerificationRejected`."""
    sessionType: Literal["Sale", "MatchedRefund", "UnlinkedRefund"]
    """Equal to `details.sessionType`."""
    paymentIntentId: NotRequired[str]
    """Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`."""
    createdAt: str
    """When the session was created."""
    updatedAt: str
    """When the last status came."""
    expireAt: str
    """When the current step must have ended: 10 s to confirm, 90 s to pay, 80 s to check a signature."""
    notificationEvents: List[NotificationEvent]
    """What the machine displayed, oldest first."""
    statusEvents: List[StatusEvent]
    """All statuses of the session, oldest first."""
    details: SessionDetails
    """What the session was created for."""
    paymentDetails: NotRequired[TerminalSessionPaymentDetails]
    """The card; absent until the machine reports it."""
    customerReceipt: NotRequired[Receipt]
    """The copy for the cardholder; absent until the session ends."""
    merchantReceipt: NotRequired[Receipt]
    """The copy for the merchant, with a line to sign where that is needed; absent until there is one."""
    receipt: NotRequired[Receipt]
    """The customer copy."""


class TerminalSessionEvent(TypedDict):
    id: str
    """Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it."""
    accountId: str
    """Account in which it happened (`acc_…`)."""
    createdAt: str
    """When it happened."""
    event: Literal["terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification"]
    """The kind of event."""
    data: TerminalSessionEventData
    """The session at the time of the event."""


class TerminalSessionEventData(TypedDict):
    """The session at the time of the event."""

    terminalSessionId: str
    """Id of the session (`ts_…`). Events of one session arrive in their order."""
    state: Literal["InitiateRequested", "Initiated", "CancelRequested", "SignatureVerificationRequired", "SignatureVerificationAccepted", "SignatureVerificationRejected", "Authorized", "Captured", "Canceled", "Declined", "Expired", "Approved", "InsertCard", "EnterPin", "PleaseWait", "PresentCard", "PresentOnlyOneCard", "RemoveCard", "CardUnsupported", "CardError", "ReEnterCard"]
    """The status that was reached; for `terminal_session.notification` what the machine displays."""
    terminalId: str
    """Id of the card machine (`tm_…`)."""
    createdAt: str
    """When the session was created."""
    updatedAt: str
    """When the session reached its last status."""
    expireAt: str
    """When the current step of the session must have ended."""
    sessionType: Literal["Sale", "MatchedRefund", "UnlinkedRefund"]
    """`Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one."""
    paymentIntentId: NotRequired[str]
    """Id of the payment intent (`pi_…`); absent for an `UnlinkedRefund`."""
    paymentDetails: NotRequired[TerminalSessionEventDataPaymentDetails]
    """The card; absent until the machine reports it."""


class TerminalSessionEventDataPaymentDetails(TypedDict):
    """The card; absent until the machine reports it."""

    cardScheme: NotRequired[str]
    """Scheme of the card in capitals."""
    maskedPan: NotRequired[str]
    """Twelve asterisks and the last four digits of the card."""
    authCode: NotRequired[str]
    """Code of the approval; absent without one."""


class TerminalSessionPaymentDetails(TypedDict):
    """The card; absent until the machine reports it."""

    cardScheme: str
    """Scheme of the card in capitals."""
    maskedPan: str
    """Twelve asterisks and the last four digits of the card."""
    authCode: NotRequired[str]
    """Code of the approval; absent without one."""


class TerminalSessionSummary(TypedDict):
    id: str
    """Id of the session (`ts_…`)."""
    status: Literal["InitiateRequested", "Initiated", "CancelRequested", "SignatureVerificationRequired", "SignatureVerificationAccepted", "SignatureVerificationRejected", "Authorized", "Captured", "Canceled", "Declined", "Expired"]
    """Where the session is, as the operation that reads one explains."""
    sessionType: Literal["Sale", "MatchedRefund", "UnlinkedRefund"]
    """What the session was created for."""
    paymentIntentId: NotRequired[str]
    """Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`."""
    amount: Money
    """What is paid or returned, with tip, cashback and service charge."""
    createdAt: str
    """When the session was created."""
    updatedAt: str
    """When the last status came."""


class TerminalSessionSummaryPage(TypedDict):
    data: List[TerminalSessionSummary]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class TestEvent(TypedDict):
    event: Literal["payment_intent.created", "payment_intent.status_updated", "payment_intent.send-receipt", "terminal_session.created", "terminal_session.status_updated", "terminal_session.signature_verification_required", "terminal_session.notification", "payment_intent.amount_captured", "payment_intent.amount_refunded", "payment_intent.charge_failed", "reservation.updated", "party.updated"]
    """The kind of event to send; the subscription must have it."""


class Transaction(TypedDict):
    id: str
    """Of a payment the `transactionId` of its details."""
    legacyId: str
    """Decimal digits, for reports that need a number."""
    paymentIntentId: NotRequired[str]
    """Id of the payment intent (`pi_…`); absent for an unlinked refund."""
    merchantId: NotRequired[str]
    """Number of the merchant at the acquirer; absent when it was not known."""
    reference: NotRequired[str]
    """Reference of the payment intent; absent for an unlinked refund."""
    dateTime: str
    """When the acquirer decided."""
    type: NotRequired[Literal["Sale", "Refund", "PreAuth", "Collection"]]
    """PreAuth: a hold. Collection: a capture of one."""
    status: NotRequired[Literal["Authorized", "Declined", "Held", "UnderReview", "Reversed", "AwaitingCollection", "Released", "Expired"]]
    """A hold is AwaitingCollection until it is fully captured (Authorized), released in part (Released),
    over with nothing captured (Expired) or undone (Reversed)."""
    amount: Money
    """Without tip and cashback."""
    cashbackAmount: Money
    """Cash that was handed to the payer; 0 without any."""
    tipsAmount: Money
    """The tip within the transaction; 0 without one."""
    settledOn: NotRequired[str]
    """The day on which the acquirer settled the capture or refund, by its calendar; absent until a
    settlement file names it."""
    paymentDetails: TransactionPaymentDetails
    """How the money was taken."""


class TransactionPage(TypedDict):
    data: List[Transaction]
    """The elements of this page, newest first; empty when nothing matches."""
    before: Optional[str]
    """Cursor of the newer page; null when there is none. An empty page still has the cursor of the
    previous page."""
    after: Optional[str]
    """Cursor of the older page; null when there is none."""


class TransactionPaymentDetails(TypedDict):
    """How the money was taken."""

    card: NotRequired[TransactionPaymentDetailsCard]
    """The card, masked; absent when there was none."""
    authCode: NotRequired[str]
    """Code with which the issuer approved; absent when it did not."""
    isRemote: bool
    """True unless taken on a card machine."""
    paymentProduct: NotRequired[Literal["TapToPayOnIPhone", "ServicePocket", "Terminal", "OnlineCheckout", "VirtualTerminal", "PaymentLinks", "ServiceBookings", "PayByQr", "Other"]]
    """How the payment was started; absent when it is not known."""
    terminalEntryModeType: NotRequired[Literal["Chip", "ContactLess", "Swipe", "Keyed", "Unknown"]]
    """How the card machine read the card; absent for remote payments."""
    terminalId: NotRequired[str]
    """Id of the card machine (`tm_…`); absent for remote payments."""


class TransactionPaymentDetailsCard(TypedDict):
    """The card, masked; absent when there was none."""

    number: str
    """Asterisks and the last four digits."""
    fundingType: NotRequired[Literal["Credit", "Debit"]]
    """How the card is funded; absent when it is not known or is neither of the two."""
    type: NotRequired[Literal["Visa", "Mastercard", "Maestro", "Discover", "Dci", "Amex"]]
    """Absent if the scheme is not known."""


class TransactionSearch(TypedDict):
    startDate: Optional[str]
    """Inclusive; null = seven days before the end. The span is at most seven days."""
    endDate: Optional[str]
    """Exclusive; null = now."""
    statuses: NotRequired[List[Literal["Authorized", "Declined", "Held", "UnderReview", "Reversed", "AwaitingCollection", "Released", "Expired"]]]
    """All when not sent."""
    cursor: NotRequired[TransactionSearchCursor]
    """Which page."""


class TransactionSearchCursor(TypedDict):
    """Which page."""

    limit: NotRequired[int]
    """How many elements the page has at most."""
    before: NotRequired[str]
    """The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with
    `after`."""
    after: NotRequired[str]
    """The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with
    `before`."""


class UncomparedDay(TypedDict):
    acquirer: str
    """The name of the acquirer."""
    day: str
    """The day of our calls to it, by the calendar of the account’s first location."""
    reason: Literal["WaitingForSettlement", "BooksUnread"]
    """`WaitingForSettlement`: not all of its settlement files have arrived. `BooksUnread`: its books could
    not be read."""
    problem: NotRequired[str]
    """Why the books could not be read."""
    since: str
    """When the comparison was incomplete for the first time."""


class WebhookSecret(TypedDict):
    """Deliveries are signed with the active one."""

    id: str
    """Id of the secret (`sc_…`), not the secret itself."""
    value: str
    """The signing secret. Its UTF-8 bytes are the key of both signatures."""
    standardValue: NotRequired[str]
    """The same secret as libraries of standard-webhooks read it: `whsec_` and its UTF-8 bytes in base64.
    Absent where the value is hidden."""
    createdAt: str
    """When the secret was created."""
    isActive: bool
    """Whether attempts are signed with it. Exactly one secret of a subscription is active."""
    lastUsedAt: NotRequired[str]
    """When an attempt was signed with it last; absent before the first."""


class WebhookSecrets(TypedDict):
    id: str
    """The subscription."""
    secrets: List[WebhookSecret]
    """All signing secrets, the active one included."""


class WsIntegration(TypedDict):
    """The capabilities of the EPOS on the socket that it opens."""

    capabilities: List[EposCapability]
    """What the EPOS can do. Nothing else is called."""
    createdAt: str
    """When it was registered."""


WebhookEvent: TypeAlias = Union[PaymentIntentEvent, TerminalSessionEvent, PaymentAmountEvent, PaymentChargeEvent, BookingEvent]
"""Any webhook; `event` distinguishes them."""
