import { type Account, requireEnabledAccount, toIntentChecks } from '@pos/core/accounts';
import { withUsableSecret } from '@pos/core/payment-intents';
import { isId, type Scope } from '@pos/core/identity';
import { type Readable, Refusal, type RefusalMembers, requireValue } from '@pos/core/refusals';
import {
  createSetup,
  expireCard,
  expireSetup,
  abandonSetup,
  abandonSetupAttempt,
  issueSetupSecret,
  type NewSetupEvent,
  type NewSetupIntent,
  requirePublic,
  requireSoundSetup,
  type SetupIntent,
} from '@pos/core/setup-intents';
import {
  findSetupIntent,
  findSetupIntentScope,
  hasOpenAttempt,
  insertPageSecret,
  insertSetupIntent,
  listSetupEvents,
  type LockedSetupIntent,
  lockSetupIntent,
} from '@pos/store/payments';
import { getAccountTime } from '@pos/store/clock';
import type { Database, Reader, Tx } from '@pos/store/database';
import { schedule } from '@pos/store/queues';
import type { AccountCache } from '../accounts/account-cache.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import { requirePossibleSetup } from '../accounts/possible-intents.js';
import { orderChallengeEnd } from '../authorisations/challenge-end.js';
import { findProvenAttempt, type ProvenAttempt } from '../payment-intents/payer-proof.js';
import { createClientSecret } from '../payment-intents/client-secrets.js';
import type { PaymentLinkView } from '../payment-intents/payment-intents.js';
import { checkReferences, type SavedCardRequest } from '../payment-intents/intent-references.js';
import { commitSetupIntent } from './setup-intent-commit.js';

/** The caller's request, read and well formed; the service adds id, secret and location. */
export type SetupIntentRequest = Omit<NewSetupIntent, 'id' | 'clientSecret'> & { readonly savedCard: SavedCardRequest };

/** Everything a presenter shows of a setup intent. */
export interface SetupIntentView {
  readonly setup: SetupIntent;
  readonly account: Account;
  readonly events: readonly NewSetupEvent[];
}

/** The same for a payer. */
export interface PublicSetupIntentView extends SetupIntentView {
  /** The attempt of this payer; null if they have proved none. */
  readonly provenAttempt: ProvenAttempt | null;
}

/** When to check again for the end of a running attempt. */
export interface CheckAgain {
  readonly checkAgainInMs: number;
}

const CHECK_AGAIN: CheckAgain = { checkAgainInMs: 30_000 };

/** Operations on a setup intent without its card. Other classes authorise, charge and erase the card. */
export class SetupIntents {
  constructor(
    private readonly accounts: AccountCache,
    private readonly settings: Pick<PaymentSettings, 'acquirers'>,
  ) {}

  /**
   * Creates a setup intent with a client secret. Refuses a disabled account, an acquirer that cannot verify a card, and
   * every invalid member by its name, also those that were found before.
   */
  async create(
    tx: Tx,
    { savedCard, ...request }: SetupIntentRequest,
    found: RefusalMembers = {},
  ): Promise<SetupIntentView> {
    const account = await this.accounts.getEnabled(tx);
    const customerId = request.details.customer?.customerId;
    const { paymentMethods, details } = request;
    const named = await checkReferences(tx, { customerId, savedCard, paymentMethods, setupIntentId: null });
    const id = await tx.newId('setupIntent');
    const clientSecret = await createClientSecret(tx, id);
    const setup = createSetup(
      { ...request, id, clientSecret, details: { ...details, ...named.savedCards } },
      {
        ...toIntentChecks(account),
        ...{ now: tx.now, locationId: account.locationId },
        unknown: { ...found, ...named.unknown },
      },
    );
    requirePossibleSetup(setup, { scope: tx.scope, account, settings: this.settings });
    insertSetupIntent(tx, setup);
    schedule(tx, { kind: 'setup-expiry', subject: id, dueAt: setup.expireAt });
    return { setup, account, events: [] };
  }

  /** Refuses what `create` would refuse of the members that could be read. References are not looked up. */
  async requireSound(reader: Reader, request: Readable<NewSetupIntent>, found: RefusalMembers = {}): Promise<void> {
    const checks = toIntentChecks(await this.accounts.get(reader));
    requireSoundSetup(request, { ...checks, now: await getAccountTime(reader), unknown: found });
  }

  /** The setup with its history, in any state. */
  async get(reader: Reader, id: string): Promise<SetupIntentView> {
    if (!isId('setupIntent', id)) throw createNotFoundRefusal();
    const [account, setup, events, now] = await Promise.all([
      this.accounts.get(reader),
      findSetupIntent(reader, id),
      listSetupEvents(reader, id),
      getAccountTime(reader),
    ]);
    if (setup === null) throw createNotFoundRefusal();
    return { setup: withUsableSecret(setup, now), account, events };
  }

  /** The scope of a setup, for callers without a key: they only have the id. */
  async findScope(database: Database, id: string): Promise<Scope> {
    const scope = await database.readSystem((reader) => findSetupIntentScope(reader, id));
    if (scope === null) throw createNotFoundRefusal();
    return scope;
  }

  /** The view for a payer: a setup that was not given up. `secret` may prove that the card is theirs. */
  async getPublic(reader: Reader, id: string, secret: string | null = null): Promise<PublicSetupIntentView> {
    const view = await this.get(reader, id);
    requirePublic(view.setup);
    return { ...view, provenAttempt: await findProvenAttempt(reader, view.setup.id, secret) };
  }

