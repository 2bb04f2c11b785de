import type { Money } from '../money/money.js';

/** From which amount on a second person must approve what a user of the portal gives back. */
export interface FourEyesSettings {
  /**
   * By currency, in minor units as text: money above it needs a second person; `0` means all. Without any currency
   * nothing does. If one is set, all money in the other currencies does.
   */
  readonly giveBacksAbove: Readonly<Record<string, string>>;
  /** How long a request waits. */
  readonly hours: number;
}

/** What is given back, and what the payment has given back before. */
export interface MeasuredGiveBack {
  readonly amount: Money;
  /** Minor units that were given back, or are being given back, of the same payment. Many small refunds count as one. */
  readonly returned: number;
}

/** Whether a second person must approve it. Null: the amount is not known, so any limit counts. */
export function needsSecondPerson(
  { giveBacksAbove: limits }: Pick<FourEyesSettings, 'giveBacksAbove'>,
  measured: MeasuredGiveBack | null,
): boolean {
  if (Object.keys(limits).length === 0) return false;
  if (measured === null) return true;
  const { amount, returned } = measured;
  const limit = Object.hasOwn(limits, amount.currencyCode) ? Number(limits[amount.currencyCode]) : 0;
  return !(limit > 0 && amount.value + returned <= limit);
}
