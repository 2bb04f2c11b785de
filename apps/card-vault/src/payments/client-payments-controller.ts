import type { IncomingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { required } from '@pos/core/assert';
import type { PaymentMethodId } from '@pos/core/identity';
import { readClientSecret } from '@pos/core/ids';
import type { AttemptResult, PayerContacts } from '@pos/core/online-attempt';
import { keyed } from '@pos/core/refusal';
import type { CardDescription } from '@pos/core/saved-card';
import { type CardHands, OnlinePayments, type Submission } from '@pos/payments/online-payments';
import * as rest from '@pos/rest-contracts/client-payments';
import { type Call, Serve } from '@pos/service-kit/serve';
import { insertNumber } from '@pos/store/card-numbers';
import type { Tx } from '@pos/store/database';
import type { GivenCard } from '../acquirer/card-acquirer-client.js';
import { Vault } from '../vault.js';
import { readWalletToken } from './wallet-token.js';

const USER_AGENT_LENGTH_MAX = 300;

/** What a payer's browser submits: the card is here, and goes to the acquirer and into the safe, and nowhere else. */
@Controller()
export class ClientPaymentsController {
  constructor(
    private readonly payments: OnlinePayments,
    private readonly vault: Vault,
  ) {}

  @Serve(rest.prepareDeviceData)
  async deviceData({ body, headers }: Call<typeof rest.prepareDeviceData>) {
    const secret = secretOf(headers);
    await this.payments.requireUsable(secret);
    const intentId = readClientSecret(secret)?.intentId;
    // The issuer is found by the first digits; the rest of the number is none of the device page's business.
    const token = Buffer.from(JSON.stringify({ intentId, bin: body.cardNumber.masked.slice(0, 8) }));
    return { formAction: this.vault.deviceDataUrl, token: token.toString('base64url') };
  }

  @Serve(rest.payByCard)
  async pay(call: Call<typeof rest.payByCard>) {
    const { cardNumber, expiryDate, cV2, cardName, savePaymentMethod } = call.body;
    const card = { number: cardNumber, expiry: expiryDate, cv2: cV2 ?? null, name: cardName };
    const submission = { ...submissionOf(call, card), wallet: null, isSavingAllowed: savePaymentMethod };
    return presentResult(await this.payments.pay(submission, this.#handsWith(card)));
  }

  @Serve(rest.payByWallet)
  async payByWallet(call: Call<typeof rest.payByWallet>) {
    const { wallet, token } = call.body;
    const isSandbox = readClientSecret(secretOf(call.headers))?.environment === 'sandbox';
    const card = isSandbox ? readWalletToken(token) : null;
    if (card === null) throw keyed('validation_failed', 'token', 'Is not a token of the wallet.');
    const submission = { ...submissionOf(call, card), wallet, isSavingAllowed: false };
    return presentResult(await this.payments.pay(submission, this.#handsWith(card)));
  }

  @Serve(rest.completeChallenge)
  async completeChallenge({ body, headers }: Call<typeof rest.completeChallenge>) {
    const answer = { secret: secretOf(headers), ...body };
    const result = await this.payments.completeChallenge(answer, (order) =>
      this.vault.acquirerOf(order.scope).completeChallenge(order),
    );
    return presentResult(result);
  }

  #handsWith(card: GivenCard): CardHands {
    return {
      ask: (order) => this.vault.acquirerOf(order.scope).authorise(order, card),
      keep: (tx: Tx, cardId: PaymentMethodId) => {
        insertNumber(tx, cardId, this.vault.safe.seal({ scope: tx.scope, cardId }, card.number));
      },
    };
  }
}

type Payer = Pick<Call<typeof rest.payByWallet>, 'headers' | 'ip'> & {
  readonly body: Omit<PayerContacts, 'metadata'> & { readonly metaData: Readonly<Record<string, unknown>> };
};

function submissionOf({ headers, ip, body }: Payer, card: GivenCard): Omit<Submission, 'wallet' | 'isSavingAllowed'> {
  const { emailAddress, phoneNumber, billingAddress, shippingDetails, metaData } = body;
  const userAgent = (headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX);
  return {
    secret: secretOf(headers),
    card: describe(card),
    hasCv2: card.cv2 !== null,
    contacts: { emailAddress, phoneNumber, billingAddress, shippingDetails, metadata: metaData },
    device: { userAgent, ipAddress: ip },
  };
}

function describe({ number, expiry, name }: GivenCard): CardDescription {
  return {
    maskedNumber: number.masked,
    last4: number.last4,
    scheme: number.scheme,
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
    cardholderName: name,
  };
}

/** Whoever comes without one was turned away before. */
function secretOf(headers: Readonly<IncomingHttpHeaders>): string {
  const secret = headers['client-session-secret'];
  return required(typeof secret === 'string' ? secret : null, 'the client session secret');
}

function presentResult({ statusCode, message, authCode, transactionId, challenge }: AttemptResult): rest.PaymentResult {
  return { statusCode, message, authCode, transactionId, ...challenge };
}
