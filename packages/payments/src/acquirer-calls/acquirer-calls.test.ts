import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type AcquirerRule, APPROVED } from '@pos/sandbox/testing';
import { TestCardMachine } from '../testing/card-machine.js';
import {
  transactAs,
  createIntent,
  elapseTime,
  listEventTypes,
  moveClock,
  createTestAccount,
  createTestEnvironment,
  readCall,
  readIntent,
  type TestAccount,
  listTimers,
  runDueWork,
  type TestEnvironment,
} from '../testing/test-environment.js';
import { expectConsistent } from '../testing/consistency-checks.js';

let testEnvironment: TestEnvironment;
beforeAll(async () => {
  testEnvironment = await createTestEnvironment();
});
afterEach(() => {
  testEnvironment.acquirerServer.rules.replaceRules([]);
});
afterAll(async () => {
  await testEnvironment.close();
});

const REPEAT_MS = 5_000;
const DROPPED: AcquirerRule = { match: { kind: 'Reverse' }, effect: 'drop-answer' };

async function createExpiredSale(testAccount: TestAccount): Promise<TestCardMachine> {
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  await elapseTime(testEnvironment, testAccount.scope, 90_000);
  return machine;
}

async function createRejectedSignature(testAccount: TestAccount): Promise<TestCardMachine> {
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.approvePayment(true);
  await transactAs(testEnvironment, testAccount, (tx) =>
    testEnvironment.sessions.decideSignature(tx, machine.session.id, false),
  );
  return machine;
}

const reversalsOf = (machine: TestCardMachine) =>
  testEnvironment.acquirerServer.acquirer.books
    .listRelatedCalls(machine.session.acquirerReference)
    .filter(({ kind, outcome }) => kind === 'Reverse' && outcome === 'Approved');

test.each<[string, readonly AcquirerRule[], (machine: TestCardMachine) => Promise<unknown>]>([
  ['does not know the reference', [], async () => undefined],
  ['says in progress of what it does not know', [{ match: {}, effect: 'contradict' }], async () => undefined],
  [
    'is still asking the issuer',
    [],
    async (machine) => machine.chargeCard({ ...APPROVED, lateByMs: 3_600_000 }).catch(() => undefined),
  ],
  ['is down', [{ match: {}, effect: 'down' }], async () => undefined],
  ['never answers', [{ match: {}, effect: 'drop-answer' }], (machine) => machine.chargeCard().catch(() => undefined)],
  ['answers after the deadline', [{ match: {}, effect: 'delay', delayMs: 600 }], (machine) => machine.chargeCard()],
])('nothing ends while the acquirer %s', async (_title, rules, happens) => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  testEnvironment.acquirerServer.rules.replaceRules(rules);
  await happens(machine);
  await moveClock(testEnvironment, testAccount.scope, 90_000);
  await runDueWork(testEnvironment, testAccount.scope);
  for (let round = 0; round < 2; round += 1) await elapseTime(testEnvironment, testAccount.scope, REPEAT_MS);
  const call = await machine.readAcquirerCall();
  expect([call.state, call.outcome, call.reverseReference]).toEqual(['Unknown', null, null]);
  expect(await listEventTypes(testEnvironment, testAccount, machine.session.paymentIntentId!)).toEqual([]);
  expect(await listTimers(testEnvironment, testAccount)).toContain(`acquirer-call ${call.reference}`);
});

test('an approval is booked until its reversal is written, also without an inquiry before the reversal is due', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.confirmSession();
  await machine.chargeCard();
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect: 'down' }]);
  await elapseTime(testEnvironment, testAccount.scope, 90_000);
  expect((await machine.readAcquirerCall()).state).toBe('Unknown');
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await elapseTime(testEnvironment, testAccount.scope, 10 * 60_000);
  const { status } = await readIntent(testEnvironment, testAccount, machine.session.paymentIntentId!);
  expect([status, reversalsOf(machine)]).toEqual(['Captured', []]);
  await expectConsistent(testEnvironment, testAccount);
});

