import { type Bill, computeLinePrice, computeOutstanding } from '../tables/bill.js';
import { exceeds, isPositive, money, shareEqually, subtract, takeFraction, type Money } from '../money/money.js';
import { createViolation, Refusal } from '../refusals/refusal.js';

/** How the next payer wants to pay. Money amounts never contain the tip. */
export type PartRequest =
  | { readonly mode: 'FULL' }
  | { readonly mode: 'EQUAL'; readonly people: number }
  | { readonly mode: 'CUSTOM'; readonly amount: Money }
  | { readonly mode: 'ITEMS'; readonly shares: readonly ItemShare[] };

/** A share of one line of the bill: 1/1 is the whole line, 1/3 a third of it. */
export interface ItemShare {
  readonly itemId: string;
  readonly numerator: number;
  readonly denominator: number;
  /** The price of the whole line when the share was agreed on, in minor units; absent in a request. */
  readonly linePrice?: number;
}

/** What the parts already paid have agreed on. Parts that were declined never enter it. */
export interface SplitPlan {
  readonly equal: { readonly people: number; readonly partsPaid: number } | null;
  readonly shares: readonly ItemShare[];
}

export const EMPTY_PLAN: SplitPlan = { equal: null, shares: [] };
export const PEOPLE_MAX = 100;
/** The most shares of one line. */
const SHARE_DENOMINATOR_MAX = 32;
const SHARES_MAX = 1_000;

/**
 * What the next part costs on a bill that was just read. The parts always add up to the bill: the last part takes
 * the rest. Never more than is outstanding.
 * Refuses: `bill_paid`, `part_invalid`, `part_exceeds_outstanding`, `item_not_on_bill`, `item_share_taken`.
 */
export function computePartAmount(bill: Bill, plan: SplitPlan, request: PartRequest): Money {
  const rest = computeOutstanding(bill);
  if (!isPositive(rest)) throw new Refusal('bill_paid', 'nothing is outstanding on this bill');
  const amount = computePartPrice(bill, plan, request);
  if (!isPositive(amount)) throw new Refusal('part_invalid', 'the part comes to nothing');
  if (exceeds(amount, rest)) {
    throw new Refusal('part_exceeds_outstanding', `${subtract(amount, rest).value} more than is outstanding`, {
      data: { outstanding: rest.value },
    });
  }
  return amount;
}

/** The plan once the part is paid for. */
export function computePlanAfterPart(plan: SplitPlan, request: PartRequest): SplitPlan {
  switch (request.mode) {
    case 'FULL':
    case 'CUSTOM':
      return plan;
    case 'EQUAL': {
      const { people, partsPaid } = findEqualSplit(plan, request.people);
      return { ...plan, equal: { people, partsPaid: partsPaid + 1 } };
    }
    case 'ITEMS':
      return { ...plan, shares: sumShares([...plan.shares, ...request.shares]) };
  }
}

function computePartPrice(bill: Bill, plan: SplitPlan, request: PartRequest): Money {
  switch (request.mode) {
    case 'FULL':
      return computeOutstanding(bill);
    case 'CUSTOM':
      if (request.amount.currencyCode !== bill.total.currencyCode) {
        throw new Refusal('part_invalid', `the bill is in ${bill.total.currencyCode}`);
      }
      return request.amount;
    case 'EQUAL': {
      const { people, partsPaid } = findEqualSplit(plan, request.people);
      return shareEqually({ outstanding: computeOutstanding(bill), partsLeft: people - partsPaid });
    }
    case 'ITEMS':
      return computeItemsAmount(bill, plan, request.shares);
  }
}

/** Another number of people, or a bill that grew after the last part, starts a new split of what is outstanding now. */
function findEqualSplit(plan: SplitPlan, people: number): { people: number; partsPaid: number } {
  if (!Number.isSafeInteger(people) || people < 1 || people > PEOPLE_MAX) {
    throw new Refusal('part_invalid', `people: 1 to ${PEOPLE_MAX}`);
  }
  const { equal } = plan;
  return equal?.people === people && equal.partsPaid < people ? equal : { people, partsPaid: 0 };
}

/**
 * What the shares cost. The whole total, with discounts, taxes and service charge, is spread over the lines in
 * proportion to their prices, and each part begins where the one before it ended. So each share is exact to a penny,
 * and nothing is left over.
 */
