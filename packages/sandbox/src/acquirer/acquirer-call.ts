import type { Money } from '@pos/core/money';
import type { BookedCall, BookedOutcome } from './acquirer-books.js';
import type { OnlineCard } from '../cards/online-card.js';
import type { CardVerdict } from './card-verdict.js';

/** The request is malformed, so the acquirer cannot decide on it. Nothing was booked. */
export class AcquirerError extends Error {
  constructor(
    readonly code:
      | 'AlreadyExists'
      | 'NotFound'
      | 'FailedPrecondition'
      | 'InvalidArgument'
      | 'Unimplemented'
      | 'Unauthenticated',
    message: string,
  ) {
    super(message);
  }
}

/** The state of a call: what was booked, and what the caller receives. */
export interface SimulatedCallState {
  readonly reference: string;
  readonly outcome: BookedOutcome | 'InProgress' | 'NotFound' | 'Reversed';
  readonly amount: Money | null;
  readonly call: BookedCall | null;
}

/** A charge of a card, online or by a card machine. */
export interface AuthorisationRequest {
  readonly reference: string;
  readonly merchantId: string;
  readonly amount: Money;
  readonly isPurchase: boolean;
  readonly instrument:
    | {
        readonly kind: 'card' | 'stored';
        readonly card: OnlineCard;
        readonly isRemote: boolean;
        /** Given by letter or telephone. */
        readonly isAbsent?: boolean;
        /** Charged by the merchant, without its holder. */
        readonly isMerchantInitiated?: boolean;
        /** False: where the issuer asks for a challenge the card is declined. True when left out. */
        readonly isChallengePossible?: boolean;
        readonly hasAddress: boolean;
      }
    | {
        readonly kind: 'present';
        readonly terminalId: string;
        readonly card: OnlineCard;
        readonly verdict: CardVerdict;
      };
}

/** A call about an earlier authorisation. */
export interface FollowUpRequest {
  readonly reference: string;
  readonly originalReference: string;
  readonly amount: Money;
}

/** A refund that a card machine makes. */
export interface MachineRefundRequest {
  readonly reference: string;
  readonly originalReference: string | null;
  readonly merchantId: string;
  readonly terminalId: string;
  readonly amount: Money;
  readonly card: OnlineCard;
  /** The decision that the machine forces, such as a decline. Null: the books decide. */
  readonly verdict: CardVerdict | null;
}
