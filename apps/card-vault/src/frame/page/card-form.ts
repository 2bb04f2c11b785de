import {
  findScheme,
  formatExpiry,
  formatNumber,
  hasForeignCharacters,
  isCardNumber,
  isExpiryOutOfRange,
  isSecurityCode,
  readDigits,
  readExpiry,
} from './card-formats.js';
import { CardField } from './card-field.js';
import { applyTheme } from './frame-theme.js';
import type { FrameFields } from './frame-session.js';
import { chooseLanguage, type FrameTextName, getFrameText, isFrameLanguage } from './frame-texts.js';
import { createSchemeMark, filterSchemes } from './scheme-marks.js';
import { TEST_CARDS, TEST_NAME } from './test-cards.js';

const TEST_YEARS_AHEAD = 5;

type FieldName = 'cardNumber' | 'cardName' | 'expiryDate' | 'cV2';

/** The fields of a whole card, or the one field of a saved card. */
export class CardForm implements FrameFields {
  readonly element = document.createElement('form');
  readonly #marks = document.createElement('span');
  readonly #fields: ReadonlyMap<FieldName, CardField>;
  #language = chooseLanguage(navigator.languages);

  constructor(hasWholeCard: boolean) {
    this.#marks.className = 'marks';
    const code = new CardField('cV2', { inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: '8' });
    const fields = hasWholeCard ? [...createCardFields(this.#marks), code] : [code];
    this.#fields = new Map(fields.map((field) => [field.name as FieldName, field]));
    this.element.noValidate = true;
    this.element.autocomplete = 'on';
    this.element.append(...fields.map(({ element }) => element));
    for (const field of fields) {
      field.input.addEventListener('input', (event) => this.#handleInput(field, event));
      // An input method publishes its last input before or after this event, depending on the browser.
      field.input.addEventListener('compositionend', (event) => this.#handleInput(field, event));
      field.input.addEventListener('blur', () => this.#handleBlur(field));
    }
    this.#showTexts();
  }

  markWrong(isFocusAllowed: boolean): string[] {
    const wrong = [...this.#fields.values()].filter((field) => !this.#checkField(field));
    if (isFocusAllowed) wrong[0]?.input.focus();
    return wrong.map(({ name }) => name);
  }

  markRefused(names: readonly string[]): void {
    const refused = [...this.#fields.values()].filter(({ name }) => names.includes(name));
    for (const field of refused) field.showError(this.#getText(this.#getRefusedText(field.name as FieldName)));
    refused[0]?.input.focus();
  }

  isComplete(): boolean {
    return [...this.#fields.values()].every(({ value }) => value !== '');
  }

  readValues(): Record<string, string> {
    const values = Object.fromEntries([...this.#fields].map(([name, { value }]) => [name, value]));
    const expiryDate = readExpiry(values['expiryDate'] ?? '');
    return {
      ...values,
      ...mapValue(values, 'cardNumber', formatNumber),
      ...mapValue(values, 'cV2', readDigits),
      ...(expiryDate !== null && { expiryDate }),
    };
  }

  setDisabled(isDisabled: boolean): void {
    for (const { input } of this.#fields.values()) input.disabled = isDisabled;
  }

  clear(isPaid: boolean): void {
    for (const [name, field] of this.#fields) {
      if (isPaid || name === 'cV2') field.input.value = '';
      field.showError(null);
    }
    this.#showScheme();
  }

  focusFirst(): void {
    [...this.#fields.values()][0]?.input.focus();
  }

  applyLook({ language, theme, schemes }: Readonly<Record<string, unknown>>): void {
    if (isFrameLanguage(language)) this.#language = language;
    applyTheme(theme);
    this.#marks.replaceChildren(...filterSchemes(Array.isArray(schemes) ? schemes : []).map(createSchemeMark));
    this.#showTexts();
  }

  fillTestCard(name: string): void {
    const card = Object.hasOwn(TEST_CARDS, name) ? TEST_CARDS[name] : undefined;
    if (card === undefined || this.#fields.size === 1) return;
    const year = String((new Date().getFullYear() + TEST_YEARS_AHEAD) % 100);
    const values = { cardNumber: card.number, cardName: TEST_NAME, expiryDate: `12/${year}`, cV2: card.code };
    for (const [field, value] of Object.entries(values)) {
      const { input } = this.#fields.get(field as FieldName) ?? {};
      if (input === undefined) continue;
      input.value = value;
      // Formats the value, and publishes the change.
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }

  #handleInput(field: CardField, event: Event): void {
    // A value that is rewritten while an input method composes it is inserted twice or in parts.
    if (event instanceof InputEvent && event.isComposing) return;
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith('delete');
    const isDigitsOnly = field.name !== 'cardName';
    const hasLeftOut = isDigitsOnly && hasForeignCharacters(field.input.value);
    if (field.name === 'cardNumber') {
      rewriteInput(field.input, formatNumber);
      this.#showScheme();
    } else if (field.name === 'expiryDate') rewriteInput(field.input, (text) => formatExpiry(text, isDeleting));
    else if (field.name === 'cV2') rewriteInput(field.input, readDigits);
    field.showError(hasLeftOut ? this.#getText('digitsOnly') : null);
  }

  /** An empty field is only missing once the payer wants to pay. */
  #handleBlur(field: CardField): void {
    if (field.value === '') return;
    if (field.name === 'expiryDate') field.input.value = readExpiry(field.value) ?? field.value;
    this.#checkField(field);
  }

  #checkField(field: CardField): boolean {
    const problem = this.#findProblem(field.name as FieldName, field.value);
    field.showError(problem === null ? null : this.#getText(problem));
    return problem === null;
  }

  #findProblem(name: FieldName, value: string): FrameTextName | null {
    switch (name) {
      case 'cardNumber':
        return value === '' ? 'numberMissing' : isCardNumber(value) ? null : 'numberWrong';
      case 'cardName':
        return value === '' || isCardNumber(value) ? 'nameMissing' : null;
      case 'expiryDate': {
        const expiry = readExpiry(value);
        if (expiry === null) return 'expiryWrong';
        return isExpiryOutOfRange(expiry, new Date()) ? 'expiryPast' : null;
      }
      case 'cV2':
        return isSecurityCode(value, this.#getNumber()) ? null : this.#getRefusedText('cV2');
    }
  }

  #getRefusedText(name: FieldName): FrameTextName {
    if (name === 'cardNumber') return 'numberWrong';
    if (name === 'cardName') return 'nameMissing';
    if (name === 'expiryDate') return 'expiryWrong';
    const number = this.#getNumber();
    if (number === null) return 'codeWrong';
    return findScheme(number)?.securityCodeLength === 4 ? 'codeWrongFront' : 'codeWrongBack';
  }

  /** Null in the frame of a saved card. */
  #getNumber(): string | null {
    return this.#fields.get('cardNumber')?.value ?? null;
  }

  /** The sign of the typed number's scheme alone; before, all accepted ones. */
  #showScheme(): void {
    const scheme = findScheme(this.#getNumber() ?? '');
    const marks = [...this.#marks.children];
    const isAccepted = marks.some((mark) => mark.getAttribute('data-scheme') === scheme?.name);
    for (const mark of marks)
      mark.toggleAttribute('data-dimmed', isAccepted && mark.getAttribute('data-scheme') !== scheme?.name);
    this.#showCodeHint();
  }

  #showCodeHint(): void {
    const isFront = findScheme(this.#getNumber() ?? '')?.securityCodeLength === 4;
    const hint = this.#getNumber() === null ? '' : this.#getText(isFront ? 'codeHintFront' : 'codeHintBack');
    this.#fields.get('cV2')?.setTexts({ label: this.#getText('cV2'), hint });
  }

  #showTexts(): void {
    document.documentElement.lang = this.#language;
    for (const [name, field] of this.#fields) {
      const example = name === 'expiryDate' ? this.#getText('expiryExample') : '';
      field.setTexts({ label: this.#getText(name), example });
    }
    this.#showScheme();
  }

  #getText(name: FrameTextName): string {
    return getFrameText(this.#language, name);
  }
}

function createCardFields(marks: HTMLElement): CardField[] {
  // A browser cuts what is pasted at `maxlength` without a word, so there is room for blanks.
  return [
    new CardField('cardNumber', { inputmode: 'numeric', autocomplete: 'cc-number', maxlength: '60' }, marks),
    new CardField('cardName', { autocomplete: 'cc-name', maxlength: '100' }),
    new CardField('expiryDate', { inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: '14' }),
  ];
}

/** The member with its value rewritten; nothing in a frame without that field. */
function mapValue(
  values: Readonly<Record<string, string>>,
  name: FieldName,
  format: (text: string) => string,
): Record<string, string> {
  const value = values[name];
  return value === undefined ? {} : { [name]: format(value) };
}

/** Rewrites a value, and keeps the cursor after the same digit. */
function rewriteInput(input: HTMLInputElement, format: (text: string) => string): void {
  const { value, selectionStart } = input;
  const written = format(value);
  if (written === value) return;
  const cursor = selectionStart ?? value.length;
  const digitsBefore = readDigits(value.slice(0, cursor)).length;
  const isAtEnd = cursor === value.length;
  input.value = written;
  const place = isAtEnd ? written.length : findPlace(written, digitsBefore);
  input.setSelectionRange(place, place);
}

function findPlace(written: string, digitsBefore: number): number {
  let place = 0;
  for (let digits = 0; place < written.length && digits < digitsBefore; place += 1)
    if (/\d/.test(written.charAt(place))) digits += 1;
  return place;
}
