import type { PublicPaymentIntent } from '../gen/schemas.js';
import { PosUsageError } from '../errors/errors.js';
import { type AttemptOutcome, createResult, isRecord, readOutcome } from './payment-result.js';
import { RESULT_CODES } from './result-codes.js';
import type { WalletPayment } from './wallets.js';

/** The addresses of the service, as the payer's device reaches them. */
export interface ServiceAddresses {
  readonly apiUrl: string;
  /** The only address that receives card numbers. */
  readonly cardVaultUrl: string;
  /** The registered origin of an app without a page. A browser always sends the origin of its page instead. */
  readonly origin?: string | undefined;
  /** The function of the platform when left out. */
  readonly fetch?: typeof fetch | undefined;
}

/** A saved card, as far as it may be displayed. */
export interface SavedCard {
  readonly id: string;
  readonly cardDetails: { readonly pan: string; readonly expiryDate: string; readonly scheme?: string | undefined };
}

/** Where the card fields of a payment are displayed from. */
export interface CardFieldsAddresses {
  readonly cardFields: string;
  readonly securityCode: string;
}

/** A call was refused; `code` is its result, and `reason` the one of the problem. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: number;
  readonly reason: string | null;
  readonly detail: string;
}
/** The service did not answer, or could not. */
interface Unreachable {
  readonly kind: 'unreachable';
}
type Answer<T> = ({ readonly kind: 'answered' } & T) | Refused | Unreachable;

export type IntentAnswer = Answer<{ readonly intent: PublicPaymentIntent }>;

const CALL_TIMEOUT_MS = 30_000;
const CHALLENGE_TRIES_MAX = 3;
const CHALLENGE_PAUSE_MS = 2_000;

/** Calls the service for one payer. It never handles a card number, and needs nothing but `fetch` and timers. */
export class PaymentService {
  readonly #api: string;
  readonly #vault: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: typeof fetch;

  constructor({ apiUrl, cardVaultUrl, origin, fetch: send }: ServiceAddresses) {
    this.#api = readAddress('service.apiUrl', apiUrl);
    this.#vault = readAddress('service.cardVaultUrl', cardVaultUrl);
    this.#headers = origin === undefined ? {} : { origin };
    // A browser refuses its own function when it is called as a member of another object.
    this.#fetch = send ?? ((...args) => fetch(...args));
  }

  readIntent(id: string): Promise<IntentAnswer> {
    return this.#callIntent(id, 'GET', '');
  }

  /** Requests a secret for one attempt; the previous secret becomes void. Refused while an attempt runs. */
  startAttempt(id: string): Promise<IntentAnswer> {
    return this.#callIntent(id, 'POST', '/refresh-client-session-secret');
  }

  /** The addresses of the card fields for this page. Refused with 403 if the account has not registered its origin. */
  async openCardFields(secret: string): Promise<Answer<{ readonly addresses: CardFieldsAddresses }>> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    const answer = await this.#call(`${this.#vault}/client/card-fields`, { method: 'POST', headers, body: '{}' });
    if (answer.kind !== 'answered') return answer;
    const { cardFields, securityCode } = answer.body;
    const addresses = {
      cardFields: `${this.#vault}${String(cardFields)}`,
      securityCode: `${this.#vault}${String(securityCode)}`,
    };
    return { kind: 'answered', addresses };
  }

  /** The cards that the customer has saved, newest first. Refused with 401 without a valid secret of that customer. */
  async listSavedCards(customerId: string, secret: string): Promise<Answer<{ readonly cards: readonly SavedCard[] }>> {
    const address = `${this.#api}/customers/public/${encodeURIComponent(customerId)}/payment-methods`;
    const answer = await this.#call(address, { method: 'GET', headers: { authorization: `Basic ${secret}` } });
    if (answer.kind !== 'answered') return answer;
    const cards = answer.body['savedPaymentMethods'];
    return { kind: 'answered', cards: Array.isArray(cards) ? (cards as readonly SavedCard[]) : [] };
  }

  /** Pays with the token of a wallet. Sent once, because the outcome of a try without an answer is unknown. Never rejects. */
  async payByWallet(secret: string, { wallet, token, details }: WalletPayment): Promise<AttemptOutcome> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    const body = JSON.stringify({ ...details, wallet, token });
    const response = await this.#send(`${this.#vault}/client/payments/wallet`, { method: 'POST', headers, body });
    return readOutcome(response?.body) ?? createUnknownOutcome();
  }

  /** Sends the answer of the issuer's page. Repeated without an answer, which is safe. Never rejects. */
  async completeChallenge(
    secret: string,
    body: { readonly paRes: string; readonly transactionId: string },
  ): Promise<AttemptOutcome> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(`${this.#vault}/client/payments/challenge`, init);
      const outcome = readOutcome(response?.body);
      if (outcome !== null) return outcome;
      if (tries >= CHALLENGE_TRIES_MAX) return createUnknownOutcome();
      await waitMs(CHALLENGE_PAUSE_MS);
    }
  }

  async #callIntent(id: string, method: string, step: string): Promise<IntentAnswer> {
    const address = `${this.#api}/payment-intents/public/${encodeURIComponent(id)}${step}`;
    const answer = await this.#call(address, { method });
    if (answer.kind !== 'answered') return answer;
    return { kind: 'answered', intent: answer.body as unknown as PublicPaymentIntent };
  }

  async #call(
    address: string,
    init: RequestInit,
  ): Promise<Answer<{ readonly body: Readonly<Record<string, unknown>> }>> {
    const response = await this.#send(address, init);
    if (response === null || response.status >= 500 || response.status === 429) return { kind: 'unreachable' };
    const { status, body } = response;
    if (status < 300 && isRecord(body)) return { kind: 'answered', body };
    const { reason, detail } = isRecord(body) ? body : {};
    return {
      ...{ kind: 'refused', code: status, reason: typeof reason === 'string' ? reason : null },
      detail: typeof detail === 'string' ? detail : '',
    };
  }

  /** Null without an answer, or with one that is not JSON. */
  async #send(address: string, init: RequestInit): Promise<{ readonly status: number; readonly body: unknown } | null> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), CALL_TIMEOUT_MS);
    try {
      const headers = { ...this.#headers, ...(init.headers as Readonly<Record<string, string>> | undefined) };
      const response = await this.#fetch(address, { ...init, headers, credentials: 'omit', signal: stop.signal });
      return { status: response.status, body: await response.json() };
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

function createUnknownOutcome(): AttemptOutcome {
  const result = createResult(RESULT_CODES.outcomeUnknown, 'The vault did not answer.');
  return { result, challenge: null, fields: [] };
}

export function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function readAddress(name: string, text: unknown): string {
  if (typeof text !== 'string' || !/^https?:\/\/[^\s/?#]+[^\s?#]*$/i.test(text)) {
    throw new PosUsageError(`${name} is no http address`);
  }
  return text.replace(/\/+$/, '');
}
