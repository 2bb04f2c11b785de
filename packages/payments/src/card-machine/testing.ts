import { expect } from '@jest/globals';
import type { AcquirerCall } from '@pos/core/acquirer-call';
import type { CardPresentApproval } from '@pos/core/card';
import type { MachineReport } from '@pos/core/machine-report';
import type { PaymentIntent } from '@pos/core/payment-intent';
import type { NotificationType, TerminalSession } from '@pos/core/terminal-session';
import { approvalOf, VISA } from '@pos/core/testing';
import { APPROVED, declined, type Verdict } from '@pos/sandbox/card-verdict';
import type { Terminal } from '@pos/store/terminals';
import type { IntentWish } from '../payment-intents.js';
import type { SessionWish } from '../terminal-sessions.js';
import { act, createIntent, FULL, readCall, readIntent, sessionOf, type Shop, type World } from '../testing.js';

type Report = MachineReport extends infer R ? (R extends MachineReport ? Omit<R, 'number'> : never) : never;

/** A card machine with one session on it: it asks the acquirer over its own way and numbers what it reports. */
export class Machine {
  #reports = 0;

  private constructor(
    private readonly world: World,
    private readonly shop: Shop,
    readonly session: TerminalSession,
    private readonly terminal: Terminal,
  ) {}

  /** Creates the session that the machine is to run; on the first machine of the shop unless told otherwise. */
  static async order(
    world: World,
    shop: Shop,
    { terminal = shop.terminals[0], ...wish }: DistributiveOmit<SessionWish, 'terminalId'> & { terminal?: Terminal },
  ): Promise<Machine> {
    const { session } = await act(world, shop, (tx) =>
      world.sessions.create(tx, FULL, { ...wish, terminalId: terminal.id }),
    );
    return new Machine(world, shop, session, terminal);
  }

  static sale(world: World, shop: Shop, paymentIntentId: string): Promise<Machine> {
    return Machine.order(world, shop, { sessionType: 'Sale', paymentIntentId });
  }

  /** Reports; returns whether the machine is told to stop. */
  async report(report: Report): Promise<boolean> {
    this.#reports += 1;
    return this.send({ ...report, number: this.#reports });
  }

  /** Sends a report as it is, as a machine does that repeats what was not acknowledged. */
  async send(report: MachineReport): Promise<boolean> {
    const { stop } = await act(this.world, this.shop, (tx) =>
      this.world.sessions.report(tx, { terminal: this.terminal, sessionId: this.session.id, report }),
    );
    return stop;
  }

  confirm(): Promise<boolean> {
    return this.report({ kind: 'confirmed' });
  }

  show(notificationType: NotificationType): Promise<boolean> {
    return this.report({ kind: 'notification', notificationType });
  }

  /** Reads the card and asks the acquirer, as a broken machine over another amount; says nothing of it yet. */
  async charge(verdict: Verdict = APPROVED, amount = this.session.total): Promise<CardPresentApproval> {
    const { acquirerReference: reference, capture: isPurchase, sessionType } = this.session;
    const { merchantId } = this.shop;
    const terminalId = this.terminal.tid;
    const { door } = this.world;
    const original = sessionType === 'MatchedRefund' ? await this.#original() : null;
    const standing =
      sessionType === 'Sale'
        ? await door.authorise({
            ...{ reference, merchantId, amount, isPurchase },
            instrument: { kind: 'present', terminalId, card: CARD, verdict },
          })
        : await door.refundAtMachine({
            ...{ reference, originalReference: original, merchantId, terminalId, amount, card: CARD, verdict },
          });
    expect(standing.reference).toBe(reference);
    return this.recall();
  }

  /** What the acquirer said when the card was read, as the machine remembers it. */
  recall(): CardPresentApproval {
    const { acquirerReference: reference, total: amount } = this.session;
    const { transactionId, authCode, card } = this.world.door.acquirer.books.find(reference)!;
    const shown = { ...VISA, cardNumber: card!.maskedNumber, last4PAN: card!.last4 };
    const { merchantId } = this.shop;
    return approvalOf(amount, { reference, transactionId, authCode, merchantId, card: shown });
  }

  /** The whole yes: asked of the acquirer and reported. */
  async approve(isSignatureRequired = false): Promise<boolean> {
    return this.report({ kind: 'approved', approval: await this.charge(), isSignatureRequired });
  }

  async decline(): Promise<boolean> {
    const result = await this.charge(declined('Not today'));
    return this.report({ kind: 'declined', result: { ...result, authCode: '' } });
  }

  async read(): Promise<TerminalSession> {
    return (await sessionOf(this.world, this.shop, this.session.id)).session;
  }

  call(): Promise<AcquirerCall> {
    return readCall(this.world, this.shop, this.session.acquirerReference);
  }

  async #original(): Promise<string> {
    const intent = await readIntent(this.world, this.shop, this.session.paymentIntentId!);
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
export async function paidIntent(
  world: World,
  shop: Shop,
  wish: Partial<IntentWish> = {},
): Promise<{ readonly intentId: PaymentIntent['id']; readonly reference: string }> {
  const intentId = await createIntent(world, shop, wish);
  const machine = await Machine.sale(world, shop, intentId);
  await machine.confirm();
  await machine.approve();
  return { intentId, reference: machine.session.acquirerReference };
}
