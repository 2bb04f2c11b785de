import { Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import {
  CardEntryMode,
  type CardPresentResult,
  FundingType,
  NotificationType,
  type Report,
  Scheme,
  type Start,
  VerificationMethod,
} from '@pos/grpc-contracts/card-machine';
import type { AcquirerTerminal } from './acquirer-terminal.js';

const SCHEMES: Readonly<Record<string, Scheme>> = {
  VISA: Scheme.SCHEME_VISA,
  MASTERCARD: Scheme.SCHEME_MASTERCARD,
  MAESTRO: Scheme.SCHEME_MAESTRO,
  DISCOVER: Scheme.SCHEME_DISCOVER,
  DCI: Scheme.SCHEME_DCI,
  AMEX: Scheme.SCHEME_AMEX,
};

type Event = NonNullable<Report['event']>;

/** One sale on the simulated machine: a card is in it at once, its PIN is right, and the acquirer decides. */
export class MachineSession {
  #lastNumber = 0;

  constructor(
    private readonly start: Start,
    private readonly parts: {
      readonly acquirer: AcquirerTerminal;
      readonly merchantId: string;
      readonly send: (report: Report) => void;
    },
  ) {}

  /** The number of the last report, which has the result once `run` has ended. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Runs the sale, and returns the acquirer's decision. */
  async run(): Promise<Result> {
    this.#report({ $case: 'confirmed', value: {} });
    this.#show(NotificationType.NOTIFICATION_TYPE_PRESENT_CARD);
    this.#show(NotificationType.NOTIFICATION_TYPE_ENTER_PIN);
    this.#show(NotificationType.NOTIFICATION_TYPE_PLEASE_WAIT);
    const decision = await this.parts.acquirer.authorise(this.start);
    const result = this.#createResult(decision);
    if (decision.outcome === Outcome.OUTCOME_APPROVED) {
      this.#report({ $case: 'approved', value: { result, signatureRequired: false } });
    } else {
      this.#report({ $case: 'declined', value: { result } });
    }
    return decision;
  }

  #show(type: NotificationType): void {
    this.#report({ $case: 'notification', value: { type } });
  }

  #report(event: Event): void {
    this.#lastNumber += 1;
    const { terminalSessionId } = this.start;
    this.parts.send({ terminalSessionId, number: this.#lastNumber, occurredAt: new Date(), event });
  }

  #createResult({ card, ...decision }: Result): CardPresentResult {
    return {
      acquirerReference: this.start.acquirerReference,
      ...{ transactionId: decision.transactionId, authCode: decision.authCode, transactionAt: decision.processedAt },
      ...{ amount: decision.amount, currency: decision.currency, message: decision.message },
      card: {
        ...{ maskedNumber: card?.maskedNumber ?? '', last4Pan: card?.last4Pan ?? '' },
        ...{ scheme: SCHEMES[card?.scheme ?? ''] ?? Scheme.SCHEME_UNSPECIFIED },
        ...{ fundingType: FundingType.FUNDING_TYPE_UNSPECIFIED, cardholderName: card?.cardholderName ?? '' },
        ...{ expiryMonth: card?.expiryMonth ?? 0, expiryYear: card?.expiryYear ?? 0 },
        ...{ aid: '', panSequence: '', product: '' },
      },
      entryMode: CardEntryMode.CARD_ENTRY_MODE_CONTACT_CHIP,
      verificationMethod: VerificationMethod.VERIFICATION_METHOD_PIN,
      merchantId: this.parts.merchantId,
    };
  }
}
