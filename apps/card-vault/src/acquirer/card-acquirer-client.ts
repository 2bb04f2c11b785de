import { credentials, Metadata } from '@grpc/grpc-js';
import type { CardNumber, Cv2 } from '@pos/core/cards/card-number';
import type { AcquirerAnswer } from '@pos/core/acquirer/ports';
import type { SavedCard } from '@pos/core/cards/saved-card';
import { AcquirerServiceClient, type AuthoriseRequest } from '@pos/grpc-contracts/acquirer';
import { limitAnswer, MESSAGE_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { type AcquirerRpc, callAcquirer } from '@pos/payments/acquirer/acquirer-rpc';
import type { AuthorisationRequest, ChallengeRequest } from '@pos/payments/online/card-submission';
import type { UnreadableCardReporter } from '@pos/payments/acquirer/unreadable-cards';
import type { CardInput } from './card-input.js';

/** A charge without its card. */
type StoredCardRequest = Pick<
  AuthorisationRequest,
  'reference' | 'merchantId' | 'amount' | 'isCapturing' | 'deadlineMs'
> & {
  readonly isCustomerInitiated: boolean;
  /** What only a present payer can send to the issuer; null where the merchant charges without the payer. */
  readonly payer:
    (Pick<AuthorisationRequest, 'billing' | 'device' | 'isCardholderAbsent'> & { readonly cv2: Cv2 }) | null;
};

/** Calls the acquirer with card numbers, as only the vault may. A missing answer is an outcome, not an exception. */
export class CardAcquirerClient {
  readonly #client: AcquirerServiceClient;

  constructor(
    address: string,
    private readonly reportCard: UnreadableCardReporter | null = null,
  ) {
    this.#client = new AcquirerServiceClient(address, credentials.createInsecure(), limitAnswer(MESSAGE_VALUES_MAX));
  }

  /** Never repeated, because the card is gone afterwards: an inquiry by the reference finds the outcome. */
  authorise(authorisation: AuthorisationRequest, { number, expiry, cv2, name }: CardInput): Promise<AcquirerAnswer> {
    const request: AuthoriseRequest = {
      reference: authorisation.reference,
      merchantId: authorisation.merchantId,
      amount: BigInt(authorisation.amount.value),
      currency: authorisation.amount.currencyCode,
      capture: authorisation.isCapturing,
      instrument: {
        $case: 'card',
        value: {
          number: number.reveal(),
          expiryMonth: expiry.month,
          expiryYear: expiry.year,
          cv2: cv2?.reveal() ?? '',
          cardholderName: name,
        },
      },
      customerInitiated: true,
      cardholderNotPresent: authorisation.isCardholderAbsent,
      billingAddressLine: authorisation.billing.line,
      billingPostcode: authorisation.billing.postcode,
      userAgent: authorisation.device.userAgent,
      ipAddress: authorisation.device.ipAddress,
    };
    return this.#callAcquirer('Authorise', authorisation, (options, done) => {
      this.#client.authorise(request, new Metadata(), options, done);
    });
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
      billingAddressLine: payer?.billing.line ?? '',
      billingPostcode: payer?.billing.postcode ?? '',
      userAgent: payer?.device.userAgent ?? '',
      ipAddress: payer?.device.ipAddress ?? '',
    };
    return this.#callAcquirer('Authorise', authorisation, (options, done) => {
      this.#client.authorise(request, new Metadata(), options, done);
    });
  }

  /** May be repeated: the acquirer decides once. */
  completeChallenge(authorisation: ChallengeRequest): Promise<AcquirerAnswer> {
    const { reference, paRes, md } = authorisation;
    return this.#callAcquirer('CompleteChallenge', authorisation, (options, done) => {
      this.#client.completeChallenge({ reference, paRes, md }, new Metadata(), options, done);
    });
  }

  close(): void {
    this.#client.close();
  }

  #callAcquirer(
    method: AcquirerRpc['method'],
    { reference, deadlineMs }: Pick<AcquirerRpc, 'reference' | 'deadlineMs'>,
    call: Parameters<typeof callAcquirer>[1],
  ): Promise<AcquirerAnswer> {
    return callAcquirer({ method, reference, deadlineMs, reportCard: this.reportCard }, call);
  }
}

/** The acquirer of each environment. */
export interface CardAcquirerClients {
  readonly sandbox: CardAcquirerClient;
  /** Null where none is configured; then no attempt of production begins. */
  readonly production: CardAcquirerClient | null;
}
