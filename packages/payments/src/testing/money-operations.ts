import { IdempotentOperation } from '@pos/store/idempotency';
import type { Money } from '@pos/core/money';
import type { PaymentIntent } from '@pos/core/payment-intents';
import type { AcquirerRule } from '@pos/sandbox/testing';
import { transactAs, getOutcome, type TestAccount, type TestEnvironment } from './test-environment.js';

type Id = PaymentIntent['id'];

/** An operation of a request without an idempotency key, which presents its result as it is. */
export function createOperation<Result>(
  { database }: TestEnvironment,
  { scope }: TestAccount,
): IdempotentOperation<Result, Result> {
  const encoding = { encodeResult: (result: Result) => result, encodeRefusal: () => null };
  return new IdempotentOperation(database, { scope, idempotency: null }, encoding);
}

/** Moves the money of an account's payments as the API does. Each answers `done` or the code of the refusal. */
export class MoneyOperations {
  constructor(
    private readonly testEnvironment: TestEnvironment,
    private readonly testAccount: TestAccount,
  ) {}

  capture(id: Id, amount: number, tipsAmount = 0): Promise<string> {
    const { captures } = this.testEnvironment;
    return getOutcome(captures.capture(this.#createOperation(), id, { amount, tipsAmount }));
  }

  changeAmount(id: Id, amount: Money): Promise<string> {
    const { amounts } = this.testEnvironment;
    const request = { amount, itemLines: null, taxLines: null };
    return getOutcome(amounts.changeAmount(this.#createOperation(), id, request));
  }

  changeTips(id: Id, tipsAmount: Money): Promise<string> {
    return getOutcome(
      transactAs(this.testEnvironment, this.testAccount, (tx) =>
        this.testEnvironment.amounts.changeTips(tx, id, tipsAmount),
      ),
    );
  }

  refund(id: Id, amount: number): Promise<string> {
    const { refunds } = this.testEnvironment;
    const request = { reason: 'cold soup', notes: null, previousTransactionId: null, amount };
    return getOutcome(refunds.refund(this.#createOperation(), id, request));
  }

  reverse(id: Id): Promise<string> {
    return getOutcome(this.testEnvironment.reversals.reverse(this.#createOperation(), id));
  }

  #createOperation<Result>(): IdempotentOperation<Result, Result> {
    return createOperation(this.testEnvironment, this.testAccount);
  }
}

/** The acquirer's bookings about an authorisation, without the authorisation: `Capture 1500 Approved`. */
export function listBookings(testEnvironment: TestEnvironment, reference: string): string[] {
  return testEnvironment.acquirerServer.acquirer.books
    .listRelatedCalls(reference)
    .map(({ kind, amount, outcome }) => `${kind} ${amount.value} ${outcome}`);
}

/** How often each answer was given. */
export function countAnswers(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

/** Every way in which the acquirer leaves a kind of call unanswered once, and what it has booked by then. */
export function listUnansweredCases(kind: 'Capture' | 'Refund' | 'Reverse' | 'Increase'): [string, AcquirerRule[]][] {
  return [
    ['is lost after the booking', [{ match: { kind }, effect: 'drop-answer', times: 1 }]],
    ['does not come, for the acquirer is down', [{ match: { kind }, effect: 'down', times: 1 }]],
    ['comes after the deadline', [{ match: { kind }, effect: 'delay', delayMs: 600, times: 1 }]],
  ];
}
