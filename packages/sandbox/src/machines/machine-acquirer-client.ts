import type { SimulatedCallState } from '../acquirer/acquirer-call.js';
import { RuledStatusError, NoAnswerError, type AcquirerSimulator } from '../acquirer/acquirer-simulator.js';
import type { SimulationClock } from '../clock/simulation-clock.js';
import type { StartCommand } from './machine-commands.js';
import type { MachineModel, MachineScript } from './machine-script.js';

/** The result for a card: the acquirer's decision, or the certainty that nothing was booked. */
export type CardReadingResult =
  | { readonly kind: 'decided'; readonly callState: SimulatedCallState }
  | { readonly kind: 'notMade'; readonly reason: string };

const UNREACHABLE = { kind: 'notMade', reason: 'the acquirer cannot be reached' } as const;
const INQUIRY_INTERVAL_MS = 1_000;
/** Ten simulated minutes: longer than any window of the service. */
const INQUIRIES_MAX = 600;

/** A machine's own client of the acquirer. A call without an answer is inquired until it is decided. */
export class MachineAcquirerClient {
  readonly #acquirer: AcquirerSimulator;
  readonly #clock: SimulationClock;
  readonly #merchantId: string;
  readonly #model: MachineModel;

  constructor(options: {
    acquirerSimulator: AcquirerSimulator;
    clock: SimulationClock;
    merchantId: string;
    model: MachineModel;
  }) {
    this.#acquirer = options.acquirerSimulator;
    this.#clock = options.clock;
    this.#merchantId = options.merchantId;
    this.#model = options.model;
  }

  async requestDecision(start: StartCommand, script: MachineScript): Promise<CardReadingResult> {
    if (isOtherCard(start, script)) return { kind: 'notMade', reason: 'not the card of the payment' };
    try {
      return { kind: 'decided', callState: await this.#callAcquirer(start, script) };
    } catch (error) {
      if (error instanceof RuledStatusError) {
        return error.isBooked ? this.#inquire(start.acquirerReference) : UNREACHABLE;
      }
      if (!(error instanceof NoAnswerError)) throw error;
      return error.cause === 'down' ? UNREACHABLE : this.#inquire(start.acquirerReference);
    }
  }

  #callAcquirer(start: StartCommand, script: MachineScript): Promise<SimulatedCallState> {
    const { acquirerReference: reference, originalReference, total: amount } = start;
    const merchantId = this.#merchantId;
    const terminalId = this.#model.tid;
    if (start.sessionType === 'Sale') {
      const instrument = { kind: 'present', terminalId, card: script.card, verdict: script.verdict } as const;
      return this.#acquirer.authorise({ reference, merchantId, amount, isPurchase: start.isPurchase, instrument });
    }
    const verdict = script.verdict.outcome === 'Approved' ? null : script.verdict;
    return this.#acquirer.refundAtMachine({
      reference,
      originalReference,
      merchantId,
      terminalId,
      amount,
      card: script.card,
      verdict,
    });
  }

  async #inquire(reference: string): Promise<CardReadingResult> {
    for (let inquiry = 0; inquiry < INQUIRIES_MAX; inquiry += 1) {
      await new Promise<void>((resolve) => {
        this.#clock.schedule(INQUIRY_INTERVAL_MS, resolve);
      });
      const state = this.#acquirer.acquirer.inquire(reference);
      if (state.outcome !== 'InProgress' && state.outcome !== 'NotFound') return { kind: 'decided', callState: state };
    }
    return UNREACHABLE;
  }
}

function isOtherCard({ onlyCard }: StartCommand, { card: { number } }: MachineScript): boolean {
  return onlyCard !== null && !(number.startsWith(onlyCard.firstDigits) && number.endsWith(onlyCard.last4));
}
