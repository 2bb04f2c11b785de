import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PERMISSIONS } from '@pos/core/permissions';
import type { RefusalCode } from '@pos/core/refusal';
import { commonRefusals, type Operation } from '@pos/rest-contracts/operation';
import { API_OPERATIONS } from '@pos/rest-contracts/operations';
import { PROBLEMS } from '@pos/rest-contracts/problems';
import { canonicalJson } from '@pos/service-kit/idempotency';
import { expectCovered, notShown, statusTable, successOf } from '@pos/service-kit/testing-coverage';
import { CuttableLine } from '@pos/service-kit/testing-line';
import { beginAdvance, endAdvance } from '@pos/store/clock';
import { claimKey } from '@pos/store/once';
import { chargeRefusals } from './charges/testing.js';
import { customerRefusals, createCustomer, secretOf } from './customers/testing.js';
import { type Accepted, at, moneyRefusals, type Own, UNKNOWN_INTENT } from './payment-intents/testing.js';
import { alarmRefusals } from './alarms/testing.js';
import { operatorRefusals } from './pay-at-table/testing.js';
import { orderRefusals } from './orders/testing.js';
import { keyRefusals } from './api-keys/testing.js';
import { reconciliationRefusals } from './reconciliation/testing.js';
import { savedCardRefusals } from './saved-cards/testing.js';
import { setupRefusals } from './setup-intents/testing.js';
import { acceptedRequests, NEW_INTENT, RECEIPT, running, saleOf, signing } from './testing-accepted.js';
import { type Answered, ApiWorld, GBP_20, keyText, problemOf, type Sent } from './testing.js';
import { webhookRefusals } from './webhooks/testing.js';

let world: ApiWorld;
/** The clock of an account where nothing is due: nobody works timers here. */
let idle: Awaited<ReturnType<ApiWorld['newcomer']>>;

beforeAll(async () => {
  world = await ApiWorld.open();
  idle = await world.newcomer();
});
afterAll(() => world.close());

const refundOf = (paymentIntentId: string, value: number) => ({
  sessionType: 'MatchedRefund',
  matchedRefund: { paymentIntentId, amount: { value, currencyCode: 'GBP' } },
});
const unlinked = (amount: unknown) => ({ sessionType: 'UnlinkedRefund', unlinkedRefund: { amount } });

const ACCEPTED = acceptedRequests(
  () => world,
  () => Promise.resolve(idle),
);

async function accepted({ id }: Operation): Promise<Accepted> {
  const made = await ACCEPTED[id]?.();
  if (made === undefined) throw new Error(`no accepted request of ${id}`);
  return made;
}

async function send(
  { method, idempotency }: Operation,
  { path, ...request }: Accepted,
  spoilt: Sent = {},
): Promise<Answered> {
  const key = idempotency === 'required' ? { idempotencyKey: randomUUID() } : {};
  return world.send(method, path, { ...request, ...spoilt, headers: { ...key, ...spoilt.headers } });
}

async function expectRefusal(answer: Answered, operation: Operation, code: RefusalCode): Promise<void> {
  const problem = problemOf(answer);
  expect([await world.refusalOf(answer), answer.status]).toEqual([code, PROBLEMS[code].status]);
  expect(problem).toMatchObject({ status: answer.status, type: PROBLEMS[code].type });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'trace-id': problem.traceId,
    version: '2026-02-27',
  });
  expect('code' in problem).toBe(operation.problemsCarryCode === true);
}

