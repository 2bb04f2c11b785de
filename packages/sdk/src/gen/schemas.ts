// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

export type ActionLink = {
  /** Absolute address that the link opens. */
  readonly url: string;
  /** Text of the link for the payer. */
  readonly label: string;
  /** Name of the saved file when `action` is `DownloadFile`. */
  readonly fileName?: string | undefined;
  /** `OpenLink` opens the address; `DownloadFile` saves what it returns. */
  readonly action: "OpenLink" | "DownloadFile";
};

export type Address = {
  /** First line: house number and street. */
  readonly address1?: string | undefined;
  /** Second line, such as a flat or a building. */
  readonly address2?: string | undefined;
  /** Third line, where two are not enough. */
  readonly address3?: string | undefined;
  /** Fourth line, where three are not enough. */
  readonly address4?: string | undefined;
  /** Town or city. */
  readonly city?: string | undefined;
  /** State or province, where the country has them. */
  readonly state?: string | undefined;
  /** Village or district within the city. */
  readonly locality?: string | undefined;
  /** County, where addresses of the country name one. */
  readonly county?: string | undefined;
  /** Postal code as it is written in the country. Address checks of the issuer compare it. */
  readonly postcode?: string | undefined;
  /** ISO 3166-1 alpha-2 code of the country, such as `GB`; read in any case, written in capitals. */
  readonly countryCode: string;
};

export type Alarm = {
  /** UUID of the alarm. */
  readonly alarmId: string;
  /** What is wrong; the page about pending payments and alarms explains each kind. */
  readonly kind: "AcquirerCallOpen" | "AcquirerAccessRefused" | "AcquirerAnswerContradicted" | "MoneyNotReturned" | "AuthorisationUntraceable" | "MachineApprovalNotBooked" | "MachineApprovalDiffers" | "MachineApprovalIncomplete" | "MachineApprovalUnreadable" | "MachineContradictsApproval" | "MachineReportsMissing" | "RefundToOtherCard" | "RecordNotProved" | "SettlementOverdue" | "AcquirerBooksUnread";
  /** The reference or id that the alarm is about. */
  readonly subject: string;
  /** What happened, and what to check. */
  readonly message: string;
  /** Facts of this kind of alarm; amounts are minor units. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  /** When the alarm was raised. */
  readonly createdAt: string;
  /** `Unanswered` until an operator has answered it, or the service because its cause has ended. */
  readonly state: "Unanswered" | "Answered";
  /** What the operator said, with whose key, and when. */
  readonly answer?: {
    /** What the operator has checked and done, or what has ended. */
    readonly note: string;
    /** Id of the API key (`key_…`) that answered; `service` if the cause ended and the service answered itself. */
    readonly keyId: string;
    /** When it was answered. */
    readonly answeredAt: string;
  } | undefined;
};

export type AlarmAnswer = {
  /** What was checked; kept in the audit log. */
  readonly note: string;
};

export type AlarmPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (Alarm)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type ApiKey = {
  /** Id of the record (`key_…`), not the key itself. */
  readonly id: string;
  /** Account that the key belongs to (`acc_…`). */
  readonly accountId: string;
  /** Environment that every request with the key reaches. */
  readonly environment: "sandbox" | "production";
  /** The name that people gave it. */
  readonly label: string;
  /** What the key may do. A role is stored as the list it had when the key was created. */
  readonly permissions: readonly ("payments.read" | "payments.write" | "payments.online" | "payments.capture" | "payments.refund" | "payments.charge" | "setup.read" | "setup.write" | "setup.card" | "customers.read" | "customers.write" | "webhooks.read" | "webhooks.write" | "terminals.read" | "terminals.sessions" | "transactions.read" | "epos.read" | "epos.write" | "epos.connect" | "tables.use" | "tables.operate" | "machines.connect" | "tester.run" | "activities.read" | "bookings.read" | "bookings.write" | "branding.read" | "branding.write")[];
  /** True: requests that move money are refused with 400 if they have a member that the service does not know. False: the header `warnings` of the answer names it. Keys of before this setting have false. */
  readonly strict: boolean;
  /** The first characters of its text, which name the environment. */
  readonly prefix: string;
  /** The last four characters of its text, to distinguish keys. */
  readonly last4: string;
  /** When the key was created. */
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt?: string | undefined;
};

export type ApiKeyChange = {
  /** Whether requests of the key that move money are refused if they have an unknown member. False: the header `warnings` of the answer names it. */
  readonly strict: boolean;
};

export type BookingEvent = {
  /** Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it. */
  readonly id: string;
  /** Account in which it happened (`acc_…`). */
  readonly accountId: string;
  /** When it happened. */
  readonly createdAt: string;
  /** The kind of event. */
  readonly event: "reservation.updated" | "party.updated";
  /** What was created, changed or deleted. Read it again; one that is not found any more was deleted. */
  readonly data: {
    /** Id of the reservation at the EPOS; with `reservation.updated` only. */
    readonly reservationId?: string | undefined;
    /** Id of the party at the EPOS; with `party.updated` only. */
    readonly partyId?: string | undefined;
  };
};

export type Branding = {
  /** The https address of the logo; null: none. */
  readonly logoUrl: string | null;
  /** The https address of the icon of the browser tab; null: none. */
  readonly faviconUrl: string | null;
  /** The colour of the button, `#0b57d0`; null: that of the service. */
  readonly accentColor: string | null;
  /** The kind of letters; null: the font of the system. */
  readonly font: "sans" | "humanist" | "geometric" | "rounded" | "serif" | null;
  /** Read-only: the colours that the page derives from `accentColor`; null without one. */
  readonly colors: BrandingColors | null;
};

/** A member that is not sent stays as it is. In production null removes it; in a sandbox null restores the value of production. */
export type BrandingChange = {
  /** The https address of the logo; null: none. */
  readonly logoUrl?: string | null | undefined;
  /** The https address of the icon of the browser tab; null: none. */
  readonly faviconUrl?: string | null | undefined;
  /** The colour of the button, `#0b57d0`; null: that of the service. */
  readonly accentColor?: string | null | undefined;
  /** The kind of letters; null: the font of the system. */
  readonly font?: "sans" | "humanist" | "geometric" | "rounded" | "serif" | null | undefined;
};

export type BrandingColors = {
  /** The button: black or white on `accentColor`. */
  readonly button: ColorPair;
  /** Links and outlines on light pages: `accentColor`, darkened until it can be read. */
  readonly lightLink: ColorPair;
  /** Links and outlines on dark pages: `accentColor`, lightened until it can be read. */
  readonly darkLink: ColorPair;
};

export type Capture = {
  /** Id of the capture (`cp_…`). */
  readonly id: string;
  /** Captured minor units without the tip, in the currency of the payment. */
  readonly amount: number;
  /** Captured tip in minor units, on top of `amount`; 0 without one. */
  readonly tipsAmount: number;
  /** `Created` until the acquirer answers; then `Successful`, `Declined` or `Failed`. Only successful captures moved money. */
  readonly status: "Created" | "Successful" | "Declined" | "Failed";
  /** When the capture was requested. */
  readonly createdAt: string;
};

export type CaptureResult = {
  /** Id of the capture (`cp_…`); also in `captures` of the intent. */
  readonly captureId: string;
  /** Always `DEPOSITED`: the acquirer has accepted the capture. */
  readonly message: "DEPOSITED";
};

export type Card = {
  /** First 8 digits, `****`, last 4. Asterisks replace digits that are not known, or that must not be displayed because the number may have fewer than 16. Empty when the card machine or the acquirer sent no readable mask. */
  readonly cardNumber: string;
  /** Empty when they were not sent in a readable form. */
  readonly last4PAN: string;
  /** Name on the card, as the payer entered it or the machine read it; absent when it is not known. */
  readonly cardName?: string | undefined;
  /** Last day of the expiry month. */
  readonly expiryDate?: string | undefined;
  /** Scheme of the card in capitals, such as `VISA`; `UNKNOWN` when its label is not known. */
  readonly cardType: string;
  /** How the card is funded, as the acquirer reports it; `Unknown` when it does not. */
  readonly cardFundingType: "Unknown" | "Debit" | "Credit" | "Charge" | "Prepaid";
  /** How the card was read, as the machine reports it; `Unknown` for payments online. */
  readonly entryMode: "Contactless" | "ContactChip" | "Magstripe" | "ManualEntry" | "Unknown";
  /** How the cardholder proved their identity at the machine; `None` online. */
  readonly verificationMethod: "Pin" | "Signature" | "Device" | "None";
};

export type ChargeResult = {
  /** Id of the payment intent (`pi_…`) that was charged. */
  readonly paymentIntentId: string;
  /** How the charge has ended. `Created` is not sent any more: an outcome that is not known yet is the answer 504. */
  readonly status: "Successful" | "Declined" | "Failed" | "Created";
  /** Outcome in the words of `paymentDetails.message`, such as `DEPOSITED` or `DECLINED`. */
  readonly message: string;
};

export type CheckoutConfig = {
  /** Heading of the payment page, if one was sent. */
  readonly title?: string | undefined;
  /** Where the page sends the payer after the payment, if an address was sent. */
  readonly redirectUrl?: string | undefined;
  /** Where the page sends a payer who leaves without paying, if an address was sent. */
  readonly cancelUrl?: string | undefined;
  /** Whether the page asks for an e-mail address. */
  readonly customerEmail: {
    /** Whether the payer must enter it to pay. */
    readonly collectionRequired: boolean;
  };
  /** Whether the page asks for the billing address. */
  readonly billingAddress: {
    /** Whether the payer must enter it to pay. */
    readonly collectionRequired: boolean;
  };
  /** Whether the page asks for a delivery address. */
  readonly shippingDetails: {
    /** Whether the payer must enter it to pay. */
    readonly collectionRequired: boolean;
  };
  /** What the page displays about the payment. */
  readonly details: {
    /** Whether the page displays the total. */
    readonly showTotal: boolean;
    /** Whether the page displays `reference`. */
    readonly showReference: boolean;
  };
  /** Which amounts may change before the payment. */
  readonly payment: {
    /** Whether the amount can be changed before the payment. */
    readonly customAmountAllowed: boolean;
    /** Whether the tip can be changed. */
    readonly tipsAllowed: boolean;
    /** Whether the amount can be raised while the payment is held. */
    readonly holdRaiseAllowed: boolean;
  };
  /** The look of the merchant’s pages, from the settings of the account. */
  readonly branding: {
    /** Address of the logo; absent when the account has none. */
    readonly logoUrl?: string | undefined;
    /** Address of the small icon of the browser tab; absent when the account has none. */
    readonly faviconUrl?: string | undefined;
    /** The colour of the button, `#0b57d0`. */
    readonly accentColor?: string | undefined;
    /** The kind of letters of the page; the font of the system when absent. */
    readonly font?: "sans" | "humanist" | "geometric" | "rounded" | "serif" | undefined;
  };
  /** Name of the merchant as payers know it, from the settings of the account. */
  readonly tradingName: string;
};

export type Clock = {
  /** The time of this account after the advance. */
  readonly now: string;
};

export type ClockAdvance = {
  /** How far to move, as `hh:mm:ss` or `d.hh:mm:ss`; more than zero and at most 366 days. */
  readonly by: string;
};

export type ColorPair = {
  /** The colour below the text. */
  readonly background: string;
  /** The colour of the text. */
  readonly text: string;
  /** The contrast of the two as WCAG 2.2 defines it, rounded down to two decimals; at least 4.5. */
  readonly contrast: number;
};

export type Customer = {
  /** Id of the customer: `cust_sandbox_…` in the sandbox, `cust_…` in production. */
  readonly id: string;
  /** Name of the person or company, if it is known. */
  readonly name?: string | undefined;
  /** E-mail address, if it is known. */
  readonly emailAddress?: string | undefined;
  /** Phone number, if it is known. */
  readonly phoneNumber?: string | undefined;
  /** VAT number, if it is known. */
  readonly vatNumber?: string | undefined;
  /** Address of invoices, if it is known. */
  readonly billingAddress?: Address | undefined;
  /** Address of deliveries, if it is known. */
  readonly shippingAddress?: Address | undefined;
  /** When the customer was created. */
  readonly createdAt: string;
  /** When the customer was changed last. */
  readonly updatedAt: string;
  /** 0 at creation, one more with each change. */
  readonly documentVersion: number;
};

/** A member that is not sent stays as it is; null removes it. An address is replaced as a whole. */
export type CustomerChange = {
  /** The new name; null removes it. */
  readonly name?: string | null | undefined;
  /** The new e-mail address; null removes it. */
  readonly emailAddress?: string | null | undefined;
  /** The new phone number; null removes it. */
  readonly phoneNumber?: string | null | undefined;
  /** The new VAT number; null removes it. */
  readonly vatNumber?: string | null | undefined;
  /** The new address of invoices, as a whole; null removes it. */
  readonly billingAddress?: Address | null | undefined;
  /** The new address of deliveries, as a whole; null removes it. */
  readonly shippingAddress?: Address | null | undefined;
};

export type CustomerPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (Customer)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type CustomerSearch = {
  /** How many elements the page has at most. */
  readonly limit?: number | undefined;
  /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
  readonly before?: string | undefined;
  /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
  readonly after?: string | undefined;
  /** Only customers whose name begins with this text, ignoring case. */
  readonly name?: string | undefined;
  /** Only customers whose e-mail address begins with this text, ignoring case. Cannot be sent with `name`. */
  readonly emailAddress?: string | undefined;
};

export type CustomerSecret = {
  /** For the app of this customer; usable repeatedly until it expires. */
  readonly secret: string;
  /** When the secret was created. */
  readonly createdAt: string;
  /** 15 minutes later. */
  readonly expireAt: string;
};

export type Delivery = {
  /** Id of the delivery (`dlv_…`), also in the header `delivery-id`. */
  readonly id: string;
  /** Id of the event (`evt_…`) that is delivered. */
  readonly eventId: string;
  /** The kind of event. */
  readonly event: "payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated";
  /** `Held` while the subscription is paused; `DeadLettered` after the last attempt. */
  readonly state: "Pending" | "Held" | "Delivered" | "DeadLettered";
  /** The number of attempts so far; a replay starts at 0. */
  readonly attempts: number;
  /** When the next attempt is due; absent when there is none. */
  readonly nextAttemptAt?: string | undefined;
  /** HTTP status of the last attempt that was answered. */
  readonly lastStatus?: number | undefined;
  /** Why the last attempt failed; absent after a success and before the first attempt. */
  readonly lastError?: string | undefined;
  /** When the delivery was queued. */
  readonly createdAt: string;
  /** When the delivery changed last. */
  readonly updatedAt: string;
};

/** One attempt to deliver an event. */
export type DeliveryAttempt = {
  /** Number of the attempt in its series, from 1; a replay starts a new series. */
  readonly number: number;
  /** When the attempt began. */
  readonly at: string;
  /** Refused: answered with a status below 500 that is no success. Failed: not answered, or 5xx. */
  readonly outcome: "Succeeded" | "Refused" | "Failed";
  /** HTTP status of the answer; absent where there was none. */
  readonly status?: number | undefined;
  /** Why the attempt failed; absent after a success. */
  readonly error?: string | undefined;
  /** How long the attempt took, in milliseconds. */
  readonly tookMs: number;
  /** The trace of the attempt: 32 hex digits. */
  readonly traceId: string;
  /** The first 200 characters of the answer of the receiver; absent for an empty answer, and for one that looks like a secret or a card number. */
  readonly answer?: string | undefined;
};

