import { describeCard, findCardRule, type Card } from './card-rules.js';

/** A request for a payment, in the form of the processor: amounts are decimal text. */
export interface PaymentOrder {
  readonly order_ref: string;
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  /** The money is taken at once. */
  readonly sale: boolean;
  readonly cardholder_present: boolean;
  /** False: where the issuer asks for a challenge the payment is declined. */
  readonly challenge_allowed: boolean;
  readonly card: Card;
}

export type OperationType = 'capture' | 'refund' | 'increment' | 'void' | 'release';

/** What was done to a payment after it was authorised. */
interface Operation {
  readonly op_ref: string;
  readonly type: OperationType;
  readonly amount: string;
  readonly at: string;
}

type PaymentStatus = 'pending' | 'challenge' | 'authorized' | 'declined' | 'voided';

/** A payment as the processor answers it. */
export interface Payment {
  readonly id: string;
  readonly order_ref: string;
  readonly merchant: string;
  readonly amount: string;
  readonly currency: string;
  readonly sale: boolean;
  readonly status: PaymentStatus;
  readonly auth_code: string | null;
  readonly decided_at: string | null;
  readonly card: ReturnType<typeof describeCard>;
  readonly challenge: { readonly url: string; readonly request: string; readonly data: string } | null;
  readonly challenge_passed: boolean;
  readonly operations: readonly Operation[];
}

/** A line of the processor's books. */
export interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly merchant: string;
  readonly order_ref: string;
  /** Null: the authorisation, or the capture of a sale. */
  readonly op_ref: string | null;
  readonly type: 'authorization' | OperationType;
  readonly amount: string;
  readonly currency: string;
}

/** The processor refuses a request: an HTTP status and a code. */
export class ProcessorRefusal extends Error {
  constructor(
    readonly status: 400 | 404 | 409 | 422,
    readonly code: string,
  ) {
    super(code);
  }
}

const DECIMALS = new Map([
  ['GBP', 2],
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
]);
const MERCHANTS = new Set(['M-1001', 'M-1002']);
const ORDER_REF = /^[A-Z0-9]{1,24}$/;
const STEP_UP_URL = 'https://issuer.example/step-up';

/** The books of the processor, in memory. References are unique: a second request with one is refused. */
export class Ledger {
  readonly #payments = new Map<string, Payment>();
  readonly #idsByOrder = new Map<string, string>();
  readonly #entries: Entry[] = [];

  constructor(
    private readonly parts: {
      readonly now: () => Date;
      /** Runs work when the late decision is due. */
      readonly decideLater: (work: () => void) => void;
      /** Receives each payment that was decided later than its request, or by a challenge. */
      readonly onDecided: (payment: Payment) => void;
    },
  ) {}

