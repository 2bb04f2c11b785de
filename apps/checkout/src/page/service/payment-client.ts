import { completeChallenge, payByWallet, type PaymentResult } from '@pos/rest-contracts/card-vault';
import type { Operation, ReturnsOf, SentBodyOf } from '@pos/rest-contracts/operation';
import {
  changePublicAmount,
  changePublicTips,
  type PaymentLink,
  readOfferedCards,
  readPaymentLink,
  readPublicPaymentIntent,
  refreshPublicClientSecret,
  sendPublicReceipt,
} from '@pos/rest-contracts/payment-intents';
import { readPublicSetupIntent, refreshPublicSetupSecret } from '@pos/rest-contracts/setup-intents';
import { AttemptMemory } from './attempt-memory.js';
import { type Intent, type IntentKind, type EndState, getIntentState, isAtBank } from './intent.js';
import type { SavedCardOption, AttemptOutcome } from './payment-attempt.js';
import type { ServiceUrls } from './service-urls.js';

/** The service did not answer, or refused for load: the state of the intent is unknown. */
interface UnreachableResult {
  readonly kind: 'unreachable';
}
/** The intent does not exist for payers. `link` says why, where the service knows the id. */
interface GoneResult {
  readonly kind: 'gone';
  readonly link: PaymentLink | null;
}
export type IntentResult = { readonly kind: 'found'; readonly intent: Intent } | GoneResult | UnreachableResult;

/** The merchant takes no payments now. A later try may be accepted. */
interface ClosedResult {
  readonly kind: 'closed';
}

/** Whether a try may begin: with this secret and the current intent, not while another try runs, or never again. */
export type AttemptStart =
  | { readonly kind: 'begun'; readonly secret: string; readonly intent: Intent }
  /** `isAtBank`: the other try waits for a challenge. */
  | { readonly kind: 'busy'; readonly isAtBank: boolean }
  | { readonly kind: 'ended'; readonly intent: Intent; readonly standing: EndState }
  | ClosedResult
  | GoneResult
  | UnreachableResult;

/** The outcome of a request for a receipt. */
export type ReceiptOutcome = 'sent' | 'refused' | 'exhausted' | 'unreachable';

const CALL_TIMEOUT_MS = 30_000;
const CHALLENGE_TRIES_MAX = 3;
const CHALLENGE_PAUSE_MS = 2_000;
const UNKNOWN_RESULT: PaymentResult = { statusCode: 500, message: '', authCode: '', transactionId: '' };

const READINGS = { payment: readPublicPaymentIntent, setup: readPublicSetupIntent } as const;
const REFRESHES = { payment: refreshPublicClientSecret, setup: refreshPublicSetupSecret } as const;

interface CallParts<O extends Operation> {
  readonly body?: SentBodyOf<O>;
  /** The secret of a try. */
  readonly secret?: string | null;
}

/** Calls the API and the vault for one intent. It never handles a typed card. */
export class PaymentClient {
  readonly memory: AttemptMemory;

  constructor(
    private readonly services: ServiceUrls,
    private readonly subject: { readonly kind: IntentKind; readonly id: string },
  ) {
    this.memory = new AttemptMemory(subject.id);
  }

