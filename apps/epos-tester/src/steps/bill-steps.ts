import { type Bill, computeOutstanding } from '@pos/core/tables';
import { isPositive, isSameAmount, type Money, money, minimum } from '@pos/core/money';
import type { Session } from '@pos/grpc-contracts/tables';
import { requireAnswer, callTables, checkSchema, getResponse } from '../flow-context/tables-calls.js';
import type { ClauseId } from '../checks/clauses.js';
import { checkBillItems, checkSession } from '../flow-context/entity-checks.js';
import type { FlowStep } from '../flow-context/flow.js';
import type { StepContext } from '../flow-context/flow-context.js';

const CANDIDATES_MAX = 20;

/** Finds the session of the flow, by parameter or the first suitable one, and reads its bill. */
export const chooseSession: FlowStep = { name: 'ListSessions', act: findSession };

/** Locks the session of the flow, and stores the bill of the answer. */
export const lockSession: FlowStep = {
  name: 'LockSession',
  act: async (context) => {
    const { flowContext, step } = context;
    const { id } = getSession(context);
    const before = flowContext.bill;
    // From here on it may be locked, whether an answer arrives or not.
    flowContext.locked.add(id);
    const received = await callTables(context, 'lockSession', { sessionId: id });
    // Then another device has the lock, and it is not ours to remove.
    if (received.outcome === 'refused') flowContext.locked.delete(id);
    const answer = requireAnswer(context, received, { name: 'lockSession', clause: 'lock.takes' });
    checkSchema(context, 'lockSession', answer);
    const bill = checkBillItems(context, answer.billItems, { at: 'billItems', sessionId: id });
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
    flowContext.bill = bill;
    flowContext.expectedPaid = bill.paid;
  },
};

/** Unlocks the session of the flow. */
export const unlockSession: FlowStep = {
  name: 'UnlockSession',
  act: async (context) => {
    const { id } = getSession(context);
    // A session that recording has unlocked cannot be unlocked again.
    const hasRecorded = [...context.flowContext.payments.values()].includes('recorded');
    const clause = hasRecorded ? 'record.keeps-lock' : 'unlock.releases';
    const answer = await getResponse(context, 'unlockSession', { question: { sessionId: id }, clause });
    context.flowContext.locked.delete(id);
    checkSchema(context, 'unlockSession', answer);
  },
};

/** Reads the bill again and checks, under the given clause, that exactly the recorded amount is paid. */
export function checkBalance(clause: ClauseId = 'record.base-only'): FlowStep {
  return { name: 'balance', act: (context) => compareBalance(context, clause) };
}

/** The session of the flow. The step that finds it comes first in every flow that needs one. */
export function getSession({ flowContext, step }: StepContext): Session {
  return (
    flowContext.session ??
    step.fail({ clause: 'sandbox.session', member: 'session', expected: 'a session to play on', found: undefined })
  );
}

/** The amount of the flow: the parameter, at most what is outstanding. */
export function chooseAmount({ flowContext, step }: StepContext): Money {
  const { bill, params } = flowContext;
  const rest = bill === null ? null : computeOutstanding(bill);
  if (rest === null || !isPositive(rest)) {
    return step.fail({ clause: 'sandbox.session', member: 'outstanding', expected: 'more than 0', found: rest?.value });
  }
  return params.amount === null ? rest : minimum(money(params.amount, rest.currencyCode), rest);
}

async function compareBalance(context: StepContext, clause: ClauseId): Promise<void> {
  const { flowContext, step } = context;
  const { id } = getSession(context);
  const expected = flowContext.expectedPaid;
  const received = await callTables(context, 'getBillItems', { sessionId: id });
  if (received.outcome === 'refused' && CLOSED.has(received.code) && isFullyPaid(flowContext.bill, expected)) {
    // An EPOS may archive a paid bill; then there is no balance to check.
    step.note('the bill was closed by the payment that paid it');
    return;
  }
  const { billItems } = requireAnswer(context, received, { name: 'getBillItems', clause: 'answer.result' });
  const bill = checkBillItems(context, billItems, { at: 'billItems', sessionId: id });
  if (bill === null || expected === null) return;
  step.check(isSameAmount(bill.paid, expected), {
    clause,
    member: 'billItems.paidAmount',
    expected: String(expected.value),
    found: bill.paid.value,
  });
  flowContext.bill = bill;
  if (isSameAmount(bill.total, bill.paid)) await checkPaidSession(context, id);
}

/** A session that owes nothing cannot be paid, and a finished one has finished after it began. */
async function checkPaidSession(context: StepContext, sessionId: string): Promise<void> {
  const received = await callTables(context, 'getSession', { sessionId });
  if (received.outcome === 'refused' && CLOSED.has(received.code)) return;
  const { session } = requireAnswer(context, received, { name: 'getSession', clause: 'answer.result' });
  if (session === undefined) return;
  checkSession(context.step, session, 'session');
  if (session.finishedAt !== undefined) return;
  const finding = { member: 'session.isPayable', expected: 'false, for nothing is owed', found: session.isPayable };
  context.step.check(!session.isPayable, { clause: 'session.payable', ...finding });
}

async function findSession(context: StepContext): Promise<void> {
  const { flowContext, step } = context;
  const { accountId } = flowContext.parts.scope;
  const wanted = flowContext.params.sessionId;
  const candidates = wanted === null ? await payableSessions(context) : [await readSession(context, wanted)];
  for (const session of candidates.slice(0, CANDIDATES_MAX)) {
    if (!flowContext.parts.sessionReservations.reserve(accountId, session.id, flowContext.parts.runId)) continue;
    const { billItems } = await getResponse(context, 'getBillItems', { question: { sessionId: session.id } });
    const bill = checkBillItems(context, billItems, { at: 'billItems', sessionId: session.id });
    if (bill === null || !isPositive(computeOutstanding(bill))) continue;
    step.saw('sandbox.session', { member: 'sessions', what: 'one that can be paid' });
    flowContext.session = session;
    flowContext.bill = bill;
    flowContext.expectedPaid = bill.paid;
    return;
  }
  step.fail({
    clause: 'sandbox.session',
    member: 'sessions',
    expected: 'one that can be paid and that no other run uses',
    found: `${candidates.length} that cannot`,
  });
}

async function payableSessions(context: StepContext): Promise<readonly Session[]> {
  const { tableName } = context.flowContext.params;
  const question = { isPayable: true, tableNames: tableName === null ? [] : [tableName] };
  const answer = await getResponse(context, 'listSessions', { question });
  checkSchema(context, 'listSessions', answer);
  answer.sessions.forEach((session, index) => {
    checkSession(context.step, session, `sessions[${index}]`);
    context.step.check(session.isPayable, {
      clause: 'sessions.filter',
      member: `sessions[${index}].isPayable`,
      expected: 'true',
      found: session.isPayable,
    });
  });
  return answer.sessions;
}

async function readSession(context: StepContext, sessionId: string): Promise<Session> {
  const { session } = await getResponse(context, 'getSession', { question: { sessionId } });
  if (session !== undefined) return session;
  return context.step.fail({ clause: 'answer.schema', member: 'session', expected: 'a session', found: undefined });
}

const CLOSED: ReadonlySet<string> = new Set(['SESSION_NO_SUCH_SESSION', 'BILL_NO_SUCH_BILL']);

function isFullyPaid(bill: Bill | null, paid: Money | null): boolean {
  return bill !== null && paid !== null && isSameAmount(bill.total, paid);
}
