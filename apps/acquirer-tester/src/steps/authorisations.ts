import { type AuthoriseRequest, BookingKind, Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import { type CallOptions, type ResultAnswer, toAuthoriseRequest } from '../acquirer/acquirer-connection.js';
import type { ClauseId } from '../clauses/clauses.js';
import type { Stage } from '../scene/flow.js';
import type { FlowContext, Payment } from '../scene/flow-context.js';
import { checkReceived, describeAnswer, type MadeCall, requireApproval, requireResult } from './answers.js';

/** The message for an authorisation of a card that the payer gives now. A payer who takes no part cannot be challenged. */
function toRequest(scene: FlowContext, payment: Payment, values: Partial<AuthoriseRequest> = {}) {
  const { number, expiryMonth, expiryYear, cv2, cardholderName } = payment.card;
  return toAuthoriseRequest({
    ...{ reference: payment.reference, merchantId: scene.profile.merchantId, capture: payment.isPurchase },
    ...{ amount: payment.amount, currency: payment.currency },
    instrument: { $case: 'card', value: { number, expiryMonth, expiryYear, cv2, cardholderName } },
    noChallenge: values.customerInitiated === false || values.cardholderNotPresent === true,
    ...values,
  });
}

/** The call of an authorisation, for its checks. */
export function toMadeCall({ reference }: Payment): MadeCall {
  return { method: 'Authorise', reference, originalReference: '' };
}

/** Sends an authorisation, and checks only what holds for every answer. */
export async function sendAuthorisation(
  stage: Stage,
  payment: Payment,
  { values, ...options }: CallOptions & { readonly values?: Partial<AuthoriseRequest> } = {},
): Promise<ResultAnswer> {
  const { scene } = stage;
  const answer = await scene.connection.call('authorise', toRequest(scene, payment, values), options);
  checkReceived(stage, toMadeCall(payment), answer);
  return answer;
}

/** Authorises a payment that must be approved, and notes its bookings. */
export async function authorise(
  stage: Stage,
  payment: Payment,
  {
    clause = 'authorise.approves',
    ...options
  }: CallOptions & { readonly values?: Partial<AuthoriseRequest>; readonly clause?: ClauseId } = {},
): Promise<Result> {
  const answer = await sendAuthorisation(stage, payment, options);
  return acceptAuthorisation(stage, payment, { answer, clause });
}

/** Checks an answer that must approve the payment, and notes its bookings. */
export function acceptAuthorisation(
  stage: Stage,
  payment: Payment,
  { answer, clause }: { readonly answer: ResultAnswer; readonly clause: ClauseId },
): Result {
  const { amount, currency, card } = payment;
  const result = requireApproval(stage, { made: toMadeCall(payment), answer }, { clause, amount, currency, card });
  bookAuthorisation(stage.scene, payment);
  return result;
}

/** Notes the bookings of an approved payment: one that took the money at once has two. */
function bookAuthorisation({ books }: FlowContext, payment: Payment): void {
  const { reference, amount, currency, isPurchase } = payment;
  const line = { reference, originalReference: '', amount, currency };
  books.book({ ...line, kind: BookingKind.BOOKING_KIND_AUTHORISE });
  if (isPurchase) books.book({ ...line, kind: BookingKind.BOOKING_KIND_CAPTURE });
}

/** Sends the call again and checks that it is answered as before. */
export function checkRepeated(
  stage: Stage,
  made: MadeCall,
  {
    answer,
    first,
    clause = 'repeat.same',
  }: { readonly answer: ResultAnswer; readonly first: Result; readonly clause?: ClauseId },
): void {
  const result = requireResult(stage, made, answer);
  stage.step.check(describeDecision(result) === describeDecision(first), {
    ...{ clause, member: `${made.method} again`, expected: describeDecision(first) },
    found: describeDecision(result),
  });
}

/** What two answers about one call must agree in. */
export function describeDecision({ outcome, amount, currency, transactionId, authCode }: Result): string {
  const decided = outcome === Outcome.OUTCOME_APPROVED ? `${amount} ${currency} ${authCode}` : '';
  return `${describeAnswer({ kind: 'content', content: { outcome } })} ${transactionId} ${decided}`.trim();
}
