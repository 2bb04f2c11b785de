import { CARD_FRAME_PATH, SAVED_CARD_FRAME_PATH } from '@pos/rest-contracts/card-vault';
import { readTheme } from '../branding/branding.js';
import { CardFrame, type FrameLook } from '../instruments/card-frame.js';
import type { VisibleInstrument } from '../instruments/payment-instrument.js';
import { SavedCardsInstrument } from '../instruments/saved-cards-instrument.js';
import { type AvailableMethods, findAvailableMethods, listSchemes } from '../service/available-methods.js';
import type { Intent } from '../service/intent.js';
import type { SavedCardOption } from '../service/payment-attempt.js';
import type { PaymentClient } from '../service/payment-client.js';
import type { ServiceUrls } from '../service/service-urls.js';
import { getText, getLocale } from '../texts/texts.js';
import { type AmountChangeOutcome, createAmountChoice } from './amount-choice.js';
import { PayForm } from './pay-form.js';

type FormActions = ConstructorParameters<typeof PayForm>[2] & {
  readonly changeTip: (value: number) => Promise<AmountChangeOutcome>;
  readonly changeAmount: (value: number) => Promise<AmountChangeOutcome>;
};

/** A form, and the frame in which a test card can be filled in. */
export interface CreatedForm {
  readonly form: PayForm;
  readonly cardFields: CardFrame | null;
}

/** Creates the form of an intent, with every method that this payer may use. */
export class PayFormFactory {
  constructor(
    private readonly service: PaymentClient,
    private readonly services: ServiceUrls,
    private readonly createActions: (form: () => PayForm) => FormActions,
  ) {}

  /** The form, or null where this page supports none of the intent's methods. */
  async createForm(intent: Intent): Promise<CreatedForm | null> {
    const methods = findAvailableMethods(intent, this.services.walletSheet);
    const savedCards = methods.savedCard ? await this.service.readSavedCards() : [];
    if (!methods.card && methods.wallets.length === 0 && savedCards.length === 0) return null;
    const getForm = (): PayForm => form;
    const cardFields = methods.card ? this.#createCardFields(intent, methods, getForm) : null;
    const instrument =
      savedCards.length === 0 ? cardFields : this.#createSavedCards({ intent, savedCards, cardFields }, getForm);
    const actions = this.createActions(getForm);
    const offer = { methods, instrument, createAmountChoice: (shown: Intent) => createAmountChoice(shown, actions) };
    const form: PayForm = new PayForm(intent, offer, actions);
    return { form, cardFields };
  }

  #createCardFields(intent: Intent, methods: AvailableMethods, form: () => PayForm): CardFrame {
    const look = { ...createLook(intent), schemes: listSchemes(intent, methods) };
    return new CardFrame(
      { address: `${this.services.vault}${CARD_FRAME_PATH}`, title: getText('cardFrame'), look },
      () => form().submitByEnter(),
    );
  }

  #createSavedCards(
    {
      intent,
      savedCards,
      cardFields,
    }: {
      readonly intent: Intent;
      readonly savedCards: readonly SavedCardOption[];
      readonly cardFields: CardFrame | null;
    },
    form: () => PayForm,
  ): VisibleInstrument {
    const code = {
      address: `${this.services.vault}${SAVED_CARD_FRAME_PATH}`,
      title: getText('codeFrame'),
      look: createLook(intent),
    };
    let isFormCreated = false;
    const instrument = new SavedCardsInstrument({
      ...{ savedCards, cardFields, reloadCards: () => this.service.readSavedCards(savedCards) },
      codeField: new CardFrame(code, () => form().submitByEnter()),
      onChoice: () => {
        if (isFormCreated) form().updateSaving();
      },
    });
    isFormCreated = true;
    return instrument;
  }
}

/** The frame has the language, the colour and the font of the page. */
function createLook(intent: Intent): FrameLook {
  return { language: getLocale().language, theme: readTheme(intent), schemes: [] };
}
