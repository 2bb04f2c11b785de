import type { Account } from '@pos/core/accounts';
import { Refusal, requireValue } from '@pos/core/refusals';
import { DEFAULT_INTENT_CONFIG, type PaymentIntentStatus } from '@pos/core/payment-intents';
import type { PaymentIntentId, Scope, TerminalSessionId } from '@pos/core/identity';
import type { Requestor } from '@pos/core/tables';
import type { Money } from '@pos/core/money';
import { isSessionFinal } from '@pos/core/terminals';
import { RecordPaymentRequest } from '@pos/grpc-contracts/tables';
import { AccountCache, DEFAULT_PAYMENT_SETTINGS } from '@pos/payments/accounts';
import { prepareCapture, prepareReversal } from '@pos/payments/captures-refunds';
import { PaymentIntents } from '@pos/payments/payment-intents';
import { encodeRecordMessage } from '@pos/payments/tables';
import { TerminalSessions } from '@pos/payments/terminals';
import { findIntent, hasOpenAttempt } from '@pos/store/payments';
import { getAccountTime } from '@pos/store/clock';
import type { Database, Reader } from '@pos/store/database';
import { findTerminalByTid, findTerminalSession } from '@pos/store/terminals';

/** The TID of the machine that takes the card payments of flows. Every sandbox account has one. */
export const TESTER_TID = '90000001';

/** A part of a bill to charge to a card. */
export interface CardPaymentPart {
  readonly base: Money;
  readonly gratuity: Money;
  /** Cashback for the payer: charged to the card, and not a part of the bill. */
  readonly cashback: Money;
  /** The session or the order with the bill. */
  readonly sessionId: string;
  /** `Manual`: the money is only held until it is captured. */
  readonly captureMode: 'Auto' | 'Manual';
  readonly reference: string;
  readonly runId: string;
}

/** A card payment of a flow. Its id is the one that is recorded at the EPOS. */
export interface CapturedPayment extends CardPaymentPart {
  readonly paymentId: string;
  readonly intentId: PaymentIntentId;
  readonly terminalSessionId: TerminalSessionId;
}

/** The state of a card payment. `ended`: without money, with the status of its session. */
export type CardPaymentState =
  | { readonly is: 'open' }
  | { readonly is: 'taken' }
  | { readonly is: 'ended'; readonly as: string };

/** Flows need no permission beyond what the use cases check themselves. */
const NO_PERMISSIONS = { permissions: new Set<never>() };

/** Makes real card payments on the simulated machine, so that an EPOS books payments that exist. */
export class CardPayments {
  readonly #accounts = new AccountCache();
  readonly #intents = new PaymentIntents(this.#accounts, DEFAULT_PAYMENT_SETTINGS);
  readonly #sessions = new TerminalSessions(this.#accounts, DEFAULT_PAYMENT_SETTINGS);
  // The worker makes the call, so there is no need to wait for it here.
  readonly #moneySettings = { ...DEFAULT_PAYMENT_SETTINGS, acquirerDeadlineMs: 0, inquiryIntervalMs: 0 };

  constructor(private readonly database: Database) {}

