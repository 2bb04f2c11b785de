import type { PaymentResult } from '@pos/rest-contracts/card-vault/client-payments';
import { showChallenge } from './challenge.js';
import { createElement } from './element.js';
import { createGoneView, createEndView, createUnreachableView, createWaitingView } from './views.js';
import { type Intent, hasAmountChanged, type EndState, getIntentState, buildReturnUrl } from './intent.js';
import type { PaymentInstrument, PayerDetails, AttemptOutcome } from './payment-instrument.js';
import type { Wallet } from './display-names.js';
import { PayFormFactory } from './pay-form-factory.js';
import { PayForm } from './pay-form.js';
import type { Endpoints } from './endpoints.js';
import { type AttemptStart, waitMs, type PaymentClient } from './payment-client.js';
import { createMerchantHeader, createSummary, setFavicon } from './summary.js';
import { showWallet, WalletInstrument } from './wallet-instrument.js';

const POLL_MS = 3_000;
const DECLINED = {
  4: 'The bank asks you to call it. Nothing was charged. You can try another card.',
  5: 'The card was declined. Nothing was charged. You can try again or use another card.',
  30: 'The payment could not be processed. Nothing was charged. You can try again.',
} as const;
const NOT_PAID = 'The payment did not go through. You can try again.';
const UNREACHABLE = 'We could not be reached, and nothing was charged. Please try again.';
const CARD_GONE = 'This saved card cannot be used any more, and nothing was charged. Please choose another card.';
const AMOUNT_CHANGED = 'The amount has changed, and nothing was charged. Please look at it again before you pay.';
const CHECK_FIELDS = 'Please check what you have filled in.';
const EXHAUSTED = 'There were too many tries. Please wait a while, or ask the merchant.';

/** One payer's use of the page: shows the intent and executes the payer's actions. */
export class Checkout {
  readonly #formFactory: PayFormFactory;
  #isBranded = false;

