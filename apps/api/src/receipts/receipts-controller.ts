import { Controller } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { listMailbox, Receipts } from '@pos/payments/receipts';
import { presentMoment } from '@pos/rest-contracts/shapes';
import * as rest from '@pos/rest-contracts/payment-intents';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import type { Mail } from '@pos/store/repositories';
import { readPayerProof } from '../payment-intents/payer-proof-header.js';
import { ApiDatabase } from '../database/api-database.js';

/** Sends receipts by mail, and reads the mailbox of a sandbox. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly database: ApiDatabase,
    private readonly receipts: Receipts,
    private readonly intents: PaymentIntents,
  ) {}

  @Serve(rest.sendReceipt)
  async send(call: OperationCall<typeof rest.sendReceipt>) {
    return this.database.runOnce<typeof rest.sendReceipt>(call, async (tx) => {
      await this.receipts.send(tx, call.params.paymentIntentId, call.body.emails);
      return undefined;
    });
  }

  @Serve(rest.sendPublicReceipt)
  async sendToPayer({ params, body, headers }: OperationCall<typeof rest.sendPublicReceipt>) {
    const scope = await this.intents.findScope(this.database.database, params.paymentIntentId);
    await this.database.database.transact(scope, (tx) =>
      this.receipts.sendToPayer(tx, params.paymentIntentId, { email: body.email, secret: readPayerProof(headers) }),
    );
    return undefined;
  }

  @Serve(rest.readMailbox)
  async mailbox({ caller, query }: OperationCall<typeof rest.readMailbox>) {
    const { mails, before, after } = await this.database.read(caller.scope, (reader) => listMailbox(reader, query));
    return { data: mails.map(presentMail), before, after };
  }
}

function presentMail({ id, recipient, subject, text, html, createdAt, ...mail }: Mail): rest.SandboxMail {
  // Only mails to users of the portal have none, and no sandbox has those.
  const paymentIntentId = requireValue(mail.paymentIntentId, 'the payment of a receipt');
  return { id, paymentIntentId, to: recipient, subject, text, html, createdAt: presentMoment(createdAt) };
}
