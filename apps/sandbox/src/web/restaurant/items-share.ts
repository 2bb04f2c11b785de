import type { BillView } from '@pos/rest-contracts/sandbox';

/**
 * About what these items cost with their part of discounts and service charge, for display. The service computes the
 * exact share.
 */
export function computeItemsShare(bill: BillView, itemIds: readonly string[]): number {
  const priced = bill.items.filter(({ amount }) => amount > 0);
  const sum = priced.reduce((total, { amount }) => total + amount, 0);
  const chosen = priced.filter(({ id }) => itemIds.includes(id)).reduce((total, { amount }) => total + amount, 0);
  return sum === 0 ? 0 : Math.min(bill.outstanding, Math.round((chosen * bill.total) / sum));
}
