import { SCHEME_NAMES } from '@pos/web-ui/format';
import type { CardFrame } from './card-frame.js';
import { createElement } from '../elements/element.js';
import type { AttemptOutcome, PaymentAttempt, SavedCardOption } from '../service/payment-attempt.js';
import { getText } from '../texts/texts.js';
import type { VisibleInstrument } from './payment-instrument.js';

/** The offered cards, and the fields for a saved and for a new card. */
interface SavedCardsOptions {
  readonly savedCards: readonly SavedCardOption[];
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
  readonly #list = createElement('div', { role: 'radiogroup', class: 'options', 'aria-label': getText('whichCard') });
  /** The id of the saved card; null is another card. */
  #selectedId: string | null = null;

  constructor(private readonly parts: SavedCardsOptions) {
    const { savedCards, codeField, cardFields } = parts;
    this.element = createElement('div', { class: 'fields' }, [
      ...[this.#list, codeField.element, cardFields?.element ?? null],
    ]);
    this.#showCards(savedCards);
  }

  get isNewCard(): boolean {
    return this.#selectedId === null;
  }

  /** Ready with either of them: a saved card pays without the fields of a new one. */
  whenReady(onReady: () => void): void {
    let isReady = false;
    const reportOnce = (): void => {
      if (!isReady) onReady();
      isReady = true;
    };
    this.parts.codeField.whenReady(reportOnce);
    this.parts.cardFields?.whenReady(reportOnce);
  }

  checkFields(isFocusAllowed: boolean): Promise<boolean> {
    const { cardFields, codeField } = this.parts;
    const selected = this.#selectedId === null ? cardFields : codeField;
    return selected?.checkFields(isFocusAllowed) ?? Promise.resolve(true);
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
    const otherCard = this.parts.cardFields === null ? [] : [this.#createRadio(null, [getText('otherCard')])];
    const cards = savedCards.map(({ id, cardDetails }) => this.#createRadio(id, describeCard(cardDetails)));
    this.#list.replaceChildren(...cards, ...otherCard);
    this.#list.hidden = cards.length === 0;
    const first = this.#list.querySelector('input');
    if (first !== null) first.checked = true;
    this.#selectCard(savedCards[0]?.id ?? null);
  }

  #createRadio(id: string | null, texts: readonly (HTMLElement | string)[]): HTMLElement {
    const input = createElement('input', { type: 'radio', name: 'savedCard', value: id ?? '' });
    input.addEventListener('change', () => this.#selectCard(id));
    return createElement('label', { class: 'option' }, [input, createElement('span', { class: 'option-text' }, texts)]);
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

function describeCard({ pan, expiryDate, scheme }: SavedCardOption['cardDetails']): (HTMLElement | string)[] {
  const [year = '', month = ''] = expiryDate.split('-');
  const name = scheme === undefined ? getText('anyScheme') : SCHEME_NAMES[scheme];
  const expiry = getText('savedCardExpiry', { month, year: year.slice(2) });
  return [
    createElement('span', {}, [getText('savedCard', { scheme: name, last4: pan.slice(-4) })]),
    createElement('small', { class: 'quiet' }, [expiry]),
  ];
}
