import { type Bill, EPOS_ERRORS, type EposErrorCode } from '@pos/core/tables';
import { add, isZero, money, type Money } from '@pos/core/money';
import type { SimulationClock } from '../clock/simulation-clock.js';
import { EposRefusal, type ReferenceEpos } from '../epos/reference-epos.js';
import type { LockRequestor } from '../epos/epos-locks.js';
import type { EposDataApi } from '../epos-data/epos-data-api.js';
import { EposDataRefusal, type EposErrorType } from '../epos-data/epos-data-refusal.js';
import type { EposMethod } from '@pos/rest-contracts/sandbox';
import { EposFaultSet, type FaultTransport, type CombinedFaults, type AnswerDistortion } from './epos-faults.js';
import type { EposStateFile } from './epos-state-file.js';

/** What is known about a call when it arrives. */
export interface EposCallDetails {
  readonly method: EposMethod;
  readonly transport: FaultTransport;
  readonly requestor: LockRequestor;
  readonly sessionId: string | null;
  readonly paymentId: string | null;
}

/**
 * The result of a call. With `silence` and `broken` no answer is sent. The transport applies `spoiling` to what it
 * writes.
 */
export type EposCallResult<T, Code = EposErrorCode> =
  | { readonly kind: 'answer'; readonly answer: T; readonly isDoubled: boolean; readonly spoiling: AnswerDistortion }
  | {
      readonly kind: 'refusal';
      readonly code: Code;
      readonly reason: string;
      readonly isDoubled: boolean;
      readonly spoiling: AnswerDistortion;
    }
  | { readonly kind: 'silence' }
  | { readonly kind: 'broken'; readonly isStorm: boolean };

/** A recorded call. */
export interface RecordedEposCall extends EposCallDetails {
  readonly number: number;
  readonly arrivedAt: Date;
  readonly wasDone: boolean;
  /** `ok`, an error code, `silence` or `broken`. */
  readonly answered: string;
}

/** Changes a bill before it is sent, when a fault demands it. */
export type BillDistortion = (bill: Bill) => Bill;

const RECORDED_CALLS_MAX = 10_000;

/** How one contract refuses, and which code it uses for a refusal that it cannot express. */
interface RefusalMapper<Code extends string> {
  readonly findRefusal: (error: unknown) => { readonly code: Code; readonly reason: string } | null;
  readonly toCode: (requestedCode: EposErrorCode | EposErrorType) => Code;
}

/** Entry point of the reference EPOS for every transport. It applies the faults and records each call. */
export class EposSimulator {
  readonly epos: ReferenceEpos;
  readonly data: EposDataApi;
  readonly faults = new EposFaultSet();
  /** Called for every socket that is dialled. Locks outlive a connection, so the reference EPOS does nothing. */
  onSocketDialled: () => void = () => undefined;
  /** The HTTP status by which a proxy answers a call over REST instead of the EPOS; null: the call is passed on. */
  findProxyStatus: (method: EposMethod) => number | null = () => null;
  readonly #clock: SimulationClock;
  readonly #stateFile: EposStateFile | null;
  readonly #listeners = new Set<() => void>();
  #calls: RecordedEposCall[] = [];
  #lastNumber = 0;

