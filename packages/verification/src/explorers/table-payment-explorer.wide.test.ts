import type { TablePaymentStep } from '@pos/core/testing';
import { expect, test } from '@jest/globals';
import { exploreTablePayments, VARIANTS, type Step, type Variant } from './table-payment-explorer.js';
import { type RecordAnswer, stepTablePayment, type TablePayment } from '@pos/core/tables';

test.each<Variant>(VARIANTS)('every path of a payment ends well: %j', (variant) => {
  const { states, violations, reached } = exploreTablePayments(stepTablePayment, variant);
  process.stdout.write(`explored ${states} states of ${JSON.stringify(variant)}\n`);
  expect(violations).toEqual([]);
  expect(states).toBeGreaterThan(variant.intentId === null ? 200 : 1_000);
  const ends =
    variant.intentId === null ? ['Recorded', 'Ended', 'NeedsOperator'] : ['Recorded', 'GivenBack', 'NeedsOperator'];
  expect([...reached]).toEqual(expect.arrayContaining(ends));
});

const whenAnswered =
  (change: (answer: RecordAnswer) => RecordAnswer): Step =>
  (payment, input, now) =>
    stepTablePayment(
      payment,
      input.kind === 'recordAnswered' ? { ...input, answer: change(input.answer) } : input,
      now,
    );

/** What is planted, what finds it, and the variants in which it shows, if they are few. */
const PLANTED: readonly [string, Step, RegExp, shows?: readonly Variant[]][] = [
  [
    'a payment whose card transaction is unknown is taken for a proved one',
    (payment, input, now) =>
      stepTablePayment(payment, input.kind === 'proofMissing' ? { kind: 'proved', intentId: 'pi_one' } : input, now),
    /recorded without a proof/,
  ],
  [
    'the refusal of a payment returns its money, although the key of the device may not',
    (payment, input, now) => stepTablePayment({ ...payment, mayGiveBack: true }, input, now),
    /given back without the right to/,
    VARIANTS.filter((variant: Variant) => variant.mayGiveBack === false),
  ],
  [
    'the search for a card transaction is not repeated',
    (payment, input, now) => {
      const { payment: after, outputs } = stepTablePayment(payment, input, now);
      const isLost = after.state === 'Unproved' && after.nextStep === 'prove';
      return {
        payment: isLost ? { ...after, dueAt: null } : after,
        outputs: outputs.filter(({ do: what }) => what !== 'wakeAt'),
      };
    },
    /stalls/,
  ],
  [
    'a refusal is trusted although an earlier call had no answer',
    (payment, input, now) => stepTablePayment({ ...payment, isUnanswered: false }, input, now),
    /given back while/,
  ],
  [
    'a time-out is taken for a refusal',
    whenAnswered((answer) => (answer === 'NoAnswer' ? 'WAITER_INCORRECT_WAITER_ID' : answer)),
    /given back while/,
  ],
  [
    'the 4xx of a proxy, behind which the EPOS still receives the call, is taken for a refusal of an order',
    whenAnswered((answer) => (answer === 'NoAnswer' ? 'InvalidRequest' : answer)),
    /given back while/,
  ],
  [
    'an internal error of the EPOS is taken for a refusal',
    whenAnswered((answer) => (answer === 'ERROR_INTERNAL_POS_ERROR' ? 'WAITER_INCORRECT_WAITER_ID' : answer)),
    /given back while/,
  ],
  [
    'a time-out is taken for a success',
    whenAnswered((answer) => (answer === 'NoAnswer' ? 'Success' : answer)),
    /closed as recorded/,
  ],
  [
    'a refusal is trusted at once, while the lost call may still arrive',
    (payment, input, now) =>
      stepTablePayment(payment.doubtAt === null ? payment : { ...payment, doubtAt: new Date(0) }, input, now),
    /given back while/,
  ],
  [
    'the call of a killed runner counts as not made',
    (payment, input, now) =>
      stepTablePayment(
        input.kind === 'due' && payment.state === 'Recording' ? { ...payment, state: 'Approved' } : payment,
        input,
        now,
      ),
    /given back while/,
  ],
  [
    'an unanswered record call is not tried again',
    (payment, input, now) => withoutWake(stepTablePayment(payment, input, now), 'RecordUnknown'),
    /stalls/,
  ],
  [
    'a failed give-back is not repeated',
    (payment, input, now) => withoutWake(stepTablePayment(payment, input, now), 'GivingBack'),
    /stalls/,
  ],
  [
    'a payment in doubt is closed by hand as given back, past its moves',
    (payment, input, now) => {
      const { payment: after, outputs } = stepTablePayment(payment, input, now);
      return { payment: after.state === 'Refused' ? { ...after, state: 'GivenBack', dueAt: null } : after, outputs };
    },
    /unlisted move/,
  ],
  [
    'a refused payment is not given back',
    (payment, input, now) => withoutWake(stepTablePayment(payment, input, now), 'Refused'),
    /stalls/,
  ],
  [
    'an operator may mark as recorded what may have been given back',
    (payment, input, now) =>
      stepTablePayment(
        input.kind === 'markRecorded' ? { ...payment, giveBackReference: null, givenBackAt: null } : payment,
        input,
        now,
      ),
    /closed as recorded/,
  ],
  [
    'an unanswered give-back is closed as done',
    (payment, input, now) =>
      stepTablePayment(payment, input.kind === 'giveBackUnanswered' ? { kind: 'givenBack' } : input, now),
    /closed as given back/,
  ],
  [
    'an expired session is closed although its approval may have been taken',
    (payment, input, now) =>
      stepTablePayment(
        payment,
        input.kind === 'due' && payment.state === 'Started' ? { kind: 'ended', reason: 'expired' } : input,
        now,
      ),
    /closed as unpaid/,
  ],
];

/** Payments of orders have a quarter of the states of the others, and many bugs show in them. */
const SMALLEST_FIRST = [...VARIANTS].sort(
  (one, other) => Number(one.orderId === null) - Number(other.orderId === null),
);

/** The long run has all planted bugs, and `npm test` every fourth. */
const CHOSEN = PLANTED.filter((_, index) => process.env['LONG'] === '1' || index % 4 === 0);

test.each(CHOSEN)('the explorer finds a planted bug: %s', (_name, mutant, finding, shows = SMALLEST_FIRST) => {
  const found = shows.some((variant) =>
    exploreTablePayments(mutant, variant, finding).violations.some((text) => finding.test(text)),
  );
  expect(found).toBe(true);
});

function withoutWake(result: TablePaymentStep, state: TablePayment['state']): TablePaymentStep {
  return result.payment.state === state ? { ...result, payment: { ...result.payment, dueAt: null } } : result;
}
