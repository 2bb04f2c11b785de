import { changeTestSettings } from '@pos/payments/testing';
import { getTerminal, type TerminalSessionRequest, TerminalSessions } from '@pos/payments/terminals';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { money } from '@pos/core/money';
import { ROLES } from '@pos/core/identity';
import { Refusal } from '@pos/core/refusals';
import type { ReceiptLine } from '@pos/core/receipts';
import { isSessionFinal, NOTIFICATION_TYPES, SESSION_STATUSES, type TerminalSession } from '@pos/core/terminals';
import { type CaptureMode, DEFAULT_INTENT_CONFIG } from '@pos/core/payment-intents';
import { beginAdvance, endAdvance, applyClockStep } from '@pos/store/clock';
import { findIntent } from '@pos/store/payments';
import { listTerminalSessionEvents } from '@pos/store/terminals';
import type { RunningGateway } from '../boot.js';
import { type GatewayAccount, GatewayEnvironment } from '../testing/gateway-world.js';
import { waitUntil } from '../testing/polling.js';

let environment: GatewayEnvironment;
let running: RunningGateway;
let account: GatewayAccount;
beforeAll(async () => {
  environment = await GatewayEnvironment.create();
  running = await environment.startGateway();
  account = await environment.createAccount({ hasMachines: true });
});
afterAll(() => environment.close());

const CALLER = { permissions: new Set(ROLES.full) };
const gbp = (value: number) => money(value, 'GBP');

/** What was reached by all scenarios of this file. */
const reachedStatuses = new Set<string>();

/** A session on a simulated machine, and what it has come to. */
interface SessionRun {
  readonly session: TerminalSession;
  readonly statuses: readonly string[];
  readonly notifications: readonly string[];
}

async function readRun(id: string): Promise<SessionRun> {
  return environment.testDatabase.database.read(account.scope, async (reader) => {
    const { session } = await running.app.get(TerminalSessions).get(reader, id);
    const events = await listTerminalSessionEvents(reader, session.id);
    const named = (kind: string) => events.filter((event) => event.kind === kind).map(({ name }) => name);
    for (const { name, kind } of events) reachedStatuses.add(`${kind} ${name}`);
    return { session, statuses: named('status'), notifications: named('notification') };
  });
}

async function waitForRun(id: string, condition: (run: SessionRun) => boolean): Promise<SessionRun> {
  await waitUntil(async () => condition(await readRun(id)));
  return readRun(id);
}

const waitForEnd = (id: string) => waitForRun(id, ({ session }) => isSessionFinal(session.status));
const hasStatus =
  (status: TerminalSession['status']) =>
  ({ session }: SessionRun) =>
    session.status === status;

async function isAvailable(terminalId: string): Promise<boolean> {
  const view = await environment.testDatabase.database.read(account.scope, (reader) => getTerminal(reader, terminalId));
  return view.status === 'Available';
}

async function createIntent(value: number, captureMode: CaptureMode = 'Auto'): Promise<`pi_${string}`> {
  const { intent } = await environment.testDatabase.database.transact(account.scope, (tx) =>
    running.app.get(PaymentIntents).create(tx, CALLER, {
      ...{ amount: gbp(value), tipsAmount: null, cashbackAmount: null, serviceChargeAmount: null, captureMode },
      ...{ reference: 'table 7', description: null, cardHolderNotPresent: false, paymentMethods: ['Card'] },
      ...{ paymentSource: 'api', setupIntentId: null, autoExpireAction: null, autoExpireInMs: null, expireAt: null },
      ...{ metadata: {}, details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] } },
      ...{ isNotOnlineCheckout: false, generateRemoteToken: null },
    }),
  );
  return intent.id;
}

type SessionRequest = TerminalSessionRequest extends infer W
  ? W extends unknown
    ? Omit<W, 'terminalId'>
    : never
  : never;

/** Starts a session once the machine is free; returns its id. */
async function startSession(tid: string, sessionRequest: SessionRequest): Promise<string> {
  const terminalId = await environment.terminalId(account, tid);
  await waitUntil(() => isAvailable(terminalId));
  return environment.testDatabase.database.transact(account.scope, async (tx) => {
    const { session } = await running.app.get(TerminalSessions).create(tx, CALLER, { ...sessionRequest, terminalId });
    return session.id;
  });
}

const startSale = async (tid: string, value = 1_000, captureMode: CaptureMode = 'Auto') =>
  startSession(tid, { sessionType: 'Sale', paymentIntentId: await createIntent(value, captureMode) });
const decideSignature = (id: string, isAccepted: boolean) =>
  environment.testDatabase.database.transact(account.scope, (tx) =>
    running.app.get(TerminalSessions).decideSignature(tx, id, isAccepted),
  );
const cancelSession = (id: string) =>
  environment.testDatabase.database.transact(account.scope, (tx) => running.app.get(TerminalSessions).cancel(tx, id));
