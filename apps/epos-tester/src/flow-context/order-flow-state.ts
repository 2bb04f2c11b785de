import type { Money } from '@pos/core/money';
import type { EposDataCallName, EposOrder } from '@pos/rest-contracts/epos-data';

/** The order of a flow. */
export interface OrderInUse {
  readonly id: string;
  readonly order: EposOrder;
}

/** What the steps of a flow of the EPOS Data API share beside the flow. */
export class OrderFlowState<Stage> {
  /** The order as it was last read. */
  current: OrderInUse | null = null;
  /** The lock for payments; null when there is none. */
  lockId: string | null = null;
  /** What the EPOS must show as paid now. */
  expectedPaid: Money | null = null;
  /** The tips that it must show. */
  expectedTips: Money | null = null;
  /** The last answer of each call, unparsed. */
  readonly answers = new Map<EposDataCallName, unknown>();
  /** Undo functions of everything created at the EPOS, by name. */
  readonly undoActions = new Map<string, (context: Stage) => Promise<void>>();
  /** Locks that we have or may have, with their orders. */
  readonly locks = new Map<string, string>();
}
