import { computeOutstanding, JOURNEY_NEEDS } from '@pos/core/tables';
import { isPositive, shareEqually } from '@pos/core/money';
import { chooseAmount, checkBalance, chooseSession, lockSession, unlockSession } from '../steps/bill-steps.js';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { runPayStep, recordPayment, recordRemotePayment } from '../steps/pay-steps.js';
import { listParameters } from '../flow-context/run-params.js';

/** The cashback of the first payer of a split. An EPOS that books it as a payment shows it on the bill. */
const CASHBACK = 100;

/** A party pays: at once, or part by part. */
export const PAY_FLOWS: readonly Flow[] = [
  {
    name: 'tables-pay-in-full',
    params: listParameters('sessionId', 'tableName', 'waiterId', 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [chooseSession, lockSession, runPayStep(), recordPayment, unlockSession, checkBalance()],
  },
  {
    name: 'tables-consumer-device',
    params: listParameters('sessionId', 'tableName', 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      { ...chooseSession, act: asConsumerDevice(chooseSession.act) },
      ...[lockSession, runPayStep(), recordRemotePayment, unlockSession, checkBalance()],
    ],
  },
  {
    name: 'tables-split',
    params: listParameters('sessionId', 'tableName', 'waiterId', 'people', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: ({ people }) => [
      chooseSession,
      ...Array.from({ length: people }, (_, index) => partSteps({ number: index + 1, people })).flat(),
    ],
  },
];

/** From this step on the payer's own device calls, and makes the payments. */
function asConsumerDevice(act: FlowStep['act']): FlowStep['act'] {
  return (context) => {
    context.flowContext.device = 'consumerDevice';
    return act(context);
  };
}

/** The part of one payer: the session is locked before it and unlocked after it, as devices do. */
function partSteps({ number, people }: { readonly number: number; readonly people: number }): FlowStep[] {
  const pay = runPayStep(
    (context) => {
      const { bill } = context.flowContext;
      // The last payer pays the rest. On a bill of too few pennies, some payers have nothing to pay.
      if (bill === null) return chooseAmount(context);
      const share = shareEqually({ outstanding: computeOutstanding(bill), partsLeft: people - number + 1 });
      return isPositive(share) ? share : chooseAmount(context);
    },
    number === 1 ? CASHBACK : 0,
  );
  return [lockSession, pay, recordPayment, unlockSession, checkBalance()].map((step) => ({
    ...step,
    name: `${step.name} ${number}`,
  }));
}
