import type { Requestor } from '@pos/core/tables';
import { toRequestorInfo } from '@pos/payments/tables';
import { TESTER_TID } from '../drivers/card-payments.js';
import type { ClauseId } from '../checks/clauses.js';
import type { EposReply, TablesCall, TablesCallName } from '../drivers/epos-driver.js';
import { StepFailed } from '@pos/conformance/checks';
import type { FlowContext, StepContext } from './flow-context.js';
import { type AnswerOf, formatLine, type RequestOf, findSchemaViolation, WIRE } from '../drivers/tables-wire.js';
import { MISSING_ANSWERS } from './missing-answers.js';

/** The request of a method without the requestor, which is added. */
export type TablesCallRequest<K extends TablesCallName> = Omit<RequestOf<K>, 'requestorInfo'>;

/** Longer than the step's own limit, so that this limit ends an unanswered call, not the gateway's. */
const BEYOND_STEP_MS = 1_000;

/** Calls the EPOS under test and records the request and the answer. */
export async function callTables<K extends TablesCallName>(
  { flowContext, step }: StepContext,
  name: K,
  question: TablesCallRequest<K>,
): Promise<EposReply<AnswerOf<K>>> {
  const { method, writeRequest, writeAnswer } = WIRE[name];
  // Question and requestor make the request; the compiler cannot rejoin what Omit has split.
  const request = {
    ...question,
    requestorInfo: toRequestorInfo(buildRequestor(flowContext)),
  } as unknown as RequestOf<K>;
  step.note(`request: ${method} ${formatLine(() => writeRequest(request), request)}`);
  const { driver, scope } = flowContext.parts;
  const received = await driver.callTables({
    scope,
    call: { $case: name, value: request } as TablesCall,
    transport: await flowContext.transport(),
    deadlineMs: Math.ceil(step.leftMs() + BEYOND_STEP_MS),
    signal: step.signal,
  });
  if (received.outcome === 'answered' || received.outcome === 'refused')
    await recordReached({ flowContext, step }, method);
  switch (received.outcome) {
    case 'answered': {
      // The driver returns only the answer that belongs to the call.
      const answer = received.answer.value as AnswerOf<K>;
      step.note(`answer: ${formatLine(() => writeAnswer(answer), answer)}`);
      flowContext.lastTablesAnswer = received.answer;
      flowContext.lastUnreadable = received.unreadable ?? [];
      return { outcome: 'answered', answer };
    }
    case 'refused':
      step.note(`answer: ${received.code} ${JSON.stringify(received.reason)}`);
      return received;
    case 'credentialsRefused':
    case 'notSent':
    case 'noAnswer':
    case 'unreadable':
      step.note(`${MISSING_ANSWERS[received.outcome]}: ${received.reason}`);
      return received;
  }
}

/** The result of a call that must succeed. Ends the step otherwise, under the given clause. */
export async function getResponse<K extends TablesCallName>(
  context: StepContext,
  name: K,
  { question, clause = 'answer.result' }: { readonly question: TablesCallRequest<K>; readonly clause?: ClauseId },
): Promise<AnswerOf<K>> {
  return requireAnswer(context, await callTables(context, name, question), { name, clause });
}

/** The answer, when it is a result. Ends the step otherwise, under the given clause if the EPOS refused. */
export function requireAnswer<K extends TablesCallName>(
  context: StepContext,
  received: EposReply<AnswerOf<K>>,
  { name, clause }: { readonly name: K; readonly clause: ClauseId },
): AnswerOf<K> {
  if (received.outcome === 'answered') {
    context.step.saw(clause, { member: WIRE[name].method, what: 'its result' });
    return received.answer;
  }
  if (received.outcome !== 'refused') return failWithoutAnswer(context, name, received);
  return context.step.fail({ clause, member: WIRE[name].method, expected: 'its result', found: received.code });
}

/**
 * A call that the EPOS must refuse with one of these codes. The step continues after any answer, and ends without one.
 */
