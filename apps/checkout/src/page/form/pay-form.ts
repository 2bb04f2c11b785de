import { createElement } from '../elements/element.js';
import { createIcon } from '../elements/icons.js';
import type { PaymentInstrument, VisibleInstrument } from '../instruments/payment-instrument.js';
import { createWalletButtons } from '../instruments/wallet-instrument.js';
import type { AvailableMethods } from '../service/available-methods.js';
import { type Intent, buildReturnUrl } from '../service/intent.js';
import type { PayerDetails } from '../service/payment-attempt.js';
import type { Wallet } from '../texts/display-names.js';
import { formatMoney } from '../texts/money-text.js';
import { getText } from '../texts/texts.js';
import { createAcceptedText } from './accepted-methods.js';
import { PayerForm } from './payer-form.js';

/** The payer's actions in the form. */
interface PayFormActions {
  readonly pay: (instrument: PaymentInstrument, details: PayerDetails) => Promise<void>;
  readonly openWallet: (wallet: Wallet, details: PayerDetails) => Promise<void>;
}

/** The parts of the form that depend on the methods of the intent. */
interface PayFormOffer {
  readonly methods: AvailableMethods;
  readonly instrument: VisibleInstrument | null;
  /** Where the payer chooses a tip or an amount, with the tips that belong to the amount; null where it is fixed. */
  readonly createAmountChoice: (intent: Intent) => HTMLElement | null;
}

/** The form of an open intent: the payer's details, the payment instruments and the buttons. */
export class PayForm {
  readonly element: HTMLFormElement;
  readonly #payerForm: PayerForm;
  readonly #submitButton: HTMLButtonElement | null;
  readonly #submitText = createElement('span', {});
  readonly #walletButtons: readonly HTMLButtonElement[];
  readonly #alert = createElement('p', { role: 'alert', class: 'alert', tabindex: '-1' });
  readonly #progress = createElement('p', { role: 'status', class: 'quiet' });
  #amountChoice: HTMLElement | null;
  #intent: Intent;
  #isBusy = false;
  #isReady = false;

  constructor(
    intent: Intent,
    private readonly offer: PayFormOffer,
    private readonly actions: PayFormActions,
  ) {
    this.#intent = intent;
    const { methods, instrument } = offer;
    this.#payerForm = new PayerForm(intent);
    this.#amountChoice = offer.createAmountChoice(intent);
    this.#submitButton =
      instrument &&
      createElement('button', { type: 'submit', class: 'pay', disabled: true }, [createIcon('lock'), this.#submitText]);
    this.#walletButtons = createWalletButtons(methods.wallets, (wallet) => {
      if (!this.#isBusy && this.#checkPayer()) void actions.openWallet(wallet, this.#payerForm.readDetails());
    });
    this.element = this.#createElement();
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
    this.setIntent(intent);
    this.updateSaving();
    this.#waitForFields();
  }

  get intent(): Intent {
    return this.#intent;
  }

  /** Shows the amount of the intent, after the payer has changed it. */
  setIntent(intent: Intent): void {
    const isOtherPrice = hasPriceChanged(this.#intent, intent);
    this.#intent = intent;
    if (isOtherPrice && this.#amountChoice !== null) {
      const amountChoice = this.offer.createAmountChoice(intent);
      if (amountChoice !== null) this.#amountChoice.replaceWith(amountChoice);
      this.#amountChoice = amountChoice;
      amountChoice?.querySelector<HTMLInputElement>('input[type=text], input:not([type])')?.focus();
    }
    this.#submitText.textContent = getButtonText(intent);
  }

  /** Offers to save the card only while a new card is selected. */
  updateSaving(): void {
    this.#payerForm.setSavingOffered(this.offer.instrument?.isNewCard ?? false);
  }

  /** The payer pressed Enter in a field of the vault's frame. */
  submitByEnter(): void {
    this.element.requestSubmit(this.#submitButton);
  }

  /** Disables the buttons while a try runs, and shows its progress. */
  showProgress(progress: string): void {
    this.setBusy(true);
    this.#alert.textContent = '';
    this.#progress.textContent = progress;
  }

  /** Shows why the try ended without a payment; another try may begin. */
  showError(message: string, invalidFields: readonly string[] = []): void {
    this.setBusy(false);
    this.#progress.textContent = '';
    this.#alert.textContent = message;
    this.#payerForm.markInvalid(invalidFields);
  }

  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.element.toggleAttribute('data-busy', isBusy);
    for (const button of this.#walletButtons) button.disabled = isBusy;
    if (this.#submitButton !== null) this.#submitButton.disabled = isBusy || !this.#isReady;
  }

  /** Checks what can be checked without a request, so that a mistyped field costs no try. */
  async #submit(): Promise<void> {
    const { instrument } = this.offer;
    // Enter in a card field also submits the form, even while the button is disabled.
    if (instrument === null || this.#submitButton === null || this.#submitButton.disabled) return;
    this.setBusy(true);
    const isPayerRight = this.#checkPayer();
    const isCardRight = await instrument.checkFields(isPayerRight);
    if (isPayerRight && isCardRight) await this.actions.pay(instrument, this.#payerForm.readDetails());
    else this.showError(getText('checkFields'));
  }

  #checkPayer(): boolean {
    const invalid = this.#payerForm.findInvalidInput();
    invalid?.focus();
    return invalid === null;
  }

  #createElement(): HTMLFormElement {
    const { methods, instrument } = this.offer;
    const cancel = buildReturnUrl(this.#intent.config.cancelUrl, this.#intent);
    const { tradingName: merchant } = this.#intent.config;
    return createElement('form', { novalidate: true, class: 'pay-form' }, [
      this.#amountChoice,
      this.#createWallets(),
      ...this.#payerForm.contactElements,
      instrument && createCardGroup(instrument),
      ...this.#payerForm.consentElements,
      this.#alert,
      this.#submitButton,
      this.#progress,
      createAcceptedText(this.#intent, methods),
      instrument && createElement('p', { class: 'quiet' }, [getText('cardPrivacy', { merchant })]),
      cancel === null ? null : createElement('a', { href: cancel, class: 'cancel' }, [getText('cancel')]),
    ]);
  }

  #createWallets(): HTMLElement | null {
    if (this.#walletButtons.length === 0) return null;
    const divider =
      this.offer.instrument &&
      createElement('p', { class: 'divider' }, [createElement('span', {}, [getText('orPayByCard')])]);
    return createElement('div', { class: 'wallets' }, [...this.#walletButtons, divider]);
  }

  #waitForFields(): void {
    this.offer.instrument?.whenReady(() => {
      this.#isReady = true;
      this.setBusy(this.#isBusy);
    });
  }
}

function createCardGroup(instrument: VisibleInstrument): HTMLElement {
  return createElement('fieldset', { class: 'card-group' }, [
    createElement('legend', {}, [getText('cardLegend')]),
    instrument.element,
  ]);
}

/** Whether the suggested tips, which are parts of the price, have changed. */
function hasPriceChanged(before: Intent, after: Intent): boolean {
  return before.kind === 'payment' && after.kind === 'payment' && before.amount.value !== after.amount.value;
}

function getButtonText(intent: Intent): string {
  return intent.kind === 'setup'
    ? getText('registerCard')
    : getText('pay', { amount: formatMoney(intent.totalAmount) });
}
