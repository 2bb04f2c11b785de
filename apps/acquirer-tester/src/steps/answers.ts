import { type CardSummary, Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import type { Answer, ResultAnswer } from '../acquirer/acquirer-connection.js';
import type { ClauseId } from '../clauses/clauses.js';
import type { ProfileCard } from '../profile/profile.js';
import type { Stage } from '../scene/flow.js';

/** The call that an answer belongs to. */
export interface MadeCall {
  readonly method: string;
  readonly reference: string;
  /** Empty for an authorisation. */
  readonly originalReference: string;
}

/** What an approval must state. */
export interface ExpectedApproval {
  readonly clause: ClauseId;
  readonly amount: bigint;
  readonly currency: string;
  /** The card of an authorisation; null for what follows one. */
  readonly card: ProfileCard | null;
}

/** Statuses that refuse a call for good: nothing was booked, and nothing will be. */
export const REFUSED_FOR_GOOD: readonly string[] = [
  ...['INVALID_ARGUMENT', 'NOT_FOUND', 'FAILED_PRECONDITION', 'OUT_OF_RANGE', 'UNIMPLEMENTED'],
];
const DECIDED: readonly Outcome[] = [
  ...[Outcome.OUTCOME_APPROVED, Outcome.OUTCOME_DECLINED, Outcome.OUTCOME_REFERRED, Outcome.OUTCOME_FAILED],
];
const DECLINES: readonly Outcome[] = DECIDED.slice(1);
const UNDECIDED: readonly Outcome[] = [
  ...[Outcome.OUTCOME_CHALLENGED, Outcome.OUTCOME_IN_PROGRESS, Outcome.OUTCOME_NOT_FOUND],
];
const TRANSACTION_ID_LENGTH_MAX = 200;
const SCHEMES: readonly string[] = ['', 'VISA', 'MASTERCARD', 'MAESTRO', 'DISCOVER', 'DCI', 'AMEX'];

/** Notes an answer and checks what holds for every one: it has arrived in time, and shows no card number. */
export function checkReceived<R>(
  { scene, step }: Stage,
  made: Pick<MadeCall, 'method' | 'reference'>,
  answer: Answer<R>,
): void {
  const text = JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  const numbers = scene.listCardNumbers();
  const shown = numbers.find((number) => text.replaceAll(/[ -]/g, '').includes(number));
  const hidden = shown === undefined ? text : `${text.length} characters with a card number`;
  step.note(`${made.method} ${made.reference}: ${hidden}`);
  step.check(shown === undefined, {
    ...{ clause: 'secret.card-number', member: made.method, expected: 'no card number' },
    found: shown === undefined ? 'none' : `a number that ends in ${shown.slice(-4)}`,
  });
}

/** Checks that the call did not run into its deadline. Where a test cancels calls, it is not called. */
export function checkInTime({ step }: Stage, { method }: MadeCall, answer: Answer<unknown>): void {
  const isLate = answer.kind === 'status' && answer.status === 'DEADLINE_EXCEEDED';
  step.check(!isLate, {
    ...{ clause: 'answer.in-time', member: method, expected: 'an answer', found: describeAnswer(answer) },
  });
}

/** Takes the result of an answer that must have one, and checks what holds for every result. */
export function requireResult(stage: Stage, made: MadeCall, answer: ResultAnswer): Result {
  const { scene, step } = stage;
  checkInTime(stage, made, answer);
  const result = answer.kind === 'content' ? answer.content : null;
  if (result === null) {
    const isUnimplemented = answer.kind === 'status' && answer.status === 'UNIMPLEMENTED';
    const clause = isUnimplemented ? 'capabilities.declared' : 'answer.outcome';
    return step.fail({ clause, member: made.method, expected: 'an outcome', found: describeAnswer(answer) });
  }
  const isKnown = DECIDED.includes(result.outcome) || UNDECIDED.includes(result.outcome);
  step.require(isKnown || result.outcome === Outcome.OUTCOME_REVERSED, {
    ...{ clause: 'answer.outcome', member: `${made.method}.outcome`, expected: 'an outcome of the contract' },
    found: result.outcome,
  });
  step.check(result.reference === made.reference, {
    ...{ clause: 'answer.reference', member: `${made.method}.reference`, expected: made.reference },
    found: result.reference,
  });
  const { processedAt } = result;
  const wants = DECIDED.includes(result.outcome) ? 'a time' : UNDECIDED.includes(result.outcome) ? 'no time' : null;
  if (wants !== null) {
    step.check((wants === 'a time') === (processedAt !== undefined), {
      ...{ clause: 'answer.time', member: `${made.method}.processed_at`, expected: wants },
      found: processedAt?.toISOString(),
    });
  }
  if (processedAt !== undefined) scene.books.seeTime(processedAt);
  return result;
}

/** Requires an approval, and checks everything that it must state. */
export function requireApproval(
  stage: Stage,
  { made, answer }: { readonly made: MadeCall; readonly answer: ResultAnswer },
  expected: ExpectedApproval,
): Result {
  const { step, scene } = stage;
  const result = requireResult(stage, made, answer);
  const { method } = made;
  step.require(result.outcome === Outcome.OUTCOME_APPROVED, {
    ...{ clause: expected.clause, member: `${method}.outcome`, expected: 'APPROVED', found: describeAnswer(answer) },
  });
  step.saw('capabilities.declared', { member: method, what: 'an approval' });
  const isAmount = result.amount === expected.amount && result.currency === expected.currency;
  step.check(isAmount, {
    ...{ clause: 'answer.amount', member: `${method}.amount`, expected: `${expected.amount} ${expected.currency}` },
    found: `${result.amount} ${result.currency}`,
  });
  step.check(result.originalReference === made.originalReference, {
    ...{ clause: 'answer.original', member: `${method}.original_reference` },
    expected: made.originalReference === '' ? 'nothing' : made.originalReference,
    found: result.originalReference,
  });
  const owner = scene.transactions.get(result.transactionId) ?? made.reference;
  const isText = result.transactionId !== '' && result.transactionId.length <= TRANSACTION_ID_LENGTH_MAX;
  step.check(isText && owner === made.reference, {
    ...{ clause: 'answer.transaction', member: `${method}.transaction_id`, expected: 'an id of this call only' },
    found: owner === made.reference ? result.transactionId : `${result.transactionId}, which ${owner} has`,
  });
  scene.transactions.set(result.transactionId, made.reference);
  if (expected.card !== null) {
    step.check(result.authCode !== '', {
      ...{ clause: 'answer.auth-code', member: `${method}.auth_code`, expected: 'a code', found: result.authCode },
    });
    checkCard(stage, { method, card: result.card, expected: expected.card });
  }
  return result;
}

/** Whether a call was refused: by the issuer, or for good by a status. */
export function isRefused(answer: ResultAnswer): boolean {
  if (answer.kind === 'status') return REFUSED_FOR_GOOD.includes(answer.status);
  return answer.content !== null && DECLINES.includes(answer.content.outcome);
}

/** Whether an answer says nothing about the end of its call: it is in progress, or its status proves nothing. */
export function isUndecided(answer: ResultAnswer): boolean {
  if (answer.kind === 'content') return answer.content?.outcome === Outcome.OUTCOME_IN_PROGRESS;
  const known = [...REFUSED_FOR_GOOD, 'ALREADY_EXISTS', 'UNAUTHENTICATED', 'PERMISSION_DENIED'];
  return !known.includes(answer.status);
}

/** Checks that a call was refused: nothing was booked, and the caller knows it. */
export function checkRefused(
  { step }: Stage,
  { method }: Pick<MadeCall, 'method'>,
  { answer, clause, of }: { readonly answer: ResultAnswer; readonly clause: ClauseId; readonly of: string },
): void {
  step.check(isRefused(answer), {
    ...{ clause, member: `${method} of ${of}`, expected: 'a refusal', found: describeAnswer(answer) },
  });
}

/** Checks that the answer has one of these statuses. */
export function checkStatus(
  { step }: Stage,
  { clause, member }: { readonly clause: ClauseId; readonly member: string },
  { answer, statuses }: { readonly answer: Answer<unknown>; readonly statuses: readonly string[] },
): void {
  const holds = answer.kind === 'status' && statuses.includes(answer.status);
  step.check(holds, { clause, member, expected: statuses.join(' or '), found: describeAnswer(answer) });
}

/** The outcome or the status of an answer in a few words. */
export function describeAnswer(answer: Answer<unknown>): string {
  if (answer.kind === 'status') return `the status ${answer.status}`;
  const { content } = answer;
  if (typeof content !== 'object' || content === null) return 'an answer without content';
  return 'outcome' in content ? describeOutcome(content.outcome as Outcome) : 'an answer';
}

/** The name of an outcome without its prefix. */
export function describeOutcome(outcome: Outcome): string {
  return outcome.replace('OUTCOME_', '');
}

function checkCard(
  { step }: Stage,
  {
    method,
    card,
    expected,
  }: { readonly method: string; readonly card: CardSummary | undefined; readonly expected: ProfileCard },
): void {
  const member = `${method}.card`;
  const last4 = expected.number.slice(-4);
  const wanted = `${last4} ${expected.expiryMonth}/${expected.expiryYear}`;
  const found = card === undefined ? undefined : `${card.last4Pan} ${card.expiryMonth}/${card.expiryYear}`;
  step.check(found === wanted, { clause: 'answer.card', member, expected: wanted, found });
  if (card === undefined) return;
  const leadingMax = expected.number.length >= 16 ? 8 : 6;
  const mask = new RegExp(`^(\\d{0,${leadingMax}}[*x#.]+\\d{0,4})?$`, 'i');
  step.check(mask.test(card.maskedNumber), {
    ...{ clause: 'answer.mask', member: `${member}.masked_number`, expected: `at most ${leadingMax} leading digits` },
    found: `${card.maskedNumber.length} characters, ${card.maskedNumber.replaceAll(/\D/g, '').length} of them digits`,
  });
  step.check(SCHEMES.includes(card.scheme), {
    ...{ clause: 'answer.card-scheme', member: `${member}.scheme`, expected: 'a name of the contract' },
    found: card.scheme,
  });
}
