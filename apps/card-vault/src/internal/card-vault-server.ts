import type { AcquirerCall } from '@pos/core/acquirer-calls';
import { ENVIRONMENTS, isId, type PaymentMethodId, type Scope } from '@pos/core/identity';
import { isSameAmount, money } from '@pos/core/money';
import type { AcquirerAnswer } from '@pos/core/acquirer';
import { createViolation, Refusal } from '@pos/core/refusals';
import type { SavedCard } from '@pos/core/cards';
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
import { reverseAttempt, concludeAttempt } from '@pos/payments/online';
import { eraseCard } from '@pos/payments/customers';
import { startInternalServer, handleInternalCall } from '@pos/service-kit/internal';
import type { Log } from '@pos/service-kit/telemetry';
import {
  deleteCardNumber,
  findAcquirerCall,
  findOnlineAttempt,
  findSavedCard,
  hasOpenAttemptOfCard,
  lockSavedCard,
} from '@pos/store/payments';
import type { Database, Reader } from '@pos/store/database';
import type { Vault } from '../vault/vault.js';

const DEADLINE_MS_MAX = 60_000;
const REFERENCE_LENGTH_MAX = 64;

/** Serves stored cards to the other processes, which have only the cards' ids. */
export class CardVaultGrpcServer {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly log: Log;
      readonly vault: Vault;
      readonly accounts: AccountCache;
      /** Repeats a reversal until the acquirer has received it; the worker does the same. */
      readonly calls: AcquirerCalls;
    },
  ) {}

  /** Opens the port on an internal address. */
  open(
    portOptions: Pick<Parameters<typeof startInternalServer>[0], 'host' | 'port' | 'credentials' | 'connections'>,
  ): ReturnType<typeof startInternalServer> {
    const name = 'service.card_vault.v1.CardVaultService';
    return startInternalServer({
      ...portOptions,
      name,
      definition: CardVaultServiceService,
      implementation: this.#createMethods(),
    });
  }

  #createMethods(): CardVaultServiceServer {
    const { parts } = this;
    return {
      chargeStoredCard: handleInternalCall(
        parts,
        'CardVaultService/ChargeStoredCard',
        (request: ChargeStoredCardRequest) => this.#chargeCard(request),
      ),
      eraseCard: handleInternalCall(parts, 'CardVaultService/EraseCard', (request: EraseCardRequest) =>
        this.#eraseCard(request),
      ),
      describeCard: handleInternalCall(parts, 'CardVaultService/DescribeCard', (request: DescribeCardRequest) =>
        this.#describeCard(request),
      ),
      reverseAuthorisation: handleInternalCall(
        parts,
        'CardVaultService/ReverseAuthorisation',
        (request: ReverseAuthorisationRequest) => this.#reverseAuthorisation(request),
      ),
    };
  }

  /** Sends the charge and returns the acquirer's answer. The caller settles its attempt by the reference. */
  async #chargeCard(request: ChargeStoredCardRequest): Promise<ChargeStoredCardResponse> {
    const { database, vault } = this.parts;
    const scope = readScope(request.scope);
    const cardId = parseCardId(request.cardId);
    const loaded = await database.read(scope, async (reader) => {
      const call = await getAuthorisationCall(reader, request);
      if (call.state === 'Settled' || call.reverseReference !== null) return { call, charge: null };
      const card = await getStoredCard(reader, cardId);
      const sealed = await vault.getSealedNumber(reader, card);
      return { call, charge: { card, sealed, merchantId: call.merchantId } };
    });
    const { call, charge } = loaded;
    if (charge === null) return toDecidedResponse(call);
    const openedFromMs = performance.now();
    const number = await vault.openNumber(scope, cardId, charge.sealed);
    const openMs = Math.ceil(performance.now() - openedFromMs);
    const answer = await vault.getAcquirer({ scope, acquirer: call.acquirer }).chargeStoredCard(
      {
        ...{ reference: call.reference, merchantId: charge.merchantId, amount: call.amount },
        isCapturing: request.capture,
        isCustomerInitiated: request.customerInitiated,
        payer: null,
        deadlineMs: Math.min(Math.max(request.deadlineMs - openMs, 1), DEADLINE_MS_MAX),
      },
      { card: charge.card, number },
    );
    // After a refusal the acquirer has nothing that an inquiry could find, so this process records it.
    if (answer.outcome === 'refused' || answer.outcome === 'accessRefused') {
      await database.transact(scope, (tx) => concludeAttempt(tx, call.reference, answer));
    }
    // A merchant's charge has no payer who could answer: it is declined.
    if (answer.outcome === 'challenged' && !request.customerInitiated) {
      return toDecidedResponse(await database.transact(scope, (tx) => concludeAttempt(tx, call.reference, answer)));
    }
    return presentAnswer(answer);
  }

  async #eraseCard(request: EraseCardRequest): Promise<EraseCardResponse> {
    const cardId = parseCardId(request.cardId);
    await this.parts.database.transact(readScope(request.scope), async (tx) => {
      const card = await lockSavedCard(tx, cardId);
      if (card === null) throw createUnknownCardRefusal();
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

  async #describeCard(request: DescribeCardRequest): Promise<DescribeCardResponse> {
    const cardId = parseCardId(request.cardId);
    const card = await this.parts.database.read(readScope(request.scope), (reader) => findSavedCard(reader, cardId));
    if (card === null) throw createUnknownCardRefusal();
    return { card: presentCard(card) };
  }

  async #reverseAuthorisation(request: ReverseAuthorisationRequest): Promise<ReverseAuthorisationResponse> {
    const { database, calls } = this.parts;
    const { acquirerReference, reversalReference } = request;
    const scope = readScope(request.scope);
    if (reversalReference.length < 1 || reversalReference.length > REFERENCE_LENGTH_MAX) {
      throw createViolation('validation_failed', 'reversal_reference', 'must be 1 to 64 characters');
    }
    await database.transact(scope, async (tx) => {
      if ((await findOnlineAttempt(tx, acquirerReference)) === null) throw createUnknownAttemptRefusal();
      await reverseAttempt(tx, acquirerReference, reversalReference);
    });
    const reversedCall = await database.read(scope, (reader) => findAcquirerCall(reader, acquirerReference));
    const state = await calls.pursueCall(scope, reversedCall?.reverseReference ?? reversalReference);
    return { acknowledged: state === 'over' };
  }
}

