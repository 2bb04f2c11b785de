import { AddressFields } from './address-fields.js';
import { element } from './elements.js';
import { labelled } from './fields.js';
import type { Intent } from './intent.js';
import type { PayerDetails } from './means.js';

/** What the payer fills in or ticks beside the card, as the integrator asks for it. */
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
    this.#email = customerEmail.collectionRequired ? emailInput(customer?.emailAddress) : null;
    this.#billing = billing.collectionRequired ? new AddressFields('billing', billingAddress) : null;
    this.#recipient = shipping.collectionRequired ? recipientInput(shippingDetails?.name) : null;
    this.#shipping = shipping.collectionRequired ? new AddressFields('shipping', shippingDetails?.address) : null;
    this.#save = canSave(intent) ? element('input', { type: 'checkbox', name: 'savePaymentMethod' }) : null;
    this.#saveBox = this.#save && box('Save this card for my next payment', this.#save);
    this.#consent =
      intent.kind === 'setup' ? element('input', { type: 'checkbox', name: 'mitConsentGiven', required: true }) : null;
    this.elements = this.#show().filter((each) => each !== null);
  }

  read(): PayerDetails {
    const shipping = this.#shipping?.read();
    const billing = this.#billing?.read();
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

  /** A card that is saved already, or that a wallet gives, is not saved once more. */
  offerSaving(isOffered: boolean): void {
    if (this.#saveBox !== null) this.#saveBox.hidden = !isOffered;
  }

  /** Says at the inputs which members the service did not take; the browser goes to the first of them. */
  mark(members: readonly string[]): void {
    const wrong = this.#inputs().filter(({ member }) => members.some((each) => each.split('.')[0] === member));
    for (const { input } of wrong) {
      input.setCustomValidity('Please check this.');
      input.addEventListener('input', () => input.setCustomValidity(''), { once: true });
    }
    wrong[0]?.input.reportValidity();
  }

  #inputs(): { readonly member: string; readonly input: HTMLInputElement }[] {
    const all: [string, HTMLInputElement | null | undefined][] = [
      ['emailAddress', this.#email],
      ['billingAddress', this.#billing?.first],
      ['shippingDetails', this.#shipping?.first],
      ['mitConsentGiven', this.#consent],
    ];
    return all.flatMap(([member, input]) => (input === null || input === undefined ? [] : [{ member, input }]));
  }

  #show(): (HTMLElement | null)[] {
    return [
      this.#email && labelled('E-mail address', this.#email),
      this.#billing && group('Billing address', this.#billing.elements),
      this.#shipping &&
        group('Delivery address', [
          ...(this.#recipient === null ? [] : [labelled('Name', this.#recipient)]),
          ...this.#shipping.elements,
        ]),
      this.intent.kind === 'setup'
        ? element('div', { class: 'terms', tabindex: '0', role: 'region', 'aria-label': 'Terms' }, [this.intent.terms])
        : null,
      this.#consent && box('I agree to these terms, and that my card may be charged later as they say.', this.#consent),
      this.#saveBox,
    ];
  }
}

/** A card is kept for a customer only, and the one for a later payment is kept anyway. */
function canSave({ kind, customer }: Intent): boolean {
  return kind === 'payment' && customer?.customerId !== undefined;
}

function emailInput(known: string | undefined): HTMLInputElement {
  return element('input', {
    ...{ type: 'email', name: 'emailAddress', autocomplete: 'email', maxlength: '254', required: true },
    value: known ?? null,
  });
}

function recipientInput(known: string | undefined): HTMLInputElement {
  return element('input', {
    ...{ name: 'recipient', autocomplete: 'shipping name', maxlength: '100', required: true },
    value: known ?? null,
  });
}

function group(legend: string, children: readonly HTMLElement[]): HTMLElement {
  return element('fieldset', {}, [element('legend', {}, [legend]), ...children]);
}

function box(text: string, input: HTMLInputElement): HTMLElement {
  return element('label', { class: 'box' }, [input, text]);
}
