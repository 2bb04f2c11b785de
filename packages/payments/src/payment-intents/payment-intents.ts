import {
  type Account,
  type Caller,
  requireEnabledAccount,
  requirePermission,
  toIntentChecks,
} from '@pos/core/accounts';
import {
  abandonAttempt,
  cancel,
  computeTotalAmount,
  createIntent,
  expire,
  type IntentDetails,
  issueSecret,
  type NewPaymentIntent,
  type PaymentIntent,
  requireSoundIntent,
  requireVisible,
  withUsableSecret,
} from '@pos/core/payment-intents';
import { isId, type PaymentIntentId, type Scope, type SetupIntentId } from '@pos/core/identity';
import { type Readable, Refusal, requireValue } from '@pos/core/refusals';
import {
  findIntentScope,
  findIntentWithHistory,
  hasOpenAttempt,
  insertPageSecret,
  type IntentHistory,
  type IntentSearchTerms,
  listIntentHistories,
  type LockedIntent,
  lockIntent,
  searchIntents,
} from '@pos/store/payments';
import type { Database, Reader, Tx } from '@pos/store/database';
import { getAccountTime } from '@pos/store/clock';
import { cancelTimer } from '@pos/store/queues';
import type { AccountCache } from '../accounts/account-cache.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { requirePossibleIntent } from '../accounts/possible-intents.js';
import { orderChallengeEnd } from '../authorisations/challenge-end.js';
import { findProvenAttempt, type ProvenAttempt } from './payer-proof.js';
import { createClientSecret } from './client-secrets.js';
import { buildPageCursors, type PageCursors, type PageQuery, readPosition } from '../paging/page-cursors.js';
import { commitIntent, commitNewIntent } from './intent-commit.js';
import { checkReferences, type SavedCardRequest } from './intent-references.js';

/** The caller's request, read and well formed; the service adds ids, secret, link and location. */
export type PaymentIntentRequest = Omit<NewPaymentIntent, 'id' | 'clientSecret' | 'details'> & {
  readonly details: Omit<
    IntentDetails,
    'captures' | 'hasPaymentLink' | 'mayHaveClientSecret' | 'isNotOnlineCheckout' | 'customerSecretId' | 'savedCardId'
  >;
  /** Absent if the payment may not use a saved card. */
  readonly savedCard?: SavedCardRequest;
  readonly isNotOnlineCheckout: boolean;
  /** Absent: a secret if the key may have one; true: a secret or a refusal; false: none until it is refreshed. */
  readonly generateRemoteToken: boolean | null;
};

/** Everything a presenter shows of an intent. */
export interface IntentView extends IntentHistory {
  readonly intent: PaymentIntent;
  readonly account: Account;
}

/** The same for a payer. */
export interface PublicIntentView extends IntentView {
  /** The attempt of this payer; null if they have proved none. */
  readonly provenAttempt: ProvenAttempt | null;
}

/** What a payer may see of a link whose intent may have ended. */
export interface PaymentLinkView {
  readonly id: PaymentIntentId | SetupIntentId;
  readonly state: 'Active' | 'Canceled' | 'Expired';
  readonly account: Account;
}

/** The search terms, and the requested page. */
export type IntentSearch = IntentSearchTerms & PageQuery;

export interface IntentPage extends PageCursors {
  readonly views: readonly IntentView[];
}

type IntentCaller = Pick<Caller, 'permissions'>;

/**
 * Operations on a payment intent before money moves. Money itself moves in terminal sessions, captures and refunds.
 */
export class PaymentIntents {
  constructor(
    private readonly accounts: AccountCache,
    private readonly settings: Pick<PaymentSettings, 'acquirers'>,
  ) {}

  /**
   * Creates an intent and publishes its creation. Refuses with every invalid member named; 403 for a secret the key
   * may not have, and for a disabled account; 409 for what no acquirer of the account can take.
   */
  async create(tx: Tx, caller: IntentCaller, request: PaymentIntentRequest): Promise<IntentView> {
    const account = await this.accounts.getEnabled(tx);
    const isOnline = caller.permissions.has('payments.online');
    if (request.generateRemoteToken === true) requirePermission(caller, 'payments.online');
    const { isNotOnlineCheckout, generateRemoteToken, details, savedCard = {}, ...rest } = request;
    const customerId = details.customer?.customerId;
    const references = await checkReferences(tx, { ...rest, customerId, savedCard });
    const id = await tx.newId('paymentIntent');
    const decision = createIntent(
      {
        ...rest,
        id,
        clientSecret: isOnline && generateRemoteToken !== false ? await createClientSecret(tx, id) : null,
        details: {
          ...details,
          ...references.savedCards,
          isNotOnlineCheckout,
          hasPaymentLink: isOnline || isNotOnlineCheckout,
          mayHaveClientSecret: isOnline,
        },
      },
      { ...toIntentChecks(account), now: tx.now, locationId: account.locationId, unknown: references.unknown },
    );
    requirePossibleIntent(decision.intent, { scope: tx.scope, account, settings: this.settings });
    await commitNewIntent(tx, decision);
    return { intent: decision.intent, account, events: [], sessions: [] };
  }

