import { approve, CARD, gbp, intent, withSecret } from './example-answers.js';
import { IDS, SECRETS } from './example-ids.js';
import { accept, type OperationExample, refuse } from './operation-example.js';

const MOMENT = '2026-03-01T12:00:00.000Z';

const PLACEMENT = {
  id: IDS.placement,
  paymentIntentId: IDS.ofOrder,
  status: 'Waiting',
  totalAmount: gbp(1300),
  tipsAmount: gbp(0),
  orderMayStand: false,
  createdAt: MOMENT,
  updatedAt: MOMENT,
};
const ORDER = {
  details: { orderType: 'Collection', collection: { asap: true } },
  items: [{ name: 'Soup', quantity: 2, plu: '1001', amountPerItem: gbp(650) }],
  totalAmount: gbp(1300),
};

const NO_LIMIT = {
  summary: 'A page has at least one element',
  reason: 'validation_failed',
  detail: 'The request cannot be accepted as it is; see `errors`.',
  errors: { limit: ['Must be at least 1.'] },
} as const;

/** An order that is paid before the EPOS has it. */
const ORDERS: readonly OperationExample[] = [
  accept('createPaymentIntent:order', 'A payment for an order, held until the EPOS has the order', {
    body: { amount: gbp(1300), reference: 'order 21', captureMode: 'Manual' },
    answer: intent({
      ...{ id: IDS.ofOrder, amount: gbp(1300), totalAmount: gbp(1300), reference: 'order 21', captureMode: 'Manual' },
      ...withSecret(SECRETS.ofOrder),
    }),
  }),
  accept('submitOrder', 'An order to collect', {
    body: { paymentIntentId: IDS.ofOrder, order: ORDER },
    answer: PLACEMENT,
  }),
  refuse(
    'submitOrder',
    { body: { paymentIntentId: IDS.unknownIntent, order: ORDER } },
    {
      summary: 'No payment intent has the id',
      reason: 'payment_intent_unknown',
      detail: 'is not a payment intent',
      errors: { paymentIntentId: ['is not a payment intent'] },
    },
  ),
  accept('payByCard:order', 'The payer pays the order', {
    secret: SECRETS.ofOrder,
    body: CARD,
    answer: approve(IDS.orderTransaction, 'AUTHORIZED'),
  }),
  accept('getOrderPlacement', 'The EPOS has the order, and the money is captured', {
    params: { placementId: IDS.placement },
    answer: { ...PLACEMENT, status: 'Completed', orderId: '118' },
  }),
  refuse(
    'getOrderPlacement',
    { params: { placementId: IDS.unknownUuid } },
    {
      summary: 'No placement has the id',
      reason: 'order_placement_not_found',
      detail: 'there is no such order placement',
    },
  ),
  accept('listOrderPlacements', 'The newest orders that were paid in advance', {
    answer: { data: [{ ...PLACEMENT, status: 'Completed', orderId: '118' }], before: null, after: null },
  }),
  refuse('listOrderPlacements', { query: { limit: '0' } }, NO_LIMIT),
];

const BAD_CAPABILITY = {
  summary: 'A capability that does not exist',
  reason: 'validation_failed',
  detail: 'The request cannot be accepted as it is; see `errors`.',
  errors: {
    'capabilities[0].name': [
      'Must be one of ListAreas, SearchTables, CreateOrder, GetOrderById, CancelOrderById, SearchOrders, CreateOrderLock, ExtendOrderLock, DeleteOrderLock, GetOrderBillById, RecordOrderPaymentById, CreateParty, GetPartyById, UpdateParty, DeletePartyById, SearchParties, CreateReservation, GetReservationById, UpdateReservation, DeleteReservationById, SearchReservations, HandleEvent:payment_intent.created, HandleEvent:payment_intent.status_updated, GetOrderBill, RecordOrderPayment, UpdatePartyById, UpdateReservationById.',
    ],
  },
} as const;
const UNKNOWN_CAPABILITY = [{ name: 'BrewCoffee', version: 'v1' }];
const NEW_REST = {
  url: 'https://epos.example/pos',
  capabilities: [{ name: 'SearchOrders', version: 'v1' }],
  auth: { authType: 'basic', basic: { username: 'epos', password: 'Wf3-kk2' } },
};
const AUTH = { authType: 'basic', basic: { username: 'epos' } };
const REST = {
  ...{ url: NEW_REST.url, auth: AUTH, createdAt: MOMENT },
  capabilities: [{ name: 'SearchOrders', version: 'v1', updatedAt: MOMENT }],
};
const WS = { capabilities: [{ name: 'GetOrderById', version: 'v1', updatedAt: MOMENT }], createdAt: MOMENT };
const GRPC = { url: 'https://epos.example:50051', auth: AUTH, createdAt: MOMENT };

