import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CaptureMode } from '@pos/core/payment-intent';
import { money } from '@pos/core/money';
import { ROLES } from '@pos/core/permissions';
import { Refusal } from '@pos/core/refusal';
import type { ReceiptLine } from '@pos/core/receipt';
import { isFinal, NOTIFICATION_TYPES, SESSION_STATUSES, type TerminalSession } from '@pos/core/terminal-session';
import { DEFAULT_INTENT_CONFIG } from '@pos/core/intent-details';
import type { TerminalSessionRequest } from '@pos/payments/terminal-sessions';
import { getTerminal } from '@pos/payments/terminals';
import { beginAdvance, endAdvance, applyClockStep } from '@pos/store/clock';
import { findIntent } from '@pos/store/payment-intents';
import { listTerminalSessionEvents } from '@pos/store/terminal-sessions';
import type { RunningGateway } from '../boot.js';
import { type TestAccount, TestPlace, until } from '../testing.js';

let place: TestPlace;
let running: RunningGateway;
let account: TestAccount;
beforeAll(async () => {
  place = await TestPlace.open();
  running = await place.gateway();
  account = await place.account({ hasMachines: true });
});
afterAll(() => place.close());

const CALLER = { permissions: new Set(ROLES.full) };
const gbp = (value: number) => money(value, 'GBP');

/** What was reached by all stories of this file. */
const reached = new Set<string>();

/** A session on a simulated machine, and what it has come to. */
interface Run {
  readonly session: TerminalSession;
  readonly statuses: readonly string[];
  readonly notifications: readonly string[];
}

async function look(id: string): Promise<Run> {
  return place.test.database.read(account.scope, async (reader) => {
    const { session } = await running.gateway.sessions.get(reader, id);
    const events = await listTerminalSessionEvents(reader, session.id);
    const named = (kind: string) => events.filter((event) => event.kind === kind).map(({ name }) => name);
    for (const { name, kind } of events) reached.add(`${kind} ${name}`);
    return { session, statuses: named('status'), notifications: named('notification') };
  });
}

async function untilIn(id: string, isThere: (run: Run) => boolean): Promise<Run> {
  await until(async () => isThere(await look(id)));
  return look(id);
}

const ended = (id: string) => untilIn(id, ({ session }) => isFinal(session.status));
const isIn =
  (status: TerminalSession['status']) =>
  ({ session }: Run) =>
    session.status === status;

async function isAvailable(terminalId: string): Promise<boolean> {
  const view = await place.test.database.read(account.scope, (reader) => getTerminal(reader, terminalId));
  return view.status === 'Available';
}

async function intentOf(value: number, captureMode: CaptureMode = 'Auto'): Promise<`pi_${string}`> {
  const { intent } = await place.test.database.transact(account.scope, (tx) =>
    running.gateway.intents.create(tx, CALLER, {
      ...{ amount: gbp(value), tipsAmount: null, cashbackAmount: null, serviceChargeAmount: null, captureMode },
      ...{ reference: 'table 7', description: null, cardHolderNotPresent: false, paymentMethods: ['Card'] },
      ...{ paymentSource: 'api', setupIntentId: null, autoExpireAction: null, autoExpireInMs: null, expireAt: null },
      ...{ metadata: {}, details: { config: DEFAULT_INTENT_CONFIG, itemLines: [], taxLines: [] } },
      ...{ isNotOnlineCheckout: false, generateRemoteToken: null },
    }),
  );
  return intent.id;
}

type Wish = TerminalSessionRequest extends infer W ? (W extends unknown ? Omit<W, 'terminalId'> : never) : never;

/** Starts a session once the machine is free; returns its id. */
async function begin(tid: string, wish: Wish): Promise<string> {
  const terminalId = await place.terminalId(account, tid);
  await until(() => isAvailable(terminalId));
  return place.test.database.transact(account.scope, async (tx) => {
    const { session } = await running.gateway.sessions.create(tx, CALLER, { ...wish, terminalId });
    return session.id;
  });
}

const sale = async (tid: string, value = 1_000, captureMode: CaptureMode = 'Auto') =>
  begin(tid, { sessionType: 'Sale', paymentIntentId: await intentOf(value, captureMode) });