/** Refusals that any operation may make: how an accepted request becomes one that is refused so. */
const SPOILT: Partial<Record<RefusalCode, (operation: Operation) => Promise<Answered>>> = {
  unauthenticated: async (operation) =>
    send(operation, await accepted(operation), { key: `sk_sandbox_${'x'.repeat(43)}` }),
  permission_missing: async (operation) => {
    const missing = operation.permission === 'full' ? 'payments.read' : operation.permission;
    const others = PERMISSIONS.filter((permission) => permission !== missing);
    return send(operation, await accepted(operation), { key: await world.addKey(world.sandbox, undefined, others) });
  },
  version_invalid: async (operation) =>
    send(operation, await accepted(operation), { headers: { version: '2022-04-06' } }),
  partner_header_invalid: async (operation) =>
    send(operation, await accepted(operation), { headers: { 'reseller-id': null } }),
  validation_failed: async (operation) => {
    const { path, wrong, ...request } = await accepted(operation);
    return send(operation, { path: `${path}${wrong?.query ?? ''}`, ...request }, { body: wrong?.body });
  },
  media_type_unsupported: async (operation) =>
    send(operation, await accepted(operation), { body: 'a=b', headers: { 'content-type': 'text/plain' } }),
  body_too_large: async (operation) =>
    send(operation, await accepted(operation), { body: `"${'x'.repeat(1024 * 1024)}"` }),
  body_malformed: async (operation) => send(operation, await accepted(operation), { body: '{"amount":' }),
  idempotency_key_invalid: async (operation) =>
    send(operation, await accepted(operation), { headers: { idempotencyKey: 'a b' } }),
  idempotency_key_reused: async (operation) => {
    const request = await accepted(operation);
    const headers = { idempotencyKey: `once-${operation.id}` };
    expect((await send(operation, request, { headers })).status).toBe(successOf(operation));
    const body = { ...(typeof request.body === 'object' ? request.body : {}), note: 'another' };
    return send(operation, request, { headers, body });
  },
  idempotency_in_progress: async (operation) => {
    const request = await accepted(operation);
    const { scope } = operation.id === 'advanceClock' ? idle : { scope: await scopeOf(request.key) };
    await world.place.database.transact(scope, (tx) => {
      const { method } = operation;
      const fingerprintInput = canonicalJson(request.body);
      return claimKey(tx, { method, path: request.path, key: 'running', fingerprintInput });
    });
    const answer = await send(operation, request, { headers: { idempotencyKey: 'running' } });
    expect(answer.headers['retry-after']).toBe('1');
    return answer;
  },
  path_unknown: async (operation) => send(operation, await accepted(operation), { key: world.keys.production }),
};

/** Shown elsewhere: an outage below, a lost COMMIT and an excess of requests at their owners. */
const NOT_OF_A_REQUEST: readonly RefusalCode[] = ['rate_limited', 'service_unavailable', 'commit_unknown'];

async function scopeOf(key: string = world.keys.full) {
  const [row] = await world.look<{ account_id: `acc_${string}` }>('select account_id from api_keys where hash = $1', [
    await world.place.database.readSystem((reader) => Promise.resolve(reader.hash(key))),
  ]);
  return { accountId: row?.account_id ?? world.sandbox.accountId, environment: 'sandbox' } as const;
}

const session = async (details: unknown, more: { terminalId?: string; key?: string } = {}): Promise<Accepted> =>
  at('/terminal-sessions', { terminalId: more.terminalId ?? (await world.terminal()), details }, more.key);
const busy = async (): Promise<string> => {
  const id = await world.intentIn('Created');
  await world.sale(id);
  return id;
};

