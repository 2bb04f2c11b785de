import type { SimulationClock } from '../clock/simulation-clock.js';
import type { CounterSalesClient, CounterSaleSession } from './counter-sales-client.js';

const READ_INTERVAL_MS = 400;
const FINAL_STATUSES: ReadonlySet<CounterSaleSession['status']> = new Set([
  'Authorized',
  'Captured',
  'Canceled',
  'Expired',
  'Declined',
  'SignatureVerificationRejected',
]);

/** Reads the session of a machine from the payments API until it is final, as an integrator polls it. */
export class ServiceSessionReader {
  readonly #counterSales: CounterSalesClient;
  readonly #clock: SimulationClock;
  readonly #onChange: () => void;
  #followedId: string | null = null;
  #session: CounterSaleSession | null = null;

  constructor(parts: {
    readonly counterSales: CounterSalesClient;
    readonly clock: SimulationClock;
    readonly onChange: () => void;
  }) {
    this.#counterSales = parts.counterSales;
    this.#clock = parts.clock;
    this.#onChange = parts.onChange;
  }

  get session(): CounterSaleSession | null {
    return this.#session;
  }

  follow(sessionId: string): void {
    if (this.#followedId === sessionId) return;
    this.#followedId = sessionId;
    void this.#read(sessionId);
  }

  stop(): void {
    this.#followedId = null;
  }

  async #read(sessionId: string): Promise<void> {
    let isFinal = false;
    try {
      const session = await this.#counterSales.readSession(sessionId);
      if (this.#followedId !== sessionId) return;
      const isChanged = JSON.stringify(session) !== JSON.stringify(this.#session);
      this.#session = session;
      isFinal = FINAL_STATUSES.has(session.status);
      if (isChanged) this.#onChange();
    } catch {
      // The API restarts. The next reading finds the session.
    }
    if (isFinal) return;
    this.#clock.scheduleRealTime(READ_INTERVAL_MS, () => {
      if (this.#followedId === sessionId) void this.#read(sessionId);
    });
  }
}
