import { JOURNEY_NEEDS } from '@pos/core/epos-capability';
import { isPositive, money, shareEqually, smaller } from '@pos/core/money';
import type { Flow, FlowStep } from '../flow.js';
import { outstandingOf } from '../orders/order-checks.js';
import { lockOrder, unlockOrder } from '../orders/order-locking.js';
import { checkPaid, payOrder, recordOnOrder } from '../orders/order-paying.js';
import { chooseOrder, orderAmount, orderOf, readOrder } from '../orders/order-steps.js';
import { parametersOf } from '../run-params.js';

const ON_ORDER = ['orderId', 'tableId', 'waiterId'] as const;
/** The tip of the flow that is about tips, where none was asked for. */
const TIP = 100;

/** An order is paid: at once, or part by part under one lock. */
export const ORDER_PAY_FLOWS: readonly Flow[] = [
  {
    name: 'pay-in-full',
    params: parametersOf(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [chooseOrder, readOrder, lockOrder, payOrder(), recordOnOrder, checkPaid(), unlockOrder],
  },
  {
    name: 'split-equal',
    params: parametersOf(...ON_ORDER, 'people', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: ({ people }) => [
      ...([chooseOrder, readOrder, lockOrder] as const),
      ...Array.from({ length: people }, (_, index) => numbered(index + 1, payShare(people - index))).flat(),
      unlockOrder,
    ],
  },
  {
    name: 'split-custom',
    params: parametersOf(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: () => [
      ...([chooseOrder, readOrder, lockOrder] as const),
      ...numbered(1, payFirst),
      ...numbered(2, payRest),
      unlockOrder,
    ],
  },
  {
    name: 'tip',
    params: parametersOf(...ON_ORDER, 'amount', 'gratuity'),
    needs: JOURNEY_NEEDS.PayAtTable,
    steps: ({ gratuity }) => [
      ...([chooseOrder, readOrder, lockOrder, payOrder(orderAmount, gratuity === 0 ? TIP : gratuity)] as const),
      ...[recordOnOrder, checkPaid(), unlockOrder],
    ],
  },
];

/** The share of the next of so many guests; the last one takes what is left. */
function payShare(partsLeft: number): FlowStep {
  return payOrder((stage) => {
    const outstanding = outstandingOf(orderOf(stage).order);
    // An order of too few pennies leaves some guests nothing to pay.
    if (outstanding === null) return orderAmount(stage);
    const share = shareEqually({ outstanding, partsLeft });
    return isPositive(share) ? share : orderAmount(stage);
  });
}

/** A part that is less than the order: the amount that was asked for, or a half. */
const payFirst = payOrder((stage) => {
  const rest = outstandingOf(orderOf(stage).order);
  const { amount } = stage.scene.params;
  if (rest === null || rest.value < 2) return orderAmount(stage);
  const part = money(amount ?? Math.floor(rest.value / 2), rest.currencyCode);
  return smaller(part, money(rest.value - 1, rest.currencyCode));
});

const payRest = payOrder((stage) => outstandingOf(orderOf(stage).order) ?? orderAmount(stage));

function numbered(number: number, pay: FlowStep): FlowStep[] {
  return [pay, recordOnOrder, checkPaid()].map((step) => ({ ...step, name: `${step.name} ${number}` }));
}
