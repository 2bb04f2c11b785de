import { PAYER_OPERATIONS } from '../gen/payer-operations.js';
import { type ClientSettings, readSettings } from './client-settings.js';
import { createMethodMaker, type MethodMaker } from './method.js';

/** What a payer's browser may call, with the secret of the customer and without an API key. */
function createPayerResources(method: MethodMaker<keyof typeof PAYER_OPERATIONS>) {
  return {
    readPaymentIntent: method('readPublicPaymentIntent'),
    refreshPaymentSecret: method('refreshPublicClientSecret'),
    readOfferedCards: method('readOfferedCards'),
    changeTips: method('changePublicTips'),
    changeAmount: method('changePublicAmount'),
    sendReceipt: method('sendPublicReceipt'),
    readPaymentLink: method('readPaymentLink'),
    readSetupIntent: method('readPublicSetupIntent'),
    refreshSetupSecret: method('refreshPublicSetupSecret'),
    readPaymentMethods: method('readPaymentMethods'),
    deletePaymentMethod: method('deletePaymentMethod'),
  };
}

type Resources = ReturnType<typeof createPayerResources>;

/** A client for the page of a payer. It takes no API key, so a page cannot disclose one. */
export class PayerClient {
  readonly readPaymentIntent: Resources['readPaymentIntent'];
  readonly refreshPaymentSecret: Resources['refreshPaymentSecret'];
  readonly readOfferedCards: Resources['readOfferedCards'];
  readonly changeTips: Resources['changeTips'];
  readonly changeAmount: Resources['changeAmount'];
  readonly sendReceipt: Resources['sendReceipt'];
  readonly readPaymentLink: Resources['readPaymentLink'];
  readonly readSetupIntent: Resources['readSetupIntent'];
  readonly refreshSetupSecret: Resources['refreshSetupSecret'];
  readonly readPaymentMethods: Resources['readPaymentMethods'];
  readonly deletePaymentMethod: Resources['deletePaymentMethod'];

  constructor(settings: ClientSettings) {
    ({
      readPaymentIntent: this.readPaymentIntent,
      refreshPaymentSecret: this.refreshPaymentSecret,
      readOfferedCards: this.readOfferedCards,
      changeTips: this.changeTips,
      changeAmount: this.changeAmount,
      sendReceipt: this.sendReceipt,
      readPaymentLink: this.readPaymentLink,
      readSetupIntent: this.readSetupIntent,
      refreshSetupSecret: this.refreshSetupSecret,
      readPaymentMethods: this.readPaymentMethods,
      deletePaymentMethod: this.deletePaymentMethod,
    } = createPayerResources(createMethodMaker(readSettings(settings), PAYER_OPERATIONS)));
  }
}
