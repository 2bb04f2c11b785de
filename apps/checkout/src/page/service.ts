import type { PaymentResult, payByWallet } from '@pos/rest-contracts/client-payments';
import type { SentBodyOf } from '@pos/rest-contracts/operation';
import type { OfferedCards } from '@pos/rest-contracts/saved-cards';
import { type Intent, type IntentKind, type Over, standingOf } from './intent.js';
import type { OfferedCard, TryResult } from './means.js';
import type { Places } from './places.js';

/** The service could not be asked, or has too much to do; nothing is known. */
interface Unreachable {
  readonly kind: 'unreachable';
}
/** There is no such intent for payers: never was, or was cancelled. */
interface Gone {
  readonly kind: 'gone';
}
export type Reading = { readonly kind: 'found'; readonly intent: Intent } | Gone | Unreachable;

/** Whether a try may begin: with this secret, for the intent as it is now; or not while another one runs; or never again. */
export type Beginning =
  | { readonly kind: 'begun'; readonly secret: string; readonly intent: Intent }
  | { readonly kind: 'busy' }
  | { readonly kind: 'ended'; readonly intent: Intent; readonly standing: Over }
  | Gone
  | Unreachable;

const CALL_MS_MAX = 30_000;
const CHALLENGE_TRIES_MAX = 3;
const CHALLENGE_PAUSE_MS = 2_000;
const UNKNOWN: PaymentResult = { statusCode: 500, message: '', authCode: '', transactionId: '' };

/** Asks the API and the vault about one intent. No card passes through here. */
export class Service {
  constructor(
    private readonly places: Places,
    private readonly subject: { readonly kind: IntentKind; readonly id: string },
  ) {}

  async read(): Promise<Reading> {
    const answer = await this.#ask('GET', this.places[this.subject.kind].read);
    if (answer?.status === 404) return { kind: 'gone' };
    return answer?.ok === true ? { kind: 'found', intent: await this.#intentIn(answer) } : { kind: 'unreachable' };
  }

  /** Asks for a secret for one try; the one before is void from then on. */
  async begin(): Promise<Beginning> {
    const answer = await this.#ask('POST', this.places[this.subject.kind].refresh);
    if (answer?.status === 404) return { kind: 'gone' };
    if (answer?.status === 409) return this.#whyNot();
    if (answer?.ok !== true) return { kind: 'unreachable' };
    const intent = await this.#intentIn(answer);
    const { clientSessionSecret: secret } = intent;
    return secret === undefined ? { kind: 'unreachable' } : { kind: 'begun', secret, intent };
  }

  /** The saved cards that the payer may choose from; `known` where the service does not say. */
  async readOffered(known: readonly OfferedCard[] = []): Promise<readonly OfferedCard[]> {
    const answer = await this.#ask('GET', this.places.savedCards);
    return answer?.ok === true ? ((await answer.json()) as OfferedCards).savedPaymentMethods : known;
  }

  /** Pays with what a wallet gave. Never repeated: nobody knows what became of a try without an answer. */
  async payByWallet(secret: string, body: SentBodyOf<typeof payByWallet>): Promise<TryResult> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    const answer = await asked(this.places.wallet, { method: 'POST', headers, body: JSON.stringify(body) });
    const result: unknown = await answer?.json().catch(() => null);
    return isResult(result) ? { result, fields: wrongIn(result) } : { result: UNKNOWN, fields: [] };
  }

  /** Tells what the issuer's page said. Asked again when nobody answers: it may be repeated. */
  async completeChallenge(secret: string, body: { paRes: string; transactionId: string }): Promise<PaymentResult> {
    const headers = { 'content-type': 'application/json', 'client-session-secret': secret };
    for (let tries = 1; ; tries += 1) {
      const answer = await asked(this.places.challenge, { method: 'POST', headers, body: JSON.stringify(body) });
      const result: unknown = await answer?.json().catch(() => null);
      if (isResult(result)) return result;
      if (tries >= CHALLENGE_TRIES_MAX) return UNKNOWN;
      await pause(CHALLENGE_PAUSE_MS);
    }
  }

  /** No secret is given while a try runs, and none once it has ended well: the intent says which it was. */
  async #whyNot(): Promise<Beginning> {
    const reading = await this.read();
    if (reading.kind !== 'found') return reading;
    const standing = standingOf(reading.intent);
    return standing === 'open' ? { kind: 'busy' } : { kind: 'ended', intent: reading.intent, standing };
  }

  #ask(method: string, template: string): Promise<Response | null> {
    return asked(template.replace(/\{\w+\}/, encodeURIComponent(this.subject.id)), { method });
  }

  async #intentIn(answer: Response): Promise<Intent> {
    return { ...((await answer.json()) as Intent), kind: this.subject.kind } as Intent;
  }
}

/** Whether it says how a try ended; a problem body says it too, in the same member. */
export function isResult(value: unknown): value is PaymentResult {
  return typeof value === 'object' && value !== null && 'statusCode' in value && typeof value.statusCode === 'number';
}

/** The members that a problem body names. */
function wrongIn(result: PaymentResult): string[] {
  return 'errors' in result && typeof result.errors === 'object' ? Object.keys(result.errors ?? {}) : [];
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function asked(url: string, init: RequestInit): Promise<Response | null> {
  try {
    return await fetch(url, { ...init, credentials: 'omit', signal: AbortSignal.timeout(CALL_MS_MAX) });
  } catch {
    return null;
  }
}
