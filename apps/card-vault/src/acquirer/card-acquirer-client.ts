import type { CardNumber, Cv2, SavedCard, WalletKind } from '@pos/core/cards';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import type { AuthoriseRequest } from '@pos/grpc-contracts/acquirer';
import {
  type AcquirerCallObserver,
  AcquirerChannel,
  type AcquirerChannelOptions,
  type AcquirerRpc,
  callAcquirer,
  type UnreadableCardReporter,
  WIRE_WALLETS,
} from '@pos/payments/acquirer';
import type { AuthorisationRequest, ChallengeRequest } from '@pos/payments/online';
import type { Secret } from '@pos/service-kit/config';
import type { CardInput } from './card-input.js';

/** A charge without its card. */
type StoredCardRequest = Pick<
  AuthorisationRequest,
  'reference' | 'merchantId' | 'amount' | 'isCapturing' | 'deadlineMs'
> & {
  readonly isCustomerInitiated: boolean;
  /** What only a present payer can send to the issuer; null where the merchant charges without the payer. */
  readonly payer:
    | (Pick<AuthorisationRequest, 'billing' | 'device' | 'isCardholderAbsent' | 'isChallengePossible'> & {
        readonly cv2: Cv2;
      })
    | null;
};

interface CardAcquirerClientOptions extends AcquirerChannelOptions {
  readonly reportCard?: UnreadableCardReporter;
  readonly observeCall?: AcquirerCallObserver;
}

/** An acquirer that restarts is dialled again within this time. */
const CONNECT_MS_MAX = 3_000;

/** Calls the acquirer with card numbers, as only the vault may. A missing answer is an outcome, not an exception. */
export class CardAcquirerClient {
  readonly #channel: AcquirerChannel;
  readonly #reportCard: UnreadableCardReporter | null;
  readonly #observeCall: AcquirerCallObserver;

  constructor(address: string, { reportCard, observeCall, ...channel }: CardAcquirerClientOptions = {}) {
    this.#channel = new AcquirerChannel(address, channel);
    this.#reportCard = reportCard ?? null;
    this.#observeCall = observeCall ?? ((_, call) => call());
  }

  /** Never repeated, because the card is gone afterwards: an inquiry by the reference finds the outcome. */
  authorise(authorisation: AuthorisationRequest, { number, expiry, cv2, name }: CardInput): Promise<AcquirerAnswer> {
    const value = {
      number: number.reveal(),
      expiryMonth: expiry.month,
      expiryYear: expiry.year,
      cv2: cv2?.reveal() ?? '',
      cardholderName: name,
    };
    return this.#authorise(authorisation, { $case: 'card', value });
  }

  /** The same with the encrypted token of a wallet, which the adapter decrypts. */
  authoriseWallet(
    authorisation: AuthorisationRequest,
    { wallet, token }: { readonly wallet: WalletKind; readonly token: Secret },
  ): Promise<AcquirerAnswer> {
    const value = { kind: WIRE_WALLETS[wallet], token: token.reveal() };
    return this.#authorise(authorisation, { $case: 'wallet', value });
  }

  /** Charges a stored card under the authorisation with the payer's consent. May be repeated. */
  chargeStoredCard(
    authorisation: StoredCardRequest,
    { card, number }: { readonly card: SavedCard; readonly number: CardNumber },
  ): Promise<AcquirerAnswer> {
    const { payer } = authorisation;
    const request: AuthoriseRequest = {
      reference: authorisation.reference,
      merchantId: authorisation.merchantId,
      amount: BigInt(authorisation.amount.value),
      currency: authorisation.amount.currencyCode,
      capture: authorisation.isCapturing,
      instrument: {
        $case: 'storedCard',
        value: {
          number: number.reveal(),
          expiryMonth: card.expiryMonth,
          expiryYear: card.expiryYear,
          cardholderName: card.cardholderName,
          originalReference: card.acquirerReference,
          cv2: payer?.cv2.reveal() ?? '',
        },
      },
      customerInitiated: authorisation.isCustomerInitiated,
      // A payer is also absent from a merchant's charge, but that is no telephone order: the initiator marks it.
      cardholderNotPresent: payer?.isCardholderAbsent ?? false,
      noChallenge: payer?.isChallengePossible !== true,
      billingAddressLine: payer?.billing.line ?? '',
      billingPostcode: payer?.billing.postcode ?? '',
      userAgent: payer?.device.userAgent ?? '',
      ipAddress: payer?.device.ipAddress ?? '',
    };
    return this.#callAcquirer('Authorise', authorisation, (options, done) => {
      this.#channel.client.authorise(request, this.#channel.createMetadata(), options, done);
    });
  }

  #authorise(authorisation: AuthorisationRequest, instrument: AuthoriseRequest['instrument']): Promise<AcquirerAnswer> {
    const request: AuthoriseRequest = {
      reference: authorisation.reference,
      merchantId: authorisation.merchantId,
      amount: BigInt(authorisation.amount.value),
      currency: authorisation.amount.currencyCode,
      capture: authorisation.isCapturing,
      instrument,
      customerInitiated: true,
      cardholderNotPresent: authorisation.isCardholderAbsent,
      noChallenge: !authorisation.isChallengePossible,
      billingAddressLine: authorisation.billing.line,
      billingPostcode: authorisation.billing.postcode,
      userAgent: authorisation.device.userAgent,
      ipAddress: authorisation.device.ipAddress,
    };
    return this.#callAcquirer('Authorise', authorisation, (options, done) => {
      this.#channel.client.authorise(request, this.#channel.createMetadata(), options, done);
    });
  }

  /** May be repeated: the acquirer decides once. */
  completeChallenge(authorisation: ChallengeRequest): Promise<AcquirerAnswer> {
    const { reference, paRes, md } = authorisation;
    return this.#callAcquirer('CompleteChallenge', authorisation, (options, done) => {
      this.#channel.client.completeChallenge({ reference, paRes, md }, this.#channel.createMetadata(), options, done);
    });
  }

  close(): void {
    this.#channel.close();
  }

  /** Waits for the connection first: a payer's card is sent once, so a call that fails unsent has an unknown outcome. */
  #callAcquirer(
    method: AcquirerRpc['method'],
    { reference, deadlineMs }: Pick<AcquirerRpc, 'reference' | 'deadlineMs'>,
    call: Parameters<typeof callAcquirer>[1],
  ): Promise<AcquirerAnswer> {
    return this.#observeCall(method, async () => {
      const waitedMs = await this.#channel.awaitConnection(Math.min(CONNECT_MS_MAX, deadlineMs / 2));
      const rpc = { method, reference, deadlineMs: deadlineMs - waitedMs, reportCard: this.#reportCard };
      return callAcquirer(rpc, call);
    });
  }
}