export type DeliveryDetails = {
  /** Id of the delivery (`dlv_…`), also in the header `delivery-id`. */
  readonly id: string;
  /** Id of the event (`evt_…`) that is delivered. */
  readonly eventId: string;
  /** The kind of event. */
  readonly event: "payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated";
  /** `Held` while the subscription is paused; `DeadLettered` after the last attempt. */
  readonly state: "Pending" | "Held" | "Delivered" | "DeadLettered";
  /** The number of attempts so far; a replay starts at 0. */
  readonly attempts: number;
  /** When the next attempt is due; absent when there is none. */
  readonly nextAttemptAt?: string | undefined;
  /** HTTP status of the last attempt that was answered. */
  readonly lastStatus?: number | undefined;
  /** Why the last attempt failed; absent after a success and before the first attempt. */
  readonly lastError?: string | undefined;
  /** When the delivery was queued. */
  readonly createdAt: string;
  /** When the delivery changed last. */
  readonly updatedAt: string;
  /** The body of every attempt. It is sent as compact JSON. */
  readonly body: PaymentIntentEvent | PaymentAmountEvent | PaymentChargeEvent | TerminalSessionEvent | BookingEvent;
  /** The attempts, newest first, 100 at most. Attempts are kept for the time that the operator has set, so there may be fewer than `attempts`. */
  readonly history: readonly (DeliveryAttempt)[];
};

export type DeliveryLink = {
  /** The path of the page. Append it to the address of the portal. Everybody who has it can read the page. */
  readonly path: string;
  /** When the link ends, by real time also in a sandbox. */
  readonly expiresAt: string;
};

export type DeliveryPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (Delivery)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type DifferenceAnswer = {
  /** Why; kept in the audit log. */
  readonly note: string;
};

export type DiningArea = {
  /** Id of the area at the EPOS. */
  readonly id: string;
  /** Name of the area, as staff know it. */
  readonly name: string;
  /** Ids of the waiters who serve the area. */
  readonly waiterIds?: readonly (string)[] | undefined;
};

export type DiningTable = {
  /** Id of the table at the EPOS; bookings and orders name their tables by it. */
  readonly id: string;
  /** Name of the table, unique in its area. */
  readonly name: string;
  /** How many people the table has room for. */
  readonly maxCovers?: number | undefined;
  /** Id of the area where the table is. */
  readonly areaId?: string | undefined;
  /** Ids of the waiters who serve the table. */
  readonly waiterIds?: readonly (string)[] | undefined;
};

export type DiningTablePage = {
  /** The elements of this page, in the order of the EPOS. */
  readonly data: readonly (DiningTable)[];
  /** Cursor of the previous page; null when there is none. */
  readonly before: string | null;
  /** Cursor of the next page; null when there is none. */
  readonly after: string | null;
  /** How many elements of the page were left out because they cannot be read; absent when all can. */
  readonly unreadableCount?: number | undefined;
};

/** The password is never returned. */
export type EposAuth = {
  /** Always `basic`: HTTP Basic authentication. */
  readonly authType: "basic";
  /** The credentials, without the password. */
  readonly basic: {
    /** User name that the service sends to the EPOS. */
    readonly username: string;
  };
};

export type EposCallRecord = {
  /** Id of the entry; its form has no meaning. */
  readonly id: string;
  /** The call. */
  readonly name: string;
  /** When it began. */
  readonly at: string;
  /** How the call ended: done, refused by the EPOS, or failed. */
  readonly outcome: "Succeeded" | "Refused" | "Failed";
  /** How long it took, in milliseconds. */
  readonly tookMs: number;
  /** The trace of the request that caused the call: 32 hex digits. */
  readonly traceId: string;
  /** How the EPOS was called; absent when there was no route. */
  readonly transport?: string | undefined;
  /** The HTTP status of the answer, where there is one. */
  readonly status?: number | undefined;
  /** The code of the refusal, or why it failed. */
  readonly reason?: string | undefined;
  /** The session at a table or the order that it is about. */
  readonly subjectId?: string | undefined;
  /** The members of the answer that could not be read; absent when all could. */
  readonly unreadableMembers?: readonly (EposUnreadableMember)[] | undefined;
};

/** Name and version as they were sent. */
export type EposCapability = {
  /** Name of the capability as it was registered. */
  readonly name: "ListAreas" | "SearchTables" | "CreateOrder" | "GetOrderById" | "CancelOrderById" | "SearchOrders" | "CreateOrderLock" | "ExtendOrderLock" | "DeleteOrderLock" | "GetOrderBillById" | "RecordOrderPaymentById" | "CreateParty" | "GetPartyById" | "UpdateParty" | "DeletePartyById" | "SearchParties" | "CreateReservation" | "GetReservationById" | "UpdateReservation" | "DeleteReservationById" | "SearchReservations" | "HandleEvent:payment_intent.created" | "HandleEvent:payment_intent.status_updated" | "GetOrderBill" | "RecordOrderPayment" | "UpdatePartyById" | "UpdateReservationById";
  /** Version as it was registered; both spellings mean the same. */
  readonly version: "v1" | "1.0.0";
  /** When the capability was registered. */
  readonly updatedAt: string;
};

export type EposConnection = {
  /** `stream`: the gRPC stream of the pay-at-table contract. `socket`: its WebSocket. `dataSocket`: the WebSocket of the EPOS Data API. */
  readonly transport: "stream" | "socket" | "dataSocket";
  /** When the EPOS opened the connection. */
  readonly openedAt: string;
  /** When the EPOS last sent something on it. */
  readonly seenAt: string;
};

export type EposCustomer = {
  /** Id of the customer; its form has no meaning. */
  readonly id?: string | undefined;
  /** E-mail address of the customer. */
  readonly emailAddress?: string | undefined;
  /** Phone number of the customer. */
  readonly phoneNumber?: string | undefined;
  /** Name of the customer. */
  readonly name?: string | undefined;
};

export type EposDiscount = {
  /** Text of the discount on the bill. */
  readonly name: string;
  /** The amount of the whole discount. */
  readonly amountTotal: EposMoney;
  /** Two decimals are implied: 25.1 % is 2510. */
  readonly amountPercentage?: number | undefined;
  /** Empty: the whole order. */
  readonly affectedPlu?: readonly (string)[] | undefined;
  /** Reference of the discount at the EPOS. */
  readonly discountReference?: string | undefined;
  /** The code that the customer entered for the discount. */
  readonly code?: string | undefined;
};

export type EposEvent = {
  /** What has changed at the EPOS; decides which id `event` has. */
  readonly eventType: "OrderUpdated";
  /** The id of what has changed. */
  readonly event: {
    /** Id of the order at the EPOS. */
    readonly orderId: string;
    /** Id of the party at the EPOS. */
    readonly partyId?: never | undefined;
    /** Id of the reservation at the EPOS. */
    readonly reservationId?: never | undefined;
  };
} | {
  /** What has changed at the EPOS; decides which id `event` has. */
  readonly eventType: "PartyUpdated";
  /** The id of what has changed. */
  readonly event: {
    /** Id of the party at the EPOS. */
    readonly partyId: string;
    /** Id of the order at the EPOS. */
    readonly orderId?: never | undefined;
    /** Id of the reservation at the EPOS. */
    readonly reservationId?: never | undefined;
  };
} | {
  /** What has changed at the EPOS; decides which id `event` has. */
  readonly eventType: "ReservationUpdated";
  /** The id of what has changed. */
  readonly event: {
    /** Id of the reservation at the EPOS. */
    readonly reservationId: string;
    /** Id of the order at the EPOS. */
    readonly orderId?: never | undefined;
    /** Id of the party at the EPOS. */
    readonly partyId?: never | undefined;
  };
};

export type EposEventReplay = {
  /** Inclusive, by `createdAt` of the event. */
  readonly from?: string | undefined;
  /** Exclusive; now when not sent. */
  readonly to?: string | undefined;
  /** The reason; stored in the audit log. */
  readonly note: string;
};

export type EposIntegrations = {
  /** The EPOS that is called over REST: one element, or none. */
  readonly restIntegrations: readonly (RestIntegration)[];
  /** The EPOS that opens a WebSocket: one element, or none. */
  readonly wsIntegrations: readonly (WsIntegration)[];
  /** What the operator of the service has set up: one element, or none. */
  readonly serviceManagedIntegrations: readonly (ServiceManagedIntegration)[];
  /** The EPOS that is called over gRPC: one element, or none. */
  readonly grpcIntegrations: readonly (GrpcIntegration)[];
};

export type EposItem = {
  /** Text of the item on the bill. */
  readonly name: string;
  /** How many of the item were ordered. */
  readonly quantity: number;
  /** Price look-up number: the item in the catalogue of the EPOS. */
  readonly plu: string;
  /** Before modifiers, sub-items and discounts. */
  readonly amountPerItem: EposMoney;
  /** Instructions for the kitchen. */
  readonly note?: string | undefined;
  /** Changes to the item that have a price of their own. */
  readonly modifiers?: readonly (EposModifier)[] | undefined;
  /** Items that belong to this one, such as the courses of a menu. They have no sub-items of their own. */
  readonly subItems?: readonly ({
    /** Text of the item on the bill. */
    readonly name: string;
    /** How many of the item were ordered. */
    readonly quantity: number;
    /** Price look-up number: the item in the catalogue of the EPOS. */
    readonly plu: string;
    /** Before modifiers, sub-items and discounts. */
    readonly amountPerItem: EposMoney;
    /** Instructions for the kitchen. */
    readonly note?: string | undefined;
    /** Changes to the item that have a price of their own. */
    readonly modifiers?: readonly (EposModifier)[] | undefined;
  })[] | undefined;
};

/** The quantity is that of a single item. The service writes its price as `amountPerItem` and, with the same value, as `amountPerModifier`; it reads either. */
export type EposModifier = {
  /** Text of the modifier on the bill. */
  readonly name: string;
  /** How many of the modifier one item has. */
  readonly quantity: number;
  /** Price look-up number of the modifier at the EPOS. */
  readonly plu: string;
  /** Price of one modifier; negative for a discount. */
  readonly amountPerItem: EposMoney;
};

export type EposMoney = {
  /** Whole minor units. */
  readonly value: number;
  /** ISO 4217 code, such as `GBP` or `EUR`. */
  readonly currencyCode: string;
};

export type EposOrderDetails = {
  /** `DineIn` is served at a table, `Collection` is collected. */
  readonly orderType: "DineIn" | "Collection";
  /** Present for `DineIn`: where the order is served. */
  readonly dineIn?: {
    /** Id of the table at the EPOS. */
    readonly tableId?: string | undefined;
    /** Id of the waiter, as it is typed. */
    readonly waiterId?: string | undefined;
    /** Id of the party at the EPOS. */
    readonly partyId?: string | undefined;
    /** Id of the reservation at the EPOS. */
    readonly reservationId?: string | undefined;
    /** When the order is wanted at the table. */
    readonly readyAt?: string | undefined;
  } | undefined;
  /** Present for `Collection`: when the order is collected. */
  readonly collection?: {
    /** True: as soon as possible. Otherwise `collectAt` counts. */
    readonly asap?: boolean | undefined;
    /** When the customer collects the order. */
    readonly collectAt?: string | undefined;
  } | undefined;
};

export type EposTaxLine = {
  /** The amount of the tax. */
  readonly amountTotal: EposMoney;
  /** Id of the tax at the EPOS. */
  readonly id?: string | undefined;
  /** Name of the tax on the bill, such as “VAT”. */
  readonly name?: string | undefined;
  /** Two decimals are implied: 25.1 % is 2510. */
  readonly amountPercentage?: number | undefined;
  /** Price look-up numbers of the taxed items; empty or absent for the whole order. */
  readonly affectedPlu?: readonly (string)[] | undefined;
};

export type EposUnreadableMember = {
  /** The id of the order, session or table, or its place in the list, such as `[3]`. */
  readonly element: string;
  /** The member, such as `items[0].quantity`; empty for the whole element. */
  readonly member: string;
  /** The clause of the contract that it breaks, as the EPOS tester names it. */
  readonly clause: string;
  /** Why the member cannot be read. */
  readonly problem: string;
  /** True: the element cannot be shown or paid because of it. */
  readonly skipped: boolean;
};

export type ErrorGroups = {
  /** The groups, largest first. */
  readonly data: readonly ({
    /** The operation. */
    readonly name: string;
    /** The HTTP status of the answers. */
    readonly status?: number | undefined;
    /** The code of the refusal. */
    readonly reason?: string | undefined;
    /** How many requests of the period are in the group. */
    readonly count: number;
    /** When the newest of them began. */
    readonly lastAt: string;
    /** The trace of the newest of them. */
    readonly lastTraceId: string;
  })[];
  /** False: only the newest 50,000 errors of the period are counted, or only the 100 largest groups are listed. */
  readonly isComplete: boolean;
};

export type EventModel = {
  /** What the events are about. */
  readonly model: "PaymentIntent" | "TerminalSession" | "Booking";
  /** The kinds that a subscription may name. */
  readonly events: readonly ("payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated")[];
};

/** An EPOS that serves the pay-at-table contract over gRPC. */
export type GrpcIntegration = {
  /** Address at which the EPOS serves gRPC, as `https://host:port`. */
  readonly url: string;
  /** How the service authenticates itself at the EPOS. */
  readonly auth: EposAuth;
  /** When it was registered. */
  readonly createdAt: string;
};

export type Health = {
  /** Always `ok`; a process that is not ready answers a problem instead. */
  readonly status: "ok";
  /** The release of the service that answers. */
  readonly release: string;
};

/** `customerId` and `id` are equal. */
export type IntentCustomer = {
  /** Id of the stored customer (`cust_…`); absent when the intent names none. */
  readonly customerId?: string | undefined;
  /** Equal to `customerId`. */
  readonly id?: string | undefined;
  /** E-mail address of the payer. */
  readonly emailAddress?: string | undefined;
  /** Phone number of the payer. */
  readonly phoneNumber?: string | undefined;
};

export type ItemLine = {
  /** The integrator’s or EPOS’s id of the line. */
  readonly id?: string | undefined;
  /** Text of the line on the payment page and the receipt. Requests may send it as `name`. */
  readonly caption?: string | undefined;
  /** Group of the item, such as “drinks”. */
  readonly category?: string | undefined;
  /** Price look-up number: the item in the catalogue of the EPOS. */
  readonly plu?: string | undefined;
  /** Equal to `caption`. */
  readonly name?: string | undefined;
  /** How many of the item the line has; 1 unless another number was sent. */
  readonly quantity: number;
  /** Before discounts and taxes, without modifiers. */
  readonly amountTotal: Money;
  /** Changes to the item that have a price of their own; empty when there are none. */
  readonly modifiers: readonly (Modifier)[];
};

export type LeaseRelease = {
  /** Stored in the audit log. */
  readonly reason: string;
  /** True: end the lease although money is open. 409 without it. */
  readonly confirm?: boolean | undefined;
};

export type MachineReset = {
  /** Why; kept in the audit log. */
  readonly note: string;
};

