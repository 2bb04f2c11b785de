import { Module } from '@nestjs/common';
import { DAY_MS } from '@pos/core/time/timespan';
import { PortalSignIn } from '@pos/payments/portal/portal-sign-in';
import { provide } from '@pos/service-kit/nest/provide';
import { CONFIG, LOG } from '@pos/service-kit/nest/settings-module';
import { Database } from '@pos/store/database/database';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import type { Config } from '../config/config.js';
import { DeviceCookies } from './device-cookies.js';
import { OidcCallback } from './oidc-callback.js';
import { OidcClient } from './oidc-client.js';
import { OidcStart } from './oidc-start.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { PortalRequestChecks } from './portal-request-checks.js';
import { PortalSessions } from './portal-sessions.js';
import { OwnUserController } from './own-user-controller.js';
import { SessionsController } from './sessions-controller.js';

const LIMITS = provide(SharedRateLimiter, { database: Database, log: LOG }, ({ database, log }) =>
  SharedRateLimiter.open(database, log),
);
const SIGN_IN = provide(
  PortalSignIn,
  { database: Database, limits: SharedRateLimiter, config: CONFIG },
  ({ database, limits, config }) => new PortalSignIn({ database, limits, sessions: readLimits(config) }),
);

function readLimits({ SESSION_AGE_MS: ageMs, SESSION_IDLE_MS: idleMs, PASSWORD_MAX_AGE_DAYS: days }: Config) {
  return { ageMs, idleMs, passwordMaxAgeMs: days === 0 ? null : days * DAY_MS };
}

/** Signing in and out, and the session of each request. */
@Module({
  providers: [
    LIMITS,
    SIGN_IN,
    PortalSessions,
    PortalRequestChecks,
    OidcClient,
    SignInAttempts,
    DeviceCookies,
    OidcStart,
    OidcCallback,
  ],
  controllers: [SessionsController, OwnUserController],
  exports: [PortalSessions],
})
export class SessionsModule {}
