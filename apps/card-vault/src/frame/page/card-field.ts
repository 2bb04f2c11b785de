/** An input with its name above it, and its hint and its error below it. */
export class CardField {
  readonly element = document.createElement('div');
  readonly input = document.createElement('input');
  readonly #label = document.createElement('label');
  readonly #hint = document.createElement('p');
  readonly #error = document.createElement('p');

  constructor(
    readonly name: string,
    attributes: Readonly<Record<string, string>>,
    sign: HTMLElement | null = null,
  ) {
    const { input } = this;
    input.name = name;
    input.id = name;
    input.required = true;
    for (const [attribute, value] of Object.entries(attributes)) input.setAttribute(attribute, value);
    input.setAttribute('aria-describedby', `${name}-hint ${name}-error`);
    this.#label.htmlFor = name;
    this.#hint.id = `${name}-hint`;
    this.#hint.className = 'hint';
    this.#error.id = `${name}-error`;
    this.#error.className = 'error';
    const box = document.createElement('div');
    box.className = 'box';
    box.append(input, ...(sign === null ? [] : [sign]));
    this.element.className = `field field-${name}`;
    this.element.append(this.#label, box, this.#hint, this.#error);
  }

  get value(): string {
    return this.input.value.trim();
  }

  setTexts({ label, hint = '', example = '' }: { label: string; hint?: string; example?: string }): void {
    this.#label.textContent = label;
    this.#hint.textContent = hint;
    this.input.placeholder = example;
  }

  showError(text: string | null): void {
    this.#error.textContent = text ?? '';
    if (text === null) this.input.removeAttribute('aria-invalid');
    else this.input.setAttribute('aria-invalid', 'true');
  }
}
