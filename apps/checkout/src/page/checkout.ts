import type { PaymentResult } from '@pos/rest-contracts/card-vault';
import { applyBranding } from './branding/branding.js';
import type { AmountChangeOutcome } from './form/amount-choice.js';
import type { PayForm } from './form/pay-form.js';
import { PayFormFactory } from './form/pay-form-factory.js';
import { CHALLENGE_CLOSED, showChallenge } from './instruments/challenge.js';
import type { PaymentInstrument } from './instruments/payment-instrument.js';
import { showWallet, WalletInstrument } from './instruments/wallet-instrument.js';
import { type EndState, type Intent, hasAmountChanged, getIntentState, isPaidByThisBrowser } from './service/intent.js';
import type { AttemptOutcome, PayerDetails } from './service/payment-attempt.js';
import { type AttemptStart, waitMs, type PaymentClient } from './service/payment-client.js';
import type { ServiceUrls } from './service/service-urls.js';
import type { Wallet } from './texts/display-names.js';
import type { TextName } from './texts/english.js';
import { formatMoney } from './texts/money-text.js';
import { getText } from './texts/texts.js';
import { createOpenChallengeView, createUnreachableView, createWaitingView } from './views/end-views.js';
import { PageView } from './views/page-view.js';

const POLL_MS = 3_000;
/** The intent is paid, or being paid, with another secret. */
const DUPLICATE = 20;
const FAILED = 30;
const DECLINED = { 4: 'referred', 5: 'declined', 30: 'failed' } as const satisfies Readonly<Record<number, TextName>>;

/** One payer's use of the page: shows the intent and executes the payer's actions. */
export class Checkout {
  readonly #formFactory: PayFormFactory;
  readonly #view: PageView;

