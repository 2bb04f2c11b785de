import { Controller } from '@nestjs/common';
import { isId } from '@pos/core/identity';
import { PaymentIntents, type PaymentLinkView } from '@pos/payments/payment-intents';
import { SetupIntents } from '@pos/payments/setup-intents';
import { presentBranding } from '@pos/rest-contracts/intent-parts';
import { type PaymentLink, readPaymentLink } from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { ApiDatabase } from '../database/api-database.js';

/** Serves a payer whose link has ended: says why, and whose it was. */
@Controller()
export class PaymentLinksController {
  constructor(
    private readonly store: ApiDatabase,
    private readonly intents: PaymentIntents,
    private readonly setups: SetupIntents,
  ) {}

  @Serve(readPaymentLink)
  async read({ params: { intentId } }: OperationCall<typeof readPaymentLink>) {
    const owner = isId('setupIntent', intentId) ? this.setups : this.intents;
    const scope = await owner.findScope(this.store.database, intentId);
    return presentLink(await this.store.read(scope, (reader) => owner.getLink(reader, intentId)));
  }
}

function presentLink({ id, state, account }: PaymentLinkView): PaymentLink {
  return { id, state, tradingName: account.tradingName, branding: presentBranding(id, account) };
}
