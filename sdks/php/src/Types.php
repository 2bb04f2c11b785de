<?php

// Generated from the contract of the API; UPDATE_GOLDEN=1 and the test of the generator rewrite it.

declare(strict_types=1);

namespace Pos;

/**
 * The objects of the API are arrays of these forms. An absent member is left out; null is sent as null.
 *
 * @phpstan-type ActionLink array{
 *     url: string,
 *     label: string,
 *     fileName?: string,
 *     action: 'OpenLink'|'DownloadFile',
 * }
 * @phpstan-type Address array{
 *     address1?: string,
 *     address2?: string,
 *     address3?: string,
 *     address4?: string,
 *     city?: string,
 *     state?: string,
 *     locality?: string,
 *     county?: string,
 *     postcode?: string,
 *     countryCode: string,
 * }
 * @phpstan-type Alarm array{
 *     alarmId: string,
 *     kind: 'AcquirerCallOpen'|'AcquirerAccessRefused'|'AcquirerAnswerContradicted'|'MoneyNotReturned'|'AuthorisationUntraceable'|'MachineApprovalNotBooked'|'MachineApprovalDiffers'|'MachineApprovalIncomplete'|'MachineApprovalUnreadable'|'MachineContradictsApproval'|'MachineReportsMissing'|'RefundToOtherCard'|'RecordNotProved'|'SettlementOverdue'|'AcquirerBooksUnread',
 *     subject: string,
 *     message: string,
 *     details: array<string, mixed>,
 *     createdAt: string,
 *     state: 'Unanswered'|'Answered',
 *     answer?: AlarmAnswerObject,
 * }
 * @phpstan-type AlarmAnswer array{
 *     note: string,
 * }
 * @phpstan-type AlarmAnswerObject array{
 *     note: string,
 *     keyId: string,
 *     answeredAt: string,
 * }
 * @phpstan-type AlarmPage array{
 *     data: list<Alarm>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type ApiKey array{
 *     id: string,
 *     accountId: string,
 *     environment: 'sandbox'|'production',
 *     label: string,
 *     permissions: list<'payments.read'|'payments.write'|'payments.online'|'payments.capture'|'payments.refund'|'payments.charge'|'setup.read'|'setup.write'|'setup.card'|'customers.read'|'customers.write'|'webhooks.read'|'webhooks.write'|'terminals.read'|'terminals.sessions'|'transactions.read'|'epos.read'|'epos.write'|'epos.connect'|'tables.use'|'tables.operate'|'machines.connect'|'tester.run'|'activities.read'|'bookings.read'|'bookings.write'|'branding.read'|'branding.write'>,
 *     strict: bool,
 *     prefix: string,
 *     last4: string,
 *     createdAt: string,
 *     lastUsedAt?: string,
 * }
 * @phpstan-type ApiKeyChange array{
 *     strict: bool,
 * }
 * @phpstan-type BookingEvent array{
 *     id: string,
 *     accountId: string,
 *     createdAt: string,
 *     event: 'reservation.updated'|'party.updated',
 *     data: BookingEventData,
 * }
 * @phpstan-type BookingEventData array{
 *     reservationId?: string,
 *     partyId?: string,
 * }
 * @phpstan-type Branding array{
 *     logoUrl: string|null,
 *     faviconUrl: string|null,
 *     accentColor: string|null,
 *     font: 'sans'|'humanist'|'geometric'|'rounded'|'serif'|null,
 *     colors: BrandingColors|null,
 * }
 * @phpstan-type BrandingChange array{
 *     logoUrl?: string|null,
 *     faviconUrl?: string|null,
 *     accentColor?: string|null,
 *     font?: 'sans'|'humanist'|'geometric'|'rounded'|'serif'|null,
 * }
 * @phpstan-type BrandingColors array{
 *     button: ColorPair,
 *     lightLink: ColorPair,
 *     darkLink: ColorPair,
 * }
 * @phpstan-type CancelSetupIntentQuery array{
 *     includeAuthorized?: bool,
 * }
 * @phpstan-type Capture array{
 *     id: string,
 *     amount: int,
 *     tipsAmount: int,
 *     status: 'Created'|'Successful'|'Declined'|'Failed',
 *     createdAt: string,
 * }
 * @phpstan-type CaptureResult array{
 *     captureId: string,
 *     message: 'DEPOSITED',
 * }
 * @phpstan-type Card array{
 *     cardNumber: string,
 *     last4PAN: string,
 *     cardName?: string,
 *     expiryDate?: string,
 *     cardType: string,
 *     cardFundingType: 'Unknown'|'Debit'|'Credit'|'Charge'|'Prepaid',
 *     entryMode: 'Contactless'|'ContactChip'|'Magstripe'|'ManualEntry'|'Unknown',
 *     verificationMethod: 'Pin'|'Signature'|'Device'|'None',
 * }
 * @phpstan-type ChargeResult array{
 *     paymentIntentId: string,
 *     status: 'Successful'|'Declined'|'Failed'|'Created',
 *     message: string,
 * }
 * @phpstan-type CheckoutConfig array{
 *     title?: string,
 *     redirectUrl?: string,
 *     cancelUrl?: string,
 *     customerEmail: CheckoutConfigCustomerEmail,
 *     billingAddress: CheckoutConfigBillingAddress,
 *     shippingDetails: CheckoutConfigShippingDetails,
 *     details: CheckoutConfigDetails,
 *     payment: CheckoutConfigPayment,
 *     branding: CheckoutConfigBranding,
 *     tradingName: string,
 * }
 * @phpstan-type CheckoutConfigBillingAddress array{
 *     collectionRequired: bool,
 * }
 * @phpstan-type CheckoutConfigBranding array{
 *     logoUrl?: string,
 *     faviconUrl?: string,
 *     accentColor?: string,
 *     font?: 'sans'|'humanist'|'geometric'|'rounded'|'serif',
 * }
 * @phpstan-type CheckoutConfigCustomerEmail array{
 *     collectionRequired: bool,
 * }
 * @phpstan-type CheckoutConfigDetails array{
 *     showTotal: bool,
 *     showReference: bool,
 * }
 * @phpstan-type CheckoutConfigPayment array{
 *     customAmountAllowed: bool,
 *     tipsAllowed: bool,
 *     holdRaiseAllowed: bool,
 * }
 * @phpstan-type CheckoutConfigShippingDetails array{
 *     collectionRequired: bool,
 * }
 * @phpstan-type Clock array{
 *     now: string,
 * }
 * @phpstan-type ClockAdvance array{
 *     by: string,
 * }
 * @phpstan-type ColorPair array{
 *     background: string,
 *     text: string,
 *     contrast: float|int,
 * }
 * @phpstan-type Customer array{
 *     id: string,
 *     name?: string,
 *     emailAddress?: string,
 *     phoneNumber?: string,
 *     vatNumber?: string,
 *     billingAddress?: Address,
 *     shippingAddress?: Address,
 *     createdAt: string,
 *     updatedAt: string,
 *     documentVersion: int,
 * }
 * @phpstan-type CustomerChange array{
 *     name?: string|null,
 *     emailAddress?: string|null,
 *     phoneNumber?: string|null,
 *     vatNumber?: string|null,
 *     billingAddress?: Address|null,
 *     shippingAddress?: Address|null,
 * }
 * @phpstan-type CustomerPage array{
 *     data: list<Customer>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type CustomerSearch array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 *     name?: string,
 *     emailAddress?: string,
 * }
 * @phpstan-type CustomerSecret array{
 *     secret: string,
 *     createdAt: string,
 *     expireAt: string,
 * }
 * @phpstan-type Delivery array{
 *     id: string,
 *     eventId: string,
 *     event: 'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated',
 *     state: 'Pending'|'Held'|'Delivered'|'DeadLettered',
 *     attempts: int,
 *     nextAttemptAt?: string,
 *     lastStatus?: int,
 *     lastError?: string,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 * @phpstan-type DeliveryAttempt array{
 *     number: int,
 *     at: string,
 *     outcome: 'Succeeded'|'Refused'|'Failed',
 *     status?: int,
 *     error?: string,
 *     tookMs: int,
 *     traceId: string,
 *     answer?: string,
 * }
 * @phpstan-type DeliveryDetails array{
 *     id: string,
 *     eventId: string,
 *     event: 'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated',
 *     state: 'Pending'|'Held'|'Delivered'|'DeadLettered',
 *     attempts: int,
 *     nextAttemptAt?: string,
 *     lastStatus?: int,
 *     lastError?: string,
 *     createdAt: string,
 *     updatedAt: string,
 *     body: mixed,
 *     history: list<DeliveryAttempt>,
 * }
 * @phpstan-type DeliveryLink array{
 *     path: string,
 *     expiresAt: string,
 * }
 * @phpstan-type DeliveryPage array{
 *     data: list<Delivery>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type DifferenceAnswer array{
 *     note: string,
 * }
 * @phpstan-type DiningArea array{
 *     id: string,
 *     name: string,
 *     waiterIds?: list<string>,
 * }
 * @phpstan-type DiningTable array{
 *     id: string,
 *     name: string,
 *     maxCovers?: int,
 *     areaId?: string,
 *     waiterIds?: list<string>,
 * }
 * @phpstan-type DiningTablePage array{
 *     data: list<DiningTable>,
 *     before: string|null,
 *     after: string|null,
 *     unreadableCount?: int,
 * }
 * @phpstan-type EposAuth array{
 *     authType: 'basic',
 *     basic: EposAuthBasic,
 * }
 * @phpstan-type EposAuthBasic array{
 *     username: string,
 * }
 * @phpstan-type EposCallRecord array{
 *     id: string,
 *     name: string,
 *     at: string,
 *     outcome: 'Succeeded'|'Refused'|'Failed',
 *     tookMs: int,
 *     traceId: string,
 *     transport?: string,
 *     status?: int,
 *     reason?: string,
 *     subjectId?: string,
 *     unreadableMembers?: list<EposUnreadableMember>,
 * }
 * @phpstan-type EposCapability array{
 *     name: 'ListAreas'|'SearchTables'|'CreateOrder'|'GetOrderById'|'CancelOrderById'|'SearchOrders'|'CreateOrderLock'|'ExtendOrderLock'|'DeleteOrderLock'|'GetOrderBillById'|'RecordOrderPaymentById'|'CreateParty'|'GetPartyById'|'UpdateParty'|'DeletePartyById'|'SearchParties'|'CreateReservation'|'GetReservationById'|'UpdateReservation'|'DeleteReservationById'|'SearchReservations'|'HandleEvent:payment_intent.created'|'HandleEvent:payment_intent.status_updated'|'GetOrderBill'|'RecordOrderPayment'|'UpdatePartyById'|'UpdateReservationById',
 *     version: 'v1'|'1.0.0',
 *     updatedAt: string,
 * }
 * @phpstan-type EposConnection array{
 *     transport: 'stream'|'socket'|'dataSocket',
 *     openedAt: string,
 *     seenAt: string,
 * }
 * @phpstan-type EposCustomer array{
 *     id?: string,
 *     emailAddress?: string,
 *     phoneNumber?: string,
 *     name?: string,
 * }
 * @phpstan-type EposDiscount array{
 *     name: string,
 *     amountTotal: EposMoney,
 *     amountPercentage?: int,
 *     affectedPlu?: list<string>,
 *     discountReference?: string,
 *     code?: string,
 * }
 * @phpstan-type EposEvent array{
 *     eventType: 'OrderUpdated'|'PartyUpdated'|'ReservationUpdated',
 *     event: EposEventEvent,
 * }
 * @phpstan-type EposEventEvent array{
 *     orderId?: string,
 *     partyId?: string,
 *     reservationId?: string,
 * }
 * @phpstan-type EposEventReplay array{
 *     from?: string,
 *     to?: string,
 *     note: string,
 * }
 * @phpstan-type EposIntegrations array{
 *     restIntegrations: list<RestIntegration>,
 *     wsIntegrations: list<WsIntegration>,
 *     serviceManagedIntegrations: list<ServiceManagedIntegration>,
 *     grpcIntegrations: list<GrpcIntegration>,
 * }
 * @phpstan-type EposItem array{
 *     name: string,
 *     quantity: int,
 *     plu: string,
 *     amountPerItem: EposMoney,
 *     note?: string,
 *     modifiers?: list<EposModifier>,
 *     subItems?: list<EposItemSubItem>,
 * }
 * @phpstan-type EposItemSubItem array{
 *     name: string,
 *     quantity: int,
 *     plu: string,
 *     amountPerItem: EposMoney,
 *     note?: string,
 *     modifiers?: list<EposModifier>,
 * }
 * @phpstan-type EposModifier array{
 *     name: string,
 *     quantity: int,
 *     plu: string,
 *     amountPerItem: EposMoney,
 * }
 * @phpstan-type EposMoney array{
 *     value: int,
 *     currencyCode: string,
 * }
 * @phpstan-type EposOrderDetails array{
 *     orderType: 'DineIn'|'Collection',
 *     dineIn?: EposOrderDetailsDineIn,
 *     collection?: EposOrderDetailsCollection,
 * }
 * @phpstan-type EposOrderDetailsCollection array{
 *     asap?: bool,
 *     collectAt?: string,
 * }
 * @phpstan-type EposOrderDetailsDineIn array{
 *     tableId?: string,
 *     waiterId?: string,
 *     partyId?: string,
 *     reservationId?: string,
 *     readyAt?: string,
 * }
 * @phpstan-type EposTaxLine array{
 *     amountTotal: EposMoney,
 *     id?: string,
 *     name?: string,
 *     amountPercentage?: int,
 *     affectedPlu?: list<string>,
 * }
 * @phpstan-type EposUnreadableMember array{
 *     element: string,
 *     member: string,
 *     clause: string,
 *     problem: string,
 *     skipped: bool,
 * }
 * @phpstan-type ErrorGroups array{
 *     data: list<ErrorGroupsData>,
 *     isComplete: bool,
 * }
 * @phpstan-type ErrorGroupsData array{
 *     name: string,
 *     status?: int,
 *     reason?: string,
 *     count: int,
 *     lastAt: string,
 *     lastTraceId: string,
 * }
 * @phpstan-type EventModel array{
 *     model: 'PaymentIntent'|'TerminalSession'|'Booking',
 *     events: list<'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated'>,
 * }
 * @phpstan-type GroupErrorsQuery array{
 *     from?: string,
 *     to?: string,
 * }
 * @phpstan-type GrpcIntegration array{
 *     url: string,
 *     auth: EposAuth,
 *     createdAt: string,
 * }
 * @phpstan-type Health array{
 *     status: 'ok',
 *     release: string,
 * }
 * @phpstan-type IntentCustomer array{
 *     customerId?: string,
 *     id?: string,
 *     emailAddress?: string,
 *     phoneNumber?: string,
 * }
 * @phpstan-type ItemLine array{
 *     id?: string,
 *     caption?: string,
 *     category?: string,
 *     plu?: string,
 *     name?: string,
 *     quantity: int,
 *     amountTotal: Money,
 *     modifiers: list<Modifier>,
 * }
 * @phpstan-type LeaseRelease array{
 *     reason: string,
 *     confirm?: bool,
 * }
 * @phpstan-type ListAlarmsQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 *     state?: 'Unanswered'|'Answered',
 * }
 * @phpstan-type ListDeliveriesQuery array{
 *     state?: 'Pending'|'Held'|'Delivered'|'DeadLettered',
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListEposCallsQuery array{
 *     limit?: int,
 * }
 * @phpstan-type ListEventKindsQuery array{
 *     optIn?: bool,
 * }
 * @phpstan-type ListOrderPlacementsQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListPartiesQuery array{
 *     tableId?: string,
 *     completedOnly?: bool,
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListPaymentActivitiesQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListReconciliationDifferencesQuery array{
 *     state?: 'Open'|'Answered'|'Closed',
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListRequestsQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 *     operation?: string,
 *     outcome?: 'Succeeded'|'Refused'|'Failed',
 *     status?: int,
 *     keyId?: string,
 *     traceId?: string,
 *     from?: string,
 *     to?: string,
 * }
 * @phpstan-type ListReservationsQuery array{
 *     tableId?: string,
 *     from?: string,
 *     to?: string,
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListTableOperatorCallsQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListTablesQuery array{
 *     areaId?: string,
 *     waiterId?: string,
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListTerminalSessionsQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ListTerminalsQuery array{
 *     statuses?: list<'Available'|'Offline'|'InUse'>,
 * }
 * @phpstan-type ListTesterRunsQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type MachineReset array{
 *     note: string,
 * }
 * @phpstan-type MadeApiKey array{
 *     id: string,
 *     accountId: string,
 *     environment: 'sandbox'|'production',
 *     label: string,
 *     permissions: list<'payments.read'|'payments.write'|'payments.online'|'payments.capture'|'payments.refund'|'payments.charge'|'setup.read'|'setup.write'|'setup.card'|'customers.read'|'customers.write'|'webhooks.read'|'webhooks.write'|'terminals.read'|'terminals.sessions'|'transactions.read'|'epos.read'|'epos.write'|'epos.connect'|'tables.use'|'tables.operate'|'machines.connect'|'tester.run'|'activities.read'|'bookings.read'|'bookings.write'|'branding.read'|'branding.write'>,
 *     strict: bool,
 *     prefix: string,
 *     last4: string,
 *     createdAt: string,
 *     lastUsedAt?: string,
 *     key?: string,
 * }
 * @phpstan-type MerchantConfig array{
 *     supportedPaymentMethods: MerchantConfigSupportedPaymentMethods,
 * }
 * @phpstan-type MerchantConfigSupportedPaymentMethods array{
 *     cardSchemes: list<'VISA'|'MASTERCARD'|'MAESTRO'|'DISCOVER'|'DCI'|'AMEX'>,
 *     wallets: list<'APPLE_PAY'|'GOOGLE_PAY'>,
 * }
 * @phpstan-type Modifier array{
 *     id: string,
 *     name: string,
 *     quantity: int,
 *     amountPerModifier: Money,
 * }
 * @phpstan-type Money array{
 *     value: int,
 *     currencyCode: string,
 * }
 * @phpstan-type NewActionLink array{
 *     url: string,
 *     label: string,
 *     fileName?: string,
 *     action?: 'OpenLink'|'DownloadFile',
 * }
 * @phpstan-type NewAmount array{
 *     amount: PayableAmount,
 *     itemLines?: list<NewItemLine>,
 *     taxLines?: list<NewTaxLine>,
 * }
 * @phpstan-type NewApiKey array{
 *     label: string,
 *     permissions?: list<'payments.read'|'payments.write'|'payments.online'|'payments.capture'|'payments.refund'|'payments.charge'|'setup.read'|'setup.write'|'setup.card'|'customers.read'|'customers.write'|'webhooks.read'|'webhooks.write'|'terminals.read'|'terminals.sessions'|'transactions.read'|'epos.read'|'epos.write'|'epos.connect'|'tables.use'|'tables.operate'|'machines.connect'|'tester.run'|'activities.read'|'bookings.read'|'bookings.write'|'branding.read'|'branding.write'>,
 *     strict?: bool,
 *     role?: 'full'|'read-only'|'terminal-only'|'webhooks-only'|'epos-only'|'gateway'|'machines-only'|'pci',
 * }
 * @phpstan-type NewCapture array{
 *     amount: int,
 *     tipsAmount?: int,
 * }
 * @phpstan-type NewCheckoutConfig array{
 *     title?: string,
 *     redirectUrl?: string,
 *     cancelUrl?: string,
 *     customerEmail?: NewCheckoutConfigCustomerEmail,
 *     billingAddress?: NewCheckoutConfigBillingAddress,
 *     shippingDetails?: NewCheckoutConfigShippingDetails,
 *     details?: NewCheckoutConfigDetails,
 *     payment?: NewCheckoutConfigPayment,
 * }
 * @phpstan-type NewCheckoutConfigBillingAddress array{
 *     collectionRequired?: bool,
 * }
 * @phpstan-type NewCheckoutConfigCustomerEmail array{
 *     collectionRequired?: bool,
 * }
 * @phpstan-type NewCheckoutConfigDetails array{
 *     showTotal?: bool,
 *     showReference?: bool,
 * }
 * @phpstan-type NewCheckoutConfigPayment array{
 *     customAmountAllowed?: bool,
 *     tipsAllowed?: bool,
 *     holdRaiseAllowed?: bool,
 * }
 * @phpstan-type NewCheckoutConfigShippingDetails array{
 *     collectionRequired?: bool,
 * }
 * @phpstan-type NewCustomer array{
 *     name?: string,
 *     emailAddress?: string,
 *     phoneNumber?: string,
 *     vatNumber?: string,
 *     billingAddress?: Address,
 *     shippingAddress?: Address,
 * }
 * @phpstan-type NewDeliveryLink array{
 *     paymentIntentId?: string,
 *     frameAncestors?: list<string>,
 *     expiresIn?: string,
 * }
 * @phpstan-type NewEposAuth array{
 *     authType: 'basic',
 *     basic: NewEposAuthBasic,
 * }
 * @phpstan-type NewEposAuthBasic array{
 *     username: string,
 *     password: string,
 * }
 * @phpstan-type NewEposCapability array{
 *     name: 'ListAreas'|'SearchTables'|'CreateOrder'|'GetOrderById'|'CancelOrderById'|'SearchOrders'|'CreateOrderLock'|'ExtendOrderLock'|'DeleteOrderLock'|'GetOrderBillById'|'RecordOrderPaymentById'|'CreateParty'|'GetPartyById'|'UpdateParty'|'DeletePartyById'|'SearchParties'|'CreateReservation'|'GetReservationById'|'UpdateReservation'|'DeleteReservationById'|'SearchReservations'|'HandleEvent:payment_intent.created'|'HandleEvent:payment_intent.status_updated'|'GetOrderBill'|'RecordOrderPayment'|'UpdatePartyById'|'UpdateReservationById',
 *     version: 'v1'|'1.0.0',
 * }
 * @phpstan-type NewEposEvent array{
 *     eventType: 'OrderUpdated'|'PartyUpdated'|'ReservationUpdated',
 *     event: NewEposEventEvent,
 * }
 * @phpstan-type NewEposEventEvent array{
 *     orderId?: string,
 *     partyId?: string,
 *     reservationId?: string,
 * }
 * @phpstan-type NewGrpcIntegration array{
 *     url: string,
 *     auth: NewEposAuth,
 * }
 * @phpstan-type NewIntentCustomer array{
 *     id?: string,
 *     emailAddress?: string,
 *     phoneNumber?: string,
 *     secret?: string,
 *     savedCardId?: string,
 * }
 * @phpstan-type NewItemLine array{
 *     id?: string,
 *     caption?: string,
 *     category?: string,
 *     plu?: string,
 *     quantity?: int,
 *     amountTotal: PriceAmount,
 *     modifiers?: list<NewModifier>,
 * }
 * @phpstan-type NewModifier array{
 *     id: string,
 *     name: string,
 *     quantity: int,
 *     amountPerModifier: PriceAmount,
 * }
 * @phpstan-type NewOrderDetails array{
 *     availabilityDate?: string,
 *     isUpdate?: bool,
 *     id?: string,
 *     externalId?: string,
 * }
 * @phpstan-type NewOrderPlacement array{
 *     paymentIntentId: string,
 *     order: PlacedOrder,
 * }
 * @phpstan-type NewParty array{
 *     tableIds: list<string>,
 *     startTime: string,
 *     expectedEndTime?: string,
 *     name?: string,
 *     covers?: int,
 *     hostNotes?: string,
 *     guestRequests?: string,
 *     deposit?: NewPartyDeposit,
 *     status?: string,
 *     reservationId?: string,
 * }
 * @phpstan-type NewPartyDeposit array{
 *     totalAmount: PayableAmount,
 *     paymentIntentIds: list<string>,
 *     description?: string,
 * }
 * @phpstan-type NewPaymentIntent array{
 *     amount: PayableAmount,
 *     reference: string,
 *     captureMode?: 'Auto'|'Manual',
 *     description?: string,
 *     tipsAmount?: SurplusAmount,
 *     cashbackAmount?: SurplusAmount,
 *     serviceChargeAmount?: SurplusAmount,
 *     customer?: NewIntentCustomer,
 *     cardHolderNotPresent?: bool,
 *     paymentMethods?: list<'Card'|'Wallet'|'SavedCard'>,
 *     billingAddress?: Address,
 *     shippingDetails?: ShippingDetails,
 *     requestSecurity?: RequestSecurity,
 *     itemLines?: list<NewItemLine>,
 *     taxLines?: list<NewTaxLine>,
 *     actionLink?: NewActionLink,
 *     orderDetails?: NewOrderDetails,
 *     config?: NewCheckoutConfig,
 *     expireAt?: string,
 *     autoExpireIn?: string,
 *     autoExpireAction?: 'Release'|'Capture',
 *     metadata?: array<string, mixed>,
 *     setupIntentId?: string,
 *     generateRemoteToken?: bool,
 *     isNotOnlineCheckout?: bool,
 * }
 * @phpstan-type NewPublicAmount array{
 *     amount: PayableAmount,
 * }
 * @phpstan-type NewRefund array{
 *     amount: int,
 *     refundReason?: string,
 *     notes?: string,
 *     previousTransactionId?: string,
 * }
 * @phpstan-type NewReservation array{
 *     name: string,
 *     covers: int,
 *     startTime: string,
 *     endTime: string,
 *     tableIds: list<string>,
 *     hostNotes?: string,
 *     guestRequests?: string,
 * }
 * @phpstan-type NewRestIntegration array{
 *     url: string,
 *     capabilities: list<NewEposCapability>,
 *     auth: NewEposAuth,
 * }
 * @phpstan-type NewSandboxEpos array{
 *     isEnabled: bool,
 * }
 * @phpstan-type NewSetupIntent array{
 *     reference: string,
 *     merchantInitiatedTransactionType: 'NoShow'|'Unscheduled',
 *     terms: string,
 *     intendedAmount?: PayableAmount,
 *     captureMode?: 'Auto',
 *     description?: string,
 *     customer?: NewIntentCustomer,
 *     paymentMethods?: list<'Card'|'Wallet'|'SavedCard'>,
 *     billingAddress?: Address,
 *     shippingDetails?: ShippingDetails,
 *     config?: NewCheckoutConfig,
 *     metadata?: array<string, mixed>,
 *     orderDetails?: NewOrderDetails,
 *     requestSecurity?: RequestSecurity,
 *     expireAt?: string,
 * }
 * @phpstan-type NewSubscription array{
 *     events: list<'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated'>,
 *     url: string,
 *     description?: string,
 * }
 * @phpstan-type NewTaxLine array{
 *     id?: string,
 *     caption?: string,
 *     subCaption?: string,
 *     affectedPlu?: string,
 *     amountTotal: PriceAmount,
 * }
 * @phpstan-type NewTerminalSession array{
 *     terminalId: string,
 *     details: NewTerminalSessionDetails,
 * }
 * @phpstan-type NewTerminalSessionDetails array{
 *     sessionType: 'Sale'|'MatchedRefund'|'UnlinkedRefund',
 *     sale?: NewTerminalSessionDetailsSale,
 *     matchedRefund?: NewTerminalSessionDetailsMatchedRefund,
 *     unlinkedRefund?: NewTerminalSessionDetailsUnlinkedRefund,
 * }
 * @phpstan-type NewTerminalSessionDetailsMatchedRefund array{
 *     paymentIntentId: string,
 *     amount?: PayableAmount,
 * }
 * @phpstan-type NewTerminalSessionDetailsSale array{
 *     paymentIntentId: string,
 * }
 * @phpstan-type NewTerminalSessionDetailsUnlinkedRefund array{
 *     amount: PayableAmount,
 *     cardholderNotPresent?: bool,
 * }
 * @phpstan-type NewTips array{
 *     tipsAmount: SurplusAmount,
 * }
 * @phpstan-type NewWsIntegration array{
 *     capabilities: list<NewEposCapability>,
 * }
 * @phpstan-type NotificationEvent array{
 *     notificationType: 'Approved'|'Declined'|'InsertCard'|'EnterPin'|'PleaseWait'|'PresentCard'|'PresentOnlyOneCard'|'RemoveCard'|'CardUnsupported'|'CardError'|'ReEnterCard',
 *     createdAt: string,
 * }
 * @phpstan-type OfferedCards array{
 *     savedPaymentMethods: list<SavedPaymentMethod>,
 * }
 * @phpstan-type OrderDetails array{
 *     availabilityDate?: string,
 *     isUpdate?: bool,
 *     id?: string,
 *     externalId?: string,
 * }
 * @phpstan-type OrderPlacement array{
 *     id: string,
 *     paymentIntentId: string,
 *     status: 'Waiting'|'Held'|'Placing'|'PlaceUnknown'|'Placed'|'Completed'|'Cancelling'|'GivingBack'|'GivenBack'|'Ended'|'NeedsOperator',
 *     orderId?: string,
 *     totalAmount: Money,
 *     tipsAmount: Money,
 *     orderMayStand: bool,
 *     lastError?: string,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 * @phpstan-type OrderPlacementPage array{
 *     data: list<OrderPlacement>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type Party array{
 *     id: string,
 *     status: string,
 *     tableIds: list<string>,
 *     startTime: string,
 *     expectedEndTime?: string,
 *     endTime?: string,
 *     name?: string,
 *     covers?: int,
 *     hostNotes?: string,
 *     guestRequests?: string,
 *     reservationId?: string,
 *     deposit?: PartyDeposit,
 * }
 * @phpstan-type PartyChange array{
 *     tableIds: list<string>,
 *     startTime: string,
 *     expectedEndTime?: string,
 *     name?: string,
 *     covers?: int,
 *     hostNotes?: string,
 *     guestRequests?: string,
 *     deposit?: NewPartyDeposit,
 *     status: string,
 *     endTime?: string,
 * }
 * @phpstan-type PartyDeposit array{
 *     totalAmount: Money,
 *     paymentIntentIds: list<string>,
 *     description?: string,
 * }
 * @phpstan-type PartyPage array{
 *     data: list<Party>,
 *     before: string|null,
 *     after: string|null,
 *     unreadableCount?: int,
 * }
 * @phpstan-type PastTerminalSession array{
 *     terminalSession: PastTerminalSessionTerminalSession,
 *     payment?: PastTerminalSessionPayment,
 * }
 * @phpstan-type PastTerminalSessionPayment array{
 *     transactionDateTime: string,
 *     cardNumber: string,
 *     expiryDate?: string,
 *     cardType: string,
 *     authGatewayTransactionId: string,
 *     cardHolderName?: string,
 *     entryMode: 'Contactless'|'ContactChip'|'Magstripe'|'ManualEntry'|'Unknown',
 *     verificationMode: 'Pin'|'Signature'|'Device'|'None',
 * }
 * @phpstan-type PastTerminalSessionTerminalSession array{
 *     id: string,
 *     terminalId: string,
 *     status: 'InitiateRequested'|'Initiated'|'CancelRequested'|'SignatureVerificationRequired'|'SignatureVerificationAccepted'|'SignatureVerificationRejected'|'Authorized'|'Captured'|'Canceled'|'Declined'|'Expired',
 *     expireAt: string,
 *     createdAt: string,
 *     updatedAt: string,
 *     notificationEvents: list<NotificationEvent>,
 *     statusEvents: list<StatusEvent>,
 *     details: SessionDetails,
 * }
 * @phpstan-type PayableAmount array{
 *     value: int,
 *     currencyCode: string,
 * }
 * @phpstan-type PaymentActivity array{
 *     id: string,
 *     kind: 'ApiRequest'|'StateChange'|'AcquirerCall'|'MachineReport'|'EposCall'|'WebhookAttempt',
 *     subjectId: string,
 *     at: string,
 *     name: string,
 *     traceId?: string,
 *     outcome?: 'Succeeded'|'Refused'|'Failed',
 *     status?: int,
 *     reason?: string,
 *     tookMs?: int,
 *     method?: string,
 *     path?: string,
 *     hasIdempotencyKey?: bool,
 *     request?: array<string, mixed>,
 *     answer?: array<string, mixed>,
 *     reference?: string,
 *     attempt?: int,
 *     transport?: string,
 * }
 * @phpstan-type PaymentActivityPage array{
 *     data: list<PaymentActivity>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type PaymentAmountEvent array{
 *     id: string,
 *     accountId: string,
 *     createdAt: string,
 *     event: 'payment_intent.amount_captured'|'payment_intent.amount_refunded',
 *     data: PaymentAmountEventData,
 * }
 * @phpstan-type PaymentAmountEventData array{
 *     paymentIntentId: string,
 *     paymentStatus: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled',
 *     captureMode: 'Auto'|'Manual',
 *     amount: Money,
 *     capturedAmount: Money,
 *     refundedAmount: Money,
 *     captureId?: string,
 *     refundId?: string,
 * }
 * @phpstan-type PaymentChargeEvent array{
 *     id: string,
 *     accountId: string,
 *     createdAt: string,
 *     event: 'payment_intent.charge_failed',
 *     data: PaymentChargeEventData,
 * }
 * @phpstan-type PaymentChargeEventData array{
 *     paymentIntentId: string,
 *     paymentStatus: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled',
 *     captureMode: 'Auto'|'Manual',
 * }
 * @phpstan-type PaymentDetails array{
 *     transactionId: string,
 *     acquirerTransactionId?: string,
 *     transactionDateTime: string,
 *     message: 'DEPOSITED'|'AUTHORIZED'|'DECLINED'|'REFERRED'|'REVERSED'|'REFUNDED'|'FAILED',
 *     authCode: string,
 *     paymentMethodId?: string,
 *     avsResult?: 'ADDRESS_MATCH_POSTCODE_MATCH'|'ADDRESS_MATCH_POSTCODE_MISMATCH'|'ADDRESS_MISMATCH_POSTCODE_MATCH'|'ADDRESS_MISMATCH_POSTCODE_MISMATCH'|'NOT_CHECKED',
 *     card: Card,
 * }
 * @phpstan-type PaymentEvent array{
 *     transactionId?: string,
 *     transactionDateTime: string,
 *     authCode: string,
 *     cardNumber?: string,
 *     expiryDate?: string,
 *     cardType?: string,
 *     cardholderName?: string,
 *     paymentMethodId?: string,
 *     eventType: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled'|'AuthChallenged'|'Declined'|'ManualAuthReady'|'Error'|'Unknown',
 *     amount?: Money,
 * }
 * @phpstan-type PaymentIntent array{
 *     id: string,
 *     status: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled',
 *     captureMode: 'Auto'|'Manual',
 *     amount: Money,
 *     totalAmount: Money,
 *     tipsAmount?: Money,
 *     requestedAmount?: Money,
 *     refundedAmount: int,
 *     paymentMethods: list<'Card'|'Wallet'|'SavedCard'>,
 *     reference: string,
 *     description?: string,
 *     clientSessionSecret?: string,
 *     clientSessionSecretExpirationDate: string,
 *     billingAddress?: Address,
 *     shippingDetails?: ShippingDetails,
 *     itemLines: list<ItemLine>,
 *     taxLines: list<TaxLine>,
 *     config: CheckoutConfig,
 *     merchantConfig: MerchantConfig,
 *     paymentSource: 'api'|'virtual-terminal'|'payment-links'|'pay-at-table',
 *     createdAt: string,
 *     updatedAt: string,
 *     cardHolderNotPresent: bool,
 *     cashbackAmount?: Money,
 *     serviceChargeAmount?: Money,
 *     subtotalLineItems?: Money,
 *     customer?: IntentCustomer,
 *     actionLink?: ActionLink,
 *     orderDetails?: OrderDetails,
 *     requestSecurity?: RequestSecurity,
 *     autoExpireAction?: 'Release'|'Capture',
 *     autoExpireIn?: string,
 *     expireAt: string,
 *     metadata: array<string, mixed>,
 *     setupIntentId?: string,
 *     paymentLink?: string,
 *     paymentDetails?: PaymentDetails,
 *     paymentEvents: list<PaymentEvent>,
 *     terminalSessionHistory: list<PastTerminalSession>,
 *     captures: list<Capture>,
 * }
 * @phpstan-type PaymentIntentEvent array{
 *     id: string,
 *     accountId: string,
 *     createdAt: string,
 *     event: 'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt',
 *     data: PaymentIntentEventData,
 * }
 * @phpstan-type PaymentIntentEventData array{
 *     paymentIntentId: string,
 *     paymentStatus: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled',
 *     captureMode: 'Auto'|'Manual',
 * }
 * @phpstan-type PaymentIntentPage array{
 *     data: list<PaymentIntent>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type PaymentIntentSearch array{
 *     statuses?: list<'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled'>,
 *     startDate?: string,
 *     endDate?: string,
 *     customerId?: string,
 *     cursor?: PaymentIntentSearchCursor,
 * }
 * @phpstan-type PaymentIntentSearchCursor array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type PaymentLink array{
 *     id: string,
 *     state: 'Active'|'Canceled'|'Expired',
 *     tradingName: string,
 *     branding: PaymentLinkBranding,
 * }
 * @phpstan-type PaymentLinkBranding array{
 *     logoUrl?: string,
 *     faviconUrl?: string,
 *     accentColor?: string,
 *     font?: 'sans'|'humanist'|'geometric'|'rounded'|'serif',
 * }
 * @phpstan-type PaymentMethods array{
 *     customerId: string,
 *     merchantId: string,
 *     savedPaymentMethods: list<SavedPaymentMethod>,
 *     supportedPaymentMethods: PaymentMethodsSupportedPaymentMethods,
 * }
 * @phpstan-type PaymentMethodsSupportedPaymentMethods array{
 *     cardSchemes: list<'VISA'|'MASTERCARD'|'MAESTRO'|'DISCOVER'|'DCI'|'AMEX'>,
 *     wallets: list<'APPLE_PAY'|'GOOGLE_PAY'>,
 * }
 * @phpstan-type PendingPayment array{
 *     paymentId: string,
 *     journeyId?: string,
 *     sessionId?: string,
 *     orderId?: string,
 *     paymentIntentId?: string,
 *     baseAmount: int,
 *     gratuityAmount: int,
 *     cashbackAmount: int,
 *     currency: string,
 *     state: string,
 *     since: string,
 *     attempts: int,
 *     lastError?: string,
 *     acquirerCall?: PendingPaymentAcquirerCall,
 *     alarm: bool,
 * }
 * @phpstan-type PendingPaymentAcquirerCall array{
 *     kind: 'Authorise'|'Increase'|'Capture'|'Refund'|'Reverse'|'Release',
 *     reference: string,
 *     originalReference?: string,
 *     state: 'Prepared'|'Sent'|'Challenged'|'Approved'|'Declined'|'Unknown'|'Settled',
 *     openSeconds: int,
 * }
 * @phpstan-type PendingResolution array{
 *     action: 'MarkRecorded'|'GiveBack'|'RetryNow'|'MarkNotHeld'|'SettleAsListed'|'MarkNotTaken'|'MarkRefunded'|'MarkNotRefunded',
 *     note: string,
 * }
 * @phpstan-type PlacedOrder array{
 *     details: EposOrderDetails,
 *     note?: string,
 *     discounts?: list<EposDiscount>,
 *     taxLines?: list<EposTaxLine>,
 *     serviceChargeAmount?: EposMoney,
 *     reference?: string,
 *     displayName?: string,
 *     customer?: EposCustomer,
 *     items: list<EposItem>,
 *     totalAmount: EposMoney,
 * }
 * @phpstan-type PriceAmount array{
 *     value: int,
 *     currencyCode: string,
 * }
 * @phpstan-type Problem array{
 *     type: string,
 *     title: string,
 *     status: int,
 *     detail: string,
 *     traceId: string,
 *     errors: array<string, list<string>>,
 *     reason: 'path_unknown'|'method_not_allowed'|'unauthenticated'|'rate_limited'|'version_invalid'|'permission_missing'|'partner_header_invalid'|'partner_not_registered'|'media_type_unsupported'|'body_too_large'|'body_malformed'|'idempotency_key_invalid'|'idempotency_key_reused'|'idempotency_in_progress'|'validation_failed'|'service_unavailable'|'commit_unknown'|'acquirer_not_configured'|'acquirer_lacks_capability'|'acquirer_unanswered'|'client_secret_missing'|'client_secret_invalid'|'page_origin_not_registered'|'submissions_exhausted'|'payment_outcome_unknown'|'attempt_not_found'|'saved_card_not_found'|'saved_card_not_usable'|'saved_card_busy'|'saved_card_of_setup_intent'|'payment_intent_not_found'|'payment_intent_unknown'|'payment_intent_canceled'|'payment_intent_busy'|'payment_intent_not_cancelable'|'payment_intent_not_payable'|'currency_not_enabled'|'not_capturable'|'capture_exceeds_authorized'|'capture_refused'|'not_refundable'|'refund_exceeds_captured'|'refund_refused'|'refund_not_found'|'not_reversible'|'reversal_window_passed'|'reversal_refused'|'not_chargeable'|'charge_without_setup_intent'|'charge_exceeds_intended'|'setup_intent_not_chargeable'|'amount_change_not_enabled'|'amount_not_changeable'|'amount_not_raised'|'amount_raise_refused'|'tips_change_not_enabled'|'tips_not_changeable'|'secret_not_refreshable'|'receipt_not_available'|'receipts_exhausted'|'setup_intent_not_found'|'setup_intent_busy'|'setup_intent_not_authorisable'|'setup_intent_not_cancelable'|'customer_not_found'|'terminal_not_found'|'terminal_unavailable'|'terminal_session_not_found'|'terminal_session_not_cancelable'|'signature_not_awaited'|'subscription_not_found'|'event_kind_taken'|'secret_not_found'|'secret_is_active'|'secrets_exhausted'|'delivery_not_found'|'delivery_not_dead_lettered'|'event_kind_not_subscribed'|'api_key_not_found'|'api_keys_exhausted'|'attestation_missing'|'account_disabled'|'sign_in_refused'|'portal_session_missing'|'password_change_needed'|'password_locked'|'reauthentication_needed'|'cross_site_request'|'account_not_chosen'|'sign_in_expired'|'second_factor_refused'|'second_factor_missing'|'second_factor_required'|'passkey_not_found'|'password_sign_in_off'|'second_person_needed'|'second_person_refused'|'four_eyes_request_unknown'|'four_eyes_request_decided'|'flow_not_found'|'flow_runs_exhausted'|'pending_payment_not_found'|'pending_payment_not_decidable'|'difference_not_found'|'difference_not_answerable'|'alarm_not_found'|'alarm_answered'|'lease_not_found'|'lease_over'|'lease_money_open'|'journey_not_found'|'journey_over'|'journey_busy'|'journey_money_open'|'journey_not_movable'|'bill_unusable'|'bill_paid'|'part_invalid'|'part_exceeds_outstanding'|'item_not_on_bill'|'item_share_taken'|'table_payment_id_reused'|'card_transaction_unusable'|'order_placement_not_found'|'order_not_placeable'|'epos_cannot_order'|'payment_intent_held_for_order'|'payment_intent_is_deposit'|'reservation_not_found'|'party_not_found'|'booking_refused'|'epos_cannot_book'|'epos_unreachable'|'epos_unanswered'|'request_malformed'|'request_timeout'|'header_fields_too_large'|'internal_error',
 *     documentation: string,
 *     code?: 'INVALID_REQUEST'|'TERMINAL_UNAVAILABLE'|'INTERNAL_ERROR',
 *     capability?: 'separate_capture'|'partial_capture'|'multiple_captures'|'incremental_authorisation'|'partial_refund'|'multiple_refunds'|'unreferenced_refund'|'reversal_after_capture'|'partial_reversal'|'reversal_of_unknown_reference'|'challenge'|'card_verification'|'merchant_initiated'|'cardholder_not_present'|'booked_list'|'currencies'|'card_schemes'|'wallets'|'refund_window',
 *     statusCode?: int,
 *     message?: string,
 *     authCode?: '',
 *     transactionId?: '',
 * }
 * @phpstan-type PublicPaymentIntent array{
 *     id: string,
 *     status: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled',
 *     captureMode: 'Auto'|'Manual',
 *     amount: Money,
 *     totalAmount: Money,
 *     tipsAmount?: Money,
 *     requestedAmount?: Money,
 *     refundedAmount: int,
 *     paymentMethods: list<'Card'|'Wallet'|'SavedCard'>,
 *     reference: string,
 *     description?: string,
 *     clientSessionSecret?: string,
 *     clientSessionSecretExpirationDate: string,
 *     billingAddress?: Address,
 *     shippingDetails?: ShippingDetails,
 *     itemLines: list<ItemLine>,
 *     taxLines: list<TaxLine>,
 *     config: CheckoutConfig,
 *     merchantConfig: MerchantConfig,
 *     paymentSource: 'api'|'virtual-terminal'|'payment-links'|'pay-at-table',
 *     createdAt: string,
 *     updatedAt: string,
 *     customer?: PublicPaymentIntentCustomer,
 *     paymentEvents: list<PublicPaymentIntentPaymentEvent>,
 *     metadata: PublicPaymentIntentMetadata,
 * }
 * @phpstan-type PublicPaymentIntentCustomer array{
 *     customerId?: string,
 *     id?: string,
 *     emailAddress?: string,
 * }
 * @phpstan-type PublicPaymentIntentMetadata array{
 *     'location-id': string,
 * }
 * @phpstan-type PublicPaymentIntentPaymentEvent array{
 *     eventType: 'Created'|'Authorized'|'Captured'|'Reversed'|'Refunded'|'Canceled'|'AuthChallenged'|'Declined'|'ManualAuthReady'|'Error'|'Unknown',
 *     transactionId?: string,
 *     transactionDateTime: string,
 * }
 * @phpstan-type PublicReceiptRequest array{
 *     email: string,
 * }
 * @phpstan-type PublicSetupIntent array{
 *     id: string,
 *     status: 'Created'|'Authorized'|'Expired'|'CardExpired'|'Canceled'|'Completed'|'Closed',
 *     merchantInitiatedTransactionType: 'NoShow'|'Unscheduled',
 *     terms: string,
 *     intendedAmount?: Money,
 *     paymentMethods: list<'Card'|'Wallet'|'SavedCard'>,
 *     reference: string,
 *     description?: string,
 *     clientSessionSecret?: string,
 *     clientSessionSecretExpirationDate: string,
 *     billingAddress?: Address,
 *     shippingDetails?: ShippingDetails,
 *     orderDetails?: OrderDetails,
 *     config: CheckoutConfig,
 *     merchantConfig: MerchantConfig,
 *     paymentSource: 'api'|'virtual-terminal'|'payment-links'|'pay-at-table',
 *     expireAt: string,
 *     createdAt: string,
 *     updatedAt: string,
 *     customer?: PublicSetupIntentCustomer,
 *     metadata: PublicSetupIntentMetadata,
 *     paymentDetails?: PublicSetupIntentPaymentDetails,
 * }
 * @phpstan-type PublicSetupIntentCustomer array{
 *     customerId?: string,
 *     id?: string,
 *     emailAddress?: string,
 * }
 * @phpstan-type PublicSetupIntentMetadata array{
 *     'location-id': string,
 * }
 * @phpstan-type PublicSetupIntentPaymentDetails array{
 *     transactionId: string,
 *     transactionDateTime: string,
 *     message: 'DEPOSITED'|'AUTHORIZED'|'DECLINED'|'REFERRED'|'REVERSED'|'REFUNDED'|'FAILED',
 * }
 * @phpstan-type ReadMailboxQuery array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type ReadPaymentIntentQuery array{
 *     returnCanceled?: bool,
 * }
 * @phpstan-type Receipt array{
 *     lines: list<ReceiptLine>,
 * }
 * @phpstan-type ReceiptLine array{
 *     lineType: 'Text'|'LogoImage'|'NewLine'|'SingleLineSeperator'|'DoubleLineSeperator',
 *     text?: ReceiptLineText,
 *     imageLogo?: ReceiptLineImageLogo,
 * }
 * @phpstan-type ReceiptLineImageLogo array{
 *     value: string,
 *     align: 'AlignLeft'|'AlignCenter'|'AlignRight',
 * }
 * @phpstan-type ReceiptLineText array{
 *     value: string,
 *     size: 'SizeHeader1'|'SizeHeader2'|'SizeBody',
 *     align: 'AlignLeft'|'AlignCenter'|'AlignRight',
 *     emphasisBold: bool,
 * }
 * @phpstan-type ReceiptRequest array{
 *     emails: list<string>,
 * }
 * @phpstan-type Reconciliation array{
 *     reconciledTo?: string,
 *     listComparedAt?: string,
 *     listError?: string,
 *     requestedFrom?: string,
 *     requestedTo?: string,
 *     uncomparedDays: list<UncomparedDay>,
 *     chainsCheckedAt?: string,
 * }
 * @phpstan-type ReconciliationDifference array{
 *     id: string,
 *     kind: 'NotAskedFor'|'OtherKind'|'OtherAmount'|'SettledAmount'|'NotApproved'|'NotBooked'|'ListingSum'|'BrokenChain'|'UnprovedRecord',
 *     reference: string,
 *     paymentIntentId?: string,
 *     amount?: Money,
 *     ours?: string,
 *     theirs?: string,
 *     says: string,
 *     state: 'Open'|'Answered'|'Closed',
 *     happenedAt: string,
 *     firstSeenAt: string,
 *     lastSeenAt: string,
 * }
 * @phpstan-type ReconciliationDifferencePage array{
 *     data: list<ReconciliationDifference>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type ReconciliationStart array{
 *     from: string,
 *     to?: string,
 *     note: string,
 * }
 * @phpstan-type Refund array{
 *     paymentIntentId: string,
 *     refundId: string,
 *     refundReason?: string,
 *     notes?: string,
 *     message: 'REFUNDED',
 * }
 * @phpstan-type Replay array{
 *     from?: string,
 *     to?: string,
 *     states?: list<'DeadLettered'|'Delivered'|'NotSubscribed'>,
 * }
 * @phpstan-type Replayed array{
 *     queued: int,
 * }
 * @phpstan-type RequestActivity array{
 *     id: string,
 *     at: string,
 *     name: string,
 *     traceId: string,
 *     outcome: 'Succeeded'|'Refused'|'Failed',
 *     status?: int,
 *     reason?: string,
 *     tookMs?: int,
 *     method?: string,
 *     path?: string,
 *     hasIdempotencyKey?: bool,
 *     request?: array<string, mixed>,
 *     answer?: array<string, mixed>,
 *     keyId?: string,
 *     subjectId?: string,
 * }
 * @phpstan-type RequestActivityPage array{
 *     data: list<RequestActivity>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type RequestSecurity array{
 *     userAgent?: string,
 *     ipAddress?: string,
 *     device?: string,
 * }
 * @phpstan-type Reservation array{
 *     id: string,
 *     name: string,
 *     covers: int,
 *     startTime: string,
 *     endTime: string,
 *     tableIds: list<string>,
 *     hostNotes?: string,
 *     guestRequests?: string,
 * }
 * @phpstan-type ReservationPage array{
 *     data: list<Reservation>,
 *     before: string|null,
 *     after: string|null,
 *     unreadableCount?: int,
 * }
 * @phpstan-type RestIntegration array{
 *     url: string,
 *     auth: EposAuth,
 *     capabilities: list<EposCapability>,
 *     createdAt: string,
 * }
 * @phpstan-type Reversal array{
 *     message: 'REVERSED',
 *     reversalId: string,
 * }
 * @phpstan-type Run array{
 *     flowID: string,
 *     flowName: string,
 *     status: 'IN_PROGRESS'|'SUCCESS'|'FAILURE'|'TIMED_OUT',
 *     startedAt: string,
 *     finishedAt?: string,
 *     steps: list<RunStep>,
 * }
 * @phpstan-type RunStep array{
 *     name: string,
 *     status: 'IN_PROGRESS'|'SUCCESS'|'FAILURE'|'TIMED_OUT',
 *     startedAt: string,
 *     finishedAt?: string,
 *     additionalInformation: list<string>,
 * }
 * @phpstan-type RunSummary array{
 *     flowID: string,
 *     flowName: string,
 *     status: 'IN_PROGRESS'|'SUCCESS'|'FAILURE'|'TIMED_OUT',
 *     startedAt: string,
 *     finishedAt?: string,
 *     stepCount: int,
 *     failedStep?: string,
 * }
 * @phpstan-type RunSummaryPage array{
 *     data: list<RunSummary>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type SandboxEpos array{
 *     isEnabled: bool,
 * }
 * @phpstan-type SandboxMail array{
 *     id: string,
 *     paymentIntentId: string,
 *     to: string,
 *     subject: string,
 *     text: string,
 *     html: string,
 *     createdAt: string,
 * }
 * @phpstan-type SandboxMailPage array{
 *     data: list<SandboxMail>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type SavedPaymentMethod array{
 *     id: string,
 *     cardDetails: SavedPaymentMethodCardDetails,
 * }
 * @phpstan-type SavedPaymentMethodCardDetails array{
 *     pan: string,
 *     expiryDate: string,
 *     scheme?: 'VISA'|'MASTERCARD'|'MAESTRO'|'DISCOVER'|'DCI'|'AMEX',
 * }
 * @phpstan-type ServiceManagedIntegration array{
 *     capabilities: list<EposCapability>,
 *     createdAt: string,
 * }
 * @phpstan-type SessionDetails array{
 *     sessionType: 'Sale'|'MatchedRefund'|'UnlinkedRefund',
 *     sale?: SessionDetailsSale,
 *     matchedRefund?: SessionDetailsMatchedRefund,
 *     unlinkedRefund?: SessionDetailsUnlinkedRefund,
 * }
 * @phpstan-type SessionDetailsMatchedRefund array{
 *     paymentIntentId: string,
 *     amount: Money,
 * }
 * @phpstan-type SessionDetailsSale array{
 *     paymentIntentId: string,
 * }
 * @phpstan-type SessionDetailsUnlinkedRefund array{
 *     amount: Money,
 *     cardholderNotPresent: bool,
 * }
 * @phpstan-type SetupIntent array{
 *     id: string,
 *     status: 'Created'|'Authorized'|'Expired'|'CardExpired'|'Canceled'|'Completed'|'Closed',
 *     merchantInitiatedTransactionType: 'NoShow'|'Unscheduled',
 *     terms: string,
 *     intendedAmount?: Money,
 *     paymentMethods: list<'Card'|'Wallet'|'SavedCard'>,
 *     reference: string,
 *     description?: string,
 *     clientSessionSecret?: string,
 *     clientSessionSecretExpirationDate: string,
 *     billingAddress?: Address,
 *     shippingDetails?: ShippingDetails,
 *     orderDetails?: OrderDetails,
 *     config: CheckoutConfig,
 *     merchantConfig: MerchantConfig,
 *     paymentSource: 'api'|'virtual-terminal'|'payment-links'|'pay-at-table',
 *     expireAt: string,
 *     createdAt: string,
 *     updatedAt: string,
 *     customer?: IntentCustomer,
 *     requestSecurity?: RequestSecurity,
 *     metadata: array<string, mixed>,
 *     paymentDetails?: SetupOutcome,
 *     setupLink?: string,
 *     setupEvents: list<PaymentEvent>,
 * }
 * @phpstan-type SetupOutcome array{
 *     transactionId: string,
 *     acquirerTransactionId?: string,
 *     transactionDateTime: string,
 *     message: 'DEPOSITED'|'AUTHORIZED'|'DECLINED'|'REFERRED'|'REVERSED'|'REFUNDED'|'FAILED',
 *     authCode: string,
 *     paymentMethodId?: string,
 *     avsResult?: 'ADDRESS_MATCH_POSTCODE_MATCH'|'ADDRESS_MATCH_POSTCODE_MISMATCH'|'ADDRESS_MISMATCH_POSTCODE_MATCH'|'ADDRESS_MISMATCH_POSTCODE_MISMATCH'|'NOT_CHECKED',
 *     card?: Card,
 * }
 * @phpstan-type ShippingDetails array{
 *     name?: string,
 *     deliveryNotes?: string,
 *     address?: Address,
 * }
 * @phpstan-type SignatureDecision array{
 *     accepted: bool,
 * }
 * @phpstan-type StatusEvent array{
 *     status: 'InitiateRequested'|'Initiated'|'CancelRequested'|'SignatureVerificationRequired'|'SignatureVerificationAccepted'|'SignatureVerificationRejected'|'Authorized'|'Captured'|'Canceled'|'Declined'|'Expired',
 *     createdAt: string,
 *     debugMessage: string,
 * }
 * @phpstan-type Subscription array{
 *     id: string,
 *     accountId: string,
 *     events: list<'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated'>,
 *     url: string,
 *     description?: string,
 *     paused?: bool,
 *     secrets: list<WebhookSecret>,
 *     secret: WebhookSecret,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 * @phpstan-type SubscriptionChange array{
 *     events?: list<'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated'>,
 *     url?: string,
 *     description?: string,
 *     paused?: bool,
 * }
 * @phpstan-type SurplusAmount array{
 *     value: int,
 *     currencyCode: string,
 * }
 * @phpstan-type TableLease array{
 *     leaseId: string,
 *     accountId: string,
 *     sessionId: string,
 *     orderId?: string,
 *     lockId?: string,
 *     owner: string,
 *     waiterId?: int,
 *     acquiredAt: string,
 *     expiresAt: string,
 *     state: 'Held'|'Lost'|'Released'|'Forced',
 *     openPayments: int,
 * }
 * @phpstan-type TableOperatorCall array{
 *     id: string,
 *     keyId: string,
 *     action: 'MarkRecorded'|'GiveBack'|'RetryNow'|'MarkNotHeld'|'ReleaseLease'|'MarkRefunded'|'MarkNotRefunded'|'ResetMachine'|'MoveJourney'|'ReplayEposEvents'|'StartReconciliation'|'AnswerDifference'|'AnswerAlarm'|'SettleAsListed'|'MarkNotTaken',
 *     subject: string,
 *     note: string,
 *     confirmed: bool,
 *     outcome: 'Done'|'Refused',
 *     refusal?: string,
 *     stateBefore?: string,
 *     stateAfter?: string,
 *     createdAt: string,
 * }
 * @phpstan-type TableOperatorCallPage array{
 *     data: list<TableOperatorCall>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type TaxLine array{
 *     id?: string,
 *     caption?: string,
 *     subCaption?: string,
 *     affectedPlu?: string,
 *     amountTotal: Money,
 * }
 * @phpstan-type Terminal array{
 *     id: string,
 *     properties: TerminalProperties,
 *     status: 'Available'|'Offline'|'InUse',
 *     updatedAt: string,
 * }
 * @phpstan-type TerminalProperties array{
 *     tid: string,
 * }
 * @phpstan-type TerminalSession array{
 *     id: string,
 *     terminalId: string,
 *     status: 'InitiateRequested'|'Initiated'|'CancelRequested'|'SignatureVerificationRequired'|'SignatureVerificationAccepted'|'SignatureVerificationRejected'|'Authorized'|'Captured'|'Canceled'|'Declined'|'Expired',
 *     sessionType: 'Sale'|'MatchedRefund'|'UnlinkedRefund',
 *     paymentIntentId?: string,
 *     createdAt: string,
 *     updatedAt: string,
 *     expireAt: string,
 *     notificationEvents: list<NotificationEvent>,
 *     statusEvents: list<StatusEvent>,
 *     details: SessionDetails,
 *     paymentDetails?: TerminalSessionPaymentDetails,
 *     customerReceipt?: Receipt,
 *     merchantReceipt?: Receipt,
 *     receipt?: Receipt,
 * }
 * @phpstan-type TerminalSessionEvent array{
 *     id: string,
 *     accountId: string,
 *     createdAt: string,
 *     event: 'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification',
 *     data: TerminalSessionEventData,
 * }
 * @phpstan-type TerminalSessionEventData array{
 *     terminalSessionId: string,
 *     state: 'InitiateRequested'|'Initiated'|'CancelRequested'|'SignatureVerificationRequired'|'SignatureVerificationAccepted'|'SignatureVerificationRejected'|'Authorized'|'Captured'|'Canceled'|'Declined'|'Expired'|'Approved'|'InsertCard'|'EnterPin'|'PleaseWait'|'PresentCard'|'PresentOnlyOneCard'|'RemoveCard'|'CardUnsupported'|'CardError'|'ReEnterCard',
 *     terminalId: string,
 *     createdAt: string,
 *     updatedAt: string,
 *     expireAt: string,
 *     sessionType: 'Sale'|'MatchedRefund'|'UnlinkedRefund',
 *     paymentIntentId?: string,
 *     paymentDetails?: TerminalSessionEventDataPaymentDetails,
 * }
 * @phpstan-type TerminalSessionEventDataPaymentDetails array{
 *     cardScheme?: string,
 *     maskedPan?: string,
 *     authCode?: string,
 * }
 * @phpstan-type TerminalSessionPaymentDetails array{
 *     cardScheme: string,
 *     maskedPan: string,
 *     authCode?: string,
 * }
 * @phpstan-type TerminalSessionSummary array{
 *     id: string,
 *     status: 'InitiateRequested'|'Initiated'|'CancelRequested'|'SignatureVerificationRequired'|'SignatureVerificationAccepted'|'SignatureVerificationRejected'|'Authorized'|'Captured'|'Canceled'|'Declined'|'Expired',
 *     sessionType: 'Sale'|'MatchedRefund'|'UnlinkedRefund',
 *     paymentIntentId?: string,
 *     amount: Money,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 * @phpstan-type TerminalSessionSummaryPage array{
 *     data: list<TerminalSessionSummary>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type TestEvent array{
 *     event: 'payment_intent.created'|'payment_intent.status_updated'|'payment_intent.send-receipt'|'terminal_session.created'|'terminal_session.status_updated'|'terminal_session.signature_verification_required'|'terminal_session.notification'|'payment_intent.amount_captured'|'payment_intent.amount_refunded'|'payment_intent.charge_failed'|'reservation.updated'|'party.updated',
 * }
 * @phpstan-type Transaction array{
 *     id: string,
 *     legacyId: string,
 *     paymentIntentId?: string,
 *     merchantId?: string,
 *     reference?: string,
 *     dateTime: string,
 *     type?: 'Sale'|'Refund'|'PreAuth'|'Collection',
 *     status?: 'Authorized'|'Declined'|'Held'|'UnderReview'|'Reversed'|'AwaitingCollection'|'Released'|'Expired',
 *     amount: Money,
 *     cashbackAmount: Money,
 *     tipsAmount: Money,
 *     settledOn?: string,
 *     paymentDetails: TransactionPaymentDetails,
 * }
 * @phpstan-type TransactionPage array{
 *     data: list<Transaction>,
 *     before: string|null,
 *     after: string|null,
 * }
 * @phpstan-type TransactionPaymentDetails array{
 *     card?: TransactionPaymentDetailsCard,
 *     authCode?: string,
 *     isRemote: bool,
 *     paymentProduct?: 'TapToPayOnIPhone'|'ServicePocket'|'Terminal'|'OnlineCheckout'|'VirtualTerminal'|'PaymentLinks'|'ServiceBookings'|'PayByQr'|'Other',
 *     terminalEntryModeType?: 'Chip'|'ContactLess'|'Swipe'|'Keyed'|'Unknown',
 *     terminalId?: string,
 * }
 * @phpstan-type TransactionPaymentDetailsCard array{
 *     number: string,
 *     fundingType?: 'Credit'|'Debit',
 *     type?: 'Visa'|'Mastercard'|'Maestro'|'Discover'|'Dci'|'Amex',
 * }
 * @phpstan-type TransactionSearch array{
 *     startDate: string|null,
 *     endDate: string|null,
 *     statuses?: list<'Authorized'|'Declined'|'Held'|'UnderReview'|'Reversed'|'AwaitingCollection'|'Released'|'Expired'>,
 *     cursor?: TransactionSearchCursor,
 * }
 * @phpstan-type TransactionSearchCursor array{
 *     limit?: int,
 *     before?: string,
 *     after?: string,
 * }
 * @phpstan-type UncomparedDay array{
 *     acquirer: string,
 *     day: string,
 *     reason: 'WaitingForSettlement'|'BooksUnread',
 *     problem?: string,
 *     since: string,
 * }
 * @phpstan-type WebhookSecret array{
 *     id: string,
 *     value: string,
 *     standardValue?: string,
 *     createdAt: string,
 *     isActive: bool,
 *     lastUsedAt?: string,
 * }
 * @phpstan-type WebhookSecrets array{
 *     id: string,
 *     secrets: list<WebhookSecret>,
 * }
 * @phpstan-type WsIntegration array{
 *     capabilities: list<EposCapability>,
 *     createdAt: string,
 * }
 */
final class Types
{
}
