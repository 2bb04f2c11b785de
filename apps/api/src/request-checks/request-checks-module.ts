import { Module } from '@nestjs/common';
import { ACTIVITIES } from '@pos/nest-modules/database-module';
import { PortalAuthenticator } from '@pos/nest-modules/portal-authenticator';
import { RequestActivityRecorder } from '@pos/nest-modules/request-activity-recorder';
import { provide } from '@pos/service-kit/nest/provide';
import { EposModule } from '../epos/epos-module.js';
import { AddressPolicyModule } from '../config/address-policy-module.js';
import { ApiRequestChecks } from './api-request-checks.js';

const RECORDER = provide(
  RequestActivityRecorder,
  { activities: ACTIVITIES },
  ({ activities }) => new RequestActivityRecorder(activities),
);

/** The checks of every request: key, rate limits, stored answers, members. */
@Module({
  imports: [AddressPolicyModule, EposModule],
  providers: [ApiRequestChecks, PortalAuthenticator, RECORDER],
})
export class RequestChecksModule {}
