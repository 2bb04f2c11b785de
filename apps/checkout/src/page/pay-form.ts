import { createElement } from './element.js';
import { type Intent, buildReturnUrl } from './intent.js';
import type { PaymentInstrument, PayerDetails, VisibleInstrument } from './payment-instrument.js';
import { formatMoney } from './money-text.js';
import type { Wallet } from './display-names.js';
import { PayerForm } from './payer-form.js';
import { createAcceptedText } from './summary.js';
import { createWalletButtons } from './wallet-instrument.js';
import type { AvailableMethods } from './available-methods.js';

const FRAME_FAILED = 'The card fields could not be loaded. Please load this page again.';

/** The payer's actions in the form. */
interface PayFormActions {
  readonly pay: (instrument: PaymentInstrument, details: PayerDetails) => Promise<void>;
  readonly openWallet: (wallet: Wallet, details: PayerDetails) => Promise<void>;
}

/** The form of an open intent: the payer's details, the payment instruments and the buttons. */
export class PayForm {
  readonly element: HTMLFormElement;
  readonly #payerForm: PayerForm;
  readonly #submitButton: HTMLButtonElement | null;
  readonly #walletButtons: readonly HTMLButtonElement[];
  readonly #alert = createElement('p', { role: 'alert', tabindex: '-1' });
  readonly #progress = createElement('p', { role: 'status', class: 'quiet' });
  #isBusy = false;
  #isReady = false;

  constructor(
    readonly intent: Intent,
    private readonly offer: { readonly methods: AvailableMethods; readonly instrument: VisibleInstrument | null },
    actions: PayFormActions,
  ) {
    const { methods, instrument } = offer;
    this.#payerForm = new PayerForm(intent);
    this.#submitButton =
      instrument && createElement('button', { type: 'submit', disabled: true }, [getButtonText(intent)]);
    this.#walletButtons = createWalletButtons(methods.wallets, (wallet) => {
      if (!this.#isBusy && this.element.reportValidity())
        void actions.openWallet(wallet, this.#payerForm.readDetails());
    });
    this.element = this.#createElement();
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      // Enter in a card field also submits the form, even while the button is disabled.
      if (instrument !== null && this.#submitButton?.disabled === false)
        void actions.pay(instrument, this.#payerForm.readDetails());
    });
    this.updateSaving();
    this.#waitForFields();
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
    this.#setBusy(true);
    this.#alert.textContent = '';
    this.#progress.textContent = progress;
  }

  /** Shows why the try ended without a payment; another try may begin. */
  showError(message: string, invalidFields: readonly string[] = []): void {
    this.#setBusy(false);
    this.#progress.textContent = '';
    this.#alert.textContent = message;
    this.#payerForm.markInvalid(invalidFields);
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    for (const button of this.#walletButtons) button.disabled = isBusy;
    if (this.#submitButton !== null) this.#submitButton.disabled = isBusy || !this.#isReady;
  }

  #createElement(): HTMLFormElement {
    const { methods, instrument } = this.offer;
    const cancel = buildReturnUrl(this.intent.config.cancelUrl, this.intent);
    const fields =
      instrument && createElement('fieldset', {}, [createElement('legend', {}, ['Card']), instrument.element]);
    const wallets =
      this.#walletButtons.length === 0 ? null : createElement('div', { class: 'wallets' }, this.#walletButtons);
    return createElement('form', {}, [
      ...this.#payerForm.elements,
      wallets,
      fields,
      createAcceptedText(this.intent, methods),
      this.#alert,
      this.#progress,
      this.#submitButton,
      cancel === null ? null : createElement('a', { href: cancel }, ['Cancel and go back']),
    ]);
  }

  #waitForFields(): void {
    this.offer.instrument?.ready.then(
      () => {
        this.#isReady = true;
        this.#setBusy(this.#isBusy);
      },
      () => (this.#alert.textContent = FRAME_FAILED),
    );
  }
}

function getButtonText(intent: Intent): string {
  if (intent.kind === 'setup') return 'Register this card';
  return intent.config.details.showTotal ? `Pay ${formatMoney(intent.totalAmount)}` : 'Pay';
}
