import { assert } from '../refusals/assert.js';
import type { Approval, CardDetails, Decline } from '../cards/card.js';
import { computeSecretExpiry, withSecret } from '../payment-intents/client-secret.js';
import { addSharedViolations } from '../payment-intents/shared-violations.js';
import { Violations } from '../refusals/violations.js';
import type { SetupIntentId } from '../identity/identity.js';
import type { IntentDetails } from '../payment-intents/intent-details.js';
import { AMOUNT_MAX, type Money } from '../money/money.js';
import {
  INTENT_LIFE_MS,
  type IntentChecks,
  type IntentOrigin,
  isPayableAmount,
  NOT_ENABLED,
} from '../payment-intents/new-payment-intent.js';
import {
  toAttemptDetails,
  type Attempt,
  type AttemptDetails,
  toPaymentDetails,
  type PaymentDetails,
  type PaymentEventType,
} from '../payment-intents/payment-event.js';
import type { CancelContext, PaymentMethod, PaymentSource } from '../payment-intents/payment-intent.js';
import type { Readable } from '../refusals/readable-value.js';
import { Refusal, type RefusalCode } from '../refusals/refusal.js';
import { DAY_MS } from '../time/timespan.js';

export const SETUP_INTENT_STATUSES = [
  'Created',
  'Authorized',
  'Expired',
  'CardExpired',
  'Canceled',
  'Completed',
  'Closed',
] as const;
export type SetupIntentStatus = (typeof SETUP_INTENT_STATUSES)[number];

/** Every permitted move of a setup intent. What is not written here is refused. */
export const SETUP_MOVES = {
  Created: {
    challenge: 'Created',
    decline: 'Created',
    change: 'Created',
    authorise: 'Authorized',
    expire: 'Expired',
    expireCard: 'CardExpired',
    cancel: 'Canceled',
  },
  Authorized: { use: 'Authorized', expireCard: 'CardExpired', complete: 'Completed', close: 'Closed' },
  Expired: {},
  CardExpired: {},
  Canceled: {},
  Completed: {},
  Closed: {},
} as const satisfies Record<SetupIntentStatus, Partial<Record<string, SetupIntentStatus>>>;
export type SetupMove = { [S in SetupIntentStatus]: keyof (typeof SETUP_MOVES)[S] }[SetupIntentStatus];

/** The later charges without the payer that the merchant may make. */
export const MERCHANT_INITIATED_TYPES = ['NoShow', 'Unscheduled'] as const;
export type MerchantInitiatedType = (typeof MERCHANT_INITIATED_TYPES)[number];

/** All of a setup intent that no rule reads in SQL: plain JSON, stored in one column. */
export type SetupDetails = Pick<
  IntentDetails,
  | 'customer'
  | 'customerSecretId'
  | 'savedCardId'
  | 'billingAddress'
  | 'shippingDetails'
  | 'requestSecurity'
  | 'orderDetails'
  | 'config'
>;

/** The result of the last attempt to authorise the card. A refused one may have no card. */
export type SetupOutcome = Omit<PaymentDetails, 'card'> & { readonly card: CardDetails | null };

