import { type Bill, linePrice, outstanding } from './bill.js';
import { exceeds, isPositive, money, shareEqually, spread, subtract, sum, type Money } from './money.js';
import { Refusal } from './refusal.js';

/** How the next payer wants to pay. Money amounts never contain the tip. */
export type PartWish =
  | { readonly mode: 'FULL' }
  | { readonly mode: 'EQUAL'; readonly people: number }
  | { readonly mode: 'CUSTOM'; readonly amount: Money }
  | { readonly mode: 'ITEMS'; readonly shares: readonly ItemShare[] };

/** A share of one line of the bill: 1/1 is the whole line, 1/3 a third of it. */
export interface ItemShare {
  readonly itemId: string;
  readonly numerator: number;
  readonly denominator: number;
}

/** What the parts already paid have agreed on. Parts that were declined never enter it. */
export interface SplitPlan {
  readonly equal: { readonly people: number; readonly partsPaid: number } | null;
  readonly shares: readonly ItemShare[];
}

export const EMPTY_PLAN: SplitPlan = { equal: null, shares: [] };
export const PEOPLE_MAX = 100;
/** Sums of fractions up to 1/32 keep a common denominator that a number still holds exactly. */
const SHARE_DENOMINATOR_MAX = 32;
const SHARES_MAX = 1_000;

/**
 * What the next part costs on a freshly read bill. The parts always add up to the bill: the last
 * part takes the rest. Never more than is outstanding.
 * Refuses: `bill_paid`, `part_invalid`, `part_exceeds_outstanding`, `item_not_on_bill`, `item_share_taken`.
 */
export function partAmount(bill: Bill, plan: SplitPlan, wish: PartWish): Money {
  const rest = outstanding(bill);
  if (!isPositive(rest)) throw new Refusal('bill_paid', 'nothing is outstanding on this bill');
  const amount = priceOf(bill, plan, wish);
  if (!isPositive(amount)) throw new Refusal('part_invalid', 'the part comes to nothing');
  if (exceeds(amount, rest)) {
    throw new Refusal('part_exceeds_outstanding', `${subtract(amount, rest).value} more than is outstanding`, {
      data: { outstanding: rest.value },
    });
  }
  return amount;
}

/** The plan once the part is paid for. */
export function planAfter(plan: SplitPlan, wish: PartWish): SplitPlan {
  switch (wish.mode) {
    case 'FULL':
    case 'CUSTOM':
      return plan;
    case 'EQUAL': {
      const { people, partsPaid } = equalOf(plan, wish.people);
      return { ...plan, equal: { people, partsPaid: partsPaid + 1 } };
    }
    case 'ITEMS':
      return { ...plan, shares: [...plan.shares, ...wish.shares] };
  }
}

function priceOf(bill: Bill, plan: SplitPlan, wish: PartWish): Money {
  switch (wish.mode) {
    case 'FULL':
      return outstanding(bill);
    case 'CUSTOM':
      if (wish.amount.currencyCode !== bill.total.currencyCode) {
        throw new Refusal('part_invalid', `the bill is in ${bill.total.currencyCode}`);
      }
      return wish.amount;
    case 'EQUAL': {
      const { people, partsPaid } = equalOf(plan, wish.people);
      return shareEqually({ outstanding: outstanding(bill), partsLeft: people - partsPaid });
    }
    case 'ITEMS':
      return itemsAmount(bill, plan, wish.shares);
  }
}

/** Another number of people, or a bill that grew after the last part, starts a new split of what is outstanding now. */
function equalOf(plan: SplitPlan, people: number): { people: number; partsPaid: number } {
  if (!Number.isSafeInteger(people) || people < 1 || people > PEOPLE_MAX) {
    throw new Refusal('part_invalid', `people: 1 to ${PEOPLE_MAX}`);
  }
  const { equal } = plan;
  return equal?.people === people && equal.partsPaid < people ? equal : { people, partsPaid: 0 };
}

function itemsAmount(bill: Bill, plan: SplitPlan, shares: readonly ItemShare[]): Money {
  if (shares.length === 0 || shares.length + plan.shares.length > SHARES_MAX) {
    throw new Refusal('part_invalid', `items: 1 to ${SHARES_MAX}`);
  }
  const prices = pricesWithSpread(bill);
  const taken = new Map<string, Fraction>();
  for (const share of plan.shares) taken.set(share.itemId, plus(taken.get(share.itemId) ?? NOTHING, share));
  const amounts = shares.map((share) => {
    const price = prices.get(share.itemId);
    if (price === undefined) throw new Refusal('item_not_on_bill', share.itemId);
    if (!isShare(share)) throw new Refusal('part_invalid', `share of ${share.itemId}`);
    const before = taken.get(share.itemId) ?? NOTHING;
    const afterwards = plus(before, share);
    if (afterwards.numerator > afterwards.denominator) throw new Refusal('item_share_taken', share.itemId);
    taken.set(share.itemId, afterwards);
    // Cutting the price at both ends of the share makes neighbouring shares meet to the penny.
    return subtract(cut(price, afterwards), cut(price, before));
  });
  const isLast = [...prices.keys()].every((itemId) => isWhole(taken.get(itemId) ?? NOTHING));
  return isLast ? outstanding(bill) : sum(amounts, bill.total.currencyCode);
}

/** The whole total, discounts, taxes and service charge included, laid over the priced lines in proportion. */
function pricesWithSpread(bill: Bill): ReadonlyMap<string, Money> {
  const priced = bill.items.map((item) => ({ id: item.id, price: linePrice(item) }));
  const payable = priced.filter(({ price }) => isPositive(price));
  if (payable.length === 0) return new Map();
  const spreadPrices = spread(
    bill.total,
    payable.map(({ price }) => price.value),
  );
  const nothing = money(0, bill.total.currencyCode);
  return new Map(payable.map(({ id }, index) => [id, spreadPrices[index] ?? nothing]));
}

interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

const NOTHING: Fraction = { numerator: 0, denominator: 1 };

function isShare({ numerator, denominator }: Fraction): boolean {
  const areWhole = Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator);
  return areWhole && denominator <= SHARE_DENOMINATOR_MAX && numerator >= 1 && numerator <= denominator;
}

function plus(first: Fraction, second: Fraction): Fraction {
  const numerator = first.numerator * second.denominator + second.numerator * first.denominator;
  const denominator = first.denominator * second.denominator;
  const divisor = greatestDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

function isWhole(fraction: Fraction): boolean {
  return fraction.numerator === fraction.denominator;
}

function greatestDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestDivisor(second, first % second);
}

/** The part of a price from its beginning up to the fraction, rounded to the nearest unit. */
function cut(price: Money, { numerator, denominator }: Fraction): Money {
  const [upTo] = spread(price, [numerator, denominator - numerator]);
  return upTo ?? price;
}
