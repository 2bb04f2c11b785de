import { Global, Module } from '@nestjs/common';
import { listTokens, provide } from '@pos/service-kit/nest';
import { EposDataClient } from '../epos-routing/epos-data-client.js';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { OrderLocks } from '../order-sessions/order-locks.js';
import { EPOS_RESOLVER } from '../session-locks/epos-resolver.js';
import { AccountEposClient } from './account-epos-client.js';

const PROVIDERS = [
  provide(
    EPOS_RESOLVER,
    { tablesClient: EposTablesClient, dataClient: EposDataClient, locks: OrderLocks },
    (parts) => (scope) => new AccountEposClient(parts, scope),
  ),
];

/** The EPOS of an account, as payments at its tables call it. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class EposPortModule {}
