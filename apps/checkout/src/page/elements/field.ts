import { createElement } from './element.js';
import type { TextName } from '../texts/english.js';
import { getText } from '../texts/texts.js';

type Input = HTMLInputElement | HTMLSelectElement;

interface FieldOptions {
  readonly label: string;
  readonly hint?: string;
  /** The text for an input whose form is wrong, such as an e-mail address. */
  readonly wrong?: TextName;
  readonly missing?: TextName;
}

let lastNumber = 0;

/** An input with its name above it and its own error below it. */
export class Field<I extends Input = HTMLInputElement> {
  readonly element: HTMLElement;
  readonly #error: HTMLElement;
  readonly #label: HTMLElement;

  constructor(
    readonly input: I,
    private readonly fieldOptions: FieldOptions,
  ) {
    lastNumber += 1;
    const id = `field-${lastNumber}`;
    const hint =
      fieldOptions.hint === undefined
        ? null
        : createElement('p', { class: 'hint', id: `${id}-hint` }, [fieldOptions.hint]);
    this.#error = createElement('p', { class: 'field-error', id: `${id}-error` });
    this.#label = createElement('span', {}, [fieldOptions.label]);
    input.id = id;
    input.setAttribute('aria-describedby', hint === null ? `${id}-error` : `${id}-hint ${id}-error`);
    const isBox = input instanceof HTMLInputElement && input.type === 'checkbox';
    this.element = createElement('div', { class: isBox ? 'field-box' : 'field' }, [
      createElement('label', { for: id }, isBox ? [input, this.#label] : [this.#label]),
      isBox ? null : input,
      hint,
      this.#error,
    ]);
    input.addEventListener('input', () => this.showError(null));
    input.addEventListener('change', () => this.showError(null));
    // An empty field is only missing once the payer wants to pay.
    input.addEventListener('blur', () => {
      if (input.value !== '' && !input.validity.valid) this.checkValue();
    });
  }

  setLabel(label: string): void {
    this.#label.textContent = label;
  }

  /** Whether the value may be sent; shows why it may not. */
  checkValue(): boolean {
    const { valid, valueMissing } = this.input.validity;
    const isBlank = this.input.required && this.input.value.trim() === '';
    if (valid && !isBlank) return true;
    const { missing = 'fieldMissing', wrong = 'fieldRefused' } = this.fieldOptions;
    this.showError(getText(valueMissing || isBlank ? missing : wrong));
    return false;
  }

  showError(text: string | null): void {
    this.#error.textContent = text ?? '';
    if (text === null) this.input.removeAttribute('aria-invalid');
    else this.input.setAttribute('aria-invalid', 'true');
  }
}
