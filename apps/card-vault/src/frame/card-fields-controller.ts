import { Controller } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals';
import { readClientSecret } from '@pos/core/ids';
import { OnlinePayments } from '@pos/payments/online';
import { openCardFields } from '@pos/rest-contracts/card-vault';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { buildEmbeddedPath } from './embedded-frames.js';
import { createUnregisteredOriginRefusal, EmbeddingOrigins } from './embedding-origins.js';

/** Gives the page of an integrator the addresses of the frames. The page learns here why it may not display them. */
@Controller()
export class CardFieldsController {
  constructor(
    private readonly payments: OnlinePayments,
    private readonly origins: EmbeddingOrigins,
  ) {}

  @Serve(openCardFields)
  async open({ headers }: OperationCall<typeof openCardFields>) {
    const secret = String(headers['client-session-secret']);
    await this.payments.requireUsableSecret(secret);
    const { intentId } = requireValue(readClientSecret(secret), 'the subject of a usable secret');
    const { origin } = headers;
    const registered = await this.origins.listOrigins(intentId);
    if (origin === undefined || !registered.includes(origin)) throw createUnregisteredOriginRefusal(origin);
    return {
      cardFields: buildEmbeddedPath(intentId, 'card'),
      securityCode: buildEmbeddedPath(intentId, 'saved-card'),
    };
  }
}
