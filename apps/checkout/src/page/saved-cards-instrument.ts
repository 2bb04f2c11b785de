import type { CardFrame } from './card-frame.js';
import { createElement } from './element.js';
import type { SavedCardOption, VisibleInstrument, PaymentAttempt, AttemptOutcome } from './payment-instrument.js';
import { SCHEME_NAMES } from './display-names.js';

/** The offered cards, and the fields for a saved and for a new card. */
interface SavedCardsOptions {
  readonly offered: readonly SavedCardOption[];
  /** The security code of a saved card. */
  readonly codeField: CardFrame;
  /** The fields of a new card; null where the payment accepts none. */
  readonly cardFields: CardFrame | null;
  /** Reads the offered cards again. */
  readonly reloadCards: () => Promise<readonly SavedCardOption[]>;
  readonly onChoice: () => void;
}

/** The customer's saved cards and, beside them, another card. */
export class SavedCardsInstrument implements VisibleInstrument {
  readonly element: HTMLElement;
  readonly ready: Promise<void>;
  readonly #list = createElement('div', { role: 'radiogroup', 'aria-label': 'Which card' });
  /** The id of the saved card; null is another card. */
  #selectedId: string | null = null;

  constructor(private readonly parts: SavedCardsOptions) {
    const { offered: savedCards, codeField, cardFields } = parts;
    this.element = createElement('div', {}, [this.#list, codeField.element, cardFields?.element ?? null]);
    this.ready = Promise.all([codeField.ready, cardFields?.ready]).then(() => undefined);
    this.#showCards(savedCards);
  }

  get isNewCard(): boolean {
    return this.#selectedId === null;
  }

  async submitAttempt({ secret, details }: PaymentAttempt): Promise<AttemptOutcome> {
    const { cardFields, codeField, reloadCards } = this.parts;
    if (this.#selectedId === null)
      return cardFields === null ? NOTHING_SELECTED : cardFields.submitAttempt({ secret, details });
    const answer = await codeField.submitAttempt({
      secret,
      details: { ...details, paymentMethodId: this.#selectedId },
    });
    // The card was deleted, has expired, or is no longer offered, so the visible choice is outdated.
    if (answer.result.statusCode === 401 || answer.fields.includes('paymentMethodId'))
      this.#showCards(await reloadCards());
    return answer;
  }

  #showCards(savedCards: readonly SavedCardOption[]): void {
    const otherCard = this.parts.cardFields === null ? [] : [this.#createRadio(null, 'Another card')];
    const cards = savedCards.map(({ id, cardDetails }) => this.#createRadio(id, formatCard(cardDetails)));
    this.#list.replaceChildren(...cards, ...otherCard);
    this.#list.hidden = cards.length === 0;
    const first = this.#list.querySelector('input');
    if (first !== null) first.checked = true;
    this.#selectCard(savedCards[0]?.id ?? null);
  }

  #createRadio(id: string | null, text: string): HTMLElement {
    const input = createElement('input', { type: 'radio', name: 'savedCard', value: id ?? '' });
    input.addEventListener('change', () => this.#selectCard(id));
    return createElement('label', { class: 'box' }, [input, text]);
  }

  #selectCard(id: string | null): void {
    const { codeField, cardFields, onChoice } = this.parts;
    this.#selectedId = id;
    codeField.element.hidden = id === null;
    if (cardFields !== null) cardFields.element.hidden = id !== null;
    onChoice();
  }
}

/** The outcome without any selected card; nothing is sent. */
const NOTHING_SELECTED: AttemptOutcome = {
  result: { statusCode: 400, message: '', authCode: '', transactionId: '' },
  fields: ['paymentMethodId'],
};

function formatCard({ pan, expiryDate, scheme }: SavedCardOption['cardDetails']): string {
  const [year = '', month = ''] = expiryDate.split('-');
  const name = scheme === undefined ? 'Card' : SCHEME_NAMES[scheme];
  return `${name} ${pan}, expires ${month}/${year.slice(2)}`;
}