  constructor(
    main: HTMLElement,
    private readonly service: PaymentClient,
    private readonly services: ServiceUrls,
  ) {
    this.#view = new PageView(main, service);
    this.#formFactory = new PayFormFactory(service, services, (form) => ({
      pay: (instrument, details) => this.#submitPayment(form(), instrument, details),
      openWallet: (wallet, details) => this.#payByWallet(form(), wallet, details),
      changeTip: (value) => this.#changeAmount(form(), (money) => this.service.changeTip({ ...money, value })),
      changeAmount: (value) => this.#changeAmount(form(), (money) => this.service.changeAmount({ ...money, value })),
    }));
  }

  async open(): Promise<void> {
    const found = await this.service.readIntent();
    if (found.kind === 'gone') this.#view.showGone(found.link);
    else if (found.kind === 'unreachable') this.#view.showMessage(createUnreachableView(() => void this.open()));
    else await this.#showIntent(found.intent);
  }

  async #showIntent(intent: Intent): Promise<void> {
    const state = getIntentState(intent);
    if (state !== 'open') {
      this.#view.showEnd(intent, state);
      return;
    }
    const form = await this.#showForm(intent);
    const { attempt } = this.service.memory;
    if (form !== null && attempt !== null && attempt.challenge !== null)
      this.#offerOpenChallenge(form, attempt.secret, attempt.challenge);
  }

  async #showForm(intent: Intent, message: string | null = null): Promise<PayForm | null> {
    applyBranding(intent.config);
    const created = await this.#formFactory.createForm(intent);
    if (created === null) {
      this.#view.showNoMethod(intent);
      return null;
    }
    this.#view.showForm(intent, created);
    if (message !== null) created.form.showError(message);
    return created.form;
  }

  /** The payer was in the app of their bank, and the page was opened again: they go on, or end the try there. */
  #offerOpenChallenge(form: PayForm, secret: string, challenge: PaymentResult): void {
    const proceed = (answer: () => Promise<string>) => (): void => {
      view.remove();
      form.element.hidden = false;
      void this.#completeChallenge(form, secret, { challenge, answer });
    };
    const view = createOpenChallengeView(
      proceed(() => showChallenge(challenge, describePayment(form.intent))),
      proceed(() => Promise.resolve(CHALLENGE_CLOSED)),
    );
    this.#view.showInPlaceOf(form.element, view);
  }

  /** Each submission uses a new secret for one try, and charges only the amount that the payer saw. */
  async #submitPayment(form: PayForm, instrument: PaymentInstrument, details: PayerDetails): Promise<void> {
    form.showProgress(getText('loading'));
    const attemptStart = await this.service.startAttempt();
    if (attemptStart.kind === 'begun') {
      const { secret, intent } = attemptStart;
      if (hasAmountChanged(form.intent, intent)) await this.#showForm(intent, getText('amountChanged'));
      else {
        this.service.memory.remember({ secret, challenge: null });
        await this.#showResult(form, secret, await instrument.submitAttempt({ secret, details }));
      }
    } else await this.#showNotStarted(form, attemptStart);
  }

  /** Opens the wallet before it requests a secret, because the wallet may stay open for long. */
  async #payByWallet(form: PayForm, wallet: Wallet, details: PayerDetails): Promise<void> {
    const { walletSheet: sheet } = this.services;
    const payment = describePayment(form.intent);
    const token = sheet === null ? null : await showWallet(wallet, { sheet, payment });
    if (token !== null) await this.#submitPayment(form, new WalletInstrument(this.service, { wallet, token }), details);
  }

  /** The service computes the new total: the page shows no amount that the service has not confirmed. */
  async #changeAmount(
    form: PayForm,
    change: (money: { readonly value: number; readonly currencyCode: string }) => Promise<Intent | null>,
  ): Promise<AmountChangeOutcome> {
    if (form.intent.kind !== 'payment') return { problem: getText('amountNotChanged') };
    form.setBusy(true);
    const intent = await change(form.intent.amount);
    form.setBusy(false);
    if (intent === null) return { problem: getText('amountNotChanged') };
    form.setIntent(intent);
    this.#view.updateSummary(intent);
    return { intent };
  }

  async #showNotStarted(form: PayForm, attemptStart: Exclude<AttemptStart, { kind: 'begun' }>): Promise<void> {
    if (attemptStart.kind === 'gone') this.#view.showGone(attemptStart.link);
    else if (attemptStart.kind === 'closed') this.#view.showClosed(form.intent);
    else if (attemptStart.kind === 'ended') this.#view.showEnd(attemptStart.intent, attemptStart.standing);
    else if (attemptStart.kind === 'unreachable') form.showError(getText('serviceUnreachable'));
    else await this.#waitForAttempt(form, attemptStart.isAtBank ? 'otherAtBank' : 'other');
  }

  async #showResult(form: PayForm, secret: string, { result, fields }: AttemptOutcome): Promise<void> {
    const { statusCode } = result;
    if (statusCode === 0) await this.#showSuccess(form.intent);
    else if (statusCode === 3) await this.#beginChallenge(form, secret, result);
    else if (statusCode === 400 && fields.includes('paymentMethodId')) form.showError(getText('cardGone'));
    else if (statusCode === 400 && fields.length > 0) form.showError(getText('checkFields'), fields);
    else if (statusCode === 400 || statusCode === 429)
      form.showError(getText('exhausted', { merchant: form.intent.config.tradingName }));
    else if (isDeclined(statusCode)) form.showError(getText(DECLINED[statusCode]));
    // Another running try, or a lost or unknown answer: only the intent has the outcome.
    else await this.#waitForAttempt(form, statusCode === DUPLICATE ? 'other' : 'own');
  }

  /** The vault's answer is enough for the payer; the date of the payment is shown if the intent can be read. */
  async #showSuccess(intent: Intent): Promise<void> {
    const found = await this.service.readIntent();
    const isDone = found.kind === 'found' && getIntentState(found.intent) === 'done';
    this.#view.finish(isDone ? found.intent : intent, 'done');
  }

  async #beginChallenge(form: PayForm, secret: string, challenge: PaymentResult): Promise<void> {
    this.service.memory.remember({ secret, challenge });
    const answer = () => showChallenge(challenge, describePayment(form.intent));
    await this.#completeChallenge(form, secret, { challenge, answer });
  }

  async #completeChallenge(
    form: PayForm,
    secret: string,
    { challenge, answer }: { readonly challenge: PaymentResult; readonly answer: () => Promise<string> },
  ): Promise<void> {
    form.showProgress(getText('waitingForBank'));
    const paRes = await answer();
    form.showProgress(getText('loading'));
    const { transactionId } = challenge;
    const result = await this.service.completeChallenge(secret, { paRes, transactionId });
    this.service.memory.forgetChallenge();
    // A decline after a challenge is about the payer's identity, not about the card.
    if (result.statusCode === 5)
      form.showError(getText(paRes === CHALLENGE_CLOSED ? 'challengeClosed' : 'challengeFailed'));
    // The challenge was ended meanwhile, and somebody else may have paid: only the intent says.
    else if (result.statusCode === FAILED) await this.#waitForAttempt(form, 'own');
    else await this.#showResult(form, secret, { result, fields: [] });
  }

  /** Polls until the running try has ended. Then a new try may begin, or the intent is final. */
  async #waitForAttempt(form: PayForm, attempt: 'own' | 'other' | 'otherAtBank'): Promise<void> {
    const waitingView = createWaitingView(attempt);
    this.#view.showInPlaceOf(form.element, waitingView);
    let attemptStart = await this.service.startAttempt();
    while (attemptStart.kind === 'busy' || attemptStart.kind === 'unreachable') {
      await waitMs(POLL_MS);
      attemptStart = await this.service.startAttempt();
    }
    if (attemptStart.kind === 'gone') this.#view.showGone(attemptStart.link);
    else if (attemptStart.kind === 'closed') this.#view.showClosed(form.intent);
    else if (attemptStart.kind === 'ended') this.#showEnded(attemptStart.intent, attemptStart.standing);
    else if (hasAmountChanged(form.intent, attemptStart.intent))
      await this.#showForm(attemptStart.intent, getText('amountChanged'));
    else {
      waitingView.remove();
      form.element.hidden = false;
      form.showError(getText(attempt === 'own' ? 'notPaid' : 'otherNotPaid'));
    }
  }

  /** Only the browser that has paid is redirected to the integrator's page. */
  #showEnded(intent: Intent, state: EndState): void {
    if (isPaidByThisBrowser(intent)) this.#view.finish(intent, state);
    else this.#view.showEnd(intent, state);
  }
}

/** The amount and the merchant, for a dialog of another party. */
function describePayment(intent: Intent): string {
  const merchant = intent.config.tradingName;
  if (intent.kind === 'setup') return merchant;
  return getText('dialogPayment', { amount: formatMoney(intent.totalAmount), merchant });
}

function isDeclined(statusCode: number): statusCode is keyof typeof DECLINED {
  return statusCode in DECLINED;
}
