import type { CardFrame } from './card-frame.js';
import { element } from './elements.js';
import type { OfferedCard, ShownMeans, Try, TryResult } from './means.js';
import { SCHEMES } from './names.js';

/** What the choice is made of. */
interface Parts {
  readonly offered: readonly OfferedCard[];
  /** The security code of a saved card. */
  readonly code: CardFrame;
  /** A card that is typed; null where the payment takes none. */
  readonly typed: CardFrame | null;
  /** Asks once more which cards are offered. */
  readonly reread: () => Promise<readonly OfferedCard[]>;
  readonly onChoice: () => void;
}

/** The customer's saved cards and, beside them, another card. */
export class SavedCards implements ShownMeans {
  readonly element: HTMLElement;
  readonly ready: Promise<void>;
  readonly #list = element('div', { role: 'radiogroup', 'aria-label': 'Which card' });
  /** The id of the saved card; null is another card. */
  #chosen: string | null = null;

  constructor(private readonly parts: Parts) {
    const { offered, code, typed } = parts;
    this.element = element('div', {}, [this.#list, code.element, typed?.element ?? null]);
    this.ready = Promise.all([code.ready, typed?.ready]).then(() => undefined);
    this.#offer(offered);
  }

  get isNewCard(): boolean {
    return this.#chosen === null;
  }

  async submit({ secret, details }: Try): Promise<TryResult> {
    const { typed, code, reread } = this.parts;
    if (this.#chosen === null) return typed === null ? NOT_CHOSEN : typed.submit({ secret, details });
    const answer = await code.submit({ secret, details: { ...details, paymentMethodId: this.#chosen } });
    // Gone, expired, or offered no longer: what can be chosen is not what was shown.
    if (answer.result.statusCode === 401 || answer.fields.includes('paymentMethodId')) this.#offer(await reread());
    return answer;
  }

  #offer(offered: readonly OfferedCard[]): void {
    const another = this.parts.typed === null ? [] : [this.#radio(null, 'Another card')];
    const cards = offered.map(({ id, cardDetails }) => this.#radio(id, cardText(cardDetails)));
    this.#list.replaceChildren(...cards, ...another);
    this.#list.hidden = cards.length === 0;
    const first = this.#list.querySelector('input');
    if (first !== null) first.checked = true;
    this.#choose(offered[0]?.id ?? null);
  }

  #radio(id: string | null, text: string): HTMLElement {
    const input = element('input', { type: 'radio', name: 'savedCard', value: id ?? '' });
    input.addEventListener('change', () => this.#choose(id));
    return element('label', { class: 'box' }, [input, text]);
  }

  #choose(id: string | null): void {
    const { code, typed, onChoice } = this.parts;
    this.#chosen = id;
    code.element.hidden = id === null;
    if (typed !== null) typed.element.hidden = id !== null;
    onChoice();
  }
}

/** Where nothing is left to choose, nothing is sent. */
const NOT_CHOSEN: TryResult = {
  result: { statusCode: 400, message: '', authCode: '', transactionId: '' },
  fields: ['paymentMethodId'],
};

function cardText({ pan, expiryDate, scheme }: OfferedCard['cardDetails']): string {
  const [year = '', month = ''] = expiryDate.split('-');
  const name = scheme === undefined ? 'Card' : SCHEMES[scheme];
  return `${name} ${pan}, expires ${month}/${year.slice(2)}`;
}