export async function getRefused<K extends TablesCallName>(
  context: StepContext,
  name: K,
  wanted: { readonly question: TablesCallRequest<K>; readonly codes: readonly string[]; readonly clause: ClauseId },
): Promise<boolean> {
  const received = await callTables(context, name, wanted.question);
  if (received.outcome !== 'answered' && received.outcome !== 'refused')
    return failWithoutAnswer(context, name, received);
  const found = received.outcome === 'refused' ? received.code : 'its result';
  return context.step.check(wanted.codes.includes(found), {
    clause: wanted.clause,
    member: WIRE[name].method,
    expected: wanted.codes.join(' or '),
    found,
  });
}

/** Ends the step because a call got no answer. */
function failWithoutAnswer(
  { step }: StepContext,
  name: TablesCallName,
  { outcome, reason }: { readonly outcome: keyof typeof MISSING_ANSWERS; readonly reason: string },
): never {
  // The step has timed out, which its owner reports.
  if (step.signal.aborted) throw new StepFailed();
  return step.fail({
    clause: NO_ANSWER_CLAUSES[outcome],
    member: WIRE[name].method,
    expected: 'an answer',
    found: `${MISSING_ANSWERS[outcome]}: ${reason}`,
  });
}

/** Checks that an answer has the members that the contract requires. */
export function checkSchema<K extends TablesCallName>(
  { flowContext, step }: StepContext,
  name: K,
  answer: AnswerOf<K>,
): boolean {
  const unreadable = flowContext.lastTablesAnswer?.value === answer ? flowContext.lastUnreadable : [];
  // The gateway reads and completes what others would refuse. The contract is stricter.
  for (const { element, member, problem } of unreadable.slice(0, UNREADABLE_REPORTED_MAX)) {
    step.check(false, {
      clause: MEMBER_CLAUSES[`${name} ${member.replaceAll(/\[\d+\]/g, '[]')}`] ?? 'answer.schema',
      member: [WIRE[name].method, element, member].filter((part) => part !== '').join(' '),
      expected: 'what the contract requires',
      found: problem,
    });
  }
  if (unreadable.length > 0) return false;
  const violation = findSchemaViolation(() => WIRE[name].writeAnswer(answer));
  return step.check(violation === null, {
    clause: 'answer.schema',
    member: violation?.member === '' || violation === null ? WIRE[name].method : violation.member,
    expected: 'what the contract requires',
    found: violation === null ? 'what the contract requires' : violation.problem,
  });
}

const UNREADABLE_REPORTED_MAX = 20;

/** The clauses of members that have one of their own. */
const MEMBER_CLAUSES: Readonly<Record<string, ClauseId>> = {
  'listSessions id': 'session.id',
  'listTables name': 'table.name',
  'listTables maxCovers': 'table.covers',
  'getTable maxCovers': 'table.covers',
  'getBillItems items[].id': 'bill.items',
  'listBillItems items[].id': 'bill.items',
  'lockSession items[].id': 'bill.items',
  'getFullBill items[].id': 'bill.items',
};

/** Checks the schema of the last answer, if there is one. */
export function checkLastAnswer(context: StepContext): void {
  const { lastTablesAnswer } = context.flowContext;
  if (lastTablesAnswer !== null) checkSchema<TablesCallName>(context, lastTablesAnswer.$case, lastTablesAnswer.value);
}

/** The EPOS was reached, accepted the credentials, and answered in time. */
async function recordReached({ flowContext, step }: StepContext, member: string): Promise<void> {
  step.saw('connection.live', { member, what: 'a connection' });
  if (await flowContext.isCalledWithPassword())
    step.saw('connection.credentials', { member, what: 'its password taken' });
  step.saw('answer.in-time', { member, what: 'an answer' });
  step.saw('answer.readable', { member, what: 'an answer that can be read' });
}

/** The requestor: the card machine of the flows, or a payer's phone. */
export function buildRequestor({ device, params: { waiterId } }: FlowContext): Requestor {
  if (device === 'consumerDevice') return { type: 'consumerDevice' };
  return { type: 'cardMachine', terminalId: TESTER_TID, waiterId: waiterId ?? 0 };
}

const NO_ANSWER_CLAUSES = {
  credentialsRefused: 'connection.credentials',
  notSent: 'connection.live',
  noAnswer: 'answer.in-time',
  unreadable: 'answer.readable',
} as const satisfies Record<keyof typeof MISSING_ANSWERS, ClauseId>;
