import type { Approval, CardDetails, CardPresentApproval, Decline } from '../cards/card.js';
import { type Environment, type IdKind, type IdOf, type Scope } from '../identity/identity.js';
import { createId, createSeededBytes, formatUuid } from '../ids/ids.js';
import { DEFAULT_INTENT_CONFIG } from '../payment-intents/intent-details.js';
import { money, type Money, zeroMoney } from '../money/money.js';
import { createIntent, type IntentOrigin, type NewPaymentIntent } from '../payment-intents/new-payment-intent.js';
import { approve, type PaymentIntent, computeTotalAmount } from '../payment-intents/payment-intent.js';
import type { ReceiptHeading } from '../receipts/receipt.js';
import { Refusal } from '../refusals/refusal.js';
import {
  authoriseSetup,
  completeSetup,
  createSetup,
  expireCard,
  expireSetup,
  abandonSetup,
  type NewSetupIntent,
  type SetupIntent,
  type SetupIntentStatus,
} from '../setup-intents/setup-intent.js';
import {
  createSession,
  type NewTerminalSession,
  refundParts,
  computeSaleParts,
  SESSION_WINDOWS,
  type SessionType,
  type TerminalSession,
} from '../terminals/terminal-session.js';
import { DAY_MS } from '../time/timespan.js';

/** Builders for the tests of all packages: everything valid, everything the same each time. */
export const NOON = new Date('2026-03-01T12:00:00.000Z');

/** An id that is the same for the same number. */
export function testId<K extends IdKind>(kind: K, number = 1, environment: Environment = 'sandbox'): IdOf<K> {
  return createId(
    kind,
    environment,
    createSeededBytes({ seed: 'tests', accountId: 'acc_tests', kind, counter: number }),
  );
}

export const SCOPE: Scope = { accountId: testId('account'), environment: 'sandbox' };

/** Pence; `gbp(1250)` is £12.50. */
export function gbp(value: number): Money {
  return money(value, 'GBP');
}

/** That many milliseconds after noon. */
export function createPastDate(ms: number): Date {
  return new Date(NOON.getTime() + ms);
}

export const ORIGIN: IntentOrigin = { now: NOON, locationId: testId('location'), currencies: ['GBP', 'EUR'] };