  constructor(
    private readonly main: HTMLElement,
    private readonly service: PaymentClient,
    private readonly endpoints: Endpoints,
  ) {
    this.#formFactory = new PayFormFactory(service, endpoints, (form) => ({
      pay: (instrument, details) => this.#submitPayment(form(), instrument, details),
      openWallet: (wallet, details) => this.#payByWallet(form(), wallet, details),
    }));
  }

  async open(): Promise<void> {
    const found = await this.service.readIntent();
    if (found.kind === 'gone') this.#showView(createGoneView());
    else if (found.kind === 'unreachable') this.#showView(createUnreachableView(() => void this.open()));
    else await this.#showIntent(found.intent);
  }

  async #showIntent(intent: Intent): Promise<void> {
    const state = getIntentState(intent);
    if (state === 'open') await this.#showForm(intent);
    else this.#showEnd(intent, state);
  }

  async #showForm(intent: Intent, message: string | null = null): Promise<void> {
    this.#applyBranding(intent);
    const form = await this.#formFactory.createForm(intent);
    if (!(form instanceof PayForm)) {
      this.#showView(form, createMerchantHeader(intent));
      return;
    }
    const title = intent.config.title ?? (intent.kind === 'payment' ? 'Payment' : 'Register a card');
    this.main.replaceChildren(
      createMerchantHeader(intent),
      createElement('h1', {}, [title]),
      createSummary(intent),
      form.element,
    );
    this.main.removeAttribute('aria-busy');
    if (message !== null) form.showError(message);
  }

  /** Each submission uses a new secret for one try, and charges only the amount that the payer saw. */
  async #submitPayment(form: PayForm, instrument: PaymentInstrument, details: PayerDetails): Promise<void> {
    form.showProgress('One moment …');
    const attemptStart = await this.service.startAttempt();
    if (attemptStart.kind === 'begun') {
      const { secret, intent } = attemptStart;
      if (hasAmountChanged(form.intent, intent)) await this.#showForm(intent, AMOUNT_CHANGED);
      else await this.#showResult(form, secret, await instrument.submitAttempt({ secret, details }));
    } else await this.#showNotStarted(form, attemptStart);
  }

  /** Opens the wallet before it requests a secret, because the wallet may stay open for long. */
  async #payByWallet(form: PayForm, wallet: Wallet, details: PayerDetails): Promise<void> {
    const { walletSheet } = this.endpoints;
    const token = walletSheet === null ? null : await showWallet(wallet, walletSheet);
    if (token !== null) await this.#submitPayment(form, new WalletInstrument(this.service, { wallet, token }), details);
  }

  async #showNotStarted(form: PayForm, attemptStart: Exclude<AttemptStart, { kind: 'begun' }>): Promise<void> {
    if (attemptStart.kind === 'gone') this.#showView(createGoneView());
    else if (attemptStart.kind === 'ended') this.#showEnd(attemptStart.intent, attemptStart.standing);
    else if (attemptStart.kind === 'unreachable') form.showError(UNREACHABLE);
    else await this.#waitForAttempt(form);
  }

  async #showResult(form: PayForm, secret: string, { result, fields }: AttemptOutcome): Promise<void> {
    const { statusCode } = result;
    // The vault's answer is enough for the payer; the integrator reads the intent itself.
    if (statusCode === 0) this.#finish(form.intent, 'done');
    else if (statusCode === 3) await this.#completeChallenge(form, secret, result);
    else if (statusCode === 400 && fields.includes('paymentMethodId')) form.showError(CARD_GONE);
    else if (statusCode === 400 && fields.length > 0) form.showError(CHECK_FIELDS, fields);
    else if (statusCode === 400 || statusCode === 429) form.showError(EXHAUSTED);
    else if (isDeclined(statusCode)) form.showError(DECLINED[statusCode]);
    // Another running try, or a lost or unknown answer: only the intent has the outcome.
    else await this.#waitForAttempt(form);
  }

  async #completeChallenge(form: PayForm, secret: string, challengeResult: PaymentResult): Promise<void> {
    form.showProgress('Waiting for your bank …');
    const paRes = await showChallenge(challengeResult);
    form.showProgress('One moment …');
    const { transactionId } = challengeResult;
    const result = await this.service.completeChallenge(secret, { paRes, transactionId });
    await this.#showResult(form, secret, { result, fields: [] });
  }

  /** Polls until the running try has ended. Then a new try may begin, or the intent is final. */
  async #waitForAttempt(form: PayForm): Promise<void> {
    const view = createWaitingView();
    form.element.hidden = true;
    form.element.before(view);
    focusHeading(view);
    let attemptStart = await this.service.startAttempt();
    while (attemptStart.kind === 'busy' || attemptStart.kind === 'unreachable') {
      await waitMs(POLL_MS);
      attemptStart = await this.service.startAttempt();
    }
    if (attemptStart.kind === 'gone') this.#showView(createGoneView());
    else if (attemptStart.kind === 'ended') this.#finish(attemptStart.intent, attemptStart.standing);
    else if (hasAmountChanged(form.intent, attemptStart.intent))
      await this.#showForm(attemptStart.intent, AMOUNT_CHANGED);
    else this.#resumeForm(form, view);
  }

  #resumeForm(form: PayForm, view: HTMLElement): void {
    view.remove();
    form.element.hidden = false;
    form.showError(NOT_PAID);
  }

  /** Shows the final state, and redirects to the integrator's address after a success on this page. */
  #finish(intent: Intent, state: EndState): void {
    const address = state === 'done' ? buildReturnUrl(intent.config.redirectUrl, intent) : null;
    this.#showEnd(intent, state);
    if (address !== null) location.replace(address);
  }

  #showEnd(intent: Intent, state: EndState): void {
    this.#applyBranding(intent);
    this.#showView(createEndView(intent, state), createMerchantHeader(intent));
  }

  /** Replaces the whole page, the card fields included. */
  #showView(view: HTMLElement, header: HTMLElement | null = null): void {
    this.main.replaceChildren(...(header === null ? [view] : [header, view]));
    this.main.removeAttribute('aria-busy');
    focusHeading(view);
  }

  #applyBranding(intent: Intent): void {
    if (this.#isBranded) return;
    this.#isBranded = true;
    document.title = intent.config.title ?? `Payment to ${intent.config.tradingName}`;
    setFavicon(intent);
  }
}

function isDeclined(statusCode: number): statusCode is keyof typeof DECLINED {
  return statusCode in DECLINED;
}

/** Makes screen readers read the new state. */
function focusHeading(view: HTMLElement): void {
  view.querySelector('h1')?.focus();
}
