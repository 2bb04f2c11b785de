import type { Bill } from '@pos/core/bill';
import type { EposErrorCode } from '@pos/core/epos-error';
import { add, isZero, money, type Money } from '@pos/core/money';
import type { WorldClock } from './clock.js';
import { EposRefusal, type ReferenceEpos, type Requestor } from './epos.js';
import { EposFaults, type EposMethod, type EposTrouble } from './epos-faults.js';

export type EposTransport = 'grpc' | 'grpc-stream';

/** What is known of a call when it arrives. */
export interface EposArrival {
  readonly method: EposMethod;
  readonly transport: EposTransport;
  readonly requestor: Requestor;
  readonly sessionId: string | null;
  readonly paymentId: string | null;
}

/** How a call was answered: `silence` and `broken` are no answers. */
export type EposServed<T> =
  | { readonly kind: 'answer'; readonly answer: T; readonly isDoubled: boolean }
  | { readonly kind: 'refusal'; readonly code: EposErrorCode; readonly reason: string; readonly isDoubled: boolean }
  | { readonly kind: 'silence' }
  | { readonly kind: 'broken' };

/** A line of the list of calls. */
export interface SeenCall extends EposArrival {
  readonly number: number;
  readonly arrivedAt: Date;
  readonly wasDone: boolean;
  /** `ok`, an error code, `silence` or `broken`. */
  readonly answered: string;
}

/** Changes a bill on its way out, when a fault says so. */
export type BillDistortion = (bill: Bill) => Bill;

const CALLS_KEPT_MAX = 10_000;

/** The way into the reference EPOS, over whatever transport: here its faults act, and every call is written down. */
export class EposDoor {
  readonly epos: ReferenceEpos;
  readonly faults = new EposFaults();
  readonly #clock: WorldClock;
  #calls: SeenCall[] = [];
  #seen = 0;

  constructor(parts: { readonly epos: ReferenceEpos; readonly clock: WorldClock }) {
    this.epos = parts.epos;
    this.#clock = parts.clock;
  }

  /** Serves one call: `work` does it and gives the answer, with bills passed through the distortion. */
  async serve<T>(arrival: EposArrival, work: (distort: BillDistortion) => T): Promise<EposServed<T>> {
    const trouble = this.faults.take(arrival.method);
    if (trouble.areLocksForgotten) this.epos.forgetLocks();
    const arrivedAt = this.#clock.stamp();
    const served = this.#work(arrival, trouble, work);
    this.#write({ ...arrival, arrivedAt, wasDone: trouble.isDone, answered: answeredAs(served) });
    if (trouble.delayMs > 0) await this.#wait(trouble.delayMs);
    return served;
  }

  calls(): readonly SeenCall[] {
    return this.#calls;
  }

  reset(): void {
    this.epos.reset();
    this.faults.replace([]);
    this.#calls = [];
  }

  #work<T>(arrival: EposArrival, trouble: EposTrouble, work: (distort: BillDistortion) => T): EposServed<T> {
    const { isDoubled } = trouble;
    const done = trouble.isDone ? this.#do(arrival, isDoubled, () => work(distortionOf(trouble))) : null;
    if (trouble.isSilent) return { kind: 'silence' };
    if (trouble.isStreamDropped) return { kind: 'broken' };
    if (trouble.refusal !== null) {
      return { kind: 'refusal', code: trouble.refusal, reason: 'Ordered by the control API', isDoubled };
    }
    return done ?? { kind: 'silence' };
  }

  #do<T>(arrival: EposArrival, isDoubled: boolean, work: () => T): EposServed<T> {
    try {
      this.epos.admit(arrival.requestor);
      return { kind: 'answer', answer: work(), isDoubled };
    } catch (error) {
      if (!(error instanceof EposRefusal)) throw error;
      return { kind: 'refusal', code: error.code, reason: error.reason, isDoubled };
    }
  }

  #write(call: Omit<SeenCall, 'number'>): void {
    this.#seen += 1;
    this.#calls.push({ ...call, number: this.#seen });
    if (this.#calls.length > CALLS_KEPT_MAX) this.#calls = this.#calls.slice(-CALLS_KEPT_MAX / 2);
  }

  #wait(realMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.afterReal(realMs, resolve);
    });
  }
}

function answeredAs(served: EposServed<unknown>): string {
  if (served.kind === 'answer') return 'ok';
  return served.kind === 'refusal' ? served.code : served.kind;
}

const OTHER_CURRENCIES: Readonly<Record<string, string>> = { GBP: 'EUR' };

function distortionOf({ hasWrongTotals, hasWrongCurrency }: EposTrouble): BillDistortion {
  return (bill) => {
    const totals = hasWrongTotals ? { ...bill, paid: add(bill.total, oneOf(bill.total)) } : bill;
    return hasWrongCurrency ? inCurrency(totals, OTHER_CURRENCIES[bill.total.currencyCode] ?? 'GBP') : totals;
  };
}

/** More paid than owed: a figure that no bill can have. */
function oneOf(total: Money): Money {
  return isZero(total) ? money(1, total.currencyCode) : total;
}

function inCurrency(bill: Bill, currencyCode: string): Bill {
  const as = ({ value }: Money): Money => money(value, currencyCode);
  return {
    ...bill,
    total: as(bill.total),
    paid: as(bill.paid),
    tax: as(bill.tax),
    serviceCharge: bill.serviceCharge === null ? null : as(bill.serviceCharge),
    items: bill.items.map((item) => ({
      ...item,
      amountPerItem: as(item.amountPerItem),
      modifiers: item.modifiers.map((each) => ({ ...each, amountPerModifier: as(each.amountPerModifier) })),
    })),
  };
}
