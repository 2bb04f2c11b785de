import { CARD_SCHEME_NAMES } from '../gen/card-schemes.js';
import type { FlowOffer } from '../flow/flow-state.js';
import type { SavedCard } from '../flow/payment-service.js';
import type { PaymentTheme } from '../flow/theme.js';
import { CardFieldsFrame } from './card-fields-frame.js';
import { createElement } from './element.js';
import type { Texts } from './texts.js';

interface CardChoiceOptions {
  readonly offer: FlowOffer;
  readonly texts: Texts;
  readonly theme: PaymentTheme;
  readonly onEnter: () => void;
}

/** The saved cards and another card, with the frame of the chosen one. */
export class CardChoice {
  readonly elements: readonly HTMLElement[];
  readonly #cardFields: CardFieldsFrame | null;
  readonly #codeField: CardFieldsFrame | null;
  readonly #save: HTMLInputElement;
  readonly #saveLabel: HTMLElement;
  /** The id of the saved card; null is another card. */
  #selectedId: string | null = null;

  constructor(private readonly parts: CardChoiceOptions) {
    const { offer, texts } = parts;
    const { savedCards, acceptsCard, fields } = offer;
    this.#cardFields = acceptsCard ? this.#createFrame(fields.cardFields, false) : null;
    this.#codeField = savedCards.length > 0 ? this.#createFrame(fields.securityCode, true) : null;
    this.#save = createElement('input', { type: 'checkbox' });
    this.#saveLabel = createElement('label', { class: 'check' }, [this.#save, texts.get('saveCard')]);
    const radios = savedCards.map((card, index) => this.#createRadio(card.id, describeCard(card, texts), index === 0));
    const other =
      acceptsCard && savedCards.length > 0 ? [this.#createRadio(null, [texts.get('otherCard')], false)] : [];
    const list = createElement(
      'div',
      { class: 'options', role: 'radiogroup', 'aria-label': texts.get('whichCard'), hidden: savedCards.length === 0 },
      [...radios, ...other],
    );
    const frames = [this.#codeField, this.#cardFields].flatMap((each) => (each === null ? [] : [each.element]));
    this.elements = [list, ...frames, this.#saveLabel];
    this.#select(savedCards[0]?.id ?? null);
  }

  /** The frame of the chosen card. */
  get frame(): CardFieldsFrame | null {
    return this.#selectedId === null ? this.#cardFields : this.#codeField;
  }

  /** Whether every frame works that the payer may need. */
  async whenReady(): Promise<boolean> {
    const frames = [this.#cardFields, this.#codeField].filter((each) => each !== null);
    const states = await Promise.all(frames.map(({ whenReady }) => whenReady));
    return states.every(Boolean);
  }

  /** The members of the submission that the choice decides. */
  readDetails(): Readonly<Record<string, unknown>> {
    if (this.#selectedId !== null) return { paymentMethodId: this.#selectedId };
    return this.parts.offer.canSaveCard ? { savePaymentMethod: this.#save.checked } : {};
  }

  remove(): void {
    this.#cardFields?.remove();
    this.#codeField?.remove();
  }

  #createFrame(address: string, isCodeOnly: boolean): CardFieldsFrame {
    const { texts, theme, offer, onEnter } = this.parts;
    const schemes = offer.intent.merchantConfig.supportedPaymentMethods.cardSchemes;
    const title = texts.get(isCodeOnly ? 'codeFrame' : 'cardFrame');
    const look = { language: texts.language, theme, schemes };
    return new CardFieldsFrame({ address, title, isCodeOnly, look }, { onEnter });
  }

  #createRadio(id: string | null, texts: readonly (HTMLElement | string)[], isChecked: boolean): HTMLElement {
    const radio = createElement('input', { type: 'radio', name: 'card', value: id ?? '', checked: isChecked });
    radio.addEventListener('change', () => this.#select(id));
    return createElement('label', { class: 'option' }, [radio, createElement('span', {}, texts)]);
  }

  #select(id: string | null): void {
    this.#selectedId = id;
    if (this.#codeField !== null) this.#codeField.element.hidden = id === null;
    if (this.#cardFields !== null) this.#cardFields.element.hidden = id !== null;
    this.#saveLabel.hidden = id !== null || !this.parts.offer.canSaveCard;
  }
}

function describeCard({ cardDetails: { pan, expiryDate, scheme } }: SavedCard, texts: Texts): (HTMLElement | string)[] {
  const [year = '', month = ''] = expiryDate.split('-');
  const name = CARD_SCHEME_NAMES.get(scheme ?? '') ?? texts.get('anyScheme');
  const expires = texts.get('expires', { month, year: year.slice(2) });
  return [texts.get('savedCard', { scheme: name, last4: pan.slice(-4) }), createElement('small', {}, [expires])];
}