test('an inquiry of a reachable acquirer finds the outcome of the call', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await TestCardMachine.startSale(
    testEnvironment,
    testAccount,
    await createIntent(testEnvironment, testAccount),
  );
  await machine.chargeCard();
  testEnvironment.acquirerServer.rules.replaceRules([{ match: { kind: 'Inquire' }, effect: 'down' }]);
  await elapseTime(testEnvironment, testAccount.scope, 10_000);
  expect((await machine.readAcquirerCall()).state).toBe('Unknown');
  testEnvironment.acquirerServer.rules.replaceRules([]);
  await elapseTime(testEnvironment, testAccount.scope, REPEAT_MS);
  expect((await readIntent(testEnvironment, testAccount, machine.session.paymentIntentId!)).status).toBe('Captured');
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test.each<[string, AcquirerRule[]]>([
  ['was lost after the booking, twice', [{ ...DROPPED, times: 2 }]],
  ['was not to be had, for the acquirer was down', [{ match: { kind: 'Reverse' }, effect: 'down', times: 2 }]],
  ['came twice', [{ match: { kind: 'Reverse' }, effect: 'answer-twice' }]],
])('a reversal whose answer %s is repeated under its reference and happens once', async (_title, rules) => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await createRejectedSignature(testAccount);
  testEnvironment.acquirerServer.rules.replaceRules(rules);
  await runDueWork(testEnvironment, testAccount.scope);
  for (let round = 0; round < 2; round += 1)
    await elapseTime(testEnvironment, testAccount.scope, REPEAT_MS * 2 ** round);
  expect((await machine.readAcquirerCall()).outcome).toBe('Reversed');
  expect(reversalsOf(machine)).toHaveLength(1);
  expect(await listEventTypes(testEnvironment, testAccount, machine.session.paymentIntentId!)).toEqual(['Reversed']);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

/** As many workers as would ever stumble over each other. */
const WORKERS = 12;

async function pursueByAll(testAccount: TestAccount, reference: string): Promise<void> {
  await Promise.all(
    Array.from({ length: WORKERS }, () => testEnvironment.calls.pursueCall(testAccount.scope, reference)),
  );
}

test('concurrent workers receive one approval, and it is booked once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await createExpiredSale(testAccount);
  await machine.chargeCard();
  await pursueByAll(testAccount, machine.session.acquirerReference);
  expect(await listEventTypes(testEnvironment, testAccount, machine.session.paymentIntentId!)).toEqual(['Captured']);
  await expectConsistent(testEnvironment, testAccount);
});

test('concurrent workers give up one authorisation, and one reversal is ordered', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await createExpiredSale(testAccount);
  await moveClock(testEnvironment, testAccount.scope, 61_000);
  await pursueByAll(testAccount, machine.session.acquirerReference);
  const reference = (await machine.readAcquirerCall()).reverseReference!;
  expect((await readCall(testEnvironment, testAccount, reference)).kind).toBe('Reverse');
  await pursueByAll(testAccount, reference);
  expect(reversalsOf(machine)).toHaveLength(1);
  expect((await machine.readAcquirerCall()).outcome).toBe('Reversed');
  expect((await listTimers(testEnvironment, testAccount)).filter((timer) => timer.includes(reference))).toEqual([]);
  await runDueWork(testEnvironment, testAccount.scope);
  expect(await listTimers(testEnvironment, testAccount)).toEqual([`intent-expiry ${machine.session.paymentIntentId}`]);
  await expectConsistent(testEnvironment, testAccount);
});

test('concurrent reports of one approval by machine and acquirer are booked once', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  const machine = await createExpiredSale(testAccount);
  const approval = await machine.chargeCard();
  await Promise.all([
    machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false }),
    pursueByAll(testAccount, machine.session.acquirerReference),
  ]);
  expect(await listEventTypes(testEnvironment, testAccount, machine.session.paymentIntentId!)).toEqual(['Captured']);
  expect(reversalsOf(machine)).toEqual([]);
  await expectConsistent(testEnvironment, testAccount);
});

test('an approval and the order to undo it at the same moment: one of the two, never both', async () => {
  const testAccount = await createTestAccount(testEnvironment);
  for (let round = 0; round < 5; round += 1) {
    const machine = await createExpiredSale(testAccount);
    const approval = await machine.chargeCard();
    await moveClock(testEnvironment, testAccount.scope, 61_000);
    await Promise.all([
      machine.sendReport({ kind: 'approved', approval, isSignatureRequired: false }),
      testEnvironment.calls.pursueCall(testAccount.scope, machine.session.acquirerReference),
    ]);
    await runDueWork(testEnvironment, testAccount.scope);
    const { status } = await readIntent(testEnvironment, testAccount, machine.session.paymentIntentId!);
    const { outcome } = testEnvironment.acquirerServer.acquirer.inquire(machine.session.acquirerReference);
    expect([status, outcome]).toEqual(status === 'Captured' ? ['Captured', 'Approved'] : ['Created', 'Reversed']);
  }
  await expectConsistent(testEnvironment, testAccount);
});
