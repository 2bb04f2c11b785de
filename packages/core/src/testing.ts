import type { CardDetails, CardPresentApproval, Decline } from './card.js';
import { type Environment, type IdKind, type IdOf, type Scope } from './identity.js';
import { newId, seededBytes, uuidFrom } from './ids.js';
import { DEFAULT_INTENT_CONFIG } from './intent-details.js';
import { money, type Money, zero } from './money.js';
import { createIntent, type IntentOrigin, type NewPaymentIntent } from './new-payment-intent.js';
import { approve, type PaymentIntent, totalAmount } from './payment-intent.js';
import type { ReceiptHeading } from './receipt.js';
import { Refusal } from './refusal.js';
import {
  authorise,
  complete,
  createSetup,
  expireCard,
  expireSetup,
  giveUp,
  type NewSetupIntent,
  type SetupIntent,
  type SetupIntentStatus,
} from './setup-intent.js';
import {
  createSession,
  type NewTerminalSession,
  refundParts,
  saleParts,
  SESSION_WINDOWS,
  type SessionType,
  type TerminalSession,
} from './terminal-session.js';
import { DAY_MS } from './timespan.js';

/** Builders for the tests of all packages: everything valid, everything the same each time. */
export const NOON = new Date('2026-03-01T12:00:00.000Z');

/** An id that is the same for the same number. */
export function testId<K extends IdKind>(kind: K, number = 1, environment: Environment = 'sandbox'): IdOf<K> {
  return newId(kind, environment, seededBytes({ seed: 'tests', accountId: 'acc_tests', kind, counter: number }));
}

export const SCOPE: Scope = { accountId: testId('account'), environment: 'sandbox' };

/** Pence; `gbp(1250)` is £12.50. */
export function gbp(value: number): Money {
  return money(value, 'GBP');
}

/** That many milliseconds after noon. */
export function past(ms: number): Date {
  return new Date(NOON.getTime() + ms);
}

export const ORIGIN: IntentOrigin = { now: NOON, locationId: testId('location'), currencies: ['GBP', 'EUR'] };

/** What every plain wish says: the amount, taken at once by card. */
export function plainWish(amount = gbp(2_000)) {
  return {
    amount,
    tipsAmount: null,
    cashbackAmount: null,
    serviceChargeAmount: null,
    captureMode: 'Auto',
    reference: 'table-7',
    description: null,
    cardHolderNotPresent: false,
    paymentMethods: ['Card'],
    paymentSource: 'api',
    setupIntentId: null,
    autoExpireAction: null,
    autoExpireInMs: null,
    expireAt: null,
    metadata: {},
  } as const satisfies Partial<NewPaymentIntent>;
}

/** A wish for £20.00, taken at once. */
export function intentWish(wish: Partial<NewPaymentIntent> = {}): NewPaymentIntent {
  return {
    ...plainWish(),
    id: testId('paymentIntent'),
    clientSecret: null,
    details: {
      config: { ...DEFAULT_INTENT_CONFIG, payment: { customAmountAllowed: true, tipsAllowed: true } },
      itemLines: [],
      taxLines: [],
      hasPaymentLink: true,
      mayHaveClientSecret: true,
      isNotOnlineCheckout: false,
    },
    ...wish,
  };
}

export function createdIntent(wish: Partial<NewPaymentIntent> = {}): PaymentIntent {
  return createIntent(intentWish(wish), ORIGIN).intent;
}

export const VISA: CardDetails = {
  cardNumber: '44565300****1096',
  last4PAN: '1096',
  cardName: 'A GUEST',
  expiryDate: '2029-12-31',
  cardType: 'VISA',
  cardFundingType: 'Credit',
  entryMode: 'Contactless',
  verificationMethod: 'None',
};

/** The acquirer's yes over the amount, as a card machine reports it. */
export function approvalOf(amount: Money, more: Partial<CardPresentApproval> = {}): CardPresentApproval {
  return {
    reference: 'auth-1',
    transactionId: uuidFrom(seededBytes({ seed: 'tests', accountId: 'acc_tests', kind: 'transaction', counter: 1 })),
    transactionDateTime: NOON.toISOString(),
    authCode: '204711',
    amount,
    card: VISA,
    paymentMethodId: null,
    avsResult: null,
    merchantId: '9000012345',
    aid: 'A0000000031010',
    panSequence: '01',
    cardProduct: 'VISA CREDIT',
    ...more,
  };
}

export function declineOf(message: Decline['message'] = 'DECLINED'): Decline {
  const { reference, transactionId, transactionDateTime, card } = approvalOf(gbp(1));
  return { reference, transactionId, transactionDateTime, message, card };
}

