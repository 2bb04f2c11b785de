import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PERMISSIONS } from '@pos/core/identity';
import type { RefusalCode } from '@pos/core/refusals';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { PROBLEMS } from '@pos/rest-contracts/testing';
import { toCanonicalJson } from '@pos/service-kit/request-checks';
import {
  expectCovered,
  findUntestedRefusals,
  formatStatusTable,
  getSuccessStatus,
  isLongRun,
  selectRows,
} from '@pos/testing';
import { beginAdvance, endAdvance } from '@pos/store/clock';
import { claimKey } from '@pos/store/idempotency';
import { createChargeRefusals } from '../testing/charge-test-environment.js';
import { createCustomerRefusals } from '../testing/customer-requests.js';
import {
  type AcceptedRequest,
  createRequest,
  createMoneyRefusals,
  type RefusalCase,
  UNKNOWN_INTENT,
} from '../testing/money-requests.js';
import { createActivityRefusals } from '../testing/activity-requests.js';
import { createAlarmRefusals } from '../testing/alarm-requests.js';
import { createEposActivityRefusals } from '../testing/epos/epos-activity-requests.js';
import { createOperatorRefusals } from '../testing/operator-requests.js';
import { createOrderRefusals } from '../testing/order-requests.js';
import { createKeyRefusals } from '../testing/api-key-requests.js';
import { createReconciliationRefusals } from '../testing/reconciliation-requests.js';
import { createSavedCardRefusals } from '../testing/saved-card-requests.js';
import { createPayerRefusals } from '../testing/payer-requests.js';
import { createDisabledAccountRefusals } from '../testing/disabled-account-requests.js';
import { createSetupRefusals, NEW_SETUP_BODY } from '../testing/setup-requests.js';
import {
  createAcceptedRequests,
  NEW_INTENT_BODY,
  RECEIPT_BODY,
  createRunningSession,
  createSaleDetails,
  createSigningSession,
} from '../testing/accepted-requests.js';
import {
  type TestResponse,
  ApiTestEnvironment,
  GBP_20,
  parseProblem,
  type TestRequest,
} from '../testing/api-test-environment.js';
import { BookingRequests } from '../testing/booking-requests.js';
import { TestEposGateway } from '../testing/epos/test-epos-gateway.js';
import { SECOND_PERSON_REQUESTS } from '../testing/second-person-requests.js';
import { createWebhookRefusals } from '../testing/webhook-requests.js';

let testEnvironment: ApiTestEnvironment;
let eposGateway: TestEposGateway;
/** An account with no due timers: no worker runs in this test, so its clock can be advanced. */
let idle: Awaited<ReturnType<ApiTestEnvironment['createAccount']>>;

beforeAll(async () => {
  eposGateway = await TestEposGateway.open();
  testEnvironment = await ApiTestEnvironment.open(eposGateway.settings);
  idle = await testEnvironment.createAccount();
});
afterAll(async () => {
  await testEnvironment.close();
  await eposGateway.close();
});

const BOOKINGS = new BookingRequests(
  () => testEnvironment,
  () => eposGateway,
);

const createRefundDetails = (paymentIntentId: string, value: number) => ({
  sessionType: 'MatchedRefund',
  matchedRefund: { paymentIntentId, amount: { value, currencyCode: 'GBP' } },
});
const createUnlinkedDetails = (amount: unknown) => ({ sessionType: 'UnlinkedRefund', unlinkedRefund: { amount } });

const ACCEPTED_REQUESTS = {
  ...createAcceptedRequests(
    () => testEnvironment,
    () => Promise.resolve(idle),
  ),
  ...BOOKINGS.createAccepted(),
};

async function getAcceptedRequest({ id }: Operation): Promise<AcceptedRequest> {
  const requests: Readonly<Record<string, () => Promise<AcceptedRequest>>> = ACCEPTED_REQUESTS;
  const created = await requests[id]?.();
  if (created === undefined) throw new Error(`no accepted request of ${id}`);
  return created;
}

