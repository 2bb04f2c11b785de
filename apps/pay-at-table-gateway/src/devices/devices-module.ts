import { Global, Module } from '@nestjs/common';
import { AccountCache } from '@pos/payments/accounts';
import { listTokens, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import { EposTablesClient } from '../epos-routing/epos-tables-client.js';
import { DeviceAccess } from './device-access.js';
import { TableReadService } from './table-read-service.js';

const PROVIDERS = [
  provide(DeviceAccess, { database: Database, accounts: AccountCache }, (parts) => new DeviceAccess(parts)),
  provide(
    TableReadService,
    { database: Database, accounts: AccountCache, tablesClient: EposTablesClient },
    (parts) => new TableReadService(parts),
  ),
];

/** The devices of accounts: what they may do, and what they read from the EPOS. */
@Global()
@Module({ providers: PROVIDERS, exports: listTokens(PROVIDERS) })
export class DevicesModule {}
