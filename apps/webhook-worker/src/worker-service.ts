import { SYSTEM_SCOPE } from '@pos/core/administration';
import { scheduleServiceReconciliation } from '@pos/store/reconciliation';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG, LOG } from '@pos/service-kit/nest';
import { EgressClient } from '@pos/service-kit/egress';
import { createFaultPoint } from '@pos/service-kit/lifecycle';
import type { Log } from '@pos/service-kit/telemetry';
import { Database } from '@pos/store/database';
import type { Config } from './config/config.js';
import { EposGatewayClient } from './delivery/epos-gateway-client.js';
import type { TimerEffects } from './timers/timer-worker.js';
import { TIMER_EFFECTS } from './timers/timers-module.js';
import { startWebhookWorker, type WebhookWorker } from './worker.js';

/** The loops of the worker, from the start of the process to its drain. */
@Injectable()
export class WorkerService implements OnApplicationBootstrap, OnModuleDestroy {
  #worker: WebhookWorker | null = null;

  constructor(
    private readonly database: Database,
    private readonly egress: EgressClient,
    private readonly gatewayClient: EposGatewayClient,
    @Inject(TIMER_EFFECTS) private readonly effects: TimerEffects,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { database, egress, gatewayClient, effects, config, log } = this;
    const fault = createFaultPoint(config);
    await database.transact(SYSTEM_SCOPE, async (tx) => scheduleServiceReconciliation(tx));
    this.#worker = await startWebhookWorker({ database, egress, gatewayClient, effects, log, fault, settings: config });
  }

  /** Claims nothing more, and finishes or gives back the claimed work. */
  async onModuleDestroy(): Promise<void> {
    await this.#worker?.stop();
  }
}