export type MadeApiKey = {
  /** Id of the record (`key_…`), not the key itself. */
  readonly id: string;
  /** Account that the key belongs to (`acc_…`). */
  readonly accountId: string;
  /** Environment that every request with the key reaches. */
  readonly environment: "sandbox" | "production";
  /** The name that people gave it. */
  readonly label: string;
  /** What the key may do. A role is stored as the list it had when the key was created. */
  readonly permissions: readonly ("payments.read" | "payments.write" | "payments.online" | "payments.capture" | "payments.refund" | "payments.charge" | "setup.read" | "setup.write" | "setup.card" | "customers.read" | "customers.write" | "webhooks.read" | "webhooks.write" | "terminals.read" | "terminals.sessions" | "transactions.read" | "epos.read" | "epos.write" | "epos.connect" | "tables.use" | "tables.operate" | "machines.connect" | "tester.run" | "activities.read" | "bookings.read" | "bookings.write" | "branding.read" | "branding.write")[];
  /** True: requests that move money are refused with 400 if they have a member that the service does not know. False: the header `warnings` of the answer names it. Keys of before this setting have false. */
  readonly strict: boolean;
  /** The first characters of its text, which name the environment. */
  readonly prefix: string;
  /** The last four characters of its text, to distinguish keys. */
  readonly last4: string;
  /** When the key was created. */
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt?: string | undefined;
  /** The text of the key. Only this answer contains it: a repeated request does not return it again. */
  readonly key?: string | undefined;
};

export type MerchantConfig = {
  /** What the account accepts, by its settings. */
  readonly supportedPaymentMethods: {
    /** Card schemes that the account accepts. */
    readonly cardSchemes: readonly ("VISA" | "MASTERCARD" | "MAESTRO" | "DISCOVER" | "DCI" | "AMEX")[];
    /** Wallets that the account accepts; empty when it accepts none. */
    readonly wallets: readonly ("APPLE_PAY" | "GOOGLE_PAY")[];
  };
};

/** Counts per single item of its line; a negative amount is a discount. */
export type Modifier = {
  /** The integrator’s or EPOS’s id of the modifier. */
  readonly id: string;
  /** Text of the modifier on the bill, such as “extra cheese”. */
  readonly name: string;
  /** How many of the modifier one item has. The line has this number times its own quantity. */
  readonly quantity: number;
  /** Price of one modifier; negative for a discount. */
  readonly amountPerModifier: Money;
};

export type Money = {
  /** Whole minor units (pence, cents). */
  readonly value: number;
  /** ISO 4217. */
  readonly currencyCode: string;
};

export type NewActionLink = {
  /** Absolute address that the link opens. */
  readonly url: string;
  /** Text of the link for the payer. */
  readonly label: string;
  /** Name of the saved file when `action` is `DownloadFile`. */
  readonly fileName?: string | undefined;
  /** `OpenLink` opens the address; `DownloadFile` saves what it returns. `OpenLink` when not sent. */
  readonly action?: "OpenLink" | "DownloadFile" | undefined;
};

export type NewAmount = {
  /** The new price, in the currency of the payment. At least 1. */
  readonly amount: PayableAmount;
  /** Replace the old ones when sent. */
  readonly itemLines?: readonly (NewItemLine)[] | undefined;
  /** Replace the old ones when sent. */
  readonly taxLines?: readonly (NewTaxLine)[] | undefined;
};

export type NewApiKey = {
  /** A name by which people recognise the key, such as the machine that uses it. */
  readonly label: string;
  /** What the key may do. Exactly one of `permissions` and `role` must be sent. */
  readonly permissions?: readonly ("payments.read" | "payments.write" | "payments.online" | "payments.capture" | "payments.refund" | "payments.charge" | "setup.read" | "setup.write" | "setup.card" | "customers.read" | "customers.write" | "webhooks.read" | "webhooks.write" | "terminals.read" | "terminals.sessions" | "transactions.read" | "epos.read" | "epos.write" | "epos.connect" | "tables.use" | "tables.operate" | "machines.connect" | "tester.run" | "activities.read" | "bookings.read" | "bookings.write" | "branding.read" | "branding.write")[] | undefined;
  /** Whether requests that move money are refused if they have an unknown member, such as a misspelt `captureMode`. True when not sent. */
  readonly strict?: boolean | undefined;
  /** Instead of `permissions`: the list the role has today. */
  readonly role?: "full" | "read-only" | "terminal-only" | "webhooks-only" | "epos-only" | "gateway" | "machines-only" | "pci" | undefined;
};

export type NewCapture = {
  /** Minor units in the currency of the payment. */
  readonly amount: number;
  /** Minor units, taken on top of the amount. */
  readonly tipsAmount?: number | undefined;
};

/** What the hosted page displays and requires. */
export type NewCheckoutConfig = {
  /** Heading of the payment page and title of its tab; the page has words of its own when not sent. */
  readonly title?: string | undefined;
  /** Where the page sends the payer after the payment, with `id` of the intent in the query. Without it the page displays the result. */
  readonly redirectUrl?: string | undefined;
  /** Where the page sends a payer who leaves without paying, with `id` of the intent in the query. The intent stays unchanged. */
  readonly cancelUrl?: string | undefined;
  /** Whether the page asks for an e-mail address. */
  readonly customerEmail?: {
    /** True: the payer must enter an e-mail address to pay. */
    readonly collectionRequired?: boolean | undefined;
  } | undefined;
  /** Whether the page asks for the billing address. */
  readonly billingAddress?: {
    /** True: the payer must enter a billing address to pay. */
    readonly collectionRequired?: boolean | undefined;
  } | undefined;
  /** Whether the page asks for a delivery address. */
  readonly shippingDetails?: {
    /** True: the payer must enter delivery details to pay. */
    readonly collectionRequired?: boolean | undefined;
  } | undefined;
  /** What the page displays about the payment. */
  readonly details?: {
    /** True: the page displays the total. */
    readonly showTotal?: boolean | undefined;
    /** True: the page displays `reference`. */
    readonly showReference?: boolean | undefined;
  } | undefined;
  /** Which amounts may change before the payment. */
  readonly payment?: {
    /** True: the amount can be changed before the payment, by you and by everybody who has the link; otherwise the operations for it answer 405. It also permits what `holdRaiseAllowed` permits. */
    readonly customAmountAllowed?: boolean | undefined;
    /** True: the tip can be changed by the operation for it; otherwise that answers 405. */
    readonly tipsAllowed?: boolean | undefined;
    /** True: your key can raise the amount while the payment is held. Payers cannot change it; without it, and without `customAmountAllowed`, the operation answers 405. */
    readonly holdRaiseAllowed?: boolean | undefined;
  } | undefined;
};

export type NewCustomer = {
  /** Name of the person or company. */
  readonly name?: string | undefined;
  /** E-mail address of the customer. */
  readonly emailAddress?: string | undefined;
  /** Phone number of the customer, 5 to 50 characters. */
  readonly phoneNumber?: string | undefined;
  /** Number under which a company is registered for VAT. */
  readonly vatNumber?: string | undefined;
  /** Address of invoices. */
  readonly billingAddress?: Address | undefined;
  /** Address of deliveries. */
  readonly shippingAddress?: Address | undefined;
};

export type NewDeliveryLink = {
  /** Only deliveries of events about this payment (`pi_…`); all of the subscription when not sent. */
  readonly paymentIntentId?: string | undefined;
  /** Origins of the pages that may embed the page, 5 at most; without one, no page may. */
  readonly frameAncestors?: readonly (string)[] | undefined;
  /** How long the link can be opened, one hour at most; 15 minutes when not sent. */
  readonly expiresIn?: string | undefined;
};

/** Sent to the EPOS as HTTP Basic, base64 of `username:password`. */
export type NewEposAuth = {
  /** Always `basic`: HTTP Basic authentication. */
  readonly authType: "basic";
  /** The credentials that the EPOS expects. */
  readonly basic: {
    /** User name that the service sends to the EPOS; without a colon. */
    readonly username: string;
    /** Password that the service sends to the EPOS. Stored encrypted and never returned. */
    readonly password: string;
  };
};

export type NewEposCapability = {
  /** Name of the capability or one of its synonyms. */
  readonly name: "ListAreas" | "SearchTables" | "CreateOrder" | "GetOrderById" | "CancelOrderById" | "SearchOrders" | "CreateOrderLock" | "ExtendOrderLock" | "DeleteOrderLock" | "GetOrderBillById" | "RecordOrderPaymentById" | "CreateParty" | "GetPartyById" | "UpdateParty" | "DeletePartyById" | "SearchParties" | "CreateReservation" | "GetReservationById" | "UpdateReservation" | "DeleteReservationById" | "SearchReservations" | "HandleEvent:payment_intent.created" | "HandleEvent:payment_intent.status_updated" | "GetOrderBill" | "RecordOrderPayment" | "UpdatePartyById" | "UpdateReservationById";
  /** Version of the capability; both spellings mean the same. */
  readonly version: "v1" | "1.0.0";
};

export type NewEposEvent = {
  /** What has changed at the EPOS; decides which id `event` has. */
  readonly eventType: "OrderUpdated";
  /** The id of what has changed. */
  readonly event: {
    /** Id of the order at the EPOS. */
    readonly orderId: string;
    /** Id of the party at the EPOS. */
    readonly partyId?: never | undefined;
    /** Id of the reservation at the EPOS. */
    readonly reservationId?: never | undefined;
  };
} | {
  /** What has changed at the EPOS; decides which id `event` has. */
  readonly eventType: "PartyUpdated";
  /** The id of what has changed. */
  readonly event: {
    /** Id of the party at the EPOS. */
    readonly partyId: string;
    /** Id of the order at the EPOS. */
    readonly orderId?: never | undefined;
    /** Id of the reservation at the EPOS. */
    readonly reservationId?: never | undefined;
  };
} | {
  /** What has changed at the EPOS; decides which id `event` has. */
  readonly eventType: "ReservationUpdated";
  /** The id of what has changed. */
  readonly event: {
    /** Id of the reservation at the EPOS. */
    readonly reservationId: string;
    /** Id of the order at the EPOS. */
    readonly orderId?: never | undefined;
    /** Id of the party at the EPOS. */
    readonly partyId?: never | undefined;
  };
};

export type NewGrpcIntegration = {
  /** Address at which the EPOS serves gRPC, as `https://host:port`, without a path. */
  readonly url: string;
  /** How the service authenticates itself at the EPOS. */
  readonly auth: NewEposAuth;
};

export type NewIntentCustomer = {
  /** Also read as `customerId`. */
  readonly id?: string | undefined;
  /** E-mail address of the payer. */
  readonly emailAddress?: string | undefined;
  /** Phone number of the payer. */
  readonly phoneNumber?: string | undefined;
  /** A customer secret: the hosted page offers saved cards. Needs `id` and the method SavedCard. */
  readonly secret?: string | undefined;
  /** The saved card to offer first. */
  readonly savedCardId?: string | undefined;
};

export type NewItemLine = {
  /** The integrator’s or EPOS’s id of the line. */
  readonly id?: string | undefined;
  /** Text of the line on the payment page and the receipt. Requests may send it as `name`. */
  readonly caption?: string | undefined;
  /** Group of the item, such as “drinks”. */
  readonly category?: string | undefined;
  /** Price look-up number: the item in the catalogue of the EPOS. */
  readonly plu?: string | undefined;
  /** How many of the item the line has; negative for returned items. 1 when not sent. */
  readonly quantity?: number | undefined;
  /** Price of the whole line before discounts and taxes, without modifiers. Never checked against the amount of the payment. */
  readonly amountTotal: PriceAmount;
  /** Changes to the item that have a price of their own. */
  readonly modifiers?: readonly (NewModifier)[] | undefined;
};

export type NewModifier = {
  /** The integrator’s or EPOS’s id of the modifier. */
  readonly id: string;
  /** Text of the modifier on the bill, such as “extra cheese”. */
  readonly name: string;
  /** How many of the modifier one item has. The line has this number times its own quantity. */
  readonly quantity: number;
  /** Price of one modifier; negative for a discount. */
  readonly amountPerModifier: PriceAmount;
};

export type NewOrderDetails = {
  /** When the order is ready to be collected or served. */
  readonly availabilityDate?: string | undefined;
  /** True if the payment belongs to a change of an order that exists already. */
  readonly isUpdate?: boolean | undefined;
  /** The order's id in the service. */
  readonly id?: string | undefined;
  /** The order's id in the EPOS. */
  readonly externalId?: string | undefined;
};

export type NewOrderPlacement = {
  /** A payment intent with the capture mode `Manual`, its amount and service charge together the `totalAmount` of the order. */
  readonly paymentIntentId: string;
  /** The order to create at the EPOS once it is paid. */
  readonly order: PlacedOrder;
};

export type NewParty = {
  /** Ids of the tables of the party, at least one. A table has one party at a time. */
  readonly tableIds: readonly (string)[];
  /** When the party arrives or has arrived. */
  readonly startTime: string;
  /** When the party is expected to leave. */
  readonly expectedEndTime?: string | undefined;
  /** Name under which the party is known. */
  readonly name?: string | undefined;
  /** How many people the party has. */
  readonly covers?: number | undefined;
  /** Notes of the staff, which guests never see. */
  readonly hostNotes?: string | undefined;
  /** The guest's words; the EPOS does not edit them. */
  readonly guestRequests?: string | undefined;
  /** What was paid for the booking in advance. */
  readonly deposit?: NewPartyDeposit | undefined;
  /** Status of the party, in words of the EPOS. */
  readonly status?: string | undefined;
  /** Id of the reservation at the EPOS that the party has come for. */
  readonly reservationId?: string | undefined;
};

/** What was paid for the booking in advance. The service checks the payments before it tells the EPOS. */
export type NewPartyDeposit = {
  /** The sum of the deposit. Must not exceed what the payment intents hold or have captured, less refunds. */
  readonly totalAmount: PayableAmount;
  /** Ids of the paid payment intents of this account, all of which have money. A payment is the deposit of one party, and pays no bill. */
  readonly paymentIntentIds: readonly (string)[];
  /** Text about the deposit, for staff. */
  readonly description?: string | undefined;
};

export type NewPaymentIntent = {
  /** The price to collect, without tip, cashback and service charge. */
  readonly amount: PayableAmount;
  /** The integrator’s own reference, such as a bill number. Appears in listings; need not be unique. */
  readonly reference: string;
  /** `Auto` takes the money at once; `Manual` holds it for captures. `Auto` when not sent. */
  readonly captureMode?: "Auto" | "Manual" | undefined;
  /** Text about the payment for the payer and for reports. */
  readonly description?: string | undefined;
  /** Tip that is collected on top of `amount`. */
  readonly tipsAmount?: SurplusAmount | undefined;
  /** Cash for the payer, collected on top of `amount`. */
  readonly cashbackAmount?: SurplusAmount | undefined;
  /** Service charge, collected on top of `amount`. */
  readonly serviceChargeAmount?: SurplusAmount | undefined;
  /** The payer, as far as they are known. */
  readonly customer?: NewIntentCustomer | undefined;
  /** True: the card is keyed in without the cardholder. Also read as `transactionSource: "MOTO"`. */
  readonly cardHolderNotPresent?: boolean | undefined;
  /** How the payer may pay online; `["Card"]` when not sent. */
  readonly paymentMethods?: readonly ("Card" | "Wallet" | "SavedCard")[] | undefined;
  /** Address of the invoice; issuers compare it. */
  readonly billingAddress?: Address | undefined;
  /** Where the goods go. */
  readonly shippingDetails?: ShippingDetails | undefined;
  /** The device from which the payer orders; helps to detect fraud. */
  readonly requestSecurity?: RequestSecurity | undefined;
  /** What is paid, line by line. The sum need not be the amount. */
  readonly itemLines?: readonly (NewItemLine)[] | undefined;
  /** Taxes within the amount. */
  readonly taxLines?: readonly (NewTaxLine)[] | undefined;
  /** A link for the payer that belongs to the payment; stored and returned as it is. */
  readonly actionLink?: NewActionLink | undefined;
  /** The order that is paid. */
  readonly orderDetails?: NewOrderDetails | undefined;
  /** What the hosted payment page displays and requires. */
  readonly config?: NewCheckoutConfig | undefined;
  /** In the future; 30 days from now when not sent. */
  readonly expireAt?: string | undefined;
  /** Manual only: how long an authorisation is held. More than 30 seconds, less than 7 days. */
  readonly autoExpireIn?: string | undefined;
  /** Manual only; Release when not sent. */
  readonly autoExpireAction?: "Release" | "Capture" | undefined;
  /** At most 16 KiB as JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Id of an Authorized setup intent whose card is charged by the charge operation. Not with `Manual`. */
  readonly setupIntentId?: string | undefined;
  /** False: no client secret until it is refreshed. True: a secret at once, or 403 without the permission `payments.online`. Not sent: a secret if the key may. */
  readonly generateRemoteToken?: boolean | undefined;
  /** True: the answer has `paymentLink` even if the account or key may not take payments online; it then has no client secret. */
  readonly isNotOnlineCheckout?: boolean | undefined;
};

