import type { Caller } from '@pos/core/caller';
import { requirePermission } from '@pos/core/caller';
import { issueSecret, withUsableSecret } from '@pos/core/client-secret';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { isId } from '@pos/core/identity';
import type { IntentDetails } from '@pos/core/intent-details';
import { createIntent, type NewPaymentIntent, requireSoundIntent } from '@pos/core/new-payment-intent';
import type { NewPaymentEvent } from '@pos/core/payment-event';
import { cancel, expire, type IntentDecision, type PaymentIntent, requireVisible } from '@pos/core/payment-intent';
import type { Readable } from '@pos/core/readable';
import { Refusal } from '@pos/core/refusal';
import { hasOpenAttempt } from '@pos/store/acquirer-calls';
import type { Account } from '@pos/core/account';
import type { Database, Reader, Tx } from '@pos/store/database';
import {
  findIntent,
  findIntentScope,
  searchIntents,
  type SearchTerms,
  insertIntent,
  lockIntent,
  type LockedIntent,
  paymentEventsOf,
  updateIntent,
} from '@pos/store/payment-intents';
import { accountNow } from '@pos/store/clock';
import { cancelTimer, schedule } from '@pos/store/timers';
import type { Accounts } from './accounts.js';
import { newSecret } from './client-secrets.js';
import { endsOf, type PageEnds, type PageWish, readPlace } from './cursors.js';
import { wakeOrder } from './held-for-order.js';
import { checkReferences, type SavedCardWish } from './intent-references.js';
import { type SessionView, sessionViewsOf } from './session-view.js';
import { News } from './tell.js';

/** What a caller asks for, read and well formed; the service adds ids, secret, link and location. */
export type IntentWish = Omit<NewPaymentIntent, 'id' | 'clientSecret' | 'details'> & {
  readonly details: Omit<
    IntentDetails,
    'captures' | 'hasPaymentLink' | 'mayHaveClientSecret' | 'isNotOnlineCheckout' | 'customerSecretId' | 'savedCardId'
  >;
  /** Left out where nobody pays with a saved card. */
  readonly savedCard?: SavedCardWish;
  readonly isNotOnlineCheckout: boolean;
  /** Absent: a secret if the key may have one; true: a secret or a refusal; false: none until it is refreshed. */
  readonly generateRemoteToken: boolean | null;
};

/** Everything a presenter shows of an intent. */
export interface IntentView {
  readonly intent: PaymentIntent;
  readonly account: Account;
  readonly events: readonly NewPaymentEvent[];
  readonly sessions: readonly SessionView[];
}

/** What is looked for, and which page of it. */
export type IntentSearch = SearchTerms & PageWish;

export interface IntentPage extends PageEnds {
  readonly views: readonly IntentView[];
}

type Asking = Pick<Caller, 'permissions'>;

/** What may be done with a payment intent before money moves. Money itself moves in terminal-sessions and give-back. */
export class PaymentIntents {
  constructor(private readonly accounts: Accounts) {}

  /** Creates an intent and tells of it. Refuses with every wrong member named; 403 for a secret the key may not have. */
  async create(tx: Tx, caller: Asking, wish: IntentWish): Promise<IntentView> {
    const account = await this.accounts.get(tx);
    const isOnline = caller.permissions.has('payments.online');
    if (wish.generateRemoteToken === true) requirePermission(caller, 'payments.online');
    const { isNotOnlineCheckout, generateRemoteToken, details, savedCard = {}, ...rest } = wish;
    const customerId = details.customer?.customerId;
    const named = await checkReferences(tx, { ...rest, customerId, savedCard });
    const id = await tx.newId('paymentIntent');
    const decision = createIntent(
      {
        ...rest,
        id,
        clientSecret: isOnline && generateRemoteToken !== false ? await newSecret(tx, id) : null,
        details: {
          ...details,
          ...named.savedCards,
          isNotOnlineCheckout,
          hasPaymentLink: isOnline || isNotOnlineCheckout,
          mayHaveClientSecret: isOnline,
        },
      },
      { now: tx.now, locationId: account.locationId, currencies: account.currencies, unknown: named.unknown },
    );
    await insertIntent(tx, decision);
    schedule(tx, { kind: 'intent-expiry', subject: id, dueAt: decision.intent.expireAt });
    await tellOf(tx, decision.intent, decision);
    return { intent: decision.intent, account, events: [], sessions: [] };
  }

  /** Refuses what `create` would refuse of the members that could be read. References are not looked up. */
  async requireSound(reader: Reader, wish: Readable<NewPaymentIntent>): Promise<void> {
    const { currencies } = await this.accounts.get(reader);
    requireSoundIntent(wish, { currencies, now: await accountNow(reader) });
  }

  /** The intent with its history; a Canceled one only to those who ask for it. */
  async get(reader: Reader, id: string, { returnCanceled }: { readonly returnCanceled: boolean }): Promise<IntentView> {
    if (!isId('paymentIntent', id)) throw notFound();
    const [intent, now, around] = await Promise.all([
      findIntent(reader, id),
      accountNow(reader),
      this.#around(reader, id),
    ]);
    if (intent === null) throw notFound();
    requireVisible(intent, returnCanceled);
    return { ...around, intent: withUsableSecret(intent, now) };
  }

