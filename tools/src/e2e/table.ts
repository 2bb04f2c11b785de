import { type Journey, type JourneyPayment, JourneyPaymentState } from '@pos/grpc-contracts/gateway';
import type { Device } from './device.js';
import { type GatewayName, type StageRestaurant, createPaymentId, type Stage } from './stage.js';

/** The end of a payment. */
export type PaymentEnding = 'Recorded' | 'GivenBack' | 'Ended';

const ENDINGS: Readonly<Partial<Record<JourneyPaymentState, PaymentEnding>>> = {
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_RECORDED]: 'Recorded',
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_GIVEN_BACK]: 'GivenBack',
  [JourneyPaymentState.JOURNEY_PAYMENT_STATE_ENDED]: 'Ended',
};

/** The machine that approves a contactless card at once. */
export const CONTACTLESS = '90000001';
export const PIN = '90000002';
export const SIGNATURE = '90000003';

/** A device at a table whose session it has locked. */
export class TestTable {
  private constructor(
    readonly stage: Stage,
    readonly house: StageRestaurant,
    readonly device: Device,
    readonly journey: Journey,
  ) {}

  /** Takes a device to a free table and starts a journey there. */
  static async begin(
    stage: Stage,
    house: StageRestaurant,
    how: {
      readonly tid?: string;
      readonly gateways?: readonly GatewayName[];
      readonly owes?: 'most' | 'least';
    } = {},
  ): Promise<TestTable> {
    const { tid = CONTACTLESS, gateways, owes } = how;
    const { sessionId } = await stage.slot(house, owes);
    const device = stage.device(house, tid, gateways);
    try {
      return new TestTable(stage, house, device, await device.start(sessionId));
    } catch (error) {
      stage.leave(sessionId);
      throw error;
    }
  }

  /** Starts a card payment; resolves once the payment is stored. */
  async take(amount: number, gratuity = 0): Promise<string> {
    const paymentId = createPaymentId();
    const mode = { $case: 'custom', value: { amount: BigInt(amount) } } as const;
    await this.device.take({ journeyId: this.journey.journeyId, paymentId, mode, gratuity: BigInt(gratuity) });
    return paymentId;
  }

  /** Pays all that is outstanding, with a tip that avoids totals which trigger the sandbox. */
  async takeRest(): Promise<string> {
    const { outstanding, journeyId } = await this.device.look(this.journey.journeyId);
    const paymentId = createPaymentId();
    const gratuity = (100n - (outstanding % 100n)) % 100n;
    await this.device.take({ journeyId, paymentId, mode: { $case: 'full', value: {} }, gratuity });
    return paymentId;
  }

  async ending(paymentId: string, withinMs?: number): Promise<PaymentEnding> {
    const { state } = await this.device.untilFinal(this.journey.journeyId, paymentId, withinMs);
    const ending = ENDINGS[state];
    if (ending === undefined) throw new Error(`payment ${paymentId} ended as ${state}`);
    return ending;
  }

  /** The payment once it is in this state or in a final one. */
  async until(paymentId: string, wanted: JourneyPaymentState): Promise<JourneyPayment> {
    const isThere = ({ state }: JourneyPayment): boolean => state === wanted || ENDINGS[state] !== undefined;
    return this.device.until(this.journey.journeyId, isThere, { paymentId });
  }

  /** Ends the journey and unlocks the session. */
  async leave(): Promise<void> {
    await this.device.finish(this.journey.journeyId);
    this.stage.leave(this.journey.sessionId);
  }

  /** Makes a payment, waits for its end, and leaves. */
  async pay(amount: number, gratuity = 0): Promise<{ readonly paymentId: string; readonly ending: PaymentEnding }> {
    const paymentId = await this.take(amount, gratuity);
    const ending = await this.ending(paymentId);
    await this.leave();
    return { paymentId, ending };
  }
}
