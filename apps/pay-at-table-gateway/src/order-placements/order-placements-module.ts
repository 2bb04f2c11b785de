import { Global, Module } from '@nestjs/common';
import { PAYMENT_SETTINGS } from '@pos/nest-modules';
import { GiveBack } from '@pos/payments/captures-refunds';
import { OrderCapture, OrderPlacements } from '@pos/payments/orders';
import { CONFIG, listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import type { Config } from '../config/config.js';
import { EposDataClient } from '../epos-routing/epos-data-client.js';
import { PlacementEposClient } from './placement-epos-client.js';
import { PlacementRunner } from './placement-runner.js';

const PROVIDERS = [
  provide(
    PlacementEposClient,
    { config: CONFIG, database: Database, dataClient: EposDataClient },
    ({ config, database, dataClient }) => {
      const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new PlacementEposClient({
        ...{ database, callLimitMs },
        callData: async (request) => (await dataClient.callData(request)).outcome,
      });
    },
  ),
  provide(
    PlacementRunner,
    {
      config: CONFIG,
      database: Database,
      queue: TimerQueue,
      placements: OrderPlacements,
      calls: PlacementEposClient,
      capture: OrderCapture,
      giveBack: GiveBack,
      settings: PAYMENT_SETTINGS,
      log: LOG,
    },
    ({ config, ...parts }) => {
      const { RUNNER_LEASE_MS: leaseMs, EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new PlacementRunner({ ...parts, times: { leaseMs, callLimitMs } });
    },
  ),
];

/** Orders that are paid in advance. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class OrderPlacementsModule {}
