import type { FlowState } from '../flow/flow-state.js';
import type { PublicPaymentIntent } from '../gen/schemas.js';
import { PaymentFlow } from '../flow/payment-flow.js';
import type { FlowSubject } from '../flow/flow-opening.js';
import type { PaymentService } from '../flow/payment-service.js';
import type { ResultCode } from '../flow/result-codes.js';
import type { PaymentTheme } from '../flow/theme.js';
import type { WalletRequests } from '../flow/wallets.js';
import { showChallengeDialog } from './challenge-dialog.js';
import { createButton, createElement, ElementBase } from './element.js';
import { PaymentForm } from './payment-form.js';
import { getStyle } from './style.js';
import { formatMoney, type Texts } from './texts.js';
import { applyTheme } from './theme-style.js';

/** What a sheet pays, and how it looks. */
export interface SheetOptions {
  readonly service: PaymentService;
  readonly subject: FlowSubject;
  readonly theme: PaymentTheme;
  readonly wallets: WalletRequests;
  readonly texts: Texts;
  readonly onState: (state: FlowState) => void;
}

/** A payment flow on top of a page: a dialog that displays the state of the flow. */
export class PaymentSheetElement extends ElementBase {
  readonly #root = this.attachShadow({ mode: 'open' });
  readonly #dialog = createElement('dialog', { class: 'sheet', 'aria-labelledby': 'title' });
  readonly #title = createElement('h2', { id: 'title' });
  readonly #content = createElement('div');
  #form: PaymentForm | null = null;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [getStyle()];
    this.#root.append(this.#dialog);
  }

  /** Displays the flow until it ends, and removes the element. Resolves with the code of the flow. */
  async present(options: SheetOptions): Promise<ResultCode> {
    const { service, subject, texts, onState } = options;
    const theme = applyTheme(this, options.theme);
    const flow = new PaymentFlow(service, subject, {
      showChallenge: (challenge, intent) =>
        showChallengeDialog(challenge, { root: this.#root, texts, payment: describePayment(intent, texts) }),
    });
    const close = (): void => void flow.close();
    const closeButton = createButton('×', 'close', close);
    closeButton.setAttribute('aria-label', texts.get('close'));
    this.#dialog.append(createElement('header', {}, [this.#title, closeButton]), this.#content);
    // Escape must not hide a sheet whose attempt runs.
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      close();
    });
    flow.subscribe((state) => {
      this.#display(state, { ...options, theme }, flow);
      onState(state);
    });
    this.#display(flow.state, { ...options, theme }, flow);
    this.#dialog.showModal();
    void flow.open();
    const code = await flow.result;
    this.#form?.remove();
    this.#dialog.close();
    this.remove();
    return code;
  }

  #display(state: FlowState, options: SheetOptions, flow: PaymentFlow): void {
    const { texts } = options;
    if (state.kind === 'ready') this.#displayForm(state, options, flow);
    else if (state.kind === 'opening') this.#displayWait(texts.get('loading'));
    else if (state.kind === 'unreachable') this.#displayFailure(texts.get('loadFailed'), texts, () => void flow.open());
    else if (state.kind === 'submitting') this.#form?.setBusy(true, texts.get('loading'));
    else if (state.kind === 'challenging') this.#form?.setBusy(true, texts.get('waitingForBank'));
    else if (state.kind === 'checking') this.#displayWait(texts.get('checking'), texts.get('checkingText'));
  }

  /** The frames of a form keep what the payer typed, so a form is displayed again as long as its cards are the same. */
  #displayForm(state: FlowState & { readonly kind: 'ready' }, options: SheetOptions, flow: PaymentFlow): void {
    const { texts, theme, wallets } = options;
    const { offer, notice } = state;
    this.#title.textContent = texts.get('title', { merchant: offer.intent.config.tradingName });
    if (this.#form === null) {
      const fail = (): void =>
        this.#displayFailure(texts.get('fieldsFailed'), texts, () => {
          this.#form?.remove();
          this.#form = null;
          this.#display(flow.state, options, flow);
        });
      this.#form = new PaymentForm({
        ...{ offer, texts, theme, wallets, onFieldsFailed: fail },
        onPay: (submit) => void flow.pay(submit),
        onPayByWallet: (payment) => void flow.payByWallet(payment),
        onCancel: () => void flow.close(),
      });
    }
    this.#form.showOffer(offer, notice);
    // A frame that is moved in the document loads again, and would lose what the payer typed.
    if (!this.#form.element.isConnected) this.#content.replaceChildren(this.#form.element);
    this.#form.element.hidden = false;
    for (const other of this.#content.querySelectorAll(':scope > .wait')) other.remove();
  }

  #displayWait(...texts: readonly string[]): void {
    const spinner = createElement('div', { class: 'spinner', 'aria-hidden': 'true' });
    this.#displayInstead([spinner, ...texts.map((text) => createElement('p', {}, [text]))], 'status');
  }

  #displayFailure(text: string, texts: Texts, retry: () => void): void {
    const again = createButton(texts.get('tryAgain'), 'primary', retry);
    this.#displayInstead([createElement('p', { class: 'alert' }, [text]), again], 'alert');
  }

  #displayInstead(children: readonly HTMLElement[], role: string): void {
    if (this.#form !== null) this.#form.element.hidden = true;
    for (const other of this.#content.querySelectorAll(':scope > .wait')) other.remove();
    this.#content.append(createElement('div', { class: 'wait', role }, children));
  }
}

function describePayment({ totalAmount, config }: PublicPaymentIntent, texts: Texts): string {
  return texts.get('payment', { amount: formatMoney(totalAmount, texts), merchant: config.tradingName });
}
