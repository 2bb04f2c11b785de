import { type Bill, computeOutstanding } from '@pos/core/tables/bill';
import { isPositive, isSameAmount, type Money, money, minimum } from '@pos/core/money/money';
import type { Session } from '@pos/grpc-contracts/tables';
import { requireAnswer, callTables, checkSchema, getResponse } from '../scene/asking.js';
import type { ClauseId } from '../checks/clauses.js';
import { findCheckBill, checkSession } from '../scene/entity-checks.js';
import type { FlowStep } from '../scene/flow.js';
import type { TesterStage } from '../scene/scene.js';

const CANDIDATES_MAX = 20;

/** Finds the session of the flow, by parameter or the first suitable one, and reads its bill. */
export const chooseSession: FlowStep = { name: 'ListSessions', act: findSession };

/** Locks the session of the scene, and stores the bill of the answer. */
export const lockSession: FlowStep = {
  name: 'LockSession',
  act: async (stage) => {
    const { scene, step } = stage;
    const { id } = getSession(stage);
    const before = scene.bill;
    // From here on it may be locked, whether an answer arrives or not.
    scene.locked.add(id);
    const received = await callTables(stage, 'lockSession', { sessionId: id });
    // Then another device has the lock, and it is not ours to remove.
    if (received.outcome === 'refused') scene.locked.delete(id);
    const answer = requireAnswer(stage, received, { name: 'lockSession', clause: 'lock.takes' });
    checkSchema(stage, 'lockSession', answer);
    const bill = findCheckBill(stage, answer.billItems, { at: 'billItems', sessionId: id });
    if (bill === null) return;
    if (before !== null) {
      const isSame = isSameAmount(bill.total, before.total) && isSameAmount(bill.paid, before.paid);
      step.check(isSame, {
        clause: 'lock.bill',
        member: 'billItems',
        expected: `${before.paid.value} of ${before.total.value} paid`,
        found: `${bill.paid.value} of ${bill.total.value}`,
      });
    }
    scene.bill = bill;
    scene.expectedPaid = bill.paid;
  },
};

/** Unlocks the session of the scene. */
export const unlockSession: FlowStep = {
  name: 'UnlockSession',
  act: async (stage) => {
    const { id } = getSession(stage);
    // A session that recording has unlocked cannot be unlocked again.
    const hasRecorded = [...stage.scene.payments.values()].includes('recorded');
    const clause = hasRecorded ? 'record.keeps-lock' : 'unlock.releases';
    const answer = await getResponse(stage, 'unlockSession', { question: { sessionId: id }, clause });
    stage.scene.locked.delete(id);
    checkSchema(stage, 'unlockSession', answer);
  },
};

/** Reads the bill again and checks, under the given clause, that exactly the recorded amount is paid. */
export function checkBalance(clause: ClauseId = 'record.base-only'): FlowStep {
  return { name: 'balance', act: (stage) => compareBalance(stage, clause) };
}

/** The session of the scene. The step that finds it comes first in every flow that needs one. */
export function getSession({ scene, step }: TesterStage): Session {
  return (
    scene.session ??
    step.fail({ clause: 'sandbox.session', member: 'session', expected: 'a session to play on', found: undefined })
  );
}

/** The amount of the flow: the parameter, at most what is outstanding. */
export function chooseAmount({ scene, step }: TesterStage): Money {
  const { bill, params } = scene;
  const rest = bill === null ? null : computeOutstanding(bill);
  if (rest === null || !isPositive(rest)) {
    return step.fail({ clause: 'sandbox.session', member: 'outstanding', expected: 'more than 0', found: rest?.value });
  }
  return params.amount === null ? rest : minimum(money(params.amount, rest.currencyCode), rest);
}

