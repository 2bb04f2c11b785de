import { completeChallenge, payByCard, type PaymentResult } from '@pos/rest-contracts/card-vault';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import { NotReached } from '../failures/not-reached.js';

/** The card vault, as the page of a payer calls it. Only test cards are sent to it. */
export class CardVault {
  constructor(
    private readonly baseUrl: string,
    private readonly fetch: typeof globalThis.fetch,
  ) {}

  /** Pays with a card, under the one-time secret of an intent. */
  async pay(
    secret: string,
    card: { readonly number: string; readonly cv2: string; readonly hasConsented: boolean },
  ): Promise<PaymentResult> {
    const { number, cv2, hasConsented } = card;
    const submission = { cardNumber: number, cardName: 'A Guest', expiryDate: '12/32', cV2: cv2 };
    return this.#call(payByCard, secret, { ...submission, ...(hasConsented && { mitConsentGiven: true }) });
  }

  /** Passes the challenge of the issuer, as the payer would. */
  async completeChallenge(secret: string, transactionId: string): Promise<PaymentResult> {
    return this.#call(completeChallenge, secret, { paRes: 'Y', transactionId });
  }

  async #call<const O extends typeof payByCard | typeof completeChallenge>(
    { method, path, returns }: O,
    secret: string,
    body: SentBodyOf<O>,
  ): Promise<PaymentResult> {
    const response = await this.fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { 'client-session-secret': secret, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    const answer = returns.safeParse(await response.json().catch(() => null));
    if (!answer.success)
      throw new NotReached(
        `${this.baseUrl}, the card vault, answered ${response.status} without the result of a payment`,
      );
    return answer.data;
  }
}

const CALL_MS_MAX = 30_000;