async function sendOperation(
  { method, idempotency }: Operation,
  { path, ...request }: AcceptedRequest,
  overrides: TestRequest = {},
): Promise<TestResponse> {
  const key = idempotency === 'required' ? { idempotencyKey: randomUUID() } : {};
  return testEnvironment.sendRequest(method, path, {
    ...request,
    ...overrides,
    headers: { ...key, ...request.headers, ...overrides.headers },
  });
}

async function expectRefusal(answer: TestResponse, operation: Operation, code: RefusalCode): Promise<void> {
  const problem = parseProblem(answer);
  expect([await testEnvironment.findRefusal(answer), answer.status]).toEqual([code, PROBLEMS[code].status]);
  expect(problem).toMatchObject({ status: answer.status, type: PROBLEMS[code].type });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'trace-id': problem.traceId,
    version: '2026-02-27',
  });
  expect('code' in problem).toBe(operation.problemsCarryCode === true);
}

/** Refusals common to all operations: how an accepted request is changed so that it is refused with the code. */
const MALFORMED_REQUESTS: Partial<
  Record<RefusalCode, (operation: Operation, request: AcceptedRequest) => Promise<TestResponse>>
> = {
  unauthenticated: (operation, request) => sendOperation(operation, request, { key: `sk_sandbox_${'x'.repeat(43)}` }),
  permission_missing: async (operation, request) => {
    const missing = operation.permission === 'full' ? 'payments.read' : operation.permission;
    const others = PERMISSIONS.filter((permission) => permission !== missing);
    const key = await testEnvironment.addKey(testEnvironment.sandbox, undefined, others);
    return sendOperation(operation, request, { key });
  },
  version_invalid: (operation, request) => sendOperation(operation, request, { headers: { version: '2022-04-06' } }),
  partner_header_invalid: (operation, request) =>
    sendOperation(operation, request, { headers: { 'reseller-id': null } }),
  partner_not_registered: (operation, request) =>
    sendOperation(operation, request, {
      key: testEnvironment.keys.production,
      headers: { 'software-house-id': 'nobody' },
    }),
  validation_failed: (operation, { path, invalid, ...request }) =>
    sendOperation(operation, { path: `${path}${invalid?.query ?? ''}`, ...request }, { body: invalid?.body }),
  media_type_unsupported: (operation, request) =>
    sendOperation(operation, request, { body: 'a=b', headers: { 'content-type': 'text/plain' } }),
  body_too_large: (operation, request) => sendOperation(operation, request, { body: `"${'x'.repeat(1024 * 1024)}"` }),
  body_malformed: (operation, request) => sendOperation(operation, request, { body: '{"amount":' }),
  idempotency_key_invalid: (operation, request) =>
    sendOperation(operation, request, { headers: { idempotencyKey: 'a b' } }),
  idempotency_in_progress: async (operation, request) => {
    const { scope } = operation.id === 'advanceClock' ? idle : { scope: await findScope(request.key) };
    await testEnvironment.testDatabase.database.transact(scope, (tx) => {
      const { method } = operation;
      const fingerprintInput = toCanonicalJson(request.body);
      return claimKey(tx, { method, path: request.path, key: 'running', fingerprintInput });
    });
    const answer = await sendOperation(operation, request, { headers: { idempotencyKey: 'running' } });
    expect(answer.headers['retry-after']).toBe('1');
    return answer;
  },
  path_unknown: (operation, request) => sendOperation(operation, request, { key: testEnvironment.keys.production }),
  idempotency_key_reused: async (operation) => {
    const request = await getAcceptedRequest(operation);
    const headers = { idempotencyKey: `once-${operation.id}` };
    expect((await sendOperation(operation, request, { headers })).status).toBe(getAcceptedStatus(operation));
    const body = { ...(typeof request.body === 'object' ? request.body : {}), note: 'another' };
    return sendOperation(operation, request, { headers, body });
  },
};

/** Tested elsewhere: an outage below, a lost COMMIT and an excess of requests in the tests of their owners. */
const NOT_TESTED_REFUSALS: readonly RefusalCode[] = ['rate_limited', 'service_unavailable', 'commit_unknown'];

