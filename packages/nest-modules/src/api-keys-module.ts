import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator, PartnerDirectory } from '@pos/payments/accounts';
import { Database } from '@pos/store/database';
import { SharedRateLimiter } from '@pos/store/rate-limits';
import { listTokens, LOG, provide } from '@pos/service-kit/nest';

const PROVIDERS = [
  provide(SharedRateLimiter, { database: Database, log: LOG }, ({ database, log }) =>
    SharedRateLimiter.open(database, log),
  ),
  provide(
    PartnerDirectory,
    { database: Database, log: LOG },
    ({ database, log }) =>
      new PartnerDirectory(database, ({ kind, id, status }) =>
        log.warn('partner.not_registered', { kind, id, status }),
      ),
  ),
  provide(
    ApiKeyAuthenticator,
    { database: Database, limits: SharedRateLimiter, partners: PartnerDirectory },
    ({ database, limits, partners }) =>
      new ApiKeyAuthenticator(database, {
        limits,
        notePartnersRevision: (revision) => partners.noteRevision(revision),
      }),
  ),
];

/** Who an API key belongs to, which partners are registered, and the rate limits that all processes share. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class ApiKeysModule {}
