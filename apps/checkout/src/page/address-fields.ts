import { element } from './elements.js';
import { labelled } from './fields.js';
import type { PayerDetails } from './means.js';

type Address = NonNullable<PayerDetails['billingAddress']>;

/** What no letter can be sent to, although browsers have a name for it. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);
const COUNTRY_DEFAULT = 'GB';
const LINE_LENGTH_MAX = 100;
const POSTCODE_LENGTH_MAX = 50;

/** The inputs of one address. */
export class AddressFields {
  readonly elements: readonly HTMLElement[];
  readonly first: HTMLInputElement;
  readonly #lines: Readonly<Record<'address1' | 'address2' | 'city' | 'postcode', HTMLInputElement>>;
  readonly #country: HTMLSelectElement;

  constructor(purpose: 'billing' | 'shipping', known: Partial<Address> = {}) {
    const line = (member: keyof Address, autocomplete: string, required: boolean): HTMLInputElement =>
      element('input', {
        ...{ name: `${purpose}.${member}`, autocomplete: `${purpose} ${autocomplete}`, required },
        maxlength: String(member === 'postcode' ? POSTCODE_LENGTH_MAX : LINE_LENGTH_MAX),
        value: known[member] ?? null,
      });
    this.#lines = {
      address1: line('address1', 'address-line1', true),
      address2: line('address2', 'address-line2', false),
      city: line('city', 'address-level2', true),
      postcode: line('postcode', 'postal-code', true),
    };
    this.#country = countrySelect(purpose, known.countryCode ?? COUNTRY_DEFAULT);
    this.first = this.#lines.address1;
    this.elements = [
      labelled('Address', this.#lines.address1),
      labelled('Address, continued (optional)', this.#lines.address2),
      labelled('Town or city', this.#lines.city),
      labelled('Postcode', this.#lines.postcode),
      labelled('Country', this.#country),
    ];
  }

  read(): Address {
    const filled = Object.entries(this.#lines).flatMap(([member, { value }]): [string, string][] =>
      value.trim() === '' ? [] : [[member, value.trim()]],
    );
    return { ...Object.fromEntries(filled), countryCode: this.#country.value };
  }
}

function countrySelect(purpose: string, chosen: string): HTMLSelectElement {
  const options = countries().map(([code, name]) =>
    element('option', { value: code, selected: code === chosen }, [name]),
  );
  return element('select', { name: `${purpose}.countryCode`, autocomplete: `${purpose} country` }, options);
}

/** Every code of two letters that the browser has a name for, by name. */
function countries(): [string, string][] {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  return letters
    .flatMap((first) => letters.map((second) => `${first}${second}`))
    .filter((code) => !NO_COUNTRIES.has(code))
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      return name === undefined ? [] : [[code, name]];
    })
    .sort(([, one], [, other]) => one.localeCompare(other));
}
