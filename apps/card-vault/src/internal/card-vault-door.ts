import type { AcquirerCall } from '@pos/core/acquirer-call';
import { ENVIRONMENTS, isId, type PaymentMethodId, type Scope } from '@pos/core/identity';
import { isSameAmount, money } from '@pos/core/money';
import type { AcquirerAnswer } from '@pos/core/ports';
import { keyed, Refusal } from '@pos/core/refusal';
import type { SavedCard } from '@pos/core/saved-card';
import {
  type CardVaultServiceServer,
  CardVaultServiceService,
  ChargeOutcome,
  type ChargeStoredCardRequest,
  type ChargeStoredCardResponse,
  type DescribeCardRequest,
  type DescribeCardResponse,
  type EraseCardRequest,
  type EraseCardResponse,
  type ReverseAuthorisationRequest,
  type ReverseAuthorisationResponse,
  type Scope as WireScope,
  StoredCardState,
} from '@pos/grpc-contracts/card-vault';
import type { AccountCache } from '@pos/payments/accounts';
import type { AcquirerCalls } from '@pos/payments/acquirer-calls';
import { reverseAttempt, settleAttempt } from '@pos/payments/online-settling';
import { eraseCard } from '@pos/payments/saved-cards';
import { type InternalAdmission, openInternalPort, servedInternally } from '@pos/service-kit/internal-grpc';
import { findAcquirerCall } from '@pos/store/acquirer-calls';
import { deleteCardNumber } from '@pos/store/card-numbers';
import type { Database, Reader } from '@pos/store/database';
import { findOnlineAttempt, hasOpenAttemptOfCard } from '@pos/store/online-attempts';
import { findSavedCard, lockSavedCard } from '@pos/store/saved-cards';
import type { Vault } from '../vault.js';

const DEADLINE_MS_MAX = 60_000;
const REFERENCE_LENGTH_MAX = 64;

/** Stored cards for the other processes of the service, which know them by their ids alone. */
export class CardVaultDoor {
  constructor(
    private readonly parts: InternalAdmission & {
      readonly database: Database;
      readonly vault: Vault;
      readonly accounts: AccountCache;
      /** Repeats a reversal until the acquirer has it; the worker does the same. */
      readonly calls: AcquirerCalls;
    },
  ) {}

  /** Opens the port on an address that nobody else reaches. */
  open(
    at: Pick<Parameters<typeof openInternalPort>[0], 'host' | 'port' | 'connections'>,
  ): ReturnType<typeof openInternalPort> {
    const name = 'service.card_vault.v1.CardVaultService';
    return openInternalPort({ ...at, name, definition: CardVaultServiceService, implementation: this.#methods() });
  }

  #methods(): CardVaultServiceServer {
    const { parts } = this;
    return {
      chargeStoredCard: servedInternally(parts, 'CardVaultService/ChargeStoredCard', (asked: ChargeStoredCardRequest) =>
        this.#charge(asked),
      ),
      eraseCard: servedInternally(parts, 'CardVaultService/EraseCard', (asked: EraseCardRequest) => this.#erase(asked)),
      describeCard: servedInternally(parts, 'CardVaultService/DescribeCard', (asked: DescribeCardRequest) =>
        this.#describe(asked),
      ),
      reverseAuthorisation: servedInternally(
        parts,
        'CardVaultService/ReverseAuthorisation',
        (asked: ReverseAuthorisationRequest) => this.#reverse(asked),
      ),
    };
  }

  /** Asks the acquirer and tells what it said. The caller, whose attempt it is, settles it by the reference. */
  async #charge(asked: ChargeStoredCardRequest): Promise<ChargeStoredCardResponse> {
    const { database, vault, accounts } = this.parts;
    const scope = scopeOf(asked.scope);
    const cardId = cardIdOf(asked.cardId);
    const found = await database.read(scope, async (reader) => {
      const call = await callOf(reader, asked);
      if (call.state === 'Settled' || call.reverseReference !== null) return { call, charge: null };
      const card = await storedCard(reader, cardId);
      const { merchantId } = await accounts.get(reader);
      const number = await vault.numberOf(reader, card);
      return { call, charge: { card, number, merchantId } };
    });
    const { call, charge } = found;
    if (charge === null) return decided(call);
    const answer = await vault.acquirerOf(scope).charge(
      {
        ...{ reference: call.reference, merchantId: charge.merchantId, amount: call.amount },
        isCapturing: asked.capture,
        isCustomerInitiated: asked.customerInitiated,
        payer: null,
        deadlineMs: Math.min(Math.max(asked.deadlineMs, 1), DEADLINE_MS_MAX),
      },
      charge,
    );
    // A refusal leaves nothing at the acquirer that an inquiry could find: it is written by whoever received it.
    if (answer.outcome === 'refused' || answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => settleAttempt(tx, call.reference, answer));
    }
    return presentAnswer(answer);
  }

