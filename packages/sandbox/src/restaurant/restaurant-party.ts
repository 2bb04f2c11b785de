import { type Bill, type BillItem, computeLinePrice } from '@pos/core/tables';
import { add, money, negate, allocate, sum, type Money } from '@pos/core/money';
import { DISH_MODIFIERS, DISHES, GUEST_NAMES, type Dish } from './menu.js';
import type { SeededRandom } from '../clock/seed.js';

/** What a party ordered, as its bill shows it. */
export interface Party {
  readonly guestName: string;
  readonly covers: number;
  readonly items: readonly BillItem[];
  readonly serviceCharge: Money | null;
  readonly tax: Money;
  readonly total: Money;
  readonly seatedMinutesAgo: number;
}

const COVERS_MAX = 6;
const DISHES_PER_GUEST = 2;
const LARGE_PARTY_COVERS = 5;
/** Of 1000: what a large party is charged for service. */
const SERVICE_PER_MILLE = 125;
/** Tax is inside the prices: 20 of every 120. */
const TAX_WEIGHTS = [20, 100];
/** Totals end in 0 or 5 after the service charge, too. */
const SMALLEST_COIN = 5;

/** Draws a party: who, how many, what they had, what it costs. */
export function createParty(random: SeededRandom, currencyCode: string, now: Date): Party {
  const covers = random.nextInteger(1, COVERS_MAX);
  const satMinutesAgo = random.nextInteger(25, 120);
  const dishes = Array.from({ length: covers * DISHES_PER_GUEST }, () => random.pickElement(DISHES));
  const orderedAt = new Date(now.getTime() - (satMinutesAgo - 10) * 60_000);
  const orderLines = dishes.map((dish, index) =>
    createOrderLine({ dish, number: index + 1, orderedAt, currencyCode, random }),
  );
  const foodTotal = sum(orderLines.map(computeLinePrice), currencyCode);
  const discount = random.nextBoolean(0.25) ? [createDiscountLine(foodTotal, orderedAt)] : [];
  const items = [...orderLines, ...discount];

  const beforeService = sum(items.map(computeLinePrice), currencyCode);
  const hasServiceCharge = covers >= LARGE_PARTY_COVERS || random.nextBoolean(0.3);
  const serviceCharge = hasServiceCharge ? roundToCoin(takePerMille(beforeService, SERVICE_PER_MILLE)) : null;
  const total = sum(serviceCharge === null ? [beforeService] : [beforeService, serviceCharge], currencyCode);
  const [tax] = allocate(total, TAX_WEIGHTS);
  return {
    ...{ covers, items, serviceCharge, total, seatedMinutesAgo: satMinutesAgo },
    guestName: random.pickElement(GUEST_NAMES),
    tax: tax ?? money(0, currencyCode),
  };
}

/** Puts dishes on a bill; their price and its tax are added to the sums. */
export function addDishes(bill: Bill, dishes: readonly Dish[], orderedAt: Date): Bill {
  const { currencyCode } = bill.total;
  const lines = dishes.map(({ plu, name, category, price }, index) => ({
    id: `${bill.items.length + index + 1}-${plu}`,
    ...{ name, category, quantity: 1, amountPerItem: money(price, currencyCode), modifiers: [] },
    lastOrderedAt: orderedAt,
  }));
  const added = sum(lines.map(computeLinePrice), currencyCode);
  const [tax = money(0, currencyCode)] = allocate(added, TAX_WEIGHTS);
  return { ...bill, items: [...bill.items, ...lines], total: add(bill.total, added), tax: add(bill.tax, tax) };
}

function createOrderLine(lineOptions: {
  dish: Dish;
  number: number;
  orderedAt: Date;
  currencyCode: string;
  random: SeededRandom;
}): BillItem {
  const { dish, number, orderedAt, currencyCode, random } = lineOptions;
  const change = DISH_MODIFIERS.find(({ appliesTo }) => appliesTo === dish.plu);
  const isChanged = change !== undefined && random.nextBoolean(0.5);
  return {
    id: `${number}-${dish.plu}`,
    name: dish.name,
    category: dish.category,
    quantity: 1,
    amountPerItem: money(dish.price, currencyCode),
    modifiers: isChanged
      ? [{ id: change.plu, name: change.name, quantity: 1, amountPerModifier: money(change.price, currencyCode) }]
      : [],
    lastOrderedAt: orderedAt,
  };
}

/** A tenth off, as a line of its own with a negative price. */
function createDiscountLine(foodTotal: Money, orderedAt: Date): BillItem {
  return {
    id: 'happy-hour',
    name: 'Happy hour 10 %',
    category: ['Discounts'],
    quantity: 1,
    amountPerItem: negate(roundToCoin(takePerMille(foodTotal, 100))),
    modifiers: [],
    lastOrderedAt: orderedAt,
  };
}

function takePerMille(amount: Money, share: number): Money {
  return allocate(amount, [share, 1_000 - share])[0] ?? amount;
}

function roundToCoin(amount: Money): Money {
  return money(amount.value - (amount.value % SMALLEST_COIN), amount.currencyCode);
}