async function compareBalance(stage: TesterStage, clause: ClauseId): Promise<void> {
  const { scene, step } = stage;
  const { id } = getSession(stage);
  const expected = scene.expectedPaid;
  const received = await callTables(stage, 'getBillItems', { sessionId: id });
  if (received.outcome === 'refused' && CLOSED.has(received.code) && isFullyPaid(scene.bill, expected)) {
    // An EPOS may archive a paid bill; then there is no balance to check.
    step.note('the bill was closed by the payment that paid it');
    return;
  }
  const { billItems } = requireAnswer(stage, received, { name: 'getBillItems', clause: 'answer.result' });
  const bill = findCheckBill(stage, billItems, { at: 'billItems', sessionId: id });
  if (bill === null || expected === null) return;
  step.check(isSameAmount(bill.paid, expected), {
    clause,
    member: 'billItems.paidAmount',
    expected: String(expected.value),
    found: bill.paid.value,
  });
  scene.bill = bill;
  if (isSameAmount(bill.total, bill.paid)) await checkPaidSession(stage, id);
}

/** A session that owes nothing cannot be paid, and a finished one has finished after it began. */
async function checkPaidSession(stage: TesterStage, sessionId: string): Promise<void> {
  const received = await callTables(stage, 'getSession', { sessionId });
  if (received.outcome === 'refused' && CLOSED.has(received.code)) return;
  const { session } = requireAnswer(stage, received, { name: 'getSession', clause: 'answer.result' });
  if (session === undefined) return;
  checkSession(stage.step, session, 'session');
  if (session.finishedAt !== undefined) return;
  const finding = { member: 'session.isPayable', expected: 'false, for nothing is owed', found: session.isPayable };
  stage.step.check(!session.isPayable, { clause: 'session.payable', ...finding });
}

async function findSession(stage: TesterStage): Promise<void> {
  const { scene, step } = stage;
  const { accountId } = scene.parts.scope;
  const wanted = scene.params.sessionId;
  const candidates = wanted === null ? await payableSessions(stage) : [await readSession(stage, wanted)];
  for (const session of candidates.slice(0, CANDIDATES_MAX)) {
    if (!scene.parts.sessionsInUse.take(accountId, session.id, scene.parts.runId)) continue;
    const { billItems } = await getResponse(stage, 'getBillItems', { question: { sessionId: session.id } });
    const bill = findCheckBill(stage, billItems, { at: 'billItems', sessionId: session.id });
    if (bill === null || !isPositive(computeOutstanding(bill))) continue;
    step.saw('sandbox.session', { member: 'sessions', what: 'one that can be paid' });
    scene.session = session;
    scene.bill = bill;
    scene.expectedPaid = bill.paid;
    return;
  }
  step.fail({
    clause: 'sandbox.session',
    member: 'sessions',
    expected: 'one that can be paid and that no other run uses',
    found: `${candidates.length} that cannot`,
  });
}

async function payableSessions(stage: TesterStage): Promise<readonly Session[]> {
  const { tableName } = stage.scene.params;
  const question = { isPayable: true, tableNames: tableName === null ? [] : [tableName] };
  const answer = await getResponse(stage, 'listSessions', { question });
  checkSchema(stage, 'listSessions', answer);
  answer.sessions.forEach((session, index) => {
    checkSession(stage.step, session, `sessions[${index}]`);
    stage.step.check(session.isPayable, {
      clause: 'sessions.filter',
      member: `sessions[${index}].isPayable`,
      expected: 'true',
      found: session.isPayable,
    });
  });
  return answer.sessions;
}

async function readSession(stage: TesterStage, sessionId: string): Promise<Session> {
  const { session } = await getResponse(stage, 'getSession', { question: { sessionId } });
  if (session !== undefined) return session;
  return stage.step.fail({ clause: 'answer.schema', member: 'session', expected: 'a session', found: undefined });
}

const CLOSED: ReadonlySet<string> = new Set(['SESSION_NO_SUCH_SESSION', 'BILL_NO_SUCH_BILL']);

function isFullyPaid(bill: Bill | null, paid: Money | null): boolean {
  return bill !== null && paid !== null && isSameAmount(bill.total, paid);
}
