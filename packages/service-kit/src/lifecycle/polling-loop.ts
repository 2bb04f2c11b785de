import type { Log } from '../telemetry/log.js';

/** Looks for work; true when it found any. `wake` starts the next pass at once, also after this one has ended. */
export type LoopPass = (wake: () => void) => Promise<boolean>;

/**
 * Repeats a pass while it finds work, and otherwise after each pause or when it is woken. Passes never overlap; a
 * failed pass is logged and repeated after the pause.
 */
export class PollingLoop {
  readonly #name: string;
  readonly #runPass: LoopPass;
  readonly #intervalMs: number;
  readonly #log: Log;
  #isStopping = false;
  #isWoken = false;
  #endPause: (() => void) | null = null;
  #running: Promise<void> | null = null;

  constructor({ name, pass, pauseMs, log }: { name: string; pass: LoopPass; pauseMs: number; log: Log }) {
    this.#name = name;
    this.#runPass = pass;
    this.#intervalMs = pauseMs;
    this.#log = log;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Starts the next pass at once, because there may be work. Only a hint: no work is lost without it. */
  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  /** Resolves when the running pass has ended; no other starts. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endPause?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false;
      const hasFound = await this.#tryPass();
      if (!hasFound) await this.#pause();
    }
  }

  async #tryPass(): Promise<boolean> {
    try {
      return await this.#runPass(() => {
        this.wake();
      });
    } catch (error) {
      this.#log.error('pass.failed', { loop: this.#name, error });
      // A hint that arrived meanwhile must not make the loop spin while the database is unavailable.
      this.#isWoken = false;
      return false;
    }
  }

  #pause(): Promise<void> {
    if (this.#isStopping || this.#isWoken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#endPause = null;
        resolve();
      };
      const timer = setTimeout(done, this.#intervalMs);
      this.#endPause = done;
    });
  }
}
