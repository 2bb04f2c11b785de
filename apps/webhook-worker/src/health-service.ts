import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { requireValue } from '@pos/core/refusals/assert';
import { DatabaseReadiness } from '@pos/nest-modules/database-module';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { serveHealth } from '@pos/service-kit/http/health';
import type { Log } from '@pos/service-kit/telemetry/log';
import type { Config } from './config/config.js';

type HealthServer = Awaited<ReturnType<typeof serveHealth>>;

/** Health of a process without an API. It answers until all work has stopped: an orchestrator waits for the rest then. */
@Injectable()
export class HealthService implements OnApplicationBootstrap, OnApplicationShutdown {
  #server: HealthServer | null = null;

  constructor(
    private readonly readiness: DatabaseReadiness,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The address, once the port is open. */
  get url(): string {
    return requireValue(this.#server, 'the open port of health').url;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { HTTP_PORT: port, HOST: host, CONNECTIONS_PER_ADDRESS: perAddress } = this.config;
    this.#server = await serveHealth({
      port,
      host,
      checks: [this.readiness],
      connections: { perAddress, log: this.log },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#server?.close();
  }
}
