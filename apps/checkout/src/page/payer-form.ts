import { AddressFields } from './address-fields.js';
import { createElement } from './element.js';
import { createLabel } from './label.js';
import type { Intent } from './intent.js';
import type { PayerDetails } from './payment-instrument.js';

/** The payer's details and consents beside the card, as the integrator requires them. */
export class PayerForm {
  readonly elements: readonly HTMLElement[];
  readonly #email: HTMLInputElement | null;
  readonly #billing: AddressFields | null;
  readonly #recipient: HTMLInputElement | null;
  readonly #shipping: AddressFields | null;
  readonly #save: HTMLInputElement | null;
  readonly #saveBox: HTMLElement | null;
  readonly #consent: HTMLInputElement | null;

  constructor(private readonly intent: Intent) {
    const { config, customer, billingAddress, shippingDetails } = intent;
    const { customerEmail, billingAddress: billing, shippingDetails: shipping } = config;
    this.#email = customerEmail.collectionRequired ? createEmailInput(customer?.emailAddress) : null;
    this.#billing = billing.collectionRequired ? new AddressFields('billing', billingAddress) : null;
    this.#recipient = shipping.collectionRequired ? createRecipientInput(shippingDetails?.name) : null;
    this.#shipping = shipping.collectionRequired ? new AddressFields('shipping', shippingDetails?.address) : null;
    this.#save = canSaveCard(intent) ? createElement('input', { type: 'checkbox', name: 'savePaymentMethod' }) : null;
    this.#saveBox = this.#save && createCheckbox('Save this card for my next payment', this.#save);
    this.#consent =
      intent.kind === 'setup'
        ? createElement('input', { type: 'checkbox', name: 'mitConsentGiven', required: true })
        : null;
    this.elements = this.#createElements().filter((each) => each !== null);
  }

  readDetails(): PayerDetails {
    const shipping = this.#shipping?.readAddress();
    const billing = this.#billing?.readAddress();
    return {
      ...(this.#email !== null && { emailAddress: this.#email.value.trim() }),
      ...(billing !== undefined && { billingAddress: billing }),
      ...(shipping !== undefined && {
        shippingDetails: { name: this.#recipient?.value.trim() ?? '', address: shipping },
      }),
      ...(this.#save !== null && { savePaymentMethod: this.#save.checked }),
      ...(this.#consent !== null && { mitConsentGiven: this.#consent.checked }),
    };
  }

  /** A saved card, or a wallet's card, cannot be saved again. */
  setSavingOffered(isOffered: boolean): void {
    if (this.#saveBox !== null) this.#saveBox.hidden = !isOffered;
  }

  /** Marks the inputs of the members that the service refused, and focuses the first. */
  markInvalid(members: readonly string[]): void {
    const invalid = this.#listInputs().filter(({ member }) => members.some((each) => each.split('.')[0] === member));
    for (const { input } of invalid) {
      input.setCustomValidity('Please check this.');
      input.addEventListener('input', () => input.setCustomValidity(''), { once: true });
    }
    invalid[0]?.input.reportValidity();
  }

  #listInputs(): { readonly member: string; readonly input: HTMLInputElement }[] {
    const all: [string, HTMLInputElement | null | undefined][] = [
      ['emailAddress', this.#email],
      ['billingAddress', this.#billing?.firstInput],
      ['shippingDetails', this.#shipping?.firstInput],
      ['mitConsentGiven', this.#consent],
    ];
    return all.flatMap(([member, input]) => (input === null || input === undefined ? [] : [{ member, input }]));
  }

  #createElements(): (HTMLElement | null)[] {
    return [
      this.#email && createLabel('E-mail address', this.#email),
      this.#billing && createGroup('Billing address', this.#billing.elements),
      this.#shipping &&
        createGroup('Delivery address', [
          ...(this.#recipient === null ? [] : [createLabel('Name', this.#recipient)]),
          ...this.#shipping.elements,
        ]),
      this.intent.kind === 'setup'
        ? createElement('div', { class: 'terms', tabindex: '0', role: 'region', 'aria-label': 'Terms' }, [
            this.intent.terms,
          ])
        : null,
      this.#consent &&
        createCheckbox('I agree to these terms, and that my card may be charged later as they say.', this.#consent),
      this.#saveBox,
    ];
  }
}

/** A card is saved for a customer only. The card of a setup intent is stored anyway. */
function canSaveCard({ kind, customer }: Intent): boolean {
  return kind === 'payment' && customer?.customerId !== undefined;
}

function createEmailInput(prefilled: string | undefined): HTMLInputElement {
  return createElement('input', {
    ...{ type: 'email', name: 'emailAddress', autocomplete: 'email', maxlength: '254', required: true },
    value: prefilled ?? null,
  });
}

function createRecipientInput(prefilled: string | undefined): HTMLInputElement {
  return createElement('input', {
    ...{ name: 'recipient', autocomplete: 'shipping name', maxlength: '100', required: true },
    value: prefilled ?? null,
  });
}

function createGroup(legend: string, children: readonly HTMLElement[]): HTMLElement {
  return createElement('fieldset', {}, [createElement('legend', {}, [legend]), ...children]);
}

function createCheckbox(text: string, input: HTMLInputElement): HTMLElement {
  return createElement('label', { class: 'box' }, [input, text]);
}
