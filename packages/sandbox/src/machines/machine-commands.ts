import type { Money } from '@pos/core/money';
import type { SimulatedCallState } from '../acquirer/acquirer-call.js';
import type { PresentedCard, MachineNotification } from './machine-script.js';

/** Ask for a card. */
export interface StartCommand {
  readonly sessionId: string;
  readonly acquirerReference: string;
  readonly originalReference: string | null;
  readonly sessionType: 'Sale' | 'MatchedRefund' | 'UnlinkedRefund';
  readonly total: Money;
  readonly isPurchase: boolean;
  readonly isCardholderAbsent: boolean;
  readonly secondsLeft: number;
  /** The only card that may be refunded; null: any. */
  readonly onlyCard: { readonly firstDigits: string; readonly last4: string } | null;
}

/** The commands of the gateway about a machine's sessions. */
export type ReceivedCommand =
  | { readonly kind: 'start'; readonly start: StartCommand }
  | { readonly kind: 'cancel' | 'stop'; readonly sessionId: string }
  | { readonly kind: 'signature'; readonly sessionId: string; readonly isAccepted: boolean }
  | { readonly kind: 'ack'; readonly sessionId: string; readonly reportNumber: number; readonly isStop: boolean };

/** The acquirer's answer about a card. */
export interface CardResult {
  readonly acquirerReference: string;
  readonly callState: SimulatedCallState;
  readonly card: PresentedCard;
  readonly merchantId: string;
}

/** The events that a machine reports. */
export type MachineEvent =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'notification'; readonly shows: MachineNotification }
  | { readonly kind: 'approved'; readonly result: CardResult; readonly isSignatureNeeded: boolean }
  | { readonly kind: 'declined'; readonly result: CardResult }
  | { readonly kind: 'canceled'; readonly isByGateway: boolean }
  | { readonly kind: 'unable'; readonly reason: string }
  | { readonly kind: 'unknownSession' };

/** A report, stored until it is acknowledged. */
export interface SentReport {
  readonly sessionId: string;
  /** From 1, without gaps, within the session. */
  readonly number: number;
  readonly occurredAt: Date;
  readonly event: MachineEvent;
}
