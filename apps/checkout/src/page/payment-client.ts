import type { PaymentResult, payByWallet } from '@pos/rest-contracts/card-vault/client-payments';
import type { SentBodyOf } from '@pos/rest-contracts/operation/operation';
import type { OfferedCards } from '@pos/rest-contracts/payment-intents/saved-cards';
import { type Intent, type IntentKind, type EndState, getIntentState } from './intent.js';
import type { SavedCardOption, AttemptOutcome } from './payment-instrument.js';
import type { Endpoints } from './endpoints.js';

/** The service could not be asked, or has too much to do; nothing is known. */
interface UnreachableResult {
  readonly kind: 'unreachable';
}
/** There is no such intent for payers: never was, or was cancelled. */
interface GoneResult {
  readonly kind: 'gone';
}
export type IntentResult = { readonly kind: 'found'; readonly intent: Intent } | GoneResult | UnreachableResult;

/** Whether a try may begin: with this secret, for the intent as it is now; or not while another one runs; or never again. */
export type AttemptStart =
  | { readonly kind: 'begun'; readonly secret: string; readonly intent: Intent }
  | { readonly kind: 'busy' }
  | { readonly kind: 'ended'; readonly intent: Intent; readonly standing: EndState }
  | GoneResult
  | UnreachableResult;

const CALL_TIMEOUT_MS = 30_000;
const CHALLENGE_TRIES_MAX = 3;
const CHALLENGE_PAUSE_MS = 2_000;
const UNKNOWN_RESULT: PaymentResult = { statusCode: 500, message: '', authCode: '', transactionId: '' };

/** Asks the API and the vault about one intent. No card passes through here. */
export class PaymentClient {
  constructor(
    private readonly endpoints: Endpoints,
    private readonly subject: { readonly kind: IntentKind; readonly id: string },
  ) {}

  async readIntent(): Promise<IntentResult> {
    const answer = await this.#callEndpoint('GET', this.endpoints[this.subject.kind].read);
    if (answer?.status === 404) return { kind: 'gone' };
    return answer?.ok === true ? { kind: 'found', intent: await this.#parseIntent(answer) } : { kind: 'unreachable' };
  }

  /** Asks for a secret for one try; the one before is void from then on. */
  async startAttempt(): Promise<AttemptStart> {
    const answer = await this.#callEndpoint('POST', this.endpoints[this.subject.kind].refresh);
    if (answer?.status === 404) return { kind: 'gone' };
    if (answer?.status === 409) return this.#explainConflict();
    if (answer?.ok !== true) return { kind: 'unreachable' };
    const intent = await this.#parseIntent(answer);
    const { clientSessionSecret: secret } = intent;
    return secret === undefined ? { kind: 'unreachable' } : { kind: 'begun', secret, intent };
  }

  /** The saved cards that the payer may choose from; `known` where the service does not say. */
  async readSavedCards(fallback: readonly SavedCardOption[] = []): Promise<readonly SavedCardOption[]> {
    const answer = await this.#callEndpoint('GET', this.endpoints.savedCards);
    return answer?.ok === true ? ((await answer.json()) as OfferedCards).savedPaymentMethods : fallback;
  }

  /** Pays with what a wallet gave. Never repeated: nobody knows what became of a try without an answer. */
  async payByWallet(secret: string, body: SentBodyOf<typeof payByWallet>): Promise<AttemptOutcome> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    const answer = await fetchOrNull(this.endpoints.wallet, { method: 'POST', headers, body: JSON.stringify(body) });
    const result: unknown = await answer?.json().catch(() => null);
    return isPaymentResult(result)
      ? { result, fields: listInvalidFields(result) }
      : { result: UNKNOWN_RESULT, fields: [] };
  }

  /** Tells what the issuer's page said. Asked again when nobody answers: it may be repeated. */
  async completeChallenge(secret: string, body: { paRes: string; transactionId: string }): Promise<PaymentResult> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    for (let tries = 1; ; tries += 1) {
      const answer = await fetchOrNull(this.endpoints.challenge, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const result: unknown = await answer?.json().catch(() => null);
      if (isPaymentResult(result)) return result;
      if (tries >= CHALLENGE_TRIES_MAX) return UNKNOWN_RESULT;
      await waitMs(CHALLENGE_PAUSE_MS);
    }
  }

  /** No secret is given while a try runs, and none once it has ended well: the intent says which it was. */
  async #explainConflict(): Promise<AttemptStart> {
    const reading = await this.readIntent();
    if (reading.kind !== 'found') return reading;
    const state = getIntentState(reading.intent);
    return state === 'open' ? { kind: 'busy' } : { kind: 'ended', intent: reading.intent, standing: state };
  }

  #callEndpoint(method: string, template: string): Promise<Response | null> {
    return fetchOrNull(template.replace(/\{\w+\}/, encodeURIComponent(this.subject.id)), { method });
  }

  async #parseIntent(answer: Response): Promise<Intent> {
    return { ...((await answer.json()) as Intent), kind: this.subject.kind } as Intent;
  }
}

/** Whether it says how a try ended; a problem body says it too, in the same member. */
export function isPaymentResult(value: unknown): value is PaymentResult {
  return typeof value === 'object' && value !== null && 'statusCode' in value && typeof value.statusCode === 'number';
}

/** The members that a problem body names. */
function listInvalidFields(result: PaymentResult): string[] {
  return 'errors' in result && typeof result.errors === 'object' ? Object.keys(result.errors ?? {}) : [];
}

export function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function fetchOrNull(url: string, init: RequestInit): Promise<Response | null> {
  try {
    return await fetch(url, { ...init, credentials: 'omit', signal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  } catch {
    return null;
  }
}
