import type { PublicPaymentIntent } from '@pos/rest-contracts/payment-intents';
import type { PublicSetupIntent } from '@pos/rest-contracts/setup-intents';

/** The subject of the link: a payment, or a setup of a card for later charges. */
export type Intent =
  | ({ readonly kind: 'payment' } & PublicPaymentIntent)
  | ({ readonly kind: 'setup' } & PublicSetupIntent);
export type IntentKind = Intent['kind'];

/** What a payer who opens the page can still do about an intent. */
type IntentState = 'open' | EndState;
/** The intent cannot be paid any more. */
export type EndState = 'done' | 'returned' | 'canceled' | 'expired';

const PAYMENT_STATES = {
  Created: 'open',
  Authorized: 'done',
  Captured: 'done',
  Reversed: 'returned',
  Refunded: 'returned',
  Canceled: 'canceled',
} as const satisfies Record<PublicPaymentIntent['status'], IntentState>;

const SETUP_STATES = {
  Created: 'open',
  Authorized: 'done',
  Completed: 'done',
  Canceled: 'canceled',
  Closed: 'canceled',
  Expired: 'expired',
  CardExpired: 'expired',
} as const satisfies Record<PublicSetupIntent['status'], IntentState>;

export function getIntentState(intent: Intent): IntentState {
  return intent.kind === 'payment' ? PAYMENT_STATES[intent.status] : SETUP_STATES[intent.status];
}

/** Whether the last step of the payment is a challenge that nobody has answered. A setup does not show its steps. */
export function isAtBank(intent: Intent): boolean {
  return intent.kind === 'payment' && intent.paymentEvents.at(-1)?.eventType === 'AuthChallenged';
}

/** Whether this browser has paid: only it is shown the transaction. */
export function isPaidByThisBrowser(intent: Intent): boolean {
  if (intent.kind === 'setup') return intent.paymentDetails !== undefined;
  return intent.paymentEvents.some(
    ({ eventType, transactionId }) => transactionId !== undefined && PAYING_EVENTS.has(eventType),
  );
}

const PAYING_EVENTS: ReadonlySet<string> = new Set(['Captured', 'Authorized']);

/** Whether the amount differs from the one that the payer saw. */
export function hasAmountChanged(visible: Intent, now: Intent): boolean {
  if (visible.kind !== 'payment' || now.kind !== 'payment') return false;
  const { value, currencyCode } = visible.totalAmount;
  return value !== now.totalAmount.value || currencyCode !== now.totalAmount.currencyCode;
}

/** The kind of an intent by its id; null for every other id. */
export function parseIntentKind(id: string): IntentKind | null {
  if (id.startsWith('pi_')) return 'payment';
  return id.startsWith('si_') ? 'setup' : null;
}

/** The integrator's return address with the intent's id; null without an http address. */
export function buildReturnUrl(address: string | undefined, { id }: Pick<Intent, 'id'>): string | null {
  if (address === undefined || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (!['http:', 'https:'].includes(url.protocol)) return null;
  url.searchParams.set('id', id);
  return url.href;
}
