import { Module } from '@nestjs/common';
import { DAY_MS } from '@pos/core/time';
import { FactorEnrolment, FactorProofs, PortalSignIn, SignInSteps } from '@pos/administration/portal';
import { CONFIG, LOG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { SharedRateLimiter } from '@pos/store/rate-limits';
import { type Config, findPortalParty } from '../config/config.js';
import { DeviceCookies } from './device-cookies.js';
import { OidcCallback } from './oidc-callback.js';
import { OidcClient } from './oidc-client.js';
import { OidcStart } from './oidc-start.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { PortalRequestChecks } from './portal-request-checks.js';
import { PortalSessions } from './portal-sessions.js';
import { SecondFactorRule } from './second-factor-rule.js';
import { SessionPresenter } from './session-presenter.js';
import { OwnUserController } from './own-user-controller.js';
import { SessionsController } from './sessions-controller.js';

const LIMITS = provide(SharedRateLimiter, { database: Database, log: LOG }, ({ database, log }) =>
  SharedRateLimiter.open(database, log),
);
const PROOFS = provide(
  FactorProofs,
  { database: Database, limits: SharedRateLimiter, config: CONFIG },
  ({ database, limits, config }) => new FactorProofs({ database, limits, party: findPortalParty(config) }),
);
const ENROLMENT = provide(
  FactorEnrolment,
  { database: Database, limits: SharedRateLimiter, config: CONFIG },
  ({ database, limits, config }) => new FactorEnrolment({ database, limits, party: findPortalParty(config) }),
);
const STEPS = provide(
  SignInSteps,
  { database: Database, proofs: FactorProofs, config: CONFIG },
  ({ config, ...parts }) =>
    new SignInSteps({ ...parts, sessionAgeMs: readLimits(config).ageMs, acceptsPasswords: readsPasswords(config) }),
);
const SIGN_IN = provide(
  PortalSignIn,
  { database: Database, limits: SharedRateLimiter, proofs: FactorProofs, steps: SignInSteps, config: CONFIG },
  ({ config, ...parts }) =>
    new PortalSignIn({ ...parts, sessions: readLimits(config), acceptsPasswords: readsPasswords(config) }),
);

function readLimits({ SESSION_AGE_MS: ageMs, SESSION_IDLE_MS: idleMs, PASSWORD_MAX_AGE_DAYS: days }: Config) {
  return { ageMs, idleMs, passwordMaxAgeMs: days === 0 ? null : days * DAY_MS };
}

function readsPasswords({ PASSWORD_SIGN_IN }: Config): boolean {
  return PASSWORD_SIGN_IN === 'on';
}

/** Signing in and out, and the session of each request. */
@Module({
  providers: [
    LIMITS,
    PROOFS,
    ENROLMENT,
    STEPS,
    SIGN_IN,
    SecondFactorRule,
    SessionPresenter,
    PortalSessions,
    PortalRequestChecks,
    OidcClient,
    SignInAttempts,
    DeviceCookies,
    OidcStart,
    OidcCallback,
  ],
  controllers: [SessionsController, OwnUserController],
  exports: [
    ...[PortalSessions, PortalSignIn, SignInSteps, FactorEnrolment, FactorProofs],
    ...[SecondFactorRule, SessionPresenter, DeviceCookies],
  ],
})
export class SessionsModule {}
