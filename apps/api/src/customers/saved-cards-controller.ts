import type { IncomingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { type Account, getCurrentMerchant } from '@pos/core/accounts';
import { requireValue } from '@pos/core/refusals';
import { findLastDay, type SavedCard } from '@pos/core/cards';
import type { CustomerId, Scope } from '@pos/core/identity';
import { AccountCache } from '@pos/payments/accounts';
import { authenticateCustomer, getCustomer, listOfferedCards, removeCardOfCustomer } from '@pos/payments/customers';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { present } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/payment-intents';
import { parseBasicCredential } from '@pos/service-kit/auth';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { listStoredCards } from '@pos/store/payments';
import { ApiDatabase } from '../database/api-database.js';

/** Lets customers, whose app sends their secret, and the merchant read and delete saved cards. */
@Controller()
export class SavedCardsController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly accounts: AccountCache,
    private readonly intents: PaymentIntents,
  ) {}

  @Serve(rest.readPaymentMethods)
  async read({ headers, params }: OperationCall<typeof rest.readPaymentMethods>) {
    const { scope, customerId } = await this.#authenticateCustomer(headers, params.customerId);
    return this.store.read(scope, async (reader) => {
      const cards = await listStoredCards(reader, customerId);
      return presentPaymentMethods(customerId, { account: await this.accounts.get(reader), scope }, cards);
    });
  }

  @Serve(rest.deletePaymentMethod)
  async remove({ headers, params }: OperationCall<typeof rest.deletePaymentMethod>) {
    const { scope, customerId } = await this.#authenticateCustomer(headers, params.customerId);
    const ownCard = { customerId, cardId: params.paymentMethodId };
    await this.store.database.transact(scope, (tx) => removeCardOfCustomer(tx, ownCard));
    return undefined;
  }

  @Serve(rest.listSavedCards)
  async list({ caller, params }: OperationCall<typeof rest.listSavedCards>) {
    const { scope } = caller;
    return this.store.read(scope, async (reader) => {
      const { id } = await getCustomer(reader, params.customerId);
      const cards = await listStoredCards(reader, id);
      return presentPaymentMethods(id, { account: await this.accounts.get(reader), scope }, cards);
    });
  }

  @Serve(rest.deleteSavedCard)
  async removeByMerchant(call: OperationCall<typeof rest.deleteSavedCard>) {
    const { customerId, paymentMethodId: cardId } = call.params;
    return this.store.runOnce<typeof rest.deleteSavedCard>(call, async (tx) => {
      const { id } = await getCustomer(tx, customerId);
      await removeCardOfCustomer(tx, { customerId: id, cardId });
      return undefined;
    });
  }

  @Serve(rest.readOfferedCards)
  async readOffered({ params }: OperationCall<typeof rest.readOfferedCards>) {
    const scope = await this.intents.findScope(this.store.database, params.paymentIntentId);
    return this.store.read(scope, async (reader) => {
      const { intent } = await this.intents.getPublic(reader, params.paymentIntentId);
      return { savedPaymentMethods: (await listOfferedCards(reader, intent)).map(presentCard) };
    });
  }

  async #authenticateCustomer({ authorization }: Readonly<IncomingHttpHeaders>, customerId: string) {
    const text = parseBasicCredential(authorization);
    const { scope, secret } = await authenticateCustomer(this.store.database, { text, customerId });
    return { scope, customerId: secret.customerId };
  }
}

function presentPaymentMethods(
  customerId: CustomerId,
  { account, scope: { environment } }: { readonly account: Account; readonly scope: Scope },
  cards: readonly SavedCard[],
): rest.PaymentMethods {
  const { cardSchemes, wallets } = account.settings.supportedPaymentMethods;
  return {
    customerId,
    merchantId: getCurrentMerchant(account, environment).merchantId,
    savedPaymentMethods: cards.map(presentCard),
    supportedPaymentMethods: { cardSchemes: [...cardSchemes], wallets: [...wallets] },
  };
}

function presentCard({ id, maskedNumber: pan, expiryMonth: month, expiryYear: year, scheme }: SavedCard) {
  const expiryDate = requireValue(findLastDay({ month, year }), 'a month');
  return { id, cardDetails: { pan, expiryDate, ...present({ scheme }) } };
}
