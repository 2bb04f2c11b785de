import type { OverviewAnswer } from '../../client/answers.js';

type Day = OverviewAnswer['days'][number];

/** The sums of all days: one of each currency, because amounts of two currencies have no sum. */
export function sumByCurrency(days: readonly Day[]): Omit<Day, 'day'>[] {
  const sums = new Map<string, Omit<Day, 'day'>>();
  for (const { amount, payments } of days) {
    const sum = sums.get(amount.currencyCode);
    const value = amount.value + (sum?.amount.value ?? 0);
    sums.set(amount.currencyCode, { amount: { ...amount, value }, payments: payments + (sum?.payments ?? 0) });
  }
  return [...sums.values()];
}