  /** Refuses what `create` would refuse of the members that could be read. References are not looked up. */
  async requireSound(reader: Reader, request: Readable<NewPaymentIntent>): Promise<void> {
    const checks = toIntentChecks(await this.accounts.get(reader));
    requireSoundIntent(request, { ...checks, now: await getAccountTime(reader) });
  }

  /** The intent with its history, by one statement; a Canceled one only if it is requested. */
  async get(reader: Reader, id: string, { returnCanceled }: { readonly returnCanceled: boolean }): Promise<IntentView> {
    if (!isId('paymentIntent', id)) throw createNotFoundRefusal();
    const [found, account] = await Promise.all([findIntentWithHistory(reader, id), this.accounts.get(reader)]);
    if (found === null) throw createNotFoundRefusal();
    const { intent, now, ...history } = found;
    requireVisible(intent, returnCanceled);
    return { ...history, account, intent: withUsableSecret(intent, now) };
  }

  /** Intents newest first; Canceled ones only if their status is requested. */
  async search(reader: Reader, search: IntentSearch): Promise<IntentPage> {
    const { before, after, ...terms } = search;
    const page = await searchIntents(reader, {
      ...terms,
      ...readPosition(reader.scope, 'paymentIntent', { before, after, memberPrefix: 'cursor.' }),
    });
    const [now, views] = await Promise.all([getAccountTime(reader), this.#readViews(reader, page.elements)]);
    const usable = views.map((view) => ({ ...view, intent: withUsableSecret(view.intent, now) }));
    return { views: usable, ...buildPageCursors(reader.scope, page) };
  }

  /** The scope of an intent, for callers without a key: they only have the id. */
  async findScope(database: Database, id: string): Promise<Scope> {
    const scope = await database.readSystem((reader) => findIntentScope(reader, id));
    if (scope === null) throw createNotFoundRefusal();
    return scope;
  }

  /**
   * The view for a payer: an intent that has a payment page and is not Canceled. `secret` may prove that they are the one
   * who has paid, or tried to.
   */
  async getPublic(reader: Reader, id: string, secret: string | null = null): Promise<PublicIntentView> {
    const view = await this.get(reader, id, { returnCanceled: false });
    requirePublicIntent(view.intent);
    return { ...view, provenAttempt: await findProvenAttempt(reader, view.intent.id, secret) };
  }

  /** Why the link of an intent has ended: it was cancelled before its time was over, or not. */
  async getLink(reader: Reader, id: string): Promise<PaymentLinkView> {
    const { intent, account } = await this.get(reader, id, { returnCanceled: true });
    if (!intent.details.hasPaymentLink) throw createNotFoundRefusal();
    if (intent.status !== 'Canceled') return { id: intent.id, state: 'Active', account };
    return { id: intent.id, state: intent.updatedAt < intent.expireAt ? 'Canceled' : 'Expired', account };
  }

  /**
   * A secret for one page of a payer, beside those of other pages and the intent's own: nobody with the link voids the
   * secret of another payer. Refuses `account_disabled` where it could start a payment.
   */
  async refreshSecretPublic(tx: Tx, id: string): Promise<PublicIntentView> {
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, id);
    const { intent } = locked;
    if (!intent.details.mayHaveClientSecret || intent.status === 'Canceled') throw createNotFoundRefusal();
    const text = await createClientSecret(tx, intent.id);
    const { clientSecretExpireAt: expireAt } = issueSecret(intent, { text, now: tx.now, hasRunningAttempt }).intent;
    // After the state: a payer whose payment has ended reads how it ended.
    requireEnabledAccount(await this.accounts.get(tx));
    const total = computeTotalAmount(intent);
    insertPageSecret(tx, { text, intentId: intent.id, total, expireAt: requireValue(expireAt, 'the end of a secret') });
    const view = await this.#view(tx, { ...intent, clientSecret: text, clientSecretExpireAt: expireAt }, tx.now);
    return { ...view, provenAttempt: null };
  }

  /**
   * Ends a challenge that waits for its payer for at least `minAgeMs`. Returns the reference of the reversal, which is to be
   * pursued; null where no challenge waits.
   */
  async endChallenge(tx: Tx, id: string, minAgeMs: number): Promise<string | null> {
    const locked = await lockIntent(tx, id);
    const ended = locked === null ? null : await orderChallengeEnd(tx, locked.intent.id, minAgeMs);
    if (locked === null || ended === null) return null;
    const { reversalReference, attempt } = ended;
    // No event is published: the status stays.
    if (attempt !== null && locked.intent.status === 'Created')
      await commitIntent(tx, locked, abandonAttempt(locked.intent, attempt, tx.now));
    return reversalReference;
  }

  /**
   * Cancels the payment before it is paid, and ends a challenge that waits for its payer. Refused while any other attempt or
   * a session runs.
   */
  async cancel(tx: Tx, id: string): Promise<IntentView> {
    const isChallengeEnded = (await this.endChallenge(tx, id, 0)) !== null;
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, id);
    const decision = cancel(locked.intent, {
      now: tx.now,
      // A worker repeats the reversal until the acquirer acknowledges it, and nobody pays a cancelled payment.
      hasRunningAttempt: hasRunningAttempt && !isChallengeEnded,
    });
    return this.#view(tx, await commitIntent(tx, locked, decision), tx.now);
  }

