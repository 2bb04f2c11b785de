import type { FlowNotice, FlowOffer, FlowState } from './flow-state.js';
import { type FlowSubject, openPayment } from './flow-opening.js';
import { type AttemptOutcome, type Challenge, CHALLENGE_CLOSED } from './payment-result.js';
import { type PaymentService, waitMs } from './payment-service.js';
import { RESULT_CODES, type ResultCode, toResultCode } from './result-codes.js';
import type { WalletPayment } from './wallets.js';

/** What the platform does for a flow. */
export interface FlowPlatform {
  /** Displays the page of the issuer: its answer, or null if the payer closes it. */
  readonly showChallenge: (challenge: Challenge, intent: FlowOffer['intent']) => Promise<string | null>;
}

/** Submits the card fields, once, with a fresh secret of the payment. */
export type SubmitFields = (attempt: {
  readonly secret: string;
  readonly customerSecret: string | null;
}) => Promise<AttemptOutcome>;

const POLL_MS = 3_000;
const NOTICES: Readonly<Partial<Record<number, FlowNotice>>> = { 4: 'referred', 5: 'declined', 30: 'failed' };

/**
 * One payer's way through a payment: opening, attempts, challenge, and a numeric result. It has no screen and no DOM; a
 * screen displays `state` and calls `pay` and `close`. The card is only in the fields that `SubmitFields` submits.
 */
export class PaymentFlow {
  /** Resolves once, with the code of the whole flow. Never rejects. */
  readonly result: Promise<ResultCode>;
  #end: (code: ResultCode) => void = () => undefined;
  #state: FlowState = { kind: 'opening' };
  readonly #listeners = new Set<(state: FlowState) => void>();

