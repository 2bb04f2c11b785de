import type { AcquirerCall } from '../acquirer-calls/acquirer-call.js';
import { exceeds, type Money } from '../money/money.js';
import { getNextStatus, type PaymentIntent, computeTotalAmount } from '../payment-intents/payment-intent.js';
import { createViolation, Refusal } from '../refusals/refusal.js';
import { isUsable, type SetupIntent } from '../setup-intents/setup-intent.js';

/** What is known of a charge under the locks of its payment and of the setup intent whose card is charged. */
export interface ChargeFacts {
  /** Null: there is none under the id that the payment names. */
  readonly setup: SetupIntent | null;
  /** An attempt or a session on the payment has not ended. */
  readonly isPaymentBusy: boolean;
  /** An attempt with the card has not ended: another charge. */
  readonly isSetupBusy: boolean;
}

/** The setup intent whose card the payment is to be charged to. Refuses where no charge may begin. */
export function requireChargeable(
  intent: PaymentIntent,
  { setup, isPaymentBusy, isSetupBusy }: ChargeFacts,
): SetupIntent {
  getNextStatus(intent, 'charge', 'not_chargeable');
  if (intent.setupIntentId === null) {
    throw createViolation(
      'charge_without_setup_intent',
      'setupIntentId',
      'The payment was created without a setup intent.',
    );
  }
  if (setup === null || !isUsable(setup)) {
    const standing = setup === null ? 'gone' : setup.status;
    throw new Refusal('setup_intent_not_chargeable', `the setup intent is ${standing}, so there is no card to charge`);
  }
  if (isPaymentBusy) throw new Refusal('payment_intent_busy', 'an attempt on the payment has not ended');
  if (isSetupBusy) throw new Refusal('setup_intent_busy', 'another charge of the setup intent has not ended');
  if (isTooMuch(computeTotalAmount(intent), setup.intendedAmount)) {
    throw createViolation('charge_exceeds_intended', 'amount', 'Is more than the setup intent says may be charged.');
  }
  return setup;
}

/** What the payer has agreed to is in one currency; another one is more than that. */
function isTooMuch(total: Money, intended: Money | null): boolean {
  return intended !== null && (total.currencyCode !== intended.currencyCode || exceeds(total, intended));
}

/** How a charge has ended. */
export interface ChargeOutcome {
  readonly status: 'Successful' | 'Declined' | 'Failed';
  readonly message: string;
}

/** The outcome of a charge by the state of its call. Refuses `acquirer_unanswered` while it is unknown. */
export function chargeOutcome({ state, outcome, result, reverseReference }: AcquirerCall): ChargeOutcome {
  // Before the reversal: a challenge that nobody can answer is declined, and undone at the acquirer.
  if (result?.kind === 'declined') {
    const { message, said = message } = result.decline;
    return { status: message === 'FAILED' ? 'Failed' : 'Declined', message: said };
  }
  // Given up, or undone at the acquirer: no money is taken in either case.
  if (reverseReference !== null || outcome === 'Canceled' || outcome === 'Reversed') {
    return { status: 'Failed', message: 'REVERSED' };
  }
  if (state === 'Settled') return { status: 'Successful', message: 'DEPOSITED' };
  throw new Refusal(
    'acquirer_unanswered',
    'how the charge ends is not known yet: read the payment intent, or repeat with the same key',
  );
}

/**
 * Whether the call is a charge that was given up while its outcome was unknown: the payment has no approval and no
 * decline of it, so only the end of its reversal shows where the money is.
 */
export function isAbandonedCharge(call: AcquirerCall): boolean {
  const { kind, paymentIntentId, setupIntentId, terminalSessionId, reverseReference, result } = call;
  const isCharge =
    kind === 'Authorise' && paymentIntentId !== null && setupIntentId !== null && terminalSessionId === null;
  return isCharge && reverseReference !== null && (result === null || result.kind === 'challenged');
}