export type NewPublicAmount = {
  /** The amount that the payer chooses, in the currency of the payment. */
  readonly amount: PayableAmount;
};

export type NewRefund = {
  /** Minor units in the currency of the payment. */
  readonly amount: number;
  /** Why the money is returned; returned with the refund. */
  readonly refundReason?: string | undefined;
  /** Further notes of the integrator; returned with the refund. */
  readonly notes?: string | undefined;
  /** The integrator’s reference of the transaction that the refund belongs to; stored and not interpreted. */
  readonly previousTransactionId?: string | undefined;
};

export type NewReservation = {
  /** Name under which the table is reserved. */
  readonly name: string;
  /** How many people are expected. */
  readonly covers: number;
  /** When the reservation begins. */
  readonly startTime: string;
  /** When the table is free again; after `startTime`. */
  readonly endTime: string;
  /** Ids of the reserved tables, at least one. */
  readonly tableIds: readonly (string)[];
  /** Notes of the staff, which guests never see. */
  readonly hostNotes?: string | undefined;
  /** The guest's words; the EPOS does not edit them. */
  readonly guestRequests?: string | undefined;
};

export type NewRestIntegration = {
  /** Address of the EPOS, without query and fragment; `/v1/…` is appended. */
  readonly url: string;
  /** Everything that the EPOS can do; each capability once. An empty list registers nothing. */
  readonly capabilities: readonly (NewEposCapability)[];
  /** How the service authenticates itself at the EPOS. */
  readonly auth: NewEposAuth;
};

export type NewSandboxEpos = {
  /** False: the EPOS of the sandbox does not connect for this account. */
  readonly isEnabled: boolean;
};

export type NewSetupIntent = {
  /** The integrator’s own reference; need not be unique. */
  readonly reference: string;
  /** Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges. */
  readonly merchantInitiatedTransactionType: "NoShow" | "Unscheduled";
  /** The text that the payer agrees to on the page; it names the charge and when it is made. */
  readonly terms: string;
  /** The most that may be charged later; no limit when not sent. */
  readonly intendedAmount?: PayableAmount | undefined;
  /** A charge is always taken at once. */
  readonly captureMode?: "Auto" | undefined;
  /** Text for the payer and for reports. */
  readonly description?: string | undefined;
  /** The payer, as far as they are known. */
  readonly customer?: NewIntentCustomer | undefined;
  /** How the payer may authorise; `["Card"]` when not sent. */
  readonly paymentMethods?: readonly ("Card" | "Wallet" | "SavedCard")[] | undefined;
  /** Address of the invoice; issuers compare it. */
  readonly billingAddress?: Address | undefined;
  /** Where goods go. */
  readonly shippingDetails?: ShippingDetails | undefined;
  /** What the hosted page for the card displays and requires. */
  readonly config?: NewCheckoutConfig | undefined;
  /** At most 16 KiB as JSON. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The order or booking that it belongs to. */
  readonly orderDetails?: NewOrderDetails | undefined;
  /** The payer’s device; helps to detect fraud. */
  readonly requestSecurity?: RequestSecurity | undefined;
  /** In the future; 30 days from now when not sent. */
  readonly expireAt?: string | undefined;
  /** Never here: a card number may only be sent to the PCI address. */
  readonly card?: never | undefined;
};

export type NewSubscription = {
  /** The kinds to receive, at least one. A kind of another subscription is refused with 409. */
  readonly events: readonly ("payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated")[];
  /** An https address of the public internet. A sandbox of a service that runs for development also calls http on loopback, such as http://localhost:3000/hooks. Redirects are not followed. */
  readonly url: string;
  /** Text about the receiver, for people. */
  readonly description?: string | undefined;
};

export type NewTaxLine = {
  /** The integrator’s or EPOS’s id of the tax line. */
  readonly id?: string | undefined;
  /** Name of the tax on the payment page and the receipt, such as “VAT”. */
  readonly caption?: string | undefined;
  /** Second line of the text, such as the rate. */
  readonly subCaption?: string | undefined;
  /** Price look-up number of the item that is taxed; absent for a tax on the whole bill. */
  readonly affectedPlu?: string | undefined;
  /** The amount of the tax. Never checked against the amount of the payment. */
  readonly amountTotal: PriceAmount;
};

/** Also read flat: `terminalId`, `sessionType`, `paymentIntentId`, `amount` (at most 999999999999). */
export type NewTerminalSession = {
  /** Id of the card machine (`tm_…`), from the list of terminals. */
  readonly terminalId: string;
  /** What the machine has to do. */
  readonly details: {
    /** `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. */
    readonly sessionType: "Sale";
    /** The payment to take. */
    readonly sale: {
      /** Id of a payment intent (`pi_…`) that is `Created`. */
      readonly paymentIntentId: string;
    };
    /** The refund of a payment. */
    readonly matchedRefund?: never | undefined;
    /** A refund without a payment; also needs the permission `payments.refund`. */
    readonly unlinkedRefund?: never | undefined;
  } | {
    /** `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. */
    readonly sessionType: "MatchedRefund";
    /** The refund of a payment. */
    readonly matchedRefund: {
      /** Id of the payment intent (`pi_…`) to refund. */
      readonly paymentIntentId: string;
      /** The whole refundable amount when not sent. */
      readonly amount?: PayableAmount | undefined;
    };
    /** The payment to take. */
    readonly sale?: never | undefined;
    /** A refund without a payment; also needs the permission `payments.refund`. */
    readonly unlinkedRefund?: never | undefined;
  } | {
    /** `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. */
    readonly sessionType: "UnlinkedRefund";
    /** A refund without a payment; also needs the permission `payments.refund`. */
    readonly unlinkedRefund: {
      /** What is returned to the card. */
      readonly amount: PayableAmount;
      /** True: the card is keyed in without the cardholder. */
      readonly cardholderNotPresent?: boolean | undefined;
    };
    /** The payment to take. */
    readonly sale?: never | undefined;
    /** The refund of a payment. */
    readonly matchedRefund?: never | undefined;
  };
};

export type NewTips = {
  /** The new tip, in the currency of the payment; 0 removes it. */
  readonly tipsAmount: SurplusAmount;
};

export type NewWsIntegration = {
  /** Everything that the EPOS can do; each capability once. An empty list registers nothing. */
  readonly capabilities: readonly (NewEposCapability)[];
};

export type NotificationEvent = {
  /** What the machine displays to the cardholder. */
  readonly notificationType: "Approved" | "Declined" | "InsertCard" | "EnterPin" | "PleaseWait" | "PresentCard" | "PresentOnlyOneCard" | "RemoveCard" | "CardUnsupported" | "CardError" | "ReEnterCard";
  /** When the machine reported it. */
  readonly createdAt: string;
};

export type OfferedCards = {
  /** The one that the integrator named first, then newest first; without those that have expired. */
  readonly savedPaymentMethods: readonly (SavedPaymentMethod)[];
};

export type OrderDetails = {
  /** When the order is ready to be collected or served. */
  readonly availabilityDate?: string | undefined;
  /** True if the payment belongs to a change of an order that exists already. */
  readonly isUpdate?: boolean | undefined;
  /** The order's id in the service. */
  readonly id?: string | undefined;
  /** The order's id in the EPOS. */
  readonly externalId?: string | undefined;
};

export type OrderPlacement = {
  /** Also the `serviceOrderId` of the order at the EPOS, the same in every attempt. */
  readonly id: string;
  /** Id of the payment intent (`pi_…`) that pays the order. */
  readonly paymentIntentId: string;
  /** Where the order is; the operation that reads it explains every value. */
  readonly status: "Waiting" | "Held" | "Placing" | "PlaceUnknown" | "Placed" | "Completed" | "Cancelling" | "GivingBack" | "GivenBack" | "Ended" | "NeedsOperator";
  /** The id of the order at the EPOS; absent until it is known. */
  readonly orderId?: string | undefined;
  /** With the service charge, without the tip. */
  readonly totalAmount: Money;
  /** Held on top; 0 before the payment is authorised. */
  readonly tipsAmount: Money;
  /** True if the EPOS may have the order although its money was returned. An operator must check it. */
  readonly orderMayStand: boolean;
  /** The last error, for people; absent if there was none. */
  readonly lastError?: string | undefined;
  /** When the order was submitted. */
  readonly createdAt: string;
  /** When the order changed last. */
  readonly updatedAt: string;
};

export type OrderPlacementPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (OrderPlacement)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type Party = {
  /** Id of the party, unique among the current parties of the EPOS. */
  readonly id: string;
  /** Status of the party, in words of the EPOS. */
  readonly status: string;
  /** Ids of the tables of the party. */
  readonly tableIds: readonly (string)[];
  /** When the party arrives or has arrived. */
  readonly startTime: string;
  /** When the party is expected to leave. */
  readonly expectedEndTime?: string | undefined;
  /** When the party left; absent while it is there. */
  readonly endTime?: string | undefined;
  /** Name under which the party is known. */
  readonly name?: string | undefined;
  /** How many people the party has. */
  readonly covers?: number | undefined;
  /** Notes of the staff. Do not show them to guests. */
  readonly hostNotes?: string | undefined;
  /** The guest's words. */
  readonly guestRequests?: string | undefined;
  /** Id of the reservation at the EPOS, if there was one. */
  readonly reservationId?: string | undefined;
  /** What was paid for the booking in advance. */
  readonly deposit?: PartyDeposit | undefined;
};

export type PartyChange = {
  /** Ids of the tables of the party, at least one. A table has one party at a time. */
  readonly tableIds: readonly (string)[];
  /** When the party arrives or has arrived. */
  readonly startTime: string;
  /** When the party is expected to leave. */
  readonly expectedEndTime?: string | undefined;
  /** Name under which the party is known. */
  readonly name?: string | undefined;
  /** How many people the party has. */
  readonly covers?: number | undefined;
  /** Notes of the staff, which guests never see. */
  readonly hostNotes?: string | undefined;
  /** The guest's words; the EPOS does not edit them. */
  readonly guestRequests?: string | undefined;
  /** What was paid for the booking in advance. */
  readonly deposit?: NewPartyDeposit | undefined;
  /** Status of the party, in words of the EPOS. */
  readonly status: string;
  /** When the party left. The party is over with it. */
  readonly endTime?: string | undefined;
};

export type PartyDeposit = {
  /** The sum of the deposit. */
  readonly totalAmount: Money;
  /** Ids of the payment intents that the deposit was paid by. */
  readonly paymentIntentIds: readonly (string)[];
  /** Text about the deposit, for staff. */
  readonly description?: string | undefined;
};

export type PartyPage = {
  /** The elements of this page, in the order of the EPOS. */
  readonly data: readonly (Party)[];
  /** Cursor of the previous page; null when there is none. */
  readonly before: string | null;
  /** Cursor of the next page; null when there is none. */
  readonly after: string | null;
  /** How many elements of the page were left out because they cannot be read; absent when all can. */
  readonly unreadableCount?: number | undefined;
};

export type PastTerminalSession = {
  /** The session as it is now. */
  readonly terminalSession: {
    /** Id of the session (`ts_…`). */
    readonly id: string;
    /** Id of the card machine (`tm_…`). */
    readonly terminalId: string;
    /** Current status of the session. */
    readonly status: "InitiateRequested" | "Initiated" | "CancelRequested" | "SignatureVerificationRequired" | "SignatureVerificationAccepted" | "SignatureVerificationRejected" | "Authorized" | "Captured" | "Canceled" | "Declined" | "Expired";
    /** When the session expires unless it ends before. */
    readonly expireAt: string;
    /** When the session was created. */
    readonly createdAt: string;
    /** When the last status was reached. */
    readonly updatedAt: string;
    /** What the machine displayed, oldest first. */
    readonly notificationEvents: readonly (NotificationEvent)[];
    /** All statuses of the session, oldest first. */
    readonly statusEvents: readonly (StatusEvent)[];
    /** What the session was created for. */
    readonly details: SessionDetails;
  };
  /** How the card was taken; absent until the acquirer has approved. */
  readonly payment?: {
    /** When the acquirer decided. */
    readonly transactionDateTime: string;
    /** Masked number of the card. */
    readonly cardNumber: string;
    /** Last day of the card’s expiry month; absent when the machine did not report it. */
    readonly expiryDate?: string | undefined;
    /** Scheme of the card in capitals; `UNKNOWN` when its label is not known. */
    readonly cardType: string;
    /** UUID of the transaction; equal to `paymentDetails.transactionId`. */
    readonly authGatewayTransactionId: string;
    /** Name on the card; absent when the machine did not report it. */
    readonly cardHolderName?: string | undefined;
    /** How the card was read. */
    readonly entryMode: "Contactless" | "ContactChip" | "Magstripe" | "ManualEntry" | "Unknown";
    /** How the cardholder proved their identity. */
    readonly verificationMode: "Pin" | "Signature" | "Device" | "None";
  } | undefined;
};

export type PayableAmount = {
  /** Whole minor units of the currency (pence, cents): 1250 is 12.50. */
  readonly value: number;
  /** ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one currency. */
  readonly currencyCode: string;
};

export type PaymentActivity = {
  /** Id of the entry; its form has no meaning. */
  readonly id: string;
  /** What happened: a request, a change, a call or a report. */
  readonly kind: "ApiRequest" | "StateChange" | "AcquirerCall" | "MachineReport" | "EposCall" | "WebhookAttempt";
  /** The payment intent, its session on a machine or at a table, or the reference of the acquirer call. */
  readonly subjectId: string;
  /** When it began. */
  readonly at: string;
  /** The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook, the new status of a change, or what a machine reported. */
  readonly name: string;
  /** The trace in which it happened: 32 hex digits, as in the header `trace-id`. */
  readonly traceId?: string | undefined;
  /** Refused: the other side answered with a refusal. Failed: it did not answer, or with an error. */
  readonly outcome?: "Succeeded" | "Refused" | "Failed" | undefined;
  /** The HTTP status, where there is one. */
  readonly status?: number | undefined;
  /** The code of the refusal, or why it failed. */
  readonly reason?: string | undefined;
  /** How long it took, in milliseconds; absent where it is not measured. */
  readonly tookMs?: number | undefined;
  /** HTTP method; absent where there was none. */
  readonly method?: string | undefined;
  /** Path that was called; absent where there was none. */
  readonly path?: string | undefined;
  /** Whether the request had an idempotency key. */
  readonly hasIdempotencyKey?: boolean | undefined;
  /** Members that are not listed for the log have the value `[not recorded]`; a long body is cut. */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
  /** Members that are not listed for the log have the value `[not recorded]`; a long body is cut. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined;
  /** The delivery of a webhook, or the table payment that an EPOS is called for. */
  readonly reference?: string | undefined;
  /** Number of the attempt, from 1; absent where there are no attempts. */
  readonly attempt?: number | undefined;
  /** How an EPOS was called; `machine`: the card machine called the acquirer. */
  readonly transport?: string | undefined;
};

