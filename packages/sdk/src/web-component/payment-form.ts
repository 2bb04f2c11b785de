import type { FlowNotice, FlowOffer } from '../flow/flow-state.js';
import type { SubmitFields } from '../flow/payment-flow.js';
import type { PaymentTheme } from '../flow/theme.js';
import type { RequestWalletToken, Wallet, WalletPayment, WalletRequests } from '../flow/wallets.js';
import { CardChoice } from './card-choice.js';
import { createButton, createElement } from './element.js';
import { PayerInputs } from './payer-inputs.js';
import { formatMoney, type Texts } from './texts.js';
import { createWalletButton } from './wallet-buttons.js';

interface PaymentFormOptions {
  readonly offer: FlowOffer;
  readonly texts: Texts;
  readonly theme: PaymentTheme;
  readonly wallets: WalletRequests;
  readonly onPay: (submit: SubmitFields) => void;
  readonly onPayByWallet: (payment: WalletPayment) => void;
  readonly onCancel: () => void;
  readonly onFieldsFailed: () => void;
}

/** The amount, the cards, what else is asked, and the buttons. */
export class PaymentForm {
  readonly element: HTMLElement;
  readonly #choice: CardChoice;
  readonly #inputs: PayerInputs;
  readonly #alert = createElement('p', { class: 'alert', role: 'alert' });
  readonly #status = createElement('p', { class: 'quiet', role: 'status' });
  readonly #pay: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  readonly #total = createElement('p', { class: 'amount' });
  readonly #walletButtons: readonly HTMLButtonElement[];
  /** The payment as it is displayed. */
  #offer: FlowOffer;
  #isReady = false;
  #isBusy = false;

  constructor(private readonly parts: PaymentFormOptions) {
    const { offer, texts, theme, onCancel, onFieldsFailed } = parts;
    this.#offer = offer;
    this.#choice = new CardChoice({ offer, texts, theme, onEnter: () => void this.#submit() });
    this.#inputs = new PayerInputs(offer.intent, texts);
    this.#pay = createButton('', 'primary', () => void this.#submit());
    this.#cancel = createButton(texts.get('cancel'), 'secondary', onCancel);
    this.#walletButtons = offer.wallets.map((wallet) =>
      createWalletButton(wallet, texts, () => void this.#payByWallet(wallet)),
    );
    this.#pay.hidden = !hasCards(offer);
    this.element = createElement('div', { class: 'body' }, [
      ...[this.#total, createLines(offer, texts), ...this.#inputs.elements],
      ...[this.#createWallets(), ...this.#choice.elements],
      ...[this.#alert, this.#status, createElement('div', { class: 'buttons' }, [this.#pay, this.#cancel])],
    ]);
    this.showOffer(offer, null);
    void this.#choice.whenReady().then((isReady) => {
      this.#isReady = isReady;
      if (isReady) this.setBusy(this.#isBusy);
      else onFieldsFailed();
    });
  }

  /** Displays the amount, and why the last try ended. */
  showOffer(offer: FlowOffer, notice: FlowNotice | null): void {
    const { texts } = this.parts;
    this.#offer = offer;
    const amount = formatMoney(offer.intent.totalAmount, texts);
    this.#total.textContent = amount;
    this.#pay.textContent = texts.get('pay', { amount });
    this.#alert.textContent = notice === null ? '' : texts.getNotice(notice);
    this.setBusy(false);
  }

  setBusy(isBusy: boolean, progress = ''): void {
    this.#isBusy = isBusy;
    this.#status.textContent = progress;
    this.#status.hidden = progress === '';
    this.#pay.disabled = isBusy || !this.#isReady;
    this.#cancel.disabled = isBusy;
    for (const button of this.#walletButtons) button.disabled = isBusy;
    if (isBusy) this.#alert.textContent = '';
  }

  remove(): void {
    this.#choice.remove();
    this.element.remove();
  }

  /** Checks what can be checked without a request, so that a mistyped field costs no try. */
  async #submit(): Promise<void> {
    const { frame } = this.#choice;
    if (frame === null || this.#pay.disabled) return;
    this.setBusy(true);
    const isPayerRight = this.#inputs.check();
    const isCardRight = await frame.channel.checkFields(isPayerRight);
    this.setBusy(false);
    if (!isPayerRight || !isCardRight) {
      this.#alert.textContent = this.parts.texts.getNotice('checkFields');
      return;
    }
    const details = { ...this.#inputs.readDetails(), ...this.#choice.readDetails() };
    this.parts.onPay((secrets) => frame.channel.submit({ ...secrets, details }));
  }

  #createWallets(): HTMLElement | null {
    if (this.#walletButtons.length === 0) return null;
    const other = hasCards(this.#offer)
      ? createElement('p', { class: 'quiet' }, [this.parts.texts.get('orByCard')])
      : null;
    return createElement('div', { class: 'wallets' }, [...this.#walletButtons, other]);
  }

  /** The wallet is requested in the listener of the click, because makers refuse to display it otherwise. */
  async #payByWallet(wallet: Wallet): Promise<void> {
    const request = this.parts.wallets[wallet];
    if (this.#isBusy || request === undefined) return;
    if (!this.#inputs.check()) {
      this.#alert.textContent = this.parts.texts.getNotice('checkFields');
      return;
    }
    this.setBusy(true);
    const token = await requestToken(request, this.#offer);
    this.setBusy(false);
    if (token === undefined) this.#alert.textContent = this.parts.texts.get('walletFailed');
    else if (token !== null) this.parts.onPayByWallet({ wallet, token, details: this.#inputs.readDetails() });
  }
}

/** Undefined if the function of the page fails, which must not end the flow. */
async function requestToken(request: RequestWalletToken, { intent }: FlowOffer): Promise<string | null | undefined> {
  try {
    const token: unknown = await request(intent);
    return token === null || (typeof token === 'string' && token !== '') ? token : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a card can be typed, or chosen. */
function hasCards({ acceptsCard, savedCards }: FlowOffer): boolean {
  return acceptsCard || savedCards.length > 0;
}

function createLines({ intent: { itemLines } }: FlowOffer, texts: Texts): HTMLElement | null {
  if (itemLines.length === 0) return null;
  const lines = itemLines.map(({ caption, amountTotal }) =>
    createElement('li', {}, [
      createElement('span', {}, [caption ?? '']),
      createElement('span', {}, [formatMoney(amountTotal, texts)]),
    ]),
  );
  return createElement('ul', {}, lines);
}