function readScope(scope: WireScope | undefined): Scope {
  const environment = ENVIRONMENTS.find((each) => each === scope?.environment);
  if (scope === undefined || environment === undefined || !isId('account', scope.accountId)) {
    throw createViolation('validation_failed', 'scope', 'names no account');
  }
  return { accountId: scope.accountId, environment };
}

function parseCardId(text: string): PaymentMethodId {
  if (!isId('paymentMethod', text)) throw createUnknownCardRefusal();
  return text;
}

async function getAuthorisationCall(reader: Reader, request: ChargeStoredCardRequest): Promise<AcquirerCall> {
  const call = await findAcquirerCall(reader, request.acquirerReference);
  const attempt = await findOnlineAttempt(reader, request.acquirerReference);
  if (call?.kind !== 'Authorise' || attempt?.cardId !== request.cardId) throw createUnknownAttemptRefusal();
  const value = Number(request.amount);
  const isSame =
    call.paymentIntentId === request.paymentIntentId &&
    /^[A-Z]{3}$/.test(request.currency) &&
    Number.isSafeInteger(value) &&
    isSameAmount(call.amount, money(value, request.currency));
  if (!isSame) throw createViolation('validation_failed', 'amount', 'is not what the attempt is about');
  return call;
}

async function getStoredCard(reader: Reader, cardId: PaymentMethodId): Promise<SavedCard> {
  const card = await findSavedCard(reader, cardId);
  if (card === null) throw createUnknownCardRefusal();
  if (card.state === 'Stored') return card;
  throw new Refusal('saved_card_not_usable', `a card that is ${card.state} cannot be charged`);
}

function createUnknownCardRefusal(): Refusal {
  return new Refusal('saved_card_not_found', 'there is no such card');
}

function createUnknownAttemptRefusal(): Refusal {
  return new Refusal('attempt_not_found', 'there is no such attempt with this card');
}

const EMPTY_RESULT = { transactionId: '', authCode: '', processedAt: undefined } as const;

/** The outcome of an attempt that has ended; one that was reversed took no money. */
function toDecidedResponse({ result, reverseReference }: AcquirerCall): ChargeStoredCardResponse {
  if (result?.kind === 'approved' && reverseReference === null) {
    return presentAnswer({ outcome: 'approved', approval: result.approval });
  }
  if (result?.kind === 'declined') return presentAnswer({ outcome: 'declined', decline: result.decline });
  return { ...EMPTY_RESULT, outcome: ChargeOutcome.CHARGE_OUTCOME_FAILED, message: 'REVERSED' };
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
      return { ...EMPTY_RESULT, outcome: ChargeOutcome.CHARGE_OUTCOME_FAILED, message: 'REVERSED' };
    case 'refused':
    case 'accessRefused':
      return { ...EMPTY_RESULT, outcome: ChargeOutcome.CHARGE_OUTCOME_FAILED, message: answer.status };
    case 'alreadyExists':
    case 'challenged':
    case 'done':
    case 'inProgress':
    case 'notFound':
    case 'unknown':
      return { ...EMPTY_RESULT, outcome: ChargeOutcome.CHARGE_OUTCOME_UNKNOWN, message: '' };
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