  constructor(
    private readonly service: PaymentService,
    private readonly subject: FlowSubject,
    private readonly platform: FlowPlatform,
  ) {
    this.result = new Promise((resolve) => (this.#end = resolve));
  }

  get state(): FlowState {
    return this.#state;
  }

  /** 99 before the payment is executed, 3 during a challenge, 500 while the outcome is unknown; then the result. */
  get resultCode(): ResultCode {
    const { kind } = this.#state;
    if (this.#state.kind === 'ended') return this.#state.code;
    if (kind === 'challenging') return RESULT_CODES.authorizing;
    return kind === 'checking' || kind === 'submitting' ? RESULT_CODES.outcomeUnknown : RESULT_CODES.waiting;
  }

  /** Calls the listener with each later state. Returns the function that stops it. */
  subscribe(listener: (state: FlowState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the payment; call it again after `unreachable`. Never rejects. */
  async open(): Promise<void> {
    if (this.#state.kind !== 'opening' && this.#state.kind !== 'unreachable') return;
    this.#setState({ kind: 'opening' });
    const opening = await this.#guard(() => openPayment(this.service, this.subject));
    if (opening === null || this.#state.kind !== 'opening') return;
    if (opening.kind === 'offered') this.#ask(opening.offer, null);
    else if (opening.kind === 'unreachable') this.#setState({ kind: 'unreachable' });
    else this.#finish(opening.code, opening.detail);
  }

  /** Runs one attempt, for the amount that the payer has seen. Does nothing unless the flow is ready. Never rejects. */
  async pay(submit: SubmitFields): Promise<void> {
    if (this.#state.kind !== 'ready') return;
    const { offer } = this.#state;
    this.#setState({ kind: 'submitting', offer });
    await this.#guard(() => this.#attempt(offer, submit));
  }

  /** The same, with a token that a wallet gave for this payment. */
  payByWallet(payment: WalletPayment): Promise<void> {
    return this.pay(({ secret }) => this.service.payByWallet(secret, payment));
  }

  /**
   * The payer leaves. Ends the flow with 7780, or with 500 while the outcome is unknown. Does nothing while an attempt
   * runs, because it cannot be stopped: false.
   */
  close(): boolean {
    const { kind } = this.#state;
    if (kind === 'submitting' || kind === 'challenging') return false;
    if (kind === 'checking') this.#finish(RESULT_CODES.outcomeUnknown, 'The outcome was not known yet.');
    else this.#finish(RESULT_CODES.closedByPayer, 'The payer closed the flow.');
    return true;
  }

  async #attempt(offer: FlowOffer, submit: SubmitFields): Promise<void> {
    const started = await this.service.startAttempt(this.subject.paymentIntentId);
    if (started.kind === 'unreachable') this.#ask(offer, 'unreachable');
    else if (started.kind === 'refused') await this.#explainRefusal(offer, started);
    else {
      const { intent } = started;
      const secret = intent.clientSessionSecret;
      if (secret === undefined) this.#finish(RESULT_CODES.invalidRequest, 'The payment cannot be paid online.');
      else if (!hasSameTotal(offer, intent)) this.#ask({ ...offer, intent }, 'amountChanged');
      else {
        const customerSecret = this.subject.customerSecret ?? null;
        await this.#handleOutcome(offer, secret, await submit({ secret, customerSecret }));
      }
    }
  }

  /** 409: the payment is over, or an attempt runs that may still pay. */
  async #explainRefusal(
    offer: FlowOffer,
    { code, reason, detail }: { code: number; reason: string | null; detail: string },
  ) {
    if (code === 409) await this.#awaitOutcome(offer);
    else if (reason === 'account_disabled') this.#ask(offer, 'closed');
    else this.#finish(code === 404 ? RESULT_CODES.invalidRequest : toResultCode(code), detail);
  }

  async #handleOutcome(offer: FlowOffer, secret: string, outcome: AttemptOutcome): Promise<void> {
    const { result, challenge, fields } = outcome;
    const { statusCode, message } = result;
    const notice = NOTICES[statusCode];
    if (statusCode === 0) this.#finish(RESULT_CODES.successful, message);
    else if (statusCode === 3 && challenge !== null) await this.#showChallenge(offer, { secret, challenge, result });
    else if (notice !== undefined) this.#ask(offer, notice);
    else if (statusCode === 400 && fields.includes('paymentMethodId')) this.#ask(offer, 'cardGone');
    else if (statusCode === 400 && fields.some((field) => field === 'token' || field === 'wallet'))
      this.#ask(offer, 'walletRefused');
    else if (statusCode === 400 && fields.length > 0) this.#ask(offer, 'checkFields', fields);
    else if (statusCode === 400 || statusCode === 429) this.#ask(offer, 'exhausted');
    // The secret is seconds old, so it is the customer's secret that has expired.
    else if (statusCode === 401 && this.subject.customerSecret !== undefined)
      this.#finish(RESULT_CODES.secretInvalid, message);
    // Another running try, or a lost or unknown answer: only the payment has the outcome.
    else await this.#awaitOutcome(offer);
  }

  async #showChallenge(
    offer: FlowOffer,
    { secret, challenge, result }: { secret: string; challenge: Challenge; result: { transactionId: string } },
  ): Promise<void> {
    this.#setState({ kind: 'challenging', offer, challenge });
    const paRes = (await this.platform.showChallenge(challenge, offer.intent)) ?? CHALLENGE_CLOSED;
    this.#setState({ kind: 'submitting', offer });
    const { transactionId } = result;
    const outcome = await this.service.completeChallenge(secret, { paRes, transactionId });
    // A decline after a challenge is about the payer's identity, not about the card.
    if (outcome.result.statusCode === 5)
      this.#ask(offer, paRes === CHALLENGE_CLOSED ? 'challengeClosed' : 'challengeFailed');
    else await this.#handleOutcome(offer, secret, outcome);
  }

  /** Polls until the running try has ended. A new secret voids the one that may still be in use. */
  async #awaitOutcome(offer: FlowOffer): Promise<void> {
    this.#setState({ kind: 'checking', offer });
    while (this.#isChecking()) {
      const found = await this.service.readIntent(this.subject.paymentIntentId);
      if (!this.#isChecking()) return;
      if (found.kind === 'refused') this.#finish(RESULT_CODES.invalidRequest, found.detail);
      else if (found.kind === 'answered' && found.intent.status !== 'Created') this.#finishPaid(found.intent.status);
      else await this.#tryAgain(offer);
    }
  }

  /** A new secret is given only if no attempt runs. */
  async #tryAgain(offer: FlowOffer): Promise<void> {
    const started = await this.service.startAttempt(this.subject.paymentIntentId);
    if (!this.#isChecking()) return;
    if (started.kind === 'answered') this.#ask({ ...offer, intent: started.intent }, 'notPaid');
    else await waitMs(POLL_MS);
  }

  /** The payer may close the flow during any wait. */
  #isChecking(): boolean {
    return this.#state.kind === 'checking';
  }

  #finishPaid(status: string): void {
    const isPaid = status === 'Captured' || status === 'Authorized';
    this.#finish(isPaid ? RESULT_CODES.successful : RESULT_CODES.duplicate, `The payment is ${status}.`);
  }

  #ask(offer: FlowOffer, notice: FlowNotice | null, refusedFields: readonly string[] = []): void {
    this.#setState({ kind: 'ready', offer, notice, refusedFields });
  }

  #finish(code: ResultCode, detail: string): void {
    this.#setState({ kind: 'ended', code, detail });
    this.#end(code);
  }

  #setState(state: FlowState): void {
    if (this.#state.kind === 'ended') return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }

  /** An error of the client, such as an answer of another form, ends the flow with 7770. */
  async #guard<T>(run: () => Promise<T>): Promise<T | null> {
    try {
      return await run();
    } catch (error) {
      this.#finish(RESULT_CODES.clientError, error instanceof Error ? error.message : String(error));
      return null;
    }
  }
}

function hasSameTotal({ intent: { totalAmount: seen } }: FlowOffer, { totalAmount }: FlowOffer['intent']): boolean {
  return seen.value === totalAmount.value && seen.currencyCode === totalAmount.currencyCode;
}
