import type { PublicPaymentIntent } from '../gen/schemas.js';
import { COUNTRY_CODES } from './countries.js';
import { createElement } from './element.js';
import type { Texts } from './texts.js';

const COUNTRY_DEFAULT = 'GB';

type Control = HTMLInputElement | HTMLSelectElement;

/** An input with its name above it and its error below it. */
interface LabelledControl {
  readonly element: HTMLElement;
  readonly control: Control;
  readonly showError: (text: string) => void;
}

/** What a flow asks the payer beside the card: the mobile limits of the service, e-mail, country and postcode. */
export class PayerInputs {
  readonly elements: readonly HTMLElement[];
  readonly #email: LabelledControl | null;
  readonly #country: LabelledControl | null;
  readonly #postcode: LabelledControl | null;

  constructor(
    { config, customer, billingAddress }: PublicPaymentIntent,
    private readonly texts: Texts,
  ) {
    const { customerEmail, billingAddress: address } = config;
    const email = { type: 'email', autocomplete: 'email', maxlength: '254', value: customer?.emailAddress ?? '' };
    this.#email = customerEmail.collectionRequired ? createInput(texts.get('email'), email) : null;
    const code = billingAddress?.countryCode ?? guessCountry(texts);
    this.#country = address.collectionRequired ? createCountryInput(texts, code) : null;
    const postcode = { autocomplete: 'billing postal-code', maxlength: '50', value: billingAddress?.postcode ?? '' };
    this.#postcode = address.collectionRequired ? createInput(texts.get('postcode'), postcode) : null;
    this.elements = [this.#email, this.#country, this.#postcode].flatMap((each) =>
      each === null ? [] : [each.element],
    );
  }

  /** Whether the payer may pay; marks what is missing, and focuses the first. */
  check(): boolean {
    const wrong = [
      mark(this.#email, (value) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? '' : this.texts.get('emailWrong'))),
      mark(this.#postcode, (value) => (value === '' ? this.texts.get('fieldMissing') : '')),
    ].filter((each) => each !== null);
    wrong[0]?.control.focus();
    return wrong.length === 0;
  }

  /** The members of the submission. */
  readDetails(): Readonly<Record<string, unknown>> {
    const [email, countryCode, postcode] = [this.#email, this.#country, this.#postcode].map((each) =>
      each?.control.value.trim(),
    );
    return {
      ...(email !== undefined && { emailAddress: email }),
      ...(countryCode !== undefined && { billingAddress: { countryCode, postcode } }),
    };
  }
}

function mark(field: LabelledControl | null, findError: (value: string) => string): LabelledControl | null {
  if (field === null) return null;
  const error = findError(field.control.value.trim());
  field.showError(error);
  return error === '' ? null : field;
}

let lastId = 0;

function createLabelled(label: string, control: Control): LabelledControl {
  lastId += 1;
  const id = `input-${lastId}`;
  control.id = id;
  control.setAttribute('aria-describedby', `${id}-error`);
  const error = createElement('p', { id: `${id}-error` });
  const showError = (text: string): void => {
    error.textContent = text;
    control.toggleAttribute('aria-invalid', text !== '');
    if (text !== '') control.setAttribute('aria-invalid', 'true');
  };
  control.addEventListener('input', () => showError(''));
  const element = createElement('div', { class: 'input' }, [
    createElement('label', { for: id }, [label]),
    control,
    error,
  ]);
  return { element, control, showError };
}

function createInput(label: string, attributes: Readonly<Record<string, string>>): LabelledControl {
  return createLabelled(label, createElement('input', attributes));
}

function createCountryInput(texts: Texts, chosen: string): LabelledControl {
  const names = new Intl.DisplayNames([texts.locale], { type: 'region' });
  const options = COUNTRY_CODES.map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((first, second) => first.name.localeCompare(second.name, texts.locale))
    .map(({ code, name }) => createElement('option', { value: code, selected: code === chosen }, [name]));
  return createLabelled(texts.get('country'), createElement('select', { autocomplete: 'billing country' }, options));
}

function guessCountry({ locale }: Texts): string {
  const { region } = new Intl.Locale(locale).maximize();
  return region !== undefined && COUNTRY_CODES.includes(region) ? region : COUNTRY_DEFAULT;
}