export type PaymentActivityPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (PaymentActivity)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type PaymentAmountEvent = {
  /** Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it. */
  readonly id: string;
  /** Account in which it happened (`acc_…`). */
  readonly accountId: string;
  /** When it happened. */
  readonly createdAt: string;
  /** The kind of event. */
  readonly event: "payment_intent.amount_captured" | "payment_intent.amount_refunded";
  /** The intent and the sums at the time of the event. */
  readonly data: {
    /** Id of the payment intent (`pi_…`). */
    readonly paymentIntentId: string;
    /** Status of the intent right after the change; read the intent for its current status. */
    readonly paymentStatus: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled";
    /** Capture mode of the intent. */
    readonly captureMode: "Auto" | "Manual";
    /** What this capture or refund moved. */
    readonly amount: Money;
    /** The sum of all captures so far. */
    readonly capturedAmount: Money;
    /** The sum of all refunds so far. */
    readonly refundedAmount: Money;
    /** Absent where the approval captured the money. */
    readonly captureId?: string | undefined;
    /** Absent where a card machine refunded the money. */
    readonly refundId?: string | undefined;
  };
};

export type PaymentChargeEvent = {
  /** Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it. */
  readonly id: string;
  /** Account in which it happened (`acc_…`). */
  readonly accountId: string;
  /** When it happened. */
  readonly createdAt: string;
  /** The kind of event. */
  readonly event: "payment_intent.charge_failed";
  /** The intent at the time of the event. */
  readonly data: {
    /** Id of the payment intent (`pi_…`). */
    readonly paymentIntentId: string;
    /** Status of the intent right after the change; read the intent for its current status. */
    readonly paymentStatus: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled";
    /** Capture mode of the intent. */
    readonly captureMode: "Auto" | "Manual";
  };
};

export type PaymentDetails = {
  /** UUID of the transaction; the same as `id` in the listing of transactions. */
  readonly transactionId: string;
  /** How the acquirer names the transaction, where that is no UUID; absent otherwise. */
  readonly acquirerTransactionId?: string | undefined;
  /** When the acquirer decided. */
  readonly transactionDateTime: string;
  /** Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on. */
  readonly message: "DEPOSITED" | "AUTHORIZED" | "DECLINED" | "REFERRED" | "REVERSED" | "REFUNDED" | "FAILED";
  /** Code with which the issuer approved the payment; printed on receipts. */
  readonly authCode: string;
  /** Id of the saved card (`pm_…`) that was used or saved; absent otherwise. */
  readonly paymentMethodId?: string | undefined;
  /** How the billing address compares with the issuer’s; absent when there was no check. */
  readonly avsResult?: "ADDRESS_MATCH_POSTCODE_MATCH" | "ADDRESS_MATCH_POSTCODE_MISMATCH" | "ADDRESS_MISMATCH_POSTCODE_MATCH" | "ADDRESS_MISMATCH_POSTCODE_MISMATCH" | "NOT_CHECKED" | undefined;
  /** The card that was used, with a masked number. */
  readonly card: Card;
};

/** Steps of one attempt share `transactionId`. */
export type PaymentEvent = {
  /** UUID of the attempt; absent for steps that belong to none, such as a cancellation. */
  readonly transactionId?: string | undefined;
  /** When the step happened. */
  readonly transactionDateTime: string;
  /** Empty before an approval. */
  readonly authCode: string;
  /** Masked number of the card: first 8 digits, `****`, last 4. Absent for steps without a card. */
  readonly cardNumber?: string | undefined;
  /** Last day of the card’s expiry month; absent for steps without a card. */
  readonly expiryDate?: string | undefined;
  /** Scheme of the card in capitals; absent for steps without a card. */
  readonly cardType?: string | undefined;
  /** Name on the card; absent when it is not known. */
  readonly cardholderName?: string | undefined;
  /** Id of the saved card (`pm_…`); absent when none was used. */
  readonly paymentMethodId?: string | undefined;
  /** What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed without a decision of the issuer. */
  readonly eventType: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled" | "AuthChallenged" | "Declined" | "ManualAuthReady" | "Error" | "Unknown";
  /** The amount of the step: of a capture, of a refund or reversal, or of a declined attempt. */
  readonly amount?: Money | undefined;
};

export type PaymentIntent = {
  /** Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production. */
  readonly id: string;
  /** `Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full; `Reversed` undone; `Canceled` given up unpaid. */
  readonly status: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled";
  /** `Auto`: the approval takes the money. `Manual`: it is held until captures take it. */
  readonly captureMode: "Auto" | "Manual";
  /** The price, without tip, cashback and service charge. */
  readonly amount: Money;
  /** The total for the cardholder: amount, tip, cashback, service charge. */
  readonly totalAmount: Money;
  /** The tip; absent until there is one. */
  readonly tipsAmount?: Money | undefined;
  /** The first amount, once it was changed. */
  readonly requestedAmount?: Money | undefined;
  /** Minor units. */
  readonly refundedAmount: number;
  /** How the payer may pay online: `Card`, `Wallet`, `SavedCard`. */
  readonly paymentMethods: readonly ("Card" | "Wallet" | "SavedCard")[];
  /** The integrator’s own reference, as it was sent. It need not be unique. */
  readonly reference: string;
  /** The integrator’s text about the payment, if one was sent. */
  readonly description?: string | undefined;
  /** While it is unused and unexpired, for a payer and for a key with `payments.write` or `payments.online`. */
  readonly clientSessionSecret?: string | undefined;
  /** When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is 0001-01-01T00:00:00Z, which means that there is no time. */
  readonly clientSessionSecretExpirationDate: string;
  /** Address of the invoice, as it was sent or the payer entered it. */
  readonly billingAddress?: Address | undefined;
  /** Where the goods go, as it was sent or the payer entered it. */
  readonly shippingDetails?: ShippingDetails | undefined;
  /** What is paid, line by line; empty when no lines were sent. The sum need not be the amount. */
  readonly itemLines: readonly (ItemLine)[];
  /** Taxes within the amount; empty when none were sent. */
  readonly taxLines: readonly (TaxLine)[];
  /** What the payment page displays and requires. */
  readonly config: CheckoutConfig;
  /** What the merchant accepts. */
  readonly merchantConfig: MerchantConfig;
  /** Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or `pay-at-table`. */
  readonly paymentSource: "api" | "virtual-terminal" | "payment-links" | "pay-at-table";
  /** When the intent was created. */
  readonly createdAt: string;
  /** When the intent was changed last; moves with every stored change. */
  readonly updatedAt: string;
  /** True: the card is keyed in without the cardholder, such as for an order by phone. */
  readonly cardHolderNotPresent: boolean;
  /** Cash that is handed to the payer, on top of the price; absent without any. */
  readonly cashbackAmount?: Money | undefined;
  /** Service charge on top of the price; absent without any. */
  readonly serviceChargeAmount?: Money | undefined;
  /** Sum of lines, modifiers and taxes; only with lines. */
  readonly subtotalLineItems?: Money | undefined;
  /** The payer, as far as they are known; absent otherwise. */
  readonly customer?: IntentCustomer | undefined;
  /** A link for the payer that belongs to the payment, if one was sent. */
  readonly actionLink?: ActionLink | undefined;
  /** The order that is paid, if it was sent. */
  readonly orderDetails?: OrderDetails | undefined;
  /** The device from which the payer ordered, if it was sent. */
  readonly requestSecurity?: RequestSecurity | undefined;
  /** Manual only: what happens to the hold when it ends. `Release` returns it, `Capture` takes it. */
  readonly autoExpireAction?: "Release" | "Capture" | undefined;
  /** Manual only: how long an authorisation is held, as `hh:mm:ss` or `d.hh:mm:ss`; seven days when absent. */
  readonly autoExpireIn?: string | undefined;
  /** When an unpaid intent is canceled by itself; 30 days after its creation unless another time was sent. */
  readonly expireAt: string;
  /** Always holds `location-id`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Id of the setup intent (`si_…`) whose card is charged; absent for other payments. */
  readonly setupIntentId?: string | undefined;
  /** Address of the hosted payment page for this intent; absent when the payment is not taken online. */
  readonly paymentLink?: string | undefined;
  /** Once the payment is final. */
  readonly paymentDetails?: PaymentDetails | undefined;
  /** Steps of all attempts, oldest first; empty until the first. */
  readonly paymentEvents: readonly (PaymentEvent)[];
  /** Sessions on card machines for this payment, oldest first; empty when there are none. */
  readonly terminalSessionHistory: readonly (PastTerminalSession)[];
  /** Of Manual intents only. */
  readonly captures: readonly (Capture)[];
};

export type PaymentIntentEvent = {
  /** Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it. */
  readonly id: string;
  /** Account in which it happened (`acc_…`). */
  readonly accountId: string;
  /** When it happened. */
  readonly createdAt: string;
  /** The kind of event. */
  readonly event: "payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt";
  /** The intent at the time of the event. */
  readonly data: {
    /** Id of the payment intent (`pi_…`). */
    readonly paymentIntentId: string;
    /** Status of the intent right after the change; read the intent for its current status. */
    readonly paymentStatus: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled";
    /** Capture mode of the intent. */
    readonly captureMode: "Auto" | "Manual";
  };
};

export type PaymentIntentPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (PaymentIntent)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type PaymentIntentSearch = {
  /** All but Canceled when not sent. */
  readonly statuses?: readonly ("Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled")[] | undefined;
  /** Inclusive, by `createdAt`. */
  readonly startDate?: string | undefined;
  /** Exclusive. */
  readonly endDate?: string | undefined;
  /** Only payments of this customer (`cust_…`); an unknown one has none. */
  readonly customerId?: string | undefined;
  /** Which page. */
  readonly cursor?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  } | undefined;
};

export type PaymentLink = {
  /** Id of the payment intent (`pi_…`) or setup intent (`si_…`) of the link. */
  readonly id: string;
  /** `Active`: the intent can be read by its payer, whether it is paid or not. */
  readonly state: "Active" | "Canceled" | "Expired";
  /** Name of the merchant as payers know it. */
  readonly tradingName: string;
  /** The look of the merchant’s pages. */
  readonly branding: {
    /** Address of the logo; absent when the account has none. */
    readonly logoUrl?: string | undefined;
    /** Address of the small icon of the browser tab; absent when the account has none. */
    readonly faviconUrl?: string | undefined;
    /** The colour of the button, `#0b57d0`. */
    readonly accentColor?: string | undefined;
    /** The kind of letters of the page; the font of the system when absent. */
    readonly font?: "sans" | "humanist" | "geometric" | "rounded" | "serif" | undefined;
  };
};

export type PaymentMethods = {
  /** Id of the customer (`cust_…`) whose cards are listed. */
  readonly customerId: string;
  /** Number of the merchant at the acquirer. */
  readonly merchantId: string;
  /** Newest first. */
  readonly savedPaymentMethods: readonly (SavedPaymentMethod)[];
  /** What the merchant accepts now. */
  readonly supportedPaymentMethods: {
    /** Card schemes that the merchant accepts. */
    readonly cardSchemes: readonly ("VISA" | "MASTERCARD" | "MAESTRO" | "DISCOVER" | "DCI" | "AMEX")[];
    /** Wallets that the merchant accepts. */
    readonly wallets: readonly ("APPLE_PAY" | "GOOGLE_PAY")[];
  };
};

export type PendingPayment = {
  /** Of an order that is paid in advance the id of its placement. */
  readonly paymentId: string;
  /** Present for a payment of a journey. */
  readonly journeyId?: string | undefined;
  /** Id of the session at the EPOS; absent when the payment belongs to none. */
  readonly sessionId?: string | undefined;
  /** Id of the order at the EPOS; absent when the EPOS keeps sessions, or the order is not known. */
  readonly orderId?: string | undefined;
  /** Id of the payment intent (`pi_…`); absent when there is none. */
  readonly paymentIntentId?: string | undefined;
  /** Minor units. */
  readonly baseAmount: number;
  /** Minor units. */
  readonly gratuityAmount: number;
  /** Minor units. */
  readonly cashbackAmount: number;
  /** ISO 4217 code of the three amounts. */
  readonly currency: string;
  /** The state in which the payment waits, such as `RecordUnknown` or `NeedsOperator`. */
  readonly state: string;
  /** Since when it waits. */
  readonly since: string;
  /** The number of calls to the EPOS to record the payment, or to create the order. */
  readonly attempts: number;
  /** The last error, for people; absent if there was none. */
  readonly lastError?: string | undefined;
  /** Present for a call to the acquirer that has no outcome; `paymentId` is its reference. */
  readonly acquirerCall?: {
    /** What the acquirer was asked to do. */
    readonly kind: "Authorise" | "Increase" | "Capture" | "Refund" | "Reverse" | "Release";
    /** Our reference of the call; the acquirer’s books have it too. */
    readonly reference: string;
    /** The authorisation that the call is about. */
    readonly originalReference?: string | undefined;
    /** The state of the call in our books. */
    readonly state: "Prepared" | "Sent" | "Challenged" | "Approved" | "Declined" | "Unknown" | "Settled";
    /** How long ago its deadline was. */
    readonly openSeconds: number;
  } | undefined;
  /** True once it has been pending for 60 seconds. */
  readonly alarm: boolean;
};

export type PendingResolution = {
  /** The decision; the description of the operation states which one each kind of payment accepts. */
  readonly action: "MarkRecorded" | "GiveBack" | "RetryNow" | "MarkNotHeld" | "SettleAsListed" | "MarkNotTaken" | "MarkRefunded" | "MarkNotRefunded";
  /** The reason; stored in the audit log. */
  readonly note: string;
};

/** The order to create at the EPOS; the service adds its own id of the order and the payment. All amounts are of one currency, quantities are from 1 to 10000, texts have at most 1024 characters, and the whole has at most 256 KiB of JSON. No text may hold a card number or a security code. */
export type PlacedOrder = {
  /** How the order is served. */
  readonly details: EposOrderDetails;
  /** Instructions for the whole order. */
  readonly note?: string | undefined;
  /** Discounts that `totalAmount` already contains. */
  readonly discounts?: readonly (EposDiscount)[] | undefined;
  /** Taxes that `totalAmount` already contains. */
  readonly taxLines?: readonly (EposTaxLine)[] | undefined;
  /** Service charge, part of `totalAmount`. */
  readonly serviceChargeAmount?: EposMoney | undefined;
  /** A number or name of the order that people can read. */
  readonly reference?: string | undefined;
  /** Name under which lists display the order. */
  readonly displayName?: string | undefined;
  /** Who ordered. */
  readonly customer?: EposCustomer | undefined;
  /** What is ordered. */
  readonly items: readonly (EposItem)[];
  /** After discounts and taxes, with the service charge, never with tips. */
  readonly totalAmount: EposMoney;
};

export type PriceAmount = {
  /** Whole minor units of the currency (pence, cents): 1250 is 12.50. */
  readonly value: number;
  /** ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one currency. */
  readonly currencyCode: string;
};

