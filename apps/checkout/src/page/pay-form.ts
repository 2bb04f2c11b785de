import { CardFrame } from './card-frame.js';
import { element } from './elements.js';
import { type Intent, wayBack } from './intent.js';
import type { Means, PayerDetails } from './means.js';
import { moneyText } from './money-text.js';
import { PayerForm } from './payer-form.js';
import { accepted } from './summary.js';

const FRAME_FAILED = 'The card fields could not be loaded. Please load this page again.';

/** The form of an intent that is to be paid: what the payer fills in, a means to pay, and the button. */
export class PayForm {
  readonly element: HTMLFormElement;
  readonly means: Means;
  readonly #payer: PayerForm;
  readonly #button: HTMLButtonElement;
  readonly #alert = element('p', { role: 'alert', tabindex: '-1' });
  readonly #progress = element('p', { role: 'status', class: 'quiet' });

  constructor(
    readonly intent: Intent,
    cardFrame: string,
    onPay: (details: PayerDetails) => Promise<void>,
  ) {
    this.#payer = new PayerForm(intent);
    this.#button = element('button', { type: 'submit', disabled: true }, [buttonText(intent)]);
    const cancel = wayBack(intent.config.cancelUrl, intent);
    const fields = element('fieldset', {}, [element('legend', {}, ['Card'])]);
    this.means = new CardFrame(cardFrame, () => this.element.requestSubmit(this.#button));
    fields.append(this.means.element, accepted(intent));
    this.element = element('form', {}, [
      ...this.#payer.elements,
      fields,
      this.#alert,
      this.#progress,
      this.#button,
      cancel === null ? null : element('a', { href: cancel }, ['Cancel and go back']),
    ]);
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      // The button's state says whether a try runs: Enter in the frame comes here, too.
      if (!this.#button.disabled) void onPay(this.#payer.read());
    });
    this.means.ready.then(
      () => (this.#button.disabled = false),
      () => this.say(FRAME_FAILED),
    );
  }

  /** While a try runs nothing can be sent, and the payer is told so. */
  begin(progress: string): void {
    this.#button.disabled = true;
    this.#alert.textContent = '';
    this.#progress.textContent = progress;
  }

  /** The try has ended without a payment; another may begin. */
  again(message: string, wrong: readonly string[] = []): void {
    this.#button.disabled = false;
    this.#progress.textContent = '';
    this.say(message);
    this.#payer.mark(wrong);
  }

  say(message: string): void {
    this.#alert.textContent = message;
  }
}

function buttonText(intent: Intent): string {
  if (intent.kind === 'setup') return 'Register this card';
  return intent.config.details.showTotal ? `Pay ${moneyText(intent.totalAmount)}` : 'Pay';
}
