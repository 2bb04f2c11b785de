import type { Caller } from '@pos/core/caller';
import { requirePermission } from '@pos/core/caller';
import { issueSecret, isSecretUsable } from '@pos/core/client-secret';
import { CLIENT_SECRET_RANDOM_BYTES, newClientSecret } from '@pos/core/ids';
import type { PaymentIntentId, Scope } from '@pos/core/identity';
import { isId } from '@pos/core/identity';
import type { IntentDetails } from '@pos/core/intent-details';
import { createIntent, type NewPaymentIntent } from '@pos/core/new-payment-intent';
import type { NewPaymentEvent } from '@pos/core/payment-event';
import { cancel, expire, type IntentDecision, type PaymentIntent, requireVisible } from '@pos/core/payment-intent';
import { keyed, Refusal } from '@pos/core/refusal';
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
import { readCursor, writeCursor } from './page-cursor.js';
import { type SessionView, sessionViewsOf } from './session-view.js';
import { News } from './tell.js';

/** What a caller asks for, read and well formed; the service adds ids, secret, link and location. */
export type IntentWish = Omit<NewPaymentIntent, 'id' | 'clientSecret' | 'details'> & {
  readonly details: Omit<IntentDetails, 'captures' | 'hasPaymentLink' | 'mayHaveClientSecret' | 'isNotOnlineCheckout'>;
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

/** What is looked for; cursors are the opaque texts of an earlier page. */
export interface IntentSearch extends SearchTerms {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

export interface IntentPage {
  readonly views: readonly IntentView[];
  readonly before: string | null;
  readonly after: string | null;
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
    refuseUnknownReferences(wish);
    const id = await tx.newId('paymentIntent');
    const { isNotOnlineCheckout, generateRemoteToken, details, ...rest } = wish;
    const decision = createIntent(
      {
        ...rest,
        id,
        clientSecret: isOnline && generateRemoteToken !== false ? await newSecret(tx, id) : null,
        details: {
          ...details,
          isNotOnlineCheckout,
          hasPaymentLink: isOnline || isNotOnlineCheckout,
          mayHaveClientSecret: isOnline,
        },
      },
      { now: tx.now, locationId: account.locationId, currencies: account.currencies },
    );
    await insertIntent(tx, decision);
    schedule(tx, { kind: 'intent-expiry', subject: id, dueAt: decision.intent.expireAt });
    await tellOf(tx, decision.intent, decision);
    return { intent: decision.intent, account, events: [], sessions: [] };
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
    return { ...around, intent: shown(intent, now) };
  }

  /** Intents newest first; Canceled ones only when they are asked for by status. */
  async search(reader: Reader, search: IntentSearch): Promise<IntentPage> {
    const { before, after, ...terms } = search;
    const text = before ?? after;
    const cursor = text === undefined ? null : readCursor('paymentIntent', text);
    if (text !== undefined && cursor === null) {
      throw keyed(
        'validation_failed',
        before === undefined ? 'cursor.after' : 'cursor.before',
        'is not a cursor of ours',
      );
    }
    const page = await searchIntents(reader, { ...terms, cursor, direction: before === undefined ? 'older' : 'newer' });
    const now = await accountNow(reader);
    const views: IntentView[] = [];
    for (const intent of page.intents) views.push(await this.#view(reader, intent, now));
    const [newest] = page.intents;
    const oldest = page.intents.at(-1);
    return {
      views,
      before: page.hasNewer && newest !== undefined ? writeCursor(newest) : null,
      after: page.hasOlder && oldest !== undefined ? writeCursor(oldest) : null,
    };
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
    return { ...(await this.#around(reader, intent.id)), intent: shown(intent, now) };
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

function shown(intent: PaymentIntent, now: Date): PaymentIntent {
  return isSecretUsable(intent, now) ? intent : withoutSecret(intent);
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
export function remember(tx: Tx, decision: IntentDecision, locked: LockedIntent): Promise<PaymentIntent> {
  return updateIntent(tx, decision, locked);
}

function notFound(): Refusal {
  return new Refusal('payment_intent_not_found', 'there is no such payment intent');
}

const EXPIRY_RETRY_MS = 30_000;

async function tellOf(tx: Tx, intent: PaymentIntent, { tells }: IntentDecision): Promise<void> {
  const news = new News(tx);
  await news.ofIntent(intent, tells);
  await news.tell();
}

/** Customers and setup intents of another account are as unknown as those that never were. */
function refuseUnknownReferences({ details, setupIntentId }: IntentWish): void {
  if (details.customer?.customerId !== undefined) throw keyed('validation_failed', 'customer.id', 'is not a customer');
  if (setupIntentId !== null) throw keyed('validation_failed', 'setupIntentId', 'is not an authorised setup intent');
}

/** The text of a new client secret of the intent. */
export async function newSecret(tx: Tx, intentId: PaymentIntentId): Promise<string> {
  const random = await tx.draw('clientSecret', CLIENT_SECRET_RANDOM_BYTES);
  return newClientSecret({ ...tx.scope, intentId, random });
}

function withoutSecret(intent: PaymentIntent): PaymentIntent {
  return { ...intent, clientSecret: null, clientSecretExpireAt: null };
}