/** Each refusal that an operation declares for itself. */
// prettier-ignore
const OWN: readonly Own[] = [
  ['readPaymentIntent', 'payment_intent_not_found', [], () => at(`/payment-intents/${UNKNOWN_INTENT}`)],
  ['readPaymentIntent', 'payment_intent_not_found', [], async () => at(`/payment-intents/${await world.intentIn('Canceled')}`)],
  ['readPaymentIntent', 'payment_intent_not_found', [], async () => at(`/payment-intents/${await world.intentIn('Created')}`, undefined, world.keys.foreign)],
  ['readPaymentIntent', 'payment_intent_not_found', [], async () => at(`/payment-intents/${await world.intentIn('Created')}`, undefined, world.keys.production)],
  ['readPaymentIntent', 'payment_intent_not_found', [], () => at(`/payment-intents/${encodeURIComponent("' or 1=1 --")}`)],
  ['readPaymentIntent', 'payment_intent_not_found', [], () => at('/payment-intents/%00')],
  ['cancelPaymentIntent', 'payment_intent_not_found', [], () => at(`/payment-intents/${UNKNOWN_INTENT}`)],
  ['cancelPaymentIntent', 'payment_intent_not_found', [], async () => at(`/payment-intents/${await world.intentIn('Created')}`, undefined, world.keys.foreign)],
  ['cancelPaymentIntent', 'payment_intent_busy', [], async () => at(`/payment-intents/${await busy()}`)],
  ['cancelPaymentIntent', 'payment_intent_not_cancelable', [], async () => at(`/payment-intents/${await world.intentIn('Captured')}`)],
  ['cancelPaymentIntent', 'payment_intent_not_cancelable', [], async () => at(`/payment-intents/${await world.intentIn('Canceled')}`)],
  ['refreshClientSecret', 'payment_intent_not_found', [], () => at(`/payment-intents/${UNKNOWN_INTENT}/refresh-client-session-secret`)],
  ['refreshClientSecret', 'payment_intent_busy', [], async () => at(`/payment-intents/${await busy()}/refresh-client-session-secret`)],
  ['refreshClientSecret', 'secret_not_refreshable', [], async () => at(`/payment-intents/${await world.intentIn('Captured')}/refresh-client-session-secret`)],
  ['readPublicPaymentIntent', 'payment_intent_not_found', [], () => at(`/payment-intents/public/${UNKNOWN_INTENT}`)],
  ['readPublicPaymentIntent', 'payment_intent_not_found', [], async () => at(`/payment-intents/public/${await world.intentIn('Canceled')}`)],
  ['readPublicPaymentIntent', 'payment_intent_not_found', [], async () => at(`/payment-intents/public/${(await world.intent({}, world.keys.offline)).id}`)],
  ['refreshPublicClientSecret', 'payment_intent_not_found', [], () => at(`/payment-intents/public/x/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'payment_intent_not_found', [], async () => at(`/payment-intents/public/${await world.intentIn('Canceled')}/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'payment_intent_not_found', [], async () => at(`/payment-intents/public/${(await world.intent({ isNotOnlineCheckout: true }, world.keys.offline)).id}/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'payment_intent_busy', [], async () => at(`/payment-intents/public/${await busy()}/refresh-client-session-secret`)],
  ['refreshPublicClientSecret', 'secret_not_refreshable', [], async () => at(`/payment-intents/public/${await world.intentIn('Reversed')}/refresh-client-session-secret`)],
  ['createPaymentIntent', 'permission_missing', [], () => at('/payment-intents', { ...NEW_INTENT, generateRemoteToken: true }, world.keys.offline)],
  ['refreshClientSecret', 'permission_missing', [], async () => at(`/payment-intents/${await world.intentIn('Created')}/refresh-client-session-secret`, undefined, world.keys.offline)],
  ...moneyRefusals(() => world),
  ...chargeRefusals(() => world),
  ...savedCardRefusals(() => world),
  ...setupRefusals(() => world),
  ...customerRefusals(() => world),
  ['readTerminal', 'terminal_not_found', [], () => at('/terminals/tm_sandbox_000000000000000000000000')],
  ['readTerminal', 'terminal_not_found', [], async () => at(`/terminals/${await world.terminal()}`, undefined, world.keys.foreign)],
  ['readTerminal', 'terminal_not_found', [], () => at('/terminals/90000001')],
  ['resetTerminalMachine', 'terminal_not_found', [], () => at('/terminals/90000001/machine/reset', { note: 'replaced' })],
  ['resetTerminalMachine', 'terminal_not_found', [], async () => at(`/terminals/${await world.terminal()}/machine/reset`, { note: 'replaced' }, world.keys.foreign)],
  ['resetTerminalMachine', 'validation_failed', ['note'], async () => at(`/terminals/${await world.terminal()}/machine/reset`, {})],
  ['resetTerminalMachine', 'validation_failed', ['note'], async () => at(`/terminals/${await world.terminal()}/machine/reset`, { note: 'x'.repeat(1025) })],
  ['createTerminalSession', 'terminal_not_found', [], async () => session(saleOf(await world.intentIn('Created')), { terminalId: 'tm_sandbox_000000000000000000000000' })],
  ['createTerminalSession', 'terminal_unavailable', [], async () => session(saleOf(await world.intentIn('Created')), { terminalId: await world.terminal({ isConnected: false }) })],
  ['createTerminalSession', 'terminal_unavailable', [], async () => session(saleOf(await world.intentIn('Created')), { terminalId: await world.terminal({ inUse: true }) })],
  ['createTerminalSession', 'terminal_unavailable', [], async () => session(saleOf(await world.intentIn('Created')), { terminalId: (await world.sale(await world.intentIn('Created'))).terminalId })],
  ['createTerminalSession', 'payment_intent_not_found', [], () => session(saleOf(UNKNOWN_INTENT))],
  ['createTerminalSession', 'payment_intent_not_found', [], () => session(refundOf('table 4', 1))],
  ['createTerminalSession', 'payment_intent_busy', [], async () => session(saleOf(await busy()))],
  ['createTerminalSession', 'payment_intent_not_payable', [], async () => session(saleOf(await world.intentIn('Captured')))],
  ['createTerminalSession', 'payment_intent_not_payable', [], async () => session(saleOf(await world.intentIn('Canceled')))],
  ['createTerminalSession', 'payment_intent_canceled', [], async () => session(refundOf(await world.intentIn('Canceled'), 1))],
  ['createTerminalSession', 'not_refundable', ['amount'], async () => session(refundOf(await world.intentIn('Created'), 1))],
  ['createTerminalSession', 'not_refundable', ['amount'], async () => session(refundOf(await world.intentIn('Refunded'), 1))],
  ['createTerminalSession', 'refund_exceeds_captured', ['amount'], async () => session(refundOf(await world.intentIn('Captured'), 2001))],
  ['createTerminalSession', 'validation_failed', ['amount.currencyCode'], () => session(unlinked({ value: 1, currencyCode: 'JPY' }))],
  ['createTerminalSession', 'permission_missing', [], async () => session(unlinked(GBP_20), { key: await world.addKey(world.sandbox, undefined, ['terminals.sessions']) })],
  ['createTerminalSession', 'acquirer_not_configured', [], () => session(unlinked(GBP_20), { key: world.keys.production })],
  ['readTerminalSession', 'terminal_session_not_found', [], () => at('/terminal-sessions/ts_sandbox_000000000000000000000000')],
  ['readTerminalSession', 'terminal_session_not_found', [], async () => at(`/terminal-sessions/${await running(world)}`, undefined, world.keys.foreign)],
  ['cancelTerminalSession', 'terminal_session_not_found', [], () => at('/terminal-sessions/x/cancel')],
  ['cancelTerminalSession', 'terminal_session_not_cancelable', [], async () => at(`/terminal-sessions/${await signing(world)}/cancel`)],
  ['decideSignature', 'terminal_session_not_found', [], () => at('/terminal-sessions/x/signature', { accepted: true })],
  ['decideSignature', 'signature_not_awaited', [], async () => at(`/terminal-sessions/${await running(world)}/signature`, { accepted: true })],
  ['createSubscription', 'event_kind_taken', ['events'], async () => {
    const { key } = await world.newcomer();
    const body = { events: ['payment_intent.created'], url: 'https://shop.example/hooks' };
    await world.send('POST', '/webhooks', { key, body });
    return at('/webhooks', { ...body, events: ['payment_intent.created', 'terminal_session.created'] }, key);
  }],
  ['sendReceipt', 'payment_intent_not_found', [], () => at(`/payment-intents/${UNKNOWN_INTENT}/receipt`, RECEIPT)],
  ['sendReceipt', 'payment_intent_not_found', [], async () => at(`/payment-intents/${await world.intentIn('Captured')}/receipt`, RECEIPT, world.keys.foreign)],
  ['sendReceipt', 'receipt_not_available', [], async () => at(`/payment-intents/${await world.intentIn('Created')}/receipt`, RECEIPT)],
  ...webhookRefusals(() => world),
  ...keyRefusals(() => world),
  ...operatorRefusals(() => world),
  ...reconciliationRefusals(() => world),
  ...alarmRefusals(() => world),
  ...orderRefusals(() => world),
];

const operationOf = (id: string): Operation => {
  const operation = API_OPERATIONS.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
};

describe('what an operation accepts becomes refused by one change', () => {
  const rows = API_OPERATIONS.flatMap((operation) =>
    commonRefusals(operation)
      .filter((code) => !NOT_OF_A_REQUEST.includes(code))
      .map((code) => [operation.id, code, operation] as const),
  );
  test.each(API_OPERATIONS.map((operation) => [operation.id, successOf(operation), operation] as const))(
    '%s: %i',
    async (_, status, operation) => {
      const answer = await send(operation, await accepted(operation));
      expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(status === 204 ? /^$/ : /^[{[]/)]);
    },
  );

  test.each(rows)('%s: %s', async (_, code, operation) => {
    const spoil = SPOILT[code];
    if (spoil === undefined) throw new Error(`nobody shows how a request is refused with ${code}`);
    await expectRefusal(await spoil(operation), operation, code);
  });
});

describe('an operation refuses what its state or its rules forbid', () => {
  test.each(OWN)('%s: %s %p', async (id, code, members, make) => {
    const operation = operationOf(id);
    const answer = await send(operation, await make());
    await expectRefusal(answer, operation, code);
    expect(Object.keys(problemOf(answer).errors)).toEqual(members);
  });

  test('every refusal that is declared is shown', () => {
    expect(notShown(API_OPERATIONS, OWN)).toEqual([]);
  });

  test('stands in docs/reference/response-coverage.md, with every status and what is behind it', () => {
    expectCovered('statuses', statusTable(API_OPERATIONS));
  });

  test('a terminal that cannot be had says so in its code', async () => {
    const body = { terminalId: await world.terminal({ isConnected: false }), details: unlinked(GBP_20) };
    const answer = await world.send('POST', '/terminal-sessions', { body });
    expect(problemOf(answer)).toMatchObject({ code: 'TERMINAL_UNAVAILABLE', detail: 'the terminal is Offline' });
  });

  test('while a clock is being advanced, nobody else advances it', async () => {
    const advance = await beginAdvance(world.place.database, idle.scope, 10_000);
    const operation = operationOf('advanceClock');
    await expectRefusal(await send(operation, await accepted(operation)), operation, 'idempotency_in_progress');
    if (advance !== null) await endAdvance(world.place.database, advance);
    expect((await send(operation, await accepted(operation))).status).toBe(200);
  });
});

describe('without its database', () => {
  test('every operation answers 503 and says when to come back; afterwards all is as before', async () => {
    const line = await CuttableLine.open();
    const cut = await ApiWorld.open({}, (url) => line.to(url));
    try {
      const create = () => cut.send('POST', '/payment-intents', { body: NEW_INTENT });
      expect((await create()).status).toBe(200);
      const customerSecret = await secretOf(cut, await createCustomer(cut));
      line.cut();
      // The key is still known, so this one gets as far as its transaction.
      const begun = await create();
      expect([begun.status, begun.headers['retry-after']]).toEqual([503, '1']);
      for (const { id, method, path, customerSecret: isBySecret } of API_OPERATIONS) {
        const key = isBySecret === undefined ? keyText('sandbox') : customerSecret;
        const answer = await cut.send(method, path.replaceAll(/\{\w+\}/g, UNKNOWN_INTENT), { key });
        expect([id, answer.status, answer.headers['retry-after']]).toEqual([id, 503, '1']);
        expect([id, await cut.refusalOf(answer)]).toEqual([id, 'service_unavailable']);
      }
      expect((await cut.send('GET', '/health/live')).status).toBe(200);
      expect(problemOf(await cut.send('GET', '/health/ready'))).toMatchObject({
        status: 503,
        detail: 'Not ready: database.',
      });
      line.mend();
      expect((await create()).status).toBe(200);
      expect((await cut.send('GET', '/health/ready')).status).toBe(200);
    } finally {
      await cut.close();
      await line.close();
    }
  });
});
