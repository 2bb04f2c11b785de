import type { Money } from '@pos/core/money/money';
import type { EposDataCallName } from '@pos/rest-contracts/epos-data/epos-data';
import type { EposOrder } from '@pos/rest-contracts/epos-data/epos-data-orders';

/** The order that a flow is played on. */
export interface OrderInUse {
  readonly id: string;
  readonly order: EposOrder;
}

/** What the steps of a flow of the EPOS Data API share beside the scene. */
export class OrderScene<Stage> {
  /** The order, as it was last read. */
  current: OrderInUse | null = null;
  /** The lock that payments are recorded under; null: there is none. */
  lockId: string | null = null;
  /** What the EPOS has to show as paid by now. */
  expectedPaid: Money | null = null;
  /** The tips that it has to show. */
  expectedTips: Money | null = null;
  /** What came back last, call by call, as it came. */
  readonly answers = new Map<EposDataCallName, unknown>();
  /** What takes back whatever was made at the EPOS, by its name. */
  readonly made = new Map<string, (stage: Stage) => Promise<void>>();
  /** Locks that we have, or may have, and the orders they are on. */
  readonly locks = new Map<string, string>();
}