async function findScope(key: string = testEnvironment.keys.full) {
  const [row] = await testEnvironment.queryRows<{ account_id: `acc_${string}` }>(
    'select account_id from api_keys where hash = $1',
    [await testEnvironment.testDatabase.database.readSystem((reader) => Promise.resolve(reader.hash(key)))],
  );
  return { accountId: row?.account_id ?? testEnvironment.sandbox.accountId, environment: 'sandbox' } as const;
}

const createSessionRequest = async (
  details: unknown,
  more: { terminalId?: string; key?: string } = {},
): Promise<AcceptedRequest> =>
  createRequest(
    '/terminal-sessions',
    { terminalId: more.terminalId ?? (await testEnvironment.createTerminal()), details },
    more.key,
  );
const createBusyIntent = async (): Promise<string> => {
  const id = await testEnvironment.createIntentIn('Created');
  await testEnvironment.startSale(id);
  return id;
};

/** The refusals that each operation declares for itself. */
// oxfmt-ignore
const OWN_REFUSALS: readonly RefusalCase[] = [
  ['readPaymentIntent', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}`)],
  ['readPaymentIntent', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Canceled')}`)],
  ['readPaymentIntent', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Created')}`, undefined, testEnvironment.keys.foreign)],
  ['readPaymentIntent', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Created')}`, undefined, testEnvironment.keys.production)],
  ['readPaymentIntent', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/${encodeURIComponent("' or 1=1 --")}`)],
  ['readPaymentIntent', 'payment_intent_not_found', [], () => createRequest('/payment-intents/%00')],
  ['cancelPaymentIntent', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}`)],
  ['cancelPaymentIntent', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Created')}`, undefined, testEnvironment.keys.foreign)],
  ['cancelPaymentIntent', 'payment_intent_busy', [], async () => createRequest(`/payment-intents/${await createBusyIntent()}`)],
  ['cancelPaymentIntent', 'payment_intent_not_cancelable', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Captured')}`)],
  ['cancelPaymentIntent', 'payment_intent_not_cancelable', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Canceled')}`)],
  ['refreshClientSecret', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}/refresh-client-session-secret`)],
  ['refreshClientSecret', 'payment_intent_busy', [], async () => createRequest(`/payment-intents/${await createBusyIntent()}/refresh-client-session-secret`)],
  ['refreshClientSecret', 'secret_not_refreshable', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Captured')}/refresh-client-session-secret`)],
  ['readPublicPaymentIntent', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/public/${UNKNOWN_INTENT}`)],
  ['readPublicPaymentIntent', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/public/${await testEnvironment.createIntentIn('Canceled')}`)],
  ['readPublicPaymentIntent', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/public/${(await testEnvironment.createIntent({}, testEnvironment.keys.offline)).id}`)],
  ['refreshPublicClientSecret', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/public/x/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/public/${await testEnvironment.createIntentIn('Canceled')}/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/public/${(await testEnvironment.createIntent({ isNotOnlineCheckout: true }, testEnvironment.keys.offline)).id}/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'payment_intent_busy', [], async () => createRequest(`/payment-intents/public/${await createBusyIntent()}/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'secret_not_refreshable', [], async () => createRequest(`/payment-intents/public/${await testEnvironment.createIntentIn('Reversed')}/refresh-client-session-secret`)],
  ['createPaymentIntent', 'permission_missing', [], () => createRequest('/payment-intents', { ...NEW_INTENT_BODY, generateRemoteToken: true }, testEnvironment.keys.offline)],
  ['createPaymentIntent', 'acquirer_lacks_capability', [], async () => { await testEnvironment.limitAcquirer({ lacks: ['separate_capture'] }); return createRequest('/payment-intents', { ...NEW_INTENT_BODY, captureMode: 'Manual' }); }],
  ['createSetupIntent', 'acquirer_lacks_capability', [], async () => { await testEnvironment.limitAcquirer({ lacks: ['card_verification'] }); return createRequest('/setup-intents', NEW_SETUP_BODY); }],
  ['refreshClientSecret', 'permission_missing', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Created')}/refresh-client-session-secret`, undefined, testEnvironment.keys.offline)],
  ...createMoneyRefusals(() => testEnvironment),
  ...createPayerRefusals(() => testEnvironment),
  ...createDisabledAccountRefusals(() => testEnvironment),
  ...createChargeRefusals(() => testEnvironment),
  ...createSavedCardRefusals(() => testEnvironment),
  ...createSetupRefusals(() => testEnvironment),
  ...createCustomerRefusals(() => testEnvironment),
  ['readTerminal', 'terminal_not_found', [], () => createRequest('/terminals/tm_sandbox_000000000000000000000000')],
  ['readTerminal', 'terminal_not_found', [], async () => createRequest(`/terminals/${await testEnvironment.createTerminal()}`, undefined, testEnvironment.keys.foreign)],
  ['readTerminal', 'terminal_not_found', [], () => createRequest('/terminals/90000001')],
  ['listTerminalSessions', 'terminal_not_found', [], () => createRequest('/terminals/90000001/sessions')],
  ['listTerminalSessions', 'terminal_not_found', [], async () => createRequest(`/terminals/${await testEnvironment.createTerminal()}/sessions`, undefined, testEnvironment.keys.foreign)],
  ['resetTerminalMachine', 'terminal_not_found', [], () => createRequest('/terminals/90000001/machine/reset', { note: 'replaced' })],
  ['resetTerminalMachine', 'terminal_not_found', [], async () => createRequest(`/terminals/${await testEnvironment.createTerminal()}/machine/reset`, { note: 'replaced' }, testEnvironment.keys.foreign)],
  ['resetTerminalMachine', 'validation_failed', ['note'], async () => createRequest(`/terminals/${await testEnvironment.createTerminal()}/machine/reset`, {})],
  ['resetTerminalMachine', 'validation_failed', ['note'], async () => createRequest(`/terminals/${await testEnvironment.createTerminal()}/machine/reset`, { note: 'x'.repeat(1025) })],
  ['createTerminalSession', 'terminal_not_found', [], async () => createSessionRequest(createSaleDetails(await testEnvironment.createIntentIn('Created')), { terminalId: 'tm_sandbox_000000000000000000000000' })],
  ['createTerminalSession', 'terminal_unavailable', [], async () => createSessionRequest(createSaleDetails(await testEnvironment.createIntentIn('Created')), { terminalId: await testEnvironment.createTerminal({ isConnected: false }) })],
  ['createTerminalSession', 'terminal_unavailable', [], async () => createSessionRequest(createSaleDetails(await testEnvironment.createIntentIn('Created')), { terminalId: await testEnvironment.createTerminal({ inUse: true }) })],
  ['createTerminalSession', 'terminal_unavailable', [], async () => createSessionRequest(createSaleDetails(await testEnvironment.createIntentIn('Created')), { terminalId: (await testEnvironment.startSale(await testEnvironment.createIntentIn('Created'))).terminalId })],
  ['createTerminalSession', 'payment_intent_not_found', [], () => createSessionRequest(createSaleDetails(UNKNOWN_INTENT))],
  ['createTerminalSession', 'payment_intent_not_found', [], () => createSessionRequest(createRefundDetails('table 4', 1))],
  ['createTerminalSession', 'payment_intent_busy', [], async () => createSessionRequest(createSaleDetails(await createBusyIntent()))],
  ['createTerminalSession', 'payment_intent_not_payable', [], async () => createSessionRequest(createSaleDetails(await testEnvironment.createIntentIn('Captured')))],
  ['createTerminalSession', 'payment_intent_not_payable', [], async () => createSessionRequest(createSaleDetails(await testEnvironment.createIntentIn('Canceled')))],
  ['createTerminalSession', 'payment_intent_canceled', [], async () => createSessionRequest(createRefundDetails(await testEnvironment.createIntentIn('Canceled'), 1))],
  ['createTerminalSession', 'not_refundable', ['amount'], async () => createSessionRequest(createRefundDetails(await testEnvironment.createIntentIn('Created'), 1))],
  ['createTerminalSession', 'not_refundable', ['amount'], async () => createSessionRequest(createRefundDetails(await testEnvironment.createIntentIn('Refunded'), 1))],
  ['createTerminalSession', 'refund_exceeds_captured', ['amount'], async () => createSessionRequest(createRefundDetails(await testEnvironment.createIntentIn('Captured'), 2001))],
  ['createTerminalSession', 'validation_failed', ['amount.currencyCode'], () => createSessionRequest(createUnlinkedDetails({ value: 1, currencyCode: 'JPY' }))],
  ['createTerminalSession', 'permission_missing', [], async () => createSessionRequest(createUnlinkedDetails(GBP_20), { key: await testEnvironment.addKey(testEnvironment.sandbox, undefined, ['terminals.sessions']) })],
  ['createTerminalSession', 'acquirer_not_configured', [], () => createSessionRequest(createUnlinkedDetails(GBP_20), { key: testEnvironment.keys.production })],
  ['createTerminalSession', 'acquirer_lacks_capability', [], async () => { await testEnvironment.limitAcquirer({ lacks: ['unreferenced_refund'] }); return createSessionRequest(createUnlinkedDetails(GBP_20)); }],
  ['readTerminalSession', 'terminal_session_not_found', [], () => createRequest('/terminal-sessions/ts_sandbox_000000000000000000000000')],
  ['readTerminalSession', 'terminal_session_not_found', [], async () => createRequest(`/terminal-sessions/${await createRunningSession(testEnvironment)}`, undefined, testEnvironment.keys.foreign)],
  ['cancelTerminalSession', 'terminal_session_not_found', [], () => createRequest('/terminal-sessions/x/cancel')],
  ['cancelTerminalSession', 'terminal_session_not_cancelable', [], async () => createRequest(`/terminal-sessions/${await createSigningSession(testEnvironment)}/cancel`)],
  ['decideSignature', 'terminal_session_not_found', [], () => createRequest('/terminal-sessions/x/signature', { accepted: true })],
  ['decideSignature', 'signature_not_awaited', [], async () => createRequest(`/terminal-sessions/${await createRunningSession(testEnvironment)}/signature`, { accepted: true })],
  ['createSubscription', 'event_kind_taken', ['events'], async () => {
    const { key } = await testEnvironment.createAccount();
    const body = { events: ['payment_intent.created'], url: 'https://shop.example/hooks' };
    await testEnvironment.sendRequest('POST', '/webhooks', { key, body });
    return createRequest('/webhooks', { ...body, events: ['payment_intent.created', 'terminal_session.created'] }, key);
  }],
  ['sendReceipt', 'payment_intent_not_found', [], () => createRequest(`/payment-intents/${UNKNOWN_INTENT}/receipt`, RECEIPT_BODY)],
  ['sendReceipt', 'payment_intent_not_found', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Captured')}/receipt`, RECEIPT_BODY, testEnvironment.keys.foreign)],
  ['sendReceipt', 'receipt_not_available', [], async () => createRequest(`/payment-intents/${await testEnvironment.createIntentIn('Created')}/receipt`, RECEIPT_BODY)],
  ...createWebhookRefusals(() => testEnvironment),
  ...createKeyRefusals(() => testEnvironment),
  ...createOperatorRefusals(() => testEnvironment),
  ...createReconciliationRefusals(() => testEnvironment),
  ...createAlarmRefusals(() => testEnvironment),
  ...createActivityRefusals(() => testEnvironment),
  ...createOrderRefusals(() => testEnvironment),
  ...createEposActivityRefusals(() => testEnvironment),
  ...BOOKINGS.createRefusals(),
];

/** Of users of the portal: `second-person.test.ts` sends them. */
const OF_SECOND_PERSONS = Object.keys(SECOND_PERSON_REQUESTS).map((id) => [id, 'second_person_needed'] as const);

/** No card vault listens here: a charge that begins stays unanswered. `charges.wide.test.ts` has one. */
const getAcceptedStatus = (operation: Operation): number =>
  operation.id === 'chargePaymentIntent' ? 504 : getSuccessStatus(operation);

const getOperation = (id: string): Operation => {
  const operation = API_OPERATIONS.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
};

const listCommonRefusals = (operation: Operation): readonly RefusalCode[] =>
  commonRefusals(operation).filter((code) => !NOT_TESTED_REFUSALS.includes(code));

/** The common refusals that are sent, one for each operation. */
const sent: RefusalCode[] = [];

/** All in the long run; in `npm test` the missing permission, and the one that was sent least often. */
function selectRefusals(operation: Operation): readonly RefusalCode[] {
  const codes = listCommonRefusals(operation);
  const countSent = (code: RefusalCode): number => sent.filter((each) => each === code).length;
  const [rarest] = codes
    .filter((code) => code !== 'permission_missing')
    .toSorted((one, other) => countSent(one) - countSent(other));
  const selected = codes.filter((code) => isLongRun || code === 'permission_missing' || code === rarest);
  sent.push(...selected);
  return selected;
}

describe.each(API_OPERATIONS.map((operation) => [operation.id, getAcceptedStatus(operation), operation] as const))(
  'one change makes an accepted request of %s refused',
  (_, status, operation) => {
    let request: AcceptedRequest;
    beforeAll(async () => {
      request = await getAcceptedRequest(operation);
    });
    test.each(selectRefusals(operation))('%s', async (code) => {
      const sendRefused = MALFORMED_REQUESTS[code];
      if (sendRefused === undefined) throw new Error(`no test sends a request that is refused with ${code}`);
      await expectRefusal(await sendRefused(operation, request), operation, code);
    });

    test(`after all of those it is accepted as it was: ${status}`, async () => {
      const answer = await sendOperation(operation, request);
      expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(status === 204 ? /^$/ : /^[{[]/)]);
    });
  },
);

test('each refusal that operations have in common is sent at least once', () => {
  const common = API_OPERATIONS.flatMap(listCommonRefusals);
  expect(common.filter((code) => !sent.includes(code))).toEqual([]);
});

/** Each code once, and every operation with resources that are unknown or of another account. */
const SENT_REFUSALS = selectRows(OWN_REFUSALS, ([, code], index) =>
  /_(not_found|unknown)$/.test(code) ? index : code,
);

describe('an operation refuses what its state or its rules forbid', () => {
  test.each(SENT_REFUSALS)('%s: %s %p', async (id, code, members, make) => {
    const operation = getOperation(id);
    const answer = await sendOperation(operation, await make());
    if (code === 'acquirer_lacks_capability') await testEnvironment.limitAcquirer();
    await expectRefusal(answer, operation, code);
    expect(Object.keys(parseProblem(answer).errors)).toEqual(members);
  });

  test('every declared refusal is tested', () => {
    expect(findUntestedRefusals(API_OPERATIONS, [...OWN_REFUSALS, ...OF_SECOND_PERSONS])).toEqual([]);
  });

  test('docs/reference/response-coverage.md lists every status and its refusals', () => {
    expectCovered('statuses', formatStatusTable(API_OPERATIONS));
  });

  test('an unavailable terminal is refused with its own code', async () => {
    const body = {
      terminalId: await testEnvironment.createTerminal({ isConnected: false }),
      details: createUnlinkedDetails(GBP_20),
    };
    const answer = await testEnvironment.sendRequest('POST', '/terminal-sessions', { body });
    expect(parseProblem(answer)).toMatchObject({ code: 'TERMINAL_UNAVAILABLE', detail: 'the terminal is Offline' });
  });

  test('a clock that is being advanced refuses a second advance', async () => {
    const advance = await beginAdvance(testEnvironment.testDatabase.database, idle.scope, 10_000);
    const operation = getOperation('advanceClock');
    await expectRefusal(
      await sendOperation(operation, await getAcceptedRequest(operation)),
      operation,
      'idempotency_in_progress',
    );
    if (advance !== null) await endAdvance(testEnvironment.testDatabase.database, advance);
    expect((await sendOperation(operation, await getAcceptedRequest(operation))).status).toBe(200);
  });
});