const readIntent = (id: string) =>
  environment.testDatabase.database.read(account.scope, async (reader) => (await findIntent(reader, id))!);

/** The window of a session passes, and what a worker does then is done. */
async function expireWindow(id: string): Promise<void> {
  const { database } = environment.testDatabase;
  const { session } = await readRun(id);
  const advance = (await beginAdvance(database, account.scope, 10_000))!;
  expect(await applyClockStep(database, advance, session.expireAt.getTime() - session.createdAt.getTime())).toBe(true);
  await endAdvance(database, advance);
  await database.transact(account.scope, (tx) => running.app.get(TerminalSessions).applyWindowExpiry(tx, id));
}

const PIN_NOTIFICATIONS = ['PresentCard', 'PleaseWait', 'EnterPin', 'PleaseWait', 'RemoveCard'];
const CAPTURED_STATUSES = ['InitiateRequested', 'Initiated', 'Captured'];
const TROUBLE_NOTIFICATIONS = [
  'PresentCard',
  'PresentOnlyOneCard',
  'CardUnsupported',
  'InsertCard',
  'ReEnterCard',
  ...PIN_NOTIFICATIONS.slice(1),
];

// oxfmt-ignore
test.each<[string, number, CaptureMode, string[], string[]]>([
  ['90000001', 1_000, 'Auto', CAPTURED_STATUSES, ['PresentCard', 'PleaseWait', 'Approved']],
  ['90000001', 1_093, 'Auto', ['InitiateRequested', 'Initiated', 'Declined'], ['PresentCard', 'CardError', 'PleaseWait', 'Declined']],
  ['90000001', 1_095, 'Auto', CAPTURED_STATUSES, TROUBLE_NOTIFICATIONS],
  ['90000001', 1_097, 'Auto', ['InitiateRequested', 'Initiated', 'Canceled'], ['PresentCard']],
  ['90000002', 1_000, 'Manual', ['InitiateRequested', 'Initiated', 'Authorized'], PIN_NOTIFICATIONS],
  ['90000004', 1_000, 'Auto', ['InitiateRequested', 'Initiated', 'Declined'], [...PIN_NOTIFICATIONS, 'Declined']],
  ['90000005', 1_000, 'Auto', ['InitiateRequested', 'Initiated', 'Canceled'], ['PresentCard']],
  ['90000009', 1_000, 'Auto', CAPTURED_STATUSES, PIN_NOTIFICATIONS],
  ['90000010', 1_000, 'Auto', CAPTURED_STATUSES, PIN_NOTIFICATIONS],
])('machine %s asked for %d pence, %s', async (tid, value, captureMode, statuses, notifications) => {
  expect(await waitForEnd(await startSale(tid, value, captureMode))).toMatchObject({ statuses, notifications });
});

test.each([
  ['90000003', true, 'SignatureVerificationAccepted', 'Captured'],
  ['90000003', false, 'SignatureVerificationRejected', undefined],
  // Its second session: the first one asked for the PIN.
  ['90000010', true, 'SignatureVerificationAccepted', 'Captured'],
] as const)('machine %s asks for a signature, accepted: %s', async (tid, isAccepted, decidedRun, last) => {
  const id = await startSale(tid);
  const waiting = await waitForRun(id, hasStatus('SignatureVerificationRequired'));
  expect(waiting.session.expireAt.getTime() - waiting.session.updatedAt.getTime()).toBe(80_000);
  expect(listTexts(waiting.session.merchantReceipt)).toContain('Signature: ______________________');
  await decideSignature(id, isAccepted);
  const { statuses } = await readRun(id);
  expect(statuses.slice(2)).toEqual([
    'SignatureVerificationRequired',
    decidedRun,
    ...(last === undefined ? [] : [last]),
  ]);
});

test('nobody presents a card to machine 90000006: it is cancelled, or expires', async () => {
  const given = await startSale('90000006');
  await waitForRun(given, hasStatus('Initiated'));
  await cancelSession(given);
  expect((await waitForEnd(given)).statuses).toEqual(['InitiateRequested', 'Initiated', 'CancelRequested', 'Canceled']);
  const left = await startSale('90000006');
  await waitForRun(left, hasStatus('Initiated'));
  await expireWindow(left);
  expect((await readRun(left)).statuses).toEqual(['InitiateRequested', 'Initiated', 'Expired']);
});

test.each(['90000007', '90000008'])('machine %s cannot be used', async (tid) => {
  const terminalId = await environment.terminalId(account, tid);
  const paymentIntentId = await createIntent(1_000);
  const wanted = environment.testDatabase.database.transact(account.scope, (tx) =>
    running.app.get(TerminalSessions).create(tx, CALLER, { sessionType: 'Sale', paymentIntentId, terminalId }),
  );
  const refusal = await wanted.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal instanceof Refusal && refusal.code).toBe('terminal_unavailable');
});

