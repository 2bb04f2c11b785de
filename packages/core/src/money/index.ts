// Money: exact amounts in minor units, their currencies, and how amounts are parsed and printed.
export {
  add,
  allocate,
  AMOUNT_MAX,
  exceeds,
  isPositive,
  isSameAmount,
  isZero,
  minimum,
  type Money,
  money,
  multiply,
  negate,
  shareEqually,
  subtract,
  sum,
  zeroMoney,
} from './money.js';
export { isActiveCurrency } from './currency.js';
export { formatAmount, formatInputAmount, formatMoney, parseAmount } from './money-text.js';
