import { createElement } from './element.js';
import { createLabel } from './label.js';
import type { PayerDetails } from './payment-instrument.js';

type Address = NonNullable<PayerDetails['billingAddress']>;

/** Codes with a display name in browsers that are no postal countries. */
const NOT_POSTAL_REGIONS = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
const COUNTRY_DEFAULT = 'GB';
const LINE_LENGTH_MAX = 100;
const POSTCODE_LENGTH_MAX = 50;

/** The inputs of one address. */
export class AddressFields {
  readonly elements: readonly HTMLElement[];
  readonly firstInput: HTMLInputElement;
  readonly #lines: Readonly<Record<'address1' | 'address2' | 'city' | 'postcode', HTMLInputElement>>;
  readonly #country: HTMLSelectElement;

  constructor(purpose: 'billing' | 'shipping', prefilled: Partial<Address> = {}) {
    const createInput = (member: keyof Address, autocomplete: string, required: boolean): HTMLInputElement =>
      createElement('input', {
        ...{ name: `${purpose}.${member}`, autocomplete: `${purpose} ${autocomplete}`, required },
        maxlength: String(member === 'postcode' ? POSTCODE_LENGTH_MAX : LINE_LENGTH_MAX),
        value: prefilled[member] ?? null,
      });
    this.#lines = {
      address1: createInput('address1', 'address-line1', true),
      address2: createInput('address2', 'address-line2', false),
      city: createInput('city', 'address-level2', true),
      postcode: createInput('postcode', 'postal-code', true),
    };
    this.#country = createCountrySelect(purpose, prefilled.countryCode ?? COUNTRY_DEFAULT);
    this.firstInput = this.#lines.address1;
    this.elements = [
      createLabel('Address', this.#lines.address1),
      createLabel('Address, continued (optional)', this.#lines.address2),
      createLabel('Town or city', this.#lines.city),
      createLabel('Postcode', this.#lines.postcode),
      createLabel('Country', this.#country),
    ];
  }

  readAddress(): Address {
    const filled = Object.entries(this.#lines).flatMap(([member, { value }]): [string, string][] =>
      value.trim() === '' ? [] : [[member, value.trim()]],
    );
    return { ...Object.fromEntries(filled), countryCode: this.#country.value };
  }
}

function createCountrySelect(purpose: string, chosen: string): HTMLSelectElement {
  const options = listCountries().map(([code, name]) =>
    createElement('option', { value: code, selected: code === chosen }, [name]),
  );
  return createElement('select', { name: `${purpose}.countryCode`, autocomplete: `${purpose} country` }, options);
}

/** Every code of two letters that the browser has a name for, by name. */
function listCountries(): [string, string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .filter((code) => !NOT_POSTAL_REGIONS.has(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      return name === undefined ? [] : [[code, name]];
    })
    .sort(([, firstName], [, secondName]) => firstName.localeCompare(secondName));
}