  /** Why the link of a setup has ended. */
  async getLink(reader: Reader, id: string): Promise<PaymentLinkView> {
    const { setup, account } = await this.get(reader, id);
    const isGivenUp = setup.status === 'Canceled' || setup.status === 'Closed';
    const state = isGivenUp ? 'Canceled' : setup.status === 'Expired' ? 'Expired' : 'Active';
    return { id: setup.id, state, account };
  }

  /** Ends a challenge as `PaymentIntents.endChallenge` does. */
  async endChallenge(tx: Tx, id: string, minAgeMs: number): Promise<string | null> {
    const locked = await lockSetupIntent(tx, id);
    const ended = locked === null ? null : await orderChallengeEnd(tx, locked.setup.id, minAgeMs);
    if (locked === null || ended === null) return null;
    const { reversalReference, attempt } = ended;
    if (attempt !== null && locked.setup.status === 'Created')
      await commitSetupIntent(tx, locked, abandonSetupAttempt(locked.setup, attempt.transactionId, tx.now));
    return reversalReference;
  }

  /**
   * Gives the setup up; an authorised one only if that is requested. Ends a challenge that waits for its payer. Refused
   * while any other attempt runs.
   */
  async cancel(tx: Tx, id: string, request: { readonly includeAuthorized: boolean }): Promise<SetupIntentView> {
    const isChallengeEnded = (await this.endChallenge(tx, id, 0)) !== null;
    const { locked, hasRunningAttempt: isBusy } = await lockSetupAndCheckAttempts(tx, id);
    const hasRunningAttempt = isBusy && !isChallengeEnded;
    const decision = abandonSetup(locked.setup, { now: tx.now, hasRunningAttempt, ...request });
    return this.#view(tx, await commitSetupIntent(tx, locked, decision));
  }

  /** A new one-time client secret; the old one and those of all pages are void from the commit on. */
  async refreshSecret(tx: Tx, id: string): Promise<SetupIntentView> {
    const { locked, hasRunningAttempt } = await lockSetupAndCheckAttempts(tx, id);
    const text = await createClientSecret(tx, locked.setup.id);
    const setup = await commitSetupIntent(
      tx,
      locked,
      issueSetupSecret(locked.setup, { text, now: tx.now, hasRunningAttempt }),
    );
    return this.#view(tx, setup);
  }

  /**
   * A secret for one page of a payer, beside those of other pages. A payer cannot read a setup that was given up. Refuses
   * `account_disabled`.
   */
  async refreshSecretPublic(tx: Tx, id: string): Promise<PublicSetupIntentView> {
    const { locked, hasRunningAttempt } = await lockSetupAndCheckAttempts(tx, id);
    const { setup } = locked;
    requirePublic(setup);
    const text = await createClientSecret(tx, setup.id);
    const { clientSecretExpireAt: expireAt } = issueSetupSecret(setup, { text, now: tx.now, hasRunningAttempt }).setup;
    requireEnabledAccount(await this.accounts.get(tx));
    const secret = { text, intentId: setup.id, total: null, expireAt: requireValue(expireAt, 'the end of a secret') };
    insertPageSecret(tx, secret);
    const view = await this.#view(tx, { ...setup, clientSecret: text, clientSecretExpireAt: expireAt });
    return { ...view, provenAttempt: null };
  }

  /**
   * Ends a setup whose time is over: null when it ends or has ended, or when to check again because an attempt still
   * runs.
   */
  expire(tx: Tx, id: string): Promise<CheckAgain | null> {
    return this.#end(tx, id, {
      endsAt: ({ status, expireAt }) => (status === 'Created' ? expireAt : null),
      decide: expireSetup,
    });
  }

  /** Ends a setup whose stored card's last month is over: as above. */
  expireCard(tx: Tx, id: string): Promise<CheckAgain | null> {
    return this.#end(tx, id, { endsAt: ({ cardExpireAt }) => cardExpireAt, decide: expireCard });
  }

  async #end(
    tx: Tx,
    id: string,
    { endsAt, decide }: { readonly endsAt: (setup: SetupIntent) => Date | null; readonly decide: typeof expireSetup },
  ): Promise<CheckAgain | null> {
    const locked = await lockSetupIntent(tx, id);
    const due = locked === null ? null : endsAt(locked.setup);
    if (locked === null || due === null) return null;
    const hasRunningAttempt = await hasOpenAttempt(tx, locked.setup.id);
    const decision = decide(locked.setup, { now: tx.now, hasRunningAttempt });
    // The card may have been replaced meanwhile: then its date is the time, instead of a check every half minute.
    if (decision === null && !hasRunningAttempt && due > tx.now)
      return { checkAgainInMs: due.getTime() - tx.now.getTime() };
    if (decision === null) return CHECK_AGAIN;
    await commitSetupIntent(tx, locked, decision);
    return null;
  }

  async #view(tx: Tx, setup: SetupIntent): Promise<SetupIntentView> {
    const [account, events] = await Promise.all([this.accounts.get(tx), listSetupEvents(tx, setup.id)]);
    return { setup: withUsableSecret(setup, tx.now), account, events };
  }
}

/** Locks a setup and checks whether an attempt still runs on it. Refuses an unknown one. */
async function lockSetupAndCheckAttempts(
  tx: Tx,
  id: string,
): Promise<{ readonly locked: LockedSetupIntent; readonly hasRunningAttempt: boolean }> {
  const locked = await lockSetupIntent(tx, id);
  if (locked === null) throw createNotFoundRefusal();
  return { locked, hasRunningAttempt: await hasOpenAttempt(tx, locked.setup.id) };
}

function createNotFoundRefusal(): Refusal {
  return new Refusal('setup_intent_not_found', 'there is no such setup intent');
}