/** The members of every plain request: the amount, captured at once by card. */
export function createPlainIntentRequest(amount = gbp(2_000)) {
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

/** A request for £20.00, captured at once. */
export function createIntentRequest(request: Partial<NewPaymentIntent> = {}): NewPaymentIntent {
  return {
    ...createPlainIntentRequest(),
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
    ...request,
  };
}

export function buildIntent(request: Partial<NewPaymentIntent> = {}): PaymentIntent {
  return createIntent(createIntentRequest(request), ORIGIN).intent;
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

/** The acquirer's approval over the amount, as a card machine reports it. */
export function createApproval(amount: Money, more: Partial<CardPresentApproval> = {}): CardPresentApproval {
  return {
    reference: 'auth-1',
    transactionId: formatUuid(
      createSeededBytes({ seed: 'tests', accountId: 'acc_tests', kind: 'transaction', counter: 1 }),
    ),
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

/** The acquirer's approval over the amount, as the acquirer answers: without what only a card machine reads. */
export function createOnlineApproval(amount: Money, more: Partial<Approval> = {}): Approval {
  const { merchantId: _m, aid: _a, panSequence: _p, cardProduct: _c, ...approval } = createApproval(amount);
  return { ...approval, ...more };
}

export function getDecline(message: Decline['message'] = 'DECLINED'): Decline {
  const { reference, transactionId, transactionDateTime, card } = createApproval(gbp(1));
  return { reference, transactionId, transactionDateTime, message, card };
}

/** Approved as its capture mode requires: Auto is Captured, Manual is Authorized. */
export function createApprovedIntent(request: Partial<NewPaymentIntent> = {}): PaymentIntent {
  const intent = buildIntent(request);
  return approve(intent, createApproval(computeTotalAmount(intent)), NOON).intent;
}

/** Held, not yet captured. */
export function createAuthorizedIntent(request: Partial<NewPaymentIntent> = {}): PaymentIntent {
  return createApprovedIntent({ ...request, captureMode: 'Manual' });
}

export function createCapturedIntent(request: Partial<NewPaymentIntent> = {}): PaymentIntent {
  return createApprovedIntent({ ...request, captureMode: 'Auto' });
}

/** An intent in the given state, for tables over all states. */
export function createIntentIn(status: PaymentIntent['status']): PaymentIntent {
  switch (status) {
    case 'Created':
      return buildIntent();
    case 'Authorized':
      return createAuthorizedIntent();
    case 'Captured':
      return createCapturedIntent();
    case 'Reversed':
      return { ...createCapturedIntent(), status };
    case 'Refunded':
      return { ...createCapturedIntent(), status, refunded: gbp(2000) };
    case 'Canceled':
      return { ...buildIntent(), status };
  }
}

/** A request for a card that is charged if the customer does not come. */
export function createSetupRequest(request: Partial<NewSetupIntent> = {}): NewSetupIntent {
  return {
    id: testId('setupIntent'),
    merchantInitiatedTransactionType: 'NoShow',
    terms: 'A no-show pays £25.00.',
    intendedAmount: gbp(2500),
    reference: 'Saturday, table 7',
    description: null,
    paymentMethods: ['Card'],
    paymentSource: 'api',
    expireAt: null,
    clientSecret: 'secret',
    metadata: {},
    details: { config: DEFAULT_INTENT_CONFIG },
    ...request,
  };
}

export function buildSetup(request: Partial<NewSetupIntent> = {}): SetupIntent {
  return createSetup(createSetupRequest(request), ORIGIN);
}

/** A setup intent in the given state, which it reaches by its own moves. */
export function createSetupIn(status: SetupIntentStatus): SetupIntent {
  const created = buildSetup();
  const approval = createApproval(NOTHING);
  const authorised = authoriseSetup(created, approval, NOON).setup;
  const end = { now: NOON, hasRunningAttempt: false, includeAuthorized: true };
  switch (status) {
    case 'Created':
      return created;
    case 'Authorized':
      return authorised;
    case 'Canceled':
      return abandonSetup(created, end).setup;
    case 'Closed':
      return abandonSetup(authorised, end).setup;
    case 'Completed':
      return completeSetup(authorised, approval, NOON).setup;
    case 'Expired':
      return expireSetup(created, { ...end, now: created.expireAt })?.setup ?? created;
    case 'CardExpired':
      return expireCard(authorised, { ...end, now: createPastDate(10 * 366 * DAY_MS) })?.setup ?? authorised;
  }
}

export const HEADING: ReceiptHeading = {
  merchantName: 'The Corner Table',
  phoneNumber: '020 7946 0000',
  site: '1 High Street',
  tid: '90000001',
  table: '7',
  handset: null,
  timeZone: 'UTC',
};

/** The request for a session; by default a Sale of a captured-at-once intent of £20.00. */
export function createSessionRequest(
  sessionType: SessionType = 'Sale',
  request: Partial<NewTerminalSession> = {},
): NewTerminalSession {
  return {
    id: testId('terminalSession'),
    terminalId: testId('terminal'),
    sessionType,
    paymentIntentId: sessionType === 'UnlinkedRefund' ? null : testId('paymentIntent'),
    acquirerReference: 'auth-1',
    parts: sessionType === 'Sale' ? computeSaleParts(buildIntent()) : refundParts(gbp(2000)),
    capture: true,
    cardHolderNotPresent: false,
    windows: SESSION_WINDOWS,
    now: NOON,
    ...request,
  };
}

export function buildSession(
  sessionType: SessionType = 'Sale',
  request: Partial<NewTerminalSession> = {},
): TerminalSession {
  return createSession(createSessionRequest(sessionType, request)).session;
}

/** Zero pounds. */
export const NOTHING = zeroMoney('GBP');

/** The result of a call: its value as formatted by `say`, or the code of its refusal. */
export function getOutcome<T>(act: () => T, say: (value: T) => string = () => 'done'): string {
  try {
    return say(act());
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** A table of moves as text, one state a line. */
export function formatMoves(moves: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const width = Math.max(...Object.keys(moves).map((state) => state.length));
  return Object.entries(moves)
    .map(([state, ways]) => {
      const written = Object.entries(ways).map(([move, to]) => `${move} → ${to}`);
      return `${state.padEnd(width)} ${written.length === 0 ? '(final)' : written.join(', ')}`;
    })
    .join('\n');
}