export type Problem = {
  /** Names the kind of problem. */
  readonly type: string;
  /** Short summary of the status. */
  readonly title: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** A sentence for the person who reads the log. */
  readonly detail: string;
  /** W3C trace parent of the failed request; also in the header `trace-id`. */
  readonly traceId: string;
  /** Messages by member path or header name; empty when no member is at fault. */
  readonly errors: Readonly<Record<string, readonly (string)[]>>;
  /** The cause, as a value of the error catalogue. Programs decide by it, not by `detail`. */
  readonly reason: ProblemReason;
  /** The page about `reason` in the error catalogue, relative to the address that was called: the service itself answers it. */
  readonly documentation: string;
  /** Terminals and terminal sessions only. */
  readonly code?: "INVALID_REQUEST" | "TERMINAL_UNAVAILABLE" | "INTERNAL_ERROR" | undefined;
  /** With the reason `acquirer_lacks_capability`: what the acquirer cannot do. */
  readonly capability?: "separate_capture" | "partial_capture" | "multiple_captures" | "incremental_authorisation" | "partial_refund" | "multiple_refunds" | "unreferenced_refund" | "reversal_after_capture" | "partial_reversal" | "reversal_of_unknown_reference" | "challenge" | "card_verification" | "merchant_initiated" | "cardholder_not_present" | "booked_list" | "currencies" | "card_schemes" | "wallets" | "refund_window" | undefined;
  /** Payers' operations only: `status`, in the form of a result. */
  readonly statusCode?: number | undefined;
  /** Payers’ operations only: `detail`, in the form of a result. */
  readonly message?: string | undefined;
  /** Payers’ operations only: empty, because nothing was approved. */
  readonly authCode?: "" | undefined;
  /** Payers’ operations only: empty, because there is no transaction. */
  readonly transactionId?: "" | undefined;
};

/** Why the request failed, for programs. Later releases may add values. */
export type ProblemReason = "path_unknown" | "method_not_allowed" | "unauthenticated" | "rate_limited" | "version_invalid" | "permission_missing" | "partner_header_invalid" | "partner_not_registered" | "media_type_unsupported" | "body_too_large" | "body_malformed" | "idempotency_key_invalid" | "idempotency_key_reused" | "idempotency_in_progress" | "validation_failed" | "service_unavailable" | "commit_unknown" | "acquirer_not_configured" | "acquirer_lacks_capability" | "acquirer_unanswered" | "client_secret_missing" | "client_secret_invalid" | "page_origin_not_registered" | "submissions_exhausted" | "payment_outcome_unknown" | "attempt_not_found" | "saved_card_not_found" | "saved_card_not_usable" | "saved_card_busy" | "saved_card_of_setup_intent" | "payment_intent_not_found" | "payment_intent_unknown" | "payment_intent_canceled" | "payment_intent_busy" | "payment_intent_not_cancelable" | "payment_intent_not_payable" | "currency_not_enabled" | "not_capturable" | "capture_exceeds_authorized" | "capture_refused" | "not_refundable" | "refund_exceeds_captured" | "refund_refused" | "refund_not_found" | "not_reversible" | "reversal_window_passed" | "reversal_refused" | "not_chargeable" | "charge_without_setup_intent" | "charge_exceeds_intended" | "setup_intent_not_chargeable" | "amount_change_not_enabled" | "amount_not_changeable" | "amount_not_raised" | "amount_raise_refused" | "tips_change_not_enabled" | "tips_not_changeable" | "secret_not_refreshable" | "receipt_not_available" | "receipts_exhausted" | "setup_intent_not_found" | "setup_intent_busy" | "setup_intent_not_authorisable" | "setup_intent_not_cancelable" | "customer_not_found" | "terminal_not_found" | "terminal_unavailable" | "terminal_session_not_found" | "terminal_session_not_cancelable" | "signature_not_awaited" | "subscription_not_found" | "event_kind_taken" | "secret_not_found" | "secret_is_active" | "secrets_exhausted" | "delivery_not_found" | "delivery_not_dead_lettered" | "event_kind_not_subscribed" | "api_key_not_found" | "api_keys_exhausted" | "attestation_missing" | "account_disabled" | "sign_in_refused" | "portal_session_missing" | "password_change_needed" | "password_locked" | "reauthentication_needed" | "cross_site_request" | "account_not_chosen" | "sign_in_expired" | "second_factor_refused" | "second_factor_missing" | "second_factor_required" | "passkey_not_found" | "password_sign_in_off" | "second_person_needed" | "second_person_refused" | "four_eyes_request_unknown" | "four_eyes_request_decided" | "flow_not_found" | "flow_runs_exhausted" | "pending_payment_not_found" | "pending_payment_not_decidable" | "difference_not_found" | "difference_not_answerable" | "alarm_not_found" | "alarm_answered" | "lease_not_found" | "lease_over" | "lease_money_open" | "journey_not_found" | "journey_over" | "journey_busy" | "journey_money_open" | "journey_not_movable" | "bill_unusable" | "bill_paid" | "part_invalid" | "part_exceeds_outstanding" | "item_not_on_bill" | "item_share_taken" | "table_payment_id_reused" | "card_transaction_unusable" | "order_placement_not_found" | "order_not_placeable" | "epos_cannot_order" | "payment_intent_held_for_order" | "payment_intent_is_deposit" | "reservation_not_found" | "party_not_found" | "booking_refused" | "epos_cannot_book" | "epos_unreachable" | "epos_unanswered" | "request_malformed" | "request_timeout" | "header_fields_too_large" | "internal_error";

export type PublicPaymentIntent = {
  /** Id of the payment intent: `pi_sandbox_…` in the sandbox, `pi_…` in production. */
  readonly id: string;
  /** `Created` unpaid; `Authorized` held; `Captured` taken; `Refunded` taken and returned in full; `Reversed` undone; `Canceled` given up unpaid. */
  readonly status: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled";
  /** `Auto`: the approval takes the money. `Manual`: it is held until captures take it. */
  readonly captureMode: "Auto" | "Manual";
  /** The price, without tip, cashback and service charge. */
  readonly amount: Money;
  /** The total for the cardholder: amount, tip, cashback, service charge. */
  readonly totalAmount: Money;
  /** The tip; absent until there is one. */
  readonly tipsAmount?: Money | undefined;
  /** The first amount, once it was changed. */
  readonly requestedAmount?: Money | undefined;
  /** Minor units. */
  readonly refundedAmount: number;
  /** How the payer may pay online: `Card`, `Wallet`, `SavedCard`. */
  readonly paymentMethods: readonly ("Card" | "Wallet" | "SavedCard")[];
  /** The integrator’s own reference, as it was sent. It need not be unique. */
  readonly reference: string;
  /** The integrator’s text about the payment, if one was sent. */
  readonly description?: string | undefined;
  /** While it is unused and unexpired, for a payer and for a key with `payments.write` or `payments.online`. */
  readonly clientSessionSecret?: string | undefined;
  /** When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is 0001-01-01T00:00:00Z, which means that there is no time. */
  readonly clientSessionSecretExpirationDate: string;
  /** Address of the invoice, as it was sent or the payer entered it. */
  readonly billingAddress?: Address | undefined;
  /** Where the goods go, as it was sent or the payer entered it. */
  readonly shippingDetails?: ShippingDetails | undefined;
  /** What is paid, line by line; empty when no lines were sent. The sum need not be the amount. */
  readonly itemLines: readonly (ItemLine)[];
  /** Taxes within the amount; empty when none were sent. */
  readonly taxLines: readonly (TaxLine)[];
  /** What the payment page displays and requires. */
  readonly config: CheckoutConfig;
  /** What the merchant accepts. */
  readonly merchantConfig: MerchantConfig;
  /** Where the intent was created: `api`, `virtual-terminal`, `payment-links` (the portal) or `pay-at-table`. */
  readonly paymentSource: "api" | "virtual-terminal" | "payment-links" | "pay-at-table";
  /** When the intent was created. */
  readonly createdAt: string;
  /** When the intent was changed last; moves with every stored change. */
  readonly updatedAt: string;
  /** The payer, as far as they are known; absent otherwise, and after the payment for all but the page that has paid. */
  readonly customer?: {
    /** Id of the stored customer (`cust_…`); absent when the intent names none. */
    readonly customerId?: string | undefined;
    /** Equal to `customerId`. */
    readonly id?: string | undefined;
    /** E-mail address of the payer, so that the page need not ask for it. */
    readonly emailAddress?: string | undefined;
  } | undefined;
  /** Steps of all attempts without their cards, oldest first. `transactionId` is present for the page of the attempt only. */
  readonly paymentEvents: readonly ({
    /** What happened. `AuthChallenged`: the issuer asked for 3-D Secure. `Error`: the attempt failed without a decision of the issuer. */
    readonly eventType: "Created" | "Authorized" | "Captured" | "Reversed" | "Refunded" | "Canceled" | "AuthChallenged" | "Declined" | "ManualAuthReady" | "Error" | "Unknown";
    /** UUID of the attempt; absent for steps that belong to none, such as a cancellation. */
    readonly transactionId?: string | undefined;
    /** When the step happened. */
    readonly transactionDateTime: string;
  })[];
  /** Only the id of the location; the integrator’s own additions are left out. */
  readonly metadata: {
    /** Id of the location (`loc_…`) of the account, set by the service. */
    readonly "location-id": string;
  };
};

export type PublicReceiptRequest = {
  /** The address that gets the customer’s copy. */
  readonly email: string;
};

export type PublicSetupIntent = {
  /** Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production. */
  readonly id: string;
  /** `Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or `Closed` given up before or after a card; `Expired` or `CardExpired` too late. */
  readonly status: "Created" | "Authorized" | "Expired" | "CardExpired" | "Canceled" | "Completed" | "Closed";
  /** Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges. */
  readonly merchantInitiatedTransactionType: "NoShow" | "Unscheduled";
  /** What the payer agrees to. */
  readonly terms: string;
  /** The most that may be charged. */
  readonly intendedAmount?: Money | undefined;
  /** How the payer may authorise: `Card`, `Wallet`, `SavedCard`. */
  readonly paymentMethods: readonly ("Card" | "Wallet" | "SavedCard")[];
  /** The integrator’s own reference, as it was sent. */
  readonly reference: string;
  /** The integrator’s text, if one was sent. */
  readonly description?: string | undefined;
  /** While it is unused and unexpired, for a payer and for a key with `setup.write`. */
  readonly clientSessionSecret?: string | undefined;
  /** When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is 0001-01-01T00:00:00Z, which means that there is no time. */
  readonly clientSessionSecretExpirationDate: string;
  /** Address of the invoice, as it was sent or the payer entered it. */
  readonly billingAddress?: Address | undefined;
  /** Where goods go, if it was sent. */
  readonly shippingDetails?: ShippingDetails | undefined;
  /** The order that it belongs to, if it was sent. */
  readonly orderDetails?: OrderDetails | undefined;
  /** What the hosted page displays and requires. */
  readonly config: CheckoutConfig;
  /** There are no wallets here. */
  readonly merchantConfig: MerchantConfig;
  /** Where the setup intent was created. */
  readonly paymentSource: "api" | "virtual-terminal" | "payment-links" | "pay-at-table";
  /** When a setup intent without a card becomes `Expired`. */
  readonly expireAt: string;
  /** When the setup intent was created. */
  readonly createdAt: string;
  /** When the setup intent was changed last. */
  readonly updatedAt: string;
  /** The payer, as far as they are known; absent otherwise, and after the setup for all but the page of the payer. */
  readonly customer?: {
    /** Id of the stored customer (`cust_…`); absent when the intent names none. */
    readonly customerId?: string | undefined;
    /** Equal to `customerId`. */
    readonly id?: string | undefined;
    /** E-mail address of the payer, so that the page need not ask for it. */
    readonly emailAddress?: string | undefined;
  } | undefined;
  /** Only the id of the location; the integrator’s own additions are left out. */
  readonly metadata: {
    /** Id of the location (`loc_…`) of the account, set by the service. */
    readonly "location-id": string;
  };
  /** Outcome of the last attempt without the card; absent before the first, and for all but the page of the attempt. */
  readonly paymentDetails?: {
    /** UUID of the transaction; the same as `id` in the listing of transactions. */
    readonly transactionId: string;
    /** When the acquirer decided. */
    readonly transactionDateTime: string;
    /** Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on. */
    readonly message: "DEPOSITED" | "AUTHORIZED" | "DECLINED" | "REFERRED" | "REVERSED" | "REFUNDED" | "FAILED";
  } | undefined;
};

export type Receipt = {
  /** Lines from top to bottom. */
  readonly lines: readonly ({
    /** What the line is. A line with text or a logo has the member for it; the others have none. */
    readonly lineType: "Text" | "LogoImage" | "NewLine" | "SingleLineSeperator" | "DoubleLineSeperator";
    /** Present when `lineType` is `Text`. */
    readonly text?: {
      /** The words to print. */
      readonly value: string;
      /** Size of the letters. */
      readonly size: "SizeHeader1" | "SizeHeader2" | "SizeBody";
      /** Where the words are placed on the line. */
      readonly align: "AlignLeft" | "AlignCenter" | "AlignRight";
      /** True: print in bold. */
      readonly emphasisBold: boolean;
    } | undefined;
    /** Present when `lineType` is `LogoImage`. */
    readonly imageLogo?: {
      /** The picture to print. */
      readonly value: string;
      /** Where the picture is placed. */
      readonly align: "AlignLeft" | "AlignCenter" | "AlignRight";
    } | undefined;
  })[];
};

export type ReceiptRequest = {
  /** Addresses that get the customer’s copy, each once. */
  readonly emails: readonly (string)[];
};

export type Reconciliation = {
  /** Every day before it was compared with the acquirers’ books by the daily check, except `uncomparedDays`. */
  readonly reconciledTo?: string | undefined;
  /** When the books of an acquirer were compared last. */
  readonly listComparedAt?: string | undefined;
  /** Which acquirers’ books could not be read in the last attempt, and why; the next attempt follows within 15 minutes. */
  readonly listError?: string | undefined;
  /** The start of a requested run that has not finished yet. */
  readonly requestedFrom?: string | undefined;
  /** The end of a requested run that has not finished yet. */
  readonly requestedTo?: string | undefined;
  /** Days whose comparison with an acquirer is incomplete, oldest first; at most a thousand. */
  readonly uncomparedDays: readonly (UncomparedDay)[];
  /** When the chains of all records were checked last. */
  readonly chainsCheckedAt?: string | undefined;
};

export type ReconciliationDifference = {
  /** UUID of the difference. */
  readonly id: string;
  /** `NotAskedFor`: the acquirer booked a transaction that we did not request. `OtherKind`, `OtherAmount`: it booked another kind or amount. `SettledAmount`: the lines of its settlement files sum to another amount than we requested. `NotApproved`: it booked a transaction that is declined or reversed in our books. `NotBooked`: it has not booked a transaction of our books. `ListingSum`: the transactions of a payment do not sum to what the ledger keeps. `BrokenChain`: records of a payment intent, a setup intent or an unlinked refund are not as they were written. */
  readonly kind: "NotAskedFor" | "OtherKind" | "OtherAmount" | "SettledAmount" | "NotApproved" | "NotBooked" | "ListingSum" | "BrokenChain" | "UnprovedRecord";
  /** Of the call to the acquirer; of the last two kinds the id they are about. */
  readonly reference: string;
  /** Id of the payment intent (`pi_…`); absent when none is known. */
  readonly paymentIntentId?: string | undefined;
  /** The money at stake, where there is one amount. */
  readonly amount?: Money | undefined;
  /** The value in our books. */
  readonly ours?: string | undefined;
  /** The value in the other books. */
  readonly theirs?: string | undefined;
  /** The difference in a sentence. */
  readonly says: string;
  /** `Open` until it is answered; `Closed` once a check does not find it any more. */
  readonly state: "Open" | "Answered" | "Closed";
  /** When it was booked or requested. */
  readonly happenedAt: string;
  /** When a check found it first. */
  readonly firstSeenAt: string;
  /** When a check found it last. */
  readonly lastSeenAt: string;
};

