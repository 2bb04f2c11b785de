import type { Bill } from '@pos/core/bill';
import { EPOS_ERRORS, type EposErrorCode } from '@pos/core/epos-error';
import { add, isZero, money, type Money } from '@pos/core/money';
import type { WorldClock } from './clock.js';
import { EposRefusal, type ReferenceEpos } from './epos.js';
import type { Requestor } from './epos-locks.js';
import type { EposData } from './epos-data.js';
import { EposDataRefusal, type EposErrorType } from './epos-data-refusal.js';
import type { EposMethod } from '@pos/rest-contracts/sandbox-epos';
import { EposFaults, type EposTransport, type EposTrouble, type Spoiling } from './epos-faults.js';
import type { EposStateFile } from './epos-state-file.js';

/** What is known of a call when it arrives. */
export interface EposArrival {
  readonly method: EposMethod;
  readonly transport: EposTransport;
  readonly requestor: Requestor;
  readonly sessionId: string | null;
  readonly paymentId: string | null;
}

/** How a call was answered: `silence` and `broken` are no answers. The transport spoils what it writes. */
export type EposServed<T, Code = EposErrorCode> =
  | { readonly kind: 'answer'; readonly answer: T; readonly isDoubled: boolean; readonly spoiling: Spoiling }
  | {
      readonly kind: 'refusal';
      readonly code: Code;
      readonly reason: string;
      readonly isDoubled: boolean;
      readonly spoiling: Spoiling;
    }
  | { readonly kind: 'silence' }
  | { readonly kind: 'broken'; readonly isStorm: boolean };

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

/** One contract: how its work says no, and what it says of a refusal that it has no word for. */
interface Tongue<Code extends string> {
  readonly refusalOf: (error: unknown) => { readonly code: Code; readonly reason: string } | null;
  readonly codeOf: (ordered: EposErrorCode | EposErrorType) => Code;
}

/** The way into the reference EPOS, over whatever transport: here its faults act, and every call is written down. */
export class EposDoor {
  readonly epos: ReferenceEpos;
  readonly data: EposData;
  readonly faults = new EposFaults();
  /** Told of every socket that is dialled. Locks outlive a connection, so the reference EPOS has nothing to do then. */
  socketDialled: () => void = () => undefined;
  /** The HTTP status by which a proxy answers a call over REST instead of the EPOS; null: the call is passed on. */
  proxyStatusOf: (method: EposMethod) => number | null = () => null;
  readonly #clock: WorldClock;
  readonly #file: EposStateFile | null;
  #calls: SeenCall[] = [];
  #seen = 0;

  /** With a file it goes on where the file ends; throws when that cannot be read. */
  constructor(parts: {
    readonly epos: ReferenceEpos;
    readonly data: EposData;
    readonly clock: WorldClock;
    readonly file: EposStateFile | null;
  }) {
    this.epos = parts.epos;
    this.data = parts.data;
    this.#clock = parts.clock;
    this.#file = parts.file;
    this.#file?.read((state) => {
      this.epos.restore(state.epos);
      this.data.restore(state.data);
    });
  }

  /** Serves one call of the pay-at-table contract: `work` does it, with bills passed through the distortion. */
  serve<T>(arrival: EposArrival, work: (distort: BillDistortion) => T): Promise<EposServed<T>> {
    return this.#serve(arrival, TABLES_TONGUE, (trouble) => {
      this.epos.admit(arrival.requestor);
      return work(distortionOf(trouble));
    });
  }

  /** Serves one call of the EPOS Data API. */
  serveData(arrival: EposArrival, work: () => unknown): Promise<EposServed<unknown, EposErrorType>> {
    return this.#serve(arrival, DATA_TONGUE, work);
  }

  /** Everything an EPOS has to know after a power cut. Faults and the list of calls are the simulation's. */
  state() {
    return { epos: this.epos.state(), data: this.data.state() };
  }

  /** Has the state in the file before it returns; for whoever changes it from behind the counter. */
  keep(): void {
    this.#file?.write(this.state());
  }

  calls(): readonly SeenCall[] {
    return this.#calls;
  }

  reset(): void {
    this.epos.reset();
    this.data.reset();
    this.faults.replace([]);
    this.#calls = [];
    this.keep();
  }

  async #serve<T, Code extends string>(
    arrival: EposArrival,
    tongue: Tongue<Code>,
    work: (trouble: EposTrouble) => T,
  ): Promise<EposServed<T, Code>> {
    const trouble = this.faults.take(arrival);
    const { held } = this.epos;
    if (trouble.areLocksForgotten) this.epos.forgetLocks();
    const arrivedAt = this.#clock.stamp();
    held.isClockWrong = trouble.hasWrongClock;
    const served = answered(trouble, tongue, work);
    held.isClockWrong = false;
    this.keep();
    this.#write({ ...arrival, arrivedAt, wasDone: trouble.isDone, answered: answeredAs(served) });
    if (trouble.delayMs > 0) await this.#wait(trouble.delayMs);
    return served;
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

const TABLES_TONGUE: Tongue<EposErrorCode> = {
  refusalOf: (error) => (error instanceof EposRefusal ? error : null),
  codeOf: (ordered) => (isTablesCode(ordered) ? ordered : 'ERROR_INTERNAL_POS_ERROR'),
};
const DATA_TONGUE: Tongue<EposErrorType> = {
  refusalOf: (error) =>
    error instanceof EposDataRefusal ? { code: error.errorType, reason: error.debugMessage } : null,
  codeOf: (ordered) => (isTablesCode(ordered) ? 'UnexpectedError' : ordered),
};

function isTablesCode(code: EposErrorCode | EposErrorType): code is EposErrorCode {
  return Object.hasOwn(EPOS_ERRORS, code);
}

function answered<T, Code extends string>(
  trouble: EposTrouble,
  { refusalOf, codeOf }: Tongue<Code>,
  work: (trouble: EposTrouble) => T,
): EposServed<T, Code> {
  const how = { isDoubled: trouble.isDoubled, spoiling: trouble };
  const done = (): EposServed<T, Code> => {
    try {
      return { kind: 'answer', answer: work(trouble), ...how };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      return { kind: 'refusal', code: refusal.code, reason: refusal.reason, ...how };
    }
  };
  const served = trouble.isDone ? done() : null;
  if (trouble.isSilent) return { kind: 'silence' };
  if (trouble.isStreamDropped) return { kind: 'broken', isStorm: trouble.isStorm };
  if (trouble.refusal !== null) {
    return { kind: 'refusal', code: codeOf(trouble.refusal), reason: 'Ordered by the control API', ...how };
  }
  return served ?? { kind: 'silence' };
}

function answeredAs(served: EposServed<unknown, string>): string {
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
