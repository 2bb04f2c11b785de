import { Global, Module } from '@nestjs/common';
import { Leases } from '@pos/payments/tables';
import { CONFIG, listTokens, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { TimerQueue } from '@pos/store/queues';
import { computeClaimMs } from '../config/claim-times.js';
import type { Config } from '../config/config.js';
import { EPOS_RESOLVER } from './epos-resolver.js';
import { LeaseCache } from './lease-cache.js';
import { LeaseTimerWorker } from './lease-timer-worker.js';
import { SessionLockService } from './session-lock-service.js';

const DEPENDENCIES = { config: CONFIG, database: Database, leases: Leases, getEpos: EPOS_RESOLVER };

const PROVIDERS = [
  provide(LeaseCache, {}, () => new LeaseCache()),
  provide(SessionLockService, DEPENDENCIES, ({ config, ...parts }) => {
    const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
    return new SessionLockService({ ...parts, callLimitMs });
  }),
  provide(
    LeaseTimerWorker,
    { ...DEPENDENCIES, queue: TimerQueue, locks: SessionLockService, log: LOG },
    ({ config, ...parts }) => {
      const { EPOS_CALL_LIMIT_MS: callLimitMs }: Config = config;
      return new LeaseTimerWorker({ ...parts, callLimitMs, claimMs: computeClaimMs(config) });
    },
  ),
];

/** The locks of sessions at their EPOSes, and the leases that they belong to. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class SessionLocksModule {}