export type ReconciliationDifferencePage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (ReconciliationDifference)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type ReconciliationStart = {
  /** Inclusive; at most 31 days before `to`. */
  readonly from: string;
  /** Exclusive; now when not sent. */
  readonly to?: string | undefined;
  /** Why; kept in the audit log. */
  readonly note: string;
};

export type Refund = {
  /** Id of the payment intent (`pi_…`) whose money was returned. */
  readonly paymentIntentId: string;
  /** Id of the refund (`rfnd_…`). */
  readonly refundId: string;
  /** The reason that was sent; absent if none was. */
  readonly refundReason?: string | undefined;
  /** The notes that were sent; absent if none were. */
  readonly notes?: string | undefined;
  /** Always `REFUNDED`: the acquirer has accepted the refund. */
  readonly message: "REFUNDED";
};

export type Replay = {
  /** Inclusive, by `createdAt` of the event. */
  readonly from?: string | undefined;
  /** Exclusive; now when not sent. */
  readonly to?: string | undefined;
  /** The states of deliveries to replay; DeadLettered when not sent. `NotSubscribed`: no subscription had its kind then. */
  readonly states?: readonly ("DeadLettered" | "Delivered" | "NotSubscribed")[] | undefined;
};

export type Replayed = {
  /** How many events are sent again. */
  readonly queued: number;
};

export type RequestActivity = {
  /** Id of the entry; its form has no meaning. */
  readonly id: string;
  /** When it began. */
  readonly at: string;
  /** The operation of a request, the method of a call to the acquirer or an EPOS, the event of a webhook, the new status of a change, or what a machine reported. */
  readonly name: string;
  /** The trace of the request: 32 hex digits, as in the header `trace-id`. */
  readonly traceId: string;
  /** How the request ended: done, refused by a rule, or failed. */
  readonly outcome: "Succeeded" | "Refused" | "Failed";
  /** The HTTP status, where there is one. */
  readonly status?: number | undefined;
  /** The code of the refusal, or why it failed. */
  readonly reason?: string | undefined;
  /** How long it took, in milliseconds; absent where it is not measured. */
  readonly tookMs?: number | undefined;
  /** HTTP method; absent where there was none. */
  readonly method?: string | undefined;
  /** Path that was called; absent where there was none. */
  readonly path?: string | undefined;
  /** Whether the request had an idempotency key. */
  readonly hasIdempotencyKey?: boolean | undefined;
  /** Members that are not listed for the log have the value `[not recorded]`; a long body is cut. */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
  /** Members that are not listed for the log have the value `[not recorded]`; a long body is cut. */
  readonly answer?: Readonly<Record<string, unknown>> | undefined;
  /** The API key; absent for a request of a payer. */
  readonly keyId?: string | undefined;
  /** The payment, session or setup that it is about; absent for a successful read. */
  readonly subjectId?: string | undefined;
};

export type RequestActivityPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (RequestActivity)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

/** The payer's device. */
export type RequestSecurity = {
  /** The header `User-Agent` of the payer’s browser, as the integrator received it. */
  readonly userAgent?: string | undefined;
  /** The IP address from which the payer orders. */
  readonly ipAddress?: string | undefined;
  /** The kind or name of the payer’s device, in the integrator’s words. */
  readonly device?: string | undefined;
};

export type Reservation = {
  /** Id of the reservation, unique within the EPOS of the account. */
  readonly id: string;
  /** Name under which the table is reserved. */
  readonly name: string;
  /** How many people are expected. */
  readonly covers: number;
  /** When the reservation begins. */
  readonly startTime: string;
  /** When the table is free again. */
  readonly endTime: string;
  /** Ids of the reserved tables. */
  readonly tableIds: readonly (string)[];
  /** Notes of the staff. Do not show them to guests. */
  readonly hostNotes?: string | undefined;
  /** The guest's words. */
  readonly guestRequests?: string | undefined;
};

export type ReservationPage = {
  /** The elements of this page, in the order of the EPOS. */
  readonly data: readonly (Reservation)[];
  /** Cursor of the previous page; null when there is none. */
  readonly before: string | null;
  /** Cursor of the next page; null when there is none. */
  readonly after: string | null;
  /** How many elements of the page were left out because they cannot be read; absent when all can. */
  readonly unreadableCount?: number | undefined;
};

export type RestIntegration = {
  /** Address of the EPOS, to which `/v1/…` is appended. */
  readonly url: string;
  /** How the service authenticates itself at the EPOS. */
  readonly auth: EposAuth;
  /** What the EPOS can do. Nothing else is called. */
  readonly capabilities: readonly (EposCapability)[];
  /** When it was registered. */
  readonly createdAt: string;
};

export type Reversal = {
  /** Always `REVERSED`: the acquirer has undone the payment. */
  readonly message: "REVERSED";
  /** Id of the reversal (`rvs_…`). */
  readonly reversalId: string;
};

export type Run = {
  /** UUID of the run. */
  readonly flowID: string;
  /** Name of the flow that runs. */
  readonly flowName: string;
  /** The worst status of the steps so far, or `IN_PROGRESS` while it runs. */
  readonly status: "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "TIMED_OUT";
  /** When the run started. */
  readonly startedAt: string;
  /** When the run ended; absent while it runs. */
  readonly finishedAt?: string | undefined;
  /** Steps in their order. Steps after a failure are absent, except the cleanup. */
  readonly steps: readonly ({
    /** Name of the step. */
    readonly name: string;
    /** `SUCCESS`, `FAILURE`, `TIMED_OUT` or, while it runs, `IN_PROGRESS`. */
    readonly status: "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "TIMED_OUT";
    /** When the step started. */
    readonly startedAt: string;
    /** When the step ended; absent while it runs. */
    readonly finishedAt?: string | undefined;
    /** Requests, answers and failed checks, one line each; without secrets. */
    readonly additionalInformation: readonly (string)[];
  })[];
};

export type RunSummary = {
  /** UUID of the run. */
  readonly flowID: string;
  /** Name of the flow that runs. */
  readonly flowName: string;
  /** The worst status of the steps so far, or `IN_PROGRESS` while it runs. */
  readonly status: "IN_PROGRESS" | "SUCCESS" | "FAILURE" | "TIMED_OUT";
  /** When the run started. */
  readonly startedAt: string;
  /** When the run ended; absent while it runs. */
  readonly finishedAt?: string | undefined;
  /** How many steps began. */
  readonly stepCount: number;
  /** Name of the first step that failed; absent when none did. */
  readonly failedStep?: string | undefined;
};

export type RunSummaryPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (RunSummary)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type SandboxEpos = {
  /** False: the EPOS of the sandbox does not connect for this account. */
  readonly isEnabled: boolean;
};

export type SandboxMail = {
  /** UUID of the mail. */
  readonly id: string;
  /** Id of the payment intent (`pi_…`) that the receipt is about. */
  readonly paymentIntentId: string;
  /** The receiver’s address. */
  readonly to: string;
  /** Subject line of the mail. */
  readonly subject: string;
  /** The receipt as plain text. */
  readonly text: string;
  /** The same receipt as HTML. */
  readonly html: string;
  /** When the mail was requested. */
  readonly createdAt: string;
};

export type SandboxMailPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (SandboxMail)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type SavedPaymentMethod = {
  /** Id of the saved card (`pm_…`); pay with it by `paymentMethodId`. */
  readonly id: string;
  /** What may be displayed of the card. */
  readonly cardDetails: {
    /** First 8 digits, `****`, last 4. */
    readonly pan: string;
    /** Last day of the expiry month. */
    readonly expiryDate: string;
    /** Scheme of the card; absent when it is not known. */
    readonly scheme?: "VISA" | "MASTERCARD" | "MAESTRO" | "DISCOVER" | "DCI" | "AMEX" | undefined;
  };
};

/** Set up by the operator of the service. */
export type ServiceManagedIntegration = {
  /** What the EPOS can do. Nothing else is called. */
  readonly capabilities: readonly (EposCapability)[];
  /** When it was set up. */
  readonly createdAt: string;
};

/** Exactly the member of the same theme as `sessionType`. */
export type SessionDetails = {
  /** `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. */
  readonly sessionType: "Sale" | "MatchedRefund" | "UnlinkedRefund";
  /** Present for a `Sale`. */
  readonly sale?: {
    /** Id of the payment intent (`pi_…`) that is paid. */
    readonly paymentIntentId: string;
  } | undefined;
  /** Present for a `MatchedRefund`. */
  readonly matchedRefund?: {
    /** Id of the payment intent (`pi_…`) that is refunded. */
    readonly paymentIntentId: string;
    /** What is returned to the card. */
    readonly amount: Money;
  } | undefined;
  /** Present for an `UnlinkedRefund`. */
  readonly unlinkedRefund?: {
    /** What is returned to the card. */
    readonly amount: Money;
    /** True: the card is keyed in without the cardholder. */
    readonly cardholderNotPresent: boolean;
  } | undefined;
};

export type SetupIntent = {
  /** Id of the setup intent: `si_sandbox_…` in the sandbox, `si_…` in production. */
  readonly id: string;
  /** `Created` without a card; `Authorized` its card can be charged; `Completed` charged; `Canceled` or `Closed` given up before or after a card; `Expired` or `CardExpired` too late. */
  readonly status: "Created" | "Authorized" | "Expired" | "CardExpired" | "Canceled" | "Completed" | "Closed";
  /** Why the merchant may charge later: `NoShow` for a missed booking, `Unscheduled` for other agreed charges. */
  readonly merchantInitiatedTransactionType: "NoShow" | "Unscheduled";
  /** What the payer agrees to. */
  readonly terms: string;
  /** The most that may be charged. */
  readonly intendedAmount?: Money | undefined;
  /** How the payer may authorise: `Card`, `Wallet`, `SavedCard`. */
  readonly paymentMethods: readonly ("Card" | "Wallet" | "SavedCard")[];
  /** The integrator’s own reference, as it was sent. */
  readonly reference: string;
  /** The integrator’s text, if one was sent. */
  readonly description?: string | undefined;
  /** While it is unused and unexpired, for a payer and for a key with `setup.write`. */
  readonly clientSessionSecret?: string | undefined;
  /** When `clientSessionSecret` expires. Always written: without a secret, such as after the payment, it is 0001-01-01T00:00:00Z, which means that there is no time. */
  readonly clientSessionSecretExpirationDate: string;
  /** Address of the invoice, as it was sent or the payer entered it. */
  readonly billingAddress?: Address | undefined;
  /** Where goods go, if it was sent. */
  readonly shippingDetails?: ShippingDetails | undefined;
  /** The order that it belongs to, if it was sent. */
  readonly orderDetails?: OrderDetails | undefined;
  /** What the hosted page displays and requires. */
  readonly config: CheckoutConfig;
  /** There are no wallets here. */
  readonly merchantConfig: MerchantConfig;
  /** Where the setup intent was created. */
  readonly paymentSource: "api" | "virtual-terminal" | "payment-links" | "pay-at-table";
  /** When a setup intent without a card becomes `Expired`. */
  readonly expireAt: string;
  /** When the setup intent was created. */
  readonly createdAt: string;
  /** When the setup intent was changed last. */
  readonly updatedAt: string;
  /** The payer, as far as they are known; absent otherwise. */
  readonly customer?: IntentCustomer | undefined;
  /** The payer’s device, if it was sent. */
  readonly requestSecurity?: RequestSecurity | undefined;
  /** Always holds `location-id`. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Outcome of the last attempt to authorise the card; absent before the first. */
  readonly paymentDetails?: SetupOutcome | undefined;
  /** Address of the hosted page on which the payer enters the card; present while it is `Created`. */
  readonly setupLink?: string | undefined;
  /** Steps of all attempts, oldest first; empty until the first. */
  readonly setupEvents: readonly (PaymentEvent)[];
};

/** How the last attempt to authorise the card came out. */
export type SetupOutcome = {
  /** UUID of the transaction; the same as `id` in the listing of transactions. */
  readonly transactionId: string;
  /** How the acquirer names the transaction, where that is no UUID; absent otherwise. */
  readonly acquirerTransactionId?: string | undefined;
  /** When the acquirer decided. */
  readonly transactionDateTime: string;
  /** Outcome of the last step: `DEPOSITED` captured, `AUTHORIZED` held, and so on. */
  readonly message: "DEPOSITED" | "AUTHORIZED" | "DECLINED" | "REFERRED" | "REVERSED" | "REFUNDED" | "FAILED";
  /** Empty when the card was refused. */
  readonly authCode: string;
  /** Id of the saved card (`pm_…`) that was used or saved; absent otherwise. */
  readonly paymentMethodId?: string | undefined;
  /** How the billing address compares with the issuer’s; absent when there was no check. */
  readonly avsResult?: "ADDRESS_MATCH_POSTCODE_MATCH" | "ADDRESS_MATCH_POSTCODE_MISMATCH" | "ADDRESS_MISMATCH_POSTCODE_MATCH" | "ADDRESS_MISMATCH_POSTCODE_MISMATCH" | "NOT_CHECKED" | undefined;
  /** The card that was tried, with a masked number; absent when it is not known. */
  readonly card?: Card | undefined;
};

export type ShippingDetails = {
  /** Who receives the goods. */
  readonly name?: string | undefined;
  /** Instructions for the courier. */
  readonly deliveryNotes?: string | undefined;
  /** Where the goods are sent. */
  readonly address?: Address | undefined;
};

export type SignatureDecision = {
  /** True: the signature is the cardholder’s, and the payment continues. False: the payment is undone. */
  readonly accepted: boolean;
};

export type StatusEvent = {
  /** Status that the session reached. */
  readonly status: "InitiateRequested" | "Initiated" | "CancelRequested" | "SignatureVerificationRequired" | "SignatureVerificationAccepted" | "SignatureVerificationRejected" | "Authorized" | "Captured" | "Canceled" | "Declined" | "Expired";
  /** When the session reached the status. */
  readonly createdAt: string;
  /** Kept for older integrations: always empty text. */
  readonly debugMessage: string;
};

export type Subscription = {
  /** Id of the subscription (`ws_…`). */
  readonly id: string;
  /** Account that the subscription belongs to (`acc_…`). */
  readonly accountId: string;
  /** The kinds that are sent to `url`; each belongs to one subscription of the account and environment. */
  readonly events: readonly ("payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated")[];
  /** Address to which events are posted. */
  readonly url: string;
  /** The integrator’s text about the receiver, if one was sent. */
  readonly description?: string | undefined;
  /** Only while it is paused. */
  readonly paused?: true | undefined;
  /** All signing secrets, the active one included. */
  readonly secrets: readonly (WebhookSecret)[];
  /** The active one. */
  readonly secret: WebhookSecret;
  /** When the subscription was created. */
  readonly createdAt: string;
  /** When the subscription was changed last. */
  readonly updatedAt: string;
};

export type SubscriptionChange = {
  /** All of its kinds from now on. */
  readonly events?: readonly ("payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated")[] | undefined;
  /** Also for what waits already. An https address of the public internet. A sandbox of a service that runs for development also calls http on loopback, such as http://localhost:3000/hooks. */
  readonly url?: string | undefined;
  /** The new text about the receiver. */
  readonly description?: string | undefined;
  /** While it is true deliveries are held; afterwards they go out, oldest first. */
  readonly paused?: boolean | undefined;
};