  account(scope: Scope): Promise<Account> {
    return this.database.read(scope, (reader) => this.#accounts.get(reader));
  }

  /** The account's time, which may have been advanced. */
  now(scope: Scope): Promise<Date> {
    return this.database.read(scope, getAccountTime);
  }

  /**
   * Asks the machine for a card. Throws `terminal_not_found`, or `terminal_unavailable` while it is busy or
   * disconnected.
   */
  start(scope: Scope, part: CardPaymentPart): Promise<CapturedPayment> {
    return this.database.transact(scope, async (tx) => {
      const terminal = await findTerminalByTid(tx, TESTER_TID);
      if (terminal === null) throw new Refusal('terminal_not_found', `the account has no terminal ${TESTER_TID}`);
      const { intent } = await this.#intents.create(tx, NO_PERMISSIONS, createIntentRequest(part));
      const { session } = await this.#sessions.create(tx, NO_PERMISSIONS, {
        sessionType: 'Sale',
        terminalId: terminal.id,
        paymentIntentId: intent.id,
      });
      return { ...part, paymentId: await tx.newUuid(), intentId: intent.id, terminalSessionId: session.id };
    });
  }

  readState(scope: Scope, payment: CapturedPayment): Promise<CardPaymentState> {
    return this.database.read(scope, (reader) => getPaymentState(reader, payment));
  }

  /** The payment message to the EPOS for a completed payment. */
  message(scope: Scope, payment: CapturedPayment, requestor: Requestor): Promise<RecordPaymentRequest> {
    return this.database.read(scope, async (reader) => {
      const { paymentId, sessionId } = payment;
      const intent = requireValue(await findIntent(reader, payment.intentId), 'the intent of a payment');
      const { merchantId } = await this.#accounts.get(reader);
      // A payment from a payer's phone has no card machine, so its method is REMOTE.
      const tid = requestor.type === 'cardMachine' ? TESTER_TID : null;
      const how = { requestor, tid, hasPassedChallenge: false };
      return RecordPaymentRequest.decode(encodeRecordMessage({ paymentId, sessionId, intent, merchantId, ...how }));
    });
  }

  /** Ends a payment that has no card yet; false when it cannot be ended now. */
  async stop(scope: Scope, { terminalSessionId, intentId }: CapturedPayment): Promise<boolean> {
    const { database } = this;
    const isStopping = await settleRequest(() =>
      database.transact(scope, (tx) => this.#sessions.cancel(tx, terminalSessionId)),
    );
    const isCanceled = await settleRequest(() => database.transact(scope, (tx) => this.#intents.cancel(tx, intentId)));
    return isStopping || isCanceled;
  }

  /** Cancels the intent of a payment that ended without money, so that it can no longer be paid. */
  async cancelIntent(scope: Scope, { intentId }: CapturedPayment): Promise<void> {
    await settleRequest(() => this.database.transact(scope, (tx) => this.#intents.cancel(tx, intentId)));
  }

  /** Requests the refund of a payment. The worker retries until the acquirer has accepted it. */
  async requestReversal(scope: Scope, { intentId }: CapturedPayment): Promise<void> {
    await this.database.transact(scope, (tx) =>
      prepareReversal(tx, this.#moneySettings, { intentId, accounts: this.#accounts }),
    );
  }

  /** Requests the full capture of held money. The worker retries until the acquirer has accepted it. */
  async capture(scope: Scope, { intentId, base, gratuity }: CapturedPayment): Promise<void> {
    const order = { amount: base.value, tipsAmount: gratuity.value };
    await this.database.transact(scope, (tx) => prepareCapture(tx, this.#moneySettings, { intentId, request: order }));
  }

  /** The current state of the intent of a payment. */
  intentStatus(scope: Scope, { intentId }: CapturedPayment): Promise<PaymentIntentStatus> {
    return this.database.read(
      scope,
      async (reader) => requireValue(await findIntent(reader, intentId), 'the intent of a payment').status,
    );
  }
}

async function getPaymentState(reader: Reader, payment: CapturedPayment): Promise<CardPaymentState> {
  // The intent is read last: read first, it could miss the approval that the session and its attempt already show.
  const { status } = requireValue(
    await findTerminalSession(reader, payment.terminalSessionId),
    'the session of a payment',
  );
  const isOpen = !isSessionFinal(status) || (await hasOpenAttempt(reader, payment.intentId));
  const intent = requireValue(await findIntent(reader, payment.intentId), 'the intent of a payment');
  if (intent.status === 'Authorized' || intent.status === 'Captured') return { is: 'taken' };
  // A session that expired may still bring an approval while its attempt is open.
  return isOpen && intent.status === 'Created' ? { is: 'open' } : { is: 'ended', as: status };
}

function createIntentRequest(part: CardPaymentPart): Parameters<PaymentIntents['create']>[2] {
  const { base, gratuity, cashback, sessionId, reference, runId, captureMode } = part;
  return {
    amount: base,
    tipsAmount: gratuity,
    cashbackAmount: cashback,
    serviceChargeAmount: null,
    captureMode,
    reference,
    description: null,
    cardHolderNotPresent: false,
    paymentMethods: ['Card', 'Wallet'],
    paymentSource: 'pay-at-table',
    setupIntentId: null,
    autoExpireAction: null,
    autoExpireInMs: null,
    expireAt: null,
    metadata: { testerRunId: runId },
    details: {
      config: DEFAULT_INTENT_CONFIG,
      itemLines: [],
      taxLines: [],
      orderDetails: { externalId: sessionId },
    },
    isNotOnlineCheckout: false,
    generateRemoteToken: false,
  };
}

async function settleRequest(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
