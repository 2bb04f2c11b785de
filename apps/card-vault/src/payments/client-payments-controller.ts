import type { IncomingHttpHeaders } from 'node:http';
import { Controller } from '@nestjs/common';
import { assert, createViolation, requireValue } from '@pos/core/refusals';
import type { CardNumber, Cv2, SavedCard, WalletKind } from '@pos/core/cards';
import { isId } from '@pos/core/identity';
import { readClientSecret } from '@pos/core/ids';
import type { AttemptResult, PayerContacts } from '@pos/core/online';
import {
  type Authorise,
  type CardAccess,
  OnlinePayments,
  type PayerSubmission,
  readSecretClaim,
} from '@pos/payments/online';
import * as rest from '@pos/rest-contracts/card-vault';
import { Secret } from '@pos/service-kit/config';
import { type OperationCall, Serve } from '@pos/service-kit/http';
import { Database } from '@pos/store/database';
import { describeCard, type CardInput } from '../acquirer/card-input.js';
import { Vault } from '../vault/vault.js';
import { readWalletToken } from './wallet-token.js';

const USER_AGENT_LENGTH_MAX = 300;

/** Accepts submissions of payers' browsers. The card goes only to the acquirer and, encrypted, into schema vault. */
@Controller()
export class ClientPaymentsController {
  constructor(
    private readonly payments: OnlinePayments,
    private readonly vault: Vault,
    private readonly database: Database,
  ) {}

  @Serve(rest.prepareDeviceData)
  async deviceData({ body, headers }: OperationCall<typeof rest.prepareDeviceData>) {
    const secret = readSecret(headers);
    await this.payments.requireUsableSecret(secret);
    const intentId = readClientSecret(secret)?.intentId;
    // The first digits identify the issuer; the device page gets no more of the number.
    const token = Buffer.from(JSON.stringify({ intentId, bin: body.cardNumber.masked.slice(0, 8) }));
    return { formAction: this.vault.deviceDataUrl, token: token.toString('base64url') };
  }

  @Serve(rest.payByCard)
  async pay(call: OperationCall<typeof rest.payByCard>) {
    const { cardNumber, expiryDate, cV2, cardName, savePaymentMethod, mitConsentGiven } = call.body;
    const card = { number: cardNumber, expiry: expiryDate, cv2: cV2 ?? null, name: cardName };
    const consent = { isSavingAllowed: savePaymentMethod, isConsentGiven: mitConsentGiven };
    const submission = { ...buildSubmission(call, card), ...consent, wallet: null };
    // The card of a setup intent is stored always, and that of a payment if the payer wants it.
    const isStorePossible = savePaymentMethod || isOfSetupIntent(submission.secret);
    return presentResult(await this.payments.pay(submission, await this.#createCardAccess(card, isStorePossible)));
  }

  @Serve(rest.payByWallet)
  async payByWallet(call: OperationCall<typeof rest.payByWallet>) {
    const { wallet, token } = call.body;
    const secret = readSecret(call.headers);
    this.payments.requireAcquirer(secret);
    const isSandbox = readClientSecret(secret)?.environment === 'sandbox';
    const consent = { isSavingAllowed: false, isConsentGiven: false };
    if (!isSandbox) {
      const submission = { ...readPayer(call), ...consent, wallet, card: null, hasCv2: false };
      return presentResult(await this.payments.pay(submission, this.#createWalletAccess(wallet, new Secret(token))));
    }
    const card = readWalletToken(token);
    if (card === null) throw createViolation('validation_failed', 'token', 'Is not a token of the wallet.');
    const submission = { ...buildSubmission(call, card), ...consent, wallet };
    return presentResult(await this.payments.pay(submission, await this.#createCardAccess(card, false)));
  }

  @Serve(rest.payBySavedCard)
  async payBySavedCard(call: OperationCall<typeof rest.payBySavedCard>) {
    const { body, headers } = call;
    const customerSecret = readHeader(headers, 'customer-secret');
    const submission = { ...readPayer(call), customerSecret, paymentMethodId: body.paymentMethodId };
    const { scope } = readSecretClaim(submission.secret);
    const open = await this.vault.openNumberAhead(this.database, scope, body.paymentMethodId);
    return presentResult(
      await this.payments.payWithSavedCard(submission, async (tx, card) =>
        this.#createSavedCardCall(card, await open(tx, card), body.cV2),
      ),
    );
  }

  @Serve(rest.completeChallenge)
  async completeChallenge({ body, headers }: OperationCall<typeof rest.completeChallenge>) {
    const answer = { secret: readSecret(headers), ...body };
    const result = await this.payments.completeChallenge(answer, (request) =>
      this.vault.getAcquirer(request).completeChallenge(request),
    );
    return presentResult(result);
  }

  #createSavedCardCall(card: SavedCard, number: CardNumber, cv2: Cv2): Authorise {
    return (request) => {
      const { billing, device, isCardholderAbsent, isChallengePossible } = request;
      const payer = { cv2, billing, device, isCardholderAbsent, isChallengePossible };
      return this.vault
        .getAcquirer(request)
        .chargeStoredCard({ ...request, isCustomerInitiated: true, payer }, { card, number });
    };
  }

  /** The adapter of the acquirer decrypts the token: nobody else, this process included, sees the card. */
  #createWalletAccess(wallet: WalletKind, token: Secret): CardAccess {
    return {
      authorise: (request) => this.vault.getAcquirer(request).authoriseWallet(request, { wallet, token }),
      storeCard: () => assert(false, 'a card in a wallet is not stored'),
    };
  }

  async #createCardAccess(card: CardInput, isStorePossible: boolean): Promise<CardAccess> {
    return {
      authorise: (request) => this.vault.getAcquirer(request).authorise(request, card),
      storeCard: isStorePossible
        ? await this.vault.createCardWriter(card.number)
        : () => assert(false, 'a card that nobody wants to store is not stored'),
    };
  }
}

type PayerRequest = Pick<OperationCall<typeof rest.payByWallet>, 'headers' | 'ip'> & {
  readonly body: Omit<PayerContacts, 'metadata'> & { readonly metaData: Readonly<Record<string, unknown>> };
};

function readPayer({ headers, ip, body }: PayerRequest): PayerSubmission {
  const { emailAddress, phoneNumber, billingAddress, shippingDetails, metaData } = body;
  const userAgent = (headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX);
  return {
    secret: readSecret(headers),
    contacts: { emailAddress, phoneNumber, billingAddress, shippingDetails, metadata: metaData },
    device: { userAgent, ipAddress: ip },
  };
}

function buildSubmission(payer: PayerRequest, card: CardInput) {
  return { ...readPayer(payer), card: describeCard(card), hasCv2: card.cv2 !== null };
}

/** A request without the secret was refused before. */
function readSecret(headers: Readonly<IncomingHttpHeaders>): string {
  return requireValue(readHeader(headers, 'client-session-secret'), 'the header client-session-secret');
}

function isOfSetupIntent(secret: string): boolean {
  const intentId = readClientSecret(secret)?.intentId;
  return intentId !== undefined && isId('setupIntent', intentId);
}

function readHeader(headers: Readonly<IncomingHttpHeaders>, name: string): string | null {
  const sent = headers[name];
  return typeof sent === 'string' ? sent : null;
}

function presentResult({ statusCode, message, authCode, transactionId, challenge }: AttemptResult): rest.PaymentResult {
  return { statusCode, message, authCode, transactionId, ...challenge };
}
