import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '@pos/core/refusals';
import { type Client, openClient, ProblemError } from '@pos/rest-contracts/client';
import { CONFIG, LOG } from '@pos/service-kit/nest';
import type { Log } from '@pos/service-kit/telemetry';
import type { Config } from '../config/config.js';

const DEADLINE_MS = 5_000;

/** Calls the control of the sandbox, which needs no key: callers check first who asks, and for which account. */
@Injectable()
export class SimulatorClient {
  readonly #client: Client | null;

  constructor(
    @Inject(CONFIG) { SANDBOX_URL: url }: Config,
    @Inject(LOG) private readonly log: Log,
  ) {
    const settings = { apiKey: null, deadlineMs: DEADLINE_MS };
    this.#client = url === undefined ? null : openClient({ ...settings, baseUrl: url.replace(/\/+$/, '') });
  }

  get isInstalled(): boolean {
    return this.#client !== null;
  }

  /**
   * Runs calls of the control. Refuses `path_unknown` and `terminal_not_found` as the sandbox does, and
   * `service_unavailable` when it does not answer.
   */
  async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#client === null) throw new Refusal('path_unknown', 'This installation has no simulator.');
    try {
      return await work(this.#client);
    } catch (error) {
      if (error instanceof ProblemError) {
        const { reason } = error;
        if (reason === 'path_unknown') throw new Refusal(reason, 'The simulator does not simulate this.');
        if (reason === 'terminal_not_found') throw new Refusal(reason, 'The account has no such simulated machine.');
      }
      this.log.warn('portal.sandbox_unreachable', { error });
      throw new Refusal('service_unavailable', 'The simulator has not answered.');
    }
  }
}