const judge = (id: string, isAccepted: boolean) =>
  place.test.database.transact(account.scope, (tx) => running.gateway.sessions.decideSignature(tx, id, isAccepted));
const cancel = (id: string) =>
  place.test.database.transact(account.scope, (tx) => running.gateway.sessions.cancel(tx, id));
const readIntent = (id: string) =>
  place.test.database.read(account.scope, async (reader) => (await findIntent(reader, id))!);

/** The window of a session passes, and what a worker does then is done. */
async function passWindow(id: string): Promise<void> {
  const { database } = place.test;
  const { session } = await look(id);
  const advance = (await beginAdvance(database, account.scope, 10_000))!;
  expect(await applyClockStep(database, advance, session.expireAt.getTime() - session.createdAt.getTime())).toBe(true);
  await endAdvance(database, advance);
  await database.transact(account.scope, (tx) => running.gateway.sessions.applyWindowExpiry(tx, id));
}

const PIN = ['PresentCard', 'PleaseWait', 'EnterPin', 'PleaseWait', 'RemoveCard'];
const TAKEN = ['InitiateRequested', 'Initiated', 'Captured'];
const TROUBLES = ['PresentCard', 'PresentOnlyOneCard', 'CardUnsupported', 'InsertCard', 'ReEnterCard', ...PIN.slice(1)];

// prettier-ignore
test.each<[string, number, CaptureMode, string[], string[]]>([
  ['90000001', 1_000, 'Auto', TAKEN, ['PresentCard', 'PleaseWait', 'Approved']],
  ['90000001', 1_093, 'Auto', ['InitiateRequested', 'Initiated', 'Declined'], ['PresentCard', 'CardError', 'PleaseWait', 'Declined']],
  ['90000001', 1_095, 'Auto', TAKEN, TROUBLES],
  ['90000001', 1_097, 'Auto', ['InitiateRequested', 'Initiated', 'Canceled'], ['PresentCard']],
  ['90000002', 1_000, 'Manual', ['InitiateRequested', 'Initiated', 'Authorized'], PIN],
  ['90000004', 1_000, 'Auto', ['InitiateRequested', 'Initiated', 'Declined'], [...PIN, 'Declined']],
  ['90000005', 1_000, 'Auto', ['InitiateRequested', 'Initiated', 'Canceled'], ['PresentCard']],
  ['90000009', 1_000, 'Auto', TAKEN, PIN],
  ['90000010', 1_000, 'Auto', TAKEN, PIN],
])('machine %s asked for %d pence, %s', async (tid, value, captureMode, statuses, notifications) => {
  expect(await ended(await sale(tid, value, captureMode))).toMatchObject({ statuses, notifications });
});

test.each([
  ['90000003', true, 'SignatureVerificationAccepted', 'Captured'],
  ['90000003', false, 'SignatureVerificationRejected', undefined],
  // Its second session: the first one asked for the PIN.
  ['90000010', true, 'SignatureVerificationAccepted', 'Captured'],
] as const)('machine %s asks for a signature, accepted: %s', async (tid, isAccepted, judged, last) => {
  const id = await sale(tid);
  const waiting = await untilIn(id, isIn('SignatureVerificationRequired'));
  expect(waiting.session.expireAt.getTime() - waiting.session.updatedAt.getTime()).toBe(80_000);
  expect(textsOf(waiting.session.merchantReceipt)).toContain('Signature: ______________________');
  await judge(id, isAccepted);
  const { statuses } = await look(id);
  expect(statuses.slice(2)).toEqual(['SignatureVerificationRequired', judged, ...(last === undefined ? [] : [last])]);
});

test('nobody presents a card to machine 90000006: it is cancelled, or expires', async () => {
  const given = await sale('90000006');
  await untilIn(given, isIn('Initiated'));
  await cancel(given);
  expect((await ended(given)).statuses).toEqual(['InitiateRequested', 'Initiated', 'CancelRequested', 'Canceled']);
  const left = await sale('90000006');
  await untilIn(left, isIn('Initiated'));
  await passWindow(left);
  expect((await look(left)).statuses).toEqual(['InitiateRequested', 'Initiated', 'Expired']);
});

