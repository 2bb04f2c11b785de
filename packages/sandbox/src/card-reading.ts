import type { Standing } from './acquirer-call.js';
import { RuledStatus, Unanswered, type AcquirerDoor } from './acquirer-door.js';
import type { WorldClock } from './clock.js';
import type { StartCommand } from './machine-message.js';
import type { MachineModel, Play } from './machine-play.js';

/** What a machine gets for the card it read: the acquirer's decision, or the certainty that nothing was booked. */
export type Reading = { readonly kind: 'decided'; readonly standing: Standing } | { readonly kind: 'unreachable' };

const INQUIRY_EVERY_MS = 1_000;
/** Ten simulated minutes: longer than any window of the service. */
const INQUIRIES_MAX = 600;

/** A machine's own line to the acquirer. A call without an answer is inquired after until it is decided. */
export class CardReading {
  readonly #door: AcquirerDoor;
  readonly #clock: WorldClock;
  readonly #merchantId: string;
  readonly #model: MachineModel;

  constructor(place: { door: AcquirerDoor; clock: WorldClock; merchantId: string; model: MachineModel }) {
    this.#door = place.door;
    this.#clock = place.clock;
    this.#merchantId = place.merchantId;
    this.#model = place.model;
  }

  async ask(start: StartCommand, play: Play): Promise<Reading> {
    try {
      return { kind: 'decided', standing: await this.#call(start, play) };
    } catch (error) {
      if (error instanceof RuledStatus) {
        return error.isBooked ? this.#inquire(start.acquirerReference) : { kind: 'unreachable' };
      }
      if (!(error instanceof Unanswered)) throw error;
      return error.way === 'down' ? { kind: 'unreachable' } : this.#inquire(start.acquirerReference);
    }
  }

  #call(start: StartCommand, play: Play): Promise<Standing> {
    const { acquirerReference: reference, originalReference, total: amount } = start;
    const merchantId = this.#merchantId;
    const terminalId = this.#model.tid;
    if (start.sessionType === 'Sale') {
      const instrument = { kind: 'present', terminalId, card: play.card, verdict: play.verdict } as const;
      return this.#door.authorise({ reference, merchantId, amount, isPurchase: start.isPurchase, instrument });
    }
    const verdict = play.verdict.outcome === 'Approved' ? null : play.verdict;
    return this.#door.refundAtMachine({
      reference,
      originalReference,
      merchantId,
      terminalId,
      amount,
      card: play.card,
      verdict,
    });
  }

  async #inquire(reference: string): Promise<Reading> {
    for (let inquiry = 0; inquiry < INQUIRIES_MAX; inquiry += 1) {
      await new Promise<void>((resolve) => {
        this.#clock.after(INQUIRY_EVERY_MS, resolve);
      });
      const standing = this.#door.acquirer.inquire(reference);
      if (standing.outcome !== 'InProgress' && standing.outcome !== 'NotFound') return { kind: 'decided', standing };
    }
    return { kind: 'unreachable' };
  }
}
