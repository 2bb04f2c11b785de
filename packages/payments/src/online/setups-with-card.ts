import { type Account, requireEnabledAccount } from '@pos/core/accounts';
import { type Readable, Refusal, type RefusalMembers, requireValue, Violations } from '@pos/core/refusals';
import type { Scope } from '@pos/core/identity';
import { type CardDescription, type CardExpiry, isPast } from '@pos/core/cards';
import type { NewSetupIntent, SetupIntent } from '@pos/core/setup-intents';
import { getAccount } from '@pos/store/repositories';
import { findAcquirerCall, findOnlineAttempt, findSetupIntent, lockSetupIntent } from '@pos/store/payments';
import { getAccountTime } from '@pos/store/clock';
import type { Database, Reader, Tx } from '@pos/store/database';
import { computeVerificationAmount } from '../accounts/possible-intents.js';
import type { AccountCache } from '../accounts/account-cache.js';
import { requireVerifiable } from './attempt-acquirer.js';
import { buildSetupRequest, writeSetupAttempt } from './attempt-start.js';
import { requireAcquirer } from '../acquirer/money-call.js';
import type { Authorise, AuthorisationRequest, CardAccess } from './card-submission.js';
import { prepareRepeat } from './attempt-repeat.js';
import { concludeAttempt } from './attempt-conclusion.js';
import type { PaymentSettings } from '../accounts/payment-settings.js';
import type { SetupIntents, SetupIntentView, SetupIntentRequest } from '../setup-intents/setup-intents.js';

/** The data of a card that is checked before the acquirer receives it. */
interface JudgedCard {
  /** Null: the number is of no scheme that is supported here. */
  readonly scheme: CardDescription['scheme'];
  readonly expiry: CardExpiry;
}

const NO_DEVICE = { userAgent: '', ipAddress: '' };

/**
 * Setup intents that a merchant creates with the card at hand: `beginSetup` writes the setup with its attempt,
 * `authoriseCard` has the card authorised, `getResult` returns the result.
 */
export class CardSetups {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: AccountCache;
      readonly setups: SetupIntents;
      readonly settings: PaymentSettings;
    },
  ) {}

  /**
   * Creates the setup and its attempt. Refuses with every invalid member named, an account without its
   * attestation, and a disabled one.
   */
  async beginSetup(
    tx: Tx,
    request: SetupIntentRequest,
    cardParams: { readonly card: CardDescription; readonly storeCard: CardAccess['storeCard'] },
  ): Promise<string> {
    const { setups, settings } = this.parts;
    const account = await requireCardAttestation(tx);
    requireEnabledAccount(account);
    requireAcquirer(tx, settings);
    const { card, storeCard } = cardParams;
    const expiry = { month: card.expiryMonth, year: card.expiryYear };
    const { id } = (await setups.create(tx, request, findCardFaults({ scheme: card.scheme, expiry }, tx.now))).setup;
    const locked = requireValue(await lockSetupIntent(tx, id), `setup ${id}`);
    const amount = computeVerificationAmount(locked.setup, account.currencies);
    const planned = { settings, amount, scheme: card.scheme, isCardholderAbsent: true };
    const { merchant } = requireVerifiable(tx, account, planned);
    return writeSetupAttempt(tx, settings, {
      locked,
      merchant,
      setup: locked.setup,
      secret: null,
      contacts: null,
      amount,
      card,
      storeCard,
    });
  }

  /** Refuses what `beginSetup` would refuse of the members that could be read. References are not looked up. */
  async requireSound(reader: Reader, request: Readable<NewSetupIntent>, card: Readable<JudgedCard>): Promise<void> {
    await this.parts.setups.requireSound(reader, request, findCardFaults(card, await getAccountTime(reader)));
  }

  /**
   * Has the card authorised and stores the result. The acquirer books once, however often it is called. `isRepeated`:
   * another request may have called it.
   */
  async authoriseCard(
    scope: Scope,
    { reference, isRepeated }: { readonly reference: string; readonly isRepeated: boolean },
    authorise: Authorise,
  ): Promise<void> {
    const { database, settings } = this.parts;
    if (isRepeated && !(await prepareRepeat(database, settings, { scope, reference }))) return;
    const authorisation = await database.read(scope, (reader) => this.#buildAuthorisation(reader, reference));
    if (authorisation === null) return;
    settings.fault('after-attempt-before-call');
    const answer = await authorise(authorisation);
    settings.fault('after-answer-before-commit');
    await database.transact(scope, (tx) => concludeAttempt(tx, reference, answer));
  }

  /** The setup once the attempt has ended; refuses `acquirer_unanswered` until then. */
  async getResult(reader: Reader, reference: string): Promise<SetupIntentView> {
    const call = requireValue(await findAcquirerCall(reader, reference), `call ${reference}`);
    if (call.state !== 'Settled' && call.reverseReference === null) {
      throw new Refusal(
        'acquirer_unanswered',
        'the acquirer has not answered; it is asked again until it does: repeat with the same key',
      );
    }
    return this.parts.setups.get(reader, requireValue(call.setupIntentId, 'the setup of the attempt'));
  }

  /** Null if nothing is left to request. The merchant enters the card; its owner is not present for a challenge. */
  async #buildAuthorisation(reader: Reader, reference: string): Promise<AuthorisationRequest | null> {
    const { settings } = this.parts;
    const call = requireValue(await findAcquirerCall(reader, reference), `call ${reference}`);
    if (call.state === 'Settled' || call.reverseReference !== null) return null;
    const setup = await findSetupOfAttempt(reader, reference);
    const authorisation = buildSetupRequest(reader, setup, { reference, settings, device: NO_DEVICE });
    const { acquirer, merchantId, amount } = call;
    return { ...authorisation, acquirer, merchantId, amount, isCardholderAbsent: true, isChallengePossible: false };
  }
}

/** The current account. Refuses one that may not handle card numbers: its attestation is missing or has expired. */
export async function requireCardAttestation(tx: Tx): Promise<Account> {
  const account = await getAccount(tx);
  const { cardAttestationUntil: until } = account;
  if (until !== null && until > tx.databaseNow) return account;
  throw new Refusal('attestation_missing', 'card numbers need a valid SAQ-D attestation of the account');
}

async function findSetupOfAttempt(reader: Reader, reference: string): Promise<SetupIntent> {
  const attempt = requireValue(await findOnlineAttempt(reader, reference), `attempt ${reference}`);
  const id = requireValue(attempt.subject.setupIntentId, 'the setup of the attempt');
  return requireValue(await findSetupIntent(reader, id), `setup ${id}`);
}

function findCardFaults({ scheme, expiry: { month, year } = {} }: Readable<JudgedCard>, now: Date): RefusalMembers {
  const faults = new Violations();
  if (month !== undefined && year !== undefined && isPast({ month, year }, now)) {
    faults.add('card.expiryDate', 'Has passed.');
  }
  if (scheme === null) faults.add('card.cardNumber', 'Is of a scheme that is not known here.');
  return faults.members;
}
