import { expect } from '@jest/globals';
import type { AcquirerCall } from '@pos/core/acquirer-calls';
import type { CardPresentApproval } from '@pos/core/cards';
import type { MachineReport, NotificationType, TerminalSession } from '@pos/core/terminals';
import type { PaymentIntent } from '@pos/core/payment-intents';
import { createApproval, VISA } from '@pos/core/testing';
import { APPROVED, createDeclinedVerdict, type CardVerdict } from '@pos/sandbox/testing';
import type { Terminal } from '@pos/store/terminals';
import type { PaymentIntentRequest } from '../payment-intents/payment-intents.js';
import type { TerminalSessionRequest } from '../terminals/terminal-sessions.js';
import {
  transactAs,
  createIntent,
  FULL_PERMISSIONS,
  readCall,
  readIntent,
  readSession,
  type TestAccount,
  type TestEnvironment,
} from './test-environment.js';

type ReportBody = MachineReport extends infer R ? (R extends MachineReport ? Omit<R, 'number'> : never) : never;

/** A card machine with one session on it: it calls the acquirer over its own connection and numbers its reports. */
export class TestCardMachine {
  #reports = 0;

  private constructor(
    private readonly testEnvironment: TestEnvironment,
    private readonly testAccount: TestAccount,
    readonly session: TerminalSession,
    private readonly terminal: Terminal,
  ) {}

  /** Creates the session that the machine runs; by default on the first machine of the account. */
  static async createSession(
    testEnvironment: TestEnvironment,
    testAccount: TestAccount,
    {
      terminal = testAccount.terminals[0],
      ...request
    }: DistributiveOmit<TerminalSessionRequest, 'terminalId'> & { terminal?: Terminal },
  ): Promise<TestCardMachine> {
    const { session } = await transactAs(testEnvironment, testAccount, (tx) =>
      testEnvironment.sessions.create(tx, FULL_PERMISSIONS, { ...request, terminalId: terminal.id }),
    );
    return new TestCardMachine(testEnvironment, testAccount, session, terminal);
  }

  static startSale(
    testEnvironment: TestEnvironment,
    testAccount: TestAccount,
    paymentIntentId: string,
  ): Promise<TestCardMachine> {
    return TestCardMachine.createSession(testEnvironment, testAccount, { sessionType: 'Sale', paymentIntentId });
  }

  /** Reports; returns whether the machine is ordered to stop. */
  async sendReport(report: ReportBody): Promise<boolean> {
    this.#reports += 1;
    return this.resendReport({ ...report, number: this.#reports });
  }

  /** Sends a report as it is, like a machine that repeats an unacknowledged one. */
  async resendReport(report: MachineReport): Promise<boolean> {
    const { stop } = await transactAs(this.testEnvironment, this.testAccount, (tx) =>
      this.testEnvironment.sessions.applyReport(tx, { terminal: this.terminal, sessionId: this.session.id, report }),
    );
    return stop;
  }

  confirmSession(): Promise<boolean> {
    return this.sendReport({ kind: 'confirmed' });
  }

  showNotification(notificationType: NotificationType): Promise<boolean> {
    return this.sendReport({ kind: 'notification', notificationType });
  }

  /** Reads the card and calls the acquirer, with another amount if the machine is broken; reports nothing yet. */
  async chargeCard(verdict: CardVerdict = APPROVED, amount = this.session.total): Promise<CardPresentApproval> {
    const { acquirerReference: reference, capture: isPurchase, sessionType } = this.session;
    const { merchantId } = this.testAccount;
    const terminalId = this.terminal.tid;
    const { acquirerServer } = this.testEnvironment;
    const original = sessionType === 'MatchedRefund' ? await this.#findOriginalReference() : null;
    const bookedCall =
      sessionType === 'Sale'
        ? await acquirerServer.authorise({
            ...{ reference, merchantId, amount, isPurchase },
            instrument: { kind: 'present', terminalId, card: CARD, verdict },
          })
        : await acquirerServer.refundAtMachine({
            ...{ reference, originalReference: original, merchantId, terminalId, amount, card: CARD, verdict },
          });
    expect(bookedCall.reference).toBe(reference);
    return this.readApproval();
  }

  /** The acquirer's answer when the card was read, as the machine has stored it. */
  readApproval(): CardPresentApproval {
    const { acquirerReference: reference, total: amount } = this.session;
    const call = this.testEnvironment.acquirerServer.acquirer.books.findCall(reference)!;
    const { transactionId, authCode, card, bookedAt: transactionDateTime } = call;
    const shown = { ...VISA, cardNumber: card!.maskedNumber, last4PAN: card!.last4 };
    const { merchantId } = this.testAccount;
    const decided = { reference, transactionId, transactionDateTime, authCode, merchantId };
    return createApproval(amount, { ...decided, card: shown });
  }

  /** A complete approval: requested from the acquirer and reported. */
  async approvePayment(isSignatureRequired = false): Promise<boolean> {
    return this.sendReport({ kind: 'approved', approval: await this.chargeCard(), isSignatureRequired });
  }

  async declinePayment(): Promise<boolean> {
    const result = await this.chargeCard(createDeclinedVerdict('Not today'));
    return this.sendReport({ kind: 'declined', result: { ...result, authCode: '' } });
  }

  async readTerminalSession(): Promise<TerminalSession> {
    return (await readSession(this.testEnvironment, this.testAccount, this.session.id)).session;
  }

  readAcquirerCall(): Promise<AcquirerCall> {
    return readCall(this.testEnvironment, this.testAccount, this.session.acquirerReference);
  }

  async #findOriginalReference(): Promise<string> {
    const intent = await readIntent(this.testEnvironment, this.testAccount, this.session.paymentIntentId!);
    return intent.paymentDetails!.reference;
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const CARD = {
  number: '4456530000091014',
  expiryMonth: 12,
  expiryYear: 2032,
  cv2: '',
  cardholderName: 'A GUEST',
} as const;

/** A paid intent, and the reference of the authorisation that paid it. */
export async function createPaidIntent(
  testEnvironment: TestEnvironment,
  testAccount: TestAccount,
  request: Partial<PaymentIntentRequest> = {},
): Promise<{ readonly intentId: PaymentIntent['id']; readonly reference: string }> {
  const intentId = await createIntent(testEnvironment, testAccount, request);
  const machine = await TestCardMachine.startSale(testEnvironment, testAccount, intentId);
  await machine.confirmSession();
  await machine.approvePayment();
  return { intentId, reference: machine.session.acquirerReference };
}
