import { setTimeout as pause } from 'node:timers/promises';
import type { StageRestaurant, Stage } from '../e2e/stage.js';

const LOOK_EVERY_MS = 50;

/** Polls the pending list until stopped, and records the states of a payment there. */
export class PendingWatch {
  readonly states = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #loop: Promise<void>;

  constructor(stage: Stage, house: StageRestaurant, paymentId: string) {
    this.#loop = this.#poll(stage, house, paymentId);
  }

  async stop(): Promise<ReadonlySet<string>> {
    this.#stopping.abort();
    await this.#loop;
    return this.states;
  }

  async #poll(stage: Stage, house: StageRestaurant, paymentId: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const pending = await stage.pending(house);
      for (const each of pending) if (each.paymentId === paymentId) this.states.add(each.state);
      await pause(LOOK_EVERY_MS);
    }
  }
}