/** A card set up for one later payment that the merchant requests. No money moves before that. */
export interface SetupIntent {
  readonly id: SetupIntentId;
  /** As read from the row; the store raises it when it writes. */
  readonly version: number;
  readonly status: SetupIntentStatus;
  readonly merchantInitiatedTransactionType: MerchantInitiatedType;
  /** What the payer agrees to. */
  readonly terms: string;
  /** The largest amount that may be charged; null = not set. */
  readonly intendedAmount: Money | null;
  readonly reference: string;
  readonly description: string | null;
  readonly paymentMethods: readonly PaymentMethod[];
  readonly paymentSource: PaymentSource;
  readonly expireAt: Date;
  /** The end of the stored card's last month; null while no card is stored. */
  readonly cardExpireAt: Date | null;
  /** As of a payment intent: null when there is no usable secret. */
  readonly clientSecretExpireAt: Date | null;
  readonly clientSecret: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly details: SetupDetails;
  readonly paymentDetails: SetupOutcome | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A line of a setup intent's history before it is numbered and chained; it has no amount. */
export interface NewSetupEvent {
  readonly eventType: PaymentEventType;
  readonly occurredAt: Date;
  readonly details: AttemptDetails;
}

/**
 * What to write in one transaction: the row and its history. No event is published: there is no webhook of setup
 * intents. A card that was stored before and is not any more (`cardExpireAt`) has to be erased by the code that
 * writes the decision.
 */
export interface SetupDecision {
  readonly setup: SetupIntent;
  readonly events: readonly NewSetupEvent[];
}

/** The request for a setup, already parsed and well formed; null means "not sent". */
export type NewSetupIntent = Pick<
  SetupIntent,
  | 'id'
  | 'merchantInitiatedTransactionType'
  | 'terms'
  | 'intendedAmount'
  | 'reference'
  | 'description'
  | 'paymentMethods'
  | 'paymentSource'
  | 'metadata'
  | 'details'
> & { readonly expireAt: Date | null; readonly clientSecret: string };

/** Creates a setup intent, or throws one refusal that names every invalid member. */
export function createSetup(request: NewSetupIntent, origin: IntentOrigin): SetupIntent {
  requireSoundSetup(request, origin);
  const { now, locationId } = origin;
  return {
    ...request,
    version: 1,
    status: 'Created',
    expireAt: request.expireAt ?? new Date(now.getTime() + INTENT_LIFE_MS),
    cardExpireAt: null,
    clientSecretExpireAt: computeSecretExpiry(request.clientSecret, now),
    metadata: { ...request.metadata, 'location-id': locationId },
    paymentDetails: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Refuses a request with invalid members. Members that could not be parsed are absent and not checked. */
export function requireSoundSetup(request: Readable<NewSetupIntent>, origin: IntentChecks): void {
  const faults = new Violations(origin.unknown);
  const { value, currencyCode } = request.intendedAmount ?? {};
  if (value !== undefined && !isPayableAmount({ value })) {
    faults.add('intendedAmount.value', `must be between 1 and ${AMOUNT_MAX}`);
  }
  if (currencyCode !== undefined && !origin.currencies.includes(currencyCode)) {
    faults.add('intendedAmount.currencyCode', NOT_ENABLED);
  }
  addSharedViolations(faults, request, origin);
  faults.throwIfAny('the setup intent cannot be created as asked');
}

/** The issuer requires the payer to authenticate; the attempt continues. */
export function challengeSetup(setup: SetupIntent, attempt: Omit<Attempt, 'amount'>, now: Date): SetupDecision {
  const status = getNextSetupStatus(setup, 'challenge', 'setup_intent_not_authorisable');
  return transitionSetupTo(setup, status, { now, event: ['AuthChallenged', attempt] });
}

/** Stores a card with the attempt that brought it. From now on the setup ends with the card's expiry month. */
export function storeSetupCard(
  setup: SetupIntent,
  { expiryDate }: Pick<CardDetails, 'expiryDate'>,
  now: Date,
): SetupDecision {
  const status = getNextSetupStatus(setup, 'change', 'setup_intent_not_authorisable');
  return transitionSetupTo({ ...setup, cardExpireAt: endOfCard(expiryDate) }, status, { now });
}

/** The issuer agreed: the card is stored and can be charged once. */
export function authoriseSetup(setup: SetupIntent, approval: Approval, now: Date): SetupDecision {
  const status = getNextSetupStatus(setup, 'authorise', 'setup_intent_not_authorisable');
  const authorised: SetupIntent = {
    ...setup,
    cardExpireAt: endOfCard(approval.card.expiryDate) ?? setup.cardExpireAt,
    paymentDetails: toPaymentDetails(approval, 'AUTHORIZED'),
  };
  return transitionSetupTo(authorised, status, { now, event: ['Authorized', approval] });
}

/** An attempt certainly failed. Its card is not kept, and the payer may try again. */
export function declineSetup(setup: SetupIntent, no: Decline, now: Date): SetupDecision {
  const status = getNextSetupStatus(setup, 'decline', 'setup_intent_not_authorisable');
  const { reference, transactionId, transactionDateTime, message, card } = no;
  const outcome = { reference, transactionId, transactionDateTime, message, card };
  const declined: SetupIntent = {
    ...setup,
    cardExpireAt: null,
    paymentDetails: { ...outcome, authCode: '', paymentMethodId: null, avsResult: null },
  };
  return transitionSetupTo(declined, status, { now, event: [message === 'FAILED' ? 'Error' : 'Declined', no] });
}

/** Gives up an attempt whose result is unknown: a later approval of the acquirer does not store its card. */
export function abandonSetupAttempt(setup: SetupIntent, transactionId: string | null, now: Date): SetupDecision {
  const status = getNextSetupStatus(setup, 'decline', 'setup_intent_not_authorisable');
  return transitionSetupTo({ ...setup, cardExpireAt: null }, status, {
    now,
    event: ['Error', { transactionId, card: null }],
  });
}

/** Undoes an approval that came when the setup was already finished; it is in the history. */
export function undoLateSetup(setup: SetupIntent, approval: Approval, now: Date): SetupDecision {
  assert(setup.status !== 'Created', 'an open setup takes its approval');
  return transitionSetupTo(setup, setup.status, { now, event: ['Reversed', approval] });
}

/** The only charge has succeeded; the card cannot be charged again and is not kept. */
export function completeSetup(setup: SetupIntent, approval: Approval, now: Date): SetupDecision {
  const status = getNextSetupStatus(setup, 'complete', 'setup_intent_not_chargeable');
  return transitionSetupTo(setup, status, { now, event: ['Captured', approval] });
}

/** The options of a DELETE: an authorised setup is closed only if the caller includes it. */
export type AbandonContext = CancelContext & { readonly includeAuthorized: boolean };

/** The integrator gives the setup up: Canceled before a card was authorised, Closed after. */
export function abandonSetup(
  setup: SetupIntent,
  { now, hasRunningAttempt, includeAuthorized }: AbandonContext,
): SetupDecision {
  if (setup.status === 'Authorized' && !includeAuthorized) {
    throw new Refusal('setup_intent_not_cancelable', 'a card is authorised: only `includeAuthorized` gives it up');
  }
  const move = setup.status === 'Authorized' ? 'close' : 'cancel';
  const status = getNextSetupStatus(setup, move, 'setup_intent_not_cancelable');
  if (hasRunningAttempt) throw createSetupBusyRefusal();
  return transitionSetupTo(setup, status, { now, event: ['Canceled', { transactionId: null, card: null }] });
}

/** The setup has expired. Null when there is nothing to do; after a running attempt the caller tries again. */
export function expireSetup(setup: SetupIntent, { now, hasRunningAttempt }: CancelContext): SetupDecision | null {
  if (setup.status !== 'Created' || now < setup.expireAt || hasRunningAttempt) return null;
  return transitionSetupTo(setup, SETUP_MOVES.Created.expire, { now });
}

/** The stored card's last month is over. Null when there is nothing to do, as above. */
export function expireCard(setup: SetupIntent, { now, hasRunningAttempt }: CancelContext): SetupDecision | null {
  const { status, cardExpireAt } = setup;
  if (status !== 'Created' && status !== 'Authorized') return null;
  if (cardExpireAt === null || now < cardExpireAt || hasRunningAttempt) return null;
  return transitionSetupTo(setup, SETUP_MOVES[status].expireCard, { now });
}

/** A new one-time secret for the payer's browser; the old one is void from then on. */
export function issueSetupSecret(
  setup: SetupIntent,
  secret: { readonly text: string; readonly now: Date; readonly hasRunningAttempt: boolean },
): SetupDecision {
  const status = getNextSetupStatus(setup, 'change', 'secret_not_refreshable');
  if (secret.hasRunningAttempt) throw createSetupBusyRefusal();
  return transitionSetupTo(withSecret(setup, secret.text, secret.now), status, { now: secret.now });
}

/** Consumes the secret with the submitted attempt; a second submission finds none. */
export function consumeSetupSecret(setup: SetupIntent, now: Date): SetupDecision {
  const status = getNextSetupStatus(setup, 'change', 'setup_intent_not_authorisable');
  return transitionSetupTo(withSecret(setup, null, now), status, { now });
}

/** Whether a payment can be created that charges this card. */
export function isUsable({ status }: SetupIntent): boolean {
  return 'use' in SETUP_MOVES[status];
}

/** Refuses a setup that was given up; only its integrator can read it. */
export function requirePublic({ status }: SetupIntent): void {
  if (status === 'Canceled' || status === 'Closed') {
    throw new Refusal('setup_intent_not_found', `the setup intent is ${status}`);
  }
}

/** The first moment at which a card of that date (the last day of its month) is expired. */
function endOfCard(expiryDate: string | null): Date | null {
  return expiryDate === null ? null : new Date(Date.parse(`${expiryDate}T00:00:00.000Z`) + DAY_MS);
}

function getNextSetupStatus(setup: SetupIntent, move: SetupMove, code: RefusalCode): SetupIntentStatus {
  const moves: Partial<Record<SetupMove, SetupIntentStatus>> = SETUP_MOVES[setup.status];
  const to = moves[move];
  if (to === undefined) throw new Refusal(code, `a setup intent that is ${setup.status} cannot do this`);
  return to;
}

/**
 * The only way to a decision: a secret expires when the setup leaves Created, a card is kept while it may be
 * charged.
 */
function transitionSetupTo(
  setup: SetupIntent,
  status: SetupIntentStatus,
  effect: { readonly now: Date; readonly event?: readonly [PaymentEventType, Omit<Attempt, 'amount'>] },
): SetupDecision {
  const { now, event } = effect;
  const secret = status === 'Created' ? {} : { clientSecret: null, clientSecretExpireAt: null };
  const card = status === 'Created' || status === 'Authorized' ? {} : { cardExpireAt: null };
  return {
    setup: { ...setup, ...secret, ...card, status, updatedAt: now },
    events: event === undefined ? [] : [{ eventType: event[0], occurredAt: now, details: toAttemptDetails(event[1]) }],
  };
}

function createSetupBusyRefusal(): Refusal {
  return new Refusal('setup_intent_busy', 'an attempt on this setup intent is still running');
}