  /** With a state file it continues from the stored state; throws when the file cannot be read. */
  constructor(parts: {
    readonly epos: ReferenceEpos;
    readonly data: EposDataApi;
    readonly clock: SimulationClock;
    readonly file: EposStateFile | null;
  }) {
    this.epos = parts.epos;
    this.data = parts.data;
    this.#clock = parts.clock;
    this.#stateFile = parts.file;
    this.#stateFile?.readState((state) => {
      this.epos.restore(state.epos);
      this.data.restore(state.data);
    });
  }

  /** Serves one call of the pay-at-table contract: `work` runs it and passes bills through the distortion. */
  serveTables<T>(arrival: EposCallDetails, work: (distort: BillDistortion) => T): Promise<EposCallResult<T>> {
    return this.#serve(arrival, TABLES_REFUSALS, (faultEffects) => {
      this.epos.requireKnownWaiter(arrival.requestor);
      return work(createBillDistortion(faultEffects));
    });
  }

  /** Serves one call of the EPOS Data API. */
  serveData(arrival: EposCallDetails, work: () => unknown): Promise<EposCallResult<unknown, EposErrorType>> {
    return this.#serve(arrival, DATA_REFUSALS, work);
  }

  /** Everything that an EPOS needs after a power cut. Faults and the list of calls belong to the simulation. */
  state() {
    return { epos: this.epos.getState(), data: this.data.getState() };
  }

  /** Writes the state to the file before it returns. For changes that the control API makes. */
  saveState(): void {
    this.#stateFile?.writeState(this.state());
    this.publishChange();
  }

  /** Calls the listener after every change of the restaurant. Returns how to stop that. */
  addListener(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publishChange(): void {
    for (const listener of this.#listeners) listener();
  }

  listCalls(): readonly RecordedEposCall[] {
    return this.#calls;
  }

  reset(): void {
    this.epos.reset();
    this.data.reset();
    this.faults.replaceFaults([]);
    this.#calls = [];
    this.saveState();
  }

  async #serve<T, Code extends string>(
    arrival: EposCallDetails,
    refusalMapper: RefusalMapper<Code>,
    work: (faultEffects: CombinedFaults) => T,
  ): Promise<EposCallResult<T, Code>> {
    const faultEffects = this.faults.applyFaults(arrival);
    const { locks } = this.epos;
    if (faultEffects.areLocksForgotten) this.epos.clearLocks();
    const arrivedAt = this.#clock.getTimestamp();
    locks.isClockWrong = faultEffects.hasWrongClock;
    const callResult = createCallResult(faultEffects, refusalMapper, work);
    locks.isClockWrong = false;
    this.saveState();
    this.#recordCall({ ...arrival, arrivedAt, wasDone: faultEffects.isExecuted, answered: describeResult(callResult) });
    if (faultEffects.delayMs > 0) await this.#waitRealTime(faultEffects.delayMs);
    return callResult;
  }

  #recordCall(call: Omit<RecordedEposCall, 'number'>): void {
    this.#lastNumber += 1;
    this.#calls.push({ ...call, number: this.#lastNumber });
    if (this.#calls.length > RECORDED_CALLS_MAX) this.#calls = this.#calls.slice(-RECORDED_CALLS_MAX / 2);
    this.publishChange();
  }

  #waitRealTime(realMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.scheduleRealTime(realMs, resolve);
    });
  }
}

const TABLES_REFUSALS: RefusalMapper<EposErrorCode> = {
  findRefusal: (error) => (error instanceof EposRefusal ? error : null),
  toCode: (requestedCode) => (isTablesCode(requestedCode) ? requestedCode : 'ERROR_INTERNAL_POS_ERROR'),
};
const DATA_REFUSALS: RefusalMapper<EposErrorType> = {
  findRefusal: (error) =>
    error instanceof EposDataRefusal ? { code: error.errorType, reason: error.debugMessage } : null,
  toCode: (requestedCode) => (isTablesCode(requestedCode) ? 'UnexpectedError' : requestedCode),
};

function isTablesCode(code: EposErrorCode | EposErrorType): code is EposErrorCode {
  return Object.hasOwn(EPOS_ERRORS, code);
}

function createCallResult<T, Code extends string>(
  faultEffects: CombinedFaults,
  { findRefusal, toCode }: RefusalMapper<Code>,
  work: (faultEffects: CombinedFaults) => T,
): EposCallResult<T, Code> {
  const resultOptions = { isDoubled: faultEffects.isRepeated, spoiling: faultEffects };
  const done = (): EposCallResult<T, Code> => {
    try {
      return { kind: 'answer', answer: work(faultEffects), ...resultOptions };
    } catch (error) {
      const refusal = findRefusal(error);
      if (refusal === null) throw error;
      return { kind: 'refusal', code: refusal.code, reason: refusal.reason, ...resultOptions };
    }
  };
  const callResult = faultEffects.isExecuted ? done() : null;
  if (faultEffects.isSilent) return { kind: 'silence' };
  if (faultEffects.isStreamDropped) return { kind: 'broken', isStorm: faultEffects.isReconnectStorm };
  if (faultEffects.refusal !== null) {
    return {
      kind: 'refusal',
      code: toCode(faultEffects.refusal),
      reason: 'Ordered by the control API',
      ...resultOptions,
    };
  }
  return callResult ?? { kind: 'silence' };
}

function describeResult(callResult: EposCallResult<unknown, string>): string {
  if (callResult.kind === 'answer') return 'ok';
  return callResult.kind === 'refusal' ? callResult.code : callResult.kind;
}

const OTHER_CURRENCIES: Readonly<Record<string, string>> = { GBP: 'EUR' };

function createBillDistortion({ hasWrongTotals, hasWrongCurrency }: CombinedFaults): BillDistortion {
  return (bill) => {
    const totals = hasWrongTotals ? { ...bill, paid: add(bill.total, toNonZero(bill.total)) } : bill;
    return hasWrongCurrency ? convertCurrency(totals, OTHER_CURRENCIES[bill.total.currencyCode] ?? 'GBP') : totals;
  };
}

/** More paid than owed, which no valid bill can have. */
function toNonZero(total: Money): Money {
  return isZero(total) ? money(1, total.currencyCode) : total;
}

function convertCurrency(bill: Bill, currencyCode: string): Bill {
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
