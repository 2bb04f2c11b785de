// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

import type {
  Alarm,
  AlarmAnswer,
  AlarmPage,
  ApiKey,
  ApiKeyChange,
  Branding,
  BrandingChange,
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
  DiningTablePage,
  EposCallRecord,
  EposConnection,
  EposEvent,
  EposEventReplay,
  EposIntegrations,
  ErrorGroups,
  EventModel,
  GrpcIntegration,
  Health,
  LeaseRelease,
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
  ReceiptRequest,
  Reconciliation,
  ReconciliationDifference,
  ReconciliationDifferencePage,
  ReconciliationStart,
  Refund,
  Replay,
  Replayed,
  RequestActivityPage,
  Reservation,
  ReservationPage,
  RestIntegration,
  Reversal,
  Run,
  RunSummaryPage,
  SandboxEpos,
  SandboxMailPage,
  ServiceManagedIntegration,
  SetupIntent,
  SignatureDecision,
  Subscription,
  SubscriptionChange,
  TableLease,
  TableOperatorCallPage,
  Terminal,
  TerminalSession,
  TerminalSessionSummaryPage,
  TestEvent,
  TransactionPage,
  TransactionSearch,
  WebhookSecrets,
  WsIntegration,
} from './schemas.js';

/** The release that these types describe, and that a client asks for. */
export const NEWEST_RELEASE = '2026-02-27';