test.each(['90000007', '90000008'])('machine %s cannot be had', async (tid) => {
  const terminalId = await place.terminalId(account, tid);
  const paymentIntentId = await intentOf(1_000);
  const wanted = place.test.database.transact(account.scope, (tx) =>
    running.gateway.sessions.create(tx, CALLER, { sessionType: 'Sale', paymentIntentId, terminalId }),
  );
  const refusal = await wanted.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal instanceof Refusal && refusal.code).toBe('terminal_unavailable');
});

/** £10 that were taken on the first machine. */
async function paid(): Promise<`pi_${string}`> {
  const paymentIntentId = await intentOf(1_000);
  await ended(await begin('90000001', { sessionType: 'Sale', paymentIntentId }));
  return paymentIntentId;
}

// prettier-ignore
test.each([
  ['90000001', 'Captured', 400],
  ['90000002', 'Captured', 400],
  ['90000003', 'Captured', 400],
  ['90000004', 'Declined', 0],
  ['90000005', 'Canceled', 0],
] as const)('a refund of a payment on machine %s ends %s: %d pence went back, and nothing stays reserved', async (tid, status, refunded) => {
  const paymentIntentId = await paid();
  const id = await begin(tid, { sessionType: 'MatchedRefund', paymentIntentId, amount: gbp(400) });
  const { session } = await ended(id);
  const intent = await readIntent(paymentIntentId);
  expect([session.status, intent.refunded.value, intent.pendingRefund.value]).toEqual([status, refunded, 0]);
  const copy = textsOf(session.customerReceipt);
  expect(copy.filter((line) => /^(SALE|REFUND|SUCCESSFUL|DECLINED)$/.test(line))).toEqual(
    status === 'Canceled' ? [] : ['REFUND', status === 'Captured' ? 'SUCCESSFUL' : 'DECLINED'],
  );
});

test('a refund that waits for its card holds its amount, and gives it free when it is cancelled', async () => {
  const paymentIntentId = await paid();
  const id = await begin('90000006', { sessionType: 'MatchedRefund', paymentIntentId, amount: null });
  await untilIn(id, isIn('Initiated'));
  expect((await readIntent(paymentIntentId)).pendingRefund).toEqual(gbp(1_000));
  await cancel(id);
  expect((await ended(id)).session.status).toBe('Canceled');
  expect((await readIntent(paymentIntentId)).pendingRefund).toEqual(gbp(0));
});

test('a refund without a payment goes to whatever card is presented, with both receipts', async () => {
  const id = await begin('90000002', { sessionType: 'UnlinkedRefund', amount: gbp(700), cardHolderNotPresent: false });
  const { session, statuses } = await ended(id);
  expect(statuses).toEqual(TAKEN);
  expect(textsOf(session.customerReceipt)).toEqual(
    expect.arrayContaining(['REFUND', 'Total: 7.00 GBP', 'CUSTOMER COPY']),
  );
  expect(textsOf(session.merchantReceipt)).toEqual(
    expect.arrayContaining(['REFUND', `Session: ${id}`, 'MERCHANT COPY']),
  );
});

test('the ten machines and their amounts reach every status and every notification', () => {
  const all = [
    ...SESSION_STATUSES.map((status) => `status ${status}`),
    ...NOTIFICATION_TYPES.map((type) => `notification ${type}`),
  ];
  expect(all.filter((each) => !reached.has(each))).toEqual([]);
  expect(all).toHaveLength(22);
});

function textsOf(receipt: { readonly lines: readonly ReceiptLine[] } | null): string[] {
  return (receipt?.lines ?? []).flatMap(({ text }) => (text === undefined ? [] : [text.value]));
}

test('a late approval comes once the sandbox’s clock is advanced past it', async () => {
  const id = await sale('90000001', 1_096);
  // A card is in, and the acquirer takes its time: twenty seconds more than the window.
  await untilIn(id, ({ notifications }) => notifications.includes('PleaseWait'));
  await passWindow(id);
  expect((await look(id)).session.status).toBe('Expired');
  expect((await look(id)).session.approval).toBeNull();
  const advance = (await beginAdvance(place.test.database, account.scope, 10_000))!;
  expect(await applyClockStep(place.test.database, advance, 25_000)).toBe(true);
  await endAdvance(place.test.database, advance);
  const { session } = await untilIn(id, (run) => run.session.approval !== null);
  expect(session.status).toBe('Expired');
  expect((await readIntent(session.paymentIntentId!)).status).toBe('Captured');
});
