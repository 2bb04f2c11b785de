import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator } from '@pos/payments/accounts/api-key-authenticator';
import { Database } from '@pos/store/database/database';
import { SharedRateLimiter } from '@pos/store/rate-limits/shared-rate-limiter';
import { listTokens, provide } from '@pos/service-kit/nest/provide';
import { LOG } from '@pos/service-kit/nest/settings-module';

const PROVIDERS = [
  provide(SharedRateLimiter, { database: Database, log: LOG }, ({ database, log }) =>
    SharedRateLimiter.open(database, log),
  ),
  provide(
    ApiKeyAuthenticator,
    { database: Database, limits: SharedRateLimiter },
    ({ database, limits }) => new ApiKeyAuthenticator(database, { limits }),
  ),
];

/** Who an API key belongs to, and the rate limits that all processes share. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class ApiKeysModule {}