  /** Intents newest first; Canceled ones only when they are asked for by status. */
  async search(reader: Reader, search: IntentSearch): Promise<IntentPage> {
    const { before, after, ...terms } = search;
    const page = await searchIntents(reader, {
      ...terms,
      ...readPlace(reader.scope, 'paymentIntent', { before, after, within: 'cursor.' }),
    });
    const now = await accountNow(reader);
    const views: IntentView[] = [];
    for (const intent of page.elements) views.push(await this.#view(reader, intent, now));
    return { views, ...endsOf(reader.scope, page) };
  }

  /** Whose intent an id is, for callers who have no key: the id is all they know. */
  async findScope(database: Database, id: string): Promise<Scope> {
    const scope = await database.system((reader) => findIntentScope(reader, id));
    if (scope === null) throw notFound();
    return scope;
  }

  /** What a payer may see: an intent that has a payment page and is not Canceled. */
  async getPublic(reader: Reader, id: string): Promise<IntentView> {
    const view = await this.get(reader, id, { returnCanceled: false });
    if (!view.intent.details.hasPaymentLink) throw notFound();
    return view;
  }

  /** A new client secret for the payer's browser. */
  async refreshSecretPublic(tx: Tx, id: string): Promise<IntentView> {
    const { locked } = await attend(tx, id);
    if (!locked.intent.details.mayHaveClientSecret || locked.intent.status === 'Canceled') throw notFound();
    return this.#issue(tx, id);
  }

  /** Gives the payment up before anybody paid; refused while an attempt or session runs. */
  async cancel(tx: Tx, id: string): Promise<IntentView> {
    const { locked, hasRunningAttempt } = await attend(tx, id);
    const decision = cancel(locked.intent, { now: tx.now, hasRunningAttempt });
    const intent = await remember(tx, decision, locked);
    cancelTimer(tx, { kind: 'intent-expiry', subject: intent.id });
    await tellOf(tx, intent, decision);
    return this.#view(tx, intent, tx.now);
  }

  /** A new one-time client secret; the old one is void from the commit on. */
  async refreshSecret(tx: Tx, caller: Asking, id: string): Promise<IntentView> {
    requirePermission(caller, 'payments.online');
    return this.#issue(tx, id);
  }

  async #issue(tx: Tx, id: string): Promise<IntentView> {
    const { locked, hasRunningAttempt } = await attend(tx, id);
    const text = await newSecret(tx, locked.intent.id);
    const decision = issueSecret(locked.intent, { text, now: tx.now, hasRunningAttempt });
    const intent = await remember(tx, decision, locked);
    return this.#view(tx, { ...intent, clientSecret: text }, tx.now);
  }

  /** The intent's time is over: null when it ends, or when to look again because an attempt still runs. */
  async expire(tx: Tx, id: string): Promise<{ readonly lookAgainInMs: number } | null> {
    const locked = await lockIntent(tx, id);
    if (locked === null || locked.intent.status !== 'Created') return null;
    const hasRunningAttempt = await hasOpenAttempt(tx, locked.intent.id);
    const decision = expire(locked.intent, { now: tx.now, hasRunningAttempt });
    if (decision === null) return { lookAgainInMs: EXPIRY_RETRY_MS };
    const intent = await remember(tx, decision, locked);
    await tellOf(tx, intent, decision);
    return null;
  }

  async #view(reader: Reader, intent: PaymentIntent, now: Date): Promise<IntentView> {
    return { ...(await this.#around(reader, intent.id)), intent: withUsableSecret(intent, now) };
  }

  async #around(reader: Reader, id: PaymentIntentId): Promise<Omit<IntentView, 'intent'>> {
    const [account, events, sessions] = await Promise.all([
      this.accounts.get(reader),
      paymentEventsOf(reader, id),
      sessionViewsOf(reader, id),
    ]);
    return { account, events, sessions };
  }
}

/** Locks an intent and looks whether something still runs on it. Refuses an unknown one. */
export async function attend(
  tx: Tx,
  id: string,
): Promise<{ readonly locked: LockedIntent; readonly hasRunningAttempt: boolean }> {
  const locked = await lockIntent(tx, id);
  if (locked === null) throw notFound();
  return { locked, hasRunningAttempt: await hasOpenAttempt(tx, locked.intent.id) };
}

/** Writes a decision about a locked intent, its history and its postings. Telling is the caller's. */
export async function remember(tx: Tx, decision: IntentDecision, locked: LockedIntent): Promise<PaymentIntent> {
  const intent = await updateIntent(tx, decision, locked);
  wakeOrder(tx, locked.intent, intent);
  return intent;
}

function notFound(): Refusal {
  return new Refusal('payment_intent_not_found', 'there is no such payment intent');
}

const EXPIRY_RETRY_MS = 30_000;

async function tellOf(tx: Tx, intent: PaymentIntent, decision: IntentDecision): Promise<void> {
  const news = new News(tx);
  await news.ofDecision(intent, decision);
  await news.tell();
}