function computeItemsAmount(bill: Bill, plan: SplitPlan, shares: readonly ItemShare[]): Money {
  if (shares.length === 0 || shares.length + sumShares(plan.shares).length > SHARES_MAX) {
    throw createViolation('part_invalid', 'items', `1 to ${SHARES_MAX} shares of a bill can be paid`);
  }
  const lines = listBillLines(bill, plan);
  const before = weighShares(lines);
  for (const [index, share] of shares.entries()) {
    const member = `items[${index}]`;
    const line = lines.get(share.itemId);
    if (line === undefined)
      throw createViolation('item_not_on_bill', `${member}.item_id`, `${share.itemId} is not on the bill`);
    if (!isShare(share))
      throw createViolation('part_invalid', member, `no share of 1/1 to 1/${SHARE_DENOMINATOR_MAX} pieces`);
    if (line.whole < 0n)
      throw createViolation('item_not_on_bill', `${member}.item_id`, 'a discount is spread over what was had');
    line.taken += computeWeight(share, line.price);
    if (line.taken > line.whole) {
      throw createViolation('item_share_taken', member, `so much of ${share.itemId} is not left to be paid`);
    }
  }
  const after = weighShares(lines);
  if (after.whole === 0n) return money(0, bill.total.currencyCode);
  if (after.part === after.whole) return computeOutstanding(bill);
  return subtract(takeFraction(bill.total, after), takeFraction(bill.total, before));
}

/** The paid fraction of each line. Unpaid lines are left out. */
export function listPaidShares(bill: Bill, plan: SplitPlan): ItemShare[] {
  return [...listBillLines(bill, plan)].flatMap(([itemId, { whole, taken }]) => {
    if (whole <= 0n || taken === 0n) return [];
    const numerator = taken >= whole ? PIECES : (taken * PIECES) / whole;
    return [{ itemId, ...toFraction(numerator) }];
  });
}

/** Sums the shares of each line at each price it had. A plan grows only with the number of dishes, not of payers. */
function sumShares(shares: readonly ItemShare[]): ItemShare[] {
  const lines = new Map<string, { readonly share: ItemShare; pieces: bigint }>();
  for (const share of shares) {
    const key = JSON.stringify([share.itemId, share.linePrice]);
    const pieces = (BigInt(share.numerator) * PIECES) / BigInt(share.denominator);
    const line = lines.get(key);
    if (line === undefined) lines.set(key, { share, pieces });
    else line.pieces += pieces;
  }
  return [...lines.values()].map(({ share, pieces }) => ({ ...share, ...toFraction(pieces) }));
}

/** The request as it is stored: with the price of its lines when the share was agreed on. */
export function parsePartRequest(bill: Bill, request: PartRequest): PartRequest {
  if (request.mode !== 'ITEMS') return request;
  const prices = new Map(bill.items.map((item) => [item.id, computeLinePrice(item).value]));
  return {
    ...request,
    shares: request.shares.map((share) => ({ ...share, linePrice: prices.get(share.itemId) ?? 0 })),
  };
}

/** The member of the second request that contains a line of the first, or null. */
export function findOverlappingItem(first: PartRequest, second: PartRequest): string | null {
  if (first.mode !== 'ITEMS' || second.mode !== 'ITEMS') return null;
  const wanted = new Set(first.shares.map(({ itemId }) => itemId));
  const index = second.shares.findIndex(({ itemId }) => wanted.has(itemId));
  return index === -1 ? null : `items[${index}]`;
}

/** A line of the bill, in pieces of its price; every share is a whole number of pieces. */
interface BillLine {
  readonly price: number;
  readonly whole: bigint;
  taken: bigint;
}

/** The least common multiple of 1 to 32: a share of any denominator is a whole number of these pieces. */
const PIECES = 144_403_552_893_600n;

function listBillLines(bill: Bill, plan: SplitPlan): Map<string, BillLine> {
  const lines = new Map(
    bill.items.map((item): [string, BillLine] => {
      const { value: price } = computeLinePrice(item);
      return [item.id, { price, whole: BigInt(price) * PIECES, taken: 0n }];
    }),
  );
  for (const share of plan.shares) {
    const line = lines.get(share.itemId);
    // A payment for two beers does not pay three beers in full.
    if (line !== undefined) line.taken += computeWeight(share, share.linePrice ?? line.price);
  }
  return lines;
}

function computeWeight({ numerator, denominator }: ItemShare, price: number): bigint {
  return (BigInt(price) * BigInt(numerator) * PIECES) / BigInt(denominator);
}

/** The paid part of all shares. A line that has become cheaper counts as paid, not as more than paid. */
function weighShares(lines: ReadonlyMap<string, BillLine>): { readonly part: bigint; readonly whole: bigint } {
  let [part, all] = [0n, 0n];
  for (const { whole, taken } of lines.values()) {
    if (whole <= 0n) continue;
    all += whole;
    part += taken < whole ? taken : whole;
  }
  return { part, whole: all };
}

function isShare({ numerator, denominator }: ItemShare): boolean {
  const areWhole = Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator);
  return areWhole && denominator <= SHARE_DENOMINATOR_MAX && numerator >= 1 && numerator <= denominator;
}

function toFraction(pieces: bigint): Pick<ItemShare, 'numerator' | 'denominator'> {
  const divisor = computeGreatestDivisor(pieces, PIECES);
  return { numerator: Number(pieces / divisor), denominator: Number(PIECES / divisor) };
}

function computeGreatestDivisor(first: bigint, second: bigint): bigint {
  return second === 0n ? first : computeGreatestDivisor(second, first % second);
}
