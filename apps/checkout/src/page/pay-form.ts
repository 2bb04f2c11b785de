import { element } from './elements.js';
import { type Intent, wayBack } from './intent.js';
import type { Means, PayerDetails, ShownMeans } from './means.js';
import { moneyText } from './money-text.js';
import type { Wallet } from './names.js';
import { PayerForm } from './payer-form.js';
import { accepted } from './summary.js';
import { walletButtons } from './wallets.js';
import type { Ways } from './ways.js';

const FRAME_FAILED = 'The card fields could not be loaded. Please load this page again.';

/** What the payer does with the form. */
interface Acts {
  readonly pay: (means: Means, details: PayerDetails) => Promise<void>;
  readonly openWallet: (wallet: Wallet, details: PayerDetails) => Promise<void>;
}

/** The form of an intent that is to be paid: what the payer fills in, the means to pay, and the buttons. */
export class PayForm {
  readonly element: HTMLFormElement;
  readonly #payer: PayerForm;
  readonly #submit: HTMLButtonElement | null;
  readonly #wallets: readonly HTMLButtonElement[];
  readonly #alert = element('p', { role: 'alert', tabindex: '-1' });
  readonly #progress = element('p', { role: 'status', class: 'quiet' });
  #isBusy = false;
  #isReady = false;

  constructor(
    readonly intent: Intent,
    private readonly offer: { readonly ways: Ways; readonly shown: ShownMeans | null },
    acts: Acts,
  ) {
    const { shown, ways } = offer;
    this.#payer = new PayerForm(intent);
    this.#submit = shown && element('button', { type: 'submit', disabled: true }, [buttonText(intent)]);
    this.#wallets = walletButtons(ways.wallets, (wallet) => {
      if (!this.#isBusy && this.element.reportValidity()) void acts.openWallet(wallet, this.#payer.read());
    });
    this.element = this.#compose();
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      // Enter in the frame comes here, too, whatever the button says.
      if (shown !== null && this.#submit?.disabled === false) void acts.pay(shown, this.#payer.read());
    });
    this.follow();
    this.#awaitFields();
  }

  /** The payer has chosen another of the means that are shown. */
  follow(): void {
    this.#payer.offerSaving(this.offer.shown?.isNewCard ?? false);
  }

  /** The payer pressed Enter in a field that is not ours. */
  enter(): void {
    this.element.requestSubmit(this.#submit);
  }

  /** While a try runs nothing can be sent, and the payer is told so. */
  begin(progress: string): void {
    this.#setBusy(true);
    this.#alert.textContent = '';
    this.#progress.textContent = progress;
  }

  /** The try has ended without a payment; another may begin. */
  again(message: string, wrong: readonly string[] = []): void {
    this.#setBusy(false);
    this.#progress.textContent = '';
    this.#alert.textContent = message;
    this.#payer.mark(wrong);
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    for (const button of this.#wallets) button.disabled = isBusy;
    if (this.#submit !== null) this.#submit.disabled = isBusy || !this.#isReady;
  }

  #compose(): HTMLFormElement {
    const { ways, shown } = this.offer;
    const cancel = wayBack(this.intent.config.cancelUrl, this.intent);
    const fields = shown && element('fieldset', {}, [element('legend', {}, ['Card']), shown.element]);
    const wallets = this.#wallets.length === 0 ? null : element('div', { class: 'wallets' }, this.#wallets);
    return element('form', {}, [
      ...this.#payer.elements,
      wallets,
      fields,
      accepted(this.intent, ways),
      this.#alert,
      this.#progress,
      this.#submit,
      cancel === null ? null : element('a', { href: cancel }, ['Cancel and go back']),
    ]);
  }

  #awaitFields(): void {
    this.offer.shown?.ready.then(
      () => {
        this.#isReady = true;
        this.#setBusy(this.#isBusy);
      },
      () => (this.#alert.textContent = FRAME_FAILED),
    );
  }
}

function buttonText(intent: Intent): string {
  if (intent.kind === 'setup') return 'Register this card';
  return intent.config.details.showTotal ? `Pay ${moneyText(intent.totalAmount)}` : 'Pay';
}