/** Approved as its capture mode says: Auto is Captured, Manual is Authorized. */
export function approvedIntent(wish: Partial<NewPaymentIntent> = {}): PaymentIntent {
  const intent = createdIntent(wish);
  return approve(intent, approvalOf(totalAmount(intent)), NOON).intent;
}

/** Held, not yet captured. */
export function authorizedIntent(wish: Partial<NewPaymentIntent> = {}): PaymentIntent {
  return approvedIntent({ ...wish, captureMode: 'Manual' });
}

export function capturedIntent(wish: Partial<NewPaymentIntent> = {}): PaymentIntent {
  return approvedIntent({ ...wish, captureMode: 'Auto' });
}

/** An intent in a state it could have come to, for tables over all states. */
export function intentIn(status: PaymentIntent['status']): PaymentIntent {
  switch (status) {
    case 'Created':
      return createdIntent();
    case 'Authorized':
      return authorizedIntent();
    case 'Captured':
      return capturedIntent();
    case 'Reversed':
      return { ...capturedIntent(), status };
    case 'Refunded':
      return { ...capturedIntent(), status, refunded: gbp(2000) };
    case 'Canceled':
      return { ...createdIntent(), status };
  }
}

/** A wish to have a card at hand in case nobody comes. */
export function setupWish(wish: Partial<NewSetupIntent> = {}): NewSetupIntent {
  return {
    id: testId('setupIntent'),
    merchantInitiatedTransactionType: 'NoShow',
    terms: 'Whoever does not come pays £25.00.',
    intendedAmount: gbp(2500),
    reference: 'Saturday, table 7',
    description: null,
    paymentMethods: ['Card'],
    paymentSource: 'api',
    expireAt: null,
    clientSecret: 'secret',
    metadata: {},
    details: { config: DEFAULT_INTENT_CONFIG },
    ...wish,
  };
}

export function createdSetup(wish: Partial<NewSetupIntent> = {}): SetupIntent {
  return createSetup(setupWish(wish), ORIGIN);
}

/** A setup intent in a state that it came to by its own moves. */
export function setupIn(status: SetupIntentStatus): SetupIntent {
  const created = createdSetup();
  const approval = approvalOf(NOTHING);
  const authorised = authorise(created, approval, NOON).setup;
  const end = { now: NOON, hasRunningAttempt: false, includeAuthorized: true };
  switch (status) {
    case 'Created':
      return created;
    case 'Authorized':
      return authorised;
    case 'Canceled':
      return giveUp(created, end).setup;
    case 'Closed':
      return giveUp(authorised, end).setup;
    case 'Completed':
      return complete(authorised, approval, NOON).setup;
    case 'Expired':
      return expireSetup(created, { ...end, now: created.expireAt })?.setup ?? created;
    case 'CardExpired':
      return expireCard(authorised, { ...end, now: past(10 * 366 * DAY_MS) })?.setup ?? authorised;
  }
}

export const HEADING: ReceiptHeading = {
  merchantName: 'The Corner Table',
  phoneNumber: '020 7946 0000',
  site: '1 High Street',
  tid: '90000001',
  table: '7',
  handset: null,
};

/** A session as it is created; a Sale of a captured-at-once intent of £20.00 unless said otherwise. */
export function sessionWish(
  sessionType: SessionType = 'Sale',
  wish: Partial<NewTerminalSession> = {},
): NewTerminalSession {
  return {
    id: testId('terminalSession'),
    terminalId: testId('terminal'),
    sessionType,
    paymentIntentId: sessionType === 'UnlinkedRefund' ? null : testId('paymentIntent'),
    acquirerReference: 'auth-1',
    parts: sessionType === 'Sale' ? saleParts(createdIntent()) : refundParts(gbp(2000)),
    capture: true,
    cardHolderNotPresent: false,
    windows: SESSION_WINDOWS,
    now: NOON,
    ...wish,
  };
}

export function createdSession(
  sessionType: SessionType = 'Sale',
  wish: Partial<NewTerminalSession> = {},
): TerminalSession {
  return createSession(sessionWish(sessionType, wish)).session;
}

/** Nothing, of pounds. */
export const NOTHING = zero('GBP');

/** What a call came to: its value as told by `say`, or the code of its refusal. */
export function outcomeOf<T>(act: () => T, say: (value: T) => string = () => 'done'): string {
  try {
    return say(act());
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** A table of moves as a reader wants it, one state a line. */
export function printedMoves(moves: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const width = Math.max(...Object.keys(moves).map((state) => state.length));
  return Object.entries(moves)
    .map(([state, ways]) => {
      const written = Object.entries(ways).map(([move, to]) => `${move} → ${to}`);
      return `${state.padEnd(width)} ${written.length === 0 ? '(final)' : written.join(', ')}`;
    })
    .join('\n');
}