/** What each operation takes and answers. */
export interface OperationTypes {
  /** Report that the process runs. */
  readonly readLive: { readonly args: []; readonly returns: Health };
  /** Report that the process can serve. */
  readonly readReady: { readonly args: []; readonly returns: Health };
  /** Create a payment intent. */
  readonly createPaymentIntent: { readonly args: [body: NewPaymentIntent]; readonly returns: PaymentIntent };
  /** Read a payment intent. */
  readonly readPaymentIntent: { readonly args: [paymentIntentId: string, query?: {
    /** Also answer when the intent is Canceled. */
    readonly returnCanceled?: boolean | undefined;
  }]; readonly returns: PaymentIntent };
  /** Cancel an unpaid payment intent. */
  readonly cancelPaymentIntent: { readonly args: [paymentIntentId: string]; readonly returns: PaymentIntent };
  /** Search payment intents, newest first. */
  readonly searchPaymentIntents: { readonly args: [body: PaymentIntentSearch]; readonly returns: PaymentIntentPage };
  /** Replace the client secret of a payment intent. */
  readonly refreshClientSecret: { readonly args: [paymentIntentId: string]; readonly returns: PaymentIntent };
  /** Read what a payer may see of a payment intent. */
  readonly readPublicPaymentIntent: { readonly args: [paymentIntentId: string]; readonly returns: PublicPaymentIntent };
  /** Get a client secret for one page of a payer. */
  readonly refreshPublicClientSecret: { readonly args: [paymentIntentId: string]; readonly returns: PublicPaymentIntent };
  /** Change the amount of a payment intent. */
  readonly changeAmount: { readonly args: [paymentIntentId: string, body: NewAmount]; readonly returns: PaymentIntent };
  /** Change the tip of an unpaid payment intent. */
  readonly changeTips: { readonly args: [paymentIntentId: string, body: NewTips]; readonly returns: PaymentIntent };
  /** Capture all or part of a payment that is held. */
  readonly capturePaymentIntent: { readonly args: [paymentIntentId: string, body: NewCapture]; readonly returns: CaptureResult };
  /** Refund all or part of what was captured. */
  readonly refundPaymentIntent: { readonly args: [paymentIntentId: string, body: NewRefund]; readonly returns: Refund };
  /** Read a refund. */
  readonly readRefund: { readonly args: [refundId: string]; readonly returns: Refund };
  /** Undo a payment as a whole. */
  readonly reversePaymentIntent: { readonly args: [paymentIntentId: string]; readonly returns: Reversal };
  /** Charge the card of the setup intent that the payment names. */
  readonly chargePaymentIntent: { readonly args: [paymentIntentId: string]; readonly returns: ChargeResult };
  /** Read why a payment link has ended. */
  readonly readPaymentLink: { readonly args: [intentId: string]; readonly returns: PaymentLink };
  /** Choose a tip, by the payer. */
  readonly changePublicTips: { readonly args: [paymentIntentId: string, body: NewTips]; readonly returns: PublicPaymentIntent };
  /** Choose the amount, by the payer. */
  readonly changePublicAmount: { readonly args: [paymentIntentId: string, body: NewPublicAmount]; readonly returns: PublicPaymentIntent };
  /** Mail the customer’s copy of a payment’s receipt. */
  readonly sendReceipt: { readonly args: [paymentIntentId: string, body: ReceiptRequest]; readonly returns: undefined };
  /** Mail the receipt to the payer. */
  readonly sendPublicReceipt: { readonly args: [paymentIntentId: string, body: PublicReceiptRequest]; readonly returns: undefined };
  /** Create a setup intent. */
  readonly createSetupIntent: { readonly args: [body: NewSetupIntent]; readonly returns: SetupIntent };
  /** Read a setup intent. */
  readonly readSetupIntent: { readonly args: [setupIntentId: string]; readonly returns: SetupIntent };
  /** Give a setup intent up. */
  readonly cancelSetupIntent: { readonly args: [setupIntentId: string, query?: {
    /** Also when a card is authorised; without it that is a conflict. */
    readonly includeAuthorized?: boolean | undefined;
  }]; readonly returns: SetupIntent };
  /** Replace the client secret of a setup intent. */
  readonly refreshSetupSecret: { readonly args: [setupIntentId: string]; readonly returns: SetupIntent };
  /** Read what a payer may see of a setup intent. */
  readonly readPublicSetupIntent: { readonly args: [setupIntentId: string]; readonly returns: PublicSetupIntent };
  /** Get a client secret of a setup intent for one page of a payer. */
  readonly refreshPublicSetupSecret: { readonly args: [setupIntentId: string]; readonly returns: PublicSetupIntent };
  /** Create a customer. */
  readonly createCustomer: { readonly args: [body: NewCustomer]; readonly returns: Customer };
  /** Read one or several customers. */
  readonly readCustomers: { readonly args: [customerId: string]; readonly returns: readonly (Customer)[] };
  /** Change some members of a customer. */
  readonly changeCustomer: { readonly args: [customerId: string, body: CustomerChange]; readonly returns: Customer };
  /** Delete a customer. */
  readonly deleteCustomer: { readonly args: [customerId: string]; readonly returns: undefined };
  /** List the customers, newest first. */
  readonly searchCustomers: { readonly args: [body: CustomerSearch]; readonly returns: CustomerPage };
  /** Create a secret for the app of a customer. */
  readonly createCustomerSecret: { readonly args: [customerId: string]; readonly returns: CustomerSecret };
  /** List the saved cards of a customer, by the merchant. */
  readonly listSavedCards: { readonly args: [customerId: string]; readonly returns: PaymentMethods };
  /** Delete a saved card of a customer, by the merchant. */
  readonly deleteSavedCard: { readonly args: [customerId: string, paymentMethodId: string]; readonly returns: undefined };
  /** List the saved cards of a customer. */
  readonly readPaymentMethods: { readonly args: [customerId: string]; readonly returns: PaymentMethods };
  /** Delete a saved card of a customer. */
  readonly deletePaymentMethod: { readonly args: [customerId: string, paymentMethodId: string]; readonly returns: undefined };
  /** List the saved cards that a payer may choose from. */
  readonly readOfferedCards: { readonly args: [paymentIntentId: string]; readonly returns: OfferedCards };
  /** List the card machines, by TID. */
  readonly listTerminals: { readonly args: [query?: {
    /** Only these; repeated or separated by commas. All when not sent. */
    readonly statuses?: readonly ("Available" | "Offline" | "InUse")[] | undefined;
  }]; readonly returns: readonly (Terminal)[] };
  /** Read a card machine. */
  readonly readTerminal: { readonly args: [terminalId: string]; readonly returns: Terminal };
  /** List the sessions of a card machine, newest first. */
  readonly listTerminalSessions: { readonly args: [terminalId: string, query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: TerminalSessionSummaryPage };
  /** Let another machine serve a TID. */
  readonly resetTerminalMachine: { readonly args: [terminalId: string, body: MachineReset]; readonly returns: Terminal };
  /** Start a payment or a refund on a card machine. */
  readonly createTerminalSession: { readonly args: [body: NewTerminalSession]; readonly returns: TerminalSession };
  /** Read a session of a card machine. */
  readonly readTerminalSession: { readonly args: [terminalSessionId: string]; readonly returns: TerminalSession };
  /** Ask the card machine to stop. */
  readonly cancelTerminalSession: { readonly args: [terminalSessionId: string]; readonly returns: TerminalSession };
  /** Accept or reject the cardholder's signature. */
  readonly decideSignature: { readonly args: [terminalSessionId: string, body: SignatureDecision]; readonly returns: TerminalSession };
  /** Search transactions, newest first. */
  readonly searchTransactions: { readonly args: [body: TransactionSearch]; readonly returns: TransactionPage };
  /** List the kinds of events that can be subscribed to. */
  readonly listEventKinds: { readonly args: [query?: {
    /** True: also list the kinds that are additions to the catalogue. */
    readonly optIn?: boolean | undefined;
  }]; readonly returns: readonly (EventModel)[] };
  /** Subscribe to kinds of events. */
  readonly createSubscription: { readonly args: [body: NewSubscription]; readonly returns: Subscription };
  /** List the subscriptions. */
  readonly listSubscriptions: { readonly args: []; readonly returns: readonly (Subscription)[] };
  /** Read a subscription. */
  readonly readSubscription: { readonly args: [subscriptionId: string]; readonly returns: Subscription };
  /** Change or pause a subscription. */
  readonly changeSubscription: { readonly args: [subscriptionId: string, body: SubscriptionChange]; readonly returns: Subscription };
  /** Delete a subscription. */
  readonly deleteSubscription: { readonly args: [subscriptionId: string]; readonly returns: undefined };
  /** List the signing secrets of a subscription. */
  readonly listSecrets: { readonly args: [subscriptionId: string]; readonly returns: WebhookSecrets };
  /** Add an inactive signing secret to a subscription. */
  readonly createSecret: { readonly args: [subscriptionId: string]; readonly returns: WebhookSecrets };
  /** Have a secret sign from the next attempt on. */
  readonly activateSecret: { readonly args: [subscriptionId: string, secretId: string]; readonly returns: undefined };
  /** Delete a signing secret that is not active. */
  readonly deleteSecret: { readonly args: [subscriptionId: string, secretId: string]; readonly returns: undefined };
  /** List the deliveries of a subscription, newest first. */
  readonly listDeliveries: { readonly args: [subscriptionId: string, query?: {
    /** Only deliveries in this state; all when not sent. */
    readonly state?: "Pending" | "Held" | "Delivered" | "DeadLettered" | undefined;
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: DeliveryPage };
  /** Read a delivery with its body, its attempts and the answers of the receiver. */
  readonly readDelivery: { readonly args: [subscriptionId: string, deliveryId: string]; readonly returns: DeliveryDetails };
  /** Send a dead letter again. */
  readonly replayDelivery: { readonly args: [subscriptionId: string, deliveryId: string]; readonly returns: Delivery };
  /** Send a range of events again. */
  readonly replayEvents: { readonly args: [subscriptionId: string, body: Replay]; readonly returns: Replayed };
  /** Send a test event to a subscription of a sandbox. */
  readonly sendTestEvent: { readonly args: [subscriptionId: string, body: TestEvent]; readonly returns: Delivery };
  /** Create a short-lived link to a page with the deliveries of a subscription. */
  readonly createDeliveryLink: { readonly args: [subscriptionId: string, body: NewDeliveryLink]; readonly returns: DeliveryLink };
  /** List the payments whose outcome is open. */
  readonly listPendingPayments: { readonly args: []; readonly returns: readonly (PendingPayment)[] };
  /** Decide about a payment whose outcome is open. */
  readonly resolvePendingPayment: { readonly args: [paymentId: string, body: PendingResolution]; readonly returns: PendingPayment };
  /** List the sessions that devices hold. */
  readonly listTableLeases: { readonly args: []; readonly returns: readonly (TableLease)[] };
  /** End the lease of a device on a session. */
  readonly releaseTableLease: { readonly args: [leaseId: string, body: LeaseRelease]; readonly returns: TableLease };
  /** List what operators have decided, newest first. */
  readonly listTableOperatorCalls: { readonly args: [query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: TableOperatorCallPage };
  /** Send the EPOS again what it has missed. */
  readonly replayEposEvents: { readonly args: [body: EposEventReplay]; readonly returns: Replayed };
  /** Read how far the checks of the books have come. */
  readonly readReconciliation: { readonly args: []; readonly returns: Reconciliation };
  /** Have the books of a span checked now. */
  readonly startReconciliation: { readonly args: [body: ReconciliationStart]; readonly returns: Reconciliation };
  /** List how our books and the acquirer’s differ, newest first. */
  readonly listReconciliationDifferences: { readonly args: [query?: {
    /** All when not sent. */
    readonly state?: "Open" | "Answered" | "Closed" | undefined;
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: ReconciliationDifferencePage };
  /** Mark a difference as checked. */
  readonly answerReconciliationDifference: { readonly args: [differenceId: string, body: DifferenceAnswer]; readonly returns: ReconciliationDifference };
  /** List what an operator has to look at, newest first. */
  readonly listAlarms: { readonly args: [query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
    /** Only answered or only unanswered alarms; all when not sent. */
    readonly state?: "Unanswered" | "Answered" | undefined;
  }]; readonly returns: AlarmPage };
  /** Answer an alarm. */
  readonly answerAlarm: { readonly args: [alarmId: string, body: AlarmAnswer]; readonly returns: Alarm };
  /** List everything that happened to a payment, newest first. */
  readonly listPaymentActivities: { readonly args: [paymentIntentId: string, query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: PaymentActivityPage };
  /** List the requests of the account, newest first. */
  readonly listRequests: { readonly args: [query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
    /** The `operationId`. */
    readonly operation?: string | undefined;
    /** Only requests with this outcome; all when not sent. */
    readonly outcome?: "Succeeded" | "Refused" | "Failed" | undefined;
    /** Only requests that were answered with this HTTP status. */
    readonly status?: number | undefined;
    /** Only requests with this API key (`key_…`). */
    readonly keyId?: string | undefined;
    /** The second part of the header `trace-id` of an answer. */
    readonly traceId?: string | undefined;
    /** Inclusive. */
    readonly from?: string | undefined;
    /** Exclusive. */
    readonly to?: string | undefined;
  }]; readonly returns: RequestActivityPage };
  /** Count the unsuccessful requests of a period by operation, status and reason. */
  readonly groupErrors: { readonly args: [query?: {
    /** Inclusive; a day before the end when not sent. */
    readonly from?: string | undefined;
    /** Exclusive; now when not sent. */
    readonly to?: string | undefined;
  }]; readonly returns: ErrorGroups };
  /** List how the EPOS is reached and what it can do. */
  readonly listEposIntegrations: { readonly args: []; readonly returns: EposIntegrations };
  /** Read what is registered of the EPOS over REST. */
  readonly readRestIntegration: { readonly args: []; readonly returns: readonly (RestIntegration)[] };
  /** Register the EPOS at an address that is called. */
  readonly putRestIntegration: { readonly args: [body: NewRestIntegration]; readonly returns: readonly (RestIntegration)[] };
  /** Forget the EPOS over REST and its credentials. */
  readonly deleteRestIntegration: { readonly args: []; readonly returns: undefined };
  /** Read what is registered of the EPOS over a WebSocket. */
  readonly readWsIntegration: { readonly args: []; readonly returns: readonly (WsIntegration)[] };
  /** Register the capabilities of the EPOS on the socket that it opens. */
  readonly putWsIntegration: { readonly args: [body: NewWsIntegration]; readonly returns: readonly (WsIntegration)[] };
  /** Forget the EPOS over a WebSocket. */
  readonly deleteWsIntegration: { readonly args: []; readonly returns: undefined };
  /** Read what the operator of the service has set up. */
  readonly readServiceManagedIntegrations: { readonly args: []; readonly returns: readonly (ServiceManagedIntegration)[] };
  /** Read where the EPOS serves the pay-at-table contract over gRPC. */
  readonly readGrpcIntegration: { readonly args: []; readonly returns: readonly (GrpcIntegration)[] };
  /** Register the EPOS at a gRPC address that is dialled. */
  readonly putGrpcIntegration: { readonly args: [body: NewGrpcIntegration]; readonly returns: readonly (GrpcIntegration)[] };
  /** Forget the EPOS over gRPC and its credentials. */
  readonly deleteGrpcIntegration: { readonly args: []; readonly returns: undefined };
  /** Report that an order, a party or a reservation has changed at the EPOS. */
  readonly reportEposEvent: { readonly args: [body: NewEposEvent]; readonly returns: EposEvent };
  /** List the connections that the EPOS has open now, newest first. */
  readonly listEposConnections: { readonly args: []; readonly returns: readonly (EposConnection)[] };
  /** List the last calls to the EPOS, newest first. */
  readonly listEposCalls: { readonly args: [query?: {
    /** How many calls are listed at most. */
    readonly limit?: number | undefined;
  }]; readonly returns: readonly (EposCallRecord)[] };
  /** List the runs of the EPOS tester, newest first. */
  readonly listTesterRuns: { readonly args: [query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: RunSummaryPage };
  /** Read a run of the EPOS tester with its steps. */
  readonly readTesterRun: { readonly args: [runId: string]; readonly returns: Run };
  /** Submit an order that is paid before the EPOS has it. */
  readonly submitOrder: { readonly args: [body: NewOrderPlacement]; readonly returns: OrderPlacement };
  /** List the orders that were submitted with their payment, newest first. */
  readonly listOrderPlacements: { readonly args: [query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: OrderPlacementPage };
  /** Read the state of an order that was submitted with its payment. */
  readonly getOrderPlacement: { readonly args: [placementId: string]; readonly returns: OrderPlacement };
  /** List reservations. */
  readonly listReservations: { readonly args: [query?: {
    /** Only reservations of this table. */
    readonly tableId?: string | undefined;
    /** Only reservations that end after this time. */
    readonly from?: string | undefined;
    /** Only reservations that begin before this time. */
    readonly to?: string | undefined;
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: ReservationPage };
  /** Read a reservation. */
  readonly getReservation: { readonly args: [reservationId: string]; readonly returns: Reservation };
  /** Create a reservation. */
  readonly createReservation: { readonly args: [body: NewReservation]; readonly returns: Reservation };
  /** Change a reservation. */
  readonly updateReservation: { readonly args: [reservationId: string, body: NewReservation]; readonly returns: Reservation };
  /** Cancel a reservation. */
  readonly deleteReservation: { readonly args: [reservationId: string]; readonly returns: undefined };
  /** List the parties at the tables. */
  readonly listParties: { readonly args: [query?: {
    /** Only the party at this table. */
    readonly tableId?: string | undefined;
    /** `true`: only parties that have left. `false`: only parties that are there. */
    readonly completedOnly?: boolean | undefined;
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: PartyPage };
  /** Read a party. */
  readonly getParty: { readonly args: [partyId: string]; readonly returns: Party };
  /** Create a party. */
  readonly createParty: { readonly args: [body: NewParty]; readonly returns: Party };
  /** Change a party. */
  readonly updateParty: { readonly args: [partyId: string, body: PartyChange]; readonly returns: Party };
  /** Delete a party. */
  readonly deleteParty: { readonly args: [partyId: string]; readonly returns: undefined };
  /** List the areas of the restaurant. */
  readonly listAreas: { readonly args: []; readonly returns: readonly (DiningArea)[] };
  /** List the tables of the restaurant. */
  readonly listTables: { readonly args: [query?: {
    /** Only tables of this area. */
    readonly areaId?: string | undefined;
    /** Only tables of this waiter. */
    readonly waiterId?: string | undefined;
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: DiningTablePage };
  /** Create an API key of the same account and environment. */
  readonly createApiKey: { readonly args: [body: NewApiKey]; readonly returns: MadeApiKey };
  /** List the API keys that work, newest first. */
  readonly listApiKeys: { readonly args: []; readonly returns: readonly (ApiKey)[] };
  /** Make an API key strict, or lenient. */
  readonly changeApiKey: { readonly args: [keyId: string, body: ApiKeyChange]; readonly returns: ApiKey };
  /** Delete an API key for good. */
  readonly deleteApiKey: { readonly args: [keyId: string]; readonly returns: undefined };
  /** Read the look of the payment page. */
  readonly getBranding: { readonly args: []; readonly returns: Branding };
  /** Change the look of the payment page. */
  readonly changeBranding: { readonly args: [body: BrandingChange]; readonly returns: Branding };
  /** Move the time of this sandbox account forward. */
  readonly advanceClock: { readonly args: [body: ClockAdvance]; readonly returns: Clock };
  /** Read whether the EPOS of the sandbox serves this account. */
  readonly readSandboxEpos: { readonly args: []; readonly returns: SandboxEpos };
  /** Say whether the EPOS of the sandbox serves this account. */
  readonly putSandboxEpos: { readonly args: [body: NewSandboxEpos]; readonly returns: SandboxEpos };
  /** List the mails that this sandbox account would have sent, newest first. */
  readonly readMailbox: { readonly args: [query?: {
    /** How many elements the page has at most. */
    readonly limit?: number | undefined;
    /** The cursor `before` of an earlier page: returns the newer elements. Cannot be sent together with `after`. */
    readonly before?: string | undefined;
    /** The cursor `after` of an earlier page: returns the older elements. Cannot be sent together with `before`. */
    readonly after?: string | undefined;
  }]; readonly returns: SandboxMailPage };
}
