import { type AcquirerChannel, callMethod } from '@pos/payments/acquirer';
import { type AuthoriseRequest, type InquireResponse, Outcome, type Result } from '@pos/grpc-contracts/acquirer';
import type { Start } from '@pos/grpc-contracts/card-machine';
import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 10_000;
const INQUIRY_INTERVAL_MS = 1_000;
const INQUIRIES_MAX = 60;
const UNDECIDED: readonly Outcome[] = [
  Outcome.OUTCOME_IN_PROGRESS,
  Outcome.OUTCOME_NOT_FOUND,
  Outcome.OUTCOME_CHALLENGED,
  Outcome.OUTCOME_UNSPECIFIED,
];

/** The card that the machine reads, and the merchant that it reads it for. */
export interface TrialCard {
  readonly merchantId: string;
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
}

/** The way of the machine to the acquirer: it authorises at an adapter, under the reference of the gateway's command. */
export class AcquirerTerminal {
  constructor(
    private readonly channel: Pick<AcquirerChannel, 'client' | 'createMetadata'>,
    private readonly card: TrialCard,
  ) {}

  /** The decision of the acquirer. A call without an answer is inquired; throws when nothing is decided in a minute. */
  async authorise(start: Start): Promise<Result> {
    const { client } = this.channel;
    const request = this.#createRequest(start);
    const answer = await callMethod<InquireResponse>(DEADLINE_MS, (options, callback) => {
      client.authorise(request, this.channel.createMetadata(), options, callback);
    }).catch(() => null);
    if (answer !== null && isDecided(answer.result)) return answer.result;
    return this.#inquire(request.reference);
  }

  async #inquire(reference: string): Promise<Result> {
    const { client } = this.channel;
    for (let inquiry = 0; inquiry < INQUIRIES_MAX; inquiry += 1) {
      await pause(INQUIRY_INTERVAL_MS);
      const answer = await callMethod<InquireResponse>(DEADLINE_MS, (options, callback) => {
        client.inquire({ reference }, this.channel.createMetadata(), options, callback);
      }).catch(() => null);
      if (answer !== null && isDecided(answer.result)) return answer.result;
    }
    throw new Error(`the acquirer has not decided ${reference} in ${INQUIRIES_MAX} inquiries`);
  }

  #createRequest({ acquirerReference, amount, currency, capture }: Start): AuthoriseRequest {
    const { merchantId, number, expiryMonth, expiryYear } = this.card;
    const value = { number, expiryMonth, expiryYear, cv2: '', cardholderName: '' };
    return {
      ...{ reference: acquirerReference, merchantId, amount: amount?.totalAmount ?? 0n, currency, capture },
      ...{
        instrument: { $case: 'card', value },
        customerInitiated: true,
        cardholderNotPresent: false,
        noChallenge: false,
      },
      ...{ billingAddressLine: '', billingPostcode: '', userAgent: '', ipAddress: '' },
    };
  }
}

function isDecided(result: Result | undefined): result is Result {
  return result !== undefined && !UNDECIDED.includes(result.outcome);
}
