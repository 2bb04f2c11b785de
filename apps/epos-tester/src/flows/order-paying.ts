import { JOURNEY_NEEDS } from '@pos/core/tables';
import { isPositive, money, shareEqually, minimum } from '@pos/core/money';
import type { Flow, FlowStep } from '../flow-context/flow.js';
import { getOutstanding } from '../steps/order-checks.js';
import { lockOrder, unlockOrder } from '../steps/order-locking.js';
import { checkPaid, payOrder, recordOnOrder } from '../steps/order-paying.js';
import { chooseOrder, orderAmount, getOrder, readOrder } from '../steps/order-steps.js';
import { listParameters } from '../flow-context/run-params.js';

const ON_ORDER = ['orderId', 'tableId', 'waiterId'] as const;
/** The default tip of the flow about tips. */
const TIP = 100;

/** An order is paid: at once, or part by part under one lock. */
export const ORDER_PAY_FLOWS: readonly Flow[] = [
  {
    name: 'pay-in-full',
    params: listParameters(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [chooseOrder, readOrder, lockOrder, payOrder(), recordOnOrder, checkPaid(), unlockOrder],
  },
  {
    name: 'split-equal',
    params: listParameters(...ON_ORDER, 'people', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: ({ people }) => [
      ...([chooseOrder, readOrder, lockOrder] as const),
      ...Array.from({ length: people }, (_, index) => numberLines(index + 1, payOrderShare(people - index))).flat(),
      unlockOrder,
    ],
  },
  {
    name: 'split-custom',
    params: listParameters(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      ...([chooseOrder, readOrder, lockOrder] as const),
      ...numberLines(1, payFirst),
      ...numberLines(2, payRest),
      unlockOrder,
    ],
  },
  {
    name: 'tip',
    params: listParameters(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: ({ gratuity }) => [
      ...([chooseOrder, readOrder, lockOrder, payOrder(orderAmount, gratuity === 0 ? TIP : gratuity)] as const),
      ...[recordOnOrder, checkPaid(), unlockOrder],
    ],
  },
];

/** The share of the next of this many payers. The last one pays the rest. */
function payOrderShare(partsLeft: number): FlowStep {
  return payOrder((context) => {
    const outstanding = getOutstanding(getOrder(context).order);
    // On an order of too few pennies, some payers have nothing to pay.
    if (outstanding === null) return orderAmount(context);
    const share = shareEqually({ outstanding, partsLeft });
    return isPositive(share) ? share : orderAmount(context);
  });
}

/** A part of the order: the requested amount, or a half. */
const payFirst = payOrder((context) => {
  const rest = getOutstanding(getOrder(context).order);
  const { amount } = context.flowContext.params;
  if (rest === null || rest.value < 2) return orderAmount(context);
  const part = money(amount ?? Math.floor(rest.value / 2), rest.currencyCode);
  return minimum(part, money(rest.value - 1, rest.currencyCode));
});

const payRest = payOrder((context) => getOutstanding(getOrder(context).order) ?? orderAmount(context));

function numberLines(number: number, pay: FlowStep): FlowStep[] {
  return [pay, recordOnOrder, checkPaid()].map((step) => ({ ...step, name: `${step.name} ${number}` }));
}