  /** Creates a payment. 409 when the order is known, 404 when the merchant is not. */
  createPayment(order: PaymentOrder): Payment {
    if (!MERCHANTS.has(order.merchant)) throw new ProcessorRefusal(404, 'unknown_merchant');
    if (!ORDER_REF.test(order.order_ref)) throw new ProcessorRefusal(400, 'order_ref_invalid');
    toUnits(order.amount, order.currency);
    if (this.#idsByOrder.has(order.order_ref)) throw new ProcessorRefusal(409, 'duplicate_order');
    const id = `pay_${String(this.#payments.size + 1).padStart(8, '0')}`;
    const { order_ref, merchant, amount, currency, sale } = order;
    const { cardholder_present: isPresent, challenge_allowed: isChallengeAllowed } = order;
    const rule = findCardRule(order.card, { isPresent, isChallengeAllowed });
    const payment = this.#store({
      ...{ id, order_ref, merchant, amount, currency, sale, status: 'pending', auth_code: null, decided_at: null },
      ...{ card: describeCard(order.card), challenge_passed: false, operations: [] },
      challenge: rule === 'challenge' ? { url: STEP_UP_URL, request: `req-${id}`, data: `md-${id}` } : null,
    });
    this.#idsByOrder.set(order_ref, id);
    if (rule === 'decide-late') {
      this.parts.decideLater(() => {
        const decided = this.#decide(this.get(id), 'authorized');
        this.parts.onDecided(decided);
      });
      return payment;
    }
    if (rule === 'challenge') return this.#store({ ...payment, status: 'challenge' });
    return this.#decide(payment, rule === 'approve' ? 'authorized' : 'declined');
  }

  /** The answer of the payer to a challenge. It is decided once: now, or with `isLate` when the late decision is due. */
  answerChallenge(
    id: string,
    { data, answer, isLate }: { readonly data: string; readonly answer: string; readonly isLate: boolean },
  ): Payment {
    const payment = this.get(id);
    if (payment.challenge === null) throw new ProcessorRefusal(422, 'never_challenged');
    if (payment.challenge.data !== data) throw new ProcessorRefusal(400, 'challenge_data_invalid');
    const hasPassed = answer === 'passed';
    if (!isLate) return this.#completeChallenge(id, hasPassed);
    this.parts.decideLater(() => this.#completeChallenge(id, hasPassed));
    return payment;
  }

  /** Changes a payment. 409 when the operation is known, 422 when the payment does not allow it. */
  operate(
    id: string,
    order: { readonly op_ref: string; readonly type: OperationType; readonly amount: string | null },
  ) {
    const payment = this.get(id);
    const { op_ref, type } = order;
    if (!ORDER_REF.test(op_ref)) throw new ProcessorRefusal(400, 'op_ref_invalid');
    if (this.#entries.some((entry) => entry.op_ref === op_ref)) throw new ProcessorRefusal(409, 'duplicate_operation');
    const totals = computeTotals(payment);
    const units = order.amount === null ? 0 : toUnits(order.amount, payment.currency);
    const isOpenChallenge = payment.status === 'challenge' && type === 'void';
    if (
      !isOpenChallenge &&
      (payment.status !== 'authorized' || !isAllowed(type, { ...totals, units, sale: payment.sale }))
    )
      throw new ProcessorRefusal(422, 'operation_refused');
    const changed = { void: totals.held, release: totals.held - totals.captured };
    const amount = toText(type === 'void' || type === 'release' ? changed[type] : units, payment.currency);
    const operation = { op_ref, type, amount, at: this.parts.now().toISOString() };
    const operated = this.#store({
      ...payment,
      operations: [...payment.operations, operation],
      status: type === 'void' ? 'voided' : payment.status,
    });
    if (!isOpenChallenge) this.#enter(operated, operation);
    return operated;
  }

  get(id: string): Payment {
    const payment = this.#payments.get(id);
    if (payment === undefined) throw new ProcessorRefusal(404, 'unknown_payment');
    return payment;
  }

  findByOrder(orderRef: string): Payment | null {
    const id = this.#idsByOrder.get(orderRef);
    return id === undefined ? null : this.get(id);
  }

  /** Entries of a merchant from a time on and before another, in the order of the books, after a number. */
  list(query: {
    readonly merchant: string;
    readonly from: Date;
    readonly to: Date;
    readonly after: number;
    readonly limit: number;
  }): (Entry & { readonly voided: boolean })[] {
    if (!MERCHANTS.has(query.merchant)) throw new ProcessorRefusal(404, 'unknown_merchant');
    return this.#entries
      .filter(({ merchant, seq, at }) => {
        const time = Date.parse(at);
        const isInRange = time >= query.from.getTime() && time < query.to.getTime();
        return merchant === query.merchant && seq > query.after && isInRange;
      })
      .slice(0, query.limit)
      .map((entry) => ({ ...entry, voided: entry.type !== 'void' && this.#isVoided(entry.order_ref) }));
  }

  #isVoided(orderRef: string): boolean {
    return this.findByOrder(orderRef)?.status === 'voided';
  }

  #completeChallenge(id: string, hasPassed: boolean): Payment {
    const payment = this.get(id);
    if (payment.status !== 'challenge') return payment;
    const decided = this.#decide({ ...payment, challenge_passed: hasPassed }, hasPassed ? 'authorized' : 'declined');
    this.parts.onDecided(decided);
    return decided;
  }

  #decide(payment: Payment, status: 'authorized' | 'declined'): Payment {
    const decidedAt = this.parts.now().toISOString();
    const authCode = status === 'authorized' ? `A${payment.id.slice(-5)}` : null;
    const decided = this.#store({ ...payment, status, auth_code: authCode, decided_at: decidedAt });
    if (status === 'authorized') {
      const entry = { at: decidedAt, op_ref: null, amount: decided.amount };
      this.#enter(decided, { ...entry, type: 'authorization' });
      if (decided.sale) this.#enter(decided, { ...entry, type: 'capture' });
    }
    return decided;
  }

  /** The lines of one decision have one time: a sale is authorised and captured at once. */
  #enter(
    { merchant, order_ref, currency }: Payment,
    { at, op_ref, type, amount }: Pick<Entry, 'at' | 'op_ref' | 'type' | 'amount'>,
  ): void {
    this.#entries.push({ seq: this.#entries.length + 1, at, merchant, order_ref, currency, op_ref, type, amount });
  }

  #store(payment: Payment): Payment {
    this.#payments.set(payment.id, payment);
    return payment;
  }
}

interface Totals {
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
  readonly isReleased: boolean;
}

function computeTotals({ amount, currency, sale, operations }: Payment): Totals {
  const sum = (type: OperationType): number =>
    operations
      .filter((operation) => operation.type === type)
      .reduce((total, operation) => total + toUnits(operation.amount, currency), 0);
  const authorised = toUnits(amount, currency);
  return {
    held: authorised + sum('increment'),
    captured: sale ? authorised : sum('capture'),
    refunded: sum('refund'),
    isReleased: operations.some(({ type }) => type === 'release'),
  };
}

function isAllowed(
  type: OperationType,
  { held, captured, refunded, isReleased, units, sale }: Totals & { readonly units: number; readonly sale: boolean },
): boolean {
  switch (type) {
    case 'capture':
      return units > 0 && !isReleased && captured + units <= held;
    case 'refund':
      return units > 0 && refunded + units <= captured;
    case 'increment':
      return units > 0 && !isReleased && captured === 0;
    case 'release':
      return !isReleased;
    case 'void':
      return refunded === 0 && (sale || captured === 0);
  }
}

/** `12.50` GBP to 1250. Throws for a text that is no amount of the currency. */
function toUnits(text: string, currency: string): number {
  const decimals = DECIMALS.get(currency);
  if (decimals === undefined) throw new ProcessorRefusal(400, 'currency_unknown');
  const pattern = decimals === 0 ? /^\d{1,12}$/ : new RegExp(`^\\d{1,12}\\.\\d{${decimals}}$`);
  if (!pattern.test(text)) throw new ProcessorRefusal(400, 'amount_invalid');
  return Number(text.replace('.', ''));
}

function toText(units: number, currency: string): string {
  const decimals = DECIMALS.get(currency) ?? 0;
  if (decimals === 0) return String(units);
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