  /** What only the payer may see is in the answer if this browser has made the payment. */
  async readIntent(): Promise<IntentResult> {
    const answer = await this.#callApi(READINGS[this.subject.kind], { secret: this.#proof });
    if (answer?.status === 404) return this.#readGone();
    return answer?.ok === true ? { kind: 'found', intent: await this.#parseIntent(answer) } : { kind: 'unreachable' };
  }

  /** Requests a secret for one try of this page. */
  async startAttempt(): Promise<AttemptStart> {
    const answer = await this.#callApi(REFRESHES[this.subject.kind]);
    if (answer?.status === 404) return this.#readGone();
    if (answer?.status === 409) return this.#explainConflict();
    if (answer?.status === 403 && (await readReason(answer)) === 'account_disabled') return { kind: 'closed' };
    if (answer?.ok !== true) return { kind: 'unreachable' };
    const intent = await this.#parseIntent(answer);
    const { clientSessionSecret: secret } = intent;
    return secret === undefined ? { kind: 'unreachable' } : { kind: 'begun', secret, intent };
  }

  /** Changes the tip, in minor units. Null if the service does not answer, or refuses the tip. */
  changeTip(tipsAmount: SentBodyOf<typeof changePublicTips>['tipsAmount']): Promise<Intent | null> {
    return this.#changeIntent(changePublicTips, { tipsAmount });
  }

  /** Changes the amount. Null if the service does not answer, or refuses the amount. */
  changeAmount(amount: SentBodyOf<typeof changePublicAmount>['amount']): Promise<Intent | null> {
    return this.#changeIntent(changePublicAmount, { amount });
  }

  async sendReceipt(email: string): Promise<ReceiptOutcome> {
    const answer = await this.#callApi(sendPublicReceipt, { body: { email }, secret: this.#proof });
    if (answer?.ok === true) return 'sent';
    if (answer?.status === 429) return 'exhausted';
    return answer?.status === 400 ? 'refused' : 'unreachable';
  }

  /** The saved cards that the payer may choose; `fallback` if the service does not answer. */
  async readSavedCards(fallback: readonly SavedCardOption[] = []): Promise<readonly SavedCardOption[]> {
    const answer = await this.#callApi(readOfferedCards);
    if (answer?.ok !== true) return fallback;
    return ((await answer.json()) as ReturnsOf<typeof readOfferedCards>).savedPaymentMethods;
  }

  /** Pays with a wallet's token. Never repeated, because the outcome of a try without an answer is unknown. */
  async payByWallet(secret: string, body: SentBodyOf<typeof payByWallet>): Promise<AttemptOutcome> {
    const result = await this.#callVault(payByWallet, { secret, body });
    return isPaymentResult(result)
      ? { result, fields: listInvalidFields(result) }
      : { result: UNKNOWN_RESULT, fields: [] };
  }

  /** Sends the answer of the issuer's page. Repeated without an answer, which is safe. */
  async completeChallenge(secret: string, body: SentBodyOf<typeof completeChallenge>): Promise<PaymentResult> {
    for (let tries = 1; ; tries += 1) {
      const result = await this.#callVault(completeChallenge, { secret, body });
      if (isPaymentResult(result)) return result;
      if (tries >= CHALLENGE_TRIES_MAX) return UNKNOWN_RESULT;
      await waitMs(CHALLENGE_PAUSE_MS);
    }
  }

  /** Proves that this browser has tried to pay. */
  get #proof(): string | null {
    return this.memory.attempt?.secret ?? null;
  }

  async #changeIntent<const O extends Operation>(operation: O, body: SentBodyOf<O>): Promise<Intent | null> {
    const answer = await this.#callApi(operation, { body });
    return answer?.ok === true ? this.#parseIntent(answer) : null;
  }

  async #readGone(): Promise<GoneResult> {
    const answer = await this.#callApi(readPaymentLink);
    return { kind: 'gone', link: answer?.ok === true ? ((await answer.json()) as PaymentLink) : null };
  }

  /** The API gives no secret while a try runs, nor after a success. The intent's status decides which it was. */
  async #explainConflict(): Promise<AttemptStart> {
    const reading = await this.readIntent();
    if (reading.kind !== 'found') return reading;
    const state = getIntentState(reading.intent);
    if (state === 'open') return { kind: 'busy', isAtBank: isAtBank(reading.intent) };
    return { kind: 'ended', intent: reading.intent, standing: state };
  }

  /** The one member in the path of these operations is the id of the intent. */
  #callApi<const O extends Operation>(operation: O, parts: CallParts<O> = {}): Promise<Response | null> {
    const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(this.subject.id));
    return fetchOrNull(`${this.services.api}${path}`, createRequest(operation, parts));
  }

  /** The body of an answer of the vault. */
  async #callVault<const O extends Operation>(operation: O, parts: CallParts<O>): Promise<unknown> {
    const answer = await fetchOrNull(`${this.services.vault}${operation.path}`, createRequest(operation, parts));
    return answer?.json().catch(() => null);
  }

  async #parseIntent(answer: Response): Promise<Intent> {
    return { ...((await answer.json()) as Intent), kind: this.subject.kind } as Intent;
  }
}

/** Whether the body has the outcome of a try. A problem body has it in the same member. */
export function isPaymentResult(value: unknown): value is PaymentResult {
  return typeof value === 'object' && value !== null && 'statusCode' in value && typeof value.statusCode === 'number';
}

/** The invalid members of a problem body. */
function listInvalidFields(result: PaymentResult): string[] {
  return 'errors' in result && typeof result.errors === 'object' ? Object.keys(result.errors ?? {}) : [];
}

function createRequest<O extends Operation>({ method }: O, { body, secret = null }: CallParts<O>): RequestInit {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(secret !== null && { 'client-session-secret': secret }),
  };
  return { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

async function readReason(answer: Response): Promise<unknown> {
  const problem: unknown = await answer.json().catch(() => null);
  return typeof problem === 'object' && problem !== null && 'reason' in problem ? problem.reason : null;
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
