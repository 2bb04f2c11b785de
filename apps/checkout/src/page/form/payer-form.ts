import { createElement } from '../elements/element.js';
import { Field } from '../elements/field.js';
import type { Intent } from '../service/intent.js';
import type { PayerDetails } from '../service/payment-attempt.js';
import { getText } from '../texts/texts.js';
import { AddressFields } from './address-fields.js';

/** The inputs that the payer fills in beside the card: only those that the integrator requires. */
export class PayerForm {
  /** What comes before the card. */
  readonly contactElements: readonly HTMLElement[];
  /** What comes after the card. */
  readonly consentElements: readonly HTMLElement[];
  readonly #email: Field | null;
  readonly #billing: AddressFields | null;
  readonly #recipient: Field | null;
  readonly #shipping: AddressFields | null;
  readonly #save: Field | null;
  readonly #consent: Field | null;

  constructor(intent: Intent) {
    const { config, customer, billingAddress, shippingDetails } = intent;
    const { customerEmail, billingAddress: billing, shippingDetails: shipping } = config;
    this.#email = customerEmail.collectionRequired ? createEmailField(customer?.emailAddress) : null;
    this.#billing = billing.collectionRequired ? new AddressFields('billing', billingAddress) : null;
    this.#recipient = shipping.collectionRequired ? createRecipientField(shippingDetails?.name) : null;
    this.#shipping = shipping.collectionRequired ? new AddressFields('shipping', shippingDetails?.address) : null;
    this.#save = canSaveCard(intent)
      ? new Field(createElement('input', { type: 'checkbox', name: 'savePaymentMethod' }), {
          label: getText('saveCard'),
        })
      : null;
    this.#consent = intent.kind === 'setup' ? createConsentField() : null;
    this.contactElements = this.#createContactElements().filter((each) => each !== null);
    this.consentElements = [
      intent.kind === 'setup' ? createTerms(intent.terms) : null,
      this.#consent?.element ?? null,
      this.#save?.element ?? null,
    ].filter((each) => each !== null);
  }

  /** Shows what is missing or wrong, and returns the first input of it; null when all can be sent. */
  findInvalidInput(): HTMLElement | null {
    const invalid = this.#listFields().filter(({ field }) => !field.checkValue());
    return invalid[0]?.field.input ?? null;
  }

  readDetails(): PayerDetails {
    const shipping = this.#shipping?.readAddress();
    const billing = this.#billing?.readAddress();
    return {
      ...(this.#email !== null && { emailAddress: this.#email.input.value.trim() }),
      ...(billing !== undefined && { billingAddress: billing }),
      ...(shipping !== undefined && {
        shippingDetails: { name: this.#recipient?.input.value.trim() ?? '', address: shipping },
      }),
      ...(this.#save !== null && { savePaymentMethod: this.#save.input.checked }),
      ...(this.#consent !== null && { mitConsentGiven: this.#consent.input.checked }),
    };
  }

  /** A saved card, or a wallet's card, cannot be saved again. */
  setSavingOffered(isOffered: boolean): void {
    if (this.#save !== null) this.#save.element.hidden = !isOffered;
  }

  /** Marks the inputs of the members that the service refused, and focuses the first. */
  markInvalid(members: readonly string[]): void {
    const fields = this.#listFields();
    // An exact name first; else, the first input of a group that was refused as a whole.
    const refused = members.flatMap((member) => {
      const exact = fields.find((each) => each.member === member);
      return exact ?? fields.find((each) => each.member.split('.')[0] === member.split('.')[0]) ?? [];
    });
    for (const { field } of refused) field.showError(getText('fieldRefused'));
    refused[0]?.field.input.focus();
  }

  #listFields(): { readonly member: string; readonly field: Field }[] {
    const named: [string, Field | null][] = [
      ['emailAddress', this.#email],
      ['shippingDetails.name', this.#recipient],
      ...listAddressFields('billingAddress', this.#billing),
      ...listAddressFields('shippingDetails.address', this.#shipping),
      ['mitConsentGiven', this.#consent],
    ];
    return named.flatMap(([member, field]) => (field === null ? [] : [{ member, field }]));
  }

  #createContactElements(): (HTMLElement | null)[] {
    return [
      this.#email && createGroup(getText('contactLegend'), [this.#email.element]),
      this.#shipping &&
        createGroup(getText('deliveryAddress'), [this.#recipient?.element ?? null, this.#shipping.element]),
      this.#billing && createGroup(getText('billingAddress'), [this.#billing.element]),
    ];
  }
}

function listAddressFields(group: string, address: AddressFields | null): [string, Field][] {
  return (address?.listFields() ?? []).map((field): [string, Field] => {
    const member = field.input.name.split('.')[1] ?? '';
    return [`${group}.${member}`, field];
  });
}

/** A card is saved for a customer only. The card of a setup intent is stored anyway. */
function canSaveCard({ kind, customer }: Intent): boolean {
  return kind === 'payment' && customer?.customerId !== undefined;
}

function createEmailField(prefilled: string | undefined): Field {
  const input = createElement('input', {
    ...{ type: 'email', name: 'emailAddress', autocomplete: 'email', maxlength: '254', required: true },
    ...{ inputmode: 'email', value: prefilled ?? null },
  });
  return new Field(input, { label: getText('email'), hint: getText('emailHint'), wrong: 'emailWrong' });
}

function createRecipientField(prefilled: string | undefined): Field {
  const input = createElement('input', {
    ...{ name: 'recipient', autocomplete: 'shipping name', maxlength: '100', required: true },
    value: prefilled ?? null,
  });
  return new Field(input, { label: getText('recipient') });
}

function createConsentField(): Field {
  const input = createElement('input', { type: 'checkbox', name: 'mitConsentGiven', required: true });
  return new Field(input, { label: getText('consent'), missing: 'consentMissing' });
}

function createTerms(terms: string): HTMLElement {
  return createElement('div', { class: 'terms', tabindex: '0', role: 'region', 'aria-label': getText('terms') }, [
    terms,
  ]);
}

function createGroup(legend: string, children: readonly (HTMLElement | null)[]): HTMLElement {
  return createElement('fieldset', {}, [createElement('legend', {}, [legend]), ...children]);
}