/** How an EPOS is registered. */
const REGISTRATIONS: readonly OperationExample[] = [
  accept('putRestIntegration', 'An EPOS that is called over REST', { body: NEW_REST, answer: [REST] }),
  refuse('putRestIntegration', { body: { ...NEW_REST, capabilities: UNKNOWN_CAPABILITY } }, BAD_CAPABILITY),
  accept('readRestIntegration', 'What is registered over REST', { answer: [REST] }),
  accept('putWsIntegration', 'An EPOS that opens a WebSocket', {
    body: { capabilities: [{ name: 'GetOrderById', version: 'v1' }] },
    answer: [WS],
  }),
  refuse('putWsIntegration', { body: { capabilities: UNKNOWN_CAPABILITY } }, BAD_CAPABILITY),
  accept('readWsIntegration', 'What is registered on the socket', { answer: [WS] }),
  accept('putGrpcIntegration', 'An EPOS that is called over gRPC', {
    body: { url: GRPC.url, auth: NEW_REST.auth },
    answer: [GRPC],
  }),
  refuse(
    'putGrpcIntegration',
    { body: { url: 'https://epos.example/path', auth: NEW_REST.auth } },
    {
      summary: 'An address with a path',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { url: ['Must be https://host:port, without a path.'] },
    },
  ),
  accept('readGrpcIntegration', 'Where the EPOS serves gRPC', { answer: [GRPC] }),
  accept('readServiceManagedIntegrations', 'The operator has set up nothing', { answer: [] }),
  accept('listEposIntegrations', 'Everything that is registered', {
    answer: {
      restIntegrations: [REST],
      wsIntegrations: [WS],
      serviceManagedIntegrations: [],
      grpcIntegrations: [GRPC],
    },
  }),
  accept('reportEposEvent', 'An order has changed at the EPOS'),
  refuse(
    'reportEposEvent',
    { body: { eventType: 'OrderUpdated', event: { partyId: 'p-1' } } },
    {
      summary: 'The id does not belong to the type of the event',
      reason: 'validation_failed',
      detail: 'The request cannot be accepted as it is; see `errors`.',
      errors: { 'event.orderId': ['Is required.'], 'event.partyId': ['Must be absent.'] },
    },
  ),
  accept('deleteRestIntegration', 'The EPOS is not called over REST any more'),
  accept('deleteWsIntegration', 'The EPOS is not called on its socket any more'),
  accept('deleteGrpcIntegration', 'The EPOS is not called over gRPC any more'),
];

const PASSED_RUN = {
  flowID: IDS.run,
  flowName: 'ListTables',
  status: 'SUCCESS',
  startedAt: MOMENT,
  finishedAt: '2026-03-01T12:00:01.000Z',
  steps: [
    {
      ...{ name: 'connected', status: 'SUCCESS', startedAt: MOMENT, finishedAt: MOMENT },
      additionalInformation: [],
    },
  ],
};

const TESTER: readonly OperationExample[] = [
  accept('listFlows', 'The flows and their parameters'),
  accept('startFlow', 'A flow is started', { body: { flow: 'ListTables', params: {} }, answer: IDS.run }),
  refuse(
    'startFlow',
    { body: { flow: 'nothing' } },
    {
      summary: 'A flow that does not exist',
      reason: 'validation_failed',
      detail: 'Is not the name of a flow.',
      errors: { flow: ['Is not the name of a flow.'] },
    },
  ),
  accept('readRun', 'A run that has passed', {
    params: { flowId: IDS.run },
    answer: PASSED_RUN,
  }),
  refuse(
    'readRun',
    { params: { flowId: IDS.unknownUuid } },
    {
      summary: 'No run has the id',
      reason: 'flow_not_found',
      detail: 'there is no such run',
    },
  ),
];

const { steps: _steps, ...PASSED_SUMMARY } = PASSED_RUN;

/** What was called and tested. */
const ACTIVITIES: readonly OperationExample[] = [
  accept('listEposConnections', 'The EPOS has no connection open now', { answer: [] }),
  accept('listEposCalls', 'The EPOS was asked to create the order', {
    answer: [
      {
        ...{ id: 'b7ad6b7169203331', name: 'CreateOrder', at: MOMENT, outcome: 'Succeeded', tookMs: 34 },
        ...{ traceId: '0af7651916cd43dd8448eb211c80319c', transport: 'rest', subjectId: IDS.ofOrder },
      },
    ],
  }),
  refuse('listEposCalls', { query: { limit: '0' } }, NO_LIMIT),
  accept('listTesterRuns', 'The newest runs of the tester', {
    answer: { data: [{ ...PASSED_SUMMARY, stepCount: 1 }], before: null, after: null },
  }),
  refuse('listTesterRuns', { query: { limit: '0' } }, NO_LIMIT),
  accept('readTesterRun', 'A run that has passed, as the tester answers it', {
    params: { runId: IDS.run },
    answer: PASSED_RUN,
  }),
  refuse(
    'readTesterRun',
    { params: { runId: IDS.unknownUuid } },
    { summary: 'No run has the id', reason: 'flow_not_found', detail: 'there is no such run' },
  ),
];

export const EPOS_EXAMPLES: readonly OperationExample[] = [...ORDERS, ...TESTER, ...ACTIVITIES, ...REGISTRATIONS];