/** £10 that were taken on the first machine. */
async function createPaidIntent(): Promise<`pi_${string}`> {
  const paymentIntentId = await createIntent(1_000);
  await waitForEnd(await startSession('90000001', { sessionType: 'Sale', paymentIntentId }));
  return paymentIntentId;
}

// oxfmt-ignore
test.each([
  ['90000001', 'Captured', 400],
  ['90000002', 'Captured', 400],
  ['90000003', 'Captured', 400],
  ['90000004', 'Declined', 0],
  ['90000005', 'Canceled', 0],
] as const)('a refund of a payment on machine %s ends %s: %d pence went back, and nothing stays reserved', async (tid, status, refunded) => {
  const paymentIntentId = await createPaidIntent();
  const id = await startSession(tid, { sessionType: 'MatchedRefund', paymentIntentId, amount: gbp(400) });
  const { session } = await waitForEnd(id);
  const intent = await readIntent(paymentIntentId);
  expect([session.status, intent.refunded.value, intent.pendingRefund.value]).toEqual([status, refunded, 0]);
  const copy = listTexts(session.customerReceipt);
  expect(copy.filter((line) => /^(SALE|REFUND|SUCCESSFUL|DECLINED)$/.test(line))).toEqual(
    status === 'Canceled' ? [] : ['REFUND', status === 'Captured' ? 'SUCCESSFUL' : 'DECLINED'],
  );
});

test('a refund that waits for its card reserves its amount, and a cancellation frees it', async () => {
  const paymentIntentId = await createPaidIntent();
  const id = await startSession('90000006', { sessionType: 'MatchedRefund', paymentIntentId, amount: null });
  await waitForRun(id, hasStatus('Initiated'));
  expect((await readIntent(paymentIntentId)).pendingRefund).toEqual(gbp(1_000));
  await cancelSession(id);
  expect((await waitForEnd(id)).session.status).toBe('Canceled');
  expect((await readIntent(paymentIntentId)).pendingRefund).toEqual(gbp(0));
});

test('an account that refuses refunds to other cards has its machines refuse them', async () => {
  const { database } = environment.testDatabase;
  await changeTestSettings(database, account.scope, { refusesRefundsToOtherCards: true });
  const paymentIntentId = await createPaidIntent();
  const refund = { sessionType: 'MatchedRefund', paymentIntentId, amount: gbp(400) } as const;
  const [other, own] = [await startSession('90000002', refund), await startSession('90000001', refund)];
  const ends = [(await waitForEnd(other)).session.status, (await waitForEnd(own)).session.status];
  await changeTestSettings(database, account.scope, { refusesRefundsToOtherCards: false });
  expect(ends).toEqual(['Canceled', 'Captured']);
  const intent = await readIntent(paymentIntentId);
  expect([intent.refunded.value, intent.pendingRefund.value]).toEqual([400, 0]);
});

test('a refund without a payment goes to the presented card, with both receipts', async () => {
  const id = await startSession('90000002', {
    sessionType: 'UnlinkedRefund',
    amount: gbp(700),
    cardHolderNotPresent: false,
  });
  const { session, statuses } = await waitForEnd(id);
  expect(statuses).toEqual(CAPTURED_STATUSES);
  expect(listTexts(session.customerReceipt)).toEqual(
    expect.arrayContaining(['REFUND', 'Total: 7.00 GBP', 'CUSTOMER COPY']),
  );
  expect(listTexts(session.merchantReceipt)).toEqual(
    expect.arrayContaining(['REFUND', `Session: ${id}`, 'MERCHANT COPY']),
  );
});

test('the ten machines and their amounts reach every status and every notification', () => {
  const all = [
    ...SESSION_STATUSES.map((status) => `status ${status}`),
    ...NOTIFICATION_TYPES.map((type) => `notification ${type}`),
  ];
  expect(all.filter((each) => !reachedStatuses.has(each))).toEqual([]);
  expect(all).toHaveLength(22);
});

function listTexts(receipt: { readonly lines: readonly ReceiptLine[] } | null): string[] {
  return (receipt?.lines ?? []).flatMap(({ text }) => (text === undefined ? [] : [text.value]));
}

test('a late approval comes once the sandbox’s clock is advanced past it', async () => {
  const id = await startSale('90000001', 1_096);
  // A card is in, and the acquirer takes its time: twenty seconds more than the window.
  await waitForRun(id, ({ notifications }) => notifications.includes('PleaseWait'));
  await expireWindow(id);
  expect((await readRun(id)).session.status).toBe('Expired');
  expect((await readRun(id)).session.approval).toBeNull();
  const advance = (await beginAdvance(environment.testDatabase.database, account.scope, 10_000))!;
  expect(await applyClockStep(environment.testDatabase.database, advance, 25_000)).toBe(true);
  await endAdvance(environment.testDatabase.database, advance);
  const { session } = await waitForRun(id, (run) => run.session.approval !== null);
  expect(session.status).toBe('Expired');
  expect((await readIntent(session.paymentIntentId!)).status).toBe('Captured');
});
