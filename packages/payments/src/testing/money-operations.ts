import type { Reader, Tx } from '@pos/store/database/database';
import type { Money } from '@pos/core/money/money';
import type { PaymentIntent } from '@pos/core/payment-intents/payment-intent';
import type { AcquirerRule } from '@pos/sandbox/acquirer/acquirer-rules';
import { transactAs, getOutcome, type TestAccount, type TestEnvironment } from './test-environment.js';

type Id = PaymentIntent['id'];

interface OperationSteps {
  readonly begin: (tx: Tx) => Promise<string>;
  readonly result: (reader: Reader, reference: string) => Promise<unknown>;
}

/**
 * Moves the money of a shop's payments as the API does: reserve, call, settle. Each returns `done` or the refusal's
 * code.
 */
export class MoneyOperations {
  constructor(
    private readonly testEnvironment: TestEnvironment,
    private readonly testAccount: TestAccount,
  ) {}

  capture(id: Id, amount: number, tipsAmount = 0): Promise<string> {
    const { captures } = this.testEnvironment;
    return this.#runOperation({
      begin: (tx) => captures.reserve(tx, id, { amount, tipsAmount }),
      result: (reader, reference) => captures.getResult(reader, reference),
    });
  }

  changeAmount(id: Id, amount: Money): Promise<string> {
    const { amounts } = this.testEnvironment;
    return this.#runOperation({
      begin: (tx) => amounts.changeOrReserve(tx, id, { amount, itemLines: null, taxLines: null }),
      result: (reader, point) => amounts.requireResult(reader, point),
    });
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
    const details = { reason: 'cold soup', notes: null, previousTransactionId: null };
    return this.#runOperation({
      begin: (tx) => refunds.reserve(tx, id, { ...details, amount }),
      result: (reader, reference) => refunds.getResult(reader, reference),
    });
  }

  reverse(id: Id): Promise<string> {
    const { reversals } = this.testEnvironment;
    return this.#runOperation({
      begin: (tx) => reversals.reserve(tx, id),
      result: (reader, reference) => reversals.getResult(reader, reference),
    });
  }

  #runOperation({ begin, result }: OperationSteps): Promise<string> {
    const { calls, database } = this.testEnvironment;
    const { scope } = this.testAccount;
    return getOutcome(
      (async () => {
        const reference = await transactAs(this.testEnvironment, this.testAccount, begin);
        await calls.pursueCall(scope, reference);
        await database.read(scope, (reader) => result(reader, reference));
      })(),
    );
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
