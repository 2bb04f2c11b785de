import { Controller } from '@nestjs/common';
import { CardSetups } from '@pos/payments/online';
import { presentSetup, readSetupRequest } from '@pos/rest-contracts/setup-intents';
import { createSetupIntentWithCard } from '@pos/rest-contracts/card-vault';
import { type OperationCall, StoredReply, Serve } from '@pos/service-kit/http';
import { IdempotentOperation } from '@pos/store/idempotency';
import { describeCard, type CardInput } from '../acquirer/card-input.js';
import { Vault } from '../vault/vault.js';
import { VaultDatabase } from './vault-database.js';
import { removeCardFromKey } from './idempotency-key.js';

/** Creates setup intents with a merchant's card number. It goes only to the acquirer and, encrypted, to the vault. */
@Controller()
export class SetupsController {
  constructor(
    private readonly store: VaultDatabase,
    private readonly setups: CardSetups,
    private readonly vault: Vault,
  ) {}

  @Serve(createSetupIntentWithCard)
  async create({ body, caller, idempotency }: OperationCall<typeof createSetupIntentWithCard>) {
    const { card: sent, ...setupBody } = body;
    const { cardNumber: number, expiryDate: expiry, cv2, cardName: name } = sent;
    const card: CardInput = { number, expiry, cv2, name };
    const request = readSetupRequest(setupBody);
    const idempotentRequest = {
      scope: caller.scope,
      idempotency: idempotency === null ? null : removeCardFromKey(idempotency),
      partners: caller,
    };
    const { database } = this.store;
    const storeCard = await this.vault.createCardWriter(number);
    const operation = new IdempotentOperation(database, idempotentRequest, {
      encodeResult: presentSetup,
      encodeRefusal: () => null,
    });
    const outcome = await operation.run({
      reserve: (tx) => this.setups.beginSetup(tx, request, { card: describeCard(card), storeCard }),
      execute: (reference, isRepeated) =>
        this.setups.authoriseCard(caller.scope, { reference, isRepeated }, (authorisation) =>
          this.vault.getAcquirer(authorisation).authorise(authorisation, card),
        ),
      getResult: (reader, reference) => this.setups.getResult(reader, reference),
    });
    if (outcome.kind === 'completed') return outcome.body;
    const { status, body: stored } = outcome.answer;
    return new StoredReply({ status, body: JSON.stringify(stored) }, true);
  }
}
