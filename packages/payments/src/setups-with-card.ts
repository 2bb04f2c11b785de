import type { Account } from '@pos/core/account';
import { required } from '@pos/core/assert';
import type { Scope } from '@pos/core/identity';
import { type CardExpiry, isPast } from '@pos/core/card-number';
import { Faults } from '@pos/core/faults';
import type { Readable } from '@pos/core/readable';
import { Refusal, type RefusalMembers } from '@pos/core/refusal';
import type { CardDescription } from '@pos/core/saved-card';
import type { NewSetupIntent, SetupIntent } from '@pos/core/setup-intent';
import { getAccount } from '@pos/store/accounts';
import { findCall } from '@pos/store/acquirer-calls';
import { accountNow } from '@pos/store/clock';
import type { Database, Reader, Tx } from '@pos/store/database';
import { findAttempt } from '@pos/store/online-attempts';
import { findSetup, lockSetup } from '@pos/store/setup-intents';
import type { Accounts } from './accounts.js';
import { setupOrder, verificationOf, writeSetupAttempt } from './attempt-beginning.js';
import { requireAcquirer } from './money-call.js';
import type { AskAcquirer, AuthorisationOrder, CardHands } from './online-order.js';
import { settleOnline } from './online-settling.js';
import type { PaymentSettings } from './settings.js';
import type { SetupIntents, SetupView, SetupWish } from './setup-intents.js';

/** What of a card is judged before the acquirer sees it. */
interface JudgedCard {
  /** Null: the number is of no scheme that is known here. */
  readonly scheme: CardDescription['scheme'];
  readonly expiry: CardExpiry;
}

const NO_DEVICE = { userAgent: '', ipAddress: '' };

/**
 * Setup intents that a merchant creates with the card in hand: `begin` writes the setup with its attempt, `pursue` has
 * the card authorised, `result` shows how that ended.
 */
export class SetupsWithCard {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly accounts: Accounts;
      readonly setups: SetupIntents;
      readonly settings: PaymentSettings;
    },
  ) {}

  /** Creates the setup and its attempt. Refuses with every wrong member named, and an account without its attestation. */
  async begin(
    tx: Tx,
    wish: SetupWish,
    given: { readonly card: CardDescription; readonly keep: CardHands['keep'] },
  ): Promise<string> {
    const { setups, settings } = this.parts;
    const { currencies } = await requireAttestation(tx);
    requireAcquirer(tx, settings);
    const { card, keep } = given;
    const expiry = { month: card.expiryMonth, year: card.expiryYear };
    const { id } = (await setups.create(tx, wish, findCardFaults({ scheme: card.scheme, expiry }, tx.now))).setup;
    const locked = required(await lockSetup(tx, id), `setup ${id}`);
    const amount = verificationOf(locked.setup, currencies);
    return writeSetupAttempt(tx, settings, {
      locked,
      setup: locked.setup,
      secret: null,
      contacts: null,
      amount,
      card,
      keep,
    });
  }

  /** Refuses what `begin` would refuse of the members that could be read. References are not looked up. */
  async requireSound(reader: Reader, wish: Readable<NewSetupIntent>, card: Readable<JudgedCard>): Promise<void> {
    await this.parts.setups.requireSound(reader, wish, findCardFaults(card, await accountNow(reader)));
  }

  /** Has the card authorised and writes how that ended. The acquirer books once, however often it is asked. */
  async pursue(scope: Scope, reference: string, ask: AskAcquirer): Promise<void> {
    const { database, settings } = this.parts;
    const order = await database.read(scope, (reader) => this.#orderOf(reader, reference));
    if (order === null) return;
    settings.fault('after-attempt-before-call');
    const answer = await ask(order);
    settings.fault('after-answer-before-commit');
    await database.transact(scope, (tx) => settleOnline(tx, reference, answer));
  }

  /** The setup once the attempt has ended; refuses `acquirer_unanswered` until then. */
  async result(reader: Reader, reference: string): Promise<SetupView> {
    const call = required(await findCall(reader, reference), `call ${reference}`);
    if (call.state !== 'Settled' && call.reverseReference === null) {
      throw new Refusal(
        'acquirer_unanswered',
        'the acquirer has not answered; it is asked again until it does: repeat with the same key',
      );
    }
    return this.parts.setups.get(reader, required(call.setupIntentId, 'the setup of the attempt'));
  }

  /** Null where there is nothing left to ask. The merchant types; whose card it is is not there to be challenged. */
  async #orderOf(reader: Reader, reference: string): Promise<AuthorisationOrder | null> {
    const { accounts, settings } = this.parts;
    const call = required(await findCall(reader, reference), `call ${reference}`);
    if (call.state === 'Settled' || call.reverseReference !== null) return null;
    const setup = await setupOf(reader, reference);
    const { merchantId } = await accounts.get(reader);
    const order = setupOrder(reader, setup, { reference, settings, device: NO_DEVICE });
    return { ...order, merchantId, amount: call.amount, isCardholderAbsent: true };
  }
}

/** The account as it stands now. Refuses one that may not handle card numbers: its attestation is missing or has run out. */
export async function requireAttestation(tx: Tx): Promise<Account> {
  const account = await getAccount(tx);
  const { cardAttestationUntil: until } = account;
  if (until !== null && until > tx.databaseNow) return account;
  throw new Refusal('attestation_missing', 'card numbers need a valid SAQ-D attestation of the account');
}

async function setupOf(reader: Reader, reference: string): Promise<SetupIntent> {
  const attempt = required(await findAttempt(reader, reference), `attempt ${reference}`);
  const id = required(attempt.subject.setupIntentId, 'the setup of the attempt');
  return required(await findSetup(reader, id), `setup ${id}`);
}

function findCardFaults({ scheme, expiry: { month, year } = {} }: Readable<JudgedCard>, now: Date): RefusalMembers {
  const faults = new Faults();
  if (month !== undefined && year !== undefined && isPast({ month, year }, now)) {
    faults.note('card.expiryDate', 'Has passed.');
  }
  if (scheme === null) faults.note('card.cardNumber', 'Is of a scheme that is not known here.');
  return faults.members;
}
