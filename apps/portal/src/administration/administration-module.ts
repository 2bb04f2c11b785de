import { Module } from '@nestjs/common';
import { createPendingAdministration, PendingAdministration } from '@pos/administration/pending-work';
import { CONFIG, provide } from '@pos/service-kit/nest';
import { Database } from '@pos/store/database';
import type { Config } from '../config/config.js';
import { ApiSender } from '../forwarding/api-sender.js';
import { SessionsModule } from '../sessions/sessions-module.js';
import { AccountController } from './account-controller.js';
import { AccountNames } from './account-names.js';
import { AgreedSettingsController } from './agreed-settings-controller.js';
import { AuditLogController } from './audit-log-controller.js';
import { BooksSettlement } from './books-settlement.js';
import { DeadLetterController } from './dead-letter-controller.js';
import { OperatorAccess } from './operator-access.js';
import { PartnerController } from './partner-controller.js';
import { PendingController } from './pending-controller.js';
import { TerminalController } from './terminal-controller.js';
import { UserController } from './user-controller.js';

const PENDING = provide(PendingAdministration, { database: Database, config: CONFIG }, ({ database, config }) => {
  const { ACQUIRER_CALL_PENDING_MS: callPendingMs }: Config = config;
  return createPendingAdministration(database, { callPendingMs });
});

/** What operators of the service do for all accounts, by the use cases of `pos-admin` (ADR 0102). */
@Module({
  imports: [SessionsModule],
  providers: [OperatorAccess, AccountNames, ApiSender, BooksSettlement, PENDING],
  controllers: [
    AccountController,
    AgreedSettingsController,
    AuditLogController,
    DeadLetterController,
    PartnerController,
    PendingController,
    TerminalController,
    UserController,
  ],
})
export class AdministrationModule {}