  async #erase(asked: EraseCardRequest): Promise<EraseCardResponse> {
    const cardId = cardIdOf(asked.cardId);
    await this.parts.database.transact(scopeOf(asked.scope), async (tx) => {
      const card = await lockSavedCard(tx, cardId);
      if (card === null) throw unknownCard();
      if (card.state === 'Erased') return;
      if (await hasOpenAttemptOfCard(tx, cardId)) {
        throw new Refusal('saved_card_busy', 'an attempt with the card has not ended');
      }
      if (card.setupIntentId !== null) {
        throw new Refusal('saved_card_of_setup_intent', 'the card goes with its setup intent: delete that');
      }
      eraseCard(tx, card);
      deleteCardNumber(tx, cardId);
    });
    return {};
  }

  async #describe(asked: DescribeCardRequest): Promise<DescribeCardResponse> {
    const cardId = cardIdOf(asked.cardId);
    const card = await this.parts.database.read(scopeOf(asked.scope), (reader) => findSavedCard(reader, cardId));
    if (card === null) throw unknownCard();
    return { card: presentCard(card) };
  }

  async #reverse(asked: ReverseAuthorisationRequest): Promise<ReverseAuthorisationResponse> {
    const { database, calls } = this.parts;
    const { acquirerReference, reversalReference } = asked;
    const scope = scopeOf(asked.scope);
    if (reversalReference.length < 1 || reversalReference.length > REFERENCE_LENGTH_MAX) {
      throw keyed('validation_failed', 'reversal_reference', 'must be 1 to 64 characters');
    }
    await database.transact(scope, async (tx) => {
      if ((await findOnlineAttempt(tx, acquirerReference)) === null) throw unknownAttempt();
      await reverseAttempt(tx, acquirerReference, reversalReference);
    });
    const ordered = await database.read(scope, (reader) => findAcquirerCall(reader, acquirerReference));
    const standing = await calls.pursueCall(scope, ordered?.reverseReference ?? reversalReference);
    return { acknowledged: standing === 'over' };
  }
}

function scopeOf(scope: WireScope | undefined): Scope {
  const environment = ENVIRONMENTS.find((each) => each === scope?.environment);
  if (scope === undefined || environment === undefined || !isId('account', scope.accountId)) {
    throw keyed('validation_failed', 'scope', 'names no account');
  }
  return { accountId: scope.accountId, environment };
}

function cardIdOf(text: string): PaymentMethodId {
  if (!isId('paymentMethod', text)) throw unknownCard();
  return text;
}

async function callOf(reader: Reader, asked: ChargeStoredCardRequest): Promise<AcquirerCall> {
  const call = await findAcquirerCall(reader, asked.acquirerReference);
  const attempt = await findOnlineAttempt(reader, asked.acquirerReference);
  if (call?.kind !== 'Authorise' || attempt?.cardId !== asked.cardId) throw unknownAttempt();
  const value = Number(asked.amount);
  const isSame =
    call.paymentIntentId === asked.paymentIntentId &&
    /^[A-Z]{3}$/.test(asked.currency) &&
    Number.isSafeInteger(value) &&
    isSameAmount(call.amount, money(value, asked.currency));
  if (!isSame) throw keyed('validation_failed', 'amount', 'is not what the attempt is about');
  return call;
}

async function storedCard(reader: Reader, cardId: PaymentMethodId): Promise<SavedCard> {
  const card = await findSavedCard(reader, cardId);
  if (card === null) throw unknownCard();
  if (card.state === 'Stored') return card;
  throw new Refusal('saved_card_not_usable', `a card that is ${card.state} cannot be charged`);
}

function unknownCard(): Refusal {
  return new Refusal('saved_card_not_found', 'there is no such card');
}

function unknownAttempt(): Refusal {
  return new Refusal('attempt_not_found', 'there is no such attempt with this card');
}

const NOTHING = { transactionId: '', authCode: '', processedAt: undefined } as const;

/** An attempt that has ended is told as it ended; one that was given up took no money. */
function decided({ result, reverseReference }: AcquirerCall): ChargeStoredCardResponse {
  if (result?.kind === 'approved' && reverseReference === null) {
    return presentAnswer({ outcome: 'approved', approval: result.approval });
  }
  if (result?.kind === 'declined') return presentAnswer({ outcome: 'declined', decline: result.decline });
  return { ...NOTHING, outcome: ChargeOutcome.CHARGE_OUTCOME_FAILED, message: 'REVERSED' };
}

function presentAnswer(answer: AcquirerAnswer): ChargeStoredCardResponse {
  switch (answer.outcome) {
    case 'approved': {
      const { transactionId, authCode, transactionDateTime } = answer.approval;
      const processedAt = new Date(transactionDateTime);
      const outcome = ChargeOutcome.CHARGE_OUTCOME_APPROVED;
      return { outcome, transactionId, authCode, processedAt, message: 'APPROVED' };
    }
    case 'declined': {
      const { transactionId, transactionDateTime, message, said = message } = answer.decline;
      const isFailure = message === 'FAILED';
      const outcome = isFailure ? ChargeOutcome.CHARGE_OUTCOME_FAILED : ChargeOutcome.CHARGE_OUTCOME_DECLINED;
      return { outcome, transactionId, authCode: '', processedAt: new Date(transactionDateTime), message: said };
    }
    case 'reversed':
      return { ...NOTHING, outcome: ChargeOutcome.CHARGE_OUTCOME_FAILED, message: 'REVERSED' };
    case 'refused':
    case 'accessRefused':
      return { ...NOTHING, outcome: ChargeOutcome.CHARGE_OUTCOME_FAILED, message: answer.status };
    case 'alreadyExists':
    case 'challenged':
    case 'done':
    case 'inProgress':
    case 'notFound':
    case 'unknown':
      return { ...NOTHING, outcome: ChargeOutcome.CHARGE_OUTCOME_UNKNOWN, message: '' };
  }
}

const STATES = {
  Pending: StoredCardState.STORED_CARD_STATE_PENDING,
  Stored: StoredCardState.STORED_CARD_STATE_STORED,
  Erased: StoredCardState.STORED_CARD_STATE_ERASED,
} as const satisfies Record<SavedCard['state'], StoredCardState>;

function presentCard(card: SavedCard): DescribeCardResponse['card'] {
  return {
    cardId: card.id,
    state: STATES[card.state],
    maskedNumber: card.maskedNumber,
    last4Pan: card.last4,
    scheme: card.scheme ?? '',
    fundingType: card.fundingType,
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    cardholderName: card.cardholderName,
    storedAt: card.storedAt ?? undefined,
  };
}
