import { createElement } from '../elements/element.js';
import { Field } from '../elements/field.js';
import type { PayerDetails } from '../service/payment-attempt.js';
import { getAddressForm, guessCountry, listCountries } from '../texts/countries.js';
import { getText } from '../texts/texts.js';

type Address = NonNullable<PayerDetails['billingAddress']>;
type LineName = 'address1' | 'address2' | 'city' | 'state' | 'postcode';

const LINE_LENGTH_MAX = 100;
const POSTCODE_LENGTH_MAX = 50;

/** The inputs of one address, in the form of its country. */
export class AddressFields {
  readonly element: HTMLElement;
  readonly #country: Field<HTMLSelectElement>;
  readonly #lines: Readonly<Record<LineName, Field>>;

  constructor(purpose: 'billing' | 'shipping', prefilled: Partial<Address> = {}) {
    const createLine = (member: LineName, autocomplete: string): Field => {
      const input = createElement('input', {
        ...{ name: `${purpose}.${member}`, autocomplete: `${purpose} ${autocomplete}` },
        maxlength: String(member === 'postcode' ? POSTCODE_LENGTH_MAX : LINE_LENGTH_MAX),
        value: prefilled[member] ?? null,
      });
      return new Field(input, { label: getText(member) });
    };
    this.#country = new Field(createCountrySelect(purpose, prefilled.countryCode ?? guessCountry()), {
      label: getText('country'),
    });
    this.#lines = {
      address1: createLine('address1', 'address-line1'),
      address2: createLine('address2', 'address-line2'),
      city: createLine('city', 'address-level2'),
      state: createLine('state', 'address-level1'),
      postcode: createLine('postcode', 'postal-code'),
    };
    const { address1, address2, city, state, postcode } = this.#lines;
    for (const each of [address1, city]) each.input.required = true;
    const town = createElement('div', { class: 'pair' }, [city.element, postcode.element]);
    this.element = createElement('div', { class: 'fields' }, [
      ...[this.#country.element, address1.element, address2.element, town, state.element],
    ]);
    this.#country.input.addEventListener('change', () => this.#applyCountry(town));
    this.#applyCountry(town);
  }

  listFields(): Field[] {
    return Object.values(this.#lines).filter(({ element }) => !element.hidden);
  }

  readAddress(): Address {
    const filled = Object.entries(this.#lines).flatMap(([member, { input, element }]): [string, string][] =>
      element.hidden || input.value.trim() === '' ? [] : [[member, input.value.trim()]],
    );
    return { ...Object.fromEntries(filled), countryCode: this.#country.input.value };
  }

  /** Names and orders the lines as in the chosen country. */
  #applyCountry(town: HTMLElement): void {
    const { city, state, postcode } = this.#lines;
    const form = getAddressForm(this.#country.input.value);
    postcode.setLabel(getText(form.postcodeName));
    postcode.input.required = form.isPostcodeRequired;
    postcode.showError(null);
    state.element.hidden = form.stateName === null;
    state.input.required = form.stateName !== null;
    state.setLabel(getText(form.stateName ?? 'state'));
    town.append(...(form.isPostcodeFirst ? [postcode.element, city.element] : [city.element, postcode.element]));
  }
}

function createCountrySelect(purpose: string, chosen: string): HTMLSelectElement {
  const options = listCountries().map(([code, name]) =>
    createElement('option', { value: code, selected: code === chosen }, [name]),
  );
  return createElement('select', { name: `${purpose}.countryCode`, autocomplete: `${purpose} country` }, options);
}
