import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { InternalIdentity } from '@pos/service-kit/internal';
import { CONFIG, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { CardPayments } from '../drivers/card-payments.js';
import { EposDriver } from '../drivers/epos-driver.js';
import { FlowsController } from './flows-controller.js';
import { RunService } from './run-service.js';

const GATEWAY = { app: 'pay-at-table-gateway', addressSetting: 'GATEWAY_INTERNAL_ADDRESSES' } as const;

const PROVIDERS = [
  provide(InternalIdentity, { config: CONFIG, log: LOG }, ({ config, log }) => new InternalIdentity(config, log)),
  provide(EposDriver, { config: CONFIG, identity: InternalIdentity }, ({ config, identity }) => {
    const { GATEWAY_INTERNAL_ADDRESSES: addresses }: Config = config;
    return new EposDriver(addresses, (address) => identity.createChannel({ ...GATEWAY, address }));
  }),
  provide(CardPayments, { database: Database }, ({ database }) => new CardPayments(database)),
  provide(
    RunService,
    { database: Database, driver: EposDriver, cards: CardPayments, log: LOG },
    (parts) => new RunService(parts),
  ),
];

/** Runs of flows against the EPOS of an account. */
@Module({ controllers: [FlowsController], providers: PROVIDERS })
export class RunsModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly runs: RunService,
    private readonly driver: EposDriver,
    private readonly identity: InternalIdentity,
  ) {}

  onApplicationBootstrap(): void {
    this.runs.watch();
  }

  /** Refuses new runs, and ends those that run, each with its cleanup. */
  async onModuleDestroy(): Promise<void> {
    await this.runs.close();
  }

  onApplicationShutdown(): void {
    this.driver.close();
    this.identity.close();
  }
}
