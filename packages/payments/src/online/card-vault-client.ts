import { type ChannelCredentials, type ClientOptions, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { CARD_SCHEMES, type SavedCardState } from '@pos/core/cards';
import type { PaymentMethodId, Scope } from '@pos/core/identity';
import type { CardVaultPort, ChargeAnswer } from '@pos/core/acquirer';
import { Refusal, type RefusalCode } from '@pos/core/refusals';
import {
  CardVaultServiceClient,
  ChargeOutcome,
  type ChargeStoredCardResponse,
  type DescribeCardResponse,
  type ReverseAuthorisationResponse,
  StoredCardState,
} from '@pos/grpc-contracts/card-vault';
import { limitAnswer, INTERNAL_VALUES_MAX } from '@pos/grpc-contracts/message-values';
import { callMethod, type RpcCallback } from '../acquirer/acquirer-rpc.js';

const DEADLINE_MS = 10_000;
/** The vault limits the time of a call to the acquirer; this is added for the network. */
const NETWORK_MARGIN_MS = 2_000;

/** The vault over gRPC, for the processes that never see a number. */
export class CardVaultClient implements CardVaultPort {
  readonly #client: CardVaultServiceClient;
  readonly #metadata = new Metadata();

  /** The channel encrypts, and names this process to the vault. */
  constructor(
    address: string,
    { credentials, options }: { readonly credentials: ChannelCredentials; readonly options: ClientOptions },
  ) {
    this.#client = new CardVaultServiceClient(address, credentials, {
      ...limitAnswer(INTERNAL_VALUES_MAX),
      ...options,
    });
  }

  /** A missing answer is `unknown`; a refusal of the vault is thrown as the same refusal. */
  async charge(chargeRequest: Parameters<CardVaultPort['charge']>[0]): Promise<ChargeAnswer> {
    const { scope, cardId, paymentIntentId, reference, amount, deadlineMs } = chargeRequest;
    const request = {
      ...{ scope, cardId, paymentIntentId, acquirerReference: reference },
      ...{ amount: BigInt(amount.value), currency: amount.currencyCode, deadlineMs },
      capture: chargeRequest.isCapturing,
      customerInitiated: chargeRequest.isCustomerInitiated,
    };
    try {
      const { outcome, message } = await callMethod<ChargeStoredCardResponse>(
        deadlineMs + NETWORK_MARGIN_MS,
        (options, callback) => {
          this.#client.chargeStoredCard(request, this.#metadata, options, callback);
        },
      );
      return { outcome: OUTCOMES[outcome], message };
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal !== null) throw refusal;
      return { outcome: 'unknown', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async erase(scope: Scope, cardId: PaymentMethodId): Promise<void> {
    await callVault((options, callback) => {
      this.#client.eraseCard({ scope, cardId }, this.#metadata, options, callback);
    });
  }

  async describe(scope: Scope, cardId: PaymentMethodId): ReturnType<CardVaultPort['describe']> {
    const { card } = await callVault<DescribeCardResponse>((options, callback) => {
      this.#client.describeCard({ scope, cardId }, this.#metadata, options, callback);
    });
    const state = card === undefined ? null : STATES[card.state];
    if (card === undefined || state === null) throw new Error(`the vault describes ${cardId} with unknown values`);
    return {
      state,
      maskedNumber: card.maskedNumber,
      last4: card.last4Pan,
      scheme: CARD_SCHEMES.find((scheme) => scheme === card.scheme) ?? null,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      cardholderName: card.cardholderName,
    };
  }

  async reverse(scope: Scope, reference: string, reversalReference: string): Promise<boolean> {
    const request = { scope, acquirerReference: reference, reversalReference };
    const { acknowledged } = await callVault<ReverseAuthorisationResponse>((options, callback) => {
      this.#client.reverseAuthorisation(request, this.#metadata, options, callback);
    });
    return acknowledged;
  }

  close(): void {
    this.#client.close();
  }
}

const OUTCOMES = {
  [ChargeOutcome.CHARGE_OUTCOME_UNSPECIFIED]: 'unknown',
  [ChargeOutcome.CHARGE_OUTCOME_APPROVED]: 'approved',
  [ChargeOutcome.CHARGE_OUTCOME_DECLINED]: 'declined',
  [ChargeOutcome.CHARGE_OUTCOME_FAILED]: 'failed',
  [ChargeOutcome.CHARGE_OUTCOME_UNKNOWN]: 'unknown',
  [ChargeOutcome.UNRECOGNIZED]: 'unknown',
} as const satisfies Record<ChargeOutcome, ChargeAnswer['outcome']>;

const STATES = {
  [StoredCardState.STORED_CARD_STATE_UNSPECIFIED]: null,
  [StoredCardState.STORED_CARD_STATE_PENDING]: 'Pending',
  [StoredCardState.STORED_CARD_STATE_STORED]: 'Stored',
  [StoredCardState.STORED_CARD_STATE_ERASED]: 'Erased',
  [StoredCardState.UNRECOGNIZED]: null,
} as const satisfies Record<StoredCardState, SavedCardState | null>;

/** The trailer in which another process of ours sends the code of its refusal. */
const REFUSAL_TRAILER = 'service-refusal-code';
const REFUSALS: readonly RefusalCode[] = [
  'saved_card_not_found',
  'saved_card_not_usable',
  'saved_card_busy',
  'saved_card_of_setup_intent',
  'attempt_not_found',
  'not_reversible',
];

async function callVault<R>(
  call: (options: { readonly deadline: Date }, callback: RpcCallback<R>) => void,
): Promise<R> {
  try {
    return await callMethod<R>(DEADLINE_MS, call);
  } catch (error) {
    throw toRefusal(error) ?? toUnavailable(error);
  }
}

function toRefusal(error: unknown): Refusal | null {
  if (!isServiceError(error)) return null;
  const [named] = error.metadata.get(REFUSAL_TRAILER);
  const code = REFUSALS.find((each) => each === named);
  return code === undefined ? null : new Refusal(code, error.details);
}

function toUnavailable(error: unknown): unknown {
  if (!isServiceError(error) || error.code === status.INTERNAL) return error;
  return Object.assign(new Refusal('service_unavailable', 'the card vault does not answer'), { cause: error });
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'metadata' in error && error.metadata instanceof Metadata && 'details' in error;
}