export type SurplusAmount = {
  /** Whole minor units of the currency (pence, cents): 1250 is 12.50. */
  readonly value: number;
  /** ISO 4217 code that the account accepts, such as `GBP` or `EUR`. All amounts of a request have one currency. */
  readonly currencyCode: string;
};

export type TableLease = {
  /** UUID of the lease. */
  readonly leaseId: string;
  /** Account of the restaurant (`acc_…`). */
  readonly accountId: string;
  /** Id of the table session at the EPOS. */
  readonly sessionId: string;
  /** Where the EPOS keeps orders. */
  readonly orderId?: string | undefined;
  /** The id of our lock on the order. */
  readonly lockId?: string | undefined;
  /** The device. */
  readonly owner: string;
  /** Number of the waiter; absent when none was entered. */
  readonly waiterId?: number | undefined;
  /** When the device acquired the lease. */
  readonly acquiredAt: string;
  /** Never reached while money is open. */
  readonly expiresAt: string;
  /** `Held` by the device; `Lost` when the lock at the EPOS was lost; `Released` ended; `Forced` ended by an operator. */
  readonly state: "Held" | "Lost" | "Released" | "Forced";
  /** Neither recorded, nor given back, nor ended. */
  readonly openPayments: number;
};

export type TableOperatorCall = {
  /** UUID of the entry. */
  readonly id: string;
  /** Whose key it was; `service` for alarms that the service answered itself. */
  readonly keyId: string;
  /** What the operator ordered. */
  readonly action: "MarkRecorded" | "GiveBack" | "RetryNow" | "MarkNotHeld" | "ReleaseLease" | "MarkRefunded" | "MarkNotRefunded" | "ResetMachine" | "MoveJourney" | "ReplayEposEvents" | "StartReconciliation" | "AnswerDifference" | "AnswerAlarm" | "SettleAsListed" | "MarkNotTaken";
  /** The id of the payment, terminal session, lease, journey or difference; of a replay and of a reconciliation the span. */
  readonly subject: string;
  /** The reason that the operator gave. */
  readonly note: string;
  /** Whether the operator confirmed that money was open. */
  readonly confirmed: boolean;
  /** `Done`, or `Refused` without an effect. */
  readonly outcome: "Done" | "Refused";
  /** Why it was refused. */
  readonly refusal?: string | undefined;
  /** State of the subject before the decision; absent when it has none. */
  readonly stateBefore?: string | undefined;
  /** State of the subject after the decision; absent when it has none. */
  readonly stateAfter?: string | undefined;
  /** When the operator decided. */
  readonly createdAt: string;
};

export type TableOperatorCallPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (TableOperatorCall)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type TaxLine = {
  /** The integrator’s or EPOS’s id of the tax line. */
  readonly id?: string | undefined;
  /** Name of the tax on the payment page and the receipt, such as “VAT”. */
  readonly caption?: string | undefined;
  /** Second line of the text, such as the rate. */
  readonly subCaption?: string | undefined;
  /** Price look-up number of the item that is taxed; absent for a tax on the whole bill. */
  readonly affectedPlu?: string | undefined;
  /** The amount of the tax. */
  readonly amountTotal: Money;
};

export type Terminal = {
  /** Id of the card machine (`tm_…`); sessions name it. */
  readonly id: string;
  /** Facts about the machine. */
  readonly properties: {
    /** Terminal id at the acquirer, 8 digits; printed on receipts. */
    readonly tid: string;
  };
  /** InUse: a session runs. Offline: no message for 60 seconds. Available: neither. */
  readonly status: "Available" | "Offline" | "InUse";
  /** Since when it has the status. */
  readonly updatedAt: string;
};

export type TerminalSession = {
  /** Id of the session: `ts_sandbox_…` in the sandbox, `ts_prod_…` in production. */
  readonly id: string;
  /** Id of the card machine (`tm_…`). */
  readonly terminalId: string;
  /** Where the session is. Final are `Authorized`, `Captured`, `Canceled`, `Expired`, `Declined` and `SignatureVerificationRejected`. */
  readonly status: "InitiateRequested" | "Initiated" | "CancelRequested" | "SignatureVerificationRequired" | "SignatureVerificationAccepted" | "SignatureVerificationRejected" | "Authorized" | "Captured" | "Canceled" | "Declined" | "Expired";
  /** Equal to `details.sessionType`. */
  readonly sessionType: "Sale" | "MatchedRefund" | "UnlinkedRefund";
  /** Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`. */
  readonly paymentIntentId?: string | undefined;
  /** When the session was created. */
  readonly createdAt: string;
  /** When the last status came. */
  readonly updatedAt: string;
  /** When the current step must have ended: 10 s to confirm, 90 s to pay, 80 s to check a signature. */
  readonly expireAt: string;
  /** What the machine displayed, oldest first. */
  readonly notificationEvents: readonly (NotificationEvent)[];
  /** All statuses of the session, oldest first. */
  readonly statusEvents: readonly (StatusEvent)[];
  /** What the session was created for. */
  readonly details: SessionDetails;
  /** The card; absent until the machine reports it. */
  readonly paymentDetails?: {
    /** Scheme of the card in capitals. */
    readonly cardScheme: string;
    /** Twelve asterisks and the last four digits of the card. */
    readonly maskedPan: string;
    /** Code of the approval; absent without one. */
    readonly authCode?: string | undefined;
  } | undefined;
  /** The copy for the cardholder; absent until the session ends. */
  readonly customerReceipt?: Receipt | undefined;
  /** The copy for the merchant, with a line to sign where that is needed; absent until there is one. */
  readonly merchantReceipt?: Receipt | undefined;
  /** The customer copy. */
  readonly receipt?: Receipt | undefined;
};

export type TerminalSessionEvent = {
  /** Id of the event (`evt_…`), the same in every attempt; receivers detect repeats by it. */
  readonly id: string;
  /** Account in which it happened (`acc_…`). */
  readonly accountId: string;
  /** When it happened. */
  readonly createdAt: string;
  /** The kind of event. */
  readonly event: "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification";
  /** The session at the time of the event. */
  readonly data: {
    /** Id of the session (`ts_…`). Events of one session arrive in their order. */
    readonly terminalSessionId: string;
    /** The status that was reached; for `terminal_session.notification` what the machine displays. */
    readonly state: "InitiateRequested" | "Initiated" | "CancelRequested" | "SignatureVerificationRequired" | "SignatureVerificationAccepted" | "SignatureVerificationRejected" | "Authorized" | "Captured" | "Canceled" | "Declined" | "Expired" | "Approved" | "InsertCard" | "EnterPin" | "PleaseWait" | "PresentCard" | "PresentOnlyOneCard" | "RemoveCard" | "CardUnsupported" | "CardError" | "ReEnterCard";
    /** Id of the card machine (`tm_…`). */
    readonly terminalId: string;
    /** When the session was created. */
    readonly createdAt: string;
    /** When the session reached its last status. */
    readonly updatedAt: string;
    /** When the current step of the session must have ended. */
    readonly expireAt: string;
    /** `Sale` takes a payment, `MatchedRefund` refunds one, `UnlinkedRefund` refunds without one. */
    readonly sessionType: "Sale" | "MatchedRefund" | "UnlinkedRefund";
    /** Id of the payment intent (`pi_…`); absent for an `UnlinkedRefund`. */
    readonly paymentIntentId?: string | undefined;
    /** The card; absent until the machine reports it. */
    readonly paymentDetails?: {
      /** Scheme of the card in capitals. */
      readonly cardScheme?: string | undefined;
      /** Twelve asterisks and the last four digits of the card. */
      readonly maskedPan?: string | undefined;
      /** Code of the approval; absent without one. */
      readonly authCode?: string | undefined;
    } | undefined;
  };
};

export type TerminalSessionSummary = {
  /** Id of the session (`ts_…`). */
  readonly id: string;
  /** Where the session is, as the operation that reads one explains. */
  readonly status: "InitiateRequested" | "Initiated" | "CancelRequested" | "SignatureVerificationRequired" | "SignatureVerificationAccepted" | "SignatureVerificationRejected" | "Authorized" | "Captured" | "Canceled" | "Declined" | "Expired";
  /** What the session was created for. */
  readonly sessionType: "Sale" | "MatchedRefund" | "UnlinkedRefund";
  /** Id of the payment intent (`pi_…`) that is paid or refunded; absent for an `UnlinkedRefund`. */
  readonly paymentIntentId?: string | undefined;
  /** What is paid or returned, with tip, cashback and service charge. */
  readonly amount: Money;
  /** When the session was created. */
  readonly createdAt: string;
  /** When the last status came. */
  readonly updatedAt: string;
};

export type TerminalSessionSummaryPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (TerminalSessionSummary)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type TestEvent = {
  /** The kind of event to send; the subscription must have it. */
  readonly event: "payment_intent.created" | "payment_intent.status_updated" | "payment_intent.send-receipt" | "terminal_session.created" | "terminal_session.status_updated" | "terminal_session.signature_verification_required" | "terminal_session.notification" | "payment_intent.amount_captured" | "payment_intent.amount_refunded" | "payment_intent.charge_failed" | "reservation.updated" | "party.updated";
};

export type Transaction = {
  /** Of a payment the `transactionId` of its details. */
  readonly id: string;
  /** Decimal digits, for reports that need a number. */
  readonly legacyId: string;
  /** Id of the payment intent (`pi_…`); absent for an unlinked refund. */
  readonly paymentIntentId?: string | undefined;
  /** Number of the merchant at the acquirer; absent when it was not known. */
  readonly merchantId?: string | undefined;
  /** Reference of the payment intent; absent for an unlinked refund. */
  readonly reference?: string | undefined;
  /** When the acquirer decided. */
  readonly dateTime: string;
  /** PreAuth: a hold. Collection: a capture of one. */
  readonly type?: "Sale" | "Refund" | "PreAuth" | "Collection" | undefined;
  /** A hold is AwaitingCollection until it is fully captured (Authorized), released in part (Released), over with nothing captured (Expired) or undone (Reversed). */
  readonly status?: "Authorized" | "Declined" | "Held" | "UnderReview" | "Reversed" | "AwaitingCollection" | "Released" | "Expired" | undefined;
  /** Without tip and cashback. */
  readonly amount: Money;
  /** Cash that was handed to the payer; 0 without any. */
  readonly cashbackAmount: Money;
  /** The tip within the transaction; 0 without one. */
  readonly tipsAmount: Money;
  /** The day on which the acquirer settled the capture or refund, by its calendar; absent until a settlement file names it. */
  readonly settledOn?: string | undefined;
  /** How the money was taken. */
  readonly paymentDetails: {
    /** The card, masked; absent when there was none. */
    readonly card?: {
      /** Asterisks and the last four digits. */
      readonly number: string;
      /** How the card is funded; absent when it is not known or is neither of the two. */
      readonly fundingType?: "Credit" | "Debit" | undefined;
      /** Absent if the scheme is not known. */
      readonly type?: "Visa" | "Mastercard" | "Maestro" | "Discover" | "Dci" | "Amex" | undefined;
    } | undefined;
    /** Code with which the issuer approved; absent when it did not. */
    readonly authCode?: string | undefined;
    /** True unless taken on a card machine. */
    readonly isRemote: boolean;
    /** How the payment was started; absent when it is not known. */
    readonly paymentProduct?: "TapToPayOnIPhone" | "ServicePocket" | "Terminal" | "OnlineCheckout" | "VirtualTerminal" | "PaymentLinks" | "ServiceBookings" | "PayByQr" | "Other" | undefined;
    /** How the card machine read the card; absent for remote payments. */
    readonly terminalEntryModeType?: "Chip" | "ContactLess" | "Swipe" | "Keyed" | "Unknown" | undefined;
    /** Id of the card machine (`tm_…`); absent for remote payments. */
    readonly terminalId?: string | undefined;
  };
};

export type TransactionPage = {
  /** The elements of this page, newest first; empty when nothing matches. */
  readonly data: readonly (Transaction)[];
  /** Cursor of the newer page; null when there is none. An empty page still has the cursor of the previous page. */
  readonly before: string | null;
  /** Cursor of the older page; null when there is none. */
  readonly after: string | null;
};

export type TransactionSearch = {
  /** Inclusive; null = seven days before the end. The span is at most seven days. */
  readonly startDate: string | null;
  /** Exclusive; null = now. */
  readonly endDate: string | null;
  /** All when not sent. */
  readonly statuses?: readonly ("Authorized" | "Declined" | "Held" | "UnderReview" | "Reversed" | "AwaitingCollection" | "Released" | "Expired")[] | undefined;
  /** Which page. */
  readonly cursor?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  } | undefined;
};

export type UncomparedDay = {
  /** The name of the acquirer. */
  readonly acquirer: string;
  /** The day of our calls to it, by the calendar of the account’s first location. */
  readonly day: string;
  /** `WaitingForSettlement`: not all of its settlement files have arrived. `BooksUnread`: its books could not be read. */
  readonly reason: "WaitingForSettlement" | "BooksUnread";
  /** Why the books could not be read. */
  readonly problem?: string | undefined;
  /** When the comparison was incomplete for the first time. */
  readonly since: string;
};

/** Deliveries are signed with the active one. */
export type WebhookSecret = {
  /** Id of the secret (`sc_…`), not the secret itself. */
  readonly id: string;
  /** The signing secret. Its UTF-8 bytes are the key of both signatures. */
  readonly value: string;
  /** The same secret as libraries of standard-webhooks read it: `whsec_` and its UTF-8 bytes in base64. Absent where the value is hidden. */
  readonly standardValue?: string | undefined;
  /** When the secret was created. */
  readonly createdAt: string;
  /** Whether attempts are signed with it. Exactly one secret of a subscription is active. */
  readonly isActive: boolean;
  /** When an attempt was signed with it last; absent before the first. */
  readonly lastUsedAt?: string | undefined;
};

export type WebhookSecrets = {
  /** The subscription. */
  readonly id: string;
  /** All signing secrets, the active one included. */
  readonly secrets: readonly (WebhookSecret)[];
};

/** The capabilities of the EPOS on the socket that it opens. */
export type WsIntegration = {
  /** What the EPOS can do. Nothing else is called. */
  readonly capabilities: readonly (EposCapability)[];
  /** When it was registered. */
  readonly createdAt: string;
};

/** Any webhook; `event` distinguishes them. */
export type WebhookEvent =
  | (PaymentIntentEvent & { readonly event: "payment_intent.created" })
  | (PaymentIntentEvent & { readonly event: "payment_intent.status_updated" })
  | (PaymentIntentEvent & { readonly event: "payment_intent.send-receipt" })
  | (TerminalSessionEvent & { readonly event: "terminal_session.created" })
  | (TerminalSessionEvent & { readonly event: "terminal_session.status_updated" })
  | (TerminalSessionEvent & { readonly event: "terminal_session.signature_verification_required" })
  | (TerminalSessionEvent & { readonly event: "terminal_session.notification" })
  | (PaymentAmountEvent & { readonly event: "payment_intent.amount_captured" })
  | (PaymentAmountEvent & { readonly event: "payment_intent.amount_refunded" })
  | (PaymentChargeEvent & { readonly event: "payment_intent.charge_failed" })
  | (BookingEvent & { readonly event: "reservation.updated" })
  | (BookingEvent & { readonly event: "party.updated" });
