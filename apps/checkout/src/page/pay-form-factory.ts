import { CardFrame } from './card-frame.js';
import { createNoMethodView } from './views.js';
import type { Intent } from './intent.js';
import type { SavedCardOption, VisibleInstrument } from './payment-instrument.js';
import { PayForm } from './pay-form.js';
import type { Endpoints } from './endpoints.js';
import { SavedCardsInstrument } from './saved-cards-instrument.js';
import type { PaymentClient } from './payment-client.js';
import { type AvailableMethods, findAvailableMethods } from './available-methods.js';

type FormActions = ConstructorParameters<typeof PayForm>[2];

/** Creates the form of an intent, with every method that this payer may use. */
export class PayFormFactory {
  constructor(
    private readonly service: PaymentClient,
    private readonly endpoints: Endpoints,
    private readonly createActions: (form: () => PayForm) => FormActions,
  ) {}

  /** The form, or a message where this page supports none of the intent's methods. */
  async createForm(intent: Intent): Promise<PayForm | HTMLElement> {
    const methods = findAvailableMethods(intent, this.endpoints.walletSheet);
    const savedCards = methods.savedCard ? await this.service.readSavedCards() : [];
    if (!methods.card && methods.wallets.length === 0 && savedCards.length === 0) return createNoMethodView(intent);
    const form: PayForm = new PayForm(
      intent,
      { methods, instrument: this.#createInstrument(methods, savedCards, () => form) },
      this.createActions(() => form),
    );
    return form;
  }

  #createInstrument(
    methods: AvailableMethods,
    savedCards: readonly SavedCardOption[],
    form: () => PayForm,
  ): VisibleInstrument | null {
    const onEnter = (): void => form().submitByEnter();
    const cardFields = methods.card
      ? new CardFrame({ address: this.endpoints.cardFrame, title: 'Card details' }, onEnter)
      : null;
    if (savedCards.length === 0) return cardFields;
    let isFormCreated = false;
    const savedCardsInstrument = new SavedCardsInstrument({
      ...{ offered: savedCards, cardFields, reloadCards: () => this.service.readSavedCards(savedCards) },
      codeField: new CardFrame({ address: this.endpoints.savedCardFrame, title: 'Security code' }, onEnter),
      onChoice: () => {
        if (isFormCreated) form().updateSaving();
      },
    });
    isFormCreated = true;
    return savedCardsInstrument;
  }
}