  /** A new one-time client secret; the old one and those of all pages are void from the commit on. */
  async refreshSecret(tx: Tx, caller: IntentCaller, id: string): Promise<IntentView> {
    requirePermission(caller, 'payments.online');
    const { locked, hasRunningAttempt } = await lockIntentAndCheckAttempts(tx, id);
    const text = await createClientSecret(tx, locked.intent.id);
    const decision = issueSecret(locked.intent, { text, now: tx.now, hasRunningAttempt });
    const intent = await commitIntent(tx, locked, decision);
    return this.#view(tx, { ...intent, clientSecret: text }, tx.now);
  }

  /**
   * Ends an intent whose time is over. Returns when to check again because an attempt still runs; null when it has ended,
   * and its deadline with it.
   */
  async expire(tx: Tx, id: string): Promise<{ readonly lookAgainInMs: number } | null> {
    const locked = await lockIntent(tx, id);
    if (locked === null || locked.intent.status !== 'Created') {
      cancelTimer(tx, { kind: 'intent-expiry', subject: id });
      return null;
    }
    const hasRunningAttempt = await hasOpenAttempt(tx, locked.intent.id);
    const decision = expire(locked.intent, { now: tx.now, hasRunningAttempt });
    if (decision === null) return { lookAgainInMs: EXPIRY_RETRY_MS };
    await commitIntent(tx, locked, decision);
    return null;
  }

  async #view(reader: Reader, intent: PaymentIntent, now: Date): Promise<IntentView> {
    const [view] = await this.#readViews(reader, [withUsableSecret(intent, now)]);
    return requireValue(view, `the view of ${intent.id}`);
  }

  async #readViews(reader: Reader, intents: readonly PaymentIntent[]): Promise<IntentView[]> {
    const ids = intents.map(({ id }) => id);
    const [account, historyOf] = await Promise.all([this.accounts.get(reader), listIntentHistories(reader, ids)]);
    return intents.map((intent) => ({ intent, account, ...historyOf(intent.id) }));
  }
}

/** Locks an intent and checks whether something still runs on it. Refuses an unknown one. */
export async function lockIntentAndCheckAttempts(
  tx: Tx,
  id: string,
): Promise<{ readonly locked: LockedIntent; readonly hasRunningAttempt: boolean }> {
  const locked = await lockIntent(tx, id);
  if (locked === null) throw createNotFoundRefusal();
  return { locked, hasRunningAttempt: await hasOpenAttempt(tx, locked.intent.id) };
}

/** Refuses an intent that payers may not see. */
export function requirePublicIntent({ details, status }: PaymentIntent): void {
  if (!details.hasPaymentLink || status === 'Canceled') throw createNotFoundRefusal();
}

function createNotFoundRefusal(): Refusal {
  return new Refusal('payment_intent_not_found', 'there is no such payment intent');
}

const EXPIRY_RETRY_MS = 30_000;
